//! The same answer for a terminal or a log: two sentences and a table that fit 80 columns.

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::{standings, words};
use crate::analysis::{Analysis, CellSummary, Flag, Phase, Verdict};
use crate::numbers::{count, p_value};
use crate::plan::Plan;

/// Cells shown before a long table is cut.
const MOST_ROWS: usize = 60;

/// The summary of a run.
///
/// `width` in characters; `colour` only for a terminal.
pub fn summary(plan: &Plan, analysis: &Analysis, width: usize, colour: bool) -> String {
    let width = width.clamp(60, 160);
    let paint = |text: &str, code: &str| {
        if colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    };
    let mut out = String::new();
    for (flag, sentence) in words::warnings(analysis) {
        let head = paint(&format!("[{}]", flag.word()), "33");
        out.push_str(&wrap(&format!("{head} {sentence}"), width));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&cells_table(plan, analysis, width));
    out.push_str(&legend(analysis, width));
    if let Some(table) = &analysis.standings {
        out.push_str(&standings::terminal(table, width));
    } else {
        out.push('\n');
        for (opponent, sentences) in words::opponent_sentences(analysis) {
            let text = format!("Against {opponent}: {}", sentences.join(" "));
            out.push_str(&wrap(&text, width));
        }
    }
    if !analysis.claims.is_empty() {
        out.push('\n');
    }
    for (verdict, line) in words::claim_lines(analysis) {
        let code = match verdict {
            Verdict::Supported => "32",
            Verdict::Refuted => "31",
            Verdict::Undecided | Verdict::Void => "33",
        };
        let mark = paint(&verdict.word().to_uppercase(), code);
        out.push_str(&wrap(&format!("{mark}  {line}"), width));
    }
    for line in words::dose_lines(analysis) {
        out.push('\n');
        out.push_str(&wrap(&line, width));
    }
    out
}

fn cells_table(plan: &Plan, analysis: &Analysis, width: usize) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let axes: Vec<usize> = (0..plan.axes.len())
        .filter(|&axis| {
            analysis
                .cells
                .iter()
                .any(|c| c.cell.axes.get(axis).is_some_and(Option::is_some))
        })
        .collect();
    let mut header = vec!["opponent".to_owned(), "challenger".to_owned()];
    header.extend(axes.iter().map(|&axis| short_axis(&plan.axes[axis])));
    header.extend(["games", "score", "interval", "p adj."].map(str::to_owned));
    let flags = analysis.cells.iter().any(|c| !c.flags.is_empty());
    if flags {
        header.push("flags".to_owned());
    }
    table.set_header(header);
    let mut cells: Vec<&CellSummary> = analysis.cells.iter().collect();
    cells.sort_by_key(|c| (first_index(analysis, &c.cell.opponent_label), c.cell.index));
    let mut last = "";
    for cell in cells.iter().take(MOST_ROWS) {
        let opponent = cell.cell.opponent_label.as_str();
        let mut row = vec![Cell::new(if opponent == last { "" } else { opponent })];
        last = opponent;
        let placebo = cell.cell.phase == Phase::Placebo;
        row.push(Cell::new(if placebo {
            "placebo"
        } else {
            &cell.cell.label
        }));
        for &axis in &axes {
            let value = cell.cell.axes[axis]
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            row.push(Cell::new(value).set_alignment(CellAlignment::Right));
        }
        row.push(Cell::new(count(cell.games)).set_alignment(CellAlignment::Right));
        row.push(Cell::new(percent_or_dash(cell.score)).set_alignment(CellAlignment::Right));
        let interval = cell.simultaneous.or(cell.interval).map_or_else(
            || "–".to_owned(),
            |i| format!("{:.1}–{:.1}", i.low * 100.0, i.high * 100.0),
        );
        row.push(Cell::new(interval).set_alignment(CellAlignment::Right));
        let p = cell.p_adjusted.map_or_else(String::new, p_value);
        row.push(Cell::new(p).set_alignment(CellAlignment::Right));
        if flags {
            let words: Vec<String> = cell
                .flags
                .iter()
                .map(|&flag| flag_text(flag, width))
                .collect();
            row.push(Cell::new(words.join(" ")));
        }
        table.add_row(row);
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if cells.len() > MOST_ROWS {
        text.push_str(&format!(
            " and {} cells more, in cells.csv\n",
            cells.len() - MOST_ROWS
        ));
    }
    text
}

/// Below this width flags are letters, explained in a line under the table.
const WORDS_FROM: usize = 100;

/// A flag as a word, or as a letter where there is no room.
fn flag_text(flag: Flag, width: usize) -> String {
    if width >= WORDS_FROM {
        flag.word().to_owned()
    } else {
        letter(flag).to_string()
    }
}

fn letter(flag: Flag) -> char {
    match flag {
        Flag::Degenerate => 'D',
        Flag::SeatDecided => 'E',
        Flag::DuplicateGames => 'G',
        Flag::Saturated => 'S',
        Flag::Underpowered => 'U',
        Flag::Forfeits => 'F',
        Flag::Truncated => 'T',
        Flag::PlaceboFailed => 'P',
        Flag::Peeked => 'K',
        Flag::WinnersCurse => 'W',
    }
}

/// What the letters of the table mean.
fn legend(analysis: &Analysis, width: usize) -> String {
    let used: Vec<String> = Flag::ALL
        .into_iter()
        .filter(|flag| analysis.cells.iter().any(|c| c.flags.contains(flag)))
        .map(|flag| format!("{} {}", letter(flag), flag.word()))
        .collect();
    if width >= WORDS_FROM || used.is_empty() {
        return String::new();
    }
    wrap(&format!(" Flags: {}", used.join(", ")), width)
}

/// Position of the first cell against this opponent, so that tables follow the config.
fn first_index(analysis: &Analysis, opponent: &str) -> usize {
    analysis
        .cells
        .iter()
        .position(|c| c.cell.opponent_label == opponent)
        .unwrap_or(usize::MAX)
}

fn percent_or_dash(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |s| format!("{:.1} %", s * 100.0))
}

/// Long axis names are cut to what tells them apart at 80 columns.
fn short_axis(name: &str) -> String {
    match name {
        "simulations" => "sims".to_owned(),
        "exploration" => "explor.".to_owned(),
        other => other.chars().take(12).collect(),
    }
}

/// `text` in lines of at most `width` characters, continued lines indented. Escape sequences have
/// no width.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in unbroken(text) {
        let length = visible(&word);
        if used > 0 && used + 1 + length > width {
            out.push_str("\n    ");
            used = 4;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(&word);
        used += length;
    }
    out.push('\n');
    out
}

/// The words of `text`; a number stays with its unit, and "<" with its number.
fn unbroken(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if word.starts_with('%') || last == "<" => last.extend([" ", word]),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

fn visible(word: &str) -> usize {
    let mut length = 0;
    let mut escape = false;
    for character in word.chars() {
        match character {
            '\x1b' => escape = true,
            'm' if escape => escape = false,
            _ if escape => {}
            _ => length += 1,
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_by_what_is_seen() {
        let text = wrap(
            "\x1b[33m[saturated]\x1b[0m one two three four five six seven",
            24,
        );
        assert!(text.lines().all(|line| visible(line) <= 24), "{text}");
        assert_eq!(text.lines().count(), 3, "{text}");
        assert_eq!(wrap("it scored 50.0 %", 14), "it scored\n    50.0 %\n");
        assert_eq!(wrap("with p < 0.001.", 10), "with p\n    < 0.001.\n");
    }
}
