//! `evalctl analyze`, `verify` and `replay`: what can be done with a finished run without playing
//! it.

use std::io::{BufWriter, Write as _};

use super::args::{AnalyzeArgs, ReplayArgs, VerifyArgs};
use super::calibrate;
use super::error::Failure;
use super::experiment;
use super::signals::Stop;
use crate::calibrate::folder::Calibration;
use crate::external::Host;
use crate::games::Style;
use crate::numbers::count;
use crate::run::{self, FileHash, Finished, Replayed, VerifyOptions};
use crate::trace::{JsonTrace, TextTrace};

/// Recomputes every derived file from `games.csv`.
pub(super) fn analyze(args: &AnalyzeArgs) -> Result<(), Failure> {
    if let Some(file) = &args.import {
        let analysis = experiment::import(&args.dir, file)?;
        return experiment::require(&analysis, args.require_claims);
    }
    if let Some(found) = calibrate::analyze(&args.dir)? {
        return if args.require_claims {
            calibrate::require_kept(&found.rows)
        } else {
            Ok(())
        };
    }
    let finished = Finished::open(&args.dir)?;
    experiment::require_recorded_games(&finished, &experiment::altered(&finished))?;
    // Told before it is sealed anew: afterwards nobody could know.
    let timing = finished.dir().join("timing.csv");
    let known = &finished.manifest().environment.timing;
    if !known.is_empty() && !FileHash::of(&timing).is_ok_and(|found| found.blake3 == *known) {
        eprintln!(
            "{} is not what was measured when the games were played; no result depends on it, and the chart of times shows what of it can be read",
            timing.display()
        );
    }
    let analysis = experiment::derive(finished, true)?;
    experiment::require(&analysis, args.require_claims)
}

/// Checks the files' hashes and plays games again.
pub(super) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    if Calibration::is_in(&args.dir) {
        return Err(Failure::failed(format!(
            "{} holds a calibration: it has no games to be played again; `evalctl analyze` checks its table and makes its report",
            args.dir.display()
        )));
    }
    let finished = Finished::open(&args.dir)?;
    let stop = Stop::listen()?;
    let options = VerifyOptions {
        jobs: args
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        sample: args.sample,
        sample_seed: args.seed,
        stop: stop.flag(),
        host: Host::default(),
    };
    let found = run::verify(&finished, &options)?;
    let mut out = std::io::stdout().lock();
    for sentence in found.files.iter().chain(&found.differences) {
        writeln!(out, "{sentence}")?;
    }
    let shown = found.differences.len() as u64;
    if found.difference_count > shown {
        writeln!(
            out,
            "and {} differences more",
            count(found.difference_count - shown)
        )?;
    }
    writeln!(
        out,
        "{} of {} games were played again{}; {} files and {} games differ",
        count(found.replayed),
        count(found.rows),
        if found.skipped > 0 {
            format!(
                " ({} cannot be: a player uses the clock, or is a program or a person)",
                count(found.skipped)
            )
        } else {
            String::new()
        },
        found.files.len(),
        count(found.difference_count)
    )?;
    drop(out);
    if found.interrupted {
        return Err(Failure::new(stop.code(), "stopped before the end"));
    }
    if found.files.is_empty() && found.difference_count == 0 {
        Ok(())
    } else {
        Err(Failure::failed(format!(
            "{} is not what its manifest says",
            args.dir.display()
        )))
    }
}

/// Shows one game move by move.
pub(super) fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    let finished = Finished::open(&args.dir)?;
    let host = Host::default();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let replayed = if args.trace {
        let mut trace = JsonTrace::new(&mut out, args.game);
        let replayed = run::replay(&finished, args.game, &host, &mut trace)?;
        trace.finish()?;
        replayed
    } else {
        let (names, title) = names(&finished, args.game)?;
        if let Some(seat) = args.seat
            && seat >= names.len()
        {
            return Err(Failure::usage(format!(
                "--seat {seat}: this game has seats 0 to {}",
                names.len() - 1
            )));
        }
        let style = Style {
            colour: super::colours(),
        };
        let mut trace = TextTrace::new(&mut out, title, names, style, args.seat);
        let replayed = run::replay(&finished, args.game, &host, &mut trace)?;
        trace.finish()?;
        replayed
    };
    out.flush()?;
    drop(out);
    same(&replayed)
}

/// Fails if the game that was played is not the one that was recorded.
fn same(replayed: &Replayed) -> Result<(), Failure> {
    let differences = replayed.differences();
    if differences.is_empty() {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "game {} came out otherwise than games.csv says: {}",
        replayed.game,
        differences.join("; ")
    )))
}

/// Players by seat and a title for a game of a run.
fn names(finished: &Finished, game: u64) -> Result<(Vec<String>, String), Failure> {
    let plan = finished.plan();
    let row = run::locate(finished, game)?;
    let cell = plan.cells.get(row.cell).ok_or_else(|| {
        Failure::failed(format!(
            "game {game} belongs to cell {}, which is not there",
            row.cell
        ))
    })?;
    let names = (0..cell.seats)
        .map(|seat| {
            let player = if seat == row.rotation {
                &cell.challenger
            } else {
                &cell.opponent
            };
            player.to_string()
        })
        .collect();
    let title = format!(
        "Game {game} of {}: cell {}, block {}, rotation {}",
        plan.name, row.cell, row.block, row.rotation
    );
    Ok((names, title))
}
