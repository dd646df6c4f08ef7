//! Whole configs: what they become, and what is said about wrong ones.

use super::*;
use crate::plan::{Plan, SeatMode, StopRule};

const SMALL: &str = r#"
name = "small"
seed = 7
games = 5
[game]
name = "tictactoe"
[challenger]
agent = "first"
[[opponents]]
agent = "random"
[[claims]]
name = "first beats random"
kind = "better"
opponent = "random"
"#;

fn plan_with(text: &str, set: &[&str]) -> Result<Plan, ConfigError> {
    let overrides = Overrides {
        set: set.iter().map(|&text| text.to_owned()).collect(),
        ..Overrides::default()
    };
    parse(text, "c.toml", &overrides)?.plan()
}

fn plan(text: &str) -> Plan {
    plan_with(text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn complaint(text: &str) -> String {
    plan_with(text, &[]).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_small_config_becomes_a_plan() {
    let plan = plan(SMALL);
    assert_eq!(plan.cells.len(), 1);
    let cell = &plan.cells[0];
    assert_eq!((cell.blocks, cell.rotations, cell.seats), (3, 2, 2));
    assert_eq!(
        (cell.label.as_str(), cell.opponent_label.as_str()),
        ("first", "random")
    );
    assert_eq!(plan.games(), 6);
    assert_eq!(plan.claims[0].cells, [0]);
    assert_eq!(plan.claims[0].threshold.to_bits(), 0.5_f64.to_bits());
    assert_eq!(plan.stop, StopRule::Fixed);
    assert_eq!(plan.seats, SeatMode::Rotate);
}

#[test]
fn the_resolved_text_is_a_config_with_the_same_plan() {
    let plan = plan_with(
        SMALL,
        &[
            "placebo=true",
            "stop.rule=precision",
            "stop.width=0.1",
            "claims.0.margin=0.1",
        ],
    )
    .unwrap();
    let again = plan_with(&plan.resolved, &[]).unwrap();
    assert_eq!(plan, again);
    assert_eq!(plan.resolved_hash(), again.resolved_hash());
}

#[test]
fn wrong_keys_are_named_with_file_line_and_remedy() {
    let text = SMALL
        .replace("games = 5", "gmaes = 5")
        .replace("agent = \"first\"", "agent = \"frist\"");
    assert_eq!(
        complaint(&text),
        "c.toml: `games` is missing: write how many games a cell plays, such as games = 200\n\
         c.toml:4: unknown key `gmaes`; did you mean `games`?\n\
         c.toml:8: [challenger] there is no agent `frist`; did you mean `first`? (see `evalctl list agents`)"
    );
}
