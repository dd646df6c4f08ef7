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
    /// Whether the mean is the exact value.
    pub(super) proven: bool,
}

/// The index of the move to play among `count` moves, by the option `final`; equal moves are
/// settled in favour of the first, which is the game's order.
pub(super) fn best_index(
    options: &SearchOptions,
    count: usize,
    edge: impl Fn(usize) -> Edge,
) -> usize {
    let key = |index| final_key(options, edge(index));
    let mut best = (0, key(0));
    for index in 1..count {
        let value = key(index);
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

/// What the moves of the root are compared by, greatest first. A proven win comes before all
/// others; a proven loss after all others, those never visited included.
fn final_key(options: &SearchOptions, edge: Edge) -> [f64; 2] {
    const NEVER_VISITED: f64 = -1e300;
    if edge.proven && edge.mean <= 0.0 {
        return [f64::NEG_INFINITY, 0.0];
    }
    if edge.proven && edge.mean >= 1.0 {
        return [f64::INFINITY, 0.0];
    }
    if edge.visits == 0 {
        return [NEVER_VISITED, 0.0];
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
        let timed = matches!(budget, Budget::Time(_));
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
            (Budget::Time(most), Some(start)) => {
                self.done == 0 || !self.done.is_multiple_of(Self::STRIDE) || start.elapsed() < most
            }
            (Budget::Time(_), None) => false,
        };
        self.done = self.done.saturating_add(1);
        more
    }
}

/// How many new nodes to make room for before a search.
pub(super) fn expected_nodes(budget: Budget) -> usize {
    match budget {
        Budget::Simulations(simulations) => simulations as usize,
        Budget::Time(_) => 4096,
    }
}

/// What the report says about a node budget that was hit.
pub(super) fn full_notice(decisions: u32, nodes: usize) -> Option<String> {
    (decisions > 0).then(|| {
        format!(
            "the search tree reached its {nodes} nodes in some decisions and stopped growing there: raise `nodes`"
        )
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
        let edge = |index: usize| Edge {
            visits: edges[index].0,
            mean: edges[index].1,
            of: 141,
            proven: false,
        };
        let best = |rule| best_index(&options(rule), 5, edge);
        assert_eq!(best(Final::Visits), 0);
        assert_eq!(best(Final::Value), 2);
        assert_eq!(best(Final::LowerBound), 1);
    }

    #[test]
    fn proven_wins_come_first_and_proven_losses_last() {
        let proven = |mean| Edge {
            visits: 3,
            mean,
            of: 10,
            proven: true,
        };
        let often = Edge {
            visits: 90,
            mean: 0.9,
            of: 100,
            proven: false,
        };
        let options = options(Final::Visits);
        let best = |edges: &[Edge]| best_index(&options, edges.len(), |index| edges[index]);
        assert_eq!(best(&[often, proven(1.0)]), 1);
        assert_eq!(best(&[proven(0.0), Edge::default()]), 1);
        assert_eq!(best(&[proven(0.5), often]), 1);
        assert_eq!(best(&[proven(0.0), proven(0.5)]), 1);
    }

    #[test]
    fn budgets_end() {
        let count = |budget| {
            let mut clock = Clock::start(budget);
            (0..100_000_000).take_while(|_| clock.goes_on()).count()
        };
        assert_eq!(count(Budget::Simulations(1)), 1);
        assert_eq!(count(Budget::Simulations(77)), 77);
        assert!(count(Budget::Time(Duration::from_millis(1))) >= 16);
    }
}
