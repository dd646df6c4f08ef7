//! What differs between two resolved configs, and whether results of one can go on under the other.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{self, Entry, Node, Raw};
use super::resolve::raw_text;

/// What differs between two resolved configs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Keys that change what is played: the results belong to another experiment (exit code 65).
    pub played: Vec<String>,
    /// Keys that change only what is made of the results (claims, confidence, the name).
    pub analysis: Vec<String>,
    /// Games per cell before and after, if they differ: more extend the experiment.
    pub games: Option<(u64, u64)>,
}

impl Changes {
    /// Whether the experiment of the old config can go on under the new one.
    pub fn can_continue(&self) -> bool {
        self.played.is_empty() && self.games.is_none_or(|(before, after)| after >= before)
    }
}

/// What differs between two texts of [`super::Config::resolved`] (or of a tournament's). Keys are paths
/// as `--set` takes them. A text that is no TOML differs in everything.
pub fn changes(old: &str, new: &str) -> Changes {
    let (Ok(old), Ok(new)) = (document::parse(old, ""), document::parse(new, "")) else {
        return Changes {
            played: vec!["the whole config".to_owned()],
            ..Changes::default()
        };
    };
    let mut keys = BTreeSet::new();
    compare_tables(&old, &new, "", &mut keys);
    let selects = |entries: &[Entry]| {
        text_at(entries, &["claims"]).is_some_and(|claims| claims.contains("kind=\"best\""))
    };
    let (selects, selected) = (selects(&new), selects(&old));
    let looks = [&old, &new].into_iter().any(|entries| {
        text_at(entries, &["stop", "rule"]).is_some_and(|rule| rule == "\"precision\"")
    });
    let mut changes = Changes::default();
    for key in keys {
        let top = key.split('.').next().unwrap_or_default();
        match top {
            "games" => {
                let count = |entries| {
                    text_at(entries, &["games"]).and_then(|text| text.parse::<u64>().ok())
                };
                changes.games = count(&old).zip(count(&new));
            }
            "name" => changes.analysis.push(key),
            "claims" if !selects && !selected => changes.analysis.push(key),
            "confidence" if !looks => changes.analysis.push(key),
            _ => changes.played.push(key),
        }
    }
    changes
}

fn text_at(entries: &[Entry], path: &[&str]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let node = &entries.iter().find(|entry| entry.key == *first)?.node;
    match (&node.raw, rest) {
        (raw, []) => Some(flat(raw)),
        (Raw::Table(inner), rest) => text_at(inner, rest),
        _ => None,
    }
}

/// A value in one line, whatever the order of keys.
fn flat(raw: &Raw) -> String {
    match raw {
        Raw::List(items) => {
            let items: Vec<String> = items.iter().map(|node| flat(&node.raw)).collect();
            format!("[{}]", items.join(","))
        }
        Raw::Table(entries) => {
            let entries: BTreeMap<&str, String> = entries
                .iter()
                .map(|entry| (entry.key.as_str(), flat(&entry.node.raw)))
                .collect();
            let entries: Vec<String> = entries
                .into_iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        other => raw_text(other),
    }
}

fn path_to(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}

fn compare_tables(old: &[Entry], new: &[Entry], prefix: &str, keys: &mut BTreeSet<String>) {
    let find = |entries: &[Entry], key: &str| {
        entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| entry.node.clone())
    };
    for entry in old.iter().chain(new) {
        let path = path_to(prefix, &entry.key);
        match (find(old, &entry.key), find(new, &entry.key)) {
            (Some(old), Some(new)) => compare(&old, &new, &path, keys),
            _ => {
                keys.insert(path);
            }
        }
    }
    let order = |entries: &[Entry]| -> Vec<String> {
        entries
            .iter()
            .filter(|entry| matches!(entry.node.raw, Raw::List(_) | Raw::Table(_)))
            .map(|entry| entry.key.clone())
            .collect()
    };
    if keys.is_empty() && order(old) != order(new) {
        keys.insert(path_to(prefix, "(order of the axes)"));
    }
}

fn compare(old: &Node, new: &Node, path: &str, keys: &mut BTreeSet<String>) {
    match (&old.raw, &new.raw) {
        (Raw::Table(old), Raw::Table(new)) => compare_tables(old, new, path, keys),
        (Raw::List(before), Raw::List(after))
            if before
                .iter()
                .chain(after)
                .all(|node| matches!(node.raw, Raw::Table(_))) =>
        {
            for index in 0..before.len().max(after.len()) {
                let path = format!("{path}.{index}");
                match (before.get(index), after.get(index)) {
                    (Some(old), Some(new)) => compare(old, new, &path, keys),
                    _ => {
                        keys.insert(path);
                    }
                }
            }
        }
        (old, new) if flat(old) != flat(new) => {
            keys.insert(path.to_owned());
        }
        _ => {}
    }
}
