//! Dealing: from a random stream, or from a deck given from outside.

use super::faults::{Fault, seeded};
use super::rules::{FULL_HAND, FirstAttacker, Rules};
use super::state::{NOBODY, Phase, Public, Start, State};
use crate::games::cards::{self, Card, cards};
use crate::games::{MAX_SEATS, Seat};
use crate::rng::Rng;

/// A deck from outside that cannot be dealt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DeckError {
    /// A card is there twice.
    #[error("the deck has {card} twice, at positions {first} and {second} (counted from 1)")]
    Doubled {
        /// The card.
        card: Card,
        /// Where it comes first, from 1.
        first: usize,
        /// Where it comes again, from 1.
        second: usize,
    },
    /// A card of the game is missing.
    #[error("the deck lacks {missing} of the {size} cards of this game, the first of them {card}")]
    Missing {
        /// The lowest card that is missing.
        card: Card,
        /// How many are missing.
        missing: u32,
        /// The size of the deck.
        size: u8,
    },
    /// A card does not belong to this game's deck.
    #[error("{card} at position {position} (counted from 1) is no card of a deck of {size}")]
    Foreign {
        /// The card.
        card: Card,
        /// Where it is, from 1.
        position: usize,
        /// The size of the deck.
        size: u8,
    },
    /// A word is no card.
    #[error(
        "`{text}` at position {position} (counted from 1) is no card: a card is a rank of 23456789TJQKA and a suit of cdhs, such as `Th`"
    )]
    NoCard {
        /// The word.
        text: String,
        /// Where it is, from 1.
        position: usize,
    },
    /// The first attacker is drawn by lot and no seat was given, or it does not exist.
    #[error("the first attacker is drawn by lot in this deal: give a seat below {players}")]
    NoLot {
        /// Number of seats.
        players: u8,
    },
}

/// Reads a deck: cards separated by white space or commas.
///
/// # Errors
/// If a word is no card.
pub fn parse_deck(text: &str) -> Result<Vec<Card>, DeckError> {
    text.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .enumerate()
        .map(|(index, word)| {
            Card::parse(word).ok_or_else(|| DeckError::NoCard {
                text: word.to_owned(),
                position: index + 1,
            })
        })
        .collect()
}

/// The cards of a deck in ascending order, by its size.
const fn sorted_deck(size: u8) -> [u8; 64] {
    let mut deck = [0; 64];
    let (mut card, mut count) = (0, 0);
    while card < 64 {
        if cards::deck_mask(size) >> card & 1 != 0 {
            deck[count] = card;
            count += 1;
        }
        card += 1;
    }
    deck
}

const DECK_24: [u8; 64] = sorted_deck(24);
const DECK_36: [u8; 64] = sorted_deck(36);
const DECK_52: [u8; 64] = sorted_deck(52);

/// Shuffles the first `length` items in place, every order equally likely (Fisher and Yates, from
/// the end), several draws from one word of the stream; `length` is at most 52.
pub(super) fn shuffle(items: &mut [u8; 64], length: usize, rng: &mut Rng) {
    let mut left = length;
    while left > 8 {
        swap_last::<8>(items, left, rng);
        left -= 8;
    }
    while left > 4 {
        swap_last::<4>(items, left, rng);
        left -= 4;
    }
    match left {
        4 => swap_last::<3>(items, left, rng),
        3 => swap_last::<2>(items, left, rng),
        2 => swap_last::<1>(items, left, rng),
        _ => {}
    }
}

