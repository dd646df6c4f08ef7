//! Panels with values against a quantity: lines, bands, error bars, reference lines.
//!
//! Panels stand side by side with the same size; labels of reference lines stand right of their
//! panel, never on the data.

use super::axis::{Axis, thin};
use super::data::{Estimate, Series};
use super::font::{LEADING, Weight, clean};
use super::gutter::{self, Gutter, Level};
use super::marks::Whisker;
use super::page::{Entry, Page};
use super::raster::real;
use super::scene::{Align, Area, Point, Scene, Tip, bold, plain};
use super::theme::{self, AXIS, GRID, INK, MUTED, PANEL, SeriesStyle, size};
use crate::numbers;

/// A point of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct XyPoint {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value with its interval; nothing where it is unknown, which breaks the line.
    pub y: Option<Estimate>,
    /// Horizontal interval.
    pub x_ends: Option<(f64, f64)>,
}

/// What of a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// A line through the points.
    pub line: bool,
    /// A marker and an error bar on each point.
    pub points: bool,
    /// A band along the intervals.
    pub band: bool,
}

/// One series in one panel.
pub(super) struct Line {
    /// Its name.
    pub name: String,
    /// Its look.
    pub style: SeriesStyle,
    /// Its points in ascending order.
    pub points: Vec<XyPoint>,
    /// What is drawn of it.
    pub parts: Parts,
    /// Sideways shift in pixels, so that error bars of several series stand side by side.
    pub shift: f64,
}

impl Line {
    /// The points of a series in ascending order.
    pub fn of(series: &Series, style: SeriesStyle, parts: Parts, shift: f64) -> Self {
        let mut points: Vec<XyPoint> = series
            .points
            .iter()
            .map(|(x, y)| XyPoint {
                x: *x,
                y: *y,
                x_ends: None,
            })
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Self {
            name: series.name.clone(),
            style,
            points,
            parts,
            shift,
        }
    }
}

/// Names of all lines in order of first appearance; the place in this list is the look.
pub(super) fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The look of the line with this name.
pub(super) fn look(names: &[&str], name: &str) -> SeriesStyle {
    theme::series(names.iter().position(|n| *n == name).unwrap_or(0))
}

/// Draws the legend of the lines `shown`, with their looks among all `names`.
pub(super) fn legend(page: &mut Page, names: &[&str], shown: &[&str]) {
    let entries: Vec<Entry> = shown
        .iter()
        .map(|name| Entry {
            style: look(names, name),
            name: (*name).to_owned(),
            marker: true,
            line: true,
        })
        .collect();
    page.legend(&entries);
}

/// Sideways shifts in pixels that set the error bars of `count` lines apart, as far as the ticks of
/// the axis leave room in each of `panels` panels.
pub(super) fn shifts(count: usize, axis: &Axis, panels: usize) -> Vec<f64> {
    let space = 1300.0 / real(columns(panels)) * axis.closest_ticks();
    let room = (space * 0.4).min(11.0 * real(count));
    (0..count)
        .map(|i| (real(i) / real(count.max(2) - 1) - 0.5) * room)
        .map(|shift| if count < 2 { 0.0 } else { shift })
        .collect()
}

/// One panel.
pub(super) struct Panel {
    /// What stands above it; may be empty.
    pub heading: String,
    /// Series.
    pub lines: Vec<Line>,
    /// Levels to compare with.
    pub levels: Vec<Level>,
    /// Horizontal axis.
    pub x: Axis,
    /// Title of the horizontal axis.
    pub x_label: String,
    /// Vertical axis.
    pub y: Axis,
    /// Title of the vertical axis.
    pub y_label: String,
}

