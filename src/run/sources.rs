//! Where blocks are that need not be played: the `games.csv` of a finished run that is extended,
//! and older journals of the same experiment, kept because they were damaged in the middle or
//! because the run was extended.
//!
//! Every source is in schedule order, so blocks are copied as their turn comes, in flat memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::RunError;
use super::finish::GAMES;
use super::journal::Header;
use super::journal::codec::Shape;
use super::journal::records::{Item, Records};
use super::manifest::{FileHash, Manifest};
use super::schedule::{Position, Range, Schedule, Share};
use super::shard_file::ShardFile;
use super::times::Times;
use crate::block::PlayedBlock;
use crate::games_csv::Reader;
use crate::plan::Plan;
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

/// Finished blocks that can be copied, in schedule order.
pub(crate) trait Source {
    /// Which blocks it holds.
    fn extents(&self) -> &Extents;

    /// What it holds besides.
    fn extras(&self) -> &Extras;

    /// Goes on to the block `block` of `cell` and gives its record and its games.
    ///
    /// # Errors
    /// If the block cannot be read any more.
    fn block(&mut self, cell: usize, block: u64) -> Result<(&[u8], &[GameRecord]), RunError>;
}

fn gone(path: &Path, cell: usize, block: u64) -> RunError {
    RunError::Damaged {
        path: path.into(),
        what: format!("block {block} of cell {cell} can no longer be read; run again to play it"),
    }
}

/// The blocks of a journal, one after the other.
struct Blocks {
    path: PathBuf,
    records: Records<File>,
    /// Read but not yet used.
    pending: Option<(usize, u64)>,
}

impl Blocks {
    fn open(path: &Path, span: Span, seed: u32, shapes: &Arc<[Shape]>) -> Result<Self, RunError> {
        let file = File::open(path).map_err(RunError::io("open", path))?;
        Ok(Self {
            path: path.into(),
            records: Records::new(file, span.start, span.length, seed, Arc::clone(shapes)),
            pending: None,
        })
    }

    /// Goes on to the block `block` of `cell` and gives its record and its games.
    fn block(&mut self, cell: usize, block: u64) -> Result<(&[u8], &[GameRecord]), RunError> {
        while self.pending.is_none_or(|pending| pending < (cell, block)) {
            let item = self.records.next_item();
            match item.map_err(RunError::io("read", &self.path))? {
                Some(Item::Block { cell, block }) => self.pending = Some((cell, block)),
                Some(_) => {}
                None => break,
            }
        }
        if self.pending != Some((cell, block)) {
            return Err(gone(&self.path, cell, block));
        }
        Ok((self.records.record(), self.records.games()))
    }
}

/// Where in a file chunks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// Where the first begins.
    pub start: u64,
    /// The file's length.
    pub length: u64,
}

/// What a journal holds besides blocks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extras {
    /// What players took, per cell.
    pub times: Vec<Times>,
    /// What the report must say about players, with the cell.
    pub notices: Vec<(usize, String)>,
}

impl Extras {
    /// Nothing of `cells` cells.
    pub(crate) fn new(cells: usize) -> Self {
        Self {
            times: vec![Times::default(); cells],
            notices: Vec::new(),
        }
    }

    /// Adds what players of a cell took.
    pub(crate) fn add_times(&mut self, cell: usize, took: &Times) {
        if let Some(times) = self.times.get_mut(cell) {
            times.add(took);
        }
    }

    /// Adds all of another.
    fn add(&mut self, other: &Self) {
        for (cell, took) in other.times.iter().enumerate() {
            self.add_times(cell, took);
        }
        self.notices.extend_from_slice(&other.notices);
    }
}

/// A journal of the same experiment.
pub(crate) struct JournalSource {
    blocks: Blocks,
    extents: Extents,
    extras: Extras,
}

impl JournalSource {
    /// The blocks of the experiment that `header` describes in the journal at `path`; `None` if
    /// there are none. Of a journal with another number of games only the first `cells` cells
    /// count: its selections, and so its confirmations, may be others.
    pub(crate) fn open(
        path: &Path,
        header: &Header,
        shapes: &Arc<[Shape]>,
        cells: usize,
    ) -> Result<Option<Self>, RunError> {
        let file = File::open(path).map_err(RunError::io("open", path))?;
        let length = file.metadata().map_err(RunError::io("read", path))?.len();
        let mut input = &file;
        // A damaged header only means that chunks are looked for from the start.
        let (start, same_games) = Header::read(&mut input, length)
            .map_or((0, false), |(found, start)| {
                (start, found.games == header.games)
            });
        let cells = if same_games { shapes.len() } else { cells };
        let seed = header.identity.checksum_seed();
        let mut scan = Records::new(file, start, length, seed, Arc::clone(shapes));
        let mut extents = Extents::default();
        let mut extras = Extras::new(shapes.len());
        while let Some(item) = scan.next_item().map_err(RunError::io("read", path))? {
            match item {
                Item::Block { cell, block } if cell < cells => extents.push(cell, block),
                Item::Times(cell, took) => extras.add_times(cell, &took),
                Item::Notice(cell, text) => extras.notices.push((cell, text)),
                Item::Block { .. } | Item::Footer(_) | Item::Damage { .. } => {}
            }
        }
        if extents.blocks() == 0 {
            return Ok(None);
        }
        Ok(Some(Self {
            blocks: Blocks::open(path, Span { start, length }, seed, shapes)?,
            extents,
            extras,
        }))
    }
}

