//! The journal: every finished block, appended in schedule order, so that it is at any moment an
//! exact prefix of the schedule.
//!
//! # Format, version 1
//!
//! A header (magic, version, length, JSON, CRC-32), then chunks. A chunk is what one worker played
//! in one go: a header of 28 bytes that says which blocks of which cell follow, with a checksum of
//! its own, then one record per block: length, bytes ([`codec`]), CRC-32. Checksums are started
//! from the experiment's identity, the cell and the block, so that a record that belongs to
//! another experiment or another place is as invalid as a damaged one. All numbers are
//! little-endian.
//!
//! # What survives what
//!
//! * SIGKILL, panic, power that stays on: everything handed to the operating system, which is
//!   done at least four times a second and whenever a cell ends.
//! * Loss of power: everything up to the last `fdatasync`, done every ten seconds and at the end.
//! * A clock that is set: all of this goes by the monotonic clock.
//! * A torn tail: whole blocks before the tear are kept, the rest is played again.
//! * A flipped bit: the block that it hit is played again. Chunk headers are points to go on from.
//! * A damaged header: the blocks are still told from another experiment's by their checksums.
//!
//! One process at a time writes: the file is locked (`File::lock`), and the lock ends with the
//! process, however it ends.

pub(crate) mod codec;
pub(crate) mod crc;
pub(crate) mod records;
pub(crate) mod writer;

use std::collections::BTreeMap;
use std::io::{self, Read};

use crate::plan::Plan;

use super::{Identity, Shard};
use crc::crc32;

/// The newest format that is understood, and the one that is written.
pub(crate) const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"evaljrnl";
/// Magic, version, length of the JSON.
const HEADER_FRONT: usize = 16;
/// A resolved config is some kilobytes; a length beyond this is damage.
const HEADER_LIMIT: u32 = 64 << 20;

/// First three bytes of a chunk; the fourth is its kind. The first is no ASCII and no UTF-8 start.
const CHUNK_MAGIC: [u8; 3] = [0xfb, b'c', b'k'];
pub(crate) const CHUNK_HEADER: usize = 28;
/// Length and checksum around a block's bytes.
pub(crate) const FRAME: usize = 6;
/// Workers end a chunk long before this; a longer one is damage.
pub(crate) const CHUNK_LIMIT: u32 = 64 << 20;

/// What a chunk holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Blocks.
    Blocks,
    /// Time that players of a cell took; four numbers.
    Times,
    /// The end of a finished shard; JSON.
    Footer,
    /// What a player of a cell must have said about it; text.
    Notice,
}

impl Kind {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Blocks => 1,
            Self::Times => 2,
            Self::Footer => 3,
            Self::Notice => 4,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        [Self::Blocks, Self::Times, Self::Footer, Self::Notice]
            .into_iter()
            .find(|kind| kind.code() == code)
    }
}

/// The front of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChunkHeader {
    pub kind: Kind,
    pub cell: u32,
    pub first: u64,
    pub blocks: u32,
    /// Bytes that follow.
    pub bytes: u32,
}

impl ChunkHeader {
    pub(crate) fn to_bytes(self, seed: u32) -> [u8; CHUNK_HEADER] {
        let mut bytes = [0; CHUNK_HEADER];
        bytes[..3].copy_from_slice(&CHUNK_MAGIC);
        bytes[3] = self.kind.code();
        bytes[4..8].copy_from_slice(&self.cell.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.first.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.blocks.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.bytes.to_le_bytes());
        let crc = crc32(seed, &bytes[..24]);
        bytes[24..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; CHUNK_HEADER], seed: u32) -> Option<Self> {
        let word = |at: usize| -> Option<u32> {
            Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
        };
        if bytes[..3] != CHUNK_MAGIC || word(24)? != crc32(seed, &bytes[..24]) {
            return None;
        }
        let header = Self {
            kind: Kind::from_code(bytes[3])?,
            cell: word(4)?,
            first: u64::from_le_bytes(bytes[8..16].try_into().ok()?),
            blocks: word(16)?,
            bytes: word(20)?,
        };
        (header.bytes <= CHUNK_LIMIT && header.first.checked_add(header.blocks.into()).is_some())
            .then_some(header)
    }
}

