//! `evalctl sweep`: from a config to a plan; the rest is an [`Experiment`]'s.

use std::io::Write as _;
use std::path::Path;

use super::args::SweepArgs;
use super::error::Failure;
use super::experiment::{Experiment, quoted};
use super::progress;
use crate::config::{self, Overrides};
use crate::numbers::{count, decimals, percent};
use crate::plan::{Plan, SeatMode};
use crate::planning;
use crate::run::{Cut, Shard, scheduler};

pub(super) fn run(args: &SweepArgs) -> Result<(), Failure> {
    let plan = plan(args)?;
    if args.dry_run {
        return dry_run(&plan, args);
    }
    let dir = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("results").join(&plan.name));
    let experiment = Experiment {
        shard: shard(args, &dir)?,
        plan,
        dir: Some(dir),
        play: args.play.clone(),
        fresh: args.fresh,
        command: command(args),
        require_claims: args.require_claims,
        move_times: false,
    };
    experiment.run(|_, _| Ok(()))
}

fn plan(args: &SweepArgs) -> Result<Plan, Failure> {
    let text = config::read_file(&args.config).map_err(Failure::usage)?;
    let overrides = Overrides {
        seed: args.play.seed,
        games: args.games,
        set: args.set.clone(),
    };
    let path = args.config.display().to_string();
    let config = config::parse(&text, &path, &overrides).map_err(Failure::usage)?;
    config.plan().map_err(Failure::usage)
}

/// The shard to be played: as told, or as the scheduler's variables tell.
fn shard(args: &SweepArgs, dir: &Path) -> Result<Option<Shard>, Failure> {
    match args.shard.as_deref() {
        Some("none") => Ok(None),
        Some(text) => text.parse().map(Some).map_err(Failure::usage),
        None => {
            let cut = Cut::read(dir)?;
            let variable = |name: &str| std::env::var(name).ok();
            let found = scheduler::shard_of_environment(&variable, cut.as_ref());
            Ok(found.map_err(Failure::usage)?.map(|(shard, scheduler)| {
                eprintln!(
                    "evalctl: {scheduler} says that this is a part of an array: playing shard {shard} (--shard none plays all)"
                );
                shard
            }))
        }
    }
}

/// The command that does the same again, for resuming.
fn command(args: &SweepArgs) -> String {
    let mut parts = vec![
        "evalctl sweep".to_owned(),
        quoted(&args.config.display().to_string()),
    ];
    if let Some(seed) = args.play.seed {
        parts.push(format!("--seed {seed}"));
    }
    if let Some(games) = args.games {
        parts.push(format!("--games {games}"));
    }
    for set in &args.set {
        parts.push(format!("--set {}", quoted(set)));
    }
    if let Some(shard) = &args.shard {
        parts.push(format!("--shard {shard}"));
    }
    if let Some(out) = &args.out {
        parts.push(format!("--out {}", quoted(&out.display().to_string())));
    }
    parts.join(" ")
}

/// Prints what would be played and what it could show; plays nothing but a few games to measure
/// their cost.
fn dry_run(plan: &Plan, args: &SweepArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let blocks: u64 = plan.cells.iter().map(|c| c.blocks).sum();
    writeln!(
        out,
        "{}: {} cells, {} blocks, {} games; seats {}; seed {}",
        plan.name,
        plan.cells.len(),
        count(blocks),
        count(plan.games()),
        if plan.seats == SeatMode::Rotate {
            "rotate"
        } else {
            "fixed"
        },
        plan.seed
    )?;
    for cell in &plan.cells {
        let axes = plan
            .axes
            .iter()
            .zip(&cell.axes)
            .filter_map(|(axis, value)| value.as_ref().map(|value| format!("{axis}={value}")));
        let challenger: Vec<String> = std::iter::once(cell.label.clone()).chain(axes).collect();
        writeln!(
            out,
            "  cell {:>3}  {} v {}  {} games ({})",
            cell.index,
            challenger.join(" "),
            cell.opponent_label,
            count(cell.games()),
            cell.phase.word()
        )?;
    }
    if let Some(size) = planning::before_playing(plan).map_err(Failure::failed)? {
        let greatest = plan
            .cells
            .iter()
            .map(|cell| 1.0 - cell.fair_share)
            .fold(0.0, f64::max);
        let smallest = if size.effect > greatest {
            "none, for want of blocks".to_owned()
        } else {
            percent(size.effect)
        };
        writeln!(
            out,
            "Smallest difference from the fair share that a cell of {} blocks shows with {} power at {} % confidence, uncorrected: {} (deals that decide both games make it smaller; `evalctl plan` says more).",
            count(size.blocks),
            percent(planning::USUAL_POWER),
            decimals(plan.confidence * 100.0, 2),
            smallest
        )?;
    }
    for claim in &plan.claims {
        writeln!(
            out,
            "Claim: {} ({}, {} cells, against {})",
            claim.name,
            claim.kind.word(),
            claim.cells.len(),
            claim.opponent
        )?;
    }
    drop(out);
    estimate(plan, args)
}

/// Plays one block of every cell to measure its cost, and says how long all of it would take.
fn estimate(plan: &Plan, args: &SweepArgs) -> Result<(), Failure> {
    let jobs = args
        .play
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let times = planning::measured_block_times(plan)?;
    let time = planning::total_time(plan.cells.iter().map(|cell| cell.blocks), &times, jobs);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Estimated time with {jobs} threads: about {} (from one block of every cell, played and thrown away).",
        progress::duration(time)
    )?;
    Ok(())
}
