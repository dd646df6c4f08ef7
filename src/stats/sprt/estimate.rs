//! What to quote after a sequential test has stopped.
//!
//! The plain score overstates the winner, because the test stops when it looks best. The median
//! unbiased estimate asks instead: for which true score would an outcome worse than this one have
//! probability one half? Outcomes are ordered as in [`super::brownian`].

use super::super::Interval;
use super::super::elo::{
    NORMALIZED_ELO_PER_SIGMA, checked_elo, elo_interval, elo_of_score, logistic,
};
use super::super::error::{StatsError, open_unit};
use super::super::results::ResultCounts;
use super::brownian::Brownian;
use super::likelihood::{EloModel, gsprt_llr, mean_law, mean_tilt};
use super::run::wald_bounds;

/// Scores closer to 0 or 1 than this count as the end itself (4,000 Elo).
const END: f64 = 1e-10;

/// A score corrected for stopping early.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct SprtEstimate {
    /// Median unbiased estimate of the score, in `[0, 1]`.
    pub score: f64,
    /// Interval of the score from the same order of outcomes.
    pub interval: Interval,
    /// Elo of `score`; `None` where unbounded.
    pub elo: Option<f64>,
    /// Elo of the interval's lower end; `None` where unbounded.
    pub elo_low: Option<f64>,
    /// Elo of the interval's upper end; `None` where unbounded.
    pub elo_high: Option<f64>,
    /// The probability of a worse outcome if the true score is 1/2.
    pub los: f64,
    /// The generalised log-likelihood ratio in nats.
    pub llr: f64,
}

/// The hypotheses and error rates of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtDesign {
    /// The Elo difference of H0, in `model`.
    pub elo0: f64,
    /// The Elo difference of H1, in `model`; above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 holds, in (0, 1).
    pub alpha: f64,
    /// The probability of accepting H0 when H1 holds, in (0, 1).
    pub beta: f64,
    /// Logistic or normalized.
    pub model: EloModel,
}

/// Median unbiased estimate and interval (level `1 - error`) after a sequential test, as fishtest
/// computes them (M. Van den Bergh's `SPRT_elo`).
///
/// The log-likelihood ratio is taken for a Brownian motion with drift
/// `(s - (s0+s1)/2)(s1-s0)/v` and variance `(s1-s0)^2/v` per unit, where
/// `v = sample variance + (s - sample mean)^2`; a ratio beyond a bound is moved back to the bound
/// together with its time. That is right for hypotheses close together and tests of hundreds of
/// units; [`Sprt::estimate`](super::Sprt::estimate) does not need this.
///
/// # Errors
/// When nothing was counted, `elo1` is not above `elo0`, a bound is beyond
/// [`MAX_ELO`](crate::stats::elo::MAX_ELO), an error rate is not in (0, 1), or the model is
/// [`EloModel::Bayes`] (convert its bounds first).
pub fn sprt_estimate(
    results: ResultCounts,
    design: SprtDesign,
    error: f64,
) -> Result<SprtEstimate, StatsError> {
    open_unit("p", error)?;
    let bounds = checked(results, design)?;
    let llr = gsprt_llr(results, design.elo0, design.elo1, design.model)?;
    let regularised = results.regularised();
    let (mean, variance) = regularised.moments().unwrap_or((0.5, 0.25));
    let sigma_game = (results.games_per_unit() * variance).sqrt();
    let score = |elo: f64| match design.model {
        EloModel::Normalized => 0.5 + elo / NORMALIZED_ELO_PER_SIGMA * sigma_game,
        EloModel::Logistic | EloModel::Bayes => logistic(elo),
    };
    let law = Law::Local {
        mean,
        variance,
        s0: score(design.elo0),
        s1: score(design.elo1),
    };
    let drift = law.drift_and_variance(mean).0;
    let stopped = Stopped::new(
        law,
        drift * regularised.total(),
        regularised.total(),
        bounds,
    );
    Ok(stopped.estimate(error, llr))
}

