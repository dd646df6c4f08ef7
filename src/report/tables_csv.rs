//! The derived CSV files: `cells.csv`, `claims.csv`, `comparisons.csv`, `seats.csv`.
//!
//! Names and order of columns are the contract's; numbers have 12 significant digits; what is
//! undefined is an empty field.

use crate::analysis::{Analysis, CellSummary};
use crate::numbers::exact;
use crate::plan::Plan;
use crate::stats::Interval;

/// Columns of `cells.csv` behind `cell`, `challenger` and the axes.
const CELL_COLUMNS: [&str; 30] = [
    "opponent",
    "phase",
    "games",
    "blocks",
    "distinct_games",
    "wins",
    "draws",
    "losses",
    "truncated",
    "forfeits_challenger",
    "forfeits_opponent",
    "score",
    "score_low",
    "score_high",
    "sim_low",
    "sim_high",
    "interval",
    "p_value",
    "p_adjusted",
    "elo",
    "elo_low",
    "elo_high",
    "seat_effect",
    "seat_low",
    "seat_high",
    "flags",
    "p_method",
    "detectable",
    "score_truncated_0",
    "score_truncated_1",
];

/// `cells.csv`.
pub fn cells(plan: &Plan, analysis: &Analysis) -> String {
    let mut header = vec!["cell".to_owned(), "challenger".to_owned()];
    header.extend(plan.axes.iter().cloned());
    header.extend(CELL_COLUMNS.map(str::to_owned));
    let rows = analysis.cells.iter().map(cell_row);
    table(header, rows)
}

fn cell_row(summary: &CellSummary) -> Vec<String> {
    let cell = &summary.cell;
    let mut row = vec![cell.index.to_string(), cell.label.clone()];
    row.extend(
        cell.axes
            .iter()
            .map(|v| v.as_ref().map(ToString::to_string).unwrap_or_default()),
    );
    row.push(cell.opponent_label.clone());
    row.push(cell.phase.word().to_owned());
    let counts = [
        summary.games,
        summary.blocks,
        summary.distinct_games,
        summary.wins,
        summary.draws,
        summary.losses,
        summary.truncated,
        summary.forfeits_challenger,
        summary.forfeits_opponent,
    ];
    row.extend(counts.map(|count| count.to_string()));
    row.push(exact(summary.score));
    row.extend(ends(summary.interval));
    row.extend(ends(summary.simultaneous));
    row.push(summary.method.clone());
    row.push(exact(summary.p_value));
    row.push(exact(summary.p_adjusted));
    row.extend(
        [
            summary.elo,
            summary.elo_low,
            summary.elo_high,
            summary.seat_effect,
        ]
        .map(exact),
    );
    row.extend(ends(summary.seat_interval));
    let flags: Vec<&str> = summary.flags.iter().map(|flag| flag.word()).collect();
    row.push(flags.join(" "));
    row.push(summary.p_method.clone());
    row.push(exact(summary.detectable));
    row.push(exact(summary.truncated_bounds.map(|(low, _)| low)));
    row.push(exact(summary.truncated_bounds.map(|(_, high)| high)));
    row
}

/// `claims.csv`.
pub fn claims(analysis: &Analysis) -> String {
    let header = [
        "claim",
        "kind",
        "cells",
        "estimate",
        "low",
        "high",
        "p_value",
        "p_adjusted",
        "verdict",
        "why",
        "opponent",
        "quantity",
        "p_method",
    ];
    let rows = analysis.claims.iter().map(|claim| {
        let cells: Vec<String> = claim.cells.iter().map(ToString::to_string).collect();
        let [low, high] = ends(claim.interval);
        vec![
            claim.name.clone(),
            claim.kind.word().to_owned(),
            cells.join(" "),
            exact(claim.estimate),
            low,
            high,
            exact(claim.p_value),
            exact(claim.p_adjusted),
            claim.verdict.word().to_owned(),
            claim.why.clone(),
            claim.opponent.clone(),
            claim.quantity.clone(),
            claim.p_method.clone(),
        ]
    });
    table(header.map(str::to_owned).to_vec(), rows)
}

/// `comparisons.csv`.
pub fn comparisons(analysis: &Analysis) -> String {
    let header = [
        "claim",
        "first",
        "second",
        "shared_blocks",
        "difference",
        "low",
        "high",
        "interval",
        "p_value",
        "p_adjusted",
        "variance_saved",
    ];
    let rows = analysis.comparisons.iter().map(|comparison| {
        vec![
            comparison.claim.clone(),
            comparison.first.to_string(),
            comparison.second.to_string(),
            comparison.shared_blocks.to_string(),
            exact(comparison.difference),
            exact(comparison.interval.low),
            exact(comparison.interval.high),
            comparison.method.clone(),
            exact(comparison.p_value),
            exact(comparison.p_adjusted),
            exact(comparison.variance_saved),
        ]
    });
    table(header.map(str::to_owned).to_vec(), rows)
}

/// `seats.csv`.
pub fn seats(analysis: &Analysis) -> String {
    let header = [
        "cell",
        "seat",
        "games",
        "score",
        "score_low",
        "score_high",
        "interval",
    ];
    let rows = analysis.seats.iter().map(|seat| {
        vec![
            seat.cell.to_string(),
            seat.seat.to_string(),
            seat.games.to_string(),
            exact(seat.score),
            exact(seat.interval.low),
            exact(seat.interval.high),
            seat.method.clone(),
        ]
    });
    table(header.map(str::to_owned).to_vec(), rows)
}

pub(super) fn ends(interval: Option<Interval>) -> [String; 2] {
    [
        exact(interval.map(|i| i.low)),
        exact(interval.map(|i| i.high)),
    ]
}

/// A CSV text: RFC 4180 quoting, lines ending in `\n`.
pub(super) fn table(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    for record in std::iter::once(header).chain(rows) {
        // Writing to memory fails only for rows of unequal length, which the types above exclude.
        if writer.write_record(&record).is_err() {
            debug_assert!(false, "rows of a table have one length");
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
