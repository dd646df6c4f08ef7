//! Whether one seat can force a win of an ending, however the game may go round in circles.
//!
//! Positions and moves form a graph of AND and OR nodes: a position is won for a seat if it moves
//! there and some move leads to a won position, or if the other seat moves there and all moves do.
//! The positions that are won in finite play are the least set with this property. It is found on the fly (X.
//! Liu and S. Smolka, "Simple linear-time algorithms for minimal fixed points", ICALP 1998): a
//! position is looked at only when somebody needs it, waits until what it needs is proven, and
//! every proof wakes those who wait for it.
//!
//! Why it is right where play repeats (with transfers it can): a position is proven only from ones
//! proven before it, so that following the proofs ends. When nothing is left to look at, every position
//! without a proof has, if the seat moves, no move to a proven one, and if the other moves, a move
//! to an unproven one: the other seat can stay outside the won positions for ever. Nothing depends on the
//! path by which a position was reached, so no value of one path is ever taken for another's. What
//! neither seat can force is a draw; endless play thereby counts as one.

use crate::agents::mcts::index::{Index, NONE};
use crate::games::Seat;
use crate::games::durak::ending::Ending;
use crate::games::durak::{Move, State};

/// No list goes on.
const END: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    position: u64,
    /// The first of those who wait for this position.
    waiting: u32,
    /// The move to look at next.
    next: u8,
    /// The move that leads to a win, where the winner moves.
    winning: u8,
    winner_moves: bool,
    proven: bool,
}

/// A node that waits for another.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    node: u32,
    /// The waiter's move that leads there.
    mv: u8,
    /// The next in the list.
    next: u32,
}

/// What is known of one seat's wins in one ending.
#[derive(Debug)]
pub(super) struct Proof {
    winner: Seat,
    /// Positions to nodes, counted from 1.
    index: Index,
    nodes: Vec<Node>,
    waiters: Vec<Waiter>,
    /// Nodes with something to do.
    agenda: Vec<u32>,
    legal: Vec<Move>,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// It is won.
    Won,
    /// The game is over and not won.
    NotWon,
    /// It has this node and no proof.
    Open(u32),
    /// It has no node yet.
    New(u64),
}

/// More positions were needed than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany;

