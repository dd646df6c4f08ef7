//! What `check-bot` tells the author of a program.

use evalctl::external::Dialect;
use evalctl::external::check::{CheckOptions, Step, Verdict, check};
use evalctl::games::tictactoe::TicTacToe;

use crate::support::Fake;

fn steps(fake: &Fake) -> (Verdict, Vec<Step>) {
    let mut steps = Vec::new();
    let verdict = check(
        &TicTacToe,
        &fake.config(),
        CheckOptions::default(),
        |step| {
            steps.push(step.clone());
        },
    );
    assert_eq!(steps.iter().map(|step| step.verdict).max(), Some(verdict));
    for step in &steps {
        let texts = step
            .sent
            .iter()
            .chain(&step.received)
            .chain([&step.explanation]);
        for text in texts {
            assert!(!text.contains(['\x1b', '\0', '\x07']), "{text:?}");
        }
    }
    (verdict, steps)
}

/// The first step that went wrong.
fn complaint(fake: &Fake) -> Step {
    let (verdict, steps) = steps(fake);
    assert_eq!(verdict, Verdict::Bad, "{steps:?}");
    let bad = |step: &&Step| step.verdict == Verdict::Bad;
    steps.iter().find(bad).unwrap().clone()
}

#[test]
fn a_good_program_passes_every_step() {
    for dialect in Dialect::ALL {
        let (verdict, steps) = steps(&Fake::new("first", dialect));
        assert_eq!(verdict, Verdict::Good, "{steps:?}");
        let titles: Vec<&str> = steps.iter().map(|step| step.title.as_str()).collect();
        assert!(
            titles.contains(&"Play whole games in every seat"),
            "{titles:?}"
        );
        let asked = steps
            .iter()
            .find(|step| step.title == "Ask for a move")
            .unwrap();
        assert!(
            !asked.sent.is_empty() && asked.received.len() == 1,
            "{asked:?}"
        );
    }
}

#[test]
fn each_mistake_is_shown_with_what_should_have_come() {
    for (behaviour, dialect, title, parts) in [
        (
            "exit-at-start",
            Dialect::Json,
            "say hello",
            ["status 3", "opening book"],
        ),
        (
            "wrong-dialect",
            Dialect::Json,
            "say hello",
            ["hello, I am a bot", "--protocol text"],
        ),
        (
            "wrong-version",
            Dialect::Json,
            "say hello",
            ["version 2", "version 1"],
        ),
        (
            "exit-at-start",
            Dialect::Text,
            "Ask for a move",
            [
                "status 3",
                "standard error ends with `cannot find my opening book / leaving",
            ],
        ),
        (
            "never",
            Dialect::Text,
            "Ask for a move",
            [
                "within 2400 ms (2000 to start, 400 for a move)",
                "two lines",
            ],
        ),
        (
            "unflushed",
            Dialect::Text,
            "Ask for a move",
            ["flush", "printed `0 0`"],
        ),
        (
            "unflushed",
            Dialect::Json,
            "Ask for a move",
            ["flush", "input was closed"],
        ),
        (
            "illegal",
            Dialect::Board,
            "Ask for a move",
            ["`7 7`", "not a legal move"],
        ),
        ("empty", Dialect::Text, "Ask for a move", ["empty line", ""]),
        (
            "escapes",
            Dialect::Json,
            "Ask for a move",
            [r"\u{1b}", "standard error"],
        ),
        (
            "megabyte",
            Dialect::Text,
            "Ask for a move",
            ["longer than", "line end"],
        ),
        (
            "one-read",
            Dialect::Text,
            "two pieces",
            ["before being asked", "whole lines"],
        ),
        (
            "early",
            Dialect::Json,
            "Ask for a move",
            ["before being asked", "lines that start with `#`"],
        ),
    ] {
        let mut fake = Fake::new(behaviour, dialect).with("--at", "1");
        fake.limits.start_ms = 2000;
        let step = complaint(&fake);
        assert!(step.title.contains(title), "{behaviour}: {step:?}");
        for part in parts {
            assert!(step.explanation.contains(part), "{behaviour}: {step:?}");
        }
        assert!(!step.expected.is_empty(), "{step:?}");
    }
}

#[test]
fn a_mistake_late_in_a_game_is_placed() {
    let step = complaint(&Fake::new("exit", Dialect::Text).with("--at", "3"));
    assert_eq!(step.title, "Play whole games in every seat");
    assert!(
        step.explanation.contains("game 1, seat 0, decision 4"),
        "{step:?}"
    );
    assert!(
        step.sent.iter().any(|line| line.starts_with("moves ")),
        "{step:?}"
    );
}

#[test]
fn a_program_that_takes_its_work_for_done_is_told_to_stay() {
    let step = complaint(&Fake::new("exit-after-ready", Dialect::Board));
    for part in [
        "exited with status 0",
        "wrote nothing to",
        "again and again",
    ] {
        assert!(step.explanation.contains(part), "{step:?}");
    }
}

#[test]
fn a_slow_start_is_no_slow_move() {
    let mut fake = Fake::new("slow-start", Dialect::Text).with("--value", "500");
    fake.limits.move_ms = 400;
    let (verdict, steps) = steps(&fake);
    assert_eq!(verdict, Verdict::Good, "{steps:?}");
}

#[test]
fn being_near_the_limit_and_staying_after_the_end_are_warnings() {
    let mut slow = Fake::new("late", Dialect::Text)
        .with("--at", "1")
        .with("--value", "60");
    slow.limits.move_ms = 100;
    slow.limits.margin_ms = 300;
    let (verdict, steps) = steps(&slow);
    assert_eq!(verdict, Verdict::Warning, "{steps:?}");
    assert!(
        steps
            .iter()
            .any(|step| step.explanation.contains("near the limit"))
    );
}
