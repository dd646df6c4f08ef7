//! Writing the derived files of a run, each complete or not at all.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::charts::{self, CellCost, MoveCost, Picture};
use super::html::{self, Context, Figure};
use super::standings;
use super::tables_csv;
use crate::analysis::Analysis;
use crate::plan::Plan;
use crate::plot::Meta;

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file system refused.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is in the way.
    #[error("{path} is a file where a folder is needed: move it away")]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// A chart could not be drawn.
    #[error("the chart {name} cannot be drawn: {source}")]
    Chart {
        /// The chart's file name.
        name: String,
        /// Why.
        source: crate::plot::PlotError,
    },
}

/// What the derived files say besides plan and analysis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Provenance {
    /// Hash that identifies the run.
    pub run: String,
    /// The command that makes it again.
    pub command: String,
    /// Why the run cannot be repeated to the byte, if it cannot.
    pub not_reproducible: Option<String>,
    /// What agents said.
    pub notices: Vec<String>,
}

/// Writes `cells.csv`, `claims.csv`, `comparisons.csv`, `seats.csv`, for a tournament `ratings.csv`
/// and `payoffs.csv`, `plots/` (the charts of times from the `timing.csv` there) and `report.html`
/// into `dir`; the names of the files written, relative to it, in order.
///
/// # Errors
/// At the first file that cannot be written; files written before stay.
pub fn write_all(
    dir: &Path,
    plan: &Plan,
    analysis: &Analysis,
    provenance: &Provenance,
) -> Result<Vec<String>, FileError> {
    let mut written = Vec::new();
    let mut put = |name: String, bytes: &[u8]| -> Result<(), FileError> {
        write(&dir.join(&name), bytes)?;
        written.push(name);
        Ok(())
    };
    put(
        "cells.csv".to_owned(),
        tables_csv::cells(plan, analysis).as_bytes(),
    )?;
    put(
        "claims.csv".to_owned(),
        tables_csv::claims(analysis).as_bytes(),
    )?;
    put(
        "comparisons.csv".to_owned(),
        tables_csv::comparisons(analysis).as_bytes(),
    )?;
    put(
        "seats.csv".to_owned(),
        tables_csv::seats(analysis).as_bytes(),
    )?;
    if let Some(standings) = &analysis.standings {
        let ratings = standings::ratings_csv(standings);
        put("ratings.csv".to_owned(), ratings.as_bytes())?;
        let payoffs = standings::payoffs_csv(standings);
        put("payoffs.csv".to_owned(), payoffs.as_bytes())?;
    }
    let meta = Meta {
        software: concat!("evalctl ", env!("CARGO_PKG_VERSION")).to_owned(),
        run: provenance.run.clone(),
    };
    let mut figures = Vec::new();
    for named in charts::of_run(plan, analysis) {
        for Picture {
            name,
            alt,
            png,
            svg,
        } in draw(&named, &meta)?
        {
            put(format!("plots/{name}.png"), &png)?;
            put(format!("plots/{name}.svg"), svg.as_bytes())?;
            figures.push(Figure { name, alt, svg });
        }
    }
    // Measured times stand in files of their own, which the report does not show: all else is the
    // same whenever the run is repeated.
    if let Some(named) = charts::of_times(plan, analysis, &costs(dir)) {
        for picture in draw(&named, &meta)? {
            put(format!("plots/{}.png", picture.name), &picture.png)?;
            put(
                format!("plots/{}.svg", picture.name),
                picture.svg.as_bytes(),
            )?;
        }
    }
    let context = Context {
        figures,
        command: provenance.command.clone(),
        run: provenance.run.clone(),
        not_reproducible: provenance.not_reproducible.clone(),
        notices: provenance.notices.clone(),
    };
    put(
        "report.html".to_owned(),
        html::page(plan, analysis, &context).as_bytes(),
    )?;
    Ok(written)
}

fn draw(named: &charts::Named, meta: &Meta) -> Result<Vec<Picture>, FileError> {
    named.pictures(meta).map_err(|source| FileError::Chart {
        name: named.name.clone(),
        source,
    })
}

/// What moves took, by cell, from a run's `timing.csv`: empty if there is none, and without the rows
/// that cannot be read, since no result depends on it.
fn costs(dir: &Path) -> Vec<CellCost> {
    let Ok(mut reader) = csv::Reader::from_path(dir.join("timing.csv")) else {
        return Vec::new();
    };
    let Ok(header) = reader.headers().cloned() else {
        return Vec::new();
    };
    let column = |name: &str| header.iter().position(|column| column == name);
    let number = |row: &csv::StringRecord, name: &str| -> Option<f64> {
        row.get(column(name)?)?.parse().ok()
    };
    let side = |row: &csv::StringRecord, side: &str| {
        let moves = number(row, &format!("{side}_moves"))?;
        let each = number(row, &format!("{side}_ms_per_move"))?;
        let milliseconds = moves * each;
        let known = milliseconds.is_finite() && each > 0.0 && moves > 0.0;
        known.then_some(MoveCost {
            moves,
            milliseconds,
        })
    };
    let cost = |row: &csv::StringRecord| {
        Some(CellCost {
            cell: row.get(column("cell")?)?.parse().ok()?,
            challenger: side(row, "challenger").unwrap_or_default(),
            opponent: side(row, "opponent").unwrap_or_default(),
        })
    };
    reader
        .records()
        .filter_map(|row| cost(&row.ok()?))
        .collect()
}

/// Writes a file under a temporary name beside it, flushes it to the disk and renames it.
///
/// # Errors
/// If the folder cannot be made or the file cannot be written; an old file then stays as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let failed = |source: std::io::Error| FileError::Write {
        path: path.to_owned(),
        source,
    };
    let dir = path.parent().unwrap_or(Path::new("."));
    if dir.is_file() {
        return Err(FileError::NoFolder {
            path: dir.to_owned(),
        });
    }
    std::fs::create_dir_all(dir).map_err(failed)?;
    // The name by which a run that goes on removes what a kill left behind.
    let mut file = tempfile::Builder::new()
        .prefix(".evalctl-")
        .suffix(".tmp")
        .tempfile_in(dir)
        .map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(mode).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
