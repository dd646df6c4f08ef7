//! A game or an agent as a table names it: fields with one value or, as axes, with several.

use std::fmt::Write as _;

use super::document::{Entry, Node, Origin, Raw};
use super::error::{Problems, quoted, shown, suggestion};
use super::reader::unknown_key;
use super::values::{checked, default_value};
use crate::spec::{OptionKind, OptionSpec, Settings, Value};

/// What a table names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// A game, by its key `name`.
    Game,
    /// An agent, by its key `agent`.
    Agent,
}

impl Side {
    /// The key that holds the name.
    pub(super) fn name_key(self) -> &'static str {
        match self {
            Self::Game => "name",
            Self::Agent => "agent",
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Agent => "agent",
        }
    }

    /// Names that exist, in the order of `evalctl list`.
    pub(super) fn names(self) -> Vec<&'static str> {
        match self {
            Self::Game => crate::games::specs().iter().map(|spec| spec.name).collect(),
            Self::Agent => crate::agents::specs()
                .iter()
                .map(|spec| spec.name)
                .collect(),
        }
    }

    /// The options of `name`; `None` if there is no such game or agent.
    pub(super) fn options(self, name: &str) -> Option<&'static [OptionSpec]> {
        match self {
            Self::Game => crate::games::specs()
                .iter()
                .find(|spec| spec.name == name)
                .map(|spec| spec.options),
            Self::Agent => crate::agents::specs()
                .iter()
                .find(|spec| spec.name == name)
                .map(|spec| spec.options),
        }
    }
}

/// What a table may hold besides its name and options, by the role it plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role {
    /// What it names.
    pub side: Side,
    /// Whether lists are axes; else the reason why not and what to do.
    pub axes: Result<(), &'static str>,
    /// Whether options may be tied to the challenger's (`simulations = { challenger = 0.5 }`).
    pub links: bool,
    /// Further keys, read by the caller.
    pub further: &'static [&'static str],
}

/// A field with its values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Field {
    pub key: String,
    pub origin: Origin,
    /// One value unless it is an axis; empty for a link.
    pub values: Vec<Value>,
    /// Whether it was given as a list.
    pub axis: bool,
    /// The challenger's value times this.
    pub link: Option<f64>,
}

/// A game or agent with its fields, in the order of the file; the name is one of them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entrant {
    pub side: Side,
    /// The table in messages.
    pub section: String,
    pub origin: Origin,
    /// The name in tables and files, if it was given.
    pub label: Option<String>,
    pub fields: Vec<Field>,
}

/// One assignment of the axes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Variant {
    /// The values of the axes, in the order of the fields.
    pub axes: Vec<Value>,
    /// Name and options; options that are linked are still missing.
    pub settings: Settings,
}

/// Reads a table that names a game or an agent.
pub(super) fn read(
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
        Raw::Text(text) if text.is_empty() || text.chars().count() > 80 => {
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
        [factor] if factor.key == "challenger" => super::values::number(&factor.node.raw),
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

impl Entrant {
    /// Its axes, in the order of the file.
    pub(super) fn axes(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.axis)
    }

    /// Number of assignments of its axes; `None` if it is astronomical.
    pub(super) fn count(&self) -> Option<usize> {
        self.axes().try_fold(1_usize, |count, field| {
            count.checked_mul(field.values.len())
        })
    }

    /// All assignments of its axes; the first axis changes slowest.
    pub(super) fn variants(&self) -> Vec<Variant> {
        let mut assignments: Vec<Vec<Value>> = vec![Vec::new()];
        for field in self.axes() {
            assignments = assignments
                .iter()
                .flat_map(|before| {
                    field.values.iter().map(|value| {
                        let mut longer = before.clone();
                        longer.push(value.clone());
                        longer
                    })
                })
                .collect();
        }
        assignments
            .into_iter()
            .map(|axes| Variant {
                settings: self.settings(&axes),
                axes,
            })
            .collect()
    }

    /// Name and options where the axes have these values. Defaults are left out.
    fn settings(&self, axes: &[Value]) -> Settings {
        let mut axes = axes.iter();
        let mut settings = Settings::default();
        for field in &self.fields {
            let value = if field.axis {
                axes.next()
            } else {
                field.values.first()
            };
            if let Some(value) = value {
                if field.key == self.side.name_key() {
                    settings.name = value.to_string();
                } else {
                    settings.values.insert(field.key.clone(), value.clone());
                }
            }
        }
        without_defaults(&mut settings, self.side);
        settings
    }

    /// Its settings with the options that it takes over from the `challenger`.
    ///
    /// # Errors
    /// The key and what is wrong with the value that results.
    pub(super) fn linked(
        &self,
        own: &Settings,
        challenger: &Settings,
    ) -> Result<Settings, (&Field, String)> {
        let mut settings = own.clone();
        for field in &self.fields {
            let Some(factor) = field.link else { continue };
            let theirs = option_value(challenger, &field.key).ok_or_else(|| {
                let message = format!(
                    "is tied to the challenger's, but `{challenger}` has no `{}`",
                    field.key
                );
                (field, message)
            })?;
            let spec = self
                .side
                .options(&own.name)
                .unwrap_or_default()
                .iter()
                .find(|spec| spec.name == field.key);
            let value = spec
                .ok_or_else(|| "is unknown".to_owned())
                .and_then(|spec| scaled(&theirs, factor, spec.kind))
                .map_err(|message| {
                    (
                        field,
                        format!("{message} (for the challenger `{challenger}`)"),
                    )
                })?;
            settings.values.insert(field.key.clone(), value);
        }
        without_defaults(&mut settings, self.side);
        Ok(settings)
    }

    /// The field with this key.
    pub(super) fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The names it may have.
    fn names(&self) -> Vec<String> {
        self.field(self.side.name_key())
            .map(|field| field.values.iter().map(ToString::to_string).collect())
            .unwrap_or_default()
    }
}

fn without_defaults(settings: &mut Settings, side: Side) {
    for spec in side.options(&settings.name).unwrap_or_default() {
        if settings.values.get(spec.name) == default_value(spec).as_ref() {
            settings.values.remove(spec.name);
        }
    }
}

/// The value of an agent's option: what was set, else the default.
fn option_value(settings: &Settings, key: &str) -> Option<Value> {
    settings.values.get(key).cloned().or_else(|| {
        Side::Agent
            .options(&settings.name)?
            .iter()
            .find(|spec| spec.name == key)
            .and_then(default_value)
    })
}

fn scaled(theirs: &Value, factor: f64, kind: OptionKind) -> Result<Value, String> {
    let number = match theirs {
        Value::Real(number) => Some(*number),
        #[expect(clippy::cast_precision_loss, reason = "options are far below 2^53")]
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    };
    let number = number.ok_or("is tied to an option that is no number")? * factor;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and small"
    )]
    let raw = match kind {
        OptionKind::Integer { .. } if number.fract() == 0.0 && number.abs() < 1e15 => {
            Raw::Integer(number as i128)
        }
        _ => Raw::Real(number),
    };
    checked(&raw, kind)
}

/// The names of all `entrants` in tables and files, by variant: the label if one was given, else
/// the agent's name, with its options where two share a name.
pub(super) fn label_of(entrants: &[Entrant], index: usize, settings: &Settings) -> String {
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
