//! `evalctl sweep`: plans, plays, analyses, writes, and says what came out.

use std::io::Write as _;
use std::path::Path;

use super::args::SweepArgs;
use super::error::{Code, Failure};
use super::progress;
use super::signals::Stop;
use crate::analysis::{Analysis, Analyzer, Verdict};
use crate::config::{self, Overrides};
use crate::numbers::{count, decimals, percent};
use crate::plan::{Plan, SeatMode};
use crate::report::files::{self, Provenance};
use crate::report::terminal;
use crate::run::{self, Finished, Outcome, Run, RunError, RunOptions, Shard};
use crate::stats::blocks;

pub(super) fn run(args: &SweepArgs) -> Result<(), Failure> {
    let plan = plan(args)?;
    if args.dry_run {
        return dry_run(&plan, args);
    }
    let dir = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("results").join(&plan.name));
    let stop = Stop::listen()?;
    let mut options = RunOptions::new(&dir);
    if let Some(jobs) = args.play.jobs {
        options.jobs = jobs;
    }
    options.stop = stop.flag();
    options.fresh = args.fresh;
    options.shard = args.shard.as_deref().map(shard).transpose()?;
    let mut observer = progress::observer(args.play.progress);
    let outcome = run::execute(&plan, &options, observer.as_mut())?;
    drop(observer);
    match outcome {
        Outcome::Complete(run) => complete(run, &command(args), args.require_claims),
        Outcome::AlreadyDone(finished) => again(finished, &command(args), args.require_claims),
        Outcome::Interrupted(run) => {
            partial(&run)?;
            let message = format!(
                "stopped after {} of {} blocks; nothing finished is lost. Go on with: {}",
                count(run.cells().iter().map(|c| c.tally.blocks).sum()),
                count(run.cells().iter().map(|c| c.planned).sum()),
                command(args)
            );
            Err(Failure::new(stop.code(), message))
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let code = match error.exit_code() {
            2 => Code::Usage,
            65 => Code::OtherExperiment,
            75 => Code::Transient,
            _ => Code::Failed,
        };
        Self::new(code, error)
    }
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

fn shard(text: &str) -> Result<Shard, Failure> {
    let parts = text.split_once('/').and_then(|(index, number)| {
        Shard::new(index.trim().parse().ok()?, number.trim().parse().ok()?)
    });
    parts.ok_or_else(|| {
        Failure::usage(format!(
            "--shard {text}: write I/N with I from 0 to N-1, such as 0/8"
        ))
    })
}

/// The command that does the same again, for reports and for resuming.
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

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=,:@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The command in the report: where results went is no part of what was done.
fn reported(command: &str) -> String {
    command
        .split(" --out ")
        .next()
        .unwrap_or(command)
        .to_owned()
}

fn complete(run: Run, command: &str, require_claims: bool) -> Result<(), Failure> {
    run::finish(&run)?;
    let analysis = analyze(&run)?;
    let plan = run.plan().clone();
    let provenance = provenance(&plan, &run.identity().hex(), command);
    let written =
        files::write_all(run.dir(), &plan, &analysis, &provenance).map_err(Failure::failed)?;
    let finished = run::seal(run, &written)?;
    print(&plan, &analysis)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "\n{} and {} more files are in {}",
        written.last().map_or("games.csv", String::as_str),
        written.len(),
        finished.dir().display()
    )?;
    drop(out);
    check_claims(&analysis, require_claims)
}

/// A finished run asked for again: nothing is played, and only what other claims change is
/// written.
fn again(mut finished: Finished, command: &str, require_claims: bool) -> Result<(), Failure> {
    eprintln!(
        "evalctl: {} holds this experiment, finished; nothing was played",
        finished.dir().display()
    );
    let plan = finished.plan().clone();
    let mut analyzer = Analyzer::new(&plan);
    finished.visit_blocks::<RunError>(|block| {
        analyzer.add(block);
        Ok(())
    })?;
    let extended = !finished.extended_from().is_empty();
    let analysis = analyzer.finish(extended).map_err(Failure::failed)?;
    if !finished.is_current() {
        let provenance = provenance(&plan, &finished.identity().hex(), command);
        let written = files::write_all(finished.dir(), &plan, &analysis, &provenance)
            .map_err(Failure::failed)?;
        finished.reseal(&written)?;
    }
    print(&plan, &analysis)?;
    check_claims(&analysis, require_claims)
}

