//! `perfect`: exact players for games that can be solved.
//!
//! | game | file | how |
//! |---|---|---|
//! | tic-tac-toe | [`tictactoe`] | every position is solved once per process |

pub mod tictactoe;

use crate::spec::AgentSpec;

/// The spec of the exact players.
pub const SPEC: AgentSpec = AgentSpec {
    name: "perfect",
    help: "Exact play: uniform over the moves that keep the game's value (tic-tac-toe).",
    games: &["tictactoe"],
    options: &[],
};
