//! Test of equal strength with more than two seats: cyclic relabelling within each deal.

use std::collections::BTreeMap;

use super::super::distributions::normal_sf;
use super::super::{Alternative, StatsError};
use super::TestResult;

/// Steps (blocks x lattice points x shifts) up to which the distribution is computed exactly.
const MOST_STEPS: u64 = 40_000_000;

/// Scores of blocks as if the challenger sat k seats further, for every k.
///
/// If all players are equally strong, which of them is called the challenger does not matter:
/// every cyclic shift of the names within a deal has the same chance. The statistic is the sum of
/// the challenger's block scores. For two seats this is the sign-flip test; for more seats
/// sign-flipping is wrong, since the scores are skewed about the fair share.
#[derive(Clone, Debug, PartialEq)]
pub struct RelabelSummary {
    seats: usize,
    /// Counts of blocks by their shifted scores in units of 1 / seats², the first being observed.
    counts: BTreeMap<Vec<u32>, u64>,
    blocks: u64,
}

impl RelabelSummary {
    /// No blocks yet, for a game with `seats` seats.
    pub fn new(seats: usize) -> Self {
        Self {
            seats: seats.max(1),
            counts: BTreeMap::new(),
            blocks: 0,
        }
    }

    /// Adds a block: `shifted[k]` is the mean over its rotations of the score of the player k
    /// seats after the challenger (`shifted[0]` is the block score). Scores are multiples of
    /// 1 / seats², as they are where a draw gives the fair share.
    pub fn push(&mut self, shifted: &[f64]) {
        let unit = self.unit();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "scores are in [0, 1]"
        )]
        let key = shifted
            .iter()
            .map(|s| (s.clamp(0.0, 1.0) * unit).round() as u32)
            .collect();
        *self.counts.entry(key).or_default() += 1;
        self.blocks += 1;
    }

    /// Number of blocks.
    pub fn count(&self) -> u64 {
        self.blocks
    }

    /// Lattice points per unit of score.
    fn unit(&self) -> f64 {
        // Two seats: halves of games, means of two: quarters. n seats: 1/n of games, means of n.
        #[expect(clippy::cast_precision_loss, reason = "at most 6 seats")]
        {
            (self.seats * self.seats) as f64
        }
    }

    /// The test: exact by convolution where that is feasible, else by the saddlepoint
    /// approximation of R. Lugannani and S. Rice (Advances in Applied Probability 12, 1980,
    /// formula for tails, with the lattice's continuity correction of Daniels 1987), whose
    /// relative error falls as 1 / blocks.
    ///
    /// # Errors
    /// Without blocks.
    pub fn test(&self, alternative: Alternative) -> Result<TestResult, StatsError> {
        if self.blocks == 0 {
            return Err(StatsError::argument("blocks", 0, "at least 1"));
        }
        let lattice = Lattice::of(self);
        let steps = self
            .blocks
            .saturating_mul(lattice.most + 1)
            .saturating_mul(self.seats as u64);
        let ((upper, lower), how) = if steps <= MOST_STEPS {
            (lattice.exact(lattice.observed), "exact")
        } else {
            (lattice.saddlepoint(lattice.observed), "saddlepoint")
        };
        let p = match alternative {
            Alternative::Greater => upper,
            Alternative::Less => lower,
            // The distribution is skewed: twice the smaller tail, which never claims too much.
            Alternative::TwoSided => (2.0 * upper.min(lower)).min(1.0),
        };
        Ok(TestResult::new(
            p,
            format!("cyclic relabelling of blocks ({how})"),
        ))
    }
}

/// The sum of block scores as an integer: every block's least score is taken off and what is left
/// is divided by the common step, so that the sum runs over 0, 1, 2, ... `most`.
struct Lattice {
    /// Steps of each shift, and how many blocks have them.
    kinds: Vec<(Vec<u32>, u64)>,
    observed: u64,
    most: u64,
}

impl Lattice {
    fn of(summary: &RelabelSummary) -> Self {
        let least = |key: &[u32]| key.iter().copied().min().unwrap_or(0);
        let step = summary
            .counts
            .keys()
            .flat_map(|key| key.iter().map(|value| value - least(key)))
            .fold(0, greatest_common_divisor)
            .max(1);
        let (mut observed, mut most) = (0, 0);
        let kinds = summary
            .counts
            .iter()
            .map(|(key, &count)| {
                let steps: Vec<u32> = key.iter().map(|v| (v - least(key)) / step).collect();
                observed += u64::from(steps.first().copied().unwrap_or(0)) * count;
                most += u64::from(steps.iter().copied().max().unwrap_or(0)) * count;
                (steps, count)
            })
            .collect();
        Self {
            kinds,
            observed,
            most,
        }
    }

