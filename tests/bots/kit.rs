//! The whole kit of misbehaving programs in real runs of `evalctl`: the cause in `end`, the score,
//! the exit code, that the other games are unharmed, and that no process is left.
//!
//! | what a program does | its name in the kit | here | more in |
//! |---|---|---|---|
//! | never answers, spins, answers late | `never` `spin` `late` `unflushed` | [`SILENT`], [`ENDING`] | `faults::silence_is_a_timeout_and_ends_in_time`, `faults::late_is_late_even_if_correct` |
//! | ignores SIGTERM | `ignore-sigterm` | [`SILENT`] | `faults::silence_is_a_timeout_and_ends_in_time` |
//! | exits before `ready` | `exit-at-start` `never-ready` `wrong-version` `wrong-dialect` | [`NOT_READY`] | `endings::a_bot_that_never_becomes_ready_fails_before_the_first_game` |
//! | exits after `ready`, in play, closes its output | `exit-after-ready` `exit` `abort` `close-output` | [`ENDING`] | `faults::the_end_of_a_program_is_a_crash_and_says_how` |
//! | exits with its last line | `exit-with-answer` | [`RESOURCES`] | `faults::a_last_line_before_the_exit_still_counts` |
//! | floods standard output | `flood` `flood-lines` `flood-chatter` `megabyte` | [`RESOURCES`], [`WORDS`], [`SILENT`] | `faults::words_that_are_no_answer_break_the_protocol`, `faults::printing_does_not_extend_the_time` |
//! | floods standard error | `flood-errors` | [`HARMLESS`] | `faults::a_flood_of_errors_blocks_nobody` |
//! | answers early, twice | `early` `twice` | [`WORDS`] | `faults::words_printed_while_the_other_side_thinks_are_unasked` |
//! | pieces of one byte, CRLF, chatter | `bytes` `crlf` `chatter` `one-read` `slow-start` | [`HARMLESS`] | `faults::harmless_habits_are_tolerated` |
//! | NUL, invalid UTF-8, escapes, an empty line | `nul` `utf8` `escapes` `empty` | [`WORDS`], [`HARMLESS`] | `faults::words_that_are_no_answer_break_the_protocol` |
//! | an illegal move | `illegal` | [`HARMLESS`] | `faults::a_move_that_is_not_legal_is_named` |
//! | forks, leaves a daemon, hops | `fork` `daemon` `rabbit` | [`HARMLESS`] | `leftovers::children_daemons_and_hopping_processes_are_gone_with_the_bot` |
//! | eats memory, writes a huge file | `eat-memory` `huge-file` | [`RESOURCES`] | `faults::memory_meets_its_limit`, `faults::a_huge_file_meets_its_limit` |
//! | reads the harness's files, opens sockets, signals or traces its opponent | `read-file` `sockets` `signal` `trace` `system-calls` | [`ATTACKS`], under strict | `strict` |

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{fake_bot, marker, processes_with};

/// A behaviour, its dialect, how its two games end (challenger in seat 0, then in seat 1), and what
/// it is told besides.
type Row = (
    &'static str,
    &'static str,
    [&'static str; 2],
    &'static [&'static str],
);

const NORMAL: [&str; 2] = ["normal"; 2];
const TIMEOUT: [&str; 2] = ["timeout"; 2];
const CRASH: [&str; 2] = ["crash"; 2];
const PROTOCOL: [&str; 2] = ["protocol"; 2];

