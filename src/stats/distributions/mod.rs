//! Distribution functions that are right in the tails and for large parameters.
//!
//! The distributions of `statrs` 0.19 are wrong at extremes (the 97.5 % quantile of Student's t
//! with ten million degrees of freedom is 1.83 there), so everything here is our own: incomplete
//! beta and gamma functions from continued fractions and, for large parameters, from quadrature,
//! all in logarithms; quantiles by Newton's method on the logarithm of a tail.
//! `tests/data/reference/stats/distributions.json` holds the values to agree with.
//!
//! An argument `x` that is not a number gives a result that is not a number; parameters are
//! checked when a distribution is made.

mod beta;
mod binomial;
mod chi_squared;
mod gamma;
mod normal;
mod quadrature;
mod student;

pub use beta::Beta;
pub use binomial::Binomial;
pub use chi_squared::ChiSquared;
pub use gamma::{Gamma, ln_beta, ln_choose, ln_gamma, ln_poisson_pmf};
pub use normal::{
    ln_normal_sf, normal_cdf, normal_pdf, normal_quantile, normal_sf, normal_upper_quantile,
};
pub use student::StudentT;

/// `ln(1 - exp(x))` for `x <= 0` without cancellation.
///
/// M. Maechler, "Accurately computing log(1 - exp(-|a|))", R package Rmpfr, 2012.
pub fn ln_one_minus_exp(x: f64) -> f64 {
    if x > -std::f64::consts::LN_2 {
        libm::log(-libm::expm1(x))
    } else {
        libm::log1p(-libm::exp(x))
    }
}

/// The point `u` where the logarithm of a tail equals `ln_target`, by Newton's method.
///
/// `tail(u)` gives the logarithm of the tail and of the density at `u`. Both distributions that use
/// this have a log-concave density in `u`, so the logarithm of either tail is concave and Newton's
/// steps cannot cycle: after the first they approach from one side. `direction` is 1 for the lower
/// tail (which grows with `u`) and -1 for the upper.
fn newton_on_log_tail(
    start: f64,
    ln_target: f64,
    direction: f64,
    tail: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut u = start;
    for _ in 0..200 {
        let (ln_tail, ln_density) = tail(u);
        let excess = ln_tail - ln_target;
        // The logarithmic slope of the tail; a start far inside the bulk has nearly none, and the
        // step is cut so that it cannot leave the range of f64.
        let slope = libm::exp(ln_density - ln_tail);
        let step = (excess / slope).clamp(-60.0, 60.0);
        if step.is_nan() {
            return u;
        }
        u -= direction * step;
        // Quadratic convergence: the error that is left is the square of this one.
        if excess.abs() < 1e-9 {
            return u;
        }
    }
    u
}

#[cfg(test)]
mod tests;
