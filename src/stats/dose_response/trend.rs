//! The per-deal slope of the score on the dose.

use super::super::blocks::{Moments, mean_interval};
use super::super::{Alternative, Interval, StatsError};
use super::permute::permutation_test;
use super::{DoseResponse, dot, mean_of, reach};
use crate::rng::Seed;
use std::borrow::Cow;

/// How scores change with the dose.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Trend {
    /// Mean over deals of the least-squares slope: score per unit of dose (per doubling of the
    /// simulations). Over several rows, their average.
    pub slope: f64,
    /// Its interval: t on the deals' slopes with pseudo-deals at the steepest possible ones.
    pub interval: Interval,
    /// p-value against "the dose makes no difference", in the direction asked for.
    pub p_value: f64,
    /// How the p-value was made, in words.
    pub method: Cow<'static, str>,
    /// Deals.
    pub deals: u64,
}

impl DoseResponse {
    /// The slope of the score on the dose, with an interval of level `1 - alpha` and a test that
    /// permutes doses within each deal and row.
    ///
    /// If the dose makes no difference, the scores of one deal and row are exchangeable: they come
    /// from the same position and differ only in the players' own random streams. So the test is
    /// exact (up to its Monte-Carlo error), however much deals or rows differ.
    ///
    /// # Errors
    /// When there are fewer than two complete deals, or `alpha` is not in (0, 1).
    pub fn trend(
        &self,
        alternative: Alternative,
        alpha: f64,
        seed: Seed,
    ) -> Result<Trend, StatsError> {
        let weights = self.slope_weights();
        let doses = self.doses.len();
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
        let rows = self.rows.len() as f64;
        let slopes: Moments = self
            .checked_deals()?
            .map(|deal| {
                let rows_sum: f64 = deal.chunks_exact(doses).map(|row| dot(row, &weights)).sum();
                rows_sum / rows
            })
            .collect();
        let permuted = permutation_test(
            self.scores
                .chunks_exact(doses)
                .map(|row| (row, weights.as_slice())),
            alternative,
            seed.derive("dose-response trend", &[]),
        );
        Ok(Trend {
            slope: mean_of(&slopes),
            interval: mean_interval(&slopes, reach(&weights), alpha)?,
            p_value: permuted.p_value,
            method: permuted.method,
            deals: slopes.count(),
        })
    }
}
