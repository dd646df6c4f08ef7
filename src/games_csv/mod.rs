//! `games.csv`: a row per game, ordered by cell, block and rotation.
//!
//! It is the record that every derived file is computed from, so [`Writer`] and [`Reader`] live
//! side by side, below everything that plays or reports. Columns and their order are fixed:
//! `game`, `cell`, `challenger`, the plan's axes, `opponent`, `phase`, `block`, `rotation`, `seat`,
//! `first_seat`, `seed`, `score`, `scores`, `places`, `outcome`, `end`, `fault_seat`, `decisions`,
//! `digest`. Text is UTF-8, quoted as RFC 4180 says, lines end in `\n`.
//!
//! Scores are written with the fewest digits that read back as the same number, seeds and digests
//! as 16 hexadecimal digits.

mod reader;
mod writer;

#[cfg(test)]
mod tests;

pub use reader::{ReadError, Reader};
pub use writer::Writer;

use crate::plan::{Cell, Plan};

/// Columns before the axes.
const FRONT: [&str; 3] = ["game", "cell", "challenger"];
/// Columns after the axes.
const BACK: [&str; 15] = [
    "opponent",
    "phase",
    "block",
    "rotation",
    "seat",
    "first_seat",
    "seed",
    "score",
    "scores",
    "places",
    "outcome",
    "end",
    "fault_seat",
    "decisions",
    "digest",
];

/// The columns of a plan's `games.csv`.
pub fn columns(plan: &Plan) -> impl Iterator<Item = &str> {
    FRONT
        .into_iter()
        .chain(plan.axes.iter().map(String::as_str))
        .chain(BACK)
}

/// The fields that say which cell a row belongs to, unquoted: challenger, axes, opponent, phase.
fn cell_fields(cell: &Cell) -> impl Iterator<Item = String> + '_ {
    let axes = cell
        .axes
        .iter()
        .map(|value| value.as_ref().map_or_else(String::new, ToString::to_string));
    std::iter::once(cell.label.clone())
        .chain(axes)
        .chain([cell.opponent_label.clone(), cell.phase.word().into()])
}

/// `field` as it is written in a CSV file: quoted if it holds a comma, a quote or a line break.
pub fn quoted(field: &str) -> String {
    let mut out = Vec::new();
    writer::push_quoted(&mut out, field);
    // Quoting adds ASCII only, so this is always UTF-8.
    String::from_utf8(out).unwrap_or_default()
}
