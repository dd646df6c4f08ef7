//! Players: random, first, the MCTS family, solvers, and the boundary to programs and people.
//!
//! An [`Agent`] is given what its seat may know; a [`CheatingAgent`] is given the whole state and
//! exists only under names that start with `cheating-`. Dispatch is dynamic once per decision and
//! static below: a simulation makes no virtual call and no allocation.

pub mod basic;

use crate::games::{Game, Scores, Seat};
use crate::record::End;
use crate::rng::Seed;
use crate::spec::AgentSpec;

/// Why a player could not move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It answered something that is not a legal move.
    #[error("answered `{answer}`, which is not a legal move")]
    IllegalMove {
        /// The answer, escaped.
        answer: String,
    },
    /// It exceeded its time.
    #[error("did not answer within {milliseconds} ms")]
    Timeout {
        /// The limit.
        milliseconds: u64,
    },
    /// It exited or closed its output.
    #[error("crashed: {0}")]
    Crash(String),
    /// It broke the protocol.
    #[error("broke the protocol: {0}")]
    Protocol(String),
    /// Not the player's doing: the game is no result and the run stops with exit code 1.
    #[error("{0}")]
    Infrastructure(String),
    /// The run was interrupted while the player was thinking: the game is no result.
    #[error("interrupted")]
    Interrupted,
}

impl Fault {
    /// The `end` of a game forfeited by this fault; `None` if it is no result.
    pub fn end(&self) -> Option<End> {
        match self {
            Self::IllegalMove { .. } => Some(End::IllegalMove),
            Self::Timeout { .. } => Some(End::Timeout),
            Self::Crash(_) => Some(End::Crash),
            Self::Protocol(_) => Some(End::Protocol),
            Self::Infrastructure(_) | Self::Interrupted => None,
        }
    }
}

/// A player that is given what its seat may know.
pub trait Agent<G: Game>: Send {
    /// A new game begins: forget the last one. `seed` is this agent's own stream for this game.
    ///
    /// # Errors
    /// If a program cannot be started.
    fn start(&mut self, game: &G, seat: Seat, seed: Seed) -> Result<(), Fault>;

    /// Chooses one of `legal` (never empty; in the game's order).
    ///
    /// # Errors
    /// If the player gives no legal move; in-process agents never fail.
    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault>;

    /// A move was made, by any seat including this one. `view` is what this seat knows after it.
    /// Only called if [`Agent::observes`].
    fn observe(&mut self, _game: &G, _mover: Seat, _mv: G::Move, _view: &G::View) {}

    /// Whether [`Agent::observe`] is to be called.
    fn observes(&self) -> bool {
        false
    }

    /// The game is over.
    fn end(&mut self, _game: &G, _scores: &Scores, _end: End) {}

    /// Something the report must say about this agent (such as a node budget that was hit).
    fn notice(&self) -> Option<String> {
        None
    }
}

/// A player that sees the whole state.
pub trait CheatingAgent<G: Game>: Send {
    /// As [`Agent::start`].
    ///
    /// # Errors
    /// As [`Agent::start`].
    fn start(&mut self, game: &G, seat: Seat, seed: Seed) -> Result<(), Fault>;

    /// Chooses one of `legal`, seeing everything.
    ///
    /// # Errors
    /// As [`Agent::choose`].
    fn choose(&mut self, game: &G, state: &G::State, legal: &[G::Move]) -> Result<G::Move, Fault>;
}

/// A player at a table.
pub enum Player<G: Game> {
    /// Given views.
    Honest(Box<dyn Agent<G>>),
    /// Given states; its name starts with `cheating-`.
    Cheating(Box<dyn CheatingAgent<G>>),
}

/// Every agent that can be named, in the order of `evalctl list agents`.
pub fn specs() -> &'static [&'static AgentSpec] {
    &[&basic::RANDOM, &basic::FIRST]
}
