//! Reading a table that names a game or an agent.

use std::fmt::Write as _;

use super::{Entrant, Field, MAX_LABEL, Role, Side};
use crate::config::document::{Entry, Node, Origin, Raw};
use crate::config::error::{Problems, quoted, shown, suggestion};
use crate::config::reader::unknown_key;
use crate::config::values::{checked, number};
use crate::spec::{OptionKind, Value};

/// Reads a table that names a game or an agent.
pub(in crate::config) fn read(
    entries: &[Entry],
    origin: &Origin,
    section: &str,
    role: Role,
    problems: &mut Problems,
) -> Option<Entrant> {
    let key = role.side.name_key();
    let Some(named) = entries.iter().find(|entry| entry.key == key) else {
        let message = format!(
            "`{key}` is missing: name the {}, one of {}",
            role.side.noun(),
            quoted(&role.side.names())
        );
        problems.add(origin, section, message);
        return None;
    };
    let (name_field, command) = read_names(named, section, role, problems)?;
    let names: Vec<String> = name_field.values.iter().map(ToString::to_string).collect();
    let mut label = None;
    let mut fields = Vec::new();
    for entry in entries {
        if entry.key == key {
            fields.push(name_field.clone());
            if let Some(command) = &command {
                fields.push(Field {
                    key: "command".to_owned(),
                    origin: entry.node.origin.clone(),
                    values: vec![Value::Text(command.clone())],
                    axis: false,
                    link: None,
                });
            }
        } else if entry.key == "label" && role.side == Side::Agent {
            label = read_label(entry, section, &names, problems);
        } else if !role.further.contains(&entry.key.as_str()) {
            if command.is_some() && entry.key == "command" {
                problems.add(
                    &entry.origin,
                    section,
                    "`command` is given twice: write agent = \"exec\" and one `command`",
                );
                continue;
            }
            fields.extend(read_option(entry, section, &names, role, problems));
        }
    }
    Some(Entrant {
        side: role.side,
        section: section.to_owned(),
        origin: origin.clone(),
        label,
        fields,
    })
}

/// The field with the name or names, and the command of `exec:COMMAND`.
fn read_names(
    entry: &Entry,
    section: &str,
    role: Role,
    problems: &mut Problems,
) -> Option<(Field, Option<String>)> {
    let items = scalars(entry, section, role, problems)?;
    let axis = matches!(entry.node.raw, Raw::List(_));
    let mut values = Vec::new();
    let mut command = None;
    for item in items {
        let Raw::Text(text) = &item.raw else {
            let message = format!(
                "`{}` must be a name in quotes, not {}",
                entry.key,
                item.raw.described()
            );
            problems.add(&item.origin, section, message);
            continue;
        };
        let name = match text.split_once(':') {
            Some(("exec", given)) if role.side == Side::Agent && !axis => {
                command = Some(given.to_owned());
                "exec"
            }
            _ => text,
        };
        if role.side.options(name).is_some() {
            values.push(Value::Text(name.to_owned()));
        } else {
            problems.add(&item.origin, section, unknown_name(text, role.side));
        }
    }
    if values.len() != if axis { list_length(entry) } else { 1 } {
        return None;
    }
    no_duplicates(entry, &values, section, problems);
    let field = Field {
        key: entry.key.clone(),
        origin: entry.node.origin.clone(),
        values,
        axis,
        link: None,
    };
    Some((field, command))
}

fn list_length(entry: &Entry) -> usize {
    match &entry.node.raw {
        Raw::List(items) => items.len(),
        _ => 1,
    }
}

fn unknown_name(text: &str, side: Side) -> String {
    let (noun, key) = (side.noun(), side.name_key());
    match text.split_once(':') {
        Some((name, _)) if side.options(name).is_some() => format!(
            "`{key}` is a name alone in a config: write {key} = \"{name}\" and a line `option = value` for each option"
        ),
        _ if text == "human" && matches!(side, Side::Agent) => {
            "people play in `evalctl play` only; name an agent or a program here".to_owned()
        }
        _ => format!(
            "there is no {noun} `{}`{} (see `evalctl list {noun}s`)",
            shown(text),
            suggestion(text, &side.names())
        ),
    }
}

/// A single value as a slice of one, a list as its items, if lists are allowed and it has any.
fn scalars<'a>(
    entry: &'a Entry,
    section: &str,
    role: Role,
    problems: &mut Problems,
) -> Option<&'a [Node]> {
    let Raw::List(items) = &entry.node.raw else {
        return Some(std::slice::from_ref(&entry.node));
    };
    if let Err(reason) = role.axes {
        let message = format!("`{}` cannot be a list: {reason}", shown(&entry.key));
        problems.add(&entry.node.origin, section, message);
        return None;
    }
    if items.is_empty() {
        let message = format!(
            "`{}` is an empty list, so there would be no cell: give at least one value",
            shown(&entry.key)
        );
        problems.add(&entry.node.origin, section, message);
        return None;
    }
    Some(items)
}

