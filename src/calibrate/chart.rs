//! The result as charts.

use super::scenario::{Question, SIZES};
use super::simulate::{METHODS, Measure};
use super::{LEAST_COVERAGE, MOST_FALSE, Row};
use crate::numbers::count;
use crate::plot::{
    Calibration, CalibrationPanel, Caption, Chart, Estimate, Forest, IntervalGroup, IntervalRow,
    Reference, Series,
};
use crate::report::charts::Named;

/// The charts; none where nothing of the kind was measured. `seeds` says which, for the captions.
pub fn charts(rows: &[Row], seeds: &str) -> Vec<Named> {
    let mut charts = Vec::new();
    let methods = Calibration {
        title: "How often do nominal 95 % intervals hold the truth, and how often do equal players differ?".to_owned(),
        size: "blocks per experiment".to_owned(),
        panels: vec![coverage(rows), false_positives(rows)],
        caption: caption(rows, seeds, "each point is the worst of all laws of its kind"),
    };
    if has_points(&methods) {
        charts.push(named(
            "intervals",
            "Coverage of the compared intervals and rate of equal players that differ, against the number of blocks.",
            methods,
        ));
    }
    let grids = Calibration {
        title: "Do corrections over a grid keep the error rate of the whole family?".to_owned(),
        size: "cells of the grid".to_owned(),
        panels: vec![
            grid(
                rows,
                "All simultaneous intervals hold",
                Measure::SimultaneousCoverage,
                LEAST_COVERAGE,
            ),
            grid(
                rows,
                "Some claim on equal players is supported",
                Measure::ClaimFalsePositive,
                MOST_FALSE,
            ),
        ],
        caption: caption(rows, seeds, "half of the deals come out alike in all cells"),
    };
    if has_points(&grids) {
        charts.push(named(
            "grids",
            "Coverage of all simultaneous intervals of a grid and rate of wrong claims, against the number of cells.",
            grids,
        ));
    }
    if let Some(verdicts) = verdicts(rows, seeds) {
        charts.push(named(
            "verdicts",
            "Rate of wrong verdicts of every kind of sweep, with its Monte-Carlo error, beside what is promised.",
            verdicts,
        ));
    }
    charts
}

fn named(name: &str, alt: &str, chart: impl Chart + 'static) -> Named {
    Named {
        name: name.to_owned(),
        alt: alt.to_owned(),
        chart: Box::new(chart),
    }
}

