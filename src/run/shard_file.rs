//! The file of a finished shard: its journal with a footer, under its final name.

use std::fs::File;
use std::io::{self, Read, Seek, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;

use super::bots::Bot;
use super::journal::codec::Shape;
use super::journal::records::{Item, Records};
use super::journal::writer::{Medium as _, control_chunk};
use super::journal::{Header, HeaderError, Kind, VERSION};
use super::schedule::{Position, Schedule, Share};
use super::sources::{Extras, Span};
use super::{Identity, Run, RunError, Shard};

/// The end of a finished shard: what must be in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Footer {
    /// The experiment.
    pub identity: String,
    /// Which part of how many.
    pub shard: [u64; 2],
    /// First and last block, as cell and number; nothing in a shard without work.
    pub first: Option<[u64; 2]>,
    pub last: Option<[u64; 2]>,
    /// Number of blocks.
    pub blocks: u64,
    /// BLAKE3 over the blocks and their places, in order: the same however they were batched.
    pub digest: String,
    /// Programs that played.
    pub bots: Vec<Bot>,
    /// How they were contained.
    pub containment: String,
}

impl Footer {
    /// Whether both are about the same blocks.
    pub(crate) fn has_blocks_of(&self, other: &Self) -> bool {
        (&self.identity, self.shard, self.blocks, &self.digest)
            == (&other.identity, other.shard, other.blocks, &other.digest)
    }
}

/// What a pass over a shard file finds.
struct Pass {
    first: Option<[u64; 2]>,
    last: Option<[u64; 2]>,
    blocks: u64,
    hasher: blake3::Hasher,
    footer: Option<Vec<u8>>,
    extras: Extras,
    problem: Option<String>,
}

/// Reads all of a shard file and compares it with the schedule.
fn pass<R: Read + Seek>(mut records: Records<R>, schedule: &Schedule) -> io::Result<Pass> {
    let mut pass = Pass {
        first: None,
        last: None,
        blocks: 0,
        hasher: blake3::Hasher::new(),
        footer: None,
        extras: Extras::new(schedule.cells()),
        problem: None,
    };
    let mut position = Schedule::start();
    while let Some(item) = records.next_item()? {
        match item {
            Item::Block { cell, block } => {
                if schedule.due(position) != Some(Position { cell, block }) {
                    pass.problem =
                        Some(format!("block {block} of cell {cell} is there out of turn"));
                    break;
                }
                position = Position {
                    cell,
                    block: block + 1,
                };
                let place = [cell as u64, block];
                pass.first.get_or_insert(place);
                pass.last = Some(place);
                pass.blocks += 1;
                for number in place {
                    pass.hasher.update(&number.to_le_bytes());
                }
                pass.hasher.update(records.record());
            }
            Item::Times(cell, took) => pass.extras.add_times(cell, &took),
            Item::Notice(cell, text) => pass.extras.notices.push((cell, text)),
            Item::Footer(bytes) => pass.footer = Some(bytes),
            Item::Damage { from, .. } => {
                pass.problem = Some(format!("it is damaged at byte {from}"));
                break;
            }
        }
    }
    if pass.problem.is_none()
        && let Some(due) = schedule.due(position)
    {
        pass.problem = Some(format!(
            "block {} of cell {} is missing",
            due.block, due.cell
        ));
    }
    Ok(pass)
}

impl Pass {
    fn footer(&self, identity: &Identity, shard: Shard) -> Footer {
        Footer {
            identity: identity.hex(),
            shard: [shard.index, shard.count],
            first: self.first,
            last: self.last,
            blocks: self.blocks,
            digest: self.hasher.finalize().to_hex().to_string(),
            bots: Vec::new(),
            containment: String::new(),
        }
    }
}

/// Closes the journal of a complete shard with a footer and publishes it as
/// [`Shard::file_name`] in the run's folder; its path.
///
/// A file of that name is never replaced: if it holds the same blocks the shard is done, else it is
/// an error.
///
/// # Errors
/// If `run` is no shard, the file system refuses, or another file is there already.
pub fn publish(run: Run) -> Result<PathBuf, RunError> {
    let path = run.journal.path().to_owned();
    let Some(shard) = run.shard else {
        return Err(RunError::NoShard);
    };
    let file = File::open(&path).map_err(RunError::io("open", &path))?;
    let length = file.metadata().map_err(RunError::io("read", &path))?.len();
    let mut input = &file;
    let Ok((_, start)) = Header::read(&mut input, length) else {
        return Err(RunError::Damaged {
            path,
            what: "its header changed while it was in use; run again to repair it".into(),
        });
    };
    let seed = run.identity.checksum_seed();
    let records = Records::new(file, start, length, seed, Arc::clone(&run.shapes));
    let pass = pass(records, &Schedule::new(&run.plan, Share::Shard(shard)));
    let pass = pass.map_err(RunError::io("read", &path))?;
    if let Some(problem) = pass.problem {
        return Err(RunError::Damaged {
            path,
            what: format!("{problem}; run again to repair it"),
        });
    }
    let footer = Footer {
        bots: run.bots.bots.clone(),
        containment: run.bots.containment.clone(),
        ..pass.footer(&run.identity, shard)
    };
    let body = serde_json::to_vec(&footer).unwrap_or_default();
    let mut journal = run.journal.try_clone()?;
    journal
        .append(&control_chunk(Kind::Footer, seed, 0, &body))
        .and_then(|()| journal.sync())
        .map_err(RunError::io("write", &path))?;
    let published = run.dir.join(shard.file_name());
    if !link_new(&path, &published).map_err(RunError::io("write", &published))? {
        let found = inspect(&published, &run.plan, &run.identity, &run.shapes)?;
        if !found.footer.has_blocks_of(&footer) {
            return Err(RunError::Damaged {
                path: published,
                what: format!(
                    "it holds other blocks than `{}`, which is kept; move one of them away",
                    path.display()
                ),
            });
        }
    }
    std::fs::remove_file(&path).map_err(RunError::io("remove", &path))?;
    for old in super::store::old_journals(&path)? {
        std::fs::remove_file(&old).map_err(RunError::io("remove", &old))?;
    }
    // The lock ends here.
    drop(run);
    Ok(published)
}

