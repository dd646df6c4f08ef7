//! TOML as a tree that remembers where every key and value was written.
//!
//! Deserializing with serde would lose the place of a value as soon as it is checked against
//! another one; a tree with an origin at every node lets any later check name the line.

use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Problems};

/// Where something was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// In this line of the file, from 1.
    Line(usize),
    /// In the file, nowhere in particular (a key that is missing).
    File,
    /// In this command-line argument.
    Argument(String),
}

/// A value and where it was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Where.
    pub origin: Origin,
    /// What.
    pub raw: Raw,
}

/// A TOML value.
#[derive(Clone, PartialEq, Debug)]
pub enum Raw {
    /// A string.
    Text(String),
    /// An integer; wider than TOML's so that every seed fits.
    Integer(i128),
    /// A float.
    Real(f64),
    /// A boolean.
    Bool(bool),
    /// A date or a time, which no key takes.
    Date(String),
    /// An array.
    List(Vec<Node>),
    /// A table, its entries in the order of the file.
    Table(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key was written.
    pub origin: Origin,
    /// Its value.
    pub node: Node,
}

impl Raw {
    /// The value in words for messages: "the text `x`".
    pub(super) fn described(&self) -> String {
        match self {
            Self::Text(text) => format!("the text \"{}\"", super::error::shown(text)),
            Self::Integer(i) => format!("{i}"),
            Self::Real(r) => format!("{r:?}"),
            Self::Bool(b) => format!("{b}"),
            Self::Date(text) => format!("the date {text}"),
            Self::List(_) => "a list".to_owned(),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

/// A config larger than this is something else.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// What is said about such a config.
pub(super) fn too_long() -> String {
    format!("is longer than {MAX_BYTES} bytes, which is no config")
}

/// Line numbers of byte offsets.
struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self {
            starts: std::iter::once(0)
                .chain(breaks.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    fn at(&self, offset: usize) -> Origin {
        Origin::Line(self.starts.partition_point(|&start| start <= offset).max(1))
    }
}

/// Reads TOML.
///
/// # Errors
/// Every syntax error, with its line.
pub(super) fn parse(text: &str, path: &str) -> Result<Vec<Entry>, ConfigError> {
    if text.len() > MAX_BYTES {
        return Err(ConfigError::whole(path, too_long()));
    }
    let lines = Lines::of(text);
    let mut problems = Problems::of(path);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let origin = error
            .span()
            .map_or(Origin::File, |span| lines.at(span.start));
        problems.add(
            &origin,
            "",
            format!("is not valid TOML: {}", error.message().replace('\n', ", ")),
        );
    }
    let entries = if problems.is_empty() {
        convert_table(table.get_ref(), &lines, &mut problems)
    } else {
        Vec::new()
    };
    problems.into_result(Some(entries))
}

fn convert_table(table: &DeTable<'_>, lines: &Lines, problems: &mut Problems) -> Vec<Entry> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
        .into_iter()
        .map(|(key, value)| {
            let origin = lines.at(key.span().start);
            // A table's own span may cover all of it: what matters is where its key stands.
            let at = match value.get_ref() {
                DeValue::Table(_) => origin.clone(),
                _ => lines.at(value.span().start),
            };
            Entry {
                key: key.get_ref().to_string(),
                node: Node {
                    raw: convert(value.get_ref(), &at, lines, problems),
                    origin: at,
                },
                origin,
            }
        })
        .collect()
}

fn convert(value: &DeValue<'_>, at: &Origin, lines: &Lines, problems: &mut Problems) -> Raw {
    match value {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) => {
            if let Ok(number) = i128::from_str_radix(number.as_str(), number.radix()) {
                Raw::Integer(number)
            } else {
                problems.add(at, "", "has a whole number that is too large");
                Raw::Integer(0)
            }
        }
        DeValue::Float(number) => Raw::Real(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Raw::Bool(*flag),
        DeValue::Datetime(date) => Raw::Date(date.to_string()),
        DeValue::Array(items) => Raw::List(
            items
                .iter()
                .map(|item| {
                    let origin = lines.at(item.span().start);
                    Node {
                        raw: convert(item.get_ref(), &origin, lines, problems),
                        origin,
                    }
                })
                .collect(),
        ),
        DeValue::Table(table) => Raw::Table(convert_table(table, lines, problems)),
    }
}