/// How often a verdict is wrong in whole sweeps, scenario by scenario.
fn verdicts(rows: &[Row], seeds: &str) -> Option<Forest> {
    use Measure::{ClaimFalsePositive, LookFalsePositive, WrongDecision};
    let group = |heading: &str, question: Question, measure: Measure| {
        let rows: Vec<IntervalRow> = rows
            .iter()
            .filter(|row| row.scenario.question == question && row.measure == measure.word())
            .map(|row| IntervalRow {
                label: law_and_size(row),
                estimate: Some(estimate(row)),
                inner: None,
            })
            .collect();
        (!rows.is_empty()).then(|| IntervalGroup {
            heading: heading.to_owned(),
            rows,
        })
    };
    let groups: Vec<IntervalGroup> = [
        group("claims of a grid", Question::Grid, ClaimFalsePositive),
        group(
            "more search helps, where it does not",
            Question::Trend,
            ClaimFalsePositive,
        ),
        group(
            "claims of runs that stop by a rule",
            Question::Stopping,
            ClaimFalsePositive,
        ),
        group(
            "claims looked at after every block",
            Question::Looking,
            LookFalsePositive,
        ),
        group(
            "the sequential test decides wrongly",
            Question::Stopping,
            WrongDecision,
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!groups.is_empty()).then(|| Forest {
        title: "How often is a verdict wrong?".to_owned(),
        measure: "rate of wrong verdicts".to_owned(),
        limits: (0.0, 1.0),
        null: Reference {
            label: "the promised 5 %".to_owned(),
            value: MOST_FALSE,
        },
        numbers: "rate [Monte-Carlo error]".to_owned(),
        groups,
        caption: caption(rows, seeds, "promised is a rate of at most 5 %"),
    })
}

/// A scenario's name without what its group says.
fn law_and_size(row: &Row) -> String {
    let name = &row.scenario.name;
    let rest = name.split_once('/').map_or(name.as_str(), |(_, rest)| rest);
    rest.replace('/', ", ")
}

fn has_points(chart: &Calibration) -> bool {
    chart
        .panels
        .iter()
        .all(|panel| panel.lines.iter().any(|line| !line.points.is_empty()))
}

fn caption(rows: &[Row], seeds: &str, note: &str) -> Caption {
    let most = rows.iter().map(|row| row.repetitions).max().unwrap_or(0);
    Caption {
        sample: format!("up to {} simulated experiments per point", count(most)),
        seed: seeds.to_owned(),
        method: "bars are three Monte-Carlo standard errors".to_owned(),
        notes: vec![note.to_owned()],
    }
}

fn estimate(row: &Row) -> Estimate {
    Estimate {
        value: row.value,
        low: row.range.0.min(row.value),
        high: row.range.1.max(row.value),
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of blocks")]
fn coverage(rows: &[Row]) -> CalibrationPanel {
    let line = |method: &str| {
        let worst = |size: u64| {
            rows.iter()
                .filter(|row| {
                    row.scenario.question == Question::Cell
                        && row.scenario.blocks == size
                        && row.measure == Measure::Coverage.word()
                        && row.method == method
                })
                .min_by(|a, b| a.value.total_cmp(&b.value))
        };
        Series {
            name: method.to_owned(),
            points: SIZES
                .into_iter()
                .filter_map(|size| Some((size as f64, Some(estimate(worst(size)?)))))
                .collect(),
        }
    };
    CalibrationPanel {
        heading: "Worst coverage of all laws".to_owned(),
        measure: "coverage".to_owned(),
        nominal: Reference {
            label: "95 %".to_owned(),
            value: super::simulate::CONFIDENCE,
        },
        lines: METHODS.into_iter().map(line).collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of blocks")]
fn false_positives(rows: &[Row]) -> CalibrationPanel {
    let own = || {
        rows.iter().filter(|row| {
            row.scenario.question == Question::Cell && row.measure == Measure::FalsePositive.word()
        })
    };
    let worst = |many: bool| {
        let kind = move |row: &&Row| (row.scenario.law.seats() > 2) == many;
        Series {
            name: if many {
                "exact test, three and six seats".to_owned()
            } else {
                "exact test, two seats".to_owned()
            },
            points: SIZES
                .into_iter()
                .filter_map(|size| {
                    let row = own()
                        .filter(kind)
                        .filter(|row| row.scenario.blocks == size)
                        .max_by(|a, b| a.value.total_cmp(&b.value))?;
                    Some((size as f64, Some(estimate(row))))
                })
                .collect(),
        }
    };
    CalibrationPanel {
        heading: "Equal players with p below 0.05".to_owned(),
        measure: "false-positive rate".to_owned(),
        nominal: Reference {
            label: "5 %".to_owned(),
            value: MOST_FALSE,
        },
        lines: vec![worst(false), worst(true)],
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of cells")]
fn grid(rows: &[Row], heading: &str, measure: Measure, nominal: f64) -> CalibrationPanel {
    let mut lines: Vec<Series> = Vec::new();
    let own = rows
        .iter()
        .filter(|row| row.scenario.question == Question::Grid && row.measure == measure.word());
    for row in own {
        let point = (row.scenario.cells as f64, Some(estimate(row)));
        match lines.iter_mut().find(|l| l.name == row.scenario.law.name) {
            Some(line) => line.points.push(point),
            None => lines.push(Series {
                name: row.scenario.law.name.to_owned(),
                points: vec![point],
            }),
        }
    }
    CalibrationPanel {
        heading: heading.to_owned(),
        measure: measure.word().replace('-', " "),
        nominal: Reference {
            label: format!("{} %", crate::numbers::decimals(nominal * 100.0, 1)),
            value: nominal,
        },
        lines,
    }
}
