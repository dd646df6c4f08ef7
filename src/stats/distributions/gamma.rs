//! Logarithms of gamma, beta and binomial coefficients, and the gamma distribution.

use super::super::{StatsError, error};
use super::quadrature::ln_tail_integral;
use super::{ln_one_minus_exp, newton_on_log_tail};

/// `ln sqrt(2 pi)`.
const LN_SQRT_2PI: f64 = 0.918_938_533_204_672_8;

/// From this shape on, tails come from quadrature: continued fractions need a number of terms
/// that grows with the square root of the shape.
pub(super) const LARGE_SHAPE: f64 = 1000.0;

/// `ln |gamma(x)|` (the `libm` crate: the method of fdlibm's `e_lgamma_r.c`).
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// `ln B(a, b)` for positive `a`, `b`.
///
/// For large arguments the three logarithms of gamma cancel almost completely, so their Stirling
/// main terms are cancelled by hand.
pub fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let sum = small + large;
    if small >= 10.0 {
        let ratio = small / large;
        stirling_error(small) + stirling_error(large) - stirling_error(sum) + LN_SQRT_2PI
            - 0.5 * libm::log(small)
            + small * libm::log(small / sum)
            - (large - 0.5) * libm::log1p(ratio)
    } else if large >= 10.0 {
        // ln gamma(large) - ln gamma(sum) with the main terms of Stirling's formula cancelled.
        ln_gamma(small) + stirling_error(large)
            - stirling_error(sum)
            - (large - 0.5) * libm::log1p(small / large)
            - small * libm::log(sum)
            + small
    } else {
        ln_gamma(small) + (ln_gamma(large) - ln_gamma(sum))
    }
}

/// `ln (n choose k)` for real `0 <= k <= n`.
pub fn ln_choose(n: f64, k: f64) -> f64 {
    if k <= 0.0 || k >= n {
        return 0.0;
    }
    -libm::log1p(n) - ln_beta(n - k + 1.0, k + 1.0)
}

/// `ln gamma(x + 1) - (x + 1/2) ln x + x - ln sqrt(2 pi)`: the error of Stirling's formula.
///
/// C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
pub(super) fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        return ln_gamma(x + 1.0) - (x + 0.5) * libm::log(x) + x - LN_SQRT_2PI;
    }
    let inverse_square = 1.0 / (x * x);
    // Bernoulli numbers B(2k) / (2k (2k - 1)), k = 1..=7; the next term is below 1e-17 from 16 on.
    let coefficients = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let series = coefficients
        .iter()
        .rev()
        .fold(0.0, |sum, c| sum * inverse_square + c);
    series / x
}

/// `x ln(x / mean) + mean - x`, accurate where `x` is near `mean` (Loader, 2000).
pub(super) fn deviance(x: f64, mean: f64) -> f64 {
    let difference = x - mean;
    if difference.abs() < 0.1 * (x + mean) {
        let v = difference / (x + mean);
        let mut sum = difference * v;
        let mut term = 2.0 * x * v;
        let mut divisor = 1.0;
        for _ in 0..1000 {
            term *= v * v;
            divisor += 2.0;
            sum += term / divisor;
            if (term / divisor).abs() <= 1e-17 * sum.abs() {
                break;
            }
        }
        return sum;
    }
    x * libm::log(x / mean) + mean - x
}

/// `ln` of `n! / (k! (n-k)!) p^k q^(n-k)` for real `0 < k < n`, `p + q = 1` (Loader, 2000).
pub(super) fn ln_binomial_density(k: f64, n: f64, p: f64, q: f64) -> f64 {
    let rest = n - k;
    stirling_error(n)
        - stirling_error(k)
        - stirling_error(rest)
        - deviance(k, n * p)
        - deviance(rest, n * q)
        - LN_SQRT_2PI
        + 0.5 * (libm::log(n) - libm::log(k) - libm::log(rest))
}

/// `ln` of `exp(-mean) mean^x / x!` for `x >= 0` and positive `mean` (Loader, 2000).
pub fn ln_poisson_pmf(x: f64, mean: f64) -> f64 {
    if x <= 0.0 {
        return -mean;
    }
    -stirling_error(x) - deviance(x, mean) - LN_SQRT_2PI - 0.5 * libm::log(x)
}

/// The gamma distribution with a shape and scale 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
}

