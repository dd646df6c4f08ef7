//! What every search of the family shares: streams, budget, the choice at the root, notices.

use super::options::{Budget, Final, SearchOptions};
use super::ucb::Terms;
use crate::rng::{Rng, Seed};

/// The random streams of a searching agent.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    /// Hidden cards.
    pub(super) worlds: Rng,
    /// The order in which children are opened.
    pub(super) opening: Rng,
    /// Rollouts.
    pub(super) rollouts: Rng,
}

impl Streams {
    pub(super) fn new(seed: &Seed) -> Self {
        Self {
            worlds: seed.derive("worlds", &[]).rng(),
            opening: seed.derive("opening", &[]).rng(),
            rollouts: seed.derive("rollouts", &[]).rng(),
        }
    }
}

/// What a search found out about a move of the root.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Edge {
    pub(super) visits: u32,
    /// Mean reward of the seat that moves, 0 if never visited.
    pub(super) mean: f64,
    /// Visits of the root, or simulations in which this move could have been chosen.
    pub(super) of: u32,
}

/// The move to play, by the option `final`; equal moves are settled by the game's order.
pub(super) fn best_move<M: Copy>(
    options: &SearchOptions,
    moves: &[M],
    edge: impl Fn(M) -> Edge,
) -> M {
    let key = |mv| final_key(options, edge(mv));
    let mut best = (moves[0], key(moves[0]));
    for &mv in &moves[1..] {
        let value = key(mv);
        if value > best.1 {
            best = (mv, value);
        }
    }
    best.0
}

/// What the moves of the root are compared by, greatest first.
fn final_key(options: &SearchOptions, edge: Edge) -> [f64; 2] {
    if edge.visits == 0 {
        return [f64::NEG_INFINITY; 2];
    }
    let visits = f64::from(edge.visits);
    match options.final_move {
        Final::Visits => [visits, edge.mean],
        Final::Value => [edge.mean, visits],
        Final::LowerBound => {
            let terms = Terms::get();
            let bonus =
                options.exploration * terms.root_log(edge.of) * terms.inverse_root(edge.visits);
            [edge.mean - bonus, visits]
        }
    }
}

/// Says when a budget is used up.
pub(super) struct Clock {
    budget: Budget,
    done: u32,
    start: Option<std::time::Instant>,
}

impl Clock {
    /// Simulations between two looks at the time.
    const STRIDE: u32 = 16;

    pub(super) fn start(budget: Budget) -> Self {
        let timed = matches!(budget, Budget::Millis(_));
        Self {
            budget,
            done: 0,
            start: timed.then(std::time::Instant::now),
        }
    }

    /// Whether there is another simulation to make; the first always is.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        let more = match (self.budget, self.start) {
            (Budget::Simulations(most), _) => self.done < most,
            (Budget::Millis(most), Some(start)) => {
                self.done == 0
                    || !self.done.is_multiple_of(Self::STRIDE)
                    || start.elapsed().as_millis() < u128::from(most)
            }
            (Budget::Millis(_), None) => false,
        };
        self.done = self.done.saturating_add(1);
        more
    }
}

/// How many new nodes to make room for before a search.
pub(super) fn expected_nodes(budget: Budget) -> usize {
    match budget {
        Budget::Simulations(simulations) => simulations as usize,
        Budget::Millis(_) => 4096,
    }
}

/// What the report says about a node budget that was hit.
pub(super) fn full_notice(decisions: u32, nodes: usize) -> Option<String> {
    (decisions > 0).then(|| {
        format!(
            "the search tree reached its {nodes} nodes in {decisions} decisions and stopped growing there: raise `nodes`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::mcts::options::{Policy, Selection};

    fn options(final_move: Final) -> SearchOptions {
        SearchOptions {
            budget: Budget::Simulations(1),
            exploration: 0.7,
            policy: Policy::Random,
            depth: 1,
            selection: Selection::Ucb1,
            final_move,
            nodes: 10,
        }
    }

    #[test]
    fn the_final_move_follows_its_rule_and_ties_go_to_the_games_order() {
        let edges = [(50, 0.60), (40, 0.70), (1, 0.90), (50, 0.60), (0, 0.0)];
        let edge = |mv: usize| Edge {
            visits: edges[mv].0,
            mean: edges[mv].1,
            of: 141,
        };
        let best = |rule| best_move(&options(rule), &[0, 1, 2, 3, 4], edge);
        assert_eq!(best(Final::Visits), 0);
        assert_eq!(best(Final::Value), 2);
        assert_eq!(best(Final::LowerBound), 1);
        assert_eq!(best_move(&options(Final::Visits), &[3, 0], edge), 3);
    }

    #[test]
    fn budgets_end() {
        let count = |budget| {
            let mut clock = Clock::start(budget);
            (0..100_000_000).take_while(|_| clock.goes_on()).count()
        };
        assert_eq!(count(Budget::Simulations(1)), 1);
        assert_eq!(count(Budget::Simulations(77)), 77);
        assert!(count(Budget::Millis(1)) >= 16);
    }
}
