//! Stopping rules, applied block by block in schedule order.
//!
//! Blocks with a truncated game are no evidence for either side and are passed over. The SPRT
//! looks at every block. The confidence sequence holds at whatever blocks it is looked at, and
//! costs a root search, so it is looked at after every block up to 200 and then after every
//! further per cent of the blocks; which blocks those are depends on their number only.

use crate::plan::{Plan, StopRule};
use crate::record::GameRecord;
use crate::stats::StatsError;
use crate::stats::confidence_sequences::BettingMixture;
use crate::stats::sprt::{Decision, Sprt, SprtRun};

use super::ledger::primary_score;

/// Blocks up to which a confidence sequence is looked at after every one.
const EVERY_BLOCK: u64 = 200;
/// After that, the share of the blocks so far that come before the next look.
const NEXT_LOOK: u64 = 100;

/// The rule of a run, with what it has seen of each cell.
pub(crate) struct Rules {
    rule: Rule,
    cells: Vec<Option<Seen>>,
}

enum Rule {
    Fixed,
    /// Ends when the sequence, empty here, is narrower than the width.
    Precision {
        empty: BettingMixture,
        width: f64,
    },
    Sprt(Sprt),
}

enum Seen {
    Precision {
        sequence: BettingMixture,
        next_look: u64,
    },
    Sprt(SprtRun),
}

impl Rules {
    /// The rule of `plan`.
    pub(crate) fn new(plan: &Plan) -> Result<Self, StatsError> {
        let rule = match plan.stop {
            StopRule::Fixed => Rule::Fixed,
            StopRule::Precision { width } => Rule::Precision {
                empty: BettingMixture::new(1.0 - plan.confidence)?,
                width,
            },
            StopRule::Sprt {
                elo0,
                elo1,
                alpha,
                beta,
            } => Rule::Sprt(Sprt::new(elo0, elo1, alpha, beta)?),
        };
        Ok(Self {
            rule,
            cells: Vec::new(),
        })
    }

    /// No rule: every planned block is played.
    pub(crate) fn none() -> Self {
        Self {
            rule: Rule::Fixed,
            cells: Vec::new(),
        }
    }

    /// Whether blocks must be looked at one by one.
    pub(crate) fn look(&self) -> bool {
        !matches!(self.rule, Rule::Fixed)
    }

    /// Whether the block with these games is the last of `cell`.
    pub(crate) fn decides(&mut self, cell: usize, games: &[GameRecord]) -> bool {
        let Some(score) = primary_score(games) else {
            return false;
        };
        if self.cells.len() <= cell {
            self.cells.resize_with(cell + 1, || None);
        }
        let Some(slot) = self.cells.get_mut(cell) else {
            return false;
        };
        let seen = match &self.rule {
            Rule::Fixed => return false,
            Rule::Precision { empty, .. } => slot.get_or_insert_with(|| Seen::Precision {
                sequence: empty.clone(),
                next_look: 1,
            }),
            Rule::Sprt(test) => slot.get_or_insert_with(|| Seen::Sprt(SprtRun::new(*test))),
        };
        match (seen, &self.rule) {
            (
                Seen::Precision {
                    sequence,
                    next_look,
                },
                Rule::Precision { width, .. },
            ) => {
                // Scores are within [0, 1]; any other would be no evidence.
                if sequence.update(score).is_err() || sequence.count() < *next_look {
                    return false;
                }
                let blocks = sequence.count();
                *next_look = blocks + 1 + blocks.saturating_sub(EVERY_BLOCK) / NEXT_LOOK;
                let interval = sequence.interval();
                interval.high - interval.low < *width
            }
            // Scores of pairs are multiples of a quarter; any other would be no evidence.
            (Seen::Sprt(run), _) => run
                .update(score)
                .is_ok_and(|decision| decision != Decision::Continue),
            (Seen::Precision { .. }, _) => false,
        }
    }
}
