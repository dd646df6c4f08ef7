//! The order in which blocks are recorded: by cell, then by block.
//!
//! Everything that depends on an order (the journal, stopping rules, live bars, `games.csv`) uses
//! this one, never the order of completion. A schedule is arithmetic over the plan's counts, so a
//! thousand million games need no list.

use std::sync::Arc;

use crate::plan::Plan;
use crate::spec::Settings;

use super::Shard;

/// Consecutive blocks `start..end` of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    /// Index of the cell.
    pub cell: usize,
    /// First block.
    pub start: u64,
    /// One past the last block.
    pub end: u64,
}

/// A place in the schedule: the next block that may be due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Position {
    /// Index of the cell.
    pub cell: usize,
    /// Number of the block.
    pub block: u64,
}

#[derive(Clone, Debug)]
struct CellRange {
    first: u64,
    end: u64,
    /// Blocks of a unit of sharding.
    unit: u64,
    /// Number of the cell's first unit, over all cells.
    first_unit: u64,
}

/// Which units of a plan belong to a schedule.
#[derive(Clone, Debug)]
pub(crate) enum Share {
    /// All.
    Whole,
    /// Those of one shard.
    Shard(Shard),
    /// Those of the shards whose flag is set: of a merge that lacks some.
    Some(Arc<[bool]>),
}

impl Share {
    /// Of a shard, or all.
    pub(crate) fn of(shard: Option<Shard>) -> Self {
        shard.map_or(Self::Whole, Self::Shard)
    }

    fn count(&self) -> u64 {
        match self {
            Self::Whole => 1,
            Self::Shard(shard) => shard.count,
            Self::Some(flags) => (flags.len() as u64).max(1),
        }
    }

    /// Whether the units that are `remainder` modulo the count belong to it.
    fn owns(&self, remainder: u64) -> bool {
        match self {
            Self::Whole => true,
            Self::Shard(shard) => remainder == shard.index,
            Self::Some(flags) => usize::try_from(remainder)
                .ok()
                .and_then(|remainder| flags.get(remainder).copied())
                .unwrap_or(false),
        }
    }
}

/// The blocks of a plan, or of a share of it, in order.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    cells: Vec<CellRange>,
    share: Share,
}

/// Blocks of a unit of sharding for a cell whose players simulate at most `simulations` times a
/// decision: fixed by the plan, so that every number of shards cuts at the same places. Long
/// games come in short units, or eight machines would share three units of work.
fn unit(simulations: i64) -> u64 {
    match simulations {
        ..100 => 64,
        100..1_000 => 16,
        _ => 4,
    }
}

/// The budget of a decision in simulations, as far as the settings tell: a wall-clock budget
/// counts a thousand simulations a millisecond.
pub(crate) fn budget(settings: &Settings) -> i64 {
    let millis = settings.integer("millis").unwrap_or(0);
    settings
        .integer("simulations")
        .unwrap_or(0)
        .max(millis.saturating_mul(1_000))
        .max(0)
}

