//! Whether scores rise at every step. A significant trend does not say so.

use super::super::blocks::{Moments, mean_interval, mean_test};
use super::super::multiple_testing::{Adjustment, adjust};
use super::super::trend_tables::isotonic_increasing;
use super::super::{Alternative, Interval, StatsError};
use super::{DoseResponse, mean_of};

/// One dose.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Level {
    /// The dose.
    pub dose: f64,
    /// Mean score over deals and rows.
    pub score: f64,
    /// The closest scores that do not fall from dose to dose.
    pub isotonic: f64,
}

/// The change from one dose to the next.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Step {
    /// The lower dose.
    pub from: f64,
    /// The higher dose.
    pub to: f64,
    /// Mean over deals of score at `to` less score at `from`.
    pub difference: f64,
    /// Its interval; simultaneous over the steps (Bonferroni).
    pub interval: Interval,
}

/// A pair of doses whose scores fall.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Drop {
    /// The lower dose.
    pub from: f64,
    /// The higher dose.
    pub to: f64,
    /// Mean over deals of score at `to` less score at `from`, below 0.
    pub difference: f64,
    /// One-sided p-value against "it does not fall", Holm-adjusted over all pairs of doses.
    pub p_adjusted: f64,
}

/// Scores by dose, step by step.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Monotone {
    /// Mean and isotonic scores of every dose.
    pub levels: Vec<Level>,
    /// Changes between neighbouring doses.
    pub steps: Vec<Step>,
    /// All pairs of doses whose mean scores fall, the most certain first.
    pub drops: Vec<Drop>,
}

impl DoseResponse {
    /// Scores by dose (averaged over the rows of each deal), the isotonic fit, neighbouring steps
    /// with simultaneous intervals of level `1 - alpha`, and the pairs of doses that fall. All
    /// differences are taken within the deal.
    ///
    /// # Errors
    /// When there are fewer than two complete deals, or `alpha` is not in (0, 1).
    pub fn monotone(&self, alpha: f64) -> Result<Monotone, StatsError> {
        let doses = self.doses.len();
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows and doses")]
        let (rows, steps) = (self.rows.len() as f64, (doses - 1) as f64);
        let averaged: Vec<f64> = self
            .checked_deals()?
            .flat_map(|deal| {
                (0..doses)
                    .map(move |dose| deal.iter().skip(dose).step_by(doses).sum::<f64>() / rows)
            })
            .collect();
        let means: Vec<f64> = (0..doses)
            .map(|dose| {
                let own: Moments = averaged.iter().skip(dose).step_by(doses).copied().collect();
                mean_of(&own)
            })
            .collect();
        let fit = isotonic_increasing(&means, &[]);
        let levels = self
            .doses
            .iter()
            .zip(means.iter().zip(fit))
            .map(|(dose, (score, isotonic))| Level {
                dose: *dose,
                score: *score,
                isotonic,
            })
            .collect();
        let range = Interval::new(-1.0, 1.0);
        let mut neighbours = Vec::new();
        let mut pairs = Vec::new();
        let mut p_values = Vec::new();
        for from in 0..doses {
            for to in from + 1..doses {
                let differences: Moments = averaged
                    .chunks_exact(doses)
                    .map(|deal| deal[to] - deal[from])
                    .collect();
                let difference = mean_of(&differences);
                if to == from + 1 {
                    neighbours.push(Step {
                        from: self.doses[from],
                        to: self.doses[to],
                        difference,
                        interval: mean_interval(&differences, range, alpha / steps)?,
                    });
                }
                let test = mean_test(&differences, range, 0.0, Alternative::Less)?;
                pairs.push((self.doses[from], self.doses[to], difference));
                p_values.push(test.p_value);
            }
        }
        let mut drops: Vec<Drop> = pairs
            .into_iter()
            .zip(adjust(&p_values, Adjustment::Holm)?)
            .filter(|((_, _, difference), _)| *difference < 0.0)
            .map(|((from, to, difference), p_adjusted)| Drop {
                from,
                to,
                difference,
                p_adjusted,
            })
            .collect();
        drops.sort_by(|one, other| {
            one.p_adjusted
                .total_cmp(&other.p_adjusted)
                .then(one.difference.total_cmp(&other.difference))
        });
        Ok(Monotone {
            levels,
            steps: neighbours,
            drops,
        })
    }
}
