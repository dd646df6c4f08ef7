//! The confidence sequence for live use: betting fixed fractions against every mean.
//!
//! Against a candidate mean m, one gambler keeps staking a fraction f of his money on high
//! observations; each observation x multiplies it by `1 - f + f x / m`, whose expectation is 1 if m
//! is the truth. Money spread over several fractions is a nonnegative martingale, so it ever
//! reaches `2 / alpha` with probability at most `alpha / 2` (J. Ville 1939); likewise on the low
//! side. This is the diversified Kelly bettor of I. Waudby-Smith and A. Ramdas, "Estimating means
//! of bounded random variables by betting", JRSS B 86, 2024, section B.4, with fractions on a
//! roughly geometric scale.
//!
//! Because the fractions are fixed, the money depends only on how often each score occurred: no
//! history is kept, and the interval does not depend on the order. Mean widths of 95 % intervals in
//! 12 to 40 simulated runs, beside the hedged betting sequence with running intersection and the
//! predictable empirical Bernstein sequence (grid of 400 for the hedged one):
//!
//! | pair scores | blocks | this | hedged | Bernstein | fixed-n normal |
//! |---|---|---|---|---|---|
//! | coin games | 50 | 0.32 | 0.28 | 0.41 | 0.20 |
//! | coin games | 1,000 | 0.074 | 0.082 | 0.085 | 0.044 |
//! | 97 % at 1, 3 % at 1/2 | 50 | 0.12 | 0.15 | 0.18 | 0.05 |
//! | 97 % at 1, 3 % at 1/2 | 1,000 | 0.018 | 0.020 | 0.022 | 0.011 |
//! | 90 % at 1, 6 % at 1/2, 4 % at 0 | 50 | 0.21 | 0.21 | 0.26 | 0.12 |

use super::super::error::{StatsError, open_unit, probability};
use super::super::{Interval, root};

/// Fractions staked, with their weights. Large ones decide lopsided matches early, small ones make
/// long matches precise; the weights add up to 1.
const STAKES: [(f64, f64); 15] = [
    (0.97, 1.0 / 13.0),
    (0.85, 1.0 / 13.0),
    (0.7, 1.0 / 13.0),
    (0.55, 1.0 / 13.0),
    (0.4, 1.0 / 13.0),
    (0.3, 1.0 / 13.0),
    (0.2, 1.0 / 13.0),
    (0.14, 1.0 / 13.0),
    (0.09, 1.0 / 13.0),
    (0.05, 1.0 / 13.0),
    (0.025, 1.0 / 13.0),
    (0.012, 0.5 / 13.0),
    (0.006, 0.5 / 13.0),
    (0.003, 0.5 / 13.0),
    (0.0015, 0.5 / 13.0),
];

/// Means closer to 0 or 1 than this count as the end itself.
const EDGE: f64 = 1e-12;

/// A confidence sequence for the mean of observations in `[0, 1]`, fed one at a time: its interval
/// holds at every time at once with probability at least `1 - alpha`, whatever their law, as long
/// as each has the same mean given those before it (blocks of independent deals do).
#[derive(Clone, PartialEq, Debug)]
pub struct BettingMixture {
    alpha: f64,
    /// Distinct observations and how often each occurred. A match has a handful of block scores.
    cells: Vec<(f64, u64)>,
}

impl BettingMixture {
    /// A sequence of level `1 - alpha` without observations.
    ///
    /// # Errors
    /// When `alpha` is not in (0, 1).
    pub fn new(alpha: f64) -> Result<Self, StatsError> {
        open_unit("alpha", alpha)?;
        Ok(Self {
            alpha,
            cells: Vec::new(),
        })
    }

