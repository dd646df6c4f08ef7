//! Score against search effort: does more search help?

use super::axis::Axis;
use super::data::{Caption, Reference, Series, empty};
use super::page::Page;
use super::scene::Scene;
use super::xy::{self, Line, Panel, Parts};
use super::{Chart, PlotError};

/// Score against simulations (or another budget) on a logarithmic axis; one panel per opponent,
/// all panels with the same scales.
#[derive(Clone, Debug, PartialEq)]
pub struct DoseResponse {
    /// Title; says what was asked.
    pub title: String,
    /// What the budget is, with its unit, such as "simulations per move".
    pub budget: String,
    /// What is measured, such as "score of the challenger (win 1, draw ½, loss 0)".
    pub measure: String,
    /// The level of no effect, such as the fair share.
    pub null: Reference,
    /// One panel per opponent.
    pub panels: Vec<DosePanel>,
    /// What stands below.
    pub caption: Caption,
}

/// One opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct DosePanel {
    /// Heading that names the opponent, such as "against lowest".
    pub opponent: String,
    /// One line per setting: score (0 to 1) over budget (positive).
    pub lines: Vec<Series>,
    /// Other players against the same opponent, such as one without search.
    pub references: Vec<Reference>,
}

impl DoseResponse {
    fn series(&self) -> impl Iterator<Item = &Series> {
        self.panels.iter().flat_map(|p| &p.lines)
    }

    fn axes(&self) -> (Axis, Axis) {
        let budgets = self.series().flat_map(|l| &l.points).map(|point| point.0);
        let estimates = self
            .series()
            .flat_map(Series::estimates)
            .flat_map(|e| [e.value, e.low, e.high]);
        let levels = self
            .panels
            .iter()
            .flat_map(|p| &p.references)
            .chain([&self.null])
            .map(|r| r.value);
        (
            Axis::settings(budgets),
            Axis::linear(estimates.chain(levels), Some((0.0, 1.0)), 0.1),
        )
    }
}

impl Chart for DoseResponse {
    fn scene(&self) -> Result<Scene, PlotError> {
        for series in self.series() {
            series.check(&self.title, true)?;
        }
        if self.series().flat_map(Series::estimates).next().is_none() {
            return Err(empty(&self.title, "scores"));
        }
        let names = xy::names(self.series().map(|s| s.name.as_str()));
        let (x, y) = self.axes();
        let parts = Parts {
            line: true,
            points: true,
            // More bands than this hide each other; the error bars remain.
            band: names.len() <= 5,
        };
        let shifts = xy::shifts(names.len(), x.ticks.len(), self.panels.len());
        let mut panels = Vec::new();
        for panel in &self.panels {
            let mut levels = vec![xy::level(&self.null, &self.title, true)?];
            for reference in &panel.references {
                levels.push(xy::level(reference, &self.title, false)?);
            }
            let lines = panel.lines.iter().map(|line| {
                let place = names.iter().position(|n| *n == line.name).unwrap_or(0);
                let shift = shifts.get(place).copied().unwrap_or(0.0);
                Line::of(line, xy::look(&names, &line.name), parts, shift)
            });
            panels.push(Panel {
                heading: panel.opponent.clone(),
                lines: lines.collect(),
                levels,
                x: x.clone(),
                x_label: self.budget.clone(),
                y: y.clone(),
                y_label: self.measure.clone(),
            });
        }
        let mut page = Page::new(&self.title, "", &self.caption)?;
        xy::legend(&mut page, &names, parts);
        xy::draw(&mut page, &panels);
        Ok(page.finish())
    }
}
