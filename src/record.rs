//! What is kept of a game: everything in `games.csv` that comes from playing it.

use crate::games::{MAX_SEATS, Places, Scores, Seat};

/// Decisions after which a game is cut off.
pub const DECISION_CAP: u32 = 5_000;

/// How a game ended (column `end`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// By the rules.
    Normal,
    /// A program answered a move that is not legal.
    IllegalMove,
    /// A program exceeded its time.
    Timeout,
    /// A program exited or closed its output.
    Crash,
    /// A program broke the protocol.
    Protocol,
    /// After 5,000 decisions.
    DecisionCap,
    /// At the third identical full state at the start of a natural unit.
    Repetition,
}

impl End {
    /// All, in the order of their codes.
    pub const ALL: [Self; 7] = [
        Self::Normal,
        Self::IllegalMove,
        Self::Timeout,
        Self::Crash,
        Self::Protocol,
        Self::DecisionCap,
        Self::Repetition,
    ];

    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::IllegalMove => "illegal_move",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Protocol => "protocol",
            Self::DecisionCap => "decision_cap",
            Self::Repetition => "repetition",
        }
    }

    /// The end with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.word() == word)
    }

    /// Whether the game was cut off: it scores the fair share and is left out of the primary
    /// estimate.
    pub fn is_truncated(self) -> bool {
        matches!(self, Self::DecisionCap | Self::Repetition)
    }

    /// Whether a player forfeited.
    pub fn is_forfeit(self) -> bool {
        matches!(
            self,
            Self::IllegalMove | Self::Timeout | Self::Crash | Self::Protocol
        )
    }
}

/// One finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Scores of all seats.
    pub scores: Scores,
    /// Order of going out.
    pub places: Places,
    /// Who moved first.
    pub first_seat: Seat,
    /// How it ended.
    pub end: End,
    /// The seat that forfeited.
    pub fault_seat: Option<Seat>,
    /// Number of decisions.
    pub decisions: u32,
    /// Digest of the move sequence.
    pub digest: u64,
    /// Nanoseconds that each seat spent choosing; 0 where nothing was measured. Never part of a
    /// reproducible file.
    pub nanos: [u64; MAX_SEATS],
    /// Number of decisions by each seat's agent (random opening moves are nobody's).
    pub choices: [u32; MAX_SEATS],
}

/// A running digest of a move sequence: a 64-bit multiply-fold mix of the moves' codes.
///
/// It tells repeated games apart from new ones; forged files are found by the manifest's hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0x243f_6a88_85a3_08d3)
    }
}

impl Digest {
    /// Adds a move's code.
    #[inline]
    pub fn push(&mut self, code: u32) {
        let product = u128::from(self.0 ^ u64::from(code).wrapping_add(0x9e37_79b9_7f4a_7c15))
            * u128::from(0xd6e8_feb8_6659_fd93_u64);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves are folded")]
        {
            self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(23);
        }
    }

    /// The digest so far.
    pub fn value(self) -> u64 {
        self.0
    }
}
