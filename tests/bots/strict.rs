//! Strict containment against programs of ill will. As root it is tested through another user, as
//! `--sandbox-user` does it; else as the user who runs the tests.
//!
//! Where the kernel has what is needed (Landlock ABI 6) these tests fail rather than skip.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use evalctl::agents::Player;
use evalctl::external::{Dialect, GameLog, Level, Sandbox, SandboxError};
use evalctl::record::End;
use evalctl::table::Table as _;

use crate::support::{Fake, fake_bot, processes_with, seeds, table_of};

/// The user that contained programs run as: one that was made for it, or an id that owns nothing
/// and needs no account.
fn user() -> u32 {
    let made = std::env::var("EVALCTL_TEST_SANDBOX_USER").ok();
    made.and_then(|id| id.parse().ok()).unwrap_or(54_321)
}

/// A fake bot in a folder that the sandbox user can read.
struct Caged {
    fake: Fake,
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Caged {
    /// `None`, said aloud, where the kernel cannot do it.
    fn new(behaviour: &str, dialect: Dialect, level: Level) -> Option<Self> {
        if landlock_abi() < 6 {
            eprintln!("SKIPPED: strict containment needs Landlock ABI 6, see Linux 6.12");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let readable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), readable).unwrap();
        let own = folder.path().join("bot");
        std::fs::create_dir(&own).unwrap();
        let program = own.join("fake_bot");
        std::fs::copy(fake_bot(), &program).unwrap();
        let mut fake = Fake::new(behaviour, dialect).level(level);
        fake.sandbox.user = is_root().then_some(user());
        fake.limits.move_ms = 5000;
        Some(Self {
            fake,
            program,
            folder,
        })
    }

    fn player(&self) -> Player<evalctl::games::tictactoe::TicTacToe> {
        let mut config = self.fake.config();
        config.process.command.program.clone_from(&self.program);
        Player::Honest(Box::new(evalctl::external::ExternalAgent::new(config)))
    }

