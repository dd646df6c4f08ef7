//! The exact binomial test.

use super::distributions::Binomial;
use super::error::{count_of, probability};
use super::{Alternative, StatsError};

/// Outcomes whose probability is this much larger than the observed one still count as equally
/// likely: the tolerance of R's `binom.test` and of scipy.
const TIE: f64 = 1e-7;

/// The p-value of `successes` of `n` when the rate is `p0`.
///
/// Two-sided: the sum over all outcomes that are at most as likely as the observed one (up to a
/// relative 1e-7), not twice a tail. The two edges are found by bisection on the logarithm of the
/// probability, which rises to the mode and falls after it, so a million million games cost as
/// much as a hundred.
///
/// # Errors
/// [`StatsError::Argument`] if `n` is 0 or above 2^53, `successes` exceeds `n`, or `p0` is not in
/// `[0, 1]`.
///
/// # Examples
/// ```
/// use evalctl::stats::{Alternative, binomial_test::binomial_test};
/// let p = binomial_test(7, 10, 0.5, Alternative::TwoSided)?;
/// assert!((p - 0.34375).abs() < 1e-12);
/// # Ok::<(), evalctl::stats::StatsError>(())
/// ```
pub fn binomial_test(
    successes: u64,
    n: u64,
    p0: f64,
    alternative: Alternative,
) -> Result<f64, StatsError> {
    count_of("successes", successes, "n", n)?;
    probability("p0", p0)?;
    let law = Binomial::new(n, p0)?;
    Ok(match alternative {
        Alternative::Greater => law.at_least(successes),
        Alternative::Less => law.cdf(successes),
        Alternative::TwoSided => two_sided(law, successes, n),
    })
}

fn two_sided(law: Binomial, successes: u64, n: u64) -> f64 {
    let limit = law.ln_pmf(successes) + libm::log1p(TIE);
    let as_extreme = |k: u64| law.ln_pmf(k) <= limit;
    let mode = law.mode();
    // First count at or above the mode from which on everything is as extreme (n + 1 if none), and
    // how many counts below the mode are.
    let upper = first_true(mode, n + 1, as_extreme);
    let lower = first_true(0, mode, |k| !as_extreme(k));
    if lower >= upper {
        return 1.0;
    }
    let lower_tail = if lower == 0 { 0.0 } else { law.cdf(lower - 1) };
    (lower_tail + law.at_least(upper)).min(1.0)
}

/// The first `k` in `low..high` where `holds`, which is false and then true; `high` if nowhere.
fn first_true(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, by enumeration.
    fn by_enumeration(x: u64, n: u64, p0: f64) -> f64 {
        let law = Binomial::new(n, p0).unwrap();
        let limit = law.pmf(x) * (1.0 + TIE);
        (0..=n).map(|k| law.pmf(k)).filter(|p| *p <= limit).sum()
    }

    #[test]
    fn two_sided_agrees_with_enumeration() {
        for n in 1..40 {
            for p0 in [0.0, 0.01, 0.3, 0.5, 0.77, 1.0] {
                for x in 0..=n {
                    let got = binomial_test(x, n, p0, Alternative::TwoSided).unwrap();
                    let expected = by_enumeration(x, n, p0);
                    assert!(
                        (got - expected).abs() < 1e-12,
                        "{x} of {n} at {p0}: {got} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_million_million_games_are_no_harder() {
        let n = 1_000_000_000_000;
        // Two standard deviations (500,000 games) above the mean.
        let p = binomial_test(n / 2 + 1_000_000, n, 0.5, Alternative::TwoSided).unwrap();
        assert!((p - 0.045_500_263_896_358_4).abs() < 1e-6, "{p}");
        let even = binomial_test(n / 2, n, 0.5, Alternative::TwoSided).unwrap();
        assert!((even - 1.0).abs() < 1e-9, "{even}");
    }

    #[test]
    fn bad_input_is_an_error() {
        let test = |x, n, p0| binomial_test(x, n, p0, Alternative::TwoSided);
        assert!(test(0, 0, 0.5).unwrap_err().to_string().contains("`n`"));
        assert!(
            test(2, 1, 0.5)
                .unwrap_err()
                .to_string()
                .contains("`successes`")
        );
        assert!(
            test(1, 2, f64::NAN)
                .unwrap_err()
                .to_string()
                .contains("`p0`")
        );
    }
}
