//! From finished shards to the run that they are parts of.
//!
//! Everything is checked before anything is written: every file by its checksums, footer and
//! schedule, all of them against each other. Then the blocks are copied in schedule order as a
//! resumed run copies them, stopping rules and confirmations included, so the result is that of an
//! unsharded run to the byte, for any number of shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{self, Overrides};
use crate::plan::Plan;

use super::bots::Bots;
use super::execute::{Outcome, Parts, execute_parts};
use super::journal::codec::Shape;
use super::progress::Observer;
use super::shard_file::{self, ShardFile};
use super::{Identity, RunError, RunOptions, Shard, ledger};

/// Finished shards that belong together.
#[derive(Debug)]
pub struct Shards {
    plan: Plan,
    shapes: Arc<[Shape]>,
    count: u64,
    files: BTreeMap<u64, ShardFile>,
    /// What is wrong, a sentence each.
    problems: Vec<RunError>,
    dirs: Vec<PathBuf>,
}

/// What keeps shards from being merged.
#[derive(Debug, thiserror::Error)]
#[error("{}", text(.problems))]
pub struct MergeError {
    /// A sentence each.
    pub problems: Vec<String>,
    /// The exit code: 65 if a shard belongs to another experiment, else 1.
    pub exit_code: u8,
    /// The command that plays what is missing.
    pub resubmit: Option<String>,
}

fn text(problems: &[String]) -> String {
    problems.join("\n")
}

impl Shards {
    /// Reads and checks all finished shards in `dirs` (a folder, or the file of a shard).
    ///
    /// # Errors
    /// If there is none, or they belong to different experiments or cuts. Missing and damaged
    /// shards are no error yet: see [`Shards::check`].
    pub fn open(dirs: &[PathBuf]) -> Result<Self, RunError> {
        let mut paths = Vec::new();
        for dir in dirs {
            paths.extend(shard_paths(dir)?);
        }
        let Some(first) = paths.iter().find_map(|path| shard_file::header(path).ok()) else {
            return Err(match paths.first() {
                Some(path) => match shard_file::header(path) {
                    Err(error) => error,
                    Ok(_) => RunError::NoShards { dirs: dirs.into() },
                },
                None => RunError::NoShards { dirs: dirs.into() },
            });
        };
        let place = "the shards' config";
        let plan = config::plan(&first.resolved, place, &Overrides::default())?;
        let identity = Identity::of(&plan);
        let old = (&first.identity, first.resolved.as_str());
        // The config of the shards means something else to this version.
        let dir = dirs.first().map_or(Path::new("."), PathBuf::as_path);
        super::store::check_experiment(dir, old, (&identity, &plan.resolved))?;
        let mut shards = Self {
            shapes: ledger::shapes(&plan).into(),
            plan,
            count: first.shard.map_or(1, Shard::count),
            files: BTreeMap::new(),
            problems: Vec::new(),
            dirs: dirs.into(),
        };
        for path in paths {
            if let Err(problem) = shards.add(&path, &identity) {
                shards.problems.push(problem);
            }
        }
        Ok(shards)
    }

    fn add(&mut self, path: &Path, identity: &Identity) -> Result<(), RunError> {
        let header = shard_file::header(path)?;
        let count = header.shard.map_or(0, Shard::count);
        let pairs = [
            ("shards", self.count, count),
            ("games", self.plan.games_asked, header.games),
        ];
        let changes: Vec<String> = pairs
            .into_iter()
            .filter(|(_, ours, theirs)| ours != theirs)
            .map(|(name, ours, theirs)| format!("{name}: {theirs} instead of {ours}"))
            .collect();
        let old = (&header.identity, header.resolved.as_str());
        super::store::check_experiment(path, old, (identity, &self.plan.resolved))?;
        if !changes.is_empty() {
            return Err(RunError::OtherExperiment {
                dir: path.into(),
                changes,
            });
        }
        let found = shard_file::inspect(path, &self.plan, identity, &self.shapes)?;
        match self.files.get(&found.shard.index) {
            // The same blocks twice are no harm.
            Some(before) if before.footer.has_blocks_of(&found.footer) => {}
            Some(before) => {
                return Err(RunError::Damaged {
                    path: found.path,
                    what: format!(
                        "shard {} is also `{}`, with other blocks; remove one of them",
                        found.shard,
                        before.path.display()
                    ),
                });
            }
            None => {
                self.files.insert(found.shard.index, found);
            }
        }
        Ok(())
    }

