//! Elo and its relatives: transformations of a score, and the reports that match runners print.
//!
//! Logistic Elo of a score s is `400 log10(s / (1 - s))`; it has no value at 0 and 1. Normalized
//! Elo (M. Van den Bergh, "Normalized Elo", 2019) is `(s - 1/2) / sigma * 800 / ln 10` with the
//! standard deviation of a single game, so it does not depend on how many games are drawn.
//! `BayesElo` (R. Coulom) is the Rao-Kupper model, where draws have their own parameter.

use super::StatsError;
use super::distributions::{StudentT, normal_cdf};
use super::error::open_unit;
use super::results::ResultCounts;

/// Elo points per natural-log unit of strength: `400 / ln 10`.
pub const ELO_PER_LOG_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalized Elo per unit of `(s - 1/2) / sigma`: `800 / ln 10`.
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo differences beyond this are refused: their score rounds to 0 or 1.
pub const MAX_ELO: f64 = 4000.0;

/// The 97.5 % quantile of the standard normal distribution, which the runners' 95 % figures use.
const Z95: f64 = 1.959_963_984_540_054;

/// Scores are kept this far from 0 and 1 by [`clamped_elo`].
const CLAMP: f64 = 1e-3;

/// The score in (0, 1) that an Elo difference predicts: `1 / (1 + 10^(-elo/400))`.
///
/// # Errors
/// When `elo` is not finite or beyond [`MAX_ELO`].
pub fn score_of_elo(elo: f64) -> Result<f64, StatsError> {
    checked_elo("elo", elo).map(logistic)
}

/// The logistic Elo of a score, or `None` at or outside 0 and 1, where it is unbounded.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| raw_elo(score))
}

/// The logistic Elo of a score first moved into `[0.001, 0.999]`, as fishtest and `OpenBench` do.
/// Always finite, but at most 1200: a 100 % score is reported as if it were 99.9 %.
pub fn clamped_elo(score: f64) -> f64 {
    raw_elo(score.clamp(CLAMP, 1.0 - CLAMP))
}

/// Adding zero turns the `-0` of an even score into `0`.
fn raw_elo(score: f64) -> f64 {
    -400.0 * libm::log10(1.0 / score - 1.0) + 0.0
}

/// The end points of a score interval as Elo. An end at 0 or 1 is unbounded: `None`.
pub fn elo_interval(low: f64, high: f64) -> (Option<f64>, Option<f64>) {
    (elo_of_score(low), elo_of_score(high))
}

pub(super) fn checked_elo(name: &'static str, elo: f64) -> Result<f64, StatsError> {
    if elo.is_finite() && elo.abs() <= MAX_ELO {
        Ok(elo)
    } else {
        Err(StatsError::argument(
            name,
            elo,
            format!("between -{MAX_ELO} and {MAX_ELO} Elo points"),
        ))
    }
}

/// `1 / (1 + 10^(-elo/400))` for any `elo`.
pub(super) fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / ELO_PER_LOG_STRENGTH))
}

/// Probabilities of one game's outcomes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutcomeLaw {
    /// Probability of a win.
    pub win: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability of a loss.
    pub loss: f64,
}

impl OutcomeLaw {
    /// The expected score.
    pub fn score(&self) -> f64 {
        self.win + 0.5 * self.draw
    }
}

/// Outcome probabilities of the `BayesElo` model (Rao and Kupper 1967): a win has the logistic
/// probability of `bayeselo - drawelo`, a loss that of `-bayeselo - drawelo`.
///
/// # Errors
/// When an argument is beyond [`MAX_ELO`], or `drawelo` is negative (draws would be less likely
/// than never).
pub fn bayeselo_law(bayeselo: f64, drawelo: f64) -> Result<OutcomeLaw, StatsError> {
    let bayeselo = checked_elo("bayeselo", bayeselo)?;
    let drawelo = checked_elo("drawelo", drawelo)?;
    if drawelo < 0.0 {
        return Err(StatsError::argument("drawelo", drawelo, "at least 0"));
    }
    Ok(rao_kupper(bayeselo, drawelo))
}

