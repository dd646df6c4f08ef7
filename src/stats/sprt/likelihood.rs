//! Generalised log-likelihood ratios of game and pair counts.
//!
//! The counts are multinomial. Under each hypothesis the cell probabilities are the maximum
//! likelihood estimate among all laws for which the hypothesis holds, so draws and the spread of
//! the pairs need no model (M. Van den Bergh, "The generalized maximum likelihood ratio for the
//! expectation value of a distribution", and "Normalized Elo, practical", section 4.1).
//! All ratios are in nats and positive when they speak for the second hypothesis.

use super::super::elo::{
    NORMALIZED_ELO_PER_SIGMA, OutcomeLaw, bayeselo_of_law, checked_elo, clamped_elo, logistic,
    rao_kupper,
};
use super::super::error::{StatsError, open_unit};
use super::super::results::ResultCounts;

/// How the two hypotheses of a sequential test are expressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EloModel {
    /// Elo of the expected score.
    Logistic,
    /// Expected score in standard deviations of a game, times `800 / ln 10`.
    Normalized,
    /// `BayesElo`; the draw parameter is taken from the sample. Single games only.
    Bayes,
}

/// The generalised log-likelihood ratio of `elo1` against `elo0` in `model`. Empty cells count as
/// 0.001, so the ratio is always finite; without any game it is 0.
///
/// # Errors
/// When `elo0` or `elo1` is beyond [`MAX_ELO`](crate::stats::elo::MAX_ELO), or `BayesElo` is asked of pairs.
pub fn gsprt_llr(
    results: ResultCounts,
    elo0: f64,
    elo1: f64,
    model: EloModel,
) -> Result<f64, StatsError> {
    let (elo0, elo1) = (checked_elo("elo0", elo0)?, checked_elo("elo1", elo1)?);
    if results.total() <= 0.0 {
        return Ok(0.0);
    }
    let results = results.regularised();
    Ok(match model {
        EloModel::Logistic => mean_llr(&results, logistic(elo0), logistic(elo1)),
        EloModel::Normalized => {
            let per_unit = results.games_per_unit().sqrt() / NORMALIZED_ELO_PER_SIGMA;
            t_value_llr(&results, elo0 * per_unit, elo1 * per_unit).ok_or_else(|| {
                StatsError::undefined(
                    "elo0, elo1",
                    format!("no law of these results has normalized Elo {elo0} or {elo1}"),
                )
            })?
        }
        EloModel::Bayes => {
            let drawelo = sample_drawelo(&results)?;
            // Upstream converts through an Elo clamped to the scores 0.001 and 0.999.
            let score = |elo| logistic(clamped_elo(rao_kupper(elo, drawelo).score()));
            mean_llr(&results, score(elo0), score(elo1))
        }
    })
}

/// The Brownian approximation of the ratio for the mean: `N (s1-s0)(2 m - s0 - s1) / (2 v)`
/// with sample mean m and variance v (M. Van den Bergh, "A practical introduction to the GSPRT").
///
/// # Errors
/// When `elo0` or `elo1` is beyond [`MAX_ELO`](crate::stats::elo::MAX_ELO).
pub fn approximate_llr(results: ResultCounts, elo0: f64, elo1: f64) -> Result<f64, StatsError> {
    let s0 = logistic(checked_elo("elo0", elo0)?);
    let s1 = logistic(checked_elo("elo1", elo1)?);
    let results = results.regularised();
    let Some((mean, variance)) = results.moments() else {
        return Ok(0.0);
    };
    Ok(results.total() * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance))
}

/// The log-likelihood ratio of the `BayesElo` model with the draw parameter of the sample, as
/// cutechess, early fishtest and `OpenBench` compute it. Multinomial, single games.
///
/// # Errors
/// When the results are pairs, or there is no win or no loss (the draw parameter is then
/// unbounded), or an Elo is beyond [`MAX_ELO`](crate::stats::elo::MAX_ELO).
pub fn bayeselo_llr(results: ResultCounts, elo0: f64, elo1: f64) -> Result<f64, StatsError> {
    let elo0 = checked_elo("elo0", elo0)?;
    let elo1 = checked_elo("elo1", elo1)?;
    bayeselo_llr_with(results, elo0, elo1, sample_drawelo(&results)?)
}

