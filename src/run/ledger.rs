//! Where a run stands: how far the schedule is finished, and what was counted on the way.
//!
//! The ledger is fed in schedule order only, by the journal that is read back and by the games
//! that are played, so that every decision taken from it (stopping rules, too many faults) is the
//! same whatever the number of threads and however often the run was interrupted.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::block::{Outcome, PlayedBlock};
use crate::games::Seat;
use crate::move_times::MoveTimes;
use crate::plan::{Phase, Plan};
use crate::record::{End, GameRecord};
use crate::stats::StatsError;
use crate::stats::blocks::BlockSummary;

use super::journal::codec::Shape;
use super::rules::Rules;
use super::schedule::{Position, Range, Schedule, Share};
use super::sources::Extras;
use super::times::Times;

/// Block scores as counts of exact values: a handful of them, whatever the number of blocks, and
/// the same in whatever order they were added.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ScoreCounts(Vec<(f64, u64)>);

impl ScoreCounts {
    /// The values that occurred, in no particular order, and how often each did.
    pub fn values(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        self.0.iter().copied()
    }

    /// The same for the statistics.
    pub fn summary(&self) -> BlockSummary {
        let mut summary = BlockSummary::default();
        for (score, count) in self.values() {
            summary.push_many(score, count);
        }
        summary
    }

    fn add(&mut self, score: f64, count: u64) {
        let found = self
            .0
            .iter_mut()
            .find(|(value, _)| value.to_bits() == score.to_bits());
        match found {
            Some((_, sum)) => *sum += count,
            None => self.0.push((score, count)),
        }
    }
}

/// What was counted in some blocks of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// Blocks.
    pub blocks: u64,
    /// Games by outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; 4],
    /// Games forfeited by the challenger, by how they ended, in the order of [`End::ALL`].
    pub forfeits_challenger: [u64; End::ALL.len()],
    /// Games forfeited by an opponent, likewise.
    pub forfeits_opponent: [u64; End::ALL.len()],
    /// Games by how they ended, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
    /// Mean scores of the blocks without a truncated game.
    pub scores: ScoreCounts,
}

impl Tally {
    /// Games.
    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// Forfeited games.
    pub fn forfeits(&self) -> u64 {
        let sides = self
            .forfeits_challenger
            .iter()
            .chain(&self.forfeits_opponent);
        sides.sum()
    }

    /// Mean score of the challenger over blocks without a truncated game; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        self.scores.summary().mean()
    }

    /// Adds the games of one block.
    pub(crate) fn add_block(&mut self, games: &[GameRecord]) {
        self.blocks += 1;
        if let Some(score) = primary_score(games) {
            self.scores.add(score, 1);
        }
        for (rotation, game) in games.iter().enumerate() {
            let seat: Seat = PlayedBlock::seat(rotation);
            let outcome = Outcome::of(game, seat);
            for (count, of) in self.outcomes.iter_mut().zip(Outcome::ALL) {
                *count += u64::from(of == outcome);
            }
            for (count, end) in self.ends.iter_mut().zip(End::ALL) {
                *count += u64::from(end == game.end);
            }
            if let Some(fault) = game.fault_seat {
                let causes = if fault == seat {
                    &mut self.forfeits_challenger
                } else {
                    &mut self.forfeits_opponent
                };
                for (count, end) in causes.iter_mut().zip(End::ALL) {
                    *count += u64::from(end == game.end);
                }
            }
        }
    }

    /// Adds another tally.
    pub(crate) fn add(&mut self, other: &Self) {
        self.blocks += other.blocks;
        for (score, count) in other.scores.values() {
            self.scores.add(score, count);
        }
        let counts = self.outcomes.iter_mut().zip(other.outcomes);
        let ends = self.ends.iter_mut().zip(other.ends);
        let own = (self.forfeits_challenger.iter_mut()).zip(other.forfeits_challenger);
        let theirs = (self.forfeits_opponent.iter_mut()).zip(other.forfeits_opponent);
        for (mine, added) in counts.chain(ends).chain(own).chain(theirs) {
            *mine += added;
        }
    }
}

/// The block's mean score as it counts: `None` if a game of it was truncated.
pub(crate) fn primary_score(games: &[GameRecord]) -> Option<f64> {
    let sum = games
        .iter()
        .enumerate()
        .try_fold(0.0, |sum, (rotation, game)| {
            let score = game.scores.of(PlayedBlock::seat(rotation));
            (!game.end.is_truncated()).then_some(sum + score)
        })?;
    #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS games")]
    let games = games.len().max(1) as f64;
    Some(sum / games)
}

/// How far a cell is.
#[derive(Clone, PartialEq, Debug, Default)]
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
    /// How long each move of the challenger, and each of all its opponents, took: of the measured
    /// moves that this call played, where they are kept ([`super::RunOptions::move_times`]).
    /// Unlike `times` they do not outlive the process.
    pub move_times: [MoveTimes; 2],
    /// What the report must say about its players, in alphabetical order.
    pub notices: BTreeSet<String>,
}