impl Gamma {
    /// # Errors
    /// [`StatsError::Argument`] unless `shape` is finite and positive.
    pub fn new(shape: f64) -> Result<Self, StatsError> {
        Ok(Self {
            shape: error::positive("shape", shape)?,
        })
    }

    /// `ln` of `x^a e^-x / gamma(a)`, the density of `ln X` at `ln x`.
    fn ln_density_of_log(self, x: f64) -> f64 {
        let a = self.shape;
        0.5 * libm::log(a) - LN_SQRT_2PI - stirling_error(a) - deviance(a, x)
    }

    /// `(ln P(X <= x), ln P(X > x))`, each accurate also where the other is near 0.
    pub fn ln_tails(self, x: f64) -> (f64, f64) {
        let a = self.shape;
        if x.is_nan() {
            return (f64::NAN, f64::NAN);
        }
        if x <= 0.0 {
            return (f64::NEG_INFINITY, 0.0);
        }
        if x == f64::INFINITY {
            return (0.0, f64::NEG_INFINITY);
        }
        let ln_density = self.ln_density_of_log(x);
        if a >= LARGE_SHAPE {
            if x <= a {
                let lower = ln_density
                    + ln_tail_integral(a - x, x, |v| (x - a) * v - x * (libm::expm1(-v) + v));
                return (lower, ln_one_minus_exp(lower.min(0.0)));
            }
            let upper =
                ln_density + ln_tail_integral(x - a, x, |v| (a - x) * v - x * (libm::expm1(v) - v));
            return (ln_one_minus_exp(upper.min(0.0)), upper);
        }
        if x < a + 1.0 {
            let lower = (ln_density + libm::log(lower_series(a, x))).min(0.0);
            (lower, ln_one_minus_exp(lower))
        } else {
            let upper = (ln_density + libm::log(upper_fraction(a, x))).min(0.0);
            (ln_one_minus_exp(upper), upper)
        }
    }

    /// `P(X <= x)`: the regularised lower incomplete gamma function.
    pub fn cdf(self, x: f64) -> f64 {
        libm::exp(self.ln_tails(x).0)
    }

    /// `P(X > x)`: the regularised upper incomplete gamma function.
    pub fn sf(self, x: f64) -> f64 {
        libm::exp(self.ln_tails(x).1)
    }

    /// The `x` with `P(X <= x) = p`.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `p` lies in `[0, 1)`.
    pub fn quantile(self, p: f64) -> Result<f64, StatsError> {
        error::probability("p", p)?;
        if p == 0.0 {
            return Ok(0.0);
        }
        if p >= 1.0 {
            return Err(StatsError::argument("p", p, "at least 0 and below 1"));
        }
        let a = self.shape;
        let density = |u: f64| self.ln_density_of_log(libm::exp(u));
        let u = if p <= 0.5 {
            // The leading term of the series at 0 starts to the left of the root.
            let start = (libm::log(p) + ln_gamma(a + 1.0)) / a;
            newton_on_log_tail(start, libm::log(p), 1.0, |u| {
                (self.ln_tails(libm::exp(u)).0, density(u))
            })
        } else {
            // To the right of the root the upper tail is nearly exponential.
            let upper = libm::log1p(-p);
            let start = libm::log(a + (2.0 * a * -upper).sqrt() - upper);
            newton_on_log_tail(start, upper, -1.0, |u| {
                (self.ln_tails(libm::exp(u)).1, density(u))
            })
        };
        Ok(libm::exp(u))
    }
}

/// `sum x^k / (a (a+1) ... (a+k))`, so that the density times it is the lower tail
/// (DLMF 8.11.4).
fn lower_series(a: f64, x: f64) -> f64 {
    let mut denominator = a;
    let mut term = 1.0 / a;
    let mut sum = term;
    for _ in 0..100_000 {
        denominator += 1.0;
        term *= x / denominator;
        sum += term;
        if term <= sum * 1e-17 {
            break;
        }
    }
    sum
}

/// The continued fraction DLMF 8.9.2 (even part) by the modified Lentz method, so that the
/// density times it is the upper tail.
fn upper_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut result = d;
    let mut index = 0.0;
    for _ in 0..100_000 {
        index += 1.0;
        let numerator = -index * (index - a);
        b += 2.0;
        d = numerator * d + b;
        d = 1.0 / if d.abs() < TINY { TINY } else { d };
        c = b + numerator / c;
        c = if c.abs() < TINY { TINY } else { c };
        let factor = c * d;
        result *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    result
}