/// As [`bayeselo_llr`] in cutechess' convention: half a game is added to each of loss, draw and
/// win, and the bounds are logistic Elo, converted by the local slope `4 x / (1 + x)^2` with
/// `x = 10^(-drawelo / 400)`.
///
/// # Errors
/// As [`bayeselo_llr`], except that no outcome can be missing.
pub fn cutechess_llr(results: ResultCounts, elo0: f64, elo1: f64) -> Result<f64, StatsError> {
    let elo0 = checked_elo("elo0", elo0)?;
    let elo1 = checked_elo("elo1", elo1)?;
    let [losses, draws, wins] = single_games(&results)?;
    let results = ResultCounts::new(&[losses + 0.5, draws + 0.5, wins + 0.5])?;
    let drawelo = sample_drawelo(&results)?;
    let x = 1.0 / logistic(drawelo) - 1.0;
    let scale = 4.0 * x / ((1.0 + x) * (1.0 + x));
    bayeselo_llr_with(results, elo0 / scale, elo1 / scale, drawelo)
}

fn bayeselo_llr_with(
    results: ResultCounts,
    elo0: f64,
    elo1: f64,
    drawelo: f64,
) -> Result<f64, StatsError> {
    let [losses, draws, wins] = single_games(&results)?;
    let (law0, law1) = (rao_kupper(elo0, drawelo), rao_kupper(elo1, drawelo));
    // A cell without games says nothing, whatever its probability.
    let term = |n: f64, p0: f64, p1: f64| if n > 0.0 { n * libm::log(p1 / p0) } else { 0.0 };
    let llr = term(losses, law0.loss, law1.loss)
        + term(draws, law0.draw, law1.draw)
        + term(wins, law0.win, law1.win);
    if llr.is_finite() {
        Ok(llr)
    } else {
        Err(StatsError::undefined(
            "elo0, elo1",
            format!("{elo0} and {elo1} are too far apart for the draws of this sample"),
        ))
    }
}

/// The log-likelihood ratio of `successes` out of `n` for success probability `p1` against `p0`
/// (A. Wald, "Sequential Analysis", 1947).
///
/// # Errors
/// When `successes` exceeds `n`, or a probability is not strictly between 0 and 1.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub fn binomial_llr(successes: u64, n: u64, p0: f64, p1: f64) -> Result<f64, StatsError> {
    if successes > n {
        return Err(StatsError::argument(
            "successes",
            successes,
            format!("at most n = {n}"),
        ));
    }
    let (p0, p1) = (open_unit("p0", p0)?, open_unit("p1", p1)?);
    let failures = (n - successes) as f64;
    Ok(successes as f64 * libm::log(p1 / p0) + failures * libm::log((1.0 - p1) / (1.0 - p0)))
}

fn single_games(results: &ResultCounts) -> Result<[f64; 3], StatsError> {
    match *results.cells() {
        [losses, draws, wins] => Ok([losses, draws, wins]),
        _ => Err(StatsError::argument(
            "results",
            "a list of 5",
            "3 counts (loss, draw, win) in the BayesElo model",
        )),
    }
}

/// The draw parameter of the sample's own outcome frequencies.
fn sample_drawelo(results: &ResultCounts) -> Result<f64, StatsError> {
    let [losses, draws, wins] = single_games(results)?;
    let total = losses + draws + wins;
    if losses <= 0.0 || wins <= 0.0 {
        return Err(StatsError::undefined(
            "results",
            "there must be at least one win and one loss, or the draw parameter is unbounded",
        ));
    }
    let law = OutcomeLaw {
        win: wins / total,
        draw: draws / total,
        loss: losses / total,
    };
    bayeselo_of_law(law).map(|(_, drawelo)| drawelo)
}

/// The ratio for expected score `s1` against `s0`, both in (0, 1); every cell must be positive.
pub(super) fn mean_llr(results: &ResultCounts, s0: f64, s1: f64) -> f64 {
    log_ratio(results, &mean_tilt(results, s0), &mean_tilt(results, s1))
}

/// The logarithm of share over estimate for each cell, where the estimate has expected score `s`
/// and the greatest likelihood.
pub(super) fn mean_tilt(results: &ResultCounts, s: f64) -> [f64; 5] {
    let mut g = [0.0; 5];
    for (g, score) in g.iter_mut().zip(results.scores()) {
        *g = score - s;
    }
    tilted_logs(&g[..results.cells().len()], &results.shares())
}

/// The estimate itself: cell probabilities with expected score `s`.
pub(super) fn mean_law(results: &ResultCounts, s: f64) -> [f64; 5] {
    let mut law = results.shares();
    for (p, tilt) in law.iter_mut().zip(&mean_tilt(results, s)) {
        *p *= libm::exp(-tilt);
    }
    law
}

