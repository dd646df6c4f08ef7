//! Before the first game, and between games: starts that fail, starts that are slow, interrupts.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use evalctl::agents::{Agent as _, Fault};
use evalctl::external::{BotStartError, Dialect, Level, probe};
use evalctl::games::tictactoe::TicTacToe;
use evalctl::record::End;
use evalctl::rng::Seed;
use evalctl::table::Table as _;

use crate::support::{Fake, play, seeds, table};

fn start_error(fake: &Fake) -> String {
    let error = probe(&TicTacToe, &fake.config()).unwrap_err();
    assert!(!matches!(error, BotStartError::Interrupted));
    let text = error.to_string();
    assert!(!text.contains('\x1b'), "{text:?}");
    text
}

#[test]
fn a_bot_that_never_becomes_ready_fails_before_the_first_game() {
    for level in [Level::Off, Level::Default] {
        let mut fake = Fake::new("exit-at-start", Dialect::Json).level(level);
        let text = start_error(&fake);
        for part in [
            "exited with status 3",
            "cannot find my opening book",
            r"leaving \u{1b}[31mnow",
            "exit-at-start --dialect json",
        ] {
            assert!(text.contains(part), "{text}");
        }
        fake.behaviour = "never-ready".to_owned();
        fake.limits.start_ms = 200;
        let text = start_error(&fake);
        assert!(text.contains("within 200 ms"), "{text}");
        fake.behaviour = "wrong-version".to_owned();
        assert!(start_error(&fake).contains("protocol version 2"));
        fake.behaviour = "wrong-dialect".to_owned();
        let text = start_error(&fake);
        assert!(
            text.contains("hello, I am a bot") && text.contains("--protocol text"),
            "{text}"
        );
    }
}

#[test]
fn the_player_reports_a_failed_start_as_no_result() {
    let mut agent = Fake::new("exit-at-start", Dialect::Json).agent();
    let fault = agent.start(&TicTacToe, 0, Seed::root(1)).unwrap_err();
    assert!(matches!(fault, Fault::Infrastructure(_)) && fault.end().is_none());
}

#[test]
fn what_cannot_be_executed_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    for (content, mode, part) in [
        ("#!/no/such/interpreter\n", 0o755, "interpreter"),
        ("just words\n", 0o755, "no program"),
        ("#!/bin/sh\n", 0o644, "executable"),
    ] {
        use std::os::unix::fs::PermissionsExt as _;
        let file = folder.path().join("bot");
        std::fs::write(&file, content).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        for level in [Level::Off, Level::Default] {
            let mut config = Fake::new("first", Dialect::Board).level(level).config();
            config.process.command.program.clone_from(&file);
            let error = probe(&TicTacToe, &config).unwrap_err().to_string();
            assert!(error.contains(part), "{level:?}: {error}");
        }
    }
}

#[test]
fn a_slow_start_has_its_own_limit() {
    let mut fake = Fake::new("slow-start", Dialect::Json).with("--value", "500");
    fake.limits.move_ms = 100;
    let known = probe(&TicTacToe, &fake.config()).unwrap();
    assert!(known.ready_after >= Duration::from_millis(500));
    assert_eq!(known.identity.name.as_deref(), Some("fake"));
    assert_eq!(play(&fake, 2).ends(), [End::Normal; 2]);
}

#[test]
fn a_slow_start_without_handshake_is_not_charged_to_the_first_move() {
    let mut fake = Fake::new("slow-start", Dialect::Text).with("--value", "500");
    fake.limits.move_ms = 200;
    fake.limits.game_ms = Some(300);
    fake.limits.start_ms = 3_000;
    assert_eq!(play(&fake, 2).ends(), [End::Normal; 2]);
    fake.limits.start_ms = 100;
    assert_eq!(play(&fake, 1).ends(), [End::Timeout]);
}

#[test]
fn a_bot_without_handshake_that_leaves_at_once_crashes_in_play() {
    let outcome = play(&Fake::new("exit-at-start", Dialect::Board), 2);
    assert_eq!(outcome.ends(), [End::Crash; 2]);
    assert!(outcome.errors().contains("opening book"));
    let outcome = play(&Fake::new("exit-after-ready", Dialect::Json), 2);
    assert_eq!(outcome.ends(), [End::Crash; 2]);
}

#[test]
fn an_interrupt_ends_the_wait_for_a_thinking_bot() {
    for level in [Level::Off, Level::Default] {
        let mut fake = Fake::new("never", Dialect::Text).level(level);
        fake.limits.move_ms = 60_000;
        let mut table = table(&fake);
        let flag = std::sync::Arc::clone(&fake.interrupt);
        let setter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            flag.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let fault = table.play(&seeds(0), &[0, 1], None).unwrap_err();
        let since = setter.join().unwrap().elapsed();
        assert_eq!(fault, Fault::Interrupted);
        assert!(since < Duration::from_millis(500), "{since:?}");
    }
}
