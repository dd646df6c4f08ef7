//! `docs/reference.md` is made from the code: the schema of configs, the options of games and
//! agents, the heads of the files of a run. Columns are explained here; one that is not explained,
//! or is not there, fails.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use evalctl::config;
use serde_json::{Value, json};

const PAGE: &str = "docs/reference.md";

/// A run whose files have every kind of row.
const CONFIG: &str = r#"
name = "columns"
seed = 1
games = 8
[game]
name = "tictactoe"
opening_plies = 1
[challenger]
agent = "uct"
simulations = [2, 4]
[[opponents]]
agent = "random"
[[claims]]
name = "More search helps"
kind = "monotone"
"#;

/// A file, what it holds, and its columns with what they mean.
type File = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// Files with their columns and what these mean; the axis stands where it is written.
const FILES: [File; 6] = [
    (
        "games.csv",
        "A row per game, ordered by cell, block, rotation.",
        &[
            ("game", "number of the game, from 0"),
            ("cell", "number of the cell, from 0"),
            (
                "challenger",
                "name of the challenger; `placebo:NAME` in a control",
            ),
            (
                "simulations",
                "one column per axis of the grid, under its key (here `simulations`); `game.` or `challenger.` before it only if both have such a key; empty where it does not apply",
            ),
            ("opponent", "name of the opponent"),
            ("phase", "`main`, `select`, `confirm` or `placebo`"),
            ("block", "number of the deal"),
            ("rotation", "number of the game within its block"),
            ("seat", "the challenger's seat, from 0"),
            ("first_seat", "the seat that moved first"),
            ("seed", "seed of the game, hexadecimal"),
            ("score", "the challenger's score, 0 to 1"),
            ("scores", "scores of all seats, `;` between"),
            (
                "places",
                "order of going out by seat, `;` between; empty where it has no meaning",
            ),
            (
                "outcome",
                "`win`, `draw`, `loss` (the challenger's) or `truncated`",
            ),
            (
                "end",
                "`normal`, a forfeit (`illegal_move`, `timeout`, `crash`, `protocol`) or cut off (`decision_cap`, `repetition`)",
            ),
            ("fault_seat", "the seat that forfeited; empty if none"),
            ("decisions", "number of decisions"),
            ("digest", "hash of the sequence of moves"),
        ],
    ),
    (
        "cells.csv",
        "A row per cell. Everything is from the challenger's side; blocks, not games, are counted in intervals and tests.",
        &[
            ("cell", "number of the cell"),
            ("challenger", "as in games.csv"),
            ("simulations", "one column per axis, as in games.csv"),
            ("opponent", "as in games.csv"),
            ("phase", "as in games.csv"),
            ("games", "games played"),
            ("blocks", "complete blocks played"),
            ("distinct_games", "different sequences of moves"),
            ("wins", "games won"),
            ("draws", "games neither won nor lost"),
            ("losses", "games lost"),
            (
                "truncated",
                "games cut off; they score the fair share and are left out of the estimate",
            ),
            ("forfeits_challenger", "games forfeited by the challenger"),
            ("forfeits_opponent", "games forfeited by an opponent"),
            ("score", "mean block score, 0 to 1"),
            ("score_low", "lower end of the pointwise interval"),
            ("score_high", "its upper end"),
            (
                "sim_low",
                "lower end of the simultaneous interval: Bonferroni over the cells of one opponent, placebo left out",
            ),
            ("sim_high", "its upper end"),
            ("interval", "method of both intervals"),
            ("p_value", "two-sided, against the fair share"),
            ("p_adjusted", "Holm over the cells of one opponent"),
            (
                "elo",
                "Elo of the score; two seats only, empty where unbounded",
            ),
            ("elo_low", "Elo of the interval's lower end"),
            ("elo_high", "Elo of its upper end"),
            (
                "seat_effect",
                "mean score when moving first minus otherwise, by block",
            ),
            ("seat_low", "lower end of its interval"),
            ("seat_high", "its upper end"),
            ("flags", "diagnostics raised by the cell, space between"),
            ("p_method", "method of the p-value"),
            (
                "detectable",
                "smallest difference from the fair share that so many blocks of this variance show with 80 % power",
            ),
            (
                "score_truncated_0",
                "score with games cut off counted as 0; empty without such games",
            ),
            ("score_truncated_1", "the same counted as 1"),
        ],
    ),
    (
        "claims.csv",
        "A row per declared claim.",
        &[
            ("claim", "its sentence"),
            (
                "kind",
                "`better`, `at-least`, `equivalent`, `trend`, `monotone` or `best`",
            ),
            ("cells", "numbers of the cells it is about, space between"),
            ("estimate", "what `quantity` says"),
            (
                "low",
                "lower end of the interval, simultaneous over the declared claims",
            ),
            ("high", "its upper end"),
            ("p_value", "one-sided, in the claimed direction"),
            ("p_adjusted", "Holm over the declared claims"),
            ("verdict", "`supported`, `refuted`, `undecided` or `void`"),
            ("why", "the reason in a sentence"),
            ("opponent", "the opponent it is about"),
            ("quantity", "what was estimated"),
            ("p_method", "method of the p-value"),
        ],
    ),
    (
        "comparisons.csv",
        "Cell against cell, where a claim asks.",
        &[
            ("claim", "the claim that asks"),
            ("first", "number of the first cell"),
            ("second", "number of the second cell"),
            (
                "shared_blocks",
                "deals that both played; 0 if they share none",
            ),
            ("difference", "mean block score, second minus first"),
            (
                "low",
                "lower end of the interval, simultaneous over the claim's comparisons",
            ),
            ("high", "its upper end"),
            ("interval", "method of interval and test"),
            ("p_value", "two-sided"),
            ("p_adjusted", "Holm over the claim's comparisons"),
            (
                "variance_saved",
                "share of the variance that sharing deals saved; may be negative",
            ),
        ],
    ),
    (
        "seats.csv",
        "The challenger's score by seat, where there are more than two.",
        &[
            ("cell", "number of the cell"),
            ("seat", "the seat, from 0"),
            ("games", "games in it, without those cut off"),
            ("score", "mean score"),
            ("score_low", "lower end of the interval"),
            ("score_high", "its upper end"),
            ("interval", "its method"),
        ],
    ),
    (
        "timing.csv",
        "What a move takes. The only table that differs from run to run.",
        &[
            ("cell", "number of the cell"),
            ("challenger", "as in games.csv"),
            ("opponent", "as in games.csv"),
            (
                "challenger_moves",
                "moves of the challenger that were timed",
            ),
            ("challenger_ms_per_move", "milliseconds per move"),
            ("opponent_moves", "moves of all opponents that were timed"),
            ("opponent_ms_per_move", "milliseconds per move"),
            (
                "challenger_median_ms",
                "median of the challenger's moves, to within 1/32; kept in matches and where programs play, of the session that finished the run, else empty",
            ),
            (
                "challenger_p99_ms",
                "the time that 99 % of its moves did not exceed",
            ),
            ("challenger_max_ms", "its longest move"),
            ("opponent_median_ms", "the same of all opponents"),
            ("opponent_p99_ms", "likewise"),
            ("opponent_max_ms", "likewise"),
        ],
    ),
];

