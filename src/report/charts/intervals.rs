//! Charts that are rows of intervals: cells, the effect of moving first, seats.

use super::{
    caption, cell_name, challenger_names, estimate, game_name, null, opponents, pairing,
    simultaneous_method,
};
use crate::analysis::{Analysis, CellSummary};
use crate::numbers::decimals;
use crate::plan::Plan;
use crate::plot::{Forest, IntervalGroup, IntervalRow, SeatEffect};

/// One group of rows per opponent, from the cells for which `row` gives one.
fn groups(
    analysis: &Analysis,
    row: impl Fn(&CellSummary) -> Option<IntervalRow>,
) -> Vec<IntervalGroup> {
    opponents(analysis)
        .into_iter()
        .map(|opponent| IntervalGroup {
            heading: format!("against {opponent}"),
            rows: analysis
                .cells
                .iter()
                .filter(|c| c.cell.opponent_label == opponent)
                .filter_map(&row)
                .collect(),
        })
        .filter(|group| !group.rows.is_empty())
        .collect()
}

pub(super) fn forest(plan: &Plan, analysis: &Analysis) -> Option<Forest> {
    let groups = groups(analysis, |c| {
        Some(IntervalRow {
            label: cell_name(plan, c),
            estimate: Some(estimate(c.score, c.simultaneous.or(c.interval))?),
            inner: c.interval.map(|i| (i.low, i.high)),
        })
    });
    if groups.is_empty() {
        return None;
    }
    Some(Forest {
        title: format!(
            "All cells: {} in {}",
            challenger_names(analysis),
            game_name(plan)
        ),
        measure: "mean score of the challenger".to_owned(),
        limits: (0.0, 1.0),
        null: null(analysis),
        numbers: "score (simultaneous interval)".to_owned(),
        groups,
        caption: caption(
            plan,
            analysis,
            simultaneous_method(analysis),
            vec!["thick: pointwise interval".to_owned()],
        ),
    })
}

pub(super) fn seat_effect(plan: &Plan, analysis: &Analysis) -> Option<SeatEffect> {
    let groups = groups(analysis, |c| {
        Some(IntervalRow {
            label: cell_name(plan, c),
            estimate: Some(estimate(c.seat_effect, c.seat_interval)?),
            inner: None,
        })
    });
    if groups.is_empty() {
        return None;
    }
    let method = format!(
        "{} % pointwise intervals (block t with pseudo-blocks)",
        decimals(analysis.confidence * 100.0, 2)
    );
    Some(SeatEffect {
        title: format!("Does moving first matter? {}", game_name(plan)),
        measure: "score when moving first minus score otherwise, on the same deals".to_owned(),
        groups,
        caption: caption(plan, analysis, method, Vec::new()),
    })
}

/// Where there are more than two seats: the challenger's score in each.
pub(super) fn seats(plan: &Plan, analysis: &Analysis) -> Option<Forest> {
    let groups: Vec<IntervalGroup> = analysis
        .cells
        .iter()
        .map(|cell| IntervalGroup {
            heading: pairing(plan, cell),
            rows: analysis
                .seats
                .iter()
                .filter(|seat| seat.cell == cell.cell.index)
                .map(|seat| IntervalRow {
                    label: format!("seat {}", seat.seat),
                    estimate: estimate(Some(seat.score), Some(seat.interval)),
                    inner: None,
                })
                .collect(),
        })
        .filter(|group| !group.rows.is_empty())
        .collect();
    if groups.is_empty() {
        return None;
    }
    Some(Forest {
        title: format!("Does the seat matter? {}", game_name(plan)),
        measure: "mean score of the challenger".to_owned(),
        limits: (0.0, 1.0),
        null: null(analysis),
        numbers: "score (interval)".to_owned(),
        groups,
        caption: caption(
            plan,
            analysis,
            format!(
                "{} % pointwise intervals over games of different deals (t with pseudo-games)",
                decimals(analysis.confidence * 100.0, 2)
            ),
            Vec::new(),
        ),
    })
}
