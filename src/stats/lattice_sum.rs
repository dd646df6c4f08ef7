//! Exact tails of a sum of independent whole-numbered terms, each uniform over its own values.
//!
//! This is the null distribution of every permutation test here: flipping the sign of a block or
//! relabelling its seats picks one of a few equally likely values, independently for each block.
//!
//! The tail comes from the discrete Fourier inversion of the characteristic function after
//! exponential tilting (H. E. Daniels, "Saddlepoint approximations in statistics", 1954, section
//! 2, but summed exactly instead of approximated): the terms are tilted until the observed sum is
//! the mean, so that a tail of 10^-3000 has as many right digits as one of 0.3. Frequencies where
//! the characteristic function vanishes cost nothing, and the sum over the tail is a geometric
//! series, so the time is that of evaluating the function: independent of the number of equal
//! terms but for its square root.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "whole numbers are kept below 2^52, where f64 is exact"
)]

use std::f64::consts::PI;

/// Terms that are uniform over the same values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms {
    /// The equally likely values; a value listed twice is twice as likely.
    pub(super) values: Vec<i64>,
    /// How many such terms there are.
    pub(super) count: u64,
}

/// More evaluations of a term's characteristic function than this are refused (a second or two):
/// the sum is then too finely divided.
const MAX_EVALUATIONS: f64 = 5e7;
/// So many different terms make a frequency negligible, if it can be.
const TERMS_THAT_MATTER: f64 = 100.0;
/// Sums up to this range are inverted whole; wider ones only around the tilted mean.
const SMALL_RANGE: f64 = 4096.0;
/// Factors below exp(-46), 1e-20, are nothing.
const NEGLIGIBLE: f64 = -46.0;

/// `ln P(sum >= t)`; `None` if the lattice is too fine for the spread of the sum (millions of steps
/// within twelve standard deviations).
pub(super) fn ln_upper_tail(terms: &[Terms], t: i128) -> Option<f64> {
    let reduced = Reduced::new(terms, t)?;
    if reduced.t <= 0.0 {
        return Some(0.0);
    }
    let range = reduced.range();
    if reduced.t > range {
        return Some(f64::NEG_INFINITY);
    }
    if reduced.t >= range {
        return Some(reduced.ln_probability_of_maximum());
    }
    reduced.ln_upper_tail()
}

/// `ln P(sum <= t)`, otherwise as [`ln_upper_tail`].
pub(super) fn ln_lower_tail(terms: &[Terms], t: i128) -> Option<f64> {
    let mirrored: Vec<Terms> = terms
        .iter()
        .map(|terms| Terms {
            values: terms.values.iter().map(|value| -value).collect(),
            count: terms.count,
        })
        .collect();
    ln_upper_tail(&mirrored, -t)
}

/// The numbers as whole multiples of their common step, if they have one that is the smallest of
/// them (but 0) over a whole number up to `max_divisor`, up to rounding.
pub(super) fn common_steps(numbers: &[f64], max_divisor: u32) -> Option<Vec<i64>> {
    let smallest = numbers
        .iter()
        .map(|number| number.abs())
        .filter(|size| *size > ROUNDING)
        .fold(f64::INFINITY, f64::min);
    (1..=max_divisor).find_map(|divisor| {
        let step = smallest / f64::from(divisor);
        numbers
            .iter()
            .map(|number| {
                let multiple = number / step;
                let whole = multiple.round();
                let off = (multiple - whole).abs();
                (off <= 1e-9 * multiple.abs().max(1.0) && whole.abs() < 1e12)
                    .then_some(whole as i64)
            })
            .collect()
    })
}

/// Numbers smaller than this are 0: differences of scores, which are of size 1.
const ROUNDING: f64 = 1e-12;

/// The law of a sum of numbers with random signs, from the sizes (multiples of a step) and how
/// often each occurs.
pub(super) fn random_signs(sizes: &std::collections::BTreeMap<i64, u64>) -> Vec<Terms> {
    sizes
        .iter()
        .filter(|(size, _)| **size != 0)
        .map(|(&size, &count)| Terms {
            values: vec![-size, size],
            count,
        })
        .collect()
}

/// The terms shifted so that each smallest value is 0 and divided by the common step.
struct Reduced {
    terms: Vec<(Vec<f64>, f64)>,
    t: f64,
}

impl Reduced {
    fn new(terms: &[Terms], t: i128) -> Option<Self> {
        let mut base = 0_i128;
        let mut step = 0_u64;
        let mut shifted = Vec::new();
        for terms in terms {
            let least = *terms.values.iter().min()?;
            base = base.checked_add(i128::from(least).checked_mul(i128::from(terms.count))?)?;
            let values: Vec<u64> = terms
                .values
                .iter()
                .map(|value| value.abs_diff(least))
                .collect();
            if terms.count > 0 && values.iter().any(|value| *value > 0) {
                step = values.iter().fold(step, |step, value| gcd(step, *value));
                shifted.push((values, terms.count));
            }
        }
        let step = step.max(1);
        let distance = t.checked_sub(base)?;
        // Round up: a target between two lattice points is reached by the upper one.
        let t = distance.div_euclid(i128::from(step))
            + i128::from(distance.rem_euclid(i128::from(step)) != 0);
        // The most frequent terms first: they make the characteristic function vanish soonest.
        shifted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let result = Self {
            terms: shifted
                .into_iter()
                .map(|(values, count)| {
                    let values = values.iter().map(|value| (value / step) as f64).collect();
                    (values, count as f64)
                })
                .collect(),
            t: t as f64,
        };
        (result.range() < 4e15).then_some(result)
    }

