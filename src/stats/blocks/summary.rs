//! Sufficient statistics of block scores.

use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Count, sum and sum of squared deviations of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a number (Welford's update, which does not cancel).
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let delta = value - self.mean;
        self.mean += delta / self.size();
        self.squares += delta * (value - self.mean);
    }

    /// How many numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; `None` without numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Sum of squared deviations from the mean.
    pub fn sum_of_squared_deviations(&self) -> f64 {
        self.squares.max(0.0)
    }

    /// Standard deviation with divisor n - 1; `None` below two numbers.
    pub fn deviation(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let freedom = self.count.checked_sub(1).filter(|&f| f > 0)? as f64;
        Some((self.squares.max(0.0) / freedom).sqrt())
    }

    pub(super) fn size(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        {
            self.count as f64
        }
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Self::default();
        for value in values {
            moments.push(value);
        }
        moments
    }
}

/// Block scores as counts of exact values.
///
/// Scores of blocks take few values (0, 1/4, 1/2, 3/4, 1 for two seats), so this stays small for
/// any number of blocks, and what is computed from it does not depend on the order of adding.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BlockSummary {
    /// Counts by value. The key is the value's bits in an order that sorts as the values do.
    counts: BTreeMap<u64, u64>,
    count: u64,
}

impl BlockSummary {
    /// Adds a score; a score that is not finite is ignored, since no game gives one.
    pub fn push(&mut self, score: f64) {
        self.push_many(score, 1);
    }

    /// Adds a score `times` times.
    pub fn push_many(&mut self, score: f64, times: u64) {
        if score.is_finite() && times > 0 {
            // Adding 0 turns -0 into 0.
            *self.counts.entry(ordered_bits(score + 0.0)).or_default() += times;
            self.count += times;
        }
    }

    /// Number of blocks.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Values in ascending order with their counts.
    pub fn values(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        self.counts
            .iter()
            .map(|(&bits, &count)| (from_ordered_bits(bits), count))
    }

    /// Count, mean and squares.
    pub fn moments(&self) -> Moments {
        if self.count == 0 {
            return Moments::default();
        }
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let weighted = |f: &dyn Fn(f64) -> f64| -> f64 {
            self.values()
                .map(|(value, count)| f(value) * count as f64)
                .sum()
        };
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let mean = weighted(&|value| value) / self.count as f64;
        let squares = weighted(&|value| (value - mean) * (value - mean));
        Moments {
            count: self.count,
            mean,
            squares,
        }
    }

    /// Mean; `None` without blocks.
    pub fn mean(&self) -> Option<f64> {
        self.moments().mean()
    }

    /// Standard deviation with divisor n - 1; `None` below two blocks.
    pub fn deviation(&self) -> Option<f64> {
        self.moments().deviation()
    }

    /// Sum of squared deviations from the mean.
    pub fn sum_of_squared_deviations(&self) -> f64 {
        self.moments().sum_of_squared_deviations()
    }

    /// The one value that all blocks have, if they have one.
    pub fn constant(&self) -> Option<f64> {
        let mut values = self.values();
        match (values.next(), values.next()) {
            (Some((value, _)), None) => Some(value),
            _ => None,
        }
    }
}

impl AddAssign<&Self> for BlockSummary {
    fn add_assign(&mut self, other: &Self) {
        for (&bits, &count) in &other.counts {
            *self.counts.entry(bits).or_default() += count;
        }
        self.count += other.count;
    }
}

impl FromIterator<f64> for BlockSummary {
    fn from_iter<I: IntoIterator<Item = f64>>(scores: I) -> Self {
        let mut summary = Self::default();
        for score in scores {
            summary.push(score);
        }
        summary
    }
}

const SIGN: u64 = 1 << 63;

/// Bits that sort as the numbers do (IEEE 754 total order).
fn ordered_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn from_ordered_bits(bits: u64) -> f64 {
    f64::from_bits(if bits & SIGN == 0 {
        !bits
    } else {
        bits & !SIGN
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact_and_sorted() {
        let summary: BlockSummary = [0.5, -0.25, 1.0, 0.0, -0.0, 0.5].into_iter().collect();
        let values: Vec<_> = summary.values().collect();
        assert_eq!(values, [(-0.25, 1), (0.0, 2), (0.5, 2), (1.0, 1)]);
        assert_eq!(summary.count(), 6);
        assert_eq!(summary.constant(), None);
    }

    #[test]
    fn moments_agree_with_the_running_ones_and_do_not_depend_on_order() {
        let scores: Vec<f64> = (0..1000_u32).map(|i| f64::from(i * 7 % 5) / 4.0).collect();
        let running: Moments = scores.iter().copied().collect();
        let forwards: BlockSummary = scores.iter().copied().collect();
        let backwards: BlockSummary = scores.iter().rev().copied().collect();
        assert_eq!(forwards.moments(), backwards.moments());
        assert!((forwards.mean().unwrap() - running.mean().unwrap()).abs() < 1e-12);
        assert!((forwards.deviation().unwrap() - running.deviation().unwrap()).abs() < 1e-12);
        let mut sum = forwards.clone();
        sum += &backwards;
        assert_eq!(sum.count(), 2000);
        assert_eq!(sum.mean(), forwards.mean());
    }
}
