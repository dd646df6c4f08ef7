//! The score of a cell as its blocks come in, with an interval that holds at every moment.

use super::summary::RunningPoint;
use crate::stats::StatsError;
use crate::stats::confidence_sequences::BettingMixture;

/// Moments at which the score is noted: about one for each few pixels of a chart.
const MOMENTS: u64 = 48;

/// Follows one cell. Its memory does not grow with the number of blocks.
#[derive(Debug)]
pub(super) struct Running {
    /// An error is kept until the end, where it can be told.
    sequence: Result<BettingMixture, StatsError>,
    /// Blocks between two moments.
    every: u64,
    seen: u64,
    points: Vec<RunningPoint>,
}

impl Running {
    /// Nothing seen yet of a cell of `planned` blocks.
    pub(super) fn new(planned: u64, confidence: f64) -> Self {
        Self {
            sequence: BettingMixture::new(1.0 - confidence),
            every: planned.div_ceil(MOMENTS).max(1),
            seen: 0,
            points: Vec::new(),
        }
    }

    /// Adds the score of the next block without truncated games.
    pub(super) fn add(&mut self, score: f64) {
        if let Ok(sequence) = &mut self.sequence
            && let Err(error) = sequence.update(score)
        {
            self.sequence = Err(error);
        }
        self.seen += 1;
        if self.seen.is_multiple_of(self.every) {
            self.note();
        }
    }

    fn note(&mut self) {
        if let Ok(sequence) = &self.sequence
            && let Some(score) = sequence.mean()
        {
            self.points.push(RunningPoint {
                blocks: self.seen,
                score,
                interval: sequence.interval(),
            });
        }
    }

    /// The moments in order; the last is after the last block.
    ///
    /// # Errors
    /// When the confidence is not in (0, 1) or a score was not in `[0, 1]`.
    pub(super) fn finish(mut self) -> Result<Vec<RunningPoint>, StatsError> {
        if self.points.last().is_none_or(|p| p.blocks < self.seen) {
            self.note();
        }
        self.sequence.map(|_| self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_few_and_end_with_the_last_block() {
        let mut running = Running::new(1000, 0.95);
        for block in 0..997_u32 {
            running.add(f64::from(block % 5) / 4.0);
        }
        let points = running.finish().expect("points");
        assert!((40..=50).contains(&points.len()), "{}", points.len());
        let last = points.last().expect("a point");
        assert_eq!(last.blocks, 997);
        assert!((last.score - 0.5).abs() < 0.01);
        assert!(points.is_sorted_by_key(|p| p.blocks));
        assert!(
            points
                .iter()
                .all(|p| p.interval.low <= p.score && p.score <= p.interval.high)
        );
        let width = |p: &RunningPoint| p.interval.high - p.interval.low;
        assert!(width(last) < 0.1 && width(&points[0]) > width(last));
    }

    #[test]
    fn a_cell_without_blocks_has_no_moments() {
        let running = Running::new(10, 0.95);
        assert_eq!(running.finish(), Ok(Vec::new()));
    }

    #[test]
    fn an_error_is_told_at_the_end() {
        let mut running = Running::new(10, 0.95);
        running.add(1.5);
        running.add(0.5);
        assert!(running.finish().is_err());
    }
}
