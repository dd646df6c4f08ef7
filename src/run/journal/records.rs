//! Reading a journal: block after block, past whatever is damaged, in flat memory.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::codec::Shape;
use super::{CHUNK_HEADER, CHUNK_MAGIC, ChunkHeader, FRAME, GROUP, Kind, crc32, group_seed};
use crate::record::GameRecord;
use crate::run::times::Times;

/// What comes next in a journal.
#[derive(Debug)]
pub(crate) enum Item {
    /// A block, whose games are in [`Records::games`] and whose record is [`Records::record`].
    Block {
        /// Index of the cell.
        cell: usize,
        /// Number of the block.
        block: u64,
    },
    /// Time that the players of a cell took.
    Times(usize, Times),
    /// What a player of a cell must have said about it.
    Notice(usize, String),
    /// The footer of a finished shard.
    Footer(Vec<u8>),
    /// Bytes that are no valid record; reading goes on after them.
    Damage {
        /// Where they begin.
        from: u64,
        /// Where they end; the file's length for a torn tail.
        to: u64,
    },
}

/// A reader of chunks and their records.
pub(crate) struct Records<R> {
    input: R,
    /// Where the next chunk is expected.
    position: u64,
    /// Length of the file.
    length: u64,
    seed: u32,
    shapes: Arc<[Shape]>,
    chunk: Vec<u8>,
    chunk_start: u64,
    cell: u32,
    next: u64,
    /// Blocks that are left of the chunk, and of the group that is open.
    remaining: u32,
    in_group: u32,
    cursor: usize,
    /// Where the records of the open group end.
    group_end: usize,
    record: (usize, usize),
    games: Vec<GameRecord>,
}

impl<R: Read + Seek> Records<R> {
    /// A reader of `input`, `length` bytes long, whose chunks begin at `position`. `shapes` are
    /// the cells'; `seed` is the identity's.
    pub(crate) fn new(
        input: R,
        position: u64,
        length: u64,
        seed: u32,
        shapes: Arc<[Shape]>,
    ) -> Self {
        Self {
            input,
            position,
            length,
            seed,
            shapes,
            chunk: Vec::new(),
            chunk_start: position,
            cell: 0,
            next: 0,
            remaining: 0,
            in_group: 0,
            cursor: 0,
            group_end: 0,
            record: (0, 0),
            games: Vec::new(),
        }
    }

    /// The games of the block that was read last.
    pub(crate) fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The record of the block that was read last.
    pub(crate) fn record(&self) -> &[u8] {
        self.chunk
            .get(self.record.0..self.record.1)
            .unwrap_or_default()
    }

    /// Where the next chunk is expected.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// The seed of the checksums.
    pub(crate) fn seed(&self) -> u32 {
        self.seed
    }

