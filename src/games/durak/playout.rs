//! Uniform play to the end, fast.
//!
//! The general loop asks, draws and applies move by move. Between two players without transfer a
//! bout has so simple a course that it is played here as straight code on registers: the hands and
//! their sizes, the table, and for the talon the union of its cards up to each place, so that
//! drawing cards is one exclusive or. It must, and by the conformance suite does, end in the same
//! state after the same draws as move by move.

use super::rules::{FULL_HAND, Rules, Throwers};
use super::state::{Phase, Start, State};
use super::turn::{cap, covers};
use crate::games::cards;
use crate::games::select::{Select, Task};
use crate::rng::Rng;

/// More than the decisions of any bout: each but the last plays one of at most 52 cards.
const LONGEST_BOUT: u32 = 64;

/// A uniform playout of at most `cap` decisions; gives the number of decisions made.
pub(super) struct Playout<'a> {
    pub(super) rules: &'a Rules,
    pub(super) state: &'a mut State,
    pub(super) rng: &'a mut Rng,
    pub(super) cap: u32,
}

impl Task for Playout<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Select>(self, select: S) -> u32 {
        let Self {
            rules,
            state,
            rng,
            cap,
        } = self;
        let plain = rules.players == 2 && !rules.transfer && rules.throwers != Throwers::Nobody;
        let mut decisions = 0;
        while decisions < cap && state.public.phase != Phase::Over {
            if plain && state.public.phase == Phase::Lead && cap - decisions >= LONGEST_BOUT {
                let whole_bouts = cap - decisions - LONGEST_BOUT;
                decisions += two_seats(rules, state, rng, whole_bouts, select);
            } else {
                state.random_step(rules, rng, select);
                decisions += 1;
            }
        }
        decisions
    }
}

/// One seat of a bout.
#[derive(Clone, Copy)]
struct Hand {
    cards: u64,
    size: u32,
}

impl Hand {
    #[inline(always)]
    fn play(&mut self, card: u64) {
        self.cards &= !card;
        self.size -= 1;
    }

    /// Fills the hand up to six. `below[n]` are the lowest `n` cards of the talon.
    #[inline(always)]
    fn refill(&mut self, talon: &mut usize, below: &[u64; 64]) {
        let wanted = u32::from(FULL_HAND).saturating_sub(self.size) as usize;
        let left = talon.saturating_sub(wanted);
        self.cards |= below[*talon & 63] ^ below[left & 63];
        #[expect(clippy::cast_possible_truncation, reason = "at most six")]
        {
            self.size += (*talon - left) as u32;
        }
        *talon = left;
    }
}

/// Plays whole bouts from the start of one, until the game is over or `cap` decisions were made.
#[expect(
    clippy::too_many_lines,
    reason = "one loop whose variables stay in registers"
)]
#[inline(always)]
fn two_seats<S: Select>(
    rules: &Rules,
    state: &mut State,
    rng: &mut Rng,
    most: u32,
    select: S,
) -> u32 {
    let public = &mut state.public;
    let trumps = public.trumps;
    let mut talon = usize::from(public.talon);
    let mut below = [0_u64; 64];
    for place in 0..talon & 63 {
        below[place + 1] = below[place] | 1 << (state.deck[place] & 63);
    }
    let hand = |cards: u64| Hand {
        cards,
        size: cards::count(cards),
    };
    let mut lead = public.lead;
    let mut attacker = hand(state.hands[usize::from(lead & 1)]);
    let mut defender = hand(state.hands[usize::from(lead & 1 ^ 1)]);
    let mut decisions = 0;
    loop {
        let most_attacks = u32::from(cap(rules, public));
        let limit = if rules.hand_cap {
            most_attacks.min(defender.size)
        } else {
            most_attacks
        };
        let mut card = select.nth(attacker.cards, rng.below(attacker.size));
        decisions += 1;
        let mut table = 0;
        let mut attacks = 0;
        let taken = loop {
            attacker.play(card.bit());
            table |= card.bit();
            attacks += 1;
            let by = covers(defender.cards, card, trumps);
            let number = cards::count(by);
            let drawn = rng.below(number + 1);
            decisions += 1;
            if drawn == number {
                break true;
            }
            let cover = select.nth(by, drawn).bit();
            defender.play(cover);
            table |= cover;
            if attacks >= limit {
                break false;
            }
            let choices = attacker.cards & cards::same_ranks(table);
            if choices == 0 {
                break false;
            }
            let number = cards::count(choices);
            let drawn = rng.below(number + 1);
            decisions += 1;
            if drawn == number {
                break false;
            }
            card = select.nth(choices, drawn);
        };
        if taken {
            let mut choices = attacker.cards & cards::same_ranks(table);
            while choices != 0 && attacks < limit && rules.throw_after_take {
                let number = cards::count(choices);
                let drawn = rng.below(number + 1);
                decisions += 1;
                if drawn == number {
                    break;
                }
                let thrown = select.nth(choices, drawn).bit();
                attacker.play(thrown);
                choices &= !thrown;
                table |= thrown;
                attacks += 1;
            }
            defender.cards |= table;
            defender.size += cards::count(table);
        } else {
            public.beaten_off = true;
        }
        public.first_bout = false;
        public.seen |= table;
        attacker.refill(&mut talon, &below);
        defender.refill(&mut talon, &below);
        let over = talon == 0 && (attacker.size == 0 || defender.size == 0);
        if over || decisions >= most {
            #[expect(clippy::cast_possible_truncation, reason = "at most 40 and 52")]
            {
                public.talon = talon as u8;
                public.limit = limit as u8;
            }
            public.start = Start::Silent;
            public.lead = lead;
            public.opener = lead;
            public.mover = lead;
            public.defender = lead ^ 1;
            state.start_hand = 0;
            state.hands[usize::from(lead & 1)] = attacker.cards;
            state.hands[usize::from(lead & 1 ^ 1)] = defender.cards;
            state.after_refill(rules, taken);
            return decisions;
        }
        if !taken {
            lead ^= 1;
            std::mem::swap(&mut attacker, &mut defender);
        }
    }
}
