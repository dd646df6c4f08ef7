//! What is counted of a cell while its blocks stream by: the sufficient statistics of every table
//! and flag. Memory does not grow with the number of games, but for the digests of the cell in
//! hand and, where a claim compares cells deal by deal, one score per block.

use crate::block::{Outcome, PlayedBlock};
use crate::games::MAX_SEATS;
use crate::plan::Cell;
use crate::record::{DECISION_CAP, GameRecord};
use crate::stats::blocks::{self, BlockSummary, RelabelSummary, TestResult};
use crate::stats::{Alternative, StatsError};

/// Counts of a cell.
#[derive(Clone, Debug)]
pub struct CellTally {
    seats: usize,
    rotations: usize,
    fair_share: f64,
    /// Games, truncated ones included.
    pub games: u64,
    /// Complete blocks, those with a truncated game included.
    pub blocks: u64,
    /// Games won, drawn and lost by the challenger (truncated games are none of them).
    pub wins: u64,
    /// See `wins`.
    pub draws: u64,
    /// See `wins`.
    pub losses: u64,
    /// Games cut off.
    pub truncated: u64,
    /// Games forfeited by the challenger.
    pub forfeits_challenger: u64,
    /// Games forfeited by an opponent.
    pub forfeits_opponent: u64,
    /// Block scores without blocks that hold a truncated game: the primary estimate.
    pub primary: BlockSummary,
    /// Block scores with truncated games counted as 0.
    pub truncated_as_loss: BlockSummary,
    /// Block scores with truncated games counted as 1.
    pub truncated_as_win: BlockSummary,
    /// Block scores without blocks that hold a forfeited or truncated game.
    pub unforfeited: BlockSummary,
    /// Scores of each block as if the challenger sat k seats further.
    pub relabelled: RelabelSummary,
    /// Per block: mean score when moving first minus mean score otherwise.
    pub seat_effect: BlockSummary,
    /// Challenger's game scores by seat.
    pub by_seat: [BlockSummary; MAX_SEATS],
    /// Challenger's game scores when another seat (0) or the challenger (1) moved first.
    pub by_first: [BlockSummary; 2],
    /// Games by number of decisions.
    pub lengths: Vec<u64>,
    /// Sum of decisions.
    pub decisions: u64,
    /// One score per block in schedule order (`None`: holds a truncated game), if kept.
    pub kept: Option<Vec<Option<f64>>>,
    digests: Distinct,
    distinct_games: u64,
    /// The digest that all games of a rotation share so far.
    shared: [Shared; MAX_SEATS],
}

/// Different digests: eight bytes each and no more, so that ten million games fit.
#[derive(Clone, Debug, Default)]
struct Distinct {
    /// The first `sorted` are sorted and different; those behind them are as they came.
    digests: Vec<u64>,
    sorted: usize,
}

impl Distinct {
    /// As many unsorted digests are let in before repeats are dropped.
    const SLACK: usize = 1 << 16;

    fn insert(&mut self, digest: u64) {
        self.digests.push(digest);
        // Each tidying doubles what is sorted or finds repeats, so all of them together cost as
        // much as about two sorts.
        if self.digests.len() >= 2 * self.sorted + Self::SLACK {
            self.tidy();
        }
    }

    fn tidy(&mut self) {
        self.digests.sort_unstable();
        self.digests.dedup();
        self.sorted = self.digests.len();
    }

