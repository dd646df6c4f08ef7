//! The end of Durak between two players, played exactly once the talon is empty.
//!
//! Nothing is hidden then: the other hand is what is in no other place. With at most [`MOST_CARDS`]
//! cards in both hands and on the table, [`Exact`] works out who can force a win (`proof`), and
//! * plays a forced win, following one proof to its end, so that the win comes in finite play even where
//!   play could repeat;
//! * in a drawn position chooses among the moves that keep the draw, in a lost one among all, by the
//!   player that it wraps: against an opponent that errs it matters which of them is played.
//!
//! Everywhere else the wrapped player moves as it would alone. A draw here is a draw by both hands
//! running empty or by endless play; a table ends endless play as `truncated` (third repetition).
//!
//! Endings of twelve cards from random games under the default rules needed 700 positions (median)
//! and at most 20,000 for each seat; with transfers 14,000 and 440,000; with transfers and no bound by
//! the defender's hand 180,000 and 1,400,000. One that needed more than [`MOST_POSITIONS`]
//! would be left to the wrapped player, and the report would say so.

mod proof;

use self::proof::{Proof, TooMany};
use crate::agents::{Agent, BuildError, Fault};
use crate::games::Seat;
use crate::games::durak::ending::Ending;
use crate::games::durak::{Durak, Move, View};
use crate::rng::Seed;

/// The most cards in both hands and on the table together that are played exactly.
pub const MOST_CARDS: u32 = 12;

/// The most positions kept for each seat's wins.
pub const MOST_POSITIONS: usize = 4_000_000;

/// A player that is exact at the end and elsewhere moves as the player inside.
pub struct Exact {
    inner: Box<dyn Agent<Durak>>,
    ending: Option<Ending>,
    /// What each seat can force.
    proofs: [Proof; 2],
    /// Moves among which the inner player chooses.
    kept: Vec<Move>,
    legal: Vec<Move>,
    /// Decisions that were left to the inner player for want of room.
    left: u32,
    estimate: Option<f64>,
    /// Whether the last estimate is a proven value.
    is_proven: bool,
}

/// What is known of a decision.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Verdict {
    /// This move wins.
    Wins(Move),
    /// The moves in `kept` draw.
    Draws,
    /// All moves lose.
    Loses,
}

impl Exact {
    /// Plays endings exactly and everything else as `inner`.
    pub fn new(inner: Box<dyn Agent<Durak>>) -> Self {
        Self {
            inner,
            ending: None,
            proofs: [Proof::new(0), Proof::new(1)],
            kept: Vec::new(),
            legal: Vec::new(),
            left: 0,
            estimate: None,
            is_proven: false,
        }
    }

    /// [`Exact::new`] where endings can be solved.
    ///
    /// # Errors
    /// If the game has more than two players.
    pub fn build(game: &Durak, inner: Box<dyn Agent<Durak>>) -> Result<Self, BuildError> {
        match game.rules().players {
            2 => Ok(Self::new(inner)),
            players => Err(BuildError::about(
                "endgame",
                format!(
                    "endings are solved for two players, not {players}: use `ismcts` with endgame=off"
                ),
            )),
        }
    }

    fn forget(&mut self) {
        self.ending = None;
        for proof in &mut self.proofs {
            proof.clear();
        }
    }

    /// The number of the position that a view shows, if it is to be played exactly. What was proven
    /// of the ending that it belongs to is kept.
    fn position(&mut self, game: &Durak, view: &View) -> Option<u64> {
        let (ending, position) = Ending::of_view(game, view, MOST_CARDS)?;
        if let Some(position) = (self.ending.as_ref()).and_then(|known| known.position_in(&ending))
        {
            return Some(position);
        }
        self.forget();
        self.ending = Some(ending);
        Some(position)
    }

    fn verdict(&mut self, seat: Seat, position: u64) -> Result<Option<Verdict>, TooMany> {
        let Some(ending) = &self.ending else {
            return Ok(None);
        };
        let [own, other] = if seat == 0 { [0, 1] } else { [1, 0] };
        let (state, _) = ending.moves(position, &mut self.legal);
        if self.proofs[own].is_won(ending, position, MOST_POSITIONS)? {
            let number = self.proofs[own].winning_move(position);
            let mv = number.and_then(|number| self.legal.get(number));
            return Ok(mv.copied().map(Verdict::Wins));
        }
        self.kept.clear();
        for &mv in &self.legal {
            let lost = match ending.after(&state, mv) {
                Err(fool) => fool == Some(seat),
                Ok(next) => self.proofs[other].is_won(ending, next, MOST_POSITIONS)?,
            };
            if !lost {
                self.kept.push(mv);
            }
        }
        Ok(Some(if self.kept.is_empty() {
            Verdict::Loses
        } else {
            Verdict::Draws
        }))
    }
}

impl Agent<Durak> for Exact {
    fn start(&mut self, game: &Durak, seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.forget();
        self.is_proven = false;
        self.inner.start(game, seat, seed)
    }

    fn choose(&mut self, game: &Durak, view: &View, legal: &[Move]) -> Result<Move, Fault> {
        self.is_proven = false;
        let verdict = match self.position(game, view) {
            Some(position) if legal.len() > 1 => self.verdict(view.seat(), position),
            _ => Ok(None),
        };
        let (value, moves) = match &verdict {
            Ok(Some(Verdict::Wins(mv))) => {
                self.is_proven = true;
                self.estimate = Some(1.0);
                return Ok(*mv);
            }
            Ok(Some(Verdict::Draws)) => (Some(0.5), self.kept.as_slice()),
            Ok(Some(Verdict::Loses)) => (Some(0.0), legal),
            Ok(None) | Err(TooMany) => (None, legal),
        };
        self.is_proven = value.is_some();
        self.estimate = value;
        let chosen = self.inner.choose(game, view, moves);
        if verdict == Err(TooMany) {
            // A later position of this ending may be small enough.
            self.left += 1;
            self.forget();
        }
        chosen
    }

    fn observe(&mut self, game: &Durak, mover: Seat, mv: Move, view: &View) {
        self.inner.observe(game, mover, mv, view);
    }

    fn observes(&self) -> bool {
        self.inner.observes()
    }

    fn estimate(&self) -> Option<f64> {
        if self.is_proven {
            self.estimate
        } else {
            self.inner.estimate()
        }
    }

    fn notice(&self) -> Option<String> {
        let own = (self.left > 0).then(|| {
            format!(
                "{} endings of at most {MOST_CARDS} cards needed more than {MOST_POSITIONS} positions and were searched instead",
                self.left
            )
        });
        match (own, self.inner.notice()) {
            (Some(own), Some(inner)) => Some(format!("{own}; {inner}")),
            (own, inner) => own.or(inner),
        }
    }
}

#[cfg(test)]
mod tests;
