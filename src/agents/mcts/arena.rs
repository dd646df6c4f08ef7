//! The nodes of information set trees and the way from a node and a move to a child.
//!
//! Which children are legal changes from world to world, so a node is asked for the child of each
//! legal move, not for its list of children. One hash table per arena answers that in a probe or
//! two; its keys are exact, so that two nodes are never taken for each other.

use super::ucb::Terms;

/// A node: what is known of the move that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// Mean reward of the seat that moved here.
    pub(super) mean: f64,
    /// 1 / sqrt(visits).
    pub(super) spread: f64,
    /// Sum of the rewards of the seat that moved here.
    sum: f64,
    /// Simulations in which this node could have been chosen.
    pub(super) available: u32,
    pub(super) visits: u32,
    /// The move that leads here.
    pub(super) mv: M,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The child, 0 where the entry is free: the root is nobody's child.
    child: u32,
}

const FREE: Entry = Entry { key: 0, child: 0 };

/// An arena that is cleared per decision.
#[derive(Debug)]
pub(super) struct Arena<M> {
    nodes: Vec<Node<M>>,
    /// Sums of squared rewards, kept only for UCB1-tuned.
    squares: Vec<f64>,
    /// A power of two of entries, at least twice as many as nodes.
    table: Vec<Entry>,
    /// 64 - log2 of the table's length.
    shift: u32,
    /// Nodes that may be used, and whether more were wanted.
    budget: usize,
    full: bool,
    tuned: bool,
}

/// The node that is always there.
pub(super) const ROOT: u32 = 0;

/// Where there is no child.
pub(super) const NONE: u32 = u32::MAX;

impl<M: Copy + Eq> Arena<M> {
    /// An arena of at most `budget` nodes.
    pub(super) fn new(budget: usize, tuned: bool) -> Self {
        Self {
            nodes: Vec::new(),
            squares: Vec::new(),
            table: Vec::new(),
            shift: 64,
            budget: budget.min(NONE as usize),
            full: false,
            tuned,
        }
    }

    /// Only the root is left; room for `simulations` more nodes is made at once, as far as the
    /// budget goes, so that none of them allocates. `any` stands for the root's move.
    pub(super) fn clear(&mut self, simulations: usize, any: M) {
        let wanted = simulations.saturating_add(1).min(self.budget);
        self.nodes.clear();
        self.squares.clear();
        self.full = false;
        self.nodes.reserve(wanted);
        if self.tuned {
            self.squares.reserve(wanted);
        }
        self.table.clear();
        self.grow(wanted);
        self.push(any);
    }

    fn grow(&mut self, nodes: usize) {
        let length = (2 * nodes).next_power_of_two().max(64);
        self.shift = 64 - length.trailing_zeros();
        self.table.resize(length, FREE);
    }

    fn push(&mut self, mv: M) {
        self.nodes.push(Node {
            mean: 0.0,
            spread: 0.0,
            sum: 0.0,
            available: 0,
            visits: 0,
            mv,
        });
        if self.tuned {
            self.squares.push(0.0);
        }
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        usize::try_from(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift).unwrap_or(0)
    }

    /// The child of `node` for the move with this code, or [`NONE`].
    #[inline]
    pub(super) fn child(&self, node: u32, code: u32) -> u32 {
        let key = u64::from(node) << 32 | u64::from(code);
        let mask = self.table.len() - 1;
        let mut at = self.home(key);
        loop {
            let entry = self.table[at & mask];
            if entry.child == 0 {
                return NONE;
            }
            if entry.key == key {
                return entry.child;
            }
            at += 1;
        }
    }

    /// Adds a child that is not there yet; `None` if the budget has no room for it.
    pub(super) fn add(&mut self, node: u32, code: u32, mv: M) -> Option<u32> {
        let child = u32::try_from(self.nodes.len()).ok()?;
        if self.nodes.len() >= self.budget {
            self.full = true;
            return None;
        }
        if 2 * (self.nodes.len() + 1) > self.table.len() {
            self.rehash();
        }
        self.push(mv);
        self.insert(Entry {
            key: u64::from(node) << 32 | u64::from(code),
            child,
        });
        Some(child)
    }

    fn insert(&mut self, entry: Entry) {
        let mask = self.table.len() - 1;
        let mut at = self.home(entry.key);
        while self.table[at & mask].child != 0 {
            at += 1;
        }
        self.table[at & mask] = entry;
    }

    /// Doubles the table: only where the number of simulations was not known beforehand.
    #[cold]
    fn rehash(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.grow(old.len());
        for entry in old {
            if entry.child != 0 {
                self.insert(entry);
            }
        }
    }

    /// A node.
    #[inline]
    pub(super) fn node(&self, at: u32) -> &Node<M> {
        &self.nodes[at as usize]
    }

    /// A node, to change.
    #[inline]
    pub(super) fn node_mut(&mut self, at: u32) -> &mut Node<M> {
        &mut self.nodes[at as usize]
    }

    /// The variance of the rewards at a node that was visited; only with UCB1-tuned.
    pub(super) fn variance(&self, at: u32) -> f64 {
        let node = self.node(at);
        self.squares[at as usize] / f64::from(node.visits) - node.mean * node.mean
    }

    /// Counts a visit with its reward.
    #[inline]
    pub(super) fn visit(&mut self, at: u32, reward: f64, terms: &Terms) {
        let node = &mut self.nodes[at as usize];
        node.visits += 1;
        node.sum += reward;
        node.mean = node.sum / f64::from(node.visits);
        node.spread = terms.inverse_root(node.visits);
        if self.tuned {
            self.squares[at as usize] += reward * reward;
        }
    }

    /// Whether a child was refused for want of room since the last [`Arena::clear`].
    pub(super) fn is_full(&self) -> bool {
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_again_after_growth_and_the_budget_holds() {
        let mut arena = Arena::<u16>::new(5000, false);
        arena.clear(10, 0);
        let mut children = Vec::new();
        for number in 0..4999_u32 {
            let parent = number / 7;
            let child = arena.add(parent, number % 7 * 1000, 3).expect("room");
            children.push((parent, number % 7 * 1000, child));
        }
        assert_eq!(arena.add(0, 1, 3), None);
        assert!(arena.is_full());
        for &(parent, code, child) in &children {
            assert_eq!(arena.child(parent, code), child);
            assert_eq!(arena.child(parent, code + 1), NONE);
        }
        assert_eq!(arena.nodes.len(), 5000);
        arena.clear(10, 0);
        assert_eq!(arena.child(0, 0), NONE);
        assert!(!arena.is_full());
    }

    #[test]
    fn a_visit_updates_what_selection_reads() {
        let mut arena = Arena::<u16>::new(10, true);
        arena.clear(10, 0);
        let child = arena.add(ROOT, 5, 5).expect("room");
        for reward in [1.0, 0.0, 0.5, 1.0] {
            arena.visit(child, reward, Terms::get());
        }
        let node = arena.node(child);
        assert_eq!((node.mean, node.spread, node.visits), (0.625, 0.5, 4));
        assert!((arena.variance(child) - (2.25 / 4.0 - 0.625 * 0.625)).abs() < 1e-15);
    }
}
