//! Claims about the search budget: `trend` and `monotone`, on shared deals.

use std::collections::BTreeMap;

use super::super::cells::{DIFFERENCE, count, holm};
use super::super::summary::Comparison;
use super::super::tally::CellTally;
use super::evidence::{self, Evidence};
use crate::plan::{Claim, Plan};
use crate::spec::Value;
use crate::stats::blocks::{self, Moments};
use crate::stats::{Alternative, Interval, StatsError};

/// Axes that are a budget, in the order of preference.
const BUDGETS: [&str; 5] = [
    "simulations",
    "challenger.simulations",
    "worlds",
    "millis",
    "challenger.millis",
];

/// One line of the grid: cells that differ in their budget only, in ascending order of it.
struct Line {
    /// log2 of the budget and the cell.
    points: Vec<(f64, usize)>,
}

/// The lines of a claim's cells; none without a budget axis.
fn lines(plan: &Plan, claim: &Claim) -> Vec<Line> {
    let Some(budget) = BUDGETS
        .iter()
        .find_map(|name| plan.axes.iter().position(|a| a == name))
    else {
        return Vec::new();
    };
    let mut groups: BTreeMap<String, Vec<(f64, usize)>> = BTreeMap::new();
    for &index in &claim.cells {
        let cell = &plan.cells[index];
        let value = match cell.axes.get(budget) {
            #[expect(clippy::cast_precision_loss, reason = "budgets are far below 2^53")]
            Some(Some(Value::Integer(i))) if *i > 0 => *i as f64,
            Some(Some(Value::Real(r))) if *r > 0.0 => *r,
            _ => continue,
        };
        let mut rest = cell.axes.clone();
        rest[budget] = None;
        let key = format!("{} {} {rest:?}", cell.label, cell.game.canonical());
        groups
            .entry(key)
            .or_default()
            .push((libm::log2(value), index));
    }
    groups
        .into_values()
        .filter(|points| points.len() > 1)
        .map(|mut points| {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Line { points }
        })
        .collect()
}

/// Block scores of a cell, kept because this claim asks for them.
fn column(tallies: &[CellTally], cell: usize) -> &[Option<f64>] {
    tallies[cell].kept.as_deref().unwrap_or(&[])
}

/// Does more search help? The slope of the score on log2(budget), one per deal over all lines,
/// tested by permuting the scores of a deal among its budgets within each line.
///
/// The deal spans all cells, so cells are not independent; deals are. Under the null every
/// permutation within a deal and line has the same chance, so a deal's slope has mean 0 and a
/// variance that is known from its own scores; over the deals the sum is compared with the normal
/// distribution (the permutation central limit theorem), which is exact enough from some tens of
/// deals on; with fewer the Student test of the interval is the more careful one and is used.
pub(super) fn trend(
    plan: &Plan,
    claim: &Claim,
    tallies: &[CellTally],
    comparisons: &mut Vec<Comparison>,
) -> Result<Evidence, StatsError> {
    let lines = lines(plan, claim);
    let slopes = deal_slopes(&lines, tallies);
    let range = slope_range(&lines);
    let p_value = if slopes.moments.count() == 0 || range.width() <= 0.0 {
        None
    } else if slopes.moments.count() < FEW_DEALS || slopes.permutation_variance <= 0.0 {
        Some(blocks::mean_test(&slopes.moments, range, 0.0, Alternative::Greater)?.p_value)
    } else {
        let z = slopes.sum / slopes.permutation_variance.sqrt();
        Some(crate::stats::distributions::normal_sf(z).max(f64::MIN_POSITIVE))
    };
    let method = if slopes.moments.count() < FEW_DEALS {
        "block t test of slopes with pseudo-blocks"
    } else {
        "permutation within deals (normal limit)"
    };
    comparisons.extend(step_comparisons(plan, claim, &lines, tallies)?);
    Ok(evidence::of_differences(
        "gain in score per doubling of the budget, averaged over deals".to_owned(),
        if p_value.is_some() {
            slopes.moments
        } else {
            Moments::default()
        },
        if range.width() > 0.0 {
            range
        } else {
            DIFFERENCE
        },
        (p_value, method),
        String::new(),
    ))
}

/// Deals below which the permutation's normal limit is not trusted.
const FEW_DEALS: u64 = 30;

/// Slopes by deal with what the permutation test needs.
struct Slopes {
    moments: Moments,
    sum: f64,
    permutation_variance: f64,
}

fn deal_slopes(lines: &[Line], tallies: &[CellTally]) -> Slopes {
    let mut slopes = Slopes {
        moments: Moments::default(),
        sum: 0.0,
        permutation_variance: 0.0,
    };
    let deals = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|&(_, cell)| column(tallies, cell).len())
        .min()
        .unwrap_or(0);
    let spread: f64 = lines.iter().map(line_spread).sum();
    if spread <= 0.0 {
        return slopes;
    }
    for deal in 0..deals {
        let mut slope = 0.0;
        let mut variance = 0.0;
        let mut whole = true;
        for line in lines {
            let centre = line_centre(line);
            let scores: Option<Vec<f64>> = line
                .points
                .iter()
                .map(|&(_, cell)| column(tallies, cell)[deal])
                .collect();
            let Some(scores) = scores else {
                whole = false;
                break;
            };
            let mean = scores.iter().sum::<f64>() / count(scores.len());
            let squares: f64 = scores.iter().map(|s| (s - mean) * (s - mean)).sum();
            slope += line
                .points
                .iter()
                .zip(&scores)
                .map(|(&(x, _), score)| (x - centre) * score)
                .sum::<f64>();
            // Variance of a linear rank-like statistic under permutation (Hoeffding 1951).
            variance += line_spread(line) * squares / count(scores.len() - 1);
        }
        if whole {
            slopes.moments.push(slope / spread);
            slopes.sum += slope / spread;
            slopes.permutation_variance += variance / (spread * spread);
        }
    }
    slopes
}

