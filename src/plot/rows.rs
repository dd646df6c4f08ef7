//! Rows of intervals beside their names: forest plots, seat effects, ratings.

use super::PlotError;
use super::axis::{Axis, ends, fixed};
use super::data::{Caption, IntervalGroup, Reference, empty, finite, numbered};
use super::font::{LEADING, Weight, clean};
use super::marks::Whisker;
use super::page::Page;
use super::raster::real;
use super::scene::{Align, Area, Scene, Style, bold, plain};
use super::theme::{self, Color, INK, MUTED, size};
use super::xy::horizontal_axis;

/// One row.
#[derive(Clone)]
pub(super) struct Row {
    /// Name, in up to two lines.
    pub label: String,
    /// The value; nothing where it is unknown.
    pub value: Option<f64>,
    /// Lower end; nothing where it is unbounded.
    pub low: Option<f64>,
    /// Upper end; nothing where it is unbounded.
    pub high: Option<f64>,
    /// A narrower interval, drawn thicker.
    pub inner: Option<(f64, f64)>,
}

/// Rows under a common heading.
#[derive(Clone)]
pub(super) struct Group {
    /// Heading; may be empty.
    pub heading: String,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A chart of rows.
pub(super) struct Rows<'a> {
    /// Title of the chart.
    pub title: &'a str,
    /// What stands below.
    pub caption: &'a Caption,
    /// Groups from top to bottom.
    pub groups: Vec<Group>,
    /// Horizontal axis.
    pub axis: Axis,
    /// Title of the horizontal axis.
    pub axis_label: &'a str,
    /// Heading of the numbers at the right.
    pub numbers: &'a str,
    /// Decimals of the numbers at the right.
    pub decimals: usize,
    /// A line to compare with.
    pub null: Reference,
    /// Whether colours say on which side of that line an interval lies.
    pub colored: bool,
}

/// Most rows on one page; with two lines of text each, a page is still less tall than twice its
/// width.
const PAGE_ROWS: usize = 40;

impl Rows<'_> {
    /// All rows in one picture.
    pub fn scene(&self) -> Result<Scene, PlotError> {
        self.page(self.title, &self.groups)
    }

    /// At most [`PAGE_ROWS`] rows in each picture, all with the same scale.
    pub fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        let pages = split(&self.groups, PAGE_ROWS);
        let count = pages.len();
        pages
            .iter()
            .enumerate()
            .map(|(index, groups)| self.page(&numbered(self.title, index, count), groups))
            .collect()
    }

    fn page(&self, title: &str, groups: &[Group]) -> Result<Scene, PlotError> {
        let mut page = Page::new(title, "", self.caption)?;
        if self.colored {
            key(&mut page, &self.null.label);
        }
        draw(&mut page, self, groups);
        Ok(page.finish())
    }
}

/// Rows for a chart, checked.
///
/// # Errors
/// [`PlotError::Value`] for a number that is not finite or an interval that is upside down,
/// [`PlotError::Empty`] if no value is known.
pub(super) fn groups(chart: &str, groups: &[IntervalGroup]) -> Result<Vec<Group>, PlotError> {
    let mut any = false;
    let mut checked = Vec::new();
    for group in groups {
        let mut rows = Vec::new();
        for row in &group.rows {
            if let Some(estimate) = row.estimate {
                estimate.check(chart, &row.label)?;
                any = true;
            }
            if let Some((low, high)) = row.inner {
                finite(chart, &row.label, &[low, high])?;
            }
            rows.push(Row {
                label: row.label.clone(),
                value: row.estimate.map(|e| e.value),
                low: row.estimate.map(|e| e.low),
                high: row.estimate.map(|e| e.high),
                inner: row.inner,
            });
        }
        checked.push(Group {
            heading: group.heading.clone(),
            rows,
        });
    }
    if any {
        Ok(checked)
    } else {
        Err(empty(chart, "values"))
    }
}

/// Every finite number that rows show.
pub(super) fn extent(groups: &[Group]) -> Vec<f64> {
    groups
        .iter()
        .flat_map(|g| &g.rows)
        .flat_map(|row| {
            [
                row.value,
                row.low,
                row.high,
                row.inner.map(|i| i.0),
                row.inner.map(|i| i.1),
            ]
        })
        .flatten()
        .collect()
}

/// Colour of an interval that lies wholly above the line of no effect.
const ABOVE: Color = Color::hex(0x0021_66AC);
/// Colour of an interval that lies wholly below the line of no effect.
const BELOW: Color = Color::hex(0x00B3_5806);

/// Draws the key to the colours of intervals.
fn key(page: &mut Page, null: &str) {
    let style = plain(size::LABEL, INK);
    let y = page.bottom + 20.0;
    let mut x = Page::left();
    let null = clean(null);
    for (color, text) in [
        (ABOVE, format!("interval above {null}")),
        (BELOW, "below it".to_owned()),
        (MUTED, "includes it".to_owned()),
    ] {
        page.scene
            .whisker((x, y), (x + 60.0, y), Whisker::closed(4.0, 9.0, color));
        page.scene
            .marker((x + 30.0, y), 9.0, theme::Marker::Disc, color);
        let room = (Page::right() - x - 500.0).max(200.0);
        let text = page
            .scene
            .fonts
            .line(&text, size::LABEL, Weight::Regular, room);
        x += 76.0 + page.scene.text(&text, (x + 76.0, y), Align::Start, style) + 44.0;
    }
    page.bottom = y + 38.0;
}

