//! Stopping rules, applied block by block in schedule order.

use crate::plan::{Plan, StopRule};
use crate::record::GameRecord;

/// The rules of a run, with what each cell's rule has seen.
pub(crate) struct Rules {
    stop: StopRule,
}

impl Rules {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { stop: plan.stop }
    }

    /// Whether any rule looks at blocks.
    pub(crate) fn look(&self) -> bool {
        self.stop != StopRule::Fixed
    }

    /// Whether the block with these games is the last of `cell`.
    pub(crate) fn decides(&mut self, _cell: usize, _games: &[GameRecord]) -> bool {
        match self.stop {
            StopRule::Fixed | StopRule::Precision { .. } | StopRule::Sprt { .. } => false,
        }
    }
}
