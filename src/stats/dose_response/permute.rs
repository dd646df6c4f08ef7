//! Permutation within units: the null distribution of a sum of independent rearrangements.

use super::super::Alternative;
use super::super::blocks::TestResult;
use super::super::distributions::normal_sf;
use crate::rng::Seed;
use std::borrow::Cow;

/// Random rearrangements of a permutation test. The smallest p-value is one in 10,000.
pub const PERMUTATIONS: u32 = 9_999;

/// From this many informative units on, the permutation distribution is replaced by the normal law
/// with its exact mean and variance: a sum of hundreds of bounded, independent terms.
pub const NORMAL_FROM: usize = 1_000;

/// Values that can be rearranged among each other under the null hypothesis, with their weights.
pub type Unit<'a> = (&'a [f64], &'a [f64]);

/// Tests `sum over units of weights . values` against rearranging the values within each unit. The
/// weights of a unit add up to 0.
///
/// Units whose values are all equal contribute the same to every rearrangement and are left out.
/// Up to [`NORMAL_FROM`] informative units: [`PERMUTATIONS`] seeded rearrangements, p = (r + 1) /
/// (n + 1) (B. Phipson and G. K. Smyth 2010). Beyond: normal with the exact permutation variance
/// `sum w^2 sum (v - mean)^2 / (k - 1)` (W. Hoeffding 1951).
pub fn permutation_test<'a>(
    units: impl Iterator<Item = Unit<'a>>,
    alternative: Alternative,
    seed: Seed,
) -> TestResult {
    let informative: Vec<Unit<'a>> = units
        .filter(|(values, _)| values.iter().any(|value| (value - values[0]).abs() > 0.0))
        .collect();
    let observed: f64 = informative
        .iter()
        .map(|(values, weights)| super::dot(values, weights))
        .sum();
    if informative.len() >= NORMAL_FROM {
        let variance: f64 = informative
            .iter()
            .map(|(values, weights)| unit_variance(values, weights))
            .sum();
        let z = observed / variance.sqrt();
        let p_value = match alternative {
            Alternative::TwoSided => 2.0 * normal_sf(z.abs()),
            Alternative::Greater => normal_sf(z),
            Alternative::Less => normal_sf(-z),
        };
        return TestResult {
            p_value: p_value.clamp(f64::MIN_POSITIVE, 1.0),
            method: Cow::Borrowed(
                "permutation within the deal (normal law with exact permutation variance)",
            ),
        };
    }
    // Rearrangements that tie in exact arithmetic must not be told apart by rounding.
    let scale: f64 = informative
        .iter()
        .map(|(values, weights)| unit_variance(values, weights))
        .sum();
    let slack = 1e-9 * scale.sqrt();
    let mut rng = seed.rng();
    let mut shuffled: Vec<f64> = Vec::new();
    let mut extreme = 0_u32;
    for _ in 0..PERMUTATIONS {
        let mut sum = 0.0;
        for (values, weights) in &informative {
            shuffled.clear();
            shuffled.extend_from_slice(values);
            rng.shuffle(&mut shuffled);
            sum += super::dot(&shuffled, weights);
        }
        let counts = match alternative {
            Alternative::TwoSided => sum.abs() >= observed.abs() - slack,
            Alternative::Greater => sum >= observed - slack,
            Alternative::Less => sum <= observed + slack,
        };
        extreme += u32::from(counts);
    }
    TestResult {
        p_value: f64::from(extreme + 1) / f64::from(PERMUTATIONS + 1),
        method: Cow::Owned(format!(
            "permutation within the deal ({PERMUTATIONS} random rearrangements)"
        )),
    }
}

/// The variance of `weights . values` over all rearrangements of one unit (weights add up to 0).
pub(super) fn unit_variance(unit: &[f64], weights: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a handful of levels")]
    let size = unit.len() as f64;
    let mean = unit.iter().sum::<f64>() / size;
    let squares: f64 = unit.iter().map(|v| (v - mean) * (v - mean)).sum();
    let weight: f64 = weights.iter().map(|w| w * w).sum();
    weight * squares / (size - 1.0)
}
