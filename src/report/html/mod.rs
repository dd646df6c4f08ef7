//! `report.html`: one self-contained file. No network, no script needed to read it.
//!
//! It answers in this order: the question, the verdict in words, how far to trust it, the charts,
//! the tables, the design, how to do it again.

mod prose;
mod tables;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub(crate) use self::prose::{prose, together};
pub(crate) use self::tables::{fixed, framed, number, range, words as word_head};

use super::{standings, words};
use crate::analysis::{Analysis, Flag, Phase, Verdict};
use crate::numbers::percent;
use crate::plan::Plan;

const STYLE: &str = include_str!("style.css");
const SORT: &str = include_str!("sort.js");

/// A chart for the report.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The file's name without ending, such as `score-against-simulations`.
    pub name: String,
    /// What it shows, in a sentence for those who cannot see it.
    pub alt: String,
    /// The drawing.
    pub svg: String,
}

/// Everything that a report needs besides plan and analysis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Context {
    /// The charts, in order.
    pub figures: Vec<Figure>,
    /// The command that makes the run again.
    pub command: String,
    /// The run's hash.
    pub run: String,
    /// Whether the run can be repeated to the byte; why not otherwise.
    pub not_reproducible: Option<String>,
    /// What agents said (a node budget that was hit, for example).
    pub notices: Vec<String>,
}

/// The page.
pub fn page(plan: &Plan, analysis: &Analysis, context: &Context) -> String {
    let title = format!("{}: {}", plan.name, words::headline(analysis));
    shell(
        &title,
        &html! {
            (question(plan, analysis))
            (verdict(analysis))
            (contents(analysis, context))
            @if let Some(table) = &analysis.standings { (standings::section(table)) }
            (trust(plan, analysis, context))
            (charts(&context.figures))
            (tables::all(plan, analysis))
            (design(plan, analysis))
            (again(plan, context))
        },
    )
}

/// A self-contained page around what stands in it.
pub(crate) fn shell(title: &str, main: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("evalctl ", env!("CARGO_PKG_VERSION")));
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (main) }
                script { (PreEscaped(SORT)) }
            }
        }
    }
    .into_string()
}

fn question(plan: &Plan, analysis: &Analysis) -> Markup {
    html! {
        header {
            p.soft { "evalctl report" }
            h1 { (plan.name) }
        }
        section aria-labelledby="question" {
            h2 #question { "The question" @if plan.claims.len() > 1 { "s" } }
            @if plan.claims.is_empty() {
                p { (words::open_question(analysis)) }
            } @else {
                ul {
                    @for claim in &plan.claims {
                        li { "“" (claim.name) "”: " (prose(&words::question(claim))) }
                    }
                }
            }
        }
    }
}

/// Where to go from the answer: a report is many screens long on a phone.
fn contents(analysis: &Analysis, context: &Context) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @if analysis.standings.is_some() { li { a href="#standings" { "Standings" } } }
                li { a href="#trust" { "How far to trust it" } }
                @if !context.figures.is_empty() { li { a href="#charts" { "Charts" } } }
                li { a href="#tables" { "Tables" } }
                li { a href="#design" { "Design" } }
                li { a href="#again" { "How to do it again" } }
            }
        }
    }
}

/// Whether a warning stands before the answer, not among what limits it.
fn comes_first(flag: Flag) -> bool {
    flag.voids() || flag == Flag::Saturated
}

fn warning(flag: Flag, sentence: &str) -> Markup {
    html! { div.warning { b { (flag.word()) } ": " (prose(sentence)) } }
}

fn verdict(analysis: &Analysis) -> Markup {
    html! {
        section aria-labelledby="answer" {
            h2 #answer { "The answer" }
            p.headline { (words::headline(analysis)) }
            @for (flag, sentence) in words::warnings(analysis) {
                @if comes_first(flag) { (warning(flag, &sentence)) }
            }
            @for claim in &analysis.claims {
                p {
                    span class=(format!("verdict {}", claim.verdict.word())) { (claim.verdict.word()) }
                    " “" (claim.name) "”. " (prose(&claim.why))
                }
            }
            @for note in &analysis.dose {
                p { "Beside “" (note.claim) "”:" }
                ul { @for sentence in &note.sentences { li { (prose(sentence)) } } }
            }
            @if analysis.standings.is_none() {
                @for (opponent, sentences) in words::opponent_sentences(analysis) {
                    p { b { "Against " (opponent) ":" } }
                    ul { @for sentence in &sentences { li { (prose(sentence)) } } }
                }
            }
        }
    }
}

