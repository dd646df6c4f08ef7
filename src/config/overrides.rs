//! `--set key.path=value`, `--seed` and `--games`: what is typed over a config.

use super::document::{self, Entry, Node, Origin, Raw};
use super::error::{ConfigError, quoted, shown, suggestion};

/// Values typed over a config, applied before it is checked, so that they meet the same checks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--games` (per cell).
    pub games: Option<u64>,
    /// `--set` arguments, `key.path=value` each, applied in order. The path is written as a TOML
    /// key; tables of a list are addressed by number from 0 or by name
    /// (`opponents.lowest.simulations`, `claims."MCTS beats random".threshold`). The value is
    /// TOML, or plain text where it is no TOML value.
    pub set: Vec<String>,
}

/// Keys by which the tables of a list are known.
const NAME_KEYS: [&str; 3] = ["label", "name", "agent"];

impl Overrides {
    /// Writes the overrides into the tree.
    ///
    /// # Errors
    /// If a path does not lead anywhere.
    pub(super) fn apply(&self, entries: &mut Vec<Entry>) -> Result<(), ConfigError> {
        for argument in &self.set {
            apply_one(entries, argument)?;
        }
        for (key, value) in [("seed", self.seed), ("games", self.games)] {
            if let Some(value) = value {
                let origin = Origin::Argument(format!("--{key} {value}"));
                put(entries, key, &origin, Raw::Integer(value.into()));
            }
        }
        Ok(())
    }
}

fn put(entries: &mut Vec<Entry>, key: &str, origin: &Origin, raw: Raw) {
    let node = Node {
        origin: origin.clone(),
        raw,
    };
    match entries.iter_mut().find(|entry| entry.key == key) {
        Some(entry) => {
            entry.origin = origin.clone();
            entry.node = node;
        }
        None => entries.push(Entry {
            key: key.to_owned(),
            origin: origin.clone(),
            node,
        }),
    }
}

fn apply_one(entries: &mut Vec<Entry>, argument: &str) -> Result<(), ConfigError> {
    let place = format!("--set {}", shown(argument));
    let fail = |message: String| ConfigError::whole(&place, message);
    let (path, value) = split(argument).ok_or_else(|| {
        fail(
            "must be KEY=VALUE, such as `challenger.simulations=[100, 1000]` or `games=50`"
                .to_owned(),
        )
    })?;
    let keys = key_path(path).ok_or_else(|| {
        fail(format!(
            "`{}` is no key: write names joined by dots, quoted where they hold other characters than letters, digits, `-` and `_`",
            shown(path)
        ))
    })?;
    let origin = Origin::Argument(place.clone());
    let raw = at_origin(parse_value(value), &origin);
    set(entries, &keys, &origin, raw).map_err(fail)
}

/// Splits at the first `=` outside quotes.
fn split(argument: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, c) in argument.char_indices() {
        match (quote, c) {
            (None, '=') => return Some((argument[..at].trim(), argument[at + 1..].trim())),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

fn key_path(path: &str) -> Option<Vec<String>> {
    if path.contains(['\n', '\r']) {
        return None;
    }
    let mut entries = document::parse(&format!("{path} = 0"), "").ok()?;
    let mut keys = Vec::new();
    loop {
        let [entry] = entries.as_slice() else {
            return None;
        };
        keys.push(entry.key.clone());
        match &entry.node.raw {
            Raw::Table(inner) => entries = inner.clone(),
            _ => return Some(keys),
        }
    }
}

/// The value as TOML if it is one, else as text: `agent=uct` needs no quotes in a shell.
fn parse_value(value: &str) -> Raw {
    document::parse(&format!("v = {value}"), "")
        .ok()
        .and_then(|entries| match entries.as_slice() {
            [entry] => Some(entry.node.raw.clone()),
            _ => None,
        })
        .unwrap_or_else(|| Raw::Text(value.to_owned()))
}

/// `raw` with every inner value said to come from `origin`.
fn at_origin(raw: Raw, origin: &Origin) -> Raw {
    let node = |node: Node| Node {
        origin: origin.clone(),
        raw: at_origin(node.raw, origin),
    };
    match raw {
        Raw::List(items) => Raw::List(items.into_iter().map(node).collect()),
        Raw::Table(entries) => Raw::Table(
            entries
                .into_iter()
                .map(|entry| Entry {
                    key: entry.key,
                    origin: origin.clone(),
                    node: node(entry.node),
                })
                .collect(),
        ),
        other => other,
    }
}

fn set(entries: &mut Vec<Entry>, keys: &[String], origin: &Origin, raw: Raw) -> Result<(), String> {
    let Some((key, rest)) = keys.split_first() else {
        return Ok(());
    };
    if rest.is_empty() {
        put(entries, key, origin, raw);
        return Ok(());
    }
    if !entries.iter().any(|entry| entry.key == *key) {
        if key == "challenger" && entries.iter().any(|entry| entry.key == "challengers") {
            return Err(
                "this config has [[challengers]] and no [challenger]: write challengers.NAME.KEY=VALUE, or challengers.0 for the first"
                    .to_owned(),
            );
        }
        put(entries, key, origin, Raw::Table(Vec::new()));
    }
    let Some(entry) = entries.iter_mut().find(|entry| entry.key == *key) else {
        return Ok(());
    };
    match &mut entry.node.raw {
        Raw::Table(inner) => set(inner, rest, origin, raw),
        Raw::List(items) => {
            let index = item_index(items, key, &rest[0])?;
            match items.get_mut(index).map(|node| &mut node.raw) {
                Some(Raw::Table(inner)) if rest.len() > 1 => set(inner, &rest[1..], origin, raw),
                Some(item) if rest.len() == 1 => {
                    *item = raw;
                    Ok(())
                }
                _ => Err(format!("`{key}` holds no tables")),
            }
        }
        _ => Err(format!(
            "`{key}` is no table, so it has no `{}`",
            rest.join(".")
        )),
    }
}

fn item_index(items: &[Node], key: &str, wanted: &str) -> Result<usize, String> {
    if let Ok(index) = wanted.parse::<usize>() {
        return if index < items.len() {
            Ok(index)
        } else {
            Err(format!(
                "there is no `{key}.{index}`: `{key}` has {} entries, counted from 0",
                items.len()
            ))
        };
    }
    if !items.iter().any(|item| matches!(item.raw, Raw::Table(_))) {
        return Err(format!("`{key}` holds no tables"));
    }
    let names: Vec<Vec<&str>> = items
        .iter()
        .map(|item| match &item.raw {
            Raw::Table(entries) => entries
                .iter()
                .filter(|entry| NAME_KEYS.contains(&entry.key.as_str()))
                .filter_map(|entry| match &entry.node.raw {
                    Raw::Text(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        })
        .collect();
    let found: Vec<usize> = (0..items.len())
        .filter(|&index| names[index].contains(&wanted))
        .collect();
    match found.as_slice() {
        [index] => Ok(*index),
        [] => Err(format!(
            "no entry of `{key}` is called `{}`{}",
            shown(wanted),
            suggestion(wanted, &names.concat())
        )),
        several => Err(format!(
            "`{}` is ambiguous: say which by number ({})",
            shown(wanted),
            quoted(
                &several
                    .iter()
                    .map(|index| format!("{key}.{index}"))
                    .collect::<Vec<_>>()
            )
        )),
    }
}
