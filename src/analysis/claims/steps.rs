//! Claims about the search budget: `trend` and `monotone`, on shared deals.

use std::collections::BTreeMap;

use super::super::cells::{DIFFERENCE, count, holm};
use super::super::sample::{Ending, Sample};
use super::super::summary::Comparison;
use super::super::tally::CellTally;
use super::evidence::{self, Evidence};
use crate::plan::{Claim, Plan};
use crate::rng::Seed;
use crate::spec::Value;
use crate::stats::blocks::{Moments, TestResult};
use crate::stats::dose_response::Lines;
use crate::stats::{Alternative, StatsError};

/// One line of the grid: cells that differ in their budget only, in ascending order of it.
pub(super) struct Line {
    /// log2 of the budget and the cell.
    pub(super) points: Vec<(f64, usize)>,
}

/// The lines of a claim's cells; none without a budget axis.
pub(super) fn lines(plan: &Plan, claim: &Claim) -> Vec<Line> {
    let Some(budget) = plan.budget_axis() else {
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
pub(super) fn column(tallies: &[CellTally], cell: usize) -> &[Option<f64>] {
    tallies[cell].kept.as_deref().unwrap_or(&[])
}

/// Does more search help? The slope of the score on log2(budget), one per deal over all lines,
/// tested by permuting the scores of a deal among its budgets within each line.
///
/// The deal spans all cells, so cells are not independent; deals are. If the budget makes no
/// difference, every permutation within a deal and line has the same chance. In a run that may
/// stop early the slopes get a test that holds at any time instead.
pub(super) fn trend(
    plan: &Plan,
    claim: &Claim,
    tallies: &[CellTally],
    comparisons: &mut Vec<Comparison>,
) -> Result<Evidence, StatsError> {
    let ending = Ending::of(plan);
    let lines = lines(plan, claim);
    let scores = scores(&lines, tallies);
    let slopes = Sample::collect(scores.slopes(), ending);
    let range = scores.range();
    let test = if slopes.count() == 0 || range.width() <= 0.0 {
        None
    } else if ending == Ending::AnyTime {
        Some(slopes.test(range, 0.0, Alternative::Greater)?)
    } else {
        let seed = Seed::root(plan.seed).derive("trend", &[claim.name.as_bytes()]);
        Some(scores.test(Alternative::Greater, seed))
    };
    comparisons.extend(step_comparisons(plan, claim, &lines, tallies)?);
    Ok(evidence::of_differences(
        "gain in score per doubling of the budget, averaged over deals".to_owned(),
        if test.is_some() {
            slopes
        } else {
            Sample::empty()
        },
        if range.width() > 0.0 {
            range
        } else {
            DIFFERENCE
        },
        test,
    ))
}

/// Scores that the deals which all cells completed have along each line.
fn scores(lines: &[Line], tallies: &[CellTally]) -> Lines {
    let doses = |line: &Line| line.points.iter().map(|&(dose, _)| dose).collect();
    let mut scores = Lines::new(&lines.iter().map(doses).collect::<Vec<_>>());
    let cells = || lines.iter().flat_map(|line| &line.points);
    let deals = cells()
        .map(|&(_, cell)| column(tallies, cell).len())
        .min()
        .unwrap_or(0);
    for deal in 0..deals {
        scores.push(cells().map(|&(_, cell)| column(tallies, cell)[deal]));
    }
    scores
}

/// Never drops: every step from one budget to the next, on shared deals. Supported if every step
/// is shown to be above minus the margin (the intersection-union test: the largest p-value
/// counts); refuted if some step is shown to be below minus the margin, after Holm's correction
/// over the steps and Bonferroni's over the declared claims.
pub(super) fn monotone(
    plan: &Plan,
    claim: &Claim,
    tallies: &[CellTally],
    comparisons: &mut Vec<Comparison>,
) -> Result<Evidence, StatsError> {
    let lines = lines(plan, claim);
    let margin = claim.margin.unwrap_or(0.0);
    let ending = Ending::of(plan);
    let mut smallest: Option<(f64, Sample)> = None;
    let mut not_above = None::<TestResult>;
    let mut drops = Vec::new();
    for (first, second) in steps(&lines) {
        let numbers = differences(tallies, first, second, ending);
        let Some(mean) = numbers.mean() else { continue };
        let above = numbers.test(DIFFERENCE, -margin, Alternative::Greater)?;
        let below = numbers.test(DIFFERENCE, -margin, Alternative::Less)?;
        if not_above.as_ref().is_none_or(|p| above.p_value > p.p_value) {
            not_above = Some(above);
        }
        drops.push(below.p_value);
        if smallest.as_ref().is_none_or(|(least, _)| mean < *least) {
            smallest = Some((mean, numbers));
        }
    }
    let level = (1.0 - plan.confidence) / count(plan.claims.len());
    let dropped = holm(&drops)?.iter().filter(|&&p| p < level).count();
    let plural = |number: usize| if number == 1 { "" } else { "s" };
    let note = format!(
        "; {} step{}, {dropped} significant drop{} (Holm over the steps)",
        drops.len(),
        plural(drops.len()),
        plural(dropped),
    );
    comparisons.extend(step_comparisons(plan, claim, &lines, tallies)?);
    Ok(evidence::of_smallest_step(
        smallest.map_or_else(Sample::empty, |(_, numbers)| numbers),
        drops.len(),
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
fn differences(tallies: &[CellTally], first: usize, second: usize, ending: Ending) -> Sample {
    Sample::collect(pairs(tallies, first, second).map(|(a, b)| b - a), ending)
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
    let ending = Ending::of(plan);
    let mut rows = Vec::new();
    for (first, second) in steps {
        let numbers = differences(tallies, first, second, ending);
        let Some(difference) = numbers.mean() else {
            continue;
        };
        let test = numbers.test(DIFFERENCE, 0.0, Alternative::TwoSided)?;
        rows.push(Comparison {
            claim: claim.name.clone(),
            first,
            second,
            shared_blocks: numbers.count(),
            difference,
            interval: numbers.interval(DIFFERENCE, alpha)?,
            method: format!("paired {}", ending.interval_method()),
            p_value: test.p_value,
            p_adjusted: test.p_value,
            variance_saved: variance_saved(tallies, first, second, &numbers.moments()),
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
