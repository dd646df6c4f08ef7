//! Do the statistics keep their promises? Coverage and false-positive rates against experiment
//! size.

use super::axis::Axis;
use super::data::{Caption, Reference, Series, empty};
use super::gutter;
use super::page::Page;
use super::scene::Scene;
use super::xy::{self, Line, Panel, Parts};
use super::{Chart, PlotError};

/// Measured rates against the number of blocks on a logarithmic axis, with the nominal rate drawn
/// in. Panels that measure the same (same [`CalibrationPanel::measure`]) have the same scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Title; says what was asked.
    pub title: String,
    /// What the horizontal axis is, such as "blocks per experiment".
    pub size: String,
    /// Panels, such as coverage and false-positive rate.
    pub panels: Vec<CalibrationPanel>,
    /// What stands below; its method says what the error bars are (Monte-Carlo error).
    pub caption: Caption,
}

/// One measured rate.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationPanel {
    /// Heading.
    pub heading: String,
    /// What is measured, a rate between 0 and 1, such as "coverage".
    pub measure: String,
    /// The rate that is promised.
    pub nominal: Reference,
    /// One line per method or scenario: measured rate with Monte-Carlo interval over the number of
    /// blocks (positive).
    pub lines: Vec<Series>,
}

impl Calibration {
    fn series(&self) -> impl Iterator<Item = &Series> {
        self.panels.iter().flat_map(|p| &p.lines)
    }

    /// The scale of all panels that measure the same.
    fn scale(&self, measure: &str) -> Axis {
        let alike = || self.panels.iter().filter(|p| p.measure == measure);
        let values = alike()
            .flat_map(|p| &p.lines)
            .flat_map(Series::estimates)
            .flat_map(|e| [e.value, e.low, e.high]);
        let nominal = alike().map(|p| p.nominal.value);
        Axis::linear(values.chain(nominal), Some((0.0, 1.0)), 0.04)
    }
}

impl Chart for Calibration {
    fn scene(&self) -> Result<Scene, PlotError> {
        for series in self.series() {
            series.check(&self.title, true)?;
        }
        if self.series().flat_map(Series::estimates).next().is_none() {
            return Err(empty(&self.title, "rates"));
        }
        let names = xy::names(self.series().map(|s| s.name.as_str()));
        let x = Axis::settings(self.series().flat_map(|l| &l.points).map(|p| p.0));
        let parts = Parts {
            line: true,
            points: true,
            band: false,
        };
        let shifts = xy::shifts(names.len(), &x, self.panels.len());
        let mut panels = Vec::new();
        for panel in &self.panels {
            let lines = panel.lines.iter().map(|line| {
                let place = names.iter().position(|n| *n == line.name).unwrap_or(0);
                let shift = shifts.get(place).copied().unwrap_or(0.0);
                Line::of(line, xy::look(&names, &line.name), parts, shift)
            });
            panels.push(Panel {
                heading: panel.heading.clone(),
                lines: lines.collect(),
                levels: vec![gutter::level(&panel.nominal, &self.title, true)?],
                x: x.clone(),
                x_label: self.size.clone(),
                y: self.scale(&panel.measure),
                y_label: panel.measure.clone(),
            });
        }
        let mut page = Page::new(&self.title, "", &self.caption)?;
        xy::legend(&mut page, &names, &names);
        xy::draw(&mut page, &panels);
        Ok(page.finish())
    }
}
