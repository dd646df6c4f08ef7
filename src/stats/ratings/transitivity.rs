//! Whether one number for each player describes the results.

use super::super::blocks::{Moments, mean_interval, mean_test};
use super::super::distributions::ChiSquared;
use super::super::multiple_testing::{Adjustment, adjust};
use super::super::{Alternative, Interval, StatsError};
use super::from_blocks::{BlockResult, Influences, longest_blocks};
use std::collections::BTreeMap;

/// One cell of the payoff matrix.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct PairScore {
    /// One player.
    pub first: usize,
    /// The other player, with a larger number.
    pub second: usize,
    /// Blocks of the two.
    pub blocks: u64,
    /// Mean block score of `first`, in `[0, 1]`.
    pub score: f64,
    /// Its interval (t on the blocks with pseudo-blocks).
    pub interval: Interval,
}

/// Three players of whom each beats the next and the last beats the first.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Cycle {
    /// The players; the smallest number first, each beats the one after it.
    pub players: [usize; 3],
    /// The smallest of the three scores.
    pub weakest_score: f64,
    /// One-sided p-value that all three scores exceed 1/2: the largest of the three (R. L. Berger
    /// 1982), Holm-adjusted over both directions of all triples.
    pub p_adjusted: f64,
}

/// The lack of fit of the Bradley-Terry model.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Lack {
    /// Residual deviance: twice the log-likelihood distance to one probability for each pair.
    pub deviance: f64,
    /// Degrees of freedom: pairs that met, less players, plus 1.
    pub df: u64,
    /// How much larger the residuals vary than those of independent games would.
    pub design_effect: f64,
    /// Tail of deviance / design effect (J. N. K. Rao and A. J. Scott, first-order correction,
    /// Annals of Statistics 12, 1984).
    pub p_value: f64,
}

/// What speaks against rating the players by one number each.
#[derive(Clone, PartialEq, Debug)]
pub struct Transitivity {
    /// The payoff matrix: every pair that met.
    pub pairs: Vec<PairScore>,
    /// The lack of fit; `None` where the model fits any results (no circle of pairs).
    pub lack: Option<Lack>,
    /// All cycles of three in the observed scores, the most certain first.
    pub cycles: Vec<Cycle>,
}

pub(super) fn examine(
    players: usize,
    pairs: &[(usize, usize)],
    results: &[BlockResult],
    influences: &Influences,
    deviance: f64,
    alpha: f64,
) -> Result<Transitivity, StatsError> {
    let mut moments: BTreeMap<(usize, usize), Moments> = BTreeMap::new();
    for result in results {
        let score = result.points / result.games;
        if result.first < result.second {
            let pair = moments.entry((result.first, result.second)).or_default();
            pair.push(score);
        } else {
            let pair = moments.entry((result.second, result.first)).or_default();
            pair.push(1.0 - score);
        }
    }
    let unit = Interval::new(0.0, 1.0);
    let scores = moments
        .iter()
        .map(|((first, second), moments)| {
            Ok(PairScore {
                first: *first,
                second: *second,
                blocks: moments.count(),
                score: moments.mean().unwrap_or(0.5),
                interval: mean_interval(moments, unit, alpha)?,
            })
        })
        .collect::<Result<Vec<_>, StatsError>>()?;
    let df = (pairs.len() + 1).saturating_sub(players);
    let lack = if df == 0 {
        None
    } else {
        Some(lack_of_fit(pairs, results, influences, deviance, df)?)
    };
    Ok(Transitivity {
        pairs: scores,
        lack,
        cycles: cycles(players, &moments)?,
    })
}

