//! The tree over states that `uct` grows: UCT (Kocsis and Szepesvari, "Bandit based Monte-Carlo
//! planning", ECML 2006), one new node per simulation.
//!
//! A node's children are neighbours in the arena and are made together, so that selection reads
//! one short stretch of memory; those that were visited come first.

mod prove;
mod reuse;

use super::options::{Budget, SearchOptions, Selection};
use super::rollout::{rollout, score};
use super::shared::{Clock, Edge, Streams, best_index, expected_nodes};
use super::ucb::{Terms, tuned_bonus};
use crate::games::{Game, Scores, Seat};

/// What selection reads of a child: two numbers that change only when it is visited.
#[derive(Clone, Copy, Debug)]
struct Stat {
    /// Mean reward of the seat that moved here; the exact value once it is proven.
    mean: f64,
    /// 1 / sqrt(visits); 0 once the value is proven.
    spread: f64,
}

/// The rest of a node.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// Sum of the rewards of the seat that moved here.
    sum: f64,
    visits: u32,
    /// Index of the first child; children are neighbours.
    first: u32,
    /// Number of children, 0 before the node is expanded.
    children: u16,
    /// How many of them were visited: these come first.
    opened: u16,
    /// The move that leads here.
    mv: M,
    /// Whether the mean is the exact value (only with the solver).
    proven: bool,
}

/// A search tree with everything it needs, reused from decision to decision.
pub(super) struct Tree<G: Game> {
    options: SearchOptions,
    /// Whether proven results are backed up.
    solver: bool,
    terms: &'static Terms,
    stats: Vec<Stat>,
    nodes: Vec<Node<G::Move>>,
    /// Sums of squared rewards, kept only for UCB1-tuned.
    squares: Vec<f64>,
    path: Vec<(u32, u8)>,
    legal: Vec<G::Move>,
    state: Option<G::State>,
    /// Room for the part of a tree that is kept, used in turn with the arena.
    spare: reuse::Spare<G::Move>,
    /// Whether this decision wanted more nodes than the budget has.
    full: bool,
}

const ROOT: usize = 0;

impl<G: Game> Tree<G> {
    pub(super) fn new(options: SearchOptions) -> Self {
        Self {
            options,
            solver: false,
            terms: Terms::get(),
            stats: Vec::new(),
            nodes: Vec::new(),
            squares: Vec::new(),
            path: Vec::new(),
            legal: Vec::new(),
            state: None,
            spare: reuse::Spare::default(),
            full: false,
        }
    }

    /// Backs up proven results (two seats only): see [`prove`].
    pub(super) fn with_solver(mut self, solver: bool) -> Self {
        self.solver = solver;
        self
    }

    /// Whether the last search hit the node budget.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// A new game: nothing of the last one is kept.
    pub(super) fn forget(&mut self) {
        self.stats.clear();
        self.nodes.clear();
        self.squares.clear();
    }

    /// Searches from `root`, whose legal moves are `legal` (not empty), with a new tree.
    pub(super) fn search(
        &mut self,
        game: &G,
        root: &G::State,
        legal: &[G::Move],
        budget: Budget,
        streams: &mut Streams,
    ) {
        self.clear(legal, budget);
        self.go_on(game, root, budget, streams);
    }

    /// Searches from `root` with the tree as it is.
    pub(super) fn go_on(
        &mut self,
        game: &G,
        root: &G::State,
        budget: Budget,
        streams: &mut Streams,
    ) {
        self.full = false;
        let mut state = self.state.take().unwrap_or_else(|| root.clone());
        let tuned = self.options.selection == Selection::Ucb1Tuned;
        match (tuned, self.solver) {
            (false, false) => self.run::<false, false>(game, root, &mut state, budget, streams),
            (false, true) => self.run::<false, true>(game, root, &mut state, budget, streams),
            (true, false) => self.run::<true, false>(game, root, &mut state, budget, streams),
            (true, true) => self.run::<true, true>(game, root, &mut state, budget, streams),
        }
        self.state = Some(state);
    }

