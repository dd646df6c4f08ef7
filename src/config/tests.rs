//! Whole configs: what they become, and what is said about wrong ones.

use super::*;
use crate::plan::{CONFIRM_FIRST_BLOCK, ClaimKind, Phase, Plan, SeatMode, StopRule};
use crate::spec::Value;

mod messages;

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

const GRID: &str = r#"
name = "grid"
games = 10
[game]
name = "durak"
deck = [24, 36]
[[challengers]]
agent = "ismcts"
simulations = [10, 20]
exploration = 1
[[challengers]]
agent = "pimc"
worlds = [2, 4]
simulations = 100
[[challengers]]
agent = "lowest"
[[opponents]]
agent = "random"
[[opponents]]
agent = "lowest"
[[claims]]
name = "trend"
kind = "trend"
opponent = "random"
where = { deck = 36 }
"#;

fn plan_with(text: &str, set: &[&str]) -> Result<Plan, ConfigError> {
    let overrides = Overrides {
        set: set.iter().map(|&text| text.to_owned()).collect(),
        ..Overrides::default()
    };
    super::plan(text, "c.toml", &overrides)
}

fn plan(text: &str) -> Plan {
    plan_with(text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// What is said about `text` with `from` replaced by `to`.
fn complaint(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    plan_with(&text.replacen(from, to, 1), &[])
        .map(|_| ())
        .unwrap_err()
        .to_string()
}

/// Each cell as `challenger [axes] opponent`.
fn rows(plan: &Plan) -> Vec<String> {
    plan.cells
        .iter()
        .map(|cell| {
            let axes: Vec<String> = cell
                .axes
                .iter()
                .map(|value| value.as_ref().map_or("-".to_owned(), Value::to_string))
                .collect();
            format!(
                "{} [{}] {}",
                cell.label,
                axes.join(" "),
                cell.opponent_label
            )
        })
        .collect()
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
    assert_eq!((plan.games(), plan.games_asked), (6, 5));
    assert_eq!(plan.claims[0].cells, [0]);
    assert_eq!(plan.claims[0].threshold.to_bits(), 0.5_f64.to_bits());
    assert_eq!((plan.stop, plan.seats), (StopRule::Fixed, SeatMode::Rotate));
}

#[test]
fn cells_come_in_the_documented_order_with_the_union_of_the_axes() {
    let plan = plan(GRID);
    assert_eq!(plan.axes, ["deck", "simulations", "worlds"]);
    assert_eq!(
        rows(&plan),
        [
            "ismcts [24 10 -] random",
            "ismcts [24 10 -] lowest",
            "ismcts [24 20 -] random",
            "ismcts [24 20 -] lowest",
            "ismcts [36 10 -] random",
            "ismcts [36 10 -] lowest",
            "ismcts [36 20 -] random",
            "ismcts [36 20 -] lowest",
            "pimc [24 - 2] random",
            "pimc [24 - 2] lowest",
            "pimc [24 - 4] random",
            "pimc [24 - 4] lowest",
            "pimc [36 - 2] random",
            "pimc [36 - 2] lowest",
            "pimc [36 - 4] random",
            "pimc [36 - 4] lowest",
            "lowest [24 - -] random",
            "lowest [24 - -] lowest",
            "lowest [36 - -] random",
            "lowest [36 - -] lowest",
        ]
    );
    assert!(
        plan.cells
            .iter()
            .enumerate()
            .all(|(i, cell)| cell.index == i)
    );
    // Challengers without a list of simulations have no part in a trend.
    assert_eq!(plan.claims[0].cells, [4, 6]);
    // Defaults are left out, so that writing one down changes no seed.
    assert_eq!(plan.cells[4].game.canonical(), "durak");
    assert_eq!(plan.cells[0].game.canonical(), "durak:deck=24");
    assert_eq!(
        plan.cells[0].challenger.canonical(),
        "ismcts:exploration=1,simulations=10"
    );
}

#[test]
fn axes_follow_the_order_of_the_tables_in_the_file() {
    let (game, rest) = GRID.split_at(GRID.find("[[challengers]]").unwrap());
    let (top, game) = game.split_at(game.find("[game]").unwrap());
    let moved = format!("{top}{rest}{game}");
    let plan = plan(&moved);
    assert_eq!(plan.axes, ["simulations", "worlds", "deck"]);
    assert_eq!(rows(&plan)[2], "ismcts [10 - 36] random");
    assert_eq!(super::tests::plan(&plan.resolved), plan);
}

#[test]
fn a_name_or_an_agent_can_be_an_axis_too() {
    let text = SMALL.replace(
        "agent = \"first\"",
        "agent = [\"first\", \"random\", \"uct\"]",
    );
    let plan = plan(&text);
    assert_eq!(plan.axes, ["agent"]);
    assert_eq!(rows(&plan)[2], "uct [uct] random");
    let text = SMALL.replace(
        "name = \"tictactoe\"",
        "name = [\"tictactoe\", \"connect-four\"]",
    );
    assert_eq!(
        rows(&super::tests::plan(&text))[1],
        "first [connect-four] random"
    );
}

#[test]
fn more_seats_make_longer_blocks_and_another_fair_share() {
    let plan = plan(
        &GRID
            .replace("deck = [24, 36]", "players = [2, 4]\ndeck = 36")
            .replace("where = { deck = 36 }", "where = { players = 4 }"),
    );
    let four = &plan.cells[plan.claims[0].cells[0]];
    assert_eq!((four.blocks, four.rotations, four.seats), (3, 4, 4));
    assert_eq!(plan.claims[0].threshold.to_bits(), 0.75_f64.to_bits());
}

#[test]
fn placebos_play_each_opponent_against_itself_at_each_game() {
    let plan = plan_with(GRID, &["placebo=true"]).unwrap();
    let placebos = &plan.cells[20..];
    assert_eq!(
        rows(&plan)[20..],
        [
            "placebo:random [- - -] random",
            "placebo:lowest [- - -] lowest",
            "placebo:random [- - -] random",
            "placebo:lowest [- - -] lowest",
        ]
    );
    for cell in placebos {
        assert_eq!(cell.phase, Phase::Placebo);
        assert_eq!(cell.challenger, cell.opponent);
        assert_eq!(cell.axes, vec![None; 3]);
    }
    assert_ne!(placebos[0].game, placebos[2].game);
}

#[test]
fn a_best_claim_selects_on_its_cells_and_confirms_on_other_deals() {
    let text = GRID.replace("kind = \"trend\"", "kind = \"best\"");
    let plan = plan(&text);
    let claim = &plan.claims[0];
    assert_eq!((claim.kind, claim.cells.len()), (ClaimKind::Best, 5));
    for cell in &plan.cells {
        let expected = if claim.cells.contains(&cell.index) {
            Phase::Select
        } else {
            Phase::Main
        };
        assert_eq!(cell.phase, expected);
    }
    let selected = claim.cells[1];
    let confirm = plan.confirm_cell(0, selected).unwrap();
    assert_eq!((confirm.index, confirm.phase), (20, Phase::Confirm));
    assert_eq!(confirm.first_block, CONFIRM_FIRST_BLOCK);
    assert_eq!(confirm.content(), plan.cells[selected].content());
    let larger = plan_with(&text, &["games=1000"]).unwrap();
    assert_eq!(
        larger.confirm_cell(0, selected).unwrap().first_block,
        confirm.first_block
    );
    assert!(plan.confirm_cell(0, 0).is_none() && plan.confirm_cell(1, selected).is_none());
    assert_eq!(plan.confirm_games(), 10);
}

#[test]
fn options_of_opponents_can_follow_the_challenger() {
    let text = GRID
        .replacen(
            "[[opponents]]\nagent = \"lowest\"",
            "[[opponents]]\nagent = \"mo-ismcts\"\nsimulations = { challenger = 0.5 }",
            1,
        )
        .replace("[[challengers]]\nagent = \"lowest\"\n", "");
    let plan = plan(&text);
    assert_eq!(plan.cells[1].opponent_label, "mo-ismcts:simulations=0.5x");
    assert_eq!(
        plan.cells[1].opponent.canonical(),
        "mo-ismcts:simulations=5"
    );
    assert_eq!(
        plan.cells[9].opponent.canonical(),
        "mo-ismcts:simulations=50"
    );
    assert_eq!(super::tests::plan(&plan.resolved), plan);
    let odd = text.replace("simulations = [10, 20]", "simulations = [10, 25]");
    assert_eq!(
        plan_with(&odd, &[]).unwrap_err().to_string(),
        "c.toml:19: [[opponents]] `simulations` must be a whole number from 1 to 100000000, not 12.5 (for the challenger `ismcts:exploration=1,simulations=25`)"
    );
}

#[test]
fn placebos_of_an_opponent_that_follows_the_challenger_say_which_they_are() {
    let text = SMALL
        .replace("agent = \"first\"", "agent = \"uct\"\nsimulations = [2, 4]")
        .replace(
            "agent = \"random\"",
            "agent = \"uct\"\nsimulations = { challenger = 0.5 }\nlabel = \"half\"",
        )
        .replace("opponent = \"random\"", "opponent = \"half\"");
    let plan = plan_with(&text, &["placebo=true"]).unwrap();
    assert_eq!(
        rows(&plan),
        [
            "uct [2] half",
            "uct [4] half",
            "placebo:uct:simulations=1 [-] half",
            "placebo:uct:simulations=2 [-] half",
        ]
    );
}

#[test]
fn challengers_can_be_kept_to_some_opponents() {
    let text = GRID.replace("worlds = [2, 4]", "worlds = [2, 4]\nagainst = [\"lowest\"]");
    let plan = plan(&text);
    assert_eq!(plan.cells.len(), 16);
    assert_eq!(rows(&plan)[8], "pimc [24 - 2] lowest");
    assert_eq!(super::tests::plan(&plan.resolved), plan);
}

#[test]
fn players_of_one_agent_are_told_apart_by_their_options() {
    let text = GRID.replace(
        "agent = \"lowest\"\n[[claims]]",
        "agent = \"ismcts\"\n[[claims]]",
    );
    let text = text.replace(
        "[[claims]]",
        "[[opponents]]\nagent = \"ismcts\"\nsimulations = 5\n[[claims]]",
    );
    let labels: Vec<String> = plan(&text).cells[..3]
        .iter()
        .map(|cell| cell.opponent_label.clone())
        .collect();
    assert_eq!(labels, ["random", "ismcts", "ismcts:simulations=5"]);
}

#[test]
fn keys_of_both_sides_are_prefixed() {
    // No game and agent share an option today; names are keys of both.
    let text = SMALL
        .replace("name = \"tictactoe\"", "name = [\"tictactoe\"]")
        .replace("agent = \"first\"", "agent = [\"first\"]");
    assert_eq!(plan(&text).axes, ["name", "agent"]);
}

#[test]
fn overrides_meet_the_same_checks_and_reach_the_resolved_text() {
    let plan = plan_with(
        GRID,
        &[
            "challengers.ismcts.simulations=[5]",
            "challengers.1.worlds=3",
            "opponents.random.agent=first",
            "claims.trend.kind=better",
            "claims.trend.opponent=first",
            "claims.trend.where.deck=24",
            "confidence=0.9",
        ],
    )
    .unwrap();
    assert_eq!(plan.axes, ["deck", "simulations"]);
    assert_eq!(rows(&plan)[0], "ismcts [24 5] first");
    assert_eq!(plan.claims[0].cells.len(), 3);
    assert_eq!(plan.confidence.to_bits(), 0.9_f64.to_bits());
    assert_eq!(super::tests::plan(&plan.resolved), plan);
    let overrides = Overrides {
        seed: Some(u64::MAX),
        games: Some(3),
        set: Vec::new(),
    };
    let plan = parse(SMALL, "c.toml", &overrides).unwrap().plan().unwrap();
    assert_eq!((plan.seed, plan.games_asked), (u64::MAX, 3));
    assert_eq!(super::tests::plan(&plan.resolved), plan);
}

#[test]
fn the_resolved_text_does_not_depend_on_how_things_are_written() {
    let written = plan(
        "games=0x5 # five\nseed = 7\nname = 'small'\n[game]\nname='tictactoe'\nopening_plies=0\n\
         [[challengers]]\nagent = 'first'\n[[opponents]]\nagent = 'random'\n\
         [[claims]]\nkind = 'better'\nname = 'first beats random'\n[stop]\nrule = 'fixed'\n",
    );
    assert_eq!(written, plan(SMALL));
    assert_eq!(written.resolved_hash(), plan(SMALL).resolved_hash());
    let default = SMALL.replace("agent = \"random\"", "agent = \"uct\"");
    let said = default.replace(
        "agent = \"uct\"",
        "agent = \"uct\"\nexploration = 0.7\nsimulations = 1000",
    );
    let claims = |text: &str| text.replace("opponent = \"random\"", "opponent = \"uct\"");
    assert_eq!(plan(&claims(&said)), plan(&claims(&default)));
}

#[test]
fn changes_name_the_keys_and_say_whether_results_can_go_on() {
    let old = plan(GRID).resolved;
    let against = |set: &[&str]| changes(&old, &plan_with(GRID, set).unwrap().resolved);
    assert_eq!(against(&[]), Changes::default());
    let larger = against(&["games=20"]);
    assert_eq!(larger.games, Some((10, 20)));
    assert!(larger.can_continue() && larger.played.is_empty());
    assert!(!against(&["games=9"]).can_continue());
    let played = against(&[
        "seed=1",
        "challengers.0.exploration=0.5",
        "opponents.1.agent=first",
    ]);
    assert_eq!(
        played.played,
        ["challengers.0.exploration", "opponents.1.agent", "seed"]
    );
    let analysis = against(&["confidence=0.9", "claims.0.name=other", "name=x"]);
    assert_eq!(analysis.analysis, ["claims.0.name", "confidence", "name"]);
    assert!(analysis.can_continue());
    assert_eq!(against(&["claims.0.kind=best"]).played, ["claims.0.kind"]);
    assert_eq!(
        against(&["stop.rule=precision", "stop.width=0.1", "confidence=0.9"]).played,
        ["confidence", "stop.rule", "stop.width"]
    );
    let reordered = GRID.replace(
        "agent = \"ismcts\"\nsimulations = [10, 20]\nexploration = 1",
        "agent = \"ismcts\"\nexploration = [1]\nsimulations = [10, 20]",
    );
    let other = GRID.replace("exploration = 1", "exploration = [1]");
    let changes = changes(&plan(&other).resolved, &plan(&reordered).resolved);
    assert_eq!(changes.played, ["challengers.0.(order of the axes)"]);
}

#[test]
fn a_match_is_a_plan_of_one_cell_whose_resolved_text_is_a_config() {
    let typed = typed::Match {
        challenger: "ismcts:simulations=50,exploration=1.41",
        opponent: "ismcts:simulations=1000",
        game: "durak:players=3,transfer=on,opening_plies=2",
        seed: 3,
        games: 10,
        confidence: 0.95,
        stop: StopRule::Fixed,
        exec: &[],
    };
    let plan = typed.plan().unwrap();
    assert_eq!(
        rows(&plan),
        ["ismcts:exploration=1.41,simulations=50 [] ismcts"]
    );
    assert_eq!(
        plan.cells[0].challenger.canonical(),
        "ismcts:exploration=1.41,simulations=50"
    );
    assert_eq!(plan.cells[0].opponent.canonical(), "ismcts");
    assert_eq!((plan.cells[0].blocks, plan.opening_plies), (4, 2));
    assert_eq!(super::tests::plan(&plan.resolved), plan);
    assert_eq!(check_name(&plan.name), Ok(()));
}