/// A tournament, for the files that only these have.
const TOURNAMENT: &str = r#"
name = "columns"
seed = 1
games = 8
[game]
name = "tictactoe"
[[players]]
agent = "uct"
simulations = [2, 4]
[[players]]
agent = "random"
"#;

/// Files of a tournament, besides those of every run.
const STANDINGS: [File; 2] = [
    (
        "ratings.csv",
        "Of a tournament: a row per player, best first.",
        &[
            ("rank", "place, from 1"),
            ("player", "its name"),
            ("games", "games, those cut off included"),
            (
                "score",
                "mean score of all its complete blocks, whoever the opponents were",
            ),
            (
                "elo",
                "Elo above the mean of all players; empty if they cannot all be rated",
            ),
            ("elo_low", "lower end of its interval"),
            ("elo_high", "its upper end"),
            (
                "standard_error",
                "standard error of the Elo, clustered by deal",
            ),
            ("method", "method of rating and interval"),
        ],
    ),
    (
        "payoffs.csv",
        "Of a tournament: a row for every player against each that it met, so every pairing stands there from both sides.",
        &[
            ("player", "whose score it is"),
            (
                "opponent",
                "against whom; with more than two seats it fills all the others",
            ),
            ("games", "games"),
            ("blocks", "complete blocks"),
            ("score", "mean block score of `player`, 0 to 1"),
            ("low", "lower end of its pointwise interval"),
            ("high", "its upper end"),
            ("p_value", "two-sided, against the fair share"),
            ("p_adjusted", "Holm over all pairings"),
        ],
    ),
];

