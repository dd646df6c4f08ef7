//! `report.html` of a calibration, in the order of every report: the question, the answer, how far
//! to trust it, the charts, the tables, the design, how to do it again.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::folder::{Part, TABLE};
use super::laws::Law;
use super::promises::{self, Promise, number as value};
use super::scenario::{Question, SHARED_DEALS};
use super::simulate::{CONFIDENCE, METHODS};
use super::{Bound, Row, STANDARD_ERRORS, table};
use crate::numbers::{count, decimals};
use crate::report::html::{Figure, charts, framed, number, prose, shell, together, word_head};

/// The page for what was measured; `run` is the table's hash.
pub fn page(rows: &[Row], parts: &[Part], figures: &[Figure], run: &str) -> String {
    let title = format!("Calibration: {}", promises::headline(rows));
    shell(
        &title,
        &html! {
            header {
                p.soft { "evalctl report" }
                h1 { "Calibration" }
            }
            section aria-labelledby="question" {
                h2 #question { "The question" }
                p { "Do the intervals, tests and verdicts of a sweep keep their promises? Whole sweeps are simulated from laws whose truth is known, analysed by the code that analyses real runs, and compared with the truth." }
            }
            (answer(rows))
            nav aria-label="Contents" {
                ul {
                    li { a href="#trust" { "How far to trust it" } }
                    @if !figures.is_empty() { li { a href="#charts" { "Charts" } } }
                    li { a href="#tables" { "Tables" } }
                    li { a href="#design" { "Design" } }
                    li { a href="#again" { "How to do it again" } }
                }
            }
            (trust(rows))
            (charts(figures))
            section.broad aria-labelledby="tables" {
                h2 #tables { "Tables" }
                (sizes(rows))
                (others(rows))
                (promised(rows))
            }
            (design(rows))
            (again(parts, run))
        },
    )
}

fn answer(rows: &[Row]) -> Markup {
    let all = promises::promises(rows);
    html! {
        section aria-labelledby="answer" {
            h2 #answer { "The answer" }
            p.headline { (promises::headline(rows)) }
            @for row in promises::broken(rows) {
                div.warning { b { "broken" } ": " (together(&table::sentence(row))) }
            }
            @for question in [Question::Cell, Question::Grid, Question::Trend, Question::Stopping, Question::Looking] {
                @let own: Vec<&Promise<'_>> = all.iter().filter(|p| p.question == question).collect();
                @if !own.is_empty() {
                    p { b { (heading(question)) ":" } }
                    ul {
                        @for promise in own {
                            li {
                                (together(promises::meaning(question, promise.measure))) ": "
                                (prose(&promise.sentence())) " ("
                                @if promise.broken == 0 { span.supported { "kept" } }
                                @else { span.refuted { "broken in " (promise.broken) } }
                                ")."
                            }
                        }
                    }
                }
            }
        }
    }
}

fn heading(question: Question) -> &'static str {
    match question {
        Question::Cell => "Single cells",
        Question::Grid => "Grids of cells that share deals",
        Question::Trend => "A claim that more search helps, where it does not",
        Question::Stopping => "Runs that end by a stopping rule",
        Question::Looking => "Verdicts that are looked at after every block",
    }
}

fn trust(rows: &[Row]) -> Markup {
    let reach = |row: &Row| (row.range.1 - row.range.0) / 2.0;
    let rates = rows
        .iter()
        .filter(|row| row.bound.is_some() && promises::is_rate(row.measure));
    let least_known = rates.max_by(|a, b| reach(a).total_cmp(&reach(b)));
    html! {
        section aria-labelledby="trust" {
            h2 #trust { "How far to trust it" }
            ul {
                li { "What stands in brackets are " (decimals(STANDARD_ERRORS, 0)) " Monte-Carlo standard errors to either side. A promise counts as broken only if it lies outside of them, so a smaller breach is not seen." }
                @if let Some(row) = least_known {
                    li {
                        "Least precisely known is " (prose(&format!("`{}`", row.scenario.name)))
                        ", to " (decimals(reach(row) * 100.0, 1)) " percentage points, after "
                        (count(row.repetitions)) " experiments."
                    }
                }
                li { "The worst of many scenarios is an extreme: chance alone puts it beyond what its law has." }
                li { "Nothing is said of laws and numbers of blocks that were not simulated; coverage goes up and down with the number of blocks, because scores take few values." }
                li { "Exact permutation tests hold at any number of blocks and confidence sequences at any time, by theorem. The default interval and the sequential test between two hypotheses are approximate: what they reach is what is measured here." }
            }
        }
    }
}

fn or_dash(row: Option<&Row>, show: fn(&Row) -> String) -> Markup {
    html! { td data-key=(row.map_or(-1.0, |row| row.value)) { (row.map_or_else(|| "–".to_owned(), show)) } }
}

