//! What the cells of a claim about the budget show beyond its verdict, where they form a grid of
//! the budget and at most one other setting: does the other setting matter, does what the budget
//! gains depend on it (interaction), how far is the budget's curve from one that never falls, how
//! much Elo is a doubling?

use super::super::summary::{ClaimSummary, DoseNote, Verdict};
use super::super::tally::CellTally;
use super::steps::{Line, column, lines};
use crate::numbers::{decimals, p_value, percent, points};
use crate::plan::{Claim, ClaimKind, Plan, StopRule};
use crate::rng::Seed;
use crate::stats::dose_response::{DoseResponse, Interaction, RowEffect};
use crate::stats::multiple_testing::{Adjustment, adjust};
use crate::stats::{Interval, StatsError};

/// Notes on all claims about the budget, but for those that are void. A run that may stop early has none: these intervals and
/// tests are for a number of deals that was fixed before.
pub(in super::super) fn notes(
    plan: &Plan,
    tallies: &[CellTally],
    judged: &[ClaimSummary],
) -> Result<Vec<DoseNote>, StatsError> {
    if plan.stop != StopRule::Fixed {
        return Ok(Vec::new());
    }
    let mut notes = Vec::new();
    for (claim, judged) in plan.claims.iter().zip(judged) {
        if !matches!(claim.kind, ClaimKind::Trend | ClaimKind::Monotone)
            || judged.verdict == Verdict::Void
        {
            continue;
        }
        let Some(grid) = Grid::of(plan, claim, tallies)? else {
            continue;
        };
        let mut sentences = Vec::new();
        if claim.kind == ClaimKind::Monotone {
            sentences.push(grid.closest_rise(plan)?);
        }
        sentences.extend(grid.other_setting(plan, claim)?);
        sentences.extend(grid.elo(plan));
        if !sentences.is_empty() {
            notes.push(DoseNote {
                claim: claim.name.clone(),
                sentences,
            });
        }
    }
    Ok(notes)
}

/// The scores of a claim's cells, deal by deal.
struct Grid<'a> {
    /// The budget's name.
    budget: &'a str,
    /// Budgets, as they are written.
    budgets: Vec<String>,
    /// The other setting's name and values; `None` if the budget alone was swept.
    other: Option<(&'a str, Vec<String>)>,
    table: DoseResponse,
    two_seats: bool,
}

impl<'a> Grid<'a> {
    /// `None` where the cells form no such grid, or fewer than two deals were completed.
    fn of(
        plan: &'a Plan,
        claim: &Claim,
        tallies: &[CellTally],
    ) -> Result<Option<Self>, StatsError> {
        let Some(budget) = plan.budget_axis() else {
            return Ok(None);
        };
        let mut lines = lines(plan, claim);
        // In the order of the config.
        lines.sort_by_key(|line| line.points.first().map(|&(_, cell)| cell));
        let Some((doses, other)) = shape(plan, &lines, budget) else {
            return Ok(None);
        };
        let rows: Vec<f64> = (0_u32..).take(lines.len()).map(f64::from).collect();
        let mut table = DoseResponse::new(&doses, &rows)?;
        let cells: Vec<usize> = lines
            .iter()
            .flat_map(|line| line.points.iter().map(|&(_, cell)| cell))
            .collect();
        let deals = cells.iter().map(|&cell| column(tallies, cell).len()).min();
        for deal in 0..deals.unwrap_or(0) {
            let scores: Vec<Option<f64>> = cells
                .iter()
                .map(|&cell| column(tallies, cell).get(deal).copied().flatten())
                .collect();
            table.push(&scores)?;
        }
        if table.deals() < 2 {
            return Ok(None);
        }
        let written = |cell: usize, axis: usize| {
            let value = plan.cells[cell].axes.get(axis).and_then(Option::as_ref);
            value.map_or_else(|| "none".to_owned(), ToString::to_string)
        };
        let of_line = |line: &Line, axis| written(line.points[0].1, axis);
        Ok(Some(Self {
            budget: &plan.axes[budget],
            budgets: lines[0]
                .points
                .iter()
                .map(|&(_, cell)| written(cell, budget))
                .collect(),
            other: other.map(|axis| {
                let values = lines.iter().map(|line| of_line(line, axis)).collect();
                (plan.axes[axis].as_str(), values)
            }),
            table,
            two_seats: cells.iter().all(|&cell| plan.cells[cell].seats == 2),
        }))
    }

    /// Does the other setting matter, and does the gain of a doubling depend on it?
    fn other_setting(&self, plan: &Plan, claim: &Claim) -> Result<Vec<String>, StatsError> {
        let Some((name, values)) = &self.other else {
            return Ok(Vec::new());
        };
        let level = 1.0 - plan.confidence;
        let seed = Seed::root(plan.seed).derive("dose", &[claim.name.as_bytes()]);
        let effect = self.table.row_effect(level, seed)?;
        let interaction = self.table.interaction(level, seed)?;
        let adjusted = adjust(&[effect.p_any, interaction.p_any], Adjustment::Holm)?;
        let (matters, depends) = (adjusted[0], adjusted[1]);
        Ok(vec![
            sentence_on_scores(name, values, self.budget, &effect, matters, level),
            sentence_on_slopes(name, values, self.budget, &interaction, depends, level),
            format!(
                "Both by exchanging the values of {name} within each of {} deals ({}), Holm-adjusted over the two questions; intervals {} %, simultaneous over the values of {name}. Nobody declared these as claims, so they are leads to follow up, not verdicts.",
                self.table.deals(),
                rearrangements(&interaction),
                decimals(plan.confidence * 100.0, 2),
            ),
        ])
    }