impl Proof {
    pub(super) fn new(winner: Seat) -> Self {
        Self {
            winner,
            index: Index::new(),
            nodes: Vec::new(),
            waiters: Vec::new(),
            agenda: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// Nothing is known.
    pub(super) fn clear(&mut self) {
        self.index.clear(0);
        self.nodes.clear();
        self.waiters.clear();
        self.agenda.clear();
    }

    /// Positions looked at.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the seat can force a win from a position.
    ///
    /// # Errors
    /// If more than `most` positions would have to be kept.
    pub(super) fn is_won(
        &mut self,
        ending: &Ending,
        position: u64,
        most: usize,
    ) -> Result<bool, TooMany> {
        let root = self.node(position);
        while !self.nodes[root as usize].proven {
            if self.nodes.len() > most {
                return Err(TooMany);
            }
            let Some(node) = self.agenda.pop() else {
                break;
            };
            self.advance(ending, node);
        }
        Ok(self.nodes[root as usize].proven)
    }

    /// The number of the move that wins in a proven position in which the winner moves. Playing it
    /// in every such position wins in finite play.
    pub(super) fn winning_move(&self, position: u64) -> Option<usize> {
        let node = match self.index.get(position) {
            NONE => return None,
            number => &self.nodes[number as usize - 1],
        };
        (node.proven && node.winner_moves).then_some(usize::from(node.winning))
    }

    /// The node of a position; a new one is put on the agenda.
    fn node(&mut self, position: u64) -> u32 {
        match self.index.get(position) {
            NONE => {
                #[expect(clippy::cast_possible_truncation, reason = "bounded by the caller")]
                let node = self.nodes.len() as u32;
                self.nodes.push(Node {
                    position,
                    waiting: END,
                    next: 0,
                    winning: 0,
                    winner_moves: false,
                    proven: false,
                });
                self.index.insert(position, node + 1);
                self.agenda.push(node);
                node
            }
            number => number - 1,
        }
    }

    /// What is known of where a move leads, without looking there.
    fn look(&self, ending: &Ending, state: &State, mv: Move) -> Next {
        match ending.after(state, mv) {
            Err(fool) if fool == Some(1 - self.winner) => Next::Won,
            Err(_) => Next::NotWon,
            Ok(position) => match self.index.get(position) {
                NONE => Next::New(position),
                number if self.nodes[number as usize - 1].proven => Next::Won,
                number => Next::Open(number - 1),
            },
        }
    }

    /// Looks at a node's moves until it is proven, cannot be, or has to wait.
    fn advance(&mut self, ending: &Ending, at: u32) {
        let Node {
            position,
            proven,
            next,
            ..
        } = self.nodes[at as usize];
        if proven {
            return;
        }
        let mut legal = std::mem::take(&mut self.legal);
        let (state, mover) = ending.moves(position, &mut legal);
        self.nodes[at as usize].winner_moves = mover == self.winner;
        if mover == self.winner {
            self.find_one(ending, at, next, &state, &legal);
        } else {
            self.need_all(ending, at, &state, &legal);
        }
        self.legal = legal;
    }

    /// One move must win: those of which it is known come first, then one new position is looked
    /// at after the other.
    fn find_one(&mut self, ending: &Ending, at: u32, next: u8, state: &State, legal: &[Move]) {
        if next == 0 {
            let known = |&mv: &Move| self.look(ending, state, mv) == Next::Won;
            if let Some(number) = legal.iter().position(known) {
                return self.prove(at, u8::try_from(number).unwrap_or(u8::MAX));
            }
        }
        for (number, &mv) in (0_u8..).zip(legal).skip(next.into()) {
            match self.look(ending, state, mv) {
                Next::Won => return self.prove(at, number),
                Next::NotWon => {}
                Next::Open(child) => self.wait(at, number, child),
                Next::New(position) => {
                    // Again after the new position, which is on top of the agenda.
                    self.nodes[at as usize].next = number + 1;
                    self.agenda.push(at);
                    let child = self.node(position);
                    return self.wait(at, number, child);
                }
            }
        }
        self.nodes[at as usize].next = u8::try_from(legal.len()).unwrap_or(u8::MAX);
    }

    /// All moves must win: waits for one that is known and not won, else for a new position.
    fn need_all(&mut self, ending: &Ending, at: u32, state: &State, legal: &[Move]) {
        let mut open = None;
        for &mv in legal {
            match self.look(ending, state, mv) {
                Next::Won => {}
                Next::NotWon => return,
                Next::Open(child) => return self.wait(at, 0, child),
                Next::New(position) => open = open.or(Some(position)),
            }
        }
        match open {
            None => self.prove(at, 0),
            Some(position) => {
                let child = self.node(position);
                self.wait(at, 0, child);
            }
        }
    }

    fn wait(&mut self, node: u32, mv: u8, for_node: u32) {
        let next = self.nodes[for_node as usize].waiting;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "at most the moves of all nodes"
        )]
        {
            self.nodes[for_node as usize].waiting = self.waiters.len() as u32;
        }
        self.waiters.push(Waiter { node, mv, next });
    }

    /// A node is won; so is every node of the winner that waits for it, and the others go on.
    fn prove(&mut self, node: u32, winning: u8) {
        let mut found = vec![(node, winning)];
        while let Some((node, winning)) = found.pop() {
            let node = &mut self.nodes[node as usize];
            if node.proven {
                continue;
            }
            node.proven = true;
            node.winning = winning;
            let mut waiting = node.waiting;
            while let Some(&waiter) = self.waiters.get(waiting as usize) {
                waiting = waiter.next;
                if self.nodes[waiter.node as usize].winner_moves {
                    found.push((waiter.node, waiter.mv));
                } else {
                    self.agenda.push(waiter.node);
                }
            }
        }
    }
}
