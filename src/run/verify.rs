//! Whether a finished run is what it says: its files by their hashes, its games by playing them
//! again. A changed row is found by its hash, and a row that was changed together with the hash by
//! the replay.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::block::PlayedBlock;
use crate::external::Host;
use crate::games_csv::Reader;
use crate::plan::Plan;
use crate::rng::Seed;

use super::finish::GAMES;
use super::manifest::{FileHash, is_steady};
use super::replay::{Replayer, differences};
use super::{Finished, RunError};

/// Differences that are written out; more are only counted.
const SHOWN: usize = 20;
/// What a worker takes to play before it asks again.
const BATCH: Duration = Duration::from_millis(50);
const MOST_BLOCKS: usize = 256;

/// How a run is verified.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// Threads that play, at least 1.
    pub jobs: usize,
    /// Play only so many games again, drawn at random; `None` for all.
    pub sample: Option<u64>,
    /// Decides which games are drawn.
    pub sample_seed: u64,
    /// Set from outside to stop.
    pub stop: Arc<AtomicBool>,
    /// How programs are run.
    pub host: Host,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    /// Files that are not what the manifest says, a sentence each.
    pub files: Vec<String>,
    /// Games and rows that are not what they should be, a sentence each; at most twenty.
    pub differences: Vec<String>,
    /// How many there are.
    pub difference_count: u64,
    /// Games that were played again.
    pub replayed: u64,
    /// Games that cannot be played again, because a player uses the clock, or is a program or a
    /// person.
    pub skipped: u64,
    /// Rows of `games.csv`.
    pub rows: u64,
    /// Whether it was stopped before the end.
    pub interrupted: bool,
}

impl Verification {
    /// Whether nothing differs.
    pub fn is_right(&self) -> bool {
        self.files.is_empty() && self.difference_count == 0
    }

    fn add(&mut self, what: String) {
        self.difference_count += 1;
        if self.differences.len() < SHOWN {
            self.differences.push(what);
        }
    }
}

/// A block to be played again, or one game of it.
#[derive(Clone)]
struct Task {
    block: PlayedBlock,
    first_game: u64,
    rotation: Option<usize>,
}

/// Verifies a finished run.
///
/// # Errors
/// If a file cannot be read or a game cannot be played; whatever differs is no error.
pub fn verify(finished: &Finished, options: &VerifyOptions) -> Result<Verification, RunError> {
    let mut found = Verification::default();
    check_files(finished, &mut found)?;
    let plan = finished.plan();
    let path = finished.dir().join(GAMES);
    if !path.try_exists().map_err(RunError::io("read", &path))? {
        return Ok(found);
    }
    let rows = match Reader::open(plan, &path) {
        Ok(reader) => Rows::new(reader.checking_seeds(), plan),
        Err(error) => {
            found.add(error.to_string());
            return Ok(found);
        }
    };
    let found = match options.sample {
        None => {
            let rows = Mutex::new(rows);
            let next = |task: &mut Task| lock(&rows).next(task);
            let found = play_again(plan, options, found, &next)?;
            finish(
                rows.into_inner().unwrap_or_else(PoisonError::into_inner),
                finished,
                found,
            )
        }
        Some(games) => {
            let mut rows = rows;
            let sample = rows.sample(games, options);
            let tasks = Mutex::new(sample.into_iter());
            let next = |task: &mut Task| match lock(&tasks).next() {
                Some(drawn) => {
                    *task = drawn;
                    true
                }
                None => false,
            };
            let found = play_again(plan, options, found, &next)?;
            finish(rows, finished, found)
        }
    };
    Ok(found)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_files(finished: &Finished, found: &mut Verification) -> Result<(), RunError> {
    for (name, expected) in &finished.manifest().files {
        let path = finished.dir().join(name);
        match FileHash::of(&path) {
            Ok(hash) if hash == *expected => {}
            Ok(hash) if hash.bytes == expected.bytes => found.files.push(format!(
                "`{name}` was changed: it has the size that the manifest says, but another content"
            )),
            Ok(hash) => found.files.push(format!(
                "`{name}` was changed: it has {} bytes, and the manifest says {}",
                hash.bytes, expected.bytes
            )),
            Err(RunError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                found.files.push(format!("`{name}` is missing"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The rows of `games.csv`, with what is wrong with them as rows.
struct Rows<'p> {
    reader: Reader<'p, std::fs::File>,
    blocks: Vec<u64>,
    games: u64,
    wrong: Option<String>,
}

impl<'p> Rows<'p> {
    fn new(reader: Reader<'p, std::fs::File>, plan: &Plan) -> Self {
        Self {
            reader,
            blocks: vec![0; plan.cells.len()],
            games: 0,
            wrong: None,
        }
    }

    /// Reads the next block; `false` at the end or at the first row that is none.
    fn next(&mut self, task: &mut Task) -> bool {
        if self.wrong.is_some() {
            return false;
        }
        match self.reader.read(&mut task.block) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                self.wrong = Some(error.to_string());
                return false;
            }
        }
        task.first_game = self.reader.first_game();
        task.rotation = None;
        if task.first_game != self.games {
            self.wrong = Some(format!(
                "`games.csv` has game {} where game {} is due: rows were removed or added",
                task.first_game, self.games
            ));
            return false;
        }
        self.games += task.block.games.len() as u64;
        if let Some(blocks) = self.blocks.get_mut(task.block.cell) {
            *blocks += 1;
        }
        true
    }

    /// Draws `games` games, every set of them equally likely (J. Vitter, "Random sampling with a
    /// reservoir", ACM TOMS 11, 1985, algorithm R), in the order of the file.
    fn sample(&mut self, games: u64, options: &VerifyOptions) -> Vec<Task> {
        let wanted = usize::try_from(games).unwrap_or(usize::MAX);
        let mut rng = Seed::root(options.sample_seed)
            .derive("verify sample", &[])
            .rng();
        let mut drawn: Vec<Task> = Vec::new();
        let mut task = Task {
            block: PlayedBlock::default(),
            first_game: 0,
            rotation: None,
        };
        let mut seen = 0_u64;
        while !options.stop.load(Ordering::Relaxed) && self.next(&mut task) {
            for rotation in 0..task.block.games.len() {
                task.rotation = Some(rotation);
                seen += 1;
                if drawn.len() < wanted {
                    drawn.push(task.clone());
                    continue;
                }
                // Modulo bias is below 2^-32 for files that fit on a disk.
                let at = usize::try_from(rng.next_u64() % seen).unwrap_or(usize::MAX);
                if let Some(slot) = drawn.get_mut(at) {
                    slot.clone_from(&task);
                }
            }
        }
        drawn.sort_by_key(|task| (task.first_game, task.rotation));
        drawn
    }
}

/// What the rows as a whole say.
fn finish(rows: Rows<'_>, finished: &Finished, mut found: Verification) -> Verification {
    found.rows = rows.games;
    if let Some(wrong) = rows.wrong {
        found.add(wrong);
    } else if !found.interrupted {
        for (cell, (blocks, counts)) in rows
            .blocks
            .iter()
            .zip(&finished.manifest().cells)
            .enumerate()
        {
            if *blocks != counts.blocks {
                found.add(format!(
                    "cell {cell} has {blocks} blocks in `games.csv`, and the manifest says {}",
                    counts.blocks
                ));
            }
        }
    }
    found
}

/// Plays tasks until `next` has none, on all threads.
fn play_again(
    plan: &Plan,
    options: &VerifyOptions,
    found: Verification,
    next: &(dyn Fn(&mut Task) -> bool + Sync),
) -> Result<Verification, RunError> {
    let found = Mutex::new(found);
    let failure: Mutex<Option<RunError>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                let worked = play_tasks(plan, options, &found, next);
                if let Err(error) = worked {
                    lock(&failure).get_or_insert(error);
                }
            });
        }
    });
    let interrupted = options.stop.load(Ordering::Relaxed);
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) if !interrupted => Err(error),
        _ => {
            let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            found.interrupted = interrupted;
            Ok(found)
        }
    }
}

