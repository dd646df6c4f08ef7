//! What a score costs: score against measured time per move.

use super::axis::Axis;
use super::data::{Caption, Estimate, Reference, empty, finite, numbered};
use super::gutter;
use super::page::Page;
use super::scene::Scene;
use super::xy::{self, Line, Panel, Parts, XyPoint};
use super::{Chart, PlotError};

/// Score against measured cost per move on a logarithmic axis, one panel per opponent with the same
/// scales. The caption always says that measured times are not reproducible.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Title; says what was asked.
    pub title: String,
    /// What the cost is, with its unit, such as "mean milliseconds per move".
    pub cost: String,
    /// What is measured, a score between 0 and 1.
    pub measure: String,
    /// The level of no effect, such as the fair share.
    pub null: Reference,
    /// One panel per opponent.
    pub panels: Vec<TimingPanel>,
    /// What stands below.
    pub caption: Caption,
}

/// One opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct TimingPanel {
    /// Heading that names the opponent, such as "against lowest".
    pub opponent: String,
    /// One line per setting.
    pub lines: Vec<TimingLine>,
}

/// Cells of one setting, joined in ascending order of cost.
#[derive(Clone, Debug, PartialEq)]
pub struct TimingLine {
    /// Name; the same name has the same look in all panels.
    pub name: String,
    /// Cells in any order.
    pub points: Vec<TimingPoint>,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingPoint {
    /// Measured cost, positive.
    pub cost: f64,
    /// Spread of the cost, such as its quartiles, positive.
    pub spread: Option<(f64, f64)>,
    /// Score with interval.
    pub score: Estimate,
}

impl Timing {
    fn lines(&self) -> impl Iterator<Item = &TimingLine> {
        self.panels.iter().flat_map(|p| &p.lines)
    }

    fn check(&self) -> Result<(), PlotError> {
        let mut any = false;
        for line in self.lines() {
            for point in &line.points {
                let (low, high) = point.spread.unwrap_or((point.cost, point.cost));
                finite(&self.title, &line.name, &[point.cost, low, high])?;
                if point.cost.min(low).min(high) <= 0.0 {
                    return Err(PlotError::Value {
                        chart: self.title.clone(),
                        what: format!("{}: a cost that is not positive", line.name),
                    });
                }
                point.score.check(&self.title, &line.name)?;
                any = true;
            }
        }
        if any {
            Ok(())
        } else {
            Err(empty(&self.title, "measurements"))
        }
    }

    fn axes(&self) -> (Axis, Axis) {
        let points = || self.lines().flat_map(|l| &l.points);
        let costs = points().flat_map(|p| {
            let (low, high) = p.spread.unwrap_or((p.cost, p.cost));
            [p.cost, low, high]
        });
        let scores = points()
            .flat_map(|p| [p.score.value, p.score.low, p.score.high])
            .chain([self.null.value]);
        (
            Axis::logarithmic(costs),
            Axis::linear(scores, Some((0.0, 1.0)), 0.1),
        )
    }
}

/// Most lines in one panel that can still be told apart.
const TOGETHER: usize = 7;
/// Most panels on one page.
const PAGE_PANELS: usize = 9;

impl Timing {
    /// Draws the lines with the names `shown` in some of the panels, with the scales and looks of
    /// the whole chart.
    fn page(
        &self,
        title: &str,
        panels: &[&TimingPanel],
        names: &[&str],
        shown: &[&str],
    ) -> Result<Scene, PlotError> {
        let (x, y) = self.axes();
        let parts = Parts {
            line: true,
            points: true,
            band: false,
        };
        let mut drawn = Vec::new();
        for panel in panels {
            let lines = panel
                .lines
                .iter()
                .filter(|line| shown.contains(&line.name.as_str()));
            let lines = lines.map(|line| {
                let mut points: Vec<XyPoint> = line
                    .points
                    .iter()
                    .map(|p| XyPoint {
                        x: p.cost,
                        y: Some(p.score),
                        x_ends: p.spread,
                    })
                    .collect();
                points.sort_by(|a, b| a.x.total_cmp(&b.x));
                Line {
                    name: line.name.clone(),
                    style: xy::look(names, &line.name),
                    points,
                    parts,
                    shift: 0.0,
                }
            });
            drawn.push(Panel {
                heading: panel.opponent.clone(),
                lines: lines.collect(),
                levels: vec![gutter::level(&self.null, &self.title, true)?],
                x: x.clone(),
                x_label: self.cost.clone(),
                y: y.clone(),
                y_label: self.measure.clone(),
            });
        }
        let mut caption = self.caption.clone();
        caption.notes.push(
            "times were measured on one machine and differ from run to run: this picture is not \
             reproducible"
                .to_owned(),
        );
        let mut page = Page::new(title, "", &caption)?;
        xy::legend(&mut page, names, shown);
        xy::draw(&mut page, &drawn);
        Ok(page.finish())
    }
}

impl Chart for Timing {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        let names = xy::names(self.lines().map(|l| l.name.as_str()));
        let panels: Vec<&TimingPanel> = self.panels.iter().collect();
        self.page(&self.title, &panels, &names, &names)
    }

    /// One page for up to seven lines and nine opponents; otherwise several, each with some of the
    /// lines and the opponents that these met.
    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.check()?;
        let names = xy::names(self.lines().map(|l| l.name.as_str()));
        let mut parts: Vec<(Vec<&TimingPanel>, &[&str])> = Vec::new();
        for shown in names.chunks(names.len().div_ceil(names.len().div_ceil(TOGETHER))) {
            let met = |panel: &&TimingPanel| {
                let mut lines = panel.lines.iter();
                lines.any(|line| shown.contains(&line.name.as_str()))
            };
            let panels: Vec<&TimingPanel> = self.panels.iter().filter(met).collect();
            let pages = panels.chunks(PAGE_PANELS);
            parts.extend(pages.map(|panels| (panels.to_vec(), shown)));
        }
        let count = parts.len();
        parts
            .into_iter()
            .enumerate()
            .map(|(i, (panels, shown))| {
                self.page(&numbered(&self.title, i, count), &panels, &names, shown)
            })
            .collect()
    }
}
