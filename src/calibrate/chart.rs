//! The result as charts.

use super::scenario::{Question, SIZES};
use super::simulate::METHODS;
use super::{LEAST_COVERAGE, MOST_FALSE, Row};
use crate::plot::{Calibration, CalibrationPanel, Caption, Estimate, Reference, Series};

/// The charts by their file names; none where nothing of the kind was measured.
pub fn charts(rows: &[Row], seed: u64) -> Vec<(&'static str, Calibration)> {
    let mut charts = Vec::new();
    let methods = Calibration {
        title: "How often do nominal 95 % intervals hold the truth, and how often do equal players differ?".to_owned(),
        size: "blocks per experiment".to_owned(),
        panels: vec![coverage(rows), false_positives(rows)],
        caption: caption(rows, seed, "each point is the worst of all laws of its kind"),
    };
    if has_points(&methods) {
        charts.push(("intervals", methods));
    }
    let grids = Calibration {
        title: "Do corrections over a grid keep the error rate of the whole family?".to_owned(),
        size: "cells of the grid".to_owned(),
        panels: vec![
            grid(
                rows,
                "All simultaneous intervals hold",
                "simultaneous-coverage",
                LEAST_COVERAGE,
            ),
            grid(
                rows,
                "Some claim on equal players is supported",
                "claim-false-positive",
                MOST_FALSE,
            ),
        ],
        caption: caption(rows, seed, "half of the deals come out alike in all cells"),
    };
    if has_points(&grids) {
        charts.push(("grids", grids));
    }
    charts
}

fn has_points(chart: &Calibration) -> bool {
    chart
        .panels
        .iter()
        .all(|panel| panel.lines.iter().any(|line| !line.points.is_empty()))
}

fn caption(rows: &[Row], seed: u64, note: &str) -> Caption {
    let most = rows.iter().map(|row| row.repetitions).max().unwrap_or(0);
    Caption {
        sample: format!("up to {most} simulated experiments per point"),
        seed: format!("seed {seed}"),
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
                        && row.measure == "coverage"
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
            row.scenario.question == Question::Cell && row.measure == "false-positive"
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
fn grid(rows: &[Row], heading: &str, measure: &str, nominal: f64) -> CalibrationPanel {
    let mut lines: Vec<Series> = Vec::new();
    let own = rows
        .iter()
        .filter(|row| row.scenario.question == Question::Grid && row.measure == measure);
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
        measure: measure.replace('-', " "),
        nominal: Reference {
            label: format!("{} %", crate::numbers::decimals(nominal * 100.0, 1)),
            value: nominal,
        },
        lines,
    }
}