/// As [`sprt_estimate`], but drift and variance are those of the jumps of the log-likelihood ratio
/// under the sample tilted to each score, so that hypotheses far apart and lopsided results are
/// handled: at all wins it becomes Wald's test of a proportion. Logistic Elo.
pub(super) fn tilted_estimate(
    results: ResultCounts,
    design: SprtDesign,
    error: f64,
) -> Result<SprtEstimate, StatsError> {
    open_unit("error", error)?;
    let bounds = checked(results, design)?;
    let llr = gsprt_llr(results, design.elo0, design.elo1, design.model)?;
    let regularised = results.regularised();
    let tilt0 = mean_tilt(&regularised, logistic(design.elo0));
    let tilt1 = mean_tilt(&regularised, logistic(design.elo1));
    let mut jumps = [0.0; 5];
    for (jump, (t0, t1)) in jumps.iter_mut().zip(tilt0.iter().zip(&tilt1)) {
        *jump = t0 - t1;
    }
    let law = Law::Tilted {
        results: regularised,
        jumps,
    };
    let stopped = Stopped::new(law, llr, results.total(), bounds);
    Ok(stopped.estimate(error, llr))
}

/// Wald's bounds of a design that has been checked.
fn checked(results: ResultCounts, design: SprtDesign) -> Result<(f64, f64), StatsError> {
    checked_elo("elo0", design.elo0)?;
    checked_elo("elo1", design.elo1)?;
    if design.elo1 <= design.elo0 {
        return Err(StatsError::argument(
            "elo1",
            design.elo1,
            format!("above elo0 = {}", design.elo0),
        ));
    }
    if design.model == EloModel::Bayes {
        return Err(StatsError::argument(
            "elo_model",
            "BayesElo",
            "logistic or normalized",
        ));
    }
    if results.total() <= 0.0 {
        return Err(StatsError::argument(
            "results",
            0,
            "counts of at least one game",
        ));
    }
    wald_bounds(design.alpha, design.beta)
}

/// How the log-likelihood ratio moves, per counted unit, if the true score is given.
enum Law {
    /// Small differences: only mean and variance of the score matter.
    Local {
        mean: f64,
        variance: f64,
        s0: f64,
        s1: f64,
    },
    /// The jumps themselves, under the sample tilted to the score.
    Tilted {
        results: ResultCounts,
        jumps: [f64; 5],
    },
}

impl Law {
    fn drift_and_variance(&self, score: f64) -> (f64, f64) {
        match self {
            Self::Local {
                mean,
                variance,
                s0,
                s1,
            } => {
                let variance = variance + (score - mean) * (score - mean);
                let step = s1 - s0;
                (
                    (score - 0.5 * (s0 + s1)) * step / variance,
                    step * step / variance,
                )
            }
            Self::Tilted { results, jumps } => {
                let law = mean_law(results, score);
                let drift: f64 = law.iter().zip(jumps).map(|(p, j)| p * j).sum();
                let variance: f64 = law
                    .iter()
                    .zip(jumps)
                    .map(|(p, j)| p * (j - drift) * (j - drift))
                    .sum();
                (drift, variance)
            }
        }
    }
}

/// The outcome of a test as its Brownian approximation sees it.
struct Stopped {
    law: Law,
    lower: f64,
    upper: f64,
    time: f64,
    level: f64,
}

impl Stopped {
    /// A ratio beyond a bound is moved back along a straight line to the time it crossed.
    fn new(law: Law, llr: f64, total: f64, (lower, upper): (f64, f64)) -> Self {
        let level = llr.clamp(lower, upper);
        let time = if (lower..=upper).contains(&llr) {
            total
        } else {
            total * level / llr
        };
        Self {
            law,
            lower,
            upper,
            time,
            level,
        }
    }

    /// The probability of a worse outcome if the true score is `score`.
    fn worse_outcome(&self, score: f64) -> f64 {
        let (drift, variance) = self.law.drift_and_variance(score);
        Brownian {
            lower: self.lower,
            upper: self.upper,
            drift,
            variance,
        }
        .worse_outcome(self.time, self.level)
    }

    /// The score at which a worse outcome has probability `p`, by bisection: that probability
    /// falls as the score grows.
    fn score_with(&self, p: f64) -> f64 {
        let (mut low, mut high) = (END, 1.0 - END);
        if self.worse_outcome(low) < p {
            return 0.0;
        }
        if self.worse_outcome(high) > p {
            return 1.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.worse_outcome(middle) > p {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    fn estimate(&self, error: f64, llr: f64) -> SprtEstimate {
        let score = self.score_with(0.5);
        let interval = Interval::new(
            self.score_with(1.0 - error / 2.0),
            self.score_with(error / 2.0),
        );
        let (elo_low, elo_high) = elo_interval(interval.low, interval.high);
        SprtEstimate {
            score,
            interval,
            elo: elo_of_score(score),
            elo_low,
            elo_high,
            los: self.worse_outcome(0.5),
            llr,
        }
    }
}
