//! The score as the blocks come in, with an interval that holds at every moment.

use super::axis::{Axis, ends, fixed};
use super::data::{Caption, Reference, Series, empty, numbered};
use super::gutter;
use super::page::{Entry, Page};
use super::scene::Scene;
use super::theme::{self, SeriesStyle};
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
/// How many points of a line have markers.
const MARKERS: usize = 8;

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
            Axis::counts(most.fold(1.0, f64::max)),
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
        let null = || gutter::level(&self.null, &self.title, true);
        let panel = |heading: String, lines: Vec<Line>| {
            Ok(Panel {
                heading,
                lines,
                levels: vec![null()?],
                x: x.clone(),
                x_label: self.progress.clone(),
                y: y.clone(),
                y_label: self.measure.clone(),
            })
        };
        let mut page = Page::new(title, "", &self.caption)?;
        if together {
            let entries: Vec<Entry> = lines
                .iter()
                .enumerate()
                .map(|(index, series)| Entry {
                    style: look(index),
                    name: label(series),
                    marker: true,
                    line: true,
                })
                .collect();
            page.legend(&entries);
            let all = lines.iter().enumerate();
            let drawn = all.flat_map(|(i, series)| draw(series, look(i))).collect();
            xy::draw(&mut page, &[panel(String::new(), drawn)?]);
        } else {
            let panels: Result<Vec<Panel>, PlotError> = lines
                .iter()
                .map(|series| panel(label(series), draw(series, look(0)).into()))
                .collect();
            xy::draw(&mut page, &panels?);
        }
        Ok(page.finish())
    }
}

/// A dash would look like noise on a line that goes up and down from block to block.
fn look(index: usize) -> SeriesStyle {
    SeriesStyle {
        dash: theme::SOLID,
        ..theme::series(index)
    }
}

/// The whole line with its band, and a few of its points with markers and error bars, so that
/// lines can be told apart without colour.
fn draw(series: &Series, style: SeriesStyle) -> [Line; 2] {
    let whole = Parts {
        line: true,
        points: false,
        band: true,
    };
    let few = Parts {
        line: false,
        points: true,
        band: false,
    };
    [
        Line::of(&thinned(series, POINTS), style, whole, 0.0),
        Line::of(&thinned(series, MARKERS), style, few, 0.0),
    ]
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
        Some((_, e)) => {
            let (low, high) = ends(e.low, e.high, 3);
            format!("{}: {} ({low}–{high})", series.name, fixed(e.value, 3))
        }
        None => series.name.clone(),
    }
}

/// About `most` points, evenly chosen, the last one always among them.
fn thinned(series: &Series, most: usize) -> Series {
    let last = series.points.len().saturating_sub(1);
    let step = last.div_ceil(most).max(1);
    Series {
        name: series.name.clone(),
        points: series
            .points
            .iter()
            .enumerate()
            .filter(|(i, _)| (last - i).is_multiple_of(step))
            .map(|(_, point)| *point)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Estimate;

    #[test]
    fn thinning_keeps_the_last_point() {
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
        let thin = thinned(&series, POINTS);
        assert!((POINTS / 2..=POINTS + 1).contains(&thin.points.len()));
        assert_eq!(thin.points.last(), series.points.last());
        assert_eq!(label(&thin), "x: 0.500 (0.400–0.600)");
    }
}
