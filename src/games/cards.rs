//! Playing cards as bits of a `u64`: one lane of sixteen bits a suit, the ranks ascending in it.
//!
//! A hand, a table and a talon are masks, so that "higher in its suit", "of these ranks" and
//! "lowest" are a few instructions, and no hand is too large: 52 of the 64 bits are cards.

use std::fmt;

/// Ranks from the lowest (0) to the ace (12), as text.
pub const RANKS: &[u8; 13] = b"23456789TJQKA";

/// Suits 0..4 as text: clubs, diamonds, hearts, spades.
pub const SUITS: &[u8; 4] = b"cdhs";

/// One bit a lane: a rank of all suits is this shifted by the rank.
const LANES: u64 = 0x0001_0001_0001_0001;

/// The thirteen ranks of the lowest lane.
const LANE: u64 = 0x1fff;

/// A card: `suit * 16 + rank`, which is also its bit's number in a mask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a rank (0 is the two, 12 the ace) and a suit (0 clubs, 1 diamonds, 2 hearts, 3
    /// spades); `None` if there is no such card.
    pub const fn new(rank: u8, suit: u8) -> Option<Self> {
        if rank < 13 && suit < 4 {
            Some(Self(suit * 16 + rank))
        } else {
            None
        }
    }

    /// The card whose number is `index` (`suit * 16 + rank`).
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// The first card of a mask that has one.
    #[inline]
    pub(crate) const fn of_bit(mask: u64) -> Self {
        // A mask without cards has 64 trailing zeros.
        Self((mask.trailing_zeros() & 63) as u8)
    }

    /// `suit * 16 + rank`, below 64.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The mask that holds this card alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The rank, 0 (two) to 12 (ace).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 & 15
    }

    /// The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 >> 4
    }

    /// The card with this text, such as `6c` or `Th`; `None` if there is none.
    pub fn parse(text: &str) -> Option<Self> {
        let &[rank, suit] = text.as_bytes() else {
            return None;
        };
        let rank = RANKS.iter().position(|&r| r == rank)?;
        let suit = SUITS.iter().position(|&s| s == suit)?;
        Self::new(u8::try_from(rank).ok()?, u8::try_from(suit).ok()?)
    }

    /// Rank and suit as letters.
    pub fn letters(self) -> [char; 2] {
        [
            char::from(RANKS[usize::from(self.rank()) % RANKS.len()]),
            char::from(SUITS[usize::from(self.suit()) % SUITS.len()]),
        ]
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rank, suit] = self.letters();
        write!(f, "{rank}{suit}")
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The cards of a mask, lowest bit first: clubs, diamonds, hearts, spades, each from its lowest
/// rank.
pub fn cards(mut mask: u64) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        let card = first(mask)?;
        mask &= mask - 1;
        Some(card)
    })
}

/// The first card of a mask.
#[inline]
pub fn first(mask: u64) -> Option<Card> {
    (mask != 0).then(|| nth(mask, 0))
}

/// All cards of one suit (0..4).
#[inline]
pub const fn suit_mask(suit: u8) -> u64 {
    LANE << ((suit & 3) * 16)
}

/// All cards whose rank is among those of `mask`.
#[inline]
pub const fn same_ranks(mask: u64) -> u64 {
    let folded = mask | mask.rotate_left(32);
    folded | folded.rotate_left(16)
}

/// The cards of the same suit that are higher than `card` (bits above the ace may be set: no card
/// has them).
#[inline]
pub const fn higher(card: Card) -> u64 {
    (0x1_0000_u64 << (card.0 & 0x30)).wrapping_sub(card.bit() << 1)
}

/// The cards of `mask` that have its lowest rank.
#[inline]
pub const fn lowest_rank(mask: u64) -> u64 {
    let ranks = same_ranks(mask);
    mask & (LANES << (ranks.trailing_zeros() & 15))
}

/// All cards of a deck of 24 (nines up), 36 (sixes up) or 52 cards.
pub const fn deck_mask(cards: u8) -> u64 {
    let lowest = 13 - cards / 4;
    let lane = LANE & !((1 << lowest) - 1);
    lane * LANES
}

/// The card that is number `n` (from 0) of a mask; `n` must be below the number of cards.
///
/// Removes cards in steps of one, two and four that compile to conditional moves: most masks in
/// play have few cards, and a loop over them would be mispredicted.
#[inline]
pub const fn nth(mask: u64, n: u32) -> Card {
    let mut rest = mask;
    if n & 1 != 0 {
        rest = without_first(rest);
    }
    if n & 2 != 0 {
        rest = without_first(without_first(rest));
    }
    let mut fours = n >> 2;
    while fours != 0 {
        rest = without_first(without_first(without_first(without_first(rest))));
        fours -= 1;
    }
    Card::of_bit(rest)
}

#[inline]
const fn without_first(mask: u64) -> u64 {
    mask & mask.wrapping_sub(1)
}

/// The number of cards of a mask.
#[inline]
pub const fn count(mask: u64) -> u32 {
    mask.count_ones()
}
