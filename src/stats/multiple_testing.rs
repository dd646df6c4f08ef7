//! Adjusted p-values for families of tests, in the order of the input, clipped to 1.
//!
//! An adjusted p-value below the level means: rejected by the whole procedure at that level.
//! Holm is the default for claims: it needs no assumption on dependence, and cells share deals, so
//! they are dependent (no Sidak, Hochberg or Hommel for claims). Benjamini-Hochberg is for
//! exploration, where a known share of false findings is acceptable.
#![expect(
    clippy::cast_precision_loss,
    reason = "lengths of lists are far below 2^53"
)]

use super::StatsError;

/// Hommel's procedure needs time that grows with the square of the number of tests.
const HOMMEL_LIMIT: usize = 10_000;

/// A procedure for adjusting p-values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjustment {
    /// `m p`. Family-wise error, any dependence.
    Bonferroni,
    /// `1 - (1 - p)^m`. Family-wise error, independent tests. Z. Sidak, JASA 62 (1967).
    Sidak,
    /// Step-down Bonferroni. Family-wise error, any dependence. S. Holm, Scand. J. Statist. 6
    /// (1979).
    Holm,
    /// Step-down Sidak. Family-wise error, independent tests.
    HolmSidak,
    /// Step-up. Family-wise error, independent or positively dependent tests. Y. Hochberg,
    /// Biometrika 75 (1988).
    Hochberg,
    /// Closed testing with Simes' test. Family-wise error, as Hochberg. G. Hommel, Biometrika 75
    /// (1988).
    Hommel,
    /// Benjamini and Hochberg: false discovery rate, independent or positively dependent tests
    /// (JRSS B 57, 1995).
    Bh,
    /// Benjamini and Yekutieli: false discovery rate, any dependence (Ann. Statist. 29, 2001).
    By,
}

/// The adjusted p-values, in the order of `p_values`.
///
/// # Errors
/// [`StatsError::Argument`] if the list is empty, a value is not in `[0, 1]`, or there are more
/// than 10,000 values for [`Adjustment::Hommel`].
///
/// # Examples
/// ```
/// use evalctl::stats::multiple_testing::{Adjustment, adjust};
/// assert_eq!(adjust(&[0.01, 0.5, 0.25], Adjustment::Bonferroni)?, [0.03, 1.0, 0.75]);
/// # Ok::<(), evalctl::stats::StatsError>(())
/// ```
pub fn adjust(p_values: &[f64], method: Adjustment) -> Result<Vec<f64>, StatsError> {
    if p_values.is_empty() {
        return Err(StatsError::argument(
            "p_values",
            "an empty list",
            "a list of at least one p-value",
        ));
    }
    if let Some(bad) = p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(StatsError::argument(
            "p_values",
            format!("a list with {bad}"),
            "a list of numbers between 0 and 1",
        ));
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let sorted: Vec<f64> = order.iter().map(|index| p_values[*index]).collect();
    let adjusted = adjust_sorted(&sorted, method)?;
    let mut result = vec![0.0; p_values.len()];
    for (value, index) in adjusted.into_iter().zip(order) {
        result[index] = value;
    }
    Ok(result)
}

/// Holm's adjusted p-values, the default for claims: [`adjust`] with [`Adjustment::Holm`].
///
/// # Errors
/// As [`adjust`].
///
/// # Examples
/// ```
/// assert_eq!(evalctl::stats::multiple_testing::holm(&[0.01, 0.5, 0.25])?, [0.03, 0.5, 0.5]);
/// # Ok::<(), evalctl::stats::StatsError>(())
/// ```
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    adjust(p_values, Adjustment::Holm)
}

