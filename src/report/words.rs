//! The answer in sentences, the same for the terminal and the report.
//!
//! What limits a result is said before the result.

use super::standings;
use crate::analysis::{Analysis, CellSummary, ClaimSummary, Flag, Verdict};
use crate::numbers::{count, decimals, percent};
use crate::plan::{Cell, Claim, ClaimKind, Phase, Plan, SeatMode};

/// What happened against each opponent: a sentence per challenger.
pub fn opponent_sentences(analysis: &Analysis) -> Vec<(String, Vec<String>)> {
    let mut opponents: Vec<&str> = Vec::new();
    for cell in main_cells(analysis) {
        let name = cell.cell.opponent_label.as_str();
        if !opponents.contains(&name) {
            opponents.push(name);
        }
    }
    opponents
        .into_iter()
        .map(|opponent| {
            let cells: Vec<&CellSummary> = main_cells(analysis)
                .filter(|c| c.cell.opponent_label == opponent)
                .collect();
            (opponent.to_owned(), challenger_sentences(&cells))
        })
        .collect()
}

/// Cells that are neither placebo nor selection.
fn main_cells(analysis: &Analysis) -> impl Iterator<Item = &CellSummary> {
    analysis
        .cells
        .iter()
        .filter(|c| matches!(c.cell.phase, Phase::Main | Phase::Select))
}

fn challenger_sentences(cells: &[&CellSummary]) -> Vec<String> {
    let mut challengers: Vec<&str> = Vec::new();
    for cell in cells {
        if !challengers.contains(&cell.cell.label.as_str()) {
            challengers.push(&cell.cell.label);
        }
    }
    challengers
        .iter()
        .map(|name| {
            let own: Vec<&CellSummary> = cells
                .iter()
                .copied()
                .filter(|c| c.cell.label == *name)
                .collect();
            challenger_sentence(name, &own)
        })
        .collect()
}

fn challenger_sentence(name: &str, cells: &[&CellSummary]) -> String {
    let scores: Vec<f64> = cells.iter().filter_map(|c| c.score).collect();
    let (Some(low), Some(high)) = (
        scores.iter().copied().reduce(f64::min),
        scores.iter().copied().reduce(f64::max),
    ) else {
        return format!("{name}: no complete block yet.");
    };
    let fair = cells.first().map_or(0.5, |c| c.cell.fair_share);
    let above = cells
        .iter()
        .filter(|c| c.simultaneous.is_some_and(|i| i.low > fair))
        .count();
    let below = cells
        .iter()
        .filter(|c| c.simultaneous.is_some_and(|i| i.high < fair))
        .count();
    if let [cell] = cells {
        let interval = cell.simultaneous.map_or_else(String::new, |i| {
            format!(
                " (simultaneous interval {} to {})",
                percent(i.low),
                percent(i.high)
            )
        });
        return format!(
            "{name} scored {}{interval}{}.",
            percent(low),
            side(above, below, 1)
        );
    }
    format!(
        "{name} scored from {} to {} over {} cells{}.",
        percent(low),
        percent(high),
        cells.len(),
        side(above, below, cells.len())
    )
}

fn side(above: usize, below: usize, cells: usize) -> String {
    match (above, below) {
        (0, 0) if cells == 1 => ", not distinguishable from the fair share".to_owned(),
        _ if cells == 1 && above == 1 => ", above the fair share".to_owned(),
        _ if cells == 1 => ", below the fair share".to_owned(),
        (0, 0) => {
            ", none distinguishable from the fair share by its simultaneous interval".to_owned()
        }
        _ if above == cells => {
            ", all above the fair share by their simultaneous intervals".to_owned()
        }
        _ if below == cells => {
            ", all below the fair share by their simultaneous intervals".to_owned()
        }
        _ => format!(
            ": by their simultaneous intervals {above} above the fair share, {below} below, {} undecided",
            cells.saturating_sub(above + below)
        ),
    }
}

/// One line per claim: its verdict, and why.
pub fn claim_lines(analysis: &Analysis) -> Vec<(Verdict, String)> {
    analysis
        .claims
        .iter()
        .map(|claim| (claim.verdict, format!("“{}”. {}", claim.name, claim.why)))
        .collect()
}

/// What the cells of a claim about the budget show beyond its verdict: a paragraph per claim.
pub fn dose_lines(analysis: &Analysis) -> Vec<String> {
    analysis
        .dose
        .iter()
        .map(|note| format!("Beside “{}”: {}", note.claim, note.sentences.join(" ")))
        .collect()
}

