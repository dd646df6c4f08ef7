//! Elo per doubling: a logistic curve through the scores, with its error from the deals.

use super::super::distributions::StudentT;
use super::super::elo::ELO_PER_LOG_STRENGTH;
use super::super::error::{StatsError, open_unit};
use super::super::logistic::{Group, logistic_fit, sigmoid};
use super::{DoseResponse, dot};

/// How much Elo one unit of dose (one doubling of the simulations) is worth.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct EloPerDoubling {
    /// Elo per unit of dose, the same in all rows.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl DoseResponse {
    /// Fits `logit(expected score) = row's constant + slope x dose` and gives the slope in Elo
    /// with an interval of level `1 - alpha`, cluster-robust over the deals (K.-Y. Liang and S. L.
    /// Zeger 1986) with one pseudo-deal lost and one won in every cell. For two seats, where Elo
    /// has a meaning.
    ///
    /// # Errors
    /// When there are fewer than two complete deals, `alpha` is not in (0, 1), or doses or rows
    /// separate wins from losses, so that the slope has no finite estimate.
    pub fn elo_per_doubling(&self, alpha: f64) -> Result<EloPerDoubling, StatsError> {
        open_unit("alpha", alpha)?;
        let deals = self.checked_deals()?;
        #[expect(clippy::cast_precision_loss, reason = "deals stay far below 2^53")]
        let count = self.deals() as f64;
        let cells = self.cells();
        let doses = self.doses.len();
        let mut sums = vec![0.0; cells];
        for deal in deals.clone() {
            for (sum, score) in sums.iter_mut().zip(deal) {
                *sum += score;
            }
        }
        let groups: Vec<Group> = sums
            .into_iter()
            .enumerate()
            .map(|(cell, successes)| Group {
                // Rounding may push a sum of ones just past the number of deals.
                successes: successes.clamp(0.0, count),
                trials: count,
                covariates: self.covariates(cell / doses, cell % doses),
            })
            .collect();
        let fit = logistic_fit(&groups)?;
        let size = fit.coefficients.len();
        // The last row of the inverse information turns a score vector into a change of the slope.
        let last = &fit.covariance[(size - 1) * size..];
        let pulls: Vec<f64> = groups
            .iter()
            .map(|group| dot(&group.covariates, last))
            .collect();
        let expected: Vec<f64> = groups
            .iter()
            .map(|group| sigmoid(dot(&group.covariates, &fit.coefficients)))
            .collect();
        let mut variance = 0.0;
        for deal in deals {
            let pull: f64 = deal
                .iter()
                .zip(&expected)
                .zip(&pulls)
                .map(|((score, p), pull)| (score - p) * pull)
                .sum();
            variance += pull * pull;
        }
        for (p, pull) in expected.iter().zip(&pulls) {
            variance += pull * pull * (p * p + (1.0 - p) * (1.0 - p));
        }
        let elo = ELO_PER_LOG_STRENGTH * fit.coefficients[size - 1] + 0.0;
        let quantile = StudentT::new(count + 1.0)?.upper_quantile(alpha / 2.0)?;
        let half_width = quantile * ELO_PER_LOG_STRENGTH * variance.sqrt();
        Ok(EloPerDoubling {
            elo,
            low: elo - half_width,
            high: elo + half_width,
        })
    }

    /// One constant for each row, then the dose.
    fn covariates(&self, row: usize, dose: usize) -> Vec<f64> {
        (0..self.rows.len())
            .map(|other| f64::from(u8::from(other == row)))
            .chain(std::iter::once(self.doses[dose]))
            .collect()
    }
}