    /// Whether the chunk of the last block has no more records.
    pub(crate) fn at_chunk_end(&self) -> bool {
        self.remaining == 0
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read. Damage is an item, not an error.
    pub(crate) fn next_item(&mut self) -> io::Result<Option<Item>> {
        if self.remaining > 0 {
            return Ok(Some(self.next_block()));
        }
        if self.position >= self.length {
            return Ok(None);
        }
        let start = self.position;
        self.chunk_start = start;
        let Some(header) = self.header_at(start)? else {
            let to = self.next_header(start + 1)?;
            self.position = to;
            return Ok(Some(Item::Damage { from: start, to }));
        };
        let body = start + CHUNK_HEADER as u64;
        let bytes = u64::from(header.bytes).min(self.length.saturating_sub(body));
        self.chunk
            .resize(usize::try_from(bytes).unwrap_or(usize::MAX), 0);
        self.input.seek(SeekFrom::Start(body))?;
        self.input.read_exact(&mut self.chunk)?;
        self.position = body + bytes;
        match header.kind {
            Kind::Blocks if (header.cell as usize) < self.shapes.len() && header.blocks > 0 => {
                self.cell = header.cell;
                self.next = header.first;
                self.remaining = header.blocks;
                self.in_group = 0;
                self.cursor = 0;
                Ok(Some(self.next_block()))
            }
            Kind::Blocks => Ok(Some(self.damaged_from(start))),
            Kind::Times | Kind::Footer | Kind::Notice => Ok(Some(self.control(&header, start))),
        }
    }

    fn damaged_from(&self, from: u64) -> Item {
        Item::Damage {
            from,
            to: self.position,
        }
    }

    /// Times and footers: one checksum over all of it.
    fn control(&self, header: &ChunkHeader, start: u64) -> Item {
        let whole = self.chunk.len() == header.bytes as usize;
        let Some((body, crc)) = self.chunk.split_last_chunk::<4>().filter(|_| whole) else {
            return self.damaged_from(start);
        };
        if *crc != crc32(self.seed, body).to_le_bytes() {
            return self.damaged_from(start);
        }
        match header.kind {
            Kind::Times => Times::from_bytes(body).map_or_else(
                || self.damaged_from(start),
                |times| Item::Times(header.cell as usize, times),
            ),
            Kind::Notice => {
                let text = String::from_utf8_lossy(body).into_owned();
                Item::Notice(header.cell as usize, text)
            }
            Kind::Footer | Kind::Blocks => Item::Footer(body.to_vec()),
        }
    }

    /// Where the records of the group at `cursor` are, if it is valid as one that begins with
    /// `block`.
    fn valid(&self, cursor: usize, block: u64) -> Option<(usize, usize)> {
        let front = self.chunk.get(cursor..)?;
        let length = usize::from(u16::from_le_bytes(*front.first_chunk::<2>()?));
        let body = front.get(2..2 + length)?;
        let crc = front.get(2 + length..)?.first_chunk::<4>()?;
        (*crc == crc32(group_seed(self.seed, self.cell, block), body).to_le_bytes())
            .then_some((cursor + 2, cursor + 2 + length))
    }

    fn next_block(&mut self) -> Item {
        if self.in_group == 0 {
            let Some((start, end)) = self.valid(self.cursor, self.next) else {
                return self.skip_group();
            };
            self.in_group = self.remaining.min(GROUP);
            (self.cursor, self.group_end) = (start, end);
        }
        let records = self.chunk.get(self.cursor..self.group_end);
        let mut rest = records.unwrap_or_default();
        let shape = self.shapes.get(self.cell as usize);
        let read = shape.is_some_and(|shape| shape.read_block(&mut rest, &mut self.games));
        if !read || (self.in_group == 1 && !rest.is_empty()) {
            // A checksum that fits around what are no games: nobody wrote this by accident.
            let from = self.place(self.cursor);
            self.next += u64::from(self.in_group);
            self.remaining -= self.in_group;
            self.in_group = 0;
            self.cursor = self.group_end + 4;
            return Item::Damage {
                from,
                to: self.place(self.cursor),
            };
        }
        self.record = (self.cursor, self.group_end - rest.len());
        self.cursor = self.record.1;
        let block = self.next;
        self.next += 1;
        self.remaining -= 1;
        self.in_group -= 1;
        if self.in_group == 0 {
            self.cursor = self.group_end + 4;
        }
        Item::Block {
            cell: self.cell as usize,
            block,
        }
    }

    /// Where in the file a place in the chunk is.
    fn place(&self, cursor: usize) -> u64 {
        self.chunk_start + (CHUNK_HEADER + cursor) as u64
    }

    /// Goes on after the damaged group at the cursor. If its length survived, the next group tells
    /// so by its own checksum, and only this group is lost; else the rest of the chunk is.
    fn skip_group(&mut self) -> Item {
        let from = self.place(self.cursor);
        let front = self.chunk.get(self.cursor..);
        let length = front.and_then(|front| front.first_chunk::<2>());
        let after =
            length.map(|&length| self.cursor + usize::from(u16::from_le_bytes(length)) + FRAME);
        let next = self.next + u64::from(GROUP);
        match after {
            Some(after) if self.remaining > GROUP && self.valid(after, next).is_some() => {
                self.cursor = after;
                self.next = next;
                self.remaining -= GROUP;
                Item::Damage {
                    from,
                    to: self.place(after),
                }
            }
            _ => {
                self.remaining = 0;
                self.damaged_from(from)
            }
        }
    }

    fn header_at(&mut self, at: u64) -> io::Result<Option<ChunkHeader>> {
        if self.length.saturating_sub(at) < CHUNK_HEADER as u64 {
            return Ok(None);
        }
        let mut bytes = [0; CHUNK_HEADER];
        self.input.seek(SeekFrom::Start(at))?;
        self.input.read_exact(&mut bytes)?;
        Ok(ChunkHeader::from_bytes(&bytes, self.seed))
    }

    /// Where the next valid chunk header is, at or after `from`; the file's length if nowhere.
    fn next_header(&mut self, from: u64) -> io::Result<u64> {
        const WINDOW: usize = 1 << 16;
        let mut window = Vec::new();
        let mut at = from;
        while at < self.length {
            let bytes = (self.length - at).min(WINDOW as u64);
            window.resize(usize::try_from(bytes).unwrap_or(WINDOW), 0);
            self.input.seek(SeekFrom::Start(at))?;
            self.input.read_exact(&mut window)?;
            for offset in 0..window.len() {
                let candidate = window.get(offset..offset + CHUNK_HEADER);
                match candidate.and_then(|bytes| bytes.first_chunk::<CHUNK_HEADER>()) {
                    Some(bytes) => {
                        if bytes.starts_with(&CHUNK_MAGIC)
                            && ChunkHeader::from_bytes(bytes, self.seed).is_some()
                        {
                            return Ok(at + offset as u64);
                        }
                    }
                    None => break,
                }
            }
            // Overlap, so that a header across two windows is seen.
            let step = window.len().saturating_sub(CHUNK_HEADER - 1).max(1);
            at += step as u64;
        }
        Ok(self.length)
    }
}
