//! Faults that tests can seed into the rules, to show that a test would notice them.
//!
//! Outside of this crate's own tests [`seeded`] is the constant `false`, and the compiler removes
//! every trace of it.

/// Declares the faults, and for tests the list of all.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A mistake that programs make (numbers: the list of cases in `tests/cases.rs`).
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Fault {
            $($(#[$doc])* $name,)*
        }

        #[cfg(test)]
        impl Fault {
            pub(super) const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

faults! {
    /// 1: cards are thrown in after `take` past the limit.
    ThrowPastLimit,
    /// 2: nobody goes out after a take, so that a game whose loser takes last does not end.
    NobodyOutAfterTake,
    /// 3: covers are lost when the table is taken.
    CoversLostInTake,
    /// 4: a talon is always thought to hold the trump card.
    TalonNeverEmpty,
    /// 5: the winner of the bout draws first, although the roles of the bout just finished count.
    RefillAfterSwap,
    /// 6: an empty hand goes out while the talon has cards.
    OutWhileTalonLasts,
    /// 7: the game ends when the attacker plays its last card, before it is answered.
    EndsMidBout,
    /// 8: the original lead is out as soon as its attack is transferred and its hand is empty.
    OutAtTransfer,
    /// 9: a thrower is out as soon as its hand is empty.
    OutWhenThrown,
    /// 10: a defender who has gone out leads.
    OutDefenderLeads,
    /// 11: the limit follows the defender's shrinking hand.
    LimitShrinks,
    /// 12: a take lifts `first_bout_limit = until_first_beaten`.
    FirstLimitLiftedByTake,
    /// 13: ranks of covers do not count for throwing in.
    CoversGiveNoRanks,
    /// 14: a transfer may overfill the new defender.
    TransferOverfills,
    /// 14: the last card is no transfer.
    LastCardNoTransfer,
    /// 14: showing a trump needs as much room as playing it.
    ShowCountsTheCard,
    /// 14: a trump may be shown twice in a bout.
    ShownTwice,
    /// 15: the trump card stays in the talon.
    TrumpCardNotDrawn,
    /// 15: the trump suit is forgotten when the trump card is drawn.
    TrumpForgotten,
    /// 16: a list of moves holds 32.
    SmallMoveList,
    /// 17: the turn passes after every action.
    TurnAlternates,
    /// 18: sampled worlds deal picked-up cards anew.
    SampleForgetsPickedUp,
    /// 18: sampled worlds deal the visible trump card into hands.
    SampleDealsTrumpCard,
    /// 18: sampled worlds ignore why the first attacker was chosen.
    SampleForgetsStart,
    /// 19: spades cannot be covered by trumps.
    SpadesStandOut,
    /// 19: drawing starts at seat 0.
    SeatZeroDraws,
    /// 20: a position never counts as repeated.
    NothingRepeats,
    /// 20: positions that differ in who leads count as the same.
    AnybodyLeads,
}

#[cfg(test)]
thread_local! {
    static SEEDED: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Seeds a fault into this thread's rules, or none.
#[cfg(test)]
pub(super) fn seed(fault: Option<Fault>) {
    SEEDED.set(fault);
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
