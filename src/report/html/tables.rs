//! The report's tables: cells, seats, claims, comparisons.

use maud::{Markup, html};

use super::prose::together;
use crate::analysis::{Analysis, CellSummary};
use crate::numbers::{self, count, decimals, p_value, percent};
use crate::plan::{ClaimKind, Plan};
use crate::report::words::game_of_placebo;
use crate::spec::Value;
use crate::stats::Interval;

/// All tables that have rows.
pub(super) fn all(plan: &Plan, analysis: &Analysis) -> Markup {
    html! {
        section.broad aria-labelledby="tables" {
            h2 #tables { "Tables" }
            (cells(plan, analysis))
            (claims(analysis))
            (comparisons(analysis))
            (seats(analysis))
        }
    }
}

/// A table with its heading and what one must know to read it. It scrolls sideways by itself, since
/// the page must not; whoever has no pointer scrolls it by the keys when it has the focus.
pub(crate) fn framed(heading: &str, note: &str, table: &Markup) -> Markup {
    html! {
        h3 { (heading) }
        p.note { (note) }
        div.scroll tabindex="0" role="region" aria-label=(format!("Table: {heading}")) { (table) }
    }
}

/// A head of numbers.
pub(crate) fn number(text: &str) -> Markup {
    html! { th scope="col" { (text) } }
}

/// A head of words.
pub(crate) fn words(text: &str) -> Markup {
    html! { th.text scope="col" { (text) } }
}

/// A name that somebody chose, perhaps a long one.
fn name(text: &str) -> Markup {
    html! { td.text { span.name { (text) } } }
}

fn cells(plan: &Plan, analysis: &Analysis) -> Markup {
    let note = format!(
        "Scores and their two intervals ({} %, pointwise and simultaneous) are the challenger's, per block, in per cent; Elo and the first-mover effect (in percentage points) have pointwise intervals.",
        decimals(analysis.confidence * 100.0, 2)
    );
    let table = html! {
        table.sortable aria-label="Cells" {
            thead { tr {
                th.pin scope="col" { "cell" } (words("challenger"))
                @for (place, axis) in plan.axes.iter().enumerate() {
                    @if is_text(plan, place) { (words(axis)) } @else { (number(axis)) }
                }
                (words("opponent")) (words("phase")) (number("games")) (number("distinct"))
                (number("W / D / L")) (number("score")) (number("pointwise")) (number("simultaneous"))
                (number("p")) (number("p adj.")) (number("Elo")) (number("first-mover effect")) (words("flags"))
            } }
            tbody {
                @for cell in &analysis.cells { (cell_row(plan, cell)) }
            }
        }
    };
    framed("Cells", &together(&note), &table)
}

fn cell_row(plan: &Plan, summary: &CellSummary) -> Markup {
    let cell = &summary.cell;
    let flags: Vec<&str> = summary.flags.iter().map(|flag| flag.word()).collect();
    html! {
        tr {
            th.pin scope="row" { (cell.index) }
            td.text {
                span.name {
                    (cell.label)
                    @if let Some(game) = game_of_placebo(plan, cell) { " in " (game) }
                }
            }
            @for (place, value) in cell.axes.iter().enumerate() {
                td.text[is_text(plan, place)] { (value.as_ref().map(ToString::to_string).unwrap_or_default()) }
            }
            (name(&cell.opponent_label))
            td.text { (cell.phase.word()) }
            td data-key=(summary.games) { (count(summary.games)) }
            td data-key=(summary.distinct_games) { (count(summary.distinct_games)) }
            td data-key=(summary.wins) { (summary.wins) "\u{a0}/\u{a0}" (summary.draws) "\u{a0}/\u{a0}" (summary.losses) }
            td data-key=(summary.score.unwrap_or(-1.0)) { (points(summary.score)) }
            td data-key=(low(summary.interval)) { (ends(summary.interval)) }
            td data-key=(low(summary.simultaneous)) { (ends(summary.simultaneous)) }
            td data-key=(summary.p_value.unwrap_or(2.0)) { (chance(summary.p_value)) }
            td data-key=(summary.p_adjusted.unwrap_or(2.0)) { (chance(summary.p_adjusted)) }
            td data-key=(elo_key(summary)) { (elo(summary)) }
            td data-key=(summary.seat_effect.unwrap_or(-2.0)) {
                @match (summary.seat_effect, summary.seat_interval) {
                    (Some(effect), Some(interval)) => {
                        (signed(effect)) " " span.together { "(" (signed_range(interval)) ")" }
                    }
                    _ => (dash()),
                }
            }
            td.text { (flags.join(", ")) }
        }
    }
}

