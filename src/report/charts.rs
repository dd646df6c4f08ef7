//! Which charts a run gets, filled from its analysis.

use super::standings;
use crate::analysis::{Analysis, CellSummary, Phase};
use crate::numbers::{count, decimals};
use crate::plan::Plan;
use crate::plot::{
    Caption, Chart, DosePanel, DoseResponse, Estimate, Forest, GameLength, HeatCell, HeatMap,
    HeatPanel, IntervalGroup, IntervalRow, LengthGroup, Meta, PlotError, Reference, SeatEffect,
    Series, Side,
};
use crate::spec::Value;
use crate::stats::Interval;

/// Axes that are a budget of search, in the order of preference.
const BUDGETS: [&str; 5] = [
    "simulations",
    "challenger.simulations",
    "worlds",
    "millis",
    "challenger.millis",
];

/// A chart under its file's name.
pub struct Named {
    /// The name without ending.
    pub name: String,
    /// What it shows, in a sentence, for those who cannot see it.
    pub alt: String,
    /// The chart.
    pub chart: Box<dyn Chart>,
}

/// All charts of a run, in the order of the report.
pub fn of_run(plan: &Plan, analysis: &Analysis) -> Vec<Named> {
    let mut charts = Vec::new();
    if let Some(table) = &analysis.standings {
        let caption = caption(plan, analysis, String::new(), Vec::new());
        let fair = fair_share(analysis);
        charts.extend(standings::charts(table, &game_name(plan), fair, &caption));
    }
    let grid = Grid::of(plan);
    if let Some(chart) = grid
        .as_ref()
        .and_then(|grid| dose_response(plan, analysis, grid))
    {
        charts.push(Named {
            name: "score-against-budget".to_owned(),
            alt: format!(
                "Score of {} against {} for every opponent, with intervals.",
                challenger_names(analysis),
                chart.budget
            ),
            chart: Box::new(chart),
        });
    }
    if let Some(chart) = grid
        .as_ref()
        .and_then(|grid| heat_map(plan, analysis, grid))
    {
        charts.push(Named {
            name: "grid".to_owned(),
            alt: "Scores of all cells as a grid with values and intervals written in.".to_owned(),
            chart: Box::new(chart),
        });
    }
    if let Some(chart) = forest(plan, analysis) {
        charts.push(Named {
            name: "cells".to_owned(),
            alt: "Scores of all cells with simultaneous intervals, opponent by opponent."
                .to_owned(),
            chart: Box::new(chart),
        });
    }
    if let Some(chart) = seat_effect(plan, analysis) {
        charts.push(Named {
            name: "seat-effect".to_owned(),
            alt: "Mean score when moving first minus otherwise, with intervals.".to_owned(),
            chart: Box::new(chart),
        });
    }
    if let Some(chart) = game_length(plan, analysis) {
        charts.push(Named {
            name: "game-length".to_owned(),
            alt: "Distribution of the number of decisions per game, opponent by opponent."
                .to_owned(),
            chart: Box::new(chart),
        });
    }
    charts
}

/// A page of a chart in both forms.
pub struct Picture {
    /// The file's name without ending.
    pub name: String,
    /// What it shows.
    pub alt: String,
    /// The PNG file.
    pub png: Vec<u8>,
    /// The SVG file.
    pub svg: String,
}

impl Named {
    /// All pages in both forms.
    ///
    /// # Errors
    /// As [`Chart::pages`].
    pub fn pictures(&self, meta: &Meta) -> Result<Vec<Picture>, PlotError> {
        let pages = self.chart.pages()?;
        let many = pages.len() > 1;
        pages
            .iter()
            .enumerate()
            .map(|(page, scene)| {
                Ok(Picture {
                    name: if many {
                        format!("{}-{}", self.name, page + 1)
                    } else {
                        self.name.clone()
                    },
                    alt: self.alt.clone(),
                    png: scene.render_png(meta)?,
                    svg: scene.render_svg(meta),
                })
            })
            .collect()
    }
}

/// The axis of the budget and the one that makes the lines.
struct Grid {
    budget: usize,
    line: Option<usize>,
}

