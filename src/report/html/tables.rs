//! The report's tables: cells, seats, claims, comparisons.

use maud::{Markup, html};

use crate::analysis::{Analysis, CellSummary};
use crate::numbers::{count, decimals, p_value, short};
use crate::plan::Plan;
use crate::stats::Interval;

/// All tables that have rows.
pub(super) fn all(plan: &Plan, analysis: &Analysis) -> Markup {
    html! {
        section aria-labelledby="tables" {
            h2 #tables { "Tables" }
            (cells(plan, analysis))
            (claims(analysis))
            (comparisons(analysis))
            (seats(analysis))
        }
    }
}

fn cells(plan: &Plan, analysis: &Analysis) -> Markup {
    html! {
        h3 { "Cells" }
        div.scroll tabindex="0" role="region" aria-label="Table of cells" {
            p { "Scores are the challenger's, per block, in per cent." }
            table.sortable aria-label="Table of cells" {
                thead { tr {
                    th.text { "cell" } th.text { "challenger" }
                    @for axis in &plan.axes { th { (axis) } }
                    th.text { "opponent" } th.text { "phase" } th { "games" } th { "distinct" }
                    th { "W / D / L" } th { "score" } th { "pointwise" } th { "simultaneous" }
                    th { "p" } th { "p adj." } th { "Elo" } th { "first-mover effect" } th.text { "flags" }
                } }
                tbody {
                    @for cell in &analysis.cells { (cell_row(cell)) }
                }
            }
        }
    }
}

fn cell_row(summary: &CellSummary) -> Markup {
    let cell = &summary.cell;
    let flags: Vec<&str> = summary.flags.iter().map(|flag| flag.word()).collect();
    html! {
        tr {
            td { (cell.index) }
            td.text { (cell.label) }
            @for value in &cell.axes {
                td { (value.as_ref().map(ToString::to_string).unwrap_or_default()) }
            }
            td.text { (cell.opponent_label) }
            td.text { (cell.phase.word()) }
            td data-key=(summary.games) { (count(summary.games)) }
            td data-key=(summary.distinct_games) { (count(summary.distinct_games)) }
            td data-key=(summary.wins) { (summary.wins) " / " (summary.draws) " / " (summary.losses) }
            td data-key=(summary.score.unwrap_or(-1.0)) { (points(summary.score)) }
            td data-key=(low(summary.interval)) { (ends(summary.interval)) }
            td data-key=(low(summary.simultaneous)) { (ends(summary.simultaneous)) }
            td data-key=(summary.p_value.unwrap_or(2.0)) { (summary.p_value.map_or_else(dash, p_value)) }
            td data-key=(summary.p_adjusted.unwrap_or(2.0)) { (summary.p_adjusted.map_or_else(dash, p_value)) }
            td data-key=(summary.elo.unwrap_or(99_999.0)) { (elo(summary)) }
            td data-key=(summary.seat_effect.unwrap_or(-2.0)) {
                @match (summary.seat_effect, summary.seat_interval) {
                    (Some(effect), Some(interval)) => {
                        (signed(effect)) " (" (signed(interval.low)) " to " (signed(interval.high)) ")"
                    }
                    _ => (dash()),
                }
            }
            td.text { (flags.join(", ")) }
        }
    }
}

