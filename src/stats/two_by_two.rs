//! Exact inference for two by two tables with fixed margins.

use super::distributions::ln_choose;
use super::error::open_unit;
use super::root;
use super::{Alternative, StatsError};

/// The conditional maximum likelihood odds ratio with its exact interval. `None` is unbounded.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct ConditionalOddsRatio {
    /// The estimate; `None` when the first cell is as large as the margins allow.
    pub estimate: Option<f64>,
    /// Lower end, at least 0.
    pub low: f64,
    /// Upper end; `None` when unbounded.
    pub high: Option<f64>,
}

/// The law of the first cell given the margins: support and log weights at odds ratio 1.
struct Hypergeometric {
    lowest: u64,
    observed: u64,
    /// `ln` of the number of tables, up to a constant, for each value from `lowest` on.
    ln_weights: Vec<f64>,
}

/// Tables whose support is longer than this are refused: the exact sums would take too long.
const LONGEST: u64 = 2_000_000;

impl Hypergeometric {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn new([a, b, c, d]: [u64; 4]) -> Result<Self, StatsError> {
        let too_large = || {
            StatsError::argument(
                "table",
                "too large",
                "made of counts that add up to less than 2^53",
            )
        };
        let row = a.checked_add(b).ok_or_else(too_large)?;
        let column = a.checked_add(c).ok_or_else(too_large)?;
        let other = c.checked_add(d).ok_or_else(too_large)?;
        if row.checked_add(other).is_none_or(|total| total >= 1 << 53) {
            return Err(too_large());
        }
        let lowest = column.saturating_sub(other);
        let highest = row.min(column);
        if highest - lowest > LONGEST {
            return Err(too_large());
        }
        let ln_weights = (lowest..=highest)
            .map(|k| ln_choose(row as f64, k as f64) + ln_choose(other as f64, (column - k) as f64))
            .collect();
        Ok(Self {
            lowest,
            observed: a,
            ln_weights,
        })
    }

    fn highest(&self) -> u64 {
        self.lowest + self.ln_weights.len() as u64 - 1
    }

    /// Probabilities at log odds ratio `theta`.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn probabilities(&self, theta: f64) -> Vec<f64> {
        let tilted = || {
            self.ln_weights
                .iter()
                .enumerate()
                .map(move |(index, weight)| weight + theta * index as f64)
        };
        let largest = tilted().fold(f64::NEG_INFINITY, f64::max);
        let mut law: Vec<f64> = tilted().map(|w| libm::exp(w - largest)).collect();
        let total: f64 = law.iter().sum();
        for p in &mut law {
            *p /= total;
        }
        law
    }

    /// The observed value's place in the support.
    fn place(&self) -> usize {
        usize::try_from(self.observed - self.lowest).unwrap_or(usize::MAX)
    }

    fn at_most(&self, theta: f64) -> f64 {
        self.probabilities(theta)
            .iter()
            .take(self.place() + 1)
            .sum()
    }

    fn at_least(&self, theta: f64) -> f64 {
        self.probabilities(theta).iter().skip(self.place()).sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn mean(&self, theta: f64) -> f64 {
        let law = self.probabilities(theta);
        law.iter()
            .enumerate()
            .map(|(index, p)| p * index as f64)
            .sum()
    }
}

/// Fisher's exact test of the table `[a, b, c, d]` (first row a, b). Two-sided: the sum of all
/// probabilities at most the observed one, with a relative slack of 1e-7 for rounding. One-sided:
/// tables with a larger (or smaller) first cell.
///
/// # Errors
/// When the counts add up to 2^53 or more, or the table is too large to sum.
pub fn fisher_exact(table: [u64; 4], alternative: Alternative) -> Result<f64, StatsError> {
    let law = Hypergeometric::new(table)?;
    let p = match alternative {
        Alternative::Less => law.at_most(0.0),
        Alternative::Greater => law.at_least(0.0),
        Alternative::TwoSided => {
            let law_at_one = law.probabilities(0.0);
            let observed = law_at_one.get(law.place()).copied().unwrap_or(0.0);
            law_at_one
                .iter()
                .filter(|p| **p <= observed * (1.0 + 1e-7))
                .sum()
        }
    };
    Ok(p.min(1.0))
}

/// The conditional maximum likelihood odds ratio of the table `[a, b, c, d]` and its exact interval
/// of level `1 - alpha` (J. Cornfield 1956: each end makes one tail `alpha / 2`).
///
/// # Errors
/// When `alpha` is not in (0, 1), the table is too large, or a row or column is empty, so that
/// every odds ratio fits equally well.
pub fn conditional_odds_ratio(
    table: [u64; 4],
    alpha: f64,
) -> Result<ConditionalOddsRatio, StatsError> {
    open_unit("alpha", alpha)?;
    let law = Hypergeometric::new(table)?;
    let (lowest, highest) = (law.lowest, law.highest());
    if lowest == highest {
        return Err(StatsError::undefined(
            "table",
            "a row or a column is empty, so the table says nothing about the odds ratio",
        ));
    }
    let solve = |f: &dyn Fn(f64) -> f64| -> Result<f64, StatsError> {
        let mut reach = 1.0;
        while f(-reach) * f(reach) > 0.0 && reach < 700.0 {
            reach *= 2.0;
        }
        root::bracketed("table", f, -reach, reach).map(libm::exp)
    };
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let observed = (law.observed - lowest) as f64;
    let at_top = law.observed == highest;
    let at_bottom = law.observed == lowest;
    Ok(ConditionalOddsRatio {
        estimate: match (at_top, at_bottom) {
            (true, _) => None,
            (_, true) => Some(0.0),
            _ => Some(solve(&|theta| law.mean(theta) - observed)?),
        },
        low: if at_bottom {
            0.0
        } else {
            solve(&|theta| law.at_least(theta) - alpha / 2.0)?
        },
        high: if at_top {
            None
        } else {
            Some(solve(&|theta| law.at_most(theta) - alpha / 2.0)?)
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_overlap_in_the_observed_table() {
        let table = [8, 2, 1, 5];
        let less = fisher_exact(table, Alternative::Less).unwrap();
        let greater = fisher_exact(table, Alternative::Greater).unwrap();
        let law = Hypergeometric::new(table).unwrap();
        let observed = law.probabilities(0.0)[law.place()];
        assert!((less + greater - 1.0 - observed).abs() < 1e-12);
    }

    #[test]
    fn swapping_rows_inverts_the_odds_ratio() {
        let one = conditional_odds_ratio([120, 80, 100, 100], 0.05).unwrap();
        let other = conditional_odds_ratio([100, 100, 120, 80], 0.05).unwrap();
        assert!((one.estimate.unwrap() * other.estimate.unwrap() - 1.0).abs() < 1e-9);
        assert!((one.low * other.high.unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn empty_cells_are_unbounded_and_empty_margins_are_errors() {
        let all = conditional_odds_ratio([5, 0, 2, 7], 0.05).unwrap();
        assert_eq!((all.estimate, all.high), (None, None));
        assert!(all.low > 0.0);
        let none = conditional_odds_ratio([0, 5, 7, 2], 0.05).unwrap();
        assert_eq!((none.estimate, none.low), (Some(0.0), 0.0));
        assert!(conditional_odds_ratio([0, 0, 3, 4], 0.05).is_err());
        assert!(conditional_odds_ratio([1, 2, 3, 4], 1.0).is_err());
        assert!(fisher_exact([u64::MAX, 1, 1, 1], Alternative::Less).is_err());
    }
}
