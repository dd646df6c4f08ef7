//! `evalctl match`: two agents, seats swapped, a fixed number of games or a sequential test.

use std::io::Write as _;

use super::args::MatchArgs;
use super::error::Failure;
use super::experiment::{Experiment, quoted};
use crate::analysis::Analysis;
use crate::config::typed::{self, Match};
use crate::numbers::{count, decimals, percent};
use crate::plan::StopRule;
use crate::run::Run;

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

/// What a match adds: the score with its interval, Elo, forfeits by cause, time per move.
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
    for progress in run.cells() {
        let times = &progress.times;
        for (label, nanos, moves) in [
            (
                &cell.cell.label,
                times.challenger_nanos,
                times.challenger_moves,
            ),
            (
                &cell.cell.opponent_label,
                times.opponent_nanos,
                times.opponent_moves,
            ),
        ] {
            if let Some(mean) = nanos.checked_div(moves) {
                #[expect(clippy::cast_precision_loss, reason = "shown with three decimals")]
                let milliseconds = mean as f64 / 1e6;
                writeln!(
                    out,
                    "Time per move of {label}: {} ms on average, measured over {} moves",
                    decimals(milliseconds, 3),
                    count(moves)
                )?;
            }
        }
        let forfeits = (
            progress.tally.forfeits_challenger,
            progress.tally.forfeits_opponent,
        );
        if forfeits != (0, 0) {
            writeln!(
                out,
                "Forfeits: {} by {}, {} by {}",
                count(forfeits.0),
                cell.cell.label,
                count(forfeits.1),
                cell.cell.opponent_label
            )?;
            for (end, games) in crate::record::End::ALL.iter().zip(progress.tally.ends) {
                if end.is_forfeit() && games > 0 {
                    writeln!(out, "  {}: {}", end.word(), count(games))?;
                }
            }
        }
    }
    Ok(())
}