/// `N sum share (tilt0 - tilt1)`: the shares themselves cancel.
fn log_ratio(results: &ResultCounts, tilt0: &[f64; 5], tilt1: &[f64; 5]) -> f64 {
    let cells = results.cells().iter();
    let llr: f64 = cells
        .zip(tilt0.iter().zip(tilt1))
        .map(|(n, (t0, t1))| n * (t0 - t1))
        .sum();
    llr + 0.0
}

/// `ln(1 + x g)` for each cell, where x solves the secular equation. The constrained estimate of
/// cell i is `share_i / (1 + x g_i)`.
fn tilted_logs(g: &[f64], shares: &[f64; 5]) -> [f64; 5] {
    let mut logs = [0.0; 5];
    let x = secular_root(g, shares).unwrap_or(0.0);
    for (log, g) in logs.iter_mut().zip(g) {
        *log = libm::log1p((x * g).max(-1.0 + f64::EPSILON / 2.0));
    }
    logs
}

/// The root x of `sum share g / (1 + x g) = 0` that keeps every `1 + x g` positive, or `None`
/// when the constraint cannot hold (all g of one sign).
///
/// The function falls from plus to minus infinity between its poles, so Newton steps that leave
/// the bracket are replaced by halving it.
fn secular_root(g: &[f64], shares: &[f64; 5]) -> Option<f64> {
    let lowest = g.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (g, share) in g.iter().zip(shares) {
            let ratio = g / (1.0 + x * g);
            value += share * ratio;
            slope -= share * ratio * ratio;
        }
        if value > 0.0 {
            low = x;
        } else if value < 0.0 {
            high = x;
        } else {
            return Some(x);
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            low + 0.5 * (high - low)
        };
        if (next - x).abs() <= 1e-16 * x.abs() {
            return Some(x);
        }
        x = next;
    }
    Some(x)
}

/// The ratio for `(mean - 1/2) / sigma = t1` against `t0`.
fn t_value_llr(results: &ResultCounts, t0: f64, t1: f64) -> Option<f64> {
    Some(log_ratio(
        results,
        &t_value_logs(results, t0)?,
        &t_value_logs(results, t1)?,
    ))
}

/// `ln(1 + x g)` per cell at the maximum likelihood law whose t-value about 1/2 is `t`.
///
/// At a stationary point the law is the tilt of the shares by
/// `g_i = a_i - 1/2 - t sigma (1 + ((a_i - mu) / sigma)^2) / 2` with `mu = 1/2 + t sigma`, so the
/// only unknown is sigma. Iterating "moments, then tilt" converges for everyday bounds; far out it
/// may not (fastchess hung, or printed nan, on such input), and then sigma is scanned.
fn t_value_logs(results: &ResultCounts, t: f64) -> Option<[f64; 5]> {
    if t == 0.0 {
        return Some(mean_tilt(results, 0.5));
    }
    fixed_point_logs(results, t).or_else(|| scanned_logs(results, t))
}

/// The quadratic g of a law with this mean and standard deviation.
fn t_value_gradient(results: &ResultCounts, t: f64, mean: f64, sigma: f64) -> [f64; 5] {
    let mut g = [0.0; 5];
    for (g, score) in g.iter_mut().zip(results.scores()) {
        let z = (mean - score) / sigma;
        *g = score - 0.5 - t * sigma * (1.0 + z * z) / 2.0;
    }
    g
}

/// Mean and standard deviation of the law that a tilt gives.
fn tilted_moments(results: &ResultCounts, logs: &[f64; 5]) -> (f64, f64) {
    let shares = results.shares();
    let law = || {
        results
            .scores()
            .iter()
            .zip(shares.iter().zip(logs))
            .map(|(score, (share, log))| (score, share * libm::exp(-log)))
    };
    let mean: f64 = law().map(|(score, p)| score * p).sum();
    let variance: f64 = law().map(|(s, p)| p * (s - mean) * (s - mean)).sum();
    (mean, variance.sqrt())
}

