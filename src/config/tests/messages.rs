//! What is said about wrong configs and arguments, word for word.

use super::{GRID, SMALL, complaint, plan_with};
use crate::config::typed::{self, Match};
use crate::plan::StopRule;
use crate::spec::Settings;

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn keys_and_values_at_every_level() {
    let cases = [
        (
            "games = 5",
            "gmaes = 5",
            "c.toml: `games` is missing: write how many games a cell plays, such as games = 200\n\
             c.toml:4: unknown key `gmaes`; did you mean `games`?",
        ),
        (
            "games = 5",
            "games = 0",
            "c.toml:4: `games` is 0: nothing would be played; write at least 1",
        ),
        (
            "games = 5",
            "games = \"many\"",
            "c.toml:4: `games` must be a whole number from 1 to 1000000000000, not the text \"many\"",
        ),
        (
            "games = 5",
            "games = 5\nseats = \"rotated\"",
            "c.toml:5: `seats` cannot be `rotated`; did you mean `rotate`?",
        ),
        (
            "seed = 7",
            "seed = -1",
            "c.toml:3: `seed` must be a whole number from 0 to 18446744073709551615, not -1",
        ),
        (
            "name = \"small\"",
            "name = \"../small\"",
            "c.toml:2: `name` cannot be \"../small\": results go to a folder of this name, so write letters, digits, `-`, `_` and `.`, beginning with a letter or digit",
        ),
        (
            "seed = 7",
            "seed = 7\nconfidence = 95",
            "c.toml:4: `confidence` must be a number above 0.5 and below 1, such as 0.95, not 95",
        ),
        (
            "name = \"tictactoe\"",
            "name = \"tictacto\"",
            "c.toml:6: [game] there is no game `tictacto`; did you mean `tictactoe`? (see `evalctl list games`)",
        ),
        (
            "[[opponents]]",
            "[opponents]",
            "c.toml:9: `opponents` must be tables that each begin with `[[opponents]]`, not a single `[opponents]`",
        ),
        (
            "[challenger]\nagent = \"first\"\n",
            "",
            "c.toml: `challenger` is missing: write a line [challenger] and below it agent = \"...\"",
        ),
        (
            "agent = \"random\"",
            "agent = \"rondom\"",
            "c.toml:10: [[opponents]] there is no agent `rondom`; did you mean `random`? (see `evalctl list agents`)",
        ),
        (
            "agent = \"random\"",
            "agent = \"human\"",
            "c.toml:10: [[opponents]] people play in `evalctl play` only; name an agent or a program here",
        ),
        (
            "kind = \"better\"",
            "kind = \"beter\"",
            "c.toml:13: [[claims]] `kind` cannot be `beter`; did you mean `better`?",
        ),
        (
            "opponent = \"random\"",
            "opponent = \"randon\"",
            "c.toml:14: [[claims]] there is no opponent `randon`; did you mean `random`?",
        ),
        (
            "opponent = \"random\"",
            "where = { simulations = 10 }",
            "c.toml:14: [[claims]] `where` names no axis `simulations`; this config has no axis (a field of [game] or of a challenger given as a list)",
        ),
        (
            "kind = \"better\"",
            "kind = \"equivalent\"",
            "c.toml:11: [[claims]] `margin` is missing: an equivalence claim must say what is equal enough, such as margin = 0.05",
        ),
        (
            "kind = \"better\"",
            "kind = \"trend\"",
            "c.toml:11: [[claims]] a claim of kind \"trend\" needs a challenger with several `simulations`, given as a list",
        ),
        (
            "kind = \"better\"",
            "kind = \"best\"",
            "c.toml:11: [[claims]] a claim of kind \"best\" needs at least two cells to choose from",
        ),
        (
            "[game]",
            "[stop]\nrule = \"sprt\"\nelo0 = 5\nelo1 = 5\nwidth = 1\n[game]",
            "c.toml:8: [stop] `elo1` must be above `elo0`\n\
             c.toml:9: [stop] `width` belongs to rule = \"precision\"",
        ),
        (
            "games = 5",
            "games 5",
            "c.toml:4: is not valid TOML: key with no value, expected `=`",
        ),
        (
            "games = 5",
            "games = 5\ngames = 6",
            "c.toml:5: is not valid TOML: duplicate key",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(complaint(SMALL, from, to), expected, "{to}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn options_axes_and_combinations() {
    let cases = [
        (
            "simulations = [10, 20]",
            "simulatons = [10, 20]",
            "c.toml:9: [[challengers]] unknown key `simulatons`; did you mean `simulations`?",
        ),
        (
            "simulations = [10, 20]",
            "simulations = []",
            "c.toml:9: [[challengers]] `simulations` is an empty list, so there would be no cell: give at least one value",
        ),
        (
            "simulations = [10, 20]",
            "simulations = [\n  10,\n  0,\n]",
            "c.toml:11: [[challengers]] `simulations` must be a whole number from 1 to 100000000, not 0",
        ),
        (
            "simulations = [10, 20]",
            "simulations = [10, 20, 10]",
            "c.toml:9: [[challengers]] `simulations` lists 10 twice: the same cell would be played twice",
        ),
        (
            "simulations = [10, 20]",
            "simulations = 1e3",
            "c.toml:9: [[challengers]] `simulations` must be a whole number from 1 to 100000000: write 1000 without a point",
        ),
        (
            "exploration = 1",
            "exploration = nan",
            "c.toml:10: [[challengers]] `exploration` must be a number from 0 to 1000000, not NaN",
        ),
        (
            "exploration = 1",
            "exploration = { challenger = 2 }",
            "c.toml:10: [[challengers]] `exploration` must be a number, not a table",
        ),
        (
            "exploration = 1",
            "rollout = \"lowst\"",
            "c.toml:10: [[challengers]] `rollout` must be one of `random`, `lowest`, not the text \"lowst\"; did you mean `lowest`?",
        ),
        (
            "deck = [24, 36]",
            "deck = [24, 35]",
            "c.toml:6: [game] durak: option `deck`: 35 is none of 24, 36, 52; choose one of them",
        ),
        (
            "deck = [24, 36]",
            "deck = [24, 36]\nopening_plies = [0, 2]",
            "c.toml:7: [game] `opening_plies` cannot be a list: openings are the same in every cell, so that cells can be compared",
        ),
        (
            "agent = \"ismcts\"",
            "agent = \"ismcts:simulations=10\"",
            "c.toml:8: [[challengers]] `agent` is a name alone in a config: write agent = \"ismcts\" and a line `option = value` for each option",
        ),
        (
            "agent = \"ismcts\"",
            "agent = [\"ismcts\", \"flat-mc\"]",
            "c.toml:10: [[challengers]] unknown key `exploration`; known are `simulations`, `millis`, `rollout`, `epsilon`, `depth`, `against`, `agent`, `label` (of agent `flat-mc`)",
        ),
        (
            "agent = \"pimc\"\nworlds = [2, 4]\nsimulations = 100",
            "agent = \"ismcts\"\nsimulations = 10\nexploration = 1",
            "c.toml:11: [[challengers]] the cell `ismcts:exploration=1,simulations=10` against `random` is in the grid twice (the table of line 7 gives it too): the same games would be played twice; remove one\n\
             c.toml:11: [[challengers]] the cell `ismcts:exploration=1,simulations=10` against `lowest` is in the grid twice (the table of line 7 gives it too): the same games would be played twice; remove one",
        ),
        (
            "[[opponents]]\nagent = \"random\"",
            "[[opponents]]\nagent = \"uct\"\nsimulations = [1, 2]",
            "c.toml:19: [[opponents]] `simulations` cannot be a list: opponents have no axes; write a table [[opponents]] for each value",
        ),
        (
            "[[opponents]]\nagent = \"random\"",
            "[[opponents]]\nagent = \"lowest\"",
            "c.toml:19: [[opponents]] is the same as an opponent before, `lowest`: remove it, or give it other options or a `label`",
        ),
        (
            "where = { deck = 36 }",
            "where = { dekc = 36 }",
            "c.toml:25: [[claims]] `where` names no axis `dekc`; did you mean `deck`?",
        ),
        (
            "where = { deck = 36 }",
            "where = { deck = 52 }",
            "c.toml:25: [[claims]] `where`: 52 is no value of `deck` here; it has 24, 36",
        ),
        (
            "where = { deck = 36 }",
            "",
            "c.toml:21: [[claims]] a claim of kind \"trend\" compares cells of the same deals, and these play different games: choose one with `where`",
        ),
        (
            "opponent = \"random\"\n",
            "",
            "c.toml:21: [[claims]] `opponent` is missing: one of `random`, `lowest`",
        ),
        (
            "opponent = \"random\"\n",
            "opponent = \"random\"\nchallenger = \"ismct\"\n",
            "c.toml:25: [[claims]] there is no challenger `ismct`; did you mean `ismcts`?",
        ),
        (
            "[[claims]]",
            "[stop]\nrule = \"sprt\"\nelo1 = 10\n[[claims]]",
            "",
        ),
    ];
    for (from, to, expected) in cases {
        if expected.is_empty() {
            assert!(plan_with(&GRID.replacen(from, to, 1), &[]).is_ok(), "{to}");
        } else {
            assert_eq!(complaint(GRID, from, to), expected, "{to}");
        }
    }
}

#[test]
fn what_cannot_be_played_together_is_found_before_a_game_is_played() {
    let lowest = complaint(SMALL, "agent = \"first\"", "agent = \"lowest\"");
    assert!(
        lowest.starts_with(
            "c.toml:8: [challenger] `lowest` does not play tictactoe (it plays durak); tictactoe is played by `random`, `first`"
        ),
        "{lowest}"
    );
    let uct = complaint(GRID, "agent = \"ismcts\"", "agent = \"uct\"");
    assert!(uct.starts_with("c.toml:8: [[challengers]] "), "{uct}");
    assert!(uct.contains("hidden"), "{uct}");
    let both = complaint(GRID, "exploration = 1", "exploration = 1\nmillis = 5");
    assert!(both.starts_with("c.toml:11: [[challengers]] "), "{both}");
    let transfer = complaint(
        GRID,
        "deck = [24, 36]",
        "deck = [24, 36]\nshow_trump = true",
    );
    assert!(transfer.starts_with("c.toml:7: [game] "), "{transfer}");
    assert!(transfer.contains("show_trump"), "{transfer}");
    let sprt = GRID.replace("deck = [24, 36]", "players = 3").replace(
        "where = { deck = 36 }",
        "[stop]\nrule = \"sprt\"\nelo1 = 10",
    );
    assert_eq!(
        plan_with(&sprt, &[]).unwrap_err().to_string(),
        "c.toml:25: [stop] rule = \"sprt\" is for two seats, and durak:players=3 has 3: use \"precision\""
    );
}

#[test]
fn grids_that_are_too_large_are_refused_before_they_are_made() {
    let many: Vec<String> = (1..=200).map(|n| n.to_string()).collect();
    let list = |key: &str| format!("{key} = [{}]\n", many.join(", "));
    let text = [
        list("simulations"),
        list("nodes").replace("[1,", "[999999,"),
    ]
    .concat();
    let message = complaint(
        &GRID.replace("exploration = 1\n", ""),
        "simulations = [10, 20]\n",
        &text.replace("nodes", "exploration").replace("999999", "0"),
    );
    assert_eq!(
        message,
        "c.toml: the grid has 160012 cells, at most 10000 are played: shorten the lists"
    );
}

#[test]
fn overrides_that_lead_nowhere() {
    let cases = [
        (
            "games",
            "--set games: must be KEY=VALUE, such as `challenger.simulations=[100, 1000]` or `games=50`",
        ),
        (
            "opponents.5.agent=first",
            "--set opponents.5.agent=first: there is no `opponents.5`: `opponents` has 2 entries, counted from 0",
        ),
        (
            "opponents.radom.agent=first",
            "--set opponents.radom.agent=first: no entry of `opponents` is called `radom`; did you mean `random`?",
        ),
        (
            "challenger.simulations=5",
            "--set challenger.simulations=5: this config has [[challengers]] and no [challenger]: write challengers.NAME.KEY=VALUE, or challengers.0 for the first",
        ),
        (
            "challengers.ismcts.simulations=0",
            "--set challengers.ismcts.simulations=0: [[challengers]] `simulations` must be a whole number from 1 to 100000000, not 0",
        ),
        (
            "game.deck.x=1",
            "--set game.deck.x=1: `deck` holds no tables",
        ),
        (
            "gamse=1",
            "--set gamse=1: unknown key `gamse`; did you mean `games`?",
        ),
        (
            "a b=1",
            "--set a b=1: `a b` is no key: write names joined by dots, quoted where they hold other characters than letters, digits, `-` and `_`",
        ),
    ];
    for (set, expected) in cases {
        let error = plan_with(GRID, &[set]).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn arguments_are_named_in_messages() {
    let durak = Settings::named("durak");
    let agents = [
        (
            "ismcts:simulatons=3",
            "ismcts:simulatons=3: unknown key `simulatons`; did you mean `simulations`?",
        ),
        (
            "ismcts:simulations=0",
            "ismcts:simulations=0: `simulations` must be a whole number from 1 to 100000000, not 0",
        ),
        (
            "ismcts:simulations",
            "ismcts:simulations: `simulations` is no KEY=VALUE: options are written ismcts:key=value,key=value",
        ),
        (
            "ismcts:simulations=1,simulations=2",
            "ismcts:simulations=1,simulations=2: `simulations` is given twice",
        ),
        (
            "imscts",
            "imscts: there is no agent `imscts`; did you mean `ismcts`? (see `evalctl list agents`)",
        ),
        (
            "exec:",
            "exec:: names no program: write exec:COMMAND, such as exec:./bot",
        ),
    ];
    for (text, expected) in agents {
        let error = typed::agent(text, &durak).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let games = [
        (
            "durak:players=7",
            "durak:players=7: `players` must be a whole number from 2 to 6, not 7",
        ),
        (
            "tictactoe:size=4",
            "tictactoe:size=4: unknown key `size`; known are `opening_plies`, `name`",
        ),
        (
            "tictactoe:opening_plies=-1",
            "tictactoe:opening_plies=-1: `opening_plies` must be a whole number from 0 to 1000, not -1",
        ),
    ];
    for (text, expected) in games {
        assert_eq!(typed::game(text).unwrap_err().to_string(), expected);
    }
    assert_eq!(
        typed::sprt("0,0,0.05,0.05").unwrap_err().to_string(),
        "--sprt 0,0,0.05,0.05: elo1 must be above elo0"
    );
    assert!(typed::sprt("0,10,0.05").is_err() && typed::sprt("0,nan,0.05,0.05").is_err());
    assert!(matches!(
        typed::sprt("0, 10, 0.05, 0.1"),
        Ok(StopRule::Sprt { .. })
    ));
    let (game, plies) =
        typed::game("durak:players=4,transfer=true,deck=36,opening_plies=3").unwrap();
    assert_eq!(
        (game.canonical().as_str(), plies),
        ("durak:players=4,transfer=on", 3)
    );
    let wrong = Match {
        challenger: "random",
        opponent: "human",
        game: "tictactoe",
        seed: 0,
        games: 2,
        confidence: 0.95,
        stop: StopRule::Fixed,
        exec: &[],
    };
    let no_games = Match {
        games: 0,
        ..wrong.clone()
    };
    assert_eq!(
        no_games.plan().unwrap_err().to_string(),
        "--games 0: must be from 1 to 1000000000000"
    );
    assert!(wrong.plan().unwrap_err().to_string().starts_with("human: "));
}

#[test]
fn files_that_are_no_configs() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no.toml");
    let error = crate::config::read_file(&missing).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{}: there is no such config file", missing.display())
    );
    let error = crate::config::read_file(folder.path())
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("is a folder, not a config file"), "{error}");
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"games = 1\n\xff").unwrap();
    let error = crate::config::read_file(&binary).unwrap_err().to_string();
    assert!(
        error.ends_with("is not UTF-8 text (byte 10): save it as UTF-8"),
        "{error}"
    );
    let large = folder.path().join("large.toml");
    std::fs::write(&large, vec![b'#'; (1 << 20) + 1]).unwrap();
    let error = crate::config::read_file(&large).unwrap_err().to_string();
    assert!(
        error.ends_with("is longer than 1048576 bytes, which is no config"),
        "{error}"
    );
}
