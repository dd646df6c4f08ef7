//! The players in `examples/bots`, each started and played. A missing compiler or interpreter is a
//! skip that says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use evalctl::agents::Player;
use evalctl::agents::basic::First;
use evalctl::external::check::{CheckOptions, Verdict, check};
use evalctl::external::{BotConfig, Dialect, ExternalAgent, Level, ResolvedCommand};
use evalctl::games::Game;
use evalctl::games::durak::Durak;
use evalctl::games::tictactoe::TicTacToe;
use evalctl::record::End;
use evalctl::spec::Settings;
use evalctl::table::{GameTable, Table as _, TableOptions};

use crate::support::{Fake, seeds};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bots")
}

/// The first of `programs` that is installed and runs.
fn installed(programs: &[&str]) -> Option<String> {
    let runs = |program: &&&str| {
        let version = Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        version.is_ok_and(|status| status.success())
    };
    let found = programs
        .iter()
        .find(runs)
        .map(|&program| program.to_owned());
    if found.is_none() {
        eprintln!("SKIPPED: none of {programs:?} is installed, so their example was not played");
    }
    found
}

/// Compiles `source` into `folder`; `None` if there is no compiler.
fn compiled(compilers: &[&str], flags: &[&str], source: &str, into: &Path) -> Option<Vec<String>> {
    let compiler = installed(compilers)?;
    let program = into.join(source.replace('.', "_"));
    let built = Command::new(compiler)
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(folder().join(source))
        .status();
    assert!(built.unwrap().success(), "{source} compiles");
    Some(vec![program.to_str().unwrap().to_owned()])
}

fn script(interpreters: &[&str], source: &str) -> Option<Vec<String>> {
    let file = folder().join(source).to_str().unwrap().to_owned();
    Some(vec![installed(interpreters)?, file])
}

const C: (&[&str], &[&str]) = (
    &["cc", "gcc", "clang"],
    &["-O2", "-Wall", "-Wextra", "-Werror"],
);
const RUST: (&[&str], &[&str]) = (&["rustc"], &["-O", "--edition=2021", "-Dwarnings"]);

fn config(words: &[String], dialect: Dialect) -> BotConfig {
    let mut config = Fake::new("", dialect).config();
    config.process.command = ResolvedCommand::new(words).unwrap();
    config.process.limits.move_ms = 5000;
    config.process.limits.memory_mb = 2048;
    config
}

/// Digests of some games against `first` in both seats.
fn digests<G: Game>(game: &G, config: &BotConfig) -> Vec<u64> {
    let players = vec![
        Player::Honest(Box::new(ExternalAgent::new(config.clone()))),
        Player::Honest(Box::new(First)),
    ];
    let mut table = GameTable::new(game.clone(), players, TableOptions::default());
    let play = |number: usize| {
        let seating = [number % 2, 1 - number % 2];
        let record = table.play(&seeds(number as u64), &seating, None).unwrap();
        assert_eq!(record.end, End::Normal, "{:?}", table.notice(0));
        record.digest
    };
    (0..4).map(play).collect()
}

fn passes<G: Game>(game: &G, config: &BotConfig) {
    let options = CheckOptions { games: 1, seed: 3 };
    let mut steps = Vec::new();
    let verdict = check(game, config, options, |step| steps.push(step.clone()));
    assert_eq!(verdict, Verdict::Good, "{steps:#?}");
}

#[test]
fn the_same_player_in_four_languages_makes_the_same_moves() {
    let folder = tempfile::tempdir().unwrap();
    let durak = Durak::from_settings(&Settings::named("durak")).unwrap();
    let players = [
        script(&["python3"], "json_bot.py"),
        script(&["node"], "json_bot.js"),
        compiled(C.0, C.1, "json_bot.c", folder.path()),
        compiled(RUST.0, RUST.1, "json_bot.rs", folder.path()),
    ];
    let mut seen = None;
    for words in players.into_iter().flatten() {
        let config = config(&words, Dialect::Json);
        let games = (digests(&TicTacToe, &config), digests(&durak, &config));
        assert_eq!(
            *seen.get_or_insert_with(|| games.clone()),
            games,
            "{words:?}"
        );
        passes(&TicTacToe, &config);
    }
    assert!(seen.is_some(), "at least the Rust one can be built");
}

#[test]
fn the_text_player_plays_every_game() {
    if let Some(words) = script(&["python3"], "text_bot.py") {
        let config = config(&words, Dialect::Text);
        passes(&TicTacToe, &config);
        let durak = Durak::from_settings(&Settings::named("durak")).unwrap();
        passes(&durak, &config);
    }
}

#[test]
fn the_board_players_make_the_same_moves() {
    let folder = tempfile::tempdir().unwrap();
    let players = [
        script(&["python3"], "board_bot.py"),
        compiled(C.0, C.1, "board_bot.c", folder.path()),
    ];
    let mut seen = None;
    for words in players.into_iter().flatten() {
        let mut config = config(&words, Dialect::Board);
        config.reuse = false;
        let games = digests(&TicTacToe, &config);
        assert_eq!(
            *seen.get_or_insert_with(|| games.clone()),
            games,
            "{words:?}"
        );
        passes(&TicTacToe, &config);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn interpreters_run_under_strict_containment() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = rustix::process::geteuid().is_root();
    let bots = tempfile::tempdir().unwrap();
    let readable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bots.path(), readable).unwrap();
    // Interpreters of the system: one in root's home would be out of reach for another user.
    for (interpreter, source) in [
        ("/usr/bin/python3", "json_bot.py"),
        ("/usr/bin/node", "json_bot.js"),
    ] {
        let Some(interpreter) = installed(&[interpreter]) else {
            continue;
        };
        let file = bots.path().join(source);
        std::fs::copy(folder().join(source), &file).unwrap();
        let words = [interpreter, file.to_str().unwrap().to_owned()];
        let mut config = config(&words, Dialect::Json);
        config.process.sandbox.level = Level::Strict;
        config.process.sandbox.user = root.then_some(54_321);
        match config.process.sandbox.check() {
            Ok(_) => assert_eq!(digests(&TicTacToe, &config).len(), 4),
            Err(e) => eprintln!("SKIPPED: {e}"),
        }
    }
}
