//! Writing `games.csv`.

use std::io::{self, Write};

use super::{cell_fields, columns};
use crate::block::{Outcome, PlayedBlock};
use crate::plan::{CellSeeds, Plan};

/// Writes blocks as rows.
pub struct Writer<'p, W> {
    plan: &'p Plan,
    out: W,
    next_game: u64,
    /// The cell that the last block belonged to.
    cell: Option<CellText>,
    row: Vec<u8>,
}

/// What all rows of a cell have in common.
struct CellText {
    index: usize,
    /// From the comma before `cell` to the comma after `phase`.
    middle: Vec<u8>,
    seeds: CellSeeds,
}

impl<'p, W: Write> Writer<'p, W> {
    /// A writer to `out` (which is best buffered); writes the line of column names.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn new(plan: &'p Plan, out: W) -> io::Result<Self> {
        let mut writer = Self {
            plan,
            out,
            next_game: 0,
            cell: None,
            row: Vec::new(),
        };
        for (index, name) in columns(plan).enumerate() {
            if index > 0 {
                writer.row.push(b',');
            }
            push_quoted(&mut writer.row, name);
        }
        writer.row.push(b'\n');
        writer.out.write_all(&writer.row)?;
        Ok(writer)
    }

    /// Writes the rows of `block`. Blocks come in the order of cells and numbers.
    ///
    /// # Errors
    /// If the block's cell is not in the plan, or the rows cannot be written.
    pub fn write(&mut self, block: &PlayedBlock) -> io::Result<()> {
        let Some(cell) = self.plan.cells.get(block.cell) else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("there is no cell {} in the plan", block.cell),
            ));
        };
        let text = match self.cell.take().filter(|text| text.index == block.cell) {
            Some(text) => text,
            None => CellText::new(self.plan, block.cell),
        };
        let seed = text.seeds.deal(block.block).short();
        let row = &mut self.row;
        row.clear();
        for (rotation, game) in block.games.iter().enumerate() {
            let seat = PlayedBlock::seat(rotation);
            push_number(row, self.next_game);
            row.extend_from_slice(&text.middle);
            push_number(row, block.block);
            row.push(b',');
            for number in [rotation, seat, game.first_seat] {
                push_number(row, number as u64);
                row.push(b',');
            }
            push_hex(row, seed);
            row.push(b',');
            push_score(row, game.scores.of(seat))?;
            row.push(b',');
            for (index, &score) in game.scores.as_slice().iter().enumerate() {
                if index > 0 {
                    row.push(b';');
                }
                push_score(row, score)?;
            }
            row.push(b',');
            let places = &game.places[..cell.seats.min(game.places.len())];
            if places.iter().any(|&place| place != 0) {
                for (index, &place) in places.iter().enumerate() {
                    if index > 0 {
                        row.push(b';');
                    }
                    push_number(row, place.into());
                }
            }
            row.push(b',');
            row.extend_from_slice(Outcome::of(game, seat).word().as_bytes());
            row.push(b',');
            row.extend_from_slice(game.end.word().as_bytes());
            row.push(b',');
            if let Some(fault) = game.fault_seat {
                push_number(row, fault as u64);
            }
            row.push(b',');
            push_number(row, game.decisions.into());
            row.push(b',');
            push_hex(row, game.digest);
            row.push(b'\n');
            self.next_game += 1;
        }
        self.cell = Some(text);
        self.out.write_all(row)
    }

    /// How many games were written.
    pub fn games(&self) -> u64 {
        self.next_game
    }

    /// Flushes and gives back what was written to.
    ///
    /// # Errors
    /// If it cannot be flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl CellText {
    fn new(plan: &Plan, index: usize) -> Self {
        let cell = &plan.cells[index];
        let mut middle = vec![b','];
        push_number(&mut middle, index as u64);
        middle.push(b',');
        for field in cell_fields(cell) {
            push_quoted(&mut middle, &field);
            middle.push(b',');
        }
        Self {
            index,
            middle,
            seeds: CellSeeds::new(plan.seed, cell),
        }
    }
}

/// Appends `field`, quoted if RFC 4180 asks for it.
pub(super) fn push_quoted(out: &mut Vec<u8>, field: &str) {
    if !field.contains(['"', ',', '\n', '\r']) {
        out.extend_from_slice(field.as_bytes());
        return;
    }
    out.push(b'"');
    for &byte in field.as_bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn push_number(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

fn push_hex(out: &mut Vec<u8>, number: u64) {
    for shift in (0..16).rev() {
        let digit = (number >> (4 * shift)) & 15;
        out.push(b"0123456789abcdef"[digit as usize]);
    }
}

fn push_score(out: &mut Vec<u8>, score: f64) -> io::Result<()> {
    // The usual ones without the formatter; -0 is 0.
    if score == 0.0 {
        out.push(b'0');
    } else if score.to_bits() == 1.0_f64.to_bits() {
        out.push(b'1');
    } else {
        write!(out, "{score}")?;
    }
    Ok(())
}
