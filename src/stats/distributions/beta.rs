//! The beta distribution: the regularised incomplete beta function and its inverse.

use super::super::{StatsError, error};
use super::gamma::{LARGE_SHAPE, ln_beta, ln_binomial_density};
use super::quadrature::ln_tail_integral;
use super::{ln_one_minus_exp, newton_on_log_tail};

/// The beta distribution with shapes `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    a: f64,
    b: f64,
}

impl Beta {
    /// # Errors
    /// [`StatsError::Argument`] unless both shapes are finite and positive.
    pub fn new(a: f64, b: f64) -> Result<Self, StatsError> {
        Ok(Self {
            a: error::positive("a", a)?,
            b: error::positive("b", b)?,
        })
    }

    /// `P(X <= x)`, the regularised incomplete beta function `I_x(a, b)`.
    pub fn cdf(self, x: f64) -> f64 {
        libm::exp(self.ln_tails(x, 1.0 - x).0)
    }

    /// `P(X > x)`.
    pub fn sf(self, x: f64) -> f64 {
        libm::exp(self.ln_tails(x, 1.0 - x).1)
    }

    /// `ln P(X <= x)`, finite where the probability itself is below the range of `f64`.
    pub fn ln_cdf(self, x: f64) -> f64 {
        self.ln_tails(x, 1.0 - x).0
    }

    /// `ln P(X > x)`.
    pub fn ln_sf(self, x: f64) -> f64 {
        self.ln_tails(x, 1.0 - x).1
    }

    /// The `x` with `P(X <= x) = p`.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `p` lies in `[0, 1]`.
    pub fn quantile(self, p: f64) -> Result<f64, StatsError> {
        error::probability("p", p)?;
        Ok(self.quantile_of_tails(p, 1.0 - p).0)
    }

    /// The `x` with `P(X > x) = p`, accurate where `p` is tiny.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `p` lies in `[0, 1]`.
    pub fn upper_quantile(self, p: f64) -> Result<f64, StatsError> {
        error::probability("p", p)?;
        Ok(self.quantile_of_tails(1.0 - p, p).0)
    }

    /// `(x, 1 - x)` where the lower tail is `lower` and the upper is `upper` (they add to 1 but
    /// each carries its own precision).
    pub(super) fn quantile_of_tails(self, lower: f64, upper: f64) -> (f64, f64) {
        if lower <= 0.0 {
            return (0.0, 1.0);
        }
        if upper <= 0.0 {
            return (1.0, 0.0);
        }
        if lower <= upper {
            from_logit(self.logit_of_lower_tail(libm::log(lower)))
        } else {
            let mirrored = Self {
                a: self.b,
                b: self.a,
            };
            let (y, x) = from_logit(mirrored.logit_of_lower_tail(libm::log(upper)));
            (x, y)
        }
    }

    /// `ln(x / (1 - x))` where the logarithm of the lower tail is `ln_p`.
    fn logit_of_lower_tail(self, ln_p: f64) -> f64 {
        let Self { a, b } = self;
        // The leading term at 0, exact for tiny tails; and the bulk, where a normal law in the
        // logit is near. The smaller one lies left of the root or close to it.
        let leading = (ln_p + libm::log(a) + ln_beta(a, b)) / a;
        let start = if a.min(b) > 1.0 {
            let z = (-2.0 * ln_p).sqrt();
            libm::log(a / b) - z.min(30.0) * (1.0 / a + 1.0 / b).sqrt()
        } else {
            leading.min(libm::log(a / b) + 1.0)
        };
        newton_on_log_tail(start, ln_p, 1.0, |u| {
            let (x, y) = from_logit(u);
            (self.ln_tails(x, y).0, self.ln_density_of_logit(x, y))
        })
    }

    /// `ln` of `x^a y^b / B(a, b)`, the density of the logit at the logit of `x`; `y = 1 - x`.
    fn ln_density_of_logit(self, x: f64, y: f64) -> f64 {
        let Self { a, b } = self;
        let n = a + b;
        libm::log(a / n * b) + ln_binomial_density(a, n, x, y)
    }

    /// `(ln P(X <= x), ln P(X > x))`, each accurate also where the other is near 0.
    ///
    /// `y` is `1 - x`, given separately because one of them may be tiny.
    pub(super) fn ln_tails(self, x: f64, y: f64) -> (f64, f64) {
        let Self { a, b } = self;
        if x.is_nan() {
            return (f64::NAN, f64::NAN);
        }
        if x <= 0.0 {
            return (f64::NEG_INFINITY, 0.0);
        }
        if y <= 0.0 {
            return (0.0, f64::NEG_INFINITY);
        }
        let ln_density = self.ln_density_of_logit(x, y);
        let lower_tail = || (ln_density + ln_tail_over_density(a, b, x, y)).min(0.0);
        let upper_tail = || (ln_density + ln_tail_over_density(b, a, y, x)).min(0.0);
        // On its own side of the mean a tail is computed directly and converges fast. Only for a
        // very skewed law is that tail near 1, and then the other one is computed too.
        let nearly_one = -0.1;
        if b * x <= a * y {
            let lower = lower_tail();
            if lower > nearly_one {
                return (lower, upper_tail());
            }
            (lower, ln_one_minus_exp(lower))
        } else {
            let upper = upper_tail();
            if upper > nearly_one {
                return (lower_tail(), upper);
            }
            (ln_one_minus_exp(upper), upper)
        }
    }
}

/// `(x, 1 - x)` from `u = ln(x / (1 - x))`, both accurate.
fn from_logit(u: f64) -> (f64, f64) {
    if u < 0.0 {
        let odds = libm::exp(u);
        (odds / (1.0 + odds), 1.0 / (1.0 + odds))
    } else {
        let odds = libm::exp(-u);
        (1.0 / (1.0 + odds), odds / (1.0 + odds))
    }
}

/// `ln` of the lower tail `I_x(a, b)` divided by `x^a y^b / B(a, b)`.
fn ln_tail_over_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    // a - (a + b) x without the cancellation of the sum.
    let distance = a * y - b * x;
    if a.min(b) >= LARGE_SHAPE && distance >= 0.0 {
        // In the logit, going down by v from x multiplies the density by
        // exp(b v - (a + b) ln(x + y e^v)); its first two derivatives at 0 are below.
        return ln_tail_integral(distance, (a + b) * x * y, |v| {
            let mean_growth = y * v;
            -distance * v - (a + b) * (libm::log1p(y * libm::expm1(v)) - mean_growth)
        });
    }
    // The even part of the continued fraction, which converges in O(sqrt(max(a, b))) terms:
    // A. R. DiDonato and A. H. Morris, "Algorithm 708", ACM TOMS 18 (1992), eq. 9.
    let mut c = a * (distance + 1.0) / (a + 1.0);
    if c == 0.0 {
        c = f64::MIN_POSITIVE;
    }
    let mut d = 0.0;
    let mut fraction = c;
    let mut m = 0.0;
    for _ in 0..200_000 {
        m += 1.0;
        let s = a + 2.0 * m - 1.0;
        let numerator = (a + m - 1.0) / s * ((a + b + m - 1.0) / s) * (m * x) * ((b - m) * x);
        let denominator =
            m + m * (b - m) * x / s + (a + m) / (s + 2.0) * (distance + 1.0 + m * (1.0 + y));
        d = denominator + numerator * d;
        c = denominator + numerator / c;
        if d == 0.0 {
            d = f64::MIN_POSITIVE;
        }
        if c == 0.0 {
            c = f64::MIN_POSITIVE;
        }
        d = 1.0 / d;
        let factor = c * d;
        fraction *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    -libm::log(fraction)
}
