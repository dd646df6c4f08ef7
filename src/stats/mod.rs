//! Statistics of matches: pure functions over sufficient statistics. Errors are values.
//!
//! Where to look:
//!
//! | question | module |
//! |---|---|
//! | interval and exact test of block scores, the unit of inference | [`blocks`] |
//! | stop a match early between two hypotheses | [`sprt`], [`group_sequential`] |
//! | look at any time | [`confidence_sequences`] |
//! | success rates over ordered groups, two by two tables | [`trend_tables`], [`logistic`], [`two_by_two`] |
//! | how strongly the data favour a hypothesis | [`bayes`] |
//! | Elo of a score, and what match runners print | [`elo`], [`results`] |
//! | rate of a yes/no event: intervals and exact test | [`proportions`], [`binomial_test`] |
//! | two rates, independent or on the same deals | [`diff_proportions`], [`paired`] |
//! | scores one by one: t, sign-flip, equivalence | [`mean_score`] |
//! | shares of win, draw and loss together | [`multinomial`] |
//! | many tests at once | [`multiple_testing`] |
//! | power, sample size, effect sizes | [`power`], [`effect_sizes`] |
//! | ratings of several players, and whether one number each is enough | [`ratings`] |
//! | does more search help, at every step, and how much Elo is a doubling? | [`dose_response`] |
//! | one number for many runs over many tasks | [`aggregate`] |
//! | cdf, tails and quantiles that hold at extremes | [`distributions`] |
//! | a method by its name, for the command line and scripts | [`batch`] |
//!
//! Conventions that hold everywhere: proportions, scores and p-values are in `[0, 1]`; `alpha` is
//! the two-sided error, so an interval has level `1 - alpha`; Elo is in Elo points; strengths are
//! natural logarithms; log-likelihood ratios are in nats.
//! Transcendental functions come from the `libm` crate, so that a number is the same on every
//! machine.

pub mod aggregate;
mod alternative;
pub mod batch;
pub mod bayes;
pub mod binomial_test;
pub mod blocks;
pub mod confidence_sequences;
pub mod diff_proportions;
pub mod distributions;
pub mod dose_response;
pub mod effect_sizes;
pub mod elo;
pub mod error;
pub mod group_sequential;
mod interval;
mod lattice_sum;
mod linear;
pub mod logistic;
pub mod mean_score;
pub mod multinomial;
pub mod multiple_testing;
mod newton;
pub mod paired;
pub mod power;
pub mod proportions;
pub mod ratings;
pub mod results;
pub mod root;
pub mod sprt;
pub mod trend_tables;
pub mod two_by_two;

pub use alternative::Alternative;
pub use error::StatsError;
pub use interval::{Estimate, Interval};
