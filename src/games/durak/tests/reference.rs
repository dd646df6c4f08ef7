//! The rules once more, as plainly as they can be written: lists of cards, no masks, no tricks.
//! Random games under random rules must take the same course in both.

use super::super::soak::random_rules;
use super::*;
use crate::rng::Seed;
use rules::{FirstBoutLimit, Throwers};

#[derive(Clone, PartialEq, Debug)]
enum Stage {
    Lead,
    Defend,
    Throw(Vec<usize>),
    Taking(Vec<usize>),
    Over,
}

/// The plain engine. `Stage::Throw` and `Stage::Taking` list the throwers who have not passed, the
/// next of them first.
struct Plain {
    rules: Rules,
    hands: Vec<Vec<Card>>,
    talon: Vec<Card>,
    trump: u8,
    table: Vec<(Card, Option<Card>)>,
    inside: Vec<bool>,
    lead: usize,
    opener: usize,
    defender: usize,
    limit: usize,
    bouts: u32,
    beaten: u32,
    shown: bool,
    stage: Stage,
    out: Vec<Vec<usize>>,
    fool: Option<usize>,
}

impl Plain {
    fn new(rules: Rules, deck: &[Card], first: usize) -> Self {
        let players = usize::from(rules.players);
        let mut hands = vec![Vec::new(); players];
        for (index, &card) in deck[..6 * players].iter().enumerate() {
            hands[index % players].push(card);
        }
        let mut this = Self {
            rules,
            hands,
            talon: deck[6 * players..].to_vec(),
            trump: deck[deck.len() - 1].suit(),
            table: Vec::new(),
            inside: vec![true; players],
            lead: first,
            opener: first,
            defender: first,
            limit: 0,
            bouts: 0,
            beaten: 0,
            shown: false,
            stage: Stage::Lead,
            out: Vec::new(),
            fool: None,
        };
        this.open(first);
        this
    }

    fn next(&self, seat: usize) -> usize {
        let mut seat = seat;
        loop {
            seat = (seat + 1) % self.hands.len();
            if self.inside[seat] {
                return seat;
            }
        }
    }

    fn limit_against(&self, seat: usize) -> usize {
        let five = match self.rules.first_bout_limit {
            FirstBoutLimit::Off => false,
            FirstBoutLimit::UntilFirstBeaten => self.beaten == 0,
            FirstBoutLimit::FirstBoutOnly => self.bouts == 1,
        };
        let mut limit = if self.rules.attack_cap { 6 } else { 1000 };
        if five {
            limit = 5;
        }
        if self.rules.hand_cap {
            limit = limit.min(self.hands[seat].len());
        }
        limit
    }

    fn open(&mut self, lead: usize) {
        self.bouts += 1;
        self.lead = lead;
        self.opener = lead;
        self.defender = self.next(lead);
        self.limit = self.limit_against(self.defender);
        self.stage = Stage::Lead;
    }

    fn mover(&self) -> Option<usize> {
        match &self.stage {
            Stage::Lead => Some(self.lead),
            Stage::Defend => Some(self.defender),
            Stage::Throw(order) | Stage::Taking(order) => Some(order[0]),
            Stage::Over => None,
        }
    }

    fn beats(&self, card: Card, attack: Card) -> bool {
        if card.suit() == attack.suit() {
            card.rank() > attack.rank()
        } else {
            card.suit() == self.trump
        }
    }

    fn on_table(&self, rank: u8) -> bool {
        self.table.iter().any(|&(attack, cover)| {
            attack.rank() == rank || cover.is_some_and(|c| c.rank() == rank)
        })
    }

    fn may_transfer(&self, more: usize) -> bool {
        let first_bout = self.bouts == 1;
        self.rules.transfer
            && (!first_bout || self.rules.first_bout_transfer)
            && self.table.iter().all(|(_, cover)| cover.is_none())
            && self.table.len() + more <= self.limit_against(self.next(self.defender))
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let Some(mover) = self.mover() else {
            return moves;
        };
        for &card in &self.hands[mover] {
            match self.stage {
                Stage::Lead => moves.push(card.to_string()),
                Stage::Throw(_) | Stage::Taking(_) if self.on_table(card.rank()) => {
                    moves.push(card.to_string());
                }
                Stage::Defend => {
                    for &(attack, cover) in &self.table {
                        if cover.is_none() && self.beats(card, attack) {
                            moves.push(format!("{card}>{attack}"));
                        }
                    }
                    if card.rank() == self.table[0].0.rank() {
                        if self.may_transfer(1) {
                            moves.push(format!("transfer {card}"));
                        }
                        let trump = card.suit() == self.trump;
                        if trump && self.rules.show_trump && !self.shown && self.may_transfer(0) {
                            moves.push(format!("show {card}"));
                        }
                    }
                }
                _ => {}
            }
        }
        match self.stage {
            Stage::Defend => moves.push("take".to_owned()),
            Stage::Throw(_) | Stage::Taking(_) => moves.push("pass".to_owned()),
            Stage::Lead | Stage::Over => {}
        }
        moves.sort();
        moves
    }

    /// Throwers in their order who hold a card that they may throw in.
    fn throwers(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seat = self.lead;
        loop {
            let allowed = match self.rules.throwers {
                Throwers::All => true,
                Throwers::Neighbours => {
                    self.next(seat) == self.defender || seat == self.next(self.defender)
                }
                Throwers::Lead => seat == self.lead,
                Throwers::Nobody => false,
            };
            if allowed && seat != self.defender {
                order.push(seat);
            }
            seat = self.next(seat);
            if seat == self.lead {
                return order;
            }
        }
    }

