//! The config as it was resolved, as canonical TOML.
//!
//! Two configs that mean the same have the same text: overrides are written in, defaults of
//! options are left out, comments and the order of plain keys are gone. What decides about the
//! order of rows (tables, axes and their values) keeps its order. The text is itself a config.

use std::fmt::Write as _;

use super::document::Raw;
use super::entrant::{Entrant, Field};
use super::sweep::{ClaimConfig, Config, SEATS};
use super::values::default_value;
use crate::plan::StopRule;
use crate::spec::Value;

/// A text as TOML.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        // `{:?}` keeps a point or an exponent, so that it reads back as a number of the same kind.
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => quoted(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(table) => {
            let entries: Vec<String> = table
                .iter()
                .map(|(key, text)| format!("{} = {}", quoted(key), quoted(text)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A value as TOML.
pub(super) fn raw_text(raw: &Raw) -> String {
    match raw {
        Raw::Text(text) => quoted(text),
        Raw::Integer(number) => number.to_string(),
        Raw::Real(number) => format!("{number:?}"),
        Raw::Bool(flag) => flag.to_string(),
        Raw::Date(date) => date.clone(),
        Raw::List(items) => {
            let items: Vec<String> = items.iter().map(|node| raw_text(&node.raw)).collect();
            format!("[{}]", items.join(", "))
        }
        Raw::Table(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|entry| format!("{} = {}", quoted(&entry.key), raw_text(&entry.node.raw)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

fn field_text(field: &Field) -> String {
    if let Some(factor) = field.link {
        return format!("{{ challenger = {factor:?} }}");
    }
    let values: Vec<String> = field.values.iter().map(value_text).collect();
    if field.axis {
        format!("[{}]", values.join(", "))
    } else {
        values.concat()
    }
}

impl Entrant {
    /// The lines of its table: the name, plain options by name, then axes in their order.
    pub(super) fn lines(&self) -> String {
        let mut text = String::new();
        let mut plain: Vec<&Field> = self
            .fields
            .iter()
            .filter(|field| !field.axis && !self.is_default(field))
            .collect();
        plain.sort_by_key(|field| (field.key != self.side.name_key(), &field.key));
        for field in plain.into_iter().chain(self.axes()) {
            let _ = writeln!(text, "{} = {}", field.key, field_text(field));
        }
        if let Some(label) = &self.label {
            let _ = writeln!(text, "label = {}", quoted(label));
        }
        text
    }

    fn is_default(&self, field: &Field) -> bool {
        if field.key == self.side.name_key() || field.link.is_some() {
            return false;
        }
        let names = self.field(self.side.name_key());
        let mut specs = names
            .into_iter()
            .flat_map(|names| &names.values)
            .filter_map(|name| self.side.options(&name.to_string()))
            .filter_map(|options| options.iter().find(|spec| spec.name == field.key));
        specs.all(|spec| default_value(spec).as_ref() == field.values.first())
    }
}

pub(super) fn stop_text(stop: &StopRule) -> String {
    match stop {
        StopRule::Fixed => "[stop]\nrule = \"fixed\"\n".to_owned(),
        StopRule::Precision { width } => {
            format!("[stop]\nrule = \"precision\"\nwidth = {width:?}\n")
        }
        StopRule::Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        } => format!(
            "[stop]\nrule = \"sprt\"\nelo0 = {elo0:?}\nelo1 = {elo1:?}\nalpha = {alpha:?}\nbeta = {beta:?}\n"
        ),
    }
}

fn claim_text(claim: &ClaimConfig) -> String {
    let mut text = format!(
        "\n[[claims]]\nname = {}\nkind = \"{}\"\n",
        quoted(&claim.name),
        claim.kind.word()
    );
    for (key, name) in [
        ("opponent", &claim.opponent),
        ("challenger", &claim.challenger),
    ] {
        if let Some((name, _)) = name {
            let _ = writeln!(text, "{key} = {}", quoted(name));
        }
    }
    if !claim.filter.is_empty() {
        let axes: Vec<String> = claim
            .filter
            .iter()
            .map(|(axis, _, nodes)| {
                let values: Vec<String> = nodes.iter().map(|node| raw_text(&node.raw)).collect();
                format!("{} = [{}]", quoted(axis), values.join(", "))
            })
            .collect();
        let _ = writeln!(text, "where = {{ {} }}", axes.join(", "));
    }
    for (key, number) in [("threshold", claim.threshold), ("margin", claim.margin)] {
        if let Some(number) = number {
            let _ = writeln!(text, "{key} = {number:?}");
        }
    }
    text
}

impl Config {
    /// The config as canonical TOML.
    pub fn resolved(&self) -> String {
        let seats = SEATS
            .iter()
            .find(|(_, mode)| *mode == self.seats)
            .map_or("rotate", |(word, _)| *word);
        let mut text = format!(
            "name = {}\nseed = {}\ngames = {}\nconfidence = {:?}\nseats = \"{seats}\"\nplacebo = {}\n",
            quoted(&self.name),
            self.seed,
            self.games,
            self.confidence,
            self.placebo,
        );
        let game = format!(
            "\n[game]\n{}opening_plies = {}\n",
            self.game.lines(),
            self.opening_plies
        );
        if self.game_first {
            text.push_str(&game);
        }
        for challenger in &self.challengers {
            text.push_str("\n[[challengers]]\n");
            text.push_str(&challenger.entrant.lines());
            if let Some(against) = &challenger.against {
                let names: Vec<String> = against.iter().map(|(name, _)| quoted(name)).collect();
                let _ = writeln!(text, "against = [{}]", names.join(", "));
            }
        }
        if !self.game_first {
            text.push_str(&game);
        }
        for opponent in &self.opponents {
            text.push_str("\n[[opponents]]\n");
            text.push_str(&opponent.lines());
        }
        text.push('\n');
        text.push_str(&stop_text(&self.stop));
        for claim in &self.claims {
            text.push_str(&claim_text(claim));
        }
        text
    }
}
