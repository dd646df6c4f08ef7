//! Where a run stands: how far the schedule is finished, and what was counted on the way.
//!
//! The ledger is fed in schedule order only, by the journal that is read back and by the games
//! that are played, so that every decision taken from it (stopping rules, too many faults) is the
//! same whatever the number of threads and however often the run was interrupted.

use crate::block::{Outcome, PlayedBlock};
use crate::games::Seat;
use crate::plan::{Cell, Plan};
use crate::record::{End, GameRecord};

use super::rules::Rules;
use super::schedule::{Position, Range, Schedule};
use super::times::Times;

/// What was counted in some blocks of a cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Blocks.
    pub blocks: u64,
    /// Games by outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; 4],
    /// Games forfeited by the challenger.
    pub forfeits_challenger: u64,
    /// Games forfeited by an opponent.
    pub forfeits_opponent: u64,
    /// Games by how they ended, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
    /// Sum of the blocks' mean scores.
    pub score_sum: f64,
    /// Sum of the squares of the blocks' mean scores.
    pub score_squares: f64,
}

impl Tally {
    /// Games.
    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// Forfeited games.
    pub fn forfeits(&self) -> u64 {
        self.forfeits_challenger + self.forfeits_opponent
    }

    /// Mean score of the challenger, blocks weighted equally; `None` without blocks.
    pub fn mean(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "only shown")]
        (self.blocks > 0).then(|| self.score_sum / self.blocks as f64)
    }

    /// Adds the games of one block.
    pub(crate) fn add_block(&mut self, games: &[GameRecord]) {
        let mut sum = 0.0;
        for (rotation, game) in games.iter().enumerate() {
            let seat: Seat = PlayedBlock::seat(rotation);
            sum += game.scores.of(seat);
            let outcome = Outcome::of(game, seat);
            for (count, of) in self.outcomes.iter_mut().zip(Outcome::ALL) {
                *count += u64::from(of == outcome);
            }
            for (count, end) in self.ends.iter_mut().zip(End::ALL) {
                *count += u64::from(end == game.end);
            }
            match game.fault_seat {
                Some(fault) if fault == seat => self.forfeits_challenger += 1,
                Some(_) => self.forfeits_opponent += 1,
                None => {}
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS games")]
        let mean = sum / games.len().max(1) as f64;
        self.blocks += 1;
        self.score_sum += mean;
        self.score_squares += mean * mean;
    }

    /// Adds another tally.
    pub(crate) fn add(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.forfeits_challenger += other.forfeits_challenger;
        self.forfeits_opponent += other.forfeits_opponent;
        self.score_sum += other.score_sum;
        self.score_squares += other.score_squares;
        let counts = self.outcomes.iter_mut().zip(other.outcomes);
        for (mine, theirs) in counts.chain(self.ends.iter_mut().zip(other.ends)) {
            *mine += theirs;
        }
    }
}

/// How far a cell is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CellProgress {
    /// Blocks that are due (an upper bound where a stopping rule is set; the shard's own blocks
    /// in a shard).
    pub planned: u64,
    /// What was counted in the finished prefix.
    pub tally: Tally,
    /// Whether a stopping rule has ended the cell.
    pub decided: bool,
    /// What its players took.
    pub times: Times,
}

impl CellProgress {
    /// Whether no more blocks will be played.
    pub fn is_finished(&self) -> bool {
        self.decided || self.tally.blocks >= self.planned
    }
}

/// The finished prefix of a schedule.
pub(crate) struct Ledger {
    schedule: Schedule,
    position: Position,
    cells: Vec<CellProgress>,
    rules: Rules,
}

impl Ledger {
    pub(crate) fn new(plan: &Plan, schedule: Schedule, rules: Rules) -> Self {
        let cells = (0..plan.cells.len())
            .map(|cell| CellProgress {
                planned: schedule.blocks(cell),
                ..CellProgress::default()
            })
            .collect();
        Self {
            schedule,
            position: Schedule::start(),
            cells,
            rules,
        }
    }

    pub(crate) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    pub(crate) fn cells(&self) -> &[CellProgress] {
        &self.cells
    }

    /// Finished blocks.
    pub(crate) fn blocks(&self) -> u64 {
        self.cells.iter().map(|cell| cell.tally.blocks).sum()
    }

    pub(crate) fn times_mut(&mut self, cell: usize) -> Option<&mut Times> {
        self.cells.get_mut(cell).map(|progress| &mut progress.times)
    }

    /// The block that comes next; `None` when the run is finished.
    pub(crate) fn due(&self) -> Option<Position> {
        self.schedule.due(self.position)
    }

    /// Whether blocks must be looked at one by one.
    pub(crate) fn looks(&self) -> bool {
        self.rules.look()
    }

    /// Records the games of the block that is due.
    pub(crate) fn record(&mut self, cell: usize, block: u64, games: &[GameRecord]) {
        self.position = Position {
            cell,
            block: block + 1,
        };
        let Some(progress) = self.cells.get_mut(cell) else {
            return;
        };
        progress.tally.add_block(games);
        if self.rules.decides(cell, games) {
            progress.decided = true;
            self.position = Schedule::after_cell(cell);
        }
    }

    /// Records blocks that are due and were counted where they were played. Only where no rule
    /// looks at blocks.
    pub(crate) fn record_many(&mut self, range: Range, tally: &Tally) {
        debug_assert!(!self.looks());
        self.position = Position {
            cell: range.cell,
            block: range.end,
        };
        if let Some(progress) = self.cells.get_mut(range.cell) {
            progress.tally.add(tally);
        }
    }

    /// Games and forfeited games so far.
    pub(crate) fn faults(&self) -> (u64, u64) {
        self.cells.iter().fold((0, 0), |(games, faults), cell| {
            (games + cell.tally.games(), faults + cell.tally.forfeits())
        })
    }

    /// The causes of forfeits, counted, in words.
    pub(crate) fn causes(&self) -> String {
        let causes: Vec<String> = End::ALL
            .iter()
            .enumerate()
            .filter(|(_, end)| end.is_forfeit())
            .filter_map(|(index, end)| {
                let count: u64 = self.cells.iter().map(|cell| cell.tally.ends[index]).sum();
                (count > 0).then(|| format!("{count} {}", end.word()))
            })
            .collect();
        causes.join(", ")
    }
}

/// The shapes of a plan's cells.
pub(crate) fn shapes(cells: &[Cell]) -> Vec<super::journal::codec::Shape> {
    cells.iter().map(Into::into).collect()
}