    /// The closest scores that never fall.
    fn closest_rise(&self, plan: &Plan) -> Result<String, StatsError> {
        let found = self.table.monotone(1.0 - plan.confidence)?;
        let rows = match &self.other {
            Some((name, values)) => {
                format!(", averaged over the {} values of {name}", values.len())
            }
            None => String::new(),
        };
        let pairs: Vec<String> = self
            .budgets
            .iter()
            .zip(&found.levels)
            .map(|(budget, level)| {
                format!(
                    "{} at {budget} (fit {})",
                    percent(level.score),
                    percent(level.isotonic)
                )
            })
            .collect();
        let falls = found
            .levels
            .windows(2)
            .any(|pair| pair[1].score < pair[0].score);
        Ok(format!(
            "Score by {}{rows}, beside the closest scores that never fall (isotonic regression): {}. {}",
            self.budget,
            pairs.join(", "),
            if falls {
                "Where the two differ the measured scores fall, by chance or in truth; the verdict above says whether a drop was significant."
            } else {
                "The measured scores fall nowhere, which does not prove that the true ones do not."
            }
        ))
    }

    /// Elo per doubling, where Elo has a meaning and the fit a value.
    fn elo(&self, plan: &Plan) -> Option<String> {
        if !self.two_seats {
            return None;
        }
        let found = self.table.elo_per_doubling(1.0 - plan.confidence).ok()?;
        let among = match &self.other {
            Some((name, _)) => format!(" and a level of its own for every value of {name}"),
            None => String::new(),
        };
        Some(format!(
            "With every doubling of {} the Elo difference to the opponent changes by {} points, {} % interval {} to {} (not corrected for other questions), if it changes evenly: logistic regression with one slope{among}, errors from the spread between {} deals.",
            self.budget,
            whole(found.elo),
            decimals(plan.confidence * 100.0, 2),
            whole(found.low),
            whole(found.high),
            self.table.deals(),
        ))
    }
}

/// The doses that all lines share, rising, and the one axis in which lines differ; `None` where
/// the cells are no grid of the budget and at most one other setting.
fn shape(plan: &Plan, lines: &[Line], budget: usize) -> Option<(Vec<f64>, Option<usize>)> {
    let doses_of = |line: &Line| line.points.iter().map(|&(dose, _)| dose).collect();
    let doses: Vec<f64> = doses_of(lines.first()?);
    if !doses.windows(2).all(|pair| pair[0] < pair[1])
        || lines.iter().any(|line| doses_of(line) != doses)
    {
        return None;
    }
    let first = &plan.cells[lines[0].points[0].1];
    let mut differing = Vec::new();
    for line in lines {
        let cell = &plan.cells[line.points[0].1];
        if cell.label != first.label || cell.game != first.game {
            return None;
        }
        for axis in (0..plan.axes.len()).filter(|&axis| axis != budget) {
            if cell.axes.get(axis) != first.axes.get(axis) && !differing.contains(&axis) {
                differing.push(axis);
            }
        }
    }
    match (differing.as_slice(), lines.len()) {
        ([], 1) => Some((doses, None)),
        (&[axis], 2..) => Some((doses, Some(axis))),
        _ => None,
    }
}

fn sentence_on_scores(
    name: &str,
    values: &[String],
    budget: &str,
    effect: &RowEffect,
    p: f64,
    level: f64,
) -> String {
    let found = if p < level {
        format!("Scores differ between the values of {name}")
    } else {
        format!(
            "No difference between the values of {name} was shown, which does not mean that there is none"
        )
    };
    let scores: Vec<String> = values
        .iter()
        .zip(&effect.rows)
        .map(|(value, row)| {
            format!(
                "{} at {value} ({} to {})",
                percent(row.score),
                percent(row.interval.low),
                percent(row.interval.high)
            )
        })
        .collect();
    format!(
        "{found} (averaged over {budget}, adjusted p {}): {}.",
        p_value(p),
        scores.join(", ")
    )
}

fn sentence_on_slopes(
    name: &str,
    values: &[String],
    budget: &str,
    interaction: &Interaction,
    p: f64,
    level: f64,
) -> String {
    let found = if p < level {
        format!("The gain of a doubling of {budget} depends on {name}")
    } else {
        format!(
            "It was not shown that the gain of a doubling of {budget} depends on {name}, which does not mean that it does not"
        )
    };
    let slopes: Vec<String> = values
        .iter()
        .zip(&interaction.rows)
        .map(|(value, row)| {
            let Interval { low, high } = row.interval;
            format!(
                "{} points at {value} ({} to {})",
                points(row.slope),
                points(low),
                points(high)
            )
        })
        .collect();
    let scale = if p < level {
        " Near 0 % and 100 % there is less room to gain, which alone can make such a difference."
    } else {
        ""
    };
    format!(
        "{found} (interaction, adjusted p {}): {}.{scale}",
        p_value(p),
        slopes.join(", ")
    )
}

/// A number of Elo points.
fn whole(elo: f64) -> String {
    decimals(elo.round() + 0.0, 0)
}

/// How the p-values were made, without the words that the sentence has already.
fn rearrangements(interaction: &Interaction) -> &str {
    let method: &str = &interaction.method;
    method
        .strip_prefix("permutation within the deal (")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(method)
}