/// The residual of a pair, after the fit took its part, added up by deal and squared.
#[expect(clippy::cast_precision_loss, reason = "a handful of pairs")]
fn lack_of_fit(
    pairs: &[(usize, usize)],
    results: &[BlockResult],
    influences: &Influences,
    deviance: f64,
    df: usize,
) -> Result<Lack, StatsError> {
    let mut deals: BTreeMap<u64, Vec<(usize, usize, f64)>> = BTreeMap::new();
    let mut games: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for result in results {
        let residual = influences.residual(result);
        let (first, second, residual) = if result.first < result.second {
            (result.first, result.second, residual)
        } else {
            (result.second, result.first, -residual)
        };
        deals
            .entry(result.block)
            .or_default()
            .push((first, second, residual));
        *games.entry((first, second)).or_default() += result.games;
    }
    // Pseudo-blocks as in the ratings: no residual has zero variance.
    let pseudo: Vec<Vec<(usize, usize, f64)>> = longest_blocks(results)
        .into_iter()
        .flat_map(|((first, second), games)| {
            let p = influences.probability(first, second);
            [games * (1.0 - p), -games * p].map(|residual| vec![(first, second, residual)])
        })
        .collect();
    let mut variances = vec![0.0; pairs.len()];
    for deal in deals.values().chain(&pseudo) {
        let pull = influences.pull(deal.iter().copied());
        let strength = |player: usize| player.checked_sub(1).map_or(0.0, |index| pull[index]);
        for (variance, pair) in variances.iter_mut().zip(pairs) {
            let own: f64 = deal
                .iter()
                .filter(|(first, second, _)| (*first, *second) == *pair)
                .map(|(_, _, residual)| residual)
                .sum();
            let p = influences.probability(pair.0, pair.1);
            let information = games.get(pair).copied().unwrap_or(0.0) * p * (1.0 - p);
            let left = own - information * (strength(pair.0) - strength(pair.1));
            *variance += left * left;
        }
    }
    let total: f64 = variances
        .iter()
        .zip(pairs)
        .map(|(variance, pair)| {
            let p = influences.probability(pair.0, pair.1);
            variance / (games.get(pair).copied().unwrap_or(0.0) * p * (1.0 - p))
        })
        .sum();
    let design_effect = total / df as f64;
    let p_value = ChiSquared::new(df as f64)?.sf(deviance / design_effect);
    Ok(Lack {
        deviance,
        df: df as u64,
        design_effect,
        p_value: p_value.clamp(f64::MIN_POSITIVE, 1.0),
    })
}

fn cycles(
    players: usize,
    moments: &BTreeMap<(usize, usize), Moments>,
) -> Result<Vec<Cycle>, StatsError> {
    let unit = Interval::new(0.0, 1.0);
    // Score of a against b and the p-value that it exceeds 1/2.
    let mut beats: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for ((first, second), moments) in moments {
        let score = moments.mean().unwrap_or(0.5);
        let greater = mean_test(moments, unit, 0.5, Alternative::Greater)?.p_value;
        let less = mean_test(moments, unit, 0.5, Alternative::Less)?.p_value;
        beats.insert((*first, *second), (score, greater));
        beats.insert((*second, *first), (1.0 - score, less));
    }
    let mut found = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            for c in b + 1..players {
                for [x, y, z] in [[a, b, c], [a, c, b]] {
                    let edges = [(x, y), (y, z), (z, x)];
                    let known: Vec<_> = edges.iter().filter_map(|edge| beats.get(edge)).collect();
                    if known.len() == 3 {
                        let weakest = known.iter().map(|(s, _)| *s).fold(1.0, f64::min);
                        let p = known.iter().map(|(_, p)| *p).fold(0.0, f64::max);
                        found.push(([x, y, z], weakest, p));
                    }
                }
            }
        }
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let p_values: Vec<f64> = found.iter().map(|(_, _, p)| *p).collect();
    let adjusted = adjust(&p_values, Adjustment::Holm)?;
    let mut cycles: Vec<Cycle> = found
        .into_iter()
        .zip(adjusted)
        .filter(|((_, weakest, _), _)| *weakest > 0.5)
        .map(|((players, weakest_score, _), p_adjusted)| Cycle {
            players,
            weakest_score,
            p_adjusted,
        })
        .collect();
    cycles.sort_by(|one, other| {
        one.p_adjusted
            .total_cmp(&other.p_adjusted)
            .then(other.weakest_score.total_cmp(&one.weakest_score))
            .then(one.players.cmp(&other.players))
    });
    Ok(cycles)
}
