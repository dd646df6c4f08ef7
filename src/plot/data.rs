//! Numbers and words that several charts share.

use super::PlotError;

/// A value with its interval, in the units of the chart's axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Checks that all three numbers are finite and that the interval is not upside down.
    pub(super) fn check(&self, chart: &str, which: &str) -> Result<(), PlotError> {
        finite(chart, which, &[self.value, self.low, self.high])?;
        if self.low > self.high {
            return Err(PlotError::Value {
                chart: chart.to_owned(),
                what: format!(
                    "{which}: the interval from {} to {} is upside down",
                    self.low, self.high
                ),
            });
        }
        Ok(())
    }
}

/// Checks that numbers are finite.
pub(super) fn finite(chart: &str, which: &str, values: &[f64]) -> Result<(), PlotError> {
    match values.iter().find(|v| !v.is_finite()) {
        None => Ok(()),
        Some(value) => Err(PlotError::Value {
            chart: chart.to_owned(),
            what: format!("{which}: {value} is not a finite number"),
        }),
    }
}

/// Values over a quantity, such as scores over simulations.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name, such as "exploration 0.7"; the same name has the same look in all panels.
    pub name: String,
    /// Quantity and value with interval, where it is known, in any order; an unknown value breaks
    /// the line.
    pub points: Vec<(f64, Option<Estimate>)>,
}

impl Series {
    /// Checks all numbers; the quantities must be positive for a logarithmic axis.
    pub(super) fn check(&self, chart: &str, positive: bool) -> Result<(), PlotError> {
        for (x, estimate) in &self.points {
            finite(chart, &self.name, &[*x])?;
            if positive && *x <= 0.0 {
                return Err(PlotError::Value {
                    chart: chart.to_owned(),
                    what: format!("{}: the value {x} on a logarithmic axis", self.name),
                });
            }
            if let Some(estimate) = estimate {
                estimate.check(chart, &format!("{} at {x}", self.name))?;
            }
        }
        Ok(())
    }

    /// The known values.
    pub(super) fn estimates(&self) -> impl Iterator<Item = Estimate> + '_ {
        self.points.iter().filter_map(|(_, estimate)| *estimate)
    }
}

/// Rows of intervals under a common heading.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalGroup {
    /// Heading, such as "against lowest"; may be empty.
    pub heading: String,
    /// One row per cell.
    pub rows: Vec<IntervalRow>,
}

/// A named value with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalRow {
    /// Name of the cell.
    pub label: String,
    /// Value with its interval; nothing where it is unknown.
    pub estimate: Option<Estimate>,
    /// A narrower interval within the other, such as the pointwise one within the simultaneous
    /// one; drawn thicker.
    pub inner: Option<(f64, f64)>,
}

/// A line to compare with, such as the fair share or a player that does not search.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What the line stands for; written beside it.
    pub label: String,
    /// Where it lies, in the units of the chart's axis.
    pub value: f64,
}

/// What stands under a chart. Every chart says how much data it shows, from which seed, and by
/// which method its intervals were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// How much data, such as "n = 200 games (100 blocks) per cell".
    pub sample: String,
    /// From which seed, such as "seed 20261130".
    pub seed: String,
    /// By which method, such as "95 % intervals on block scores".
    pub method: String,
    /// Anything else a reader must know; one sentence each, without the full stop.
    pub notes: Vec<String>,
}

impl Caption {
    /// All parts in one line.
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<&str> = vec![&self.sample, &self.seed, &self.method];
        parts.extend(self.notes.iter().map(String::as_str));
        parts.retain(|part| !part.trim().is_empty());
        let text = parts.join("; ");
        if text.is_empty() || text.ends_with('.') {
            text
        } else {
            format!("{text}.")
        }
    }
}

/// The title of one of several pages.
pub(super) fn numbered(title: &str, index: usize, count: usize) -> String {
    if count > 1 {
        format!("{title} (page {} of {count})", index + 1)
    } else {
        title.to_owned()
    }
}

/// The error for a chart without any known value.
pub(super) fn empty(chart: &str, what: &'static str) -> PlotError {
    PlotError::Empty {
        chart: chart.to_owned(),
        what,
    }
}
