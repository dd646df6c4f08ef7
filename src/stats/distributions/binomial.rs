//! The binomial distribution.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts up to MAX_TRIALS = 2^53 are exact in f64"
)]

use super::super::{StatsError, error};
use super::Beta;
use super::gamma::ln_binomial_density;

/// Larger numbers of trials are refused: counts are exact in `f64` up to here.
const MAX_TRIALS: u64 = 1 << 53;

/// The binomial distribution of the number of successes in `n` trials of probability `p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binomial {
    n: u64,
    p: f64,
}

impl Binomial {
    /// # Errors
    /// [`StatsError::Argument`] unless `p` lies in `[0, 1]` and `n` is at most 2^53.
    pub fn new(n: u64, p: f64) -> Result<Self, StatsError> {
        error::probability("p", p)?;
        if n > MAX_TRIALS {
            return Err(StatsError::argument("n", n, "at most 2^53"));
        }
        Ok(Self { n, p })
    }

    /// `ln P(X = k)`; negative infinity where that is impossible. C. Loader's saddle-point form.
    pub fn ln_pmf(self, k: u64) -> f64 {
        let Self { n, p } = self;
        if k > n {
            return f64::NEG_INFINITY;
        }
        let nothing = if k == 0 { 0.0 } else { f64::NEG_INFINITY };
        if p <= 0.0 {
            return nothing;
        }
        if p >= 1.0 {
            return if k == n { 0.0 } else { f64::NEG_INFINITY };
        }
        if k == 0 {
            return n as f64 * libm::log1p(-p);
        }
        if k == n {
            return n as f64 * libm::log(p);
        }
        ln_binomial_density(k as f64, n as f64, p, 1.0 - p)
    }

    /// `P(X = k)`.
    pub fn pmf(self, k: u64) -> f64 {
        libm::exp(self.ln_pmf(k))
    }

    /// `(ln P(X <= k), ln P(X > k))`, each accurate also where the other is near 0.
    pub fn ln_tails(self, k: u64) -> (f64, f64) {
        let Self { n, p } = self;
        if k >= n || p <= 0.0 {
            return (0.0, f64::NEG_INFINITY);
        }
        if p >= 1.0 {
            return (f64::NEG_INFINITY, 0.0);
        }
        // P(X <= k) = I_{1-p}(n-k, k+1) (DLMF 8.17.5).
        let beta = Beta::new((n - k) as f64, k as f64 + 1.0);
        beta.map_or((f64::NAN, f64::NAN), |beta| beta.ln_tails(1.0 - p, p))
    }

    /// `P(X <= k)`.
    pub fn cdf(self, k: u64) -> f64 {
        libm::exp(self.ln_tails(k).0)
    }

    /// `P(X > k)`.
    pub fn sf(self, k: u64) -> f64 {
        libm::exp(self.ln_tails(k).1)
    }

    /// `P(X >= k)`.
    pub fn at_least(self, k: u64) -> f64 {
        if k == 0 { 1.0 } else { self.sf(k - 1) }
    }

    /// The smallest `k` with `P(X <= k) >= q`.
    ///
    /// A cdf that misses `q` by one part in 10^12 or less counts as reaching it: that is rounding.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `q` lies in `[0, 1]`.
    pub fn quantile(self, q: f64) -> Result<u64, StatsError> {
        error::probability("q", q)?;
        let reached = |k: u64| {
            let (lower, upper) = self.ln_tails(k);
            if q <= 0.5 {
                libm::exp(lower) >= q * (1.0 - 1e-12)
            } else {
                libm::exp(upper) <= (1.0 - q) * (1.0 + 1e-12)
            }
        };
        if q == 0.0 {
            return Ok(0);
        }
        if q >= 1.0 {
            return Ok(if self.p <= 0.0 { 0 } else { self.n });
        }
        // Gallop from the mean, then bisect: a few dozen evaluations at most.
        let mean = (self.n as f64 * self.p) as u64;
        let (mut low, mut high) = (0, self.n);
        let mut step = 1 + (self.n as f64 * self.p * (1.0 - self.p)).sqrt() as u64;
        if reached(mean) {
            high = mean;
            while high >= step && reached(high - step) {
                high -= step;
                step *= 2;
            }
            low = if high >= step { high - step + 1 } else { 0 };
        } else {
            let mut below = mean;
            while self.n - below > step && !reached(below + step) {
                below += step;
                step *= 2;
            }
            low = low.max(below + 1);
            high = high.min(below.saturating_add(step));
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if reached(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }
}
