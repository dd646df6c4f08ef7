//! How long single moves took: a histogram of fixed size with logarithmic buckets, from which
//! medians and tails follow. Sums cannot tell a steady player from one that thinks for a second
//! now and then, and keeping every time would grow with the run.
//!
//! Buckets are those of an HDR histogram: 16 of equal width per doubling, all in integers. A
//! quantile is the middle of its bucket, so it is off by at most 1/32 of its value (times below
//! 16 ns are exact). Histograms merge by adding.

/// Buckets per doubling, as a power of two.
const BITS: u32 = 4;
/// Buckets per doubling.
const PER_DOUBLING: usize = 1 << BITS;
/// Buckets for every `u64`.
const BUCKETS: usize = (64 - BITS as usize + 1) * PER_DOUBLING;

/// Times of moves, in nanoseconds. Takes no memory until the first is added, 8 KiB then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveTimes {
    /// Empty, or one count per bucket.
    counts: Vec<u64>,
    moves: u64,
    max: u64,
}

impl MoveTimes {
    /// Adds a move that took `nanos` nanoseconds.
    pub fn add(&mut self, nanos: u64) {
        self.counts.resize(BUCKETS, 0);
        if let Some(count) = self.counts.get_mut(bucket(nanos)) {
            *count += 1;
        }
        self.moves += 1;
        self.max = self.max.max(nanos);
    }

    /// Adds all moves of `other`.
    pub fn merge(&mut self, other: &Self) {
        if other.moves == 0 {
            return;
        }
        self.counts.resize(BUCKETS, 0);
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self.moves += other.moves;
        self.max = self.max.max(other.max);
    }

    /// Forgets all moves, but keeps the memory.
    pub fn clear(&mut self) {
        self.counts.fill(0);
        self.moves = 0;
        self.max = 0;
    }

    /// Number of moves.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The longest move in nanoseconds, exactly; `None` without moves.
    pub fn max(&self) -> Option<u64> {
        (self.moves > 0).then_some(self.max)
    }

    /// The least time in nanoseconds, to within 1/32, that at least `percent` % of the moves did
    /// not exceed (the nearest rank); `None` without moves. More than 100 % counts as 100 %.
    pub fn percentile(&self, percent: u32) -> Option<u64> {
        let rank = (u128::from(self.moves) * u128::from(percent.min(100)))
            .div_ceil(100)
            .max(1);
        let mut seen = 0_u128;
        let index = self.counts.iter().position(|&count| {
            seen += u128::from(count);
            seen >= rank
        })?;
        Some(middle(index).min(self.max))
    }
}

fn bucket(nanos: u64) -> usize {
    let doublings = nanos.checked_ilog2().unwrap_or(0).saturating_sub(BITS);
    // Below 2^BITS every number has a bucket; above, the leading bit and BITS more choose it.
    let front = usize::try_from(nanos >> doublings).unwrap_or(usize::MAX);
    doublings as usize * PER_DOUBLING + front
}

fn middle(bucket: usize) -> u64 {
    if bucket < PER_DOUBLING {
        return bucket as u64;
    }
    let doublings = bucket / PER_DOUBLING - 1;
    let low = ((PER_DOUBLING + bucket % PER_DOUBLING) as u64) << doublings;
    low + (1 << doublings) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_in_order_without_gaps_and_hold_every_time() {
        assert_eq!((bucket(0), bucket(u64::MAX)), (0, BUCKETS - 1));
        let mut last = 0;
        for nanos in 1..100_000 {
            let found = bucket(nanos);
            assert!(found == last || found == last + 1, "{nanos}");
            last = found;
        }
        for index in 0..BUCKETS {
            assert_eq!(bucket(middle(index)), index);
        }
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_times_to_within_a_bucket() {
        let mut rng = crate::rng::Seed::root(3).rng();
        for moves in [1_u32, 2, 7, 100, 101, 5_000] {
            let mut times = MoveTimes::default();
            let mut sorted: Vec<u64> = (0..moves)
                .map(|_| u64::from(rng.below(1_000)) << rng.below(30))
                .collect();
            for &nanos in &sorted {
                times.add(nanos);
            }
            sorted.sort_unstable();
            assert_eq!(times.moves(), u64::from(moves));
            assert_eq!(times.max(), sorted.last().copied());
            for percent in [0, 1, 50, 99, 100] {
                let rank = (moves * percent).div_ceil(100).max(1) as usize;
                let (exact, found) = (sorted[rank - 1], times.percentile(percent).unwrap());
                assert!(
                    found.abs_diff(exact) <= exact / 32,
                    "{percent} {exact} {found}"
                );
            }
        }
    }

    #[test]
    fn merging_is_adding_all_moves() {
        let (mut all, mut front, mut back) = <(MoveTimes, MoveTimes, MoveTimes)>::default();
        for nanos in 0..1_000 {
            all.add(nanos * nanos);
            if nanos < 700 { &mut front } else { &mut back }.add(nanos * nanos);
        }
        front.merge(&back);
        front.merge(&MoveTimes::default());
        assert_eq!(front, all);
        back.clear();
        assert_eq!(
            (back.moves(), back.max(), back.percentile(50)),
            (0, None, None)
        );
    }

    #[test]
    fn nothing_has_no_quantiles_and_takes_no_memory() {
        let mut times = MoveTimes::default();
        times.merge(&MoveTimes::default());
        assert_eq!((times.max(), times.percentile(99)), (None, None));
        assert_eq!(times.counts.capacity(), 0);
    }
}
