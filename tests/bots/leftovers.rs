//! That no process of a bot survives, whatever it starts and however the run ends.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use evalctl::agents::Player;
use evalctl::external::Dialect;
use evalctl::record::End;
use evalctl::table::Table as _;

use crate::support::{Fake, processes_with, seeds, table, table_of};

#[test]
fn children_daemons_and_hopping_processes_are_gone_with_the_bot() {
    for behaviour in ["fork", "daemon", "rabbit"] {
        let fake = Fake::new(behaviour, Dialect::Text);
        let mut table = table(&fake);
        for game in 0..3 {
            let record = table.play(&seeds(game), &[0, 1], None).unwrap();
            assert_eq!(record.end, End::Normal, "{behaviour}");
        }
        let alive = processes_with(&fake.marker);
        assert!(alive.len() > 1, "{behaviour} starts others: {alive:?}");
        drop(table);
        assert_eq!(processes_with(&fake.marker), [""; 0], "{behaviour}");
    }
}

#[test]
fn the_end_of_a_bot_is_seen_although_its_daemon_holds_the_pipes() {
    // A shell starts a daemon that keeps the pipes open, and exits.
    let both = Fake::new("sleeper", Dialect::Text);
    let mut config = both.config();
    let program = config.process.command.program.to_str().unwrap().to_owned();
    let script = format!("{program} sleeper --marker {} & exit 4", both.marker);
    config.process.command.program = "/bin/sh".into();
    config.process.command.args = vec!["-c".into(), script.into()];
    let started = Instant::now();
    let mut table = table_of(vec![
        Player::Honest(Box::new(evalctl::external::ExternalAgent::new(config))),
        Player::Honest(Box::new(evalctl::agents::basic::First)),
    ]);
    let record = table.play(&seeds(0), &[0, 1], None).unwrap();
    assert_eq!(record.end, End::Crash);
    let notice = table.notice(0).unwrap();
    assert!(notice.contains("exited with status 4"), "{notice}");
    assert!(started.elapsed() < Duration::from_millis(390));
    drop(table);
    assert_eq!(processes_with(&both.marker), [""; 0]);
}

/// What a process has: open descriptors, threads, children, pages of memory.
type Holdings = [usize; 4];

/// `None` if it has no children: before the first bot, between two, or after the last.
fn holdings(process: u32) -> Option<Holdings> {
    let of = |name: &str| Path::new("/proc").join(process.to_string()).join(name);
    let descriptors = std::fs::read_dir(of("fd")).ok()?.count();
    let tasks: Vec<_> = std::fs::read_dir(of("task")).ok()?.flatten().collect();
    let children: usize = (tasks.iter())
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .map(|list| list.split_ascii_whitespace().count())
        .sum();
    let memory = std::fs::read_to_string(of("statm")).ok()?;
    let resident = memory.split(' ').nth(1)?.parse().ok()?;
    (children > 0).then_some([descriptors, tasks.len(), children, resident])
}

#[test]
fn many_restarts_leave_no_process_descriptor_memory_or_folder() {
    let fake = Fake::new("first", Dialect::Board);
    let config = fake.config();
    let words = config.process.command.args.iter();
    let words: Vec<_> = words.map(|word| word.to_str().unwrap()).collect();
    let program = config.process.command.program.display();
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let games = games_to_restart().to_string();
    let mut harness = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(folder.path())
        .env("TMPDIR", &scratch)
        .arg("match")
        .arg(format!("exec:{program} {}", words.join(" ")))
        .args(["first", "--game", "tictactoe", "--protocol", "board"])
        .args(["--games", &games, "--jobs", "1", "--progress", "none"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut samples: Vec<Holdings> = Vec::new();
    let mut folders = 0;
    let status = loop {
        samples.extend(holdings(harness.id()));
        folders = folders.max(std::fs::read_dir(&scratch).unwrap().count());
        if let Some(status) = harness.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(status.success());
    assert_eq!(processes_with(&fake.marker), [""; 0]);
    // One bot at a time, and nothing of it afterwards.
    assert!((1..=2).contains(&folders), "{folders} folders at once");
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
    // The most that it held in the first and in the last third. Of one leak a game there would be
    // at least fifty in between.
    let third = samples.len() / 3;
    let most = |part: &[Holdings], which: usize| part.iter().map(|held| held[which]).max().unwrap();
    for (which, (what, allowed)) in [
        ("descriptors", 8),
        ("threads", 4),
        ("children", 2),
        ("pages of memory", 2048),
    ]
    .into_iter()
    .enumerate()
    {
        let first = most(&samples[..third], which);
        let last = most(&samples[samples.len() - third..], which);
        println!("{what}: at most {first} in the first third, {last} in the last");
        assert!(last <= first + allowed, "{what}: {first}, then {last}");
    }
}

/// 150 games; `EVALCTL_TEST_RESTARTS=10000` plays as many as one asks for.
fn games_to_restart() -> u64 {
    let asked = std::env::var("EVALCTL_TEST_RESTARTS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(150)
}

#[test]
fn sigkill_of_the_harness_leaves_nothing() {
    // This test again, as a process that plays for ever and can be killed.
    let fake = Fake::new("fork", Dialect::Text);
    let mut harness = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "leftovers::plays_until_killed", "--nocapture"])
        .env("EVALCTL_TEST_PLAY_FOR_EVER", &fake.marker)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while processes_with(&fake.marker).len() < 6 {
        assert!(Instant::now() < until, "{:?}", processes_with(&fake.marker));
        std::thread::sleep(Duration::from_millis(10));
    }
    harness.kill().unwrap();
    harness.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(1);
    while !processes_with(&fake.marker).is_empty() {
        assert!(Instant::now() < until, "{:?}", processes_with(&fake.marker));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The process that [`sigkill_of_the_harness_leaves_nothing`] kills; by itself it does nothing.
#[test]
fn plays_until_killed() {
    let Ok(marker) = std::env::var("EVALCTL_TEST_PLAY_FOR_EVER") else {
        return;
    };
    let mut fake = Fake::new("fork", Dialect::Text);
    fake.marker = marker;
    let mut table = table(&fake);
    for game in 0.. {
        table.play(&seeds(game), &[0, 1], None).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn two_bots_at_one_table_do_not_share_a_fate() {
    let (bad, good) = (
        Fake::new("abort", Dialect::Json),
        Fake::new("first", Dialect::Board),
    );
    let mut table = table_of(vec![
        Player::Honest(Box::new(bad.agent())),
        Player::Honest(Box::new(good.agent())),
    ]);
    for game in 0..3 {
        let record = table.play(&seeds(game), &[1, 0], None).unwrap();
        assert_eq!((record.end, record.fault_seat), (End::Crash, Some(1)));
    }
    assert!(table.notice(1).is_none());
    drop(table);
    assert_eq!(processes_with(&good.marker), [""; 0]);
}
