//! What the journal costs a sweep where it weighs most: tic-tac-toe between random players.
//!
//! `cargo bench --bench journal`. The same plan is played with its journal, with blocks encoded and
//! thrown away, and with nothing recorded, in turns; then as a whole sweep by the program, with all
//! of its files. CPU time (user and system) counts, and medians over the rounds are printed, so
//! that it holds on a busy machine. `EVALCTL_ROUNDS` sets the rounds.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "the standard library does not tell CPU time"),
    expect(clippy::cast_precision_loss, reason = "seconds and microseconds")
)]

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("CPU time is measured on Linux only");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::process::{Command, Stdio};

    use evalctl::config::{self, Overrides};
    use evalctl::run::overhead::{Recording, play};

    const CONFIG: &str = r#"
name = "journal"
seed = 1
games = 1000000
[game]
name = "tictactoe"
[challenger]
agent = "random"
[[opponents]]
agent = "random"
"#;
    const GAMES: f64 = 1e6;

    /// CPU seconds that this process (or its children that have ended) took so far.
    fn cpu_seconds(who: libc::c_int) -> f64 {
        // SAFETY: a structure of integers, for which zeros are valid.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the pointer is to a structure that lives on.
        let failed = unsafe { libc::getrusage(who, &raw mut usage) };
        assert_eq!(failed, 0);
        [usage.ru_utime, usage.ru_stime]
            .iter()
            .map(|time| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6)
            .sum()
    }

    fn median(values: impl Iterator<Item = f64>) -> f64 {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        if values.len() % 2 == 1 {
            values[middle]
        } else {
            f64::midpoint(values[middle - 1], values[middle])
        }
    }

    pub fn main() {
        let rounds =
            std::env::var("EVALCTL_ROUNDS").map_or(15, |text| text.parse().expect("a number"));
        let plan = config::plan(CONFIG, "journal.toml", &Overrides::default()).expect("a plan");
        let folder = || tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let seconds = |recording| {
            let dir = folder();
            let before = cpu_seconds(libc::RUSAGE_SELF);
            play(&plan, dir.path(), recording).expect("a run");
            cpu_seconds(libc::RUSAGE_SELF) - before
        };
        let sweep = || {
            let dir = folder();
            let config = dir.path().join("journal.toml");
            std::fs::write(&config, CONFIG).expect("a config");
            let before = cpu_seconds(libc::RUSAGE_CHILDREN);
            let status = Command::new(env!("CARGO_BIN_EXE_evalctl"))
                .arg("sweep")
                .arg(&config)
                .args(["--jobs", "1", "--progress", "none", "--out"])
                .arg(dir.path().join("out"))
                .stdout(Stdio::null())
                .status()
                .expect("the program starts");
            assert!(status.success());
            cpu_seconds(libc::RUSAGE_CHILDREN) - before
        };
        seconds(Recording::Nothing);
        let mut seen = Vec::new();
        for _ in 0..rounds {
            seen.push([
                seconds(Recording::Journal),
                seconds(Recording::Encoded),
                seconds(Recording::Nothing),
                sweep(),
            ]);
        }
        let each = |what: &str, of: &dyn Fn(&[f64; 4]) -> f64| {
            let nanos = median(seen.iter().map(of)) / GAMES * 1e9;
            println!("{what:<44} {nanos:8.1} ns a game");
            nanos
        };
        each("played, nothing recorded", &|round| round[2]);
        let sweep = each("a whole sweep", &|round| round[3]);
        each("encoding and checksums", &|round| round[1] - round[2]);
        each("handing it to the operating system", &|round| {
            round[0] - round[1]
        });
        let journal = each("the journal in all", &|round| round[0] - round[2]);
        let share = median(
            seen.iter()
                .map(|round| 100.0 * (round[0] - round[2]) / round[3]),
        );
        println!(
            "of a whole sweep: {share:.2} % ({:.2} % by the medians)",
            100.0 * journal / sweep
        );
        let share = median(
            seen.iter()
                .map(|round| 100.0 * (round[0] - round[2]) / round[2]),
        );
        println!("of playing alone: {share:.2} %");
    }
}
