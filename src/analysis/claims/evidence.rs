//! What the data say about one claim: estimate, one-sided p-value, interval.

use super::super::cells::{DIFFERENCE, UNIT, test_of_equal_strength};
use super::super::sample::{Ending, Sample};
use super::super::summary::{CellSummary, Comparison};
use super::super::tally::CellTally;
use super::steps;
use crate::numbers::{decimals, percent};
use crate::plan::{Claim, ClaimKind, Phase, Plan};
use crate::stats::blocks::TestResult;
use crate::stats::{Alternative, Interval, StatsError};

/// The evidence for one claim.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// What the estimate is.
    pub quantity: String,
    /// Whether it is a score (shown in per cent) or a difference or slope.
    pub is_score: bool,
    /// What it is compared with, in words.
    pub against: String,
    /// The estimate.
    pub estimate: Option<f64>,
    /// Whether it lies on the claimed side.
    pub on_claimed_side: bool,
    /// One-sided p-value in the claimed direction.
    pub p_value: Option<f64>,
    /// The test's name.
    pub p_method: String,
    /// More for the sentence, starting with a semicolon, or nothing.
    pub note: String,
    /// What a supported claim of this kind still does not say, starting with a semicolon, or
    /// nothing.
    pub limit: &'static str,
    /// Why there is no estimate, if there is none.
    pub missing: String,
    /// Of how many estimates this one was chosen because of its value: the interval must hold for
    /// all of them.
    chosen_of: usize,
    /// The numbers whose mean is the estimate, and their range.
    numbers: Sample,
    range: Interval,
    /// The interval refutes if it lies outside this one, wholly.
    refuting: Refuting,
}

/// What refutes a claim.
#[derive(Clone, Copy, Debug)]
enum Refuting {
    /// An interval wholly below this value.
    Below(f64),
    /// An interval wholly outside this one.
    Outside(Interval),
    /// A significant drop was found, or not, from one budget to the next (whatever the interval).
    Drop(bool),
}

impl Evidence {
    /// The interval of the estimate with error `alpha`.
    pub(super) fn interval(&self, alpha: f64) -> Result<Option<Interval>, StatsError> {
        if self.numbers.count() == 0 {
            return Ok(None);
        }
        let alpha = alpha / super::super::cells::count(self.chosen_of.max(1));
        self.numbers.interval(self.range, alpha).map(Some)
    }

    /// The interval's name, and what it holds for.
    pub(super) fn interval_method(&self) -> String {
        let method = self.numbers.interval_method();
        if self.chosen_of > 1 {
            format!("{method}, simultaneous over {} steps", self.chosen_of)
        } else {
            method.to_owned()
        }
    }

    /// Why the claim is refuted, in words.
    pub(super) fn refutation(&self) -> &'static str {
        match self.refuting {
            Refuting::Below(_) => "the interval lies wholly below that",
            Refuting::Outside(_) => "the interval lies wholly outside it",
            Refuting::Drop(_) => "a drop that is significant after correction refutes it",
        }
    }

    pub(super) fn refuted_by(&self, interval: Interval) -> bool {
        match self.refuting {
            Refuting::Below(value) => interval.high < value,
            Refuting::Outside(zone) => interval.high < zone.low || interval.low > zone.high,
            Refuting::Drop(found) => found,
        }
    }

    /// Whether the interval alone shows the claim, too.
    pub(super) fn shown_by(&self, interval: Interval) -> bool {
        match self.refuting {
            Refuting::Below(value) => interval.low > value,
            Refuting::Outside(zone) => zone.contains(interval.low) && zone.contains(interval.high),
            // Its estimate is the smallest of several steps, which the test judges together.
            Refuting::Drop(_) => true,
        }
    }
}

/// The evidence for `claim`.
pub(super) fn of(
    plan: &Plan,
    claim: &Claim,
    tallies: &[CellTally],
    cells: &[CellSummary],
    comparisons: &mut Vec<Comparison>,
) -> Result<Evidence, StatsError> {
    match claim.kind {
        ClaimKind::Better | ClaimKind::AtLeast => one_sided(plan, claim, &claim.cells, tallies),
        ClaimKind::Equivalent => equivalent(plan, claim, tallies),
        ClaimKind::Trend => steps::trend(plan, claim, tallies, comparisons),
        ClaimKind::Monotone => steps::monotone(plan, claim, tallies, comparisons),
        ClaimKind::Best => best(plan, claim, tallies, cells),
    }
}

