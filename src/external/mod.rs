//! Programs as players: processes, dialects, deadlines and containment.
//!
//! From the outside in: [`ExternalAgent`] is an [`crate::agents::Agent`] of any game; `dialect` is
//! what is written and read; [`process`] is a program with deadlines; `line` cuts what it prints;
//! `containment` is what it may do and how it ends.

pub mod bench;
pub(crate) mod bot;
pub mod check;
pub(crate) mod command;
pub(crate) mod containment;
#[cfg(target_os = "linux")]
mod cores;
pub(crate) mod dialect;
mod escape;
pub(crate) mod fuzz;
pub(crate) mod limits;
pub(crate) mod line;
pub mod process;
pub(crate) mod settings;
mod stderr;

pub use bot::{BotStartError, ExternalAgent, FaultCounts, Identity, Probe, probe};
pub use command::{CommandError, ResolvedCommand, split_words};
pub use containment::{Level, Reached, Sandbox, SandboxError};
pub use dialect::Dialect;
pub use escape::{escape_for_terminal, escape_lines};
pub use limits::Limits;
pub use process::GameLog;
pub use settings::{BotConfig, Host, SPEC, build};

/// Becomes a process of another role (the helper that supervises a bot, the bot of the bench) if
/// this program was started as one; else returns at once.
///
/// Every program that plays against programs calls it first in `main`, before any thread is
/// started, for it re-executes itself.
pub fn main_if_requested() {
    #[cfg(target_os = "linux")]
    containment::supervisor::main_if_requested();
    bench::main_if_requested();
}
