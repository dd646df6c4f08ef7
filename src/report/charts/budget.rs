//! Charts over the budget of search: dose-response, grid, cost.

use super::{
    CellCost, MoveCost, caption, cell_name, estimate, game_name, null, opponents,
    simultaneous_method,
};
use crate::analysis::{Analysis, CellSummary, Phase, Standings};
use crate::numbers::decimals;
use crate::plan::Plan;
use crate::plot::{
    DosePanel, DoseResponse, Estimate, HeatCell, HeatMap, HeatPanel, Reference, Series, Side,
    Timing, TimingLine, TimingPanel, TimingPoint,
};
use crate::spec::Value;
use crate::stats::ratings::RATING_METHOD;

/// The axis of the budget and the one that makes the lines.
pub(super) struct Grid {
    budget: usize,
    line: Option<usize>,
}

impl Grid {
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let budget = plan.budget_axis()?;
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

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        #[expect(clippy::cast_precision_loss, reason = "budgets are far below 2^53")]
        Value::Integer(i) => Some(*i as f64),
        Value::Real(r) => Some(*r),
        _ => None,
    }
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

pub(super) fn dose_response(plan: &Plan, analysis: &Analysis, grid: &Grid) -> Option<DoseResponse> {
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

pub(super) fn heat_map(plan: &Plan, analysis: &Analysis, grid: &Grid) -> Option<HeatMap> {
    let line = grid.line?;
    let mut panels = Vec::new();
    let mut labels: Vec<&str> = Vec::new();
    for (_, cell) in searching(analysis, grid) {
        let label = cell.cell.label.as_str();
        if cell.cell.axes[line].is_some() && !labels.contains(&label) {
            labels.push(label);
        }
    }
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
        title: format!("The grid: {} in {}", labels.join(", "), game_name(plan)),
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

/// Score against measured time, a panel per opponent; of a tournament the expected score of every
/// player against one of mean strength.
pub(super) fn timing(plan: &Plan, analysis: &Analysis, costs: &[CellCost]) -> Option<Timing> {
    if let Some(standings) = &analysis.standings {
        return timing_of_players(plan, analysis, standings, costs);
    }
    let grid = Grid::of(plan);
    let mut panels = Vec::new();
    for opponent in opponents(analysis) {
        let mut lines: Vec<TimingLine> = Vec::new();
        for cell in analysis.cells.iter().filter(|c| {
            c.cell.opponent_label == opponent && matches!(c.cell.phase, Phase::Main | Phase::Select)
        }) {
            let cost = costs.iter().find(|cost| cost.cell == cell.cell.index);
            let (Some(cost), Some(score)) = (
                cost.and_then(|cost| cost.challenger.mean()),
                estimate(cell.score, cell.simultaneous.or(cell.interval)),
            ) else {
                continue;
            };
            let point = TimingPoint {
                cost,
                spread: None,
                score,
            };
            let name = match &grid {
                Some(grid) => line_name(plan, grid, cell, true),
                None => cell_name(plan, cell),
            };
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => lines.push(TimingLine {
                    name,
                    points: vec![point],
                }),
            }
        }
        if !lines.is_empty() {
            panels.push(TimingPanel {
                opponent: format!("against {opponent}"),
                lines,
            });
        }
    }
    if panels.is_empty() {
        return None;
    }
    Some(Timing {
        title: format!("What does a point of score cost? {}", game_name(plan)),
        cost: "milliseconds per move of the challenger".to_owned(),
        measure: "mean score of the challenger".to_owned(),
        null: null(analysis),
        panels,
        caption: caption(plan, analysis, simultaneous_method(analysis), Vec::new()),
    })
}

fn timing_of_players(
    plan: &Plan,
    analysis: &Analysis,
    standings: &Standings,
    costs: &[CellCost],
) -> Option<Timing> {
    let ratings = standings.ratings.as_ref().ok()?;
    let mut lines = Vec::new();
    for player in standings.order() {
        let name = &standings.players[player].name;
        let mut total = MoveCost::default();
        for cost in costs {
            let Some(cell) = analysis.cells.get(cost.cell) else {
                continue;
            };
            if cell.cell.label == *name {
                total.add(cost.challenger);
            } else if cell.cell.opponent_label == *name {
                total.add(cost.opponent);
            }
        }
        let Some(cost) = total.mean() else { continue };
        let rating = &ratings.players[player];
        lines.push(TimingLine {
            name: name.clone(),
            points: vec![TimingPoint {
                cost,
                spread: None,
                score: Estimate {
                    value: expected_score(rating.elo),
                    low: expected_score(rating.low),
                    high: expected_score(rating.high),
                },
            }],
        });
    }
    if lines.is_empty() {
        return None;
    }
    let level = decimals((1.0 - standings.alpha) * 100.0, 2);
    let method = format!("{level} % intervals of the ratings ({RATING_METHOD})");
    Some(Timing {
        title: format!("What does a point of score cost? {}", game_name(plan)),
        cost: "milliseconds per move of the player".to_owned(),
        measure: "expected score".to_owned(),
        null: Reference {
            label: "equal strength (0.5)".to_owned(),
            value: 0.5,
        },
        panels: vec![TimingPanel {
            opponent: "against a player of mean rating".to_owned(),
            lines,
        }],
        caption: caption(plan, analysis, method, Vec::new()),
    })
}

/// The score that a rating difference in Elo stands for (A. Elo, "The Rating of Chessplayers",
/// 1978, section 8.4; logistic form).
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}
