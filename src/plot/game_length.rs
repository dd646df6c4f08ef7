//! How long games last.

use super::axis::{Axis, fixed, short};
use super::data::{Caption, Estimate, empty, numbered};
use super::font::{LEADING, Weight, clean};
use super::marks::Whisker;
use super::page::{Entry, Page};
use super::raster::real;
use super::scene::{Align, Area, Scene, Tip, bold};
use super::theme::{self, INK, PANEL, SeriesStyle, size};
use super::xy::{frame, horizontal_axis, vertical_axis};
use super::{Chart, PlotError};
use crate::numbers;

/// Distributions of game length, one panel per group with the same scales: share of the games per
/// bin, the middle half of the games darker, the median as a line, the mean with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLength {
    /// Title; says what was asked.
    pub title: String,
    /// What is counted, such as "decisions per game".
    pub unit: String,
    /// Groups, such as one per opponent.
    pub groups: Vec<LengthGroup>,
    /// What stands below.
    pub caption: Caption,
}

/// The games of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthGroup {
    /// Name.
    pub name: String,
    /// Lengths and how many games had each, in any order; a length may appear more than once.
    pub counts: Vec<(u64, u64)>,
    /// Mean length with its interval, if known.
    pub mean: Option<Estimate>,
}

/// Most bins in a panel.
const BINS: u64 = 80;
/// Most groups on one page.
const PAGE_GROUPS: usize = 6;
const PLOT_HEIGHT: f64 = 230.0;
const BAR: theme::Color = theme::Color::hex(0x009F_C5E8);
const MIDDLE_BAR: theme::Color = theme::Color::hex(0x0000_72B2);
const MEAN: theme::Color = theme::Color::hex(0x00D5_5E00);

/// A group with its quantiles.
struct Summary<'a> {
    group: &'a LengthGroup,
    /// Lengths in ascending order, each once.
    counts: Vec<(u64, u64)>,
    games: u64,
}

impl<'a> Summary<'a> {
    fn of(group: &'a LengthGroup) -> Option<Self> {
        let mut sorted = group.counts.clone();
        sorted.retain(|(_, games)| *games > 0);
        sorted.sort_unstable();
        let mut counts: Vec<(u64, u64)> = Vec::new();
        for (length, games) in sorted {
            match counts.last_mut() {
                Some((last, sum)) if *last == length => *sum = sum.saturating_add(games),
                _ => counts.push((length, games)),
            }
        }
        let games = counts
            .iter()
            .fold(0_u64, |sum, (_, games)| sum.saturating_add(*games));
        (games > 0).then_some(Self {
            group,
            counts,
            games,
        })
    }

    /// The smallest length that at least `share` of the games do not exceed (an order statistic, so
    /// always a length that occurred).
    fn quantile(&self, share: f64) -> u64 {
        let wanted = count(self.games) * share;
        let mut seen = 0;
        for (length, games) in &self.counts {
            seen += games;
            if count(seen) >= wanted {
                return *length;
            }
        }
        self.longest()
    }

    fn longest(&self) -> u64 {
        self.counts.last().map_or(0, |(length, _)| *length)
    }

    fn shortest(&self) -> u64 {
        self.counts.first().map_or(0, |(length, _)| *length)
    }
}

/// Bins that all panels share.
struct Bins {
    first: u64,
    width: u64,
    /// Lengths above this are counted in words only.
    last: u64,
}

