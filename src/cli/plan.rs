//! `evalctl plan`: how many games, how small an effect, how long.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::args::{Format, PlanArgs};
use super::error::Failure;
use super::{experiment, progress};
use crate::analysis::Analysis;
use crate::config::{self, Overrides};
use crate::numbers::{count, decimals};
use crate::plan::{Phase, Plan};
use crate::planning::{self, Answer, Goal, Question, Size};
use crate::run::Finished;

/// Effects that are tabulated if none is asked for.
const USUAL_EFFECT: f64 = 0.05;

/// What a pilot or a config tells.
#[derive(Default)]
struct Known {
    plan: Option<Plan>,
    /// Standard deviation of block scores.
    deviation: Option<f64>,
    /// Time of a block in every cell of the plan, on one thread.
    times: Vec<Duration>,
}

pub(super) fn run(args: &PlanArgs) -> Result<(), Failure> {
    let known = known(args)?;
    let rotations = args.seats.unwrap_or_else(|| {
        let cell = known.plan.as_ref().and_then(|plan| plan.cells.first());
        cell.map_or(2, |cell| cell.rotations as u64)
    });
    let planned = args.config.as_ref().and(known.plan.as_ref());
    let goal = match (args.effect, args.games, planned) {
        (Some(effect), _, _) => Goal::Effect(effect),
        (None, Some(games), _) => Goal::Games(games),
        (None, None, Some(plan)) => Goal::Games(plan.games_asked.max(1)),
        (None, None, None) => {
            return Err(Failure::usage(format!(
                "say what is known: --effect {USUAL_EFFECT} (how many games?), --games 400 (how small an effect?) or --config FILE"
            )));
        }
    };
    let question = Question {
        goal,
        power: args.power,
        confidence: args
            .confidence
            .or(known.plan.as_ref().map(|plan| plan.confidence))
            .unwrap_or(0.95),
        comparisons: args
            .comparisons
            .unwrap_or_else(|| known.plan.as_ref().map_or(1, family)),
        rotations,
        deviation: known
            .deviation
            .unwrap_or_else(|| planning::deviation_of_independent_games(rotations)),
    };
    let answer = question.answer().map_err(Failure::usage)?;
    let jobs = args
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let time = known.plan.as_ref().filter(|_| !known.times.is_empty());
    let time = time.map(|plan| {
        let blocks = plan.cells.iter().map(|_| answer.two_sided.blocks);
        planning::total_time(blocks, &known.times, jobs)
    });
    let text = match args.format {
        Format::Text => text(args, &known, &question, &answer, time, jobs),
        Format::Json => super::list::json(&json!({
            "power": question.power,
            "confidence": question.confidence,
            "comparisons": question.comparisons,
            "games_per_block": question.rotations,
            "block_deviation": question.deviation,
            "block_deviation_measured": known.deviation.is_some(),
            "two_sided": answer.two_sided,
            "one_sided": answer.one_sided,
            "exact": answer.exact,
            "cells": known.plan.as_ref().map(|plan| plan.cells.len()),
            "seconds": time.map(|time| time.as_secs_f64()),
            "threads": time.map(|_| jobs),
        }))?,
    };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

fn known(args: &PlanArgs) -> Result<Known, Failure> {
    if let Some(dir) = &args.pilot {
        let finished = Finished::open(dir)?;
        let analysis = experiment::analysis_of(&finished)?;
        return Ok(Known {
            deviation: deviation(&analysis),
            times: times(dir, finished.plan(), &analysis),
            plan: Some(finished.plan().clone()),
        });
    }
    let Some(path) = &args.config else {
        return Ok(Known::default());
    };
    let text = config::read_file(path).map_err(Failure::usage)?;
    let config = config::parse(&text, &path.display().to_string(), &Overrides::default())
        .map_err(Failure::usage)?;
    let plan = config.plan().map_err(Failure::usage)?;
    let times = planning::measured_block_times(&plan)?;
    Ok(Known {
        plan: Some(plan),
        deviation: None,
        times,
    })
}

/// The largest deviation of block scores in the pilot's cells: what the most uncertain one needs.
fn deviation(analysis: &Analysis) -> Option<f64> {
    analysis
        .cells
        .iter()
        .filter(|cell| cell.cell.phase != Phase::Placebo)
        .filter_map(|cell| cell.block_deviation)
        .filter(|deviation| *deviation > 0.0)
        .reduce(f64::max)
}

/// The largest number of cells that are corrected together: those of one opponent.
fn family(plan: &Plan) -> u64 {
    let cells = || plan.cells.iter().filter(|c| c.phase != Phase::Placebo);
    cells()
        .map(|cell| {
            cells()
                .filter(|other| other.opponent_label == cell.opponent_label)
                .count() as u64
        })
        .max()
        .unwrap_or(1)
}

/// What a block of each cell took in the pilot: time per move of both sides by their shares of the
/// moves, times moves per game. Empty if the run's `timing.csv` does not say.
fn times(dir: &Path, plan: &Plan, analysis: &Analysis) -> Vec<Duration> {
    let Ok(mut reader) = csv::Reader::from_path(dir.join("timing.csv")) else {
        return Vec::new();
    };
    let mut per_move = vec![None; plan.cells.len()];
    for row in reader.records().flatten() {
        let number = |column: usize| -> Option<f64> {
            let value: f64 = row.get(column)?.parse().ok()?;
            (value.is_finite() && value >= 0.0).then_some(value)
        };
        let cell: Option<usize> = row.get(0).and_then(|text| text.parse().ok());
        let own = number(3)
            .zip(number(4))
            .map_or((0.0, 0.0), |(n, ms)| (n, n * ms));
        let other = number(5)
            .zip(number(6))
            .map_or((0.0, 0.0), |(n, ms)| (n, n * ms));
        let moves = own.0 + other.0;
        if let Some(slot) = cell.and_then(|cell| per_move.get_mut(cell))
            && moves > 0.0
        {
            *slot = Some((own.1 + other.1) / moves / 1e3);
        }
    }
    let seconds: Option<Vec<Duration>> = per_move
        .iter()
        .zip(&analysis.cells)
        .map(|(per_move, cell)| {
            #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS")]
            let games = cell.cell.rotations as f64;
            let seconds = (*per_move)? * cell.mean_decisions * games;
            Duration::try_from_secs_f64(seconds).ok()
        })
        .collect();
    seconds.unwrap_or_default()
}

fn text(
    args: &PlanArgs,
    known: &Known,
    question: &Question,
    answer: &Answer,
    time: Option<Duration>,
    jobs: usize,
) -> String {
    let mut text = String::new();
    let Size {
        blocks,
        games,
        effect,
    } = answer.two_sided;
    let greatest = planning::greatest_effect(question.rotations);
    let confidence = decimals(question.confidence * 100.0, 2);
    let power = decimals(question.power * 100.0, 1);
    let nothing = effect > greatest;
    let effect = decimals(effect * 100.0, 2);
    let family = if question.comparisons > 1 {
        format!(
            ", corrected for {} comparisons",
            count(question.comparisons)
        )
    } else {
        String::new()
    };
    text.push_str(&match question.goal {
        Goal::Effect(_) => format!(
            "{} games per cell ({} blocks of {}) show a difference of {effect} points of score from the fair share with {power} % probability, at {confidence} % confidence{family}.\n",
            count(games),
            count(blocks),
            question.rotations
        ),
        Goal::Games(_) if nothing => format!(
            "{} games per cell ({} blocks of {}) show no difference at all with {power} % probability, at {confidence} % confidence{family}, not even that of a player who always wins: that is {} points, and {effect} would be needed. Ask for more --games.\n",
            count(games),
            count(blocks),
            question.rotations,
            decimals(greatest * 100.0, 2)
        ),
        Goal::Games(_) => format!(
            "{} games per cell ({} blocks of {}) show a difference from the fair share of {effect} points of score or more with {power} % probability, at {confidence} % confidence{family}.\n",
            count(games),
            count(blocks),
            question.rotations
        ),
    });
    text.push_str(&match question.goal {
        Goal::Effect(_) => format!(
            "A claim of kind `better` is one-sided and needs {} games.\n",
            count(answer.one_sided.games)
        ),
        Goal::Games(_) if answer.one_sided.effect > greatest => {
            "A claim of kind `better` is one-sided and cannot be supported either.\n".to_owned()
        }
        Goal::Games(_) => format!(
            "A claim of kind `better` is one-sided and can be supported by {} points.\n",
            decimals(answer.one_sided.effect * 100.0, 2)
        ),
    });
    if let Some(exact) = answer.exact {
        text.push_str(&format!(
            "Exact binomial test, games as independent and without draws: {} games have {} % power (real error rate {} %, one-sided).\n",
            count(exact.games),
            decimals(exact.power * 100.0, 1),
            decimals(exact.size * 100.0, 2)
        ));
    }
    let deviation = decimals(question.deviation, 4);
    text.push_str(&match (&args.pilot, known.deviation) {
        (Some(dir), Some(_)) => format!(
            "Block scores deviate by {deviation}, the most of any cell of {}.\n",
            dir.display()
        ),
        _ => format!(
            "Block scores are taken to deviate by {deviation}, as those of independent even games without draws do; a pilot run says better (--pilot DIR). Deals that decide games need fewer games, deals that make a whole block go one way up to {} times as many.\n",
            question.rotations
        ),
    });
    match (time, &known.plan) {
        (Some(time), Some(plan)) => text.push_str(&format!(
            "All {} cells with so many games: about {} with {jobs} threads ({}).\n",
            plan.cells.len(),
            progress::duration(time),
            if args.pilot.is_some() {
                "from the pilot's times per move, on the machine that played it"
            } else {
                "from one block of every cell, played and thrown away"
            }
        )),
        _ => text.push_str(
            "How long that takes follows from a pilot (--pilot DIR) or a config (--config FILE).\n",
        ),
    }
    text
}
