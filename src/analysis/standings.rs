//! What a tournament came to: who beats whom, and one number for each player where that makes
//! sense.

use std::collections::BTreeMap;

use super::summary::CellSummary;
use super::tally::CellTally;
use crate::plan::Plan;
use crate::stats::blocks::BlockSummary;
use crate::stats::multiple_testing::holm;
use crate::stats::ratings::{BlockResult, Ratings, rate};
use crate::stats::{Interval, StatsError};

/// A tournament's table.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// Players in the order of the config.
    pub players: Vec<Standing>,
    /// The payoff matrix: every player against every one that it met.
    pub payoffs: Vec<Payoff>,
    /// Ratings in the order of `players`, or the sentence that says why there are none.
    pub ratings: Result<Ratings, String>,
    /// Error rate of the intervals and of the marks in the payoff matrix.
    pub alpha: f64,
}

/// A player.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Games, cut off ones included.
    pub games: u64,
    /// Mean score of all its complete blocks, whoever the opponents were; `None` without any.
    pub score: Option<f64>,
}

/// A cell of the payoff matrix.
#[derive(Clone, PartialEq, Debug)]
pub struct Payoff {
    /// Whose score it is, by its number among the players.
    pub player: usize,
    /// Against whom; with more than two seats it fills all the others.
    pub opponent: usize,
    /// Games.
    pub games: u64,
    /// Blocks.
    pub blocks: u64,
    /// Mean block score of `player`, in `[0, 1]`.
    pub score: Option<f64>,
    /// Its pointwise interval.
    pub interval: Option<Interval>,
    /// Two-sided p-value against the fair share.
    pub p_value: Option<f64>,
    /// Holm over all pairings.
    pub p_adjusted: Option<f64>,
}

impl Standings {
    /// Numbers of the players, the best first: by rating, or by score where there are no ratings.
    pub fn order(&self) -> Vec<usize> {
        let key = |player: &usize| match &self.ratings {
            Ok(ratings) => ratings.players[*player].elo,
            Err(_) => self.players[*player].score.unwrap_or(-1.0),
        };
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| key(b).total_cmp(&key(a)));
        order
    }
}

/// The standings of a tournament, `None` for other runs.
///
/// # Errors
/// If a p-value is none, which would be a fault of this program. Players that cannot be rated are
/// no error.
pub(super) fn of_run(
    plan: &Plan,
    tallies: &[CellTally],
    cells: &[CellSummary],
) -> Result<Option<Standings>, StatsError> {
    if !plan.is_tournament() {
        return Ok(None);
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for cell in &plan.cells {
        for label in [&cell.label, &cell.opponent_label] {
            if !numbers.contains_key(label.as_str()) {
                numbers.insert(label, names.len());
                names.push(label.clone());
            }
        }
    }
    let number = |label: &str| numbers.get(label).copied().unwrap_or(0);
    let players = players(plan, tallies, &names, number);
    let two_seats = plan.cells.iter().all(|cell| cell.seats == 2);
    let alpha = 1.0 - plan.confidence;
    let ratings = if two_seats {
        let results = results(plan, tallies, number);
        rate(&names, &results, alpha).map_err(|error| error.to_string())
    } else {
        Err(
            "ratings are for two seats: with more, one player against copies of another is no \
             comparison of two; the payoff matrix has each pairing both ways"
                .to_owned(),
        )
    };
    Ok(Some(Standings {
        players,
        payoffs: payoffs(cells, two_seats, number)?,
        ratings,
        alpha,
    }))
}

fn players(
    plan: &Plan,
    tallies: &[CellTally],
    names: &[String],
    number: impl Fn(&str) -> usize,
) -> Vec<Standing> {
    let mut games = vec![0; names.len()];
    let mut scores = vec![BlockSummary::default(); names.len()];
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let (one, other) = (number(&cell.label), number(&cell.opponent_label));
        games[one] += tally.games;
        scores[one] += &tally.primary;
        if cell.seats == 2 {
            games[other] += tally.games;
            for score in tally.kept.iter().flatten().flatten() {
                scores[other].push(1.0 - score);
            }
        }
    }
    names
        .iter()
        .zip(games)
        .zip(scores)
        .map(|((name, games), scores)| Standing {
            name: name.clone(),
            games,
            score: scores.mean(),
        })
        .collect()
}

/// Results block by block; blocks with a game that was cut off are left out, as everywhere.
fn results(plan: &Plan, tallies: &[CellTally], number: impl Fn(&str) -> usize) -> Vec<BlockResult> {
    let mut results = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS")]
        let games = cell.rotations as f64;
        for (block, score) in (cell.first_block..).zip(tally.kept.iter().flatten()) {
            if let Some(score) = score {
                results.push(BlockResult {
                    block,
                    first: number(&cell.label),
                    second: number(&cell.opponent_label),
                    points: score * games,
                    games,
                });
            }
        }
    }
    results
}

