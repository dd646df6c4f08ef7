//! The game of `examples/own_game.rs`, which is not in this crate, with outside programs and
//! people: its program is `evalctl` with one more game.

mod common;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use common::example;

/// Runs the example with these arguments and this input.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut child = Command::new(example("own_game"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may not want all of it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("ends");
    let text = [stdout, stderr].concat();
    (status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn programs_are_checked_and_play_it() {
    let bot = example("fake_bot").display().to_string();
    let check = [
        "check-bot",
        "--game",
        "kuhn-poker",
        "--protocol",
        "text",
        "--",
    ];
    let (code, text) = run(&[&check[..], &[&bot, "first"]].concat(), "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("The bot does everything right."), "{text}");

    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run").display().to_string();
    let exec = format!("exec:{bot} first");
    let game = ["match", &exec, "bold", "--game", "kuhn-poker"];
    let how = ["--protocol", "text", "--games", "20", "--out", &out];
    let (code, text) = run(&[&game[..], &how].concat(), "");
    assert_eq!(code, Some(0), "{text}");
    let games = std::fs::read_to_string(folder.path().join("run/games.csv")).expect("games.csv");
    assert_eq!(
        games.lines().filter(|row| row.contains(",normal,")).count(),
        20
    );

    let (code, text) = run(
        &[
            "match",
            &exec,
            "random",
            "--game",
            "kuhn-poker",
            "--protocol",
            "board",
        ],
        "",
    );
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("is for tic-tac-toe only"), "{text}");
}

#[test]
fn people_play_it() {
    let seats = ["play", "kuhn-poker", "human", "bold", "--seed", "1"];
    let (code, text) = run(&seats, "help\nraise\nbet\npass\npass\n");
    assert_eq!(code, Some(0), "{text}");
    for shown in [
        "Kuhn poker: three cards, one bet.",
        "card: ",
        "`raise` is no move",
        "Over",
    ] {
        assert!(text.contains(shown), "no `{shown}` in {text}");
    }
}

#[test]
fn its_own_player_is_named_like_any_other() {
    let (code, text) = run(&["list", "agents"], "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("bold"), "{text}");
    let (code, text) = run(&["match", "bold", "random", "--game", "tictactoe"], "");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("`bold` does not play tictactoe"), "{text}");
    let (code, text) = run(&["match", "bald", "random", "--game", "kuhn-poker"], "");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("`bold`"), "{text}");
}
