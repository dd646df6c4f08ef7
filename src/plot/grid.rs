//! A grid of coloured cells with the numbers written in.

use super::axis::{ends, fixed};
use super::data::Estimate;
use super::font::{LEADING, Weight, clean};
use super::page::Page;
use super::raster::real;
use super::scene::{Align, Area, Scene, bold, plain};
use super::theme::{self, INK, MUTED, size};

/// On which side of the fair share a value lies beyond doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Above.
    Above,
    /// Below.
    Below,
}

/// One cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatCell {
    /// Score with interval, between 0 and 1.
    pub estimate: Estimate,
    /// Side of the neutral level on which the score lies significantly, if it does.
    pub mark: Option<Side>,
}

/// A grid with the names of its rows and columns.
pub(super) struct Grid<'a> {
    /// What stands above; may be empty.
    pub heading: &'a str,
    /// What the rows are.
    pub row_title: &'a str,
    /// What the columns are.
    pub column_title: &'a str,
    /// Names of the rows.
    pub rows: &'a [String],
    /// Names of the columns.
    pub columns: &'a [String],
    /// Cells by row, then column; shorter rows count as missing.
    pub cells: &'a dyn Fn(usize, usize) -> Option<HeatCell>,
    /// Value of the neutral colour, between 0 and 1.
    pub centre: f64,
}

/// Room for an interval with three decimals.
const NARROWEST: f64 = 144.0;
const WIDEST: f64 = 290.0;
const CELL_HEIGHT: f64 = 88.0;
const CELL_GAP: f64 = 3.0;
const DECIMALS: usize = 3;

/// Most rows of cells on one page, so that the page is hardly taller than wide, for a grid of this
/// many columns.
pub(super) fn page_rows(columns: usize) -> usize {
    // Beside the longest names there is room for eight of the narrowest columns.
    (20 / columns.div_ceil(8).max(1)).max(1)
}

/// Colour of a score between 0 and 1, neutral at the centre.
pub(super) fn shade(value: f64, centre: f64) -> theme::Color {
    let room = if value < centre { centre } else { 1.0 - centre };
    theme::diverging(if room > 0.0 {
        (value - centre) / room
    } else {
        0.0
    })
}

/// Draws the grid; more columns than fit side by side go into several bands below each other.
pub(super) fn draw(page: &mut Page, grid: &Grid<'_>) {
    let label = plain(size::LABEL, INK);
    let widest = grid
        .rows
        .iter()
        .map(|name| page.scene.measure(name, label))
        .fold(page.scene.measure(grid.row_title, label), f64::max);
    let names_width = widest.min(620.0) + 22.0;
    let room = Page::right() - Page::left() - names_width;
    let fitting = super::raster::whole(room / NARROWEST).max(1);
    let bands = grid.columns.len().div_ceil(fitting).max(1);
    let per_band = grid.columns.len().div_ceil(bands).max(1);
    let cell_width = (room / real(per_band)).min(WIDEST);
    if !grid.heading.is_empty() {
        page.paragraph(grid.heading, bold(size::HEADING, INK), 2);
        page.gap(8.0);
    }
    let columns: Vec<usize> = (0..grid.columns.len()).collect();
    for (index, band) in columns.chunks(per_band).enumerate() {
        if index > 0 {
            page.gap(24.0);
        }
        draw_band(page, grid, band, names_width, cell_width);
    }
}

