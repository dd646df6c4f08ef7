//! The player: the book, then the solver.

use std::sync::{Arc, OnceLock};

use super::book::Book;
use super::choose;
use super::solver::{Position, Solver, Table};
use crate::agents::{Agent, Fault};
use crate::games::Seat;
use crate::games::connect_four::{Column, ConnectFour, State};
use crate::rng::Seed;

/// Slots of the one table that all players of a process share (32 MB), as a power of two.
const TABLE_BITS: u32 = 22;

/// The exact player. It is deterministic: every choice follows from the position alone.
#[derive(Clone, Debug)]
pub struct Perfect {
    solver: Solver,
}

impl Default for Perfect {
    fn default() -> Self {
        static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
        let table = TABLE.get_or_init(|| Arc::new(Table::new(TABLE_BITS)));
        Self {
            solver: Solver::new(Arc::clone(table)),
        }
    }
}

impl Agent<ConnectFour> for Perfect {
    fn start(&mut self, _game: &ConnectFour, _seat: Seat, _seed: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(
        &mut self,
        _game: &ConnectFour,
        view: &State,
        legal: &[Column],
    ) -> Result<Column, Fault> {
        let position = Position::from(*view);
        let column = Book::committed()
            .column(position)
            .unwrap_or_else(|| choose(&self.solver, position));
        let chosen = legal.iter().find(|mv| u32::from(mv.index()) == column);
        Ok(chosen.copied().unwrap_or(legal[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;

    fn moves(from: State, agent: &mut Perfect) -> Vec<Column> {
        let (mut state, mut legal, mut moves) = (from, Vec::new(), Vec::new());
        while ConnectFour.to_move(&state).is_some() {
            ConnectFour.legal_into(&state, &mut legal);
            let mv = agent.choose(&ConnectFour, &state, &legal).expect("moves");
            ConnectFour.apply(&mut state, mv);
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn what_was_solved_before_changes_no_move() {
        let mut rng = Seed::root(3).rng();
        for _ in 0..4 {
            let mut state = State::default();
            ConnectFour.playout(&mut state, &mut rng, 18);
            let mut fresh = Perfect {
                solver: Solver::new(Arc::new(Table::new(10))),
            };
            assert_eq!(
                moves(state, &mut fresh),
                moves(state, &mut Perfect::default())
            );
        }
    }
}