fn claims(analysis: &Analysis) -> Markup {
    html! {
        @if !analysis.claims.is_empty() {
            h3 { "Claims" }
            div.scroll tabindex="0" role="region" aria-label="Table of claims" {
            p { "Intervals are simultaneous over the declared claims; p-values are one-sided, Holm-adjusted over them." }
            table.sortable aria-label="Table of claims" {
                    thead { tr {
                        th.text { "claim" } th.text { "kind" } th.text { "quantity" } th { "cells" } th { "estimate" } th { "interval" }
                        th { "p" } th { "p adj." } th.text { "verdict" } th.text { "why" }
                    } }
                    tbody {
                        @for claim in &analysis.claims {
                            tr {
                                td.text { (claim.name) }
                                td.text { (claim.kind.word()) }
                                td.text { (claim.quantity) }
                                td { (claim.cells.len()) }
                                td { (claim.estimate.map_or_else(dash, short)) }
                                td { (claim.interval.map_or_else(dash, |i| format!("{} to {}", short(i.low), short(i.high)))) }
                                td data-key=(claim.p_value.unwrap_or(2.0)) { (claim.p_value.map_or_else(dash, p_value)) }
                                td data-key=(claim.p_adjusted.unwrap_or(2.0)) { (claim.p_adjusted.map_or_else(dash, p_value)) }
                                td.text { span class=(claim.verdict.word()) { (claim.verdict.word()) } }
                                td.wide { (claim.why) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn comparisons(analysis: &Analysis) -> Markup {
    html! {
        @if !analysis.comparisons.is_empty() {
            h3 { "Comparisons of cells" }
            div.scroll tabindex="0" role="region" aria-label="Table of comparisons" {
            p { "Second cell minus first, on shared deals." }
            table.sortable aria-label="Table of comparisons" {
                    thead { tr {
                        th.text { "claim" } th { "first" } th { "second" } th { "shared blocks" } th { "difference" } th { "interval" }
                        th { "p adj." } th { "variance saved" } th.text { "method" }
                    } }
                    tbody {
                        @for c in &analysis.comparisons {
                            tr {
                                td.text { (c.claim) } td { (c.first) } td { (c.second) }
                                td data-key=(c.shared_blocks) { (count(c.shared_blocks)) }
                                td data-key=(c.difference) { (signed(c.difference)) }
                                td data-key=(c.interval.low) { (signed(c.interval.low)) " to " (signed(c.interval.high)) }
                                td data-key=(c.p_adjusted) { (p_value(c.p_adjusted)) }
                                td { (c.variance_saved.map_or_else(dash, |v| format!("{:.0} %", v * 100.0))) }
                                td.text { (c.method) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn seats(analysis: &Analysis) -> Markup {
    html! {
        @if !analysis.seats.is_empty() {
            h3 { "Seats" }
            div.scroll tabindex="0" role="region" aria-label="Table of seats" {
            p { "The challenger's score by seat." }
            table.sortable aria-label="Table of seats" {
                    thead { tr { th { "cell" } th { "seat" } th { "games" } th { "score" } th { "interval" } } }
                    tbody {
                        @for s in &analysis.seats {
                            tr {
                                td { (s.cell) } td { (s.seat) }
                                td data-key=(s.games) { (count(s.games)) }
                                td { (points(Some(s.score))) }
                                td data-key=(s.interval.low) { (ends(Some(s.interval))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn dash() -> String {
    "–".to_owned()
}

fn low(interval: Option<Interval>) -> f64 {
    interval.map_or(-1.0, |i| i.low)
}

/// A score in per cent, without the sign that the caption gives.
fn points(score: Option<f64>) -> String {
    score.map_or_else(dash, |s| format!("{:.1}", s * 100.0))
}

fn ends(interval: Option<Interval>) -> String {
    interval.map_or_else(dash, |i| {
        format!("{:.1} to {:.1}", i.low * 100.0, i.high * 100.0)
    })
}

fn signed(value: f64) -> String {
    let text = decimals(value, 3);
    if value > 0.0 && text != "0" {
        format!("+{text}")
    } else {
        text
    }
}

/// Elo with its transformed end points; one-sided where the score is at the end of its range.
fn elo(summary: &CellSummary) -> String {
    let round = |elo: f64| decimals(elo, 0);
    match (summary.elo, summary.elo_low, summary.elo_high) {
        (Some(elo), Some(low), Some(high)) => {
            format!("{} ({} to {})", round(elo), round(low), round(high))
        }
        (_, Some(low), None) => format!("above {}", round(low)),
        (_, None, Some(high)) => format!("below {}", round(high)),
        _ => dash(),
    }
}
