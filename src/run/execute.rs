//! Plays what is left of a plan.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::block::PlayedBlock;
use crate::plan::Plan;

use super::bots::{self, Bots};
use super::conductor::{Conductor, Ended};
use super::finished::Finished;
use super::journal::Header;
use super::journal::codec::Shape;
use super::journal::writer::{JournalFile, JournalWriter};
use super::ledger::{self, Ledger};
use super::manifest::Manifest;
use super::progress::{Observer, Pace};
use super::sources::{GamesSource, JournalSource, Source};
use super::{CellProgress, Identity, RunError, RunOptions, finish, shard, store};

/// How far [`execute`] came.
#[expect(clippy::large_enum_variant, reason = "there is one of it in a process")]
#[derive(Debug)]
pub enum Outcome {
    /// Every block is in the journal.
    Complete(Run),
    /// The run was finished before; nothing was played.
    AlreadyDone(Finished),
    /// It was told to stop. The same call goes on where it stopped.
    Interrupted(Run),
}

/// A run whose journal is open and locked.
#[derive(Debug)]
pub struct Run {
    pub(super) plan: Arc<Plan>,
    pub(super) dir: PathBuf,
    pub(super) shapes: Arc<[Shape]>,
    pub(super) identity: Identity,
    pub(super) cells: Vec<CellProgress>,
    pub(super) journal: JournalFile,
    pub(super) played: u64,
    pub(super) selected: Vec<usize>,
    pub(super) extended_from: Vec<u64>,
    pub(super) bots: Bots,
}

impl Run {
    /// The plan, with the confirmations that were decided on while it was played.
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

    /// Games per cell of the finished runs that this one extends: somebody may have looked at
    /// their results and gone on because of them.
    pub fn extended_from(&self) -> &[u64] {
        &self.extended_from
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
    let path = options.dir.join(shard::journal_name(options.shard));
    if options.fresh {
        let moved = store::move_aside(&options.dir, &shard::journal_name(options.shard))?;
        if let Some(to) = moved {
            observer.note(&format!("the old run was moved to `{}`", to.display()));
        }
    }
    let earlier = earlier_run(&plan, &identity, &options.dir)?;
    if let Some(manifest) = &earlier
        && manifest.games_asked == plan.games_asked
        && !exists(&path)?
        && exists(&options.dir.join(finish::GAMES))?
    {
        return Finished::of(&plan, &options.dir, manifest.clone()).map(Outcome::AlreadyDone);
    }
    let header = Header::new(&plan, identity.clone(), options.shard);
    let shapes: Arc<[Shape]> = ledger::shapes(&plan).into();
    let new_ledger = || Ledger::new(&plan, options.shard).map_err(RunError::from);
    let mut notes = Vec::new();
    let opened = store::open(&path, &header, &shapes, &new_ledger, &mut notes);
    for note in &notes {
        observer.note(note);
    }
    let (journal, mut ledger) = opened?;
    let mut sources = open_sources(&path, &plan, &header, &shapes, earlier.as_ref(), &ledger)?;
    for source in &sources {
        for (cell, times) in source.times().iter().enumerate() {
            if let Some(sum) = ledger.times_mut(cell) {
                sum.add(times);
            }
        }
    }
    let bots = bots::probe(&plan, &options.host, &options.stop)?;
    let mut played = 0;
    let mut writer = JournalWriter::new(Box::new(journal.try_clone()?), &path);
    let planned = plan.games() + plan.confirm_games();
    let ended = Conductor {
        shapes: &shapes,
        ledger: &mut ledger,
        sources: &mut sources,
        journal: &mut writer,
        checksum_seed: identity.checksum_seed(),
        jobs: options.jobs.max(1),
        host: &options.host,
        stop: &options.stop,
        max_faults: options.max_faults.unwrap_or_else(|| (planned / 10).max(10)),
        observer,
        pace: &mut Pace::new(shapes.len()),
        played: &mut played,
    }
    .run()?;
    drop(sources);
    let run = Run {
        dir: options.dir.clone(),
        shapes,
        identity,
        cells: ledger.cells().to_vec(),
        selected: ledger.selected().to_vec(),
        played,
        journal,
        extended_from: earlier.map_or_else(Vec::new, |manifest| {
            let mut before = manifest.extended_from;
            if manifest.games_asked < plan.games_asked {
                before.push(manifest.games_asked);
            }
            before
        }),
        bots,
        plan: Arc::clone(ledger.plan()),
    };
    Ok(match ended {
        Ended::Complete => Outcome::Complete(run),
        Ended::Interrupted => Outcome::Interrupted(run),
    })
}

fn exists(path: &Path) -> Result<bool, RunError> {
    path.try_exists().map_err(RunError::io("read", path))
}

/// The manifest of a finished run in `dir` that `plan` repeats or extends.
fn earlier_run(plan: &Plan, identity: &Identity, dir: &Path) -> Result<Option<Manifest>, RunError> {
    let Some(manifest) = Manifest::read(dir)? else {
        return Ok(None);
    };
    let old = manifest.experiment();
    store::check_experiment(dir, (&old, &manifest.config), (identity, &plan.resolved))?;
    store::check_games(dir, manifest.games_asked, plan.games_asked)?;
    Ok(Some(manifest))
}

/// Where blocks are that need not be played.
fn open_sources<'p>(
    path: &Path,
    plan: &'p Plan,
    header: &Header,
    shapes: &Arc<[Shape]>,
    earlier: Option<&Manifest>,
    ledger: &Ledger,
) -> Result<Vec<Box<dyn Source + 'p>>, RunError> {
    let mut sources: Vec<Box<dyn Source + 'p>> = Vec::new();
    if ledger.due().is_none() {
        return Ok(sources);
    }
    let cells = plan.cells.len();
    for old in store::old_journals(path)? {
        if let Some(source) = JournalSource::open(&old, header, shapes, cells)? {
            sources.push(Box::new(source));
        }
    }
    let dir = path.parent().unwrap_or_else(|| Path::new("."));
    if let Some(manifest) = earlier.filter(|_| header.shard.is_none()) {
        let seed = header.identity.checksum_seed();
        match GamesSource::open(dir, plan, manifest, shapes, seed) {
            Ok(source) => sources.push(Box::new(source)),
            // Between the writing of `games.csv` and of the manifest, the journals hold it all.
            Err(RunError::Damaged { .. }) if !sources.is_empty() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sources)
}
