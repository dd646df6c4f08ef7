//! Which charts a run gets, filled from its analysis.

mod budget;
mod games;
mod intervals;

use budget::{Grid, dose_response, heat_map, timing};
use games::{game_length, running_score};
use intervals::{forest, seat_effect, seats};

use super::{standings, words};
use crate::analysis::{Analysis, CellSummary, Phase};
use crate::numbers::{count, decimals};
use crate::plan::Plan;
use crate::plot::{Caption, Chart, Estimate, Meta, PlotError, Reference};
use crate::stats::Interval;

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
    if let Some(chart) = seats(plan, analysis) {
        charts.push(Named {
            name: "score-by-seat".to_owned(),
            alt: "Score of the challenger in every seat, with intervals, cell by cell.".to_owned(),
            chart: Box::new(chart),
        });
    }
    if let Some(chart) = running_score(plan, analysis) {
        charts.push(Named {
            name: "running-score".to_owned(),
            alt:
                "Score of each cell as its blocks came in, with a band that holds at every moment."
                    .to_owned(),
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

/// What moves took, summed over some games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveCost {
    /// Moves that were timed.
    pub moves: f64,
    /// What all of them took, in milliseconds.
    pub milliseconds: f64,
}

impl MoveCost {
    fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.milliseconds += other.milliseconds;
    }

    /// Milliseconds per move, if it can stand on a logarithmic axis.
    fn mean(self) -> Option<f64> {
        let mean = self.milliseconds / self.moves;
        (mean.is_finite() && mean > 0.0).then_some(mean)
    }
}

/// What the moves of a cell took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellCost {
    /// Index of the cell in the plan.
    pub cell: usize,
    /// Of the challenger.
    pub challenger: MoveCost,
    /// Of all its opponents.
    pub opponent: MoveCost,
}

/// Score against measured time: files named `timing-...`, which no other file depends on.
pub fn of_times(plan: &Plan, analysis: &Analysis, costs: &[CellCost]) -> Option<Named> {
    let chart = timing(plan, analysis, costs)?;
    let whose = if analysis.standings.is_some() {
        "player"
    } else {
        "cell"
    };
    Some(Named {
        name: "timing-score-against-cost".to_owned(),
        alt: format!("Score of each {whose} against the measured time of its moves."),
        chart: Box::new(chart),
    })
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
            let of = |n: u64, what: &str| {
                format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
            };
            format!("n = {} ({}) per cell", of(low, "game"), of(blocks, "block"))
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

fn game_name(plan: &Plan) -> String {
    plan.cells
        .first()
        .map_or_else(|| "no game".to_owned(), |c| c.game.name.clone())
}

/// A cell by both sides.
fn pairing(plan: &Plan, cell: &CellSummary) -> String {
    format!(
        "{} against {}",
        cell_name(plan, cell),
        cell.cell.opponent_label
    )
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
    if let Some(game) = words::game_of_placebo(plan, &cell.cell) {
        format!("{}, {game}", cell.cell.label)
    } else if axes.is_empty() {
        format!("{}{phase}", cell.cell.label)
    } else {
        format!("{}, {}{phase}", cell.cell.label, axes.join(", "))
    }
}
