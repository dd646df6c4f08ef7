//! Conducts a run: workers play ahead, one writer takes what they played in schedule order.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::external::Host;

use super::RunError;
use super::dispenser::{Copy, Dispenser};
use super::journal::Kind;
use super::journal::chunk::ChunkBuilder;
use super::journal::codec::Shape;
use super::journal::records::{Item, Records};
use super::journal::writer::JournalWriter;
use super::ledger::Ledger;
use super::logs::Logs;
use super::progress::{Observer, Pace, Status};
use super::schedule::{Position, Range};
use super::sources::Source;
use super::worker::{MakeTable, Played, Report, Shared, work};

/// How often the stop flag is looked at.
const POLL: Duration = Duration::from_millis(20);
/// How long workers may take to abandon their games before they are left behind.
const GRACE: Duration = Duration::from_millis(400);
/// Bytes after which copied blocks end a chunk.
const COPY_CHUNK: usize = 1 << 18;

/// Where a conducted run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// At the end of the schedule.
    Complete,
    /// Because it was told to stop.
    Interrupted,
}

/// Everything that a run is conducted with.
pub(crate) struct Conductor<'a, 'p> {
    pub shapes: &'a Arc<[Shape]>,
    pub ledger: &'a mut Ledger,
    pub sources: &'a mut [Box<dyn Source + 'p>],
    pub journal: &'a mut JournalWriter,
    pub checksum_seed: u32,
    pub jobs: usize,
    pub host: &'a Host,
    pub make_table: &'a Arc<MakeTable>,
    /// Whether blocks are recorded.
    pub record: bool,
    pub logs: &'a Arc<Logs>,
    pub stop: &'a AtomicBool,
    pub max_faults: u64,
    pub move_times: bool,
    pub observer: &'a mut dyn Observer,
    pub pace: &'a mut Pace,
    /// Counts the blocks that were played.
    pub played: &'a mut u64,
}

/// Something whose turn will come.
enum Ready {
    Played(Box<Played>),
    Copy(Copy),
    Nothing,
}

impl Conductor<'_, '_> {
    /// Plays what is due until nothing is, or the run is told to stop. Whatever happens, all that
    /// was finished in order is in the journal and on the disk.
    pub(crate) fn run(&mut self) -> Result<Ended, RunError> {
        while let Some(position) = self.ledger.due() {
            if self.run_stage(position)? == Ended::Interrupted {
                return Ok(Ended::Interrupted);
            }
        }
        Ok(Ended::Complete)
    }

