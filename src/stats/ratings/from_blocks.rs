//! Ratings with intervals from deals, as tournaments report them.

use super::super::distributions::StudentT;
use super::super::elo::ELO_PER_LOG_STRENGTH;
use super::super::error::{StatsError, open_unit};
use super::super::logistic::{Group, logistic_fit, sigmoid};
use super::bradley_terry::{centred, contrast};
use super::connectivity::check_connected;
use super::davidson::MAX_PLAYERS;
use super::transitivity::{Transitivity, examine};
use std::collections::BTreeMap;

/// The name of [`rate`]'s method in files and reports.
pub const RATING_METHOD: &str = "Bradley-Terry, clustered by deal with pseudo-blocks";

/// What two players scored against each other in one block (one deal, every rotation).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlockResult {
    /// The deal. Results with the same number share it, whoever played.
    pub block: u64,
    /// One player, counted from 0.
    pub first: usize,
    /// The other player.
    pub second: usize,
    /// Points of `first`: between 0 and `games`, a draw is half a point.
    pub points: f64,
    /// Games of the block, above 0.
    pub games: f64,
}

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Rating {
    /// Elo above the average of all players.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Standard error in Elo.
    pub standard_error: f64,
    /// Points of all games.
    pub points: f64,
    /// Games.
    pub games: f64,
}

/// Ratings of all players, in the order in which they were named.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// One for each player.
    pub players: Vec<Rating>,
    /// Number of deals.
    pub blocks: u64,
    /// Whether one number for each player describes the results.
    pub transitivity: Transitivity,
    /// Covariance of the log strengths, player 0 being the reference; row by row.
    covariance: Vec<f64>,
    /// The t quantile of the intervals.
    quantile: f64,
    student: StudentT,
}

/// The Elo difference of two players.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RatingDifference {
    /// Elo of the one above the other.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Two-sided p-value against equal ratings.
    pub p_value: f64,
}

impl Ratings {
    /// The difference between two players' ratings; `None` if one does not exist.
    pub fn difference(&self, one: usize, other: usize) -> Option<RatingDifference> {
        let players = self.players.len();
        let elo = self.players.get(one)?.elo - self.players.get(other)?.elo;
        let contrast = contrast(players, one, other);
        let error = ELO_PER_LOG_STRENGTH * quadratic(&self.covariance, &contrast).sqrt();
        let reach = self.quantile * error;
        let p_value = if one == other {
            1.0
        } else {
            (2.0 * self.student.sf((elo / error).abs())).clamp(f64::MIN_POSITIVE, 1.0)
        };
        Some(RatingDifference {
            elo,
            low: elo - reach,
            high: elo + reach,
            p_value,
        })
    }
}

/// Bradley-Terry ratings with intervals of level `1 - alpha` from deals.
///
/// Strengths are maximum likelihood (draws as half points, which makes it a quasi-likelihood).
/// Games that share a deal are not independent, whoever played them, so the covariance is the
/// cluster-robust one (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986): the scores of all games of
/// a deal are added up before they are squared. As for a cell's mean, each pair adds one
/// pseudo-block lost and one won to the variance (not to the strengths), so no interval has zero
/// width; quantiles are Student's with deals + 1 degrees of freedom.
///
/// # Errors
/// When there are fewer than 2 or more than 1,000 players, `alpha` is not in (0, 1), there are
/// fewer than two deals, a result names a player twice or one that does not exist or has points
/// outside `[0, games]`, or the players fall into groups that cannot be compared, which the message
/// names.
pub fn rate(names: &[String], results: &[BlockResult], alpha: f64) -> Result<Ratings, StatsError> {
    open_unit("alpha", alpha)?;
    let points = checked_points(names, results)?;
    check_connected("results", &points, |player| {
        names.get(player).cloned().unwrap_or_default()
    })?;
    let players = names.len();
    let pairs: Vec<(usize, usize)> = (0..players)
        .flat_map(|i| (i + 1..players).map(move |j| (i, j)))
        .filter(|(i, j)| points[*i][*j] + points[*j][*i] > 0.0)
        .collect();
    let groups: Vec<Group> = pairs
        .iter()
        .map(|(i, j)| Group {
            successes: points[*i][*j],
            trials: points[*i][*j] + points[*j][*i],
            covariates: contrast(players, *i, *j),
        })
        .collect();
    let fit = logistic_fit(&groups)?;
    let strengths: Vec<f64> = std::iter::once(0.0).chain(fit.coefficients).collect();

    let mut deals: BTreeMap<u64, Vec<&BlockResult>> = BTreeMap::new();
    for result in results {
        deals.entry(result.block).or_default().push(result);
    }
    if deals.len() < 2 {
        return Err(StatsError::argument(
            "results",
            format!("{} deal", deals.len()),
            "results of at least two deals",
        ));
    }
    let mut influences = Influences::new(&strengths, &fit.covariance);
    for deal in deals.values() {
        influences.add(deal);
    }
    influences.add_pseudo_blocks(results);
    #[expect(clippy::cast_precision_loss, reason = "deals stay far below 2^53")]
    let student = StudentT::new(deals.len() as f64 + 1.0)?;
    let quantile = student.upper_quantile(alpha / 2.0)?;
    #[expect(clippy::cast_precision_loss, reason = "a handful of players")]
    let share = 1.0 / players as f64;
    let ratings = centred(&strengths)
        .into_iter()
        .enumerate()
        .map(|(player, strength)| {
            let from_average: Vec<f64> = (1..players)
                .map(|other| f64::from(u8::from(other == player)) - share)
                .collect();
            let variance = quadratic(&influences.covariance, &from_average);
            let elo = ELO_PER_LOG_STRENGTH * strength + 0.0;
            let standard_error = ELO_PER_LOG_STRENGTH * variance.sqrt();
            let scored: f64 = points[player].iter().sum();
            let conceded: f64 = points.iter().map(|row| row[player]).sum();
            Rating {
                elo,
                low: elo - quantile * standard_error,
                high: elo + quantile * standard_error,
                standard_error,
                points: scored,
                games: scored + conceded,
            }
        })
        .collect();
    Ok(Ratings {
        players: ratings,
        blocks: deals.len() as u64,
        transitivity: examine(players, &pairs, results, &influences, fit.deviance, alpha)?,
        covariance: influences.covariance,
        quantile,
        student,
    })
}

