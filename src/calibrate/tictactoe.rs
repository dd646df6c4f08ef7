//! Tic-tac-toe between two players that move uniformly at random: exact probabilities and games.

use std::sync::OnceLock;

use super::laws::record;
use crate::games::Game as _;
use crate::games::tictactoe::{State, TicTacToe};
use crate::record::{Digest, GameRecord};
use crate::rng::Rng;

/// Probabilities of the three results, by enumeration of the game tree.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Exact {
    /// The first player wins.
    pub first: f64,
    /// Nobody wins.
    pub draw: f64,
    /// The second player wins.
    pub second: f64,
}

/// The probabilities, computed once.
pub fn exact() -> Exact {
    static EXACT: OnceLock<Exact> = OnceLock::new();
    *EXACT.get_or_init(|| {
        let mut exact = Exact::default();
        follow(State::default(), 1.0, &mut exact);
        exact
    })
}

/// Adds what follows from a position that is reached with `probability`.
fn follow(state: State, probability: f64, exact: &mut Exact) {
    if let Some(scores) = TicTacToe.scores(&state) {
        let score = scores.of(0);
        if score > 0.5 {
            exact.first += probability;
        } else if score < 0.5 {
            exact.second += probability;
        } else {
            exact.draw += probability;
        }
        return;
    }
    let mut legal = Vec::new();
    TicTacToe.legal_into(&state, &mut legal);
    #[expect(clippy::cast_precision_loss, reason = "at most nine moves")]
    let each = probability / legal.len() as f64;
    for mv in legal {
        let mut next = state;
        TicTacToe.apply(&mut next, mv);
        follow(next, each, exact);
    }
}

/// Plays one game.
pub fn play(rng: &mut Rng) -> GameRecord {
    let mut state = State::default();
    let mut digest = Digest::default();
    loop {
        if let Some(scores) = TicTacToe.scores(&state) {
            return record(scores, digest.value());
        }
        let mv = TicTacToe.random_move(&state, rng);
        digest.push(TicTacToe.move_code(mv));
        TicTacToe.apply(&mut state, mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_enumeration_gives_the_exact_fractions() {
        let Exact {
            first,
            draw,
            second,
        } = exact();
        assert!((first - 737.0 / 1260.0).abs() < 1e-12, "{first}");
        assert!((draw - 8.0 / 63.0).abs() < 1e-12, "{draw}");
        assert!((first + draw + second - 1.0).abs() < 1e-12);
    }
}
