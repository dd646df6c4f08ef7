//! Between bouts: where the table goes, who draws, who is out, who leads.

use super::faults::{Fault, seeded};
use super::rules::{FULL_HAND, Rules};
use super::state::{NOBODY, Phase, Public, Start, State, size};
use super::turn::limit;

impl State {
    /// The table goes to the discard or to the defender, hands are filled, empty ones go out, the
    /// next bout begins.
    #[inline(always)]
    pub(super) fn end_bout(&mut self, rules: &Rules) {
        let public = &mut self.public;
        let taken = public.phase == Phase::Taking;
        public.seen |= public.table;
        if taken {
            let kept = if seeded(Fault::CoversLostInTake) {
                public
                    .pairs()
                    .fold(0, |mask, pair| mask | pair.attack.bit())
            } else {
                public.table
            };
            self.hands[usize::from(public.defender) & 7] |= kept;
        } else {
            public.beaten_off = true;
        }
        public.table = 0;
        public.open = 0;
        public.attacks = 0;
        public.shown = false;
        public.first_bout = false;
        public.start = Start::Silent;
        self.start_hand = 0;
        if seeded(Fault::OutWhileTalonLasts) {
            self.send_out(rules);
        }
        if self.public.talon > 0 {
            self.refill(rules);
        }
        self.after_refill(rules, taken);
    }

    /// Empty hands go out if the talon is empty; the next bout begins.
    #[inline(always)]
    pub(super) fn after_refill(&mut self, rules: &Rules, taken: bool) {
        if self.public.talon == 0 && !(taken && seeded(Fault::NobodyOutAfterTake)) {
            self.send_out(rules);
        }
        let public = &self.public;
        let defender = public.defender;
        let stays = public.alive >> defender & 1 != 0 || seeded(Fault::OutDefenderLeads);
        let lead = if !taken && stays {
            defender
        } else {
            public.next(rules.players, defender)
        };
        if public.phase == Phase::Over {
            // Nobody is to move; equal ends should be equal states.
            self.public.mover = self.public.lead;
            self.choices = 0;
        } else {
            self.begin_bout(rules, lead);
        }
    }

    /// Starts a bout.
    #[inline(always)]
    pub(super) fn begin_bout(&mut self, rules: &Rules, lead: u8) {
        let public = &mut self.public;
        public.lead = lead;
        public.opener = lead;
        public.mover = lead;
        public.phase = Phase::Lead;
        public.defender = public.next(rules.players, lead);
        let hand = self.hands[usize::from(public.defender) & 7];
        public.limit = limit(rules, public, size(hand));
        self.choices = self.hands[usize::from(lead) & 7];
    }

    /// Fills hands up to six while the talon lasts: lead first, then clockwise, the defender last.
    #[inline(always)]
    fn refill(&mut self, rules: &Rules) {
        let mut defender = self.public.defender;
        let mut first = if rules.original_lead_refills {
            self.public.opener
        } else {
            self.public.lead
        };
        if seeded(Fault::RefillAfterSwap) {
            std::mem::swap(&mut first, &mut defender);
        }
        if seeded(Fault::SeatZeroDraws) {
            first = self.public.next(rules.players, rules.players - 1);
        }
        let mut seat = first;
        loop {
            if seat != defender {
                self.draw(seat);
            }
            seat = self.public.next(rules.players, seat);
            if seat == first || self.public.talon == 0 {
                break;
            }
        }
        self.draw(defender);
    }

    /// Fills one hand up to six while the talon lasts.
    #[inline(always)]
    fn draw(&mut self, seat: u8) {
        let hand = &mut self.hands[usize::from(seat) & 7];
        let undrawn = u8::from(seeded(Fault::TrumpCardNotDrawn));
        let left = self.public.talon.saturating_sub(undrawn);
        let wanted = FULL_HAND.saturating_sub(size(*hand)).min(left);
        for _ in 0..wanted {
            self.public.talon -= 1;
            *hand |= 1 << (self.deck[usize::from(self.public.talon) & 63] & 63);
        }
        if wanted > 0 && self.public.talon == 0 {
            // Everybody saw who drew the trump card.
            self.public.seen |= self.public.trump_card().bit();
            if seeded(Fault::TrumpForgotten) {
                self.public.trumps = 0;
            }
        }
    }

    /// Empty hands go out; they share a place. The game may be over.
    #[inline(always)]
    pub(super) fn send_out(&mut self, rules: &Rules) {
        let mut empty = 0_u8;
        for seat in 0..rules.players {
            let hand = self.hands[usize::from(seat) & 7];
            empty |= u8::from(hand == 0) << seat;
        }
        let out = empty & self.public.alive;
        if out != 0 {
            self.public.send_out(rules, out);
        }
    }
}

impl Public {
    /// These seats go out.
    fn send_out(&mut self, rules: &Rules, out: u8) {
        self.groups += 1;
        for (seat, place) in self.places.iter_mut().enumerate() {
            if out >> seat & 1 != 0 {
                *place = self.groups;
            }
        }
        self.alive &= !out;
        if self.alive.count_ones() <= 1 {
            self.phase = Phase::Over;
            self.fool = match self.alive {
                0 if rules.defender_loses => self.defender,
                0 => NOBODY,
                #[expect(clippy::cast_possible_truncation, reason = "at most five")]
                one => one.trailing_zeros() as u8,
            };
        }
    }
}
