//! Tests of the rules: scripted cases, properties over random games, sampling.

mod cases;
mod properties;
mod reference;
mod sampling;
mod texts;

use super::*;
use crate::games::Game as _;
use crate::games::cards::{self, Card};

/// All cards named in a text, as a mask.
fn mask(text: &str) -> u64 {
    let bit = |word| Card::parse(word).expect("a card").bit();
    text.split_whitespace()
        .map(bit)
        .fold(0, |all, bit| all | bit)
}

/// A position at the start of a bout that is not the first: hands seat by seat, the talon as it
/// will be drawn. `trump` is the trump card, the talon's last card if there is a talon. All other
/// cards are in the discard.
fn position(rules: Rules, hands: &[&str], talon: &str, trump: &str, lead: u8) -> (Durak, State) {
    let durak = Durak::new(rules).expect("rules that can be played");
    let mut state = State::before_deal([0; 64]);
    let trump = Card::parse(trump).expect("a card");
    let talon: Vec<u8> = talon
        .split_whitespace()
        .map(|word| Card::parse(word).expect("a card").index())
        .collect();
    assert!(talon.last().is_none_or(|&last| last == trump.index()));
    for (slot, &card) in state.deck.iter_mut().zip(talon.iter().rev()) {
        *slot = card;
    }
    let mut hidden = talon.iter().fold(0, |all, card| all | 1 << card);
    for (slot, text) in state.hands.iter_mut().zip(hands) {
        *slot = mask(text);
        assert_eq!(hidden & *slot, 0, "a card is in two places");
        hidden |= *slot;
    }
    state.public.trump_card = trump.index();
    state.public.trumps = cards::suit_mask(trump.suit());
    state.public.talon = u8::try_from(talon.len()).expect("a small talon");
    state.public.seen = cards::deck_mask(rules.deck) & !hidden | trump.bit();
    state.public.alive = (1 << rules.players) - 1;
    state.public.first_bout = false;
    state.public.beaten_off = true;
    state.begin_bout(&rules, lead);
    (durak, state)
}

/// Plays moves separated by `;`, all of which must be legal.
fn play(durak: &Durak, state: &mut State, moves: &str) {
    for text in moves.split(';') {
        let mv = Move::parse(text).expect("a move");
        if let Err(error) = durak.try_apply(state, mv) {
            panic!("{error}");
        }
    }
}

/// Texts of the legal moves.
fn legal(durak: &Durak, state: &State) -> Vec<String> {
    let mut moves = Vec::new();
    durak.legal_into(state, &mut moves);
    moves.iter().map(Move::to_string).collect()
}
