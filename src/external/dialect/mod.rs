//! The three languages in which programs are asked for moves.
//!
//! This is text only: what is written, and what an answer means. Time, processes and faults are
//! the business of [`super::bot`].

pub mod board;
pub mod json;
pub mod text;

use crate::games::Game;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// JSON objects, one a line; all games. Has a handshake and is told of everything public.
    #[default]
    Json,
    /// A line with the observation, a line with the legal moves; all games.
    Text,
    /// The mark and a board of three lines; tic-tac-toe.
    Board,
}

impl Dialect {
    /// All.
    pub const ALL: [Self; 3] = [Self::Json, Self::Text, Self::Board];

    /// The word in configs and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Board => "board",
        }
    }

    /// The dialect with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.word() == word)
    }

    /// Whether a game can be played in this language.
    pub fn can_play<G: Game>(self, game: &G) -> bool {
        self != Self::Board || game.info().name == "tictactoe"
    }
}

/// What a line from a program means while it is asked for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<M> {
    /// A legal move.
    Move(M),
    /// A well-formed answer that is no legal move: its words.
    Illegal(String),
    /// The answer goes on in the next line.
    Unfinished,
    /// Nothing: an answer to an earlier question.
    Late,
    /// Not an answer: why.
    Malformed(String),
}

/// The legal move with this text, or why there is none.
fn legal_move<G: Game>(game: &G, text: &str, legal: &[G::Move]) -> Answer<G::Move> {
    match game.parse_move(text) {
        Ok(mv) if legal.contains(&mv) => Answer::Move(mv),
        _ => Answer::Illegal(super::escape::excerpt(text.as_bytes())),
    }
}
