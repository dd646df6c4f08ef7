//! `evalctl list` and `evalctl schema`: what can be named.

use std::io::Write as _;

use super::args::{Format, ListArgs, ListWhat};
use super::error::Failure;
use crate::config::list;

pub(super) fn run(args: &ListArgs) -> Result<(), Failure> {
    let text = match (args.what, args.format) {
        (ListWhat::Games, Format::Text) => list::listed_text(&list::games()),
        (ListWhat::Agents, Format::Text) => list::listed_text(&list::agents()),
        (ListWhat::Axes, Format::Text) => list::axes_text(&list::axes()),
        (ListWhat::Games, Format::Json) => json(&list::games())?,
        (ListWhat::Agents, Format::Json) => json(&list::agents())?,
        (ListWhat::Axes, Format::Json) => json(&list::axes())?,
    };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// A value as indented JSON with a last newline.
pub(super) fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::failed(format!("cannot write JSON: {error}")))
}
