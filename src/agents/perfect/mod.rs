//! `perfect`: exact players for games that can be solved.
//!
//! | game | file | how |
//! |---|---|---|
//! | tic-tac-toe | [`tictactoe`] | every position is solved once per process |
//! | Connect Four | [`connect_four`] | an opening book, then alpha-beta with a transposition table |
//! | Durak, two players | [`durak`] | `ismcts` until few cards are left and nothing is hidden, then proofs |

pub mod connect_four;
pub mod durak;
pub mod tictactoe;

use crate::spec::AgentSpec;

/// The spec of the exact players.
pub const SPEC: AgentSpec = AgentSpec {
    name: "perfect",
    help: "Exact play. Tic-tac-toe: uniform over the moves that keep the game's value. Connect Four: a fixed move that keeps it, by an opening book and alpha-beta; a move outside the book can take many seconds after five random opening moves, after seven it took 0.4 s on average. Durak (two players): exact once the talon is empty and at most 12 cards are in both hands and on the table, endless play counting as a draw; before that, ismcts with its default options.",
    games: &["tictactoe", "connect-four", "durak"],
    options: &[],
};