pub(super) fn rao_kupper(bayeselo: f64, drawelo: f64) -> OutcomeLaw {
    let win = logistic(bayeselo - drawelo);
    let loss = logistic(-bayeselo - drawelo);
    OutcomeLaw {
        win,
        draw: 1.0 - win - loss,
        loss,
    }
}

/// `BayesElo` and draw Elo of given outcome probabilities, the inverse of [`bayeselo_law`].
///
/// # Errors
/// When win or loss is not strictly between 0 and 1, or the three do not add up to 1.
pub fn bayeselo_of_law(law: OutcomeLaw) -> Result<(f64, f64), StatsError> {
    for (name, value) in [("win", law.win), ("loss", law.loss)] {
        open_unit(name, value)?;
    }
    if !((law.win + law.draw + law.loss - 1.0).abs() < 1e-6 && law.draw >= 0.0) {
        return Err(StatsError::argument(
            "draw",
            law.draw,
            "at least 0, and the three probabilities must add up to 1",
        ));
    }
    let (win, loss) = (law.win, law.loss);
    let odds_win = win / (1.0 - win);
    let odds_loss = loss / (1.0 - loss);
    Ok((
        200.0 * libm::log10(odds_win / odds_loss),
        -200.0 * libm::log10(odds_win * odds_loss),
    ))
}

/// Elo, its 95 % half width and the likelihood of superiority as fishtest prints them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FishtestElo {
    /// Elo of the score, clamped to the Elo of 0.001 and 0.999.
    pub elo: f64,
    /// Half the distance between the (clamped) Elo of the 95 % limits of the score.
    pub elo95: f64,
    /// Normal approximation of the probability that the true score exceeds 1/2.
    pub los: f64,
}

/// Elo as fishtest computes it: empty cells become 0.001 counts, scores are clamped to
/// `[0.001, 0.999]`. Kept to compare with published figures; reports use [`elo_interval`].
pub fn fishtest_elo(results: ResultCounts) -> FishtestElo {
    let results = results.regularised();
    let (mean, variance) = results.moments().unwrap_or((0.5, 0.25));
    let error = (variance / results.total()).sqrt();
    FishtestElo {
        elo: clamped_elo(mean),
        elo95: (clamped_elo(mean + Z95 * error) - clamped_elo(mean - Z95 * error)) / 2.0,
        los: normal_cdf((mean - 0.5) / error),
    }
}

/// A match report without any regularisation (fastchess' and cutechess' convention). `None`
/// stands where they print `inf` or `nan`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchReport {
    /// Mean score in `[0, 1]`.
    pub score: f64,
    /// Logistic Elo of the score; `None` at 0 and 1.
    pub elo: Option<f64>,
    /// `(elo(s + z se) - elo(s - z se)) / 2` at 95 %; `None` when an end leaves (0, 1).
    pub elo_error95: Option<f64>,
    /// Normalized Elo; `None` when every unit had the same score.
    pub nelo: Option<f64>,
    /// 95 % half width of the normalized Elo, `z / sqrt(games) * 800 / ln 10`; `None` as above.
    pub nelo_error95: Option<f64>,
    /// Normal approximation of the likelihood of superiority; `None` when every unit had the
    /// same score.
    pub los: Option<f64>,
}

/// Elo, normalized Elo and the likelihood of superiority from game or pair counts, with the
/// population variance (divisor n) of the counted units.
///
/// # Errors
/// When nothing was counted.
pub fn match_report(results: ResultCounts) -> Result<MatchReport, StatsError> {
    let Some((score, variance)) = results.moments() else {
        return Err(StatsError::argument(
            "results",
            0,
            "counts of at least one game",
        ));
    };
    let error = (variance / results.total()).sqrt();
    let games = results.total() * results.games_per_unit();
    let sigma_game = (results.games_per_unit() * variance).sqrt();
    let varied = variance > 0.0;
    Ok(MatchReport {
        score,
        elo: elo_of_score(score),
        elo_error95: elo_of_score(score + Z95 * error)
            .zip(elo_of_score(score - Z95 * error))
            .map(|(high, low)| (high - low) / 2.0),
        nelo: varied.then(|| (score - 0.5) / sigma_game * NORMALIZED_ELO_PER_SIGMA),
        nelo_error95: varied.then(|| Z95 / games.sqrt() * NORMALIZED_ELO_PER_SIGMA),
        los: varied.then(|| normal_cdf((score - 0.5) / error)),
    })
}

