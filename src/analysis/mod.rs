//! From finished blocks to cells, claims and diagnostics.
//!
//! Blocks stream in schedule order through an [`Analyzer`]; what is counted is a [`CellTally`] per
//! cell, what is said is an [`Analysis`]. Nothing here plays or prints.

mod cells;
mod claims;
mod diagnostics;
mod running;
mod sample;
mod standings;
mod summary;
mod tally;
#[cfg(test)]
mod tests;

pub use standings::{Payoff, Standing, Standings};
pub use summary::{
    Analysis, CellSummary, ClaimSummary, Comparison, Diagnostic, DoseNote, Flag, RunningPoint,
    SeatSummary, Verdict,
};
pub use tally::CellTally;

pub use crate::plan::Phase;

use running::Running;

use crate::block::PlayedBlock;
use crate::plan::{ClaimKind, Plan};
use crate::stats::StatsError;

/// Takes finished blocks and gives the analysis.
#[derive(Debug)]
pub struct Analyzer {
    plan: Plan,
    tallies: Vec<CellTally>,
    running: Vec<Running>,
    open: usize,
}

impl Analyzer {
    /// An analyzer for the runs of `plan`.
    pub fn new(plan: &Plan) -> Self {
        let tallies = plan
            .cells
            .iter()
            .map(|cell| CellTally::new(cell, needs_blocks(plan, cell.index)))
            .collect();
        Self {
            plan: plan.clone(),
            tallies,
            running: plan
                .cells
                .iter()
                .map(|cell| Running::new(cell.blocks, plan.confidence))
                .collect(),
            open: 0,
        }
    }

    /// Adds a block. Blocks of a cell come in order; a cell is closed when the next one begins.
    pub fn add(&mut self, block: &PlayedBlock) {
        if block.cell != self.open {
            if let Some(tally) = self.tallies.get_mut(self.open) {
                tally.close();
            }
            self.open = block.cell;
        }
        if let Some(tally) = self.tallies.get_mut(block.cell) {
            tally.add(block);
        }
        if let Some(running) = self.running.get_mut(block.cell)
            && !block.is_truncated()
        {
            running.add(block.mean_score());
        }
    }

    /// The tally of a cell so far.
    pub fn tally(&self, cell: usize) -> Option<&CellTally> {
        self.tallies.get(cell)
    }

    /// Whether some claim would be supported if the run ended now: what a look at the verdicts of a
    /// run that still plays would find. Flags that void are left aside.
    ///
    /// # Errors
    /// As [`Analyzer::finish`].
    pub fn any_supported(&self) -> Result<bool, StatsError> {
        claims::any_supported(&self.plan, &self.tallies)
    }

    /// The analysis of all blocks added so far.
    ///
    /// `extended` says that an earlier, finished run was looked at and then made longer.
    ///
    /// # Errors
    /// If a statistic has no value for a reason that is a fault of this program or of the plan
    /// (such as a confidence outside (0, 1)); too few blocks are no error.
    pub fn finish(mut self, extended: bool) -> Result<Analysis, StatsError> {
        for tally in &mut self.tallies {
            tally.close();
        }
        let mut cells = cells::summarize(&self.plan, &self.tallies)?;
        for (cell, running) in cells.iter_mut().zip(self.running) {
            cell.running = running.finish()?;
        }
        let seats = cells::seats(&self.plan, &self.tallies)?;
        let mut diagnostics = diagnostics::of_cells(&self.plan, &self.tallies, &mut cells);
        let (claims, comparisons) = claims::judge(&self.plan, &self.tallies, &cells)?;
        let dose = claims::dose_notes(&self.plan, &self.tallies, &claims)?;
        diagnostics.extend(diagnostics::of_claims(
            &self.plan,
            &self.tallies,
            &mut cells,
            &claims,
            extended,
        ));
        diagnostics.sort_by_key(|d| (!d.flag.voids(), d.flag));
        let standings = standings::of_run(&self.plan, &self.tallies, &cells)?;
        Ok(Analysis {
            confidence: self.plan.confidence,
            cells,
            seats,
            claims,
            comparisons,
            dose,
            diagnostics,
            standings,
        })
    }
}

/// Whether a claim or a rating compares this cell deal by deal, so that its block scores are kept.
fn needs_blocks(plan: &Plan, cell: usize) -> bool {
    plan.is_tournament()
        || plan.claims.iter().any(|claim| {
            claim.cells.contains(&cell)
                && (claim.cells.len() > 1
                    || matches!(claim.kind, ClaimKind::Trend | ClaimKind::Monotone))
        })
}