impl CellProgress {
    /// Whether no more blocks will be played.
    pub fn is_finished(&self) -> bool {
        self.decided || self.tally.blocks >= self.planned
    }
}

/// The finished prefix of a schedule.
///
/// When the planned cells are finished, the selections of claims of kind `best` are decided and
/// their confirmations are appended: the second stage.
pub(crate) struct Ledger {
    plan: Arc<Plan>,
    whole: bool,
    schedule: Schedule,
    position: Position,
    cells: Vec<CellProgress>,
    rules: Rules,
    selected: Vec<usize>,
}

impl Ledger {
    /// Nothing is finished of a share of `plan`. A part applies no rules and confirms nothing: what
    /// it knows is not all there is, and the merge decides.
    pub(crate) fn new(plan: &Arc<Plan>, share: Share) -> Result<Self, StatsError> {
        let whole = matches!(share, Share::Whole);
        let rules = if whole {
            Rules::new(plan)?
        } else {
            Rules::none()
        };
        let mut ledger = Self {
            plan: Arc::clone(plan),
            whole,
            schedule: Schedule::new(plan, share),
            position: Schedule::start(),
            cells: Vec::new(),
            rules,
            selected: Vec::new(),
        };
        ledger.add_cells();
        ledger.confirm_if_due();
        Ok(ledger)
    }

    fn add_cells(&mut self) {
        for cell in self.cells.len()..self.plan.cells.len() {
            self.cells.push(CellProgress {
                planned: self.schedule.blocks(cell),
                ..CellProgress::default()
            });
        }
    }

    /// Begins the second stage if the first is finished and there is a second.
    fn confirm_if_due(&mut self) {
        let first_stage = self.whole && self.selected.is_empty();
        if !first_stage || self.schedule.due(self.position).is_some() {
            return;
        }
        let mut plan = Plan::clone(&self.plan);
        for claim in self.plan.selections() {
            let best = self.select(&self.plan.claims[claim].cells);
            if let Some(cell) = best.and_then(|best| self.plan.confirm_cell(claim, best)) {
                plan.cells.push(cell);
                self.selected.extend(best);
            }
        }
        self.plan = Arc::new(plan);
        self.schedule = Schedule::new(&self.plan, Share::Whole);
        self.add_cells();
    }

    /// The cell with the highest score, the first of equals; the first of all if none has a score.
    fn select(&self, candidates: &[usize]) -> Option<usize> {
        let mut best: Option<(usize, Option<f64>)> = None;
        for &cell in candidates {
            let score = self.cells.get(cell).and_then(|cell| cell.tally.mean());
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((cell, score));
            }
        }
        best.map(|(cell, _)| cell)
    }

    /// What is played, with the confirmations as far as they are known.
    pub(crate) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Cells that were selected for confirmation, in the order of the claims.
    pub(crate) fn selected(&self) -> &[usize] {
        &self.selected
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

    /// Adds what the players of `cell` took in blocks that were played now.
    pub(crate) fn add_times(&mut self, cell: usize, times: &Times, moves: &[MoveTimes; 2]) {
        if let Some(progress) = self.cells.get_mut(cell) {
            progress.times.add(times);
            for (sum, added) in progress.move_times.iter_mut().zip(moves) {
                sum.merge(added);
            }
        }
    }

    /// Adds what the report must say about a player of `cell`; whether it is new.
    pub(crate) fn add_notice(&mut self, cell: usize, notice: &str) -> bool {
        self.cells
            .get_mut(cell)
            .is_some_and(|progress| progress.notices.insert(notice.to_owned()))
    }

    /// Adds what a source of blocks holds besides.
    pub(crate) fn add_extras(&mut self, extras: &Extras) {
        for (progress, times) in self.cells.iter_mut().zip(&extras.times) {
            progress.times.add(times);
        }
        for (cell, notice) in &extras.notices {
            self.add_notice(*cell, notice);
        }
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
        self.confirm_if_due();
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
        self.confirm_if_due();
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

    /// What is known of players in cells with forfeits: the first two notices.
    pub(crate) fn culprits(&self) -> String {
        let troubled = self.cells.iter().filter(|cell| cell.tally.forfeits() > 0);
        let notices: Vec<&str> = troubled
            .flat_map(|cell| &cell.notices)
            .map(String::as_str)
            .take(2)
            .collect();
        notices.join("; ")
    }
}

/// The shapes of a plan's cells, and of the confirmations that may follow: they are like the cells
/// that they are selected from.
pub(crate) fn shapes(plan: &Plan) -> Vec<Shape> {
    let confirmations = plan.selections().filter_map(|claim| {
        let first = plan.claims.get(claim)?.cells.first()?;
        plan.cells.get(*first)
    });
    let planned = plan
        .cells
        .iter()
        .filter(|cell| cell.phase != Phase::Confirm);
    planned.chain(confirmations).map(Into::into).collect()
}
