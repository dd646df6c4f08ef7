//! Endings of two players with an empty talon, as numbers: nothing is hidden there, few cards are
//! left, and what can still happen depends on little (where each card is, who leads, what is asked of
//! whom), so that a position with up to [`MOST_CARDS`] cards fits into 64 bits.
//!
//! Positions with equal numbers have the same moves, and after the same move equal numbers again:
//! the moves themselves are the game's own.

use super::moves::Move;
use super::state::{Phase, State, View};
use super::{Durak, Game};
use crate::games::Seat;
use crate::games::cards::{self, Card, cards};

/// The most cards in both hands and on the table together.
pub const MOST_CARDS: u32 = 14;

/// Where a card is, three bits each; a card of the discard has 0.
const HAND: u64 = 1;
const OPEN: u64 = 3;
const TABLE: u64 = 4;

/// Bits before the cards' places.
const FLAGS: u32 = 13;

/// Larger limits bound nothing.
const LARGEST_LIMIT: u8 = 15;

/// The cards that an ending begins with, and all that does not change in it.
#[derive(Clone, Debug)]
pub struct Ending {
    game: Durak,
    /// Any position of the ending: what is not in a number is taken from it.
    template: State,
    cards: Vec<Card>,
}

impl Ending {
    /// The ending that a view shows, with its position; `None` if there are more than two players,
    /// the talon is not empty, the game is over, or there are more than `most` (at most
    /// [`MOST_CARDS`]) cards left. It is all in the view: the other hand is what is not elsewhere.
    pub fn of_view(game: &Durak, view: &View, most: u32) -> Option<(Self, u64)> {
        if game.rules().players != 2 || view.public.talon > 0 || view.public.to_move().is_none() {
            return None;
        }
        let deck = cards::deck_mask(game.rules().deck);
        let other = 1 - view.seat();
        let mut template = State::blank(view);
        template.hands[view.seat() & 1] = view.hand;
        template.hands[other & 1] = view.known[other & 1] | view.unseen(deck);
        let left = template.hands[0] | template.hands[1] | view.public.table;
        if cards::count(left) > most.min(MOST_CARDS) {
            return None;
        }
        let ending = Self {
            game: *game,
            template,
            cards: cards(left).collect(),
        };
        let number = ending.number(&template);
        Some((ending, number))
    }

    /// The number that the position on which `later` was built has in this ending, if it can
    /// belong to it.
    pub fn position_in(&self, later: &Self) -> Option<u64> {
        let belongs = self.game == later.game
            && self.template.public.trumps == later.template.public.trumps
            && later.cards.iter().all(|card| self.cards.contains(card));
        belongs.then(|| self.number(&later.template))
    }

    /// The number of a position of this ending.
    pub fn number(&self, state: &State) -> u64 {
        let public = &state.public;
        let phase = match public.phase {
            Phase::Lead => 0,
            Phase::Throw => 1,
            Phase::Defend => 2,
            Phase::Taking | Phase::Over => 3,
        };
        let flags = [
            (phase, 2),
            (u64::from(public.lead & 1), 1),
            (u64::from(public.shown), 1),
            (u64::from(public.beaten_off), 1),
            (u64::from(public.limit.min(LARGEST_LIMIT)), 4),
            (u64::from(public.attacks.min(LARGEST_LIMIT)), 4),
        ];
        let mut number = 0;
        for &card in self.cards.iter().rev() {
            let place = if state.hands[0] & card.bit() != 0 {
                HAND
            } else if state.hands[1] & card.bit() != 0 {
                HAND + 1
            } else if public.open & card.bit() != 0 {
                OPEN
            } else if public.table & card.bit() != 0 {
                TABLE
            } else {
                0
            };
            number = number << 3 | place;
        }
        for (value, bits) in flags {
            number = number << bits | value;
        }
        number
    }

    /// The position with this number, which must be one of this ending whose game goes on. The
    /// order of the attacks on the table and which card covers which are not kept.
    pub fn state(&self, number: u64) -> State {
        let mut state = self.template;
        let public = &mut state.public;
        (public.table, public.open) = (0, 0);
        state.hands = [0; 8];
        for (index, card) in self.cards.iter().enumerate() {
            let bit = card.bit();
            match number >> (FLAGS as usize + 3 * index) & 7 {
                HAND => state.hands[0] |= bit,
                OPEN => {
                    public.open |= bit;
                    public.table |= bit;
                }
                TABLE => public.table |= bit,
                0 => {}
                _ => state.hands[1] |= bit,
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "four bits and one bit")]
        let field = |shift: u32, bits: u32| (number >> shift) as u8 & ((1 << bits) - 1);
        public.attacks = field(0, 4);
        public.limit = field(4, 4);
        public.beaten_off = field(8, 1) != 0;
        public.shown = field(9, 1) != 0;
        public.lead = field(10, 1);
        public.opener = public.lead;
        public.defender = 1 - public.lead;
        public.phase = match field(11, 2) {
            0 => Phase::Lead,
            1 => Phase::Throw,
            2 => Phase::Defend,
            _ => Phase::Taking,
        };
        public.mover = if public.phase == Phase::Defend {
            public.defender
        } else {
            public.lead
        };
        public.first_bout = false;
        let covered = public.table & !public.open;
        let attacks = cards(public.open).chain(cards(covered));
        for (slot, card) in public.attack_cards.iter_mut().zip(attacks) {
            *slot = card.index();
        }
        state.choices = state.current_choices(self.game.rules());
        state
    }

    /// The position's state, the seat to move and its legal moves, in the game's order.
    pub fn moves(&self, number: u64, legal: &mut Vec<Move>) -> (State, Seat) {
        let state = self.state(number);
        self.game.legal_into(&state, legal);
        (state, usize::from(state.public.mover & 1))
    }

    /// What a move leads to.
    ///
    /// # Errors
    /// If the game is over then: the fool, if there is one.
    pub fn after(&self, state: &State, mv: Move) -> Result<u64, Option<Seat>> {
        let mut next = *state;
        self.game.apply(&mut next, mv);
        if next.public.phase == Phase::Over {
            Err(next.fool())
        } else {
            Ok(self.number(&next))
        }
    }
}
