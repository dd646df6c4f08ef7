//! `heuristic`: a player of Durak without search.
//!
//! Every legal move is worth what the hand is worth after it, in points (`Weights`), plus what
//! the move does to the others: how likely it is that a lead cannot be beaten, how many cards a
//! cover lets the throwers add. Once two players are left and the talon is empty, every card is known by
//! counting, and runs of leads that cannot be beaten are found exactly (`ending`). It reads
//! nothing but the view of its own seat and draws no random numbers.

mod ending;
#[cfg(test)]
mod tests;

use self::ending::Ending;
use super::{Agent, Fault};
use crate::games::Seat;
use crate::games::cards::{self, Card, cards};
use crate::games::durak::rules::Throwers;
use crate::games::durak::{Action, Durak, Move, Phase, Rules, View};
use crate::rng::Seed;
use crate::spec::AgentSpec;

/// The spec of [`Heuristic`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "heuristic",
    help: "Values the hand after each move: keeps trumps and pairs, takes where covering costs more, counts cards at the end. No search.",
    games: &["durak"],
    options: &[],
};

/// The rank of aces.
const ACE: i32 = 12;

/// Points from the lowest rank of the deck to the ace: the unit of all other weights.
const RANKS: i32 = 100;

/// Points for a move that wins by counting: above every sum of other points.
const WIN: i32 = 100_000;

/// What is worth how many points, in the stages of the game: more than a third of the deck in the
/// talon; less; nothing.
struct Weights {
    /// What a card has to be worth to be better held than got rid of.
    centre: [i32; 3],
    /// A trump, above a plain card of its rank.
    trump: [i32; 3],
    /// A second, third or fourth plain card of a rank in the hand.
    pair: [i32; 3],
    /// To lead a card, for each further plain card of its rank that can follow it.
    follow: [i32; 3],
    /// To lead or throw in a card, times the chance that it cannot be covered.
    unbeatable: [i32; 3],
    /// To beat off rather than take: the lead, and the turn of the others to defend.
    tempo: [i32; 3],
    /// A card that a cover lets the others throw in.
    opened: [i32; 3],
    /// To throw in a card that must be covered.
    press: [i32; 3],
    /// To throw in a card that the defender takes.
    give: [i32; 3],
}

/// Found by random steps that were kept when they did better against `lowest` on fresh deals
/// (default rules). Pairs come out as worth leading (`follow`) more than as worth keeping.
const WEIGHTS: Weights = Weights {
    centre: [105, 130, 110],
    trump: [110, 170, 80],
    pair: [-25, 30, -30],
    follow: [100, 80, 90],
    unbeatable: [0, -5, -15],
    tempo: [-50, 35, 30],
    opened: [50, 55, 60],
    press: [10, 15, 115],
    give: [-35, -40, -10],
};

/// Plays the move with the most points, the first of them in the order of the legal moves.
#[derive(Clone, Copy, Default, Debug)]
pub struct Heuristic;

impl Agent<Durak> for Heuristic {
    fn start(&mut self, _game: &Durak, _seat: Seat, _seed: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, game: &Durak, view: &View, legal: &[Move]) -> Result<Move, Fault> {
        let table = Table::new(game.rules(), view);
        let mut best = (i32::MIN, legal[0]);
        for &mv in legal {
            let points = table.points(mv);
            if points > best.0 {
                best = (points, mv);
            }
        }
        Ok(best.1)
    }
}

/// The cards of `hand` that cover `attack`.
fn covers(hand: u64, attack: Card, trumps: u64) -> u64 {
    let by_trump = if attack.bit() & trumps == 0 {
        trumps
    } else {
        0
    };
    hand & (cards::higher(attack) | by_trump)
}

/// Number of cards of a mask.
fn count(mask: u64) -> i32 {
    cards::count(mask).cast_signed()
}

/// A view with what follows from it.
struct Table<'a> {
    rules: &'a Rules,
    view: &'a View,
    hand: u64,
    trumps: u64,
    unseen: u64,
    stage: usize,
    /// The other hand, if two players are left and every card is known.
    ending: Option<(Ending, u64)>,
}

