//! Uniform play to the end, fast.
//!
//! The general loop asks, draws and applies move by move. Between two players without transfer a
//! bout has so simple a course that it is played here as straight code on registers: the hands and
//! their sizes, the table, the stream. It must, and by the conformance suite does, end in the same
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
        // On registers rather than behind a reference.
        let mut stream = rng.clone();
        while decisions < cap && state.public.phase != Phase::Over {
            if plain && state.public.phase == Phase::Lead && cap - decisions >= LONGEST_BOUT {
                let whole_bouts = cap - decisions - LONGEST_BOUT;
                decisions += two_seats(rules, state, &mut stream, whole_bouts, select);
            } else {
                state.random_step(rules, &mut stream, select);
                decisions += 1;
            }
        }
        *rng = stream;
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

    /// Fills the hand up to six from the top of the talon.
    #[inline(always)]
    fn refill(&mut self, talon: &mut usize, deck: &[u8; 64]) {
        while self.size < u32::from(FULL_HAND) && *talon > 0 {
            *talon -= 1;
            self.cards |= 1 << (deck[*talon & 63] & 63);
            self.size += 1;
        }
    }
}

/// How a bout went.
struct Course {
    taken: bool,
    /// Every card that was played.
    table: u64,
    decisions: u32,
}

/// Plays a bout of at most `limit` attacks; throwing in after a take only if `thrown_after_take`.
#[inline(always)]
fn bout<S: Select>(
    [attacker, defender]: [&mut Hand; 2],
    trumps: u64,
    limit: u32,
    thrown_after_take: bool,
    rng: &mut Rng,
    select: S,
) -> Course {
    let mut card = select.nth(attacker.cards, rng.below(attacker.size));
    let mut decisions = 1;
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
        while choices != 0 && attacks < limit && thrown_after_take {
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
    }
    Course {
        taken,
        table,
        decisions,
    }
}

/// Plays whole bouts from the start of one, until the game is over or `most` decisions were made.
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
    let deck = &state.deck;
    let mut seen = public.seen;
    let (mut first_bout, mut beaten_off) = (public.first_bout, public.beaten_off);
    let hand = |cards: u64| Hand {
        cards,
        size: cards::count(cards),
    };
    let mut lead = public.lead;
    let mut attacker = hand(state.hands[usize::from(lead & 1)]);
    let mut defender = hand(state.hands[usize::from(lead & 1 ^ 1)]);
    let mut decisions = 0;
    loop {
        let cap = u32::from(cap(rules, first_bout, beaten_off));
        let limit = if rules.hand_cap {
            cap.min(defender.size)
        } else {
            cap
        };
        let hands = [&mut attacker, &mut defender];
        let course = bout(hands, trumps, limit, rules.throw_after_take, rng, select);
        decisions += course.decisions;
        if course.taken {
            defender.cards |= course.table;
            defender.size += cards::count(course.table);
        } else {
            beaten_off = true;
        }
        first_bout = false;
        seen |= course.table;
        attacker.refill(&mut talon, deck);
        defender.refill(&mut talon, deck);
        let over = talon == 0 && (attacker.size == 0 || defender.size == 0);
        if over || decisions >= most {
            #[expect(clippy::cast_possible_truncation, reason = "at most 40 and 255")]
            {
                public.talon = talon as u8;
                public.limit = limit as u8;
            }
            public.seen = seen;
            public.first_bout = false;
            public.beaten_off = beaten_off;
            public.start = Start::Silent;
            public.lead = lead;
            public.opener = lead;
            public.mover = lead;
            public.defender = lead ^ 1;
            state.start_hand = 0;
            state.hands[usize::from(lead & 1)] = attacker.cards;
            state.hands[usize::from(lead & 1 ^ 1)] = defender.cards;
            state.after_refill(rules, course.taken);
            return decisions;
        }
        if !course.taken {
            lead ^= 1;
            std::mem::swap(&mut attacker, &mut defender);
        }
    }
}
