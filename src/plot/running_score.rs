//! The score as the blocks come in, with an interval that holds at every moment.

use super::axis::{Axis, fixed};
use super::data::{Caption, Reference, Series, empty, numbered};
use super::page::Page;
use super::scene::Scene;
use super::xy::{self, Line, Panel, Parts};
use super::{Chart, PlotError};

/// Running scores with the band of a confidence sequence, in the order of the schedule. Up to three
/// lines share a panel; more get a panel each, with the same scales.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningScore {
    /// Title; says what was asked.
    pub title: String,
    /// What the horizontal axis is, such as "blocks, in the order of the schedule".
    pub progress: String,
    /// What is measured, a score between 0 and 1.
    pub measure: String,
    /// The level of no effect, such as the fair share.
    pub null: Reference,
    /// One line per cell: running score with confidence sequence over the blocks so far.
    pub lines: Vec<Series>,
    /// What stands below.
    pub caption: Caption,
}

/// More lines than this in one panel hide each other's bands.
const TOGETHER: usize = 3;
/// Most panels on one page.
const PAGE_PANELS: usize = 12;
/// Most points of a line that are drawn: about one for each pixel.
const POINTS: usize = 1500;

impl RunningScore {
    fn axes(&self) -> Result<(Axis, Axis), PlotError> {
        for series in &self.lines {
            series.check(&self.title, false)?;
        }
        let estimates = || self.lines.iter().flat_map(Series::estimates);
        if estimates().next().is_none() {
            return Err(empty(&self.title, "scores"));
        }
        let most = self.lines.iter().flat_map(|l| &l.points).map(|p| p.0);
        let values = estimates().flat_map(|e| [e.value, e.low, e.high]);
        Ok((
            Axis::from_zero(most.fold(1.0, f64::max)),
            Axis::linear(values.chain([self.null.value]), Some((0.0, 1.0)), 0.1),
        ))
    }

    fn page(
        &self,
        title: &str,
        lines: &[Series],
        (x, y): &(Axis, Axis),
    ) -> Result<Scene, PlotError> {
        let together = self.lines.len() <= TOGETHER;
        let parts = Parts {
            line: true,
            points: false,
            band: true,
        };
        let labels: Vec<String> = lines.iter().map(label).collect();
        let names: Vec<&str> = labels.iter().map(String::as_str).collect();
        let null = || xy::level(&self.null, &self.title, true);
        let panel = |heading: &str, lines: Vec<Line>| {
            Ok(Panel {
                heading: heading.to_owned(),
                lines,
                levels: vec![null()?],
                x: x.clone(),
                x_label: self.progress.clone(),
                y: y.clone(),
                y_label: self.measure.clone(),
            })
        };
        let line = |index: usize, series: &Series| {
            let style = super::theme::series(if together { index } else { 0 });
            Line::of(&thinned(series), style, parts, 0.0)
        };
        let mut page = Page::new(title, "", &self.caption)?;
        if together {
            xy::legend(&mut page, &names, parts);
            let lines = lines.iter().enumerate().map(|(i, s)| line(i, s)).collect();
            xy::draw(&mut page, &[panel("", lines)?]);
        } else {
            let panels: Result<Vec<Panel>, PlotError> = lines
                .iter()
                .zip(&names)
                .map(|(series, name)| panel(name, vec![line(0, series)]))
                .collect();
            xy::draw(&mut page, &panels?);
        }
        Ok(page.finish())
    }
}

impl Chart for RunningScore {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.page(&self.title, &self.lines, &self.axes()?)
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        let axes = self.axes()?;
        let parts: Vec<&[Series]> = self.lines.chunks(PAGE_PANELS).collect();
        let count = parts.len();
        parts
            .into_iter()
            .enumerate()
            .map(|(i, lines)| self.page(&numbered(&self.title, i, count), lines, &axes))
            .collect()
    }
}

/// The name of a line with its last value.
fn label(series: &Series) -> String {
    let last = series
        .points
        .iter()
        .filter_map(|(x, e)| e.map(|e| (*x, e)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match last {
        Some((_, e)) => format!(
            "{}: {} [{}, {}]",
            series.name,
            fixed(e.value, 3),
            fixed(e.low, 3),
            fixed(e.high, 3)
        ),
        None => series.name.clone(),
    }
}

/// At most [`POINTS`] points, evenly chosen, the last one always among them.
fn thinned(series: &Series) -> Series {
    let step = series.points.len().div_ceil(POINTS).max(1);
    let last = series.points.len().saturating_sub(1);
    Series {
        name: series.name.clone(),
        points: series
            .points
            .iter()
            .enumerate()
            .filter(|(i, _)| i % step == 0 || *i == last)
            .map(|(_, point)| *point)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Estimate;

    #[test]
    fn thinning_keeps_the_first_and_the_last_point() {
        let estimate = Estimate {
            value: 0.5,
            low: 0.4,
            high: 0.6,
        };
        let series = Series {
            name: "x".to_owned(),
            points: (0..100_003)
                .map(|i| (f64::from(i), Some(estimate)))
                .collect(),
        };
        let thin = thinned(&series);
        assert!(thin.points.len() <= POINTS + 1);
        assert_eq!(thin.points.first(), series.points.first());
        assert_eq!(thin.points.last(), series.points.last());
        assert_eq!(label(&thin), "x: 0.500 [0.400, 0.600]");
    }
}
