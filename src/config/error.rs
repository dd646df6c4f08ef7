//! What is wrong with a config, and where: every problem is one sentence with file, line and key.

use std::fmt;

use super::document::Origin;

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file's path as it was given, or the argument that is wrong.
    pub place: String,
    /// The line in the file, from 1, where there is one.
    pub line: Option<usize>,
    /// The table it is in, such as `[challenger]`; empty at the top level.
    pub section: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if self.section.is_empty() {
            write!(f, ": {}", self.message)
        } else {
            write!(f, ": {} {}", self.section, self.message)
        }
    }
}

/// Everything that is wrong with a config or an argument, a line each, in the order of the file.
/// The command ends with exit code [`ConfigError::EXIT_CODE`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", join(.problems))]
pub struct ConfigError {
    /// The problems; never empty.
    pub problems: Vec<Problem>,
}

/// Problems shown at once: more than a screenful helps nobody.
const SHOWN: usize = 20;

fn join(problems: &[Problem]) -> String {
    let mut lines: Vec<String> = problems
        .iter()
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    if problems.len() > SHOWN {
        lines.push(format!("... and {} more", problems.len() - SHOWN));
    }
    lines.join("\n")
}

impl ConfigError {
    /// The exit code of wrong usage or config, also one that is missing or unreadable.
    pub const EXIT_CODE: u8 = 2;

    /// One problem with `place` as a whole (a file or an argument).
    pub fn whole(place: &str, message: impl Into<String>) -> Self {
        Self {
            problems: vec![Problem {
                place: place.to_owned(),
                line: None,
                section: String::new(),
                message: message.into(),
            }],
        }
    }
}

/// Problems found so far in one file.
#[derive(Debug)]
pub(super) struct Problems {
    file: String,
    list: Vec<Problem>,
}

impl Problems {
    /// None yet in the file with this path.
    pub(super) fn of(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            list: Vec::new(),
        }
    }

    /// Notes a problem; the same one is noted once.
    pub(super) fn add(&mut self, origin: &Origin, section: &str, message: impl Into<String>) {
        let (place, line) = match origin {
            Origin::Line(line) => (self.file.clone(), Some(*line)),
            Origin::File => (self.file.clone(), None),
            Origin::Argument(argument) => (argument.clone(), None),
        };
        let problem = Problem {
            place,
            line,
            section: section.to_owned(),
            message: message.into(),
        };
        if !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// `value` if nothing is wrong.
    pub(super) fn into_result<T>(mut self, value: Option<T>) -> Result<T, ConfigError> {
        match value {
            Some(value) if self.list.is_empty() => Ok(value),
            _ => {
                // The sort is stable: problems of one line stay in the order they were found.
                self.list.sort_by_key(|problem| problem.line);
                Err(ConfigError {
                    problems: self.list,
                })
            }
        }
    }
}

/// The known name nearest to `name`, if it is near enough to be meant.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let folded = |text: &str| text.to_lowercase().replace('-', "_");
    let name = folded(name);
    known
        .iter()
        // Longer texts are no slip of the pen, and comparing them would cost time for nothing.
        .filter(|candidate| name.len() <= candidate.len() + 8)
        .map(|&candidate| {
            (
                strsim::damerau_levenshtein(&name, &folded(candidate)),
                candidate,
            )
        })
        .filter(|(distance, candidate)| {
            // A third of the letters may be wrong: `sims` is not `seats`.
            *distance <= 1 + candidate.len().min(name.len()) / 4
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
        .or_else(|| {
            known
                .iter()
                .find(|candidate| name.len() >= 3 && folded(candidate).starts_with(&name))
                .copied()
        })
}

/// "; did you mean `x`?" or "; known are `x`, `y`": the end of a sentence about an unknown name.
pub(super) fn suggestion(name: &str, known: &[&str]) -> String {
    if let Some(near) = nearest(name, known) {
        return format!("; did you mean `{near}`?");
    }
    match known {
        [] => "; it has none".to_owned(),
        known => format!("; known are {}", quoted(known)),
    }
}

/// "`a`, `b`, `c`".
pub(super) fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect::<Vec<_>>()
        .join(", ")
}

/// `text` for a message: control characters escaped, the middle of long texts left out.
pub(super) fn shown(text: &str) -> String {
    let escaped: String = text
        .chars()
        .take(200)
        .flat_map(char::escape_debug)
        .collect();
    let length = escaped.chars().count();
    if length <= 60 {
        return escaped.replace("\\\"", "\"").replace("\\'", "'");
    }
    let head: String = escaped.chars().take(57).collect();
    format!("{head}...")
}