    fn range(&self) -> f64 {
        self.terms
            .iter()
            .map(|(values, count)| count * largest(values))
            .sum()
    }

    fn ln_probability_of_maximum(&self) -> f64 {
        self.terms
            .iter()
            .map(|(values, count)| {
                let top = largest(values);
                let hits = values.iter().filter(|value| **value >= top).count();
                count * libm::log(hits as f64 / values.len() as f64)
            })
            .sum()
    }

    fn ln_upper_tail(&self) -> Option<f64> {
        let theta = self.tilt();
        let tilted = self.tilted(theta);
        let range = self.range();
        // A window that the tilted sum leaves with probability below 1e-18 (Bernstein's
        // inequality with these constants).
        let span = self
            .terms
            .iter()
            .map(|(values, _)| largest(values))
            .fold(0.0, f64::max);
        let half_window = (12.0 * tilted.variance.sqrt() + 40.0 * span).ceil();
        let (top, frequencies) = if range <= SMALL_RANGE || range <= 2.0 * half_window {
            (range, range + 1.0)
        } else {
            let top = (tilted.mean + half_window).floor().min(range);
            (top, 2.0 * half_window + 2.0)
        };
        let different = (self.terms.len() as f64).min(TERMS_THAT_MATTER);
        if frequencies * different > MAX_EVALUATIONS {
            return None;
        }
        let length = (top - self.t).max(0.0) + 1.0;
        // Frequencies k and -k give conjugate terms, so half of them suffice.
        let mut sum = geometric(theta, 0.0, length).0;
        let mut k = 1.0;
        while 2.0 * k <= frequencies {
            let omega = 2.0 * PI * k / frequencies;
            if let Some((real, imaginary)) = tilted.characteristic(omega, self.t) {
                let (series_real, series_imaginary) = geometric(theta, omega, length);
                let product = real * series_real - imaginary * series_imaginary;
                let alone = (2.0 * k - frequencies).abs() < 0.5;
                sum += if alone { product } else { 2.0 * product };
            }
            k += 1.0;
        }
        // The smallest possible tail is a probability; rounding must not make it 0 or negative.
        let tail = (sum / frequencies).max(f64::MIN_POSITIVE);
        Some((tilted.ln_generating - theta * self.t + libm::log(tail)).min(0.0))
    }

