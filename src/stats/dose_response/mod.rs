//! Does more search help? Scores of the same deals at several doses (log2 of the simulations).
//!
//! The deal spans all cells of the grid, so the cells are not independent; what is independent are
//! the deals. Every test here looks within the deal.
//!
//! | question | method |
//! |---|---|
//! | do scores rise with the dose? | [`Lines::test`], [`Lines::slopes`] |
//! | does a second setting, such as exploration, matter? | [`DoseResponse::row_effect`] |
//! | does the rise depend on it? | [`DoseResponse::interaction`] |
//! | do they rise at every step? (a trend alone does not say so) | [`DoseResponse::monotone`] |
//! | how much Elo is one doubling? | [`DoseResponse::elo_per_doubling`] |

mod elo_slope;
mod interaction;
mod monotone;
mod permute;
#[cfg(test)]
mod tests;
mod trend;

pub use elo_slope::EloPerDoubling;
pub use interaction::{Interaction, RowEffect, RowScore, RowSlope};
pub use monotone::{Drop, Level, Monotone, Step};
pub use permute::{NORMAL_FROM, PERMUTATIONS, Unit, permutation_test};
pub use trend::Lines;

use super::Interval;
use super::blocks::Moments;
use super::error::{StatsError, probability};

/// Scores of deals over a grid of rows (values of a second setting) and doses.
#[derive(Clone, PartialEq, Debug)]
pub struct DoseResponse {
    doses: Vec<f64>,
    rows: Vec<f64>,
    /// Scores of the complete deals: deal by deal, row by row, dose by dose.
    scores: Vec<f64>,
    incomplete: u64,
}

impl DoseResponse {
    /// An empty table. `doses` are the logarithms (base 2) of the simulations, rising; `rows` are
    /// the values of the second setting, one if it was not swept.
    ///
    /// # Errors
    /// When there are fewer than two doses or they do not rise, or there is no row or two rows are
    /// the same, or a number is not finite.
    pub fn new(doses: &[f64], rows: &[f64]) -> Result<Self, StatsError> {
        if doses.len() < 2 {
            return Err(StatsError::argument(
                "doses",
                format!("a list of {}", doses.len()),
                "at least two doses",
            ));
        }
        let rising = doses.windows(2).all(|pair| pair[0] < pair[1]);
        if !rising || doses.iter().any(|dose| !dose.is_finite()) {
            return Err(StatsError::argument(
                "doses",
                format!("{doses:?}"),
                "finite and rising",
            ));
        }
        let mut sorted = rows.to_vec();
        sorted.sort_by(f64::total_cmp);
        let distinct = sorted.windows(2).all(|pair| pair[0] < pair[1]);
        if rows.is_empty() || !distinct || rows.iter().any(|row| !row.is_finite()) {
            return Err(StatsError::argument(
                "rows",
                format!("{rows:?}"),
                "at least one finite value, all different",
            ));
        }
        Ok(Self {
            doses: doses.to_vec(),
            rows: rows.to_vec(),
            scores: Vec::new(),
            incomplete: 0,
        })
    }

    /// Adds a deal: its block scores row by row, dose by dose. A deal that lacks a score is counted
    /// and left out, for there is nothing to compare its other scores with.
    ///
    /// # Errors
    /// When the number of scores is not rows times doses, or a score is not in `[0, 1]`.
    pub fn push(&mut self, deal: &[Option<f64>]) -> Result<(), StatsError> {
        let cells = self.cells();
        if deal.len() != cells {
            return Err(StatsError::argument(
                "scores",
                format!("a list of {}", deal.len()),
                format!("{cells} scores, one for each cell"),
            ));
        }
        for score in deal.iter().flatten() {
            probability("scores", *score)?;
        }
        if deal.iter().all(Option::is_some) {
            self.scores.extend(deal.iter().flatten());
        } else {
            self.incomplete += 1;
        }
        Ok(())
    }

    /// Deals with a score in every cell.
    pub fn deals(&self) -> u64 {
        (self.scores.len() / self.cells()) as u64
    }

    /// Deals that were left out because a score was missing.
    pub fn incomplete_deals(&self) -> u64 {
        self.incomplete
    }

    fn cells(&self) -> usize {
        self.doses.len() * self.rows.len()
    }

    /// The complete deals; an error if there are fewer than two.
    fn checked_deals(&self) -> Result<std::slice::ChunksExact<'_, f64>, StatsError> {
        if self.deals() < 2 {
            return Err(StatsError::argument(
                "deals",
                self.deals(),
                "at least 2 that every cell has played",
            ));
        }
        Ok(self.scores.chunks_exact(self.cells()))
    }

    /// The doses less their mean, divided by their sum of squares: the inner product with a row of
    /// scores is the least-squares slope.
    fn slope_weights(&self) -> Vec<f64> {
        least_squares_weights(&self.doses)
    }
}

/// `(x - mean) / sum (x - mean)^2`.
fn least_squares_weights(x: &[f64]) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a handful of levels")]
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let squares: f64 = x.iter().map(|x| (x - mean) * (x - mean)).sum();
    x.iter().map(|x| (x - mean) / squares).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest inner product of these weights (which add up to 0) with numbers in `[0, 1]`; the
/// smallest is its negative.
fn reach(weights: &[f64]) -> Interval {
    let largest: f64 = weights.iter().map(|w| w.max(0.0)).sum();
    Interval::new(-largest, largest)
}

/// Mean of a sample that has at least one number.
fn mean_of(moments: &Moments) -> f64 {
    moments.mean().unwrap_or(0.0) + 0.0
}
