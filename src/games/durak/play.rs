//! What a move does, up to the end of the bout.

use super::faults::{Fault, seeded};
use super::moves::{Action, Move};
use super::rules::{Rules, Throwers};
use super::state::{Phase, State, size};
use super::turn::{covers, limit, thrown_ranks};
use crate::games::cards::{self, Card};

impl State {
    /// Plays a legal move.
    #[inline]
    pub(super) fn apply(&mut self, rules: &Rules, mv: Move) {
        match mv.action() {
            Action::Attack(card) => self.attack(rules, card),
            Action::Cover { card, attack } => self.cover(rules, card, attack),
            Action::Take => self.take(rules),
            Action::Pass => self.ask_thrower_after(rules, self.public.mover),
            Action::Transfer(card) => {
                self.put(card);
                self.put_attack(card);
                self.pass_defence_on(rules);
            }
            Action::Show(card) => {
                self.public.seen |= card.bit();
                self.public.shown = true;
                self.pass_defence_on(rules);
            }
        }
    }

    /// Moves a card of the mover's hand onto the table.
    #[inline]
    fn put(&mut self, card: Card) {
        self.hands[usize::from(self.public.mover) & 7] &= !card.bit();
        self.public.table |= card.bit();
    }

    /// Notes that a card of the table is an attack.
    #[inline]
    fn put_attack(&mut self, card: Card) {
        let public = &mut self.public;
        public.attack_cards[usize::from(public.attacks) & 63] = card.index();
        public.attacks += 1;
        public.open |= card.bit();
    }

    #[inline]
    fn attack(&mut self, rules: &Rules, card: Card) {
        self.put(card);
        self.put_attack(card);
        if self.hands[usize::from(self.public.mover) & 7] == 0 {
            if seeded(Fault::OutWhenThrown) {
                self.public.alive &= !(1 << self.public.mover);
            }
            if seeded(Fault::EndsMidBout) && self.public.talon == 0 {
                self.send_out(rules);
                return;
            }
        }
        if self.public.phase == Phase::Taking {
            // The same thrower goes on until it passes, or can throw no more.
            self.choices &= !card.bit();
            let full = self.public.attacks >= self.public.limit && !seeded(Fault::ThrowPastLimit);
            if full {
                self.end_bout(rules, true);
            } else if self.choices == 0 {
                self.ask_thrower_after(rules, self.public.mover);
            } else if seeded(Fault::TurnAlternates) {
                self.public.mover = self.public.defender;
            }
        } else {
            self.ask_defender(rules);
        }
    }

    /// The defender must answer.
    #[inline]
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

    #[inline]
    fn cover(&mut self, rules: &Rules, card: Card, attack: Card) {
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
            return;
        }
        let hand = self.hands[usize::from(self.public.defender) & 7];
        if (seeded(Fault::LimitShrinks) && self.public.attacks >= size(hand))
            || self.public.attacks >= self.public.limit
        {
            self.end_bout(rules, false);
        } else {
            self.public.phase = Phase::Throw;
            self.ask_thrower(rules, self.public.lead);
        }
    }

    #[inline]
    fn take(&mut self, rules: &Rules) {
        self.public.phase = Phase::Taking;
        if !rules.throw_after_take
            || (self.public.attacks >= self.public.limit && !seeded(Fault::ThrowPastLimit))
        {
            self.end_bout(rules, true);
        } else {
            self.ask_thrower(rules, self.public.lead);
        }
    }

    /// The defence passes on; the old defender becomes the lead.
    fn pass_defence_on(&mut self, rules: &Rules) {
        let public = &mut self.public;
        if seeded(Fault::OutAtTransfer) && self.hands[usize::from(public.lead) & 7] == 0 {
            public.alive &= !(1 << public.lead);
        }
        public.lead = public.defender;
        public.defender = public.next(rules.players, public.lead);
        let hand = self.hands[usize::from(public.defender) & 7];
        public.limit = limit(rules, public, size(hand));
        self.ask_defender(rules);
    }

    /// Asks the next thrower after `seat`.
    #[inline]
    fn ask_thrower_after(&mut self, rules: &Rules, seat: u8) {
        let next = self.public.next(rules.players, seat);
        if rules.players == 2 || next == self.public.lead {
            let taken = self.public.phase == Phase::Taking;
            self.end_bout(rules, taken);
        } else {
            self.ask_thrower(rules, next);
        }
    }

    /// Asks the first thrower from `seat` on, clockwise, who has a card to throw in; ends the bout
    /// if there is none before the lead's turn comes again.
    #[inline]
    fn ask_thrower(&mut self, rules: &Rules, mut seat: u8) {
        let ranks = thrown_ranks(&self.public);
        loop {
            let choices = self.hands[usize::from(seat) & 7] & ranks;
            if choices != 0 && self.may_throw(rules, seat) {
                self.public.mover = seat;
                self.choices = choices;
                return;
            }
            if rules.players == 2 {
                break;
            }
            seat = self.public.next(rules.players, seat);
            if seat == self.public.lead {
                break;
            }
        }
        let taken = self.public.phase == Phase::Taking;
        self.end_bout(rules, taken);
    }

    /// Whether a seat may throw in, its cards aside.
    #[inline]
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
