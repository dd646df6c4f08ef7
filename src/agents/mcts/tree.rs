//! The tree over states that `uct` grows: UCT (Kocsis and Szepesvari, "Bandit based Monte-Carlo
//! planning", ECML 2006), one new node per simulation.

use super::options::{SearchOptions, Selection};
use super::rollout::{rollout, score};
use super::shared::{Clock, Edge, best_move};
use super::ucb::{Terms, tuned_bonus};
use crate::games::{Game, Scores, Seat};
use crate::rng::Rng;

/// What selection reads of a child: two numbers that change only when it is visited.
#[derive(Clone, Copy, Debug)]
struct Stat {
    /// Mean reward of the seat that moved here.
    mean: f64,
    /// 1 / sqrt(visits).
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
}

/// A search tree with everything it needs, reused from decision to decision.
pub(super) struct Tree<G: Game> {
    options: SearchOptions,
    terms: &'static Terms,
    stats: Vec<Stat>,
    nodes: Vec<Node<G::Move>>,
    /// Sums of squared rewards, kept only for UCB1-tuned.
    squares: Vec<f64>,
    path: Vec<(u32, u8)>,
    legal: Vec<G::Move>,
    state: Option<G::State>,
    /// Whether this decision wanted more nodes than the budget has.
    full: bool,
}

const ROOT: usize = 0;

impl<G: Game> Tree<G> {
    pub(super) fn new(options: SearchOptions) -> Self {
        Self {
            options,
            terms: Terms::get(),
            stats: Vec::new(),
            nodes: Vec::new(),
            squares: Vec::new(),
            path: Vec::new(),
            legal: Vec::new(),
            state: None,
            full: false,
        }
    }

    /// Whether the last search hit the node budget.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Searches from `root`, whose legal moves are `legal` (not empty).
    pub(super) fn search(
        &mut self,
        game: &G,
        root: &G::State,
        legal: &[G::Move],
        opening: &mut Rng,
        rollouts: &mut Rng,
    ) {
        self.clear(legal);
        let mut state = self.state.take().unwrap_or_else(|| root.clone());
        match self.options.selection {
            Selection::Ucb1 => self.run::<false>(game, root, &mut state, opening, rollouts),
            Selection::Ucb1Tuned => self.run::<true>(game, root, &mut state, opening, rollouts),
        }
        self.state = Some(state);
    }

    fn clear(&mut self, legal: &[G::Move]) {
        self.stats.clear();
        self.nodes.clear();
        self.squares.clear();
        self.full = false;
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
        });
        if self.options.selection == Selection::Ucb1Tuned {
            self.squares.push(0.0);
        }
    }

    fn run<const TUNED: bool>(
        &mut self,
        game: &G,
        root: &G::State,
        state: &mut G::State,
        opening: &mut Rng,
        rollouts: &mut Rng,
    ) {
        let mut clock = Clock::start(self.options.budget);
        while clock.goes_on() {
            state.clone_from(root);
            let scores = self.descend::<TUNED>(game, state, opening, rollouts);
            self.back_up::<TUNED>(&scores);
        }
    }

    /// One simulation: leaves the path behind and returns its scores.
    #[inline]
    fn descend<const TUNED: bool>(
        &mut self,
        game: &G,
        state: &mut G::State,
        opening: &mut Rng,
        rollouts: &mut Rng,
    ) -> Scores {
        self.path.clear();
        let mut at = ROOT;
        while let Some(mover) = game.to_move(state) {
            if self.nodes[at].children == 0 && !self.expand(game, state, at) {
                break;
            }
            let node = self.nodes[at];
            let (first, children) = (node.first as usize, usize::from(node.children));
            let opened = usize::from(node.opened);
            let fresh = opened < children;
            let next = if fresh {
                let other = first + opened + opening.index(children - opened);
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
            if fresh {
                return rollout(game, &self.options, state, rollouts);
            }
            at = next;
        }
        if game.to_move(state).is_some() {
            return rollout(game, &self.options, state, rollouts);
        }
        score(game, state)
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
    fn back_up<const TUNED: bool>(&mut self, scores: &Scores) {
        self.nodes[ROOT].visits += 1;
        for &(at, mover) in &self.path {
            let at = at as usize;
            let reward = scores.of(Seat::from(mover));
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += reward;
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
        self.nodes[first..first + usize::from(root.children)]
            .iter()
            .find(|node| node.mv == mv)
            .map_or(Edge::default(), |node| Edge {
                visits: node.visits,
                mean: node.sum / f64::from(node.visits.max(1)),
                of: root.visits,
            })
    }

    /// The move to play, by the option `final`.
    pub(super) fn best(&self, legal: &[G::Move]) -> G::Move {
        best_move(&self.options, legal, |mv| self.edge(mv))
    }
}
