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
use super::journal::writer::{JournalFile, JournalWriter, Medium};
use super::ledger::{self, Ledger};
use super::logs::Logs;
use super::manifest::Manifest;
use super::progress::{Observer, Pace};
use super::schedule::Share;
use super::shard::Cut;
use super::shard_file::ShardFile;
use super::sources::{GamesSource, JournalSource, ShardSource, Source};
use super::worker::{MakeTable, build_table};
use super::{
    CellProgress, Identity, RunError, RunOptions, Shard, finish, manifest, shard, shard_file, store,
};

/// How far [`execute`] came.
#[expect(
    clippy::large_enum_variant,
    reason = "made once a run, and taken apart at once"
)]
#[derive(Debug)]
pub enum Outcome {
    /// Every block is in the journal.
    Complete(Run),
    /// The run was finished before; nothing was played.
    AlreadyDone(Finished),
    /// The shard was finished before and is in this file; nothing was played.
    ShardDone(PathBuf),
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
    pub(super) shard: Option<Shard>,
    pub(super) missing_shards: Vec<u64>,
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

    /// Which part of the run it is; `None` for all of it. A complete part is to be published.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// What the report must say about players, a sentence each.
    pub fn notices(&self) -> Vec<String> {
        let cells = self.cells.iter().map(|cell| cell.notices.iter());
        manifest::notices(&self.plan, cells)
    }

    /// Shards that the run lacks because it was merged without them.
    pub fn missing_shards(&self) -> &[u64] {
        &self.missing_shards
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
    execute_parts(plan, options, observer, None)
}

/// What a run is played with and written to. Tests put in what fails.
pub(crate) struct Machinery {
    /// Makes the table of a cell.
    pub make_table: Arc<MakeTable>,
    /// Makes what is written to of the journal's file.
    pub make_medium: fn(JournalFile) -> Box<dyn Medium>,
    /// Whether blocks are recorded at all; only a measurement does without.
    pub record: bool,
}

impl Default for Machinery {
    fn default() -> Self {
        Self {
            make_table: Arc::new(build_table),
            make_medium: |file| Box::new(file),
            record: true,
        }
    }
}

/// Finished shards from which a run is put together.
pub(crate) struct Parts {
    /// They were read and found whole.
    pub shards: Vec<ShardFile>,
    /// Shards that are missing.
    pub missing: Vec<u64>,
    /// How many there are in all.
    pub count: u64,
    /// Programs that played in them.
    pub bots: Bots,
}

impl Parts {
    /// The units that are there.
    fn share(&self) -> Share {
        if self.missing.is_empty() {
            return Share::Whole;
        }
        let flags: Vec<bool> = (0..self.count)
            .map(|index| self.missing.binary_search(&index).is_err())
            .collect();
        Share::Some(flags.into())
    }
}

/// Plays what is left of `plan` and is not in `parts`; without all parts, nothing is played.
pub(crate) fn execute_parts(
    plan: &Plan,
    options: &RunOptions,
    observer: &mut dyn Observer,
    parts: Option<Parts>,
) -> Result<Outcome, RunError> {
    execute_with(plan, options, observer, parts, &Machinery::default())
}

/// As [`execute_parts`], with other machinery.
pub(crate) fn execute_with(
    plan: &Plan,
    options: &RunOptions,
    observer: &mut dyn Observer,
    parts: Option<Parts>,
    machinery: &Machinery,
) -> Result<Outcome, RunError> {
    let plan = Arc::new(plan.clone());
    let identity = Identity::of(&plan);
    let shapes: Arc<[Shape]> = ledger::shapes(&plan).into();
    let partial = parts
        .as_ref()
        .is_some_and(|parts| !parts.missing.is_empty());
    let name = if partial {
        PARTIAL.to_owned()
    } else {
        shard::journal_name(options.shard)
    };
    let path = options.dir.join(name);
    // A program that cannot be started fails the run before anything is moved or made.
    let probe = || bots::probe(&plan, &options.host, &options.stop);
    let early = options.fresh && parts.is_none();
    let mut probed = early.then(probe).transpose()?;
    if options.fresh
        && let Some(to) = make_room(options)?
    {
        observer.note(&format!("the old run was moved to `{}`", to.display()));
    }
    let earlier = earlier_run(&plan, &identity, &options.dir)?;
    if let Some(done) = done_before(&plan, &identity, &shapes, options, earlier.as_ref(), &path)? {
        return Ok(done);
    }
    if probed.is_none() && parts.is_none() {
        probed = Some(probe()?);
    }
    let header = Header::new(&plan, identity.clone(), options.shard);
    let share = parts
        .as_ref()
        .map_or_else(|| Share::of(options.shard), Parts::share);
    let new_ledger = || Ledger::new(&plan, share.clone()).map_err(RunError::from);
    if partial && exists(&path)? {
        // What is missing may have changed, so a part that was begun is of no use.
        std::fs::remove_file(&path).map_err(RunError::io("remove", &path))?;
    }
    let mut notes = Vec::new();
    let opened = store::open(&path, &header, &shapes, &new_ledger, &mut notes);
    for note in &notes {
        observer.note(note);
    }
    let (journal, mut ledger) = opened?;
    let mut sources = match &parts {
        None => open_sources(&path, &plan, &header, &shapes, earlier.as_ref(), &ledger)?,
        Some(parts) => {
            let seed = identity.checksum_seed();
            let shards = ShardSource::new(&plan, parts.count, &parts.shards, &shapes, seed);
            vec![Box::new(shards) as Box<dyn Source + '_>]
        }
    };
    for source in &sources {
        ledger.add_extras(source.extras());
    }
    let bots = match (&parts, probed) {
        (None, Some(bots)) => bots,
        // A confirmation is played where the shards are merged.
        (Some(parts), _) if ledger.due().is_none() || plan.selections().next().is_none() => {
            parts.bots.clone()
        }
        _ => probe()?,
    };
    let mut played = 0;
    let medium = (machinery.make_medium)(journal.try_clone()?);
    let mut writer = JournalWriter::new(medium, &path);
    let ended = Conductor {
        shapes: &shapes,
        ledger: &mut ledger,
        sources: &mut sources,
        journal: &mut writer,
        checksum_seed: identity.checksum_seed(),
        jobs: options.jobs.max(1),
        host: &options.host,
        make_table: &machinery.make_table,
        record: machinery.record,
        logs: &Arc::new(Logs::new(&options.dir, options.shard)),
        stop: &options.stop,
        max_faults: max_faults(&plan, options),
        move_times: options.move_times,
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
        extended_from: extended_from(earlier, &plan),
        bots,
        shard: options.shard,
        missing_shards: parts.map_or_else(Vec::new, |parts| parts.missing),
        plan: Arc::clone(ledger.plan()),
    };
    Ok(match ended {
        Ended::Complete => Outcome::Complete(run),
        Ended::Interrupted => Outcome::Interrupted(run),
    })
}

/// Forfeited games at which the run stops.
fn max_faults(plan: &Plan, options: &RunOptions) -> u64 {
    let planned = plan.games() + plan.confirm_games();
    options.max_faults.unwrap_or_else(|| (planned / 10).max(10))
}

/// Games per cell of the finished runs that this one extends.
fn extended_from(earlier: Option<Manifest>, plan: &Plan) -> Vec<u64> {
    let Some(manifest) = earlier else {
        return Vec::new();
    };
    let mut before = manifest.extended_from;
    if manifest.games_asked < plan.games_asked {
        before.push(manifest.games_asked);
    }
    before
}

/// Moves an old run, or an old shard, aside; where it went.
fn make_room(options: &RunOptions) -> Result<Option<PathBuf>, RunError> {
    match options.shard {
        None => store::move_aside(&options.dir, store::JOURNAL),
        Some(shard) => store::move_shard_aside(&options.dir, shard),
    }
}

/// The error that names what differs from the experiment whose shards are in `dir`; `None` if none
/// of them says another.
fn changed_keys(
    dir: &Path,
    plan: &Plan,
    identity: &Identity,
    shapes: &Arc<[Shape]>,
) -> Option<RunError> {
    let mut shards: Vec<PathBuf> = std::fs::read_dir(dir)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("shard-"))
        })
        .collect();
    shards.sort();
    shards.iter().find_map(
        |path| match shard_file::inspect(path, plan, identity, shapes) {
            Err(RunError::OtherExperiment { changes, .. }) => Some(RunError::OtherExperiment {
                dir: dir.into(),
                changes,
            }),
            _ => None,
        },
    )
}

