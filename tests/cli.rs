//! What a user or a script sees of the command: exit codes, sentences, files.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn evalctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalctl"));
    command.env_remove("NO_COLOR");
    command
}

fn run(args: &[&str]) -> Output {
    evalctl().args(args).output().expect("the command starts")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

const CONFIG: &str = r#"
name = "small"
seed = 7
games = 20
[game]
name = "tictactoe"
opening_plies = 1
[challenger]
agent = "uct"
simulations = [10, 40]
[[opponents]]
agent = "random"
[[claims]]
name = "Search beats random"
kind = "better"
opponent = "random"
"#;

/// A folder with `small.toml`.
fn folder(config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("small.toml"), config).expect("a config");
    dir
}

fn sweep(dir: &Path, out: &str, more: &[&str]) -> Output {
    let mut command = evalctl();
    command
        .current_dir(dir)
        .args(["sweep", "small.toml", "--progress", "none", "--out", out]);
    command.args(more).output().expect("the command starts")
}

/// Files that must be the same whatever the number of threads, with their contents.
fn results(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in [dir.to_owned(), dir.join("plots")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(dir).expect("below").display().to_string();
            let exempt = ["timing.csv", "manifest.json"].contains(&name.as_str());
            if path.is_file() && !exempt && !name.starts_with("plots/timing") {
                files.push((name, std::fs::read(&path).expect("a file")));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_sweep_writes_all_files_and_is_the_same_for_any_number_of_threads() {
    let dir = folder(CONFIG);
    let one = sweep(dir.path(), "one", &["--jobs", "1"]);
    assert_eq!(code(&one), 0, "{}", err(&one));
    let two = sweep(dir.path(), "two", &["--jobs", "2"]);
    assert_eq!(code(&two), 0, "{}", err(&two));
    let (a, b) = (
        results(&dir.path().join("one")),
        results(&dir.path().join("two")),
    );
    let names: Vec<&str> = a.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "games.csv",
        "cells.csv",
        "claims.csv",
        "comparisons.csv",
        "seats.csv",
        "report.html",
    ] {
        assert!(names.contains(&name), "{name} is missing: {names:?}");
    }
    assert!(
        names.iter().filter(|name| name.contains(".png")).count() >= 3,
        "{names:?}"
    );
    assert_eq!(a.len(), b.len());
    for ((name, one), (other, two)) in a.iter().zip(&b) {
        assert_eq!(name, other);
        assert!(one == two, "{name} differs between one and two threads");
    }
    assert!(dir.path().join("one/manifest.json").is_file());
    assert!(out(&one).contains("Search beats random"), "{}", out(&one));
}

#[test]
fn a_finished_sweep_plays_nothing_a_larger_one_extends_it_and_another_one_is_refused() {
    let dir = folder(CONFIG);
    assert_eq!(code(&sweep(dir.path(), "run", &[])), 0);
    let again = sweep(dir.path(), "run", &[]);
    assert_eq!(code(&again), 0);
    assert!(
        err(&again).contains("nothing was played"),
        "{}",
        err(&again)
    );
    let longer = sweep(dir.path(), "run", &["--games", "30"]);
    assert_eq!(code(&longer), 0, "{}", err(&longer));
    let fresh = sweep(dir.path(), "fresh", &["--games", "30"]);
    assert_eq!(code(&fresh), 0);
    let games = |name: &str| std::fs::read(dir.path().join(name).join("games.csv")).expect("games");
    assert!(
        games("run") == games("fresh"),
        "an extended run has the games of a longer one"
    );
    let cells = std::fs::read_to_string(dir.path().join("run/cells.csv")).expect("cells");
    assert!(
        cells.contains("peeked"),
        "a run that was looked at and extended says so"
    );
    let other = sweep(dir.path(), "run", &["--seed", "8"]);
    assert_eq!(code(&other), 65, "{}", err(&other));
    assert!(
        err(&other).contains("seed"),
        "names the changed key: {}",
        err(&other)
    );
    let moved = sweep(dir.path(), "run", &["--seed", "8", "--fresh"]);
    assert_eq!(code(&moved), 0, "{}", err(&moved));
    let kept = std::fs::read_dir(dir.path()).expect("a folder").count();
    assert!(kept >= 4, "the old run was moved aside, not deleted");
}

#[test]
fn wrong_configs_get_a_sentence_with_file_line_and_key() {
    for (from, to, parts) in [
        (
            "simulations",
            "simulatons",
            &["small.toml:10", "simulatons", "simulations"][..],
        ),
        ("[10, 40]", "[]", &["small.toml:10", "simulations"][..]),
        ("games = 20", "games = 0", &["small.toml:4", "games"][..]),
        (
            "games = 20",
            "games = \"many\"",
            &["small.toml:4", "games"][..],
        ),
        (
            "agent = \"uct\"",
            "agent = \"utc\"",
            &["small.toml:9", "utc", "uct"][..],
        ),
        (
            "name = \"tictactoe\"",
            "name = \"tictacto\"",
            &["small.toml:6", "tictactoe"][..],
        ),
    ] {
        let dir = folder(&CONFIG.replacen(from, to, 1));
        let output = sweep(dir.path(), "run", &[]);
        assert_eq!(code(&output), 2, "{to}: {}", err(&output));
        for part in parts {
            assert!(
                err(&output).contains(part),
                "{to}: `{part}` is not in: {}",
                err(&output)
            );
        }
        assert!(
            !dir.path().join("run").exists(),
            "nothing is written for a wrong config"
        );
    }
    let missing = run(&["sweep", "no/such/file.toml"]);
    assert_eq!(code(&missing), 2);
    assert!(
        err(&missing).contains("no/such/file.toml"),
        "{}",
        err(&missing)
    );
}

#[test]
fn hidden_information_is_refused_where_it_would_be_seen() {
    let dir = folder(
        &CONFIG
            .replace("tictactoe", "durak")
            .replace("opening_plies = 1", ""),
    );
    let output = sweep(dir.path(), "run", &[]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(
        err(&output).contains("ismcts"),
        "says what to use: {}",
        err(&output)
    );
}

#[test]
fn usage_errors_and_answers_have_their_exit_codes() {
    assert_eq!(code(&run(&["sweep"])), 2);
    assert_eq!(code(&run(&["sweep", "x.toml", "--jobs", "0"])), 2);
    assert_eq!(code(&run(&["swep"])), 2);
    let help = run(&["--help"]);
    assert_eq!(code(&help), 0);
    assert!(out(&help).contains("Examples:"), "{}", out(&help));
    assert!(out(&run(&["sweep", "--help"])).contains("--dry-run"));
    assert_eq!(code(&run(&["--version"])), 0);
    for what in ["games", "agents", "axes"] {
        let json = run(&["list", what, "--format", "json"]);
        assert_eq!(code(&json), 0);
        let listed: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
        assert!(
            listed.as_array().is_some_and(|items| !items.is_empty()),
            "{what}"
        );
    }
    let schema = run(&["schema"]);
    assert_eq!(code(&schema), 0);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).expect("JSON");
    assert!(schema["properties"]["challenger"].is_object());
}

#[test]
fn required_claims_that_are_not_supported_exit_with_3() {
    let dir = folder(&CONFIG.replace("kind = \"better\"", "kind = \"better\"\nthreshold = 0.999"));
    let output = sweep(dir.path(), "run", &["--require-claims"]);
    assert_eq!(code(&output), 3, "{}", err(&output));
    assert!(
        dir.path().join("run/report.html").is_file(),
        "all files are written all the same"
    );
}

#[test]
fn a_dry_run_plays_nothing_and_writes_nothing() {
    let dir = folder(CONFIG);
    let output = sweep(dir.path(), "run", &["--dry-run"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in [
        "2 cells",
        "40 games",
        "Smallest difference",
        "Estimated time",
    ] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    assert!(!dir.path().join("run").exists());
}

#[test]
fn a_run_is_verified_and_a_forged_row_is_found() {
    let dir = folder(CONFIG);
    assert_eq!(code(&sweep(dir.path(), "run", &[])), 0);
    let path = dir.path().join("run");
    let verify = |more: &[&str]| {
        let mut command = evalctl();
        command
            .arg("verify")
            .arg(&path)
            .args(more)
            .output()
            .expect("the command starts")
    };
    assert_eq!(code(&verify(&[])), 0);
    let replay = evalctl()
        .arg("replay")
        .arg(&path)
        .arg("3")
        .output()
        .expect("starts");
    assert_eq!(code(&replay), 0, "{}", err(&replay));
    assert!(out(&replay).contains("plays"), "{}", out(&replay));
    let games = std::fs::read_to_string(path.join("games.csv")).expect("games");
    let forged = games.replacen(",win,", ",loss,", 1);
    assert_ne!(games, forged, "there is a won game to forge");
    std::fs::write(path.join("games.csv"), forged).expect("written");
    let found = verify(&[]);
    assert_eq!(code(&found), 1);
    assert!(out(&found).contains("games.csv"), "{}", out(&found));
}

#[test]
fn traces_are_json_lines_and_a_closed_pipe_ends_quietly() {
    let trace = run(&[
        "trace", "random", "lowest", "--game", "durak", "--games", "2", "--seed", "7",
    ]);
    assert_eq!(code(&trace), 0, "{}", err(&trace));
    let text = out(&trace);
    let mut kinds = Vec::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        kinds.push(value["kind"].as_str().unwrap_or_default().to_owned());
    }
    assert_eq!(kinds.iter().filter(|kind| *kind == "deal").count(), 2);
    assert_eq!(kinds.iter().filter(|kind| *kind == "end").count(), 2);
    let mut child = evalctl()
        .args([
            "trace", "random", "random", "--game", "durak", "--games", "2000",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).is_empty(), "{}", err(&output));
}

#[test]
fn an_unwritable_folder_is_said_in_a_sentence() {
    let dir = folder(CONFIG);
    std::fs::write(
        dir.path().join("blocked"),
        "a file where the folder should be",
    )
    .expect("file");
    let output = sweep(dir.path(), "blocked/run", &[]);
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(err(&output).contains("blocked"), "{}", err(&output));
    assert!(!err(&output).contains("panicked"), "{}", err(&output));
}

#[test]
fn progress_for_programs_is_json_lines() {
    let dir = folder(CONFIG);
    let mut command = evalctl();
    command
        .current_dir(dir.path())
        .args(["sweep", "small.toml", "--progress", "json"]);
    let output = command.args(["--out", "run"]).output().expect("starts");
    let text = err(&output);
    assert!(!text.is_empty());
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        assert!(value["kind"].is_string(), "{line}");
    }
}

#[test]
fn results_of_nobody_knows_what_are_never_overwritten() {
    let dir = folder(CONFIG);
    let foreign = dir.path().join("foreign");
    std::fs::create_dir(&foreign).expect("a folder");
    std::fs::write(foreign.join("games.csv"), "precious").expect("a file");
    let output = sweep(dir.path(), "foreign", &[]);
    assert_eq!(code(&output), 65, "{}", err(&output));
    assert!(err(&output).contains("games.csv"), "{}", err(&output));
    let kept = std::fs::read_to_string(foreign.join("games.csv")).expect("still there");
    assert_eq!(kept, "precious");
}

#[test]
fn lost_derived_files_are_written_again_and_altered_games_are_refused() {
    let dir = folder(CONFIG);
    assert_eq!(code(&sweep(dir.path(), "run", &[])), 0);
    let path = dir.path().join("run");
    let cells = std::fs::read(path.join("cells.csv")).expect("cells");
    std::fs::remove_file(path.join("cells.csv")).expect("removed");
    let again = sweep(dir.path(), "run", &[]);
    assert_eq!(code(&again), 0, "{}", err(&again));
    assert!(
        err(&again).contains("cells.csv"),
        "says what it mended: {}",
        err(&again)
    );
    assert!(cells == std::fs::read(path.join("cells.csv")).expect("cells"));
    let analyze = || {
        evalctl()
            .arg("analyze")
            .arg(&path)
            .output()
            .expect("starts")
    };
    assert_eq!(code(&analyze()), 0);
    let before = results(&path);
    assert_eq!(code(&analyze()), 0);
    assert!(
        before == results(&path),
        "an analysis done twice gives the same files"
    );
    let games = std::fs::read_to_string(path.join("games.csv")).expect("games");
    let digest = games
        .lines()
        .nth(1)
        .and_then(|l| l.rsplit(',').next())
        .expect("a digest");
    let forged = games.replacen(digest, "0123456789abcdef", 1);
    std::fs::write(path.join("games.csv"), forged).expect("written");
    for output in [analyze(), sweep(dir.path(), "run", &[])] {
        assert_eq!(code(&output), 1, "{}", err(&output));
        assert!(err(&output).contains("games.csv"), "{}", err(&output));
    }
}

#[test]
fn numbers_that_mean_nothing_are_usage_errors() {
    let trace = [
        "trace", "random", "lowest", "--game", "durak", "--games", "0",
    ];
    assert_eq!(code(&run(&trace)), 2);
    assert_eq!(code(&run(&["verify", "anywhere", "--sample", "0"])), 2);
    let seat = [
        "trace", "random", "lowest", "--game", "durak", "--text", "--seat", "9",
    ];
    assert_eq!(code(&run(&seat)), 2);
}

#[test]
fn a_calibration_never_goes_into_the_folder_of_a_run() {
    let dir = folder(CONFIG);
    let dir = dir.path();
    assert_eq!(code(&sweep(dir, "run", &[])), 0);
    assert_eq!(code(&sweep(dir, "parts", &["--shard", "0/2"])), 0);
    let calibrate = |to: &str| {
        let mut command = evalctl();
        command.current_dir(dir).args(["calibrate", "--quick"]);
        command.args(["--scenario", "cell/coin/1x10", "--repetitions", "40"]);
        command.args(["--progress", "none", "--out", to]);
        command.output().expect("the command starts")
    };
    for to in ["run", "parts"] {
        let output = calibrate(to);
        assert_eq!(code(&output), 65, "{}", err(&output));
        assert!(
            err(&output).contains("choose another folder"),
            "{}",
            err(&output)
        );
        assert!(!dir.join(to).join("calibration.csv").exists());
    }
    let run = dir.join("run").display().to_string();
    assert_eq!(code(&self::run(&["verify", &run])), 0);
    // Its own folder is written again.
    for _ in 0..2 {
        let output = calibrate("calibration");
        assert!([0, 1].contains(&code(&output)), "{}", err(&output));
        assert!(dir.join("calibration/calibration.csv").exists());
    }
}

#[test]
fn a_calibration_grows_by_parts_and_its_report_is_made_again_from_the_table() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let folder = dir.join("calibration").display().to_string();
    let calibrate = |scenario: &str| {
        let output = run(&[
            "calibrate",
            "--quick",
            "--repetitions",
            "40",
            "--progress",
            "none",
            "--scenario",
            scenario,
            "--out",
            &folder,
        ]);
        assert!([0, 1].contains(&code(&output)), "{}", err(&output));
        out(&output)
    };
    assert!(!calibrate("cell/coin/1x10").contains("measured into the folder before"));
    assert!(calibrate("trend/coin").contains("2 scenarios that were measured into the folder"));
    let read = |name: &str| std::fs::read(dir.join("calibration").join(name)).expect("a file");
    let table = String::from_utf8(read("calibration.csv")).expect("text");
    for scenario in ["cell/coin/1x10,", "cell/coin/1x100,", "trend/coin/5x40,"] {
        assert!(table.contains(scenario), "{table}");
    }
    let files = [
        "calibration.csv",
        "report.html",
        "manifest.json",
        "plots/intervals.png",
    ];
    let before = files.map(read);
    assert!(String::from_utf8_lossy(&before[1]).contains("--scenario trend/coin --out DIR"));
    std::fs::remove_file(dir.join("calibration/report.html")).expect("a file");
    assert_eq!(code(&run(&["analyze", &folder])), 0);
    assert!(before == files.map(read));
    // It holds no games, and one digit of its table changed by hand shows.
    let verify = run(&["verify", &folder]);
    assert_eq!(code(&verify), 1);
    assert!(err(&verify).contains("calibration"), "{}", err(&verify));
    std::fs::write(
        dir.join("calibration/calibration.csv"),
        table.replacen("16", "17", 1),
    )
    .expect("a file");
    let changed = run(&["analyze", &folder]);
    assert_eq!(code(&changed), 1);
    assert!(
        err(&changed).contains("it was changed"),
        "{}",
        err(&changed)
    );
}

#[test]
fn numbers_at_the_end_of_their_range_are_usage_errors() {
    let most = u64::MAX.to_string();
    let trace = [
        "trace",
        "random",
        "first",
        "--game",
        "tictactoe",
        "--block",
        &most,
    ];
    let last = run(&trace);
    assert_eq!(code(&last), 0, "{}", err(&last));
    let over = run(&[&trace[..], &["--games", "2"]].concat());
    assert_eq!(code(&over), 2, "{}", err(&over));
    assert!(
        err(&over).contains("choose a smaller --block"),
        "{}",
        err(&over)
    );
    let over = run(&["calibrate", "--quick", "--repetitions", &most]);
    assert_eq!(code(&over), 2, "{}", err(&over));
}

#[test]
fn a_plan_promises_no_more_than_winning_every_game() {
    let over = run(&["plan", "--effect", "0.9"]);
    assert_eq!(code(&over), 2, "{}", err(&over));
    assert!(err(&over).contains("at most 0.5"), "{}", err(&over));
    let few = run(&["plan", "--games", "2"]);
    assert_eq!(code(&few), 0, "{}", err(&few));
    assert!(
        out(&few).contains("show no difference at all"),
        "{}",
        out(&few)
    );
    let dir = folder(CONFIG);
    let dry = sweep(dir.path(), "run", &["--games", "2", "--dry-run"]);
    assert!(
        out(&dry).contains("none, for want of blocks"),
        "{}",
        out(&dry)
    );
}

#[test]
fn missing_games_are_called_missing() {
    let dir = folder(CONFIG);
    assert_eq!(code(&sweep(dir.path(), "run", &[])), 0);
    let run_dir = dir.path().join("run");
    std::fs::remove_file(run_dir.join("games.csv")).expect("there");
    let output = run(&["analyze", &run_dir.display().to_string()]);
    assert_eq!(code(&output), 1);
    assert!(
        err(&output).contains("games.csv is missing"),
        "{}",
        err(&output)
    );
}
