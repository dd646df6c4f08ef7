//! Whether the second setting matters, and whether the slope depends on it.

use super::super::blocks::{Moments, mean_interval};
use super::super::distributions::ChiSquared;
use super::super::{Alternative, Interval, StatsError};
use super::permute::{NORMAL_FROM, PERMUTATIONS, permutation_test};
use super::{DoseResponse, dot, least_squares_weights, mean_of, reach};
use crate::rng::Seed;
use std::borrow::Cow;

/// The slope at one value of the second setting.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RowSlope {
    /// The value.
    pub row: f64,
    /// Mean slope of the score on the dose.
    pub slope: f64,
    /// Its interval; simultaneous over the rows (Bonferroni).
    pub interval: Interval,
}

/// How the slope changes with the second setting.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Interaction {
    /// The slope in every row, in the order of the rows.
    pub rows: Vec<RowSlope>,
    /// Least-squares change of the slope per unit of the second setting.
    pub change: f64,
    /// Its interval.
    pub change_interval: Interval,
    /// Two-sided p-value against no linear change.
    pub p_linear: f64,
    /// p-value against no difference of any kind between the rows' slopes.
    pub p_any: f64,
    /// How the p-values were made, in words.
    pub method: Cow<'static, str>,
}

/// The score at one value of the second setting.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RowScore {
    /// The value.
    pub row: f64,
    /// Mean score over deals and doses.
    pub score: f64,
    /// Its interval; simultaneous over the rows (Bonferroni).
    pub interval: Interval,
}

/// Whether scores depend on the second setting.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct RowEffect {
    /// The score in every row, in the order of the rows.
    pub rows: Vec<RowScore>,
    /// p-value against no difference of any kind between the rows' scores.
    pub p_any: f64,
}

impl DoseResponse {
    /// Scores by row (averaged over the doses of each deal) and a test of any difference between
    /// them that permutes the rows' averages within each deal.
    ///
    /// # Errors
    /// When there is one row only, there are fewer than two complete deals, or `alpha` is not in
    /// (0, 1).
    pub fn row_effect(&self, alpha: f64, seed: Seed) -> Result<RowEffect, StatsError> {
        self.several_rows()?;
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows and doses")]
        let (doses, level) = (self.doses.len() as f64, alpha / self.rows.len() as f64);
        let count = self.rows.len();
        let scores: Vec<f64> = self
            .checked_deals()?
            .flat_map(|deal| {
                deal.chunks_exact(self.doses.len())
                    .map(move |row| row.iter().sum::<f64>() / doses)
            })
            .collect();
        let rows = self
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let own: Moments = scores.iter().skip(index).step_by(count).copied().collect();
                Ok(RowScore {
                    row: *row,
                    score: mean_of(&own),
                    interval: mean_interval(&own, Interval::new(0.0, 1.0), level)?,
                })
            })
            .collect::<Result<Vec<_>, StatsError>>()?;
        let seed = seed.derive("dose-response rows", &[]);
        Ok(RowEffect {
            rows,
            p_any: any_difference(&scores, count, seed)?,
        })
    }

    fn several_rows(&self) -> Result<(), StatsError> {
        if self.rows.len() < 2 {
            return Err(StatsError::argument(
                "rows",
                "a single value",
                "at least two values of the second setting",
            ));
        }
        Ok(())
    }

    /// The interaction of dose and second setting, tested by permuting the rows' slopes within each
    /// deal: a slope does not notice that a row scores higher throughout.
    ///
    /// Exact if without interaction the rows' slopes within a deal are exchangeable; where some
    /// rows score close to 0 or 1 their slopes are squeezed, which is itself an interaction on the
    /// scale of scores.
    ///
    /// # Errors
    /// When there is one row only, there are fewer than two complete deals, or `alpha` is not in
    /// (0, 1).
    pub fn interaction(&self, alpha: f64, seed: Seed) -> Result<Interaction, StatsError> {
        self.several_rows()?;
        let weights = self.slope_weights();
        let doses = self.doses.len();
        let count = self.rows.len();
        let slopes: Vec<f64> = self
            .checked_deals()?
            .flat_map(|deal| deal.chunks_exact(doses).map(|row| dot(row, &weights)))
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
        let level = alpha / count as f64;
        let rows = self
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let own: Moments = slopes.iter().skip(index).step_by(count).copied().collect();
                Ok(RowSlope {
                    row: *row,
                    slope: mean_of(&own),
                    interval: mean_interval(&own, reach(&weights), level)?,
                })
            })
            .collect::<Result<Vec<_>, StatsError>>()?;
        let row_weights = least_squares_weights(&self.rows);
        let changes: Moments = slopes
            .chunks_exact(count)
            .map(|deal| dot(deal, &row_weights))
            .collect();
        // Slopes lie within their reach, so the change within twice that reach times the weights'.
        let largest = 2.0 * reach(&weights).high * reach(&row_weights).high;
        let linear = permutation_test(
            slopes
                .chunks_exact(count)
                .map(|deal| (deal, row_weights.as_slice())),
            Alternative::TwoSided,
            seed.derive("dose-response linear interaction", &[]),
        );
        let p_any = any_difference(
            &slopes,
            count,
            seed.derive("dose-response interaction", &[]),
        )?;
        Ok(Interaction {
            rows,
            change: mean_of(&changes),
            change_interval: mean_interval(&changes, Interval::new(-largest, largest), alpha)?,
            p_linear: linear.p_value,
            p_any,
            method: linear.method,
        })
    }
}

/// Tests the spread of the rows' sums. With many deals the sums are nearly normal, and
/// their spread over the permutation variance is chi-squared (as in M. Friedman's test, 1937).
fn any_difference(values: &[f64], rows: usize, seed: Seed) -> Result<f64, StatsError> {
    let informative: Vec<&[f64]> = values
        .chunks_exact(rows)
        .filter(|deal| deal.iter().any(|value| (value - deal[0]).abs() > 0.0))
        .collect();
    if informative.is_empty() {
        return Ok(1.0);
    }
    let mut sums = vec![0.0; rows];
    for deal in &informative {
        add(&mut sums, deal);
    }
    let observed = spread(&sums);
    if informative.len() >= NORMAL_FROM {
        let variance: f64 = informative.iter().map(|deal| spread(deal)).sum();
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
        let df = (rows - 1) as f64;
        let p = ChiSquared::new(df)?.sf(observed * df / variance);
        return Ok(p.clamp(f64::MIN_POSITIVE, 1.0));
    }
    let mut rng = seed.rng();
    let mut shuffled: Vec<f64> = Vec::new();
    let mut extreme = 0_u32;
    for _ in 0..PERMUTATIONS {
        sums.fill(0.0);
        for deal in &informative {
            shuffled.clear();
            shuffled.extend_from_slice(deal);
            rng.shuffle(&mut shuffled);
            add(&mut sums, &shuffled);
        }
        extreme += u32::from(spread(&sums) >= observed * (1.0 - 1e-9));
    }
    Ok(f64::from(extreme + 1) / f64::from(PERMUTATIONS + 1))
}

fn add(sums: &mut [f64], values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Sum of squared deviations from the mean.
fn spread(values: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|v| (v - mean) * (v - mean)).sum()
}
