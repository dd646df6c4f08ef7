//! The numbers whose mean is judged, and which interval and test they get.
//!
//! A run of fixed length gets the default interval and tests. A run that may stop early (a
//! stopping rule, or a look while it plays) gets a confidence sequence instead: an interval of
//! fixed length is too narrow at a time that was chosen because of the data.

use crate::plan::{Plan, StopRule};
use crate::stats::blocks::{self, BlockSummary, Moments, TestResult};
use crate::stats::confidence_sequences::BettingMixture;
use crate::stats::{Alternative, Interval, StatsError};

/// The name of the interval of runs that may stop early, in files and reports.
pub(super) const ANY_TIME_METHOD: &str = "confidence sequence by betting, valid at any time";
/// The name of the test that belongs to it.
const ANY_TIME_TEST: &str = "betting martingale, valid at any time";

/// Thresholds are kept this far inside the range, where the martingale is defined.
const EDGE: f64 = 1e-9;

/// When the number of numbers was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Before the run.
    Fixed,
    /// While it ran: everything must hold at any time.
    AnyTime,
}

impl Ending {
    /// How the cells of `plan` end.
    pub(super) fn of(plan: &Plan) -> Self {
        match plan.stop {
            StopRule::Fixed => Self::Fixed,
            StopRule::Precision { .. } | StopRule::Sprt { .. } => Self::AnyTime,
        }
    }

    /// The name of the interval of a mean.
    pub(super) fn interval_method(self) -> &'static str {
        match self {
            Self::Fixed => blocks::MEAN_INTERVAL_METHOD,
            Self::AnyTime => ANY_TIME_METHOD,
        }
    }
}

/// Numbers whose mean is an estimate, as far as interval and test need them.
#[derive(Clone, Debug)]
pub(super) enum Sample {
    /// Of a run of fixed length.
    Fixed(Moments),
    /// Of a run that may stop at any time.
    AnyTime(BlockSummary),
}

impl Sample {
    /// No numbers.
    pub(super) fn empty() -> Self {
        Self::Fixed(Moments::default())
    }

    /// The scores of a cell.
    pub(super) fn of(scores: &BlockSummary, ending: Ending) -> Self {
        match ending {
            Ending::Fixed => Self::Fixed(scores.moments()),
            Ending::AnyTime => Self::AnyTime(scores.clone()),
        }
    }

    /// These numbers.
    pub(super) fn collect(numbers: impl Iterator<Item = f64>, ending: Ending) -> Self {
        match ending {
            Ending::Fixed => Self::Fixed(numbers.collect()),
            Ending::AnyTime => Self::AnyTime(numbers.collect()),
        }
    }

    /// How many.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Fixed(moments) => moments.count(),
            Self::AnyTime(values) => values.count(),
        }
    }

    /// Their mean; `None` without numbers.
    pub(super) fn mean(&self) -> Option<f64> {
        match self {
            Self::Fixed(moments) => moments.mean(),
            Self::AnyTime(values) => values.mean(),
        }
    }

    /// Count, mean and squares.
    pub(super) fn moments(&self) -> Moments {
        match self {
            Self::Fixed(moments) => *moments,
            Self::AnyTime(values) => values.moments(),
        }
    }

    /// The name of the interval.
    pub(super) fn interval_method(&self) -> &'static str {
        match self {
            Self::Fixed(_) => Ending::Fixed.interval_method(),
            Self::AnyTime(_) => Ending::AnyTime.interval_method(),
        }
    }

    /// An interval of the mean of numbers within `range`, of level `1 - alpha`.
    pub(super) fn interval(&self, range: Interval, alpha: f64) -> Result<Interval, StatsError> {
        match self {
            Self::Fixed(moments) => blocks::mean_interval(moments, range, alpha),
            Self::AnyTime(values) => {
                let unit = sequence(values, range, alpha)?.interval();
                let back = |end: f64| range.low + end * range.width();
                Ok(Interval::new(back(unit.low), back(unit.high)).clip(range.low, range.high))
            }
        }
    }

    /// The test of the mean against `threshold` that belongs to the interval.
    pub(super) fn test(
        &self,
        range: Interval,
        threshold: f64,
        alternative: Alternative,
    ) -> Result<TestResult, StatsError> {
        let values = match self {
            Self::Fixed(moments) => {
                return blocks::mean_test(moments, range, threshold, alternative);
            }
            Self::AnyTime(values) => values,
        };
        // The level is not used by the p-value.
        let sequence = sequence(values, range, 0.5)?;
        let m = ((threshold - range.low) / range.width()).clamp(EDGE, 1.0 - EDGE);
        let p = match alternative {
            Alternative::Greater => sequence.p_greater(m)?,
            Alternative::Less => sequence.p_less(m)?,
            Alternative::TwoSided => 2.0 * sequence.p_greater(m)?.min(sequence.p_less(m)?),
        };
        Ok(TestResult {
            p_value: p.clamp(f64::MIN_POSITIVE, 1.0),
            method: ANY_TIME_TEST.into(),
        })
    }
}

/// The confidence sequence of `values`, moved from `range` to [0, 1].
fn sequence(
    values: &BlockSummary,
    range: Interval,
    alpha: f64,
) -> Result<BettingMixture, StatsError> {
    let mut sequence = BettingMixture::new(alpha)?;
    for (value, count) in values.values() {
        let unit = ((value - range.low) / range.width()).clamp(0.0, 1.0);
        sequence.update_times(unit, count)?;
    }
    Ok(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFFERENCE: Interval = Interval {
        low: -1.0,
        high: 1.0,
    };

    #[test]
    fn any_time_intervals_are_wider_and_agree_with_their_test() {
        let numbers = || (0..60).map(|i| [-0.5, 0.0, 0.25, 0.5][i % 4]);
        let fixed = Sample::collect(numbers(), Ending::Fixed);
        let any = Sample::collect(numbers(), Ending::AnyTime);
        assert_eq!((fixed.count(), fixed.mean()), (any.count(), any.mean()));
        let narrow = fixed.interval(DIFFERENCE, 0.05).unwrap();
        let wide = any.interval(DIFFERENCE, 0.05).unwrap();
        assert!(
            wide.low < narrow.low && wide.high > narrow.high,
            "{wide:?} {narrow:?}"
        );
        // At an end of the interval the one-sided p-value is half of alpha.
        let p = any
            .test(DIFFERENCE, wide.low, Alternative::Greater)
            .unwrap();
        assert!((p.p_value - 0.025).abs() < 1e-9, "{p:?}");
        let p = any
            .test(DIFFERENCE, wide.high, Alternative::TwoSided)
            .unwrap();
        assert!((p.p_value - 0.05).abs() < 1e-9, "{p:?}");
    }

    #[test]
    fn thresholds_at_the_ends_of_the_range_have_a_p_value() {
        let any = Sample::collect((0..30).map(|_| 0.5), Ending::AnyTime);
        let unit = Interval::new(0.0, 1.0);
        assert!(any.test(unit, 0.0, Alternative::Greater).unwrap().p_value < 1e-6);
        assert!(any.test(unit, 1.0, Alternative::Greater).unwrap().p_value > 0.999);
        assert!(Sample::empty().interval(unit, 0.05).is_err());
    }
}
