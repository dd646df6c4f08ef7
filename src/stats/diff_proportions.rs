//! Two rates from independent samples: their difference and their odds ratio.
//!
//! Used where two cells share no deals, because their game options differ. Cells that share deals
//! are compared in pairs ([`super::blocks`], [`super::paired`]).
#![expect(
    clippy::cast_precision_loss,
    reason = "counts are checked to be at most 2^53, where f64 is exact"
)]

use super::distributions::normal_upper_quantile;
use super::error::{count_of, open_unit};
use super::proportions::wilson;
use super::root::bracketed;
use super::{Interval, StatsError};

/// Successes and trials of two independent samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoSamples {
    x1: u64,
    n1: u64,
    x2: u64,
    n2: u64,
}

impl TwoSamples {
    /// `x1` successes of `n1`, `x2` of `n2`.
    ///
    /// # Errors
    /// [`StatsError::Argument`] if a sample is empty or above 2^53, or has more successes than
    /// trials.
    pub fn new(x1: u64, n1: u64, x2: u64, n2: u64) -> Result<Self, StatsError> {
        count_of("x1", x1, "n1", n1)?;
        count_of("x2", x2, "n2", n2)?;
        Ok(Self { x1, n1, x2, n2 })
    }

    fn rates(self) -> (f64, f64) {
        (
            self.x1 as f64 / self.n1 as f64,
            self.x2 as f64 / self.n2 as f64,
        )
    }
}

/// Newcombe's interval for `p1 - p2`, from the two Wilson intervals (R. G. Newcombe, Statistics in
/// Medicine 17 (1998) 873, method 10), without continuity correction.
///
/// # Errors
/// [`StatsError::Argument`] if `alpha` is not inside (0, 1).
pub fn newcombe(samples: TwoSamples, alpha: f64) -> Result<Interval, StatsError> {
    let TwoSamples { x1, n1, x2, n2 } = samples;
    let (p1, p2) = samples.rates();
    let first = wilson(x1, n1, alpha)?;
    let second = wilson(x2, n2, alpha)?;
    let difference = p1 - p2;
    Ok(Interval {
        low: (difference - libm::hypot(p1 - first.low, second.high - p2)).max(-1.0),
        high: (difference + libm::hypot(first.high - p1, p2 - second.low)).min(1.0),
    })
}

/// The interval of Agresti and Caffo for `p1 - p2`: Wald's after one success and one failure more
/// in each sample (The American Statistician 54 (2000) 280). Not clipped.
///
/// # Errors
/// [`StatsError::Argument`] if `alpha` is not inside (0, 1).
pub fn agresti_caffo(samples: TwoSamples, alpha: f64) -> Result<Interval, StatsError> {
    open_unit("alpha", alpha)?;
    let z = normal_upper_quantile(0.5 * alpha)?;
    let (n1, n2) = (samples.n1 as f64 + 2.0, samples.n2 as f64 + 2.0);
    let (p1, p2) = (
        (samples.x1 as f64 + 1.0) / n1,
        (samples.x2 as f64 + 1.0) / n2,
    );
    let half = z * (p1 * (1.0 - p1) / n1 + p2 * (1.0 - p2) / n2).sqrt();
    Ok(Interval::new(p1 - p2 - half, p1 - p2 + half))
}

/// The score interval of Miettinen and Nurminen for `p1 - p2`, variance times `N / (N - 1)`
/// (Statistics in Medicine 4 (1985) 213).
///
/// statsmodels up to 0.15.0 has a slip in the cubic of the constrained estimate, and so have the
/// reference values that were taken from it; `tests/reference_stats.rs` shows it.
///
/// # Errors
/// [`StatsError::Argument`] if `alpha` is not inside (0, 1).
pub fn miettinen_nurminen(samples: TwoSamples, alpha: f64) -> Result<Interval, StatsError> {
    open_unit("alpha", alpha)?;
    let z = normal_upper_quantile(0.5 * alpha)?;
    let (p1, p2) = samples.rates();
    let difference = p1 - p2;
    // The statistic falls as the assumed difference grows; at -1 and 1 its variance is 0.
    let statistic = |delta: f64| {
        let distance = difference - delta;
        let variance = score_variance(samples, delta);
        // Exactly at the estimate the statistic is 0, whatever the variance.
        if variance > 0.0 || distance == 0.0 {
            distance / variance.max(f64::MIN_POSITIVE).sqrt()
        } else {
            distance.signum() * f64::INFINITY
        }
    };
    let end = |limit: f64, target: f64| {
        if (difference - limit).abs() < 1e-15 {
            return Ok(limit);
        }
        bracketed(
            "alpha",
            |delta| statistic(delta).clamp(-1e300, 1e300) - target,
            limit,
            difference,
        )
    };
    Ok(Interval {
        low: end(-1.0, z)?,
        high: end(1.0, -z)?,
    })
}