    /// The tilt at which the mean of the sum is `t`, or 0 if the mean is above it already.
    fn tilt(&self) -> f64 {
        if self.tilted(0.0).mean >= self.t {
            return 0.0;
        }
        let mut low = 0.0;
        let mut high = 1.0;
        while self.tilted(high).mean < self.t && high < 700.0 {
            low = high;
            high *= 2.0;
        }
        // Any tilt near the right one serves: it only decides how many digits survive.
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if self.tilted(middle).mean < self.t {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    fn tilted(&self, theta: f64) -> Tilted {
        let mut result = Tilted {
            terms: Vec::with_capacity(self.terms.len()),
            ln_generating: 0.0,
            mean: 0.0,
            variance: 0.0,
        };
        for (values, count) in &self.terms {
            let top = largest(values);
            let weights: Vec<f64> = values
                .iter()
                .map(|value| libm::exp(theta * (value - top)))
                .collect();
            let total: f64 = weights.iter().sum();
            let mean = sum_of(values, &weights, |value| value) / total;
            let variance = sum_of(values, &weights, |v| (v - mean) * (v - mean)) / total;
            result.ln_generating += count * (theta * top + libm::log(total / values.len() as f64));
            result.mean += count * mean;
            result.variance += count * variance;
            result.terms.push(TiltedTerms {
                points: values
                    .iter()
                    .zip(&weights)
                    .map(|(value, weight)| (value - mean, weight / total))
                    .collect(),
                count: *count,
            });
        }
        result
    }
}

struct Tilted {
    terms: Vec<TiltedTerms>,
    /// `ln E exp(theta sum)`.
    ln_generating: f64,
    mean: f64,
    variance: f64,
}

struct TiltedTerms {
    /// Distance from the tilted mean, and tilted probability.
    points: Vec<(f64, f64)>,
    count: f64,
}

impl Tilted {
    /// `E exp(i omega (sum - t))`; `None` where it is negligible.
    fn characteristic(&self, omega: f64, t: f64) -> Option<(f64, f64)> {
        let mut ln_modulus = 0.0;
        // Terms are centred at their means, so that phases stay small where anything matters.
        let mut phase = omega * (self.mean - t);
        for terms in &self.terms {
            let (mut real, mut imaginary) = (0.0, 0.0);
            for (distance, probability) in &terms.points {
                let (sine, cosine) = libm::sincos(omega * distance);
                real += probability * cosine;
                imaginary += probability * sine;
            }
            ln_modulus += 0.5 * terms.count * libm::log(real * real + imaginary * imaginary);
            phase += terms.count * libm::atan2(imaginary, real);
            if ln_modulus < NEGLIGIBLE {
                return None;
            }
        }
        let modulus = libm::exp(ln_modulus);
        let (sine, cosine) = libm::sincos(phase);
        Some((modulus * cosine, modulus * sine))
    }
}

/// `sum exp(-(theta + i omega) d)` for `d = 0 .. length - 1`, real and imaginary part.
fn geometric(theta: f64, omega: f64, length: f64) -> (f64, f64) {
    // 1 - exp(-(theta + i omega) x), without cancellation for small theta and omega.
    let one_minus = |x: f64| {
        let decay = libm::exp(-theta * x);
        let (half_sine, half_cosine) = libm::sincos(0.5 * omega * x);
        (
            -libm::expm1(-theta * x) + decay * 2.0 * half_sine * half_sine,
            decay * 2.0 * half_sine * half_cosine,
        )
    };
    let (a, b) = one_minus(length);
    let (c, d) = one_minus(1.0);
    let square = c * c + d * d;
    if square == 0.0 {
        return (length, 0.0);
    }
    ((a * c + b * d) / square, (b * c - a * d) / square)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn sum_of(values: &[f64], weights: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    values.iter().zip(weights).map(|(v, w)| w * f(*v)).sum()
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::distributions::Binomial;

    /// The same tail by plain convolution.
    fn by_convolution(terms: &[Terms], t: i128) -> f64 {
        let mut law = std::collections::BTreeMap::from([(0_i128, 1.0)]);
        for terms in terms {
            for _ in 0..terms.count {
                let mut next = std::collections::BTreeMap::new();
                for (sum, probability) in &law {
                    for value in &terms.values {
                        *next.entry(sum + i128::from(*value)).or_insert(0.0) +=
                            probability / terms.values.len() as f64;
                    }
                }
                law = next;
            }
        }
        law.range(t..).map(|(_, probability)| probability).sum()
    }

    #[test]
    fn agrees_with_plain_convolution_everywhere() {
        let cases = [
            vec![Terms {
                values: vec![-1, 1],
                count: 9,
            }],
            vec![
                Terms {
                    values: vec![-2, 2],
                    count: 5,
                },
                Terms {
                    values: vec![-4, 4],
                    count: 6,
                },
            ],
            vec![
                Terms {
                    values: vec![-1, 1],
                    count: 3,
                },
                Terms {
                    values: vec![-3, 3],
                    count: 4,
                },
            ],
            vec![
                Terms {
                    values: vec![0, 2, 7],
                    count: 6,
                },
                Terms {
                    values: vec![3, 3, 3],
                    count: 2,
                },
                Terms {
                    values: vec![1, 1, 4],
                    count: 5,
                },
            ],
        ];
        for terms in &cases {
            for t in -40..90 {
                let expected = by_convolution(terms, t);
                let got = libm::exp(ln_upper_tail(terms, t).unwrap());
                assert!(
                    (got - expected).abs() <= 1e-12 * expected,
                    "{terms:?} {t}: {got} {expected}"
                );
            }
        }
    }

    #[test]
    fn many_coin_flips_are_a_binomial_far_into_the_tail() {
        let count = 500_000;
        let terms = [Terms {
            values: vec![-1, 1],
            count,
        }];
        for heads in [
            250_000,
            250_354,
            252_000,
            260_000,
            350_000,
            499_999,
            500_000_u64,
        ] {
            let t = 2 * i128::from(heads) - i128::from(count);
            let got = ln_upper_tail(&terms, t).unwrap();
            let expected = Binomial::new(count, 0.5).unwrap().ln_tails(heads - 1).1;
            assert!(
                (got - expected).abs() < 1e-9 * expected.abs().max(1.0),
                "{heads}: {got} {expected}"
            );
        }
        let lower = ln_lower_tail(&terms, -4000).unwrap();
        let upper = ln_upper_tail(&terms, 4000).unwrap();
        assert!((lower - upper).abs() < 1e-12);
    }

    #[test]
    fn a_lattice_that_is_too_fine_is_refused() {
        let terms = [
            Terms {
                values: vec![-10_000_001, 10_000_001],
                count: 1000,
            },
            Terms {
                values: vec![-3, 3],
                count: 1000,
            },
        ];
        assert_eq!(ln_upper_tail(&terms, 0), None);
    }

    #[test]
    fn nothing_to_sum_is_certain() {
        assert_eq!(ln_upper_tail(&[], 0), Some(0.0));
        assert_eq!(ln_upper_tail(&[], 1), Some(f64::NEG_INFINITY));
        let constant = [Terms {
            values: vec![5, 5],
            count: 3,
        }];
        assert_eq!(ln_upper_tail(&constant, 15), Some(0.0));
        assert_eq!(ln_upper_tail(&constant, 16), Some(f64::NEG_INFINITY));
    }
}