impl<'a> Table<'a> {
    fn new(rules: &'a Rules, view: &'a View) -> Self {
        let public = view.public();
        let unseen = view.unseen(cards::deck_mask(rules.deck));
        let stage = match public.talon() {
            0 => 2,
            n if n * 3 > usize::from(rules.deck) => 0,
            _ => 1,
        };
        let mut seats = 0..usize::from(rules.players);
        let all_known = stage == 2 && public.players_left() == 2;
        let ending = seats
            .find(|&seat| all_known && seat != view.seat() && public.in_game(seat))
            .map(|other| {
                let ending = Ending::new(rules, public.trumps());
                (ending, view.known(other) | unseen)
            });
        Self {
            rules,
            view,
            hand: view.hand(),
            trumps: public.trumps(),
            unseen,
            stage,
            ending,
        }
    }

    fn weight(&self, weights: &[i32; 3]) -> i32 {
        weights[self.stage % 3]
    }

    fn points(&self, mv: Move) -> i32 {
        let phase = self.view.public().phase();
        match mv.action() {
            Action::Attack(card) => match phase {
                Phase::Lead => self.lead(card),
                Phase::Taking => self.give(card),
                _ => self.throw(card),
            },
            Action::Pass => self.pass(phase),
            Action::Cover { card, attack } => self.cover(card, attack),
            Action::Take => self.take(),
            Action::Transfer(card) => self.transfer(self.hand & !card.bit()),
            Action::Show(_) => self.transfer(self.hand),
        }
    }

    /// What a card is worth in the hand.
    fn card(&self, card: Card) -> i32 {
        let lowest = ACE + 1 - i32::from(self.rules.deck / 4);
        let rank = (i32::from(card.rank()) - lowest) * RANKS / (ACE - lowest);
        let trump = if card.bit() & self.trumps == 0 {
            0
        } else {
            self.weight(&WEIGHTS.trump)
        };
        rank + trump - self.weight(&WEIGHTS.centre)
    }

    /// What a hand is worth.
    fn value(&self, hand: u64) -> i32 {
        let plain = hand & !self.trumps;
        // Ranks are counted in the lowest lane.
        let ranks = cards::same_ranks(plain) & cards::suit_mask(0);
        let doubles = count(plain) - count(ranks);
        cards(hand).map(|card| self.card(card)).sum::<i32>() + doubles * self.weight(&WEIGHTS.pair)
    }

    /// Points for an empty hand that stays empty.
    fn emptied(&self, hand: u64) -> i32 {
        if hand == 0 && self.stage == 2 { WIN } else { 0 }
    }

    /// Points times the chance that the defender cannot cover the card, as far as the view tells.
    fn unbeatable(&self, card: Card) -> i32 {
        let defender = self.view.public().defender();
        let known = self.view.known(defender);
        if covers(known, card, self.trumps) != 0 {
            return 0;
        }
        let hidden = i32::try_from(self.view.hand_size(defender)).unwrap_or(0) - count(known);
        let unseen = count(self.unseen);
        let harmless = unseen - count(covers(self.unseen, card, self.trumps));
        (0..hidden.min(unseen)).fold(self.weight(&WEIGHTS.unbeatable) * 16, |points, drawn| {
            points * (harmless - drawn).max(0) / (unseen - drawn)
        }) / 16
    }

    /// Points for what the other can do about `card` led or thrown in, when every card is known.
    fn answers(&self, card: Card) -> i32 {
        let Some((ending, other)) = self.ending else {
            return 0;
        };
        let rest = self.hand & !card.bit();
        let by = covers(other, card, self.trumps);
        if by == 0 {
            let taken = self.view.public().table() | card.bit();
            let mut thrown = card.bit();
            if ending.throws_after_take() {
                let room = self
                    .view
                    .public()
                    .limit()
                    .saturating_sub(self.view.public().attacks() + 1);
                thrown |= cards(rest & cards::same_ranks(card.bit()))
                    .take(room)
                    .fold(0, |mask, card| mask | card.bit());
            }
            let wins = ending.runs_out(self.hand & !thrown, other | taken | thrown);
            return if wins { WIN } else { 0 };
        }
        let after = |cover: Card| other & !cover.bit();
        if cards(by).any(|cover| after(cover) == 0) {
            return -WIN;
        }
        if rest == 0 || ending.last_group(self.hand, other) {
            return WIN;
        }
        if cards(by).any(|cover| ending.runs_out(after(cover), rest)) {
            return -WIN / 2;
        }
        0
    }

