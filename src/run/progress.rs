//! What a run tells while it plays.

use std::time::{Duration, Instant};

use crate::plan::Plan;

use super::ledger::CellProgress;
use super::schedule::budget;

/// Ten times a second is as often as anybody can read.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Where a run stands: the finished prefix of the schedule, never games out of order, so that
/// what is shown does not favour short games.
#[derive(Clone, Copy, Debug)]
pub struct Status<'a> {
    /// What is played.
    pub plan: &'a Plan,
    /// How far each cell is.
    pub cells: &'a [CellProgress],
    /// The cell that the next block belongs to; `None` when all is played.
    pub running: Option<usize>,
    /// Since this process began to play.
    pub elapsed: Duration,
    /// Estimated time left; `None` as long as nothing is known.
    pub left: Option<Duration>,
    /// Whether this is the last status of the run.
    pub last: bool,
}

impl Status<'_> {
    /// Blocks that are finished.
    pub fn finished_blocks(&self) -> u64 {
        self.cells.iter().map(|cell| cell.tally.blocks).sum()
    }

    /// Blocks that will have been played in the end; an upper bound where a stopping rule is set.
    pub fn planned_blocks(&self) -> u64 {
        self.cells
            .iter()
            .map(|cell| {
                if cell.decided {
                    cell.tally.blocks
                } else {
                    cell.planned
                }
            })
            .sum()
    }

    /// Games that are finished.
    pub fn finished_games(&self) -> u64 {
        self.cells.iter().map(|cell| cell.tally.games()).sum()
    }
}

/// Sees a run as it goes.
pub trait Observer {
    /// The run has got further. Called at most ten times a second, and once at the end.
    fn update(&mut self, status: &Status<'_>);

    /// Something that the user should know, such as a repaired journal.
    fn note(&mut self, text: &str);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn update(&mut self, _status: &Status<'_>) {}
    fn note(&mut self, _text: &str) {}
}

/// Measures how fast a run goes. Reads the clock, and therefore decides nothing.
pub(crate) struct Pace {
    started: Instant,
    told: Option<Instant>,
    /// Nanoseconds of work and units of budget that they bought, over all measured blocks.
    nanos: f64,
    /// Per cell: measured blocks and their nanoseconds.
    cells: Vec<(f64, f64)>,
}

impl Pace {
    pub(crate) fn new(cells: usize) -> Self {
        Self {
            started: Instant::now(),
            told: None,
            nanos: 0.0,
            cells: vec![(0.0, 0.0); cells],
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// `blocks` blocks of `cell` took a worker `nanos` nanoseconds.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn learn(&mut self, cell: usize, blocks: u64, nanos: u64) {
        self.nanos += nanos as f64;
        if let Some((count, sum)) = self.cells.get_mut(cell) {
            *count += blocks as f64;
            *sum += nanos as f64;
        }
    }

    /// Whether it is time to tell; then the next time is counted from now.
    pub(crate) fn is_due(&mut self, last: bool) -> bool {
        let due = last || self.told.is_none_or(|told| told.elapsed() >= TELL_EVERY);
        if due {
            self.told = Some(Instant::now());
        }
        due
    }

    /// Time left with `jobs` workers. A cell that was measured costs what it cost; the others are
    /// guessed by their budgets, at the ratio of cost to budget of the measured ones.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn left(
        &self,
        plan: &Plan,
        cells: &[CellProgress],
        latest: &dyn Fn(usize) -> f64,
        jobs: usize,
    ) -> Option<Duration> {
        let weight = |cell: usize| {
            plan.cells.get(cell).map_or(1.0, |cell| {
                let budgets = budget(&cell.challenger) as f64
                    + budget(&cell.opponent) as f64 * (cell.seats as f64 - 1.0);
                // A game without search costs about as much as a simulation at every decision.
                (budgets + 1.0) * cell.rotations as f64
            })
        };
        let bought: f64 = (0..cells.len())
            .map(|cell| self.cells.get(cell).map_or(0.0, |c| c.0) * weight(cell))
            .sum();
        if bought <= 0.0 {
            return None;
        }
        let rate = self.nanos / bought;
        let nanos: f64 = cells
            .iter()
            .enumerate()
            .filter(|(_, progress)| !progress.is_finished())
            .map(|(cell, progress)| {
                let blocks = progress.planned.saturating_sub(progress.tally.blocks) as f64;
                let seen = latest(cell);
                blocks
                    * if seen > 0.0 {
                        seen
                    } else {
                        rate * weight(cell)
                    }
            })
            .sum();
        Some(Duration::from_secs_f64(
            (nanos / 1e9 / jobs.max(1) as f64).clamp(0.0, 1e9),
        ))
    }
}