    fn able(&self, order: Vec<usize>) -> Vec<usize> {
        let mut order = order;
        while let Some(&seat) = order.first() {
            if self.hands[seat]
                .iter()
                .any(|card| self.on_table(card.rank()))
            {
                break;
            }
            order.remove(0);
        }
        order
    }

    fn throwing(&mut self, order: Vec<usize>, taking: bool) {
        let order = self.able(order);
        if order.is_empty() || self.table.len() >= self.limit {
            self.close(taking);
        } else {
            self.stage = if taking {
                Stage::Taking(order)
            } else {
                Stage::Throw(order)
            };
        }
    }

    fn remove(&mut self, seat: usize, card: Card) {
        let place = self.hands[seat].iter().position(|&c| c == card).unwrap();
        self.hands[seat].remove(place);
    }

    fn play(&mut self, mv: Move) {
        let mover = self.mover().unwrap();
        let stage = self.stage.clone();
        match (mv.action(), stage) {
            (Action::Attack(card), stage) => {
                self.remove(mover, card);
                self.table.push((card, None));
                match stage {
                    Stage::Taking(order) => self.throwing(order, true),
                    _ => self.stage = Stage::Defend,
                }
            }
            (Action::Cover { card, attack }, _) => {
                self.remove(mover, card);
                let pair = self.table.iter_mut().find(|(a, _)| *a == attack).unwrap();
                pair.1 = Some(card);
                if self.table.iter().all(|(_, cover)| cover.is_some()) {
                    self.throwing(self.throwers(), false);
                }
            }
            (Action::Take, _) => {
                if self.rules.throw_after_take {
                    self.throwing(self.throwers(), true);
                } else {
                    self.close(true);
                }
            }
            (Action::Pass, Stage::Throw(order)) => self.throwing(order[1..].to_vec(), false),
            (Action::Pass, Stage::Taking(order)) => self.throwing(order[1..].to_vec(), true),
            (Action::Transfer(card), _) => {
                self.remove(mover, card);
                self.table.push((card, None));
                self.hand_over();
            }
            (Action::Show(_), _) => {
                self.shown = true;
                self.hand_over();
            }
            (Action::Pass, _) => panic!("nobody may pass now"),
        }
    }

    fn hand_over(&mut self) {
        self.lead = self.defender;
        self.defender = self.next(self.lead);
        self.limit = self.limit_against(self.defender);
    }

    fn close(&mut self, taken: bool) {
        let table: Vec<Card> = self
            .table
            .drain(..)
            .flat_map(|(attack, cover)| std::iter::once(attack).chain(cover))
            .collect();
        if taken {
            self.hands[self.defender].extend(table);
        } else {
            self.beaten += 1;
        }
        self.shown = false;
        let first = if self.rules.original_lead_refills {
            self.opener
        } else {
            self.lead
        };
        let mut order = vec![first];
        while self.next(order[order.len() - 1]) != first {
            order.push(self.next(order[order.len() - 1]));
        }
        order.retain(|&seat| seat != self.defender);
        order.push(self.defender);
        for seat in order {
            while self.hands[seat].len() < 6 && !self.talon.is_empty() {
                self.hands[seat].push(self.talon.remove(0));
            }
        }
        if self.talon.is_empty() {
            let out: Vec<usize> = (0..self.hands.len())
                .filter(|&seat| self.inside[seat] && self.hands[seat].is_empty())
                .collect();
            for &seat in &out {
                self.inside[seat] = false;
            }
            if !out.is_empty() {
                self.out.push(out);
            }
        }
        let left: Vec<usize> = (0..self.hands.len())
            .filter(|&seat| self.inside[seat])
            .collect();
        match left[..] {
            [] => {
                self.fool = self.rules.defender_loses.then_some(self.defender);
                self.stage = Stage::Over;
            }
            [fool] => {
                self.fool = Some(fool);
                self.stage = Stage::Over;
            }
            _ => {
                let stays = !taken && self.inside[self.defender];
                let lead = if stays {
                    self.defender
                } else {
                    self.next(self.defender)
                };
                self.open(lead);
            }
        }
    }
}

#[test]
fn random_games_take_the_same_course_in_a_plain_engine() {
    let mut rng = Seed::root(61).rng();
    for _ in 0..400 {
        let rules = random_rules(&mut rng);
        let durak = Durak::new(rules).unwrap();
        let mut state = durak.deal(&mut rng);
        let deck = parse_deck(&deal::dealt_deck(&rules, &state).join(" ")).unwrap();
        let mut plain = Plain::new(rules, &deck, state.public().lead());
        let mut decisions = 0;
        loop {
            assert_eq!(durak.to_move(&state), plain.mover(), "{}", rules.text());
            let mut moves = legal(&durak, &state);
            moves.sort();
            assert_eq!(moves, plain.legal(), "{}", rules.text());
            for (seat, hand) in plain.hands.iter().enumerate() {
                let held = hand.iter().fold(0, |all, card| all | card.bit());
                assert_eq!(state.hand(seat), held, "{}", rules.text());
            }
            if plain.mover().is_none() || decisions > 20_000 {
                break;
            }
            let mv = durak.random_move(&state, &mut rng);
            durak.apply(&mut state, mv);
            plain.play(mv);
            decisions += 1;
        }
        assert_eq!(state.fool(), plain.fool);
        assert_eq!(durak.out_groups(&state), plain.out);
    }
}