fn sizes(rows: &[Row]) -> Markup {
    let sizes = promises::sizes(rows);
    if sizes.is_empty() {
        return html! {};
    }
    let table = html! {
        table.sortable aria-label="Single cells" {
            thead { tr {
                th.pin scope="col" { "blocks" }
                @for method in METHODS { (number(&format!("coverage: {method}"))) }
                (number("width ratio")) (number("equal players differ"))
                (number("power at 55 %")) (number("power at 60 %"))
            } }
            tbody {
                @for size in sizes {
                    tr {
                        th.pin scope="row" data-key=(size.blocks) { (count(size.blocks)) }
                        @for row in size.coverage { (or_dash(row, table::rate)) }
                        (or_dash(size.width_ratio, table::ratio))
                        (or_dash(size.false_positive, table::rate))
                        @for row in size.power { (or_dash(row, table::rate)) }
                    }
                }
            }
        }
    };
    let note = "The worst of all laws at each number of blocks, in per cent, plus or minus the Monte-Carlo error. The first method is the default. The width ratio is the default's width over that of the narrowest method that is valid for all laws of the size. Power is at true scores of 55 and 60 per cent.";
    framed("Single cells", note, &table)
}

fn others(rows: &[Row]) -> Markup {
    let own: Vec<&Row> = rows
        .iter()
        .filter(|row| row.scenario.question != Question::Cell)
        .collect();
    if own.is_empty() {
        return html! {};
    }
    let note = "Grids, trends, stopping rules and looks: every number that was measured. A name says law, cells and blocks.";
    framed("Whole sweeps", note, &listed("Whole sweeps", &own))
}

fn promised(rows: &[Row]) -> Markup {
    let own: Vec<&Row> = rows
        .iter()
        .filter(|row| row.bound.is_some() && row.scenario.question == Question::Cell)
        .collect();
    if own.is_empty() {
        return html! {};
    }
    let note = format!(
        "Every scenario of a single cell in which something is promised. Other methods and all else that was measured are in {TABLE}."
    );
    framed(
        "Promises of single cells",
        &note,
        &listed("Promises of single cells", &own),
    )
}

fn listed(label: &str, rows: &[&Row]) -> Markup {
    html! {
        table.sortable aria-label=(label) {
            thead { tr {
                th.text.pin scope="col" { "scenario" } (word_head("what"))
                (number("measured")) (number("from")) (number("to")) (number("promised"))
                (word_head("kept")) (number("experiments"))
            } }
            tbody {
                @for row in rows {
                    tr {
                        th.text.pin scope="row" { span.name { (row.scenario.name) } }
                        td.text { (row.measure) }
                        @for number in [row.value, row.range.0, row.range.1] {
                            td data-key=(number) { (together(&value(row, number))) }
                        }
                        (limit(row))
                        td.text {
                            @match row.holds() {
                                Some(true) => span.supported { "yes" },
                                Some(false) => span.refuted { "no" },
                                None => "–",
                            }
                        }
                        td data-key=(row.repetitions) { (count(row.repetitions)) }
                    }
                }
            }
        }
    }
}

fn limit(row: &Row) -> Markup {
    let Some(bound) = row.bound else {
        return html! { td data-key="-1" { "–" } };
    };
    let (Bound::Least(limit) | Bound::Most(limit)) = bound;
    html! { td data-key=(limit) { (together(&promises::bound_words(row, bound))) } }
}

fn design(rows: &[Row]) -> Markup {
    let used: BTreeSet<&str> = rows.iter().map(|row| row.scenario.law.name).collect();
    let scenarios: BTreeSet<&str> = rows.iter().map(|row| row.scenario.name.as_str()).collect();
    html! {
        section aria-labelledby="design" {
            h2 #design { "Design" }
            ul {
                li { (count(scenarios.len() as u64)) " scenarios; nominal level " (decimals(CONFIDENCE * 100.0, 0)) "\u{a0}%." }
                li { "In a grid, " (decimals(SHARED_DEALS * 100.0, 0)) "\u{a0}% of the deals come out alike in all cells." }
                li { "Promised: " (together(&promises::bounds())) "." }
            }
            h3 { "Laws of a block" }
            ul {
                @for law in Law::all().into_iter().filter(|law| used.contains(law.name)) {
                    li { code { (law.name) } ": " (together(law.help)) "." }
                }
            }
        }
    }
}

fn again(parts: &[Part], run: &str) -> Markup {
    html! {
        section aria-labelledby="again" {
            h2 #again { "How to do it again" }
            p { "The same commands in this order, with the same version, give the same files to the byte, for any number of threads. " code { "DIR" } " is a new folder:" }
            pre { code {
                @for part in parts { (part.command) " --out DIR\n" }
            } }
            p.soft { "Version " (env!("CARGO_PKG_VERSION")) "; table " code { (run) } ". All numbers are in " code { (TABLE) } "; " code { "evalctl analyze DIR" } " makes charts and report of it again." }
        }
    }
}