    /// A sequence that has seen these pair counts (lowest score first).
    ///
    /// # Errors
    /// When `alpha` is not in (0, 1).
    pub fn of_pairs(counts: [u64; 5], alpha: f64) -> Result<Self, StatsError> {
        let mut sequence = Self::new(alpha)?;
        for (score, count) in [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(counts) {
            sequence.update_times(score, count)?;
        }
        Ok(sequence)
    }

    /// Counts the next observation.
    ///
    /// # Errors
    /// When `x` is not in `[0, 1]`.
    pub fn update(&mut self, x: f64) -> Result<(), StatsError> {
        self.update_times(x, 1)
    }

    /// Counts the same observation several times.
    ///
    /// # Errors
    /// When `x` is not in `[0, 1]`.
    pub fn update_times(&mut self, x: f64, times: u64) -> Result<(), StatsError> {
        // Adding 0 turns -0 into 0, so that they share a cell.
        let x = probability("x", x)? + 0.0;
        if times == 0 {
            return Ok(());
        }
        match self
            .cells
            .binary_search_by(|(value, _)| value.total_cmp(&x))
        {
            Ok(index) => {
                if let Some((_, count)) = self.cells.get_mut(index) {
                    *count += times;
                }
            }
            Err(index) => self.cells.insert(index, (x, times)),
        }
        Ok(())
    }

    /// How many observations were counted.
    pub fn count(&self) -> u64 {
        self.cells.iter().map(|(_, count)| count).sum()
    }

    /// Their mean; `None` without observations.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        let sum: f64 = self.cells.iter().map(|(x, n)| x * *n as f64).sum();
        (count > 0).then(|| sum / count as f64)
    }

    /// The interval so far; `[0, 1]` without observations. It is not intersected with earlier ones,
    /// so it may for a while be wider than one shown before; both hold.
    pub fn interval(&self) -> Interval {
        let Some(mean) = self.mean() else {
            return Interval::new(0.0, 1.0);
        };
        let threshold = libm::log(2.0 / self.alpha);
        // At the mean neither gambler has won anything (Jensen), and money against m grows
        // monotonically with the distance, so each side has one root or none.
        let side = |end: f64, excess: &dyn Fn(f64) -> f64| {
            if (mean - end).abs() <= 2.0 * EDGE || excess(end) <= 0.0 {
                return end.round();
            }
            root::bracketed("m", excess, end, mean).unwrap_or_else(|_| end.round())
        };
        Interval::new(
            side(EDGE, &|m| self.ln_money_above(m) - threshold),
            side(1.0 - EDGE, &|m| self.ln_money_below(m) - threshold),
        )
    }

    /// The anytime-valid one-sided p-value against "the mean is at most `m`": it falls below any
    /// level p, ever, with probability at most p.
    ///
    /// # Errors
    /// When `m` is not in (0, 1).
    pub fn p_greater(&self, m: f64) -> Result<f64, StatsError> {
        open_unit("m", m)?;
        Ok(libm::exp(-self.ln_money_above(m)).min(1.0))
    }

    /// As [`BettingMixture::p_greater`], against "the mean is at least `m`".
    ///
    /// # Errors
    /// When `m` is not in (0, 1).
    pub fn p_less(&self, m: f64) -> Result<f64, StatsError> {
        open_unit("m", m)?;
        Ok(libm::exp(-self.ln_money_below(m)).min(1.0))
    }

    /// The logarithm of the money won by betting that the mean is above `m`.
    fn ln_money_above(&self, m: f64) -> f64 {
        self.ln_money(|x| x / m)
    }

    /// The logarithm of the money won by betting that the mean is below `m`.
    fn ln_money_below(&self, m: f64) -> f64 {
        self.ln_money(|x| (1.0 - x) / (1.0 - m))
    }

