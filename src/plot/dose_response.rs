//! Score against search effort: does more search help?

use super::axis::Axis;
use super::data::{Caption, Reference, Series, empty, numbered};
use super::gutter;
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

/// Most lines in one panel that can still be told apart.
const TOGETHER: usize = 7;
/// More bands than this hide each other; the error bars remain.
const BANDS: usize = 5;
/// Most panels on one page.
const PAGE_PANELS: usize = 9;

impl DoseResponse {
    fn check(&self) -> Result<(), PlotError> {
        for series in self.series() {
            series.check(&self.title, true)?;
        }
        if self.series().flat_map(Series::estimates).next().is_none() {
            return Err(empty(&self.title, "scores"));
        }
        Ok(())
    }

    /// Draws the lines with the names `shown` in some of the panels, with the scales and looks of
    /// the whole chart.
    fn page(
        &self,
        title: &str,
        panels: &[DosePanel],
        names: &[&str],
        shown: &[&str],
    ) -> Result<Scene, PlotError> {
        let (x, y) = self.axes();
        let parts = Parts {
            line: true,
            points: true,
            band: shown.len() <= BANDS,
        };
        let shifts = xy::shifts(shown.len(), &x, panels.len());
        let mut drawn = Vec::new();
        for panel in panels {
            let mut levels = vec![gutter::level(&self.null, &self.title, true)?];
            for reference in &panel.references {
                levels.push(gutter::level(reference, &self.title, false)?);
            }
            let lines = panel.lines.iter().filter_map(|line| {
                let place = shown.iter().position(|name| *name == line.name)?;
                let shift = shifts.get(place).copied().unwrap_or(0.0);
                Some(Line::of(line, xy::look(names, &line.name), parts, shift))
            });
            drawn.push(Panel {
                heading: panel.opponent.clone(),
                lines: lines.collect(),
                levels,
                x: x.clone(),
                x_label: self.budget.clone(),
                y: y.clone(),
                y_label: self.measure.clone(),
            });
        }
        let mut page = Page::new(title, "", &self.caption)?;
        xy::legend(&mut page, names, shown);
        xy::draw(&mut page, &drawn);
        Ok(page.finish())
    }
}

impl Chart for DoseResponse {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        let names = xy::names(self.series().map(|s| s.name.as_str()));
        self.page(&self.title, &self.panels, &names, &names)
    }

    /// One page for up to seven lines and nine opponents; otherwise several, each with some of the
    /// lines or opponents.
    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.check()?;
        let names = xy::names(self.series().map(|s| s.name.as_str()));
        let size = if names.len() <= TOGETHER {
            TOGETHER
        } else {
            names.len().div_ceil(names.len().div_ceil(BANDS))
        };
        let mut parts = Vec::new();
        for panels in self.panels.chunks(PAGE_PANELS) {
            for shown in names.chunks(size) {
                parts.push((panels, shown));
            }
        }
        let count = parts.len();
        parts
            .into_iter()
            .enumerate()
            .map(|(i, (panels, shown))| {
                self.page(&numbered(&self.title, i, count), panels, &names, shown)
            })
            .collect()
    }
}
