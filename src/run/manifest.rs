//! `manifest.json`: everything that is needed to do a run again, and the hashes of what it wrote.
//!
//! All of it but the block `environment` is the same on every machine. It is written last, so a
//! folder with a manifest holds a finished run.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::plan::{Cell, Plan};
use crate::spec::Settings;

use super::bots::Bot;
use super::environment::Environment;
use super::finish::{GAMES, TIMING, write_atomically};
use super::{CellProgress, Identity, RunError};

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";

/// The newest format that is understood, and the one that is written.
const FORMAT: u32 = 1;
/// A manifest is some kilobytes, and some megabytes for the largest grids.
const LIMIT: u64 = 256 << 20;

/// A finished run, written down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// The experiment's name.
    pub name: String,
    /// The version of this program.
    pub version: String,
    /// What makes this run the experiment that it is, hashed ([`Identity`]).
    pub identity: String,
    /// Its keys and values.
    pub identity_keys: BTreeMap<String, String>,
    /// BLAKE3 of the resolved config.
    pub config_hash: String,
    /// The resolved config, itself a config (TOML).
    pub config: String,
    /// The root seed, from which all others are derived.
    pub seed: u64,
    /// Games per cell that were asked for.
    pub games_asked: u64,
    /// Games per cell of the finished runs that this one extended.
    pub extended_from: Vec<u64>,
    /// Cells selected for a confirmation, in the order of the claims of kind `best`.
    pub selected: Vec<usize>,
    /// Shards that were missing when the run was merged; empty for a whole run.
    #[serde(default)]
    pub missing_shards: Vec<u64>,
    /// Whether playing it again gives the same bytes: no wall-clock budget and no program or
    /// person as a player.
    pub reproducible: bool,
    /// Games and blocks of all cells.
    pub counts: Counts,
    /// Every cell.
    pub cells: Vec<CellCounts>,
    /// Programs that played.
    pub bots: Vec<Bot>,
    /// Files of the run by their path in the folder, with `/` between parts.
    pub files: BTreeMap<String, FileHash>,
    /// What may differ between machines.
    pub environment: Environment,
}

/// How much was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// Cells.
    pub cells: u64,
    /// Blocks.
    pub blocks: u64,
    /// Games.
    pub games: u64,
}

/// How much was played of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellCounts {
    /// Its first block.
    pub first_block: u64,
    /// Its blocks.
    pub blocks: u64,
    /// Whether a stopping rule ended it.
    pub stopped: bool,
    /// What the report must say about its players.
    #[serde(default)]
    pub notices: Vec<String>,
}

/// Size and hash of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileHash {
    /// Bytes.
    pub bytes: u64,
    /// BLAKE3, hexadecimal.
    pub blake3: String,
}

impl FileHash {
    /// Of the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(path: &Path) -> Result<Self, RunError> {
        let mut hasher = blake3::Hasher::new();
        let mut file = std::fs::File::open(path).map_err(RunError::io("read", path))?;
        let mut buffer = vec![0; 1 << 18];
        let mut bytes = 0;
        loop {
            let read = file.read(&mut buffer).map_err(RunError::io("read", path))?;
            if read == 0 {
                break;
            }
            hasher.update(&buffer[..read]);
            bytes += read as u64;
        }
        Ok(Self {
            bytes,
            blake3: hasher.finalize().to_hex().to_string(),
        })
    }
}

/// Whether playing `plan` again gives the same games.
pub fn is_reproducible(plan: &Plan) -> bool {
    plan.cells.iter().all(is_steady)
}

/// Whether playing `cell` again gives the same games: no player of it looks at the clock, is a
/// program or a person.
pub(crate) fn is_steady(cell: &Cell) -> bool {
    let steady = |settings: &Settings| {
        !matches!(settings.name.as_str(), "exec" | "human") && settings.integer("millis").is_none()
    };
    steady(&cell.challenger) && steady(&cell.opponent)
}

/// Whether a file differs between two plays of the same run.
fn is_exempt(path: &str) -> bool {
    path == TIMING || path.starts_with("plots/timing-") || path.starts_with("logs/")
}

/// What is known of a run when its manifest is written.
pub(crate) struct Facts<'a> {
    pub plan: &'a Plan,
    pub identity: &'a Identity,
    pub cells: Vec<CellCounts>,
    pub games: u64,
    pub extended_from: Vec<u64>,
    pub selected: Vec<usize>,
    pub missing_shards: Vec<u64>,
    pub bots: Vec<Bot>,
    pub containment: String,
}

