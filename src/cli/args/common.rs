//! Options that mean the same in every command that has them.

use clap::{Args, ValueEnum};

use crate::external::{Host, Level, Sandbox};

/// How progress is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProgressMode {
    /// A bar on a terminal, plain lines elsewhere.
    #[default]
    Auto,
    /// A line now and then.
    Plain,
    /// JSON lines on standard error.
    Json,
    /// Nothing.
    None,
}

/// Options that mean the same in every command that plays.
#[derive(Args, Debug, Clone)]
pub struct PlayArgs {
    /// Threads that play (default: one per core).
    #[arg(long, value_name = "N", value_parser = positive_jobs)]
    pub jobs: Option<usize>,
    /// The root seed: every random stream of the run derives from it.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How progress is shown (standard error).
    #[arg(long, value_enum, default_value_t)]
    pub progress: ProgressMode,
    /// Games that programs may forfeit before the run stops (default: 10 % of the games, at least 10).
    #[arg(long, value_name = "N")]
    pub max_faults: Option<u64>,
    /// Containment of programs.
    #[command(flatten)]
    pub containment: ContainmentArgs,
}

/// What players that are programs may do.
#[derive(Args, Debug, Clone)]
pub struct ContainmentArgs {
    /// Containment of players that are programs: off, default (accidents) or strict (malice).
    #[arg(long, value_name = "LEVEL", default_value = "default", value_parser = sandbox_level)]
    pub sandbox: Level,
    /// User id that contained programs run as; strict as root needs one.
    #[arg(long, value_name = "UID")]
    pub sandbox_user: Option<u32>,
}

impl ContainmentArgs {
    /// How programs are run.
    pub fn host(&self) -> Host {
        Host {
            sandbox: Sandbox {
                level: self.sandbox,
                user: self.sandbox_user,
                ..Sandbox::default()
            },
            ..Host::default()
        }
    }
}

/// A level of containment by its word.
fn sandbox_level(text: &str) -> Result<Level, String> {
    Level::from_word(text).ok_or_else(|| "must be off, default or strict".to_owned())
}

/// Options for players that are programs.
#[derive(Args, Debug, Clone)]
pub struct ProgramArgs {
    /// Dialect of programs: json, text or board.
    #[arg(long, value_name = "DIALECT")]
    pub protocol: Option<String>,
    /// One process for many games where the dialect has one per game.
    #[arg(long)]
    pub reuse: bool,
    /// Milliseconds a program has to start.
    #[arg(long, value_name = "MS")]
    pub start_ms: Option<u64>,
    /// Milliseconds a program has for a move.
    #[arg(long, value_name = "MS")]
    pub move_ms: Option<u64>,
    /// Milliseconds a program has for a game.
    #[arg(long, value_name = "MS")]
    pub game_ms: Option<u64>,
    /// Milliseconds of grace for the harness itself.
    #[arg(long, value_name = "MS")]
    pub margin_ms: Option<u64>,
}

impl ProgramArgs {
    /// As options of an `exec` player.
    pub fn exec_options(&self) -> Vec<(&'static str, String)> {
        let mut options = Vec::new();
        if let Some(protocol) = &self.protocol {
            options.push(("protocol", protocol.clone()));
        }
        if self.reuse {
            options.push(("reuse", "on".to_owned()));
        }
        let limits = [
            ("start_ms", self.start_ms),
            ("move_ms", self.move_ms),
            ("game_ms", self.game_ms),
            ("margin_ms", self.margin_ms),
        ];
        for (key, value) in limits {
            if let Some(value) = value {
                options.push((key, value.to_string()));
            }
        }
        options
    }
}

/// The form of a command's output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// A positive number of threads.
pub fn positive_jobs(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(0) => Err("at least one thread must play; leave --jobs out for one per core".to_owned()),
        Ok(jobs) if jobs <= 4096 => Ok(jobs),
        Ok(_) => Err("at most 4096 threads".to_owned()),
        Err(_) => Err("not a whole number".to_owned()),
    }
}
