//! `durak-toy`: the game that the program behind "MCTS beats random at Durak" really plays.
//!
//! It is no Durak, and is kept as it was found so that the published experiment can be repeated:
//! a move is any card of the mover's hand, nothing draws from the deck, nothing reads the trump,
//! and every game starts from one position, from which hands can only shrink one card at a time
//! in turn. With cards in the deck the game ends when both hands are empty, a draw; with an empty
//! deck the first hand to be empty wins, which is that of whoever moves first. No choice changes
//! the result.
//!
//! Passing is automatic, as in the original: a player without cards is asked nothing, the turn
//! goes over within [`Game::apply`], and no decision is written, since there is nothing to choose
//! and no card to name. From the published position it never comes up, because the hands are
//! equal and empty in turn.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Field, Game, GameInfo, MoveTextError, Observation, Scores, Seat, Style};
use crate::agents::{BuildError, GameAgents, Player, toy_mcts};
use crate::rng::Rng;
use crate::spec::{GameSpec, OptionKind, OptionSpec, Settings};

/// The spec of [`DurakToy`].
pub const SPEC: GameSpec = GameSpec {
    name: "durak-toy",
    help: "The game that a published Durak experiment really played: fixed hands of six, any card may be played, nothing is ever drawn. Kept to repeat that experiment; it cannot tell players apart.",
    options: &[OptionSpec {
        name: "deck",
        kind: OptionKind::Integer {
            min: 0,
            max: PUBLISHED_DECK as i64,
        },
        default: "24",
        help: "Entries of the deck list that nothing draws from. With 24, as published, every game is a draw; with 0 the first hand to be empty wins.",
    }],
};

/// The most cards a hand has room for.
pub const HAND_ROOM: usize = 12;

/// Cards of the deck that a re-deal knows: ids `0..36`.
pub const CARDS: usize = 36;

/// The trump suit, which nothing reads but the drawings.
pub const TRUMP: u8 = 0;

/// Entries of the published deck list.
const PUBLISHED_DECK: u8 = 24;
/// The published deck list is `20..44`; ids from 36 on do not exist in a deck of 36.
const FIRST_IN_DECK: u8 = 20;
const LAST_ID: u8 = FIRST_IN_DECK + PUBLISHED_DECK - 1;
/// The published hands.
const HANDS: [[u8; 6]; 2] = [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]];

/// The rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DurakToy {
    deck: u8,
}

/// A list of at most `ROOM` card ids, in order. Slots beyond its length hold 0, so that equal
/// lists are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct List<const ROOM: usize> {
    ids: [u8; ROOM],
    len: u8,
}

impl<const ROOM: usize> List<ROOM> {
    const EMPTY: Self = Self {
        ids: [0; ROOM],
        len: 0,
    };

    /// The first `ROOM` of `ids`.
    fn of(ids: impl IntoIterator<Item = u8>) -> Self {
        let mut list = Self::EMPTY;
        for (slot, id) in list.ids.iter_mut().zip(ids) {
            *slot = id;
            list.len += 1;
        }
        list
    }

    fn as_slice(&self) -> &[u8] {
        &self.ids[..usize::from(self.len)]
    }

    /// Takes out `id`; the last card of the list takes its place.
    fn swap_remove(&mut self, id: u8) {
        if let Some(place) = self.as_slice().iter().position(|&held| held == id) {
            let last = usize::from(self.len) - 1;
            self.ids[place] = self.ids[last];
            self.ids[last] = 0;
            self.len -= 1;
        }
    }

    fn text(&self, separator: &str) -> String {
        let texts: Vec<String> = self.as_slice().iter().map(u8::to_string).collect();
        texts.join(separator)
    }
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    hands: [List<HAND_ROOM>; 2],
    deck: List<CARDS>,
    mover: u8,
}

/// What one seat may know: its hand in order, two counts, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    seat: u8,
    mover: u8,
    hand: List<HAND_ROOM>,
    opponent: u8,
    deck: u8,
}

/// A card id, `0..44`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CardId(u8);