fn adjust_sorted(p: &[f64], method: Adjustment) -> Result<Vec<f64>, StatsError> {
    let count = p.len();
    let m = count as f64;
    // The number of tests from this rank on, and the rank counted from 1.
    let left = |rank: usize| (count - rank) as f64;
    let position = |rank: usize| (rank + 1) as f64;
    let sidak = |p: f64, tests: f64| -libm::expm1(tests * libm::log1p(-p));
    let ranked = || p.iter().copied().enumerate();
    Ok(match method {
        Adjustment::Bonferroni => p.iter().map(|p| (m * p).min(1.0)).collect(),
        Adjustment::Sidak => p.iter().map(|p| sidak(*p, m)).collect(),
        Adjustment::Holm => step_down(ranked().map(|(rank, p)| left(rank) * p)),
        Adjustment::HolmSidak => step_down(ranked().map(|(rank, p)| sidak(p, left(rank)))),
        Adjustment::Hochberg => step_up(ranked().map(|(rank, p)| left(rank) * p)),
        Adjustment::Bh => step_up(ranked().map(|(rank, p)| m / position(rank) * p)),
        Adjustment::By => {
            let harmonic: f64 = (0..count).map(|rank| 1.0 / position(rank)).sum();
            step_up(ranked().map(|(rank, p)| harmonic * m / position(rank) * p))
        }
        Adjustment::Hommel => hommel(p)?,
    })
}

/// Running maximum from the smallest p-value on.
fn step_down(values: impl Iterator<Item = f64>) -> Vec<f64> {
    values
        .scan(0.0_f64, |highest, value| {
            *highest = highest.max(value).min(1.0);
            Some(*highest)
        })
        .collect()
}

/// Running minimum from the largest p-value down.
fn step_up(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut result: Vec<f64> = values.collect();
    let mut lowest = 1.0_f64;
    for value in result.iter_mut().rev() {
        lowest = lowest.min(*value);
        *value = lowest;
    }
    result
}

/// The algorithm of R's `p.adjust`: S. P. Wright, Biometrics 48 (1992), appendix.
fn hommel(p: &[f64]) -> Result<Vec<f64>, StatsError> {
    let n = p.len();
    if n > HOMMEL_LIMIT {
        return Err(StatsError::argument(
            "p_values",
            format!("a list of {n}"),
            format!("at most {HOMMEL_LIMIT} long for Hommel's method; Hochberg's has no limit"),
        ));
    }
    let all = n as f64;
    let start = p
        .iter()
        .enumerate()
        .map(|(rank, p)| all * p / (rank + 1) as f64)
        .fold(f64::INFINITY, f64::min);
    let mut q = vec![start; n];
    let mut adjusted = q.clone();
    for m in (2..n).rev() {
        let size = m as f64;
        let split = n - m + 1;
        let smallest = p[split..]
            .iter()
            .enumerate()
            .map(|(index, p)| size * p / (index + 2) as f64)
            .fold(f64::INFINITY, f64::min);
        for (q, p) in q[..split].iter_mut().zip(p) {
            *q = (size * p).min(smallest);
        }
        let last = q[split - 1];
        q[split..].fill(last);
        for (adjusted, q) in adjusted.iter_mut().zip(&q) {
            *adjusted = adjusted.max(*q);
        }
    }
    Ok(adjusted
        .iter()
        .zip(p)
        .map(|(adjusted, p)| adjusted.max(*p).min(1.0))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stricter_procedures_never_give_smaller_p_values() {
        let p = [0.01, 0.04, 0.03, 0.005, 0.55, 0.2, 0.0, 1.0];
        let get = |method| adjust(&p, method).unwrap();
        let (bonferroni, holm) = (get(Adjustment::Bonferroni), get(Adjustment::Holm));
        let (hochberg, hommel) = (get(Adjustment::Hochberg), get(Adjustment::Hommel));
        let bh = get(Adjustment::Bh);
        for i in 0..p.len() {
            assert!(bonferroni[i] >= holm[i] && holm[i] >= hochberg[i]);
            assert!(hochberg[i] >= hommel[i] && hommel[i] >= bh[i] && bh[i] >= p[i]);
        }
    }

    #[test]
    fn bad_lists_are_errors() {
        for bad in [&[][..], &[0.5, f64::NAN], &[-0.1], &[1.5]] {
            for method in [Adjustment::Holm, Adjustment::Hommel, Adjustment::Sidak] {
                let error = adjust(bad, method).unwrap_err().to_string();
                assert!(error.contains("`p_values`"), "{error}");
            }
        }
        assert!(adjust(&vec![0.1; 30_000], Adjustment::Hommel).is_err());
    }
}