    /// Money over all fractions, where `payout(x)` is what a full stake becomes.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn ln_money(&self, payout: impl Fn(f64) -> f64) -> f64 {
        let mut logs = [0.0; STAKES.len()];
        for (log, (fraction, _)) in logs.iter_mut().zip(STAKES) {
            *log = self
                .cells
                .iter()
                .map(|(x, n)| *n as f64 * libm::log1p(fraction * (payout(*x) - 1.0)))
                .sum();
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs
            .iter()
            .zip(STAKES)
            .map(|(log, (_, weight))| weight * libm::exp(log - largest))
            .sum();
        largest + libm::log(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn weights_add_up_to_one() {
        let total: f64 = STAKES.iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-12);
    }

    #[test]
    fn it_holds_at_every_time_at_once() {
        // Pairs of which 3 % are draws and the rest wins, and coin games: the truth must leave the
        // interval at any of 300 times in at most 5 % of runs.
        for (law, mean) in [([0.0, 0.03], 0.985), ([0.25, 0.5], 0.5)] {
            let runs = 120;
            let mut missed = 0;
            for run in 0..runs {
                let mut rng = Seed::root(run).derive("mixture", &[]).rng();
                let mut sequence = BettingMixture::new(0.05).unwrap();
                let mut ever = false;
                for _ in 0..300 {
                    let u = rng.unit();
                    let x = if u < law[0] {
                        0.0
                    } else if u < law[0] + law[1] {
                        0.5
                    } else {
                        1.0
                    };
                    sequence.update(x).unwrap();
                    // The truth is outside exactly when money against it passed the threshold.
                    let p = sequence.p_greater(mean).unwrap();
                    ever |= p.min(sequence.p_less(mean).unwrap()) < 0.025;
                }
                missed += u32::from(ever);
                assert!(sequence.interval().width() < 0.3);
            }
            assert!(f64::from(missed) < 0.12 * 120.0, "{missed} of {runs}");
        }
    }

    #[test]
    fn order_does_not_matter_and_counts_are_the_same_as_updates() {
        let counts = [2, 5, 9, 4, 11];
        let bulk = BettingMixture::of_pairs(counts, 0.05).unwrap();
        let mut one_by_one = BettingMixture::new(0.05).unwrap();
        for (cell, count) in counts.iter().enumerate().rev() {
            for _ in 0..*count {
                one_by_one
                    .update([0.0, 0.25, 0.5, 0.75, 1.0][cell])
                    .unwrap();
            }
        }
        assert_eq!(bulk, one_by_one);
        assert_eq!(bulk.count(), 31);
        assert!(bulk.interval().contains(bulk.mean().unwrap()));
    }

    #[test]
    fn sides_are_symmetric_and_ends_are_reached_only_by_data() {
        let one = BettingMixture::of_pairs([0, 0, 1, 2, 30], 0.05).unwrap();
        let other = BettingMixture::of_pairs([30, 2, 1, 0, 0], 0.05).unwrap();
        let (a, b) = (one.interval(), other.interval());
        assert!((a.low - (1.0 - b.high)).abs() < 1e-9);
        assert!((a.high - (1.0 - b.low)).abs() < 1e-9);
        let won = BettingMixture::of_pairs([0, 0, 0, 0, 25], 0.05).unwrap();
        assert!(won.interval().high >= 1.0 && won.interval().low > 0.75);
        assert!(won.interval().width() > 0.0);
        let empty = BettingMixture::new(0.05).unwrap();
        assert_eq!(empty.interval(), Interval::new(0.0, 1.0));
        assert!((empty.p_greater(0.5).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_million_blocks_are_no_problem() {
        let sequence = BettingMixture::of_pairs([100_000, 0, 800_000, 0, 100_000], 0.05).unwrap();
        let interval = sequence.interval();
        assert!(
            interval.contains(0.5) && interval.width() < 0.0025,
            "{interval:?}"
        );
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(BettingMixture::new(0.0).is_err());
        let mut sequence = BettingMixture::new(0.05).unwrap();
        for bad in [-0.1, 1.1, f64::NAN] {
            assert!(sequence.update(bad).is_err());
        }
        assert!(sequence.p_greater(1.0).is_err());
    }
}