impl CardId {
    /// The id.
    pub fn id(self) -> u8 {
        self.0
    }
}

impl State {
    /// A seat's hand, in order.
    pub fn hand(&self, seat: Seat) -> &[u8] {
        self.hands[seat].as_slice()
    }

    /// The deck list, in order.
    pub fn deck(&self) -> &[u8] {
        self.deck.as_slice()
    }

    /// Both hands empty, or, only if the deck is empty too, one of them.
    fn is_over(&self) -> bool {
        let [a, b] = [self.hands[0].len, self.hands[1].len];
        (a == 0 && b == 0) || (self.deck.len == 0 && (a == 0 || b == 0))
    }

    /// Lets the turn go over where the mover has no cards.
    fn pass_if_empty(&mut self) {
        let other = self.mover ^ 1;
        if self.hands[usize::from(self.mover)].len == 0 && self.hands[usize::from(other)].len > 0 {
            self.mover = other;
        }
    }
}

impl Default for DurakToy {
    fn default() -> Self {
        Self {
            deck: PUBLISHED_DECK,
        }
    }
}

impl DurakToy {
    /// The toy with the first `deck` of the 24 published deck entries; `None` if there are not so
    /// many.
    pub fn new(deck: u8) -> Option<Self> {
        (deck <= PUBLISHED_DECK).then_some(Self { deck })
    }

    /// The toy with the option set in `settings`, or as published.
    ///
    /// # Errors
    /// If `deck` is not one of 0 to 24.
    pub fn from_settings(settings: &Settings) -> Result<Self, BuildError> {
        let Some(deck) = settings.integer("deck") else {
            return Ok(Self::default());
        };
        u8::try_from(deck).ok().and_then(Self::new).ok_or_else(|| {
            BuildError::about(
                "deck",
                format!("deck must be a whole number from 0 to {PUBLISHED_DECK}, not {deck}"),
            )
        })
    }
}

impl View {
    /// The re-deal of the original program: every card of the 36 that is not in the viewer's hand
    /// is taken for unknown, also those that were played in the open; the opponent gets as many as
    /// it holds and ALL the rest goes to the deck, even if the deck is empty in truth. That is not
    /// a sample of what the viewer knows, for which see [`Game::sample_into`].
    pub fn redeal_into(&self, rng: &mut Rng, out: &mut State) {
        self.deal_unknown(CARDS, rng, out);
    }

    /// Shuffles the cards that the viewer does not hold: its opponent's count of them to the
    /// opponent, at most `deck` of the rest to the deck.
    fn deal_unknown(&self, deck: usize, rng: &mut Rng, out: &mut State) {
        let held = self.hand.as_slice();
        let mut unknown = List::<CARDS>::of((0..36).filter(|id| !held.contains(id)));
        let cards = &mut unknown.ids[..usize::from(unknown.len)];
        rng.shuffle(cards);
        let (opponent, rest) = cards.split_at(usize::from(self.opponent).min(cards.len()));
        let seat = usize::from(self.seat & 1);
        out.hands[seat] = self.hand;
        out.hands[seat ^ 1] = List::of(opponent.iter().copied());
        out.deck = List::of(rest.iter().copied().take(deck));
        out.mover = self.mover;
    }
}

