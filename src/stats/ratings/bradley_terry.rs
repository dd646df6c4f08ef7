//! The Bradley-Terry model: i beats j with probability `1 / (1 + exp(theta_j - theta_i))`.

use super::super::StatsError;
use super::super::logistic::{Group, logistic_fit};
use super::connectivity::check_connected;

/// Maximum likelihood strengths.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct BradleyTerryFit {
    /// Natural-log strengths, player 0 at 0. Times `400 / ln 10` they are Elo.
    pub log_strengths: Vec<f64>,
    /// Standard errors of the differences from player 0, if games are independent.
    pub standard_errors: Vec<f64>,
    /// Twice the log-likelihood distance to one free probability for each pair.
    pub deviance: f64,
}

impl BradleyTerryFit {
    /// The strengths shifted so that they add up to 0.
    pub fn centred(&self) -> Vec<f64> {
        centred(&self.log_strengths)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of players")]
pub(super) fn centred(strengths: &[f64]) -> Vec<f64> {
    let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
    strengths.iter().map(|s| s - mean).collect()
}

/// Fits strengths to `wins[i][j]`, the points of i against j (draws as half points), without any
/// prior (R. A. Bradley and M. E. Terry 1952). A logistic regression whose covariates are +1 for
/// one player and -1 for the other.
///
/// # Errors
/// When there are fewer than two players, the matrix is not square, an entry is negative or not
/// finite, a player has points against himself, or the graph of points is not strongly connected;
/// the message then names the groups.
pub fn bradley_terry(wins: &[Vec<f64>]) -> Result<BradleyTerryFit, StatsError> {
    check_matrix(wins)?;
    check_connected("wins", wins, |player| player.to_string())?;
    let players = wins.len();
    let mut groups = Vec::new();
    for (i, row) in wins.iter().enumerate() {
        for (j, &won) in row.iter().enumerate().skip(i + 1) {
            let games = won + wins[j][i];
            if games > 0.0 {
                groups.push(Group {
                    successes: won,
                    trials: games,
                    covariates: contrast(players, i, j),
                });
            }
        }
    }
    let fit = logistic_fit(&groups)?;
    let with_first = |rest: Vec<f64>| std::iter::once(0.0).chain(rest).collect();
    Ok(BradleyTerryFit {
        log_strengths: with_first(fit.coefficients),
        standard_errors: with_first(fit.standard_errors),
        deviance: fit.deviance,
    })
}

/// +1 for player i and -1 for player j among players 1, 2, ...; player 0 is the reference.
pub(super) fn contrast(players: usize, i: usize, j: usize) -> Vec<f64> {
    (1..players)
        .map(|player| f64::from(u8::from(player == i)) - f64::from(u8::from(player == j)))
        .collect()
}

fn check_matrix(wins: &[Vec<f64>]) -> Result<(), StatsError> {
    let players = wins.len();
    if players < 2 {
        return Err(StatsError::argument(
            "wins",
            format!("a matrix of {players}"),
            "the points of at least two players",
        ));
    }
    for (i, row) in wins.iter().enumerate() {
        if row.len() != players {
            return Err(StatsError::argument(
                "wins",
                format!("a row of {}", row.len()),
                format!("a square matrix of {players}"),
            ));
        }
        if let Some(bad) = row.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
            return Err(StatsError::argument("wins", bad, "finite and at least 0"));
        }
        if row[i] > 0.0 {
            return Err(StatsError::argument(
                "wins",
                format!("{} of player {i} against himself", row[i]),
                "0 on the diagonal",
            ));
        }
    }
    Ok(())
}