/// Columns in which a number of panels is arranged.
pub(super) fn columns(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

/// Most lines of a heading: two names of 80 characters with their settings in three columns.
const HEADING_LINES: usize = 8;

/// Draws panels below what is already on the page.
pub(super) fn draw(page: &mut Page, panels: &[Panel]) {
    let columns = columns(panels.len());
    let gap = 40.0;
    let count = real(columns);
    let width = (Page::right() - Page::left() - gap * (count - 1.0)) / count;
    let height = match columns {
        1 => 860.0,
        2 => 640.0,
        _ => 560.0,
    };
    let levels: Vec<&Level> = panels.iter().flat_map(|p| &p.levels).collect();
    let gutter = Gutter::choose(&page.scene, &levels, width);
    page.legend(&gutter.legend(&levels));
    let left_margin = left_margin(&page.scene, panels);
    for row in panels.chunks(columns) {
        let headings: Vec<Vec<String>> = row
            .iter()
            .map(|panel| {
                page.scene.fonts.fit(
                    &clean(&panel.heading),
                    size::HEADING,
                    Weight::Bold,
                    width - left_margin,
                    HEADING_LINES,
                )
            })
            .collect();
        let lines = headings.iter().map(Vec::len).max().unwrap_or(0);
        let line_height = size::HEADING * LEADING;
        let top = page.bottom;
        let mut bottom = top;
        let plot_top = top + real(lines) * line_height + 12.0;
        for (column, (panel, heading)) in row.iter().zip(&headings).enumerate() {
            let left = Page::left() + real(column) * (width + gap);
            let area = Area {
                left: left + left_margin,
                top: plot_top,
                right: left + width - gutter.width,
                bottom: plot_top + height,
            };
            let skipped = real(lines - heading.len());
            for (i, text) in heading.iter().enumerate() {
                let y = top + (real(i) + skipped + 0.5) * line_height;
                page.scene
                    .text(text, (area.left, y), Align::Start, bold(size::HEADING, INK));
            }
            let below = draw_panel(&mut page.scene, panel, area, left, &gutter);
            bottom = bottom.max(below);
        }
        page.bottom = bottom;
        page.gap(16.0);
    }
    page.gap(-16.0);
}

/// Room left of a panel for the title and labels of its vertical axis, the same for all panels.
fn left_margin(scene: &Scene, panels: &[Panel]) -> f64 {
    let tick = plain(size::TICK, MUTED);
    let ticks = panels
        .iter()
        .flat_map(|p| p.y.ticks.iter())
        .map(|t| scene.measure(&t.label, tick))
        .fold(0.0, f64::max);
    ticks + 14.0 + size::LABEL * 1.6
}

fn draw_panel(scene: &mut Scene, panel: &Panel, area: Area, left: f64, gutter: &Gutter) -> f64 {
    scene.rect(area, PANEL);
    scene.data_areas.push(area);
    vertical_axis(scene, &panel.y, &panel.y_label, area, left);
    let bottom = horizontal_axis(scene, &panel.x, &panel.x_label, area);
    let at = |x: f64, y: f64, shift: f64| -> Point {
        (
            area.left + panel.x.share(x) * area.width() + shift,
            area.bottom - panel.y.share(y) * area.height(),
        )
    };
    for line in panel.lines.iter().filter(|l| l.parts.band) {
        for run in runs(&line.points) {
            let upper = run.iter().map(|(p, e)| at(p.x, e.high, line.shift));
            let lower = run.iter().rev().map(|(p, e)| at(p.x, e.low, line.shift));
            if run.len() >= 2 {
                scene.polygon(
                    upper.chain(lower).collect(),
                    line.style.color.with_alpha(0.15),
                );
            }
        }
    }
    gutter::draw(scene, gutter, &panel.levels, &panel.y, area);
    for line in &panel.lines {
        if line.parts.line {
            for run in runs(&line.points) {
                let points = run.iter().map(|(p, e)| at(p.x, e.value, line.shift));
                scene.line(points.collect(), 4.0, line.style.color, line.style.dash);
            }
        }
    }
    for line in panel.lines.iter().filter(|l| l.parts.points) {
        for point in &line.points {
            let Some(y) = point.y else { continue };
            let centre = at(point.x, y.value, line.shift);
            let look = Whisker::closed(3.0, 9.0, line.style.color);
            let end = |y: f64| at(point.x, y, line.shift);
            scene.whisker(end(y.low), end(y.high), look);
            if let Some((low, high)) = point.x_ends {
                let end = |x: f64| at(x, y.value, line.shift);
                scene.whisker(end(low), end(high), look);
            }
            scene.marker(centre, 10.0, line.style.marker, line.style.color);
            scene.tips.push(Tip {
                area: around(centre, 14.0),
                text: format!(
                    "{}\n{}: {}\n{}: {:.3} [{:.3}, {:.3}]",
                    line.name,
                    panel.x_label,
                    quantity(point.x),
                    panel.y_label,
                    y.value,
                    y.low,
                    y.high
                ),
            });
        }
    }
    frame(scene, area);
    bottom
}

fn around((x, y): Point, reach: f64) -> Area {
    Area {
        left: x - reach,
        top: y - reach,
        right: x + reach,
        bottom: y + reach,
    }
}

/// A number of the horizontal axis: counts as people write them, all else with four digits.
fn quantity(value: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number below 1e15"
    )]
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        numbers::count(value as u64)
    } else {
        numbers::short(value)
    }
}

