//! Score against search effort: does more search help?

use super::axis::Axis;
use super::data::{Caption, Estimate, Reference, finite};
use super::page::{Entry, Page};
use super::raster::real;
use super::scene::Scene;
use super::xy::{self, Level, Line, Panel, Parts, XyPoint};
use super::{Chart, PlotError, theme};

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
    /// One line per setting, in the same order in every panel; the same name has the same look in
    /// all panels.
    pub lines: Vec<DoseLine>,
    /// Other players against the same opponent, such as one without search.
    pub references: Vec<Reference>,
}

/// Scores of one setting over the budgets.
#[derive(Clone, Debug, PartialEq)]
pub struct DoseLine {
    /// Name, such as "exploration 0.7".
    pub name: String,
    /// Budget (positive) and score with interval, where it is known; in any order.
    pub points: Vec<(f64, Option<Estimate>)>,
}

impl DoseResponse {
    fn check(&self) -> Result<(), PlotError> {
        let chart = self.title.as_str();
        finite(chart, &self.null.label, &[self.null.value])?;
        let mut any = false;
        for panel in &self.panels {
            for reference in &panel.references {
                finite(chart, &reference.label, &[reference.value])?;
            }
            for line in &panel.lines {
                for (budget, estimate) in &line.points {
                    finite(chart, &line.name, &[*budget])?;
                    if *budget <= 0.0 {
                        return Err(PlotError::Value {
                            chart: self.title.clone(),
                            what: format!(
                                "{}: a budget of {budget} on a logarithmic axis",
                                line.name
                            ),
                        });
                    }
                    if let Some(estimate) = estimate {
                        estimate.check(chart, &format!("{} at {budget}", line.name))?;
                        any = true;
                    }
                }
            }
        }
        if any {
            Ok(())
        } else {
            Err(PlotError::Empty {
                chart: self.title.clone(),
                what: "scores",
            })
        }
    }

    /// Names of all lines in order of first appearance; the place is the look.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for line in self.panels.iter().flat_map(|p| &p.lines) {
            if !names.contains(&line.name.as_str()) {
                names.push(&line.name);
            }
        }
        names
    }

    fn axes(&self) -> (Axis, Axis) {
        let budgets = self
            .panels
            .iter()
            .flat_map(|p| &p.lines)
            .flat_map(|l| &l.points)
            .map(|(budget, _)| *budget);
        let estimates = self
            .panels
            .iter()
            .flat_map(|p| &p.lines)
            .flat_map(|l| &l.points)
            .filter_map(|(_, e)| *e)
            .flat_map(|e| [e.value, e.low, e.high]);
        let levels = self
            .panels
            .iter()
            .flat_map(|p| &p.references)
            .map(|r| r.value)
            .chain([self.null.value]);
        (
            Axis::settings(budgets),
            Axis::linear(estimates.chain(levels), Some((0.0, 1.0)), 0.1),
        )
    }
}

impl Chart for DoseResponse {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        let names = self.names();
        let (x, y) = self.axes();
        // Side by side as long as the error bars of neighbouring budgets stay apart.
        let panels = real(xy::columns(self.panels.len()));
        let budgets = real(x.ticks.len().max(2) - 1);
        let room = (1300.0 / panels / budgets * 0.35).min(11.0 * real(names.len()));
        let shift = |index: usize| {
            if names.len() < 2 {
                0.0
            } else {
                (real(index) / real(names.len() - 1) - 0.5) * room
            }
        };
        let drawn = self
            .panels
            .iter()
            .map(|panel| Panel {
                heading: panel.opponent.clone(),
                lines: panel
                    .lines
                    .iter()
                    .map(|line| {
                        let index = names.iter().position(|n| *n == line.name).unwrap_or(0);
                        let mut points: Vec<XyPoint> = line
                            .points
                            .iter()
                            .map(|(budget, y)| XyPoint {
                                x: *budget,
                                y: *y,
                                x_ends: None,
                            })
                            .collect();
                        points.sort_by(|a, b| a.x.total_cmp(&b.x));
                        Line {
                            style: theme::series(index),
                            points,
                            parts: Parts {
                                line: true,
                                points: true,
                                band: names.len() <= 5,
                            },
                            shift: shift(index),
                        }
                    })
                    .collect(),
                levels: std::iter::once(Level {
                    label: self.null.label.clone(),
                    value: self.null.value,
                    null: true,
                })
                .chain(panel.references.iter().map(|r| Level {
                    label: r.label.clone(),
                    value: r.value,
                    null: false,
                }))
                .collect(),
                x: x.clone(),
                x_label: self.budget.clone(),
                y: y.clone(),
                y_label: self.measure.clone(),
            })
            .collect::<Vec<_>>();
        let mut page = Page::new(&self.title, "", &self.caption)?;
        let legend: Vec<Entry> = names
            .iter()
            .enumerate()
            .map(|(index, name)| Entry {
                style: theme::series(index),
                name: (*name).to_owned(),
                marker: true,
                line: true,
            })
            .collect();
        page.legend(&legend);
        xy::draw(&mut page, &drawn);
        Ok(page.finish())
    }
}
