//! Random streams, each its own generator, seeded by a keyed hash of the CONTENT it depends on.
//!
//! A stream is named by what it is for ([`Seed::derive`]'s `purpose`) and by the content that
//! may change it. Nothing else reaches it: no thread number, no clock, no position in the grid.
//! Adding a cell to a sweep therefore changes no other cell's games.
//!
//! ```
//! use evalctl::rng::Seed;
//!
//! let root = Seed::root(20_261_130);
//! let deal = root.derive("deal", &[b"durak", &17_u64.to_le_bytes()]);
//! let mut cards: Vec<u8> = (0..36).collect();
//! deal.rng().shuffle(&mut cards);
//! assert_ne!(deal, root.derive("agent", &[b"durak", &17_u64.to_le_bytes()]));
//! ```

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Dxsm;

/// The seed of one random stream: 256 bits, of which the generator takes what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed from which all others of a run are derived: the number in the config.
    pub fn root(seed: u64) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("evalctl 2026 root seed");
        hasher.update(&seed.to_le_bytes());
        Self(*hasher.finalize().as_bytes())
    }

    /// The seed of the stream with this `purpose` and `content`.
    ///
    /// Parts of the content are length-prefixed, so `["ab", "c"]` and `["a", "bc"]` differ.
    #[must_use]
    pub fn derive(&self, purpose: &str, content: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in std::iter::once(purpose.as_bytes()).chain(content.iter().copied()) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// The seed of the stream with these numbers below this one: one short hash.
    #[must_use]
    pub fn indexed(&self, numbers: [u64; 3]) -> Self {
        let mut bytes = [0; 24];
        for (chunk, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            chunk.copy_from_slice(&number.to_le_bytes());
        }
        Self(*blake3::keyed_hash(&self.0, &bytes).as_bytes())
    }

    /// The first 64 bits, for columns and messages.
    pub fn short(&self) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.0[..8]);
        u64::from_be_bytes(bytes)
    }

    /// A generator at the start of this stream.
    pub fn rng(&self) -> Rng {
        Rng(Pcg64Dxsm::from_seed(self.0))
    }
}

/// A PCG DXSM generator (M. O'Neill, 2014; the variant of 2019) with the draws that games need.
///
/// Streams are separated by hashed seeds and never by `advance`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Pcg64Dxsm);

impl Rng {
    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform integer in `0..n` without bias (D. Lemire, "Fast random integer generation in an
    /// interval", ACM TOMACS 29, 2019, algorithm 5, 32-bit). One 64-bit draw, rarely more.
    ///
    /// `n` must be positive; `0` gives `0`.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = (self.next_u64() >> 32) * u64::from(n);
        #[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
        let mut low = product as u32;
        if low < n {
            let threshold = n.wrapping_neg() % n.max(1);
            while low < threshold {
                product = (self.next_u64() >> 32) * u64::from(n);
                #[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
                {
                    low = product as u32;
                }
            }
        }
        (product >> 32) as u32
    }

    /// A uniform index of a slice of `length` elements (at most `u32::MAX`).
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        let n = u32::try_from(length).unwrap_or(u32::MAX);
        self.below(n) as usize
    }

    /// A uniform number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
        let numerator = (self.next_u64() >> 11) as f64;
        numerator * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Shuffles in place, every permutation equally likely (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_purpose_and_on_every_part_of_the_content() {
        let root = Seed::root(1);
        let a = root.derive("deal", &[b"ab", b"c"]);
        assert_ne!(a, root.derive("deal", &[b"a", b"bc"]));
        assert_ne!(a, root.derive("agent", &[b"ab", b"c"]));
        assert_ne!(a, Seed::root(2).derive("deal", &[b"ab", b"c"]));
        assert_eq!(a, root.derive("deal", &[b"ab", b"c"]));
    }

    #[test]
    fn below_is_uniform_and_within_bounds() {
        let mut rng = Seed::root(7).rng();
        let mut counts = [0_i32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        // Five standard deviations of a binomial(60000, 1/6).
        assert!(
            counts.iter().all(|c| (c - 10_000).abs() < 457),
            "{counts:?}"
        );
        assert_eq!(rng.below(1), 0);
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn the_generator_is_fixed_for_ever() {
        // Reference runs depend on these values: they may change only with a new major version.
        let mut rng = Seed::root(20_261_130).derive("deal", &[b"durak"]).rng();
        let first: Vec<u64> = (0..2).map(|_| rng.next_u64()).collect();
        assert_eq!(first, FIRST, "{first:x?}");
    }

    const FIRST: [u64; 2] = [0x0b8d_e495_3770_b631, 0x47b7_12d6_7d52_7d78];
}
