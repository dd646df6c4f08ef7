//! Faults of the machine, for real: a disk that is full, that nobody may write to or that goes
//! away, and a clock that is set while a run plays.
//!
//! Disks are file systems in memory, mounted where nobody else sees them, which needs root; without
//! root, and without a C compiler for the clock, a test says aloud that it was skipped.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const EVALCTL: &str = env!("CARGO_BIN_EXE_evalctl");

/// Says what is not tested, past the harness, which shows nothing of tests that pass.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// Runs `script` where its mounts are seen by nobody else; `None` if that is not allowed.
fn with_mounts(dir: &Path, script: &str) -> Option<Output> {
    let probe = Command::new("unshare")
        .args(["-m", "mount", "-t", "tmpfs", "none"])
        .arg(dir)
        .stderr(Stdio::null())
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        skipped("only root may mount file systems, so no real disk fails here");
        return None;
    }
    let output = Command::new("unshare")
        .args(["-m", "bash", "-euo", "pipefail", "-c", script, EVALCTL])
        .current_dir(dir)
        .output()
        .expect("the script starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    Some(output)
}

/// A sweep of fast games, and one of slow games.
fn folder(fast: u64, slow: u64) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, game, agent, games) in [
        ("fast", "tictactoe", "agent = \"random\"", fast),
        (
            "slow",
            "durak",
            "agent = \"ismcts\"\nsimulations = 40",
            slow,
        ),
    ] {
        let config = format!(
            "name = \"{name}\"\nseed = 3\ngames = {games}\n[game]\nname = \"{game}\"\n\
            [challenger]\n{agent}\n[[opponents]]\nagent = \"random\"\n"
        );
        std::fs::write(dir.path().join(format!("{name}.toml")), config).expect("a config");
    }
    std::fs::create_dir(dir.path().join("disk")).expect("a folder");
    dir
}

fn sweep(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(EVALCTL)
        .current_dir(dir)
        .arg("sweep")
        .args(arguments)
        .output()
        .expect("the command starts")
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

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    assert!(one.contains_key("games.csv"));
    assert!(one == other, "the results differ after a fault");
}