/// Gives the file at `from` the name `to` as well, unless that exists; whether it did.
fn link_new(from: &Path, to: &Path) -> io::Result<bool> {
    match std::fs::hard_link(from, to) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        // Some file systems know no links: a copy is made under a temporary name, and given its
        // name in a way that replaces nothing.
        Err(_) => {}
    }
    let dir = to.parent().unwrap_or_else(|| Path::new("."));
    let mut copy = tempfile::Builder::new()
        .prefix(".evalctl-")
        .tempfile_in(dir)?;
    io::copy(&mut File::open(from)?, &mut copy)?;
    copy.flush()?;
    copy.as_file().sync_all()?;
    super::finish::set_usual_permissions(copy.as_file())?;
    match copy.persist_noclobber(to) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// A finished shard that was read and found whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShardFile {
    pub path: PathBuf,
    pub shard: Shard,
    pub footer: Footer,
    pub span: Span,
    pub extras: Extras,
}

/// Reads the header of the shard file at `path`.
pub(crate) fn header(path: &Path) -> Result<Header, RunError> {
    let mut file = File::open(path).map_err(RunError::io("open", path))?;
    let length = file.metadata().map_err(RunError::io("read", path))?.len();
    read_header(&mut file, length, path).map(|(header, _)| header)
}

fn read_header(input: &mut impl Read, length: u64, path: &Path) -> Result<(Header, u64), RunError> {
    match Header::read(input, length) {
        Ok(found) => Ok(found),
        Err(HeaderError::Other(found)) => Err(RunError::other_format(path, found, VERSION)),
        Err(HeaderError::Io(error)) => Err(RunError::io("read", path)(error)),
        Err(HeaderError::Short | HeaderError::Damaged) => Err(RunError::Damaged {
            path: path.into(),
            what: "it has no valid header; play that shard again".into(),
        }),
    }
}

/// Reads all of the shard file at `path`, which must be of the experiment `identity` of `plan`.
///
/// # Errors
/// If it is of another experiment, damaged, or not what its footer says.
pub(crate) fn inspect(
    path: &Path,
    plan: &Plan,
    identity: &Identity,
    shapes: &Arc<[Shape]>,
) -> Result<ShardFile, RunError> {
    let file = File::open(path).map_err(RunError::io("open", path))?;
    let length = file.metadata().map_err(RunError::io("read", path))?.len();
    inspect_bytes(file, length, path, plan, identity, shapes)
}

/// As [`inspect`], of the `length` bytes of `input`.
pub(crate) fn inspect_bytes<R: Read + Seek>(
    mut input: R,
    length: u64,
    path: &Path,
    plan: &Plan,
    identity: &Identity,
    shapes: &Arc<[Shape]>,
) -> Result<ShardFile, RunError> {
    let damaged = |what: String| RunError::Damaged {
        path: path.into(),
        what: format!("{what}; remove it and play that shard again"),
    };
    let (header, start) = read_header(&mut input, length, path)?;
    let old = (&header.identity, header.resolved.as_str());
    super::store::check_experiment(path, old, (identity, &plan.resolved))?;
    let Some(shard) = header.shard else {
        return Err(damaged("it is the journal of a whole run, no shard".into()));
    };
    let seed = identity.checksum_seed();
    let records = Records::new(input, start, length, seed, Arc::clone(shapes));
    let schedule = Schedule::new(plan, Share::Shard(shard));
    let pass = pass(records, &schedule).map_err(RunError::io("read", path))?;
    if let Some(problem) = pass.problem {
        return Err(damaged(problem));
    }
    let expected = pass.footer(identity, shard);
    let found = pass.footer.as_deref().map(serde_json::from_slice::<Footer>);
    match found {
        Some(Ok(found)) if found.has_blocks_of(&expected) => Ok(ShardFile {
            path: path.into(),
            shard,
            footer: found,
            span: Span { start, length },
            extras: pass.extras,
        }),
        Some(_) => Err(damaged(
            "its blocks are not those that its footer says".into(),
        )),
        None => Err(damaged("it has no footer".into())),
    }
}

/// The footer, as a chunk, of the shard whose header and blocks are `input`.
pub(crate) fn footer_of<R: Read + Seek>(
    mut input: R,
    plan: &Plan,
    identity: &Identity,
    shapes: &Arc<[Shape]>,
    shard: Shard,
) -> Result<Vec<u8>, RunError> {
    let path = Path::new("shard");
    let length = input
        .seek(io::SeekFrom::End(0))
        .and_then(|length| input.rewind().map(|()| length))
        .map_err(RunError::io("read", path))?;
    let (_, start) = read_header(&mut input, length, path)?;
    let seed = identity.checksum_seed();
    let records = Records::new(input, start, length, seed, Arc::clone(shapes));
    let schedule = Schedule::new(plan, Share::Shard(shard));
    let pass = pass(records, &schedule).map_err(RunError::io("read", path))?;
    let body = serde_json::to_vec(&pass.footer(identity, shard)).unwrap_or_default();
    Ok(control_chunk(Kind::Footer, seed, 0, &body))
}
