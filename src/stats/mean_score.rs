//! Tests of the mean of a list of scores: t, exact sign-flip, equivalence.
//!
//! These take the scores one by one, as scripts have them; what a sweep reports comes from
//! [`super::blocks`], which needs counts only.
#![expect(
    clippy::cast_precision_loss,
    reason = "lengths of lists are far below 2^53"
)]

use super::distributions::StudentT;
use super::error::{finite, open_unit};
use super::lattice_sum::{common_steps, ln_upper_tail, random_signs};
use super::{Alternative, Interval, StatsError};
use std::collections::BTreeMap;

/// Result of a t test of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// The statistic, with `n - 1` degrees of freedom.
    pub t: f64,
    /// Two-sided p-value.
    pub p_value: f64,
    /// The interval of the mean, not clipped to the range of scores.
    pub interval: Interval,
}

/// Student's one-sample t test and interval.
///
/// # Errors
/// [`StatsError::Undefined`] with fewer than two scores or without any spread (an interval of width
/// zero would be a lie); [`StatsError::Argument`] if a score or `mu0` is not finite or `alpha` is
/// not inside (0, 1).
pub fn t_test_mean(pair_scores: &[f64], mu0: f64, alpha: f64) -> Result<TTest, StatsError> {
    finite("mu0", mu0)?;
    open_unit("alpha", alpha)?;
    let sample = Sample::new(pair_scores)?;
    let law = StudentT::new(sample.df)?;
    let t = (sample.mean - mu0) / sample.standard_error;
    let half = law.upper_quantile(0.5 * alpha)? * sample.standard_error;
    Ok(TTest {
        t,
        p_value: (2.0 * law.sf(t.abs())).min(1.0),
        interval: Interval::new(sample.mean - half, sample.mean + half),
    })
}

/// Two one-sided t tests for equivalence (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tost {
    /// p-value of "the mean is at most `low`".
    pub p_lower: f64,
    /// p-value of "the mean is at least `upp`".
    pub p_upper: f64,
    /// The larger of the two: below the level, the mean lies between the margins.
    pub p_value: f64,
}

/// Tests whether the mean lies between `low` and `upp`.
///
/// # Errors
/// As [`t_test_mean`]; also if `low` is not below `upp`.
pub fn tost_mean(pair_scores: &[f64], low: f64, upp: f64) -> Result<Tost, StatsError> {
    finite("low", low)?;
    finite("upp", upp)?;
    if low >= upp {
        return Err(StatsError::argument(
            "low",
            low,
            format!("below `upp`, which is {upp}"),
        ));
    }
    let sample = Sample::new(pair_scores)?;
    let law = StudentT::new(sample.df)?;
    let p_lower = law.sf((sample.mean - low) / sample.standard_error);
    let p_upper = law.cdf((sample.mean - upp) / sample.standard_error);
    Ok(Tost {
        p_lower,
        p_upper,
        p_value: p_lower.max(p_upper),
    })
}

struct Sample {
    mean: f64,
    standard_error: f64,
    df: f64,
}

impl Sample {
    fn new(scores: &[f64]) -> Result<Self, StatsError> {
        check("pair_scores", scores)?;
        let n = scores.len() as f64;
        let (Some(first), true) = (scores.first(), scores.len() >= 2) else {
            return Err(StatsError::undefined(
                "pair_scores",
                "one score has no spread; at least two are needed",
            ));
        };
        if scores
            .iter()
            .all(|score| (score - first).abs() <= 1e-14 * first.abs())
        {
            return Err(StatsError::undefined(
                "pair_scores",
                format!("all are {first}, so the spread is zero and a t interval has no width"),
            ));
        }
        let mean = scores.iter().sum::<f64>() / n;
        let squares: f64 = scores.iter().map(|x| (x - mean) * (x - mean)).sum();
        let standard_error = (squares / (n - 1.0) / n).sqrt();
        if !(mean.is_finite() && standard_error.is_finite() && standard_error > 0.0) {
            return Err(StatsError::undefined(
                "pair_scores",
                "the spread is beyond the range of floating-point numbers",
            ));
        }
        Ok(Self {
            mean,
            standard_error,
            df: n - 1.0,
        })
    }
}

fn check(name: &str, scores: &[f64]) -> Result<(), StatsError> {
    if scores.is_empty() {
        return Err(StatsError::argument(
            name,
            "an empty list",
            "a list of at least one score",
        ));
    }
    match scores.iter().find(|score| !score.is_finite()) {
        Some(bad) => Err(StatsError::argument(
            name,
            format!("a list with {bad}"),
            "a list of finite numbers",
        )),
        None => Ok(()),
    }
}

/// Up to here all sign patterns of differences without a common step are enumerated.
const MAX_ENUMERATED: usize = 20;
/// Differences are taken as multiples of the smallest one over at most this number.
const MAX_DIVISOR: u32 = 1000;

