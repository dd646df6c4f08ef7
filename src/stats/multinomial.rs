//! Simultaneous intervals for the shares of wins, draws and losses.
#![expect(
    clippy::cast_precision_loss,
    reason = "counts are checked to be at most 2^53, where f64 is exact"
)]

use super::distributions::{ln_gamma, ln_poisson_pmf, normal_pdf};
use super::error::{MAX_COUNT, open_unit};
use super::proportions::wilson;
use super::{Interval, StatsError};

/// The largest total for [`sison_glaz`]: its time grows with the square root of the total.
const SISON_GLAZ_LIMIT: u64 = 10_000_000_000;

/// Goodman's intervals: Wilson's, each at level `1 - alpha / k` for `k` categories
/// (L. A. Goodman, Technometrics 7 (1965)).
///
/// # Errors
/// [`StatsError::Argument`] if there are fewer than two categories, all counts are 0, their sum is
/// above 2^53, or `alpha` is not inside (0, 1).
pub fn goodman(counts: &[u64], alpha: f64) -> Result<Vec<Interval>, StatsError> {
    let total = total(counts, MAX_COUNT)?;
    open_unit("alpha", alpha)?;
    let level = alpha / counts.len() as f64;
    counts
        .iter()
        .map(|count| wilson(*count, total, level))
        .collect()
}

/// The intervals of Sison and Glaz (JASA 90 (1995) 366), by their Edgeworth approximation.
///
/// All counts get the same half-width `c`, the largest whole number with coverage at most
/// `1 - alpha`; the upper ends are longer by twice the interpolated remainder.
///
/// # Errors
/// As [`goodman`]; also above a total of 10^10, and [`StatsError::Undefined`] if the counts are too
/// few for any width to reach the level.
pub fn sison_glaz(counts: &[u64], alpha: f64) -> Result<Vec<Interval>, StatsError> {
    let total = total(counts, SISON_GLAZ_LIMIT)?;
    open_unit("alpha", alpha)?;
    let level = 1.0 - alpha;
    let coverage = |c: u64| {
        if c == 0 {
            ln_of_counts(counts, total)
        } else {
            ln_coverage(counts, total, c)
        }
    };
    let reaches = |c: u64| libm::exp(coverage(c)) > level;
    // The coverage grows with the width: gallop to a width that reaches the level, then bisect.
    let mut high = 1;
    while !reaches(high) {
        if high > total {
            return Err(StatsError::undefined(
                "counts",
                "too few games for these intervals at this level; use goodman",
            ));
        }
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if reaches(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    let (below, above) = (libm::exp(coverage(low)), libm::exp(coverage(high)));
    let remainder = (level - below) / (above - below);
    let n = total as f64;
    Ok(counts
        .iter()
        .map(|count| {
            let share = *count as f64 / n;
            Interval {
                low: (share - low as f64 / n).max(0.0),
                high: (share + (low as f64 + 2.0 * remainder) / n).min(1.0),
            }
        })
        .collect())
}

/// `ln` of the multinomial probability of exactly these counts at their own shares: width 0.
fn ln_of_counts(counts: &[u64], total: u64) -> f64 {
    let n = total as f64;
    let terms: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let x = *count as f64;
            x * libm::log(x / n) - ln_gamma(x + 1.0)
        })
        .sum();
    ln_gamma(n + 1.0) + terms
}

/// `ln` of the approximate probability that all counts stay within `c` of the observed ones:
/// Sison and Glaz (1995), equation 2.1, a product of Poisson intervals times the Edgeworth density
/// of the sum of truncated Poisson variables over the Poisson density of the total.
fn ln_coverage(counts: &[u64], total: u64, c: u64) -> f64 {
    let n = total as f64;
    let mut ln_product = 0.0;
    let (mut mean, mut second, mut third, mut excess) = (0.0, 0.0, 0.0, 0.0);
    for count in counts {
        let law = Truncated::new(*count, total, c);
        ln_product += law.ln_probability;
        mean += law.mean;
        second += law.central[0];
        third += law.central[1];
        excess += law.central[2] - 3.0 * law.central[0] * law.central[0];
    }
    let sd = second.sqrt();
    let skewness = third / (second * sd);
    let kurtosis = excess / (second * second);
    let x = (n - mean) / sd;
    let x2 = x * x;
    let h3 = x * (x2 - 3.0);
    let h4 = x2 * x2 - 6.0 * x2 + 3.0;
    let h6 = x2 * x2 * x2 - 15.0 * x2 * x2 + 45.0 * x2 - 15.0;
    let density = normal_pdf(x)
        * (1.0 + skewness * h3 / 6.0 + kurtosis * h4 / 24.0 + skewness * skewness * h6 / 72.0)
        / sd;
    ln_product + libm::log(density) - ln_poisson_pmf(n, n)
}

