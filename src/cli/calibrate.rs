//! `evalctl calibrate`: what the statistics promise, measured.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::args::{CalibrateArgs, ProgressMode};
use super::error::{Code, Failure};
use super::signals::Stop;
use crate::calibrate::{self, Options, Row, chart, table};
use crate::plot::{Chart as _, Meta, PlotError};
use crate::report::files;
use crate::run::MANIFEST;

/// What was measured.
const TABLE: &str = "calibration.csv";

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
    if let Some(dir) = &args.out {
        refuse_run(dir)?;
    }
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
    if let Some(dir) = &args.out {
        write(dir, args, &options, &rows)?;
    }
    let mut out = std::io::stdout().lock();
    out.write_all(table::text(&rows).as_bytes())?;
    if let Some(dir) = &args.out {
        writeln!(out, "\nTable and charts are in {}", dir.display())?;
    }
    drop(out);
    let broken = table::broken(&rows).count();
    if broken > 0 {
        return Err(Failure::failed(format!(
            "{broken} measured numbers are outside what is promised"
        )));
    }
    Ok(())
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

fn write(dir: &Path, args: &CalibrateArgs, options: &Options, rows: &[Row]) -> Result<(), Failure> {
    let put =
        |name: &str, bytes: &[u8]| files::write(&dir.join(name), bytes).map_err(Failure::failed);
    let csv = table::csv(rows);
    put(TABLE, csv.as_bytes())?;
    let hash = blake3::hash(csv.as_bytes()).to_hex().to_string();
    let meta = Meta {
        software: concat!("evalctl ", env!("CARGO_PKG_VERSION")).to_owned(),
        run: hash.clone(),
    };
    let failed = |error: PlotError| Failure::failed(error);
    for (name, picture) in chart::charts(rows, options.seed) {
        let png = picture.render_png(&meta).map_err(failed)?;
        put(&format!("plots/{name}.png"), &png)?;
        let svg = picture.render_svg(&meta).map_err(failed)?;
        put(&format!("plots/{name}.svg"), svg.as_bytes())?;
    }
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
    let manifest = json!({
        "command": command,
        "version": env!("CARGO_PKG_VERSION"),
        "seed": options.seed,
        "repetitions": options.repetitions,
        "confidence": calibrate::simulate::CONFIDENCE,
        "files": {TABLE: {"blake3": hash}},
    });
    put(MANIFEST, super::list::json(&manifest)?.as_bytes())
}
