//! Tic-tac-toe solved: the value of every position, and a player that is uniform over the moves
//! that keep it (how soon a win comes does not matter to it).

use std::sync::OnceLock;

use crate::agents::{Agent, Fault};
use crate::games::tictactoe::{Cell, State, TicTacToe};
use crate::games::{Game, Seat};
use crate::rng::{Rng, Seed};

/// Values by the two boards' bits, 9 of seat 0 above 9 of seat 1; `UNKNOWN` where not reachable.
const POSITIONS: usize = 1 << 18;
const UNKNOWN: i8 = i8::MIN;

fn index(state: State) -> usize {
    usize::from(state.marks(0)) << 9 | usize::from(state.marks(1))
}

fn table() -> &'static [i8] {
    static TABLE: OnceLock<Box<[i8]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut values = vec![UNKNOWN; POSITIONS].into_boxed_slice();
        solve(State::default(), &mut values);
        values
    })
}

fn solve(state: State, values: &mut [i8]) -> i8 {
    if values[index(state)] != UNKNOWN {
        return values[index(state)];
    }
    let value = match TicTacToe.scores(&state) {
        // The winner made the last move: the seat to move has lost.
        Some(scores) if (scores.of(0) - 0.5).abs() < 0.25 => 0,
        Some(_) => -1,
        None => successors(state)
            .map(|(_, next)| -solve(next, values))
            .max()
            .unwrap_or(0),
    };
    values[index(state)] = value;
    value
}

fn successors(state: State) -> impl Iterator<Item = (Cell, State)> {
    (0..9)
        .filter_map(Cell::new)
        .filter(move |cell| state.empty() >> cell.index() & 1 != 0)
        .map(move |cell| {
            let mut next = state;
            TicTacToe.apply(&mut next, cell);
            (cell, next)
        })
}

/// The value of a position that play can reach, for the seat to move: 1 won, 0 drawn, -1 lost.
/// A finished game counts as if the other seat had still to move.
pub fn value(state: State) -> i8 {
    match table()[index(state)] {
        UNKNOWN => 0,
        value => value,
    }
}

/// The exact player.
#[derive(Clone, Debug)]
pub struct Perfect {
    rng: Rng,
    best: Vec<Cell>,
    estimate: Option<f64>,
}

impl Default for Perfect {
    fn default() -> Self {
        Self {
            rng: Seed::root(0).rng(),
            best: Vec::new(),
            estimate: None,
        }
    }
}

impl Agent<TicTacToe> for Perfect {
    fn start(&mut self, _game: &TicTacToe, _seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.rng = seed.rng();
        self.estimate = None;
        Ok(())
    }

    fn choose(&mut self, _game: &TicTacToe, view: &State, legal: &[Cell]) -> Result<Cell, Fault> {
        let kept = value(*view);
        self.best.clear();
        self.best.extend(
            successors(*view)
                .filter(|&(_, next)| -value(next) == kept)
                .map(|(cell, _)| cell),
        );
        self.estimate = Some(f64::midpoint(f64::from(kept), 1.0));
        Ok(match self.best.len() {
            0 => legal[0],
            count => self.best[self.rng.index(count)],
        })
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_a_draw_and_all_reachable_positions_are_solved() {
        assert_eq!(value(State::default()), 0);
        let solved = table().iter().filter(|&&v| v != UNKNOWN).count();
        assert_eq!(solved, 5478);
    }

    /// Exact chances of (win, draw) for `perfect`'s seat against a uniform player.
    fn against_uniform(state: State, seat: Seat) -> (f64, f64) {
        if let Some(scores) = TicTacToe.scores(&state) {
            let won = f64::from(u8::from(scores.of(seat) > 0.75));
            let drawn = f64::from(u8::from((scores.of(seat) - 0.5).abs() < 0.25));
            return (won, drawn);
        }
        let mover = TicTacToe.to_move(&state);
        let kept = value(state);
        let moves: Vec<State> = successors(state)
            .map(|(_, next)| next)
            .filter(|&next| mover != Some(seat) || -value(next) == kept)
            .collect();
        let share = 1.0 / f64::from(u32::try_from(moves.len()).expect("at most nine"));
        moves.into_iter().fold((0.0, 0.0), |(win, draw), next| {
            let (w, d) = against_uniform(next, seat);
            (win + share * w, draw + share * d)
        })
    }

    #[test]
    fn its_results_against_uniform_play_are_the_published_fractions() {
        let text = include_str!("../../../tests/data/reference/games.json");
        let reference: serde_json::Value = serde_json::from_str(text).expect("valid JSON");
        let exact = &reference["tic_tac_toe"]["uniform_over_optimal_moves_v_uniform"];
        for (seat, key) in [(0, "as_first"), (1, "as_second")] {
            let fraction = |what: &str| {
                let pair = &exact[key][what];
                pair[0].as_f64().expect("a number") / pair[1].as_f64().expect("a number")
            };
            let (win, draw) = against_uniform(State::default(), seat);
            assert!((win - fraction("win")).abs() < 1e-12, "{key}: {win}");
            assert!((draw - fraction("draw")).abs() < 1e-12, "{key}: {draw}");
        }
    }

    #[test]
    fn it_plays_every_move_that_keeps_the_value_and_no_other() {
        let mut agent = Perfect::default();
        Agent::start(&mut agent, &TicTacToe, 0, Seed::root(9)).expect("starts");
        let mut legal = Vec::new();
        TicTacToe.legal_into(&State::default(), &mut legal);
        let mut counts = [0_u32; 9];
        for _ in 0..9000 {
            let mv = agent.choose(&TicTacToe, &State::default(), &legal);
            counts[usize::from(mv.expect("moves").index())] += 1;
        }
        // Every opening move draws: five standard deviations of a binomial(9000, 1/9).
        assert!(counts.iter().all(|c| c.abs_diff(1000) < 150), "{counts:?}");
        // o in a corner: only the centre still draws.
        let mut corner = State::default();
        TicTacToe.apply(&mut corner, legal[0]);
        for _ in 0..50 {
            let mv = agent.choose(&TicTacToe, &corner, &legal).expect("moves");
            assert_eq!(mv.index(), 4);
        }
    }
}
