//! `mo-ismcts`: multiple-observer information set MCTS (Cowling, Powley and Whitehouse, IEEE TCIAIG
//! 4(2), 2012, algorithm 3), for games whose moves are public and whose players hold private cards.
//!
//! In single-observer search every player's decisions are kept under the moves made since the root,
//! so an opponent's statistics mix all hands it may hold, as if it did not know its own. Here each
//! player decides by its own information set. At a decision of seat p in a sampled world the
//! information set is
//!
//! > (all public moves since the root, [`Game::private_key`] of the world for p now),
//!
//! in Durak the moves played and p's hand. Each information set keeps its own moves with their
//! visits, rewards of p, and availability. Since every move is public, the path to an information
//! set is the same for all observers, and one table of information sets holds the trees of all.
//!
//! A simulation samples a world and descends; at each decision, if the mover's information set has
//! a legal move that was never tried there (always so in a new one), one of these is chosen
//! uniformly and the simulation leaves the tree; else UCB1 chooses among its legal moves. Rewards
//! are added to the moves on the path, each for the seat that made it.
//!
//! The root player's own information sets also differ by the cards it draws in the sampled worlds.
//! Where opponents may hold many hands, their information sets are seldom met twice and they play
//! nearly at random below the root: this is the algorithm, not a fault, and it is why
//! single-observer search can be the stronger one at small budgets.

use super::arena::Arena;
use super::index::{Index, NONE, pair};
use super::options::{
    DEPTH, ENDGAME, EPSILON, EXPLORATION, FINAL, MILLIS, NODES, ROLLOUT, SELECTION, SIMULATIONS,
    SearchOptions, Selection,
};
use super::rollout::{rollout, score};
use super::shared::{Clock, Streams, best_index, expected_nodes, full_notice};
use crate::agents::{Agent, BuildError, Fault, Player};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::{AgentSpec, Settings};

/// The spec of [`MoIsmcts`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "mo-ismcts",
    help: "Multiple-observer information set MCTS: every player decides by what it would know itself (Cowling, Powley and Whitehouse 2012).",
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

/// Which information set a simulation is in.
struct Observers {
    /// Public histories: (history, move) to history.
    histories: Index,
    /// Private keys to small numbers.
    keys: Index,
    /// (history, private key's number) to information set.
    sets: Index,
    most: usize,
}

/// The history at the root; others count from 1.
const START: u32 = 0;

impl Observers {
    fn clear(&mut self, room: usize) {
        self.histories.clear(room);
        self.keys.clear(room);
        self.sets.clear(room);
    }

    /// The information set with this history and private key, [`NONE`] if there is no room.
    #[inline]
    fn set(&mut self, history: u32, key: u64) -> u32 {
        match self.keys.intern(key, self.most) {
            NONE => NONE,
            number => self.sets.intern(pair(history, number), self.most),
        }
    }

    #[inline]
    fn next(&mut self, history: u32, code: u32) -> u32 {
        self.histories.intern(pair(history, code), self.most)
    }
}

/// Multiple-observer information set MCTS.
pub struct MoIsmcts<G: Game> {
    options: SearchOptions,
    streams: Streams,
    arena: Arena<G>,
    observers: Observers,
    state: Option<G::State>,
    /// Decisions in which the node budget was hit.
    full: u32,
    estimate: Option<f64>,
}

/// `mo-ismcts` with these settings.
///
/// # Errors
/// If the options do not go together or with this game.
pub(in crate::agents) fn build<G: Game>(
    game: &G,
    settings: &Settings,
) -> Result<Player<G>, BuildError> {
    let options = SearchOptions::read(game, settings)?;
    Ok(Player::Honest(Box::new(MoIsmcts::new(options))))
}

impl<G: Game> MoIsmcts<G> {
    /// A searcher with these options.
    pub fn new(options: SearchOptions) -> Self {
        Self {
            options,
            streams: Streams::new(&Seed::root(0)),
            arena: Arena::new(options),
            observers: Observers {
                histories: Index::new(),
                keys: Index::new(),
                sets: Index::new(),
                most: options.nodes,
            },
            state: None,
            full: 0,
            estimate: None,
        }
    }

    /// Searches; the root's information set, and whether the node budget was hit.
    fn search<const TUNED: bool>(
        &mut self,
        game: &G,
        view: &G::View,
        state: &mut G::State,
    ) -> (u32, bool) {
        let streams = &mut self.streams;
        let (mut root, mut full) = (NONE, false);
        let mut clock = Clock::start(self.options.budget);
        while clock.goes_on() {
            game.sample_into(view, &mut streams.worlds, state);
            self.arena.begin();
            let mut history = START;
            while let Some(mover) = game.to_move(state) {
                let set = self.observers.set(history, game.private_key(state, mover));
                if set == NONE {
                    full = true;
                    break;
                }
                if history == START {
                    root = set;
                }
                let opening = &mut streams.opening;
                let Some(choice) = self.arena.choose::<TUNED>(game, state, mover, set, opening)
                else {
                    break;
                };
                game.apply(state, choice.mv);
                if choice.fresh {
                    break;
                }
                history = self.observers.next(history, game.move_code(choice.mv));
                if history == NONE {
                    full = true;
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
        (root, full)
    }
}

impl<G: Game> Agent<G> for MoIsmcts<G> {
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
        let room = expected_nodes(self.options.budget).min(self.options.nodes);
        self.observers.clear(room + 1);
        let (root, full) = match self.options.selection {
            Selection::Ucb1 => self.search::<false>(game, view, &mut state),
            Selection::Ucb1Tuned => self.search::<true>(game, view, &mut state),
        };
        self.state = Some(state);
        self.full += u32::from(full || self.arena.is_full());
        let edge = |index: usize| self.arena.edge(game, root, legal[index]);
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
