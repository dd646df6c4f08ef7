//! Confidence sequences: intervals that hold at every time at once, so one may look, and stop,
//! whenever one likes.
//!
//! [`BettingMixture`] is what live bars and the precision rule use.

mod betting;
mod boundaries;
mod mixture;
mod predictable;

pub use betting::{betting_cs, betting_interval, betting_log_capital};
pub use boundaries::{
    beta_binomial_cs, gamma_exponential_mixture_bound, normal_mixture_bound, poly_stitching_bound,
};
pub use mixture::BettingMixture;
pub use predictable::{EmpiricalBernstein, PredictableHoeffding, conjugate_hoeffding};