/// What a reader must know before any number, the gravest first: sentence and remedy.
pub fn warnings(analysis: &Analysis) -> Vec<(Flag, String)> {
    let remedy = |flag: Flag| match flag {
        // A tournament has no claims, so it cannot have one that confirms.
        Flag::WinnersCurse if analysis.standings.is_some() => {
            "Confirm a single score with new games before quoting it."
        }
        _ => flag.remedy(),
    };
    analysis
        .diagnostics
        .iter()
        .map(|d| (d.flag, format!("{} {}", d.sentence, remedy(d.flag))))
        .collect()
}

/// The shortest honest answer, for the head of a report.
pub fn headline(analysis: &Analysis) -> String {
    if let Some(table) = &analysis.standings {
        return standings::headline(table);
    }
    let saturated = analysis
        .diagnostics
        .iter()
        .any(|d| d.flag == Flag::Saturated);
    let void = |claim: &ClaimSummary| claim.verdict == Verdict::Void;
    let caveat = if !analysis.claims.is_empty() && analysis.claims.iter().all(void) {
        " The experiment cannot answer this."
    } else if saturated {
        " An opponent is saturated: see below."
    } else {
        ""
    };
    if let [claim] = analysis.claims.as_slice() {
        return format!("{}: {}.{caveat}", claim.name, claim.verdict.word());
    }
    if analysis.claims.is_empty() {
        let cells = main_cells(analysis).count();
        return match cells {
            1 => "1 cell was played; no claim was declared.".to_owned(),
            _ => format!("{cells} cells were played; no claim was declared."),
        };
    }
    let number = |verdict: Verdict| {
        analysis
            .claims
            .iter()
            .filter(|claim| claim.verdict == verdict)
            .count()
    };
    let parts: Vec<String> = [
        Verdict::Supported,
        Verdict::Refuted,
        Verdict::Undecided,
        Verdict::Void,
    ]
    .into_iter()
    .filter(|&verdict| number(verdict) > 0)
    .map(|verdict| format!("{} {}", number(verdict), verdict.word()))
    .collect();
    format!(
        "{} claims: {}.{caveat}",
        analysis.claims.len(),
        parts.join(", ")
    )
}

/// What a claim asks, for readers who do not know the words of configs.
pub fn question(claim: &Claim) -> String {
    let opponent = &claim.opponent;
    let margin = claim.margin.unwrap_or(0.0);
    let points = decimals(margin * 100.0, 2);
    match claim.kind {
        ClaimKind::Better => format!(
            "Is the score against {opponent} above {}?",
            percent(claim.threshold)
        ),
        ClaimKind::AtLeast => format!(
            "Is the score against {opponent} at most {points} points below {}?",
            percent(claim.threshold)
        ),
        ClaimKind::Equivalent => format!(
            "Is the score against {opponent} within {points} points of {}?",
            percent(claim.threshold)
        ),
        ClaimKind::Trend => format!("Does the score against {opponent} rise with the budget?"),
        ClaimKind::Monotone if margin > 0.0 => format!(
            "Does no step to a larger budget lower the score against {opponent} by more than {points} points?"
        ),
        ClaimKind::Monotone => {
            format!("Does no step to a larger budget lower the score against {opponent}?")
        }
        ClaimKind::Best => format!(
            "Is the setting that scores best against {opponent} above {} on fresh deals, too?",
            percent(claim.threshold)
        ),
    }
}

/// The game of a placebo where the run has several games: placebos have no values on the axes.
pub fn game_of_placebo(plan: &Plan, cell: &Cell) -> Option<String> {
    let several = plan.cells.iter().any(|other| other.game != cell.game);
    (several && cell.phase == Phase::Placebo).then(|| cell.game.canonical())
}