fn payoffs(
    cells: &[CellSummary],
    two_seats: bool,
    number: impl Fn(&str) -> usize,
) -> Result<Vec<Payoff>, StatsError> {
    let known: Vec<f64> = cells.iter().filter_map(|cell| cell.p_value).collect();
    let mut adjusted = if known.is_empty() {
        Vec::new()
    } else {
        holm(&known)?
    }
    .into_iter();
    let mut payoffs = Vec::new();
    for summary in cells {
        let payoff = Payoff {
            player: number(&summary.cell.label),
            opponent: number(&summary.cell.opponent_label),
            games: summary.games,
            blocks: summary.blocks,
            score: summary.score,
            interval: summary.interval,
            p_value: summary.p_value,
            p_adjusted: summary.p_value.and_then(|_| adjusted.next()),
        };
        if two_seats {
            payoffs.push(Payoff {
                player: payoff.opponent,
                opponent: payoff.player,
                score: payoff.score.map(|score| 1.0 - score),
                interval: payoff
                    .interval
                    .map(|i| Interval::new(1.0 - i.high, 1.0 - i.low)),
                ..payoff
            });
        }
        payoffs.push(payoff);
    }
    payoffs.sort_by_key(|payoff| (payoff.player, payoff.opponent));
    Ok(payoffs)
}

#[cfg(test)]
mod tests {
    use crate::analysis::{Analysis, Analyzer};
    use crate::block::PlayedBlock;
    use crate::config::{Overrides, tournament};
    use crate::games::{MAX_SEATS, Scores};
    use crate::record::{End, GameRecord};

    const CUP: &str = r#"
name = "cup"
games = 40
[game]
name = "tictactoe"
[[players]]
agent = "perfect"
[[players]]
agent = "first"
[[players]]
agent = "random"
"#;

    /// Block scores of the three pairings, in turn for as many blocks as are planned.
    fn analysis(scores: [&[f64]; 3]) -> Analysis {
        let plan = tournament::parse(CUP, "cup.toml", &Overrides::default())
            .and_then(|config| config.plan())
            .expect("a plan");
        let mut analyzer = Analyzer::new(&plan);
        for (cell, scores) in scores.iter().enumerate() {
            for (block, &score) in (0..20).zip(scores.iter().cycle()) {
                // One number between 0 and 1 as the scores of two games.
                let first = (score * 2.0_f64).min(1.0);
                let second = score * 2.0 - first;
                let game = |scores: Scores| GameRecord {
                    scores,
                    places: [0; MAX_SEATS],
                    first_seat: 0,
                    end: End::Normal,
                    fault_seat: None,
                    decisions: 9,
                    digest: block,
                    nanos: [0; MAX_SEATS],
                    choices: [0; MAX_SEATS],
                };
                let both =
                    |seat: usize, score: f64| game(Scores::all(2, 1.0 - score).with(seat, score));
                analyzer.add(&PlayedBlock {
                    cell,
                    block,
                    games: vec![both(0, first), both(1, second)],
                });
            }
        }
        analyzer.finish(false).expect("an analysis")
    }

    #[test]
    fn ratings_order_players_and_payoffs_go_both_ways() {
        let analysis = analysis([&[0.75, 0.5], &[1.0, 0.75], &[0.75, 0.5, 0.25, 0.75]]);
        let standings = analysis.standings.expect("a tournament");
        let names: Vec<&str> = standings
            .order()
            .iter()
            .map(|&player| standings.players[player].name.as_str())
            .collect();
        assert_eq!(names, ["perfect", "first", "random"]);
        let ratings = standings.ratings.as_ref().expect("connected");
        let sum: f64 = ratings.players.iter().map(|p| p.elo).sum();
        assert!(sum.abs() < 1e-9, "Elo is about the mean of all: {sum}");
        assert_eq!(standings.payoffs.len(), 6);
        let (there, back) = (&standings.payoffs[0], &standings.payoffs[2]);
        assert_eq!((there.player, there.opponent), (0, 1));
        assert_eq!((back.player, back.opponent), (1, 0));
        assert!((there.score.unwrap() + back.score.unwrap() - 1.0).abs() < 1e-12);
        assert!((standings.players[0].score.unwrap() - 0.75).abs() < 1e-12);
        assert_eq!(standings.players[0].games, 80);
    }

    #[test]
    fn players_that_took_no_point_are_named_and_not_rated() {
        let analysis = analysis([&[1.0], &[1.0], &[0.5, 0.75]]);
        let standings = analysis.standings.expect("a tournament");
        let why = standings.ratings.clone().expect_err("not connected");
        assert!(why.contains("{perfect}, {first, random}"), "{why}");
        assert_eq!(standings.order()[0], 0, "scores order them instead");
    }

    #[test]
    fn a_circle_of_three_is_found() {
        // perfect beats first beats random beats perfect.
        let analysis = analysis([&[0.75, 1.0], &[0.25, 0.0], &[0.75, 1.0]]);
        let ratings = analysis
            .standings
            .expect("a tournament")
            .ratings
            .expect("connected");
        let cycle = ratings.transitivity.cycles.first().expect("a circle");
        assert_eq!(cycle.players, [0, 1, 2]);
        assert!(cycle.p_adjusted < 0.01, "{cycle:?}");
        assert!(
            ratings
                .transitivity
                .lack
                .expect("a circle of pairs")
                .p_value
                < 0.01
        );
    }
}
