//! Properties over random games under random rules.

use super::super::soak::random_rules;
use super::*;
use crate::games::conformance;
use crate::rng::{Rng, Seed};

/// Games under random rules of which every action is checked by `check`.
fn games(number: u32, purpose: &str, mut check: impl FnMut(&Durak, State, &mut Rng)) {
    let mut rng = Seed::root(9).derive(purpose, &[]).rng();
    for _ in 0..number {
        let durak = Durak::new(random_rules(&mut rng)).unwrap();
        let state = durak.deal(&mut rng);
        check(&durak, state, &mut rng);
    }
}

/// Hands, talon, table and a discard that is kept apart here make up the deck, after every action.
pub(super) fn conserves_cards(number: u32) {
    games(number, "conservation", |durak, mut state, rng| {
        let deck = cards::deck_mask(durak.rules().deck);
        let mut discard = 0_u64;
        let mut decisions = 0;
        while durak.to_move(&state).is_some() && decisions < 5_000 {
            let mv = durak.random_move(&state, rng);
            let takes = state.public().taking() || mv == Move::TAKE;
            let played = match mv.action() {
                Action::Show(_) | Action::Take | Action::Pass => 0,
                Action::Attack(card) | Action::Cover { card, .. } | Action::Transfer(card) => {
                    card.bit()
                }
            };
            let table = state.public().table() | played;
            durak.apply(&mut state, mv);
            if state.public().table() == 0 && !takes {
                discard |= table;
            }
            let zones: Vec<u64> = (0..6)
                .map(|seat| state.hand(seat))
                .chain([state.talon_mask(), state.public().table(), discard])
                .collect();
            let count: u32 = zones.iter().map(|zone| zone.count_ones()).sum();
            assert_eq!(count, deck.count_ones(), "no card is in two places");
            assert_eq!(
                zones.iter().fold(0, |all, zone| all | zone),
                deck,
                "no card is lost"
            );
            assert_eq!(
                state.discard(),
                discard,
                "the discard is what was beaten off"
            );
            decisions += 1;
        }
    });
}

/// A relabelling of suits and a rotation of seats.
#[derive(Clone, Copy)]
struct Symmetry {
    suits: [u8; 4],
    turn: usize,
    players: usize,
}

impl Symmetry {
    fn card(&self, card: Card) -> Card {
        let suit = self.suits[usize::from(card.suit())];
        Card::new(card.rank(), suit).unwrap()
    }

    fn mask(&self, mask: u64) -> u64 {
        cards::cards(mask).fold(0, |all, card| all | self.card(card).bit())
    }

    fn seat(&self, seat: usize) -> usize {
        (seat + self.turn) % self.players
    }

    fn mv(&self, mv: Move) -> Move {
        match mv.action() {
            Action::Attack(card) => Move::attack(self.card(card)),
            Action::Cover { card, attack } => Move::cover(self.card(card), self.card(attack)),
            Action::Transfer(card) => Move::transfer(self.card(card)),
            Action::Show(card) => Move::show(self.card(card)),
            Action::Take | Action::Pass => mv,
        }
    }
}

/// Relabelled and rotated games take the same course.
pub(super) fn is_symmetric(number: u32) {
    games(number, "symmetry", |durak, mut state, rng| {
        let players = usize::from(durak.rules().players);
        let mut suits = [0, 1, 2, 3];
        rng.shuffle(&mut suits);
        let symmetry = Symmetry {
            suits,
            turn: rng.index(players),
            players,
        };
        // The same cards dealt to the same players, who sit `turn` seats further.
        let dealt: Vec<Card> = durak.deal_fields(&state)["deck"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| Card::parse(card.as_str().unwrap()).unwrap())
            .collect();
        let mut deck: Vec<Card> = dealt.iter().map(|&card| symmetry.card(card)).collect();
        for (index, &card) in dealt.iter().enumerate().take(6 * players) {
            let round = index / players * players;
            deck[round + symmetry.seat(index % players)] = symmetry.card(card);
        }
        let talon_left = usize::from(durak.rules().deck) > 6 * players;
        if !talon_left {
            // The last card dealt decides the trump suit, so the seats cannot turn.
            return;
        }
        let lot = symmetry.seat(state.public().lead());
        let mut image = durak.deal_from_deck(&deck, Some(lot)).unwrap();
        if image.public().lead() != lot {
            // `first_attacker = seat0` names a seat: start where the image of the first lead sits.
            image.begin_bout(durak.rules(), u8::try_from(lot).unwrap());
        }
        let mut decisions = 0;
        while let Some(mover) = durak.to_move(&state) {
            assert_eq!(durak.to_move(&image), Some(symmetry.seat(mover)));
            let (mut moves, mut images) = (Vec::new(), Vec::new());
            durak.legal_into(&state, &mut moves);
            durak.legal_into(&image, &mut images);
            let mut mapped: Vec<Move> = moves.iter().map(|&mv| symmetry.mv(mv)).collect();
            mapped.sort_unstable();
            images.sort_unstable();
            assert_eq!(mapped, images);
            for seat in 0..players {
                assert_eq!(
                    symmetry.mask(state.hand(seat)),
                    image.hand(symmetry.seat(seat))
                );
            }
            let mv = moves[rng.index(moves.len())];
            durak.apply(&mut state, mv);
            durak.apply(&mut image, symmetry.mv(mv));
            decisions += 1;
            if decisions > 5_000 {
                return;
            }
        }
        assert_eq!(durak.to_move(&image), None);
        assert_eq!(state.fool().map(|fool| symmetry.seat(fool)), image.fool());
    });
}

#[test]
fn conforms_with_the_default_rules() {
    conformance::check(&Durak::default(), 60);
}

#[test]
fn conforms_under_random_rules() {
    games(60, "conformance", |durak, _, _| {
        conformance::check(durak, 2);
    });
}
