//! Parts of a run for several machines.

use std::fmt;

/// Part `index` of `count` of a run's blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `index` of `count`; `None` unless `index < count` and `count` is at most a million.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (index < count && count <= 1_000_000).then_some(Self { index, count })
    }

    /// Which part, from 0.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many.
    pub fn count(self) -> u64 {
        self.count
    }
}

/// The journal's file name.
pub(crate) fn journal_name(shard: Option<Shard>) -> String {
    match shard {
        None => super::store::JOURNAL.into(),
        Some(shard) => format!("shard-{}-of-{}.journal", shard.index, shard.count),
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}