/// Swaps each of the last `K` of the first `left` items with one of those up to it.
///
/// All `K` draws come from one word (N. Brackett-Rozinsky and D. Lemire, "Batched ranged random
/// integer generation", Software: Practice and Experience, 2024): the fraction left over by one
/// draw is uniform and serves the next.
#[inline]
fn swap_last<const K: usize>(items: &mut [u8; 64], left: usize, rng: &mut Rng) {
    let (mut picks, mut fraction) = picks::<K>(rng.next_u64(), left);
    // 52 * 51 * ... * 45 is below 2^45: a fraction this large cannot favour an order.
    if fraction < 1 << 45 {
        let product: u64 = (0..K).map(|number| (left - number) as u64).product();
        let uneven = product.wrapping_neg() % product;
        while fraction < uneven {
            (picks, fraction) = picks_cold::<K>(rng.next_u64(), left);
        }
    }
    for (number, &pick) in picks.iter().enumerate() {
        items.swap((left - number - 1) & 63, pick & 63);
    }
}

#[cold]
fn picks_cold<const K: usize>(word: u64, left: usize) -> ([usize; K], u64) {
    picks::<K>(word, left)
}

/// `K` draws, below `left`, `left - 1` and so on, and the fraction that is left over.
#[inline]
fn picks<const K: usize>(word: u64, left: usize) -> ([usize; K], u64) {
    let mut fraction = word;
    let mut picks = [0; K];
    for (number, pick) in picks.iter_mut().enumerate() {
        let scaled = u128::from(fraction) * (left - number) as u128;
        #[expect(clippy::cast_possible_truncation, reason = "the halves are meant")]
        {
            *pick = (scaled >> 64) as usize;
            fraction = scaled as u64;
        }
    }
    (picks, fraction)
}

/// A deal from a random stream.
#[inline]
pub(super) fn deal(rules: &Rules, rng: &mut Rng) -> State {
    let mut state = State::before_deal(match rules.deck {
        24 => DECK_24,
        36 => DECK_36,
        _ => DECK_52,
    });
    loop {
        shuffle(&mut state.deck, usize::from(rules.deck), rng);
        let ace = Card::from_index(state.deck[0]).rank() == 12;
        if !(rules.redeal_ace && ace) {
            break;
        }
    }
    deal_hands(rules, &mut state);
    let lot = if by_lot(rules, &state) {
        rng.below(u32::from(rules.players))
    } else {
        0
    };
    #[expect(clippy::cast_possible_truncation, reason = "below six")]
    begin(rules, &mut state, lot as u8);
    state
}

/// Whether the first attacker is drawn by lot, after hands were dealt.
fn by_lot(rules: &Rules, state: &State) -> bool {
    match rules.first_attacker {
        FirstAttacker::LowestTrump => state.public.start == Start::NoTrump,
        FirstAttacker::Random => true,
        FirstAttacker::Seat0 => false,
    }
}

/// The deal of a deck given in dealing order.
///
/// # Errors
/// If cards are missing, doubled or foreign, or if the first attacker is drawn by lot and `lot`
/// is no seat.
pub(super) fn deal_from_deck(
    rules: &Rules,
    deck: &[Card],
    lot: Option<Seat>,
) -> Result<State, DeckError> {
    let size = rules.deck;
    let all = rules.deck_mask();
    let mut seen = 0;
    for (index, &card) in deck.iter().enumerate() {
        if all & card.bit() == 0 {
            return Err(DeckError::Foreign {
                card,
                position: index + 1,
                size,
            });
        }
        if seen & card.bit() != 0 {
            let first = deck.iter().position(|&c| c == card).unwrap_or(index) + 1;
            return Err(DeckError::Doubled {
                card,
                first,
                second: index + 1,
            });
        }
        seen |= card.bit();
    }
    if let Some(card) = cards::first(all & !seen) {
        return Err(DeckError::Missing {
            card,
            missing: cards::count(all & !seen),
            size,
        });
    }
    // Every card of the game is there once, so the deck has the right length.
    let mut reversed = [0; 64];
    for (slot, card) in reversed.iter_mut().zip(deck.iter().rev()) {
        *slot = card.index();
    }
    let mut state = State::before_deal(reversed);
    deal_hands(rules, &mut state);
    let lot = match lot.map(u8::try_from) {
        Some(Ok(seat)) if seat < rules.players => seat,
        _ if by_lot(rules, &state) => {
            return Err(DeckError::NoLot {
                players: rules.players,
            });
        }
        _ => 0,
    };
    begin(rules, &mut state, lot);
    Ok(state)
}

