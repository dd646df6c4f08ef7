//! Sequential probability ratio tests on counts of games or game pairs.
//!
//! [`Sprt`] is what a match stops by: a pentanomial generalised SPRT (GSPRT) between two Elo
//! differences. [`gsprt_llr`] and its relatives are the log-likelihood ratios that match runners
//! publish.

mod brownian;
mod estimate;
mod likelihood;
mod run;
#[cfg(test)]
mod tests;

pub use estimate::{SprtDesign, SprtEstimate, sprt_estimate};
pub use likelihood::{
    EloModel, approximate_llr, bayeselo_llr, binomial_llr, cutechess_llr, gsprt_llr,
};
pub use run::{Decision, MINIMUM_BLOCKS, Sprt, SprtRun, SprtState, wald_bounds};