/// Variance of the difference at the maximum-likelihood rates under `p1 - p2 = delta`: the cubic
/// of Miettinen and Nurminen, appendix 1.
fn score_variance(samples: TwoSamples, delta: f64) -> f64 {
    let (x1, n1) = (samples.x1 as f64, samples.n1 as f64);
    let (x2, n2) = (samples.x2 as f64, samples.n2 as f64);
    let (n, x) = (n1 + n2, x1 + x2);
    let l2 = (n1 + 2.0 * n2) * delta - n - x;
    let l1 = (n2 * delta - n - 2.0 * x2) * delta + x;
    let l0 = x2 * delta * (1.0 - delta);
    let third = l2 / (3.0 * n);
    let c = third * third * third - l1 * l2 / (6.0 * n * n) + l0 / (2.0 * n);
    let b = (third * third - l1 / (3.0 * n)).max(0.0).sqrt() * if c < 0.0 { -1.0 } else { 1.0 };
    let cosine = if b == 0.0 {
        0.0
    } else {
        (c / (b * b * b)).clamp(-1.0, 1.0)
    };
    let angle = (std::f64::consts::PI + libm::acos(cosine)) / 3.0;
    let p2 = (2.0 * b * libm::cos(angle) - third).clamp((-delta).max(0.0), (1.0 - delta).min(1.0));
    let p1 = (p2 + delta).clamp(0.0, 1.0);
    (p1 * (1.0 - p1) / n1 + p2 * (1.0 - p2) / n2) * (n / (n - 1.0))
}

/// An odds ratio with its interval; all three positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddsRatio {
    /// `(x1 / (n1 - x1)) / (x2 / (n2 - x2))`, with the constant of the method added to each cell.
    pub ratio: f64,
    /// The interval.
    pub interval: Interval,
}

/// The odds ratio with the interval of its logarithm (B. Woolf, Annals of Human Genetics 19, 1955).
///
/// # Errors
/// [`StatsError::Undefined`] if a cell is empty (use [`odds_ratio_haldane`]);
/// [`StatsError::Argument`] if `alpha` is not inside (0, 1).
pub fn odds_ratio_wald(samples: TwoSamples, alpha: f64) -> Result<OddsRatio, StatsError> {
    let TwoSamples { x1, n1, x2, n2 } = samples;
    for (name, x, n) in [("x1", x1, n1), ("x2", x2, n2)] {
        if x == 0 || x == n {
            return Err(StatsError::undefined(
                name,
                format!(
                    "{x} of {n} leaves an empty cell, so the odds ratio is 0 or infinite; \
                     use odds_ratio_haldane"
                ),
            ));
        }
    }
    odds_ratio(samples, alpha, 0.0)
}

/// The odds ratio with 1/2 added to each cell (J. B. S. Haldane 1955, F. J. Anscombe 1956).
///
/// # Errors
/// [`StatsError::Argument`] if `alpha` is not inside (0, 1).
pub fn odds_ratio_haldane(samples: TwoSamples, alpha: f64) -> Result<OddsRatio, StatsError> {
    odds_ratio(samples, alpha, 0.5)
}

fn odds_ratio(samples: TwoSamples, alpha: f64, added: f64) -> Result<OddsRatio, StatsError> {
    open_unit("alpha", alpha)?;
    let z = normal_upper_quantile(0.5 * alpha)?;
    let TwoSamples { x1, n1, x2, n2 } = samples;
    let cells = [x1, n1 - x1, x2, n2 - x2].map(|count| count as f64 + added);
    let [a, b, c, d] = cells;
    let log_ratio = libm::log(a / b) - libm::log(c / d);
    let half = z * cells.iter().map(|cell| 1.0 / cell).sum::<f64>().sqrt();
    Ok(OddsRatio {
        ratio: (a / b) / (c / d),
        interval: Interval {
            low: libm::exp(log_ratio - half),
            high: libm::exp(log_ratio + half),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapping_the_samples_mirrors_the_difference() {
        type Method = fn(TwoSamples, f64) -> Result<Interval, StatsError>;
        let methods: [Method; 3] = [newcombe, agresti_caffo, miettinen_nurminen];
        for (x1, n1, x2, n2) in [(7, 10, 3, 12), (0, 5, 5, 5), (5, 5, 5, 5), (0, 3, 0, 1000)] {
            let one = TwoSamples::new(x1, n1, x2, n2).unwrap();
            let other = TwoSamples::new(x2, n2, x1, n1).unwrap();
            for method in methods {
                let a = method(one, 0.05).unwrap();
                let b = method(other, 0.05).unwrap();
                assert!((a.low + b.high).abs() < 1e-7, "{a:?} {b:?}");
                assert!((a.high + b.low).abs() < 1e-7, "{a:?} {b:?}");
                assert!(a.low < a.high);
            }
        }
    }

    #[test]
    fn an_interval_ends_where_the_range_ends() {
        let samples = TwoSamples::new(0, 4, 4, 4).unwrap();
        for interval in [
            newcombe(samples, 0.05).unwrap(),
            miettinen_nurminen(samples, 0.05).unwrap(),
        ] {
            assert!((interval.low + 1.0).abs() < 1e-12 && interval.high < 0.0);
        }
    }

    #[test]
    fn empty_samples_and_cells_are_errors() {
        assert!(
            TwoSamples::new(0, 0, 1, 2)
                .unwrap_err()
                .to_string()
                .contains("`n1`")
        );
        assert!(
            TwoSamples::new(0, 1, 3, 2)
                .unwrap_err()
                .to_string()
                .contains("`x2`")
        );
        let samples = TwoSamples::new(0, 3, 1, 3).unwrap();
        assert!(
            odds_ratio_wald(samples, 0.05)
                .unwrap_err()
                .to_string()
                .contains("`x1`")
        );
        assert!(odds_ratio_haldane(samples, 0.05).is_ok());
        assert!(
            newcombe(samples, 1.5)
                .unwrap_err()
                .to_string()
                .contains("`alpha`")
        );
    }
}
