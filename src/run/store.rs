//! Opening the folder of a run: what is already there, what of it holds, where to go on.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::chunk::ChunkBuilder;
use super::journal::codec::Shape;
use super::journal::records::{Item, Records};
use super::journal::writer::JournalFile;
use super::journal::{Header, HeaderError, VERSION};
use super::ledger::Ledger;
use super::schedule::Position;
use super::shard::Shard;
use super::{Identity, RunError};

/// The journal's name in the folder of an unsharded run.
pub(crate) const JOURNAL: &str = "journal.bin";

/// How an existing journal can be used.
enum Found {
    /// There is nothing in it yet.
    Empty,
    /// It is the prefix that the ledger now holds; `keep` bytes of it are whole chunks, and
    /// `rest` is the valid front of the chunk after them.
    Prefix { keep: u64, rest: Vec<u8> },
    /// It holds blocks, but not as a prefix of this run's schedule.
    Source,
}

/// Opens the journal at `path` for the run that `header` describes; a fresh ledger from
/// `new_ledger` is brought to where the journal ends. `notes` receives what was repaired.
pub(crate) fn open(
    path: &Path,
    header: &Header,
    shapes: &Arc<[Shape]>,
    new_ledger: &dyn Fn() -> Result<Ledger, RunError>,
    notes: &mut Vec<String>,
) -> Result<(JournalFile, Ledger), RunError> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(RunError::io("create", dir))?;
    }
    let mut journal = JournalFile::open(path)?;
    let mut ledger = new_ledger()?;
    match examine(&journal, header, shapes, &mut ledger, notes)? {
        Found::Empty => begin(&mut journal, header)?,
        Found::Prefix { keep, rest } => {
            journal.cut(keep)?;
            append(&mut journal, &rest)?;
        }
        Found::Source => {
            journal.rename(&free_name(path))?;
            journal = JournalFile::open(path)?;
            begin(&mut journal, header)?;
            ledger = new_ledger()?;
        }
    }
    Ok((journal, ledger))
}

fn begin(journal: &mut JournalFile, header: &Header) -> Result<(), RunError> {
    journal.cut(0)?;
    append(journal, &header.to_bytes())
}

fn append(journal: &mut JournalFile, bytes: &[u8]) -> Result<(), RunError> {
    use super::journal::writer::Medium as _;
    let path = journal.path().to_owned();
    journal.append(bytes).map_err(RunError::io("write", &path))
}

/// Reads an existing journal into `ledger`.
fn examine(
    journal: &JournalFile,
    header: &Header,
    shapes: &Arc<[Shape]>,
    ledger: &mut Ledger,
    notes: &mut Vec<String>,
) -> Result<Found, RunError> {
    let path = journal.path();
    let mut file = journal.file();
    let length = file.metadata().map_err(RunError::io("read", path))?.len();
    let mut start = 0;
    match Header::read(&mut file, length) {
        Ok((found, end)) => {
            check(path, &found, header)?;
            if found.games != header.games {
                return Ok(Found::Source);
            }
            start = end;
        }
        // Killed while the header was written: nothing was played yet. Anything else that ends
        // within its header is damaged, and may hold blocks.
        Err(HeaderError::Short) if begins(journal, length, header)? => return Ok(Found::Empty),
        Err(HeaderError::Other(found)) => {
            return Err(RunError::other_format(path, found, VERSION));
        }
        Err(HeaderError::Io(source)) => return Err(RunError::io("read", path)(source)),
        Err(HeaderError::Short | HeaderError::Damaged) => {}
    }
    let seed = header.identity.checksum_seed();
    let file = file.try_clone().map_err(RunError::io("read", path))?;
    let records = Records::new(file, start, length, seed, Arc::clone(shapes));
    let scan = scan(records, ledger).map_err(RunError::io("read", path))?;
    if start == 0 && scan.blocks == 0 {
        return Err(RunError::Damaged {
            path: path.into(),
            what: "it is no journal of this experiment; move it away, or use --fresh to move the whole run aside".into(),
        });
    }
    // Damage that is not the tail has valid records after it.
    let in_the_middle = scan.damage.is_some_and(|(_, to)| to < length);
    if scan.blocks > scan.prefix || in_the_middle || start == 0 {
        notes.push(format!(
            "the journal `{}` was damaged at byte {}; whatever block was there is played again, all others are kept",
            path.display(),
            scan.damage.map_or(0, |(from, _)| from),
        ));
        return Ok(Found::Source);
    }
    if let Some((from, to)) = scan.damage {
        notes.push(format!(
            "the last {} bytes of the journal `{}` were incomplete and were dropped; what they held is played again",
            to - from,
            path.display(),
        ));
    }
    Ok(Found::Prefix {
        keep: scan.keep,
        rest: scan.rest.map(ChunkBuilder::finish).unwrap_or_default(),
    })
}