    fn count(&mut self) -> u64 {
        self.tidy();
        self.digests.len() as u64
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Shared {
    Nothing,
    One(u64),
    Many,
}

impl CellTally {
    /// An empty tally for `cell`; `keep` holds on to one score per block.
    pub fn new(cell: &Cell, keep: bool) -> Self {
        Self {
            seats: cell.seats,
            rotations: cell.rotations,
            fair_share: cell.fair_share,
            games: 0,
            blocks: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            truncated: 0,
            forfeits_challenger: 0,
            forfeits_opponent: 0,
            primary: BlockSummary::default(),
            truncated_as_loss: BlockSummary::default(),
            truncated_as_win: BlockSummary::default(),
            unforfeited: BlockSummary::default(),
            relabelled: RelabelSummary::new(cell.seats),
            seat_effect: BlockSummary::default(),
            by_seat: Default::default(),
            by_first: Default::default(),
            lengths: Vec::new(),
            decisions: 0,
            kept: keep.then(Vec::new),
            digests: Distinct::default(),
            distinct_games: 0,
            shared: [Shared::Nothing; MAX_SEATS],
        }
    }

    /// Adds a block: all its rotations, in order.
    pub fn add(&mut self, block: &PlayedBlock) {
        self.blocks += 1;
        for (seat, game) in block.games.iter().enumerate().take(MAX_SEATS) {
            self.add_game(seat, game);
        }
        let score = block.mean_score();
        let truncated = block.is_truncated();
        if truncated {
            self.truncated_as_loss.push(mean_with(block, 0.0));
            self.truncated_as_win.push(mean_with(block, 1.0));
        } else {
            self.primary.push(score);
            self.truncated_as_loss.push(score);
            self.truncated_as_win.push(score);
            if block.games.iter().all(|game| game.fault_seat.is_none()) {
                self.unforfeited.push(score);
            }
            self.add_relabelled(&block.games);
            self.add_seat_effect(&block.games);
        }
        if let Some(kept) = &mut self.kept {
            kept.push((!truncated).then_some(score));
        }
    }

    fn add_game(&mut self, seat: usize, game: &GameRecord) {
        self.games += 1;
        self.decisions += u64::from(game.decisions);
        let length = game.decisions.min(DECISION_CAP) as usize;
        if length >= self.lengths.len() {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
        match Outcome::of(game, seat) {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
            Outcome::Truncated => self.truncated += 1,
        }
        if !game.end.is_truncated() {
            let score = game.scores.of(seat);
            self.by_seat[seat].push(score);
            self.by_first[usize::from(game.first_seat == seat)].push(score);
        }
        match game.fault_seat {
            Some(fault) if fault == seat => self.forfeits_challenger += 1,
            Some(_) => self.forfeits_opponent += 1,
            None => {}
        }
        self.digests.insert(game.digest);
        let shared = &mut self.shared[seat];
        *shared = match *shared {
            Shared::Nothing => Shared::One(game.digest),
            Shared::One(digest) if digest == game.digest => Shared::One(digest),
            _ => Shared::Many,
        };
    }

    fn add_relabelled(&mut self, games: &[GameRecord]) {
        if games.len() != self.seats {
            return;
        }
        let mut shifted = [0.0; MAX_SEATS];
        for (shift, mean) in shifted.iter_mut().enumerate().take(self.seats) {
            let total: f64 = (0..self.seats)
                .map(|seat| games[seat].scores.of((seat + shift) % self.seats))
                .sum();
            #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS")]
            {
                *mean = total / self.seats as f64;
            }
        }
        self.relabelled.push(&shifted[..self.seats]);
    }

    fn add_seat_effect(&mut self, games: &[GameRecord]) {
        let mut sums = [(0.0, 0.0); 2];
        for (seat, game) in games.iter().enumerate() {
            let side = &mut sums[usize::from(game.first_seat == seat)];
            side.0 += game.scores.of(seat);
            side.1 += 1.0;
        }
        let [(other, others), (first, firsts)] = sums;
        if others > 0.0 && firsts > 0.0 {
            self.seat_effect.push(first / firsts - other / others);
        }
    }

    /// Closes the cell: the digests are counted and dropped.
    pub fn close(&mut self) {
        self.distinct_games += self.digests.count();
        self.digests = Distinct::default();
    }

    /// Number of different games.
    pub fn distinct_games(&self) -> u64 {
        self.distinct_games + self.digests.clone().count()
    }

    /// Whether every rotation played one and the same game in all of at least two blocks.
    pub fn is_one_game(&self) -> bool {
        self.blocks > 1
            && self.shared[..self.rotations.min(MAX_SEATS)]
                .iter()
                .all(|shared| matches!(shared, Shared::One(_)))
    }

    /// The mean score of equally strong players.
    pub fn fair_share(&self) -> f64 {
        self.fair_share
    }

    /// Whether `score` is the fair share.
    pub fn is_fair_share(&self, score: f64) -> bool {
        (score - self.fair_share).abs() < 1e-9
    }

    /// The exact test of equal strength: sign flips for two seats, cyclic relabelling for more.
    ///
    /// # Errors
    /// Without blocks.
    pub fn exact_test(&self, alternative: Alternative) -> Result<TestResult, StatsError> {
        if self.seats == 2 || self.rotations == 1 {
            blocks::sign_flip(&self.primary, self.fair_share, alternative)
        } else {
            self.relabelled.test(alternative)
        }
    }

    /// The share of the variance of the challenger's game scores that its seat, or moving first,
    /// explains (eta squared, the larger of the two); `None` without variance.
    pub fn variance_explained_by_seat(&self) -> Option<f64> {
        let all = self
            .by_first
            .iter()
            .fold(BlockSummary::default(), |mut all, part| {
                all += part;
                all
            });
        let total = all.sum_of_squared_deviations();
        if total <= 0.0 {
            return None;
        }
        let explained = |groups: &[BlockSummary]| {
            let within: f64 = groups
                .iter()
                .map(BlockSummary::sum_of_squared_deviations)
                .sum();
            1.0 - within / total
        };
        Some(explained(&self.by_seat).max(explained(&self.by_first)))
    }
}

/// The challenger's mean score with truncated games counted as `value`.
fn mean_with(block: &PlayedBlock, value: f64) -> f64 {
    let score = |(seat, game): (usize, &GameRecord)| {
        if game.end.is_truncated() {
            value
        } else {
            game.scores.of(seat)
        }
    };
    let total: f64 = block.games.iter().enumerate().map(score).sum();
    #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS games")]
    {
        total / block.games.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_digests_are_counted_as_a_set_counts_them() {
        let mut rng = crate::rng::Seed::root(4).rng();
        for kinds in [1, 1_000, 300_000] {
            let mut distinct = Distinct::default();
            let mut set = std::collections::BTreeSet::new();
            for _ in 0..200_000 {
                let digest = u64::from(rng.below(kinds)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                distinct.insert(digest);
                set.insert(digest);
            }
            // Repeats take no room for long.
            assert!(distinct.digests.len() <= 2 * set.len() + Distinct::SLACK);
            assert_eq!(distinct.count(), set.len() as u64);
        }
    }
}
