//! MCTS-solver (Winands, Bjornsson and Saito, "Monte-Carlo tree search solver", CG 2008): results
//! that are certain are backed up as such.
//!
//! A node is proven if its game is over, if the seat to move there has a child with a proven win,
//! or if all its children are proven (its value is then the best of theirs). A proven node keeps
//! its exact value as mean, without an exploration bonus; a simulation that reaches it ends there.
//! Draws are proven as well as wins and losses. For games of two seats whose scores add up to 1.

use super::{ROOT, Stat, Tree};
use crate::games::{Game, Scores, Seat};

impl<G: Game> Tree<G> {
    /// The game at the end of the path is over with these scores: proves its last node and what
    /// follows from it.
    #[cold]
    pub(super) fn prove(&mut self, scores: &Scores) {
        let Some(&(last, mover)) = self.path.last() else {
            return;
        };
        let mut value = scores.of(Seat::from(mover));
        self.settle(last as usize, value);
        for depth in (0..self.path.len()).rev() {
            // The seat that chose path[depth] is to move at the node above it.
            let (child, chooser) = self.path[depth];
            value = self.stats[child as usize].mean;
            let above = depth.checked_sub(1).map(|d| self.path[d]);
            let parent = above.map_or(ROOT, |(node, _)| node as usize);
            if value < 1.0 {
                match self.value_of_children(parent) {
                    Some(best) => value = best,
                    None => return,
                }
            }
            match above {
                // The value is the chooser's; the node above keeps that of the seat that moved
                // into it.
                Some((_, mover)) if mover != chooser => self.settle(parent, 1.0 - value),
                _ => self.settle(parent, value),
            }
        }
    }

    fn settle(&mut self, node: usize, value: f64) {
        self.nodes[node].proven = true;
        self.stats[node] = Stat {
            mean: value,
            spread: 0.0,
        };
    }

    /// The best of a node's children if all are proven.
    fn value_of_children(&self, node: usize) -> Option<f64> {
        let node = &self.nodes[node];
        let first = node.first as usize;
        (first..first + usize::from(node.children)).try_fold(0.0, |best: f64, child| {
            let proven = self.nodes[child].proven;
            proven.then(|| best.max(self.stats[child].mean))
        })
    }

    /// The scores of a proven node at the end of the path.
    pub(super) fn proven_scores(&self, node: usize) -> Scores {
        let value = self.stats[node].mean;
        let mover = self.path.last().map_or(0, |&(_, mover)| Seat::from(mover));
        Scores::all(2, 1.0 - value).with(mover, value)
    }

    /// Whether the value of the root is known.
    #[cfg(test)]
    pub(super) fn root_value(&self) -> Option<f64> {
        self.nodes[ROOT].proven.then(|| self.stats[ROOT].mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::mcts::options::{Budget, SearchOptions};
    use crate::agents::mcts::shared::Streams;
    use crate::agents::perfect::tictactoe::value;
    use crate::games::tictactoe::{State, TicTacToe};
    use crate::rng::Seed;
    use crate::spec::Settings;

    #[test]
    fn tic_tac_toe_positions_are_proven_with_their_exact_values() {
        let mut options =
            SearchOptions::read(&TicTacToe, &Settings::named("uct")).expect("defaults are valid");
        // Every line must be looked at before a draw is proven.
        options.exploration = 3.0;
        let mut tree = Tree::<TicTacToe>::new(options).with_solver(true);
        let mut streams = Streams::new(&Seed::root(8));
        let mut rng = Seed::root(9).rng();
        let mut legal = Vec::new();
        let mut seen = [0; 3];
        for _ in 0..300 {
            let mut state = State::default();
            // Four marks or more: small enough to be solved within the budget.
            TicTacToe.playout(&mut state, &mut rng, 4);
            let more = rng.below(4);
            TicTacToe.playout(&mut state, &mut rng, more);
            TicTacToe.legal_into(&state, &mut legal);
            if legal.is_empty() {
                continue;
            }
            let budget = Budget::Simulations(50_000);
            tree.search(&TicTacToe, &state, &legal, budget, &mut streams);
            // At the root the value is that of the seat to move.
            let exact = f64::midpoint(f64::from(value(state)), 1.0);
            assert_eq!(tree.root_value(), Some(exact), "{state:?}");
            let mut next = state;
            TicTacToe.apply(&mut next, tree.best(&legal));
            assert_eq!(-value(next), value(state), "the move keeps the value");
            seen[usize::try_from(value(state) + 1).expect("-1, 0 or 1")] += 1;
        }
        assert!(seen.iter().all(|&n| n > 5), "all values occur: {seen:?}");
    }
}
