//! The opening book of `perfect`: the column that [`super::choose`] gives in early positions.
//!
//! It holds positions that a game from the empty board can reach in which one seat always plays
//! [`super::choose`]; positions in which the choice needs no search are left out. It is made by
//!
//! ```text
//! cargo run --release --example connect_four_book -- make book.bin 12 7
//! cargo run --release --example connect_four_book -- check 50
//! ```
//!
//! (the deepest even and odd ply); choices that the committed book has are taken over. The
//! committed one is whole for even plies up to the twelfth and odd ones up to the seventh. Seen on
//! a busy machine, outside the book: a pair of games from a random opening of five moves took about
//! 20 s, another was not done after 25 s; from openings of seven moves a move of `perfect` took 0.4 s
//! on average (25 moves). The file is a list of numbers key x 8 + column in ascending order of
//! the keys ([`Position::key`] of the smaller of the position and its mirror image), each written as
//! the difference to the one before, seven bits a byte, the lowest first, the top bit set on all
//! but the last byte of a number.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::solver::Position;

/// The committed book.
const BYTES: &[u8] = include_bytes!("book.bin");

/// Moves by position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Key x 8 + column, ascending.
    entries: Vec<u64>,
}

impl Book {
    /// The committed book.
    pub fn committed() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Self::decode(BYTES))
    }

    /// A book of these columns by canonical key.
    pub fn new(columns: &BTreeMap<u64, u32>) -> Self {
        let entry = |(&key, &column): (&u64, &u32)| key << 3 | u64::from(column);
        Self {
            entries: columns.iter().map(entry).collect(),
        }
    }

    /// Reads the bytes of a book.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut entries = Vec::new();
        let (mut entry, mut difference, mut shift) = (0_u64, 0_u64, 0);
        for &byte in bytes {
            difference |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 || shift > 56 {
                entry = entry.wrapping_add(difference);
                entries.push(entry);
                (difference, shift) = (0, 0);
            }
        }
        Self { entries }
    }

    /// The book's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut last = 0;
        for &entry in &self.entries {
            let mut difference = entry - last;
            last = entry;
            while difference > 0x7f {
                bytes.push((difference & 0x7f) as u8 | 0x80);
                difference >>= 7;
            }
            bytes.push((difference & 0x7f) as u8);
        }
        bytes
    }

    /// Positions with their columns, by key.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (Position, u32)> {
        self.entries
            .iter()
            .map(|&entry| (Position::from_key(entry >> 3), (entry & 7) as u32))
    }

    /// The column for a position, if the book has it or its mirror image.
    pub fn column(&self, position: Position) -> Option<u32> {
        let (position, is_mirrored) = position.canonical();
        let key = position.key();
        let at = self.entries.partition_point(|&entry| entry >> 3 < key);
        let entry = self.entries.get(at).filter(|&&entry| entry >> 3 == key)?;
        let column = (entry & 7) as u32;
        Some(if is_mirrored { 6 - column } else { column })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agents::perfect::connect_four::choose;
    use crate::agents::perfect::connect_four::solver::{Solver, Table};

    #[test]
    fn the_committed_book_is_small_sorted_and_made_of_canonical_positions() {
        let book = Book::committed();
        assert!(BYTES.len() < 100_000);
        assert!(book.entries().len() > 500);
        assert!(book.entries.is_sorted());
        assert_eq!(book.encode(), BYTES);
        for (position, column) in book.entries() {
            assert_eq!(position.canonical(), (position, false));
            assert!(position.is_open(column));
            assert_eq!(book.column(position), Some(column));
        }
    }

    #[test]
    fn both_images_of_a_position_have_mirrored_columns() {
        let book = Book::committed();
        assert_eq!(book.column(Position::EMPTY), Some(3));
        for (column, mirrored) in [(0, 6), (1, 5), (2, 4)] {
            let answer = |c| book.column(Position::EMPTY.play(c));
            let first = answer(column).expect("all first moves are in the book");
            assert_eq!(answer(mirrored), Some(6 - first));
        }
        let full = (0..3).fold(Position::EMPTY, |p, c| p.play(c).play(c));
        // No odd ply as late as this one is in the book.
        assert_eq!(book.column(full.play(3)), None);
    }

    #[test]
    fn a_sample_of_the_book_is_found_again_by_the_solver() {
        let book = Book::committed();
        let deepest = book.entries().map(|(p, _)| p.plies()).max().unwrap_or(0);
        let late: Vec<_> = (book.entries())
            .filter(|(position, _)| position.plies() >= deepest - 1)
            .collect();
        let solver = Solver::new(Arc::new(Table::new(20)));
        for &(position, column) in late.iter().step_by(late.len() / 6) {
            assert_eq!(choose(&solver, position), column, "{position:?}");
        }
    }
}