/// The exact sign-flip test that the scores are symmetric around `mu0`.
///
/// The statistic is the sum of `score - mu0`; its null distribution gives every difference either
/// sign with equal probability, all `2^n` patterns. Differences of 0 stay and change nothing.
/// Two-sided: `P(|T*| >= |t|)`.
///
/// # Errors
/// [`StatsError::Argument`] if the list is empty or something is not finite;
/// [`StatsError::Undefined`] if more than 20 differences have no common step or the step is too
/// small for an exact answer.
pub fn sign_flip_exact(
    pair_scores: &[f64],
    mu0: f64,
    alternative: Alternative,
) -> Result<f64, StatsError> {
    finite("mu0", mu0)?;
    check("pair_scores", pair_scores)?;
    let sign = if alternative == Alternative::Less {
        -1.0
    } else {
        1.0
    };
    let differences: Vec<f64> = pair_scores
        .iter()
        .map(|score| sign * (score - mu0))
        .filter(|difference| difference.abs() > 1e-12)
        .collect();
    let upper_tail = if let Some(steps) = common_steps(&differences, MAX_DIVISOR) {
        lattice_tail(&steps, alternative)?
    } else if differences.len() <= MAX_ENUMERATED {
        enumerated_tail(&differences, alternative)
    } else {
        return Err(StatsError::undefined(
            "pair_scores",
            "the differences from `mu0` have no common step, and more than 20 of them cannot be \
             enumerated; round the scores to a grid",
        ));
    };
    Ok(upper_tail.min(1.0))
}

fn lattice_tail(steps: &[i64], alternative: Alternative) -> Result<f64, StatsError> {
    let mut counts = BTreeMap::new();
    let mut total = 0_i128;
    for step in steps {
        *counts.entry(step.abs()).or_insert(0_u64) += 1;
        total += i128::from(*step);
    }
    let terms = random_signs(&counts);
    let two_sided = alternative == Alternative::TwoSided;
    if two_sided && total == 0 {
        return Ok(1.0);
    }
    let target = if two_sided { total.abs() } else { total };
    let tail = ln_upper_tail(&terms, target).ok_or_else(|| {
        StatsError::undefined(
            "pair_scores",
            "the common step of the differences is too small for an exact test; round the scores \
             to a grid",
        )
    })?;
    // Flipping all signs mirrors the distribution, so both tails are equal.
    Ok(libm::exp(tail) * alternative.sides())
}

fn enumerated_tail(differences: &[f64], alternative: Alternative) -> f64 {
    let observed: f64 = differences.iter().sum();
    let scale: f64 = differences.iter().map(|difference| difference.abs()).sum();
    // Sums that differ by rounding only are ties.
    let tie = 1e-12 * scale;
    let patterns = 1_u32 << differences.len();
    let mut hits = 0_u32;
    for pattern in 0..patterns {
        let sum: f64 = differences
            .iter()
            .enumerate()
            .map(|(bit, difference)| {
                if pattern >> bit & 1 == 1 {
                    -difference
                } else {
                    *difference
                }
            })
            .sum();
        let extreme = match alternative {
            Alternative::TwoSided => sum.abs() >= observed.abs() - tie,
            Alternative::Greater | Alternative::Less => sum >= observed - tie,
        };
        hits += u32::from(extreme);
    }
    f64::from(hits) / f64::from(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lattice_and_enumeration_agree() {
        let scores = [0.0, 0.25, 1.0, 0.75, 0.75, 0.5, 1.0, 1.0, 0.25, 0.75];
        for mu0 in [0.5, 0.4, 0.25] {
            let differences: Vec<f64> = scores.iter().map(|score| score - mu0).collect();
            for alternative in [Alternative::TwoSided, Alternative::Greater] {
                let got = sign_flip_exact(&scores, mu0, alternative).unwrap();
                let expected = enumerated_tail(&differences, alternative);
                assert!(
                    (got - expected).abs() < 1e-13,
                    "{mu0} {alternative:?}: {got} {expected}"
                );
            }
        }
    }

    #[test]
    fn scores_without_a_common_step_are_enumerated_or_refused() {
        let few: Vec<f64> = (1..8).map(|i| 0.5 + f64::from(i).sqrt() / 10.0).collect();
        let p = sign_flip_exact(&few, 0.5, Alternative::Greater).unwrap();
        assert!((p - 0.5_f64.powi(7)).abs() < 1e-15, "{p}");
        let many: Vec<f64> = (1..50).map(|i| 0.5 + f64::from(i).sqrt() / 20.0).collect();
        assert!(sign_flip_exact(&many, 0.5, Alternative::Greater).is_err());
    }

    #[test]
    fn less_mirrors_greater() {
        let scores = [0.0, 0.25, 0.25, 0.5, 0.75];
        let mirrored: Vec<f64> = scores.iter().map(|score| 1.0 - score).collect();
        let less = sign_flip_exact(&scores, 0.5, Alternative::Less).unwrap();
        let greater = sign_flip_exact(&mirrored, 0.5, Alternative::Greater).unwrap();
        assert!((less - greater).abs() < 1e-15);
    }

    #[test]
    fn undefined_questions_are_errors() {
        assert!(t_test_mean(&[0.1, 0.1, 0.1], 0.5, 0.05).is_err());
        assert!(t_test_mean(&[0.5], 0.5, 0.05).is_err());
        assert!(t_test_mean(&[0.5, 1e300], 0.5, 0.05).is_err());
        assert!(t_test_mean(&[], 0.5, 0.05).is_err());
        assert!(t_test_mean(&[0.5, f64::NAN], 0.5, 0.05).is_err());
        assert!(t_test_mean(&[0.5, 0.6], f64::INFINITY, 0.05).is_err());
        assert!(
            tost_mean(&[0.5, 0.6], 0.6, 0.4)
                .unwrap_err()
                .to_string()
                .contains("`low`")
        );
        assert!(sign_flip_exact(&[], 0.5, Alternative::TwoSided).is_err());
    }
}
