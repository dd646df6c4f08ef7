//! `evalctl tournament`: its files, and that a killed one ends as if nothing had happened.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const CUP: &str = r#"
name = "cup"
seed = 5
games = 60
[game]
name = "connect-four"
[[players]]
agent = "uct"
simulations = [8, 40]
[[players]]
agent = "random"
[[players]]
agent = "first"
"#;

fn folder(config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("cup.toml"), config).expect("a config");
    dir
}

fn start(dir: &Path, out: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(dir)
        .args(["tournament", "cup.toml", "--progress", "none", "--out", out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

fn play(dir: &Path, out: &str) -> Output {
    let output = start(dir, out).wait_with_output().expect("ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    output
}

/// Results by name, without what the contract exempts.
fn results(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in [dir.to_owned(), dir.join("plots")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(dir).expect("below").display().to_string();
            let exempt = name == "timing.csv" || name == "manifest.json";
            if path.is_file() && !exempt && !name.starts_with("plots/timing") {
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

#[test]
fn a_killed_tournament_goes_on_to_the_same_bytes() {
    let dir = folder(CUP);
    let started = Instant::now();
    let whole = play(dir.path(), "whole");
    let length = started.elapsed();
    let text = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(text.contains("leads with Elo"), "{text}");
    let mut partial = 0;
    for share in [0.1, 0.2, 0.3] {
        let mut child = start(dir.path(), "killed");
        std::thread::sleep(length.mul_f64(share) + Duration::from_millis(10));
        child.kill().expect("SIGKILL");
        child.wait().expect("ends");
        let journal = dir.path().join("killed/journal.bin");
        partial += usize::from(std::fs::metadata(journal).is_ok_and(|meta| meta.len() > 0));
    }
    assert!(partial > 0, "no kill left a partial journal");
    // What a kill leaves behind while results are written is removed by the run that goes on.
    std::fs::write(dir.path().join("killed/.evalctl-left.tmp"), "half").expect("a file");
    play(dir.path(), "killed");
    let (one, other) = (
        results(&dir.path().join("whole")),
        results(&dir.path().join("killed")),
    );
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs after being killed");
    }
    for name in [
        "ratings.csv",
        "payoffs.csv",
        "plots/payoffs.png",
        "plots/ratings.svg",
    ] {
        assert!(one.contains_key(name), "{name} is missing");
    }
    let ratings = String::from_utf8_lossy(&one["ratings.csv"]).into_owned();
    let mut lines = ratings.lines();
    assert_eq!(
        lines.next(),
        Some("rank,player,games,score,elo,elo_low,elo_high,standard_error,method")
    );
    assert!(
        lines
            .next()
            .is_some_and(|line| line.starts_with("1,uct:simulations=40,180,"))
    );
    assert_eq!(lines.count(), 3);
    // Every pairing both ways: 4 x 3 rows and a header.
    let payoffs = String::from_utf8_lossy(&one["payoffs.csv"]).into_owned();
    assert_eq!(payoffs.lines().count(), 13);
    let report = String::from_utf8_lossy(&one["report.html"]).into_owned();
    assert!(report.contains("Standings"));
}

#[test]
fn players_that_cannot_be_compared_get_a_sentence_instead_of_a_rating() {
    // Nobody takes a point from the perfect player when `first` is the only one to try.
    let config = CUP
        .replace("connect-four", "tictactoe")
        .replace("games = 60", "games = 8")
        .replace("\"uct\"\nsimulations = [8, 40]", "\"perfect\"")
        .replace("[[players]]\nagent = \"random\"\n", "");
    let dir = folder(&config);
    let output = play(dir.path(), "out");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("No ratings: "), "{text}");
    assert!(text.contains("{perfect}, {first}"), "{text}");
    let ratings = std::fs::read_to_string(dir.path().join("out/ratings.csv")).expect("a file");
    assert!(ratings.contains("1,perfect,8,1,,,,,"), "{ratings}");
    assert!(dir.path().join("out/plots/payoffs.png").is_file());
    assert!(!dir.path().join("out/plots/ratings.png").exists());
}

#[test]
fn three_seats_have_payoffs_both_ways_and_no_ratings() {
    let config = "name = \"three\"\ngames = 6\nformat = \"gauntlet\"\n[game]\nname = \"durak\"\nplayers = 3\n[[players]]\nagent = \"lowest\"\n[[players]]\nagent = \"random\"\n";
    let dir = folder(config);
    let text = String::from_utf8_lossy(&play(dir.path(), "out").stdout).into_owned();
    assert!(
        text.contains("No ratings: ratings are for two seats"),
        "{text}"
    );
    let payoffs = std::fs::read_to_string(dir.path().join("out/payoffs.csv")).expect("a file");
    assert!(payoffs.contains("\nlowest,random,6,2,"), "{payoffs}");
    assert!(payoffs.contains("\nrandom,lowest,6,2,"), "{payoffs}");
}
