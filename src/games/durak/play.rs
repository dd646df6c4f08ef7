//! What a move does, up to the end of the bout.

use super::faults::{Fault, seeded};
use super::moves::Action;
use super::rules::{Rules, Throwers};
use super::state::{Phase, State, size};
use super::turn::{covers, limit, thrown_ranks};
use crate::games::cards::{self, Card};

/// Who acts after a move.
enum Then {
    /// The same thrower, while the defender takes.
    SameSeat,
    /// The defender.
    Defender,
    /// The first seat from this one on, clockwise up to the lead, who has a card to throw in; if
    /// there is none the bout is over.
    Throwers(u8),
    /// Nobody: the bout is over.
    Nobody,
}

impl State {
    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn apply(&mut self, rules: &Rules, action: Action) {
        let then = match action {
            Action::Attack(card) => self.attack(rules, card),
            Action::Cover { card, attack } => self.cover(rules, card, attack),
            Action::Take => self.take(rules),
            Action::Pass => self.pass(rules),
            Action::Transfer(card) => {
                self.put(card);
                self.put_attack(card);
                self.pass_defence_on(rules)
            }
            Action::Show(card) => {
                self.public.seen |= card.bit();
                self.public.shown = true;
                self.pass_defence_on(rules)
            }
        };
        if seeded(Fault::EndsMidBout) && self.public.phase == Phase::Over {
            return;
        }
        let bout_is_over = match then {
            Then::SameSeat => false,
            Then::Defender => {
                self.ask_defender(rules);
                false
            }
            Then::Throwers(first) => !self.ask_thrower(rules, first),
            Then::Nobody => true,
        };
        if bout_is_over {
            self.end_bout(rules);
        }
    }

    /// Moves a card of the mover's hand onto the table.
    #[inline(always)]
    fn put(&mut self, card: Card) {
        self.hands[usize::from(self.public.mover) & 7] &= !card.bit();
        self.public.table |= card.bit();
    }

    /// Notes that a card of the table is an attack.
    #[inline(always)]
    fn put_attack(&mut self, card: Card) {
        let public = &mut self.public;
        public.attack_cards[usize::from(public.attacks) & 63] = card.index();
        public.attacks += 1;
        public.open |= card.bit();
    }

    #[inline(always)]
    fn attack(&mut self, rules: &Rules, card: Card) -> Then {
        self.put(card);
        self.put_attack(card);
        if self.hands[usize::from(self.public.mover) & 7] == 0 {
            if seeded(Fault::OutWhenThrown) {
                self.public.alive &= !(1 << self.public.mover);
            }
            if seeded(Fault::EndsMidBout) && self.public.talon == 0 {
                self.send_out(rules);
            }
        }
        if self.public.phase != Phase::Taking {
            return Then::Defender;
        }
        // The same thrower goes on until it passes, or can throw no more.
        self.choices &= !card.bit();
        if self.public.attacks >= self.public.limit && !seeded(Fault::ThrowPastLimit) {
            Then::Nobody
        } else if self.choices == 0 {
            self.pass(rules)
        } else {
            if seeded(Fault::TurnAlternates) {
                self.public.mover = self.public.defender;
            }
            Then::SameSeat
        }
    }

    /// The defender must answer.
    #[inline(always)]
    fn ask_defender(&mut self, rules: &Rules) {
        self.public.phase = Phase::Defend;
        self.public.mover = self.public.defender;
        self.choices = if rules.transfer {
            0
        } else {
            let hand = self.hands[usize::from(self.public.defender) & 7];
            covers(hand, cards::nth(self.public.open, 0), self.public.trumps)
        };
    }

    #[inline(always)]
    fn cover(&mut self, rules: &Rules, card: Card, attack: Card) -> Then {
        self.put(card);
        let public = &mut self.public;
        public.open &= !attack.bit();
        let mut index = usize::from(public.attacks.wrapping_sub(1)) & 63;
        if rules.transfer {
            while index > 0 && public.attack_cards[index] != attack.index() {
                index -= 1;
            }
        }
        public.cover_cards[index] = card.index();
        if public.open != 0 {
            return Then::Defender;
        }
        let hand = self.hands[usize::from(public.defender) & 7];
        let shrunk = seeded(Fault::LimitShrinks) && public.attacks >= size(hand);
        if public.attacks >= public.limit || shrunk {
            return Then::Nobody;
        }
        public.phase = Phase::Throw;
        Then::Throwers(public.lead)
    }

    #[inline(always)]
    fn take(&mut self, rules: &Rules) -> Then {
        let public = &mut self.public;
        public.phase = Phase::Taking;
        let full = public.attacks >= public.limit && !seeded(Fault::ThrowPastLimit);
        if full || !rules.throw_after_take {
            Then::Nobody
        } else {
            Then::Throwers(public.lead)
        }
    }

    /// The defence passes on; the old defender becomes the lead.
    #[inline(always)]
    fn pass_defence_on(&mut self, rules: &Rules) -> Then {
        let public = &mut self.public;
        if seeded(Fault::OutAtTransfer) && self.hands[usize::from(public.lead) & 7] == 0 {
            public.alive &= !(1 << public.lead);
        }
        public.lead = public.defender;
        public.defender = public.next(rules.players, public.lead);
        let hand = self.hands[usize::from(public.defender) & 7];
        public.limit = limit(rules, public, size(hand));
        Then::Defender
    }

    /// The mover throws in no more.
    #[inline(always)]
    fn pass(&self, rules: &Rules) -> Then {
        let next = self.public.next(rules.players, self.public.mover);
        if rules.players == 2 || next == self.public.lead {
            Then::Nobody
        } else {
            Then::Throwers(next)
        }
    }

    /// Asks the first thrower from `seat` on, clockwise, who has a card to throw in; `false` if
    /// there is none before the lead's turn comes again.
    #[inline(always)]
    fn ask_thrower(&mut self, rules: &Rules, first: u8) -> bool {
        let ranks = thrown_ranks(&self.public);
        let mut seat = first;
        loop {
            let choices = self.hands[usize::from(seat) & 7] & ranks;
            if choices != 0 && self.may_throw(rules, seat) {
                self.public.mover = seat;
                self.choices = choices;
                return true;
            }
            if rules.players == 2 {
                return false;
            }
            seat = self.public.next(rules.players, seat);
            if seat == self.public.lead {
                return false;
            }
        }
    }

    /// Whether a seat may throw in, its cards aside.
    #[inline(always)]
    fn may_throw(&self, rules: &Rules, seat: u8) -> bool {
        let public = &self.public;
        seat != public.defender
            && match rules.throwers {
                Throwers::All => true,
                // The lead is always the seat before the defender.
                Throwers::Neighbours => {
                    seat == public.lead || seat == public.next(rules.players, public.defender)
                }
                Throwers::Lead => seat == public.lead,
                Throwers::Nobody => false,
            }
    }
}