/// What `evalctl calibrate --out` writes.
const CALIBRATION: File = (
    "calibration.csv",
    "Of `evalctl calibrate`: a row per scenario, measure and method.",
    &[
        ("scenario", "its name"),
        (
            "question",
            "what was simulated: `cell`, `grid`, `trend`, `looking`, `stopping`",
        ),
        ("law", "the law that block scores were drawn from"),
        ("seats", "seats of the game"),
        ("cells", "cells of an experiment"),
        ("blocks", "blocks per cell"),
        ("stop", "the stopping rule"),
        ("measure", "what was measured, such as `coverage`"),
        ("method", "of which method; empty for that of the reports"),
        ("repetitions", "simulated experiments"),
        ("value", "the measured value"),
        ("low", "three Monte-Carlo standard errors less"),
        ("high", "three more"),
        ("bound", "`at least` or `at most`, if a value is promised"),
        ("limit", "the promised value"),
        (
            "holds",
            "`yes` or `no`: whether the range from `low` to `high` allows it",
        ),
    ],
);

/// Keys of `manifest.json`.
const MANIFEST: &[(&str, &str)] = &[
    ("format", "version of this file's format"),
    ("name", "name of the experiment"),
    ("version", "version of evalctl that played"),
    (
        "identity",
        "hash of everything that decides which games are played",
    ),
    ("identity_keys", "the parts of it, each with its hash"),
    ("config_hash", "hash of `config`"),
    (
        "config",
        "the config as resolved, every default written out",
    ),
    ("seed", "root seed"),
    ("games_asked", "games per cell that were asked for"),
    (
        "extended_from",
        "games per cell of the finished runs that this one extended",
    ),
    ("selected", "cells that claims of kind `best` selected"),
    (
        "missing_shards",
        "shards that were not there when the others were merged",
    ),
    (
        "reproducible",
        "false with wall-clock budgets, programs or people",
    ),
    ("counts", "numbers of cells, blocks and games"),
    (
        "cells",
        "by cell: first block, blocks, whether it was stopped early, what its players said",
    ),
    (
        "bots",
        "programs: their commands and the hashes of their files",
    ),
    (
        "files",
        "every file that is the same when the run is repeated, with size and BLAKE3 hash",
    ),
    (
        "environment",
        "what may differ: commit, compiler, machine, hash of `timing.csv`",
    ),
];

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The properties of an object of the schema, as rows.
fn keys(out: &mut String, object: &Value) {
    out.push_str("\n| key | meaning | default |\n|---|---|---|\n");
    let empty = serde_json::Map::new();
    for (name, property) in object["properties"].as_object().unwrap_or(&empty) {
        let help = property["description"].as_str().expect("a description");
        let words = property["enum"]
            .as_array()
            .map_or_else(String::new, |list| {
                let words: Vec<String> = list
                    .iter()
                    .map(|w| format!("`{}`", w.as_str().unwrap_or("")))
                    .collect();
                format!(" ({})", words.join(", "))
            });
        let required = object["required"].as_array();
        let default = match &property["default"] {
            Value::Null if required.is_some_and(|all| all.contains(&json!(name))) => {
                "*required*".to_owned()
            }
            Value::Null => String::new(),
            Value::String(text) => format!("`{text}`"),
            other => format!("`{other}`"),
        };
        let _ = writeln!(out, "| `{name}` | {}{words} | {default} |", cell(help));
    }
}

