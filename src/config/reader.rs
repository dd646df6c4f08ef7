//! Reading one table key by key: types are checked, unknown keys are named.

use super::document::{Entry, Node, Origin, Raw};
use super::error::{Problems, shown, suggestion};
use super::values;

/// A table being read.
pub(super) struct Reader<'a> {
    /// The table in messages: `[stop]`, empty for the top level.
    pub section: &'a str,
    /// Where it begins.
    pub origin: &'a Origin,
    entries: &'a [Entry],
    problems: &'a mut Problems,
}

impl<'a> Reader<'a> {
    /// Reads `entries`, noting what is wrong in `problems`. Keys that are not `known` are noted
    /// at once.
    pub(super) fn new(
        section: &'a str,
        origin: &'a Origin,
        entries: &'a [Entry],
        known: &[&str],
        problems: &'a mut Problems,
    ) -> Self {
        for entry in entries {
            if !known.contains(&entry.key.as_str()) {
                problems.add(&entry.origin, section, unknown_key(&entry.key, known));
            }
        }
        Self {
            section,
            origin,
            entries,
            problems,
        }
    }

    /// Whether `first` stands before `second`, or one of them is not there.
    pub(super) fn comes_first(&self, first: &str, second: &str) -> bool {
        let place = |key: &str| self.entries.iter().position(|entry| entry.key == key);
        match (place(first), place(second)) {
            (Some(first), Some(second)) => first < second,
            _ => true,
        }
    }

    /// The value of `key`, if it is there.
    pub(super) fn node(&self, key: &str) -> Option<&'a Node> {
        self.entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.node)
    }

    /// Notes that the value of `key` is wrong: `message` goes on after the key.
    pub(super) fn wrong(&mut self, key: &str, message: &str) {
        let origin = self.node(key).map_or(self.origin, |node| &node.origin);
        self.problems
            .add(origin, self.section, format!("`{key}` {message}"));
    }

    /// Notes that the required `key` is missing; `what` says what to write.
    pub(super) fn missing(&mut self, key: &str, what: &str) {
        self.problems.add(
            self.origin,
            self.section,
            format!("`{key}` is missing: {what}"),
        );
    }

    /// A text.
    pub(super) fn text(&mut self, key: &str) -> Option<&'a str> {
        let node = self.node(key)?;
        if let Raw::Text(text) = &node.raw {
            return Some(text);
        }
        let message = format!("must be a text in quotes, not {}", node.raw.described());
        self.wrong(key, &message);
        None
    }

    /// A whole number in `min..=max`.
    pub(super) fn whole(&mut self, key: &str, min: u64, max: u64) -> Option<u64> {
        let node = self.node(key)?;
        if let Raw::Integer(number) = &node.raw
            && let Ok(number) = u64::try_from(*number)
            && (min..=max).contains(&number)
        {
            return Some(number);
        }
        let message = format!(
            "must be a whole number from {min} to {max}, not {}",
            node.raw.described()
        );
        self.wrong(key, &message);
        None
    }

    /// A number that `fits`; `wanted` says which do ("above 0 and below 1").
    pub(super) fn real(
        &mut self,
        key: &str,
        wanted: &str,
        fits: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let node = self.node(key)?;
        if let Some(number) = values::number(&node.raw)
            && number.is_finite()
            && fits(number)
        {
            return Some(number);
        }
        let message = format!("must be a number {wanted}, not {}", node.raw.described());
        self.wrong(key, &message);
        None
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        let node = self.node(key)?;
        if let Raw::Bool(flag) = node.raw {
            return Some(flag);
        }
        let message = format!("must be true or false, not {}", node.raw.described());
        self.wrong(key, &message);
        None
    }

    /// One of `choices`, by its word.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &str,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(key)?;
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text) {
            return Some(*choice);
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let message = format!("cannot be `{}`{}", shown(text), suggestion(text, &words));
        self.wrong(key, &message);
        None
    }

    /// A table, such as `[stop]`.
    pub(super) fn table(&mut self, key: &str) -> Option<(&'a [Entry], &'a Origin)> {
        let node = self.node(key)?;
        if let Raw::Table(entries) = &node.raw {
            return Some((entries, &node.origin));
        }
        let message = format!(
            "must be a table that begins with a line `[{key}]`, not {}",
            node.raw.described()
        );
        self.wrong(key, &message);
        None
    }

    /// A list of tables, such as `[[opponents]]`; empty if the key is not there.
    pub(super) fn tables(&mut self, key: &str) -> Vec<(&'a [Entry], &'a Origin)> {
        let Some(node) = self.node(key) else {
            return Vec::new();
        };
        let message =
            |what: &str| format!("must be tables that each begin with `[[{key}]]`, not {what}");
        let Raw::List(items) = &node.raw else {
            let message = match &node.raw {
                Raw::Table(_) => message(&format!("a single `[{key}]`")),
                other => message(&other.described()),
            };
            self.wrong(key, &message);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            match &item.raw {
                Raw::Table(entries) => tables.push((entries.as_slice(), &item.origin)),
                other => {
                    let message = message(&other.described());
                    self.wrong(key, &message);
                }
            }
        }
        tables
    }

    /// The sink, for parts that read on by themselves.
    pub(super) fn problems(&mut self) -> &mut Problems {
        self.problems
    }
}

/// "unknown key `simulatons`; did you mean `simulations`?"
pub(super) fn unknown_key(key: &str, known: &[&str]) -> String {
    format!("unknown key `{}`{}", shown(key), suggestion(key, known))
}
