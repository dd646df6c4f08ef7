//! Runs that are killed, stopped and resumed: the same bytes, and the right exit codes.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use evalctl::rng::Seed;

/// Enough work for kills to land in the middle, little enough for a test.
const CONFIG: &str = r#"
name = "long"
seed = 3
games = 60
[game]
name = "durak"
[challenger]
agent = "ismcts"
simulations = [20, 150]
[[opponents]]
agent = "random"
[[opponents]]
agent = "lowest"
"#;

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

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("long.toml"), CONFIG).expect("a config");
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

#[test]
fn ten_kills_at_random_moments_change_no_byte() {
    let dir = folder();
    let started = Instant::now();
    let whole = start(dir.path(), "whole").wait_with_output().expect("ends");
    assert!(
        whole.status.success(),
        "{}",
        String::from_utf8_lossy(&whole.stderr)
    );
    let length = started.elapsed();
    let journal = dir.path().join("killed/journal.bin");
    let mut rng = Seed::root(17).rng();
    let mut partial = 0;
    for _ in 0..KILLS {
        let mut child = start(dir.path(), "killed");
        // Each try gets a small share of the whole, so that some work is left for the last one.
        let share = 0.02 + 0.07 * rng.unit();
        let moment = length.mul_f64(share) + Duration::from_millis(20);
        std::thread::sleep(moment);
        child.kill().expect("SIGKILL");
        child.wait().expect("ends");
        partial += usize::from(std::fs::metadata(&journal).is_ok_and(|meta| meta.len() > 0));
    }
    assert!(
        partial >= KILLS / 2,
        "only {partial} of {KILLS} kills left a partial journal"
    );
    let last = start(dir.path(), "killed")
        .wait_with_output()
        .expect("ends");
    assert!(
        last.status.success(),
        "{}",
        String::from_utf8_lossy(&last.stderr)
    );
    assert_same(&dir.path().join("whole"), &dir.path().join("killed"));
}

#[test]
fn signals_stop_within_a_second_with_their_exit_codes_and_can_be_resumed() {
    let dir = folder();
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
    let whole = start(dir.path(), "whole").wait_with_output().expect("ends");
    assert!(whole.status.success());
    let rest = start(dir.path(), "stopped")
        .wait_with_output()
        .expect("ends");
    assert!(
        rest.status.success(),
        "{}",
        String::from_utf8_lossy(&rest.stderr)
    );
    assert_same(&dir.path().join("whole"), &dir.path().join("stopped"));
}