/// Evidence about the equal-weight mean of some cells, taken per deal.
fn mean_evidence(
    cells: &[usize],
    tallies: &[CellTally],
    ending: Ending,
    against: String,
) -> Evidence {
    let numbers = per_deal_mean(cells, tallies, ending);
    Evidence {
        quantity: if cells.len() == 1 {
            "score".to_owned()
        } else {
            format!("mean score over {} cells, taken per deal", cells.len())
        },
        is_score: true,
        against,
        estimate: numbers.mean(),
        on_claimed_side: false,
        p_value: None,
        p_method: String::new(),
        note: String::new(),
        limit: "",
        chosen_of: 1,
        missing: "There is no complete block to judge it by.".to_owned(),
        numbers,
        range: UNIT,
        refuting: Refuting::Drop(false),
    }
}

/// Mean over cells for each deal that all of them completed.
fn per_deal_mean(cells: &[usize], tallies: &[CellTally], ending: Ending) -> Sample {
    if let [cell] = cells {
        return Sample::of(&tallies[*cell].primary, ending);
    }
    let columns: Vec<&[Option<f64>]> = cells
        .iter()
        .filter_map(|&cell| tallies[cell].kept.as_deref())
        .collect();
    let deals = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    let size = super::super::cells::count(columns.len());
    let means = (0..deals).filter_map(|deal| {
        let total: Option<f64> = columns.iter().map(|column| column[deal]).sum();
        total.map(|sum| sum / size)
    });
    Sample::collect(means, ending)
}

fn one_sided(
    plan: &Plan,
    claim: &Claim,
    cells: &[usize],
    tallies: &[CellTally],
) -> Result<Evidence, StatsError> {
    let margin = if claim.kind == ClaimKind::AtLeast {
        claim.margin.unwrap_or(0.0)
    } else {
        0.0
    };
    let bar = claim.threshold - margin;
    let ending = Ending::of(plan);
    let against = format!("the threshold {}", percent(bar));
    let mut evidence = mean_evidence(cells, tallies, ending, against);
    evidence.on_claimed_side = evidence.estimate.is_some_and(|e| e > bar);
    evidence.refuting = Refuting::Below(bar);
    if evidence.numbers.count() > 0 {
        let test = test_mean(cells, tallies, ending, &evidence.numbers, bar)?;
        evidence.p_value = Some(test.p_value);
        evidence.p_method = test.method.to_string();
    }
    Ok(evidence)
}

/// One-sided p-value of "the mean is above `bar`": exact where exchanging the players is the null
/// (one cell against the fair share), else the test that belongs to the interval.
fn test_mean(
    cells: &[usize],
    tallies: &[CellTally],
    ending: Ending,
    numbers: &Sample,
    bar: f64,
) -> Result<TestResult, StatsError> {
    if let [cell] = cells {
        let tally = &tallies[*cell];
        if tally.is_fair_share(bar) {
            return test_of_equal_strength(tally, ending, Alternative::Greater);
        }
    }
    numbers.test(UNIT, bar, Alternative::Greater)
}

/// Two one-sided tests (Schuirmann 1987) with the margin declared in the config.
fn equivalent(plan: &Plan, claim: &Claim, tallies: &[CellTally]) -> Result<Evidence, StatsError> {
    let margin = claim.margin.unwrap_or(0.0);
    let zone = Interval::new(claim.threshold - margin, claim.threshold + margin);
    let against = format!("the zone {} to {}", percent(zone.low), percent(zone.high));
    let mut evidence = mean_evidence(&claim.cells, tallies, Ending::of(plan), against);
    evidence.on_claimed_side = evidence.estimate.is_some_and(|e| zone.contains(e));
    evidence.refuting = Refuting::Outside(zone);
    if evidence.numbers.count() > 0 {
        let numbers = &evidence.numbers;
        let above = numbers.test(UNIT, zone.low, Alternative::Greater)?;
        let below = numbers.test(UNIT, zone.high, Alternative::Less)?;
        evidence.p_value = Some(above.p_value.max(below.p_value));
        evidence.p_method = format!("larger of two one-sided tests: {}", above.method);
    }
    Ok(evidence)
}

