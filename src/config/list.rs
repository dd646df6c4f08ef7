//! What can be named (`evalctl list`): games, agents and axes, from their specs.

use std::fmt::Write as _;

use serde::Serialize;

use super::entrant::Side;
use crate::spec::{OptionKind, OptionSpec};

/// A game or an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub help: &'static str,
    /// The games that an agent plays; `None` for a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<&'static str>>,
    /// Its options.
    pub options: Vec<ListedOption>,
}

/// An option of a game or an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ListedOption {
    /// Its key.
    pub name: &'static str,
    /// The values it may have, in words.
    pub values: String,
    /// Its default; `None` if it is not set by default.
    pub default: Option<&'static str>,
    /// Whether a list of values makes an axis of it.
    pub axis: bool,
    /// What it does.
    pub help: &'static str,
}

/// A key that can be an axis of a sweep.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ListedAxis {
    /// The key, also the column's name.
    pub name: &'static str,
    /// The table it is written in: `game` or `challenger`.
    pub table: &'static str,
    /// The games or agents that have it.
    pub of: Vec<&'static str>,
    /// The values it may have, in words.
    pub values: String,
    /// Its default; `None` if it is not set by default.
    pub default: Option<&'static str>,
    /// What it does.
    pub help: &'static str,
}

/// The values of a kind, in words.
pub(super) fn kind_text(kind: OptionKind) -> String {
    match kind {
        OptionKind::Integer { min, max } if max == i64::MAX => {
            format!("a whole number of at least {min}")
        }
        OptionKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
        OptionKind::Real { min, max } if max >= 1e300 => format!("a number of at least {min}"),
        OptionKind::Real { min, max } => format!("a number from {min} to {max}"),
        OptionKind::Choice(words) => words.join(", "),
        OptionKind::Text => "a text".to_owned(),
        OptionKind::TextList => "a list of texts".to_owned(),
        OptionKind::TextTable => "a table of texts".to_owned(),
    }
}

/// Whether lists of this kind's values are axes.
pub(super) fn can_be_axis(kind: OptionKind) -> bool {
    !matches!(kind, OptionKind::TextList | OptionKind::TextTable)
}

fn default(spec: &OptionSpec) -> Option<&'static str> {
    Some(spec.default).filter(|default| !default.is_empty())
}

fn options(specs: &'static [OptionSpec]) -> Vec<ListedOption> {
    specs
        .iter()
        .map(|spec| ListedOption {
            name: spec.name,
            values: kind_text(spec.kind),
            default: default(spec),
            axis: can_be_axis(spec.kind),
            help: spec.help,
        })
        .collect()
}

/// Every game.
pub fn games() -> Vec<Listed> {
    crate::games::specs()
        .iter()
        .map(|spec| Listed {
            name: spec.name,
            help: spec.help,
            games: None,
            options: options(spec.options),
        })
        .collect()
}

/// Every agent.
pub fn agents() -> Vec<Listed> {
    crate::agents::specs()
        .iter()
        .map(|spec| Listed {
            name: spec.name,
            help: spec.help,
            games: Some(if spec.games.is_empty() {
                Side::Game.names()
            } else {
                spec.games.to_vec()
            }),
            options: options(spec.options),
        })
        .chain(std::iter::once(Listed {
            name: "human",
            help: "A person at the terminal; plays in `evalctl play` only.",
            games: Some(Side::Game.names()),
            options: Vec::new(),
        }))
        .collect()
}

/// Every key that can be an axis; options of several agents that mean the same are one entry.
pub fn axes() -> Vec<ListedAxis> {
    let mut axes: Vec<ListedAxis> = Vec::new();
    let games = crate::games::specs()
        .iter()
        .map(|spec| ("game", spec.name, spec.options));
    let agents = crate::agents::specs()
        .iter()
        .map(|spec| ("challenger", spec.name, spec.options));
    for (table, name, options) in games.chain(agents) {
        for spec in options.iter().filter(|spec| can_be_axis(spec.kind)) {
            let axis = ListedAxis {
                name: spec.name,
                table,
                of: vec![name],
                values: kind_text(spec.kind),
                default: default(spec),
                help: spec.help,
            };
            let same = axes.iter_mut().find(|known| {
                ListedAxis {
                    of: axis.of.clone(),
                    ..(*known).clone()
                } == axis
            });
            match same {
                Some(known) => known.of.push(name),
                None => axes.push(axis),
            }
        }
    }
    axes
}

