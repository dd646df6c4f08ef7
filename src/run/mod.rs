//! Playing a [`Plan`]: all cores, any interruption, the same bytes.
//!
//! [`execute`] plays what is not yet in the run's journal; [`finish`] writes `games.csv` from it.
//! In between, and after any crash, the journal is an exact prefix of the schedule: blocks ordered
//! by cell and number. Workers (plain threads: a shared counter is all the balancing that is
//! needed) play a bounded number of batches ahead; a single writer appends them in order. So
//! memory is flat in the number of games, and whatever looks at results while they come in
//! (stopping rules, live bars, limits) sees them in the order of the schedule.

mod conductor;
mod dispenser;
mod error;
mod finish;
mod identity;
mod journal;
mod ledger;
mod progress;
mod rules;
mod schedule;
mod shard;
mod sources;
mod store;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod times;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::block::PlayedBlock;
use crate::external::Host;
use crate::plan::{Cell, Plan};

pub use error::RunError;
pub use finish::{GamesFile, finish};
pub use identity::Identity;
pub use ledger::{CellProgress, Tally};
pub use progress::{Observer, Silent, Status};
pub use shard::Shard;
pub use times::Times;

use conductor::{Conductor, Ended};
use journal::Header;
use journal::codec::Shape;
use journal::writer::{JournalFile, JournalWriter};
use ledger::Ledger;
use progress::Pace;
use rules::Rules;
use schedule::Schedule;

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
        }
    }
}

/// How far [`execute`] came.
#[derive(Debug)]
pub enum Outcome {
    /// Every block is in the journal.
    Complete(Run),
    /// It was told to stop. The same call goes on where it stopped.
    Interrupted(Run),
}

/// A run whose journal is open and locked.
#[derive(Debug)]
pub struct Run {
    plan: Arc<Plan>,
    dir: PathBuf,
    shapes: Arc<[Shape]>,
    identity: Identity,
    cells: Vec<CellProgress>,
    journal: JournalFile,
    played: u64,
}

impl Run {
    /// The plan, with everything that was decided while it was played.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What makes this run the experiment that it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// How far each cell is.
    pub fn cells(&self) -> &[CellProgress] {
        &self.cells
    }

    /// Blocks that were played by this call, not by earlier ones.
    pub fn played_blocks(&self) -> u64 {
        self.played
    }

    /// Calls `visit` with every finished block, in schedule order.
    ///
    /// # Errors
    /// If the journal cannot be read, or what `visit` returns.
    pub fn visit_blocks<E: From<RunError>>(
        &self,
        visit: impl FnMut(&PlayedBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        finish::visit_journal(&self.journal, &self.identity, &self.shapes, visit)
    }
}

/// Plays what is left of `plan`.
///
/// # Errors
/// See [`RunError`]; whatever was finished in schedule order before the error is kept.
pub fn execute(
    plan: &Plan,
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Outcome, RunError> {
    let plan = Arc::new(plan.clone());
    let identity = Identity::of(&plan);
    if options.fresh {
        let moved = store::move_aside(&options.dir, &shard::journal_name(options.shard))?;
        if let Some(to) = moved {
            observer.note(&format!("the old run was moved to `{}`", to.display()));
        }
    }
    let header = Header::new(&plan, identity.clone(), options.shard);
    let shapes: Arc<[Shape]> = ledger::shapes(&plan.cells).into();
    let schedule = Schedule::new(&plan, options.shard.unwrap_or(Shard::WHOLE));
    let new_ledger = || Ledger::new(&plan, schedule.clone(), Rules::new(&plan));
    let path = options.dir.join(shard::journal_name(options.shard));
    let mut notes = Vec::new();
    let opened = store::open(&path, &header, &shapes, &new_ledger, &mut notes);
    for note in &notes {
        observer.note(note);
    }
    let (mut store, mut ledger) = opened?;
    let mut played = 0;
    let journal = store.journal.try_clone()?;
    let mut writer = JournalWriter::new(Box::new(journal), &path);
    let ended = Conductor {
        plan: &plan,
        shapes: &shapes,
        ledger: &mut ledger,
        sources: &mut store.sources,
        journal: &mut writer,
        checksum_seed: identity.checksum_seed(),
        jobs: options.jobs.max(1),
        host: &options.host,
        stop: &options.stop,
        max_faults: options
            .max_faults
            .unwrap_or_else(|| (plan.games() / 10).max(10)),
        observer,
        pace: &mut Pace::new(plan.cells.len()),
        played: &mut played,
    }
    .run()?;
    let run = Run {
        dir: options.dir.clone(),
        shapes,
        identity,
        cells: ledger.cells().to_vec(),
        played,
        journal: store.journal,
        plan,
    };
    Ok(match ended {
        Ended::Complete => Outcome::Complete(run),
        Ended::Interrupted => Outcome::Interrupted(run),
    })
}

/// The command that plays one game again.
fn replay_command(plan: &Plan, cell: &Cell, block: u64, rotation: usize) -> String {
    format!(
        "evalctl trace '{}' '{}' --game '{}' --seed {} --block {block} --rotation {rotation}",
        cell.challenger, cell.opponent, cell.game, plan.seed
    )
}
