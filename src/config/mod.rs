//! From what was typed to what will be done: configs and command lines become validated plans.
//!
//! [`parse`] reads the config of a sweep and [`Config::plan`] expands it; whatever is wrong is
//! said before a game is played, each problem a sentence with file, line, key and remedy.

mod changes;
mod claims;
mod document;
mod entrant;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod grid;
pub mod list;
mod overrides;
mod reader;
mod resolve;
mod schema;
mod sweep;
pub mod tournament;
pub mod typed;
mod values;

#[cfg(test)]
mod tests;

pub use changes::{Changes, changes};
pub use error::{ConfigError, Problem};
pub use grid::MAX_CELLS;
pub use overrides::Overrides;
pub use schema::schema;
pub use sweep::{Config, MAX_GAMES, MAX_OPENING_PLIES, check_name, parse, safe_name};
pub use values::default_value;

/// The plan of a config of either kind: of a tournament if it has `players`, else of a sweep. For
/// texts of [`Config::resolved`] in a manifest, and wherever a command takes both.
///
/// # Errors
/// As [`parse`] and [`Config::plan`], or those of [`tournament`].
pub fn plan(
    text: &str,
    path: &str,
    overrides: &Overrides,
) -> Result<crate::plan::Plan, ConfigError> {
    let entries = document::parse(text, path)?;
    if entries.iter().any(|entry| entry.key == "players") {
        tournament::parse(text, path, overrides)?.plan()
    } else {
        parse(text, path, overrides)?.plan()
    }
}

/// The text of a config file.
///
/// # Errors
/// If it is missing, unreadable or no text; the command ends with exit code 2.
pub fn read_file(path: &std::path::Path) -> Result<String, ConfigError> {
    let shown = path.display().to_string();
    let bytes = read_at_most(path, document::MAX_BYTES + 1).map_err(|error| {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such config file".to_owned(),
            std::io::ErrorKind::IsADirectory => "is a folder, not a config file".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        ConfigError::whole(&shown, message)
    })?;
    if bytes.len() > document::MAX_BYTES {
        return Err(ConfigError::whole(&shown, document::too_long()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ConfigError::whole(
            &shown,
            format!("is not UTF-8 text (byte {at}): save it as UTF-8"),
        )
    })
}

/// The first `most` bytes of a file: a path may lead to a device that never ends.
fn read_at_most(path: &std::path::Path, most: usize) -> std::io::Result<Vec<u8>> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(most as u64)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