/// A row with its place: upper edge, height, and its name in lines.
struct Placed<'a> {
    top: f64,
    height: f64,
    name: Vec<String>,
    row: &'a Row,
}

/// Widths of the columns of text.
struct Widths {
    names: f64,
    intervals: f64,
    numbers: f64,
}

const LABEL: Style = plain(size::LABEL, INK);
const LINE: f64 = size::LABEL * LEADING;

impl Widths {
    fn measure(scene: &Scene, rows: &Rows<'_>) -> Self {
        let widest = |text: &dyn Fn(&Row) -> String| {
            rows.groups
                .iter()
                .flat_map(|g| &g.rows)
                .map(|row| scene.measure(&text(row), LABEL))
                .fold(0.0, f64::max)
        };
        let headings = rows
            .groups
            .iter()
            .map(|g| scene.measure(&g.heading, bold(size::HEADING, INK)))
            .fold(120.0, f64::max);
        let values = widest(&|row| value_text(row, rows.decimals));
        let intervals = widest(&|row| interval_text(row, rows.decimals));
        let title = scene.measure(rows.numbers, plain(size::TICK, MUTED));
        Self {
            names: widest(&|row| row.label.clone()).max(headings).min(640.0),
            intervals,
            numbers: (values + 18.0 + intervals + 8.0).max(title),
        }
    }
}

/// Draws rows below what is already on the page.
fn draw(page: &mut Page, rows: &Rows<'_>, groups: &[Group]) {
    let widths = Widths::measure(&page.scene, rows);
    let left = Page::left() + widths.names + 30.0;
    let right = Page::right() - widths.numbers - 30.0;
    let top = page.bottom + 44.0;
    // Places first: the grid of the axis lies under the rows.
    let mut y = top + 8.0;
    let mut placed = Vec::new();
    let mut headings: Vec<(f64, &str)> = Vec::new();
    for group in groups {
        if !group.heading.is_empty() {
            headings.push((y + 24.0, &group.heading));
            y += 48.0;
        }
        for row in &group.rows {
            let name = page.scene.fonts.fit(
                &clean(&row.label),
                size::LABEL,
                Weight::Regular,
                widths.names,
                2,
            );
            let height = real(name.len().max(1)) * LINE + 12.0;
            placed.push(Placed {
                top: y,
                height,
                name,
                row,
            });
            y += height;
        }
    }
    let area = Area {
        left,
        top,
        right,
        bottom: y + 8.0,
    };
    for row in placed.iter().step_by(2) {
        let stripe = Area {
            left: Page::left(),
            top: row.top,
            right: Page::right(),
            bottom: row.top + row.height,
        };
        page.scene.rect(stripe, theme::STRIPE);
    }
    page.scene.data_areas.push(area);
    let bottom = horizontal_axis(&mut page.scene, &rows.axis, rows.axis_label, area);
    let x_of = |value: f64| left + rows.axis.share(value) * (right - left);
    null_line(&mut page.scene, &rows.null, area, &x_of);
    page.scene.text(
        rows.numbers,
        (Page::right(), page.bottom + 20.0),
        Align::End,
        plain(size::TICK, MUTED),
    );
    for (y, heading) in headings {
        let room = left - Page::left() - 14.0;
        let text = page
            .scene
            .fonts
            .line(&clean(heading), size::HEADING, Weight::Bold, room);
        let style = bold(size::HEADING, INK);
        page.scene
            .text(&text, (Page::left(), y), Align::Start, style);
    }
    let null = rows.colored.then_some(rows.null.value);
    for row in &placed {
        draw_text(&mut page.scene, row, rows.decimals, &widths);
        draw_interval(&mut page.scene, row, null, area, &x_of);
    }
    page.scene.stroke(
        (area.left, area.bottom),
        (area.right, area.bottom),
        2.0,
        theme::AXIS,
    );
    page.bottom = bottom;
}

fn draw_text(scene: &mut Scene, placed: &Placed<'_>, decimals: usize, widths: &Widths) {
    let middle = placed.top + placed.height / 2.0;
    let first = middle - (real(placed.name.len()) - 1.0) / 2.0 * LINE;
    for (i, text) in placed.name.iter().enumerate() {
        let at = (Page::left() + 8.0, first + real(i) * LINE);
        scene.text(text, at, Align::Start, LABEL);
    }
    let right = Page::right() - 8.0;
    for (text, x) in [
        (interval_text(placed.row, decimals), right),
        (
            value_text(placed.row, decimals),
            right - widths.intervals - 18.0,
        ),
    ] {
        scene.text(&text, (x, middle), Align::End, LABEL);
    }
}