    /// The plan of the whole run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Of how many parts the run consists.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Parts that are whole.
    pub fn found(&self) -> usize {
        self.files.len()
    }

    /// Parts that are missing or damaged.
    pub fn missing(&self) -> Vec<u64> {
        (0..self.count)
            .filter(|index| !self.files.contains_key(index))
            .collect()
    }

    /// Whether all parts are there and nothing else is.
    ///
    /// # Errors
    /// Everything that is wrong. With `allow_partial`, missing and damaged shards are passed over.
    pub fn check(&self, allow_partial: bool) -> Result<(), MergeError> {
        let mut problems: Vec<String> = Vec::new();
        let mut exit_code = 1;
        for problem in &self.problems {
            let foreign = problem.exit_code() == 65;
            if foreign {
                exit_code = 65;
            }
            if foreign || !allow_partial {
                problems.push(problem.to_string());
            }
        }
        let missing = self.missing();
        if !missing.is_empty() && !allow_partial {
            problems.push(format!(
                "{} of {} shards are missing: {}",
                missing.len(),
                self.count,
                ranges(&missing)
            ));
        }
        if problems.is_empty() {
            return Ok(());
        }
        Err(MergeError {
            problems,
            exit_code,
            resubmit: self.resubmit(),
        })
    }

    /// The command that plays the missing shards; `None` if none is missing.
    pub fn resubmit(&self) -> Option<String> {
        let missing = self.missing();
        if missing.is_empty() {
            return None;
        }
        let dir = self.dirs.first()?;
        let script = dir.join(super::submit::SLURM_ARRAY);
        Some(if script.exists() {
            let indices = ranges(&missing);
            format!("sbatch --array={indices} {}", quoted(&script))
        } else {
            let indices: Vec<String> = missing.iter().map(u64::to_string).collect();
            format!(
                "for i in {}; do evalctl sweep CONFIG --shard $i/{} --out {}; done",
                indices.join(" "),
                self.count,
                quoted(dir)
            )
        })
    }

    /// Puts the shards together in the folder of `options` and plays the confirmations of the
    /// selections, if there are any. Without all shards the result is partial.
    ///
    /// # Errors
    /// As [`super::execute`].
    pub fn merge(
        &self,
        options: &RunOptions,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        raise_open_files(self.files.len());
        let mut bots = Bots::default();
        for file in self.files.values() {
            for bot in &file.footer.bots {
                if !bots.bots.contains(bot) {
                    bots.bots.push(bot.clone());
                }
            }
            bots.containment.clone_from(&file.footer.containment);
        }
        let parts = Parts {
            shards: self.files.values().cloned().collect(),
            missing: self.missing(),
            count: self.count,
            bots,
        };
        execute_parts(&self.plan, options, observer, Some(parts))
    }
}

/// The shard files in `dir`, in order, or `dir` itself if it is a file.
fn shard_paths(dir: &Path) -> Result<Vec<PathBuf>, RunError> {
    if dir.is_file() {
        return Ok(vec![dir.into()]);
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(RunError::io("read", dir))? {
        let entry = entry.map_err(RunError::io("read", dir))?;
        let name = entry.file_name();
        if let Some(shard) = name.to_str().and_then(Shard::from_file_name) {
            found.push((shard.count, shard.index, entry.path()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, _, path)| path).collect())
}

/// Numbers as ranges, such as `1,3-5`.
pub(crate) fn ranges(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    parts.join(",")
}

fn quoted(path: &Path) -> String {
    super::submit::quoted(&path.display().to_string())
}

/// Every shard is an open file while it is copied from.
fn raise_open_files(files: usize) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        let wanted = files as u64 + 256;
        if limit.current.is_some_and(|current| current < wanted) {
            limit.current = Some(limit.maximum.map_or(wanted, |most| most.min(wanted)));
            // If it cannot be raised, opening a shard says so.
            let _ = setrlimit(Resource::Nofile, limit);
        }
    }
    #[cfg(not(unix))]
    {
        let _ = files;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_a_scheduler_takes_them() {
        assert_eq!(ranges(&[1, 3, 4, 5, 9]), "1,3-5,9");
        assert_eq!(ranges(&[0, 1]), "0-1");
        assert_eq!(ranges(&[]), "");
    }
}
