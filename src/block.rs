//! A finished block: one deal played once per rotation, the unit of inference.
//!
//! It is what a run records, what `games.csv` holds and what the analysis reads.

use crate::games::Seat;
use crate::record::GameRecord;

/// One finished block of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayedBlock {
    /// Index of the cell in the plan.
    pub cell: usize,
    /// Number of the block (column `block`).
    pub block: u64,
    /// One game per rotation. The challenger sits in the seat with the rotation's number, so
    /// `games[r]` is the game in which it sits in seat `r`. Times (`nanos`, `choices`) are 0 in
    /// blocks that were read back from a file.
    pub games: Vec<GameRecord>,
}

impl PlayedBlock {
    /// The challenger's seat in the game of rotation `rotation`.
    pub fn seat(rotation: usize) -> Seat {
        rotation
    }

    /// The challenger's score in the game of rotation `rotation`; `None` if there is no such game.
    pub fn score(&self, rotation: usize) -> Option<f64> {
        let game = self.games.get(rotation)?;
        Some(game.scores.of(Self::seat(rotation)))
    }

    /// The challenger's mean score over the rotations, truncated games counted at the score that
    /// they were given (the fair share). 0 for a block without games.
    pub fn mean_score(&self) -> f64 {
        let sum: f64 = (0..self.games.len()).filter_map(|r| self.score(r)).sum();
        #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS games")]
        let games = self.games.len().max(1) as f64;
        sum / games
    }

    /// Whether any of its games was cut off.
    pub fn is_truncated(&self) -> bool {
        self.games.iter().any(|game| game.end.is_truncated())
    }
}

/// What a game was for the challenger (column `outcome`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The full score.
    Win,
    /// Anything between.
    Draw,
    /// No score.
    Loss,
    /// The game was cut off.
    Truncated,
}

impl Outcome {
    /// All, in the order of the columns of `cells.csv`.
    pub const ALL: [Self; 4] = [Self::Win, Self::Draw, Self::Loss, Self::Truncated];

    /// What `record` was for the player in `seat`.
    pub fn of(record: &GameRecord, seat: Seat) -> Self {
        let score = record.scores.of(seat);
        if record.end.is_truncated() {
            Self::Truncated
        } else if score >= 1.0 {
            Self::Win
        } else if score <= 0.0 {
            Self::Loss
        } else {
            Self::Draw
        }
    }

    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
            Self::Truncated => "truncated",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{MAX_SEATS, Scores};
    use crate::record::End;

    fn game(scores: Scores, end: End) -> GameRecord {
        GameRecord {
            scores,
            places: [0; MAX_SEATS],
            first_seat: 0,
            end,
            fault_seat: None,
            decisions: 9,
            digest: 1,
            nanos: [0; MAX_SEATS],
            choices: [0; MAX_SEATS],
        }
    }

    #[test]
    fn scores_are_the_challengers_in_every_rotation() {
        // Seat 0 won both games, and the challenger sat there in the first only.
        let won = Scores::lost_by(2, 1);
        let block = PlayedBlock {
            cell: 0,
            block: 0,
            games: vec![game(won, End::Normal), game(won, End::Normal)],
        };
        assert_eq!(block.score(0), Some(1.0));
        assert_eq!(block.score(1), Some(0.0));
        assert_eq!(block.score(2), None);
        assert!((block.mean_score() - 0.5).abs() < 1e-15);
        assert!(!block.is_truncated());
    }

    #[test]
    fn a_cut_off_game_is_no_draw() {
        let even = game(Scores::all(2, 0.5), End::Normal);
        let cut = game(Scores::all(2, 0.5), End::DecisionCap);
        assert_eq!(Outcome::of(&even, 0), Outcome::Draw);
        assert_eq!(Outcome::of(&cut, 0), Outcome::Truncated);
        assert_eq!(
            Outcome::of(&game(Scores::lost_by(3, 2), End::Normal), 2),
            Outcome::Loss
        );
    }
}
