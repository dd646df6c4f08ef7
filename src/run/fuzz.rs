//! Readers of a run's files, given any bytes at all.
//!
//! Each function reads `bytes` as one kind of file and says what it took for valid. They are
//! targets of [`crate::fuzz`].

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::block::PlayedBlock;
use crate::config::{self, Overrides};
use crate::games_csv::{Reader, Writer};
use crate::plan::Plan;

use super::journal::chunk::ChunkBuilder;
use super::journal::codec::Shape;
use super::journal::records::Records;
use super::journal::{CHUNK_HEADER, GROUP, Header, Kind, crc32, group_seed};
use super::ledger::{self, Ledger};
use super::manifest::{CellCounts, Facts, Manifest};
use super::replay::Replayer;
use super::schedule::Share;
use super::shard_file;
use super::store;
use super::{Identity, Shard};

/// The experiment whose files the readers expect.
struct Known {
    plan: Arc<Plan>,
    identity: Identity,
    shapes: Arc<[Shape]>,
}

fn known() -> Option<&'static Known> {
    static KNOWN: OnceLock<Option<Known>> = OnceLock::new();
    KNOWN
        .get_or_init(|| {
            let text = "name = \"fuzz\"\nseed = 1\ngames = 12\n[game]\nname = \"tictactoe\"\n\
                [[challengers]]\nagent = \"random\"\n[[challengers]]\nagent = \"first\"\n\
                [[opponents]]\nagent = \"random\"\n";
            let plan = config::plan(text, "fuzz.toml", &Overrides::default()).ok()?;
            Some(Known {
                identity: Identity::of(&plan),
                shapes: ledger::shapes(&plan).into(),
                plan: Arc::new(plan),
            })
        })
        .as_ref()
}

/// Reads a journal as a run that is resumed does; how many blocks of it are kept.
pub fn journal(bytes: &[u8]) -> u64 {
    let Some(known) = known() else {
        return 0;
    };
    let length = bytes.len() as u64;
    let start = match Header::read(&mut Cursor::new(bytes), length) {
        Ok((_, start)) => start,
        Err(_) => 0,
    };
    let Ok(mut ledger) = Ledger::new(&known.plan, Share::Whole) else {
        return 0;
    };
    let seed = known.identity.checksum_seed();
    let records = Records::new(
        Cursor::new(bytes),
        start,
        length,
        seed,
        Arc::clone(&known.shapes),
    );
    match store::scan(records, &mut ledger) {
        Ok(scanned) => scanned.prefix,
        Err(_) => 0,
    }
}

/// Reads the file of a finished shard as a merge does; whether it is whole.
pub fn shard(bytes: &[u8]) -> bool {
    let Some(known) = known() else {
        return false;
    };
    shard_file::inspect_bytes(
        Cursor::new(bytes),
        bytes.len() as u64,
        Path::new("fuzz.blocks"),
        &known.plan,
        &known.identity,
        &known.shapes,
    )
    .is_ok()
}

/// Reads a `games.csv`; how many blocks there are before the first that is none.
pub fn games_csv(bytes: &[u8]) -> u64 {
    let Some(known) = known() else {
        return 0;
    };
    let Ok(reader) = Reader::new(&known.plan, bytes, "fuzz.csv") else {
        return 0;
    };
    let mut reader = reader.checking_seeds();
    let mut block = PlayedBlock::default();
    let mut blocks = 0;
    while matches!(reader.read(&mut block), Ok(true)) {
        blocks += 1;
    }
    blocks
}

/// Reads a manifest; whether it is one.
pub fn manifest(bytes: &[u8]) -> bool {
    Manifest::parse(bytes, Path::new("manifest.json")).is_ok()
}