impl Schedule {
    /// The schedule of a share of `plan`.
    pub(crate) fn new(plan: &Plan, share: Share) -> Self {
        let mut first_unit = 0_u64;
        let cells = plan
            .cells
            .iter()
            .map(|cell| {
                let range = CellRange {
                    first: cell.first_block,
                    end: cell.first_block.saturating_add(cell.blocks),
                    unit: unit(budget(&cell.challenger).max(budget(&cell.opponent))),
                    first_unit,
                };
                first_unit = first_unit.saturating_add(cell.blocks.div_ceil(range.unit));
                range
            })
            .collect();
        Self { cells, share }
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The first place.
    pub(crate) fn start() -> Position {
        Position { cell: 0, block: 0 }
    }

    /// The place after the last block of `cell`.
    pub(crate) fn after_cell(cell: usize) -> Position {
        Position {
            cell: cell + 1,
            block: 0,
        }
    }

    /// The longest run of due blocks of one cell at or after `position`; `None` at the end.
    pub(crate) fn next_range(&self, position: Position) -> Option<Range> {
        let mut block = position.block;
        for (cell, range) in self.cells.iter().enumerate().skip(position.cell) {
            let from = block.max(range.first);
            block = 0;
            if from >= range.end {
                continue;
            }
            if matches!(self.share, Share::Whole) {
                return Some(Range {
                    cell,
                    start: from,
                    end: range.end,
                });
            }
            let count = self.share.count();
            let own = |unit: u64| self.share.owns((range.first_unit + unit) % count);
            let unit = (from - range.first) / range.unit;
            let last = (range.end - range.first).div_ceil(range.unit);
            // The next own unit is at most `count` units away.
            let Some(found) =
                (unit..last.min(unit.saturating_add(count))).find(|&candidate| own(candidate))
            else {
                continue;
            };
            let start = range.first + found * range.unit;
            return Some(Range {
                cell,
                start: start.max(from),
                end: (start + range.unit).min(range.end),
            });
        }
        None
    }

    /// The number, over all cells, of the unit of sharding that a block belongs to.
    pub(crate) fn unit(&self, position: Position) -> u64 {
        self.cells.get(position.cell).map_or(0, |range| {
            range.first_unit + position.block.saturating_sub(range.first) / range.unit
        })
    }

    /// The block that is due at `position` or next after it.
    pub(crate) fn due(&self, position: Position) -> Option<Position> {
        self.next_range(position).map(|range| Position {
            cell: range.cell,
            block: range.start,
        })
    }

    /// How many blocks of `cell` belong to the schedule.
    pub(crate) fn blocks(&self, cell: usize) -> u64 {
        let Some(range) = self.cells.get(cell) else {
            return 0;
        };
        let blocks = range.end - range.first;
        if blocks == 0 || matches!(self.share, Share::Whole) {
            return blocks;
        }
        let count = self.share.count();
        let units = blocks.div_ceil(range.unit);
        // Of units `first_unit..first_unit + units`, those with one remainder modulo the count.
        let own = |remainder: u64| {
            let below = |limit: u64| (limit + count - 1 - remainder) / count;
            below(range.first_unit + units) - below(range.first_unit)
        };
        let owned: u64 = match &self.share {
            Share::Shard(shard) => own(shard.index),
            _ => (0..count).filter(|&r| self.share.owns(r)).map(own).sum(),
        };
        // The last unit may be short.
        let last = range.first_unit + units - 1;
        let short = if self.share.owns(last % count) {
            units * range.unit - blocks
        } else {
            0
        };
        owned * range.unit - short
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::testing;

    fn walk(schedule: &Schedule) -> Vec<Position> {
        let mut position = Schedule::start();
        let mut all = Vec::new();
        while let Some(range) = schedule.next_range(position) {
            all.extend((range.start..range.end).map(|block| Position {
                cell: range.cell,
                block,
            }));
            position = Position {
                cell: range.cell,
                block: range.end,
            };
        }
        all
    }

    #[test]
    fn shards_share_out_every_block_exactly_once() {
        let mut plan =
            testing::plan(&[("random", 130), ("first", 0), ("random", 1), ("first", 64)]);
        plan.cells[3].first_block = 1_000;
        let whole = walk(&Schedule::new(&plan, Share::Whole));
        assert_eq!(whole.len(), 195);
        for count in [1, 2, 3, 8, 64] {
            let mut all = Vec::new();
            for index in 0..count {
                let share = Share::Shard(Shard { index, count });
                let schedule = Schedule::new(&plan, share);
                let part = walk(&schedule);
                for cell in 0..plan.cells.len() {
                    let blocks = part.iter().filter(|p| p.cell == cell).count() as u64;
                    assert_eq!(
                        schedule.blocks(cell),
                        blocks,
                        "{index}/{count}, cell {cell}"
                    );
                }
                assert!(part.iter().all(|&p| schedule.due(p) == Some(p)));
                assert!(part.is_sorted());
                all.extend(part);
            }
            all.sort_unstable();
            assert_eq!(all, whole, "{count} shards");
        }
    }

    #[test]
    fn a_merge_that_lacks_shards_is_the_rest() {
        let plan = testing::plan(&[("random", 130), ("first", 300)]);
        let flags = [true, false, true];
        let some = Schedule::new(&plan, Share::Some(Arc::from(flags)));
        let part = |index| {
            let share = Share::Shard(Shard { index, count: 3 });
            walk(&Schedule::new(&plan, share))
        };
        let mut expected = [part(0), part(2)].concat();
        expected.sort_unstable();
        assert_eq!(walk(&some), expected);
        let blocks = some.blocks(0) + some.blocks(1);
        assert_eq!(blocks, expected.len() as u64);
    }
}
