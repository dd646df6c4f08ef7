//! Confidence sequences in closed form, kept up to date at constant cost per observation.

use super::super::Interval;
use super::super::error::{StatsError, open_unit, probability};
use super::boundaries::normal_mixture_bound;

/// The bets `sqrt(2 ln(2/alpha) / (t ln(1+t) v))` with the variance estimated from what came before
/// (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting",
/// JRSS B 86, 2024, eq. 15 and 26).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct PredictableBets {
    log_term: f64,
    horizon: Option<f64>,
    count: f64,
    sum: f64,
    squares: f64,
}

impl PredictableBets {
    /// Bets at level `alpha`; with a `horizon`, tuned for that number of observations instead of
    /// for every time.
    pub(super) fn new(alpha: f64, horizon: Option<f64>) -> Self {
        Self {
            log_term: 2.0 * libm::log(2.0 / alpha),
            horizon,
            count: 0.0,
            sum: 0.0,
            squares: 0.0,
        }
    }

    /// The bet on the next observation, before any truncation.
    pub(super) fn next_bet(&self) -> f64 {
        let t = self.count + 1.0;
        let variance = (0.25 + self.squares) / t;
        let time = self.horizon.unwrap_or(t * libm::log1p(t));
        (self.log_term / (time * variance)).sqrt()
    }

    /// Counts an observation in `[0, 1]`.
    pub(super) fn update(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        let deviation = x - (0.5 + self.sum) / (self.count + 1.0);
        self.squares += deviation * deviation;
    }
}

/// The empirical Bernstein confidence sequence with predictable plug-in bets (Waudby-Smith and
/// Ramdas 2024, Theorem 2, bets truncated at 1/2): adapts to the variance, O(1) per observation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EmpiricalBernstein {
    bets: PredictableBets,
    log_term: f64,
    total: f64,
    weighted: f64,
    penalty_below: f64,
    penalty_above: f64,
}

impl EmpiricalBernstein {
    /// A sequence of level `1 - alpha` without observations.
    ///
    /// # Errors
    /// When `alpha` is not in (0, 1).
    pub fn new(alpha: f64) -> Result<Self, StatsError> {
        open_unit("alpha", alpha)?;
        Ok(Self {
            bets: PredictableBets::new(alpha, None),
            log_term: libm::log(2.0 / alpha),
            total: 0.0,
            weighted: 0.0,
            penalty_below: 0.0,
            penalty_above: 0.0,
        })
    }

    /// Counts the next observation.
    ///
    /// # Errors
    /// When `x` is not in `[0, 1]`.
    pub fn update(&mut self, x: f64) -> Result<(), StatsError> {
        probability("x", x)?;
        let bet = self.bets.next_bet().min(0.5);
        let psi = -libm::log1p(-bet) - bet;
        // Each side predicts by the mean so far, and by its own end at the start.
        let (below, above) = if self.bets.count > 0.0 {
            let mean = self.bets.sum / self.bets.count;
            (x - mean, x - mean)
        } else {
            (x, 1.0 - x)
        };
        self.total += bet;
        self.weighted += bet * x;
        self.penalty_below += psi * below * below;
        self.penalty_above += psi * above * above;
        self.bets.update(x);
        Ok(())
    }

    /// The interval so far, valid at every time at once; `[0, 1]` without observations.
    pub fn interval(&self) -> Interval {
        if self.total <= 0.0 {
            return Interval::new(0.0, 1.0);
        }
        Interval {
            low: (self.weighted - self.log_term - self.penalty_below) / self.total,
            high: (self.weighted + self.log_term + self.penalty_above) / self.total,
        }
        .clip(0.0, 1.0)
    }
}

/// The Hoeffding confidence sequence with predictable bets `min(1, sqrt(8 ln(2/alpha) /
/// (t ln(1+t))))` (Waudby-Smith and Ramdas 2024, Proposition 1): does not adapt to the variance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PredictableHoeffding {
    log_term: f64,
    count: f64,
    total: f64,
    weighted: f64,
    penalty: f64,
}

impl PredictableHoeffding {
    /// A sequence of level `1 - alpha` without observations.
    ///
    /// # Errors
    /// When `alpha` is not in (0, 1).
    pub fn new(alpha: f64) -> Result<Self, StatsError> {
        open_unit("alpha", alpha)?;
        Ok(Self {
            log_term: libm::log(2.0 / alpha),
            count: 0.0,
            total: 0.0,
            weighted: 0.0,
            penalty: 0.0,
        })
    }

    /// Counts the next observation.
    ///
    /// # Errors
    /// When `x` is not in `[0, 1]`.
    pub fn update(&mut self, x: f64) -> Result<(), StatsError> {
        probability("x", x)?;
        self.count += 1.0;
        let time = self.count * libm::log1p(self.count);
        let bet = (8.0 * self.log_term / time).sqrt().min(1.0);
        self.total += bet;
        self.weighted += bet * x;
        self.penalty += bet * bet / 8.0;
        Ok(())
    }

    /// The interval so far, valid at every time at once; `[0, 1]` without observations.
    pub fn interval(&self) -> Interval {
        if self.total <= 0.0 {
            return Interval::new(0.0, 1.0);
        }
        let margin = (self.log_term + self.penalty) / self.total;
        let centre = self.weighted / self.total;
        Interval::new(centre - margin, centre + margin).clip(0.0, 1.0)
    }
}

/// The Hoeffding confidence sequence of the conjugate normal mixture, tightest around `t_opt`
/// observations: mean of `count` observations in `[0, 1]` plus or minus a boundary.
///
/// # Errors
/// When `count` is 0, `mean` is not in `[0, 1]`, `alpha` is not in (0, 1) or `t_opt` is not
/// positive.
pub fn conjugate_hoeffding(
    mean: f64,
    count: u64,
    alpha: f64,
    t_opt: f64,
) -> Result<Interval, StatsError> {
    probability("mean", mean)?;
    if count == 0 {
        return Err(StatsError::argument(
            "x",
            "an empty list",
            "at least one observation",
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let t = count as f64;
    super::super::error::positive("t_opt", t_opt)?;
    let margin = normal_mixture_bound(t / 4.0, alpha, t_opt / 4.0, alpha, false)? / t;
    Ok(Interval::new(mean - margin, mean + margin).clip(0.0, 1.0))
}
