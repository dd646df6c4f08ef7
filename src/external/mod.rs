//! Programs as players: processes, dialects, deadlines and containment.

pub mod command;
pub mod containment;
#[cfg(target_os = "linux")]
mod cores;
mod escape;
pub mod limits;
pub mod line;
pub mod process;
mod stderr;

pub use command::{CommandError, ResolvedCommand, split_words};
pub use containment::main_if_requested;
pub use escape::{escape_for_terminal, escape_lines};
pub use limits::Limits;