    /// Plays from `position` to the end of what is planned so far.
    fn run_stage(&mut self, position: Position) -> Result<Ended, RunError> {
        let plan = Arc::clone(self.ledger.plan());
        let shared = Arc::new(Shared {
            dispenser: Dispenser::new(
                self.ledger.schedule().clone(),
                position,
                plan.cells.len(),
                self.sources
                    .iter()
                    .map(|source| source.extents().clone())
                    .collect(),
                self.jobs,
            ),
            checksum_seed: self.checksum_seed,
            host: self.host.clone(),
            make_table: Arc::clone(self.make_table),
            record: self.record,
            logs: Arc::clone(self.logs),
            halt: Arc::default(),
            move_times: self.move_times,
            decided: self
                .ledger
                .cells()
                .iter()
                .map(|cell| AtomicBool::new(cell.decided))
                .collect(),
            plan,
        });
        for (cell, progress) in self.ledger.cells().iter().enumerate() {
            if progress.decided {
                shared.dispenser.decide(cell);
            }
        }
        let reports = self.start_workers(&shared)?;
        let played = self.take_in_order(&shared, &reports);
        shared.dispenser.close();
        shared.halt.store(true, Ordering::Relaxed);
        // A worker in the middle of a long decision is left behind: it holds nothing that is kept.
        let deadline = Instant::now() + GRACE;
        let mut workers = self.jobs;
        while workers > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            match reports.recv_timeout(left) {
                Ok(Report::Left) => workers -= 1,
                Ok(_) => {}
                Err(_) => break,
            }
        }
        // The first error counts, but what was finished is written in any case.
        let finished = self.journal.finish();
        let ended = played?;
        finished?;
        Ok(ended)
    }

    fn start_workers(&self, shared: &Arc<Shared>) -> Result<Receiver<Report>, RunError> {
        let (sender, reports) = channel();
        for worker in 0..self.jobs {
            let (shared, sender) = (Arc::clone(shared), sender.clone());
            std::thread::Builder::new()
                .name(format!("evalctl-worker-{worker}"))
                .spawn(move || work(&shared, &sender))
                .map_err(|source| RunError::Threads { source })?;
        }
        Ok(reports)
    }

    fn take_in_order(
        &mut self,
        shared: &Shared,
        reports: &Receiver<Report>,
    ) -> Result<Ended, RunError> {
        let mut waiting: BTreeMap<u64, Ready> = BTreeMap::new();
        let mut turn = 0;
        let mut failure: Option<RunError> = None;
        let mut workers = self.jobs;
        loop {
            for copy in shared.dispenser.copies() {
                waiting.insert(copy.turn, Ready::Copy(copy));
            }
            while let Some(ready) = waiting.remove(&turn) {
                match ready {
                    Ready::Played(played) => self.take_played(shared, &played)?,
                    Ready::Copy(copy) => self.take_copy(shared, copy)?,
                    Ready::Nothing => {}
                }
                turn += 1;
                shared.dispenser.written(turn);
            }
            self.check_faults()?;
            self.tell(shared, false);
            let due = self.ledger.due();
            if due.is_none_or(|due| due.cell >= shared.plan.cells.len()) {
                self.tell(shared, due.is_none());
                return Ok(Ended::Complete);
            }
            if let Some(error) = failure {
                return Err(error);
            }
            if self.stop.load(Ordering::Relaxed) {
                self.tell(shared, true);
                return Ok(Ended::Interrupted);
            }
            if self.journal.is_due() {
                self.journal.flush()?;
            }
            match reports.recv_timeout(POLL) {
                Ok(Report::Played(played)) => {
                    waiting.insert(played.turn, Ready::Played(played));
                }
                Ok(Report::Dropped(batch)) => {
                    waiting.insert(batch.turn, Ready::Nothing);
                }
                Ok(Report::Failed(error)) => failure = Some(*error),
                Ok(Report::Left) => workers = workers.saturating_sub(1),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => workers = 0,
            }
            let copies_left = || turn < shared.dispenser.turns();
            if workers == 0 && failure.is_none() && waiting.is_empty() && !copies_left() {
                // Every worker left and yet something is due: a worker was lost without a word.
                return Err(RunError::LostWorkers);
            }
        }
    }

    /// Records a batch, as far as it is due.
    fn take_played(&mut self, shared: &Shared, played: &Played) -> Result<(), RunError> {
        let Range { cell, start, end } = played.range;
        if self.ledger.due() != Some(Position { cell, block: start }) {
            // A stopping rule has ended the cell: the rest of it is no result.
            return Ok(());
        }
        self.pace.learn(cell, end - start, played.nanos);
        let before = self.ledger.blocks();
        self.ledger
            .add_times(cell, &played.times, &played.move_times);
        if self.ledger.looks() {
            let kept = self.look(shared, &played.chunk);
            self.note(
                played,
                start + kept.as_ref().map_or(0, ChunkBuilder::blocks),
            )?;
            if let Some(kept) = kept {
                self.journal.append(&kept.finish())?;
            }
        } else {
            self.ledger.record_many(played.range, &played.tally);
            self.note(played, end)?;
            self.journal.append(&played.chunk)?;
        }
        *self.played += self.ledger.blocks() - before;
        let moved_on = self.ledger.due().is_none_or(|due| due.cell != cell);
        if !played.times.is_empty() {
            self.journal
                .append_times(self.checksum_seed, cell, played.times)?;
        }
        if moved_on {
            self.journal.flush()?;
        }
        Ok(())
    }

    /// Records what must be said about players in the blocks before `end`. It goes before the
    /// blocks, so that no kill leaves them without it.
    fn note(&mut self, played: &Played, end: u64) -> Result<(), RunError> {
        let cell = played.range.cell;
        for (block, notice) in &played.notices {
            if *block < end && self.ledger.add_notice(cell, notice) {
                let text = notice.as_bytes();
                self.journal
                    .append_control(Kind::Notice, self.checksum_seed, cell, text)?;
            }
        }
        Ok(())
    }

    /// Records a chunk block by block, up to the block at which its cell ends; what of it is kept.
    fn look(&mut self, shared: &Shared, chunk: &[u8]) -> Option<ChunkBuilder> {
        let mut records = Records::new(
            std::io::Cursor::new(chunk),
            0,
            chunk.len() as u64,
            self.checksum_seed,
            Arc::clone(self.shapes),
        );
        let mut kept: Option<ChunkBuilder> = None;
        while let Ok(Some(Item::Block { cell, block })) = records.next_item() {
            if self.ledger.due() != Some(Position { cell, block }) {
                shared.dispenser.decide(cell);
                if let Some(decided) = shared.decided.get(cell) {
                    decided.store(true, Ordering::Relaxed);
                }
                break;
            }
            self.ledger.record(cell, block, records.games());
            kept.get_or_insert_with(|| {
                ChunkBuilder::new(self.checksum_seed, cell, block, chunk.len())
            })
            .push(records.record());
        }
        kept
    }

    /// Records blocks that were played before.
    fn take_copy(&mut self, shared: &Shared, copy: Copy) -> Result<(), RunError> {
        let Range { cell, start, end } = copy.range;
        let Some(source) = self.sources.get_mut(copy.source) else {
            return Ok(());
        };
        let mut kept = ChunkBuilder::new(self.checksum_seed, cell, start, 0);
        for block in start..end {
            if self.ledger.due() != Some(Position { cell, block }) {
                shared.dispenser.decide(cell);
                break;
            }
            let (record, games) = source.block(cell, block)?;
            self.ledger.record(cell, block, games);
            kept.push(record);
            if kept.len() >= COPY_CHUNK {
                let next = ChunkBuilder::new(self.checksum_seed, cell, block + 1, 0);
                self.journal
                    .append(&std::mem::replace(&mut kept, next).finish())?;
            }
        }
        self.journal.append(&kept.finish())
    }

    fn check_faults(&self) -> Result<(), RunError> {
        let (games, faults) = self.ledger.faults();
        if faults <= self.max_faults {
            return Ok(());
        }
        Err(RunError::TooManyFaults {
            faults,
            games,
            limit: self.max_faults,
            what: self.ledger.causes(),
            who: self.ledger.culprits(),
        })
    }

    fn tell(&mut self, shared: &Shared, last: bool) {
        if !self.pace.is_due(last) {
            return;
        }
        let cells = self.ledger.cells();
        let cost = |cell: usize| shared.dispenser.cost(cell);
        let plan = self.ledger.plan();
        let left = self.pace.left(plan, cells, &cost, self.jobs);
        self.observer.update(&Status {
            plan,
            cells,
            running: self.ledger.due().map(|due| due.cell),
            elapsed: self.pace.elapsed(),
            left,
            last,
        });
    }
}
