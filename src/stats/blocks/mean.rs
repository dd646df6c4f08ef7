//! The default interval and test of a mean of bounded block scores.

use super::super::binomial_test::binomial_test;
use super::super::distributions::StudentT;
use super::super::error::{self, StatsError};
use super::super::{Alternative, Interval};
use super::{BlockSummary, Moments, TestResult};

/// The name of [`mean_interval`] in files and reports.
pub const MEAN_INTERVAL_METHOD: &str = "block t with pseudo-blocks";

const MEAN_TEST_METHOD: &str = "block t test with pseudo-blocks";

/// The weight of each of the two pseudo-blocks. At half a block coverage falls to 88 % (20 blocks,
/// strong players); at a whole one the interval is up to 1.34 times as wide as the narrowest that
/// is valid at 10 and at 30 blocks. This keeps both within bounds: see `docs/methods.md`.
pub const PSEUDO_WEIGHT: f64 = 0.92;

/// An interval of level `1 - alpha` for the mean of scores within `range`: Student's t on the
/// blocks and a pseudo-block of weight [`PSEUDO_WEIGHT`] at each end of the range, clipped to it.
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
    mean_interval_weighted(moments, range, PSEUDO_WEIGHT, alpha)
}

/// [`mean_interval`] with pseudo-blocks of another weight: 1 is the default interval, 0 plain
/// Student's t. `calibrate` compares them.
///
/// # Errors
/// As [`mean_interval`]; also if the weight is negative or nothing varies (a weight of 0).
pub fn mean_interval_weighted(
    moments: &Moments,
    range: Interval,
    weight: f64,
    alpha: f64,
) -> Result<Interval, StatsError> {
    error::open_unit("alpha", alpha)?;
    let (mean, error, student) = weighted(moments, range, weight)?;
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

/// Whether the mean lies inside `zone`: two one-sided tests as in [`mean_test`] (D. J. Schuirmann,
/// J. Pharmacokinet. Biopharm. 15, 1987). The p-value is the larger of the two.
///
/// # Errors
/// As [`mean_test`], or if the zone is empty.
pub fn equivalence_test(
    moments: &Moments,
    range: Interval,
    zone: Interval,
) -> Result<TestResult, StatsError> {
    if zone.width() <= 0.0 {
        return Err(StatsError::argument(
            "zone",
            zone.low,
            "an interval that is not empty",
        ));
    }
    let above = mean_test(moments, range, zone.low, Alternative::Greater)?;
    let below = mean_test(moments, range, zone.high, Alternative::Less)?;
    Ok(TestResult::new(
        above.p_value.max(below.p_value),
        "two one-sided block t tests with pseudo-blocks",
    ))
}

/// The exact binomial test of the blocks that someone won: more than `centre` against less. Blocks
/// at the centre are left out. A second opinion beside the permutation test, which also weighs by
/// how much.
///
/// # Errors
/// Without blocks, or if `centre` is not finite.
pub fn decisive_test(
    scores: &BlockSummary,
    centre: f64,
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    error::finite("centre", centre)?;
    if scores.count() == 0 {
        return Err(StatsError::argument("blocks", 0, "at least 1"));
    }
    let counted = |wanted: fn(f64) -> bool| -> u64 {
        scores
            .values()
            .filter(|(score, _)| wanted(score - centre))
            .map(|(_, count)| count)
            .sum()
    };
    let (won, lost) = (counted(|d| d > 1e-9), counted(|d| d < -1e-9));
    let p = if won + lost == 0 {
        1.0
    } else {
        binomial_test(won, won + lost, 0.5, alternative)?
    };
    Ok(TestResult::new(p, "exact binomial on decisive blocks"))
}

/// Mean and standard error with the pseudo-blocks, and the distribution of their ratio.
pub(super) fn pseudo(
    moments: &Moments,
    range: Interval,
) -> Result<(f64, f64, StudentT), StatsError> {
    weighted(moments, range, PSEUDO_WEIGHT)
}

/// Degrees of freedom of [`pseudo`].
pub(super) fn freedom(moments: &Moments) -> f64 {
    moments.size() + 2.0 * PSEUDO_WEIGHT - 1.0
}

fn weighted(
    moments: &Moments,
    range: Interval,
    weight: f64,
) -> Result<(f64, f64, StudentT), StatsError> {
    let Some(mean) = moments.mean() else {
        return Err(StatsError::argument("blocks", 0, "at least 1"));
    };
    error::finite("range", range.low)?;
    error::finite("range", range.high)?;
    if range.width() <= 0.0 {
        return Err(StatsError::argument(
            "range",
            range.low,
            "an interval that is not empty",
        ));
    }
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(StatsError::argument("weight", weight, "not negative"));
    }
    let blocks = moments.size();
    let all = blocks + 2.0 * weight;
    let centre = (blocks * mean + weight * (range.low + range.high)) / all;
    let off = |x: f64| (x - centre) * (x - centre);
    let squares = moments.sum_of_squared_deviations()
        + blocks * off(mean)
        + weight * (off(range.low) + off(range.high));
    let error = (squares / (all - 1.0) / all).sqrt();
    if !(centre.is_finite() && error.is_finite() && error > 0.0) {
        return Err(StatsError::undefined(
            "blocks",
            "the scores have no finite mean, or nothing varies",
        ));
    }
    Ok((centre, error, StudentT::new(all - 1.0)?))
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
        // Two blocks at 1/2 and whole pseudo-blocks at 0 and 1: mean 1/2, variance 1/6,
        // t(3) = 3.182446.
        let whole = |blocks| mean_interval_weighted(&scores(blocks), UNIT, 1.0, 0.05).unwrap();
        let interval = whole(&[(0.5, 2)]);
        let half = 3.182_446_305_284_263 * (1.0_f64 / 6.0 / 4.0).sqrt();
        assert!(
            (interval.low - (0.5 - half).max(0.0)).abs() < 1e-9,
            "{interval:?}"
        );
        // 98 blocks at 1: mean 99/100, sum of squares 0.99, t(99) = 1.984217.
        let interval = whole(&[(1.0, 98)]);
        let low = 0.99 - 1.984_216_951_508_688_3 * (0.99_f64 / 99.0 / 100.0).sqrt();
        assert!((interval.low - low).abs() < 1e-9, "{interval:?} {low}");
        // The default's weight lies between half and whole blocks, and so does its interval.
        let default = mean_interval(&scores(&[(1.0, 98)]), UNIT, 0.05).unwrap();
        let half = mean_interval_weighted(&scores(&[(1.0, 98)]), UNIT, 0.5, 0.05).unwrap();
        assert!(interval.low < default.low && default.low < half.low);
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
    fn equivalence_needs_both_sides() {
        let moments = scores(&[(0.25, 400), (0.5, 1200), (0.75, 410)]);
        let within = equivalence_test(&moments, UNIT, Interval::new(0.45, 0.55)).unwrap();
        assert!(within.p_value < 1e-6, "{within:?}");
        let beside = equivalence_test(&moments, UNIT, Interval::new(0.2, 0.5)).unwrap();
        assert!(beside.p_value > 0.5, "{beside:?}");
    }

    #[test]
    fn decisive_blocks_are_counted_and_the_others_left_out() {
        let mut summary = BlockSummary::default();
        for (score, times) in [(0.0, 1), (0.25, 1), (0.5, 1000), (0.75, 5), (1.0, 3)] {
            summary.push_many(score, times);
        }
        let p = |alternative| decisive_test(&summary, 0.5, alternative).unwrap().p_value;
        // 8 of 10 with a fair coin: (45 + 10 + 1) / 1024.
        assert!((p(Alternative::Greater) - 56.0 / 1024.0).abs() < 1e-12);
        assert!((p(Alternative::TwoSided) - 112.0 / 1024.0).abs() < 1e-12);
        let even: BlockSummary = [0.5, 0.5].into_iter().collect();
        assert!(
            decisive_test(&even, 0.5, Alternative::Less)
                .unwrap()
                .p_value
                >= 1.0
        );
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
        assert!(equivalence_test(&some, UNIT, Interval::new(0.5, 0.5)).is_err());
        let none = BlockSummary::default();
        assert!(decisive_test(&none, 0.5, Alternative::Less).is_err());
    }
}
