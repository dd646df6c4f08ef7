//! How long players took: sums per cell. Never part of a reproducible file.

use crate::games::Seat;
use crate::plan::Cell;
use crate::record::GameRecord;

/// Time that the two sides of a cell took, over the games in which it was measured (all of them
/// where games are slow; a sample where reading the clock would cost more than playing).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Nanoseconds that the challenger spent choosing.
    pub challenger_nanos: u64,
    /// Decisions that it took in them.
    pub challenger_moves: u64,
    /// The same of all its opponents together.
    pub opponent_nanos: u64,
    /// Decisions that they took in them.
    pub opponent_moves: u64,
}

impl Times {
    /// Adds a measured game in which the challenger sat in `seat`.
    pub(crate) fn add_game(&mut self, cell: &Cell, seat: Seat, game: &GameRecord) {
        for other in 0..cell.seats {
            let (nanos, moves) = if other == seat {
                (&mut self.challenger_nanos, &mut self.challenger_moves)
            } else {
                (&mut self.opponent_nanos, &mut self.opponent_moves)
            };
            *nanos = nanos.saturating_add(game.nanos[other]);
            *moves = moves.saturating_add(game.choices[other].into());
        }
    }

    /// Adds other sums.
    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.fields_mut().into_iter().zip(other.fields()) {
            *mine = mine.saturating_add(theirs);
        }
    }

    /// Whether nothing was measured.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn fields(&self) -> [u64; 4] {
        [
            self.challenger_nanos,
            self.challenger_moves,
            self.opponent_nanos,
            self.opponent_moves,
        ]
    }

    fn fields_mut(&mut self) -> [&mut u64; 4] {
        [
            &mut self.challenger_nanos,
            &mut self.challenger_moves,
            &mut self.opponent_nanos,
            &mut self.opponent_moves,
        ]
    }

    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (chunk, field) in bytes.chunks_exact_mut(8).zip(self.fields()) {
            chunk.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut times = Self::default();
        let (words, []) = bytes.as_chunks::<8>() else {
            return None;
        };
        if words.len() != 4 {
            return None;
        }
        for (field, word) in times.fields_mut().into_iter().zip(words) {
            *field = u64::from_le_bytes(*word);
        }
        Some(times)
    }
}