/// What a run without claims asks.
pub fn open_question(analysis: &Analysis) -> String {
    if let Some(table) = &analysis.standings {
        let names: Vec<&str> = table.players.iter().map(|p| p.name.as_str()).collect();
        return format!("Who is the strongest of {}?", names.join(", "));
    }
    let mut challengers: Vec<&str> = Vec::new();
    let mut opponents: Vec<&str> = Vec::new();
    for cell in main_cells(analysis) {
        for (names, name) in [
            (&mut challengers, cell.cell.label.as_str()),
            (&mut opponents, cell.cell.opponent_label.as_str()),
        ] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    format!(
        "How does {} score against {}? No claim was declared, so nothing is tested beyond the cells.",
        challengers.join(", "),
        opponents.join(", ")
    )
}

/// How the run was designed, in sentences.
pub fn design(plan: &Plan, analysis: &Analysis) -> Vec<String> {
    let mut lines = Vec::new();
    let games: u64 = analysis.cells.iter().map(|c| c.games).sum();
    let blocks: u64 = analysis.cells.iter().map(|c| c.blocks).sum();
    lines.push(format!(
        "{} {} in {} {}, seed {}.",
        count(games),
        if games == 1 { "game" } else { "games" },
        analysis.cells.len(),
        if analysis.cells.len() == 1 {
            "cell"
        } else {
            "cells"
        },
        plan.seed
    ));
    // Several games where an axis is a rule.
    let mut rules: Vec<(String, f64)> = Vec::new();
    for cell in &plan.cells {
        let rule = (cell.game.canonical(), cell.fair_share);
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    let rules: Vec<String> = rules
        .into_iter()
        .map(|(game, fair)| format!("`{game}` (fair share {})", percent(fair)))
        .collect();
    match rules.as_slice() {
        [] => {}
        [one] => lines.push(format!("Game: {one}.")),
        many => lines.push(format!("Games: {}.", many.join("; "))),
    }
    match plan.seats {
        SeatMode::Rotate => lines.push(format!(
            "Seats rotate: a block is one deal played once per rotation, so that the challenger sits in every seat of the same deal ({} {}). Blocks, not games, are the unit of inference; every cell of one game plays the same deals.",
            count(blocks),
            if blocks == 1 { "block" } else { "blocks" }
        )),
        SeatMode::Fixed => lines.push(
            "Seats are fixed: the challenger always sits in seat 0. Such a design cannot separate the player from the seat.".to_owned(),
        ),
    }
    if let Some(cell) = plan.cells.first() {
        let per_block = cell.rotations as u64;
        let played = plan
            .cells
            .iter()
            .map(|c| c.blocks * c.rotations as u64)
            .max()
            .unwrap_or(0);
        if played != plan.games_asked && per_block > 1 {
            lines.push(format!(
                "Games per cell: {} were asked for, rounded up to {} (whole blocks of {per_block}).",
                count(plan.games_asked),
                count(played)
            ));
        }
    }
    if plan.opening_plies > 0 {
        lines.push(format!(
            "Every game starts with {} random moves, the same in every cell and rotation of a block.",
            plan.opening_plies
        ));
    }
    lines.push(format!(
        "Intervals: {} %, {}. Simultaneous intervals: Bonferroni over the cells of one opponent. P-values of cells: {}, two-sided, Holm-adjusted over the same cells. Claims: one-sided, Holm-adjusted over the declared claims.",
        decimals(plan.confidence * 100.0, 2),
        first_text(analysis, |c| &c.method),
        first_text(analysis, |c| &c.p_method),
    ));
    let cheaters: Vec<&str> = analysis
        .cells
        .iter()
        .flat_map(|c| [c.cell.label.as_str(), c.cell.opponent_label.as_str()])
        .filter(|name| name.starts_with("cheating-"))
        .collect();
    if !cheaters.is_empty() {
        lines.push(
            "Players whose names start with cheating- see hidden cards: they are yardsticks, not players."
                .to_owned(),
        );
    }
    lines
}

fn first_text<'a>(analysis: &'a Analysis, text: impl Fn(&'a CellSummary) -> &'a String) -> &'a str {
    analysis
        .cells
        .iter()
        .map(text)
        .find(|text| !text.is_empty())
        .map_or("none", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_claim_is_a_question_in_words() {
        let ask = |kind, margin| {
            question(&Claim {
                name: "a claim".to_owned(),
                kind,
                opponent: "lowest".to_owned(),
                cells: vec![0],
                threshold: 0.5,
                margin,
            })
        };
        for kind in ClaimKind::ALL {
            let text = ask(kind, Some(0.025));
            assert!(text.ends_with('?') && text.contains("lowest"), "{text}");
        }
        assert_eq!(
            ask(ClaimKind::AtLeast, Some(0.025)),
            "Is the score against lowest at most 2.5 points below 50.0 %?"
        );
        assert_eq!(
            ask(ClaimKind::Monotone, None),
            "Does no step to a larger budget lower the score against lowest?"
        );
    }

    #[test]
    fn many_cells_are_said_to_differ_by_their_intervals() {
        assert_eq!(side(0, 0, 1), ", not distinguishable from the fair share");
        assert!(side(3, 0, 3).starts_with(", all above the fair share"));
        assert!(side(0, 0, 3).starts_with(", none distinguishable"));
        assert!(side(1, 0, 3).ends_with("1 above the fair share, 0 below, 2 undecided"));
    }
}