fn null_line(scene: &mut Scene, null: &Reference, area: Area, x_of: &dyn Fn(f64) -> f64) {
    let x = x_of(null.value);
    scene.line(
        vec![(x, area.top - 6.0), (x, area.bottom)],
        3.0,
        theme::NULL,
        theme::NULL_DASH,
    );
    let style = plain(size::TICK, INK);
    let name = scene.fonts.line(
        &clean(&null.label),
        size::TICK,
        Weight::Regular,
        area.width(),
    );
    // Centred on the line unless that would leave the panel.
    let half = scene.measure(&name, style) / 2.0;
    let x = x.clamp(area.left + half, area.right - half);
    scene.text(&name, (x, area.top - 24.0), Align::Middle, style);
}

fn draw_interval(
    scene: &mut Scene,
    placed: &Placed<'_>,
    null: Option<f64>,
    area: Area,
    x_of: &dyn Fn(f64) -> f64,
) {
    let row = placed.row;
    if row.value.is_none() && row.low.is_none() && row.high.is_none() {
        return;
    }
    let y = placed.top + placed.height / 2.0;
    let color = match null {
        Some(null) if row.low.is_some_and(|low| low > null) => ABOVE,
        Some(null) if row.high.is_some_and(|high| high < null) => BELOW,
        Some(_) => MUTED,
        None => ABOVE,
    };
    let look = Whisker {
        width: 3.0,
        cap: 8.0,
        color,
        open_from: row.low.is_none(),
        open_to: row.high.is_none(),
    };
    scene.whisker(
        (row.low.map_or(area.left + 4.0, x_of), y),
        (row.high.map_or(area.right - 4.0, x_of), y),
        look,
    );
    if let Some((low, high)) = row.inner {
        scene.stroke((x_of(low), y), (x_of(high), y), 9.0, color);
    }
    if let Some(value) = row.value {
        scene.marker((x_of(value), y), 9.0, theme::Marker::Disc, color);
    }
}

fn value_text(row: &Row, decimals: usize) -> String {
    row.value
        .map_or_else(|| "–".to_owned(), |v| fixed(v, decimals))
}

fn interval_text(row: &Row, decimals: usize) -> String {
    if row.value.is_none() && row.low.is_none() && row.high.is_none() {
        return "no result".to_owned();
    }
    let one =
        |value: Option<f64>| value.map_or_else(|| "unbounded".to_owned(), |v| fixed(v, decimals));
    let (low, high) = match (row.low, row.high) {
        (Some(low), Some(high)) => ends(low, high, decimals),
        (low, high) => (one(low), one(high)),
    };
    format!("[{low}, {high}]")
}

/// Groups cut into pages of at most `most` rows; a group that goes on keeps its heading.
fn split(groups: &[Group], most: usize) -> Vec<Vec<Group>> {
    let mut pages: Vec<Vec<Group>> = Vec::new();
    let mut left = 0;
    for group in groups {
        let mut rest = group.rows.as_slice();
        while !rest.is_empty() {
            if left == 0 {
                pages.push(Vec::new());
                left = most;
            }
            let (here, later) = rest.split_at(left.min(rest.len()));
            if let Some(page) = pages.last_mut() {
                page.push(Group {
                    heading: group.heading.clone(),
                    rows: here.to_vec(),
                });
            }
            left -= here.len();
            rest = later;
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Row {
        Row {
            label: label.to_owned(),
            value,
            low,
            high,
            inner: None,
        }
    }

    #[test]
    fn pages_keep_every_row_once_under_its_heading() {
        let group = |heading: &str, rows: std::ops::Range<usize>| Group {
            heading: heading.to_owned(),
            rows: rows
                .map(|i| row(&i.to_string(), None, None, None))
                .collect(),
        };
        let groups = [group("a", 0..7), group("b", 0..0), group("c", 7..12)];
        let pages = split(&groups, 5);
        assert_eq!(pages.len(), 3);
        let rows: Vec<(String, String)> = pages
            .iter()
            .flatten()
            .flat_map(|g| g.rows.iter().map(|r| (g.heading.clone(), r.label.clone())))
            .collect();
        let expected: Vec<(String, String)> = (0..12)
            .map(|i| (if i < 7 { "a" } else { "c" }.to_owned(), i.to_string()))
            .collect();
        assert_eq!(rows, expected);
        for page in &pages {
            assert!(page.iter().map(|g| g.rows.len()).sum::<usize>() <= 5);
        }
    }

    #[test]
    fn unknown_and_unbounded_values_are_said_in_words() {
        assert_eq!(interval_text(&row("", None, None, None), 2), "no result");
        let half_open = row("", Some(-12.0), Some(-40.0), None);
        assert_eq!(value_text(&half_open, 0), "−12");
        assert_eq!(interval_text(&half_open, 0), "[−40, unbounded]");
        let won_all = row("", None, Some(120.0), None);
        assert_eq!(value_text(&won_all, 0), "–");
        assert_eq!(interval_text(&won_all, 0), "[120, unbounded]");
    }
}
