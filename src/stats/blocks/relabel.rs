//! Test of equal strength with more than two seats: cyclic relabelling within each deal.

use std::collections::BTreeMap;

use super::super::lattice_sum::{Terms, ln_lower_tail, ln_upper_tail};
use super::super::{Alternative, StatsError};
use super::TestResult;

/// More seats than this are refused: no game here has them, and keys stay small and fixed.
pub const MAX_SEATS: usize = 8;

/// Scores of a block as if the challenger sat k seats further, in units of 1 / seats²; 0 beyond
/// the number of seats.
type Shifted = [u32; MAX_SEATS];

/// Scores of blocks as if the challenger sat k seats further, for every k.
///
/// If all players are equally strong, which of them is called the challenger does not matter:
/// every cyclic shift of the names within a deal has the same chance. The statistic is the sum of
/// the challenger's block scores. For two seats this is the sign-flip test; for more seats
/// sign-flipping is wrong, since the scores are skewed about the fair share.
#[derive(Clone, Debug, PartialEq)]
pub struct RelabelSummary {
    seats: usize,
    /// Counts of blocks by their shifted scores, the first being observed.
    counts: BTreeMap<Shifted, u64>,
    blocks: u64,
}

impl RelabelSummary {
    /// No blocks yet, for a game with `seats` seats, from 1 to [`MAX_SEATS`] (others become the
    /// nearest of these).
    pub fn new(seats: usize) -> Self {
        Self {
            seats: seats.clamp(1, MAX_SEATS),
            counts: BTreeMap::new(),
            blocks: 0,
        }
    }

    /// Adds a block: `shifted[k]` is the mean over its rotations of the score of the player k
    /// seats after the challenger (`shifted[0]` is the block score). Scores are multiples of
    /// 1 / seats², as they are where a draw gives the fair share; others are rounded to that.
    pub fn push(&mut self, shifted: &[f64]) {
        self.push_many(shifted, 1);
    }

    /// Adds a block `times` times.
    pub fn push_many(&mut self, shifted: &[f64], times: u64) {
        if times == 0 {
            return;
        }
        // Two seats: halves of games, means of two: quarters. n seats: 1/n of games, means of n.
        #[expect(clippy::cast_precision_loss, reason = "at most 8 seats")]
        let unit = (self.seats * self.seats) as f64;
        let mut key = [0; MAX_SEATS];
        for (entry, score) in key.iter_mut().zip(shifted).take(self.seats) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "scores are in [0, 1]"
            )]
            {
                *entry = (score.clamp(0.0, 1.0) * unit).round() as u32;
            }
        }
        *self.counts.entry(key).or_default() += times;
        self.blocks += times;
    }

    /// Number of blocks.
    pub fn count(&self) -> u64 {
        self.blocks
    }

    /// The test, exact for any number of blocks.
    ///
    /// Two-sided: twice the smaller tail, at most 1. The distribution is skewed, so there is no
    /// other side of equal distance; and twice a tail never claims too much.
    ///
    /// # Errors
    /// Without blocks, or with more than some 10^9.
    pub fn test(&self, alternative: Alternative) -> Result<TestResult, StatsError> {
        if self.blocks == 0 {
            return Err(StatsError::argument("blocks", 0, "at least 1"));
        }
        let (terms, observed) = self.null_distribution();
        let too_many =
            || StatsError::argument("blocks", self.blocks, "few enough for an exact test");
        let upper = || ln_upper_tail(&terms, observed).ok_or_else(too_many);
        let lower = || ln_lower_tail(&terms, observed).ok_or_else(too_many);
        let p = match alternative {
            Alternative::Greater => libm::exp(upper()?),
            Alternative::Less => libm::exp(lower()?),
            Alternative::TwoSided => 2.0 * libm::exp(upper()?.min(lower()?)),
        };
        Ok(TestResult::new(p, "exact cyclic relabelling of blocks"))
    }

    /// The terms of the sum under the null hypothesis, and the sum that was observed. Blocks
    /// whose shifted scores differ in their order only have the same distribution.
    fn null_distribution(&self) -> (Vec<Terms>, i128) {
        let mut kinds: BTreeMap<Vec<i64>, u64> = BTreeMap::new();
        let mut observed = 0;
        for (key, count) in &self.counts {
            let mut values: Vec<i64> = key[..self.seats].iter().map(|v| i64::from(*v)).collect();
            observed += i128::from(key[0]) * i128::from(*count);
            values.sort_unstable();
            *kinds.entry(values).or_default() += count;
        }
        let terms = kinds
            .into_iter()
            .map(|(values, count)| Terms { values, count })
            .collect();
        (terms, observed)
    }
}