/// Whether the file, of `length` bytes, is the beginning of this header.
fn begins(journal: &JournalFile, length: u64, header: &Header) -> Result<bool, RunError> {
    let expected = header.to_bytes();
    if length > expected.len() as u64 {
        return Ok(false);
    }
    // From the open file, not by its path: somebody may have removed it meanwhile, which is
    // noticed, and said as what it is, when the first blocks are written.
    let mut file = journal.file();
    let mut found = Vec::new();
    file.rewind()
        .and_then(|()| file.read_to_end(&mut found))
        .map_err(RunError::io("read", journal.path()))?;
    Ok(expected.starts_with(&found))
}

/// Whether a journal with header `found` may be gone on with under `header`.
fn check(path: &Path, found: &Header, header: &Header) -> Result<(), RunError> {
    let dir = path.parent().unwrap_or(path);
    let old = (&found.identity, found.resolved.as_str());
    check_experiment(dir, old, (&header.identity, &header.resolved))?;
    if found.shard != header.shard {
        let text = |shard: Option<Shard>| shard.map_or("none".into(), |shard| shard.to_string());
        return Err(RunError::OtherExperiment {
            dir: dir.into(),
            changes: vec![format!(
                "shard: {} -> {}",
                text(found.shard),
                text(header.shard)
            )],
        });
    }
    check_games(dir, found.games, header.games)
}

/// Whether the identities, with the resolved configs that they come from, are the same.
///
/// # Errors
/// With the config's keys that differ or, where a config says nothing (a newer program, say), with
/// what of the identity differs.
pub(crate) fn check_experiment(
    dir: &Path,
    (old, old_config): (&Identity, &str),
    (new, new_config): (&Identity, &str),
) -> Result<(), RunError> {
    if old == new {
        return Ok(());
    }
    let mut changes = crate::config::changes(old_config, new_config).played;
    if changes.is_empty() {
        changes = new.changes_from(old);
    }
    Err(RunError::OtherExperiment {
        dir: dir.into(),
        changes,
    })
}

/// Whether a run of `before` games per cell may become one of `now`.
pub(crate) fn check_games(dir: &Path, before: u64, now: u64) -> Result<(), RunError> {
    if before > now {
        return Err(RunError::FewerGames {
            dir: dir.into(),
            before,
            now,
        });
    }
    Ok(())
}

pub(crate) struct Scanned {
    /// Valid blocks, and how many of them are the prefix.
    blocks: u64,
    pub prefix: u64,
    /// Bytes up to which everything is whole chunks of the prefix.
    keep: u64,
    /// The valid front of the chunk after them.
    rest: Option<ChunkBuilder>,
    /// The first damage.
    damage: Option<(u64, u64)>,
}

pub(crate) fn scan<R: Read + Seek>(
    mut records: Records<R>,
    ledger: &mut Ledger,
) -> std::io::Result<Scanned> {
    let mut scanned = Scanned {
        blocks: 0,
        prefix: 0,
        keep: records.position(),
        rest: None,
        damage: None,
    };
    let seed = records.seed();
    while let Some(item) = records.next_item()? {
        match item {
            Item::Block { cell, block } => {
                scanned.blocks += 1;
                // After a gap nothing is the prefix any more.
                let in_order = scanned.prefix + 1 == scanned.blocks;
                if in_order && ledger.due() == Some(Position { cell, block }) {
                    ledger.record(cell, block, records.games());
                    scanned.prefix += 1;
                    scanned
                        .rest
                        .get_or_insert_with(|| ChunkBuilder::new(seed, cell, block, 0))
                        .push(records.record());
                    if records.at_chunk_end() && scanned.damage.is_none() {
                        scanned.keep = records.position();
                        scanned.rest = None;
                    }
                }
            }
            Item::Times(cell, times) => {
                if let Some(sum) = ledger.times_mut(cell) {
                    sum.add(&times);
                }
                if scanned.damage.is_none() {
                    scanned.keep = records.position();
                }
            }
            Item::Notice(cell, text) => {
                ledger.add_notice(cell, &text);
                if scanned.damage.is_none() {
                    scanned.keep = records.position();
                }
            }
            Item::Footer(_) => {}
            Item::Damage { from, to } => {
                scanned.damage = Some(scanned.damage.map_or((from, to), |(first, _)| (first, to)));
            }
        }
    }
    Ok(scanned)
}