impl Manifest {
    /// Describes a run in `dir` that wrote `files` (paths in the folder) besides its games.
    pub(crate) fn new(dir: &Path, facts: Facts<'_>, files: &[String]) -> Result<Self, RunError> {
        let mut hashes = BTreeMap::new();
        let games = [GAMES.to_owned()];
        for file in games.iter().chain(files).filter(|file| !is_exempt(file)) {
            hashes.insert(file.clone(), FileHash::of(&dir.join(file))?);
        }
        let mut environment = Environment::current();
        environment.containment = facts.containment;
        let timing = dir.join(TIMING);
        if timing.try_exists().map_err(RunError::io("read", &timing))? {
            environment.timing = FileHash::of(&timing)?.blake3;
        }
        let plan = facts.plan;
        Ok(Self {
            format: FORMAT,
            name: plan.name.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            identity: facts.identity.hex(),
            identity_keys: facts.identity.keys().clone(),
            config_hash: plan.resolved_hash(),
            config: plan.resolved.clone(),
            seed: plan.seed,
            games_asked: plan.games_asked,
            extended_from: facts.extended_from,
            selected: facts.selected,
            missing_shards: facts.missing_shards,
            reproducible: is_reproducible(plan),
            counts: Counts {
                cells: facts.cells.len() as u64,
                blocks: facts.cells.iter().map(|cell| cell.blocks).sum(),
                games: facts.games,
            },
            cells: facts.cells,
            bots: facts.bots,
            files: hashes,
            environment,
        })
    }

    /// Writes it into `dir`.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), RunError> {
        let path = dir.join(MANIFEST);
        write_atomically(&path, |out| {
            let io = RunError::io("write", &path);
            let text = serde_json::to_string_pretty(self).map_err(std::io::Error::from);
            text.and_then(|text| writeln!(out, "{text}")).map_err(io)
        })
    }

    /// Reads the manifest of the run in `dir`; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is no manifest, or has a newer format.
    pub fn read(dir: &Path) -> Result<Option<Self>, RunError> {
        let path = dir.join(MANIFEST);
        let file = match std::fs::File::open(&path) {
            Ok(file) => file,
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(RunError::io("read", &path)(error)),
        };
        let mut bytes = Vec::new();
        file.take(LIMIT)
            .read_to_end(&mut bytes)
            .map_err(RunError::io("read", &path))?;
        Self::parse(&bytes, &path).map(Some)
    }

    /// Reads a manifest from the bytes of the file at `path`.
    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Self, RunError> {
        #[derive(Deserialize)]
        struct Front {
            format: u32,
        }
        let damaged = |error: serde_json::Error| RunError::Damaged {
            path: path.into(),
            what: format!("it is no manifest of a run ({error})"),
        };
        let front: Front = serde_json::from_slice(bytes).map_err(damaged)?;
        if front.format > FORMAT {
            return Err(RunError::NewerFormat {
                path: path.into(),
                found: front.format,
                known: FORMAT,
            });
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        if manifest.experiment().hex() != manifest.identity {
            return Err(RunError::Damaged {
                path: path.into(),
                what: "its identity is not the hash of its keys: it was changed by hand".into(),
            });
        }
        Ok(manifest)
    }

    /// The identity of the experiment.
    pub fn experiment(&self) -> Identity {
        Identity::from_keys(self.identity_keys.clone())
    }
}

/// What the report must say about the players of each cell, a sentence each; equal ones of many
/// cells are said once.
pub(crate) fn notices<'n>(
    plan: &Plan,
    cells: impl Iterator<Item = impl Iterator<Item = &'n String>>,
) -> Vec<String> {
    let mut said: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (cell, notices) in cells.enumerate().take(plan.cells.len()) {
        for notice in notices {
            said.entry(notice).or_default().push(cell);
        }
    }
    said.into_iter()
        .map(|(notice, cells)| {
            let numbers: Vec<u64> = cells.iter().map(|&cell| cell as u64).collect();
            let word = if cells.len() == 1 { "Cell" } else { "Cells" };
            format!("{word} {}: {notice}", super::merge::ranges(&numbers))
        })
        .collect()
}

/// How much is in each cell.
pub(crate) fn cell_counts(plan: &Plan, cells: &[CellProgress]) -> Vec<CellCounts> {
    plan.cells
        .iter()
        .zip(cells)
        .map(|(cell, progress)| CellCounts {
            first_block: cell.first_block,
            blocks: progress.tally.blocks,
            stopped: progress.decided,
            notices: progress.notices.iter().cloned().collect(),
        })
        .collect()
}
