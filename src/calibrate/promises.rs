//! What is promised, and the worst that was measured of it.

use super::scenario::{Question, SIZES};
use super::simulate::{METHODS, Measure};
use super::{Bound, LEAST_COVERAGE, MOST_FALSE, MOST_WIDTH, Row, WIDTH_RATIO};
use crate::numbers::{count, decimals, fixed};

/// One promise over all scenarios that ask the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise<'a> {
    /// What was simulated.
    pub question: Question,
    /// What was measured.
    pub measure: &'static str,
    /// How many scenarios.
    pub scenarios: usize,
    /// The one with the worst value.
    pub worst: &'a Row,
    /// In how many it is broken.
    pub broken: usize,
}

/// The promises in the order of the rows.
pub fn promises(rows: &[Row]) -> Vec<Promise<'_>> {
    let mut found: Vec<Promise<'_>> = Vec::new();
    for row in rows {
        let Some(bound) = row.bound else { continue };
        let broken = usize::from(row.holds() == Some(false));
        let own =
            |p: &&mut Promise<'_>| p.question == row.scenario.question && p.measure == row.measure;
        match found.iter_mut().find(own) {
            Some(promise) => {
                promise.scenarios += 1;
                promise.broken += broken;
                let worse = match bound {
                    Bound::Least(_) => row.value < promise.worst.value,
                    Bound::Most(_) => row.value > promise.worst.value,
                };
                if worse {
                    promise.worst = row;
                }
            }
            None => found.push(Promise {
                question: row.scenario.question,
                measure: row.measure,
                scenarios: 1,
                worst: row,
                broken,
            }),
        }
    }
    found
}

/// The rows whose promise is broken.
pub fn broken(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.holds() == Some(false))
}

/// How many rows promise something.
pub fn promised(rows: &[Row]) -> usize {
    rows.iter().filter(|row| row.bound.is_some()).count()
}

/// The answer in a sentence.
pub fn headline(rows: &[Row]) -> String {
    let (of, broken) = (promised(rows), broken(rows).count());
    match (of, broken) {
        (0, _) => "Nothing is promised about what was measured.".to_owned(),
        (1, 0) => "The one promise that was put to the test is kept.".to_owned(),
        (_, 0) => format!(
            "All {} promises that were put to the test are kept.",
            count(of as u64)
        ),
        _ => format!(
            "{} of {} promises are BROKEN.",
            count(broken as u64),
            count(of as u64)
        ),
    }
}

/// What all promises are, in a sentence.
pub fn bounds() -> String {
    format!(
        "coverage at least {} %, false positives at most {} %, width at most {} times the narrowest valid one",
        decimals(LEAST_COVERAGE * 100.0, 1),
        decimals(MOST_FALSE * 100.0, 1),
        decimals(MOST_WIDTH, 2),
    )
}

impl Promise<'_> {
    /// What is promised, and the worst that was measured.
    pub fn sentence(&self) -> String {
        let row = self.worst;
        let limit = match row.bound {
            Some(bound) => bound_words(row, bound),
            None => "nothing".to_owned(),
        };
        let among = match self.scenarios {
            1 => "the one scenario".to_owned(),
            n => format!("the worst of {} scenarios", count(n as u64)),
        };
        format!(
            "promised {limit}; {} ({} to {}) in {among}, `{}`, {} experiments",
            number(row, row.value),
            number(row, row.range.0),
            number(row, row.range.1),
            row.scenario.name,
            count(row.repetitions),
        )
    }
}

/// A bound in the unit of the row's measure.
pub fn bound_words(row: &Row, bound: Bound) -> String {
    let (words, limit) = match bound {
        Bound::Least(limit) => ("at least", limit),
        Bound::Most(limit) => ("at most", limit),
    };
    if is_rate(row.measure) {
        format!("{words} {} %", decimals(limit * 100.0, 1))
    } else {
        format!("{words} {}", decimals(limit, 3))
    }
}

