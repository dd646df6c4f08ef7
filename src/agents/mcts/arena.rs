//! Information sets: which of the legal moves were tried there, and what came of them.
//!
//! Which moves are legal changes from world to world, so an information set is asked about each
//! legal move instead of keeping a list. A move tried in an information set is a node; nodes lie in
//! an arena, found by (information set, move) in an exact table.

use super::index::{Index, NONE, pair};
use super::options::{SearchOptions, Selection};
use super::shared::{Edge, expected_nodes};
use super::ucb::{Terms, tuned_bonus};
use crate::games::{Game, Scores, Seat};
use crate::rng::Rng;

/// What is known of a move in an information set.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// Mean reward of the seat that moves.
    mean: f64,
    /// 1 / sqrt(visits).
    spread: f64,
    /// Sum of the rewards of the seat that moves.
    sum: f64,
    /// Simulations in which this move could have been chosen.
    available: u32,
    visits: u32,
    mv: M,
}

/// A move chosen in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<M> {
    pub(super) node: u32,
    pub(super) mv: M,
    /// Whether it was never tried before: the simulation leaves the tree.
    pub(super) fresh: bool,
}

/// The information sets of one decision; cleared for the next.
pub(super) struct Arena<G: Game> {
    options: SearchOptions,
    terms: &'static Terms,
    nodes: Vec<Node<G::Move>>,
    /// Sums of squared rewards, kept only for UCB1-tuned.
    squares: Vec<f64>,
    index: Index,
    /// Nodes chosen in this simulation, each with the seat that moved.
    path: Vec<(u32, u8)>,
    legal: Vec<G::Move>,
    /// For each legal move its node, or [`NONE`].
    found: Vec<u32>,
    /// Whether a node was refused for want of room.
    full: bool,
}

/// The information set of the root; nodes count from 1.
pub(super) const ROOT: u32 = 0;

impl<G: Game> Arena<G> {
    pub(super) fn new(options: SearchOptions) -> Self {
        Self {
            options,
            terms: Terms::get(),
            nodes: Vec::new(),
            squares: Vec::new(),
            index: Index::new(),
            path: Vec::new(),
            legal: Vec::new(),
            found: Vec::new(),
            full: false,
        }
    }

    fn tuned(&self) -> bool {
        self.options.selection == Selection::Ucb1Tuned
    }

    /// Nothing is known; room for the budget's nodes is made at once, so that no simulation
    /// allocates. `any` is any move.
    pub(super) fn clear(&mut self, any: G::Move) {
        let room = expected_nodes(self.options.budget).min(self.options.nodes) + 1;
        self.full = false;
        self.nodes.clear();
        self.nodes.reserve(room);
        self.squares.clear();
        if self.tuned() {
            self.squares.reserve(room);
        }
        self.index.clear(room);
        self.push(any);
    }

    fn push(&mut self, mv: G::Move) {
        self.nodes.push(Node {
            mean: 0.0,
            spread: 0.0,
            sum: 0.0,
            available: 0,
            visits: 0,
            mv,
        });
        if self.tuned() {
            self.squares.push(0.0);
        }
    }

