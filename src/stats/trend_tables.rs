//! Success counts over ordered or unordered groups: trend, homogeneity, isotonic rates.
//!
//! These treat games as independent and are descriptive where games share deals; the test of a
//! dose-response claim is in [`super::dose_response`].

use super::StatsError;
use super::distributions::{ChiSquared, normal_sf};

/// A chi-squared statistic with its degrees of freedom and upper tail.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct ChiSquaredTest {
    /// The statistic, at least 0.
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: u64,
    /// The probability of a statistic at least as large.
    pub p_value: f64,
}

impl ChiSquaredTest {
    /// The test of this statistic.
    ///
    /// # Errors
    /// When there are no degrees of freedom.
    pub(super) fn new(statistic: f64, df: u64) -> Result<Self, StatsError> {
        #[expect(clippy::cast_precision_loss, reason = "a handful of groups")]
        let law = ChiSquared::new(df as f64)?;
        Ok(Self {
            statistic: statistic.max(0.0),
            df,
            p_value: law.sf(statistic.max(0.0)),
        })
    }
}

/// A standard normal statistic with its two-sided tail.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct NormalTest {
    /// The statistic; positive when successes rise with the scores.
    pub z: f64,
    /// The probability of a statistic at least as far from 0.
    pub p_value: f64,
}

/// Checked groups: successes and sizes as numbers.
struct Groups {
    successes: Vec<f64>,
    sizes: Vec<f64>,
    total: f64,
    /// The overall rate.
    rate: f64,
}

impl Groups {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn new(successes: &[u64], n: &[u64], fewest: usize) -> Result<Self, StatsError> {
        if n.len() < fewest {
            return Err(StatsError::argument(
                "n",
                format!("a list of {}", n.len()),
                format!("a list of at least {fewest} group sizes"),
            ));
        }
        if successes.len() != n.len() {
            return Err(StatsError::argument(
                "successes",
                format!("a list of {}", successes.len()),
                format!("one count for each of the {} groups of `n`", n.len()),
            ));
        }
        for (x, n) in successes.iter().zip(n) {
            if *n == 0 {
                return Err(StatsError::argument("n", 0, "at least 1 in every group"));
            }
            if x > n {
                return Err(StatsError::argument(
                    "successes",
                    x,
                    format!("at most the group's size {n}"),
                ));
            }
        }
        let successes: Vec<f64> = successes.iter().map(|x| *x as f64).collect();
        let sizes: Vec<f64> = n.iter().map(|n| *n as f64).collect();
        let total: f64 = sizes.iter().sum();
        let rate = successes.iter().sum::<f64>() / total;
        Ok(Self {
            successes,
            sizes,
            total,
            rate,
        })
    }

    /// The variance of one success, or an error where it is 0.
    fn variance(&self) -> Result<f64, StatsError> {
        let variance = self.rate * (1.0 - self.rate);
        if variance > 0.0 {
            Ok(variance)
        } else {
            Err(StatsError::undefined(
                "successes",
                "all are successes or all are failures, so the groups cannot differ",
            ))
        }
    }
}

/// The Cochran-Armitage test for a linear trend of the success rate in the groups' scores, variance
/// with divisor N (R's `prop.trend.test`): `U^2 / V` with `U = sum s (x - n p)`,
/// `V = p (1-p) sum n (s - mean s)^2`.
///
/// # Errors
/// When there are fewer than two groups, lists differ in length, a group is empty or has more
/// successes than members, all scores are equal, or all are successes or all failures.
pub fn cochran_armitage(
    successes: &[u64],
    n: &[u64],
    scores: &[f64],
) -> Result<ChiSquaredTest, StatsError> {
    let (u, v, _) = trend(successes, n, scores)?;
    ChiSquaredTest::new(u * u / v, 1)
}

/// The linear-by-linear association test (A. Agresti, "Categorical Data Analysis", section 3.4.1):
/// as [`cochran_armitage`] with the permutation variance (divisor N - 1), signed.
///
/// # Errors
/// As [`cochran_armitage`].
pub fn linear_by_linear(
    successes: &[u64],
    n: &[u64],
    scores: &[f64],
) -> Result<NormalTest, StatsError> {
    let (u, v, total) = trend(successes, n, scores)?;
    let z = u / (v * total / (total - 1.0)).sqrt();
    Ok(NormalTest {
        z: z + 0.0,
        p_value: (2.0 * normal_sf(z.abs())).min(1.0),
    })
}

/// The trend's U and V and the number of all members.
fn trend(successes: &[u64], n: &[u64], scores: &[f64]) -> Result<(f64, f64, f64), StatsError> {
    let groups = Groups::new(successes, n, 2)?;
    if scores.len() != n.len() {
        return Err(StatsError::argument(
            "scores",
            format!("a list of {}", scores.len()),
            format!("one score for each of the {} groups of `n`", n.len()),
        ));
    }
    if let Some(bad) = scores.iter().find(|score| !score.is_finite()) {
        return Err(StatsError::argument(
            "scores",
            bad,
            "made of finite numbers",
        ));
    }
    let variance = groups.variance()?;
    let weighted = || scores.iter().zip(&groups.sizes);
    let mean = weighted().map(|(s, n)| s * n).sum::<f64>() / groups.total;
    let spread: f64 = weighted().map(|(s, n)| n * (s - mean) * (s - mean)).sum();
    if spread <= 0.0 {
        return Err(StatsError::argument(
            "scores",
            format!("{mean} in every group"),
            "different in at least two groups",
        ));
    }
    // Centring the scores changes nothing but rounding: the residuals add up to 0.
    let u: f64 = weighted()
        .zip(&groups.successes)
        .map(|((s, n), x)| (s - mean) * (x - n * groups.rate))
        .sum();
    Ok((u, variance * spread, groups.total))
}