    /// Plays a game against a good program of the same user; its ends and what it wrote.
    fn attack(&self) -> (End, Option<usize>, String) {
        let good = Self::new("first", Dialect::Board, self.fake.sandbox.level).unwrap();
        let mut table = table_of(vec![self.player(), good.player()]);
        let record = table.play(&seeds(0), &[0, 1], None).unwrap();
        let mut log: GameLog = table.take_log(0).unwrap();
        log.append(&table.take_log(1).unwrap());
        drop(table);
        assert_eq!(processes_with(&self.fake.marker), [""; 0]);
        assert_eq!(processes_with(&good.fake.marker), [""; 0]);
        let words = String::from_utf8_lossy(&log.errors).into_owned();
        (record.end, record.fault_seat, words)
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[expect(
    unsafe_code,
    reason = "asking the kernel for its version has no safe form"
)]
fn landlock_abi() -> i64 {
    // SAFETY: with a null attribute and this flag the call only returns a number.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, 1) }
}

fn assert_all(words: &str, verdict: &str, names: &[&str]) {
    for name in names {
        let wanted = format!("{name} {verdict}");
        assert!(
            words.lines().any(|l| l.starts_with(&wanted)),
            "{wanted}: {words}"
        );
    }
}

#[test]
fn good_programs_play_under_strict_and_their_children_end_with_them() {
    for (behaviour, dialect) in [
        ("first", Dialect::Json),
        ("fork", Dialect::Text),
        ("daemon", Dialect::Text),
        ("rabbit", Dialect::Board),
    ] {
        let Some(caged) = Caged::new(behaviour, dialect, Level::Strict) else {
            return;
        };
        let (end, _, words) = caged.attack();
        assert_eq!(end, End::Normal, "{behaviour} {words}");
        assert!(!words.contains("no new process"), "{words}");
    }
}

#[test]
fn files_of_the_harness_are_out_of_reach() {
    for (level, verdict) in [(Level::Default, "allowed"), (Level::Strict, "refused")] {
        let Some(mut caged) = Caged::new("read-file", Dialect::Text, level) else {
            return;
        };
        let results = caged.folder.path().join("results");
        std::fs::create_dir(&results).unwrap();
        std::fs::set_permissions(&results, std::fs::Permissions::from_mode(0o777)).unwrap();
        let file = results.join("games.csv");
        std::fs::write(&file, "game,score\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
        // The folder: a file among the arguments would count as the program's own.
        caged.fake = caged.fake.with("--value", results.to_str().unwrap());
        let (end, _, words) = caged.attack();
        assert_eq!(end, End::Normal, "{words}");
        assert_all(&words, verdict, &["read", "write", "write-beside"]);
        assert_all(&words, "allowed", &["read-scratch", "write-scratch"]);
        let untouched = std::fs::read_to_string(&file).unwrap() == "game,score\n";
        assert_eq!(untouched, level == Level::Strict);
    }
}

#[test]
fn there_are_no_sockets() {
    let names = ["tcp-listen", "udp", "unix", "pair"];
    for (level, verdict) in [(Level::Default, "allowed"), (Level::Strict, "refused")] {
        let Some(caged) = Caged::new("sockets", Dialect::Text, level) else {
            return;
        };
        let (end, _, words) = caged.attack();
        assert_eq!(end, End::Normal);
        assert_all(&words, verdict, &names);
    }
}

#[test]
fn the_opponent_can_be_neither_ended_nor_traced() {
    for attack in ["signal", "trace"] {
        let Some(caged) = Caged::new(attack, Dialect::Text, Level::Strict) else {
            return;
        };
        let (end, fault_seat, words) = caged.attack();
        assert_eq!((end, fault_seat), (End::Normal, None), "{words}");
        assert_all(&words, "hits: 0", &[attack]);
    }
    // The attack is real: without strict containment it ends the opponent. Only as another user,
    // or it would end the tests as well.
    if is_root() {
        let caged = Caged::new("signal", Dialect::Text, Level::Default).unwrap();
        let (end, fault_seat, words) = caged.attack();
        assert_eq!((end, fault_seat), (End::Crash, Some(1)), "{words}");
    }
}

#[test]
fn system_calls_that_no_player_needs_are_refused() {
    let Some(caged) = Caged::new("system-calls", Dialect::Text, Level::Strict) else {
        return;
    };
    let (end, _, words) = caged.attack();
    assert_eq!(end, End::Normal, "{words}");
    assert_all(
        &words,
        "refused: Operation not permitted",
        &[
            "socketpair",
            "unshare",
            "clone-namespace",
            "io_uring",
            "keyctl",
            "add_key",
            "bpf",
            "mount",
            "perf",
            "userfaultfd",
            "vm_readv",
            "prlimit-parent",
            "affinity-parent",
            "shmget",
            "tiocsti",
        ],
    );
    #[cfg(target_arch = "x86_64")]
    assert_all(&words, "refused: Operation not permitted", &["x32-getpid"]);
    assert_all(&words, "refused: Function not implemented", &["clone3"]);
    assert_all(
        &words,
        "refused: Permission denied",
        &["proc-parent", "shadow", "home"],
    );
    let needed = ["getpid", "prlimit-self", "proc-self", "passwd", "thread"];
    assert_all(&words, "allowed", &needed);
}

#[test]
fn what_cannot_be_enforced_is_refused() {
    let sandbox = |level, user| Sandbox {
        level,
        user,
        ..Sandbox::default()
    };
    let strict = |user| sandbox(Level::Strict, user).check();
    assert_eq!(strict(Some(0)), Err(SandboxError::RootUser));
    if is_root() {
        assert_eq!(strict(None), Err(SandboxError::StrictAsRoot));
    } else {
        assert_eq!(strict(Some(user())), Err(SandboxError::NotRoot(user())));
    }
    if landlock_abi() < 6 {
        let error = strict(is_root().then_some(user())).unwrap_err();
        assert!(matches!(error, SandboxError::Kernel(_)), "{error}");
    } else {
        let reached = strict(is_root().then_some(user())).unwrap();
        assert_eq!((reached.landlock, reached.seccomp), (Some(6), true));
    }
}

#[test]
fn a_program_that_its_user_cannot_read_fails_with_a_hint() {
    if !is_root() || landlock_abi() < 6 {
        eprintln!("SKIPPED: needs root and Landlock ABI 6");
        return;
    }
    let caged = Caged::new("first", Dialect::Text, Level::Strict).unwrap();
    let closed = std::fs::Permissions::from_mode(0o700);
    std::fs::set_permissions(caged.folder.path(), closed).unwrap();
    let mut config = caged.fake.config();
    config.process.command.program.clone_from(&caged.program);
    config.process.limits.start_ms = 2000;
    let started = std::time::Instant::now();
    let error = evalctl::external::probe(&evalctl::games::tictactoe::TicTacToe, &config);
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("Permission denied") && text.contains("readable"),
        "{text}"
    );
    assert!(started.elapsed() < Duration::from_secs(2));
}
