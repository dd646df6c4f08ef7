//! What recording costs: the same plan played with and without. For the bench `journal`.

use std::io;
use std::path::Path;

use super::execute::{Machinery, Outcome, execute_with};
use super::journal::writer::Medium;
use super::{RunError, RunOptions, Silent};
use crate::plan::Plan;

/// What happens to the blocks of a measured run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recording {
    /// They go to the journal, as in every run.
    Journal,
    /// They are encoded and checksummed, and what would be written is thrown away.
    Encoded,
    /// They are counted and forgotten.
    Nothing,
}

/// Keeps nothing.
struct Nowhere;

impl Medium for Nowhere {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn is_there(&self) -> bool {
        true
    }
}

/// Plays all of `plan`, which must be without stopping rules, in one thread; its journal, if there
/// is one, is left in `dir`. How many blocks were played.
///
/// # Errors
/// As [`super::execute()`].
pub fn play(plan: &Plan, dir: &Path, recording: Recording) -> Result<u64, RunError> {
    let options = RunOptions {
        jobs: 1,
        ..RunOptions::new(dir)
    };
    let mut machinery = Machinery {
        record: recording != Recording::Nothing,
        ..Machinery::default()
    };
    if recording != Recording::Journal {
        machinery.make_medium = |_| Box::new(Nowhere);
    }
    match execute_with(plan, &options, &mut Silent, None, &machinery)? {
        Outcome::Complete(run) | Outcome::Interrupted(run) => Ok(run.played_blocks()),
        Outcome::AlreadyDone(_) | Outcome::ShardDone(_) => Ok(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::store::JOURNAL;
    use crate::run::tests::small;

    #[test]
    fn every_recording_plays_all_of_it_and_one_keeps_it() {
        let plan = small();
        let length = |recording| {
            let dir = tempfile::tempdir().unwrap();
            let played = play(&plan, dir.path(), recording).unwrap();
            assert_eq!(
                played,
                plan.cells.iter().map(|cell| cell.blocks).sum::<u64>()
            );
            std::fs::metadata(dir.path().join(JOURNAL)).unwrap().len()
        };
        let header = length(Recording::Nothing);
        assert_eq!(length(Recording::Encoded), header);
        assert!(length(Recording::Journal) > header);
    }
}