/// Draws the lines of the axes at the left and below.
pub(super) fn frame(scene: &mut Scene, area: Area) {
    scene.line(
        vec![
            (area.left, area.top),
            (area.left, area.bottom),
            (area.right, area.bottom),
        ],
        2.0,
        AXIS,
        theme::SOLID,
    );
}

/// Draws ticks, labels and the turned title of a vertical axis; the title stands at `left`.
pub(super) fn vertical_axis(scene: &mut Scene, axis: &Axis, label: &str, area: Area, left: f64) {
    for tick in &axis.ticks {
        let y = area.bottom - axis.share(tick.value) * area.height();
        scene.stroke((area.left, y), (area.right, y), 1.5, GRID);
        scene.stroke((area.left - 7.0, y), (area.left, y), 2.0, AXIS);
        scene.text(
            &tick.label,
            (area.left - 13.0, y),
            Align::End,
            plain(size::TICK, MUTED),
        );
    }
    let label = scene
        .fonts
        .line(&clean(label), size::LABEL, Weight::Regular, area.height());
    scene.turned(
        &label,
        (
            left + size::LABEL * 0.6,
            f64::midpoint(area.top, area.bottom),
        ),
        plain(size::LABEL, INK),
    );
}

/// Draws ticks, labels that fit, and the title of a horizontal axis below an area. Returns the lower
/// edge of all that.
pub(super) fn horizontal_axis(scene: &mut Scene, axis: &Axis, label: &str, area: Area) -> f64 {
    let style = plain(size::TICK, MUTED);
    let places: Vec<(f64, f64)> = axis
        .ticks
        .iter()
        .map(|t| {
            (
                area.left + axis.share(t.value) * area.width(),
                scene.measure(&t.label, style),
            )
        })
        .collect();
    let keep = thin(&places, 14.0);
    for ((tick, (x, _)), keep) in axis.ticks.iter().zip(&places).zip(keep) {
        scene.stroke((*x, area.top), (*x, area.bottom), 1.5, GRID);
        scene.stroke((*x, area.bottom), (*x, area.bottom + 7.0), 2.0, AXIS);
        if keep {
            scene.text(&tick.label, (*x, area.bottom + 28.0), Align::Middle, style);
        }
    }
    let height = size::LABEL * LEADING;
    let lines = scene
        .fonts
        .fit(&clean(label), size::LABEL, Weight::Regular, area.width(), 2);
    let mut y = area.bottom + 68.0;
    for line in &lines {
        let middle = f64::midpoint(area.left, area.right);
        scene.text(line, (middle, y), Align::Middle, plain(size::LABEL, INK));
        y += height;
    }
    y - height + 24.0
}

/// Stretches of points that are all known.
fn runs(points: &[XyPoint]) -> Vec<Vec<(XyPoint, Estimate)>> {
    let mut runs = vec![Vec::new()];
    for point in points {
        match (point.y, runs.last_mut()) {
            (Some(y), Some(run)) => run.push((*point, y)),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}
