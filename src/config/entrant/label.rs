//! Names of challengers and opponents in tables and files.

use super::Entrant;
use crate::spec::{Settings, Value};

/// The names of all `entrants` in tables and files, by variant: the label if one was given, else
/// the agent's name, with its options where two share a name.
pub(in crate::config) fn label_of(
    entrants: &[Entrant],
    index: usize,
    settings: &Settings,
) -> String {
    let Some(entrant) = entrants.get(index) else {
        return settings.name.clone();
    };
    if let Some(label) = &entrant.label {
        return label.clone();
    }
    let shared = entrants.iter().enumerate().any(|(other, entrant)| {
        other != index && entrant.label.is_none() && entrant.names().contains(&settings.name)
    });
    let links = entrant.fields.iter().any(|field| field.link.is_some());
    let command = settings.text("command");
    match command {
        Some(command) if settings.name == "exec" => format!("exec:{command}"),
        _ if shared || links => with_options(entrant, settings),
        _ => settings.name.clone(),
    }
}

/// `name:key=value,...` with the options that are no axes.
fn with_options(entrant: &Entrant, settings: &Settings) -> String {
    let mut plain = settings.clone();
    for field in &entrant.fields {
        if field.axis {
            plain.values.remove(&field.key);
        }
        if let Some(factor) = field.link {
            let value = Value::Text(format!("{factor}x"));
            plain.values.insert(field.key.clone(), value);
        }
    }
    plain.to_string()
}