impl Game for DurakToy {
    type State = State;
    type View = View;
    type Move = CardId;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: SPEC.name,
            seats: 2,
            hidden_information: true,
            fair_share: 0.5,
            utility: "win 1, draw 1/2, loss 0",
        }
    }

    fn deal(&self, _rng: &mut Rng) -> State {
        State {
            hands: HANDS.map(List::of),
            deck: List::of(FIRST_IN_DECK..FIRST_IN_DECK + self.deck),
            mover: 0,
        }
    }

    #[inline]
    fn to_move(&self, state: &State) -> Option<Seat> {
        (!state.is_over()).then_some(usize::from(state.mover))
    }

    fn legal_into(&self, state: &State, out: &mut Vec<CardId>) {
        out.clear();
        if let Some(mover) = self.to_move(state) {
            out.extend(state.hand(mover).iter().map(|&id| CardId(id)));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: CardId) {
        state.hands[usize::from(state.mover)].swap_remove(mv.0);
        state.mover ^= 1;
        state.pass_if_empty();
    }

    fn scores(&self, state: &State) -> Option<Scores> {
        if !state.is_over() {
            return None;
        }
        Some(match (state.hands[0].len, state.hands[1].len) {
            (0, 0) => Scores::all(2, 0.5),
            (0, _) => Scores::lost_by(2, 1),
            _ => Scores::lost_by(2, 0),
        })
    }

    #[inline]
    fn view(&self, state: &State, seat: Seat) -> View {
        View {
            seat: u8::from(seat == 1),
            mover: state.mover,
            hand: state.hands[seat & 1],
            opponent: state.hands[(seat & 1) ^ 1].len,
            deck: state.deck.len,
        }
    }

    /// As the re-deal of the original, but the deck keeps the size that the viewer sees; the
    /// cards that are left over are the played ones.
    fn sample_into(&self, view: &View, rng: &mut Rng, out: &mut State) {
        view.deal_unknown(usize::from(view.deck), rng, out);
    }

    #[inline]
    fn sample(&self, view: &View, rng: &mut Rng) -> State {
        let mut state = State {
            hands: [List::EMPTY; 2],
            deck: List::EMPTY,
            mover: view.mover,
        };
        self.sample_into(view, rng, &mut state);
        state
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng) -> CardId {
        let hand = state.hand(usize::from(state.mover));
        CardId(hand[rng.index(hand.len())])
    }

    fn private_key(&self, state: &State, seat: Seat) -> u64 {
        state.hand(seat).iter().fold(0, |key, &id| key | 1 << id)
    }

    fn move_code(&self, mv: CardId) -> u32 {
        u32::from(mv.0)
    }

    fn write_move(&self, mv: CardId, out: &mut String) {
        let _ = write!(out, "{}", mv.0);
    }

    fn parse_move(&self, text: &str) -> Result<CardId, MoveTextError> {
        match text.trim_ascii().parse() {
            Ok(id) if id <= LAST_ID => Ok(CardId(id)),
            _ => Err(MoveTextError {
                text: text.to_owned(),
                game: SPEC.name,
                expected: format!("the id of a card, 0 to {LAST_ID}"),
            }),
        }
    }

    fn observation(&self, view: &View) -> Observation {
        Observation(vec![
            Field {
                name: "hand",
                text: view.hand.text(","),
                json: json!(view.hand.as_slice()),
            },
            Field {
                name: "opponent",
                text: view.opponent.to_string(),
                json: json!(view.opponent),
            },
        ])
    }

    fn deal_fields(&self, initial: &State) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("rules".to_owned(), json!({ "deck": self.deck }));
        fields.insert(
            "position".to_owned(),
            json!({ "hands": [initial.hand(0), initial.hand(1)], "deck": initial.deck() }),
        );
        fields
    }

    fn draw_view(&self, view: &View, _style: Style) -> String {
        format!(
            "{}your hand  {}\nopponent   {} cards\n",
            draw_deck(view.deck),
            view.hand.text(" "),
            view.opponent
        )
    }

    fn draw_state(&self, state: &State, _style: Style) -> String {
        format!(
            "{}seat 0     {}\nseat 1     {}\n",
            draw_deck(state.deck.len),
            state.hands[0].text(" "),
            state.hands[1].text(" ")
        )
    }
}

fn draw_deck(count: u8) -> String {
    format!("deck       {count} cards, never drawn from; trump suit {TRUMP}, never used\n")
}

impl GameAgents for DurakToy {
    fn own_agent(&self, settings: &Settings) -> Result<Option<Player<Self>>, BuildError> {
        (settings.name == toy_mcts::SPEC.name)
            .then(|| toy_mcts::build(settings))
            .transpose()
    }
}

#[cfg(test)]
mod tests;
