//! The JSON schema of configs, for editors (`evalctl schema`), made from the specs.
//!
//! Draft 7, which is what the TOML language servers read. Tournaments and sweeps share one schema:
//! an editor sees the file before anybody says which command it is for.

use serde_json::{Map, Value, json};

use super::entrant::Side;
use super::list::{can_be_axis, kind_text};
use super::sweep::{MAX_GAMES, MAX_OPENING_PLIES};
use crate::plan::ClaimKind;
use crate::spec::{OptionKind, OptionSpec};

/// The schema. Its text, pretty-printed, is `configs/schema.json`.
pub fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "evalctl config",
        "type": "object",
        "additionalProperties": false,
        "required": ["games", "game"],
        "definitions": {
            "agent": entrants(Side::Agent, Lists::Axes),
            "opponent": entrants(Side::Agent, Lists::Links),
        },
        "properties": {
            "name": {
                "description": "Results go to results/NAME. The file's name if it is missing.",
                "type": "string",
                "pattern": "^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,98}[A-Za-z0-9_-])?$",
            },
            "seed": {
                "description": "Every game follows from it.",
                "type": "integer", "minimum": 0, "default": 0,
            },
            "games": {
                "description": "Games of a cell (of a pairing in a tournament), rounded up to whole blocks: one deal, a game for each seat.",
                "type": "integer", "minimum": 1, "maximum": MAX_GAMES,
            },
            "confidence": {
                "description": "Confidence level of intervals and claims.",
                "type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1, "default": 0.95,
            },
            "seats": {
                "description": "rotate: every deal is played once from each seat. fixed: the challenger always sits in seat 0, which supports no claim without a placebo.",
                "enum": ["rotate", "fixed"], "default": "rotate",
            },
            "placebo": {
                "description": "Also play each opponent against itself, a control that must be null.",
                "type": "boolean", "default": false,
            },
            "game": described(
                entrants(Side::Game, Lists::Axes),
                "[game]: its name and options.",
            ),
            "challenger": described(
                json!({"$ref": "#/definitions/agent"}),
                "[challenger]: the agent that is measured, and its options. A sweep needs one.",
            ),
            "challengers": described(
                tables(&json!({"$ref": "#/definitions/agent"})),
                "[[challengers]]: several of them, instead of one.",
            ),
            "opponents": described(
                tables(&json!({"$ref": "#/definitions/opponent"})),
                "[[opponents]]: the agents that it is measured against. A sweep needs at least one.",
            ),
            "claims": described(
                tables(&claim()),
                "[[claims]]: what the run is to decide.",
            ),
            "stop": stop(),
            "format": {
                "description": "Tournaments: round-robin (each against each), gauntlet (the first player against all others) or ladder (each against the next).",
                "enum": super::tournament::FORMATS.map(|(word, _)| word), "default": "round-robin",
            },
            "players": described(
                tables(&json!({"$ref": "#/definitions/agent"})),
                "[[players]]: the agents of a tournament, instead of challenger and opponents.",
            ),
        },
    })
}

/// What a list or a table means as the value of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lists {
    /// A list is an axis.
    Axes,
    /// A table takes the challenger's value over.
    Links,
}

fn tables(items: &Value) -> Value {
    json!({"type": "array", "minItems": 1, "items": items})
}

/// One alternative for each name, with its own options.
fn entrants(side: Side, lists: Lists) -> Value {
    let helps: Vec<(&str, &str)> = match side {
        Side::Game => crate::games::specs()
            .iter()
            .map(|spec| (spec.name, spec.help))
            .collect(),
        Side::Agent => crate::agents::specs()
            .iter()
            .map(|spec| (spec.name, spec.help))
            .collect(),
    };
    let alternatives: Vec<Value> = helps
        .into_iter()
        .map(|(name, help)| entrant(side, lists, name, help))
        .collect();
    json!({"type": "object", "anyOf": alternatives})
}

fn entrant(side: Side, lists: Lists, name: &str, help: &str) -> Value {
    let mut names = json!({"const": name});
    if name == "exec" {
        names = json!({"type": "string", "pattern": "^exec(:.+)?$"});
    }
    if lists == Lists::Axes {
        // Several names at once share the options that all of them have.
        names = json!({"anyOf": [
            names,
            {"type": "array", "minItems": 1, "uniqueItems": true, "contains": {"const": name}, "items": {"enum": side.names()}},
        ]});
    }
    let mut properties = Map::new();
    properties.insert(side.name_key().to_owned(), described(names, help));
    for spec in side.options(name).unwrap_or_default() {
        properties.insert(spec.name.to_owned(), option(spec, lists));
    }
    match side {
        Side::Game => {
            properties.insert(
                "opening_plies".to_owned(),
                json!({
                    "description": "Random opening moves, the same in every cell and rotation.",
                    "type": "integer", "minimum": 0, "maximum": MAX_OPENING_PLIES, "default": 0,
                }),
            );
        }
        Side::Agent => {
            properties.insert(
                "label".to_owned(),
                json!({
                    "description": "The name in tables and files, instead of the agent's.",
                    "type": "string", "minLength": 1, "maxLength": 80,
                }),
            );
            if lists == Lists::Axes {
                properties.insert(
                    "against".to_owned(),
                    json!({
                        "description": "The opponents that this challenger plays; all of them if it is missing.",
                        "type": "array", "minItems": 1, "items": {"type": "string"},
                    }),
                );
            }
        }
    }
    json!({
        "title": name,
        "additionalProperties": false,
        "required": [side.name_key()],
        "properties": properties,
    })
}

