//! `evalctl match` with programs, as a user sees it: starts that fail, Ctrl-C, SIGKILL.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::{fake_bot, marker, processes_with};

fn evalctl(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalctl"));
    command.current_dir(dir).args(["match"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn exec(behaviour: &str, dialect: &str, marker: &str) -> String {
    let program = fake_bot();
    format!(
        "exec:{} {behaviour} --dialect {dialect} --marker {marker}",
        program.display()
    )
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_bot_that_cannot_start_ends_the_match_before_it_begins_and_leaves_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("no-interpreter", "#!/no/such/interpreter\n");
    script("no-first-line", "print('hello')\n");
    script("dies", "#!/bin/sh\necho 'no opening book' >&2\nexit 3\n");
    for (bot, sentences) in [
        (
            "exec:./missing",
            &["cannot start `./missing`", "there is no file"][..],
        ),
        ("exec:missing-anywhere", &["and none in PATH"]),
        ("exec:./no-interpreter", &["interpreter"]),
        ("exec:./no-first-line", &["a script needs a first line"]),
        (
            "exec:./dies",
            &["exited with status 3", "no opening book", "`./dies`"],
        ),
    ] {
        let output = evalctl(dir.path())
            .args([bot, "random", "--game", "tictactoe", "--games", "4"])
            .output()
            .unwrap();
        let said = err(&output);
        assert_eq!(output.status.code(), Some(1), "{bot}: {said}");
        for sentence in sentences {
            assert!(said.contains(sentence), "{bot}: {said}");
        }
        assert!(!dir.path().join("results").exists(), "{bot} left a folder");
    }
}

#[test]
fn a_match_says_what_moves_took_and_what_each_agent_did_wrong() {
    let dir = tempfile::tempdir().unwrap();
    // One takes long from the third question of its process on; the other breaks a rule at its
    // second and is started anew.
    let late = exec("late", "text", "none") + " --at 3 --value 60";
    let illegal = exec("illegal", "text", "none");
    let output = evalctl(dir.path())
        .args([&late, &illegal, "--game", "tictactoe", "--protocol", "text"])
        .args(["--games", "6", "--jobs", "1"])
        .args(["--out", "run", "--progress", "none"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", err(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in [
        "forfeited games 0: timeouts 0, crashes 0, illegal moves 0, protocol faults 0\n",
        "forfeited games 6: timeouts 0, crashes 0, illegal moves 6, protocol faults 0\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert_eq!(said.matches("time per move median ").count(), 2, "{said}");
    let mut table = csv::Reader::from_path(dir.path().join("run/timing.csv")).unwrap();
    let names = table.headers().unwrap().clone();
    let row = table.records().next().unwrap().unwrap();
    let figure = |name: &str| -> f64 {
        let column = names.iter().position(|n| n == name).unwrap();
        row[column].parse().unwrap()
    };
    // Two in games that it begins, one in the others: nine, of which two are quick.
    assert!(figure("challenger_median_ms") >= 60.0 * (1.0 - 1.0 / 32.0));
    assert!(figure("challenger_max_ms") >= 60.0);
    assert!(figure("challenger_max_ms") >= figure("challenger_p99_ms"));
    assert!(figure("opponent_median_ms") < 60.0);
    assert!(figure("opponent_median_ms") <= figure("opponent_max_ms"));
}

/// Starts a match of a bot that forks against one that then thinks for ever, and waits until all
/// their processes are there.
fn long_match(dir: &Path, marker: &str) -> Child {
    let (forks, thinks) = (exec("fork", "text", marker), exec("never", "text", marker));
    let child = evalctl(dir)
        .args([
            forks.as_str(),
            thinks.as_str(),
            "--game",
            "tictactoe",
            "--protocol",
            "text",
        ])
        .args([
            "--move-ms",
            "60000",
            "--games",
            "1000",
            "--jobs",
            "1",
            "--out",
            "long",
        ])
        .args(["--progress", "none"])
        .spawn()
        .unwrap();
    // The command, two bots, and what one of them has started.
    wait_for(marker, |count| count >= 4);
    child
}

/// Waits until as many processes carry the marker.
fn wait_for(marker: &str, enough: impl Fn(usize) -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !enough(processes_with(marker).len()) {
        assert!(Instant::now() < until, "{:?}", processes_with(marker));
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn interrupt(child: &Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
}

/// Only the command itself still carries the marker until it has ended.
fn all_gone_within(marker: &str, time: Duration) {
    let until = Instant::now() + time;
    while !processes_with(marker).is_empty() {
        assert!(Instant::now() < until, "{:?}", processes_with(marker));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_ends_a_match_within_a_second_with_every_process_gone() {
    let dir = tempfile::tempdir().unwrap();
    let marker = marker();
    let mut child = long_match(dir.path(), &marker);
    let asked = Instant::now();
    interrupt(&child);
    let status = child.wait().unwrap();
    assert_eq!(processes_with(&marker), [""; 0]);
    assert!(
        asked.elapsed() < Duration::from_secs(1),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(status.code(), Some(130));
}

#[test]
fn ctrl_c_under_tee_keeps_the_summary() {
    let dir = tempfile::tempdir().unwrap();
    let marker = marker();
    let mut child = long_match(dir.path(), &marker);
    let mut tee = Command::new("tee")
        .arg(dir.path().join("copy"))
        .stdin(child.stdout.take().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let asked = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert!(
        asked.elapsed() < Duration::from_secs(1),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(output.status.code(), Some(130));
    assert!(
        err(&output).contains("Go on with: evalctl match"),
        "{}",
        err(&output)
    );
    assert_eq!(processes_with(&marker), [""; 0]);
    let first = BufReader::new(tee.stdout.take().unwrap()).lines().next();
    assert!(first.unwrap().unwrap().contains("So far"));
    tee.wait().unwrap();
}

#[test]
fn sigkill_of_a_match_leaves_no_process() {
    let dir = tempfile::tempdir().unwrap();
    let marker = marker();
    let mut child = long_match(dir.path(), &marker);
    child.kill().unwrap();
    child.wait().unwrap();
    all_gone_within(&marker, Duration::from_secs(1));
}
