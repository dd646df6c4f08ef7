//! Panels with values against a quantity: lines, bands, error bars, reference lines.
//!
//! Panels stand side by side with the same size; labels of reference lines stand right of their
//! panel, never on the data.

use super::PlotError;
use super::axis::{Axis, spread, thin};
use super::data::{Estimate, Reference, Series, finite};
use super::font::{LEADING, Weight, clean};
use super::page::{Entry, Page};
use super::raster::real;
use super::scene::{Align, Area, Point, Scene, Whisker, bold, plain};
use super::theme::{self, AXIS, GRID, INK, MUTED, PANEL, SeriesStyle, size};

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

/// Draws the legend of lines with these names.
pub(super) fn legend(page: &mut Page, names: &[&str], parts: Parts) {
    let entries: Vec<Entry> = names
        .iter()
        .enumerate()
        .map(|(index, name)| Entry {
            style: theme::series(index),
            name: (*name).to_owned(),
            marker: parts.points,
            line: parts.line,
        })
        .collect();
    page.legend(&entries);
}

/// Sideways shifts in pixels that set the error bars of `count` lines apart, as far as `places`
/// different horizontal values in each of `panels` panels leave room.
pub(super) fn shifts(count: usize, places: usize, panels: usize) -> Vec<f64> {
    let count = real(count);
    let space = 1300.0 / real(columns(panels)) / (real(places.max(2)) - 1.0);
    let room = (space * 0.35).min(11.0 * count);
    (0..super::raster::whole(count))
        .map(|i| {
            if count < 2.0 {
                0.0
            } else {
                (real(i) / (count - 1.0) - 0.5) * room
            }
        })
        .collect()
}

/// Checks a level to compare with.
pub(super) fn level(reference: &Reference, chart: &str, null: bool) -> Result<Level, PlotError> {
    finite(chart, &reference.label, &[reference.value])?;
    Ok(Level {
        label: reference.label.clone(),
        value: reference.value,
        null,
    })
}

/// A level that is drawn across a panel and labelled at its right.
pub(super) struct Level {
    /// Label.
    pub label: String,
    /// Height.
    pub value: f64,
    /// Whether it is the line of no effect, which is drawn stronger.
    pub null: bool,
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

const GUTTER_GAP: f64 = 18.0;

/// Columns in which a number of panels is arranged.
pub(super) fn columns(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

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
    let margins = Margins::measure(&page.scene, panels, width);
    for row in panels.chunks(columns) {
        let headings: Vec<Vec<String>> = row
            .iter()
            .map(|panel| {
                page.scene.fonts.fit(
                    &clean(&panel.heading),
                    size::HEADING,
                    Weight::Bold,
                    width - margins.left,
                    2,
                )
            })
            .collect();
        let lines = headings.iter().map(Vec::len).max().unwrap_or(0);
        let line_height = size::HEADING * LEADING;
        let top = page.bottom;
        let plot_top = top + real(lines) * line_height + 12.0;
        for (column, (panel, heading)) in row.iter().zip(&headings).enumerate() {
            let left = Page::left() + real(column) * (width + gap);
            let area = Area {
                left: left + margins.left,
                top: plot_top,
                right: left + width - margins.right,
                bottom: plot_top + height,
            };
            let skipped = real(lines - heading.len());
            for (i, text) in heading.iter().enumerate() {
                let y = top + (real(i) + skipped + 0.5) * line_height;
                page.scene
                    .text(text, (area.left, y), Align::Start, bold(size::HEADING, INK));
            }
            draw_panel(&mut page.scene, panel, area, left, margins.right);
        }
        page.bottom = plot_top + height + BELOW;
        page.gap(16.0);
    }
    page.gap(-16.0);
}

/// Height below a panel for tick labels and the axis title.
const BELOW: f64 = 92.0;

struct Margins {
    left: f64,
    right: f64,
}

impl Margins {
    /// The same margins for all panels, wide enough for the widest labels.
    fn measure(scene: &Scene, panels: &[Panel], width: f64) -> Self {
        let tick = plain(size::TICK, MUTED);
        let ticks = panels
            .iter()
            .flat_map(|p| p.y.ticks.iter())
            .map(|t| scene.measure(&t.label, tick))
            .fold(0.0, f64::max);
        let most = (width * 0.24).min(300.0);
        let labels = panels
            .iter()
            .flat_map(|p| p.levels.iter())
            .flat_map(|level| gutter_lines(scene, &level.label, most))
            .map(|line| scene.measure(&line, tick))
            .fold(0.0, f64::max);
        Self {
            left: ticks + 14.0 + size::LABEL * 1.6,
            right: if labels > 0.0 {
                labels + GUTTER_GAP + 4.0
            } else {
                16.0
            },
        }
    }
}

fn gutter_lines(scene: &Scene, label: &str, width: f64) -> Vec<String> {
    scene
        .fonts
        .fit(&clean(label), size::TICK, Weight::Regular, width, 3)
}

fn draw_panel(scene: &mut Scene, panel: &Panel, area: Area, left: f64, gutter: f64) {
    scene.rect(area, PANEL);
    scene.data_areas.push(area);
    vertical_axis(scene, &panel.y, &panel.y_label, area, left);
    horizontal_axis(scene, &panel.x, &panel.x_label, area);
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
    levels(scene, panel, area, gutter);
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
        }
    }
    frame(scene, area);
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

/// Draws ticks, labels that fit, and the title of a horizontal axis below an area.
pub(super) fn horizontal_axis(scene: &mut Scene, axis: &Axis, label: &str, area: Area) {
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
    let label = scene
        .fonts
        .line(&clean(label), size::LABEL, Weight::Regular, area.width());
    scene.text(
        &label,
        (f64::midpoint(area.left, area.right), area.bottom + 68.0),
        Align::Middle,
        plain(size::LABEL, INK),
    );
}

fn levels(scene: &mut Scene, panel: &Panel, area: Area, gutter: f64) {
    let width = gutter - GUTTER_GAP;
    let line_height = size::TICK * LEADING;
    let texts: Vec<Vec<String>> = panel
        .levels
        .iter()
        .map(|level| gutter_lines(scene, &level.label, width))
        .collect();
    let heights: Vec<(f64, f64)> = panel
        .levels
        .iter()
        .zip(&texts)
        .map(|(level, lines)| {
            (
                area.bottom - panel.y.share(level.value) * area.height(),
                real(lines.len()) * line_height + 4.0,
            )
        })
        .collect();
    let centres = spread(&heights, area.top - 20.0, area.bottom + 20.0);
    for (((level, lines), (y, _)), centre) in
        panel.levels.iter().zip(&texts).zip(&heights).zip(centres)
    {
        let (color, width, dash) = if level.null {
            (theme::NULL, 3.0, theme::NULL_DASH)
        } else {
            (theme::REFERENCE, 3.0, theme::REFERENCE_DASH)
        };
        scene.line(vec![(area.left, *y), (area.right, *y)], width, color, dash);
        scene.stroke(
            (area.right, *y),
            (area.right + GUTTER_GAP - 6.0, centre),
            1.5,
            color,
        );
        let first = centre - (real(lines.len()) - 1.0) / 2.0 * line_height;
        for (i, line) in lines.iter().enumerate() {
            scene.text(
                line,
                (area.right + GUTTER_GAP, first + real(i) * line_height),
                Align::Start,
                plain(size::TICK, color),
            );
        }
    }
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