/// Games or agents as text for people, at most 80 columns wide.
pub fn listed_text(listed: &[Listed]) -> String {
    let mut text = String::new();
    for entry in listed {
        let _ = writeln!(text, "{}", entry.name);
        paragraph(&mut text, 2, entry.help);
        if let Some(games) = entry.games.as_ref().filter(|games| !games.is_empty()) {
            paragraph(&mut text, 2, &format!("Plays {}.", games.join(", ")));
        }
        for option in &entry.options {
            let _ = writeln!(text, "  {}", option.name);
            option_text(&mut text, &option.values, option.default, option.help);
        }
        text.push('\n');
    }
    text
}

/// Axes as text for people, at most 80 columns wide.
pub fn axes_text(axes: &[ListedAxis]) -> String {
    let mut text = String::new();
    paragraph(
        &mut text,
        0,
        "A list of values makes an axis: one cell of the grid for each value.",
    );
    for (table, title) in [
        ("game", "In [game]:"),
        ("challenger", "In [challenger] and [[challengers]]:"),
    ] {
        let _ = writeln!(text, "\n{title}");
        for axis in axes.iter().filter(|axis| axis.table == table) {
            let _ = writeln!(text, "  {}", axis.name);
            option_text(&mut text, &axis.values, axis.default, axis.help);
            paragraph(&mut text, 6, &format!("Of {}.", axis.of.join(", ")));
        }
    }
    text
}

fn option_text(text: &mut String, values: &str, default: Option<&str>, help: &str) {
    let default = default.map_or_else(
        || "not set by default".to_owned(),
        |d| format!("default {d}"),
    );
    paragraph(text, 6, &format!("{values}; {default}."));
    paragraph(text, 6, help);
}

/// Appends `words`, wrapped at 80 columns and indented.
fn paragraph(text: &mut String, indent: usize, words: &str) {
    let mut column = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > 80 {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of `games.csv` and `cells.csv` that an axis must not be called.
    const COLUMNS: [&str; 50] = [
        "game",
        "cell",
        "challenger",
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
        "games",
        "blocks",
        "distinct_games",
        "wins",
        "draws",
        "losses",
        "truncated",
        "forfeits_challenger",
        "forfeits_opponent",
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
        "claim",
        "kind",
        "cells",
        "estimate",
        "low",
        "high",
        "verdict",
        "why",
        "label",
    ];

    #[test]
    fn no_option_has_the_name_of_a_column_or_of_another_key() {
        for listed in games().into_iter().chain(agents()) {
            for option in listed.options {
                assert!(!COLUMNS.contains(&option.name), "{}", option.name);
                let taken = ["agent", "name", "against", "opening_plies"];
                assert!(!taken.contains(&option.name), "{}", option.name);
            }
        }
    }

    #[test]
    fn every_default_is_a_value_of_its_option() {
        let games = crate::games::specs().iter().map(|spec| spec.options);
        let agents = crate::agents::specs().iter().map(|spec| spec.options);
        for spec in games.chain(agents).flatten() {
            let value = super::super::values::default_value(spec);
            assert_eq!(value.is_some(), !spec.default.is_empty(), "{}", spec.name);
        }
    }

    #[test]
    fn lists_are_complete_and_narrow() {
        let text = listed_text(&agents()) + &listed_text(&games()) + &axes_text(&axes());
        for name in ["random", "ismcts", "durak", "simulations", "deck"] {
            assert!(text.contains(&format!("{name}\n")), "{name}");
        }
        for line in text.lines() {
            assert!(
                line.chars().count() <= 80 || !line.trim().contains(' '),
                "{line}"
            );
        }
        let axes = axes();
        let sims = axes.iter().find(|axis| axis.name == "simulations");
        assert!(sims.is_some_and(|axis| axis.table == "challenger" && axis.of.len() >= 2));
    }
}
