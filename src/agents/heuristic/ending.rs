//! Counting at the end: two players, no talon, every card known.

use super::{count, covers};
use crate::games::cards::{self, cards};
use crate::games::durak::Rules;
use crate::games::durak::rules::Throwers;

/// Larger hands are not examined: runs that long do not happen, and their orders are many.
const LARGEST: i32 = 8;

/// What bounds the attacks of the last bouts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    trumps: u64,
    /// Whether cards may follow one that is taken.
    throws_after_take: bool,
    hand_cap: bool,
    attack_cap: bool,
}

impl Ending {
    pub(super) fn new(rules: &Rules, trumps: u64) -> Self {
        Self {
            trumps,
            throws_after_take: rules.throw_after_take && rules.throwers != Throwers::Nobody,
            hand_cap: rules.hand_cap,
            attack_cap: rules.attack_cap,
        }
    }

    /// Whether cards may follow one that is taken.
    pub(super) fn throws_after_take(&self) -> bool {
        self.throws_after_take
    }

    /// The most attacks against a hand.
    fn limit(&self, other: u64) -> i32 {
        let cap = if self.attack_cap { 6 } else { LARGEST };
        if self.hand_cap {
            cap.min(count(other))
        } else {
            cap
        }
    }

    /// Whether `hand` is of one rank and can be led and thrown in whole, with the other not
    /// covering all of it with its last cards.
    pub(super) fn last_group(&self, hand: u64, other: u64) -> bool {
        let cards = count(hand);
        hand != 0
            && hand & !cards::same_ranks(hand & hand.wrapping_neg()) == 0
            && cards <= self.limit(other)
            && (cards == 1 || self.throws_after_take)
            && cards < count(other)
    }

    /// Whether the holder of `hand`, who is to lead, gets rid of all of it whatever the other
    /// does: rank by rank with leads that `other` cannot cover and must take, up to a last rank.
    pub(super) fn runs_out(&self, hand: u64, other: u64) -> bool {
        if hand == 0 || self.last_group(hand, other) {
            return true;
        }
        if count(hand) > LARGEST || other == 0 {
            return false;
        }
        let limit = if self.throws_after_take {
            self.limit(other)
        } else {
            1
        };
        let mut ranks = hand;
        while let Some(card) = cards::first(ranks) {
            let group = hand & cards::same_ranks(card.bit());
            ranks &= !group;
            let lead = cards(group).find(|&lead| covers(other, lead, self.trumps) == 0);
            if let Some(lead) = lead {
                let mut thrown = lead.bit();
                for card in cards(group & !lead.bit()) {
                    if count(thrown) < limit {
                        thrown |= card.bit();
                    }
                }
                if self.runs_out(hand & !thrown, other | thrown) {
                    return true;
                }
            }
        }
        false
    }
}
