//! `ismcts`: single-observer information set MCTS (Cowling, Powley and Whitehouse, "Information
//! set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012, algorithm 1).
//!
//! One tree over the moves since the root, shared by all determinizations. Each simulation
//! 1. samples a state from the root player's view, every consistent state with its right chance;
//! 2. descends: at each node only the children whose moves are legal in this state compete, by
//!    mean reward + exploration x sqrt(ln(availability) / visits), where a child's availability is
//!    the number of earlier simulations in which it could have been chosen here;
//! 3. stops at the first node with a legal move that has no child yet, and adds one child for one
//!    of these, chosen uniformly;
//! 4. plays a rollout and adds each seat's reward to the nodes that this seat moved into; every
//!    child that was legal on the way counts as available once more.

use super::arena::{Arena, ROOT};
use super::options::{
    DEPTH, ENDGAME, EPSILON, EXPLORATION, FINAL, MILLIS, NODES, ROLLOUT, SELECTION, SIMULATIONS,
    SearchOptions, Selection,
};
use super::rollout::{rollout, score};
use super::shared::{Clock, Streams, best_index, full_notice};
use crate::agents::{Agent, BuildError, Fault, Player};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::{AgentSpec, Settings};

/// The spec of [`Ismcts`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "ismcts",
    help: "Single-observer information set MCTS with availability counts (Cowling, Powley and Whitehouse 2012).",
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
        ENDGAME,
    ],
};

/// Single-observer information set MCTS.
pub struct Ismcts<G: Game> {
    options: SearchOptions,
    streams: Streams,
    arena: Arena<G>,
    state: Option<G::State>,
    /// Decisions in which the node budget was hit.
    full: u32,
    estimate: Option<f64>,
}

/// `ismcts` with these settings.
///
/// # Errors
/// If the options do not go together or with this game.
pub(in crate::agents) fn build<G: Game>(
    game: &G,
    settings: &Settings,
) -> Result<Player<G>, BuildError> {
    let options = SearchOptions::read(game, settings)?;
    Ok(Player::Honest(Box::new(Ismcts::new(options))))
}

impl<G: Game> Ismcts<G> {
    /// A searcher with these options.
    pub fn new(options: SearchOptions) -> Self {
        Self {
            options,
            streams: Streams::new(&Seed::root(0)),
            arena: Arena::new(options),
            state: None,
            full: 0,
            estimate: None,
        }
    }

    fn search<const TUNED: bool>(&mut self, game: &G, view: &G::View, state: &mut G::State) {
        let streams = &mut self.streams;
        let mut clock = Clock::start(self.options.budget);
        while clock.goes_on() {
            game.sample_into(view, &mut streams.worlds, state);
            self.arena.begin();
            let mut at = ROOT;
            while let Some(mover) = game.to_move(state) {
                let choice =
                    self.arena
                        .choose::<TUNED>(game, state, mover, at, &mut streams.opening);
                let Some(choice) = choice else { break };
                game.apply(state, choice.mv);
                at = choice.node;
                if choice.fresh {
                    break;
                }
            }
            let scores = if game.to_move(state).is_some() {
                rollout(game, &self.options, state, &mut streams.rollouts)
            } else {
                score(game, state)
            };
            self.arena.back_up(&scores);
        }
    }
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn start(&mut self, _game: &G, _seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.streams = Streams::new(&seed);
        self.estimate = None;
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        self.estimate = None;
        if let [only] = legal {
            return Ok(*only);
        }
        let mut state = match self.state.take() {
            Some(state) => state,
            None => game.sample(view, &mut self.streams.worlds.clone()),
        };
        self.arena.clear(legal[0]);
        match self.options.selection {
            Selection::Ucb1 => self.search::<false>(game, view, &mut state),
            Selection::Ucb1Tuned => self.search::<true>(game, view, &mut state),
        }
        self.state = Some(state);
        self.full += u32::from(self.arena.is_full());
        let edge = |index: usize| self.arena.edge(game, ROOT, legal[index]);
        let best = best_index(&self.options, legal.len(), edge);
        self.estimate = Some(edge(best).mean);
        Ok(legal[best])
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }

    fn notice(&self) -> Option<String> {
        full_notice(self.full, self.options.nodes)
    }
}
