//! The default interval and test of a mean of bounded block scores.

use super::super::distributions::{StudentT, normal_upper_quantile};
use super::super::error::{self, StatsError};
use super::super::{Alternative, Interval};
use super::{Moments, TestResult};

/// The name of [`mean_interval`] in files and reports.
pub const MEAN_INTERVAL_METHOD: &str = "block t with pseudo-blocks";

const MEAN_TEST_METHOD: &str = "block t test with pseudo-blocks";

/// An interval of level `1 - alpha` for the mean of scores within `range`: Student's t on the
/// blocks and one pseudo-block at each end of the range, clipped to the range.
///
/// The pseudo-blocks keep the width positive when all blocks agree and move the middle towards
/// the centre, as the two successes and failures of Agresti and Coull (1998) do for proportions.
/// It is approximate; its measured coverage is in the documentation of methods.
///
/// # Errors
/// Without blocks, for an `alpha` outside (0, 1), or a range that is not finite or empty.
pub fn mean_interval(
    moments: &Moments,
    range: Interval,
    alpha: f64,
) -> Result<Interval, StatsError> {
    error::open_unit("alpha", alpha)?;
    let (mean, error, student) = pseudo(moments, range)?;
    let reach = student.upper_quantile(alpha / 2.0)? * error;
    Ok(Interval::new(mean - reach, mean + reach).clip(range.low, range.high))
}

/// The test that belongs to [`mean_interval`]: its two-sided p-value is below `alpha` exactly if
/// the unclipped interval leaves `threshold` out.
///
/// # Errors
/// As [`mean_interval`], or if `threshold` is not finite.
pub fn mean_test(
    moments: &Moments,
    range: Interval,
    threshold: f64,
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    error::finite("threshold", threshold)?;
    let (mean, error, student) = pseudo(moments, range)?;
    let t = (mean - threshold) / error;
    let p = match alternative {
        Alternative::TwoSided => 2.0 * student.sf(t.abs()),
        Alternative::Greater => student.sf(t),
        Alternative::Less => student.sf(-t),
    };
    Ok(TestResult::new(p, MEAN_TEST_METHOD))
}

/// The smallest difference from a fixed threshold that `blocks` blocks with standard deviation
/// `deviation` show with probability `power` in a two-sided test at `alpha`:
/// (t quantile of alpha/2 + normal quantile of the power) x deviation / sqrt(blocks).
///
/// # Errors
/// Without blocks, for a negative deviation, or for probabilities outside (0, 1).
pub fn smallest_detectable(
    blocks: u64,
    deviation: f64,
    alpha: f64,
    power: f64,
) -> Result<f64, StatsError> {
    if blocks == 0 {
        return Err(StatsError::argument("blocks", blocks, "at least 1"));
    }
    if !(deviation.is_finite() && deviation >= 0.0) {
        return Err(StatsError::argument(
            "deviation",
            deviation,
            "a finite number, not negative",
        ));
    }
    error::open_unit("alpha", alpha)?;
    error::open_unit("power", power)?;
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let n = blocks as f64;
    let critical = StudentT::new(n + 1.0)?.upper_quantile(alpha / 2.0)?;
    Ok((critical + normal_upper_quantile(1.0 - power)?) * deviation / n.sqrt())
}

/// Mean and standard error with the pseudo-blocks, and the distribution of their ratio.
fn pseudo(moments: &Moments, range: Interval) -> Result<(f64, f64, StudentT), StatsError> {
    if moments.count() == 0 {
        return Err(StatsError::argument("blocks", 0, "at least 1"));
    }
    error::finite("range", range.low)?;
    error::finite("range", range.high)?;
    if range.width() <= 0.0 {
        return Err(StatsError::argument(
            "range",
            range.low,
            "an interval that is not empty",
        ));
    }
    let all = moments.with_pseudo_blocks(range.low, range.high);
    let undefined = || StatsError::undefined("blocks", "the scores have no finite mean");
    let mean = all.mean().filter(|m| m.is_finite()).ok_or_else(undefined)?;
    let deviation = all.deviation().filter(|d| *d > 0.0).ok_or_else(undefined)?;
    Ok((
        mean,
        deviation / all.size().sqrt(),
        StudentT::new(all.size() - 1.0)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };

    fn scores(parts: &[(f64, u64)]) -> Moments {
        let mut summary = super::super::BlockSummary::default();
        for &(score, times) in parts {
            summary.push_many(score, times);
        }
        summary.moments()
    }

    #[test]
    fn an_interval_never_has_zero_width_and_holds_the_mean() {
        for blocks in [1, 2, 10, 1000, 1_000_000] {
            for score in [0.0, 0.25, 0.5, 1.0] {
                let interval = mean_interval(&scores(&[(score, blocks)]), UNIT, 0.05).unwrap();
                assert!(
                    interval.width() > 0.0 && interval.contains(score),
                    "{interval:?}"
                );
                assert!(interval.low >= 0.0 && interval.high <= 1.0);
            }
        }
    }

    #[test]
    fn hand_computed_values_agree() {
        // Two blocks at 1/2 with pseudo-blocks at 0 and 1: mean 1/2, variance 1/6, t(3) = 3.182446.
        let interval = mean_interval(&scores(&[(0.5, 2)]), UNIT, 0.05).unwrap();
        let half = 3.182_446_305_284_263 * (1.0_f64 / 6.0 / 4.0).sqrt();
        assert!(
            (interval.low - (0.5 - half).max(0.0)).abs() < 1e-9,
            "{interval:?}"
        );
        // 98 blocks at 1: mean 99/100, sum of squares 0.99, t(99) = 1.984217.
        let interval = mean_interval(&scores(&[(1.0, 98)]), UNIT, 0.05).unwrap();
        let low = 0.99 - 1.984_216_951_508_688_3 * (0.99_f64 / 99.0 / 100.0).sqrt();
        assert!((interval.low - low).abs() < 1e-9, "{interval:?} {low}");
    }

    #[test]
    fn test_and_interval_agree() {
        let moments = scores(&[(0.25, 40), (0.5, 120), (1.0, 61)]);
        let interval = mean_interval(&moments, UNIT, 0.05).unwrap();
        for (threshold, outside) in [(interval.low, false), (interval.low - 1e-6, true)] {
            let test = mean_test(&moments, UNIT, threshold, Alternative::TwoSided).unwrap();
            assert_eq!(test.p_value < 0.05 - 1e-12, outside, "{test:?}");
        }
        let greater = mean_test(&moments, UNIT, 0.5, Alternative::Greater)
            .unwrap()
            .p_value;
        let less = mean_test(&moments, UNIT, 0.5, Alternative::Less)
            .unwrap()
            .p_value;
        assert!((greater + less - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bad_arguments_are_named() {
        let none = mean_interval(&Moments::default(), UNIT, 0.05)
            .unwrap_err()
            .to_string();
        assert!(none.contains("`blocks`"), "{none}");
        let some = scores(&[(0.5, 3)]);
        assert!(
            mean_interval(&some, UNIT, 0.0)
                .unwrap_err()
                .to_string()
                .contains("`alpha`")
        );
        assert!(mean_interval(&some, Interval::new(1.0, 1.0), 0.05).is_err());
        assert!(mean_test(&some, UNIT, f64::NAN, Alternative::Less).is_err());
        assert!(smallest_detectable(0, 0.1, 0.05, 0.8).is_err());
        assert!(smallest_detectable(5, f64::NAN, 0.05, 0.8).is_err());
    }
}
