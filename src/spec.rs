//! What can be named: games and agents with their options, defaults and meanings.
//!
//! One declaration per option serves the config, the command line (`name:key=value`), `evalctl
//! list`, the editor schema and the error messages, so that none of them can drift apart.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{PoisonError, RwLock};

/// The kind and range of an option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionKind {
    /// A whole number, `min..=max`.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A finite number, `min..=max`.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of these words. `on`/`off` and `yes`/`no` are also accepted as booleans.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts (never an axis).
    TextList,
    /// A table of texts (never an axis).
    TextTable,
}

/// An option of a game or an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptionSpec {
    /// The key.
    pub name: &'static str,
    /// Kind and range.
    pub kind: OptionKind,
    /// The default as text; empty means "not set".
    pub default: &'static str,
    /// One sentence: what it does, its unit, its source.
    pub help: &'static str,
}

/// A game that can be named.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameSpec {
    /// The name.
    pub name: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
}

/// An agent that can be named.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentSpec {
    /// The name.
    pub name: &'static str,
    /// One sentence, with the paper where there is one.
    pub help: &'static str,
    /// Names of the games it plays; empty means all.
    pub games: &'static [&'static str],
    /// Its options.
    pub options: &'static [OptionSpec],
}

impl AgentSpec {
    /// Whether it has a budget of search.
    pub fn searches(&self) -> bool {
        let budget = |option: &OptionSpec| matches!(option.name, "simulations" | "millis");
        self.options.iter().any(budget)
    }
}

/// What can be named: the specs of this crate, then those that a program of one's own registers.
pub(crate) struct Registry<S: 'static>(RwLock<&'static [&'static S]>);

impl<S> Registry<S> {
    /// Of the specs of this crate.
    pub(crate) const fn new(ours: &'static [&'static S]) -> Self {
        Self(RwLock::new(ours))
    }

    /// All of them.
    pub(crate) fn all(&self) -> &'static [&'static S] {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one, unless `same` is true of it and one that is there; whether it was added.
    pub(crate) fn add(&self, spec: &'static S, same: fn(&S, &S) -> bool) -> bool {
        let mut specs = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if specs.iter().any(|known| same(known, spec)) {
            return false;
        }
        // Specs live as long as the process, and there are a handful of them.
        *specs = Vec::leak(specs.iter().copied().chain([spec]).collect());
        true
    }
}

/// The value of an option.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Of [`OptionKind::Integer`].
    Integer(i64),
    /// Of [`OptionKind::Real`].
    Real(f64),
    /// Of [`OptionKind::Choice`] or [`OptionKind::Text`].
    Text(String),
    /// Of [`OptionKind::TextList`].
    List(Vec<String>),
    /// Of [`OptionKind::TextTable`].
    Table(BTreeMap<String, String>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(i) => write!(f, "{i}"),
            // The shortest text that reads back as the same number: exact and the same everywhere.
            Self::Real(r) => write!(f, "{r}"),
            Self::Text(t) => f.write_str(t),
            Self::List(items) => write!(f, "{items:?}"),
            Self::Table(table) => write!(f, "{table:?}"),
        }
    }
}

/// A name with the values of the options that were set, already checked against its spec:
/// `ismcts:exploration=0.7,simulations=1000`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// The game's or agent's name.
    pub name: String,
    /// Options that were set, by key. A value equal to the default is kept out, so that writing a
    /// default down changes no seed.
    pub values: BTreeMap<String, Value>,
}

impl Settings {
    /// Settings without options.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            values: BTreeMap::new(),
        }
    }

    /// The integer set for `key`, if any.
    pub fn integer(&self, key: &str) -> Option<i64> {
        match self.values.get(key) {
            Some(Value::Integer(i)) => Some(*i),
            _ => None,
        }
    }

    /// The number set for `key`, if any (an integer counts as a number).
    pub fn real(&self, key: &str) -> Option<f64> {
        match self.values.get(key) {
            Some(Value::Real(r)) => Some(*r),
            #[expect(clippy::cast_precision_loss, reason = "options are far below 2^53")]
            Some(Value::Integer(i)) => Some(*i as f64),
            _ => None,
        }
    }

    /// The text set for `key`, if any.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.values.get(key) {
            Some(Value::Text(t)) => Some(t),
            _ => None,
        }
    }

    /// The canonical text: `name` or `name:key=value,...`, keys sorted, only what differs from
    /// the defaults. It is the CONTENT that seeds are derived from.
    pub fn canonical(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.values.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}
