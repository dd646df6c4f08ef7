//! Readers of a run's files, given any bytes at all.
//!
//! Each function reads `bytes` as one kind of file and must come back without a panic and without
//! taking more memory than the bytes themselves suggest. They are driven by coverage-guided
//! fuzzing (`fuzz/`) and by the seeded [`mutate`] of the tests.

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::block::PlayedBlock;
use crate::config::{self, Overrides};
use crate::games_csv::{Reader, Writer};
use crate::plan::Plan;
use crate::rng::Rng;

use super::journal::codec::Shape;
use super::journal::records::Records;
use super::journal::{ChunkHeader, Header, Kind, push_record, record_seed};
use super::ledger::{self, Ledger};
use super::manifest::Manifest;
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

/// A valid journal, shard file and `games.csv` of the experiment that the readers expect: where
/// mutation starts from.
///
/// # Errors
/// If a game of it cannot be played.
pub fn samples() -> Result<[Vec<u8>; 3], super::RunError> {
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
            let mut body = Vec::new();
            let mut blocks = 0;
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
                let number = u32::try_from(cell.index).unwrap_or(u32::MAX);
                push_record(&mut body, record_seed(seed, number, block), |out| {
                    for game in &played.games {
                        shape.write_game(game, out);
                    }
                });
                blocks += 1;
                let unwritable = super::RunError::io("write", Path::new("fuzz.csv"));
                games.write(&played).map_err(unwritable)?;
            }
            let chunk = ChunkHeader {
                kind: Kind::Blocks,
                cell: u32::try_from(cell.index).unwrap_or(u32::MAX),
                first,
                blocks,
                bytes: u32::try_from(body.len()).unwrap_or(u32::MAX),
            };
            for file in [&mut journal, &mut shard_file] {
                file.extend_from_slice(&chunk.to_bytes(seed));
                file.extend_from_slice(&body);
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
    Ok([journal, shard_file, games])
}

/// Changes `bytes` in a few random ways: bits flipped, bytes set, parts removed, doubled or moved,
/// numbers made extreme, the end cut off.
pub fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const EXTREME: [&[u8]; 9] = [
        &[0xff; 8],
        &[0; 8],
        &[0xff, 0xff, 0xff, 0x7f],
        b"-1",
        b"18446744073709551616",
        b"1e999",
        b"NaN",
        b"\"",
        b"\n,\n",
    ];
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            bytes.push(0);
        }
        let at = rng.index(bytes.len());
        let length = (1 + rng.index(40)).min(bytes.len() - at);
        match rng.below(8) {
            0 | 1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes[at] = u8::try_from(rng.below(256)).unwrap_or(0),
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..at + length)),
            5 => {
                let part = bytes[at..at + length].to_vec();
                let to = rng.index(bytes.len());
                bytes.splice(to..to, part);
            }
            6 => {
                let extreme = EXTREME[rng.index(EXTREME.len())];
                bytes.splice(at..at + length, extreme.iter().copied());
            }
            _ => {
                let to = rng.index(bytes.len());
                bytes.swap(at, to);
            }
        }
    }
}
