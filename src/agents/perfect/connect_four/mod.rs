//! Connect Four solved: a player that never gives away the game's value.
//!
//! [`solver`] is exact in every position; [`book`] holds the moves of the first plies, where it
//! would take seconds. Which of several moves that keep the value is played is fixed by
//! [`choose`], so that the player is deterministic and the book is nothing but its memory.

pub mod book;
mod player;
pub mod solver;

pub use self::player::Perfect;
use self::solver::{ORDER, Position, Solver};

/// From this ply on moves are told apart by how soon they win or how late they lose: before it,
/// that costs many times what the bare value does.
pub const EXACT_DISTANCE_FROM: i32 = 20;

/// The column that `perfect` plays in a position whose game is not over: a win at once; else a
/// move that keeps the value, from ply [`EXACT_DISTANCE_FROM`] on the one that wins soonest or loses
/// latest, before it (if all lose) one that does not lose at once; of equal ones the nearest to the
/// centre, left before right. In a mirrored position it is the mirrored column.
pub fn choose(solver: &Solver, position: Position) -> u32 {
    let (position, is_mirrored) = position.canonical();
    let column = choose_canonical(solver, position);
    if is_mirrored { 6 - column } else { column }
}

fn choose_canonical(solver: &Solver, position: Position) -> u32 {
    let open = || ORDER.into_iter().filter(|&c| position.is_open(c));
    if let Some(wins) = open().find(|&c| position.wins_with(c)) {
        return wins;
    }
    let safe = || open().filter(|&c| position.is_safe(c));
    let first = safe().next().or_else(|| open().next()).unwrap_or(0);
    if safe().nth(1).is_none() {
        return first;
    }
    if position.plies() >= EXACT_DISTANCE_FROM {
        let score = |column| -solver.score(position.play(column));
        let mut best = (first, score(first));
        for column in safe().skip(1) {
            let value = score(column);
            if value > best.1 {
                best = (column, value);
            }
        }
        return best.0;
    }
    // The value of a move is minus that of the position after it.
    let keeps = |least: i32| {
        let reaches = |&c: &u32| -solver.within(position.play(c), -least, 1 - least) >= least;
        safe().find(reaches)
    };
    // The seat that moves second is lost more often than not, and where it is, one question is
    // enough instead of two for every move.
    if position.plies() % 2 == 1 && solver.within(position, -1, 0) < 0 {
        return first;
    }
    keeps(1).or_else(|| keeps(0)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::solver::Table;
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn every_choice_keeps_the_value_and_late_ones_the_distance() {
        let solver = Solver::new(Arc::new(Table::new(18)));
        let mut rng = Seed::root(11).rng();
        let mut values = [0; 3];
        for number in 0..150 {
            // Random moves, but no win.
            let mut position = Position::EMPTY;
            let mut tries = 0;
            while position.plies() < 16 + number % 26 && tries < 500 {
                let column = rng.below(7);
                if position.is_open(column) && !position.wins_with(column) {
                    position = position.play(column);
                }
                tries += 1;
            }
            if !(0..7).any(|column| position.is_open(column)) {
                continue;
            }
            let column = choose(&solver, position);
            let value = solver.outcome(position);
            values[usize::try_from(value + 1).expect("-1 to 1")] += 1;
            if position.wins_with(column) {
                continue;
            }
            let next = position.play(column);
            if next.plies() == 42 {
                assert_eq!(value, 0);
            } else if position.plies() >= EXACT_DISTANCE_FROM {
                assert_eq!(-solver.score(next), solver.score(position), "{position:?}");
            } else {
                assert_eq!(-solver.outcome(next), value, "{position:?}");
            }
        }
        assert!(
            values[0] > 5 && values[1] > 0 && values[2] > 5,
            "{values:?}"
        );
    }

    #[test]
    fn a_mirrored_position_gets_the_mirrored_column() {
        let solver = Solver::new(Arc::new(Table::new(18)));
        let mut rng = Seed::root(12).rng();
        for _ in 0..30 {
            let (mut position, mut image) = (Position::EMPTY, Position::EMPTY);
            while position.plies() < 20 {
                let column = rng.below(7);
                if position.is_open(column) && !position.wins_with(column) {
                    position = position.play(column);
                    image = image.play(6 - column);
                }
            }
            if position.canonical() != image.canonical() || position != image {
                assert_eq!(choose(&solver, image), 6 - choose(&solver, position));
            }
        }
    }
}
