//! Counts of results from the lowest score to the highest, as match runners record them.
//!
//! Three counts are single games: loss, draw, win. Five are pairs of games played from one
//! opening with the seats swapped: LL, LD, LW or DD, WD, WW, whose scores are 0, 1/4, 1/2, 3/4, 1.

#![expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]

use super::StatsError;

/// What stands in for an empty cell where a likelihood needs every cell to be possible (the value
/// that fishtest, fastchess and `OpenBench` use).
pub const EMPTY_CELL: f64 = 1e-3;

/// Counts of single games (3 cells) or of game pairs (5 cells), lowest score first.
///
/// Counts need not be whole numbers: an empty cell may have been replaced by a small one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResultCounts {
    cells: [f64; 5],
    length: usize,
}

impl ResultCounts {
    /// Counts from a slice of 3 or 5, lowest score first.
    ///
    /// # Errors
    /// When there are not 3 or 5 counts, or one is negative or not finite.
    pub fn new(counts: &[f64]) -> Result<Self, StatsError> {
        if counts.len() != 3 && counts.len() != 5 {
            return Err(StatsError::argument(
                "results",
                format!("a list of {}", counts.len()),
                "3 counts (loss, draw, win) or 5 counts of pairs (lowest score first)",
            ));
        }
        if let Some(bad) = counts.iter().find(|c| !c.is_finite() || **c < 0.0) {
            return Err(StatsError::argument(
                "results",
                bad,
                "made of finite counts, none below 0",
            ));
        }
        let mut cells = [0.0; 5];
        for (cell, count) in cells.iter_mut().zip(counts) {
            *cell = *count;
        }
        Ok(Self {
            cells,
            length: counts.len(),
        })
    }

    /// Counts of single games.
    pub fn games(losses: u64, draws: u64, wins: u64) -> Self {
        Self {
            cells: [losses as f64, draws as f64, wins as f64, 0.0, 0.0],
            length: 3,
        }
    }

    /// Counts of game pairs, from two losses to two wins.
    pub fn pairs(counts: [u64; 5]) -> Self {
        Self {
            cells: counts.map(|count| count as f64),
            length: 5,
        }
    }

    /// The counts, lowest score first.
    pub fn cells(&self) -> &[f64] {
        &self.cells[..self.length]
    }

    /// The score of each cell, in `[0, 1]`, lowest first.
    pub fn scores(&self) -> &'static [f64] {
        if self.length == 3 {
            &[0.0, 0.5, 1.0]
        } else {
            &[0.0, 0.25, 0.5, 0.75, 1.0]
        }
    }

    /// How many games one counted unit has: 1, or 2 for pairs.
    pub fn games_per_unit(&self) -> f64 {
        if self.length == 3 { 1.0 } else { 2.0 }
    }

    /// The number of counted units (games, or pairs).
    pub fn total(&self) -> f64 {
        self.cells().iter().sum()
    }

    /// The same counts with every empty cell replaced by [`EMPTY_CELL`].
    #[must_use]
    pub fn regularised(mut self) -> Self {
        for cell in &mut self.cells[..self.length] {
            if *cell == 0.0 {
                *cell = EMPTY_CELL;
            }
        }
        self
    }

    /// The same match seen from the other side: the counts reversed.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.cells[..self.length].reverse();
        self
    }

    /// Each cell's share of the total; all zero if nothing was counted.
    pub fn shares(&self) -> [f64; 5] {
        let total = self.total();
        if total > 0.0 {
            self.cells.map(|cell| cell / total)
        } else {
            [0.0; 5]
        }
    }

    /// Mean and variance (divisor n) of the unit's score, or `None` if nothing was counted.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let total = self.total();
        if total <= 0.0 {
            return None;
        }
        let pairs = || self.cells().iter().zip(self.scores());
        let mean = pairs().map(|(n, s)| n * s).sum::<f64>() / total;
        let variance = pairs()
            .map(|(n, s)| n * (s - mean) * (s - mean))
            .sum::<f64>()
            / total;
        Some((mean, variance))
    }
}