impl State {
    /// Before the deal; the deck's last card comes first.
    #[inline]
    pub(super) fn before_deal(deck: [u8; 64]) -> Self {
        Self {
            public: Public {
                table: 0,
                open: 0,
                seen: 0,
                trumps: 0,
                attack_cards: [0; 64],
                cover_cards: [0; 64],
                trump_card: 0,
                talon: 0,
                attacks: 0,
                limit: 0,
                lead: 0,
                opener: 0,
                defender: 0,
                mover: 0,
                phase: Phase::Lead,
                alive: 0,
                first_bout: true,
                beaten_off: false,
                shown: false,
                start: Start::Silent,
                fool: NOBODY,
                groups: 0,
                places: [0; MAX_SEATS],
            },
            hands: [0; 8],
            deck,
            choices: 0,
            start_hand: 0,
        }
    }
}

/// Deals six cards to each seat; the first attacker is still open.
#[inline]
fn deal_hands(rules: &Rules, state: &mut State) {
    let players = rules.players;
    let trump_card = Card::from_index(state.deck[0]);
    let mut next = usize::from(rules.deck);
    for _ in 0..FULL_HAND {
        for hand in &mut state.hands[..usize::from(players) & 7] {
            next -= 1;
            *hand |= 1 << (state.deck[next & 63] & 63);
        }
    }
    let public = &mut state.public;
    public.talon = rules.deck - FULL_HAND * players;
    if seeded(Fault::TalonNeverEmpty) {
        public.talon = public.talon.max(1);
    }
    public.trump_card = trump_card.index();
    public.trumps = cards::suit_mask(trump_card.suit());
    public.seen = trump_card.bit();
    public.alive = (1 << players) - 1;
    if rules.first_attacker == FirstAttacker::LowestTrump {
        let held = state.hands.iter().fold(0, |all, hand| all | hand) & public.trumps;
        let lowest = held & held.wrapping_neg();
        public.start = Start::NoTrump;
        for (seat, hand) in (0..players).zip(&state.hands) {
            if hand & lowest != 0 {
                public.start = Start::LowestTrump(seat);
            }
        }
    }
}

/// Decides the first attacker and starts the first bout; `lot` is the seat drawn by lot.
#[inline]
fn begin(rules: &Rules, state: &mut State, lot: u8) {
    let lead = match (rules.first_attacker, state.public.start) {
        (_, Start::LowestTrump(seat)) => seat,
        (FirstAttacker::Seat0, _) => 0,
        _ => lot,
    };
    if let Start::LowestTrump(seat) = state.public.start {
        let hand = state.hands[usize::from(seat) & 7];
        if state.public.talon == 0 {
            // All cards are dealt: the attacker is known to hold the lowest trump of the deck, and
            // that says it all, for as long as it holds it.
            if let Some(lowest) = cards::first(hand & state.public.trumps) {
                state.public.seen |= lowest.bit();
            }
            state.public.start = Start::Silent;
        } else {
            state.start_hand = hand;
        }
    }
    state.begin_bout(rules, lead);
}

/// The deck in dealing order, of a state that was just dealt.
pub(super) fn dealt_deck(rules: &Rules, initial: &State) -> Vec<String> {
    let deck = &initial.deck[..usize::from(rules.deck) & 63];
    deck.iter()
        .rev()
        .map(|&c| Card::from_index(c).to_string())
        .collect()
}

/// All cards of a mask in an array, and how many.
#[inline]
pub(super) fn spread(mask: u64) -> ([u8; 64], usize) {
    let mut array = [0; 64];
    let mut count = 0;
    for card in cards(mask) {
        array[count & 63] = card.index();
        count += 1;
    }
    (array, count)
}
