//! Charts of the games as they came: running score, length.

use super::{caption, estimate, game_name, null, opponents, pairing};
use crate::analysis::{Analysis, CellSummary, Phase};
use crate::numbers::decimals;
use crate::plan::Plan;
use crate::plot::{GameLength, LengthGroup, RunningScore, Series};

/// Most cells whose running score is drawn: three pages.
const RUNNING: usize = 36;

pub(super) fn running_score(plan: &Plan, analysis: &Analysis) -> Option<RunningScore> {
    let played: Vec<&CellSummary> = analysis
        .cells
        .iter()
        .filter(|c| c.cell.phase != Phase::Placebo && c.running.len() > 1)
        .collect();
    let claimed = |c: &CellSummary| {
        let index = c.cell.index;
        plan.claims.iter().any(|claim| claim.cells.contains(&index))
    };
    // Cells that nobody asks about give way first.
    let mut order: Vec<&CellSummary> = played.clone();
    order.sort_by_key(|c| !claimed(c));
    order.truncate(RUNNING);
    let rivals = opponents(analysis);
    order.sort_by_key(|c| {
        let rival = rivals.iter().position(|o| *o == c.cell.opponent_label);
        (rival, c.cell.index)
    });
    #[expect(clippy::cast_precision_loss, reason = "blocks are far below 2^53")]
    let lines: Vec<Series> = order
        .iter()
        .map(|cell| Series {
            name: pairing(plan, cell),
            points: cell
                .running
                .iter()
                .map(|p| (p.blocks as f64, estimate(Some(p.score), Some(p.interval))))
                .collect(),
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    let mut notes = Vec::new();
    if lines.len() < played.len() {
        notes.push(format!(
            "{} of {} cells, those of claims first",
            lines.len(),
            played.len()
        ));
    }
    Some(RunningScore {
        title: format!("When could one have known? {}", game_name(plan)),
        progress: "blocks, in the order of the schedule".to_owned(),
        measure: "mean score of the challenger".to_owned(),
        null: null(analysis),
        lines,
        caption: caption(
            plan,
            analysis,
            format!(
                "{} % confidence sequence by betting, which holds at all moments at once, cell by cell",
                decimals(analysis.confidence * 100.0, 2)
            ),
            notes,
        ),
    })
}

pub(super) fn game_length(plan: &Plan, analysis: &Analysis) -> Option<GameLength> {
    let groups: Vec<LengthGroup> = opponents(analysis)
        .into_iter()
        .map(|opponent| {
            let mut counts: Vec<(u64, u64)> = Vec::new();
            for cell in analysis
                .cells
                .iter()
                .filter(|c| c.cell.opponent_label == opponent)
            {
                for (length, &games) in cell.lengths.iter().enumerate() {
                    match counts.get_mut(length) {
                        Some((_, total)) => *total += games,
                        None => counts.push((length as u64, games)),
                    }
                }
            }
            LengthGroup {
                name: format!("against {opponent}"),
                counts,
                mean: None,
            }
        })
        .filter(|group| group.counts.iter().any(|(_, games)| *games > 0))
        .collect();
    if groups.is_empty() {
        return None;
    }
    Some(GameLength {
        title: format!("How long are the games? {}", game_name(plan)),
        unit: "decisions per game".to_owned(),
        groups,
        caption: caption(
            plan,
            analysis,
            "counts of games, all cells of an opponent together".to_owned(),
            Vec::new(),
        ),
    })
}