/// The likelihood of superiority from decisive games alone: `Phi((W - L) / sqrt(W + L))`, the
/// normal approximation of the posterior probability that a decisive game is more likely won.
/// `None` without decisive games.
pub fn los_of_decisive_games(wins: f64, losses: f64) -> Option<f64> {
    let decisive = wins + losses;
    (decisive > 0.0).then(|| normal_cdf((wins - losses) / decisive.sqrt()))
}

/// Elo and its 95 % half width as `OpenBench` prints them: Student's t with one degree of freedom
/// less than units, scores clamped to `[0.001, 0.999]`, the wider of the two sides.
///
/// # Errors
/// When fewer than two units were counted.
pub fn openbench_elo(results: ResultCounts) -> Result<(f64, f64), StatsError> {
    let total = results.total();
    let Some((score, variance)) = results.moments().filter(|_| total >= 2.0) else {
        return Err(StatsError::argument(
            "results",
            total,
            "counts of at least two games or pairs",
        ));
    };
    let half_width = StudentT::new(total - 1.0)?.quantile(0.975)? * (variance / total).sqrt();
    let elo = clamped_elo(score);
    let above = clamped_elo(score + half_width) - elo;
    let below = elo - clamped_elo(score - half_width);
    Ok((elo, above.max(below)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_has_no_value_where_it_is_unbounded() {
        assert_eq!(elo_of_score(0.0), None);
        assert_eq!(elo_of_score(1.0), None);
        assert_eq!(elo_of_score(f64::NAN), None);
        assert_eq!(elo_interval(0.5, 1.0), (Some(0.0), None));
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-1500.0, -20.0, 0.0, 3.5, 400.0, 2000.0] {
            let score = score_of_elo(elo).unwrap();
            assert!((elo_of_score(score).unwrap() - elo).abs() < 1e-6);
        }
        assert!(score_of_elo(f64::NAN).is_err());
        assert!(score_of_elo(5000.0).is_err());
    }

    #[test]
    fn bayeselo_round_trip_and_bad_input() {
        let law = bayeselo_law(35.0, 120.0).unwrap();
        let (bayeselo, drawelo) = bayeselo_of_law(law).unwrap();
        assert!((bayeselo - 35.0).abs() < 1e-9 && (drawelo - 120.0).abs() < 1e-9);
        assert!(bayeselo_law(0.0, -1.0).is_err());
        let never = OutcomeLaw {
            win: 1.0,
            draw: 0.0,
            loss: 0.0,
        };
        assert!(bayeselo_of_law(never).is_err());
        let short = OutcomeLaw {
            win: 0.5,
            draw: 0.1,
            loss: 0.1,
        };
        assert!(bayeselo_of_law(short).is_err());
    }

    #[test]
    fn a_match_without_variation_has_elo_but_no_normalized_elo() {
        let report = match_report(ResultCounts::games(0, 50, 0)).unwrap();
        assert_eq!(report.elo_error95, Some(0.0));
        assert_eq!((report.nelo, report.los), (None, None));
        let won = match_report(ResultCounts::pairs([0, 0, 0, 0, 20])).unwrap();
        assert_eq!((won.elo, won.elo_error95), (None, None));
        assert!(match_report(ResultCounts::games(0, 0, 0)).is_err());
        assert!(openbench_elo(ResultCounts::games(1, 0, 0)).is_err());
        assert_eq!(los_of_decisive_games(0.0, 0.0), None);
    }
}
