//! `report.html`: one self-contained file. No network, no script needed to read it.
//!
//! It answers in this order: the question, the verdict in words, how far to trust it, the charts,
//! the tables, the design, how to do it again.

mod tables;

use maud::{DOCTYPE, Markup, PreEscaped, html};

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
                main {
                    (question(plan, analysis))
                    (verdict(analysis))
                    @if let Some(table) = &analysis.standings { (standings::section(table)) }
                    (trust(analysis, context))
                    (charts(context))
                    (tables::all(plan, analysis))
                    (design(plan, analysis))
                    (again(plan, context))
                }
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
            h2 #question { "The question" @if analysis.claims.len() > 1 { "s" } }
            @if analysis.claims.is_empty() {
                p { (words::open_question(analysis)) }
            } @else {
                ul {
                    @for claim in &analysis.claims {
                        li { (claim.name) span.soft { " (" (claim.kind.word()) ", against " (claim.opponent) ")" } }
                    }
                }
            }
        }
    }
}

fn verdict(analysis: &Analysis) -> Markup {
    html! {
        section aria-labelledby="answer" {
            h2 #answer { "The answer" }
            p.headline { (words::headline(analysis)) }
            @for (flag, sentence) in words::warnings(analysis).into_iter().filter(|(flag, _)| flag.voids() || *flag == Flag::Saturated) {
                div.warning { b { (flag.word()) } ": " (together(&sentence)) }
            }
            @if analysis.standings.is_none() {
                @for (opponent, sentence) in words::opponent_sentences(analysis) {
                    p.answer { b { "Against " (opponent) ": " } (together(&sentence)) }
                }
            }
            @for claim in &analysis.claims {
                p {
                    span class=(format!("verdict {}", claim.verdict.word())) { (claim.verdict.word()) }
                    " “" (claim.name) "”. " (together(&claim.why))
                }
            }
            @for line in words::dose_lines(analysis) {
                p { (together(&line)) }
            }
        }
    }
}

fn trust(analysis: &Analysis, context: &Context) -> Markup {
    let warnings = words::warnings(analysis);
    let placebo: Vec<_> = analysis
        .cells
        .iter()
        .filter(|c| c.cell.phase == Phase::Placebo)
        .collect();
    let detectable = analysis
        .cells
        .iter()
        .filter_map(|c| c.detectable)
        .reduce(f64::max);
    html! {
        section aria-labelledby="trust" {
            h2 #trust { "How far to trust it" }
            @if warnings.is_empty() {
                p { "No diagnostic was raised." }
            }
            @for (flag, sentence) in warnings.iter().filter(|(flag, _)| !flag.voids() && *flag != Flag::Saturated) {
                div.warning { b { (flag.word()) } ": " (together(sentence)) }
            }
            @if placebo.is_empty() {
                p { "No placebo was played: add " code { "placebo = true" } " to see what the opponent's own agent scores in the challenger's seat." }
            }
            @for cell in placebo {
                p {
                    "Placebo (" (cell.cell.label) " against " (cell.cell.opponent_label) "): "
                    (cell.score.map_or_else(|| "no complete block".to_owned(), percent))
                    @if let Some(interval) = cell.interval {
                        ", interval " (percent(interval.low)) " to " (percent(interval.high))
                    }
                    "; the fair share is " (percent(cell.cell.fair_share)) "."
                }
            }
            @match detectable {
                Some(detectable) if detectable < 1.0 => p { "Smallest difference from the fair share that every cell could have shown with 80\u{a0}% power: " (format!("{:.1}", detectable * 100.0)) "\u{a0}percentage points (two-sided, uncorrected, from the measured variance of blocks)." }
                Some(_) => p { "With so few blocks no difference at all could have been shown with 80\u{a0}% power." }
                None => {}
            }
            @for notice in &context.notices {
                p { (notice) }
            }
            @if analysis.claims.iter().any(|claim| claim.verdict == Verdict::Undecided) {
                p { "Undecided means that the data neither show the claim nor its opposite; it never means that two players are equal." }
            }
        }
    }
}

fn charts(context: &Context) -> Markup {
    html! {
        @if !context.figures.is_empty() {
            section aria-labelledby="charts" {
                h2 #charts { "Charts" }
                @for figure in &context.figures {
                    figure tabindex="0" role="group" aria-label=(figure.alt) { (PreEscaped(inline_svg(&figure.svg))) }
                }
            }
        }
    }
}

/// A sentence whose numbers are not torn from their signs at the end of a line.
fn together(sentence: &str) -> String {
    sentence.replace(" %", "\u{a0}%")
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
                    li { (line) }
                }
                @if let Some(cell) = plan.cells.first() {
                    li { "Game: " code { (cell.game.canonical()) } ". Fair share: " (percent(cell.fair_share)) "." }
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
                Some(reason) => p { "This run can be repeated but not to the byte: " (reason) },
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
