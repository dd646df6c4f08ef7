//! Intervals for the rate of a yes/no event in independent games.
//!
//! Which one: Wilson by default; Clopper-Pearson where coverage must be guaranteed; Jeffreys with
//! the boundary fix on request. Wald is here to show why it is never used: at 0 % and 100 % its
//! width is zero. Sources: L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial
//! proportion", Statistical Science 16 (2001); the measured coverage of all of them is in
//! `docs/methods.md`.
#![expect(
    clippy::cast_precision_loss,
    reason = "counts are checked to be at most 2^53, where f64 is exact"
)]

use super::distributions::{Beta, normal_upper_quantile};
use super::error::{count_of, open_unit};
use super::{Interval, StatsError};

/// Wilson's score interval, without continuity correction.
///
/// `[p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)] / (1 + z^2/n)`; the lower end is exactly 0 without
/// successes, the upper exactly 1 without failures. E. B. Wilson, JASA 22 (1927).
///
/// # Errors
/// [`StatsError::Argument`] if `n` is 0 or above 2^53, `successes` exceeds `n`, or `alpha` is not
/// inside (0, 1).
///
/// # Examples
/// ```
/// let interval = evalctl::stats::proportions::wilson(8, 10, 0.05)?;
/// assert!((interval.low - 0.4901624715).abs() < 1e-9);
/// # Ok::<(), evalctl::stats::StatsError>(())
/// ```
pub fn wilson(successes: u64, n: u64, alpha: f64) -> Result<Interval, StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    let z = normal_upper_quantile(0.5 * alpha)?;
    let (low, high) = wilson_bounds(x, n, z);
    Ok(Interval { low, high })
}

/// The two one-sided Wilson bounds `(lower, upper)`, each of level `1 - alpha`.
///
/// # Errors
/// As [`wilson`].
pub fn wilson_one_sided(successes: u64, n: u64, alpha: f64) -> Result<(f64, f64), StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    let z = normal_upper_quantile(alpha)?;
    Ok(wilson_bounds(x, n, z))
}

/// The roots of `(1 + z^2/n) t^2 - (2p + z^2/n) t + p^2`, the lower one from their product so that
/// nothing cancels. A negative `z`, which a one-sided level below one half asks for, swaps them.
fn wilson_bounds(x: f64, n: f64, z: f64) -> (f64, f64) {
    let p = x / n;
    let z_square = z * z;
    let half = z.abs() * ((p * (1.0 - p) + z_square / (4.0 * n)) / n).sqrt();
    let sum = p + z_square / (2.0 * n) + half;
    let low = if x == 0.0 { 0.0 } else { p * p / sum };
    let high = if n - x == 0.0 {
        1.0
    } else {
        (sum / (1.0 + z_square / n)).min(1.0)
    };
    if z < 0.0 { (high, low) } else { (low, high) }
}

/// The exact interval of Clopper and Pearson: coverage is at least `1 - alpha` for every rate.
///
/// Equal tails of `alpha / 2`: beta quantiles; 0 without successes, 1 without failures.
/// C. J. Clopper, E. S. Pearson, Biometrika 26 (1934).
///
/// # Errors
/// As [`wilson`].
pub fn clopper_pearson(successes: u64, n: u64, alpha: f64) -> Result<Interval, StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    Ok(Interval {
        low: clopper_pearson_lower(x, n, 0.5 * alpha)?,
        high: clopper_pearson_upper(x, n, 0.5 * alpha)?,
    })
}

/// The two one-sided exact bounds `(lower, upper)`, each of level `1 - alpha`.
///
/// # Errors
/// As [`wilson`].
pub fn clopper_pearson_one_sided(
    successes: u64,
    n: u64,
    alpha: f64,
) -> Result<(f64, f64), StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    Ok((
        clopper_pearson_lower(x, n, alpha)?,
        clopper_pearson_upper(x, n, alpha)?,
    ))
}

fn clopper_pearson_lower(x: f64, n: f64, tail: f64) -> Result<f64, StatsError> {
    if x == 0.0 {
        return Ok(0.0);
    }
    Beta::new(x, n - x + 1.0)?.quantile(tail)
}

fn clopper_pearson_upper(x: f64, n: f64, tail: f64) -> Result<f64, StatsError> {
    if n - x == 0.0 {
        return Ok(1.0);
    }
    Beta::new(x + 1.0, n - x)?.upper_quantile(tail)
}