impl Source for JournalSource {
    fn extents(&self) -> &Extents {
        &self.extents
    }

    fn extras(&self) -> &Extras {
        &self.extras
    }

    fn block(&mut self, cell: usize, block: u64) -> Result<(&[u8], &[GameRecord]), RunError> {
        self.blocks.block(cell, block)
    }
}

/// The shards of a merge: which one holds a block, the schedule tells.
pub(crate) struct ShardSource {
    schedule: Schedule,
    count: u64,
    shards: BTreeMap<u64, Member>,
    shapes: Arc<[Shape]>,
    checksum_seed: u32,
    extents: Extents,
    extras: Extras,
}

/// A shard, opened when its first block is needed.
struct Member {
    path: PathBuf,
    span: Span,
    blocks: Option<Blocks>,
}

impl ShardSource {
    /// The shards `files` of `count`, which were read and found whole, of `plan`.
    pub(crate) fn new(
        plan: &Plan,
        count: u64,
        files: &[ShardFile],
        shapes: &Arc<[Shape]>,
        checksum_seed: u32,
    ) -> Self {
        let mut extras = Extras::new(shapes.len());
        let mut shards = BTreeMap::new();
        for file in files {
            extras.add(&file.extras);
            let member = Member {
                path: file.path.clone(),
                span: file.span,
                blocks: None,
            };
            shards.insert(file.shard.index, member);
        }
        // Blocks of shards that are missing belong to no schedule of this merge.
        let ranges = plan
            .cells
            .iter()
            .filter(|cell| cell.blocks > 0)
            .map(|cell| Range {
                cell: cell.index,
                start: cell.first_block,
                end: cell.first_block.saturating_add(cell.blocks),
            });
        Self {
            schedule: Schedule::new(plan, Share::Whole),
            count,
            shards,
            shapes: Arc::clone(shapes),
            checksum_seed,
            extents: Extents(ranges.collect()),
            extras,
        }
    }
}

impl Source for ShardSource {
    fn extents(&self) -> &Extents {
        &self.extents
    }

    fn extras(&self) -> &Extras {
        &self.extras
    }

    fn block(&mut self, cell: usize, block: u64) -> Result<(&[u8], &[GameRecord]), RunError> {
        let owner = self.schedule.unit(Position { cell, block }) % self.count.max(1);
        let Some(member) = self.shards.get_mut(&owner) else {
            return Err(RunError::NoShard);
        };
        let blocks = match member.blocks.take() {
            Some(blocks) => blocks,
            None => Blocks::open(&member.path, member.span, self.checksum_seed, &self.shapes)?,
        };
        member.blocks.insert(blocks).block(cell, block)
    }
}

/// The `games.csv` of a finished run that is extended.
pub(crate) struct GamesSource<'p> {
    path: PathBuf,
    reader: Reader<'p, File>,
    pending: Option<PlayedBlock>,
    shapes: Arc<[Shape]>,
    record: Vec<u8>,
    extents: Extents,
    extras: Extras,
}

impl<'p> GamesSource<'p> {
    /// The blocks of the cells of `plan` in the `games.csv` of the run in `dir` that `manifest`
    /// describes.
    ///
    /// # Errors
    /// If it is not the file that the manifest describes.
    pub(crate) fn open(
        dir: &Path,
        plan: &'p Plan,
        manifest: &Manifest,
        shapes: &Arc<[Shape]>,
    ) -> Result<Self, RunError> {
        let path = dir.join(GAMES);
        if manifest.files.get(GAMES) != Some(&FileHash::of(&path)?) {
            return Err(RunError::Damaged {
                path,
                what: "it is not what the manifest says was written, so the run cannot be extended from it; `evalctl verify` says more, --fresh moves the run aside".into(),
            });
        }
        let mut extents = Extents::default();
        // Times are not extended: how long moves take is another day's.
        let mut extras = Extras::default();
        for (cell, counts) in manifest.cells.iter().enumerate().take(plan.cells.len()) {
            let notices = counts.notices.iter().cloned();
            extras.notices.extend(notices.map(|notice| (cell, notice)));
            if counts.blocks > 0 {
                extents.0.push(Range {
                    cell,
                    start: counts.first_block,
                    end: counts.first_block.saturating_add(counts.blocks),
                });
            }
        }
        Ok(Self {
            reader: Reader::open(plan, &path)?,
            path,
            pending: None,
            shapes: Arc::clone(shapes),
            record: Vec::new(),
            extents,
            extras,
        })
    }
}

impl Source for GamesSource<'_> {
    fn extents(&self) -> &Extents {
        &self.extents
    }

    fn extras(&self) -> &Extras {
        &self.extras
    }

    fn block(&mut self, cell: usize, block: u64) -> Result<(&[u8], &[GameRecord]), RunError> {
        let mut next = self.pending.take().unwrap_or_default();
        while next.games.is_empty() || (next.cell, next.block) < (cell, block) {
            if !self.reader.read(&mut next)? {
                break;
            }
        }
        let shape = self.shapes.get(cell);
        let (true, Some(shape)) = ((next.cell, next.block) == (cell, block), shape) else {
            return Err(gone(&self.path, cell, block));
        };
        self.record.clear();
        for game in &next.games {
            shape.write_game(game, &mut self.record);
        }
        let next = self.pending.insert(next);
        Ok((&self.record, &next.games))
    }
}
