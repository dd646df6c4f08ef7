//! Bayes factors and posterior probabilities of a success probability.

use super::StatsError;
use super::distributions::{Beta, ln_beta};
use super::error::{open_unit, positive};

/// The natural logarithm of the Bayes factor of H1 "the success probability has a Beta(`prior_a`,
/// `prior_b`) prior" against H0 "it is `p0`" (H. Jeffreys, "Theory of Probability", 1961, section
/// 5.1).
///
/// # Errors
/// When `successes` exceeds `n`, `p0` is not in (0, 1) or a prior shape is not positive.
pub fn beta_binomial_log_bf10(
    successes: u64,
    n: u64,
    p0: f64,
    prior_a: f64,
    prior_b: f64,
) -> Result<f64, StatsError> {
    let (x, y) = checked_counts(successes, n)?;
    open_unit("p0", p0)?;
    positive("prior_a", prior_a)?;
    positive("prior_b", prior_b)?;
    let under_h1 = ln_beta(prior_a + x, prior_b + y) - ln_beta(prior_a, prior_b);
    Ok(under_h1 - x * libm::log(p0) - y * libm::log1p(-p0) + 0.0)
}

/// The posterior probability that the success probability exceeds `p0`, under a Beta(`prior_a`,
/// `prior_b`) prior.
///
/// # Errors
/// When `successes` exceeds `n`, `p0` is not in (0, 1) or a prior shape is not positive.
pub fn posterior_prob_greater(
    successes: u64,
    n: u64,
    p0: f64,
    prior_a: f64,
    prior_b: f64,
) -> Result<f64, StatsError> {
    let (x, y) = checked_counts(successes, n)?;
    open_unit("p0", p0)?;
    positive("prior_a", prior_a)?;
    positive("prior_b", prior_b)?;
    Ok(Beta::new(prior_a + x, prior_b + y)?.sf(p0))
}

/// Successes and failures as numbers.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn checked_counts(successes: u64, n: u64) -> Result<(f64, f64), StatsError> {
    if successes > n {
        return Err(StatsError::argument(
            "successes",
            successes,
            format!("at most n = {n}"),
        ));
    }
    Ok((successes as f64, (n - successes) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_data_say_nothing() {
        assert!(beta_binomial_log_bf10(0, 0, 0.3, 2.0, 5.0).unwrap().abs() < 1e-12);
        let prior = posterior_prob_greater(0, 0, 0.3, 1.0, 1.0).unwrap();
        assert!((prior - 0.7).abs() < 1e-12);
    }

    #[test]
    fn swapping_sides_keeps_the_factor_and_mirrors_the_probability() {
        let one = beta_binomial_log_bf10(70, 100, 0.4, 2.0, 3.0).unwrap();
        let other = beta_binomial_log_bf10(30, 100, 0.6, 3.0, 2.0).unwrap();
        assert!((one - other).abs() < 1e-10);
        let above = posterior_prob_greater(70, 100, 0.6, 2.0, 3.0).unwrap();
        let below = posterior_prob_greater(30, 100, 0.4, 3.0, 2.0).unwrap();
        assert!((above + below - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bad_input_names_the_argument() {
        let text = |result: Result<f64, StatsError>| result.unwrap_err().to_string();
        assert!(text(beta_binomial_log_bf10(3, 2, 0.5, 1.0, 1.0)).contains("`successes`"));
        assert!(text(beta_binomial_log_bf10(1, 2, 0.0, 1.0, 1.0)).contains("`p0`"));
        assert!(text(posterior_prob_greater(1, 2, 0.5, 0.0, 1.0)).contains("`prior_a`"));
        assert!(text(posterior_prob_greater(1, 2, 0.5, 1.0, f64::NAN)).contains("`prior_b`"));
    }
}