/// What one command said to standard error, kept by the scripts: one sentence about `what`.
fn assert_sentence(dir: &Path, file: &str, what: &str) {
    let said = std::fs::read_to_string(dir.join(file)).expect("what was said");
    assert!(said.contains(what), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
}

/// Room for a part of the journal, then for the journal but not for `games.csv`, then for all.
#[test]
fn a_full_disk_stops_the_run_and_with_room_it_ends_in_the_same_bytes() {
    let dir = folder(12_000, 4);
    let script = r#"
        fails() { code=0; "$@" || code=$?; test "$code" -eq 1; }
        sweep() { "$0" sweep fast.toml --progress none --out disk/run; }
        mount -t tmpfs -o size=64k none disk
        fails sweep 2>first
        mount -o remount,size=256k disk
        fails sweep 2>second
        mount -o remount,size=64m disk
        sweep 2>third
        cp -r disk/run resumed
    "#;
    let Some(_) = with_mounts(dir.path(), script) else {
        return;
    };
    assert_sentence(dir.path(), "first", "cannot write `disk/run/journal.bin`");
    let said = std::fs::read_to_string(dir.path().join("second")).expect("what was said");
    assert!(said.contains("No space left on device"), "{said}");
    assert!(said.trim_end().lines().count() <= 2, "{said}");
    let whole = sweep(dir.path(), &["fast.toml", "--out", "whole"]);
    assert!(whole.status.success());
    assert_same(&dir.path().join("whole"), &dir.path().join("resumed"));
}

#[test]
fn a_disk_that_nobody_may_write_to_is_one_sentence_and_costs_nothing() {
    let dir = folder(2_000, 4);
    let script = r#"
        fails() { code=0; "$@" || code=$?; test "$code" -eq 1; }
        sweep() { "$0" sweep fast.toml --progress none --out "disk/$1"; }
        mount -t tmpfs none disk
        sweep run 2>begun
        mount -o remount,ro disk
        fails sweep new 2>new
        # A finished run is read, not written.
        sweep run 2>again
        cp -r disk/run finished
    "#;
    let Some(_) = with_mounts(dir.path(), script) else {
        return;
    };
    assert_sentence(dir.path(), "new", "disk/new");
    let whole = sweep(dir.path(), &["fast.toml", "--out", "whole"]);
    assert!(whole.status.success());
    assert_same(&dir.path().join("whole"), &dir.path().join("finished"));
}

/// The whole disk goes away while a run plays that would take minutes.
#[test]
fn a_disk_that_vanishes_is_noticed_at_once() {
    let dir = folder(400_000_000, 4);
    let script = r#"
        mount -t tmpfs none disk
        "$0" sweep fast.toml --progress none --jobs 1 --out disk/run 2>said &
        until [ "$(stat -c %s disk/run/journal.bin 2>/dev/null || echo 0)" -gt 50000 ]; do
            sleep 0.02
        done
        umount -l disk
        code=0
        wait $! || code=$?
        test "$code" -eq 1
    "#;
    let started = Instant::now();
    let Some(_) = with_mounts(dir.path(), script) else {
        return;
    };
    assert!(started.elapsed() < Duration::from_secs(60));
    assert_sentence(dir.path(), "said", "removed while in use");
}

/// Between every two looks somebody sets the clock, to any time from 1970 to 2100; the clock that
/// cannot be set, which some virtual machines get wrong, goes back a little at times.
const JUMPING: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static unsigned long state = 88172645463325252UL;
static unsigned long next(void) {
    unsigned long x = state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return state = x;
}
int clock_gettime(clockid_t clock, struct timespec *time) {
    if (syscall(SYS_clock_gettime, clock, time) != 0) return -1;
    if (clock == CLOCK_REALTIME) {
        time->tv_sec = (time_t)(next() % 4102444800UL);
    } else if (clock == CLOCK_MONOTONIC && next() % 8 == 0) {
        time->tv_nsec -= (long)(next() % 50000000UL);
        if (time->tv_nsec < 0) {
            time->tv_nsec += 1000000000L;
            time->tv_sec -= 1;
        }
    }
    return 0;
}
int gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    time->tv_sec = (time_t)(next() % 4102444800UL);
    time->tv_usec = 0;
    return 0;
}
time_t time(time_t *out) {
    time_t now = (time_t)(next() % 4102444800UL);
    if (out) *out = now;
    return now;
}
__attribute__((constructor)) static void begin(void) { fputs("the clock jumps\n", stderr); }
"#;

#[test]
fn a_clock_that_jumps_changes_no_result_and_shows_no_absurd_time() {
    let dir = folder(4, 300);
    let source = dir.path().join("jumping.c");
    std::fs::write(&source, JUMPING).expect("a file");
    let library = dir.path().join("jumping.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        skipped("no C compiler (Debian: apt-get install gcc libc6-dev), so no clock jumps");
        return;
    }
    let started = Instant::now();
    let jumped = Command::new(EVALCTL)
        .current_dir(dir.path())
        .env("LD_PRELOAD", &library)
        .args([
            "sweep",
            "slow.toml",
            "--progress",
            "json",
            "--out",
            "jumped",
        ])
        .output()
        .expect("the command starts");
    let took = started.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&jumped.stderr).into_owned();
    assert!(jumped.status.success(), "{said}");
    assert!(said.contains("the clock jumps"), "{said}");
    let mut told = 0;
    for line in said.lines().filter(|line| line.starts_with('{')) {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(elapsed) = line["elapsed_s"].as_f64() else {
            continue;
        };
        told += 1;
        assert!((0.0..=took + 1.0).contains(&elapsed), "{line}");
        if let Some(left) = line["left_s"].as_f64() {
            assert!((0.0..=100.0 * (took + 1.0)).contains(&left), "{line}");
        }
    }
    assert!(told > 0, "{said}");
    let whole = sweep(dir.path(), &["slow.toml", "--out", "whole"]);
    assert!(whole.status.success());
    assert_same(&dir.path().join("whole"), &dir.path().join("jumped"));
}
