//! Do the statistics of a sweep keep their promises? Whole sweeps are simulated from laws whose
//! truth is known, analysed by the very code that analyses a real run, and compared with it.
//!
//! [`laws`] are the laws of a block, [`scenario`] the documented set, [`simulate`] repeats one of
//! them, [`promises`] finds the worst of what was found, [`table`] says it, [`chart`] draws it,
//! [`page`] reports it and [`folder`] keeps it. The result depends on the seed and the number of
//! repetitions only, not on threads.

pub mod chart;
pub mod folder;
pub mod laws;
pub mod page;
pub mod promises;
pub mod scenario;
pub mod simulate;
pub mod table;
pub mod tictactoe;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use crate::stats::StatsError;
use scenario::Scenario;
use simulate::{METHODS, Measure, Sum, Sums};

/// Monte-Carlo errors are given as this many standard errors on either side: with some hundred
/// checks, two would raise false alarms.
pub const STANDARD_ERRORS: f64 = 3.0;
/// What the default 95 % interval must cover at least. It is approximate.
pub const LEAST_COVERAGE: f64 = 0.94;
/// What false positives may be at most: the level of the claims.
pub const MOST_FALSE: f64 = 0.05;
/// How wide the default interval may be, relative to the narrowest method that is valid in all
/// scenarios of the size.
pub const MOST_WIDTH: f64 = 1.3;
/// The measure that is found by comparing rows: width relative to the narrowest valid method.
pub const WIDTH_RATIO: &str = "width-ratio";

/// A measured number with its Monte-Carlo error and what it must not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The scenario.
    pub scenario: Scenario,
    /// What was measured.
    pub measure: &'static str,
    /// Of which interval; empty where there is one only.
    pub method: &'static str,
    /// Repetitions.
    pub repetitions: u64,
    /// The number.
    pub value: f64,
    /// The number less and plus its Monte-Carlo error.
    pub range: (f64, f64),
    /// The bound, if something is promised.
    pub bound: Option<Bound>,
}

/// A promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// At least so much.
    Least(f64),
    /// At most so much.
    Most(f64),
}

impl Row {
    /// Whether the promise is kept, Monte-Carlo error allowed for; `None` without a promise.
    pub fn holds(&self) -> Option<bool> {
        self.bound.map(|bound| match bound {
            Bound::Least(least) => self.range.1 >= least,
            Bound::Most(most) => self.range.0 <= most,
        })
    }
}

/// Which scenarios are simulated, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Repetitions of a scenario with share 1.
    pub repetitions: u64,
    /// Only scenarios whose name holds this text.
    pub filter: Option<String>,
    /// The root seed.
    pub seed: u64,
    /// A quick selection of sizes.
    pub quick: bool,
}

/// Simulates; `told` hears of every scenario that is done (its number from 1, of how many).
/// `None` if `stop` was set meanwhile.
///
/// # Errors
/// If a statistic has no value, which would be a fault of this program.
pub fn run(
    options: &Options,
    stop: &AtomicBool,
    mut told: impl FnMut(usize, usize, &Scenario),
) -> Result<Option<Vec<Row>>, StatsError> {
    let wanted = |scenario: &Scenario| {
        options
            .filter
            .as_ref()
            .is_none_or(|text| scenario.name.contains(text.as_str()))
    };
    let mut all = scenario::scenarios(options.quick);
    all.retain(wanted);
    let mut rows = Vec::new();
    for (number, scenario) in all.iter().enumerate() {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a number of repetitions"
        )]
        let repetitions = ((options.repetitions as f64 * scenario.share).round() as u64).max(1);
        let Some(sums) = simulate::simulate(scenario, repetitions, options.seed, stop)? else {
            return Ok(None);
        };
        rows.extend(rows_of(scenario, &sums));
        told(number + 1, all.len(), scenario);
    }
    Ok(Some(with_ratios(rows)))
}

fn rows_of(scenario: &Scenario, sums: &Sums) -> Vec<Row> {
    sums.iter()
        .map(|(&(measure, method), sum)| {
            let (value, range) = estimate(measure, *sum);
            Row {
                scenario: scenario.clone(),
                measure: measure.word(),
                method,
                repetitions: sum.trials,
                value,
                range,
                bound: bound(measure, method),
            }
        })
        .collect()
}