fn provenance(plan: &Plan, run: &str, command: &str) -> Provenance {
    let why = "a player uses the clock, or is a program or a person";
    Provenance {
        run: run.to_owned(),
        command: reported(command),
        not_reproducible: (!run::is_reproducible(plan)).then(|| why.to_owned()),
        ..Provenance::default()
    }
}

fn check_claims(analysis: &Analysis, require_claims: bool) -> Result<(), Failure> {
    let unsupported = analysis
        .claims
        .iter()
        .filter(|claim| claim.verdict != Verdict::Supported)
        .count();
    if require_claims && unsupported > 0 {
        return Err(Failure::new(
            Code::ClaimNotSupported,
            format!(
                "{unsupported} of {} claims are not supported",
                analysis.claims.len()
            ),
        ));
    }
    Ok(())
}

fn analyze(run: &Run) -> Result<Analysis, Failure> {
    let mut analyzer = Analyzer::new(run.plan());
    run.visit_blocks::<RunError>(|block| {
        analyzer.add(block);
        Ok(())
    })?;
    let extended = !run.extended_from().is_empty();
    analyzer.finish(extended).map_err(Failure::failed)
}

/// What a run that was stopped has shown so far.
fn partial(run: &Run) -> Result<(), Failure> {
    let analysis = analyze(run)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "So far (a partial run: its numbers may be looked at, not quoted):\n"
    )?;
    drop(out);
    print(run.plan(), &analysis)
}

fn print(plan: &Plan, analysis: &Analysis) -> Result<(), Failure> {
    let text = terminal::summary(plan, analysis, width(), super::colours());
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// Columns of the terminal; 80 where there is none.
fn width() -> usize {
    #[cfg(unix)]
    {
        use std::io::IsTerminal as _;
        if std::io::stdout().is_terminal()
            && let Ok(size) = rustix::termios::tcgetwinsize(std::io::stdout())
            && size.ws_col > 0
        {
            return usize::from(size.ws_col);
        }
    }
    80
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
        let axes: Vec<String> = plan
            .axes
            .iter()
            .zip(&cell.axes)
            .filter_map(|(axis, value)| value.as_ref().map(|value| format!("{axis}={value}")))
            .collect();
        writeln!(
            out,
            "  cell {:>3}  {} {} v {}  {} games ({})",
            cell.index,
            cell.label,
            axes.join(" "),
            cell.opponent_label,
            count(cell.games()),
            cell.phase.word()
        )?;
    }
    let least = plan.cells.iter().map(|c| c.blocks).min().unwrap_or(0);
    if least > 0 {
        // Independent games without draws: the largest deviation that pairs of games have then.
        let deviation = 0.5 / (plan.cells.first().map_or(2, |c| c.rotations).max(1) as f64).sqrt();
        let effect = blocks::smallest_detectable(least, deviation, 1.0 - plan.confidence, 0.8)
            .map_err(Failure::failed)?;
        writeln!(
            out,
            "Smallest difference from the fair share that a cell of {} blocks shows with 80 % power at {} % confidence, uncorrected: {} (deals that decide both games make it smaller).",
            count(least),
            decimals(plan.confidence * 100.0, 2),
            percent(effect)
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
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::failed(format!("cannot make a temporary folder: {error}")))?;
    let mut seconds = 0.0;
    for cell in &plan.cells {
        let mut pilot = plan.clone();
        pilot.claims.clear();
        pilot.cells = vec![crate::plan::Cell {
            index: 0,
            blocks: 1,
            ..cell.clone()
        }];
        let mut options = RunOptions::new(scratch.path().join(cell.index.to_string()));
        options.jobs = 1;
        let started = std::time::Instant::now();
        run::execute(&pilot, &options, &mut run::Silent)?;
        seconds += started.elapsed().as_secs_f64() * cell.blocks as f64;
    }
    let time = std::time::Duration::from_secs_f64(seconds / jobs as f64);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Estimated time with {jobs} threads: about {} (from one block of every cell, played and thrown away).",
        progress::duration(time)
    )?;
    Ok(())
}
