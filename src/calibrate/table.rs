//! The result as CSV and as a table for people.

use super::promises::{self, Size, broken};
use super::scenario::{Question, Scenario, rule, scenarios};
use super::simulate::{METHODS, Measure};
use super::{Bound, Row, WIDTH_RATIO, bound_of};
use crate::numbers::{decimals, exact};

const COLUMNS: [&str; 16] = [
    "scenario",
    "question",
    "law",
    "seats",
    "cells",
    "blocks",
    "stop",
    "measure",
    "method",
    "repetitions",
    "value",
    "low",
    "high",
    "bound",
    "limit",
    "holds",
];

/// `calibration.csv`: a row per scenario, measure and method. `low` and `high` are the value less
/// and plus three Monte-Carlo standard errors.
pub fn csv(rows: &[Row]) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for row in rows {
        text.push_str(&fields(row).join(","));
        text.push('\n');
    }
    text
}

fn fields(row: &Row) -> [String; COLUMNS.len()] {
    let scenario = &row.scenario;
    let (bound, limit) = match row.bound {
        Some(Bound::Least(limit)) => ("at least", Some(limit)),
        Some(Bound::Most(limit)) => ("at most", Some(limit)),
        None => ("", None),
    };
    let holds = match row.holds() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    };
    [
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
        holds.to_owned(),
    ]
}

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TableError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// Reads what [`csv()`] wrote.
///
/// # Errors
/// If it is not such a table, or one of another version: its scenarios, measures, methods and
/// promises must be those of this one.
pub fn parse(text: &str) -> Result<Vec<Row>, TableError> {
    let wrong = |line: u64, what: String| TableError { line, what };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let known = scenarios(false);
    let mut rows = Vec::new();
    for (line, record) in (1..).zip(reader.records()) {
        let record = record.map_err(|error| wrong(line, error.to_string()))?;
        if line == 1 {
            if record != COLUMNS[..] {
                return Err(wrong(
                    line,
                    "its columns are not those of a calibration".into(),
                ));
            }
            continue;
        }
        let row = row(&record, &known).map_err(|what| wrong(line, what))?;
        if record != fields(&row)[..] {
            let what = "it is not what this version writes of the same numbers";
            return Err(wrong(line, what.into()));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(wrong(1, "there are no rows".into()));
    }
    Ok(rows)
}

fn row(record: &csv::StringRecord, known: &[Scenario]) -> Result<Row, String> {
    let field = |name: &str| {
        let column = COLUMNS.iter().position(|column| *column == name);
        column.and_then(|column| record.get(column)).unwrap_or("")
    };
    let number = |name: &str| {
        let value = field(name).parse().ok().filter(|v: &f64| v.is_finite());
        value.ok_or_else(|| format!("{name}: `{}` is not a number", field(name)))
    };
    let among = |name: &str, words: &[&'static str]| {
        let found = words.iter().copied().find(|word| *word == field(name));
        found.ok_or_else(|| format!("{name}: `{}` is not known", field(name)))
    };
    let mut measures = Measure::ALL.map(Measure::word).to_vec();
    measures.push(WIDTH_RATIO);
    let mut methods = METHODS.to_vec();
    methods.push("");
    let scenario = known.iter().find(|s| s.name == field("scenario"));
    let measure = among("measure", &measures)?;
    let method = among("method", &methods)?;
    Ok(Row {
        scenario: scenario
            .ok_or_else(|| format!("scenario: `{}` is not known", field("scenario")))?
            .clone(),
        measure,
        method,
        repetitions: field("repetitions")
            .parse()
            .map_err(|_| format!("repetitions: `{}` is not a count", field("repetitions")))?,
        value: number("value")?,
        range: (number("low")?, number("high")?),
        // The promises are this version's; a table of others does not come out the same.
        bound: bound_of(measure, method),
    })
}

/// The result in words and small tables.
pub fn text(rows: &[Row]) -> String {
    let mut text = cells_by_size(rows);
    text.push_str(&others(rows));
    let of = promises::promised(rows);
    let broken: Vec<&Row> = broken(rows).collect();
    text.push_str(&format!(
        "\n{} of {of} promises kept ({}), three Monte-Carlo standard errors allowed for.\n",
        of - broken.len(),
        promises::bounds(),
    ));
    for row in broken {
        text.push_str(&format!("  broken: {}\n", sentence(row)));
    }
    text
}

/// What was measured, in a line.
pub fn sentence(row: &Row) -> String {
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
    let sizes = promises::sizes(rows);
    if sizes.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "Single cells, worst of all laws, in per cent (plus or minus the Monte-Carlo error):\n\n",
    );
    let heads = [
        "blocks",
        "used",
        "half",
        "Wilson",
        "plain t",
        "width ratio",
        "false pos.",
        "power 55 %",
        "power 60 %",
    ];
    for head in heads {
        text.push_str(&format!("{head:>12}"));
    }
    text.push('\n');
    let or_dash = |row: Option<&Row>, show: fn(&Row) -> String| row.map_or("–".to_owned(), show);
    for size in sizes {
        let Size {
            blocks,
            coverage,
            width_ratio,
            false_positive,
            power,
        } = size;
        text.push_str(&format!("{blocks:>12}"));
        for row in coverage {
            text.push_str(&format!("{:>12}", or_dash(row, rate)));
        }
        text.push_str(&format!("{:>12}", or_dash(width_ratio, ratio)));
        for row in [false_positive].into_iter().chain(power) {
            text.push_str(&format!("{:>12}", or_dash(row, rate)));
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
        let value = if promises::is_rate(row.measure) {
            format!("{} %", rate(row))
        } else {
            decimals(row.value, 3)
        };
        text.push_str(&format!("  {} {value}", row.measure));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// A rate in per cent with its Monte-Carlo error.
pub fn rate(row: &Row) -> String {
    let error = (row.range.1 - row.range.0) / 2.0;
    format!("{:.1}±{:.1}", row.value * 100.0, error * 100.0)
}

/// A quotient with its Monte-Carlo error.
pub fn ratio(row: &Row) -> String {
    let error = (row.range.1 - row.range.0) / 2.0;
    format!("{:.2}±{:.2}", row.value, error)
}