fn draw_band(page: &mut Page, grid: &Grid<'_>, band: &[usize], names_width: f64, cell_width: f64) {
    let left = Page::left() + names_width;
    let label = plain(size::LABEL, INK);
    let muted = plain(size::LABEL, MUTED);
    let line = size::LABEL * LEADING;
    let top = page.bottom;
    let title = page.scene.fonts.line(
        &clean(grid.column_title),
        size::LABEL,
        Weight::Regular,
        Page::right() - left,
    );
    page.scene
        .text(&title, (left, top + line / 2.0), Align::Start, muted);
    let headings: Vec<Vec<String>> = band
        .iter()
        .filter_map(|c| grid.columns.get(*c))
        .map(|name| {
            page.scene.fonts.fit(
                &clean(name),
                size::LABEL,
                Weight::Regular,
                cell_width - 14.0,
                2,
            )
        })
        .collect();
    let lines = headings.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let cells_top = top + line + real(lines) * line + 12.0;
    for (i, heading) in headings.iter().enumerate() {
        let x = left + (real(i) + 0.5) * cell_width;
        for (j, text) in heading.iter().enumerate() {
            let skipped = real(lines - heading.len());
            let y = top + line + (real(j) + skipped + 0.5) * line;
            page.scene.text(text, (x, y), Align::Middle, label);
        }
    }
    let row_title = page.scene.fonts.line(
        &clean(grid.row_title),
        size::LABEL,
        Weight::Regular,
        names_width - 18.0,
    );
    page.scene.text(
        &row_title,
        (left - 18.0, cells_top - 12.0 - line / 2.0),
        Align::End,
        muted,
    );
    for (r, name) in grid.rows.iter().enumerate() {
        let y = cells_top + real(r) * CELL_HEIGHT;
        let name = page.scene.fonts.fit(
            &clean(name),
            size::LABEL,
            Weight::Regular,
            names_width - 18.0,
            2,
        );
        let first = y + CELL_HEIGHT / 2.0 - (real(name.len()) - 1.0) / 2.0 * line;
        for (i, text) in name.iter().enumerate() {
            page.scene.text(
                text,
                (left - 18.0, first + real(i) * line),
                Align::End,
                label,
            );
        }
        for (i, column) in band.iter().enumerate() {
            let x = left + real(i) * cell_width;
            let area = Area {
                left: x,
                top: y,
                right: x + cell_width - CELL_GAP,
                bottom: y + CELL_HEIGHT - CELL_GAP,
            };
            draw_cell(&mut page.scene, (grid.cells)(r, *column), grid.centre, area);
        }
    }
    page.scene.data_areas.push(Area {
        left,
        top: cells_top,
        right: left + real(band.len()) * cell_width,
        bottom: cells_top + real(grid.rows.len()) * CELL_HEIGHT,
    });
    page.bottom = cells_top + real(grid.rows.len()) * CELL_HEIGHT;
}

fn draw_cell(scene: &mut Scene, cell: Option<HeatCell>, centre: f64, area: Area) {
    let middle = f64::midpoint(area.left, area.right);
    let Some(cell) = cell else {
        scene.rect(area, theme::NO_VALUE);
        scene.text_on_data(
            "–",
            (middle, f64::midpoint(area.top, area.bottom)),
            Align::Middle,
            plain(size::LABEL, MUTED),
        );
        return;
    };
    let fill = shade(cell.estimate.value, centre);
    scene.rect(area, fill);
    let value = fixed(cell.estimate.value, DECIMALS);
    let value = match cell.mark {
        None => value,
        Some(Side::Above) => format!("{value} ▲"),
        Some(Side::Below) => format!("{value} ▼"),
    };
    scene.text_on_data(
        &value,
        (middle, area.top + area.height() * 0.34),
        Align::Middle,
        bold(size::HEADING, INK),
    );
    let (low, high) = ends(cell.estimate.low, cell.estimate.high, DECIMALS);
    scene.text_on_data(
        &format!("{low}–{high}"),
        (middle, area.top + area.height() * 0.74),
        Align::Middle,
        plain(size::SMALL, INK),
    );
}

/// Draws the key to colours and marks; `marks` says what a mark means and may be empty.
pub(super) fn key(page: &mut Page, measure: &str, centre: f64, centre_name: &str, marks: &str) {
    const STEPS: u32 = 64;
    const WIDTH: f64 = 384.0;
    let style = plain(size::LABEL, INK);
    let left = Page::left();
    let y = page.bottom + 22.0;
    let name = page
        .scene
        .fonts
        .line(&clean(measure), size::LABEL, Weight::Regular, 900.0);
    let mut x = left + page.scene.text(&name, (left, y), Align::Start, style) + 28.0;
    x += page.scene.text("0", (x, y), Align::Start, style) + 12.0;
    // On whole pixels, because shades side by side would show seams between.
    x = x.round();
    for step in 0..STEPS {
        let share = |s: u32| f64::from(s) / f64::from(STEPS);
        page.scene.rect(
            Area {
                left: x + share(step) * WIDTH,
                top: y - 15.0,
                right: x + share(step + 1) * WIDTH,
                bottom: y + 15.0,
            },
            shade(share(step) + 0.5 / f64::from(STEPS), centre),
        );
    }
    let at = x + centre.clamp(0.0, 1.0) * WIDTH;
    page.scene
        .stroke((at, y - 15.0), (at, y + 22.0), 2.0, theme::NULL);
    let text = page
        .scene
        .fonts
        .line(&clean(centre_name), size::TICK, Weight::Regular, 500.0);
    page.scene.text(
        &text,
        (at, y + 40.0),
        Align::Middle,
        plain(size::TICK, MUTED),
    );
    page.scene
        .text("1", (x + WIDTH + 12.0, y), Align::Start, style);
    page.bottom = y + 64.0;
    if !marks.is_empty() {
        page.paragraph(&format!("▲ above, ▼ below: {}", clean(marks)), style, 2);
    }
    page.gap(18.0);
}