impl Grid {
    fn of(plan: &Plan) -> Option<Self> {
        let budget = BUDGETS
            .iter()
            .find_map(|name| plan.axes.iter().position(|axis| axis == name))?;
        let preferred = plan
            .axes
            .iter()
            .position(|axis| axis.ends_with("exploration"));
        let other = (0..plan.axes.len()).find(|&axis| axis != budget);
        Some(Self {
            budget,
            line: preferred.or(other),
        })
    }
}

fn challenger_names(analysis: &Analysis) -> String {
    let mut names: Vec<&str> = Vec::new();
    for cell in analysis
        .cells
        .iter()
        .filter(|c| c.cell.phase != Phase::Placebo)
    {
        if !names.contains(&cell.cell.label.as_str()) {
            names.push(&cell.cell.label);
        }
    }
    names.join(", ")
}

fn opponents(analysis: &Analysis) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for cell in &analysis.cells {
        if !names.contains(&cell.cell.opponent_label.as_str()) {
            names.push(&cell.cell.opponent_label);
        }
    }
    names
}

fn estimate(score: Option<f64>, interval: Option<Interval>) -> Option<Estimate> {
    let (value, interval) = (score?, interval?);
    Some(Estimate {
        value,
        low: interval.low,
        high: interval.high,
    })
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        #[expect(clippy::cast_precision_loss, reason = "budgets are far below 2^53")]
        Value::Integer(i) => Some(*i as f64),
        Value::Real(r) => Some(*r),
        _ => None,
    }
}

fn fair_share(analysis: &Analysis) -> f64 {
    analysis.cells.first().map_or(0.5, |c| c.cell.fair_share)
}

fn null(analysis: &Analysis) -> Reference {
    let fair = fair_share(analysis);
    Reference {
        label: format!("equal strength ({})", decimals(fair, 3)),
        value: fair,
    }
}

fn caption(plan: &Plan, analysis: &Analysis, method: String, notes: Vec<String>) -> Caption {
    let games = |pick: fn(u64, u64) -> u64| analysis.cells.iter().map(|c| c.games).reduce(pick);
    let sample = match (games(u64::min), games(u64::max)) {
        (Some(low), Some(high)) if low == high => {
            let blocks = analysis.cells.first().map_or(0, |c| c.blocks);
            format!(
                "n = {} games ({} blocks) per cell",
                count(low),
                count(blocks)
            )
        }
        (Some(low), Some(high)) => {
            format!("n = {} to {} games per cell", count(low), count(high))
        }
        _ => "no games".to_owned(),
    };
    Caption {
        sample,
        seed: format!("seed {}", plan.seed),
        method,
        notes,
    }
}

fn simultaneous_method(analysis: &Analysis) -> String {
    let method = analysis
        .cells
        .iter()
        .find(|c| c.simultaneous.is_some())
        .map_or("no method", |c| c.method.as_str());
    format!(
        "{} % simultaneous intervals (Bonferroni over the cells of one opponent; {method})",
        decimals(analysis.confidence * 100.0, 2)
    )
}

