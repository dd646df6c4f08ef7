//! Parts of a run for several machines.
//!
//! A shard is every N-th unit of the schedule, a unit being a run of blocks that the plan fixes
//! whatever N is. A finished shard is published: its journal, closed by a footer, gets its final
//! name by a link that never replaces a file. [`super::merge`] puts shards together.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::finish::write_new;
use super::{Identity, RunError};

/// The most shards of a run.
pub const MAX_SHARDS: u64 = 1_000_000;

/// The file in a folder of shards that says how many there are.
pub const SHARDS: &str = "shards.json";

/// Part `index` of `count` of a run's blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `index` of `count`; `None` unless `index < count` and `count` is at most
    /// [`MAX_SHARDS`].
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (index < count && count <= MAX_SHARDS).then_some(Self { index, count })
    }

    /// Which part, from 0.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many.
    pub fn count(self) -> u64 {
        self.count
    }

    /// The name of the finished shard's file.
    pub fn file_name(self) -> String {
        format!("shard-{}-of-{}.blocks", self.index, self.count)
    }

    /// The shard with this file name.
    pub(crate) fn from_file_name(name: &str) -> Option<Self> {
        let (index, count) = name
            .strip_prefix("shard-")?
            .strip_suffix(".blocks")?
            .split_once("-of-")?;
        let shard = Self::new(index.parse().ok()?, count.parse().ok()?)?;
        // One name per shard: no signs, no leading zeros.
        (shard.file_name() == name).then_some(shard)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that names no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no shard: write I/N with I from 0 to N-1, such as 0/8")]
pub struct ShardTextError(String);

impl FromStr for Shard {
    type Err = ShardTextError;

    fn from_str(text: &str) -> Result<Self, ShardTextError> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Self::new(index.trim().parse().ok()?, count.trim().parse().ok()?)
        });
        parts.ok_or_else(|| ShardTextError(text.to_owned()))
    }
}

/// The journal's file name.
pub(crate) fn journal_name(shard: Option<Shard>) -> String {
    match shard {
        None => super::store::JOURNAL.into(),
        Some(shard) => format!("shard-{}-of-{}.journal", shard.index, shard.count),
    }
}

/// How a run is cut, for everybody who plays a part of it: written by whoever comes first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cut {
    /// Version of this format.
    pub format: u32,
    /// How many shards there are.
    pub shards: u64,
    /// The experiment ([`Identity`]).
    pub identity: String,
    /// Games per cell that were asked for.
    pub games_asked: u64,
}

impl Cut {
    /// `shards` parts of an experiment with `games_asked` games per cell.
    pub fn new(identity: &Identity, games_asked: u64, shards: u64) -> Self {
        Self {
            format: 1,
            shards,
            identity: identity.hex(),
            games_asked,
        }
    }

    /// How the run in `dir` is cut; `None` if nobody said so yet.
    ///
    /// # Errors
    /// If the file cannot be read, or says nothing that is understood.
    pub fn read(dir: &Path) -> Result<Option<Self>, RunError> {
        let path = dir.join(SHARDS);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            // That `dir` is a file is said by who wants to write there.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(RunError::io("read", &path)(error)),
        };
        let cut: Self = serde_json::from_slice(&bytes).map_err(|error| RunError::Damaged {
            path: path.clone(),
            what: format!("it does not say how the run is cut ({error})"),
        })?;
        if cut.format > 1 {
            return Err(RunError::NewerFormat {
                path,
                found: cut.format,
                known: 1,
            });
        }
        Ok(Some(cut))
    }

    /// Writes it into `dir`, or checks that what is there says the same.
    ///
    /// # Errors
    /// If the run in `dir` is cut in another way.
    pub fn agree(&self, dir: &Path) -> Result<(), RunError> {
        let path = dir.join(SHARDS);
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        if write_new(&path, text.as_bytes())? {
            return Ok(());
        }
        let Some(found) = Self::read(dir)? else {
            return Ok(());
        };
        let mut changes = Vec::new();
        if found.identity != self.identity {
            changes.push("the config or the seed".to_owned());
        }
        let pairs = [
            ("games", found.games_asked, self.games_asked),
            ("shards", found.shards, self.shards),
        ];
        for (name, old, new) in pairs {
            if old != new {
                changes.push(format!("{name}: {old} -> {new}"));
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        Err(RunError::OtherExperiment {
            dir: PathBuf::from(dir),
            changes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!((shard.index(), shard.count()), (3, 8));
        assert_eq!(shard.to_string(), "3/8");
        assert_eq!(Shard::from_file_name(&shard.file_name()), Some(shard));
        for wrong in ["8/8", "1", "a/b", "-1/3", "0/0", "0/9999999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        for wrong in [
            "shard-03-of-8.blocks",
            "shard-8-of-8.blocks",
            "shard-1-of-2.journal",
        ] {
            assert_eq!(Shard::from_file_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_first_shard_says_how_the_run_is_cut_and_others_must_agree() {
        let dir = tempfile::tempdir().unwrap();
        let identity = Identity::of(&crate::run::testing::plan(&[("random", 1)]));
        Cut::new(&identity, 2, 8).agree(dir.path()).unwrap();
        Cut::new(&identity, 2, 8).agree(dir.path()).unwrap();
        let error = Cut::new(&identity, 2, 4).agree(dir.path()).unwrap_err();
        assert_eq!(error.exit_code(), 65);
        assert!(error.to_string().contains("shards: 8 -> 4"), "{error}");
        let other = Identity::of(&crate::run::testing::plan(&[("first", 1)]));
        let error = Cut::new(&other, 2, 8).agree(dir.path()).unwrap_err();
        assert_eq!(error.exit_code(), 65);
        assert!(
            error.to_string().contains("the config or the seed"),
            "{error}"
        );
    }
}
