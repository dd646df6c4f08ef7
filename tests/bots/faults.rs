//! Causes: what is recorded when a program misbehaves in play, and that other games go on.

use std::time::{Duration, Instant};

use evalctl::agents::Player;
use evalctl::external::{Dialect, Level};
use evalctl::record::End;
use evalctl::table::Table as _;

use crate::support::{Fake, assert_forfeit, play, seeds, table_of};

/// Plays two games in which the behaviour ends both: the bot is restarted for the second.
fn ends_each_game(behaviour: &str, dialect: Dialect, end: End) -> String {
    let outcome = play(&Fake::new(behaviour, dialect), 2);
    assert_eq!(
        outcome.ends(),
        [end; 2],
        "{behaviour} {dialect:?} {:?}",
        outcome.notice
    );
    assert_forfeit(&outcome.records[0], end, 0);
    assert_forfeit(&outcome.records[1], end, 1);
    outcome.notice.unwrap()
}

/// Plays games that all end by the rules.
fn plays_on(behaviour: &str, dialect: Dialect) -> crate::support::Outcome {
    let outcome = play(&Fake::new(behaviour, dialect), 4);
    assert_eq!(outcome.ends(), [End::Normal; 4], "{:?}", outcome.notice);
    outcome
}

#[test]
fn a_good_player_plays_in_every_dialect_and_containment() {
    for dialect in Dialect::ALL {
        for level in [Level::Off, Level::Default] {
            for reuse in [true, false] {
                let mut fake = Fake::new("first", dialect).level(level);
                fake.reuse = reuse;
                let outcome = play(&fake, 4);
                assert_eq!(outcome.ends(), [End::Normal; 4]);
                // First free cells against first free cells: the first to move wins.
                assert_eq!(outcome.records[0].scores.as_slice(), [1.0, 0.0]);
                assert!(outcome.log.is_empty() && outcome.notice.is_none());
            }
        }
    }
}

#[test]
fn harmless_habits_are_tolerated() {
    for dialect in Dialect::ALL {
        plays_on("crlf", dialect);
        plays_on("bytes", dialect);
        let outcome = plays_on("chatter", dialect);
        let chatter = String::from_utf8(outcome.log.chatter).unwrap();
        assert!(chatter.starts_with("# I look at"), "{chatter}");
    }
}

#[test]
fn silence_is_a_timeout_and_ends_in_time() {
    for (behaviour, dialect) in [
        ("never", Dialect::Text),
        ("spin", Dialect::Json),
        ("ignore-sigterm", Dialect::Board),
    ] {
        let started = Instant::now();
        let notice = ends_each_game(behaviour, dialect, End::Timeout);
        assert!(notice.contains("did not answer within 400 ms"), "{notice}");
        // Two games of one timeout each, with some time for starts.
        let taken = started.elapsed();
        assert!(taken > Duration::from_millis(880), "{taken:?}");
        assert!(taken < Duration::from_secs(3), "{taken:?}");
    }
}

#[test]
fn late_is_late_even_if_correct() {
    for dialect in Dialect::ALL {
        let late = Fake::new("late", dialect).with("--value", "700");
        let outcome = play(&late, 2);
        assert_forfeit(&outcome.records[0], End::Timeout, 0);
        assert_forfeit(&outcome.records[1], End::Timeout, 1);
    }
}

#[test]
fn a_game_has_its_own_limit_besides_that_of_a_move() {
    let mut slow = Fake::new("late", Dialect::Text).with("--value", "120");
    slow.limits.game_ms = Some(200);
    let outcome = play(&slow, 2);
    assert_forfeit(&outcome.records[0], End::Timeout, 0);
    slow.limits.game_ms = None;
    assert_eq!(play(&slow, 2).ends(), [End::Normal; 2]);
}

#[test]
fn printing_does_not_extend_the_time() {
    let started = Instant::now();
    let outcome = play(&Fake::new("flood-chatter", Dialect::Text), 1);
    assert_forfeit(&outcome.records[0], End::Timeout, 0);
    assert!(started.elapsed() < Duration::from_millis(2500));
    assert!(outcome.log.chatter_cut);
    assert!(outcome.log.chatter.len() <= 64 * 1024);
}

#[test]
fn the_end_of_a_program_is_a_crash_and_says_how() {
    for (behaviour, how) in [
        ("exit", "exited with status 3"),
        ("abort", "signal 6 (SIGABRT"),
    ] {
        let started = Instant::now();
        let notice = ends_each_game(behaviour, Dialect::Text, End::Crash);
        assert!(notice.contains(how), "{notice}");
        assert!(started.elapsed() < Duration::from_secs(3));
    }
    let notice = ends_each_game("close-output", Dialect::Json, End::Crash);
    assert!(
        notice.contains("closed its output but did not exit"),
        "{notice}"
    );
}

