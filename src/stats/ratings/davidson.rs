//! The Davidson model: as Bradley-Terry, with draws.
//!
//! R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
//! experiments", JASA 65, 1970: i wins, they draw, j wins in the ratio
//! `pi_i : nu sqrt(pi_i pi_j) : pi_j`.

use super::super::StatsError;
use super::super::newton::{LogLikelihood, maximise};
use super::bradley_terry::centred;
use super::connectivity::check_connected;

/// The most players: the work grows with the cube of their number.
pub(super) const MAX_PLAYERS: usize = 1000;

/// Results of one pair of players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairOutcomes {
    /// One player, counted from 0.
    pub first: usize,
    /// The other player.
    pub second: usize,
    /// Games won by `first`.
    pub first_wins: f64,
    /// Drawn games.
    pub draws: f64,
    /// Games won by `second`.
    pub second_wins: f64,
}

/// Maximum likelihood strengths and draw parameter.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct DavidsonFit {
    /// Natural-log strengths `ln pi`, player 0 at 0.
    pub log_strengths: Vec<f64>,
    /// Standard errors of the differences from player 0, if games are independent.
    pub standard_errors: Vec<f64>,
    /// `ln nu`.
    pub log_nu: f64,
    /// Its standard error, if games are independent.
    pub log_nu_standard_error: f64,
}

impl DavidsonFit {
    /// The strengths shifted so that they add up to 0.
    pub fn centred(&self) -> Vec<f64> {
        centred(&self.log_strengths)
    }
}

/// Fits strengths and a common draw parameter, without any prior.
///
/// # Errors
/// When there are fewer than two players, a pair names a player twice or one that does not exist, a
/// count is negative or not finite, there are no draws or nothing but draws, or the strengths are
/// not finite; the message then names the groups, if it is the graph of points that falls apart.
pub fn davidson(players: usize, pairs: &[PairOutcomes]) -> Result<DavidsonFit, StatsError> {
    check(players, pairs)?;
    let mut points = vec![vec![0.0; players]; players];
    for pair in pairs {
        points[pair.first][pair.second] += pair.first_wins + 0.5 * pair.draws;
        points[pair.second][pair.first] += pair.second_wins + 0.5 * pair.draws;
    }
    check_connected("wins_i, draws, wins_j", &points, |player| {
        player.to_string()
    })?;
    let model = Model { players, pairs };
    let (parameters, factor) = maximise(&model, players).map_err(|_| {
        // Draws on one side and wins on the other can still push strengths apart for ever, while
        // the draw parameter grows with them.
        StatsError::undefined(
            "wins_i, draws, wins_j",
            "the strengths are not finite: some players never lost a decisive game to the rest; \
             count draws as half points in a Bradley-Terry model instead",
        )
    })?;
    let covariance = factor.inverse();
    let errors: Vec<f64> = (0..players)
        .map(|index| covariance[index * players + index].sqrt())
        .collect();
    let strengths = players - 1;
    Ok(DavidsonFit {
        log_strengths: std::iter::once(0.0)
            .chain(parameters[..strengths].iter().copied())
            .collect(),
        standard_errors: std::iter::once(0.0)
            .chain(errors[..strengths].iter().copied())
            .collect(),
        log_nu: parameters[strengths],
        log_nu_standard_error: errors[strengths],
    })
}

fn check(players: usize, pairs: &[PairOutcomes]) -> Result<(), StatsError> {
    if !(2..=MAX_PLAYERS).contains(&players) {
        return Err(StatsError::argument(
            "players",
            players,
            format!("between 2 and {MAX_PLAYERS}"),
        ));
    }
    let (mut draws, mut decisive) = (0.0, 0.0);
    for pair in pairs {
        for (name, player) in [("i", pair.first), ("j", pair.second)] {
            if player >= players {
                return Err(StatsError::argument(
                    name,
                    player,
                    format!("a player from 0 to {}", players - 1),
                ));
            }
        }
        if pair.first == pair.second {
            return Err(StatsError::argument(
                "j",
                pair.second,
                "another player than `i`",
            ));
        }
        for (name, count) in [
            ("wins_i", pair.first_wins),
            ("draws", pair.draws),
            ("wins_j", pair.second_wins),
        ] {
            if !(count.is_finite() && count >= 0.0) {
                return Err(StatsError::argument(name, count, "finite and at least 0"));
            }
        }
        draws += pair.draws;
        decisive += pair.first_wins + pair.second_wins;
    }
    if draws <= 0.0 {
        return Err(StatsError::undefined(
            "draws",
            "there are none, so the draw parameter has no finite logarithm; use `bradley_terry`",
        ));
    }
    if decisive <= 0.0 {
        return Err(StatsError::undefined(
            "wins_i, wins_j",
            "every game was drawn, so the draw parameter is infinite",
        ));
    }
    Ok(())
}

/// Parameters: strengths of players 1, 2, ..., then `ln nu`.
struct Model<'a> {
    players: usize,
    pairs: &'a [PairOutcomes],
}

impl Model<'_> {
    fn strength(parameters: &[f64], player: usize) -> f64 {
        player.checked_sub(1).map_or(0.0, |index| parameters[index])
    }

    /// Logarithms of the three outcome probabilities: first wins, draw, second wins.
    fn log_probabilities(&self, parameters: &[f64], pair: &PairOutcomes) -> [f64; 3] {
        let one = Self::strength(parameters, pair.first);
        let other = Self::strength(parameters, pair.second);
        let draw = 0.5 * (one + other) + parameters[self.players - 1];
        let largest = one.max(other).max(draw);
        let total = [one, draw, other].map(|eta| libm::exp(eta - largest));
        let log_total = largest + libm::log(total.iter().sum());
        [one - log_total, draw - log_total, other - log_total]
    }
}

impl LogLikelihood for Model<'_> {
    fn value(&self, parameters: &[f64]) -> f64 {
        self.pairs
            .iter()
            .map(|pair| {
                let [one, draw, other] = self.log_probabilities(parameters, pair);
                pair.first_wins * one + pair.draws * draw + pair.second_wins * other
            })
            .sum()
    }

    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = parameters.len();
        let mut gradient = vec![0.0; size];
        let mut information = vec![0.0; size * size];
        for pair in self.pairs {
            let counts = [pair.first_wins, pair.draws, pair.second_wins];
            let games: f64 = counts.iter().sum();
            let law = self.log_probabilities(parameters, pair).map(libm::exp);
            // How each outcome's logit depends on (strength of first, of second, ln nu).
            let features = [[1.0, 0.0, 0.0], [0.5, 0.5, 1.0], [0.0, 1.0, 0.0]];
            let mean: [f64; 3] =
                std::array::from_fn(|k| (0..3).map(|o| law[o] * features[o][k]).sum());
            let places = [
                pair.first.checked_sub(1),
                pair.second.checked_sub(1),
                Some(size - 1),
            ];
            for (a, place) in places.iter().enumerate() {
                let Some(row) = *place else { continue };
                for outcome in 0..3 {
                    gradient[row] +=
                        (counts[outcome] - games * law[outcome]) * features[outcome][a];
                }
                for (b, place) in places.iter().enumerate() {
                    let Some(column) = *place else { continue };
                    let product: f64 = (0..3)
                        .map(|o| law[o] * features[o][a] * features[o][b])
                        .sum();
                    information[row * size + column] += games * (product - mean[a] * mean[b]);
                }
            }
        }
        (gradient, information)
    }

    fn distance(&self, from: &[f64], to: &[f64]) -> f64 {
        from.iter()
            .zip(to)
            .map(|(from, to)| (to - from).abs())
            .fold(0.0, f64::max)
    }
}