/// Points of each player against each other, once everything has been checked.
fn checked_points(names: &[String], results: &[BlockResult]) -> Result<Vec<Vec<f64>>, StatsError> {
    let players = names.len();
    if !(2..=MAX_PLAYERS).contains(&players) {
        return Err(StatsError::argument(
            "players",
            players,
            format!("between 2 and {MAX_PLAYERS}"),
        ));
    }
    let mut points = vec![vec![0.0; players]; players];
    for result in results {
        if result.first >= players || result.second >= players || result.first == result.second {
            return Err(StatsError::argument(
                "results",
                format!("a game of {} against {}", result.first, result.second),
                format!("games of two different players from 0 to {}", players - 1),
            ));
        }
        if !(result.games.is_finite() && result.games > 0.0) {
            return Err(StatsError::argument("games", result.games, "above 0"));
        }
        if !(result.points >= 0.0 && result.points <= result.games) {
            return Err(StatsError::argument(
                "points",
                result.points,
                format!("between 0 and the {} games of the block", result.games),
            ));
        }
        points[result.first][result.second] += result.points;
        points[result.second][result.first] += result.games - result.points;
    }
    Ok(points)
}

/// How much each deal pulls at the strengths, squared and added up.
pub(super) struct Influences {
    strengths: Vec<f64>,
    /// Inverse information of players 1, 2, ..., row by row.
    inverse: Vec<f64>,
    /// The cluster-robust covariance of the same.
    pub(super) covariance: Vec<f64>,
}

impl Influences {
    fn new(strengths: &[f64], inverse: &[f64]) -> Self {
        Self {
            strengths: strengths.to_vec(),
            inverse: inverse.to_vec(),
            covariance: vec![0.0; inverse.len()],
        }
    }

    /// The probability that `first` beats `second`.
    pub(super) fn probability(&self, first: usize, second: usize) -> f64 {
        sigmoid(self.strengths[first] - self.strengths[second])
    }

    /// The pull of some residual points: inverse information times their sum of contrasts.
    pub(super) fn pull(&self, residuals: impl Iterator<Item = (usize, usize, f64)>) -> Vec<f64> {
        let size = self.strengths.len() - 1;
        let mut score = vec![0.0; size];
        for (first, second, residual) in residuals {
            if let Some(index) = first.checked_sub(1) {
                score[index] += residual;
            }
            if let Some(index) = second.checked_sub(1) {
                score[index] -= residual;
            }
        }
        (0..size)
            .map(|row| {
                self.inverse[row * size..(row + 1) * size]
                    .iter()
                    .zip(&score)
                    .map(|(a, b)| a * b)
                    .sum()
            })
            .collect()
    }

    /// Points above expectation of one result.
    pub(super) fn residual(&self, result: &BlockResult) -> f64 {
        result.points - result.games * self.probability(result.first, result.second)
    }

    fn add(&mut self, deal: &[&BlockResult]) {
        let pull = self.pull(
            deal.iter()
                .map(|result| (result.first, result.second, self.residual(result))),
        );
        self.add_square(&pull);
    }

    fn add_square(&mut self, pull: &[f64]) {
        for (row, a) in pull.iter().enumerate() {
            for (column, b) in pull.iter().enumerate() {
                self.covariance[row * pull.len() + column] += a * b;
            }
        }
    }

    /// A block lost and a block won for every pair, as long as its longest block.
    fn add_pseudo_blocks(&mut self, results: &[BlockResult]) {
        for ((first, second), games) in longest_blocks(results) {
            let p = self.probability(first, second);
            for residual in [games * (1.0 - p), -games * p] {
                let pull = self.pull(std::iter::once((first, second, residual)));
                self.add_square(&pull);
            }
        }
    }
}

/// For every pair (smaller number first) the most games of a block.
pub(super) fn longest_blocks(results: &[BlockResult]) -> BTreeMap<(usize, usize), f64> {
    let mut longest = BTreeMap::new();
    for result in results {
        let pair = (
            result.first.min(result.second),
            result.first.max(result.second),
        );
        let games: &mut f64 = longest.entry(pair).or_default();
        *games = games.max(result.games);
    }
    longest
}

/// `c' V c`.
fn quadratic(matrix: &[f64], contrast: &[f64]) -> f64 {
    let size = contrast.len();
    let mut sum = 0.0;
    for (row, a) in contrast.iter().enumerate() {
        for (column, b) in contrast.iter().enumerate() {
            sum += a * matrix[row * size + column] * b;
        }
    }
    sum.max(0.0)
}