/// The cell selected on the first deals, judged on fresh ones only.
fn best(
    plan: &Plan,
    claim: &Claim,
    tallies: &[CellTally],
    cells: &[CellSummary],
) -> Result<Evidence, StatsError> {
    let selected = select(claim, cells);
    let confirmation = selected.and_then(|selected| {
        plan.cells.iter().find(|cell| {
            cell.phase == Phase::Confirm
                && cell.challenger == plan.cells[selected].challenger
                && cell.opponent_label == claim.opponent
                && cell.game == plan.cells[selected].game
        })
    });
    let (Some(selected), Some(confirmation)) = (selected, confirmation) else {
        let mut evidence = mean_evidence(&[], tallies, Ending::Fixed, String::new());
        "The selected cell has not been played on fresh deals yet."
            .clone_into(&mut evidence.missing);
        return Ok(evidence);
    };
    let mut evidence = one_sided(plan, claim, &[confirmation.index], tallies)?;
    let summary = &cells[selected];
    evidence.quantity = format!(
        "score of {} on {} fresh deals, selected as the best of {} cells",
        describe(plan, selected),
        tallies[confirmation.index].blocks,
        claim.cells.len()
    );
    evidence.note = format!(
        "; on the deals of the selection it scored {}, which must not be quoted",
        summary.score.map_or_else(|| "nothing".to_owned(), percent)
    );
    Ok(evidence)
}

/// The cell with the highest score; the first of equals.
pub(super) fn select(claim: &Claim, cells: &[CellSummary]) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for &index in &claim.cells {
        if let Some(score) = cells.get(index).and_then(|c| c.score)
            && best.is_none_or(|(most, _)| score > most)
        {
            best = Some((score, index));
        }
    }
    best.map(|(_, index)| index)
}

/// A cell by its challenger and axes, such as `ismcts (simulations 1000, exploration 0.7)`.
pub(in crate::analysis) fn describe(plan: &Plan, index: usize) -> String {
    let cell = &plan.cells[index];
    let axes: Vec<String> = plan
        .axes
        .iter()
        .zip(&cell.axes)
        .filter_map(|(axis, value)| value.as_ref().map(|value| format!("{axis} {value}")))
        .collect();
    if axes.is_empty() {
        cell.label.clone()
    } else {
        format!("{} ({})", cell.label, axes.join(", "))
    }
}

/// Evidence whose estimate is a mean of differences or slopes.
pub(super) fn of_differences(
    quantity: String,
    numbers: Sample,
    range: Interval,
    test: Option<TestResult>,
) -> Evidence {
    let estimate = numbers.mean();
    Evidence {
        quantity,
        is_score: false,
        against: "0".to_owned(),
        estimate,
        on_claimed_side: estimate.is_some_and(|e| e > 0.0),
        p_value: test.as_ref().map(|test| test.p_value),
        p_method: test.map_or_else(String::new, |test| test.method.to_string()),
        note: String::new(),
        limit: "; that scores rise on the whole does not say that every step helps",
        chosen_of: 1,
        missing: "There is no deal that all cells completed.".to_owned(),
        numbers,
        range,
        refuting: Refuting::Below(0.0),
    }
}

/// Evidence for "never drops": the smallest of `steps`, refuted by a significant drop.
pub(super) fn of_smallest_step(
    numbers: Sample,
    steps: usize,
    margin: f64,
    test: Option<TestResult>,
    dropped: bool,
    note: String,
) -> Evidence {
    let mut evidence = of_differences(
        "smallest step from one budget to the next".to_owned(),
        numbers,
        DIFFERENCE,
        test,
    );
    if !evidence.p_method.is_empty() {
        evidence.p_method = format!("largest of the steps: {}", evidence.p_method);
    }
    evidence.note = note;
    evidence.limit = "";
    evidence.chosen_of = steps;
    if margin > 0.0 {
        evidence.against = format!("a drop of {} points", decimals(margin * 100.0, 2));
    }
    evidence.on_claimed_side = evidence.estimate.is_some_and(|e| e > -margin);
    evidence.refuting = Refuting::Drop(dropped);
    evidence
}
