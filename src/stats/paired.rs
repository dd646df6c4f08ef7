//! Paired yes/no outcomes: two players on the same deals.
//!
//! `b` counts the deals that only the first won, `c` those that only the second won. Deals with
//! the same outcome for both say nothing about which is better.
#![expect(
    clippy::cast_precision_loss,
    reason = "counts are checked to be at most 2^53, where f64 is exact"
)]

use super::binomial_test::binomial_test;
use super::distributions::ChiSquared;
use super::error::{MAX_COUNT, open_unit};
use super::proportions::wilson;
use super::{Alternative, Estimate, Interval, StatsError};

/// McNemar's exact test: two-sided binomial test of `b` of `b + c` at 1/2; 1 when both are 0.
///
/// # Errors
/// [`StatsError::Argument`] if the counts add to more than 2^53.
pub fn mcnemar_exact(b: u64, c: u64) -> Result<f64, StatsError> {
    let discordant = total("b", &[b, c])?;
    if discordant == 0 {
        return Ok(1.0);
    }
    binomial_test(b, discordant, 0.5, Alternative::TwoSided)
}

/// McNemar's chi-squared test with one degree of freedom: `(statistic, p-value)`.
///
/// `(|b - c| - 1)^2 / (b + c)` with Edwards' continuity correction (0 when `b = c`),
/// `(b - c)^2 / (b + c)` without.
///
/// # Errors
/// [`StatsError::Undefined`] if both counts are 0; [`StatsError::Argument`] if they add to more
/// than 2^53.
pub fn mcnemar_chi2(b: u64, c: u64, continuity_correction: bool) -> Result<(f64, f64), StatsError> {
    let discordant = total("b", &[b, c])?;
    if discordant == 0 {
        return Err(StatsError::undefined(
            "b",
            "with `c` also 0 there is no pair with different outcomes; use mcnemar_exact",
        ));
    }
    let difference = b.abs_diff(c) as f64;
    let corrected = if continuity_correction {
        (difference - 1.0).max(0.0)
    } else {
        difference
    };
    let statistic = corrected * corrected / discordant as f64;
    Ok((statistic, ChiSquared::new(1.0)?.sf(statistic)))
}

/// The four counts of a paired two-by-two table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedTable {
    /// Deals that both won.
    pub both: u64,
    /// Deals that only the first won.
    pub only_first: u64,
    /// Deals that only the second won.
    pub only_second: u64,
    /// Deals that neither won.
    pub neither: u64,
}

/// The difference of two paired rates, first minus second, with Newcombe's interval.
///
/// R. G. Newcombe, Statistics in Medicine 17 (1998) 2635, method 10, with the
/// continuity-corrected phi: with `B = both * neither - only_first * only_second` and `n` deals,
/// `B - n/2` if that is positive, 0 if `B` is between 0 and `n/2`, else `B`.
///
/// # Errors
/// [`StatsError::Argument`] if there is no deal, more than 2^53, or `alpha` is not inside (0, 1).
pub fn newcombe_paired(table: PairedTable, alpha: f64) -> Result<Estimate, StatsError> {
    open_unit("alpha", alpha)?;
    let PairedTable {
        both,
        only_first,
        only_second,
        neither,
    } = table;
    let n = total("both", &[both, only_first, only_second, neither])?;
    if n == 0 {
        return Err(StatsError::undefined(
            "both",
            "all four counts are 0, so there is no deal",
        ));
    }
    let first = wilson(both + only_first, n, alpha)?;
    let second = wilson(both + only_second, n, alpha)?;
    let p1 = (both + only_first) as f64 / n as f64;
    let p2 = (both + only_second) as f64 / n as f64;
    let margins = [
        both + only_first,
        only_second + neither,
        both + only_second,
        only_first + neither,
    ]
    .iter()
    .map(|margin| (*margin as f64).sqrt())
    .product::<f64>();
    let product = both as f64 * neither as f64 - only_first as f64 * only_second as f64;
    let half_n = 0.5 * n as f64;
    let corrected = if product > half_n {
        product - half_n
    } else {
        product.min(0.0)
    };
    let phi = if margins == 0.0 {
        0.0
    } else {
        corrected / margins
    };
    let root = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    let difference = (only_first as f64 - only_second as f64) / n as f64;
    let interval = Interval {
        low: difference - root(p1 - first.low, second.high - p2),
        high: difference + root(first.high - p1, p2 - second.low),
    };
    Ok(Estimate::new(
        difference,
        interval.clip(-1.0, 1.0),
        1.0 - alpha,
        "Newcombe, paired",
    ))
}

fn total(name: &str, counts: &[u64]) -> Result<u64, StatsError> {
    counts
        .iter()
        .try_fold(0_u64, |sum, count| sum.checked_add(*count))
        .filter(|sum| *sum <= MAX_COUNT)
        .ok_or_else(|| {
            StatsError::argument(
                name,
                "a count",
                "such that all counts together are at most 2^53",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_is_one_without_discordant_pairs_and_chi2_undefined() {
        assert!((mcnemar_exact(0, 0).unwrap() - 1.0).abs() < 1e-15);
        assert!(
            mcnemar_chi2(0, 0, true)
                .unwrap_err()
                .to_string()
                .contains("`b`")
        );
        let (statistic, p) = mcnemar_chi2(9, 9, true).unwrap();
        assert!(statistic == 0.0 && (p - 1.0).abs() < 1e-15);
    }

    #[test]
    fn swapping_the_players_mirrors_the_interval() {
        let table = PairedTable {
            both: 3,
            only_first: 1,
            only_second: 9,
            neither: 7,
        };
        let swapped = PairedTable {
            only_first: 9,
            only_second: 1,
            ..table
        };
        let one = newcombe_paired(table, 0.05).unwrap();
        let other = newcombe_paired(swapped, 0.05).unwrap();
        assert!((one.interval.low + other.interval.high).abs() < 1e-14);
        assert!((one.value + 0.4).abs() < 1e-15);
    }

    #[test]
    fn impossible_tables_are_errors() {
        let empty = PairedTable {
            both: 0,
            only_first: 0,
            only_second: 0,
            neither: 0,
        };
        assert!(newcombe_paired(empty, 0.05).is_err());
        let huge = PairedTable {
            both: u64::MAX,
            ..empty
        };
        assert!(newcombe_paired(PairedTable { neither: 1, ..huge }, 0.05).is_err());
        assert!(mcnemar_exact(u64::MAX, 1).is_err());
        assert!(newcombe_paired(PairedTable { both: 1, ..empty }, 0.0).is_err());
    }
}
