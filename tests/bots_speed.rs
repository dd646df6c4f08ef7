//! What contact with programs costs. A test binary of its own, so that no other test runs beside
//! it; figures are compared with a bare way of doing the same in the same run.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use evalctl::external::bench::round_trips;
use evalctl::external::process::{Process, ProcessSpec};
use evalctl::external::{Level, Limits, ResolvedCommand, Sandbox};

fn sandbox(level: Level) -> Sandbox {
    Sandbox {
        level,
        helper: Some(env!("CARGO_BIN_EXE_evalctl").into()),
        ..Sandbox::default()
    }
}

/// Time until a program that greets at once has been heard.
fn start(level: Level) -> Duration {
    let spec = ProcessSpec {
        command: ResolvedCommand::new(&["echo".to_owned(), "hello".to_owned()]).unwrap(),
        env: Vec::new(),
        limits: Limits::default(),
        sandbox: sandbox(level),
        share_core: false,
        interrupt: std::sync::Arc::default(),
    };
    let started = Instant::now();
    let mut process = Process::start(&spec).unwrap();
    let line = process.receive(started + Duration::from_secs(10)).unwrap();
    assert_eq!(process.text(&line), "hello");
    line.at - started
}

/// Processor time of all children that have ended so far, in clock ticks of 10 ms.
fn children_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit(')').next().unwrap();
    let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
    // Fields 16 and 17 of proc(5), user and system; the first here is field 3.
    fields[13..15]
        .iter()
        .map(|f| f.parse::<u64>().unwrap())
        .sum()
}

/// The fastest of `count` starts, and processor milliseconds per start.
fn starts(level: Level, count: u32) -> (Duration, f64) {
    let before = children_ticks();
    let fastest = (0..count).map(|_| start(level)).min().unwrap();
    let ticks = u32::try_from(children_ticks() - before).unwrap();
    (fastest, f64::from(ticks * 10) / f64::from(count))
}

#[test]
fn a_contained_start_costs_at_most_15_ms() {
    let (bare, bare_work) = starts(Level::Off, 60);
    let (contained, work) = starts(Level::Default, 60);
    println!("fastest: bare {bare:?}, contained {contained:?}; work: {bare_work} and {work} ms");
    // On a busy machine the fastest start still waits for others, the work does not.
    let added = (contained.saturating_sub(bare).as_secs_f64() * 1000.0).min(work - bare_work);
    assert!(added <= 15.0, "{added} ms");
}

/// Round trips per second through bare pipes with `cat`, on one core: one write and one read.
fn bare_round_trips(time: Duration) -> f64 {
    let mut child = Command::new("taskset")
        .args(["-c", "0", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("taskset and cat are there on Linux");
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let question = b"obs mark=o board=o........\nmoves 0 1;0 2;1 0;1 1;1 2;2 0;2 1;2 2\n";
    let mut answer = [0; 128];
    let mut trips = 0_u32;
    let started = Instant::now();
    while started.elapsed() < time {
        input.write_all(question).unwrap();
        assert_eq!(output.read(&mut answer).unwrap(), question.len());
        trips += 1;
    }
    drop(input);
    child.wait().unwrap();
    f64::from(trips) / started.elapsed().as_secs_f64()
}

#[test]
fn deadlines_and_containment_cost_little_per_round_trip() {
    let time = Duration::from_millis(200);
    let mut best = 0.0_f64;
    for _ in 0..20 {
        let bare = bare_round_trips(time);
        let ours = round_trips(1, time, &sandbox(Level::Default)).unwrap();
        println!(
            "bare {bare:.0}/s, with all guarantees {:.0}/s",
            ours.per_second
        );
        best = best.max(ours.per_second / bare);
        if best > 0.8 {
            break;
        }
    }
    assert!(best > 0.5, "{best}");
}
