//! The binomial distribution.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts up to MAX_COUNT = 2^53 are exact in f64"
)]

use super::super::{StatsError, error};
use super::Beta;
use super::gamma::ln_binomial_density;

/// A tail that misses its target by no more than this part of it counts as reaching it.
const ROUNDING: f64 = 1e-12;

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
        if n > error::MAX_COUNT {
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
        if q <= 0.5 {
            if q <= 0.0 {
                return Ok(0);
            }
            Ok(self.first(|lower, _| libm::exp(lower) >= q * (1.0 - ROUNDING)))
        } else {
            self.upper_quantile(1.0 - q)
        }
    }

    /// The smallest `k` with `P(X > k) <= q`, with the same allowance for rounding.
    ///
    /// # Errors
    /// [`StatsError::Argument`] unless `q` lies in `[0, 1]`.
    pub fn upper_quantile(self, q: f64) -> Result<u64, StatsError> {
        error::probability("q", q)?;
        if q >= 1.0 {
            return Ok(0);
        }
        if q <= 0.0 {
            return Ok(if self.p <= 0.0 { 0 } else { self.n });
        }
        Ok(self.first(|_, upper| libm::exp(upper) <= q * (1.0 + ROUNDING)))
    }

    /// The most likely count (the larger of two).
    pub fn mode(self) -> u64 {
        (((self.n as f64 + 1.0) * self.p) as u64).min(self.n)
    }

    /// The smallest count whose two tails (as logarithms) satisfy `reached`, which stays true from
    /// there on. Gallops from the mean and then bisects: a few dozen evaluations at most.
    fn first(self, reached: impl Fn(f64, f64) -> bool) -> u64 {
        let reached = |k: u64| {
            let (lower, upper) = self.ln_tails(k);
            reached(lower, upper)
        };
        let mean = (self.n as f64 * self.p) as u64;
        let (mut low, mut high) = (0, self.n);
        let mut step = 1 + (self.n as f64 * self.p * (1.0 - self.p)).sqrt() as u64;
        if reached(mean) {
            high = mean;
            while high >= step && reached(high - step) {
                high -= step;
                step *= 2;
            }
            if high >= step {
                low = high - step + 1;
            }
        } else {
            let mut below = mean;
            while self.n - below > step && !reached(below + step) {
                below += step;
                step *= 2;
            }
            low = below + 1;
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
        low
    }
}
