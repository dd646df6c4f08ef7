//! Do scores rise with the dose? One slope per deal.

use super::super::blocks::TestResult;
use super::super::{Alternative, Interval};
use super::permute::permutation_test;
use crate::rng::Seed;

/// Scores of deals along lines, each with doses of its own (a grid is a special case), and the one
/// slope that all lines share; every line has its own level.
#[derive(Clone, PartialEq, Debug)]
pub struct Lines {
    /// The slope of a deal is the sum of its scores with these weights, line by line.
    weights: Vec<Vec<f64>>,
    /// Scores of the complete deals: deal by deal, line by line, dose by dose.
    scores: Vec<f64>,
}

impl Lines {
    /// Without deals yet. `doses` are logarithms (base 2) of budgets, line by line.
    pub fn new(doses: &[Vec<f64>]) -> Self {
        let spread: f64 = doses.iter().map(|line| spread(line)).sum();
        let weights = |line: &Vec<f64>| {
            let centre = centre(line);
            line.iter().map(|x| (x - centre) / spread).collect()
        };
        Self {
            weights: doses.iter().map(weights).collect(),
            scores: Vec::new(),
        }
    }

    /// Adds a deal: its scores line by line, dose by dose. One that lacks a score is left out, for
    /// there is nothing to compare its other scores with.
    pub fn push(&mut self, deal: impl IntoIterator<Item = Option<f64>>) {
        let begin = self.scores.len();
        self.scores
            .extend(deal.into_iter().map_while(|score| score));
        if self.scores.len() - begin < self.points() {
            self.scores.truncate(begin);
        }
    }

    /// The least-squares slope of every complete deal: score per unit of dose.
    pub fn slopes(&self) -> impl Iterator<Item = f64> {
        self.deals().map(|deal| {
            let all = self.weights.iter().flatten();
            deal.iter().zip(all).map(|(score, w)| score * w).sum()
        })
    }

    /// The slopes that scores in `[0, 1]` can have; of no width where all doses of every line are
    /// the same.
    pub fn range(&self) -> Interval {
        let most: f64 = self.weights.iter().flatten().map(|w| w.max(0.0)).sum();
        if most.is_finite() {
            Interval::new(-most, most)
        } else {
            Interval::new(0.0, 0.0)
        }
    }

    /// Tests "the dose makes no difference" by exchanging the scores of a deal along each line.
    ///
    /// If it is true, the scores of one deal and line are exchangeable: they come from the same
    /// position and differ only in the players' own random streams. So the test is exact (up to its
    /// Monte-Carlo error), however much deals or lines differ.
    pub fn test(&self, alternative: Alternative, seed: Seed) -> TestResult {
        let units = self.deals().flat_map(|deal| {
            let mut rest = deal;
            self.weights.iter().map(move |own| {
                let (values, after) = rest.split_at(own.len());
                rest = after;
                (values, own.as_slice())
            })
        });
        permutation_test(units, alternative, seed)
    }

    fn points(&self) -> usize {
        self.weights.iter().map(Vec::len).sum()
    }

    fn deals(&self) -> impl Iterator<Item = &[f64]> {
        self.scores.chunks_exact(self.points().max(1))
    }
}

fn centre(line: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a handful of doses")]
    let points = line.len() as f64;
    line.iter().sum::<f64>() / points
}

fn spread(line: &[f64]) -> f64 {
    let centre = centre(line);
    line.iter().map(|x| (x - centre) * (x - centre)).sum()
}
