//! `evalctl calibrate`: what the statistics promise, measured.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::args::{CalibrateArgs, ProgressMode};
use super::error::{Code, Failure};
use super::signals::Stop;
use crate::calibrate::folder::{Calibration, FolderError, Part, TABLE};
use crate::calibrate::{self, Options, promises, table};
use crate::run::MANIFEST;

/// Repetitions of a scenario where nothing else is said.
const REPETITIONS: u64 = 10_000;
const QUICK_REPETITIONS: u64 = 1_000;

pub(super) fn run(args: &CalibrateArgs) -> Result<(), Failure> {
    let usual = if args.quick {
        QUICK_REPETITIONS
    } else {
        REPETITIONS
    };
    let options = Options {
        repetitions: args.repetitions.unwrap_or(usual),
        filter: args.scenario.clone(),
        seed: args.seed,
        quick: args.quick,
    };
    let mut found = match &args.out {
        None => None,
        Some(dir) => {
            refuse_run(dir)?;
            // Read before anything is simulated: what cannot be added to is known at once.
            Calibration::read(dir).map_err(failure)?
        }
    }
    .unwrap_or(Calibration {
        rows: Vec::new(),
        parts: Vec::new(),
    });
    let stop = Stop::listen()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()
        .map_err(|error| Failure::failed(format!("cannot start threads: {error}")))?;
    let flag = stop.flag();
    let told = |number: usize, of: usize, scenario: &calibrate::scenario::Scenario| {
        if args.progress == ProgressMode::Json {
            let line = json!({"kind": "progress", "scenario": scenario.name, "finished": number, "scenarios": of});
            let _ = writeln!(std::io::stderr().lock(), "{line}");
        } else if args.progress != ProgressMode::None {
            let _ = writeln!(
                std::io::stderr().lock(),
                "evalctl: {number} of {of} scenarios: {}",
                scenario.name
            );
        }
    };
    let rows = pool
        .install(|| calibrate::run(&options, &flag, told))
        .map_err(Failure::failed)?;
    let Some(rows) = rows else {
        return Err(Failure::new(stop.code(), "stopped before the end"));
    };
    if rows.is_empty() {
        return Err(Failure::usage(format!(
            "--scenario {}: no scenario's name holds this text; names look like cell/coin/1x30, grid/draws/12x50, stopping/coin/1x400/sprt",
            args.scenario.as_deref().unwrap_or("")
        )));
    }
    found.add(part(args, &options), &rows);
    if let Some(dir) = &args.out {
        found.write(dir).map_err(failure)?;
    }
    let mut out = std::io::stdout().lock();
    out.write_all(table::text(&rows).as_bytes())?;
    if let Some(dir) = &args.out {
        let earlier = found.parts.len() - 1;
        if earlier > 0 {
            let held = found.parts[..earlier]
                .iter()
                .map(|part| part.scenarios.len());
            writeln!(
                out,
                "\n{} scenarios that were measured into the folder before stay as they were",
                held.sum::<usize>()
            )?;
        }
        writeln!(
            out,
            "\nTable, charts and report are in {}: open report.html there in a browser",
            dir.display()
        )?;
    }
    drop(out);
    require_kept(&rows)
}

/// Makes charts and report of the calibration in `dir` again; `None` if there is none.
pub(super) fn analyze(dir: &Path) -> Result<Option<Calibration>, Failure> {
    let Some(found) = Calibration::read(dir).map_err(failure)? else {
        return Ok(None);
    };
    found.write(dir).map_err(failure)?;
    let mut out = std::io::stdout().lock();
    out.write_all(table::text(&found.rows).as_bytes())?;
    Ok(Some(found))
}

/// Fails if a promise is broken.
pub(super) fn require_kept(rows: &[calibrate::Row]) -> Result<(), Failure> {
    match promises::broken(rows).count() {
        0 => Ok(()),
        broken => Err(Failure::failed(format!(
            "{broken} measured numbers are outside what is promised"
        ))),
    }
}

fn failure(error: FolderError) -> Failure {
    match error {
        FolderError::OtherVersion { .. } => Failure::new(Code::OtherExperiment, error.to_string()),
        _ => Failure::failed(error),
    }
}

/// Refuses a folder that holds anything of a run, whose manifest would be overwritten.
fn refuse_run(dir: &Path) -> Result<(), Failure> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Ok(());
    };
    let names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let calibrated = names.iter().any(|name| name == TABLE);
    let of_a_run = |name: &&String| match name.as_str() {
        "games.csv" | "cells.csv" | "imported.json" => true,
        MANIFEST => !calibrated,
        name => name.starts_with("journal") || name.starts_with("shard"),
    };
    match names.iter().find(of_a_run) {
        Some(name) => Err(Failure::new(
            Code::OtherExperiment,
            format!(
                "{} holds a {name}, so it is the folder of a run; choose another folder with --out",
                dir.display()
            ),
        )),
        None => Ok(()),
    }
}

/// The command that measures the same again.
fn part(args: &CalibrateArgs, options: &Options) -> Part {
    let mut command = format!(
        "evalctl calibrate --repetitions {} --seed {}",
        options.repetitions, options.seed
    );
    if options.quick {
        command.push_str(" --quick");
    }
    if let Some(text) = &args.scenario {
        command.push_str(&format!(" --scenario {}", super::experiment::quoted(text)));
    }
    Part {
        command,
        seed: options.seed,
        repetitions: options.repetitions,
        scenarios: Vec::new(),
    }
}
