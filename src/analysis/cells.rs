//! Rows of `cells.csv` and `seats.csv`: estimates, intervals, p-values and Elo of each cell.

use super::sample::{Ending, Sample};
use super::summary::{CellSummary, SeatSummary};
use super::tally::CellTally;
use crate::plan::{Cell, Phase, Plan};
use crate::stats::blocks::{self, BlockSummary, TestResult};
use crate::stats::multiple_testing::{self, Adjustment};
use crate::stats::{Alternative, Interval, StatsError, elo};

/// Power at which detectable effects are stated.
const POWER: f64 = 0.8;

/// Summaries of all cells, with family-wise corrections per opponent.
pub(super) fn summarize(
    plan: &Plan,
    tallies: &[CellTally],
) -> Result<Vec<CellSummary>, StatsError> {
    let mut cells = plan
        .cells
        .iter()
        .zip(tallies)
        .map(|(cell, tally)| summarize_cell(plan, cell, tally))
        .collect::<Result<Vec<_>, _>>()?;
    let mut opponents: Vec<String> = Vec::new();
    for cell in &plan.cells {
        if !opponents.contains(&cell.opponent_label) {
            opponents.push(cell.opponent_label.clone());
        }
    }
    for opponent in &opponents {
        correct_family(plan, tallies, &mut cells, opponent)?;
    }
    Ok(cells)
}

/// Bonferroni intervals and Holm p-values over the cells of one opponent, placebo left out.
fn correct_family(
    plan: &Plan,
    tallies: &[CellTally],
    cells: &mut [CellSummary],
    opponent: &str,
) -> Result<(), StatsError> {
    let family: Vec<usize> = cells
        .iter()
        .filter(|c| c.cell.phase != Phase::Placebo && c.cell.opponent_label == opponent)
        .map(|c| c.cell.index)
        .collect();
    let tested: Vec<usize> = family
        .iter()
        .copied()
        .filter(|&index| cells[index].p_value.is_some())
        .collect();
    let p_values: Vec<f64> = tested
        .iter()
        .filter_map(|&index| cells[index].p_value)
        .collect();
    for (&index, p) in tested.iter().zip(holm(&p_values)?) {
        cells[index].p_adjusted = Some(p);
    }
    let alpha = (1.0 - plan.confidence) / count(family.len());
    for index in family.iter().copied() {
        cells[index].family = family.len();
        let ending = Ending::of(plan);
        cells[index].simultaneous = score_interval(&tallies[index].primary, ending, alpha)?;
    }
    Ok(())
}

/// The interval of a mean score; `None` without blocks.
fn score_interval(
    scores: &BlockSummary,
    ending: Ending,
    alpha: f64,
) -> Result<Option<Interval>, StatsError> {
    if scores.count() == 0 {
        return Ok(None);
    }
    Sample::of(scores, ending).interval(UNIT, alpha).map(Some)
}

/// The range of a score.
pub(super) const UNIT: Interval = Interval {
    low: 0.0,
    high: 1.0,
};
/// The range of a difference of scores.
pub(super) const DIFFERENCE: Interval = Interval {
    low: -1.0,
    high: 1.0,
};

fn summarize_cell(plan: &Plan, cell: &Cell, tally: &CellTally) -> Result<CellSummary, StatsError> {
    let alpha = 1.0 - plan.confidence;
    let ending = Ending::of(plan);
    let score = tally.primary.mean();
    let interval = score_interval(&tally.primary, ending, alpha)?;
    let (p_value, p_method) = if tally.primary.count() == 0 {
        (None, String::new())
    } else {
        let test = test_of_equal_strength(tally, ending, Alternative::TwoSided)?;
        (Some(test.p_value), test.method.to_string())
    };
    let two_seats = cell.seats == 2;
    let to_elo = |score: Option<f64>| score.filter(|_| two_seats).and_then(elo::elo_of_score);
    let seat_interval = if tally.seat_effect.count() == 0 {
        None
    } else {
        Some(Sample::of(&tally.seat_effect, ending).interval(DIFFERENCE, alpha)?)
    };
    let detectable = match tally.primary.deviation() {
        Some(deviation) if deviation > 0.0 => Some(blocks::smallest_detectable(
            tally.primary.count(),
            deviation,
            alpha,
            POWER,
        )?),
        _ => None,
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of games are far below 2^53"
    )]
    let mean_decisions = tally.decisions as f64 / tally.games.max(1) as f64;
    Ok(CellSummary {
        cell: cell.clone(),
        games: tally.games,
        blocks: tally.blocks,
        distinct_games: tally.distinct_games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        truncated: tally.truncated,
        forfeits_challenger: tally.forfeits_challenger,
        forfeits_opponent: tally.forfeits_opponent,
        score,
        interval,
        simultaneous: None,
        family: 0,
        method: if interval.is_some() {
            ending.interval_method().to_owned()
        } else {
            String::new()
        },
        p_value,
        p_method,
        p_adjusted: None,
        elo: to_elo(score),
        elo_low: to_elo(interval.map(|i| i.low)),
        elo_high: to_elo(interval.map(|i| i.high)),
        seat_effect: tally.seat_effect.mean(),
        seat_interval,
        truncated_bounds: match (
            tally.truncated_as_loss.mean(),
            tally.truncated_as_win.mean(),
        ) {
            (Some(low), Some(high)) if tally.truncated > 0 => Some((low, high)),
            _ => None,
        },
        score_unforfeited: tally.unforfeited.mean(),
        block_deviation: tally.primary.deviation(),
        detectable,
        mean_decisions,
        lengths: tally.lengths.clone(),
        running: Vec::new(),
        flags: Vec::new(),
    })
}

/// The test of equal strength: exact where the number of blocks was fixed, else one that holds at
/// any time.
pub(super) fn test_of_equal_strength(
    tally: &CellTally,
    ending: Ending,
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    match ending {
        Ending::Fixed => tally.exact_test(alternative),
        Ending::AnyTime => {
            Sample::of(&tally.primary, ending).test(UNIT, tally.fair_share(), alternative)
        }
    }
}

/// Rows of `seats.csv`: cells with more than two seats.
pub(super) fn seats(plan: &Plan, tallies: &[CellTally]) -> Result<Vec<SeatSummary>, StatsError> {
    let alpha = 1.0 - plan.confidence;
    let ending = Ending::of(plan);
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        if cell.seats <= 2 {
            continue;
        }
        for seat in 0..cell.rotations {
            let scores = &tally.by_seat[seat];
            let (Some(score), Some(interval)) =
                (scores.mean(), score_interval(scores, ending, alpha)?)
            else {
                continue;
            };
            rows.push(SeatSummary {
                cell: cell.index,
                seat,
                games: scores.count(),
                score,
                interval,
                method: ending.interval_method().to_owned(),
            });
        }
    }
    Ok(rows)
}

/// A count as a number, at least 1.
pub(super) fn count(n: usize) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers of cells and claims are small"
    )]
    {
        n.max(1) as f64
    }
}

/// Holm's adjustment; nothing for no p-values.
pub(super) fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    if p_values.is_empty() {
        return Ok(Vec::new());
    }
    multiple_testing::adjust(p_values, Adjustment::Holm)
}