impl Bins {
    fn choose(groups: &[Summary<'_>]) -> Self {
        let shortest = groups.iter().map(Summary::shortest).min().unwrap_or(0);
        let most = groups.iter().map(|g| g.quantile(0.995)).max().unwrap_or(0);
        // A handful of games that hit the decision cap must not squeeze all others into one bar.
        let limit = most.saturating_add((most - shortest).max(1));
        let last = groups
            .iter()
            .flat_map(|g| &g.counts)
            .map(|(length, _)| *length)
            .filter(|length| *length <= limit)
            .max()
            .unwrap_or(most);
        let mut width = 1_u64;
        while (last - shortest) / width >= BINS {
            width = match width.to_string().chars().next() {
                Some('2') => width / 2 * 5,
                _ => width * 2,
            };
        }
        Self {
            first: shortest / width * width,
            width,
            last,
        }
    }

    /// Lower edges and games of all bins that hold any.
    fn fill(&self, group: &Summary<'_>) -> Vec<(u64, u64)> {
        let mut bins: Vec<(u64, u64)> = Vec::new();
        for (length, games) in &group.counts {
            if *length > self.last {
                break;
            }
            let start = length / self.width * self.width;
            match bins.last_mut() {
                Some((edge, sum)) if *edge == start => *sum += games,
                _ => bins.push((start, *games)),
            }
        }
        bins
    }

    fn tallest(&self, groups: &[Summary<'_>]) -> f64 {
        groups
            .iter()
            .flat_map(|g| {
                self.fill(g)
                    .into_iter()
                    .map(|(_, games)| 100.0 * count(games) / count(g.games))
            })
            .fold(0.0, f64::max)
    }
}

impl GameLength {
    fn draw(
        &self,
        title: &str,
        shown: &[Summary<'_>],
        bins: &Bins,
        tallest: f64,
    ) -> Result<Scene, PlotError> {
        let means = shown.iter().filter_map(|s| s.group.mean);
        let ends = [
            count(bins.first),
            count(bins.last / bins.width * bins.width + bins.width),
        ];
        let (low, high) = ends
            .into_iter()
            .map(|edge| edge - 0.5)
            .chain(means.flat_map(|m| [m.low, m.high]))
            .fold((f64::MAX, f64::MIN), |(low, high), v| {
                (f64::min(low, v), f64::max(high, v))
            });
        let x = Axis::between(low, high).whole();
        // A free strip at the top holds the mean.
        let mut y = Axis::from_zero(tallest * 1.2);
        y.ticks.retain(|tick| tick.value <= 100.0);
        let mut page = Page::new(title, "", &self.caption)?;
        legend(&mut page, shown.iter().any(|s| s.group.mean.is_some()));
        for (index, summary) in shown.iter().enumerate() {
            if index > 0 {
                page.gap(14.0);
            }
            self.panel(&mut page, summary, bins, &x, &y);
        }
        Ok(page.finish())
    }

    fn panel(&self, page: &mut Page, summary: &Summary<'_>, bins: &Bins, x: &Axis, y: &Axis) {
        let left = Page::left() + 110.0;
        let style = bold(size::HEADING, INK);
        let lines = page.scene.fonts.fit(
            &clean(&heading(summary, bins)),
            size::HEADING,
            Weight::Bold,
            Page::right() - left,
            3,
        );
        for line in lines {
            let height = size::HEADING * LEADING;
            page.scene.text(
                &line,
                (left, page.bottom + height / 2.0),
                Align::Start,
                style,
            );
            page.bottom += height;
        }
        let area = Area {
            left,
            top: page.bottom + 14.0,
            right: Page::right() - 16.0,
            bottom: page.bottom + 14.0 + PLOT_HEIGHT,
        };
        page.scene.rect(area, PANEL);
        page.scene.data_areas.push(area);
        vertical_axis(&mut page.scene, y, "games (%)", area, Page::left());
        let bottom = horizontal_axis(&mut page.scene, x, &self.unit, area);
        draw_bars(&mut page.scene, summary, (bins, &self.unit), area, x, y);
        frame(&mut page.scene, area);
        page.bottom = bottom;
    }
}

fn draw_bars(
    scene: &mut Scene,
    summary: &Summary<'_>,
    (bins, unit): (&Bins, &str),
    area: Area,
    x: &Axis,
    y: &Axis,
) {
    let across = |value: f64| area.left + x.share(value) * area.width();
    let up = |value: f64| area.bottom - y.share(value) * area.height();
    let (lower, upper) = (summary.quantile(0.25), summary.quantile(0.75));
    for (edge, games) in bins.fill(summary) {
        let inside = edge + bins.width > lower && edge <= upper;
        // The bar of a length stands over it: half a decision to both sides.
        let (from, to) = (
            across(count(edge) - 0.5),
            across(count(edge + bins.width) - 0.5),
        );
        let gap = ((to - from) * 0.08).min(2.0);
        let bar = Area {
            left: from + gap,
            top: up(100.0 * count(games) / count(summary.games)),
            right: to - gap,
            bottom: area.bottom,
        };
        scene.rect(bar, if inside { MIDDLE_BAR } else { BAR });
        let lengths = match bins.width {
            0 | 1 => edge.to_string(),
            width => format!("{edge} to {}", edge + width - 1),
        };
        scene.tips.push(Tip {
            area: Area {
                top: area.top,
                ..bar
            },
            text: format!(
                "{lengths} {unit}\n{} of {} games",
                numbers::count(games),
                numbers::count(summary.games)
            ),
        });
    }
    let middle = across(count(summary.quantile(0.5)));
    scene.line(
        vec![(middle, area.top), (middle, area.bottom)],
        3.0,
        theme::NULL,
        theme::NULL_DASH,
    );
    if let Some(mean) = summary.group.mean {
        let at = |value: f64| (across(value), area.top + 20.0);
        scene.whisker(at(mean.low), at(mean.high), Whisker::closed(4.0, 9.0, MEAN));
        scene.marker(at(mean.value), 7.0, theme::Marker::Diamond, MEAN);
    }
}

fn legend(page: &mut Page, means: bool) {
    let entry = |color, dash, marker: Option<theme::Marker>, name: &str| Entry {
        style: SeriesStyle {
            color,
            marker: marker.unwrap_or(theme::Marker::Square),
            dash,
        },
        name: name.to_owned(),
        marker: marker.is_some(),
        line: marker != Some(theme::Marker::Square),
    };
    let square = Some(theme::Marker::Square);
    let mut entries = vec![
        entry(MIDDLE_BAR, theme::SOLID, square, "middle half of the games"),
        entry(BAR, theme::SOLID, square, "the other games"),
        entry(theme::NULL, theme::NULL_DASH, None, "median"),
    ];
    if means {
        let diamond = Some(theme::Marker::Diamond);
        entries.push(entry(MEAN, theme::SOLID, diamond, "mean with interval"));
    }
    page.legend(&entries);
}

fn heading(summary: &Summary<'_>, bins: &Bins) -> String {
    let whole_number = |n: u64| fixed(count(n), 0);
    let mut text = format!(
        "{}: median {}, middle half {} to {}, {} game{}",
        summary.group.name,
        whole_number(summary.quantile(0.5)),
        whole_number(summary.quantile(0.25)),
        whole_number(summary.quantile(0.75)),
        whole_number(summary.games),
        if summary.games == 1 { "" } else { "s" },
    );
    if let Some(mean) = summary.group.mean {
        let round = |v: f64| short((v * 10.0).round() / 10.0);
        let interval = format!(
            ", mean {} [{}, {}]",
            round(mean.value),
            round(mean.low),
            round(mean.high)
        );
        text.push_str(&interval);
    }
    let beyond = summary
        .counts
        .iter()
        .filter(|(length, _)| *length > bins.last)
        .fold(0_u64, |sum, (_, games)| sum.saturating_add(*games));
    if beyond > 0 {
        let note = format!(
            "; not drawn: {} above {}, the longest {}",
            whole_number(beyond),
            whole_number(bins.last),
            whole_number(summary.longest())
        );
        text.push_str(&note);
    }
    text
}

impl Chart for GameLength {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.layout(usize::MAX)?
            .pop()
            .ok_or_else(|| empty(&self.title, "games"))
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.layout(PAGE_GROUPS)
    }
}

impl GameLength {
    fn layout(&self, most: usize) -> Result<Vec<Scene>, PlotError> {
        for group in &self.groups {
            if let Some(mean) = group.mean {
                mean.check(&self.title, &group.name)?;
            }
        }
        let summaries: Vec<Summary<'_>> = self.groups.iter().filter_map(Summary::of).collect();
        if summaries.is_empty() {
            return Err(empty(&self.title, "games"));
        }
        let bins = Bins::choose(&summaries);
        let tallest = bins.tallest(&summaries);
        let pages = summaries.len().div_ceil(most);
        summaries
            .chunks(most)
            .enumerate()
            .map(|(i, shown)| self.draw(&numbered(&self.title, i, pages), shown, &bins, tallest))
            .collect()
    }
}

/// A number of games or decisions as a coordinate.
fn count(n: u64) -> f64 {
    real(usize::try_from(n).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(counts: &[(u64, u64)]) -> LengthGroup {
        LengthGroup {
            name: "g".to_owned(),
            counts: counts.to_vec(),
            mean: None,
        }
    }

    #[test]
    fn quantiles_are_order_statistics() {
        let g = group(&[(3, 1), (1, 1), (2, 1), (4, 1), (4, 0), (2, 4)]);
        let s = Summary::of(&g).expect("games");
        // 1, 2, 2, 2, 2, 2, 3, 4
        assert_eq!(s.games, 8);
        assert_eq!(s.quantile(0.125), 1);
        assert_eq!(s.quantile(0.5), 2);
        assert_eq!(s.quantile(0.75), 2);
        assert_eq!(s.quantile(0.875), 3);
        assert_eq!(s.quantile(1.0), 4);
    }

    #[test]
    fn bins_hold_every_game_that_is_drawn_and_the_heading_counts_the_rest() {
        let mut counts: Vec<(u64, u64)> = (20..180).map(|l| (l, 10)).collect();
        counts.push((5000, 3));
        let g = group(&counts);
        let s = Summary::of(&g).expect("games");
        let bins = Bins::choose(std::slice::from_ref(&s));
        let drawn: u64 = bins.fill(&s).iter().map(|(_, games)| games).sum();
        assert_eq!(drawn + 3 + 10 * (179 - bins.last), s.games);
        assert!(heading(&s, &bins).contains("the longest 5,000"));
        assert!((bins.last - bins.first) / bins.width <= BINS);
    }

    #[test]
    fn one_game_is_a_distribution_and_none_is_an_error() {
        let chart = |counts: &[(u64, u64)]| GameLength {
            title: "t".to_owned(),
            unit: "decisions".to_owned(),
            groups: vec![group(counts)],
            caption: Caption::default(),
        };
        assert!(
            chart(&[(0, 1)])
                .scene()
                .is_ok_and(|s| s.faults().is_empty())
        );
        assert!(matches!(
            chart(&[(7, 0)]).scene(),
            Err(PlotError::Empty { .. })
        ));
    }
}
