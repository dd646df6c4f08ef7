//! Small symmetric systems of equations, as Newton's method needs them.

/// The Cholesky factor of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    size: usize,
    /// Lower triangle, row by row, `size * size` entries.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors the matrix (row by row, `size * size` entries, lower triangle read). `None` when it
    /// is not positive definite: some pivot is at most 1e-13 of its diagonal entry.
    pub(super) fn new(matrix: &[f64], size: usize) -> Option<Self> {
        let mut lower = matrix.to_vec();
        for row in 0..size {
            for column in 0..=row {
                let mut sum = matrix[row * size + column];
                for k in 0..column {
                    sum -= lower[row * size + k] * lower[column * size + k];
                }
                if row == column {
                    let diagonal = matrix[row * size + row];
                    if !(sum > 1e-13 * diagonal && sum.is_finite()) {
                        return None;
                    }
                    lower[row * size + row] = sum.sqrt();
                } else {
                    lower[row * size + column] = sum / lower[column * size + column];
                }
            }
        }
        Some(Self { size, lower })
    }

    /// Solves for one right-hand side, in place.
    pub(super) fn solve(&self, vector: &mut [f64]) {
        let size = self.size;
        for row in 0..size {
            let known: f64 = (0..row)
                .map(|k| self.lower[row * size + k] * vector[k])
                .sum();
            vector[row] = (vector[row] - known) / self.lower[row * size + row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size)
                .map(|k| self.lower[k * size + row] * vector[k])
                .sum();
            vector[row] = (vector[row] - known) / self.lower[row * size + row];
        }
    }

    /// The inverse, row by row.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let size = self.size;
        let mut inverse = vec![0.0; size * size];
        let mut column = vec![0.0; size];
        for index in 0..size {
            column.fill(0.0);
            column[index] = 1.0;
            self.solve(&mut column);
            for row in 0..size {
                inverse[row * size + index] = column[row];
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let matrix = [4.0, 1.0, 0.5, 1.0, 3.0, -0.7, 0.5, -0.7, 2.0];
        let inverse = Cholesky::new(&matrix, 3).unwrap().inverse();
        for row in 0..3 {
            for column in 0..3 {
                let product: f64 = (0..3)
                    .map(|k| matrix[row * 3 + k] * inverse[k * 3 + column])
                    .sum();
                let expected = f64::from(u8::from(row == column));
                assert!((product - expected).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        assert!(Cholesky::new(&[1.0, 2.0, 2.0, 4.0], 2).is_none());
        assert!(Cholesky::new(&[f64::NAN], 1).is_none());
        assert!(Cholesky::new(&[0.0], 1).is_none());
    }
}
