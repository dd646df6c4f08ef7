//! A Brownian motion between two absorbing barriers: how likely is a worse outcome?
//!
//! The log-likelihood ratio of a long test moves nearly like a Brownian motion. Outcomes are
//! ordered from worst to best as: absorbed below (early before late), still between the barriers
//! (low before high), absorbed above (late before early); see D. Siegmund, "Sequential Analysis",
//! 1985, section III.4, for estimates from this order.

use super::super::distributions::ln_normal_sf;

/// A Brownian motion that starts at 0, with its absorbing barriers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Brownian {
    /// Lower barrier, below 0.
    pub lower: f64,
    /// Upper barrier, above 0.
    pub upper: f64,
    /// Mean change per unit of time.
    pub drift: f64,
    /// Variance per unit of time, positive.
    pub variance: f64,
}

impl Brownian {
    /// The probability of an outcome worse than being at `level` at `time`:
    /// `P(absorbed below before time) + P(not absorbed by time, position below level)`.
    ///
    /// Exact in both regimes: images of the source while the spread is small against the width,
    /// eigenfunctions afterwards; each series needs a dozen terms at most.
    pub(super) fn worse_outcome(&self, time: f64, level: f64) -> f64 {
        let width = self.upper - self.lower;
        let spread = self.variance * time;
        let probability = if spread < 0.1 * width * width {
            self.by_images(time, level)
        } else {
            self.by_eigenfunctions(time, level)
        };
        probability.clamp(0.0, 1.0)
    }

    /// Sums over reflected sources. Every term is a weight `exp(e)` times a normal tail that is at
    /// least as small as the weight is large, so they are multiplied as logarithms.
    fn by_images(&self, time: f64, level: f64) -> f64 {
        let width = self.upper - self.lower;
        let gamma = self.drift / self.variance;
        let deviation = (self.variance * time).sqrt();
        let drifted = self.drift * time;
        let tail = |exponent: f64, z: f64| libm::exp(exponent + ln_normal_sf(-z));
        let mut absorbed_below = 0.0;
        let mut between = 0.0;
        for k in -6..=6 {
            let shift = 2.0 * f64::from(k) * width;
            // First passage to a source image at distance d below the start.
            let distance = shift - self.lower;
            let sign = distance.signum();
            let d = distance.abs();
            absorbed_below += sign
                * (tail(gamma * (self.lower + d), (-drifted - d) / deviation)
                    + tail(gamma * (self.lower - d), (drifted - d) / deviation));
            for (weight, image) in [(1.0, shift), (-1.0, 2.0 * self.lower + shift)] {
                let high = (level - image - drifted) / deviation;
                let low = (self.lower - image - drifted) / deviation;
                // Of the two tails the one that is small, or the weight would blow up rounding.
                let mass = if low > 0.0 {
                    tail(gamma * image, -low) - tail(gamma * image, -high)
                } else {
                    tail(gamma * image, high) - tail(gamma * image, low)
                };
                between += weight * mass;
            }
        }
        absorbed_below + between
    }

    /// The eigenfunction expansion of what is still between the barriers, subtracted from the
    /// probability of ever being absorbed below.
    fn by_eigenfunctions(&self, time: f64, level: f64) -> f64 {
        let width = self.upper - self.lower;
        let gamma = self.drift / self.variance;
        let start = -self.lower;
        let y = level - self.lower;
        let mut sum = 0.0;
        for n in 1..=40 {
            let frequency = std::f64::consts::PI * f64::from(n) / width;
            let decay = 0.5 * self.variance * time * (frequency * frequency + gamma * gamma);
            // The integral of exp(gamma u) sin(frequency u), from which both the part absorbed
            // later and the part above `level` follow: their difference telescopes to this.
            let primitive = (gamma * libm::sin(frequency * y)
                - frequency * libm::cos(frequency * y))
                / (gamma * gamma + frequency * frequency);
            sum +=
                libm::exp(gamma * (y - start) - decay) * primitive * libm::sin(frequency * start);
        }
        ever_below(gamma, start, width) + 2.0 / width * sum
    }
}

/// The probability of reaching 0 before `width` from `start`, with `gamma = drift / variance`.
fn ever_below(gamma: f64, start: f64, width: f64) -> f64 {
    let rest = width - start;
    if (gamma * width).abs() < 1e-9 {
        rest / width
    } else if gamma > 0.0 {
        // (e^{-2 g x} - e^{-2 g A}) / (1 - e^{-2 g A})
        libm::exp(-2.0 * gamma * start) * libm::expm1(-2.0 * gamma * rest)
            / libm::expm1(-2.0 * gamma * width)
    } else {
        libm::expm1(2.0 * gamma * rest) / libm::expm1(2.0 * gamma * width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(drift: f64) -> Brownian {
        Brownian {
            lower: -2.5,
            upper: 3.0,
            drift,
            variance: 0.7,
        }
    }

    #[test]
    fn both_series_agree_where_they_meet() {
        for drift in [-2.0, -0.3, 0.0, 1e-12, 0.4, 1.5] {
            let walk = walk(drift);
            for time in [3.0, 4.3, 6.0] {
                for level in [-2.5, -1.0, 0.0, 2.0, 3.0] {
                    let images = walk.by_images(time, level);
                    let eigen = walk.by_eigenfunctions(time, level);
                    assert!(
                        (images - eigen).abs() < 1e-9,
                        "drift {drift}, time {time}, level {level}: {images} and {eigen}"
                    );
                }
            }
        }
    }

    #[test]
    fn limits_are_the_known_ones() {
        // Long after, all is absorbed: the gambler's ruin probability.
        let late = walk(0.2).worse_outcome(1e4, 0.0);
        let gamma: f64 = 0.2 / 0.7;
        let ruin = (libm::exp(-2.0 * gamma * 2.5) - libm::exp(-2.0 * gamma * 5.5))
            / (1.0 - libm::exp(-2.0 * gamma * 5.5));
        assert!((late - ruin).abs() < 1e-12);
        // At once, only the sign of the level counts.
        assert!(walk(0.2).worse_outcome(1e-6, 1.0) > 1.0 - 1e-12);
        assert!(walk(0.2).worse_outcome(1e-6, -1.0) < 1e-12);
        // Strong drifts overflow nowhere.
        for drift in [-300.0, 300.0] {
            for time in [0.01, 1.0, 100.0] {
                assert!(walk(drift).worse_outcome(time, 3.0).is_finite());
            }
        }
    }

    #[test]
    fn a_higher_drift_makes_worse_outcomes_less_likely() {
        let values: Vec<f64> = (-40..=40)
            .map(|d| walk(f64::from(d) / 10.0).worse_outcome(2.0, 3.0))
            .collect();
        assert!(values.windows(2).all(|w| w[0] >= w[1] - 1e-12));
    }
}
