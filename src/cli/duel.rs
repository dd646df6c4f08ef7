//! `evalctl match`: two agents, seats swapped, a fixed number of games or a sequential test.

use std::io::Write as _;

use super::args::MatchArgs;
use super::error::Failure;
use super::experiment::{Experiment, quoted};
use crate::analysis::Analysis;
use crate::config::typed::{self, Match};
use crate::external;
use crate::move_times::MoveTimes;
use crate::numbers::{count, decimals, percent};
use crate::plan::{Cell, StopRule};
use crate::record::End;
use crate::run::{CellProgress, Run};

/// The seed if none is given: a match is repeatable unless told otherwise.
const SEED: u64 = 1;

pub(super) fn run(args: &MatchArgs) -> Result<(), Failure> {
    let stop = match &args.sprt {
        Some(text) => typed::sprt(text).map_err(Failure::usage)?,
        None => StopRule::Fixed,
    };
    let exec = args.programs.exec_options();
    let duel = Match {
        challenger: &args.challenger,
        opponent: &args.opponent,
        game: &args.game,
        seed: args.play.seed.unwrap_or(SEED),
        games: args.games,
        confidence: args.confidence,
        stop,
        exec: &exec,
    };
    let plan = duel.plan().map_err(Failure::usage)?;
    let experiment = Experiment {
        plan,
        dir: args.out.clone(),
        play: args.play.clone(),
        fresh: args.fresh,
        shard: None,
        command: command(args),
        require_claims: false,
        move_times: true,
    };
    experiment.run(costs)
}

fn command(args: &MatchArgs) -> String {
    let mut parts = vec![
        "evalctl match".to_owned(),
        quoted(&args.challenger),
        quoted(&args.opponent),
        format!("--game {}", quoted(&args.game)),
        format!("--games {}", args.games),
        format!("--seed {}", args.play.seed.unwrap_or(SEED)),
    ];
    if let Some(sprt) = &args.sprt {
        parts.push(format!("--sprt {}", quoted(sprt)));
    }
    for (key, value) in args.programs.exec_options() {
        let key = key.replace('_', "-");
        parts.push(if key == "reuse" {
            "--reuse".to_owned()
        } else {
            format!("--{key} {value}")
        });
    }
    if let Some(out) = &args.out {
        parts.push(format!("--out {}", quoted(&out.display().to_string())));
    }
    parts.join(" ")
}

/// What a match adds: the score with its interval, Elo, and of each agent what a move
/// took and what it did wrong.
fn costs(run: &Run, analysis: &Analysis) -> Result<(), Failure> {
    let Some(cell) = analysis.cells.first() else {
        return Ok(());
    };
    let mut out = std::io::stdout().lock();
    if let (Some(score), Some(interval)) = (cell.score, cell.interval) {
        writeln!(
            out,
            "\n{} v {}: +{} ={} -{}, score {} ({} to {}, {})",
            cell.cell.label,
            cell.cell.opponent_label,
            count(cell.wins),
            count(cell.draws),
            count(cell.losses),
            percent(score),
            percent(interval.low),
            percent(interval.high),
            cell.method
        )?;
    }
    let bound = |elo: Option<f64>| elo.map_or_else(|| "unbounded".to_owned(), |e| decimals(e, 1));
    if cell.cell.seats == 2 {
        writeln!(
            out,
            "Elo {}, interval {} to {} (end points transformed)",
            cell.elo
                .map_or_else(|| "undefined".to_owned(), |e| decimals(e, 1)),
            bound(cell.elo_low),
            bound(cell.elo_high)
        )?;
    }
    if cell.games > cell.distinct_games {
        writeln!(
            out,
            "{} of {} games are different ones; repeats are kept, since dropping them biases.",
            count(cell.distinct_games),
            count(cell.games)
        )?;
    }
    let resumed = run.played_blocks() < run.cells().iter().map(|c| c.tally.blocks).sum();
    for progress in run.cells() {
        for side in sides(&cell.cell, progress) {
            let lines = [side.time_per_move(resumed), side.forfeits()];
            if lines.iter().any(Option::is_some) {
                writeln!(out, "{}", side.label)?;
            }
            for line in lines.iter().flatten() {
                writeln!(out, "    {line}")?;
            }
        }
    }
    Ok(())
}

/// What one agent of a match took and did wrong.
struct Side<'a> {
    label: &'a str,
    is_program: bool,
    nanos: u64,
    moves: u64,
    single: &'a MoveTimes,
    /// In the order of [`End::ALL`].
    forfeits: [u64; End::ALL.len()],
}

fn sides<'a>(cell: &'a Cell, progress: &'a CellProgress) -> [Side<'a>; 2] {
    let times = &progress.times;
    let [challenger, opponents] = &progress.move_times;
    [
        Side {
            label: &cell.label,
            is_program: cell.challenger.name == external::SPEC.name,
            nanos: times.challenger_nanos,
            moves: times.challenger_moves,
            single: challenger,
            forfeits: progress.tally.forfeits_challenger,
        },
        Side {
            label: &cell.opponent_label,
            is_program: cell.opponent.name == external::SPEC.name,
            nanos: times.opponent_nanos,
            moves: times.opponent_moves,
            single: opponents,
            forfeits: progress.tally.forfeits_opponent,
        },
    ]
}

impl Side<'_> {
    /// `None` if no move was timed. In a run that was `resumed`, single moves are known of this
    /// session only, sums of all.
    fn time_per_move(&self, resumed: bool) -> Option<String> {
        let mean = self.nanos.checked_div(self.moves)?;
        let mean = format!(
            "mean {} ms over {} moves",
            milliseconds(mean),
            count(self.moves)
        );
        let (Some(median), Some(tail), Some(max)) = (
            self.single.percentile(50),
            self.single.percentile(99),
            self.single.max(),
        ) else {
            return Some(format!("time per move {mean}, none in this session"));
        };
        let of = if resumed {
            format!(" ({} moves of this session)", count(self.single.moves()))
        } else {
            String::new()
        };
        Some(format!(
            "time per move median {} ms, 99 % {} ms, maximum {} ms{of}; {mean}",
            milliseconds(median),
            milliseconds(tail),
            milliseconds(max)
        ))
    }

    /// `None` for an agent that is no program and forfeited nothing, as it should.
    fn forfeits(&self) -> Option<String> {
        let total: u64 = self.forfeits.iter().sum();
        if total == 0 && !self.is_program {
            return None;
        }
        let of = |cause: End| {
            let place = End::ALL.iter().position(|&end| end == cause);
            count(place.map_or(0, |place| self.forfeits[place]))
        };
        Some(format!(
            "forfeited games {}: timeouts {}, crashes {}, illegal moves {}, protocol faults {}",
            count(total),
            of(End::Timeout),
            of(End::Crash),
            of(End::IllegalMove),
            of(End::Protocol)
        ))
    }
}

/// With three digits, down to a nanosecond.
#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
fn milliseconds(nanos: u64) -> String {
    let digits = nanos.checked_ilog10().unwrap_or(0) as usize;
    decimals(nanos as f64 / 1e6, 8_usize.saturating_sub(digits).min(6))
}
