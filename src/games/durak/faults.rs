//! Faults that tests can seed into the rules, to show that a test would notice them.
//!
//! Outside of this crate's own tests [`seeded`] is the constant `false`, and the compiler removes
//! every trace of it.

/// A mistake that programs make (the numbers are those of the list in `cases.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// 1: cards are thrown in after `take` past the limit.
    ThrowPastLimit,
    /// 6: an empty hand goes out while the talon has cards.
    OutWhileTalonLasts,
    /// 11: the limit follows the defender's shrinking hand.
    LimitShrinks,
    /// 12: a take lifts `first_bout_limit = until_first_beaten`.
    FirstLimitLiftedByTake,
    /// 13: ranks of covers do not count for throwing in.
    CoversGiveNoRanks,
    /// 14: a transfer may overfill the new defender.
    TransferOverfills,
    /// 14: showing a trump needs as much room as playing it.
    ShowCountsTheCard,
    /// 14: a trump may be shown twice in a bout.
    ShownTwice,
}

#[cfg(test)]
thread_local! {
    static SEEDED: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Whether this fault is in force.
#[cfg(test)]
#[inline]
pub(super) fn seeded(fault: Fault) -> bool {
    SEEDED.get() == Some(fault)
}

/// Whether this fault is in force: never.
#[cfg(not(test))]
#[inline]
pub(super) const fn seeded(_fault: Fault) -> bool {
    false
}
