//! Reading `games.csv`: block after block, in flat memory.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{cell_fields, columns};
use crate::block::{Outcome, PlayedBlock};
use crate::games::{MAX_SEATS, Scores};
use crate::plan::{CellSeeds, Plan};
use crate::record::{End, GameRecord};

/// What is wrong with a `games.csv`: one sentence with the line.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why not.
        source: csv::Error,
    },
    /// It has other columns than the plan asks for.
    #[error(
        "`{file}` has other columns than this experiment: column {number} is `{found}` instead of `{expected}`"
    )]
    Columns {
        /// The file.
        file: String,
        /// Number of the first column that differs, from 1.
        number: usize,
        /// Its name.
        found: String,
        /// The name it should have.
        expected: String,
    },
    /// A row is not what it should be.
    #[error("`{file}`, line {line}, column {column}: {what}")]
    Row {
        /// The file.
        file: String,
        /// Its line.
        line: u64,
        /// The column's name.
        column: String,
        /// What is wrong with it.
        what: String,
    },
}

/// Reads `games.csv` block by block.
///
/// Rows are checked against the plan: order, whole blocks, the cell's names and axes (in its first
/// row), seeds' form, words, ranges, and that `score` and `outcome` are those of `scores`.
pub struct Reader<'p, R> {
    plan: &'p Plan,
    file: String,
    input: csv::Reader<R>,
    row: csv::ByteRecord,
    /// Whether `row` was read but not used.
    pending: bool,
    /// Columns before `opponent`.
    axes_end: usize,
    last: Option<(usize, u64)>,
    next_game: Option<u64>,
    first_game: u64,
    /// The seeds of the cell that was read last, when they are checked.
    seeds: Option<(usize, CellSeeds)>,
    check_seeds: bool,
}

impl<'p> Reader<'p, File> {
    /// A reader of the file at `path`.
    ///
    /// # Errors
    /// If it cannot be opened or has other columns than the plan's.
    pub fn open(plan: &'p Plan, path: &Path) -> Result<Self, ReadError> {
        let file = path.display().to_string();
        let input = File::open(path).map_err(|error| ReadError::Io {
            file: file.clone(),
            source: error.into(),
        })?;
        Self::new(plan, input, &file)
    }
}

impl<'p, R: Read> Reader<'p, R> {
    /// A reader of `input`, called `file` in messages.
    ///
    /// # Errors
    /// If it has other columns than the plan's.
    pub fn new(plan: &'p Plan, input: R, file: &str) -> Result<Self, ReadError> {
        let mut input = csv::ReaderBuilder::new()
            .has_headers(true)
            .buffer_capacity(1 << 18)
            .from_reader(input);
        let io = |source| ReadError::Io {
            file: file.to_owned(),
            source,
        };
        let found = input.byte_headers().map_err(io)?;
        let mut expected = columns(plan);
        for number in 0.. {
            let (theirs, ours) = (found.get(number), expected.next());
            if theirs.is_none() && ours.is_none() {
                break;
            }
            // Columns after ours are additions, which readers ignore.
            if ours.is_some() && theirs != ours.map(str::as_bytes) {
                return Err(ReadError::Columns {
                    file: file.to_owned(),
                    number: number + 1,
                    found: theirs.map_or_else(|| "missing".into(), lossy),
                    expected: ours.unwrap_or("no more").to_owned(),
                });
            }
            if ours.is_none() {
                break;
            }
        }
        Ok(Self {
            plan,
            file: file.to_owned(),
            axes_end: super::FRONT.len() + plan.axes.len(),
            input,
            row: csv::ByteRecord::new(),
            pending: false,
            last: None,
            next_game: None,
            first_game: 0,
            seeds: None,
            check_seeds: false,
        })
    }

    /// Also checks that the column `seed` is what the plan derives, at the price of a hash per
    /// block.
    #[must_use]
    pub fn checking_seeds(mut self) -> Self {
        self.check_seeds = true;
        self
    }

