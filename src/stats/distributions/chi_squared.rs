//! The chi-squared distribution.

use super::super::{StatsError, error};
use super::Gamma;

/// The chi-squared distribution with `df` degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    half: Gamma,
}

impl ChiSquared {
    /// # Errors
    /// [`StatsError::Argument`] unless `df` is finite and positive.
    pub fn new(df: f64) -> Result<Self, StatsError> {
        error::positive("df", df)?;
        Ok(Self {
            half: Gamma::new(0.5 * df)?,
        })
    }

    /// `P(X <= x)`.
    pub fn cdf(self, x: f64) -> f64 {
        self.half.cdf(0.5 * x)
    }

    /// `P(X > x)`.
    pub fn sf(self, x: f64) -> f64 {
        self.half.sf(0.5 * x)
    }

    /// The `x` with `P(X <= x) = p`.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `p` lies in `[0, 1)`.
    pub fn quantile(self, p: f64) -> Result<f64, StatsError> {
        Ok(2.0 * self.half.quantile(p)?)
    }
}