/// The journal of a merge that lacks shards.
const PARTIAL: &str = "journal-partial.bin";

/// Whether all of it was done before.
fn done_before(
    plan: &Plan,
    identity: &Identity,
    shapes: &Arc<[Shape]>,
    options: &RunOptions,
    earlier: Option<&Manifest>,
    journal: &Path,
) -> Result<Option<Outcome>, RunError> {
    if let Some(shard) = options.shard {
        std::fs::create_dir_all(&options.dir).map_err(RunError::io("create", &options.dir))?;
        Cut::new(identity, plan.games_asked, shard.count)
            .agree(&options.dir)
            .map_err(|error| changed_keys(&options.dir, plan, identity, shapes).unwrap_or(error))?;
        let path = options.dir.join(shard.file_name());
        if exists(&path)? {
            let found = shard_file::inspect(&path, plan, identity, shapes)?;
            return Ok(Some(Outcome::ShardDone(found.path)));
        }
        return Ok(None);
    }
    match earlier {
        Some(manifest)
            if manifest.games_asked == plan.games_asked
                && !exists(journal)?
                && exists(&options.dir.join(finish::GAMES))? =>
        {
            let done = Finished::of(plan, &options.dir, manifest.clone())?;
            Ok(Some(Outcome::AlreadyDone(done)))
        }
        _ => Ok(None),
    }
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
    if !manifest.missing_shards.is_empty() {
        // Merged without all of its shards: no finished run.
        return Ok(None);
    }
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
        match GamesSource::open(dir, plan, manifest, shapes) {
            Ok(source) => sources.push(Box::new(source)),
            // Between the writing of `games.csv` and of the manifest, the journals hold it all.
            Err(RunError::Damaged { .. }) if !sources.is_empty() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sources)
}
