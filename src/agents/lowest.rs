//! `lowest`: the lowest-card player of Durak, the baseline that every searching player must beat.

use super::{Agent, Fault};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::AgentSpec;

/// The spec of [`Lowest`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "lowest",
    help: "Always the lowest legal card that is no trump, else the lowest trump; covers whenever it can; throws in no trump while the talon lasts. No search.",
    games: &["durak"],
    options: &[],
};

/// Plays the game's simple player ([`Game::lowest_move_in_view`]), or the first legal move in a
/// game that has none.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lowest;

impl<G: Game> Agent<G> for Lowest {
    fn start(&mut self, _game: &G, _seat: Seat, _seed: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        Ok(game.lowest_move_in_view(view).unwrap_or(legal[0]))
    }
}
