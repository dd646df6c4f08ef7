//! The command line: parse, plan, run, exit code. The only code that prints; a file per command.
//!
//! Results go to standard output, progress and diagnostics to standard error.

mod args;
mod bench;
mod calibrate;
mod check_bot;
mod duel;
mod error;
mod experiment;
mod finished;
mod list;
mod merge;
mod plan;
mod play;
mod progress;
mod signals;
mod stats;
mod submit;
mod sweep;
mod tournament;
mod trace;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

pub(crate) use play::register as play_own_game;

use args::{Cli, Command};
use error::{Code, Failure};

/// Parses the arguments, runs the command, and gives the exit code of the contract.
pub fn main() -> ExitCode {
    main_with(std::env::args_os())
}

/// As [`main`], with these arguments; the first is the program's name.
///
/// ```
/// assert_eq!(
///     evalctl::cli::main_with(["evalctl", "list", "games"]),
///     std::process::ExitCode::SUCCESS
/// );
/// ```
pub fn main_with<T: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = T>) -> ExitCode {
    // A supervisor of a program is this same executable, started again: it never parses arguments.
    crate::external::main_if_requested();
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers, not errors; a closed pipe is no failure either.
            let code = if error.use_stderr() {
                Code::Usage.into()
            } else {
                ExitCode::SUCCESS
            };
            let _ = error.print();
            return code;
        }
    };
    match run(&cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("evalctl: {}", failure.message);
            }
            failure.code.into()
        }
    }
}

fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Sweep(args) => sweep::run(args),
        Command::Match(args) => duel::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Play(args) => play::run(args),
        Command::CheckBot(args) => check_bot::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Calibrate(args) => calibrate::run(args),
        Command::Analyze(args) => finished::analyze(args),
        Command::Merge(args) => merge::run(args),
        Command::Submit(args) => submit::run(args),
        Command::Verify(args) => finished::verify(args),
        Command::Replay(args) => finished::replay(args),
        Command::List(args) => list::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Schema => {
            let text = list::json(&crate::config::schema())?;
            Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "evalctl", &mut script);
            Ok(std::io::stdout().lock().write_all(&script)?)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            Ok(std::io::stdout().lock().write_all(&page)?)
        }
    }
}

/// Whether colours may be written to standard output: only to a terminal, and not if `NO_COLOR`
/// is set.
pub(crate) fn colours() -> bool {
    use std::io::IsTerminal as _;
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
