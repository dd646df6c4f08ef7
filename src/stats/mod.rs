//! Statistics of matches: pure functions over sufficient statistics. Errors are values.
//!
//! Where to look:
//!
//! | question | module |
//! |---|---|
//! | interval and exact test of block scores, the unit of inference | [`blocks`] |
//! | cdf, tails and quantiles that hold at extremes | [`distributions`] |
//! | a method by its name, for the command line and scripts | [`batch`] |
//!
//! Conventions that hold everywhere: proportions, scores and p-values are in `[0, 1]`; `alpha` is
//! the two-sided error, so an interval has level `1 - alpha`; Elo is in Elo points; strengths are
//! natural logarithms; log-likelihood ratios are in nats.
//! Transcendental functions come from the `libm` crate, so that a number is the same on every
//! machine.

mod alternative;
pub mod batch;
pub mod binomial_test;
pub mod blocks;
pub mod diff_proportions;
pub mod distributions;
pub mod effect_sizes;
pub mod elo;
pub mod error;
mod interval;
mod lattice_sum;
pub mod mean_score;
pub mod multinomial;
pub mod multiple_testing;
pub mod paired;
pub mod power;
pub mod proportions;
pub mod results;
pub mod root;
pub mod sprt;

pub use alternative::Alternative;
pub use error::StatsError;
pub use interval::{Estimate, Interval};
