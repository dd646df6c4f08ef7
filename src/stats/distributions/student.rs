//! Student's t distribution.

use super::super::{StatsError, error};
use super::{Beta, normal_sf, normal_upper_quantile};

/// Degrees of freedom (2^52) from which on the normal distribution is taken. Above twice as many
/// the shape of the beta distribution cannot be told from its sum with one half. Where tails are
/// numbers at all (|t| < 39), they differ by less than t^4 / (4 df) < 2e-10 of themselves
/// (Abramowitz and Stegun 26.7.8).
const NORMAL_FROM: f64 = 4_503_599_627_370_496.0;

/// Student's t distribution with `df` degrees of freedom, not necessarily whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudentT {
    df: f64,
    tail: Beta,
}

impl StudentT {
    /// # Errors
    /// [`StatsError::Argument`] unless `df` is finite and positive.
    pub fn new(df: f64) -> Result<Self, StatsError> {
        error::positive("df", df)?;
        Ok(Self {
            df,
            tail: Beta::new(0.5 * df, 0.5)?,
        })
    }

    /// `P(T > t)`.
    pub fn sf(self, t: f64) -> f64 {
        if self.df >= NORMAL_FROM {
            return normal_sf(t);
        }
        // P(|T| > t) is the lower tail of Beta(df/2, 1/2) at df / (df + t^2) (DLMF 8.17).
        let ratio = t / self.df.sqrt();
        let (x, y) = if ratio.abs() <= 1.0 {
            let square = ratio * ratio;
            (1.0 / (1.0 + square), square / (1.0 + square))
        } else {
            let square = 1.0 / (ratio * ratio);
            (square / (1.0 + square), 1.0 / (1.0 + square))
        };
        let (ln_both_tails, ln_middle) = self.tail.ln_tails(x, y);
        if t > 0.0 {
            0.5 * libm::exp(ln_both_tails)
        } else {
            0.5 + 0.5 * libm::exp(ln_middle)
        }
    }

    /// `P(T <= t)`.
    pub fn cdf(self, t: f64) -> f64 {
        self.sf(-t)
    }

    /// The `t` with `P(T <= t) = p`.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `p` lies in (0, 1); [`StatsError::Undefined`] where the
    /// quantile is beyond the range of `f64` (far below one degree of freedom).
    pub fn quantile(self, p: f64) -> Result<f64, StatsError> {
        error::open_unit("p", p)?;
        if p <= 0.5 {
            Ok(-self.upper_quantile_of_half(p)?)
        } else {
            self.upper_quantile_of_half(1.0 - p)
        }
    }

    /// The `t` with `P(T > t) = p`, accurate where `p` is tiny.
    ///
    /// # Errors
    /// As [`StudentT::quantile`].
    pub fn upper_quantile(self, p: f64) -> Result<f64, StatsError> {
        error::open_unit("p", p)?;
        if p <= 0.5 {
            self.upper_quantile_of_half(p)
        } else {
            Ok(-self.upper_quantile_of_half(1.0 - p)?)
        }
    }

    fn upper_quantile_of_half(self, p: f64) -> Result<f64, StatsError> {
        if self.df >= NORMAL_FROM {
            return normal_upper_quantile(p);
        }
        let (x, y) = self.tail.quantile_of_tails(2.0 * p, 1.0 - 2.0 * p);
        let quantile = (self.df * (y / x)).sqrt();
        if quantile.is_finite() {
            Ok(quantile)
        } else {
            Err(StatsError::undefined(
                "df",
                "with so few degrees of freedom this quantile is beyond the largest number",
            ))
        }
    }
}
