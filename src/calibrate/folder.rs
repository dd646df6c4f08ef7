//! A calibration's folder: `calibration.csv`, `report.html`, `plots/` and, written last,
//! `manifest.json`.
//!
//! What takes long may be measured in parts, one after the other into the same folder: the table
//! holds what was measured last of every scenario, the manifest which command that was.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::simulate::CONFIDENCE;
use super::{Row, chart, merge, page, table};
use crate::plot::Meta;
use crate::report::files::{self, FileError};
use crate::report::html::Figure;
use crate::run::MANIFEST;

/// What was measured.
pub const TABLE: &str = "calibration.csv";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Scenarios that one command measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The command.
    pub command: String,
    /// The root seed.
    pub seed: u64,
    /// Repetitions of a scenario with share 1.
    pub repetitions: u64,
    /// The scenarios of it that no later command measured again.
    pub scenarios: Vec<String>,
}

/// `manifest.json` of a calibration.
#[derive(Serialize, Deserialize)]
struct Manifest {
    /// The version that simulated.
    version: String,
    /// The nominal level of the intervals.
    confidence: f64,
    /// What was measured by which command, in order.
    parts: Vec<Part>,
    /// Hash of the table.
    files: Files,
}

#[derive(Serialize, Deserialize)]
struct Files {
    #[serde(rename = "calibration.csv")]
    table: Hash,
}

#[derive(Serialize, Deserialize)]
struct Hash {
    blake3: String,
}

/// A calibration as its folder holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The measured numbers.
    pub rows: Vec<Row>,
    /// Which command measured them.
    pub parts: Vec<Part>,
}

/// Why a folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {what}; calibrate anew into another folder, or restore the file")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Another version measured it.
    #[error(
        "{path} was made by version {found}, this is {VERSION}, whose statistics may be others; choose another folder with --out"
    )]
    OtherVersion {
        /// The manifest.
        path: PathBuf,
        /// The version.
        found: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

impl Calibration {
    /// Whether `dir` holds a calibration, perhaps a damaged one.
    pub fn is_in(dir: &Path) -> bool {
        dir.join(TABLE).is_file()
    }

    /// Reads the calibration in `dir`; `None` if there is none.
    ///
    /// # Errors
    /// If a file of it is missing or damaged, or another version measured it.
    pub fn read(dir: &Path) -> Result<Option<Self>, FolderError> {
        if !Self::is_in(dir) {
            return Ok(None);
        }
        let text = |name: &str| {
            let path = dir.join(name);
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|source| FolderError::Read {
                path: path.clone(),
                source,
            })?;
            Ok::<_, FolderError>((path, text))
        };
        let (path, written) = text(MANIFEST)?;
        let damaged = |path: &Path, what: String| FolderError::Damaged {
            path: path.to_owned(),
            what,
        };
        let manifest: Manifest = serde_json::from_str(&written)
            .map_err(|error| damaged(&path, format!("no manifest of a calibration ({error})")))?;
        if manifest.version != VERSION {
            return Err(FolderError::OtherVersion {
                path,
                found: manifest.version,
            });
        }
        let (path, written) = text(TABLE)?;
        if hash(&written) != manifest.files.table.blake3 {
            let what = format!("it is not what {MANIFEST} says, so it was changed");
            return Err(damaged(&path, what));
        }
        let rows = table::parse(&written).map_err(|error| damaged(&path, error.to_string()))?;
        Ok(Some(Self {
            rows,
            parts: manifest.parts,
        }))
    }

    /// Takes in what `command` measured: its scenarios take the places of what was known of them.
    pub fn add(&mut self, mut part: Part, rows: &[Row]) {
        let mut measured: Vec<String> = rows.iter().map(|row| row.scenario.name.clone()).collect();
        measured.dedup();
        for old in &mut self.parts {
            old.scenarios.retain(|name| !measured.contains(name));
        }
        self.parts.retain(|old| !old.scenarios.is_empty());
        measured.sort();
        measured.dedup();
        part.scenarios = measured;
        self.parts.push(part);
        self.rows = merge(std::mem::take(&mut self.rows), rows);
    }

    /// Writes all files.
    ///
    /// # Errors
    /// At the first file that cannot be written; the manifest is the last of them.
    pub fn write(&self, dir: &Path) -> Result<(), FolderError> {
        let csv = table::csv(&self.rows);
        // What is drawn and said comes from the numbers as they are written, so that it can be made
        // again from the table.
        let read = table::parse(&csv).map_err(|error| FolderError::Damaged {
            path: dir.join(TABLE),
            what: error.to_string(),
        })?;
        let run = hash(&csv);
        files::write(&dir.join(TABLE), csv.as_bytes())?;
        let meta = Meta {
            software: format!("evalctl {VERSION}"),
            run: run.clone(),
        };
        let mut figures = Vec::new();
        for named in chart::charts(&read, &self.seeds()) {
            let pictures = named.pictures(&meta).map_err(|source| FileError::Chart {
                name: named.name.clone(),
                source,
            })?;
            for picture in pictures {
                let path = |ending: &str| dir.join(format!("plots/{}.{ending}", picture.name));
                files::write(&path("png"), &picture.png)?;
                files::write(&path("svg"), picture.svg.as_bytes())?;
                figures.push(Figure {
                    name: picture.name,
                    alt: picture.alt,
                    svg: picture.svg,
                });
            }
        }
        let page = page::page(&read, &self.parts, &figures, &run);
        files::write(&dir.join("report.html"), page.as_bytes())?;
        let manifest = Manifest {
            version: VERSION.to_owned(),
            confidence: CONFIDENCE,
            parts: self.parts.clone(),
            files: Files {
                table: Hash { blake3: run },
            },
        };
        let mut json =
            serde_json::to_string_pretty(&manifest).map_err(|error| FolderError::Read {
                path: dir.join(MANIFEST),
                source: error.into(),
            })?;
        json.push('\n');
        files::write(&dir.join(MANIFEST), json.as_bytes())?;
        Ok(())
    }

    /// The seeds of the parts, for a caption.
    fn seeds(&self) -> String {
        let mut seeds: Vec<String> = self
            .parts
            .iter()
            .map(|part| part.seed.to_string())
            .collect();
        seeds.sort();
        seeds.dedup();
        match seeds.as_slice() {
            [one] => format!("seed {one}"),
            _ => format!("seeds {}", seeds.join(", ")),
        }
    }
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
