//! Methods over blocks, the unit of inference: one deal, every rotation of the seats.
//!
//! The two games of a pair are not independent (they share the deal), so nothing here counts
//! games. What is fed are block scores; what comes out is an interval that is never of zero width
//! and a test that is exact.
//!
//! | question | function | method |
//! |---|---|---|
//! | mean of a bounded score | [`mean_interval`], [`mean_test`] | Student t on the blocks and a pseudo-block at each end of the range |
//! | better than chance, two seats | [`sign_flip`] | exact permutation of the two players within each deal |
//! | better than chance, more seats | [`RelabelSummary::test`] | cyclic relabelling of the seats within each deal |
//! | the same, from decided blocks only | [`decisive_test`] | exact binomial, a second opinion |
//! | are two equal? | [`equivalence_test`] | two one-sided tests of the mean |
//! | cell against cell, same deals | [`PairedSummary`] | the above on the differences |
//! | cells that share no deals: difference, mean | [`combination_interval`], [`combination_test`] | Welch's t with pseudo-blocks |
//! | what could have been seen | [`smallest_detectable`], [`blocks_needed`] | normal theory with the measured deviation |
//!
//! Thirty deals, each played twice with the seats exchanged:
//!
//! ```
//! use evalctl::stats::blocks::{MEAN_INTERVAL_METHOD, Moments, mean_interval, mean_test};
//! use evalctl::stats::{Alternative, Interval};
//!
//! // Both games won, one of two, none: the score of a block is the mean of its games.
//! let scores = [[1.0; 16].as_slice(), &[0.5; 10], &[0.0; 4]].concat();
//! let blocks: Moments = scores.into_iter().collect();
//! let range = Interval::new(0.0, 1.0);
//! let interval = mean_interval(&blocks, range, 0.05)?;
//! println!("{:.2} to {:.2} ({MEAN_INTERVAL_METHOD})", interval.low, interval.high);
//! let test = mean_test(&blocks, range, 0.5, Alternative::TwoSided)?;
//! assert_eq!(test.p_value < 0.05, interval.low > 0.5);
//! # Ok::<(), evalctl::stats::StatsError>(())
//! ```

mod compare;
mod mean;
mod planning;
mod relabel;
mod sign_flip;
mod summary;

pub use compare::{PairedSummary, Part, combination_interval, combination_test};
pub use mean::{
    MEAN_INTERVAL_METHOD, PSEUDO_WEIGHT, decisive_test, equivalence_test, mean_interval,
    mean_interval_weighted, mean_test,
};
pub use planning::{blocks_needed, smallest_detectable};
pub use relabel::{MAX_SEATS, RelabelSummary};
pub use sign_flip::sign_flip;
pub use summary::{BlockSummary, Moments};

use std::borrow::Cow;

/// A p-value with the name of the test that gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// In `(0, 1]`: values too small for a floating-point number are given as the smallest one.
    pub p_value: f64,
    /// The test, in the words that a report prints.
    pub method: Cow<'static, str>,
}

impl TestResult {
    fn new(p_value: f64, method: impl Into<Cow<'static, str>>) -> Self {
        Self {
            p_value: p_value.clamp(f64::MIN_POSITIVE, 1.0),
            method: method.into(),
        }
    }
}