fn described(mut value: Value, help: &str) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.insert("description".to_owned(), json!(help));
    }
    value
}

fn option(spec: &OptionSpec, lists: Lists) -> Value {
    let single = scalar(spec.kind);
    let mut alternatives = vec![single.clone()];
    if lists == Lists::Axes && can_be_axis(spec.kind) {
        alternatives.push(json!({
            "type": "array", "minItems": 1, "uniqueItems": true, "items": single,
        }));
    }
    let number = matches!(
        spec.kind,
        OptionKind::Integer { .. } | OptionKind::Real { .. }
    );
    if lists == Lists::Links && number {
        alternatives.push(json!({
            "type": "object", "additionalProperties": false, "required": ["challenger"],
            "properties": {"challenger": {
                "description": "The challenger's value times this.",
                "type": "number", "exclusiveMinimum": 0,
            }},
        }));
    }
    let value = match alternatives.as_slice() {
        [_] => single,
        _ => json!({"anyOf": alternatives}),
    };
    let default = match spec.default {
        "" => "not set by default".to_owned(),
        default => format!("default {default}"),
    };
    let help = format!("{} ({}; {default})", spec.help, kind_text(spec.kind));
    described(value, &help)
}

fn scalar(kind: OptionKind) -> Value {
    match kind {
        OptionKind::Integer { min, max } => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        OptionKind::Real { min, max } => {
            json!({"type": "number", "minimum": min, "maximum": max})
        }
        OptionKind::Choice(words) => {
            let mut values: Vec<Value> = words.iter().map(|word| json!(word)).collect();
            values.extend(
                words
                    .iter()
                    .filter_map(|word| word.parse::<i64>().ok())
                    .map(|number| json!(number)),
            );
            if words.contains(&"on") || words.contains(&"yes") {
                values.extend([json!(true), json!(false)]);
            }
            json!({"enum": values})
        }
        OptionKind::Text => json!({"type": "string"}),
        OptionKind::TextList => json!({"type": "array", "items": {"type": "string"}}),
        OptionKind::TextTable => {
            json!({"type": "object", "additionalProperties": {"type": "string"}})
        }
    }
}

fn claim() -> Value {
    let kinds = ClaimKind::ALL.map(ClaimKind::word);
    let value = json!({"type": ["string", "number", "boolean"]});
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name", "kind"],
        "properties": {
            "name": {"description": "The claim as a sentence.", "type": "string", "minLength": 1, "maxLength": 200},
            "kind": {
                "description": "better: above the threshold. at-least: not below it by more than the margin. equivalent: within the margin of it. trend: more simulations raise the score on the whole. monotone: the score never drops with more simulations. best: one cell is the best, confirmed on fresh deals.",
                "enum": kinds,
            },
            "opponent": {"description": "The opponent; may be missing if there is only one.", "type": "string"},
            "challenger": {"description": "The challenger; all of them if it is missing.", "type": "string"},
            "where": {
                "description": "Restricts the claim to cells whose axes have these values.",
                "type": "object",
                "additionalProperties": {"anyOf": [value, {"type": "array", "items": value}]},
            },
            "threshold": {
                "description": "The mean score to compare with; the fair share if it is missing.",
                "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1,
            },
            "margin": {
                "description": "The smallest difference in score that matters.",
                "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1,
            },
        },
    })
}

fn stop() -> Value {
    let number = |help: &str| json!({"description": help, "type": "number"});
    json!({
        "description": "When the games of a cell end before their planned number.",
        "type": "object",
        "additionalProperties": false,
        "required": ["rule"],
        "properties": {
            "rule": {
                "description": "fixed: never. precision: when the confidence sequence is narrower than `width`. sprt: when a sequential test has decided (two seats).",
                "enum": ["fixed", "precision", "sprt"],
            },
            "width": number("precision: the full width in score."),
            "elo0": number("sprt: logistic Elo of the null hypothesis (default 0)."),
            "elo1": number("sprt: logistic Elo of the alternative."),
            "alpha": number("sprt: error of the first kind (default 0.05)."),
            "beta": number("sprt: error of the second kind (default 0.05)."),
        },
    })
}