fn line_centre(line: &Line) -> f64 {
    line.points.iter().map(|&(x, _)| x).sum::<f64>() / count(line.points.len())
}

fn line_spread(line: &Line) -> f64 {
    let centre = line_centre(line);
    line.points
        .iter()
        .map(|&(x, _)| (x - centre) * (x - centre))
        .sum()
}

/// The slopes that scores in [0, 1] can have.
fn slope_range(lines: &[Line]) -> Interval {
    let spread: f64 = lines.iter().map(line_spread).sum();
    if spread <= 0.0 {
        return Interval {
            low: 0.0,
            high: 0.0,
        };
    }
    let most: f64 = lines
        .iter()
        .map(|line| {
            let centre = line_centre(line);
            line.points
                .iter()
                .map(|&(x, _)| (x - centre).max(0.0))
                .sum::<f64>()
        })
        .sum();
    Interval::new(-most / spread, most / spread)
}

/// Never drops: every step from one budget to the next, on shared deals. Supported if every step
/// is shown to be above minus the margin (the intersection-union test: the largest p-value
/// counts); refuted if a drop is significant after Holm's correction over the steps.
pub(super) fn monotone(
    plan: &Plan,
    claim: &Claim,
    tallies: &[CellTally],
    comparisons: &mut Vec<Comparison>,
) -> Result<Evidence, StatsError> {
    let lines = lines(plan, claim);
    let margin = claim.margin.unwrap_or(0.0);
    let mut smallest: Option<(f64, Moments)> = None;
    let mut not_above = None::<f64>;
    let mut drops = Vec::new();
    for (first, second) in steps(&lines) {
        let numbers = differences(tallies, first, second);
        let Some(mean) = numbers.mean() else { continue };
        let above = blocks::mean_test(&numbers, DIFFERENCE, -margin, Alternative::Greater)?.p_value;
        let below = blocks::mean_test(&numbers, DIFFERENCE, 0.0, Alternative::Less)?.p_value;
        not_above = Some(not_above.map_or(above, |p| p.max(above)));
        drops.push(below);
        if smallest.as_ref().is_none_or(|(least, _)| mean < *least) {
            smallest = Some((mean, numbers));
        }
    }
    let level = 1.0 - plan.confidence;
    let dropped = holm(&drops)?.iter().filter(|&&p| p < level).count();
    let note = format!(
        "; {} steps, {dropped} significant drops after correction",
        drops.len()
    );
    comparisons.extend(step_comparisons(plan, claim, &lines, tallies)?);
    Ok(evidence::of_smallest_step(
        smallest.map_or_else(Moments::default, |(_, numbers)| numbers),
        margin,
        not_above,
        dropped > 0,
        note,
    ))
}

fn steps(lines: &[Line]) -> impl Iterator<Item = (usize, usize)> + '_ {
    lines
        .iter()
        .flat_map(|line| line.points.windows(2).map(|pair| (pair[0].1, pair[1].1)))
}

/// Differences of block scores, second minus first, over the deals that both completed.
fn differences(tallies: &[CellTally], first: usize, second: usize) -> Moments {
    pairs(tallies, first, second).map(|(a, b)| b - a).collect()
}

fn pairs(
    tallies: &[CellTally],
    first: usize,
    second: usize,
) -> impl Iterator<Item = (f64, f64)> + '_ {
    column(tallies, first)
        .iter()
        .zip(column(tallies, second))
        .filter_map(|(a, b)| Some(((*a)?, (*b)?)))
}

/// Rows of `comparisons.csv` for every step, corrected over the claim's steps.
fn step_comparisons(
    plan: &Plan,
    claim: &Claim,
    lines: &[Line],
    tallies: &[CellTally],
) -> Result<Vec<Comparison>, StatsError> {
    let steps: Vec<(usize, usize)> = steps(lines).collect();
    let alpha = (1.0 - plan.confidence) / count(steps.len());
    let mut rows = Vec::new();
    for (first, second) in steps {
        let numbers = differences(tallies, first, second);
        let Some(difference) = numbers.mean() else {
            continue;
        };
        let test = blocks::mean_test(&numbers, DIFFERENCE, 0.0, Alternative::TwoSided)?;
        rows.push(Comparison {
            claim: claim.name.clone(),
            first,
            second,
            shared_blocks: numbers.count(),
            difference,
            interval: blocks::mean_interval(&numbers, DIFFERENCE, alpha)?,
            method: format!("paired {}", blocks::MEAN_INTERVAL_METHOD),
            p_value: test.p_value,
            p_adjusted: test.p_value,
            variance_saved: variance_saved(tallies, first, second, &numbers),
        });
    }
    let p_values: Vec<f64> = rows.iter().map(|row| row.p_value).collect();
    for (row, p) in rows.iter_mut().zip(holm(&p_values)?) {
        row.p_adjusted = p;
    }
    Ok(rows)
}

/// 1 - variance of the paired difference / sum of the variances: what sharing deals saved.
fn variance_saved(
    tallies: &[CellTally],
    first: usize,
    second: usize,
    difference: &Moments,
) -> Option<f64> {
    let one: Moments = pairs(tallies, first, second).map(|(a, _)| a).collect();
    let two: Moments = pairs(tallies, first, second).map(|(_, b)| b).collect();
    let unpaired = one.deviation()?.powi(2) + two.deviation()?.powi(2);
    (unpaired > 0.0).then_some(1.0 - difference.deviation()?.powi(2) / unpaired)
}