const SILENT: &[Row] = &[
    ("never", "text", TIMEOUT, &[]),
    ("spin", "json", TIMEOUT, &[]),
    ("late", "board", TIMEOUT, &["--value", "900"]),
    ("ignore-sigterm", "text", TIMEOUT, &[]),
    ("flood-chatter", "text", TIMEOUT, &[]),
];
const ENDING: &[Row] = &[
    ("unflushed", "json", TIMEOUT, &[]),
    ("exit", "text", CRASH, &[]),
    ("abort", "board", CRASH, &[]),
    ("exit-after-ready", "json", CRASH, &[]),
    ("close-output", "text", CRASH, &[]),
];
const RESOURCES: &[Row] = &[
    ("eat-memory", "text", CRASH, &[]),
    ("huge-file", "text", CRASH, &[]),
    // Its second answer is its last, and counts; the third question finds it gone.
    ("exit-with-answer", "text", CRASH, &[]),
    ("flood", "text", PROTOCOL, &[]),
    ("megabyte", "json", PROTOCOL, &[]),
];
const WORDS: &[Row] = &[
    ("early", "json", PROTOCOL, &[]),
    ("twice", "text", PROTOCOL, &["--at", "1"]),
    // `0 0` again and again: a move once, where the cell is free.
    (
        "flood-lines",
        "board",
        ["protocol", "illegal_move"],
        &["--at", "1"],
    ),
    ("nul", "text", PROTOCOL, &[]),
    ("utf8", "json", PROTOCOL, &[]),
];
const HARMLESS: &[Row] = &[
    ("empty", "text", PROTOCOL, &[]),
    ("escapes", "board", PROTOCOL, &[]),
    ("illegal", "json", ["illegal_move"; 2], &[]),
    ("chatter", "json", NORMAL, &[]),
    ("crlf", "text", NORMAL, &[]),
    ("bytes", "board", NORMAL, &[]),
    ("slow-start", "json", NORMAL, &[]),
    ("one-read", "text", NORMAL, &[]),
    ("flood-errors", "text", NORMAL, &[]),
    ("fork", "text", NORMAL, &[]),
    ("daemon", "json", NORMAL, &[]),
    ("rabbit", "board", NORMAL, &[]),
];
const ATTACKS: &[Row] = &[
    ("read-file", "text", NORMAL, &["--value", "/etc"]),
    ("sockets", "json", NORMAL, &[]),
    ("signal", "text", NORMAL, &[]),
    ("trace", "board", NORMAL, &[]),
    ("system-calls", "text", NORMAL, &[]),
];
/// These fail the run before the first game: a part of what is said.
const NOT_READY: &[(&str, &str)] = &[
    ("exit-at-start", "cannot find my opening book"),
    ("never-ready", "within 300 ms"),
    ("wrong-version", "protocol version 2"),
    ("wrong-dialect", "--protocol text"),
];

/// A run of some of the kit, each against `first`, beside a program that behaves.
struct Trial {
    folder: tempfile::TempDir,
    program: PathBuf,
    marker: String,
}

impl Trial {
    fn new(program: &Path) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            program: program.to_owned(),
            marker: marker(),
        }
    }

    fn table(&self, key: &str, (behaviour, dialect, ends, more): Row) -> String {
        // Who is to be late is late soon; who is not has time on a busy machine.
        let move_ms = if ends == TIMEOUT { 400 } else { 10_000 };
        let mut args = vec![behaviour, "--dialect", dialect, "--marker", &self.marker];
        args.extend(more);
        format!(
            "[[{key}]]\nagent = \"exec\"\ncommand = '{}'\nargs = {args:?}\nprotocol = \"{dialect}\"\n\
             move_ms = {move_ms}\nmemory_mb = 200\nlabel = \"{behaviour}\"\n",
            self.program.display()
        )
    }

    /// Plays and checks that nothing is left.
    fn sweep(&self, rows: &[Row], opponent: &str, more: &[&str]) -> Output {
        let mut config = "name = \"kit\"\ngames = 2\n[game]\nname = \"tictactoe\"\n".to_owned();
        for row in rows.iter().chain([&("first", "json", NORMAL, &[][..])]) {
            config.push_str(&self.table("challengers", *row));
        }
        config.push_str(opponent);
        std::fs::write(self.folder.path().join("kit.toml"), config).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
            .current_dir(self.folder.path())
            .args(["sweep", "kit.toml", "--out", "run", "--progress", "none"])
            .args(more)
            .output()
            .unwrap();
        assert_eq!(processes_with(&self.marker), [""; 0]);
        output
    }

    /// Every game ended as its row says, and the program that behaves won where it began.
    fn check(&self, rows: &[Row]) {
        let file = self.folder.path().join("run/games.csv");
        let mut table = csv::Reader::from_path(file).unwrap();
        let names = table.headers().unwrap().clone();
        let games: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
        let wanted = [
            "challenger",
            "seat",
            "end",
            "fault_seat",
            "score",
            "decisions",
        ];
        let columns = wanted.map(|name| names.iter().position(|n| n == name).unwrap());
        let mut seen = 0;
        for game in &games {
            let [challenger, seat, end, fault_seat, score, decisions] =
                columns.map(|column| game[column].to_owned());
            let place: usize = seat.parse().unwrap();
            let row = rows.iter().find(|row| row.0 == challenger);
            let expected = row.map_or("normal", |row| row.2[place]);
            assert_eq!(end, expected, "{challenger} in seat {seat}");
            if end == "normal" {
                // Both play the first free cell: who begins has three in a row with the seventh.
                assert_eq!((fault_seat, decisions), (String::new(), "7".to_owned()));
                assert_eq!(score, ["1", "0"][place], "{challenger} in seat {seat}");
            } else {
                assert_eq!((fault_seat, score), (seat, "0".to_owned()), "{challenger}");
            }
            seen += 1;
        }
        assert_eq!(seen, 2 * (rows.len() + 1));
    }
}