    /// P(sum >= observed) and P(sum <= observed).
    fn exact(&self, observed: u64) -> (f64, f64) {
        let mut pmf = vec![1.0_f64];
        for (steps, count) in &self.kinds {
            let reach = steps.iter().copied().max().unwrap_or(0) as usize;
            #[expect(clippy::cast_precision_loss, reason = "at most 6 seats")]
            let share = 1.0 / steps.len().max(1) as f64;
            for _ in 0..*count {
                let mut next = vec![0.0; pmf.len() + reach];
                for &step in steps {
                    for (index, &p) in pmf.iter().enumerate() {
                        next[index + step as usize] += p * share;
                    }
                }
                pmf = next;
            }
        }
        let at = usize::try_from(observed)
            .unwrap_or(usize::MAX)
            .min(pmf.len() - 1);
        (
            pmf[at..].iter().rev().sum::<f64>().min(1.0),
            pmf[..=at].iter().sum::<f64>().min(1.0),
        )
    }

    /// Cumulant generating function and its first two derivatives at `t`.
    fn cumulants(&self, t: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (steps, count) in &self.kinds {
            let shift = steps
                .iter()
                .copied()
                .map(|s| t * f64::from(s))
                .fold(f64::MIN, f64::max);
            let (mut m0, mut m1, mut m2) = (0.0, 0.0, 0.0);
            for &step in steps {
                let x = f64::from(step);
                let weight = libm::exp(t * x - shift);
                m0 += weight;
                m1 += weight * x;
                m2 += weight * x * x;
            }
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
            let (n, size) = (*count as f64, steps.len().max(1) as f64);
            sums[0] += n * (libm::log(m0 / size) + shift);
            sums[1] += n * m1 / m0;
            sums[2] += n * (m2 / m0 - (m1 / m0) * (m1 / m0));
        }
        sums
    }

    /// P(sum >= observed) and P(sum <= observed), approximately.
    fn saddlepoint(&self, observed: u64) -> (f64, f64) {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let (x, most) = (observed as f64, self.most as f64);
        let upper = self.upper_tail(x);
        // The lower tail as an upper tail of the mirrored sum, so that a small one is not lost
        // in 1 - p.
        let mirrored = Self {
            kinds: self
                .kinds
                .iter()
                .map(|(steps, count)| {
                    let top = steps.iter().copied().max().unwrap_or(0);
                    (steps.iter().map(|s| top - s).collect(), *count)
                })
                .collect(),
            observed: self.most - observed.min(self.most),
            most: self.most,
        };
        (upper, mirrored.upper_tail(most - x))
    }

    /// P(sum >= x) for an integer x.
    fn upper_tail(&self, x: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let most = self.most as f64;
        let target = x - 0.5;
        if target <= 0.0 {
            return 1.0;
        }
        if target >= most {
            return 0.0;
        }
        let [_, mean, variance] = self.cumulants(0.0);
        let plain = normal_sf((target - mean) / variance.max(f64::MIN_POSITIVE).sqrt());
        // Near the mean the formula is 0/0 and the normal approximation is at its best.
        if (target - mean).abs() < 0.05 * variance.sqrt() {
            return plain;
        }
        let (mut low, mut high) = (-60.0_f64, 60.0_f64);
        for _ in 0..120 {
            let middle = low.midpoint(high);
            if self.cumulants(middle)[1] < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        let t = low.midpoint(high);
        let [k, _, k2] = self.cumulants(t);
        let w = (2.0 * (t * target - k)).max(0.0).sqrt().copysign(t);
        let u = 2.0 * libm::sinh(t / 2.0) * k2.sqrt();
        if w == 0.0 || u == 0.0 || !u.is_finite() {
            return plain;
        }
        let density = libm::exp(-w * w / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
        (normal_sf(w) + density * (1.0 / u - 1.0 / w)).clamp(0.0, 1.0)
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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
    fn the_approximation_agrees_with_the_exact_tails() {
        for seed in 0..12 {
            let summary = four_seats(300, seed);
            let lattice = Lattice::of(&summary);
            let middle = lattice.most / 2;
            for offset in 0..24 {
                let observed = middle - 60 + 5 * offset;
                let (upper, lower) = lattice.exact(observed);
                let (near_upper, near_lower) = lattice.saddlepoint(observed);
                for (exact, near) in [(upper, near_upper), (lower, near_lower)] {
                    if exact > 1e-12 && exact < 0.999 {
                        assert!(
                            (near / exact - 1.0).abs() < 0.02,
                            "{observed}: {exact} {near}"
                        );
                    }
                }
            }
        }
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
