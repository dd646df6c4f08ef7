//! Hands out work: the next blocks of the schedule, in batches that take about ten milliseconds.
//!
//! A counter behind a lock is all the balancing that is needed: workers ask when they are idle.
//! Work stealing would play blocks far from their turn, and the journal could not follow. Batches
//! only set how often a worker asks; no result depends on them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::schedule::{Position, Range, Schedule};
use super::sources::Extents;

/// What a batch should take. Long enough that asking costs nothing, short enough that a kill loses
/// little and that the last batches of a run end together.
const BATCH_NANOS: f64 = 10e6;
/// Below this a batch is not cut shorter to balance the end of a cell.
const SMALLEST_NANOS: f64 = 200e3;
/// A first batch tells little, so the next is at most this much longer.
const GROWTH: u64 = 8;
/// Blocks that are copied in one go; in between the run looks at whether it is to stop.
const COPIED: u64 = 8_192;
/// Batches that may be finished before their turn, per worker.
const WINDOW: u64 = 64;

/// Something to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Batch {
    /// Its turn.
    pub turn: u64,
    /// Its blocks.
    pub range: Range,
}

/// Blocks that need not be played: they are copied from source number `source`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Copy {
    /// Its turn.
    pub turn: u64,
    /// Its blocks.
    pub range: Range,
    /// Where they are.
    pub source: usize,
}

struct State {
    schedule: Schedule,
    position: Position,
    next_turn: u64,
    /// Turns that were written.
    written: u64,
    decided: Vec<bool>,
    /// Nanoseconds a block of each cell takes, and blocks of its last batch.
    cost: Vec<(f64, u64)>,
    copies: Vec<Copy>,
    closed: bool,
}

/// Hands out the blocks of a schedule.
pub(crate) struct Dispenser {
    state: Mutex<State>,
    changed: Condvar,
    extents: Vec<Extents>,
    jobs: u64,
}

impl Dispenser {
    /// Blocks of `schedule` from `position` on; those in `extents` are copied, the others played
    /// by `jobs` workers.
    pub(crate) fn new(
        schedule: Schedule,
        position: Position,
        cells: usize,
        extents: Vec<Extents>,
        jobs: usize,
    ) -> Self {
        Self {
            state: Mutex::new(State {
                schedule,
                position,
                next_turn: 0,
                written: 0,
                decided: vec![false; cells],
                cost: vec![(0.0, 0); cells],
                copies: Vec::new(),
                closed: false,
            }),
            changed: Condvar::new(),
            extents,
            jobs: jobs as u64,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A worker cannot panic while it holds the lock in a way that leaves numbers half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch; waits while too many are ahead of their turn. `None` when nothing is left.
    pub(crate) fn take(&self) -> Option<Batch> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if state.next_turn - state.written >= WINDOW * self.jobs {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let range = state.schedule.next_range(state.position)?;
            if state.decided.get(range.cell).copied().unwrap_or(true) {
                state.position = Schedule::after_cell(range.cell);
                continue;
            }
            let turn = state.next_turn;
            let (mut range, source) = self.piece(range);
            if let Some(source) = source {
                range.end = range.end.min(range.start.saturating_add(COPIED));
                state.copies.push(Copy {
                    turn,
                    range,
                    source,
                });
                state.advance(range);
                continue;
            }
            let blocks = self.size(&state, range);
            let range = Range {
                end: range.start + blocks,
                ..range
            };
            state.advance(range);
            return Some(Batch { turn, range });
        }
    }

    /// The front part of `range` that has one source, or none.
    fn piece(&self, range: Range) -> (Range, Option<usize>) {
        let mut end = range.end;
        for (source, extents) in self.extents.iter().enumerate() {
            match extents.at_or_after(range.cell, range.start) {
                Some((first, last)) if first <= range.start => {
                    let end = last.min(range.end);
                    return (Range { end, ..range }, Some(source));
                }
                Some((first, _)) => end = end.min(first),
                None => {}
            }
        }
        (Range { end, ..range }, None)
    }

    fn size(&self, state: &State, range: Range) -> u64 {
        let left = range.end - range.start;
        let (cost, last) = state.cost.get(range.cell).copied().unwrap_or_default();
        if last == 0 {
            return 1;
        }
        let per_block = cost.max(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 1e7 / 1"
        )]
        let blocks = |nanos: f64| ((nanos / per_block) as u64).max(1);
        let fair = (left / (2 * self.jobs)).max(blocks(SMALLEST_NANOS));
        blocks(BATCH_NANOS)
            .min(last.saturating_mul(GROWTH))
            .min(fair)
            .min(left)
            .min(u64::from(u32::MAX))
    }

    /// Tells what `blocks` blocks of `cell` took.
    pub(crate) fn learn(&self, cell: usize, blocks: u64, nanos: u64) {
        let mut state = self.lock();
        if let Some((cost, last)) = state.cost.get_mut(cell) {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let seen = nanos as f64 / blocks.max(1) as f64;
            *cost = if *last == 0 {
                seen
            } else {
                0.5 * *cost + 0.5 * seen
            };
            *last = blocks.max(1);
        }
    }

    /// What a block of `cell` takes, in nanoseconds; 0 if unknown.
    pub(crate) fn cost(&self, cell: usize) -> f64 {
        self.lock().cost.get(cell).map_or(0.0, |&(cost, _)| cost)
    }

    /// Copies that became due.
    pub(crate) fn copies(&self) -> Vec<Copy> {
        std::mem::take(&mut self.lock().copies)
    }

    /// How many turns were given out.
    pub(crate) fn turns(&self) -> u64 {
        self.lock().next_turn
    }

    /// All turns below `turn` are written.
    pub(crate) fn written(&self, turn: u64) {
        self.lock().written = turn;
        self.changed.notify_all();
    }

    /// No more blocks of `cell` are needed.
    pub(crate) fn decide(&self, cell: usize) {
        if let Some(decided) = self.lock().decided.get_mut(cell) {
            *decided = true;
        }
    }

    /// Hands out nothing more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

impl State {
    fn advance(&mut self, range: Range) {
        self.next_turn += 1;
        self.position = Position {
            cell: range.cell,
            block: range.end,
        };
    }
}