fn no_duplicates(entry: &Entry, values: &[Value], section: &str, problems: &mut Problems) {
    for (index, value) in values.iter().enumerate() {
        if values[..index].contains(value) {
            let message = format!(
                "`{}` lists {value} twice: the same cell would be played twice",
                entry.key
            );
            problems.add(&entry.node.origin, section, message);
        }
    }
}

fn read_label(
    entry: &Entry,
    section: &str,
    names: &[String],
    problems: &mut Problems,
) -> Option<String> {
    let message = match &entry.node.raw {
        Raw::Text(text) if text.is_empty() || text.chars().count() > MAX_LABEL => {
            "`label` must have 1 to 80 characters"
        }
        Raw::Text(text) if text.chars().any(char::is_control) => {
            "`label` must not hold control characters"
        }
        Raw::Text(text) if text.starts_with("placebo:") => {
            "`label` must not begin with `placebo:`, which marks controls"
        }
        Raw::Text(text)
            if !text.starts_with("cheating-")
                && names.iter().any(|name| name.starts_with("cheating-")) =>
        {
            "`label` of an agent that looks at hidden cards must begin with `cheating-`"
        }
        Raw::Text(text) => return Some(text.clone()),
        _ => "`label` must be a text in quotes",
    };
    problems.add(&entry.node.origin, section, message);
    None
}

fn read_option(
    entry: &Entry,
    section: &str,
    names: &[String],
    role: Role,
    problems: &mut Problems,
) -> Option<Field> {
    let mut specs = Vec::new();
    for name in names {
        let options = role.side.options(name).unwrap_or_default();
        if let Some(spec) = options.iter().find(|spec| spec.name == entry.key) {
            specs.push(spec);
        } else {
            let mut known: Vec<&str> = options.iter().map(|spec| spec.name).collect();
            known.extend(role.further);
            known.push(role.side.name_key());
            if role.side == Side::Agent {
                known.push("label");
            }
            let mut message = unknown_key(&entry.key, &known);
            if names.len() > 1 {
                let _ = write!(message, " (of {} `{name}`)", role.side.noun());
            }
            problems.add(&entry.origin, section, message);
            return None;
        }
    }
    let spec = specs.first()?;
    let mut field = Field {
        key: entry.key.clone(),
        origin: entry.node.origin.clone(),
        values: Vec::new(),
        axis: false,
        link: None,
    };
    if let (Raw::Table(link), OptionKind::Integer { .. } | OptionKind::Real { .. }) =
        (&entry.node.raw, spec.kind)
    {
        field.link = Some(read_link(entry, link, section, role, problems)?);
        return Some(field);
    }
    let never_axis = matches!(spec.kind, OptionKind::TextList | OptionKind::TextTable);
    let items = if never_axis {
        std::slice::from_ref(&entry.node)
    } else {
        field.axis = matches!(entry.node.raw, Raw::List(_));
        scalars(entry, section, role, problems)?
    };
    for item in items {
        let mut values = specs.iter().map(|spec| checked(&item.raw, spec.kind));
        match values.next()? {
            Err(message) => {
                problems.add(&item.origin, section, format!("`{}` {message}", entry.key));
                return None;
            }
            Ok(value) if values.all(|other| other.as_ref() == Ok(&value)) => {
                field.values.push(value);
            }
            Ok(value) => {
                let message = format!(
                    "`{}` cannot be {value} for all of {}: give each a table of its own",
                    entry.key,
                    quoted(names)
                );
                problems.add(&item.origin, section, message);
                return None;
            }
        }
    }
    no_duplicates(entry, &field.values, section, problems);
    Some(field)
}

/// The factor of `{ challenger = FACTOR }`.
fn read_link(
    entry: &Entry,
    link: &[Entry],
    section: &str,
    role: Role,
    problems: &mut Problems,
) -> Option<f64> {
    let factor = match link {
        [factor] if factor.key == "challenger" => number(&factor.node.raw),
        _ => None,
    };
    let message = match factor {
        _ if !role.links => "must be a number, not a table",
        Some(factor) if factor.is_finite() && factor > 0.0 => return Some(factor),
        _ => {
            "must be a number, or { challenger = FACTOR } with a positive factor to take the challenger's value times FACTOR"
        }
    };
    problems.add(
        &entry.node.origin,
        section,
        format!("`{}` {message}", entry.key),
    );
    None
}
