//! Exact sign-flip permutation test of block scores.

use std::collections::BTreeMap;

use super::super::Alternative;
use super::super::error::{self, StatsError};
use super::super::lattice_sum::{common_steps, ln_upper_tail, random_signs};
use super::{BlockSummary, TestResult};

/// Block scores of a game, and differences of them, are multiples of this part of the largest
/// deviation or coarser. Scores that are not (imported ones) are rounded to [`ROUNDED_STEPS`].
const MOST_STEPS: i64 = 200;
const ROUNDED_STEPS: f64 = 100.0;

/// Whether two players are equally strong: if they are, exchanging them within a deal turns a
/// block score x into 2 `centre` - x with the same chance, independently for every deal (Fisher's
/// randomization test on paired data). The statistic is the sum of `score - centre`; blocks at
/// the centre stay.
///
/// With two seats the deviations have two sizes, 1/4 and 1/2, and the permutation distribution is
/// the convolution of two binomials; differences of two cells have up to four sizes, means over
/// cells more. All are exact, and the time does not grow with the number of blocks but for its
/// square root. Deviations that are no multiples of 1/200 of the largest are first rounded to
/// 1/100 of it, which leaves the test exact (rounding is symmetric) and costs next to no power;
/// the result's method says so.
///
/// # Errors
/// Without blocks, if `centre` is not finite, or with more than some 10^9 blocks.
pub fn sign_flip(
    scores: &BlockSummary,
    centre: f64,
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    error::finite("centre", centre)?;
    if scores.count() == 0 {
        return Err(StatsError::argument("blocks", 0, "at least 1"));
    }
    let deviations: Vec<f64> = scores.values().map(|(score, _)| score - centre).collect();
    let (multiples, method) = multiples(&deviations);
    let mut sizes = BTreeMap::new();
    let mut observed = 0_i128;
    for (multiple, (_, count)) in multiples.iter().zip(scores.values()) {
        *sizes.entry(multiple.abs()).or_insert(0) += count;
        observed += i128::from(*multiple) * i128::from(count);
    }
    let target = match alternative {
        Alternative::TwoSided if observed == 0 => return Ok(TestResult::new(1.0, method)),
        Alternative::TwoSided => observed.abs(),
        Alternative::Greater => observed,
        // The permutation distribution is symmetric.
        Alternative::Less => -observed,
    };
    let tail = ln_upper_tail(&random_signs(&sizes), target).ok_or_else(|| {
        StatsError::argument("blocks", scores.count(), "few enough for an exact test")
    })?;
    Ok(TestResult::new(
        libm::exp(tail) * alternative.sides(),
        method,
    ))
}