    /// A new simulation begins.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.path.clear();
    }

    /// The move of the seat to move, `mover`, in the information set `at`; puts it on the path.
    /// `None` if the node budget leaves no room for a move that was never tried.
    #[inline]
    pub(super) fn choose<const TUNED: bool>(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Seat,
        at: u32,
        opening: &mut Rng,
    ) -> Option<Choice<G::Move>> {
        game.legal_into(state, &mut self.legal);
        self.found.clear();
        let mut untried = 0;
        for &mv in &self.legal {
            let node = self.index.get(pair(at, game.move_code(mv)));
            untried += usize::from(node == NONE);
            self.found.push(node);
        }
        let (node, fresh) = if untried == 0 {
            (self.select::<TUNED>(), false)
        } else {
            (self.open(game, at, opening.index(untried))?, true)
        };
        #[expect(clippy::cast_possible_truncation, reason = "at most six seats")]
        self.path.push((node, mover as u8));
        Some(Choice {
            node,
            mv: self.nodes[node as usize].mv,
            fresh,
        })
    }

    /// Makes a node for the legal move that is number `pick` of those never tried here.
    fn open(&mut self, game: &G, at: u32, pick: usize) -> Option<u32> {
        let mut left = pick;
        let mut chosen = None;
        for (&mv, &node) in self.legal.iter().zip(&self.found) {
            if node != NONE {
                self.nodes[node as usize].available += 1;
            } else if chosen.is_none() {
                if left == 0 {
                    chosen = Some(mv);
                }
                left = left.wrapping_sub(1);
            }
        }
        let mv = chosen?;
        if self.nodes.len() > self.options.nodes {
            self.full = true;
            return None;
        }
        let node = u32::try_from(self.nodes.len()).ok()?;
        self.push(mv);
        self.nodes[node as usize].available = 1;
        self.index.insert(pair(at, game.move_code(mv)), node);
        Some(node)
    }

    /// The best of the legal moves, all of which have nodes; counts them as available.
    #[inline]
    fn select<const TUNED: bool>(&mut self) -> u32 {
        let exploration = self.options.exploration;
        let (mut best, mut best_value) = (ROOT, f64::NEG_INFINITY);
        for &index in &self.found {
            let node = &mut self.nodes[index as usize];
            let root_log = self.terms.root_log(node.available);
            node.available += 1;
            let bonus = if TUNED {
                let squares = self.squares[index as usize] / f64::from(node.visits);
                let variance = squares - node.mean * node.mean;
                tuned_bonus(exploration, root_log, node.spread, variance)
            } else {
                exploration * root_log * node.spread
            };
            let value = node.mean + bonus;
            if value > best_value {
                (best, best_value) = (index, value);
            }
        }
        best
    }

    /// Adds the simulation's rewards to the moves on its path.
    #[inline]
    pub(super) fn back_up(&mut self, scores: &Scores) {
        let tuned = self.tuned();
        for &(at, mover) in &self.path {
            let reward = scores.of(Seat::from(mover));
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.sum += reward;
            node.mean = node.sum / f64::from(node.visits);
            node.spread = self.terms.inverse_root(node.visits);
            if tuned {
                self.squares[at as usize] += reward * reward;
            }
        }
    }

    /// What was found out about a move in an information set.
    pub(super) fn edge(&self, game: &G, at: u32, mv: G::Move) -> Edge {
        match self.index.get(pair(at, game.move_code(mv))) {
            NONE => Edge::default(),
            index => {
                let node = &self.nodes[index as usize];
                Edge {
                    visits: node.visits,
                    mean: node.mean,
                    of: node.available,
                    proven: false,
                }
            }
        }
    }

    /// Whether a node was refused for want of room since the last [`Arena::clear`].
    pub(super) fn is_full(&self) -> bool {
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::{State, TicTacToe};
    use crate::rng::Seed;
    use crate::spec::Settings;

    fn arena() -> Arena<TicTacToe> {
        let options = SearchOptions::read(&TicTacToe, &Settings::named("ismcts")).expect("valid");
        Arena::new(options)
    }

    #[test]
    fn every_legal_move_is_tried_once_before_any_is_chosen_again() {
        let mut arena = arena();
        let state = State::default();
        let mut rng = Seed::root(1).rng();
        let mut legal = Vec::new();
        TicTacToe.legal_into(&state, &mut legal);
        arena.clear(legal[0]);
        for round in 0..9 {
            arena.begin();
            let choice = arena
                .choose::<false>(&TicTacToe, &state, 0, ROOT, &mut rng)
                .expect("room");
            assert!(choice.fresh, "round {round}");
            arena.back_up(&Scores::lost_by(2, usize::from(choice.mv.index() != 4)));
        }
        for &mv in &legal {
            let edge = arena.edge(&TicTacToe, ROOT, mv);
            assert_eq!(edge.visits, 1);
            assert!((edge.mean - f64::from(u8::from(mv.index() != 4))).abs() < 1e-15);
        }
        // Availability counts the simulations since the move was opened, its own included.
        let mut counts: Vec<u32> = legal
            .iter()
            .map(|&mv| arena.edge(&TicTacToe, ROOT, mv).of)
            .collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn selection_is_ucb1_with_availability_counts() {
        let mut arena = arena();
        let mut state = State::default();
        let mut rng = Seed::root(1).rng();
        // Three moves are left.
        for cell in [0, 1, 2, 4, 3, 5] {
            let mv = crate::games::tictactoe::Cell::new(cell).expect("a cell");
            TicTacToe.apply(&mut state, mv);
        }
        let mut legal = Vec::new();
        TicTacToe.legal_into(&state, &mut legal);
        assert_eq!(legal.len(), 3);
        arena.clear(legal[0]);
        let mut rewards = Seed::root(2).rng();
        for round in 0..500 {
            let edges: Vec<Edge> = legal
                .iter()
                .map(|&mv| arena.edge(&TicTacToe, ROOT, mv))
                .collect();
            arena.begin();
            let choice = arena
                .choose::<false>(&TicTacToe, &state, 0, ROOT, &mut rng)
                .expect("room");
            if round >= 3 {
                let value = |edge: &Edge| {
                    edge.mean
                        + 0.7 * (libm::log(f64::from(edge.of)) / f64::from(edge.visits)).sqrt()
                };
                let best = edges.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
                let index = legal.iter().position(|&mv| mv == choice.mv).expect("legal");
                assert!((value(&edges[index]) - best).abs() < 1e-12, "round {round}");
            }
            arena.back_up(&Scores::all(2, rewards.unit()));
        }
    }

    #[test]
    fn the_node_budget_holds_and_says_so() {
        let mut arena = arena();
        arena.options.nodes = 2;
        let state = State::default();
        let mut rng = Seed::root(1).rng();
        arena.clear(crate::games::tictactoe::Cell::new(0).expect("a cell"));
        let mut opened = 0;
        for _ in 0..5 {
            arena.begin();
            let choice = arena.choose::<false>(&TicTacToe, &state, 0, ROOT, &mut rng);
            opened += u32::from(choice.is_some());
            arena.back_up(&Scores::all(2, 0.5));
        }
        assert_eq!(opened, 2);
        assert!(arena.is_full());
    }
}
