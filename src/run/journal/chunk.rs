//! Building chunks: records of consecutive blocks of one cell, in groups that share a checksum.

use super::{CHUNK_HEADER, ChunkHeader, GROUP, Kind, crc32, group_seed};

/// Collects records of consecutive blocks of one cell into a chunk.
#[derive(Debug)]
pub(crate) struct ChunkBuilder {
    seed: u32,
    cell: u32,
    first: u64,
    blocks: u32,
    /// Room for the header, closed groups, and the length and records of the open one.
    bytes: Vec<u8>,
    /// Where the open group begins.
    group: usize,
}

impl ChunkBuilder {
    /// A chunk that starts with block `first` of `cell` and is expected to take `capacity` bytes.
    pub(crate) fn new(seed: u32, cell: usize, first: u64, capacity: usize) -> Self {
        let mut bytes = Vec::with_capacity(capacity.max(2 * CHUNK_HEADER));
        bytes.resize(CHUNK_HEADER, 0);
        Self {
            seed,
            cell: u32::try_from(cell).unwrap_or(u32::MAX),
            first,
            blocks: 0,
            bytes,
            group: CHUNK_HEADER,
        }
    }

    /// Adds what `write` appends as the record of the next block.
    #[inline]
    pub(crate) fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.blocks.is_multiple_of(GROUP) {
            self.close_group();
            self.bytes.extend_from_slice(&[0; 2]);
        }
        write(&mut self.bytes);
        self.blocks += 1;
    }

    /// Adds the record of the next block.
    pub(crate) fn push(&mut self, record: &[u8]) {
        self.push_with(|out| out.extend_from_slice(record));
    }

    fn close_group(&mut self) {
        let body = self.group + 2;
        if self.bytes.len() <= body {
            return;
        }
        // The longest possible block has some 400 bytes, so that 32 of them are far below 64 KiB.
        let length = u16::try_from(self.bytes.len() - body).unwrap_or(u16::MAX);
        self.bytes[self.group..body].copy_from_slice(&length.to_le_bytes());
        let before = (self.blocks - 1) / GROUP * GROUP;
        let seed = group_seed(self.seed, self.cell, self.first + u64::from(before));
        let crc = crc32(seed, &self.bytes[body..]);
        self.bytes.extend_from_slice(&crc.to_le_bytes());
        self.group = self.bytes.len();
    }

    /// Blocks so far.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks.into()
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The chunk; nothing without blocks.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.blocks == 0 {
            return Vec::new();
        }
        self.close_group();
        let header = ChunkHeader {
            kind: Kind::Blocks,
            cell: self.cell,
            first: self.first,
            blocks: self.blocks,
            bytes: u32::try_from(self.bytes.len() - CHUNK_HEADER).unwrap_or(u32::MAX),
        };
        self.bytes[..CHUNK_HEADER].copy_from_slice(&header.to_bytes(self.seed));
        self.bytes
    }
}
