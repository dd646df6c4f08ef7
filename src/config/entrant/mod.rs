//! A game or an agent as a table names it: fields with one value or, as axes, with several.

mod label;
mod read;

use super::document::{Origin, Raw};
use super::values::{checked, default_value};
use crate::spec::{OptionKind, OptionSpec, Settings, Value};
pub(super) use label::label_of;
pub(super) use read::read;

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

/// The most characters of a label.
pub(super) const MAX_LABEL: usize = 80;

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
