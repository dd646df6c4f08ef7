//! Playing a [`Plan`]: all cores, any interruption, the same bytes.
//!
//! [`execute`] plays what is not yet in the run's journal; [`finish`] writes `games.csv` from it;
//! [`seal`] writes the manifest, with which the run is finished, and removes the journal. In
//! between, and after any crash, the journal is an exact prefix of the schedule: blocks ordered by
//! cell and number. Workers (plain threads: a shared counter is all the balancing that is
//! needed) play a bounded number of batches ahead; a single writer appends them in order. So
//! memory is flat in the number of games, and whatever looks at results while they come in
//! (stopping rules, live bars, limits) sees them in the order of the schedule.
//!
//! ```
//! use evalctl::config::{self, Overrides};
//! use evalctl::run::{self, Outcome, RunOptions, Silent};
//!
//! let config = r#"
//!     name = "example"
//!     games = 20
//!     [game]
//!     name = "tictactoe"
//!     [challenger]
//!     agent = "uct"
//!     simulations = 20
//!     [[opponents]]
//!     agent = "random"
//! "#;
//! let plan = config::plan(config, "example.toml", &Overrides::default())?;
//! let folder = tempfile::tempdir()?;
//! let Outcome::Complete(run) = run::execute(&plan, &RunOptions::new(folder.path()), &mut Silent)?
//! else {
//!     unreachable!("nobody interrupts it, and it was not played before");
//! };
//! let games = run::finish(&run)?;
//! assert_eq!(games.games, 20);
//! run::seal(run, &[])?;
//! // The same call finds a finished run and plays nothing.
//! let again = run::execute(&plan, &RunOptions::new(folder.path()), &mut Silent)?;
//! assert!(matches!(again, Outcome::AlreadyDone(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bots;
mod conductor;
mod dispenser;
mod environment;
mod error;
mod execute;
mod finish;
mod finished;
#[doc(hidden)]
pub mod fuzz;
mod identity;
mod journal;
mod ledger;
mod logs;
mod manifest;
mod merge;
#[doc(hidden)]
pub mod overhead;
mod progress;
mod replay;
mod rules;
mod schedule;
pub(crate) mod scheduler;
mod shard;
mod shard_file;
mod sources;
mod store;
pub(crate) mod submit;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_faults;
#[cfg(test)]
mod tests_of_rules;
#[cfg(test)]
mod tests_of_shards;
mod times;
mod verify;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::external::Host;
use crate::plan::{Cell, Plan};

pub use crate::games_csv::ReadError;
pub use bots::{Bot, BotFile};
pub use environment::Environment;
pub use error::RunError;
pub use execute::{Outcome, Run, execute};
pub use finish::{GamesFile, finish};
pub use finished::{Finished, seal};
pub use identity::Identity;
pub use ledger::{CellProgress, ScoreCounts, Tally};
pub use manifest::{CellCounts, Counts, FileHash, MANIFEST, Manifest, is_reproducible};
pub use merge::{MergeError, Shards};
pub use progress::{Observer, Silent, Status};
pub use replay::{Located, Replayed, locate, replay};
pub(crate) use rules::Rules;
pub use shard::{Cut, MAX_SHARDS, SHARDS, Shard, ShardTextError};
pub use shard_file::publish;
pub use times::Times;
pub use verify::{Verification, VerifyOptions, verify};

/// How a plan is played. Nothing here changes a result.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The folder of the run; created if it does not exist.
    pub dir: PathBuf,
    /// Number of threads that play, at least 1.
    pub jobs: usize,
    /// Set from outside, for example by a signal handler, to stop within a second.
    pub stop: Arc<AtomicBool>,
    /// Which part of the plan is played; `None` for all of it.
    pub shard: Option<Shard>,
    /// Moves an old run aside (to `DIR.old-1` and so on) and starts anew.
    pub fresh: bool,
    /// Forfeited games at which the run stops; by default 10 % of the planned games, at least 10.
    pub max_faults: Option<u64>,
    /// How players that are programs are run.
    pub host: Host,
    /// Whether the times of single moves are kept ([`CellProgress::move_times`]). Those of cells
    /// in which programs play always are.
    pub move_times: bool,
}

impl RunOptions {
    /// The whole plan in `dir`, on every core.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            stop: Arc::default(),
            shard: None,
            fresh: false,
            max_faults: None,
            host: Host::default(),
            move_times: false,
        }
    }
}

/// The command that plays one game again.
fn replay_command(plan: &Plan, cell: &Cell, block: u64, rotation: usize) -> String {
    format!(
        "evalctl trace '{}' '{}' --game '{}' --seed {} --block {block} --rotation {rotation}",
        cell.challenger, cell.opponent, cell.game, plan.seed
    )
}
