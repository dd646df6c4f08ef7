//! The result as CSV and as a table for people.

use super::scenario::{Question, SIZES, rule};
use super::simulate::METHODS;
use super::{Bound, LEAST_COVERAGE, MOST_FALSE, MOST_WIDTH, Row};
use crate::numbers::{decimals, exact};

const COLUMNS: &str = "scenario,question,law,seats,cells,blocks,stop,measure,method,repetitions,value,low,high,bound,limit,holds";

/// `calibration.csv`: a row per scenario, measure and method. `low` and `high` are the value less
/// and plus three Monte-Carlo standard errors.
pub fn csv(rows: &[Row]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for row in rows {
        let scenario = &row.scenario;
        let (bound, limit) = match row.bound {
            Some(Bound::Least(limit)) => ("at least", Some(limit)),
            Some(Bound::Most(limit)) => ("at most", Some(limit)),
            None => ("", None),
        };
        let fields = [
            scenario.name.clone(),
            scenario.question.word().to_owned(),
            scenario.law.name.to_owned(),
            scenario.law.seats().to_string(),
            scenario.cells.to_string(),
            scenario.blocks.to_string(),
            rule(scenario.stop).to_owned(),
            row.measure.to_owned(),
            row.method.to_owned(),
            row.repetitions.to_string(),
            exact(row.value),
            exact(row.range.0),
            exact(row.range.1),
            bound.to_owned(),
            exact(limit),
            match row.holds() {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            }
            .to_owned(),
        ];
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// The result in words and small tables.
pub fn text(rows: &[Row]) -> String {
    let mut text = cells_by_size(rows);
    text.push_str(&others(rows));
    let kept = rows.iter().filter(|row| row.holds().is_some()).count();
    let broken: Vec<&Row> = broken(rows).collect();
    text.push_str(&format!(
        "\n{} of {kept} promises kept (coverage at least {} %, false positives at most {} %, width at most {} times the narrowest valid one), three Monte-Carlo standard errors allowed for.\n",
        kept - broken.len(),
        decimals(LEAST_COVERAGE * 100.0, 1),
        decimals(MOST_FALSE * 100.0, 1),
        decimals(MOST_WIDTH, 2),
    ));
    for row in broken {
        text.push_str(&format!("  broken: {}\n", sentence(row)));
    }
    text
}

/// The rows whose promise is broken.
pub fn broken(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.holds() == Some(false))
}

fn sentence(row: &Row) -> String {
    let method = if row.method.is_empty() {
        String::new()
    } else {
        format!(" ({})", row.method)
    };
    format!(
        "{} {}{method}: {} (from {} to {}, {} repetitions)",
        row.scenario.name,
        row.measure,
        decimals(row.value, 4),
        decimals(row.range.0, 4),
        decimals(row.range.1, 4),
        row.repetitions
    )
}

/// Per size: the worst coverage of every method, the worst width, power and false positives.
fn cells_by_size(rows: &[Row]) -> String {
    let cells: Vec<&Row> = rows
        .iter()
        .filter(|row| row.scenario.question == Question::Cell)
        .collect();
    if cells.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "Single cells, worst of all laws, in per cent (plus or minus the Monte-Carlo error):\n\n",
    );
    let heads = ["blocks", "used", "half", "Wilson", "plain t"];
    for head in heads {
        text.push_str(&format!("{head:>12}"));
    }
    text.push_str(&format!(
        "{:>12}{:>12}{:>12}{:>12}\n",
        "width ratio", "false pos.", "power 55 %", "power 60 %"
    ));
    for size in SIZES {
        let own = || cells.iter().filter(|row| row.scenario.blocks == size);
        if own().next().is_none() {
            continue;
        }
        text.push_str(&format!("{size:>12}"));
        for method in METHODS {
            let worst = own()
                .filter(|row| row.measure == "coverage" && row.method == method)
                .min_by(|a, b| a.value.total_cmp(&b.value));
            text.push_str(&format!(
                "{:>12}",
                worst.map_or("–".to_owned(), |r| rate(r))
            ));
        }
        let most = |measure: &str| {
            own()
                .filter(|row| row.measure == measure)
                .max_by(|a, b| a.value.total_cmp(&b.value))
        };
        let ratio = most("width-ratio").map_or("–".to_owned(), |r| {
            let error = (r.range.1 - r.range.0) / 2.0;
            format!("{:.2}±{:.2}", r.value, error)
        });
        let false_positive = most("false-positive").map_or("–".to_owned(), |r| rate(r));
        text.push_str(&format!("{ratio:>12}{false_positive:>12}"));
        for law in ["edge-55", "edge-60"] {
            let power = own().find(|row| row.measure == "power" && row.scenario.law.name == law);
            text.push_str(&format!(
                "{:>12}",
                power.map_or("–".to_owned(), |r| rate(r))
            ));
        }
        text.push('\n');
    }
    text
}

/// Grids, trends, stopping rules and looks: a line each.
fn others(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut last = "";
    for row in rows {
        if row.scenario.question == Question::Cell {
            continue;
        }
        if row.scenario.name != last {
            last = &row.scenario.name;
            text.push_str(&format!("\n{last}:"));
        }
        let value = if row.measure == "width" || row.measure == "blocks" {
            decimals(row.value, 3)
        } else {
            format!("{} %", rate(row))
        };
        text.push_str(&format!("  {} {value}", row.measure));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// A rate in per cent with its Monte-Carlo error.
fn rate(row: &Row) -> String {
    let error = (row.range.1 - row.range.0) / 2.0;
    format!("{:.1}±{:.1}", row.value * 100.0, error * 100.0)
}