fn fixed_point_logs(results: &ResultCounts, t: f64) -> Option<[f64; 5]> {
    let shares = results.shares();
    let length = results.cells().len();
    // From the even law, as fishtest does: a one-sided sample would start next to the boundary.
    let even = ResultCounts::new(&[1.0; 5][..length]).ok()?;
    let (mut mean, variance) = even.moments()?;
    let mut sigma = variance.sqrt();
    for _ in 0..60 {
        let g = t_value_gradient(results, t, mean, sigma);
        let x = secular_root(&g[..length], &shares)?;
        let mut logs = [0.0; 5];
        for (log, g) in logs.iter_mut().zip(&g[..length]) {
            *log = libm::log1p(x * g);
        }
        let (next_mean, next_sigma) = tilted_moments(results, &logs);
        let moved = (next_mean - mean).abs() + (next_sigma - sigma).abs();
        (mean, sigma) = (next_mean, next_sigma);
        if moved < 1e-13 {
            let reached = (mean - 0.5 - t * sigma).abs() < 1e-9;
            return reached.then_some(logs);
        }
        if !(sigma > 0.0 && logs.iter().all(|log| log.is_finite())) {
            return None;
        }
    }
    None
}

/// The best of all stationary laws, found by scanning the standard deviation.
///
/// For a given sigma the tilt is unique; the law is stationary where its mean is `1/2 + t sigma`.
/// With that mean no law on [0, 1] has sigma above `1/2 / sqrt(1 + t^2)`; the scan is even in the
/// logit of the fraction of this, because roots crowd both ends when cells are nearly empty.
fn scanned_logs(results: &ResultCounts, t: f64) -> Option<[f64; 5]> {
    const HALF_STEPS: i32 = 400;
    let widest = 0.5 / (1.0 + t * t).sqrt();
    let sigma_at = |w: f64| widest / (1.0 + libm::exp(-w));
    let shares = results.shares();
    let mut best: Option<(f64, [f64; 5])> = None;
    let mut before: Option<(f64, f64)> = None;
    for step in -HALF_STEPS..=HALF_STEPS {
        let w = 0.08 * f64::from(step);
        let Some((excess, _)) = tilt_with_sigma(results, t, sigma_at(w)) else {
            before = None;
            continue;
        };
        if let Some((w_before, excess_before)) = before
            && excess_before * excess <= 0.0
        {
            let (mut low, mut high) = (w_before, w);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                match tilt_with_sigma(results, t, sigma_at(middle)) {
                    Some((value, _)) if value * excess_before > 0.0 => low = middle,
                    _ => high = middle,
                }
            }
            if let Some((_, logs)) = tilt_with_sigma(results, t, sigma_at(0.5 * (low + high))) {
                // The log-likelihood is a constant less this.
                let loss: f64 = shares.iter().zip(&logs).map(|(s, l)| s * l).sum();
                if best.is_none_or(|(smallest, _)| loss < smallest) {
                    best = Some((loss, logs));
                }
            }
        }
        before = Some((w, excess));
    }
    best.map(|(_, logs)| logs)
}

/// The tilt for a given standard deviation, and by how much its mean exceeds `1/2 + t sigma`.
fn tilt_with_sigma(results: &ResultCounts, t: f64, sigma: f64) -> Option<(f64, [f64; 5])> {
    let mean = 0.5 + t * sigma;
    let g = t_value_gradient(results, t, mean, sigma);
    let g = &g[..results.cells().len()];
    secular_root(g, &results.shares())?;
    let logs = tilted_logs(g, &results.shares());
    Some((tilted_moments(results, &logs).0 - mean, logs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn iteration_and_scan_find_the_same_law() {
        let mut rng = Seed::root(5).rng();
        let mut compared = 0;
        for _ in 0..300 {
            let mut counts = [0.0; 5];
            for count in &mut counts {
                *count = f64::from(rng.below(40));
            }
            let results = ResultCounts::new(&counts).unwrap().regularised();
            let t = (rng.unit() - 0.5) * 0.8;
            let scanned = scanned_logs(&results, t).unwrap();
            if let Some(iterated) = fixed_point_logs(&results, t) {
                compared += 1;
                for (one, other) in iterated.iter().zip(&scanned) {
                    assert!((one - other).abs() < 1e-7, "{counts:?} {t}");
                }
            }
        }
        assert!(compared > 250, "{compared}");
    }

    #[test]
    fn far_out_bounds_have_a_finite_ratio() {
        let mut rng = Seed::root(6).rng();
        for _ in 0..300 {
            let mut counts = [0.0; 5];
            for count in &mut counts {
                // Most cells empty, as after a few one-sided pairs.
                *count = f64::from(rng.below(12).saturating_sub(8) * rng.below(300));
            }
            let results = ResultCounts::new(&counts).unwrap();
            let elo0 = (rng.unit() - 0.5) * 7000.0;
            let elo1 = elo0 + rng.unit() * 400.0;
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let llr = gsprt_llr(results, elo0, elo1, model).unwrap();
                assert!(llr.is_finite(), "{counts:?} {elo0} {elo1} {model:?}");
            }
        }
    }
}
