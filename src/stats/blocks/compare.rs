//! Cell against cell: differences on shared deals, and combinations of cells that share none.

use std::ops::AddAssign;

use super::super::distributions::StudentT;
use super::super::error::{self, StatsError};
use super::super::{Alternative, Interval};
use super::mean::{freedom, pseudo};
use super::{BlockSummary, Moments, TestResult};

/// Two cells on the same deals: each deal gives a pair of block scores.
///
/// The difference of the cells is judged by its block differences, first minus second, from -1 to
/// 1: [`super::mean_interval`] and [`super::mean_test`] with that range, and
/// [`super::sign_flip`] about 0 as the exact test that both are equally good.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PairedSummary {
    first: BlockSummary,
    second: BlockSummary,
    differences: BlockSummary,
}

impl PairedSummary {
    /// Adds a deal's two block scores; a deal with a score that is not finite is ignored.
    pub fn push(&mut self, first: f64, second: f64) {
        if first.is_finite() && second.is_finite() {
            self.first.push(first);
            self.second.push(second);
            self.differences.push(first - second);
        }
    }

    /// Block differences, first minus second.
    pub fn differences(&self) -> &BlockSummary {
        &self.differences
    }

    /// The share of the variance that sharing deals saved: 1 - var(difference) / (var(first) +
    /// var(second)). It is 0 if the deals do not matter and negative if what helps the one cell
    /// hurts the other. `None` below two deals or if neither cell varies.
    pub fn variance_saved(&self) -> Option<f64> {
        let squares = |summary: &BlockSummary| summary.sum_of_squared_deviations();
        let apart = squares(&self.first) + squares(&self.second);
        (self.first.count() > 1 && apart > 0.0).then(|| 1.0 - squares(&self.differences) / apart)
    }
}

impl AddAssign<&Self> for PairedSummary {
    fn add_assign(&mut self, other: &Self) {
        self.first += &other.first;
        self.second += &other.second;
        self.differences += &other.differences;
    }
}

/// One cell of a combination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its weight: 1/k for the mean of k cells; 1 and -1 for the difference of two.
    pub weight: f64,
    /// Its block scores.
    pub moments: Moments,
    /// The range of its block scores.
    pub range: Interval,
}

/// An interval of level `1 - alpha` for the weighted sum of the means of cells that share no
/// deals: every part as in [`super::mean_interval`] with its pseudo-blocks, added up with the
/// degrees of freedom of B. L. Welch (Biometrika 34, 1947), clipped to the range of the sum.
///
/// # Errors
/// Without parts, if a part has no blocks or no weight, or for an `alpha` outside (0, 1).
pub fn combination_interval(parts: &[Part], alpha: f64) -> Result<Interval, StatsError> {
    error::open_unit("alpha", alpha)?;
    let sum = Combination::of(parts)?;
    let reach = sum.student.upper_quantile(alpha / 2.0)? * sum.error;
    Ok(Interval::new(sum.mean - reach, sum.mean + reach).clip(sum.range.low, sum.range.high))
}

/// The test that belongs to [`combination_interval`].
///
/// # Errors
/// As there, or if `threshold` is not finite.
pub fn combination_test(
    parts: &[Part],
    threshold: f64,
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    error::finite("threshold", threshold)?;
    let sum = Combination::of(parts)?;
    let t = (sum.mean - threshold) / sum.error;
    let p = match alternative {
        Alternative::TwoSided => 2.0 * sum.student.sf(t.abs()),
        Alternative::Greater => sum.student.sf(t),
        Alternative::Less => sum.student.sf(-t),
    };
    Ok(TestResult::new(
        p,
        "Welch's t test of blocks with pseudo-blocks",
    ))
}

struct Combination {
    mean: f64,
    error: f64,
    student: StudentT,
    range: Interval,
}

