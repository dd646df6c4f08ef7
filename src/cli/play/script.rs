//! Players that first repeat the moves of an earlier game.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::agents::{Agent, CheatingAgent, Fault, Player};
use crate::games::{Game, Scores, Seat};
use crate::record::End;
use crate::rng::Seed;

/// Moves of all seats in their order, shared by the players of a table.
pub(super) type Script = Arc<Mutex<VecDeque<String>>>;

/// `player`, that plays from `script` as long as it has moves.
pub(super) fn scripted<G: Game>(player: Player<G>, script: &Script) -> Player<G> {
    let script = Arc::clone(script);
    match player {
        Player::Honest(inner) => Player::Honest(Box::new(Scripted { inner, script })),
        Player::Cheating(inner) => Player::Cheating(Box::new(Scripted { inner, script })),
    }
}

struct Scripted<A: ?Sized> {
    inner: Box<A>,
    script: Script,
}

impl<A: ?Sized> Scripted<A> {
    /// The next move of the script, `None` if it is used up.
    fn next<G: Game>(&self, game: &G, legal: &[G::Move]) -> Option<Result<G::Move, Fault>> {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let text = script.pop_front()?;
        let found = game.parse_move(&text).ok().filter(|mv| legal.contains(mv));
        Some(found.ok_or_else(|| {
            // What could be played would show the hand of whoever is to move.
            let known = if game.info().hidden_information {
                String::new()
            } else {
                let known: Vec<String> = legal.iter().map(|&mv| game.move_text(mv)).collect();
                format!(", only {}", known.join(", "))
            };
            Fault::Infrastructure(format!(
                "--moves: `{}` cannot be played where it stands{known}; the moves belong to another game, seed or order of players",
                crate::external::escape_for_terminal(text.as_bytes())
            ))
        }))
    }
}

impl<G: Game> Agent<G> for Scripted<dyn Agent<G>> {
    fn start(&mut self, game: &G, seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.inner.start(game, seat, seed)
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        match self.next(game, legal) {
            Some(answer) => answer,
            None => self.inner.choose(game, view, legal),
        }
    }

    fn observe(&mut self, game: &G, mover: Seat, mv: G::Move, view: &G::View) {
        self.inner.observe(game, mover, mv, view);
    }

    fn observes(&self) -> bool {
        self.inner.observes()
    }

    fn end(&mut self, game: &G, scores: &Scores, end: End) {
        self.inner.end(game, scores, end);
    }
}

impl<G: Game> CheatingAgent<G> for Scripted<dyn CheatingAgent<G>> {
    fn start(&mut self, game: &G, seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.inner.start(game, seat, seed)
    }

    fn choose(&mut self, game: &G, state: &G::State, legal: &[G::Move]) -> Result<G::Move, Fault> {
        match self.next(game, legal) {
            Some(answer) => answer,
            None => self.inner.choose(game, state, legal),
        }
    }
}
