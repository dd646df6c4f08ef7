//! Betting against every candidate mean.
//!
//! For a candidate mean m, a gambler bets on the observations being above it and another on their
//! being below; if m is the truth neither can expect to gain, so m is dropped when either has
//! multiplied his money by `2 / alpha` (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
//! random variables by betting", JRSS B 86, 2024, the hedged capital process of section 4.4).

use super::super::Interval;
use super::super::error::{StatsError, open_unit, probability};
use super::predictable::PredictableBets;

/// How bets are kept from losing everything.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Truncation {
    /// At most half of what would risk ruin: `1 / (2 m)` and `1 / (2 (1 - m))`.
    HalfOfRuin,
    /// At most 1, whatever the candidate.
    One,
}

/// The capital of both gamblers against one candidate mean. A product is kept near 1 by moving
/// its size into a logarithm, so it neither overflows nor vanishes.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Capital {
    candidate: f64,
    up: Scaled,
    down: Scaled,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Scaled {
    factor: f64,
    log: f64,
}

impl Scaled {
    const ONE: Self = Self {
        factor: 1.0,
        log: 0.0,
    };

    fn multiply(&mut self, by: f64) {
        self.factor *= by.max(0.0);
        if !(1e-100..=1e100).contains(&self.factor) {
            self.log += libm::log(self.factor);
            self.factor = 1.0;
        }
    }

    fn ln(self) -> f64 {
        self.log + libm::log(self.factor)
    }
}

impl Capital {
    fn new(candidate: f64) -> Self {
        Self {
            candidate,
            up: Scaled::ONE,
            down: Scaled::ONE,
        }
    }

    fn update(&mut self, x: f64, bet: f64, truncation: Truncation) {
        let m = self.candidate;
        let (up, down) = match truncation {
            Truncation::HalfOfRuin => (bet.min(0.5 / m), bet.min(0.5 / (1.0 - m))),
            Truncation::One => (bet.min(1.0), bet.min(1.0)),
        };
        self.up.multiply(1.0 + up * (x - m));
        self.down.multiply(1.0 - down * (x - m));
    }

    /// The logarithm of the larger half-stake.
    fn ln_hedged(&self) -> f64 {
        self.up.ln().max(self.down.ln()) - std::f64::consts::LN_2
    }
}

/// The logarithm of the hedged capital against candidate mean `m` after each of `x`, bets at level
/// `alpha`.
///
/// # Errors
/// When `m` or an observation is not in `[0, 1]`, or `alpha` is not in (0, 1).
pub fn betting_log_capital(x: &[f64], m: f64, alpha: f64) -> Result<Vec<f64>, StatsError> {
    open_unit("alpha", alpha)?;
    probability("m", m)?;
    let mut bets = PredictableBets::new(alpha, None);
    let mut capital = Capital::new(m);
    x.iter()
        .map(|x| {
            probability("x", *x)?;
            capital.update(*x, bets.next_bet(), Truncation::HalfOfRuin);
            bets.update(*x);
            Ok(capital.ln_hedged())
        })
        .collect()
}

/// The hedged betting confidence sequence after each of `x`: candidates on a grid of `1 / breaks`,
/// widened by one step, so that it also holds between grid points.
///
/// # Errors
/// When an observation is not in `[0, 1]`, `alpha` is not in (0, 1), or `breaks` is not in
/// 2..=1,000,000.
pub fn betting_cs(x: &[f64], alpha: f64, breaks: u64) -> Result<Vec<Interval>, StatsError> {
    over_grid(x, alpha, breaks, None, Truncation::HalfOfRuin)
}

/// The betting confidence interval for a number of observations that was fixed in advance, which
/// is `x.len()`: bets are tuned for that number, and every interval on the way is intersected.
///
/// # Errors
/// As [`betting_cs`], and when `x` is empty.
pub fn betting_interval(x: &[f64], alpha: f64, breaks: u64) -> Result<Interval, StatsError> {
    #[expect(clippy::cast_precision_loss, reason = "a length stays far below 2^53")]
    let horizon = x.len() as f64;
    let all = over_grid(x, alpha, breaks, Some(horizon), Truncation::One)?;
    all.into_iter()
        .reduce(|so_far, next| Interval {
            low: so_far.low.max(next.low),
            high: so_far.high.min(next.high),
        })
        .ok_or_else(|| StatsError::argument("x", "an empty list", "at least one observation"))
}

fn over_grid(
    x: &[f64],
    alpha: f64,
    breaks: u64,
    horizon: Option<f64>,
    truncation: Truncation,
) -> Result<Vec<Interval>, StatsError> {
    open_unit("alpha", alpha)?;
    let grid = checked_breaks(breaks)?;
    let step = 1.0 / f64::from(grid);
    let threshold = -libm::log(alpha);
    let mut bets = PredictableBets::new(alpha, horizon);
    let mut capitals: Vec<Capital> = (0..=grid)
        .map(|index| Capital::new(f64::from(index) / f64::from(grid)))
        .collect();
    let mut intervals = Vec::with_capacity(x.len());
    for x in x {
        probability("x", *x)?;
        let bet = bets.next_bet();
        for capital in &mut capitals {
            capital.update(*x, bet, truncation);
        }
        bets.update(*x);
        let mut kept = capitals
            .iter()
            .filter(|capital| capital.ln_hedged() <= threshold)
            .map(|capital| capital.candidate);
        // Where no candidate is left (probability at most alpha) nothing can be said.
        let interval = match kept.next() {
            None => Interval::new(0.0, 1.0),
            Some(first) => {
                let last = kept.next_back().unwrap_or(first);
                Interval::new(first - step, last + step).clip(0.0, 1.0)
            }
        };
        intervals.push(interval);
    }
    Ok(intervals)
}

pub(super) fn checked_breaks(breaks: u64) -> Result<u32, StatsError> {
    u32::try_from(breaks)
        .ok()
        .filter(|breaks| (2..=1_000_000).contains(breaks))
        .ok_or_else(|| StatsError::argument("breaks", breaks, "between 2 and 1,000,000"))
}