/// What happens, in the words of a report.
pub fn meaning(question: Question, measure: &str) -> &'static str {
    let is = |wanted: Measure| measure == wanted.word();
    match question {
        _ if measure == WIDTH_RATIO => {
            "Width of the default interval over that of the narrowest method that is valid at that size"
        }
        Question::Trend if is(Measure::ClaimFalsePositive) => {
            "A claim that more search helps is supported where it does not"
        }
        Question::Cell if is(Measure::Coverage) => {
            "The default 95 % interval of a single cell holds the truth"
        }
        _ if is(Measure::Coverage) => "The 95 % interval of a cell holds the truth",
        _ if is(Measure::Width) => "Mean width of the interval",
        _ if is(Measure::SimultaneousCoverage) => {
            "All simultaneous 95 % intervals of a grid hold the truth"
        }
        _ if is(Measure::FalsePositive) => "Equal players differ with p below 0.05",
        _ if is(Measure::Power) => "Unequal players differ with p below 0.05",
        _ if is(Measure::FamilyFalsePositive) => {
            "Some cell of equal players differs with an adjusted p below 0.05"
        }
        _ if is(Measure::ClaimFalsePositive) => "Some claim that is not true is supported",
        _ if is(Measure::ClaimPower) => "A claim that is true is supported",
        _ if is(Measure::LookFalsePositive) => {
            "Some claim that is not true is supported at one of the looks after every block"
        }
        _ if is(Measure::WrongDecision) => "The sequential test accepts the wrong hypothesis",
        _ if is(Measure::Blocks) => "Mean number of blocks until a cell ended",
        _ => "Another number",
    }
}

/// Whether a measure is a rate, and not a mean of numbers or a quotient.
pub fn is_rate(measure: &str) -> bool {
    let mean = |known: &Measure| known.is_mean() && known.word() == measure;
    measure != WIDTH_RATIO && !Measure::ALL.iter().any(mean)
}

/// A value in the unit of the row's measure.
pub fn number(row: &Row, value: f64) -> String {
    if is_rate(row.measure) {
        format!("{} %", fixed(value * 100.0, 1))
    } else {
        fixed(
            value,
            if row.measure == Measure::Blocks.word() {
                1
            } else {
                3
            },
        )
    }
}

/// The worst of all laws for single cells of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size<'a> {
    /// Blocks per cell.
    pub blocks: u64,
    /// The least coverage of every method of [`METHODS`].
    pub coverage: [Option<&'a Row>; METHODS.len()],
    /// The largest width relative to the narrowest valid method.
    pub width_ratio: Option<&'a Row>,
    /// The largest rate of equal players that differ.
    pub false_positive: Option<&'a Row>,
    /// Power at true scores of 55 and of 60 %.
    pub power: [Option<&'a Row>; 2],
}

/// Single cells, size by size; sizes that were not measured are left out.
pub fn sizes(rows: &[Row]) -> Vec<Size<'_>> {
    let of_size = |blocks: u64| -> Option<Size<'_>> {
        let own = || {
            rows.iter().filter(move |row| {
                row.scenario.question == Question::Cell && row.scenario.blocks == blocks
            })
        };
        own().next()?;
        let most = |measure: &str| {
            own()
                .filter(|row| row.measure == measure)
                .max_by(|a, b| a.value.total_cmp(&b.value))
        };
        let coverage = METHODS.map(|method| {
            own()
                .filter(|row| row.measure == Measure::Coverage.word() && row.method == method)
                .min_by(|a, b| a.value.total_cmp(&b.value))
        });
        let power = ["edge-55", "edge-60"].map(|law| {
            own().find(|row| row.measure == Measure::Power.word() && row.scenario.law.name == law)
        });
        Some(Size {
            blocks,
            coverage,
            width_ratio: most(WIDTH_RATIO),
            false_positive: most(Measure::FalsePositive.word()),
            power,
        })
    };
    SIZES.into_iter().filter_map(of_size).collect()
}