/// A Poisson variable with the observed count as its mean, kept within `c` of it.
struct Truncated {
    ln_probability: f64,
    mean: f64,
    /// Central moments 2, 3 and 4.
    central: [f64; 3],
}

impl Truncated {
    /// Moments are sums over the interval, outwards from the mean: the factorial moments of the
    /// paper cancel catastrophically for large counts.
    fn new(count: u64, total: u64, c: u64) -> Self {
        if count == 0 {
            return Self {
                ln_probability: 0.0,
                mean: 0.0,
                central: [0.0; 3],
            };
        }
        let lambda = count as f64;
        let down = c.min(count);
        let up = c.min(total - count);
        let mut sums = [1.0, 0.0, 0.0, 0.0, 0.0];
        let mut add = |distance: f64, weight: f64| {
            let mut power = weight;
            for sum in &mut sums {
                *sum += power;
                power *= distance;
            }
        };
        let mut weight = 1.0;
        for step in 1..=up {
            weight *= lambda / (lambda + step as f64);
            add(step as f64, weight);
        }
        weight = 1.0;
        for step in 1..=down {
            weight *= (lambda - step as f64 + 1.0) / lambda;
            add(-(step as f64), weight);
        }
        let [mass, rest @ ..] = sums;
        let [m1, m2, m3, m4] = rest.map(|sum| sum / mass);
        Self {
            ln_probability: ln_poisson_pmf(lambda, lambda) + libm::log(mass),
            mean: lambda + m1,
            central: [
                m2 - m1 * m1,
                m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1,
                m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1 * m1 * m1 * m1,
            ],
        }
    }
}

fn total(counts: &[u64], limit: u64) -> Result<u64, StatsError> {
    if counts.len() < 2 {
        return Err(StatsError::argument(
            "counts",
            format!("a list of {}", counts.len()),
            "at least two categories",
        ));
    }
    let sum = counts
        .iter()
        .try_fold(0_u64, |sum, count| sum.checked_add(*count));
    match sum {
        Some(0) => Err(StatsError::argument("counts", "all 0", "at least one game")),
        Some(sum) if sum <= limit => Ok(sum),
        _ => Err(StatsError::argument(
            "counts",
            "too large",
            format!("at most {limit} in total"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_totals_approach_the_normal_width_and_stay_fast() {
        // For many games the half-width of k equal shares tends to a constant over sqrt(n).
        let small = sison_glaz(&[3_000, 4_000, 3_000], 0.05).unwrap();
        let large = sison_glaz(&[300_000_000, 400_000_000, 300_000_000], 0.05).unwrap();
        let ratio = small[1].width() / large[1].width();
        assert!((ratio / 100_000.0_f64.sqrt() - 1.0).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn empty_categories_are_allowed_but_not_empty_tables() {
        for method in [goodman, sison_glaz] {
            let intervals = method(&[50, 0, 50], 0.05).unwrap();
            assert!(intervals[1].low == 0.0 && intervals[1].high > 0.0);
            assert!(
                method(&[0, 0], 0.05)
                    .unwrap_err()
                    .to_string()
                    .contains("`counts`")
            );
            assert!(method(&[4], 0.05).is_err());
            assert!(method(&[u64::MAX, 1], 0.05).is_err());
            assert!(
                method(&[4, 4], f64::NAN)
                    .unwrap_err()
                    .to_string()
                    .contains("`alpha`")
            );
        }
    }
}
