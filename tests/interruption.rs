//! Runs that are killed, stopped, damaged and resumed: the same bytes, and the right exit codes.
//!
//! Ten kills by default; a hundred, in a sweep ten times as long, take some minutes:
//!
//! ```sh
//! EVALCTL_KILLS=100 cargo test --test interruption -- kills --nocapture
//! ```
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use evalctl::rng::Seed;

/// Enough work for kills to land in the middle, little enough for a test.
const GAMES: usize = 60;

fn config(games: usize) -> String {
    format!(
        "name = \"long\"\nseed = 3\ngames = {games}\n[game]\nname = \"durak\"\n\
        [challenger]\nagent = \"ismcts\"\nsimulations = [20, 150]\n\
        [[opponents]]\nagent = \"random\"\n[[opponents]]\nagent = \"lowest\"\n"
    )
}

const KILLS: usize = 10;

fn start(dir: &Path, out: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(dir)
        .args([
            "sweep",
            "long.toml",
            "--progress",
            "none",
            "--jobs",
            "2",
            "--out",
            out,
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

fn folder(games: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("long.toml"), config(games)).expect("a config");
    dir
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
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs after interruptions");
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .expect("`kill` runs");
    assert!(status.success());
}

/// Goes on to the end; what was said.
fn resume(dir: &Path, out: &str) -> String {
    let last = start(dir, out).wait_with_output().expect("ends");
    let said = String::from_utf8_lossy(&last.stderr).into_owned();
    assert!(last.status.success(), "{said}");
    said
}

#[test]
fn kills_at_random_moments_and_damage_change_no_byte() {
    let kills = std::env::var("EVALCTL_KILLS").map_or(KILLS, |text| text.parse().expect("kills"));
    let dir = folder(GAMES * kills / KILLS);
    let started = Instant::now();
    resume(dir.path(), "whole");
    // What ten kills take of a sweep of theirs.
    let length = started.elapsed() / u32::try_from(kills.div_ceil(KILLS)).expect("few kills");
    let journal = dir.path().join("killed/journal.bin");
    let mut rng = Seed::root(17).rng();
    let (mut partial, mut grown, mut before) = (0, 0, 0);
    for _ in 0..kills {
        let mut child = start(dir.path(), "killed");
        // Each try gets a small share of the whole, so that some work is left for the last one.
        let share = 0.02 + 0.07 * rng.unit();
        let moment = length.mul_f64(share) + Duration::from_millis(20);
        std::thread::sleep(moment);
        child.kill().expect("SIGKILL");
        child.wait().expect("ends");
        let now = std::fs::metadata(&journal).map_or(0, |meta| meta.len());
        partial += usize::from(now > 0);
        grown += usize::from(now > before);
        before = now;
    }
    println!("{kills} kills: {partial} left a journal, {grown} a longer one");
    assert!(
        partial >= kills / 2,
        "only {partial} of {kills} kills left a partial journal"
    );
    // Copies of the run as the last kill left it, damaged in different ways.
    let bytes = std::fs::read(&journal).expect("a journal");
    let mut flipped = bytes.clone();
    flipped[bytes.len() * 3 / 4] ^= 4;
    let damaged = [
        ("flipped", &flipped[..], "damaged at byte"),
        (
            "cut",
            &bytes[..bytes.len() - 5],
            "incomplete and were dropped",
        ),
        ("killed", &bytes[..], ""),
    ];
    for (out, bytes, says) in damaged {
        let out_dir = dir.path().join(out);
        std::fs::create_dir_all(&out_dir).expect("a folder");
        std::fs::write(out_dir.join("journal.bin"), bytes).expect("a journal");
        let said = resume(dir.path(), out);
        assert!(said.contains(says), "{out}: {said}");
        assert_same(&dir.path().join("whole"), &out_dir);
    }
}

/// The largest file is a few kilobytes, as on a disk that is full.
#[test]
fn a_file_that_cannot_grow_is_one_sentence_and_the_run_goes_on_later() {
    let dir = folder(GAMES);
    let limited = Command::new("bash")
        .current_dir(dir.path())
        .args([
            "-c",
            // In units of 1,024 bytes; the signal would end the program without a word.
            "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_evalctl"),
            "sweep",
            "long.toml",
            "--progress",
            "none",
            "--out",
            "full",
        ])
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&limited.stderr).into_owned();
    assert_eq!(limited.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write `full/journal.bin`"), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    resume(dir.path(), "full");
    resume(dir.path(), "whole");
    assert_same(&dir.path().join("whole"), &dir.path().join("full"));
}

#[test]
fn signals_stop_within_a_second_with_their_exit_codes_and_can_be_resumed() {
    // Long enough for two stops on a fast machine.
    let dir = folder(5 * GAMES);
    for (name, code) in [("-INT", 130), ("-TERM", 75)] {
        let child = start(dir.path(), "stopped");
        std::thread::sleep(Duration::from_millis(250));
        let asked = Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().expect("ends");
        assert!(
            asked.elapsed() < Duration::from_secs(1),
            "{name}: {:?}",
            asked.elapsed()
        );
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{name}: {said}");
        assert!(
            said.contains("evalctl sweep long.toml"),
            "prints how to go on: {said}"
        );
    }
    resume(dir.path(), "whole");
    resume(dir.path(), "stopped");
    assert_same(&dir.path().join("whole"), &dir.path().join("stopped"));
}
