//! `random` and `first`: the players that every claim starts from.

use super::{Agent, Fault};
use crate::games::{Game, Seat};
use crate::rng::{Rng, Seed};
use crate::spec::AgentSpec;

/// The spec of [`Random`].
pub const RANDOM: AgentSpec = AgentSpec {
    name: "random",
    help: "Uniform over legal actions. A weak, saturated opponent: in Durak a player without search beats it 98 %.",
    games: &[],
    options: &[],
};

/// The spec of [`First`].
pub const FIRST: AgentSpec = AgentSpec {
    name: "first",
    help: "The first legal move in the game's order.",
    games: &[],
    options: &[],
};

/// Uniform over legal actions.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Default for Random {
    fn default() -> Self {
        Self {
            rng: Seed::root(0).rng(),
        }
    }
}

impl<G: Game> Agent<G> for Random {
    fn start(&mut self, _game: &G, _seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.rng = seed.rng();
        Ok(())
    }

    fn choose(&mut self, _game: &G, _view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        Ok(legal[self.rng.index(legal.len())])
    }
}

/// The first legal move.
#[derive(Clone, Copy, Default, Debug)]
pub struct First;

impl<G: Game> Agent<G> for First {
    fn start(&mut self, _game: &G, _seat: Seat, _seed: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, _game: &G, _view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        Ok(legal[0])
    }
}
