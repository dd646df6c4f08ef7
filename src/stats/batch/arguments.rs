//! Reading a method's inputs from JSON, with errors that name the input.

use super::super::StatsError;
use serde_json::{Map, Value};

/// One input of a method.
#[derive(Debug)]
pub struct Input {
    /// The key in `inputs`.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What it means, in a few words.
    pub help: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
}

impl Input {
    /// An input that must be given.
    pub(super) const fn new(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self {
            name,
            kind,
            help,
            optional: false,
        }
    }

    /// An input that may be left out.
    pub(super) const fn optional(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self {
            name,
            kind,
            help,
            optional: true,
        }
    }
}

/// The type of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A whole number, 0 or more.
    Count,
    /// A list of numbers.
    Numbers,
    /// A list of whole numbers.
    Counts,
    /// A list of lists of numbers.
    Matrix,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl Kind {
    /// What is accepted, in words.
    pub fn expected(self) -> String {
        match self {
            Self::Number => "a number".into(),
            Self::Count => "a whole number, 0 or more".into(),
            Self::Numbers => "a list of numbers".into(),
            Self::Counts => "a list of whole numbers, each 0 or more".into(),
            Self::Matrix => "a list of lists of numbers".into(),
            Self::Flag => "true or false".into(),
            Self::Word(words) => words.join(" or "),
        }
    }
}

/// The inputs of one call, names already checked.
#[derive(Debug)]
pub struct Arguments<'a> {
    inputs: &'static [Input],
    values: &'a Map<String, Value>,
}

impl<'a> Arguments<'a> {
    /// # Errors
    /// If `values` is no object, lacks an input that must be given, or has one that is unknown.
    pub(super) fn new(
        method: &str,
        inputs: &'static [Input],
        values: &'a Value,
    ) -> Result<Self, StatsError> {
        let values = values.as_object().ok_or_else(|| {
            StatsError::argument("inputs", shorten(values), "an object of named inputs")
        })?;
        if let Some(unknown) = values
            .keys()
            .find(|key| inputs.iter().all(|input| input.name != key.as_str()))
        {
            return Err(StatsError::UnknownArgument {
                method: method.to_owned(),
                argument: unknown.clone(),
                known: inputs
                    .iter()
                    .map(|input| input.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            });
        }
        if let Some(missing) = inputs
            .iter()
            .find(|input| !input.optional && !values.contains_key(input.name))
        {
            return Err(StatsError::Missing {
                argument: missing.name.to_owned(),
                expected: missing.kind.expected(),
            });
        }
        Ok(Self { inputs, values })
    }

    /// Whether an optional input was given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// A number, possibly not finite: the method checks the range.
    pub(super) fn number(&self, name: &str) -> Result<f64, StatsError> {
        self.read(name, Kind::Number, as_number)
    }

    /// A whole number.
    pub(super) fn count(&self, name: &str) -> Result<u64, StatsError> {
        self.read(name, Kind::Count, as_count)
    }

    /// A list of numbers.
    pub(super) fn numbers(&self, name: &str) -> Result<Vec<f64>, StatsError> {
        self.read(name, Kind::Numbers, |value| list(value, as_number))
    }

    /// A list of whole numbers.
    pub(super) fn counts(&self, name: &str) -> Result<Vec<u64>, StatsError> {
        self.read(name, Kind::Counts, |value| list(value, as_count))
    }

    /// A list of lists of numbers.
    pub(super) fn matrix(&self, name: &str) -> Result<Vec<Vec<f64>>, StatsError> {
        self.read(name, Kind::Matrix, |value| {
            list(value, |row| list(row, as_number))
        })
    }

    /// `true` or `false`.
    pub(super) fn flag(&self, name: &str) -> Result<bool, StatsError> {
        self.read(name, Kind::Flag, Value::as_bool)
    }

    /// One of the words that the input's [`Kind::Word`] lists.
    pub(super) fn word(&self, name: &str) -> Result<&'a str, StatsError> {
        let kind = self
            .inputs
            .iter()
            .find(|input| input.name == name)
            .map_or(Kind::Word(&[]), |input| input.kind);
        self.read(name, kind, |value| {
            let word = value.as_str()?;
            match kind {
                Kind::Word(words) if words.contains(&word) => Some(word),
                _ => None,
            }
        })
    }

    fn read<T>(
        &self,
        name: &str,
        kind: Kind,
        convert: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<T, StatsError> {
        let value = self.values.get(name).ok_or_else(|| StatsError::Missing {
            argument: name.to_owned(),
            expected: kind.expected(),
        })?;
        convert(value).ok_or_else(|| StatsError::argument(name, shorten(value), kind.expected()))
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("nan") => Some(f64::NAN),
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64(),
    }
}

/// Whole numbers may be written `5` or `5.0`; beyond 2^53 the second form has no exact meaning.
fn as_count(value: &Value) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be whole and in range"
        )]
        ((0.0..=EXACT).contains(&number) && number.fract() == 0.0).then_some(number as u64)
    })
}

fn list<'a, T>(value: &'a Value, convert: impl Fn(&'a Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(convert).collect()
}

/// The value as it is shown in a message: at most 40 characters.
fn shorten(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 {
        return text;
    }
    let start: String = text.chars().take(37).collect();
    format!("{start}...")
}