    /// Reads the next block over `block`; `false` at the end.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn read(&mut self, block: &mut PlayedBlock) -> Result<bool, ReadError> {
        block.games.clear();
        if !self.pending && !self.next_row()? {
            return Ok(false);
        }
        self.pending = false;
        let cell = self.number("cell", 1)?;
        let Some(planned) = usize::try_from(cell)
            .ok()
            .and_then(|cell| self.plan.cells.get(cell))
        else {
            return Err(self.wrong("cell", "there is no such cell in this experiment"));
        };
        block.cell = planned.index.min(self.plan.cells.len());
        block.block = self.number("block", self.axes_end + 2)?;
        self.check_place(block)?;
        self.first_game = self.number("game", 0)?;
        for rotation in 0..planned.rotations {
            if rotation > 0 {
                if !self.next_row()? {
                    return Err(self.wrong("rotation", "the file ends within a block"));
                }
                if self.number("cell", 1)? != cell
                    || self.number("block", self.axes_end + 2)? != block.block
                {
                    return Err(self.wrong("rotation", "a block before this row is incomplete"));
                }
            }
            let game = self.game(block.cell, block.block, rotation)?;
            block.games.push(game);
        }
        self.last = Some((block.cell, block.block));
        Ok(true)
    }

    /// The number of the first game of the block that was read last.
    pub fn first_game(&self) -> u64 {
        self.first_game
    }

    fn next_row(&mut self) -> Result<bool, ReadError> {
        self.input
            .read_byte_record(&mut self.row)
            .map_err(|source| ReadError::Io {
                file: self.file.clone(),
                source,
            })
    }

    /// Checks that blocks are in order and, in the first row of a cell, that it is the plan's.
    fn check_place(&mut self, block: &PlayedBlock) -> Result<(), ReadError> {
        let place = (block.cell, block.block);
        if self.last.is_some_and(|last| last >= place) {
            return Err(self.wrong(
                "block",
                "rows must be ordered by cell and block, each block once",
            ));
        }
        let new_cell = self.last.is_none_or(|last| last.0 != block.cell);
        let Some(cell) = self.plan.cells.get(block.cell).filter(|_| new_cell) else {
            return Ok(());
        };
        for (index, expected) in cell_fields(cell).enumerate() {
            if self.row.get(2 + index) != Some(expected.as_bytes()) {
                let name = columns(self.plan).nth(2 + index).unwrap_or("challenger");
                return Err(
                    self.wrong(name, &format!("cell {} has `{expected}` there", block.cell))
                );
            }
        }
        if self.check_seeds {
            self.seeds = Some((block.cell, CellSeeds::new(self.plan.seed, cell)));
        }
        Ok(())
    }

    fn game(&mut self, cell: usize, block: u64, rotation: usize) -> Result<GameRecord, ReadError> {
        let at = self.axes_end;
        let number = self.number("game", 0)?;
        if self.next_game.is_some_and(|next| number < next) {
            return Err(self.wrong("game", "numbers must rise"));
        }
        self.next_game = Some(number + 1);
        let seats = self.plan.cells.get(cell).map_or(0, |cell| cell.seats);
        if self.number("rotation", at + 3)? != rotation as u64 {
            return Err(self.wrong("rotation", &format!("rotation {rotation} is due here")));
        }
        let seat = PlayedBlock::seat(rotation);
        if self.number("seat", at + 4)? != seat as u64 {
            return Err(self.wrong("seat", &format!("the challenger sits in seat {seat} here")));
        }
        let first_seat = self.seat("first_seat", at + 5, seats)?;
        let seed = self.hex("seed", at + 6)?;
        if let Some((_, seeds)) = &self.seeds
            && seeds.deal(block).short() != seed
        {
            return Err(self.wrong("seed", "it is not the seed that this experiment derives"));
        }
        let score = self.score("score", at + 7, self.field(at + 7))?;
        let scores = self.scores(at + 8, seats)?;
        if scores.of(seat).to_bits() != score.to_bits() {
            return Err(self.wrong("score", "it is not the challenger's in `scores`"));
        }
        let places = self.places(at + 9, seats)?;
        let end = std::str::from_utf8(self.field(at + 11))
            .ok()
            .and_then(End::from_word)
            .ok_or_else(|| self.wrong("end", "no such end of a game"))?;
        let fault_seat = if self.field(at + 12).is_empty() {
            None
        } else {
            Some(self.seat("fault_seat", at + 12, seats)?)
        };
        let decisions = u32::try_from(self.number("decisions", at + 13)?)
            .map_err(|_| self.wrong("decisions", "too many"))?;
        let record = GameRecord {
            scores,
            places,
            first_seat,
            end,
            fault_seat,
            decisions,
            digest: self.hex("digest", at + 14)?,
            nanos: [0; MAX_SEATS],
            choices: [0; MAX_SEATS],
        };
        let outcome = Outcome::of(&record, seat).word();
        if self.field(at + 10) != outcome.as_bytes() {
            return Err(self.wrong("outcome", &format!("by its scores it is a {outcome}")));
        }
        Ok(record)
    }

    fn field(&self, column: usize) -> &[u8] {
        self.row.get(column).unwrap_or_default()
    }

    fn wrong(&self, column: &str, what: &str) -> ReadError {
        ReadError::Row {
            file: self.file.clone(),
            line: self.row.position().map_or(0, csv::Position::line),
            column: column.to_owned(),
            what: what.to_owned(),
        }
    }

    fn number(&self, name: &str, column: usize) -> Result<u64, ReadError> {
        parse_number(self.field(column)).ok_or_else(|| {
            let found = lossy(self.field(column));
            self.wrong(name, &format!("`{found}` is no whole number"))
        })
    }

    fn seat(&self, name: &str, column: usize, seats: usize) -> Result<usize, ReadError> {
        let seat = self.number(name, column)?;
        usize::try_from(seat)
            .ok()
            .filter(|&seat| seat < seats)
            .ok_or_else(|| self.wrong(name, &format!("there are {seats} seats")))
    }

    fn hex(&self, name: &str, column: usize) -> Result<u64, ReadError> {
        let field = self.field(column);
        let digits = field
            .iter()
            .try_fold(0_u64, |sum, &byte| {
                let digit = char::from(byte).to_digit(16)?;
                Some((sum << 4) | u64::from(digit))
            })
            .filter(|_| (1..=16).contains(&field.len()));
        digits.ok_or_else(|| self.wrong(name, "not 16 hexadecimal digits"))
    }

    fn score(&self, name: &str, _column: usize, field: &[u8]) -> Result<f64, ReadError> {
        let score = match field {
            b"0" => Some(0.0),
            b"1" => Some(1.0),
            b"0.5" => Some(0.5),
            field => std::str::from_utf8(field)
                .ok()
                .and_then(|text| text.parse().ok()),
        };
        score
            .filter(|score| (0.0..=1.0).contains(score))
            .map(|score: f64| score + 0.0)
            .ok_or_else(|| self.wrong(name, "scores are numbers from 0 to 1"))
    }

    fn scores(&self, column: usize, seats: usize) -> Result<Scores, ReadError> {
        let mut scores = Scores::all(seats, 0.0);
        let mut count = 0;
        for part in self.field(column).split(|&byte| byte == b';') {
            let score = self.score("scores", column, part)?;
            if count < seats {
                scores = scores.with(count, score);
            }
            count += 1;
        }
        if count == seats {
            Ok(scores)
        } else {
            Err(self.wrong("scores", &format!("there are {seats} seats")))
        }
    }

    fn places(&self, column: usize, seats: usize) -> Result<[u8; MAX_SEATS], ReadError> {
        let mut places = [0; MAX_SEATS];
        let field = self.field(column);
        if field.is_empty() {
            return Ok(places);
        }
        let mut count = 0;
        for part in field.split(|&byte| byte == b';') {
            let place = parse_number(part)
                .and_then(|place| u8::try_from(place).ok())
                .filter(|&place| usize::from(place) <= seats);
            let slot = places.get_mut(count).filter(|_| count < seats);
            match (place, slot) {
                (Some(place), Some(slot)) => *slot = place,
                _ => {
                    return Err(
                        self.wrong("places", &format!("a place per seat, of {seats} seats"))
                    );
                }
            }
            count += 1;
        }
        if count == seats {
            Ok(places)
        } else {
            Err(self.wrong("places", &format!("there are {seats} seats")))
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .take(80)
        .flat_map(char::escape_debug)
        .collect()
}

fn parse_number(field: &[u8]) -> Option<u64> {
    if field.is_empty() || field.len() > 20 {
        return None;
    }
    field.iter().try_fold(0_u64, |sum, &byte| {
        let digit = byte.checked_sub(b'0').filter(|&digit| digit < 10)?;
        sum.checked_mul(10)?.checked_add(digit.into())
    })
}
