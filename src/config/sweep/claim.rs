//! Reading a claim.

use crate::config::document::{Entry, Node, Origin, Raw};
use crate::config::error::{Problems, quoted};
use crate::config::reader::Reader;
use crate::plan::ClaimKind;

/// Keys of a claim.
const CLAIM_KEYS: [&str; 7] = [
    "name",
    "kind",
    "opponent",
    "challenger",
    "where",
    "threshold",
    "margin",
];

/// A claim as it was written.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::config) struct ClaimConfig {
    pub origin: Origin,
    pub name: String,
    pub kind: ClaimKind,
    pub opponent: Option<(String, Origin)>,
    pub challenger: Option<(String, Origin)>,
    /// Axis and the values it may have.
    pub filter: Vec<(String, Origin, Vec<Node>)>,
    pub threshold: Option<f64>,
    pub margin: Option<f64>,
}

pub(super) fn read_claim(
    table: &[Entry],
    origin: &Origin,
    problems: &mut Problems,
) -> Option<ClaimConfig> {
    let section = "[[claims]]";
    let mut reader = Reader::new(section, origin, table, &CLAIM_KEYS, problems);
    let name = match reader.text("name") {
        Some(name) if name.trim().is_empty() || name.chars().count() > 200 => {
            reader.wrong("name", "must have 1 to 200 characters");
            None
        }
        Some(name) if name.chars().any(char::is_control) => {
            reader.wrong("name", "must be one line without control characters");
            None
        }
        None if reader.node("name").is_none() => {
            reader.missing("name", "write the claim as a sentence");
            None
        }
        name => name,
    };
    let kinds: Vec<(&str, ClaimKind)> = ClaimKind::ALL
        .into_iter()
        .map(|kind| (kind.word(), kind))
        .collect();
    let kind = reader.choice("kind", &kinds);
    if reader.node("kind").is_none() {
        let words: Vec<&str> = kinds.iter().map(|(word, _)| *word).collect();
        reader.missing("kind", &format!("one of {}", quoted(&words)));
    }
    let mut named = |key: &str| {
        let text = reader.text(key)?;
        let origin = reader.node(key)?.origin.clone();
        Some((text.to_owned(), origin))
    };
    let (opponent, challenger) = (named("opponent"), named("challenger"));
    let threshold = reader.real("threshold", "above 0 and below 1 (a mean score)", |t| {
        t > 0.0 && t < 1.0
    });
    let margin = reader.real(
        "margin",
        "above 0 and below 1 (a difference in score)",
        |m| m > 0.0 && m < 1.0,
    );
    if kind == Some(ClaimKind::Equivalent) && reader.node("margin").is_none() {
        reader.missing(
            "margin",
            "an equivalence claim must say what is equal enough, such as margin = 0.05",
        );
    }
    let filter = reader.table("where").map_or_else(Vec::new, |(entries, _)| {
        entries
            .iter()
            .map(|entry| {
                let values = match &entry.node.raw {
                    Raw::List(items) => items.clone(),
                    _ => vec![entry.node.clone()],
                };
                (entry.key.clone(), entry.origin.clone(), values)
            })
            .collect()
    });
    Some(ClaimConfig {
        origin: origin.clone(),
        name: name?.to_owned(),
        kind: kind?,
        opponent,
        challenger,
        filter,
        threshold,
        margin,
    })
}