impl std::ops::AddAssign<&Self> for RelabelSummary {
    /// Adds the blocks of another summary of the same number of seats.
    fn add_assign(&mut self, other: &Self) {
        for (key, count) in &other.counts {
            *self.counts.entry(*key).or_default() += count;
        }
        self.blocks += other.blocks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four_seats(blocks: usize, seed: u64) -> RelabelSummary {
        let mut rng = crate::rng::Seed::root(seed).rng();
        let seats = 4;
        let mut summary = RelabelSummary::new(seats);
        for _ in 0..blocks {
            // One fool per rotation.
            let mut shifted = vec![1.0; seats];
            for _ in 0..seats {
                shifted[rng.index(seats)] -= 0.25;
            }
            summary.push(&shifted);
        }
        summary
    }

    #[test]
    fn equal_players_are_told_apart_no_more_often_than_the_level_says() {
        let (runs, level) = (1000_u32, 0.05);
        let rejected: u32 = (0..runs)
            .map(|seed| {
                let summary = four_seats(30, u64::from(seed));
                let p = summary.test(Alternative::Greater).unwrap().p_value;
                u32::from(p <= level)
            })
            .sum();
        // Four standard errors of 1000 runs.
        assert!(
            f64::from(rejected) / f64::from(runs) < level + 0.028,
            "{rejected}"
        );
        assert!(rejected > 10, "{rejected}");
    }

    #[test]
    fn merged_summaries_are_one_summary() {
        let (one, other) = (four_seats(20, 1), four_seats(30, 2));
        let mut merged = one.clone();
        merged += &other;
        assert_eq!(merged.count(), 50);
        let mut swapped = other;
        swapped += &one;
        assert_eq!(merged, swapped);
    }

    #[test]
    fn exact_is_the_enumeration_of_all_shifts() {
        let mut rng = crate::rng::Seed::root(4).rng();
        for _ in 0..20 {
            let mut summary = RelabelSummary::new(3);
            let mut blocks = Vec::new();
            for _ in 0..5 {
                let block: Vec<f64> = (0..3).map(|_| f64::from(rng.below(10)) / 9.0).collect();
                summary.push(&block);
                blocks.push(block);
            }
            let observed: f64 = blocks.iter().map(|b| b[0]).sum();
            let (mut above, mut below) = (0_u32, 0_u32);
            for code in 0..243_usize {
                let mut digits = code;
                let mut sum = 0.0;
                for block in &blocks {
                    sum += block[digits % 3];
                    digits /= 3;
                }
                above += u32::from(sum >= observed - 1e-9);
                below += u32::from(sum <= observed + 1e-9);
            }
            let greater = summary.test(Alternative::Greater).unwrap().p_value;
            let less = summary.test(Alternative::Less).unwrap().p_value;
            assert!((greater - f64::from(above) / 243.0).abs() < 1e-12);
            assert!((less - f64::from(below) / 243.0).abs() < 1e-12);
        }
    }

    #[test]
    fn half_a_million_blocks_agree_with_the_normal_law() {
        let mut summary = RelabelSummary::new(4);
        // Two kinds of blocks, whose shifts have variances 3/64 and 1/64 about the mean 3/4.
        for (shifted, times) in [
            ([0.75, 0.75, 1.0, 0.5], 125_400),
            ([1.0, 0.5, 0.75, 0.75], 125_900),
            ([0.5, 1.0, 0.75, 0.75], 124_700),
            ([0.75, 0.75, 0.5, 1.0], 124_000),
        ] {
            summary.push_many(&shifted, times);
        }
        let deviation = (500_000.0_f64 / 32.0).sqrt();
        let z = (125_900.0 - 124_700.0) * 0.25 / deviation;
        let p = summary.test(Alternative::Greater).unwrap().p_value;
        let normal = crate::stats::distributions::normal_sf(z - 0.125 / deviation);
        assert!((p / normal - 1.0).abs() < 1e-3, "{p} {normal}");
    }

    #[test]
    fn for_two_seats_it_is_the_sign_flip_test() {
        let mut rng = crate::rng::Seed::root(8).rng();
        let mut relabel = RelabelSummary::new(2);
        let mut summary = super::super::BlockSummary::default();
        for _ in 0..200 {
            let score = f64::from(rng.below(5)) / 4.0;
            relabel.push(&[score, 1.0 - score]);
            summary.push(score);
        }
        for alternative in [Alternative::Greater, Alternative::Less] {
            let one = relabel.test(alternative).unwrap().p_value;
            let other = super::super::sign_flip(&summary, 0.5, alternative)
                .unwrap()
                .p_value;
            assert!((one - other).abs() < 1e-10);
        }
    }
}
