//! A finished run: a folder with a manifest.

use std::path::{Path, PathBuf};

use crate::block::PlayedBlock;
use crate::config::{self, Overrides};
use crate::games_csv::Reader;
use crate::plan::Plan;

use super::execute::Run;
use super::finish::GAMES;
use super::manifest::{Facts, MANIFEST, Manifest, cell_counts, notices};
use super::{Identity, RunError, store};

/// A finished run: nothing is left to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    plan: Plan,
    dir: PathBuf,
    manifest: Manifest,
}

impl Finished {
    /// The finished run in `dir`, from its manifest alone.
    ///
    /// # Errors
    /// If there is no manifest, or it is not one that this version understands.
    pub fn open(dir: &Path) -> Result<Self, RunError> {
        let Some(manifest) = Manifest::read(dir)? else {
            return Err(RunError::NotFinished { dir: dir.into() });
        };
        let place = dir.join(MANIFEST).display().to_string();
        let plan = config::plan(&manifest.config, &place, &Overrides::default())?;
        Self::of(&plan, dir, manifest)
    }

    /// The finished run in `dir` that played `plan`, whose manifest was read.
    pub(super) fn of(plan: &Plan, dir: &Path, manifest: Manifest) -> Result<Self, RunError> {
        let mut played = plan.clone();
        for (claim, &selected) in plan.selections().zip(&manifest.selected) {
            let cell = plan.confirm_cell(claim, selected);
            played.cells.push(cell.ok_or_else(|| RunError::Damaged {
                path: dir.join(MANIFEST),
                what: format!("cell {selected} cannot have been selected"),
            })?);
        }
        Ok(Self {
            plan: played,
            dir: dir.into(),
            manifest,
        })
    }

    /// The plan, with its confirmations.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What made this run the experiment that it is.
    pub fn identity(&self) -> Identity {
        self.manifest.experiment()
    }

    /// What the report must say about players, a sentence each.
    pub fn notices(&self) -> Vec<String> {
        let cells = self.manifest.cells.iter().map(|cell| cell.notices.iter());
        notices(&self.plan, cells)
    }

    /// Whether it was played by another version of this program, which may play other games.
    pub fn other_version(&self) -> Option<&str> {
        (self.manifest.version != env!("CARGO_PKG_VERSION")).then_some(&*self.manifest.version)
    }

    /// Whether the manifest was written for this very config, and not for one with other claims.
    pub fn is_current(&self) -> bool {
        self.manifest.config == self.plan.resolved
    }

    /// Games per cell of the finished runs that this one extended.
    pub fn extended_from(&self) -> &[u64] {
        &self.manifest.extended_from
    }

    /// Calls `visit` with every block of `games.csv`, in schedule order.
    ///
    /// # Errors
    /// If `games.csv` cannot be read or is not this run's, or what `visit` returns.
    pub fn visit_blocks<E: From<RunError>>(
        &self,
        mut visit: impl FnMut(&PlayedBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut reader = Reader::open(&self.plan, &self.dir.join(GAMES)).map_err(RunError::from)?;
        let mut block = PlayedBlock::default();
        while reader.read(&mut block).map_err(RunError::from)? {
            visit(&block)?;
        }
        Ok(())
    }

    /// Writes the manifest again, after derived files were computed again. `files` are the derived
    /// files, by their path in the folder.
    ///
    /// # Errors
    /// If a file cannot be read or the manifest not be written.
    pub fn reseal(&mut self, files: &[String]) -> Result<(), RunError> {
        let facts = Facts {
            plan: &self.plan,
            identity: &self.manifest.experiment(),
            cells: self.manifest.cells.clone(),
            games: self.manifest.counts.games,
            extended_from: self.manifest.extended_from.clone(),
            selected: self.manifest.selected.clone(),
            missing_shards: self.manifest.missing_shards.clone(),
            bots: self.manifest.bots.clone(),
            containment: self.manifest.environment.containment.clone(),
        };
        let mut manifest = Manifest::new(&self.dir, facts, files)?;
        // It still tells what the games were played with.
        manifest.version.clone_from(&self.manifest.version);
        let timing = std::mem::take(&mut manifest.environment.timing);
        manifest.environment = self.manifest.environment.clone();
        manifest.environment.timing = timing;
        manifest.write(&self.dir)?;
        self.manifest = manifest;
        Ok(())
    }
}

/// Ends a complete run whose games were written: writes the manifest with the hashes of
/// `games.csv` and `files` (the derived files, by their path in the folder, `/` between parts),
/// then removes the journal.
///
/// # Errors
/// If a file cannot be read, or the manifest not be written; the journal is then still there.
pub fn seal(run: Run, files: &[String]) -> Result<Finished, RunError> {
    let games = run.cells.iter().map(|cell| cell.tally.games()).sum();
    let facts = Facts {
        plan: &run.plan,
        identity: &run.identity,
        cells: cell_counts(&run.plan, &run.cells),
        games,
        extended_from: run.extended_from.clone(),
        selected: run.selected.clone(),
        missing_shards: run.missing_shards.clone(),
        bots: run.bots.bots.clone(),
        containment: run.bots.containment.clone(),
    };
    let manifest = Manifest::new(&run.dir, facts, files)?;
    manifest.write(&run.dir)?;
    let path = run.journal.path().to_owned();
    for old in store::old_journals(&path)?.into_iter().rev() {
        std::fs::remove_file(&old).map_err(RunError::io("remove", &old))?;
    }
    std::fs::remove_file(&path).map_err(RunError::io("remove", &path))?;
    let finished = Finished {
        plan: Plan::clone(&run.plan),
        dir: run.dir.clone(),
        manifest,
    };
    // The lock ends here.
    drop(run);
    Ok(finished)
}
