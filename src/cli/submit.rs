//! `evalctl submit`: hands shards to an engine that distributes them.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use super::args::{EngineName, SubmitArgs};
use super::error::Failure;
use crate::config::{self, Overrides};
use crate::report::files;
use crate::run::submit::{Engine, Scripts, Submission};
use crate::run::{Cut, Identity, MAX_SHARDS};

pub(super) fn run(args: &SubmitArgs) -> Result<(), Failure> {
    if !(1..=MAX_SHARDS).contains(&args.shards) {
        return Err(Failure::usage(format!(
            "--shards {}: must be from 1 to {MAX_SHARDS}",
            args.shards
        )));
    }
    let text = config::read_file(&args.config).map_err(Failure::usage)?;
    let overrides = Overrides {
        seed: args.seed,
        games: args.games,
        set: args.set.clone(),
    };
    let path = args.config.display().to_string();
    let config = config::parse(&text, &path, &overrides).map_err(Failure::usage)?;
    let plan = config.plan().map_err(Failure::usage)?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("results").join(&plan.name));
    let out = std::path::absolute(&out).map_err(|error| {
        Failure::failed(format!("cannot tell where {} is: {error}", out.display()))
    })?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::failed(format!("cannot tell where this program is: {error}")))?;
    let submission = Submission {
        name: plan.name.clone(),
        config: plan.resolved.clone(),
        out,
        shards: args.shards,
        jobs: args.jobs,
        program,
        extra: args.extra.clone(),
    };
    let scripts = submission.scripts(match args.engine {
        EngineName::Slurm => Engine::Slurm,
        EngineName::Parallel => Engine::Parallel,
        EngineName::Kubernetes => Engine::Kubernetes,
    });
    if args.print {
        return print(&submission, &scripts);
    }
    let dir = submission.shard_dir();
    std::fs::create_dir_all(&dir)
        .map_err(|error| Failure::failed(format!("cannot create `{}`: {error}", dir.display())))?;
    Cut::new(&Identity::of(&plan), plan.games_asked, args.shards).agree(&dir)?;
    for (name, text) in &scripts.files {
        files::write(&dir.join(name), text.as_bytes()).map_err(Failure::failed)?;
    }
    submit(&scripts)
}

fn print(submission: &Submission, scripts: &Scripts) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for (name, text) in &scripts.files {
        writeln!(
            out,
            "# {}\n{text}",
            submission.shard_dir().join(name).display()
        )?;
    }
    writeln!(out, "# to be run:")?;
    for command in &scripts.commands {
        writeln!(out, "{command}")?;
    }
    Ok(())
}

/// Runs the commands in one shell, so that a later one may use what an earlier one set, and stops
/// at the first that fails.
fn submit(scripts: &Scripts) -> Result<(), Failure> {
    let script = format!("set -eu\n{}\n", scripts.commands.join("\n"));
    let status = Command::new("sh")
        .arg("-c")
        .arg(script)
        .status()
        .map_err(|error| Failure::failed(format!("cannot start `sh`: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::failed(format!(
            "the engine did not take it ({status}); files are written, the commands are: {}",
            scripts.commands.join("; ")
        )))
    }
}