/// Whether an axis holds words, such as the values of a rule.
fn is_text(plan: &Plan, axis: usize) -> bool {
    let mut values = plan
        .cells
        .iter()
        .filter_map(|cell| cell.axes[axis].as_ref());
    values.any(|value| !matches!(value, Value::Integer(_) | Value::Real(_)))
}

fn claims(analysis: &Analysis) -> Markup {
    if analysis.claims.is_empty() {
        return html! {};
    }
    let table = html! {
        table.sortable aria-label="Claims" {
            thead { tr {
                th.text.pin scope="col" { "claim" } (words("verdict")) (words("kind")) (words("quantity"))
                (number("cells")) (number("estimate")) (number("interval")) (number("p")) (number("p adj."))
            } }
            tbody {
                @for claim in &analysis.claims {
                    tr {
                        th.text.pin scope="row" { span.name { (claim.name) } }
                        td.text { span class=(claim.verdict.word()) { (claim.verdict.word()) } }
                        td.text { (claim.kind.word()) }
                        (name(&claim.quantity))
                        td { (claim.cells.len()) }
                        td data-key=(claim.estimate.unwrap_or(-2.0)) {
                            (claim.estimate.map_or_else(dash, |value| of_claim(claim.kind, value)))
                        }
                        td data-key=(claim.interval.map_or(-2.0, |i| i.low)) {
                            (claim.interval.map_or_else(dash, |i| {
                                format!("{} to\u{a0}{}", of_claim(claim.kind, i.low), of_claim(claim.kind, i.high))
                            }))
                        }
                        td data-key=(claim.p_value.unwrap_or(2.0)) { (chance(claim.p_value)) }
                        td data-key=(claim.p_adjusted.unwrap_or(2.0)) { (chance(claim.p_adjusted)) }
                    }
                }
            }
        }
    };
    let note = "Intervals are simultaneous over the declared claims; p-values are one-sided, Holm-adjusted over them. The reasons stand under the answer.";
    framed("Claims", note, &table)
}

fn comparisons(analysis: &Analysis) -> Markup {
    if analysis.comparisons.is_empty() {
        return html! {};
    }
    let table = html! {
        table.sortable aria-label="Comparisons of cells" {
            thead { tr {
                th.text.pin scope="col" { "claim" } (number("first")) (number("second")) (number("shared blocks"))
                (number("difference")) (number("interval")) (number("p adj.")) (number("variance saved")) (words("method"))
            } }
            tbody {
                @for c in &analysis.comparisons {
                    tr {
                        th.text.pin scope="row" { span.name { (c.claim) } }
                        td { (c.first) } td { (c.second) }
                        td data-key=(c.shared_blocks) { (count(c.shared_blocks)) }
                        td data-key=(c.difference) { (signed(c.difference)) }
                        td data-key=(c.interval.low) { (signed_range(c.interval)) }
                        td data-key=(c.p_adjusted) { (chance(Some(c.p_adjusted))) }
                        td data-key=(c.variance_saved.unwrap_or(-99.0)) {
                            (c.variance_saved.map_or_else(dash, |v| format!("{}\u{a0}%", fixed(v * 100.0, 0))))
                        }
                        td.text { (c.method) }
                    }
                }
            }
        }
    };
    let note = "Score of the second cell minus that of the first on shared deals, in percentage points. Intervals and p-values are corrected over the comparisons of one claim.";
    framed("Comparisons of cells", note, &table)
}