    fn clear(&mut self, legal: &[G::Move], budget: Budget) {
        self.forget();
        // A simulation makes the children of one node at most.
        let room = (expected_nodes(budget) + 2)
            .saturating_mul(legal.len().max(8))
            .min(self.options.nodes.max(legal.len() + 1));
        self.stats.reserve(room);
        self.nodes.reserve(room);
        if self.options.selection == Selection::Ucb1Tuned {
            self.squares.reserve(room);
        }
        self.push(legal[0]);
        self.nodes[ROOT].first = 1;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a game has far fewer moves"
        )]
        {
            self.nodes[ROOT].children = legal.len() as u16;
        }
        for &mv in legal {
            self.push(mv);
        }
    }

    fn push(&mut self, mv: G::Move) {
        self.stats.push(Stat {
            mean: 0.0,
            spread: 0.0,
        });
        self.nodes.push(Node {
            sum: 0.0,
            visits: 0,
            first: 0,
            children: 0,
            opened: 0,
            mv,
            proven: false,
        });
        if self.options.selection == Selection::Ucb1Tuned {
            self.squares.push(0.0);
        }
    }

    fn run<const TUNED: bool, const SOLVER: bool>(
        &mut self,
        game: &G,
        root: &G::State,
        state: &mut G::State,
        budget: Budget,
        streams: &mut Streams,
    ) {
        let mut clock = Clock::start(budget);
        while clock.goes_on() && !(SOLVER && self.nodes[ROOT].proven) {
            state.clone_from(root);
            let scores = self.descend::<TUNED, SOLVER>(game, state, streams);
            self.back_up::<TUNED, SOLVER>(&scores);
        }
    }

    /// One simulation: leaves the path behind and returns its scores.
    #[inline]
    fn descend<const TUNED: bool, const SOLVER: bool>(
        &mut self,
        game: &G,
        state: &mut G::State,
        streams: &mut Streams,
    ) -> Scores {
        self.path.clear();
        let mut at = ROOT;
        while let Some(mover) = game.to_move(state) {
            if SOLVER && self.nodes[at].proven {
                return self.proven_scores(at);
            }
            if self.nodes[at].children == 0 && !self.expand(game, state, at) {
                break;
            }
            let node = self.nodes[at];
            let (first, children) = (node.first as usize, usize::from(node.children));
            let opened = usize::from(node.opened);
            let fresh = opened < children;
            let next = if fresh {
                let other = first + opened + streams.opening.index(children - opened);
                let next = first + opened;
                let mv = self.nodes[other].mv;
                self.nodes[other].mv = self.nodes[next].mv;
                self.nodes[next].mv = mv;
                self.nodes[at].opened += 1;
                next
            } else {
                first + self.select::<TUNED>(first, children, node.visits)
            };
            game.apply(state, self.nodes[next].mv);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "nodes are at most 10^8 and seats at most 6"
            )]
            self.path.push((next as u32, mover as u8));
            at = next;
            if fresh {
                break;
            }
        }
        if game.to_move(state).is_some() {
            return rollout(game, &self.options, state, &mut streams.rollouts);
        }
        let scores = score(game, state);
        if SOLVER {
            self.prove(&scores);
        }
        scores
    }

    /// Gives the node its children; `false` if the budget has no room for them.
    fn expand(&mut self, game: &G, state: &G::State, at: usize) -> bool {
        let mut legal = std::mem::take(&mut self.legal);
        game.legal_into(state, &mut legal);
        let room = self.nodes.len() + legal.len() <= self.options.nodes;
        if room {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "nodes are at most 10^8 and moves far fewer"
            )]
            {
                self.nodes[at].first = self.nodes.len() as u32;
                self.nodes[at].children = legal.len() as u16;
            }
            for &mv in &legal {
                self.push(mv);
            }
        }
        self.full |= !room;
        self.legal = legal;
        room
    }

    #[inline]
    fn select<const TUNED: bool>(&self, first: usize, children: usize, visits: u32) -> usize {
        let root_log = self.terms.root_log(visits);
        let factor = self.options.exploration * root_log;
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for (index, stat) in self.stats[first..first + children].iter().enumerate() {
            let bonus = if TUNED {
                let child = first + index;
                let variance = self.squares[child] / f64::from(self.nodes[child].visits)
                    - stat.mean * stat.mean;
                tuned_bonus(self.options.exploration, root_log, stat.spread, variance)
            } else {
                factor * stat.spread
            };
            let value = stat.mean + bonus;
            if value > best_value {
                (best, best_value) = (index, value);
            }
        }
        best
    }

    #[inline]
    fn back_up<const TUNED: bool, const SOLVER: bool>(&mut self, scores: &Scores) {
        self.nodes[ROOT].visits += 1;
        for &(at, mover) in &self.path {
            let at = at as usize;
            let reward = scores.of(Seat::from(mover));
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += reward;
            if SOLVER && node.proven {
                continue;
            }
            self.stats[at] = Stat {
                mean: node.sum / f64::from(node.visits),
                spread: self.terms.inverse_root(node.visits),
            };
            if TUNED {
                self.squares[at] += reward * reward;
            }
        }
    }

    /// What was found out about the root's move `mv`.
    pub(super) fn edge(&self, mv: G::Move) -> Edge {
        let root = &self.nodes[ROOT];
        let first = root.first as usize;
        (first..first + usize::from(root.children))
            .find(|&child| self.nodes[child].mv == mv)
            .map_or(Edge::default(), |child| Edge {
                visits: self.nodes[child].visits,
                mean: self.stats[child].mean,
                of: root.visits,
                proven: self.nodes[child].proven,
            })
    }

    /// The move to play, by the option `final`.
    pub(super) fn best(&self, legal: &[G::Move]) -> G::Move {
        legal[best_index(&self.options, legal.len(), |index| self.edge(legal[index]))]
    }
}