/// Cells that a budget axis describes.
fn searching<'a>(
    analysis: &'a Analysis,
    grid: &'a Grid,
) -> impl Iterator<Item = (f64, &'a CellSummary)> + 'a {
    analysis.cells.iter().filter_map(|c| {
        let budget = number(c.cell.axes.get(grid.budget)?.as_ref())?;
        matches!(c.cell.phase, Phase::Main | Phase::Select).then_some((budget, c))
    })
}

/// What makes a line: challenger, game and all axes but the budget.
fn line_name(plan: &Plan, grid: &Grid, cell: &CellSummary, many_challengers: bool) -> String {
    let mut parts = Vec::new();
    if many_challengers {
        parts.push(cell.cell.label.clone());
    }
    for (axis, value) in cell.cell.axes.iter().enumerate() {
        if axis != grid.budget
            && let Some(value) = value
        {
            parts.push(format!("{} {value}", plan.axes[axis]));
        }
    }
    if parts.is_empty() {
        cell.cell.label.clone()
    } else {
        parts.join(", ")
    }
}

fn dose_response(plan: &Plan, analysis: &Analysis, grid: &Grid) -> Option<DoseResponse> {
    let mut labels: Vec<&str> = searching(analysis, grid)
        .map(|(_, c)| c.cell.label.as_str())
        .collect();
    labels.sort_unstable();
    labels.dedup();
    let many = labels.len() > 1;
    let mut panels = Vec::new();
    for opponent in opponents(analysis) {
        let mut lines: Vec<Series> = Vec::new();
        for (budget, cell) in searching(analysis, grid) {
            if cell.cell.opponent_label != opponent {
                continue;
            }
            let name = line_name(plan, grid, cell, many);
            let point = (budget, estimate(cell.score, cell.simultaneous));
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => lines.push(Series {
                    name,
                    points: vec![point],
                }),
            }
        }
        for line in &mut lines {
            line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        if lines.is_empty() {
            continue;
        }
        let references = analysis
            .cells
            .iter()
            .filter(|c| c.cell.opponent_label == opponent && c.cell.phase == Phase::Main)
            .filter(|c| c.cell.axes.get(grid.budget).is_none_or(Option::is_none))
            .filter_map(|c| {
                Some(Reference {
                    label: c.cell.label.clone(),
                    value: c.score?,
                })
            })
            .collect();
        panels.push(DosePanel {
            opponent: format!("against {opponent}"),
            lines,
            references,
        });
    }
    let games: Vec<f64> = searching(analysis, grid)
        .map(|(budget, _)| budget)
        .collect();
    if panels.is_empty() || games.is_empty() {
        return None;
    }
    let budget = plan.axes[grid.budget].clone();
    Some(DoseResponse {
        title: format!(
            "Does more search help? {} in {}",
            labels.join(", "),
            game_name(plan)
        ),
        budget: format!("{budget} per move"),
        measure: "mean score of the challenger".to_owned(),
        null: null(analysis),
        panels,
        caption: caption(plan, analysis, simultaneous_method(analysis), Vec::new()),
    })
}

fn game_name(plan: &Plan) -> String {
    plan.cells
        .first()
        .map_or_else(|| "no game".to_owned(), |c| c.game.name.clone())
}

fn heat_map(plan: &Plan, analysis: &Analysis, grid: &Grid) -> Option<HeatMap> {
    let line = grid.line?;
    let mut panels = Vec::new();
    for opponent in opponents(analysis) {
        let cells: Vec<(f64, &CellSummary)> = searching(analysis, grid)
            .filter(|(_, c)| c.cell.opponent_label == opponent && c.cell.axes[line].is_some())
            .collect();
        let mut columns: Vec<f64> = cells.iter().map(|(budget, _)| *budget).collect();
        columns.sort_by(f64::total_cmp);
        columns.dedup();
        let mut rows: Vec<String> = Vec::new();
        let row_of = |cell: &CellSummary| line_row(plan, grid, line, cell);
        for (_, cell) in &cells {
            let name = row_of(cell);
            if !rows.contains(&name) {
                rows.push(name);
            }
        }
        if rows.is_empty() || columns.is_empty() {
            continue;
        }
        let at = |row: &str, column: f64| {
            let cell = cells
                .iter()
                .find(|(budget, cell)| budget.total_cmp(&column).is_eq() && row_of(cell) == row)
                .map(|(_, cell)| *cell)?;
            let estimate = estimate(cell.score, cell.simultaneous)?;
            let fair = cell.cell.fair_share;
            let mark = if estimate.low > fair {
                Some(Side::Above)
            } else if estimate.high < fair {
                Some(Side::Below)
            } else {
                None
            };
            Some(HeatCell { estimate, mark })
        };
        panels.push(HeatPanel {
            opponent: format!("against {opponent}"),
            cells: rows
                .iter()
                .map(|row| columns.iter().map(|&column| at(row, column)).collect())
                .collect(),
            rows,
            columns: columns.iter().map(|c| decimals(*c, 4)).collect(),
        });
    }
    if panels.is_empty() {
        return None;
    }
    Some(HeatMap {
        title: format!(
            "The grid: {} in {}",
            challenger_names(analysis),
            game_name(plan)
        ),
        row_axis: plan.axes[line].clone(),
        column_axis: format!("{} per move", plan.axes[grid.budget]),
        measure: "mean score of the challenger".to_owned(),
        null: null(analysis),
        marks: "the simultaneous interval leaves equal strength out".to_owned(),
        panels,
        caption: caption(plan, analysis, simultaneous_method(analysis), Vec::new()),
    })
}

/// A row of the heat map: the value of the line's axis, and of all further axes.
fn line_row(plan: &Plan, grid: &Grid, line: usize, cell: &CellSummary) -> String {
    let mut text = cell.cell.axes[line]
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    for (axis, value) in cell.cell.axes.iter().enumerate() {
        if axis != grid.budget
            && axis != line
            && let Some(value) = value
        {
            text.push_str(&format!(", {} {value}", plan.axes[axis]));
        }
    }
    text
}

/// One group of rows per opponent, from the cells for which `row` gives one.
fn groups(
    analysis: &Analysis,
    row: impl Fn(&CellSummary) -> Option<IntervalRow>,
) -> Vec<IntervalGroup> {
    opponents(analysis)
        .into_iter()
        .map(|opponent| IntervalGroup {
            heading: format!("against {opponent}"),
            rows: analysis
                .cells
                .iter()
                .filter(|c| c.cell.opponent_label == opponent)
                .filter_map(&row)
                .collect(),
        })
        .filter(|group| !group.rows.is_empty())
        .collect()
}

fn forest(plan: &Plan, analysis: &Analysis) -> Option<Forest> {
    let groups = groups(analysis, |c| {
        Some(IntervalRow {
            label: cell_name(plan, c),
            estimate: Some(estimate(c.score, c.simultaneous.or(c.interval))?),
            inner: c.interval.map(|i| (i.low, i.high)),
        })
    });
    if groups.is_empty() {
        return None;
    }
    Some(Forest {
        title: format!(
            "All cells: {} in {}",
            challenger_names(analysis),
            game_name(plan)
        ),
        measure: "mean score of the challenger".to_owned(),
        limits: (0.0, 1.0),
        null: null(analysis),
        numbers: "score (simultaneous interval)".to_owned(),
        groups,
        caption: caption(
            plan,
            analysis,
            simultaneous_method(analysis),
            vec!["thick: pointwise interval".to_owned()],
        ),
    })
}

fn seat_effect(plan: &Plan, analysis: &Analysis) -> Option<SeatEffect> {
    let groups = groups(analysis, |c| {
        Some(IntervalRow {
            label: cell_name(plan, c),
            estimate: Some(estimate(c.seat_effect, c.seat_interval)?),
            inner: None,
        })
    });
    if groups.is_empty() {
        return None;
    }
    let method = format!(
        "{} % pointwise intervals (block t with pseudo-blocks)",
        decimals(analysis.confidence * 100.0, 2)
    );
    Some(SeatEffect {
        title: format!("Does moving first matter? {}", game_name(plan)),
        measure: "score when moving first minus score otherwise, on the same deals".to_owned(),
        groups,
        caption: caption(plan, analysis, method, Vec::new()),
    })
}

fn game_length(plan: &Plan, analysis: &Analysis) -> Option<GameLength> {
    let groups: Vec<LengthGroup> = opponents(analysis)
        .into_iter()
        .map(|opponent| {
            let mut counts: Vec<(u64, u64)> = Vec::new();
            for cell in analysis
                .cells
                .iter()
                .filter(|c| c.cell.opponent_label == opponent)
            {
                for (length, &games) in cell.lengths.iter().enumerate() {
                    match counts.get_mut(length) {
                        Some((_, total)) => *total += games,
                        None => counts.push((length as u64, games)),
                    }
                }
            }
            LengthGroup {
                name: format!("against {opponent}"),
                counts,
                mean: None,
            }
        })
        .filter(|group| group.counts.iter().any(|(_, games)| *games > 0))
        .collect();
    if groups.is_empty() {
        return None;
    }
    Some(GameLength {
        title: format!("How long are the games? {}", game_name(plan)),
        unit: "decisions per game".to_owned(),
        groups,
        caption: caption(
            plan,
            analysis,
            "counts of games, all cells of an opponent together".to_owned(),
            Vec::new(),
        ),
    })
}

/// A cell by its challenger and axes.
fn cell_name(plan: &Plan, cell: &CellSummary) -> String {
    let axes: Vec<String> = plan
        .axes
        .iter()
        .zip(&cell.cell.axes)
        .filter_map(|(axis, value)| value.as_ref().map(|value| format!("{axis} {value}")))
        .collect();
    let phase = match cell.cell.phase {
        Phase::Main | Phase::Placebo => String::new(),
        phase => format!(" ({})", phase.word()),
    };
    if axes.is_empty() {
        format!("{}{phase}", cell.cell.label)
    } else {
        format!("{}, {}{phase}", cell.cell.label, axes.join(", "))
    }
}