fn options(out: &mut String, listed: &[config::list::Listed]) {
    for entry in listed {
        let _ = writeln!(out, "\n### `{}`\n\n{}", entry.name, entry.help);
        if entry.options.is_empty() {
            continue;
        }
        out.push_str("\n| option | values | default | meaning |\n|---|---|---|---|\n");
        for option in &entry.options {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} |",
                option.name,
                cell(&option.values),
                option.default.unwrap_or_default(),
                cell(option.help)
            );
        }
    }
}

/// What all games or agents have besides `name` and the options of each: from the schema of one.
fn of_all(entrant: &Value, name: &str, listed: &[config::list::Listed]) -> Value {
    let own = listed.iter().flat_map(|entry| &entry.options);
    let own: Vec<&str> = own.map(|option| option.name).collect();
    let properties = entrant["properties"].as_object().expect("properties");
    let of_all = properties
        .iter()
        .filter(|(key, _)| *key != name && !own.contains(&key.as_str()));
    let of_all: serde_json::Map<_, _> = of_all.map(|(k, v)| (k.clone(), v.clone())).collect();
    assert!(!of_all.is_empty(), "{name}");
    json!({"properties": of_all})
}

fn page() -> String {
    let schema = config::schema();
    let mut out = String::from(
        "# Config keys and columns\n\nMade from the code by `tests/docs`; \
         `EVALCTL_UPDATE=1 cargo test --test docs reference` writes it again.\n\n\
         ## Keys of a config\n\nAny option of a challenger or of the game that is written as a list \
         is an axis of the grid.\n",
    );
    keys(&mut out, &schema);
    out.push_str("\n### Keys of a claim\n");
    keys(&mut out, &schema["properties"]["claims"]["items"]);
    out.push_str("\n### Keys of `[stop]`\n");
    let stop = &schema["properties"]["stop"];
    match stop["anyOf"]
        .as_array()
        .or_else(|| stop["oneOf"].as_array())
    {
        Some(kinds) => kinds.iter().for_each(|kind| keys(&mut out, kind)),
        None => keys(&mut out, stop),
    }
    out.push_str(
        "\n## Games\n\nThe table `[game]` has `name`, the options of that game, and of every game:\n",
    );
    let game = &schema["properties"]["game"]["anyOf"][0];
    keys(&mut out, &of_all(game, "name", &config::list::games()));
    options(&mut out, &config::list::games());
    out.push_str(
        "\n## Agents\n\nThe tables `[challenger]`, `[[opponents]]` and `[[players]]` have `agent`, the \
         options of that agent, and of every agent what follows. A number of an opponent can be tied \
         to the challenger's: `simulations = { challenger = 0.5 }` is half of what it has.\n",
    );
    let agent = &schema["definitions"]["agent"]["anyOf"][0];
    keys(&mut out, &of_all(agent, "agent", &config::list::agents()));
    options(&mut out, &config::list::agents());
    out.push_str("\n## Files of a run\n\nText is UTF-8, fields are quoted as RFC 4180 says, lines end in `\\n`; what is undefined is an empty field.\n");
    for (name, help, columns) in FILES.iter().chain(&STANDINGS).chain([&CALIBRATION]) {
        let _ = writeln!(
            out,
            "\n### `{name}`\n\n{help}\n\n| column | meaning |\n|---|---|"
        );
        for (column, meaning) in *columns {
            let _ = writeln!(out, "| `{column}` | {} |", cell(meaning));
        }
    }
    out.push_str(
        "\n### `manifest.json`\n\nWritten last: a folder with it is a finished run.\n\n\
         | key | meaning |\n|---|---|\n",
    );
    for (key, meaning) in MANIFEST {
        let _ = writeln!(out, "| `{key}` | {} |", cell(meaning));
    }
    out.push_str(
        "\n### Other files\n\n`plots/*.png` and `*.svg`: [the charts](charts.md). `report.html`: all of it in \
         one page. `journal.bin`, `shard-I-of-N.journal`, `shard-I-of-N.blocks`: a run that is not finished, or one shard of it; binary, \
         checked by its own hashes. `imported.json`: where imported results came from.\n",
    );
    out.push_str(
        "\n## `--progress json`\n\nA JSON object per line on standard error.\n\n\
         | key | meaning |\n|---|---|\n\
         | `kind` | `progress`, or `note` with a `text` |\n\
         | `blocks`, `blocks_planned` | blocks finished and planned |\n\
         | `games` | games finished |\n\
         | `cells_finished`, `cells` | cells finished and in all |\n\
         | `running` | the cell in hand: its number |\n\
         | `score` | its mean score so far; null before its first block |\n\
         | `any_time_low`, `any_time_high` | its confidence sequence, which holds at all moments at once |\n\
         | `elapsed_s`, `left_s` | seconds; `left_s` is null while it is unknown |\n\
         | `last` | whether this is the last line |\n",
    );
    out
}

