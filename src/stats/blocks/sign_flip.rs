//! Exact sign-flip permutation test of block scores.

use super::super::error::{self, StatsError};
use super::super::{Alternative, Interval};
use super::{BlockSummary, TestResult, mean_test};

/// Whether two players are equally strong: if they are, exchanging them within a deal turns a
/// block score x into 2 `centre` - x with the same chance, independently for every deal (Fisher's
/// randomization test on paired data). The statistic is the sum of `score - centre`; blocks at
/// the centre stay.
///
/// With two seats the deviations have two magnitudes, 1/4 and 1/2, and the permutation
/// distribution is the convolution of two binomials: exact, linear in the number of blocks.
/// Scores with more than two magnitudes (imported ones) are tested by [`mean_test`], and the
/// result's method says so.
///
/// # Errors
/// Without blocks, or if `centre` is not finite.
pub fn sign_flip(
    scores: &BlockSummary,
    centre: f64,
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    error::finite("centre", centre)?;
    if scores.count() == 0 {
        return Err(StatsError::argument("blocks", 0, "at least 1"));
    }
    let Some(magnitudes) = Magnitudes::of(scores, centre) else {
        let range = Interval::new(0.0, 1.0);
        return mean_test(&scores.moments(), range, centre, alternative);
    };
    let sum = magnitudes.observed;
    let p = match alternative {
        Alternative::Greater => magnitudes.at_least(sum),
        // The permutation distribution is symmetric.
        Alternative::Less => magnitudes.at_least(-sum),
        Alternative::TwoSided if sum.abs() < TOLERANCE => 1.0,
        Alternative::TwoSided => 2.0 * magnitudes.at_least(sum.abs()),
    };
    Ok(TestResult::new(p, "exact sign-flip permutation of blocks"))
}

/// Sums closer than this are equal: scores are multiples of 1/72 or coarser.
const TOLERANCE: f64 = 1e-7;

/// Deviations of at most two sizes.
struct Magnitudes {
    /// The smaller size and how many blocks deviate by it, either way.
    small: (f64, u64),
    /// The larger size (0 blocks if there is none).
    large: (f64, u64),
    /// Sum of the observed deviations.
    observed: f64,
}

impl Magnitudes {
    fn of(scores: &BlockSummary, centre: f64) -> Option<Self> {
        let mut sizes: Vec<(f64, u64)> = Vec::with_capacity(2);
        let mut observed = 0.0;
        for (score, count) in scores.values() {
            let deviation = score - centre;
            let size = deviation.abs();
            if size < TOLERANCE {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
            {
                observed += deviation * count as f64;
            }
            let known = sizes
                .iter()
                .position(|(known, _)| (known - size).abs() < TOLERANCE);
            match known {
                Some(index) => sizes[index].1 += count,
                None if sizes.len() == 2 => return None,
                None => sizes.push((size, count)),
            }
        }
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let small = sizes.first().copied().unwrap_or((1.0, 0));
        let large = sizes.get(1).copied().unwrap_or((1.0, 0));
        Some(Self {
            small,
            large,
            observed,
        })
    }

    /// P(sum of randomly signed deviations >= `sum`).
    fn at_least(&self, sum: f64) -> f64 {
        let small_tail = tails(&fair_binomial(self.small.1));
        let large = fair_binomial(self.large.1);
        let small_tail = &small_tail;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let (small_count, large_count) = (self.small.1 as f64, self.large.1 as f64);
        let mut total = 0.0;
        let mut positives = 0.0;
        for probability in large {
            // Still needed from the small deviations: size x (2 x positives - count).
            let rest = sum - self.large.0 * (2.0 * positives - large_count);
            let least = ((rest - TOLERANCE) / self.small.0).midpoint(small_count);
            total += probability * tail_from(small_tail, least);
            positives += 1.0;
        }
        total.min(1.0)
    }
}

/// Probabilities of 0..=n successes of n fair coins, by the ratio of neighbours from the middle.
fn fair_binomial(n: u64) -> Vec<f64> {
    let length = usize::try_from(n).unwrap_or(usize::MAX - 1) + 1;
    let mut pmf = vec![0.0; length];
    let middle = length / 2;
    pmf[middle] = 1.0;
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let (size, start) = (n as f64, middle as f64);
    let mut k = start;
    for index in middle + 1..length {
        pmf[index] = pmf[index - 1] * (size - k) / (k + 1.0);
        k += 1.0;
    }
    k = start;
    for index in (0..middle).rev() {
        pmf[index] = pmf[index + 1] * k / (size - k + 1.0);
        k -= 1.0;
    }
    // Smallest first, so that the sum loses nothing.
    let sum: f64 = pmf[..middle].iter().sum::<f64>() + pmf[middle..].iter().rev().sum::<f64>();
    for value in &mut pmf {
        *value /= sum;
    }
    pmf
}

/// Upper tails: element k is P(X >= k).
fn tails(pmf: &[f64]) -> Vec<f64> {
    let mut tails = pmf.to_vec();
    let mut sum = 0.0;
    for value in tails.iter_mut().rev() {
        sum += *value;
        *value = sum;
    }
    tails
}

/// P(X >= `least`).
fn tail_from(tails: &[f64], least: f64) -> f64 {
    let first = least.ceil();
    if first <= 0.0 {
        return 1.0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive here; saturates"
    )]
    tails.get(first as usize).copied().unwrap_or(0.0)
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
    fn other_scores_fall_back_and_say_so() {
        let summary: BlockSummary = [0.1, 0.2, 0.9, 0.7, 0.6].into_iter().collect();
        let test = sign_flip(&summary, 0.5, Alternative::TwoSided).unwrap();
        assert!(test.method.contains("t test"), "{test:?}");
        assert!(sign_flip(&BlockSummary::default(), 0.5, Alternative::Less).is_err());
    }
}
