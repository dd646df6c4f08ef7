//! The journal: every finished block, appended in schedule order, so that it is at any moment an
//! exact prefix of the schedule.
//!
//! # Format, version 2
//!
//! A header (magic, version, length, JSON, CRC-32), then chunks. A chunk is what one worker played
//! in one go: a header of 28 bytes that says which blocks of which cell follow, with a checksum of
//! its own, then the records of the blocks ([`codec`]) in groups of [`GROUP`], the last as long as
//! blocks are left ([`chunk`]): length, records, CRC-32. Checksums are started from the
//! experiment's identity, the cell and the group's first block, so that a record that belongs to
//! another experiment or another place is as invalid as a damaged one. All numbers are
//! little-endian.
//!
//! Version 1 had a checksum for every block and longer games; its journals are refused.
//!
//! # What survives what
//!
//! * SIGKILL, panic, power that stays on: everything handed to the operating system, which is
//!   done at least four times a second and whenever a cell ends.
//! * Loss of power: everything up to the last `fdatasync`, done every ten seconds and at the end.
//! * A clock that is set: all of this goes by the monotonic clock.
//! * A torn tail: whole groups before the tear are kept, the rest is played again.
//! * A flipped bit: the blocks of the group that it hit, at most [`GROUP`], are played again.
//!   Groups and chunk headers are points to go on from.
//! * A damaged header: the blocks are still told from another experiment's by their checksums.
//!
//! One process at a time writes: the file is locked (`File::lock`), and the lock ends with the
//! process, however it ends.

pub(crate) mod chunk;
pub(crate) mod codec;
pub(crate) mod records;
pub(crate) mod writer;

use std::collections::BTreeMap;
use std::io::{self, Read};

use crate::plan::Plan;

use super::{Identity, Shard};

/// The one format that is understood and written.
pub(crate) const VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"evaljrnl";
/// Magic, version, length of the JSON.
const HEADER_FRONT: usize = 16;
/// A resolved config is some kilobytes; a length beyond this is damage.
const HEADER_LIMIT: u32 = 64 << 20;

/// First three bytes of a chunk; the fourth is its kind. The first is no ASCII and no UTF-8 start,
/// the third changes with the format, so that no chunk is found in a file of another.
const CHUNK_MAGIC: [u8; 3] = [0xfb, b'c', b'2'];
pub(crate) const CHUNK_HEADER: usize = 28;
/// Length and checksum around a group's records.
pub(crate) const FRAME: usize = 6;
/// Blocks that share a checksum. A block of tic-tac-toe between random players takes two
/// microseconds, so that all of a group is played again sooner than it is read; where games take
/// long, a chunk holds a few blocks, and with it a group.
pub(crate) const GROUP: u32 = 32;
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

/// The checksum of `bytes`: CRC-32 (ISO 3309), started from `seed` (0 for the standard one).
///
/// It finds every flipped bit and every burst up to 32 bits, which is what a journal needs; it is
/// no protection against forgery (the manifest's hashes and the replay are). A seed that depends
/// on where the bytes belong makes misplaced bytes as invalid as damaged ones, at no cost in bytes.
#[inline]
pub(crate) fn crc32(seed: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(seed);
    hasher.update(bytes);
    hasher.finalize()
}

/// The seed of the checksum of a group that begins with `block`.
#[inline]
pub(crate) fn group_seed(seed: u32, cell: u32, block: u64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    let block = (block as u32) ^ ((block >> 32) as u32).rotate_left(16);
    seed ^ cell.wrapping_mul(0x9e37_79b1) ^ block.wrapping_mul(0x85eb_ca77)
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
    /// It was written by a version with another format: this one.
    Other(u32),
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
        // Another format may change all the rest, so it is told apart before that is believed.
        let rest = length as usize + 4;
        let fits = (HEADER_FRONT + rest) as u64 <= available;
        if version > VERSION && !fits {
            return Err(HeaderError::Other(version));
        }
        if !fits {
            return Err(HeaderError::Short);
        }
        bytes.resize(HEADER_FRONT + rest, 0);
        fill(input, &mut bytes[HEADER_FRONT..])?;
        let (body, crc) = bytes.split_at(HEADER_FRONT + length as usize);
        let sound = crc == crc32(0, body).to_le_bytes();
        if version != VERSION {
            // If all else is right as this version writes it, the version itself is damaged. Older
            // formats had the same header, newer ones may not.
            let mut ours = body.to_vec();
            ours[8..12].copy_from_slice(&VERSION.to_le_bytes());
            let ours = crc == crc32(0, &ours).to_le_bytes();
            return Err(if !ours && (sound || version > VERSION) {
                HeaderError::Other(version)
            } else {
                HeaderError::Damaged
            });
        }
        if !sound {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_standard_crc_32_and_goes_on_from_a_seed() {
        // The check value of the catalogue of parametrised CRC algorithms.
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(crc32(0, b"1234"), b"56789"), 0xcbf4_3926);
        assert_eq!(crc32(0, b""), 0);
    }

    #[test]
    fn every_flipped_bit_and_every_other_seed_shows() {
        let data: Vec<u8> = (0..200).collect();
        let good = crc32(7, &data);
        assert_ne!(good, crc32(8, &data));
        for bit in 0..data.len() * 8 {
            let mut bad = data.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(good, crc32(7, &bad), "bit {bit}");
        }
    }

    /// A header whose version says `version`; with a checksum that fits, if `sealed`.
    fn header_of(version: u32, sealed: bool) -> Vec<u8> {
        let header = Header {
            identity: Identity::from_keys(BTreeMap::new()),
            games: 4,
            shard: None,
            resolved: "name = \"x\"".into(),
        };
        let mut bytes = header.to_bytes();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        if sealed {
            let body = bytes.len() - 4;
            let crc = crc32(0, &bytes[..body]);
            bytes[body..].copy_from_slice(&crc.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn other_formats_are_told_from_damage() {
        let read = |bytes: &[u8]| Header::read(&mut { bytes }, bytes.len() as u64);
        assert!(read(&header_of(VERSION, true)).is_ok());
        for version in [VERSION - 1, VERSION + 1] {
            let other = read(&header_of(version, true));
            assert!(matches!(other, Err(HeaderError::Other(found)) if found == version));
            // Nothing but the version differs from what this version writes.
            let damaged = read(&header_of(version, false));
            assert!(matches!(damaged, Err(HeaderError::Damaged)));
        }
    }
}