const FIRST: &str = "[[opponents]]\nagent = \"first\"\n";

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Ten faults of a run are let pass: the run is whole, and its exit code is that of success.
fn plays_to_the_end(rows: &[Row]) {
    let trial = Trial::new(&fake_bot());
    let output = trial.sweep(rows, FIRST, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    for text in [&output.stdout, &output.stderr] {
        assert!(!text.contains(&0x1b), "{}", String::from_utf8_lossy(text));
    }
    trial.check(rows);
}

#[test]
fn silence() {
    plays_to_the_end(SILENT);
}

#[test]
fn early_ends() {
    plays_to_the_end(ENDING);
}

#[test]
fn resources_and_floods() {
    plays_to_the_end(RESOURCES);
}

#[test]
fn wrong_words() {
    plays_to_the_end(WORDS);
}

#[test]
fn harmless_habits_processes_and_the_rest() {
    plays_to_the_end(HARMLESS);
}

#[test]
fn attacks_under_strict_containment_harm_nobody() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = rustix::process::geteuid().is_root();
    let user = std::env::var("EVALCTL_TEST_SANDBOX_USER").unwrap_or_else(|_| "54321".to_owned());
    let sandbox = evalctl::external::Sandbox {
        level: evalctl::external::Level::Strict,
        user: root.then(|| user.parse().unwrap()),
        ..evalctl::external::Sandbox::default()
    };
    if let Err(e) = sandbox.check() {
        eprintln!("SKIPPED: {e}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let readable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), readable).unwrap();
    let program = folder.path().join("fake_bot");
    std::fs::copy(fake_bot(), &program).unwrap();
    let trial = Trial::new(&program);
    let mut more = vec!["--sandbox", "strict"];
    if root {
        more.extend(["--sandbox-user", user.as_str()]);
    }
    // The opponent is a program of the same user, within reach of a signal were it not for the cage.
    let opponent = trial.table("opponents", ("first", "board", NORMAL, &[]));
    let output = trial.sweep(ATTACKS, &opponent, &more);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    trial.check(ATTACKS);
}

#[test]
fn too_many_faults_stop_a_run_with_what_was_played_and_exit_1() {
    let trial = Trial::new(&fake_bot());
    let rows = [WORDS, &HARMLESS[..3]].concat();
    let output = trial.sweep(&rows, FIRST, &["--jobs", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    for part in [
        "more than the 10 allowed",
        "; the first time it ",
        "--fresh",
    ] {
        assert!(said(&output).contains(part), "{}", said(&output));
    }
    let kept = std::fs::read_dir(trial.folder.path().join("run")).unwrap();
    assert!(kept.count() > 0);
    let output = trial.sweep(&rows, FIRST, &["--jobs", "1", "--max-faults", "16"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    trial.check(&rows);
}

#[test]
fn who_never_becomes_ready_ends_a_run_before_its_first_game() {
    for (behaviour, sentence) in NOT_READY {
        let trial = Trial::new(&fake_bot());
        let row = (*behaviour, "json", NORMAL, &[][..]);
        let bot = trial.table("opponents", row) + "start_ms = 300\n";
        let output = trial.sweep(&[], &bot, &[]);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(sentence), "{}", said(&output));
        assert!(!trial.folder.path().join("run").exists());
    }
}

#[test]
fn every_program_of_the_kit_is_in_a_table() {
    let usage = Command::new(fake_bot()).output().unwrap();
    let usage = String::from_utf8(usage.stderr).unwrap();
    let known: BTreeSet<String> = usage
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(_, names)| names.split(','))
        .filter_map(|name| name.split_whitespace().next())
        .map(str::to_owned)
        .collect();
    let tables = [SILENT, ENDING, RESOURCES, WORDS, HARMLESS, ATTACKS].concat();
    let tried: BTreeSet<String> = tables
        .iter()
        .map(|row| row.0)
        .chain(NOT_READY.iter().map(|row| row.0))
        .chain(["first"])
        .map(str::to_owned)
        .collect();
    assert_eq!(known, tried);
}
