//! Selecting the `n`-th set bit of a mask, as fast as the processor allows.
//!
//! Uniform play draws a card out of a mask at every decision. The default x86-64 target has
//! neither a population count nor a bit deposit; with them, playouts of Durak are 1.4 to 1.7
//! times as fast (`benches/durak_playouts.rs`). [`fastest`] therefore runs a task compiled twice,
//! with and without them, and picks by what the processor reports. The results are the same.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "entering code compiled for features that were detected at run time"
    )
)]

use super::cards::{self, Card};

/// A way to select a card of a mask.
pub trait Select: Copy {
    /// The card that is number `n` (from 0) of a mask; `n` must be below the number of cards.
    fn nth(self, mask: u64, n: u32) -> Card;
}

/// Works everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Select for Portable {
    #[inline(always)]
    fn nth(self, mask: u64, n: u32) -> Card {
        cards::nth(mask, n)
    }
}

/// Work that is worth compiling twice. `run` should be `#[inline(always)]`, with all that it calls
/// in its inner loop.
pub trait Task {
    /// What it gives.
    type Output;

    /// Does it.
    fn run<S: Select>(self, select: S) -> Self::Output;
}

/// Runs a task with the fastest selection that this processor has.
#[inline]
pub fn fastest<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if x86::is_fast() {
        // SAFETY: `is_fast` has just checked every feature that `run` is compiled for.
        return unsafe { x86::run(task) };
    }
    task.run(Portable)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::_pdep_u64;

    use super::{Card, Select, Task};

    /// Proof that BMI2 was detected: only [`run`] makes one.
    #[derive(Clone, Copy)]
    pub(super) struct Deposit(());

    impl Select for Deposit {
        #[inline(always)]
        fn nth(self, mask: u64, n: u32) -> Card {
            // SAFETY: a `Deposit` exists only where BMI2 was detected.
            let bit = unsafe { _pdep_u64(1 << (n & 63), mask) };
            Card::of_bit(bit)
        }
    }

    /// Whether bit deposit exists and is a fast instruction. AMD processors before Zen 3 have it in
    /// microcode, slower than the portable way; they are told by `SSE4a` without `VAES`.
    #[inline]
    pub(super) fn is_fast() -> bool {
        is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt")
            && (is_x86_feature_detected!("vaes") || !is_x86_feature_detected!("sse4a"))
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    pub(super) fn run<T: Task>(task: T) -> T::Output {
        task.run(Deposit(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    struct Nth(u64, u32);

    impl Task for Nth {
        type Output = Card;

        fn run<S: Select>(self, select: S) -> Card {
            select.nth(self.0, self.1)
        }
    }

    #[test]
    fn every_way_selects_the_same_card() {
        let mut rng = Seed::root(5).rng();
        for _ in 0..2_000 {
            let mask = rng.next_u64() & rng.next_u64();
            for (n, card) in cards::cards(mask).enumerate() {
                let n = u32::try_from(n).unwrap();
                assert_eq!(Portable.nth(mask, n), card);
                assert_eq!(fastest(Nth(mask, n)), card);
            }
        }
    }
}