/// Older journals beside the one at `path`, in the order in which they were put aside.
pub(crate) fn old_journals(path: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut found = Vec::new();
    let mut number = 1;
    loop {
        let old = old_name(path, number);
        match old.try_exists() {
            Ok(true) => found.push(old),
            Ok(false) => return Ok(found),
            Err(source) => return Err(RunError::io("read", &old)(source)),
        }
        number += 1;
    }
}

fn old_name(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".old-{number}"));
    PathBuf::from(name)
}

/// The first `path.old-N` that does not exist.
pub(crate) fn free_name(path: &Path) -> PathBuf {
    let mut number = 1;
    while old_name(path, number).exists() {
        number += 1;
    }
    old_name(path, number)
}

/// Moves the folder of an old run to the first `dir.old-N` that does not exist.
pub(crate) fn move_aside(dir: &Path, journal: &str) -> Result<Option<PathBuf>, RunError> {
    let empty = match std::fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(RunError::io("read", dir)(error)),
    };
    if empty {
        return Ok(None);
    }
    let path = dir.join(journal);
    let exists = path.try_exists().map_err(RunError::io("read", &path))?;
    // Locked until the folder has moved, so that no other process is at work in it.
    let lock = exists.then(|| JournalFile::open(&path)).transpose()?;
    let to = free_name(dir);
    std::fs::rename(dir, &to).map_err(RunError::io("rename", dir))?;
    drop(lock);
    Ok(Some(to))
}

/// Moves the files of one shard to names that end in `.aside-N`; the last of them.
pub(crate) fn move_shard_aside(dir: &Path, shard: Shard) -> Result<Option<PathBuf>, RunError> {
    let journal = dir.join(super::shard::journal_name(Some(shard)));
    let exists = |path: &Path| path.try_exists().map_err(RunError::io("read", path));
    let lock = if exists(&journal)? {
        Some(JournalFile::open(&journal)?)
    } else {
        None
    };
    let mut moved = None;
    let old = old_journals(&journal)?;
    for path in [dir.join(shard.file_name()), journal].iter().chain(&old) {
        if !exists(path)? {
            continue;
        }
        let mut number = 1;
        let to = loop {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".aside-{number}"));
            let to = PathBuf::from(name);
            if !exists(&to)? {
                break to;
            }
            number += 1;
        };
        std::fs::rename(path, &to).map_err(RunError::io("rename", path))?;
        moved = Some(to);
    }
    drop(lock);
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Share;
    use super::super::{ledger, testing};
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_journal_that_was_removed_is_still_examined_where_it_is_open() {
        let plan = Arc::new(testing::plan(&[("random", 2)]));
        let header = Header::new(&plan, Identity::of(&plan), None);
        let shapes: Arc<[Shape]> = ledger::shapes(&plan).into();
        let bytes = header.to_bytes();
        for kept in [0, 1, bytes.len() - 1] {
            let dir = tempfile::tempdir().unwrap();
            let mut journal = JournalFile::open(&dir.path().join(JOURNAL)).unwrap();
            journal.cut(0).unwrap();
            append(&mut journal, &bytes[..kept]).unwrap();
            let mut reopened = journal.file();
            reopened.rewind().unwrap();
            std::fs::remove_dir_all(dir.path()).unwrap();
            let mut ledger = Ledger::new(&plan, Share::Whole).unwrap();
            let found = examine(&journal, &header, &shapes, &mut ledger, &mut Vec::new());
            assert!(matches!(found.unwrap(), Found::Empty), "{kept} bytes");
        }
    }
}