/// The deviations in units of their common step, and the name of the test.
fn multiples(deviations: &[f64]) -> (Vec<i64>, &'static str) {
    let exact = "exact sign-flip permutation of blocks";
    let steps = common_steps(deviations, 72)
        .filter(|steps| steps.iter().all(|step| step.abs() <= MOST_STEPS));
    if let Some(steps) = steps {
        return (steps, exact);
    }
    let largest = deviations.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
    let rounded = deviations
        .iter()
        .map(|deviation| {
            #[expect(clippy::cast_possible_truncation, reason = "at most 100 in size")]
            {
                (deviation / largest * ROUNDED_STEPS).round() as i64
            }
        })
        .collect();
    (
        rounded,
        "exact sign-flip permutation of blocks, scores rounded",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 2^n sign vectors.
    fn brute_force(scores: &[f64], centre: f64, alternative: Alternative) -> f64 {
        let deviations: Vec<f64> = scores.iter().map(|s| s - centre).collect();
        let observed: f64 = deviations.iter().sum();
        let mut extreme = 0_u32;
        for signs in 0..1_u32 << deviations.len() {
            let sum: f64 = deviations
                .iter()
                .enumerate()
                .map(|(i, d)| if signs >> i & 1 == 0 { *d } else { -d })
                .sum();
            extreme += u32::from(match alternative {
                Alternative::TwoSided => sum.abs() >= observed.abs() - 1e-9,
                Alternative::Greater => sum >= observed - 1e-9,
                Alternative::Less => sum <= observed + 1e-9,
            });
        }
        f64::from(extreme) / f64::from(1_u32 << deviations.len())
    }

    #[test]
    fn it_is_the_permutation_test() {
        let mut rng = crate::rng::Seed::root(9).rng();
        for _ in 0..60 {
            let blocks = 1 + rng.index(11);
            let scores: Vec<f64> = (0..blocks).map(|_| f64::from(rng.below(5)) / 4.0).collect();
            let summary: BlockSummary = scores.iter().copied().collect();
            for alternative in [
                Alternative::TwoSided,
                Alternative::Greater,
                Alternative::Less,
            ] {
                let test = sign_flip(&summary, 0.5, alternative).unwrap();
                let expected = brute_force(&scores, 0.5, alternative);
                assert!(
                    (test.p_value - expected).abs() < 1e-12,
                    "{scores:?} {alternative:?}"
                );
            }
        }
    }

    #[test]
    fn large_counts_and_far_tails_stay_positive() {
        let mut summary = BlockSummary::default();
        summary.push_many(0.75, 300_000);
        summary.push_many(0.25, 299_000);
        summary.push_many(1.0, 200_000);
        summary.push_many(0.0, 201_000);
        let near = sign_flip(&summary, 0.5, Alternative::TwoSided)
            .unwrap()
            .p_value;
        assert!((0.0..1.0).contains(&near), "{near}");
        let mut all = BlockSummary::default();
        all.push_many(1.0, 500_000);
        assert!(sign_flip(&all, 0.5, Alternative::Greater).unwrap().p_value > 0.0);
    }

    #[test]
    fn differences_on_a_finer_lattice_are_exact_too() {
        let mut rng = crate::rng::Seed::root(10).rng();
        for parts in [8, 9, 36, 72] {
            for _ in 0..20 {
                let scores: Vec<f64> = (0..9)
                    .map(|_| f64::from(rng.below(2 * parts + 1)) / f64::from(parts) - 1.0)
                    .collect();
                let summary: BlockSummary = scores.iter().copied().collect();
                let test = sign_flip(&summary, 0.0, Alternative::Greater).unwrap();
                let expected = brute_force(&scores, 0.0, Alternative::Greater);
                assert!((test.p_value - expected).abs() < 1e-12, "{scores:?}");
                assert!(!test.method.contains("rounded"), "{scores:?}");
            }
        }
    }

    #[test]
    fn other_scores_are_rounded_and_the_method_says_so() {
        let mut rng = crate::rng::Seed::root(11).rng();
        let scores: Vec<f64> = (0..14).map(|_| rng.unit()).collect();
        let summary: BlockSummary = scores.iter().copied().collect();
        let test = sign_flip(&summary, 0.5, Alternative::Greater).unwrap();
        assert!(test.method.contains("rounded"), "{test:?}");
        let expected = brute_force(&scores, 0.5, Alternative::Greater);
        assert!(
            (test.p_value - expected).abs() < 0.02,
            "{} {expected}",
            test.p_value
        );
        assert!(sign_flip(&BlockSummary::default(), 0.5, Alternative::Less).is_err());
    }

    #[test]
    fn blocks_at_the_centre_say_nothing() {
        let mut summary = BlockSummary::default();
        summary.push_many(0.5, 1000);
        for alternative in [
            Alternative::TwoSided,
            Alternative::Greater,
            Alternative::Less,
        ] {
            let test = sign_flip(&summary, 0.5, alternative).unwrap();
            assert!((test.p_value - 1.0).abs() < 1e-15);
        }
        summary.push_many(0.75, 5);
        let test = sign_flip(&summary, 0.5, Alternative::Greater).unwrap();
        assert!((test.p_value - 0.5_f64.powi(5)).abs() < 1e-15);
    }
}
