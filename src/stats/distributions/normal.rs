//! The standard normal distribution.

use super::super::{StatsError, error};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// `P(Z <= z)`.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// `P(Z > z)`.
pub fn normal_sf(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

/// The density `exp(-z^2 / 2) / sqrt(2 pi)`.
pub fn normal_pdf(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// `ln P(Z > z)`, finite where the probability itself is below the range of `f64`.
///
/// Beyond 25 by the asymptotic series 7.1.23 of Abramowitz and Stegun.
pub fn ln_normal_sf(z: f64) -> f64 {
    if z < 25.0 {
        return libm::log(normal_sf(z));
    }
    let w = 1.0 / (z * z);
    let series = -w * (1.0 - w * (3.0 - w * (15.0 - w * (105.0 - w * 945.0))));
    -0.5 * z * z - libm::log(z) - 0.5 * libm::log(2.0 * PI) + libm::log1p(series)
}

/// The `z` with `P(Z <= z) = p`.
///
/// # Errors
/// [`StatsError::Argument`] unless `p` lies in (0, 1).
pub fn normal_quantile(p: f64) -> Result<f64, StatsError> {
    error::open_unit("p", p)?;
    Ok(if p <= 0.5 {
        -upper_quantile_of_half(p)
    } else {
        upper_quantile_of_half(1.0 - p)
    })
}

/// The `z` with `P(Z > z) = p`, accurate where `p` is tiny.
///
/// # Errors
/// [`StatsError::Argument`] unless `p` lies in (0, 1).
pub fn normal_upper_quantile(p: f64) -> Result<f64, StatsError> {
    error::open_unit("p", p)?;
    Ok(if p <= 0.5 {
        upper_quantile_of_half(p)
    } else {
        -upper_quantile_of_half(1.0 - p)
    })
}

/// The upper quantile for `0 < p <= 1/2`: Abramowitz and Stegun 26.2.23 (error below 4.5e-4), then
/// Newton's method on the logarithm of the tail, which is concave.
fn upper_quantile_of_half(p: f64) -> f64 {
    if p >= 0.5 {
        return 0.0;
    }
    let ln_p = libm::log(p);
    let t = (-2.0 * ln_p).sqrt();
    let mut z = t
        - (2.515_517 + t * (0.802_853 + t * 0.010_328))
            / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    for _ in 0..4 {
        let ln_tail = ln_normal_sf(z);
        let hazard = libm::exp(-0.5 * z * z - 0.5 * libm::log(2.0 * PI) - ln_tail);
        z += (ln_tail - ln_p) / hazard;
    }
    z
}
