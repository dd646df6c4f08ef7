//! Keeping the part of a tree that is below the moves that were played.

use super::{Node, ROOT, Stat, Tree};
use crate::games::Game;

/// A second arena into which the kept part is copied, so that what is dropped leaves no holes.
#[derive(Debug)]
pub(super) struct Spare<M> {
    stats: Vec<Stat>,
    nodes: Vec<Node<M>>,
    squares: Vec<f64>,
    /// Where each copied node came from.
    from: Vec<u32>,
}

impl<M> Default for Spare<M> {
    fn default() -> Self {
        Self {
            stats: Vec::new(),
            nodes: Vec::new(),
            squares: Vec::new(),
            from: Vec::new(),
        }
    }
}

impl<G: Game> Tree<G> {
    /// Makes the node that `moves` lead to from the root the new root. `false`, with the tree
    /// unchanged, if the tree does not reach so far or knows no moves there.
    pub(in crate::agents::mcts) fn advance(&mut self, moves: &[G::Move]) -> bool {
        let mut at = ROOT;
        if self.nodes.is_empty() {
            return false;
        }
        for &mv in moves {
            let node = &self.nodes[at];
            let first = node.first as usize;
            match (first..first + usize::from(node.children))
                .find(|&child| self.nodes[child].mv == mv)
            {
                Some(child) => at = child,
                None => return false,
            }
        }
        if self.nodes[at].children == 0 {
            return false;
        }
        if at != ROOT {
            self.keep(at);
        }
        true
    }

    /// Copies the part below `root`, breadth first, so that children stay neighbours.
    fn keep(&mut self, root: usize) {
        let tuned = !self.squares.is_empty();
        let spare = &mut self.spare;
        spare.stats.clear();
        spare.nodes.clear();
        spare.squares.clear();
        spare.from.clear();
        let copy = |spare: &mut Spare<G::Move>, old: usize| {
            spare.stats.push(self.stats[old]);
            spare.nodes.push(self.nodes[old]);
            if tuned {
                spare.squares.push(self.squares[old]);
            }
            #[expect(clippy::cast_possible_truncation, reason = "nodes are at most 10^8")]
            spare.from.push(old as u32);
        };
        copy(spare, root);
        let mut done = 0;
        while done < spare.nodes.len() {
            let node = spare.nodes[done];
            #[expect(clippy::cast_possible_truncation, reason = "nodes are at most 10^8")]
            {
                spare.nodes[done].first = spare.nodes.len() as u32;
            }
            let first = node.first as usize;
            for old in first..first + usize::from(node.children) {
                copy(spare, old);
            }
            done += 1;
        }
        std::mem::swap(&mut self.stats, &mut spare.stats);
        std::mem::swap(&mut self.nodes, &mut spare.nodes);
        std::mem::swap(&mut self.squares, &mut spare.squares);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::mcts::options::{Budget, SearchOptions};
    use crate::agents::mcts::shared::Streams;
    use crate::games::connect_four::{ConnectFour, State};
    use crate::rng::Seed;
    use crate::spec::Settings;

    #[test]
    fn the_kept_part_is_the_subtree_and_nothing_else() {
        let options = SearchOptions::read(&ConnectFour, &Settings::named("uct")).expect("valid");
        let mut tree = Tree::<ConnectFour>::new(options);
        let mut streams = Streams::new(&Seed::root(2));
        let (mut state, mut legal) = (State::default(), Vec::new());
        ConnectFour.legal_into(&state, &mut legal);
        let budget = Budget::Simulations(3000);
        tree.search(&ConnectFour, &state, &legal, budget, &mut streams);
        let first = tree.best(&legal);
        let before = tree.edge(first);
        assert!(tree.advance(&[first]));
        assert_eq!(tree.nodes[ROOT].visits, before.visits);
        // Every visit but the node's own rollout went on to a child.
        let children: u32 = legal.iter().map(|&mv| tree.edge(mv).visits).sum();
        assert_eq!(children, before.visits - 1);
        ConnectFour.apply(&mut state, first);
        tree.go_on(&ConnectFour, &state, budget, &mut streams);
        assert_eq!(tree.nodes[ROOT].visits, before.visits + 3000);
        assert!(!tree.advance(&[first; 7]), "too far: the tree stays");
        assert_eq!(tree.nodes[ROOT].visits, before.visits + 3000);
    }
}
