//! `cheating-uct`: UCT on the true state, hidden cards and all. An upper reference for honest
//! search, never a player to compare with fairly.

use super::options::{
    DEPTH, EPSILON, EXPLORATION, FINAL, MILLIS, NODES, ROLLOUT, SELECTION, SIMULATIONS,
    SearchOptions,
};
use super::shared::{Streams, full_notice};
use super::tree::Tree;
use crate::agents::{BuildError, CheatingAgent, Fault, Player};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::{AgentSpec, Settings};

/// The spec of [`CheatingUct`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "cheating-uct",
    help: "UCT that sees the whole state, hidden cards included: an upper reference, not a fair opponent.",
    games: &[],
    options: &[
        SIMULATIONS,
        MILLIS,
        EXPLORATION,
        ROLLOUT,
        EPSILON,
        DEPTH,
        SELECTION,
        FINAL,
        NODES,
    ],
};

/// UCT on the true state.
pub struct CheatingUct<G: Game> {
    tree: Tree<G>,
    streams: Streams,
    options: SearchOptions,
    full: u32,
    estimate: Option<f64>,
}

impl<G: Game> CheatingUct<G> {
    /// A searcher with these options.
    pub fn new(options: SearchOptions) -> Self {
        Self {
            tree: Tree::new(options),
            streams: Streams::new(&Seed::root(0)),
            options,
            full: 0,
            estimate: None,
        }
    }
}

/// `cheating-uct` with these settings.
///
/// # Errors
/// If the options do not go together or with this game.
pub(in crate::agents) fn build<G: Game>(
    game: &G,
    settings: &Settings,
) -> Result<Player<G>, BuildError> {
    let options = SearchOptions::read(game, settings)?;
    Ok(Player::Cheating(Box::new(CheatingUct::new(options))))
}

impl<G: Game> CheatingAgent<G> for CheatingUct<G> {
    fn start(&mut self, _game: &G, _seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.streams = Streams::new(&seed);
        self.estimate = None;
        Ok(())
    }

    fn choose(&mut self, game: &G, state: &G::State, legal: &[G::Move]) -> Result<G::Move, Fault> {
        self.estimate = None;
        if let [only] = legal {
            return Ok(*only);
        }
        let budget = self.options.budget;
        self.tree
            .search(game, state, legal, budget, &mut self.streams);
        self.full += u32::from(self.tree.is_full());
        let best = self.tree.best(legal);
        self.estimate = Some(self.tree.edge(best).mean);
        Ok(best)
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }

    fn notice(&self) -> Option<String> {
        full_notice(self.full, self.options.nodes)
    }
}