/// Pearson's test that all groups have the same success rate, without continuity correction.
///
/// # Errors
/// When there are fewer than two groups, lists differ in length, a group is empty or has more
/// successes than members, or all are successes or all failures.
pub fn chi2_homogeneity(successes: &[u64], n: &[u64]) -> Result<ChiSquaredTest, StatsError> {
    let groups = Groups::new(successes, n, 2)?;
    let variance = groups.variance()?;
    let statistic: f64 = groups
        .successes
        .iter()
        .zip(&groups.sizes)
        .map(|(x, n)| (x - n * groups.rate) * (x - n * groups.rate) / (n * variance))
        .sum();
    ChiSquaredTest::new(statistic, n.len() as u64 - 1)
}

/// The likelihood-ratio (G) test that all groups have the same success rate.
///
/// # Errors
/// As [`chi2_homogeneity`].
pub fn g_test_homogeneity(successes: &[u64], n: &[u64]) -> Result<ChiSquaredTest, StatsError> {
    let groups = Groups::new(successes, n, 2)?;
    groups.variance()?;
    let term = |observed: f64, expected: f64| {
        if observed > 0.0 {
            observed * libm::log(observed / expected)
        } else {
            0.0
        }
    };
    let statistic: f64 = groups
        .successes
        .iter()
        .zip(&groups.sizes)
        .map(|(x, n)| term(*x, n * groups.rate) + term(n - x, n * (1.0 - groups.rate)))
        .sum();
    ChiSquaredTest::new(2.0 * statistic, n.len() as u64 - 1)
}

/// The maximum likelihood rates under the condition that they do not fall from group to group.
///
/// # Errors
/// When there is no group, lists differ in length, or a group is empty or has more successes than
/// members.
pub fn isotonic_rates(successes: &[u64], n: &[u64]) -> Result<Vec<f64>, StatsError> {
    let groups = Groups::new(successes, n, 1)?;
    let rates: Vec<f64> = groups
        .successes
        .iter()
        .zip(&groups.sizes)
        .map(|(x, n)| x / n)
        .collect();
    Ok(isotonic_increasing(&rates, &groups.sizes))
}

/// The weighted least-squares fit to `values` that does not fall (pool adjacent violators; R. E.
/// Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk 1972). Weights must be positive; a missing
/// weight counts as 1.
pub fn isotonic_increasing(values: &[f64], weights: &[f64]) -> Vec<f64> {
    // Pooled blocks: weighted mean, weight, number of members.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let mut block = (*value, weights.get(index).copied().unwrap_or(1.0), 1);
        while let Some(before) = blocks.pop_if(|before| before.0 > block.0) {
            let weight = before.1 + block.1;
            block = (
                (before.0 * before.1 + block.0 * block.1) / weight,
                weight,
                before.2 + block.2,
            );
        }
        blocks.push(block);
    }
    blocks
        .iter()
        .flat_map(|(mean, _, members)| std::iter::repeat_n(*mean, *members))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_rate_has_a_positive_trend_and_a_reversed_one_the_same_size() {
        let up = linear_by_linear(&[3, 9, 19], &[20, 30, 40], &[1.0, 2.0, 3.0]).unwrap();
        let down = linear_by_linear(&[3, 9, 19], &[20, 30, 40], &[3.0, 2.0, 1.0]).unwrap();
        assert!(up.z > 0.0 && (up.z + down.z).abs() < 1e-12);
        let shifted = cochran_armitage(
            &[3, 9, 19],
            &[20, 30, 40],
            &[1e6 + 1.0, 1e6 + 2.0, 1e6 + 3.0],
        );
        let plain = cochran_armitage(&[3, 9, 19], &[20, 30, 40], &[1.0, 2.0, 3.0]);
        assert!((shifted.unwrap().statistic - plain.unwrap().statistic).abs() < 1e-8);
    }

    #[test]
    fn isotonic_fits_pool_violators_and_keep_the_total() {
        assert_eq!(isotonic_increasing(&[], &[]), Vec::<f64>::new());
        assert_eq!(isotonic_increasing(&[1.0, 2.0], &[1.0, 1.0]), [1.0, 2.0]);
        let values = [0.5, 0.9, 0.2, 0.7, 0.6, 0.1];
        let weights = [1.0, 2.0, 3.0, 1.0, 1.0, 4.0];
        let fit = isotonic_increasing(&values, &weights);
        assert!(fit.windows(2).all(|w| w[0] <= w[1]));
        let total = |v: &[f64]| -> f64 { v.iter().zip(&weights).map(|(v, w)| v * w).sum() };
        assert!((total(&fit) - total(&values)).abs() < 1e-12);
    }

    #[test]
    fn bad_input_names_the_argument() {
        let text = |r: Result<ChiSquaredTest, StatsError>| r.unwrap_err().to_string();
        assert!(text(chi2_homogeneity(&[1], &[2])).contains("`n`"));
        assert!(text(chi2_homogeneity(&[1], &[2, 2])).contains("`successes`"));
        assert!(text(chi2_homogeneity(&[1, 0], &[2, 0])).contains("`n`"));
        assert!(text(g_test_homogeneity(&[1, 3], &[2, 2])).contains("`successes`"));
        assert!(text(g_test_homogeneity(&[2, 2], &[2, 2])).contains("`successes`"));
        let scores = |s: &[f64]| text(cochran_armitage(&[1, 1], &[2, 2], s));
        assert!(scores(&[1.0, 1.0]).contains("`scores`"));
        assert!(scores(&[1.0]).contains("`scores`"));
        assert!(scores(&[1.0, f64::NAN]).contains("`scores`"));
    }
}