/// The seed of a record's checksum.
#[inline]
pub(crate) fn record_seed(seed: u32, cell: u32, block: u64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    let block = (block as u32) ^ ((block >> 32) as u32).rotate_left(16);
    seed ^ cell.wrapping_mul(0x9e37_79b1) ^ block.wrapping_mul(0x85eb_ca77)
}

/// Frames the bytes that `write` appends as one record.
#[inline]
pub(crate) fn push_record(out: &mut Vec<u8>, seed: u32, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; 2]);
    write(out);
    let body = start + 2;
    // A block of six games of six seats takes some hundred bytes.
    let length = u16::try_from(out.len() - body).unwrap_or(u16::MAX);
    out[start..body].copy_from_slice(&length.to_le_bytes());
    let crc = crc32(seed, &out[body..]);
    out.extend_from_slice(&crc.to_le_bytes());
}

/// The journal's header: whose journal it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub identity: Identity,
    /// Games per cell that were asked for.
    pub games: u64,
    /// Which blocks are recorded.
    pub shard: Option<Shard>,
    /// The resolved config.
    pub resolved: String,
}

/// Why a header could not be read.
#[derive(Debug)]
pub(crate) enum HeaderError {
    /// The file ends within the header: nothing was recorded yet.
    Short,
    /// It is not a journal, or its header is damaged.
    Damaged,
    /// It was written by a newer version.
    Newer(u32),
    /// It could not be read.
    Io(io::Error),
}

#[derive(serde::Serialize, serde::Deserialize)]
struct HeaderJson {
    identity: BTreeMap<String, String>,
    games: u64,
    shard: Option<[u64; 2]>,
    resolved: String,
}

impl Header {
    pub(crate) fn new(plan: &Plan, identity: Identity, shard: Option<Shard>) -> Self {
        Self {
            identity,
            games: plan.games_asked,
            shard,
            resolved: plan.resolved.clone(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let json = HeaderJson {
            identity: self.identity.keys().clone(),
            games: self.games,
            shard: self.shard.map(|shard| [shard.index, shard.count]),
            resolved: self.resolved.clone(),
        };
        let json = serde_json::to_vec(&json).unwrap_or_default();
        let length = u32::try_from(json.len()).unwrap_or(u32::MAX);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&json);
        let crc = crc32(0, &bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Reads a header from the front of `input` (which has `available` bytes) and says how long
    /// it was.
    pub(crate) fn read(input: &mut impl Read, available: u64) -> Result<(Self, u64), HeaderError> {
        let fill = |input: &mut dyn Read, bytes: &mut [u8]| match input.read_exact(bytes) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(HeaderError::Short),
            Err(error) => Err(HeaderError::Io(error)),
        };
        let mut bytes = vec![0; HEADER_FRONT];
        fill(input, &mut bytes)?;
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
            u32::from_le_bytes(word.unwrap_or_default())
        };
        let (version, length) = (word(8), word(12));
        if bytes[..8] != MAGIC || length > HEADER_LIMIT {
            return Err(HeaderError::Damaged);
        }
        // A newer format may change all the rest, so it is told apart before that is believed.
        let rest = length as usize + 4;
        let fits = (HEADER_FRONT + rest) as u64 <= available;
        if version > VERSION && !fits {
            return Err(HeaderError::Newer(version));
        }
        if !fits {
            return Err(HeaderError::Short);
        }
        bytes.resize(HEADER_FRONT + rest, 0);
        fill(input, &mut bytes[HEADER_FRONT..])?;
        if version > VERSION {
            // If all else is right as this version writes it, the version itself is damaged.
            bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
            let (body, crc) = bytes.split_at(HEADER_FRONT + length as usize);
            let ours = crc == crc32(0, body).to_le_bytes();
            return Err(if ours {
                HeaderError::Damaged
            } else {
                HeaderError::Newer(version)
            });
        }
        let (body, crc) = bytes.split_at(HEADER_FRONT + length as usize);
        if crc != crc32(0, body).to_le_bytes() {
            return Err(HeaderError::Damaged);
        }
        let json: HeaderJson =
            serde_json::from_slice(&body[HEADER_FRONT..]).map_err(|_| HeaderError::Damaged)?;
        let shard = match json.shard {
            None => None,
            Some([index, count]) => Some(Shard::new(index, count).ok_or(HeaderError::Damaged)?),
        };
        let header = Self {
            identity: Identity::from_keys(json.identity),
            games: json.games,
            shard,
            resolved: json.resolved,
        };
        Ok((header, bytes.len() as u64))
    }
}