    fn lead(&self, card: Card) -> i32 {
        let rest = self.hand & !card.bit();
        let follow = if card.bit() & self.trumps == 0 {
            count(rest & !self.trumps & cards::same_ranks(card.bit()))
        } else {
            0
        };
        self.value(rest)
            + follow * (self.weight(&WEIGHTS.follow) + self.weight(&WEIGHTS.pair))
            + self.unbeatable(card)
            + self.emptied(rest)
            + self.answers(card)
    }

    fn throw(&self, card: Card) -> i32 {
        let rest = self.hand & !card.bit();
        self.value(rest)
            + self.weight(&WEIGHTS.press)
            + self.unbeatable(card)
            + self.emptied(rest)
            + self.answers(card)
    }

    fn give(&self, card: Card) -> i32 {
        let rest = self.hand & !card.bit();
        let taken = self.view.public().table() | card.bit();
        let wins = self
            .ending
            .is_some_and(|(ending, other)| ending.runs_out(rest, other | taken));
        self.value(rest)
            + self.weight(&WEIGHTS.give)
            + self.emptied(rest)
            + if wins { WIN } else { 0 }
    }

    fn pass(&self, phase: Phase) -> i32 {
        let table = self.view.public().table();
        let outlook = self.ending.map_or(0, |(ending, other)| match phase {
            Phase::Taking if ending.runs_out(self.hand, other | table) => WIN,
            Phase::Throw if ending.runs_out(other, self.hand) => -WIN,
            _ => 0,
        });
        self.value(self.hand) + outlook
    }

    fn transfer(&self, rest: u64) -> i32 {
        self.value(rest) + self.weight(&WEIGHTS.tempo) + self.emptied(rest)
    }

    fn take(&self) -> i32 {
        let hand = self.hand | self.view.public().table();
        let lost = self
            .ending
            .is_some_and(|(ending, other)| ending.runs_out(other, hand));
        self.value(hand) - if lost { WIN } else { 0 }
    }

    fn cover(&self, card: Card, attack: Card) -> i32 {
        let public = self.view.public();
        let mut rest = self.hand & !card.bit();
        let mut table = public.table() | card.bit();
        // After a transfer there can be more attacks: covering one is of no use if another stays.
        for open in cards(public.open() & !attack.bit()) {
            let by = cards(covers(rest, open, self.trumps)).min_by_key(|&by| self.card(by));
            let Some(by) = by else {
                return i32::MIN;
            };
            rest &= !by.bit();
            table |= by.bit();
        }
        let full = public.attacks() >= public.limit() || self.rules.throwers == Throwers::Nobody;
        let opened = if full { 0 } else { self.opened(table) };
        let mut points = self.value(rest) + self.weight(&WEIGHTS.tempo) + self.emptied(rest)
            - opened * self.weight(&WEIGHTS.opened) / 16;
        if let Some((ending, other)) = self.ending {
            let thrown = if full {
                0
            } else {
                other & cards::same_ranks(table)
            };
            if thrown == 0 && ending.runs_out(rest, other) {
                points += WIN;
            }
            if thrown != 0
                && thrown == other
                && count(other) == 1
                && cards(thrown).all(|t| covers(rest, t, self.trumps) == 0)
            {
                points -= WIN / 2;
            }
        }
        points
    }

    /// Sixteenths of cards that the throwers are expected to hold of the ranks that `table` shows
    /// and the table does not yet.
    fn opened(&self, table: u64) -> i32 {
        let public = self.view.public();
        let ranks = cards::same_ranks(table) & !cards::same_ranks(public.table());
        let unseen = count(self.unseen).max(1);
        (0..usize::from(self.rules.players))
            .filter(|&seat| seat != self.view.seat())
            .map(|seat| {
                let known = self.view.known(seat);
                let hidden = i32::try_from(self.view.hand_size(seat)).unwrap_or(0) - count(known);
                count(known & ranks) * 16 + count(self.unseen & ranks) * 16 * hidden / unseen
            })
            .sum()
    }
}