#[test]
fn memory_meets_its_limit() {
    let mut hungry = Fake::new("eat-memory", Dialect::Text);
    hungry.limits.memory_mb = 100;
    hungry.limits.move_ms = 3000;
    let outcome = play(&hungry, 1);
    assert_forfeit(&outcome.records[0], End::Crash, 0);
    assert!(
        outcome.errors().contains("memory allocation of"),
        "{}",
        outcome.errors()
    );
}

#[test]
fn a_huge_file_meets_its_limit() {
    let notice = ends_each_game("huge-file", Dialect::Text, End::Crash);
    assert!(
        notice.contains("SIGXFSZ, the limit on file size"),
        "{notice}"
    );
}

#[test]
fn a_last_line_before_the_exit_still_counts() {
    // The bot answers its second question and exits; in the game of five moves it sits first in,
    // its third question finds it gone.
    let outcome = play(&Fake::new("exit-with-answer", Dialect::Text), 1);
    assert_forfeit(&outcome.records[0], End::Crash, 0);
    // Two moves of each side were played.
    assert_eq!(outcome.records[0].decisions, 4);
    // As the last move of a game it decides it.
    let last = Fake::new("exit-with-answer", Dialect::Text).with("--at", "4");
    let outcome = play(&last, 2);
    assert_eq!(outcome.ends(), [End::Normal; 2]);
}

#[test]
fn words_that_are_no_answer_break_the_protocol() {
    for (behaviour, dialect, why) in [
        ("flood", Dialect::Text, "longer than 65,536 bytes"),
        ("megabyte", Dialect::Board, "longer than 65,536 bytes"),
        ("megabyte", Dialect::Json, "longer than 65,536 bytes"),
        ("early", Dialect::Json, "before being asked"),
        ("twice", Dialect::Text, "before being asked"),
        ("twice", Dialect::Board, "before being asked"),
        ("nul", Dialect::Text, "NUL"),
        ("nul", Dialect::Json, "NUL"),
        ("utf8", Dialect::Text, "UTF-8"),
        ("empty", Dialect::Text, "an empty line"),
        ("empty", Dialect::Json, "not JSON"),
        ("escapes", Dialect::Board, r"`\u{1b}[2J\u{1b}]0;owned\u{7}`"),
        ("escapes", Dialect::Json, r"`\u{1b}[2J\u{1b}]0;owned\u{7}`"),
    ] {
        let notice = ends_each_game(behaviour, dialect, End::Protocol);
        assert!(notice.contains(why), "{behaviour}: {notice}");
        assert!(!notice.contains(char::is_control), "{notice:?}");
    }
}

#[test]
fn words_printed_while_the_other_side_thinks_are_unasked() {
    for dialect in [Dialect::Text, Dialect::Board] {
        let early = Fake::new("early", dialect);
        let slow = Fake::new("late", dialect)
            .with("--at", "1")
            .with("--value", "200");
        let mut table = table_of(vec![
            Player::Honest(Box::new(early.agent())),
            Player::Honest(Box::new(slow.agent())),
        ]);
        let record = table.play(&seeds(0), &[1, 0], None).unwrap();
        assert_forfeit(&record, End::Protocol, 1);
        let notice = table.notice(0).unwrap();
        assert!(notice.contains("before being asked: `0 0`"), "{notice}");
    }
    // The first of many lines is an answer, the second is not.
    let outcome = play(
        &Fake::new("flood-lines", Dialect::Text).with("--at", "1"),
        1,
    );
    assert_forfeit(&outcome.records[0], End::Protocol, 0);
}

#[test]
fn a_second_answer_to_an_old_question_is_discarded_by_its_id() {
    plays_on("twice", Dialect::Json);
}

#[test]
fn a_move_that_is_not_legal_is_named() {
    for dialect in Dialect::ALL {
        let notice = ends_each_game("illegal", dialect, End::IllegalMove);
        assert!(
            notice.contains("answered `7 7`, which is not a legal move"),
            "{notice}"
        );
    }
    let notice = ends_each_game("escapes", Dialect::Text, End::IllegalMove);
    assert!(notice.contains(r"`\u{1b}[2J"), "{notice}");
}

#[test]
fn a_flood_of_errors_blocks_nobody() {
    let outcome = plays_on("flood-errors", Dialect::Text);
    assert!(outcome.log.errors.starts_with(b"this is a flood\n"));
    assert!(outcome.log.errors.len() <= 64 * 1024);
    assert!(outcome.log.errors_cut);
}
