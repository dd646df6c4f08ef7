//! Lines to compare with, across the panels, and their labels right of the panels, never on the
//! data.

use super::PlotError;
use super::axis::{Axis, spread};
use super::data::{Reference, finite};
use super::font::{LEADING, Weight, clean};
use super::page::Entry;
use super::raster::real;
use super::scene::{Align, Area, Scene, plain};
use super::theme::{self, MUTED, SeriesStyle, size};
use super::xy::names;

/// Distance from a panel to the labels at its right, in pixels.
const GUTTER_GAP: f64 = 18.0;

/// A level that is drawn across a panel and labelled at its right.
pub(super) struct Level {
    /// Label.
    pub label: String,
    /// Height.
    pub value: f64,
    /// Whether it is the line of no effect, which is drawn stronger.
    pub null: bool,
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

/// What stands right of the panels: the labels of the levels, or, if these are long, letters that
/// a legend explains.
pub(super) struct Gutter {
    /// Width in pixels, the same for all panels.
    pub width: f64,
    /// Labels with letters; empty if the labels stand there themselves.
    keys: Vec<String>,
    /// Widest text.
    text: f64,
}

impl Gutter {
    /// Decides for panels with these levels, each `width` pixels wide with its margins.
    pub fn choose(scene: &Scene, levels: &[&Level], width: f64) -> Self {
        let style = plain(size::TICK, MUTED);
        let most = (width * 0.24).min(300.0);
        let labels = names(levels.iter().map(|level| level.label.as_str()));
        let wrap = |label: &str| {
            scene
                .fonts
                .wrap(&clean(label), size::TICK, Weight::Regular, most)
        };
        let direct = labels.iter().all(|label| wrap(label).len() <= 2);
        let widest = if direct {
            labels
                .iter()
                .flat_map(|label| wrap(label))
                .map(|line| scene.measure(&line, style))
                .fold(0.0, f64::max)
        } else {
            scene.measure("WW", style)
        };
        Self {
            width: if labels.is_empty() {
                16.0
            } else {
                widest + GUTTER_GAP + 4.0
            },
            keys: if direct {
                Vec::new()
            } else {
                labels.into_iter().map(str::to_owned).collect()
            },
            text: most,
        }
    }

    /// The letter of a label: A to Z, then numbers.
    fn key(&self, label: &str) -> Option<String> {
        let place = self.keys.iter().position(|key| key == label)?;
        let letter = u8::try_from(place).ok().filter(|p| *p < 26);
        Some(letter.map_or_else(
            || (place + 1).to_string(),
            |p| char::from(b'A' + p).to_string(),
        ))
    }

    fn lines(&self, scene: &Scene, label: &str) -> Vec<String> {
        self.key(label).map_or_else(
            || {
                scene
                    .fonts
                    .wrap(&clean(label), size::TICK, Weight::Regular, self.text)
            },
            |key| vec![key],
        )
    }

    /// What the letters mean.
    pub fn legend(&self, levels: &[&Level]) -> Vec<Entry> {
        self.keys
            .iter()
            .map(|label| {
                let null = levels
                    .iter()
                    .any(|level| level.null && level.label == *label);
                let (color, dash) = level_look(null);
                Entry {
                    style: SeriesStyle {
                        color,
                        dash,
                        marker: theme::Marker::Disc,
                    },
                    name: format!("{}: {label}", self.key(label).unwrap_or_default()),
                    marker: false,
                    line: true,
                }
            })
            .collect()
    }
}

fn level_look(null: bool) -> (theme::Color, theme::Dash) {
    if null {
        (theme::NULL, theme::NULL_DASH)
    } else {
        (theme::REFERENCE, theme::REFERENCE_DASH)
    }
}

/// Draws the lines of levels across a panel and their labels right of it.
pub(super) fn draw(scene: &mut Scene, gutter: &Gutter, levels: &[Level], axis: &Axis, area: Area) {
    let line_height = size::TICK * LEADING;
    let texts: Vec<Vec<String>> = levels
        .iter()
        .map(|level| gutter.lines(scene, &level.label))
        .collect();
    let heights: Vec<(f64, f64)> = levels
        .iter()
        .zip(&texts)
        .map(|(level, lines)| {
            (
                area.bottom - axis.share(level.value) * area.height(),
                real(lines.len()) * line_height + 4.0,
            )
        })
        .collect();
    let centres = spread(&heights, area.top - 20.0, area.bottom + 20.0);
    for (((level, lines), (y, _)), centre) in levels.iter().zip(&texts).zip(&heights).zip(centres) {
        let (color, dash) = level_look(level.null);
        scene.line(vec![(area.left, *y), (area.right, *y)], 3.0, color, dash);
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
