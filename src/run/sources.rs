//! Where blocks are that need not be played: older journals of the same experiment, kept because
//! they were damaged in the middle or because the run was extended.
//!
//! Every source is in schedule order, so blocks are copied as their turn comes, in flat memory.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::RunError;
use super::journal::codec::Shape;
use super::journal::records::{Item, Records};
use super::journal::{ChunkHeader, Header, Kind};
use super::schedule::Range;
use super::times::Times;
use crate::record::GameRecord;

/// Which blocks a source holds, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extents(Vec<Range>);

impl Extents {
    /// Adds a block; blocks that are out of order are left out.
    pub(crate) fn push(&mut self, cell: usize, block: u64) {
        match self.0.last_mut() {
            Some(last) if last.cell == cell && last.end == block => last.end = block + 1,
            Some(last) if (last.cell, last.end) > (cell, block) => {}
            _ => self.0.push(Range {
                cell,
                start: block,
                end: block + 1,
            }),
        }
    }

    /// The first run of blocks of `cell` that ends after `block`: its first block and one past its
    /// last.
    pub(crate) fn at_or_after(&self, cell: usize, block: u64) -> Option<(u64, u64)> {
        let found = self
            .0
            .partition_point(|range| (range.cell, range.end) <= (cell, block));
        let range = self.0.get(found)?;
        (range.cell == cell).then_some((range.start, range.end))
    }

    /// Number of blocks.
    pub(crate) fn blocks(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }
}

/// A source of finished blocks.
pub(crate) struct Source {
    path: PathBuf,
    records: Records<File>,
    /// Read but not yet used.
    pending: Option<(usize, u64)>,
    extents: Extents,
    times: Vec<Times>,
}

impl Source {
    /// The blocks of the experiment with checksum seed `seed` in the journal at `path`; `None` if
    /// there are none.
    pub(crate) fn open(path: &Path, seed: u32, shapes: &[Shape]) -> Result<Option<Self>, RunError> {
        let read = |file: &File| -> Result<(u64, u64), RunError> {
            let length = file.metadata().map_err(RunError::io("read", path))?.len();
            let mut input = file;
            // A damaged header only means that chunks are looked for from the start.
            let start = Header::read(&mut input, length).map_or(0, |(_, start)| start);
            Ok((start, length))
        };
        let open = || File::open(path).map_err(RunError::io("open", path));
        let file = open()?;
        let (start, length) = read(&file)?;
        let mut scan = Records::new(file, start, length, seed, shapes.into());
        let mut extents = Extents::default();
        let mut times = vec![Times::default(); shapes.len()];
        while let Some(item) = scan.next_item().map_err(RunError::io("read", path))? {
            match item {
                Item::Block { cell, block } => extents.push(cell, block),
                Item::Times(cell, took) => {
                    if let Some(times) = times.get_mut(cell) {
                        times.add(&took);
                    }
                }
                Item::Footer | Item::Damage { .. } => {}
            }
        }
        if extents.blocks() == 0 {
            return Ok(None);
        }
        Ok(Some(Self {
            path: path.into(),
            records: Records::new(open()?, start, length, seed, shapes.into()),
            pending: None,
            extents,
            times,
        }))
    }

    pub(crate) fn extents(&self) -> &Extents {
        &self.extents
    }

    /// What the players took, per cell.
    pub(crate) fn times(&self) -> &[Times] {
        &self.times
    }

    /// Goes to the block `block` of `cell` and gives its record and its games.
    pub(crate) fn block(
        &mut self,
        cell: usize,
        block: u64,
    ) -> Result<(&[u8], &[GameRecord]), RunError> {
        while self.pending.is_none_or(|pending| pending < (cell, block)) {
            match self
                .records
                .next_item()
                .map_err(RunError::io("read", &self.path))?
            {
                Some(Item::Block { cell, block }) => self.pending = Some((cell, block)),
                Some(_) => {}
                None => break,
            }
        }
        if self.pending != Some((cell, block)) {
            return Err(RunError::Damaged {
                path: self.path.clone(),
                what: format!(
                    "block {block} of cell {cell} can no longer be read; run again to play it"
                ),
            });
        }
        Ok((self.records.record(), self.records.games()))
    }
}

/// Collects records of consecutive blocks of one cell into a chunk.
pub(crate) struct ChunkBuilder {
    seed: u32,
    cell: usize,
    first: u64,
    blocks: u32,
    bytes: Vec<u8>,
}

impl ChunkBuilder {
    /// A chunk that starts with block `first` of `cell`.
    pub(crate) fn new(seed: u32, cell: usize, first: u64) -> Self {
        Self {
            seed,
            cell,
            first,
            blocks: 0,
            bytes: Vec::new(),
        }
    }

    /// Adds the record of the next block.
    pub(crate) fn push(&mut self, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.blocks += 1;
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The chunk; nothing without blocks.
    pub(crate) fn finish(self) -> Vec<u8> {
        if self.blocks == 0 {
            return Vec::new();
        }
        let header = ChunkHeader {
            kind: Kind::Blocks,
            cell: u32::try_from(self.cell).unwrap_or(u32::MAX),
            first: self.first,
            blocks: self.blocks,
            bytes: u32::try_from(self.bytes.len()).unwrap_or(u32::MAX),
        };
        let mut chunk = header.to_bytes(self.seed).to_vec();
        chunk.extend_from_slice(&self.bytes);
        chunk
    }
}