/// The number with its Monte-Carlo error. For rates the score interval of Wilson, which has a width
/// also at 0 and 1.
fn estimate(measure: Measure, sum: Sum) -> (f64, (f64, f64)) {
    #[expect(clippy::cast_precision_loss, reason = "a number of repetitions")]
    let n = sum.trials.max(1) as f64;
    let value = sum.sum / n;
    if measure.is_mean() {
        let variance = (sum.squares / n - value * value).max(0.0);
        let error = STANDARD_ERRORS * (variance / n).sqrt();
        return (value, (value - error, value + error));
    }
    let z = STANDARD_ERRORS * STANDARD_ERRORS / n;
    let centre = (value + z / 2.0) / (1.0 + z);
    let reach = (value * (1.0 - value) * z + z * z / 4.0).sqrt() / (1.0 + z);
    (
        value,
        ((centre - reach).max(0.0), (centre + reach).min(1.0)),
    )
}

/// What is promised of a measure, by its word.
fn bound_of(word: &str, method: &str) -> Option<Bound> {
    if word == WIDTH_RATIO {
        return Some(Bound::Most(MOST_WIDTH));
    }
    let measure = Measure::ALL.into_iter().find(|m| m.word() == word)?;
    bound(measure, method)
}

fn bound(measure: Measure, method: &str) -> Option<Bound> {
    match measure {
        Measure::Coverage if method.is_empty() || method == METHODS[0] => {
            Some(Bound::Least(LEAST_COVERAGE))
        }
        Measure::SimultaneousCoverage => Some(Bound::Least(LEAST_COVERAGE)),
        Measure::FalsePositive
        | Measure::FamilyFalsePositive
        | Measure::ClaimFalsePositive
        | Measure::LookFalsePositive
        | Measure::WrongDecision => Some(Bound::Most(MOST_FALSE)),
        _ => None,
    }
}

/// The rows with the quotients of widths, which follow from all of them, at their end.
fn with_ratios(mut rows: Vec<Row>) -> Vec<Row> {
    rows.retain(|row| row.measure != WIDTH_RATIO);
    rows.extend(width_ratios(&rows));
    rows
}

/// Measurements of the same scenarios with some measured anew: `new` rows take the places of `old`
/// ones of their scenarios, in the order of [`scenario::scenarios`].
pub fn merge(old: Vec<Row>, new: &[Row]) -> Vec<Row> {
    let names: BTreeSet<&str> = new.iter().map(|row| row.scenario.name.as_str()).collect();
    let mut rows: Vec<Row> = old;
    rows.retain(|row| !names.contains(row.scenario.name.as_str()));
    rows.extend(new.iter().cloned());
    let order = scenario::scenarios(false);
    rows.sort_by_cached_key(|row| order.iter().position(|s| s.name == row.scenario.name));
    with_ratios(rows)
}

/// Per cell scenario: the width of the default interval relative to the narrowest method that is
/// valid in all scenarios of the size, that is, whose coverage reaches [`LEAST_COVERAGE`] less
/// Monte-Carlo error there.
fn width_ratios(rows: &[Row]) -> Vec<Row> {
    let of_cells = |row: &&Row| row.scenario.question == scenario::Question::Cell;
    let measured = |measure: Measure| {
        rows.iter()
            .filter(of_cells)
            .filter(move |row| row.measure == measure.word())
    };
    let valid = |method: &str, blocks: u64| {
        measured(Measure::Coverage)
            .filter(|row| row.method == method && row.scenario.blocks == blocks)
            .all(|row| row.range.1 >= LEAST_COVERAGE)
    };
    measured(Measure::Width)
        .filter(|row| row.method == METHODS[0])
        .filter_map(|own| {
            let narrowest = measured(Measure::Width)
                .filter(|row| row.scenario.name == own.scenario.name)
                .filter(|row| valid(row.method, own.scenario.blocks))
                .min_by(|a, b| a.value.total_cmp(&b.value))?;
            let ratio = own.value / narrowest.value;
            Some(Row {
                measure: WIDTH_RATIO,
                method: narrowest.method,
                value: ratio,
                range: if narrowest.method == own.method {
                    (1.0, 1.0)
                } else {
                    // The widths come from the same experiments and move together, so the
                    // quotients of their extremes are further apart than they need be.
                    (
                        own.range.0 / narrowest.range.1,
                        own.range.1 / narrowest.range.0,
                    )
                },
                bound: bound_of(WIDTH_RATIO, narrowest.method),
                ..own.clone()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