/// Jeffreys' equal-tailed interval: quantiles of `Beta(x + 1/2, n - x + 1/2)` as they are.
///
/// It never contains 0 or 1; use [`jeffreys_boundary`].
///
/// # Errors
/// As [`wilson`].
pub fn jeffreys(successes: u64, n: u64, alpha: f64) -> Result<Interval, StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    let (low, high) = jeffreys_bounds(x, n, 0.5 * alpha)?;
    Ok(Interval { low, high })
}

/// Jeffreys' interval with the lower end 0 without successes and the upper end 1 without failures
/// (Brown, Cai and DasGupta 2001, section 4.1.2).
///
/// # Errors
/// As [`wilson`].
pub fn jeffreys_boundary(successes: u64, n: u64, alpha: f64) -> Result<Interval, StatsError> {
    let mut interval = jeffreys(successes, n, alpha)?;
    if successes == 0 {
        interval.low = 0.0;
    }
    if successes == n {
        interval.high = 1.0;
    }
    Ok(interval)
}

/// The two one-sided Jeffreys bounds `(lower, upper)`, each of level `1 - alpha`.
///
/// # Errors
/// As [`wilson`].
pub fn jeffreys_one_sided(successes: u64, n: u64, alpha: f64) -> Result<(f64, f64), StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    jeffreys_bounds(x, n, alpha)
}

fn jeffreys_bounds(x: f64, n: f64, tail: f64) -> Result<(f64, f64), StatsError> {
    let posterior = Beta::new(x + 0.5, n - x + 0.5)?;
    Ok((posterior.quantile(tail)?, posterior.upper_quantile(tail)?))
}

/// The interval of Agresti and Coull: Wald's on `x + z^2/2` of `n + z^2`, clipped to `[0, 1]`.
///
/// A. Agresti, B. A. Coull, The American Statistician 52 (1998).
///
/// # Errors
/// As [`wilson`].
pub fn agresti_coull(successes: u64, n: u64, alpha: f64) -> Result<Interval, StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    let z = normal_upper_quantile(0.5 * alpha)?;
    Ok(wald_at(x + 0.5 * z * z, n + z * z, z))
}

/// Wald's interval, clipped to `[0, 1]`: for showing why it is not used.
///
/// # Errors
/// As [`wilson`].
pub fn wald(successes: u64, n: u64, alpha: f64) -> Result<Interval, StatsError> {
    let (x, n) = checked(successes, n, alpha)?;
    Ok(wald_at(x, n, normal_upper_quantile(0.5 * alpha)?))
}

fn wald_at(x: f64, n: f64, z: f64) -> Interval {
    let p = x / n;
    let half = z * (p * (1.0 - p) / n).sqrt();
    Interval::new(p - half, p + half).clip(0.0, 1.0)
}

fn checked(successes: u64, n: u64, alpha: f64) -> Result<(f64, f64), StatsError> {
    count_of("successes", successes, "n", n)?;
    open_unit("alpha", alpha)?;
    Ok((successes as f64, n as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Method = fn(u64, u64, f64) -> Result<Interval, StatsError>;
    const ALL: [Method; 6] = [
        wilson,
        clopper_pearson,
        jeffreys,
        jeffreys_boundary,
        agresti_coull,
        wald,
    ];

    #[test]
    fn mirrored_counts_give_mirrored_intervals_inside_the_range() {
        for method in ALL {
            for (x, n) in [(0, 1), (3, 10), (50, 99), (1, 1_000_000_000_000)] {
                let one = method(x, n, 0.05).unwrap();
                let other = method(n - x, n, 0.05).unwrap();
                assert!((one.low - (1.0 - other.high)).abs() < 1e-12);
                assert!((one.high - (1.0 - other.low)).abs() < 1e-12);
                assert!(0.0 <= one.low && one.low <= one.high && one.high <= 1.0);
            }
        }
    }

    #[test]
    fn clopper_pearson_at_the_boundary_is_the_closed_form() {
        let interval = clopper_pearson(20, 20, 0.05).unwrap();
        assert!((interval.low - libm::pow(0.025, 0.05)).abs() < 1e-14);
        assert_eq!(interval.high.to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn bad_counts_and_levels_are_errors_that_name_the_argument() {
        for method in ALL {
            for (x, n, alpha, name) in [
                (0, 0, 0.05, "`n`"),
                (11, 10, 0.05, "`successes`"),
                (1, u64::MAX, 0.05, "`n`"),
                (5, 10, 0.0, "`alpha`"),
                (5, 10, 1.0, "`alpha`"),
                (5, 10, f64::NAN, "`alpha`"),
            ] {
                let error = method(x, n, alpha).unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
    }
}