impl Combination {
    fn of(parts: &[Part]) -> Result<Self, StatsError> {
        if parts.is_empty() {
            return Err(StatsError::argument("parts", 0, "at least 1"));
        }
        let (mut mean, mut variance, mut spread) = (0.0, 0.0, 0.0);
        let mut range = Interval::new(0.0, 0.0);
        for part in parts {
            error::finite("weight", part.weight)?;
            if part.weight == 0.0 {
                return Err(StatsError::argument("weight", 0, "different from 0"));
            }
            let (part_mean, part_error, _) = pseudo(&part.moments, part.range)?;
            let part_variance = (part.weight * part_error) * (part.weight * part_error);
            mean += part.weight * part_mean;
            variance += part_variance;
            spread += part_variance * part_variance / freedom(&part.moments);
            let ends = Interval::new(part.weight * part.range.low, part.weight * part.range.high);
            range = Interval::new(range.low + ends.low, range.high + ends.high);
        }
        Ok(Self {
            mean,
            error: variance.sqrt(),
            student: StudentT::new(variance * variance / spread)?,
            range,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean_interval;
    use super::*;

    const UNIT: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };

    fn moments(parts: &[(f64, u64)]) -> Moments {
        let mut summary = BlockSummary::default();
        for &(score, times) in parts {
            summary.push_many(score, times);
        }
        summary.moments()
    }

    #[test]
    fn a_combination_of_one_cell_is_that_cell() {
        let moments = moments(&[(0.25, 10), (0.5, 30), (1.0, 15)]);
        let part = Part {
            weight: 1.0,
            moments,
            range: UNIT,
        };
        let one = combination_interval(&[part], 0.05).unwrap();
        let other = mean_interval(&moments, UNIT, 0.05).unwrap();
        assert!((one.low - other.low).abs() < 1e-12 && (one.high - other.high).abs() < 1e-12);
    }

    #[test]
    fn a_difference_of_two_equal_cells_is_centred_and_its_test_agrees() {
        let cell = moments(&[(0.25, 100), (0.5, 300), (0.75, 120)]);
        let parts = [1.0, -1.0].map(|weight| Part {
            weight,
            moments: cell,
            range: UNIT,
        });
        let interval = combination_interval(&parts, 0.05).unwrap();
        assert!((interval.low + interval.high).abs() < 1e-12 && interval.width() > 0.0);
        let p = combination_test(&parts, interval.high, Alternative::TwoSided).unwrap();
        assert!((p.p_value - 0.05).abs() < 1e-9, "{p:?}");
        // Of two certain cells too: the pseudo-blocks keep a width.
        let sure = [(1.0, 0.0), (-1.0, 1.0)].map(|(weight, score)| Part {
            weight,
            moments: moments(&[(score, 50)]),
            range: UNIT,
        });
        let interval = combination_interval(&sure, 0.05).unwrap();
        assert!(interval.low <= -1.0 && interval.high > -1.0 && interval.high < -0.8);
    }

    #[test]
    fn shared_deals_save_what_they_explain() {
        let (mut same, mut apart, mut against) = (
            PairedSummary::default(),
            PairedSummary::default(),
            PairedSummary::default(),
        );
        for (one, other) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
            apart.push(one, other);
            same.push(one, one);
            against.push(one, 1.0 - one);
        }
        assert!((same.variance_saved().unwrap() - 1.0).abs() < 1e-12);
        assert!(apart.variance_saved().unwrap().abs() < 1e-12);
        assert!((against.variance_saved().unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(PairedSummary::default().variance_saved(), None);
        let mut merged = same.clone();
        merged += &apart;
        assert_eq!(merged.differences().count(), 8);
        merged.push(f64::NAN, 0.5);
        assert_eq!(merged.differences().count(), 8);
    }

    #[test]
    fn parts_without_blocks_or_weight_are_errors() {
        assert!(combination_interval(&[], 0.05).is_err());
        let empty = Part {
            weight: 1.0,
            moments: Moments::default(),
            range: UNIT,
        };
        assert!(combination_interval(&[empty], 0.05).is_err());
        let weightless = Part {
            weight: 0.0,
            moments: moments(&[(0.5, 3)]),
            range: UNIT,
        };
        assert!(combination_test(&[weightless], 0.5, Alternative::Less).is_err());
    }
}