#[test]
fn the_reference_is_what_the_code_says() {
    let text = page();
    let path = super::root().join(PAGE);
    if std::env::var_os("EVALCTL_UPDATE").is_some() {
        std::fs::write(&path, &text).expect("the page");
    }
    assert!(
        std::fs::read_to_string(&path).is_ok_and(|old| old == text),
        "{PAGE} is out of date: run `EVALCTL_UPDATE=1 cargo test --test docs reference`"
    );
}

#[test]
fn the_reference_explains_every_column_of_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("columns.toml"), CONFIG).expect("a config");
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(folder.path())
        .args([
            "sweep",
            "columns.toml",
            "--progress",
            "json",
            "--out",
            "run",
        ])
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    for (name, _, columns) in FILES {
        let head = header(&folder.path().join("run").join(name));
        let explained: Vec<&str> = columns.iter().map(|(column, _)| *column).collect();
        assert_eq!(head, explained, "{name}");
    }
    let manifest = std::fs::read_to_string(folder.path().join("run/manifest.json"));
    let manifest: Value = serde_json::from_str(&manifest.expect("a manifest")).expect("JSON");
    let mut keys: Vec<&str> = manifest
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let mut explained: Vec<&str> = MANIFEST.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    explained.sort_unstable();
    assert_eq!(keys, explained, "manifest.json");
    let text = page();
    for line in said.lines() {
        let value: Value = serde_json::from_str(line).expect("a JSON object per line");
        for key in value.as_object().expect("an object").keys() {
            assert!(
                text.contains(&format!("`{key}`")),
                "`{key}` of --progress json"
            );
        }
    }
}

#[test]
fn the_reference_explains_every_column_of_a_tournament_and_a_calibration() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("columns.toml"), TOURNAMENT).expect("a config");
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(folder.path())
        .args(["tournament", "columns.toml", "--progress", "none"])
        .args(["--out", "run"])
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let explained = |file: &File| -> Vec<String> {
        let columns = file.2.iter();
        columns.map(|(column, _)| (*column).to_owned()).collect()
    };
    for file in &STANDINGS {
        let head = header(&folder.path().join("run").join(file.0));
        assert_eq!(head, explained(file), "{}", file.0);
    }
    let table = evalctl::calibrate::table::csv(&[]);
    let head: Vec<&str> = table.trim_end().split(',').collect();
    assert_eq!(head, explained(&CALIBRATION));
    // No other table is written.
    let known: Vec<&str> = FILES.iter().chain(&STANDINGS).map(|file| file.0).collect();
    for entry in std::fs::read_dir(folder.path().join("run")).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        let other = ["manifest.json", "report.html", "plots"].contains(&&*name);
        assert!(other || known.contains(&&*name), "{name} is not explained");
    }
}

fn header(path: &Path) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let head = reader.headers().expect("a header");
    head.iter().map(str::to_owned).collect()
}
