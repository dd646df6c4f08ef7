//! The lowest-card player: no search, no memory.
//!
//! It plays the lowest legal card that is no trump, else the lowest trump; it covers whenever it
//! can, transfers if it can only do that, and otherwise takes; while the talon lasts it passes
//! rather than throw in a trump.

use super::moves::Move;
use super::state::Phase;
use super::turn::{Turn, covers};
use crate::games::cards::{self, cards};

/// The lowest cards of a mask: those of the lowest rank among the plain suits, trumps only if there
/// is nothing else; the first of them.
#[inline]
fn lowest(mask: u64, trumps: u64) -> u64 {
    let plain = mask & !trumps;
    let cards = cards::lowest_rank(if plain == 0 { mask } else { plain });
    cards & cards.wrapping_neg()
}

impl Turn<'_> {
    /// The lowest-card player's move. The game must not be over.
    #[inline]
    pub(super) fn lowest_move(&self) -> Move {
        let trumps = self.public.trumps;
        match self.public.phase {
            Phase::Lead | Phase::Over => Move::attack(cards::nth(lowest(self.hand, trumps), 0)),
            Phase::Throw | Phase::Taking => {
                let choices = self.attacks();
                let saves_trumps = self.public.talon > 0 && choices & !trumps == 0;
                match cards::first(lowest(choices, trumps)) {
                    Some(card) if !saves_trumps => Move::attack(card),
                    _ => Move::PASS,
                }
            }
            Phase::Defend => self.lowest_defence(),
        }
    }

    fn lowest_defence(&self) -> Move {
        let trumps = self.public.trumps;
        let by = cards(self.public.open).fold(0, |all, a| all | covers(self.hand, a, trumps));
        if let Some(card) = cards::first(lowest(by, trumps)) {
            let mut attacks = cards(self.public.open);
            let covered = attacks.find(|&a| covers(card.bit(), a, trumps) != 0);
            return covered.map_or(Move::TAKE, |attack| Move::cover(card, attack));
        }
        let (played, shown) = self.transfers();
        if let Some(card) = cards::first(shown) {
            return Move::show(card);
        }
        cards::first(lowest(played, trumps)).map_or(Move::TAKE, Move::transfer)
    }
}