fn play_tasks(
    plan: &Plan,
    options: &VerifyOptions,
    found: &Mutex<Verification>,
    next: &(dyn Fn(&mut Task) -> bool + Sync),
) -> Result<(), RunError> {
    let mut replayer = Replayer::new(plan, &options.host, Arc::clone(&options.stop));
    let empty = Task {
        block: PlayedBlock::default(),
        first_game: 0,
        rotation: None,
    };
    let mut tasks = vec![empty; MOST_BLOCKS];
    let mut size = 1;
    while !options.stop.load(Ordering::Relaxed) {
        let mut count = 0;
        while count < size && next(&mut tasks[count]) {
            count += 1;
        }
        if count == 0 {
            return Ok(());
        }
        let started = Instant::now();
        for task in &tasks[..count] {
            check(plan, task, &mut replayer, found)?;
        }
        let took = started.elapsed();
        size = if took < BATCH / 2 {
            (size * 2).min(MOST_BLOCKS)
        } else if took > BATCH * 2 {
            (size / 2).max(1)
        } else {
            size
        };
    }
    Ok(())
}

fn check(
    plan: &Plan,
    task: &Task,
    replayer: &mut Replayer<'_>,
    found: &Mutex<Verification>,
) -> Result<(), RunError> {
    let block = &task.block;
    let Some(cell) = plan.cells.get(block.cell) else {
        return Ok(());
    };
    let rotations = match task.rotation {
        Some(rotation) => rotation..rotation + 1,
        None => 0..block.games.len(),
    };
    if !is_steady(cell) {
        lock(found).skipped += rotations.len() as u64;
        return Ok(());
    }
    for rotation in rotations {
        let Some(recorded) = block.games.get(rotation) else {
            continue;
        };
        let played = replayer.play(block.cell, block.block, rotation, None)?;
        let differences = differences(recorded, &played);
        let mut found = lock(found);
        found.replayed += 1;
        if !differences.is_empty() {
            found.add(format!(
                "game {} (cell {}, block {}, rotation {rotation}): {}",
                task.first_game + rotation as u64,
                block.cell,
                block.block,
                differences.join("; ")
            ));
        }
    }
    Ok(())
}
