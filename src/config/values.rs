//! Values of options, checked against their declared kind and range.

use std::collections::BTreeMap;

use super::document::Raw;
use super::error::{nearest, quoted, shown};
use crate::spec::{OptionKind, OptionSpec, Value};

/// The value that `raw` gives to an option of this kind.
///
/// # Errors
/// The rest of a sentence that begins with the key: "must be ...".
pub(super) fn checked(raw: &Raw, kind: OptionKind) -> Result<Value, String> {
    match kind {
        OptionKind::Integer { min, max } => integer(raw, min, max),
        OptionKind::Real { min, max } => real(raw, min, max),
        OptionKind::Choice(words) => choice(raw, words),
        OptionKind::Text => match raw {
            Raw::Text(text) => Ok(Value::Text(text.clone())),
            other => Err(format!(
                "must be a text in quotes, not {}",
                other.described()
            )),
        },
        OptionKind::TextList => texts(raw),
        OptionKind::TextTable => table(raw),
    }
}

fn integer(raw: &Raw, min: i64, max: i64) -> Result<Value, String> {
    let wanted = || format!("must be a whole number {}", span(&min, &max, min, max));
    match raw {
        Raw::Integer(number) => match i64::try_from(*number) {
            Ok(number) if (min..=max).contains(&number) => Ok(Value::Integer(number)),
            _ => Err(format!("{}, not {number}", wanted())),
        },
        Raw::Real(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            Err(format!("{}: write {number} without a point", wanted()))
        }
        other => Err(format!("{}, not {}", wanted(), other.described())),
    }
}

/// "from 1 to 10", "of at least 1" where the upper end is no limit.
fn span<T: std::fmt::Display>(low: &T, high: &T, min: i64, max: i64) -> String {
    match (min == i64::MIN, max == i64::MAX) {
        (_, false) if min != i64::MIN => format!("from {low} to {high}"),
        (true, false) => format!("of at most {high}"),
        (false, true) => format!("of at least {low}"),
        _ => String::new(),
    }
    .trim_end()
    .to_owned()
}

fn real(raw: &Raw, min: f64, max: f64) -> Result<Value, String> {
    let wanted = || match (min > -1e300, max < 1e300) {
        (true, true) => format!("must be a number from {min} to {max}"),
        (true, false) => format!("must be a number of at least {min}"),
        (false, true) => format!("must be a number of at most {max}"),
        (false, false) => "must be a finite number".to_owned(),
    };
    match number(raw) {
        Some(number) if number.is_finite() && number >= min && number <= max => {
            Ok(Value::Real(number))
        }
        _ => Err(format!("{}, not {}", wanted(), raw.described())),
    }
}

/// The number `raw` is, if it is one; never `-0`.
pub(super) fn number(raw: &Raw) -> Option<f64> {
    match raw {
        Raw::Real(number) => Some(*number + 0.0),
        #[expect(
            clippy::cast_precision_loss,
            reason = "beyond 2^53 no option has a use for the last digits"
        )]
        Raw::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

fn choice(raw: &Raw, words: &'static [&'static str]) -> Result<Value, String> {
    let given = word(raw, words);
    match &given {
        Some(given) if words.contains(&given.as_str()) => Ok(Value::Text(given.clone())),
        _ => {
            let near = match raw {
                Raw::Text(text) => nearest(text, words),
                _ => None,
            };
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Err(format!(
                "must be one of {}, not {}{hint}",
                quoted(words),
                raw.described()
            ))
        }
    }
}

/// The word that `raw` stands for among `words`: `true` for `on` or `yes`, 36 for `36`.
fn word(raw: &Raw, words: &[&str]) -> Option<String> {
    match raw {
        Raw::Text(text) => Some(text.clone()),
        Raw::Integer(number) => Some(number.to_string()),
        Raw::Bool(flag) => {
            let candidates = if *flag { ["on", "yes"] } else { ["off", "no"] };
            candidates
                .into_iter()
                .find(|candidate| words.contains(candidate))
                .map(str::to_owned)
        }
        _ => None,
    }
}

fn texts(raw: &Raw) -> Result<Value, String> {
    let Raw::List(items) = raw else {
        return Err(format!("must be a list of texts, not {}", raw.described()));
    };
    items
        .iter()
        .map(|item| match &item.raw {
            Raw::Text(text) => Ok(text.clone()),
            other => Err(format!(
                "must be a list of texts, but holds {}",
                other.described()
            )),
        })
        .collect::<Result<_, _>>()
        .map(Value::List)
}

fn table(raw: &Raw) -> Result<Value, String> {
    let Raw::Table(entries) = raw else {
        return Err(format!("must be a table of texts, not {}", raw.described()));
    };
    entries
        .iter()
        .map(|entry| match &entry.node.raw {
            Raw::Text(text) => Ok((entry.key.clone(), text.clone())),
            other => Err(format!(
                "must be a table of texts, but `{}` is {}",
                shown(&entry.key),
                other.described()
            )),
        })
        .collect::<Result<BTreeMap<_, _>, _>>()
        .map(Value::Table)
}

/// A value typed on the command line, read as the option's kind asks.
pub(super) fn typed(text: &str, kind: OptionKind) -> Raw {
    match kind {
        OptionKind::Integer { .. } | OptionKind::Real { .. } => text
            .parse::<i128>()
            .map(Raw::Integer)
            .or_else(|_| text.parse::<f64>().map(Raw::Real))
            .unwrap_or_else(|_| Raw::Text(text.to_owned())),
        OptionKind::Choice(_) => match text {
            "true" => Raw::Bool(true),
            "false" => Raw::Bool(false),
            text => Raw::Text(text.to_owned()),
        },
        OptionKind::Text | OptionKind::TextList | OptionKind::TextTable => {
            Raw::Text(text.to_owned())
        }
    }
}

/// The default of an option; `None` if it is not set by default.
pub fn default_value(spec: &OptionSpec) -> Option<Value> {
    if spec.default.is_empty() {
        return None;
    }
    checked(&typed(spec.default, spec.kind), spec.kind).ok()
}

/// Whether a value written in a claim's `where` is this value of an axis.
pub(super) fn matches(raw: &Raw, value: &Value) -> bool {
    match (raw, value) {
        (_, Value::Integer(integer)) => match raw {
            Raw::Integer(number) => *number == i128::from(*integer),
            _ => false,
        },
        (_, Value::Real(real)) => {
            number(raw).is_some_and(|number| number.to_bits() == real.to_bits())
        }
        (_, Value::Text(text)) => word(raw, &[text.as_str()]).is_some_and(|word| word == *text),
        (_, Value::List(_) | Value::Table(_)) => false,
    }
}