fn seats(analysis: &Analysis) -> Markup {
    if analysis.seats.is_empty() {
        return html! {};
    }
    let table = html! {
        table.sortable aria-label="Seats" {
            thead { tr {
                th.pin scope="col" { "cell" } (number("seat")) (number("games")) (number("score")) (number("interval"))
            } }
            tbody {
                @for s in &analysis.seats {
                    tr {
                        th.pin scope="row" { (s.cell) } td { (s.seat) }
                        td data-key=(s.games) { (count(s.games)) }
                        td { (points(Some(s.score))) }
                        td data-key=(s.interval.low) { (ends(Some(s.interval))) }
                    }
                }
            }
        }
    };
    let note = "The challenger's score by seat, in per cent, with pointwise intervals.";
    framed("Seats", note, &table)
}

fn dash() -> String {
    "–".to_owned()
}

fn low(interval: Option<Interval>) -> f64 {
    interval.map_or(-1.0, |i| i.low)
}

fn chance(p: Option<f64>) -> String {
    p.map_or_else(dash, |p| together(&p_value(p)))
}

/// A score in per cent, without the sign that the note gives.
fn points(score: Option<f64>) -> String {
    score.map_or_else(dash, |s| fixed(s * 100.0, 1))
}

fn ends(interval: Option<Interval>) -> String {
    interval.map_or_else(dash, |i| range(i.low * 100.0, i.high * 100.0, 1))
}

/// What a claim is about, in the unit and with the digits of the sentence that gives its reason.
fn of_claim(kind: ClaimKind, value: f64) -> String {
    match kind {
        ClaimKind::Trend | ClaimKind::Monotone => {
            format!("{}\u{a0}points", fixed(value * 100.0, 2))
        }
        _ => together(&percent(value)),
    }
}

/// A number whose digits stand below those of its neighbours: trailing zeros stay, and a minus is
/// as wide as a plus.
pub(crate) fn fixed(value: f64, places: usize) -> String {
    numbers::fixed(value, places).replace('-', "\u{2212}")
}

/// An interval that no end of a line tears.
pub(crate) fn range(low: f64, high: f64, places: usize) -> String {
    format!(
        "{}\u{a0}to\u{a0}{}",
        fixed(low, places),
        fixed(high, places)
    )
}

/// A difference of scores in percentage points.
fn signed(difference: f64) -> String {
    let text = fixed(difference * 100.0, 1);
    let positive = text.bytes().any(|b| matches!(b, b'1'..=b'9')) && difference > 0.0;
    if positive { format!("+{text}") } else { text }
}

fn signed_range(interval: Interval) -> String {
    format!(
        "{}\u{a0}to\u{a0}{}",
        signed(interval.low),
        signed(interval.high)
    )
}

/// Elo with its transformed end points; one-sided where the score is at the end of its range.
fn elo(summary: &CellSummary) -> Markup {
    html! {
        @match (summary.elo, summary.elo_low, summary.elo_high) {
            (Some(elo), Some(low), Some(high)) => {
                (fixed(elo, 0)) " " span.together { "(" (range(low, high, 0)) ")" }
            }
            (_, Some(low), None) => { "above " (fixed(low, 0)) }
            (_, None, Some(high)) => { "below " (fixed(high, 0)) }
            _ => (dash()),
        }
    }
}

/// Where a cell's Elo stands in the order: without bound above all others or below them.
fn elo_key(summary: &CellSummary) -> f64 {
    match (summary.elo, summary.elo_low, summary.elo_high) {
        (Some(elo), _, _) => elo,
        (None, Some(_), None) => 99_999.0,
        (None, None, Some(_)) => -99_999.0,
        _ => -999_999.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{fixed, range, signed};

    #[test]
    fn numbers_of_a_column_have_the_same_digits() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-7.0, 1), "\u{2212}7.0");
        assert_eq!(fixed(f64::NAN, 1), "–");
        assert_eq!(signed(0.14), "+14.0");
        assert_eq!(signed(-0.0381), "\u{2212}3.8");
        assert_eq!(signed(0.0001), "0.0");
        assert_eq!(range(4.1, 6.02, 2), "4.10\u{a0}to\u{a0}6.02");
    }
}
