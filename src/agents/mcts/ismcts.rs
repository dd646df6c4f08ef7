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

use super::arena::{Arena, NONE, ROOT};
use super::options::{
    DEPTH, EPSILON, EXPLORATION, FINAL, MILLIS, NODES, ROLLOUT, SELECTION, SIMULATIONS,
    SearchOptions, Selection,
};
use super::rollout::{rollout, score};
use super::shared::{Clock, Edge, Streams, best_move, expected_nodes, full_notice};
use super::ucb::{Terms, tuned_bonus};
use crate::agents::{Agent, BuildError, Fault, Player};
use crate::games::{Game, Scores, Seat};
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
    ],
};

/// Single-observer information set MCTS.
pub struct Ismcts<G: Game> {
    options: SearchOptions,
    terms: &'static Terms,
    streams: Streams,
    arena: Arena<G::Move>,
    path: Vec<(u32, u8)>,
    legal: Vec<G::Move>,
    /// For each legal move the index of its child, or `NONE`.
    children: Vec<u32>,
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
            terms: Terms::get(),
            streams: Streams::new(&Seed::root(0)),
            arena: Arena::new(options.nodes, options.selection == Selection::Ucb1Tuned),
            path: Vec::new(),
            legal: Vec::new(),
            children: Vec::new(),
            state: None,
            full: 0,
            estimate: None,
        }
    }

    fn search<const TUNED: bool>(&mut self, game: &G, view: &G::View, state: &mut G::State) {
        let mut clock = Clock::start(self.options.budget);
        while clock.goes_on() {
            game.sample_into(view, &mut self.streams.worlds, state);
            let scores = self.descend::<TUNED>(game, state);
            for &(at, mover) in &self.path {
                let reward = scores.of(Seat::from(mover));
                self.arena.visit(at, reward, self.terms);
            }
        }
    }

    /// One simulation in the world `state`: leaves the path behind and returns its scores.
    #[inline]
    fn descend<const TUNED: bool>(&mut self, game: &G, state: &mut G::State) -> Scores {
        self.path.clear();
        let mut at = ROOT;
        while let Some(mover) = game.to_move(state) {
            game.legal_into(state, &mut self.legal);
            let untried = self.match_children(game, at);
            let next = if untried == 0 {
                self.select::<TUNED>()
            } else {
                match self.expand(game, at, untried) {
                    Some(child) => child,
                    None => break,
                }
            };
            game.apply(state, self.arena.node(next).mv);
            #[expect(clippy::cast_possible_truncation, reason = "at most six seats")]
            self.path.push((next, mover as u8));
            if untried > 0 {
                break;
            }
            at = next;
        }
        if game.to_move(state).is_none() {
            return score(game, state);
        }
        rollout(game, &self.options, state, &mut self.streams.rollouts)
    }

    /// Finds the child of each legal move; the number of moves that have none.
    #[inline]
    fn match_children(&mut self, game: &G, at: u32) -> usize {
        self.children.clear();
        let mut untried = 0;
        for &mv in &self.legal {
            let child = self.arena.child(at, game.move_code(mv));
            untried += usize::from(child == NONE);
            self.children.push(child);
        }
        untried
    }

    /// Adds a child for one of the `untried` legal moves that have none.
    fn expand(&mut self, game: &G, at: u32, untried: usize) -> Option<u32> {
        let mut left = self.streams.opening.index(untried);
        let mut chosen = None;
        for (&mv, &child) in self.legal.iter().zip(&self.children) {
            if child != NONE {
                self.arena.node_mut(child).available += 1;
            } else if left == 0 && chosen.is_none() {
                chosen = Some(mv);
            } else {
                left = left.saturating_sub(1);
            }
        }
        let mv = chosen?;
        let child = self.arena.add(at, game.move_code(mv), mv)?;
        self.arena.node_mut(child).available = 1;
        Some(child)
    }

    /// The best of the legal moves' children, all of which exist; counts them as available.
    #[inline]
    fn select<const TUNED: bool>(&mut self) -> u32 {
        let exploration = self.options.exploration;
        let (mut best, mut best_value) = (NONE, f64::NEG_INFINITY);
        for &child in &self.children {
            let variance = if TUNED {
                self.arena.variance(child)
            } else {
                0.0
            };
            let node = self.arena.node_mut(child);
            let root_log = self.terms.root_log(node.available);
            node.available += 1;
            let bonus = if TUNED {
                tuned_bonus(exploration, root_log, node.spread, variance)
            } else {
                exploration * root_log * node.spread
            };
            let value = node.mean + bonus;
            if value > best_value {
                (best, best_value) = (child, value);
            }
        }
        best
    }

    fn edge(&self, game: &G, mv: G::Move) -> Edge {
        match self.arena.child(ROOT, game.move_code(mv)) {
            NONE => Edge::default(),
            child => {
                let node = self.arena.node(child);
                Edge {
                    visits: node.visits,
                    mean: node.mean,
                    of: node.available,
                }
            }
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
        self.arena
            .clear(expected_nodes(self.options.budget), legal[0]);
        match self.options.selection {
            Selection::Ucb1 => self.search::<false>(game, view, &mut state),
            Selection::Ucb1Tuned => self.search::<true>(game, view, &mut state),
        }
        self.state = Some(state);
        self.full += u32::from(self.arena.is_full());
        let best = best_move(&self.options, legal, |mv| self.edge(game, mv));
        self.estimate = Some(self.edge(game, best).mean);
        Ok(best)
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }

    fn notice(&self) -> Option<String> {
        full_notice(self.full, self.options.nodes)
    }
}
