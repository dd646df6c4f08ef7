//! Effect sizes: how large a difference is, apart from how sure it is.

use super::StatsError;
use super::error::{finite, probability};

/// Cohen's h: `2 asin(sqrt(p1)) - 2 asin(sqrt(p2))`, in radians, from -pi to pi.
///
/// J. Cohen, "Statistical power analysis for the behavioral sciences", 1988, chapter 6.
///
/// # Errors
/// [`StatsError::Argument`] unless both are in `[0, 1]`.
pub fn cohens_h(p1: f64, p2: f64) -> Result<f64, StatsError> {
    probability("p1", p1)?;
    probability("p2", p2)?;
    Ok(2.0 * libm::asin(p1.sqrt()) - 2.0 * libm::asin(p2.sqrt()))
}

/// Cohen's d of one sample: the distance of the mean from the null value in standard deviations
/// of a block.
///
/// # Errors
/// [`StatsError::Argument`] unless `mean` and `mu0` are finite and `sd` is finite and positive.
pub fn cohens_d(mean: f64, mu0: f64, sd: f64) -> Result<f64, StatsError> {
    finite("mean", mean)?;
    finite("mu0", mu0)?;
    super::error::positive("sd", sd)?;
    Ok((mean - mu0) / sd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_sign_of_the_difference_and_bad_input_is_an_error() {
        assert!((cohens_h(0.75, 0.5).unwrap() - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
        assert!((cohens_h(1.0, 0.0).unwrap() - std::f64::consts::PI).abs() < 1e-15);
        assert!((cohens_d(0.4, 0.5, 0.2).unwrap() + 0.5).abs() < 1e-15);
        assert!(cohens_h(1.1, 0.5).is_err() && cohens_h(0.5, f64::NAN).is_err());
        assert!(cohens_d(0.4, 0.5, 0.0).is_err());
    }
}