/// A valid journal, shard file, `games.csv` and manifest of the experiment that the readers expect:
/// where mutation starts from.
///
/// # Errors
/// If a game of it cannot be played.
pub fn samples() -> Result<[Vec<u8>; 4], super::RunError> {
    let Some(known) = known() else {
        return Ok(Default::default());
    };
    let host = crate::external::Host::default();
    let mut replayer = Replayer::new(&known.plan, &host, Arc::default());
    let shard = Shard { index: 0, count: 1 };
    let header = |shard| Header::new(&known.plan, known.identity.clone(), shard).to_bytes();
    let (mut journal, mut shard_file) = (header(None), header(Some(shard)));
    let unwritable = super::RunError::io("write", Path::new("fuzz.csv"));
    let mut games = Writer::new(&known.plan, Vec::new()).map_err(unwritable)?;
    let seed = known.identity.checksum_seed();
    for (cell, shape) in known.plan.cells.iter().zip(known.shapes.iter()) {
        // Two chunks a cell.
        for first in (0..cell.blocks).step_by(3) {
            let mut chunk = ChunkBuilder::new(seed, cell.index, first, 0);
            for block in first..(first + 3).min(cell.blocks) {
                let mut played = PlayedBlock {
                    cell: cell.index,
                    block,
                    games: Vec::new(),
                };
                for rotation in 0..cell.rotations {
                    let game = replayer.play(cell.index, block, rotation, None)?;
                    played.games.push(game);
                }
                chunk.push_with(|out| {
                    for game in &played.games {
                        shape.write_game(game, out);
                    }
                });
                let unwritable = super::RunError::io("write", Path::new("fuzz.csv"));
                games.write(&played).map_err(unwritable)?;
            }
            let chunk = chunk.finish();
            for file in [&mut journal, &mut shard_file] {
                file.extend_from_slice(&chunk);
            }
        }
    }
    let footer = shard_file::footer_of(
        Cursor::new(&shard_file[..]),
        &known.plan,
        &known.identity,
        &known.shapes,
        shard,
    )?;
    shard_file.extend_from_slice(&footer);
    let unwritable = super::RunError::io("write", Path::new("fuzz.csv"));
    let games = games.finish().map_err(unwritable)?;
    let cells = known.plan.cells.iter().map(|cell| CellCounts {
        first_block: cell.first_block,
        blocks: cell.blocks,
        stopped: false,
        notices: vec!["a player: a notice".into()],
    });
    let facts = Facts {
        plan: &known.plan,
        identity: &known.identity,
        cells: cells.collect(),
        games: known.plan.games(),
        extended_from: vec![4],
        selected: Vec::new(),
        missing_shards: vec![1],
        bots: Vec::new(),
        containment: String::new(),
    };
    let unwritable = super::RunError::io("write", Path::new("fuzz"));
    let dir = tempfile::tempdir().map_err(unwritable)?;
    let path = dir.path().join(super::finish::GAMES);
    std::fs::write(&path, &games).map_err(super::RunError::io("write", &path))?;
    let manifest = Manifest::new(dir.path(), facts, &[])?;
    let manifest = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
    Ok([journal, shard_file, games, manifest])
}

/// `bytes`, a journal or shard file, with every checksum made right that can be found by reading
/// on: of the header, of chunks and of groups. What is wrong is then what the checksums guard.
pub fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let Some(known) = known() else {
        return bytes;
    };
    let seed = known.identity.checksum_seed();
    let mut at = seal_header(&mut bytes).unwrap_or(0);
    while let Some(next) = seal_chunk(&mut bytes, at, seed) {
        at = next;
    }
    bytes
}

/// The four bytes at `at`, as a number.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Puts the checksum of `bytes[from..to]` behind it; where that ends.
fn seal(bytes: &mut [u8], from: usize, to: usize, seed: u32) -> Option<usize> {
    let crc = crc32(seed, bytes.get(from..to)?);
    let end = to.checked_add(4)?;
    bytes.get_mut(to..end)?.copy_from_slice(&crc.to_le_bytes());
    Some(end)
}

fn seal_header(bytes: &mut [u8]) -> Option<usize> {
    let length = word(bytes, 12)? as usize;
    seal(bytes, 0, length.checked_add(16)?, 0)
}

fn seal_chunk(bytes: &mut [u8], at: usize, seed: u32) -> Option<usize> {
    let body = seal(bytes, at, at.checked_add(CHUNK_HEADER - 4)?, seed)?;
    let cell = word(bytes, at + 4)?;
    let first = u64::from_le_bytes(*bytes.get(at + 8..)?.first_chunk()?);
    let end = body.checked_add(word(bytes, at + 20)? as usize)?;
    if *bytes.get(at + 3)? != Kind::Blocks.code() {
        return seal(bytes, body, end.checked_sub(4)?, seed);
    }
    let (mut group, mut block) = (body, first);
    while group < end {
        let length = u16::from_le_bytes(*bytes.get(group..)?.first_chunk()?);
        let start = group + 2;
        let stop = start + usize::from(length);
        group = seal(bytes, start, stop, group_seed(seed, cell, block))?;
        block = block.wrapping_add(GROUP.into());
    }
    Some(end)
}