fn trust(plan: &Plan, analysis: &Analysis, context: &Context) -> Markup {
    let warnings = words::warnings(analysis);
    let first = warnings
        .iter()
        .filter(|(flag, _)| comes_first(*flag))
        .count();
    // A single block has no spread to measure, so it could have shown nothing. Blocks that are all
    // alike have none either, but tell players apart.
    let detectable = analysis
        .cells
        .iter()
        .filter(|c| c.blocks > 0)
        .filter_map(|c| match c.block_deviation {
            None => Some(f64::INFINITY),
            Some(_) => c.detectable,
        })
        .reduce(f64::max);
    html! {
        section aria-labelledby="trust" {
            h2 #trust { "How far to trust it" }
            @match (warnings.len(), first) {
                (0, _) => p { "No diagnostic was raised." },
                (_, 0) => {},
                (_, 1) => p { "First of all, heed the warning under the answer." },
                _ => p { "First of all, heed the warnings under the answer." },
            }
            @for (flag, sentence) in &warnings {
                @if !comes_first(*flag) { (warning(*flag, sentence)) }
            }
            (placebos(plan, analysis))
            @match detectable {
                Some(detectable) if detectable < 1.0 => p { "Smallest difference from the fair share that every cell could have shown with 80\u{a0}% power: " (format!("{:.1}", detectable * 100.0)) "\u{a0}percentage points (two-sided, uncorrected, from the measured variance of blocks)." }
                Some(_) => p { "With so few blocks no difference at all could have been shown with 80\u{a0}% power." }
                None => {}
            }
            @for notice in &context.notices {
                p { (prose(notice)) }
            }
            @if analysis.claims.iter().any(|claim| claim.verdict == Verdict::Undecided) {
                p { "Undecided means that the data neither show the claim nor its opposite; it never means that two players are equal." }
            }
        }
    }
}

/// The controls: each opponent's own agent in the challenger's seat.
fn placebos(plan: &Plan, analysis: &Analysis) -> Markup {
    let played: Vec<_> = analysis
        .cells
        .iter()
        .filter(|c| c.cell.phase == Phase::Placebo)
        .collect();
    html! {
        // A tournament has no challengers, and so no control either.
        @if played.is_empty() && analysis.standings.is_none() {
            p { "No placebo was played: add " code { "placebo = true" } " to see what the opponent's own agent scores in the challenger's seat." }
        }
        @if !played.is_empty() {
            p { "Placebos, which play the opponent's own agent in the challenger's seat and should score the fair share:" }
            ul {
                @for summary in played {
                    li {
                        (summary.cell.label) " against " (summary.cell.opponent_label)
                        @if let Some(game) = words::game_of_placebo(plan, &summary.cell) { " in " code { (game) } }
                        ": "
                        (together(&summary.score.map_or_else(|| "no complete block".to_owned(), percent)))
                        @if let Some(interval) = summary.interval {
                            ", interval " (together(&percent(interval.low))) " to " (together(&percent(interval.high)))
                            @if interval.contains(summary.cell.fair_share) { ", which holds" } @else { ", which does not hold" }
                            " the fair share of "
                        } @else {
                            "; the fair share is "
                        }
                        (together(&percent(summary.cell.fair_share))) "."
                    }
                }
            }
        }
    }
}

/// The charts' section, if there are any.
pub(crate) fn charts(figures: &[Figure]) -> Markup {
    html! {
        @if !figures.is_empty() {
            section aria-labelledby="charts" {
                h2 #charts { "Charts" }
                p.note.narrow { "On a screen as narrow as this, charts and tables scroll sideways." }
                @for figure in figures {
                    figure tabindex="0" role="group" aria-label=(figure.alt) { (PreEscaped(inline_svg(&figure.svg))) }
                }
            }
        }
    }
}

/// An SVG document as an element of a page: without its XML declaration.
fn inline_svg(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |start| &svg[start..])
}

fn design(plan: &Plan, analysis: &Analysis) -> Markup {
    html! {
        section aria-labelledby="design" {
            h2 #design { "Design" }
            ul {
                @for line in words::design(plan, analysis) {
                    li { (prose(&line)) }
                }
            }
            h3 { "Config as resolved" }
            pre { code { (plan.resolved) } }
        }
    }
}

fn again(plan: &Plan, context: &Context) -> Markup {
    html! {
        section aria-labelledby="again" {
            h2 #again { "How to do it again" }
            @match &context.not_reproducible {
                None => p { "The same config, seed and version give the same files to the byte, for any number of threads:" },
                Some(reason) => p { "This run can be repeated but not to the byte: " (prose(reason)) },
            }
            pre { code { (context.command) } }
            p.soft { "Seed " (plan.seed) "; version " (env!("CARGO_PKG_VERSION")) "; run " code { (context.run) } ". Every game is in " code { "games.csv" } "; " code { "evalctl verify" } " replays them, " code { "evalctl replay" } " shows one." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::STYLE;

    /// The value of a custom property in the `which`-th block that sets it (0 light, 1 dark).
    fn colour(name: &str, which: usize) -> [f64; 3] {
        let text = STYLE
            .split(&format!("--{name}: #"))
            .nth(which + 1)
            .expect("both themes set every colour");
        [0, 2, 4].map(|at| {
            let channel = u8::from_str_radix(&text[at..at + 2], 16).expect("a colour");
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                libm::pow((value + 0.055) / 1.055, 2.4)
            }
        })
    }

    /// Contrast ratio of WCAG 2.1, section 1.4.3.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let luminance = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_stands_out_in_both_themes() {
        for theme in [0, 1] {
            for (text, grounds) in [
                ("ink", &["back", "panel", "warnback"][..]),
                ("soft", &["back", "panel"]),
                ("good", &["back", "panel"]),
                ("bad", &["back", "panel"]),
                ("warn", &["back", "panel", "warnback"]),
                ("link", &["back", "panel"]),
            ] {
                for ground in grounds {
                    let ratio = contrast(colour(text, theme), colour(ground, theme));
                    assert!(
                        ratio >= 4.5,
                        "{text} on {ground}, theme {theme}: {ratio:.2}"
                    );
                }
            }
        }
    }
}
