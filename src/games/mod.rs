//! Games: the rules, what a seat may know, and the sampling of what it may not.
//!
//! A [`Game`] value is a set of rules (every option fixed); its `State` is the whole truth, its
//! `View` what one seat may know. Honest agents are given views and sample states from them; they
//! cannot see a state, by type. For games without hidden information the view is the state.
//!
//! Adding a game is one file here plus one line in [`crate::table`]'s dispatch and one in
//! [`specs`]; [`conformance`] is the suite that every game passes.
//!
//! A game by hand: what is true, what a seat knows, and a truth that fits.
//!
//! ```
//! use evalctl::games::Game;
//! use evalctl::games::durak::Durak;
//! use evalctl::rng::Seed;
//!
//! let durak = Durak::default();
//! let mut rng = Seed::root(1).derive("deal", &[]).rng();
//! let mut state = durak.deal(&mut rng);
//! let mut legal = Vec::new();
//! while let Some(seat) = durak.to_move(&state) {
//!     let view = durak.view(&state, seat);
//!     let imagined = durak.sample(&view, &mut rng);
//!     assert_eq!(durak.view(&imagined, seat), view);
//!     durak.legal_into(&state, &mut legal);
//!     durak.apply(&mut state, legal[0]);
//! }
//! let scores = durak.scores(&state).expect("the game is over");
//! assert_eq!(scores.of(0) + scores.of(1), 1.0);
//! ```

pub mod cards;
pub mod conformance;
pub mod connect_four;
pub mod durak;
pub mod durak_toy;
pub mod select;
pub mod tictactoe;

use std::fmt::Debug;
use std::hash::Hash;

use serde_json::{Map, Value};

use crate::rng::Rng;
use crate::spec::{GameSpec, Registry};

/// A seat at the table, `0..seats`, clockwise.
pub type Seat = usize;

/// The most seats any game has.
pub const MAX_SEATS: usize = 6;

/// One score per seat, each in `[0, 1]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scores {
    seats: u8,
    values: [f64; MAX_SEATS],
}

impl Scores {
    /// The same score for all of `seats` seats (at most [`MAX_SEATS`]).
    pub fn all(seats: usize, value: f64) -> Self {
        debug_assert!(seats <= MAX_SEATS);
        #[expect(clippy::cast_possible_truncation, reason = "at most MAX_SEATS")]
        Self {
            seats: seats.min(MAX_SEATS) as u8,
            values: [value; MAX_SEATS],
        }
    }

    /// Every other seat 1, `loser` 0: a lost game, or one forfeited by `loser`.
    #[must_use]
    pub fn lost_by(seats: usize, loser: Seat) -> Self {
        Self::all(seats, 1.0).with(loser, 0.0)
    }

    /// These scores with `seat`'s replaced.
    #[must_use]
    pub fn with(mut self, seat: Seat, value: f64) -> Self {
        self.values[seat] = value;
        self
    }

    /// The score of `seat`.
    #[inline]
    pub fn of(&self, seat: Seat) -> f64 {
        self.values[seat]
    }

    /// All scores, seat 0 first.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..usize::from(self.seats)]
    }
}

/// The order of going out: for each seat the number of the group it went out with (1 is the first,
/// ties share a number), 0 for a seat that never went out or where the game has no such order.
pub type Places = [u8; MAX_SEATS];

/// What a game is, for tables, reports and search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameInfo {
    /// The name in configs and files.
    pub name: &'static str,
    /// Number of seats, 2 to [`MAX_SEATS`].
    pub seats: usize,
    /// Whether a seat does not see the whole state.
    pub hidden_information: bool,
    /// The mean score of equally strong players (1/2 for two seats).
    pub fair_share: f64,
    /// The utility in words, for reports ("win 1, draw 1/2, loss 0").
    pub utility: &'static str,
}

/// One field of an [`Observation`].
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The name in both dialects.
    pub name: &'static str,
    /// The value of the `text` dialect, after `=`.
    pub text: String,
    /// The value of the `json` dialect.
    pub json: Value,
}

/// What a seat to move may know, as fields in a fixed order (bot protocol, "Observations").
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Observation(pub Vec<Field>);

/// How a position is drawn for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether ANSI colours may be used (only on a terminal).
    pub colour: bool,
}

/// A text that is no move of the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a move of {game}: {expected}")]
pub struct MoveTextError {
    /// What was read.
    pub text: String,
    /// The game's name.
    pub game: &'static str,
    /// What a move looks like.
    pub expected: String,
}

/// A game with its rules.
///
/// Contracts that search and tables rely on, all tested by the conformance suite:
/// * `legal_into` lists moves in a fixed order that depends on the mover's view only, and is
///   never empty while `to_move` is `Some`.
/// * `random_move(state, rng)` is `legal[rng.index(legal.len())]`, with the same use of the stream.
/// * Every state sampled from a seat's view gives that seat the same view and the same legal moves.
/// * `apply` of a legal move never panics; applying an illegal one is a bug of the caller.
pub trait Game: Clone + Send + Sync + 'static {
    /// The whole truth about a position.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// What one seat may know. Equal views mean indistinguishable histories as far as the
    /// sampling of hidden information is concerned.
    type View: Clone + PartialEq + Debug + Send + Sync;
    /// A move. Moves are public in every game here.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// What this game is.
    fn info(&self) -> GameInfo;

    /// A new position from the deal's own random stream.
    fn deal(&self, rng: &mut Rng) -> Self::State;

    /// The seat to move, `None` when the game is over.
    fn to_move(&self, state: &Self::State) -> Option<Seat>;

    /// Replaces `out` by the legal moves of the seat to move (empty when the game is over).
    fn legal_into(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);

    /// The scores of a finished game, `None` while it runs.
    fn scores(&self, state: &Self::State) -> Option<Scores>;

    /// The order of going out so far. All 0 where it has no meaning.
    fn places(&self, _state: &Self::State) -> Places {
        [0; MAX_SEATS]
    }

    /// What `seat` may know.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// [`Game::view`], written over `out`. Games whose views own memory override it, so that
    /// search allocates none.
    #[inline]
    fn view_into(&self, state: &Self::State, seat: Seat, out: &mut Self::View) {
        *out = self.view(state, seat);
    }

    /// A state consistent with everything in `view`, every such state with its right chance.
    fn sample(&self, view: &Self::View, rng: &mut Rng) -> Self::State;

    /// [`Game::sample`], written over `out` (any state of this game), with the same use of the
    /// stream. Games whose states own memory override it, so that search allocates none.
    #[inline]
    fn sample_into(&self, view: &Self::View, rng: &mut Rng, out: &mut Self::State) {
        *out = self.sample(view, rng);
    }

    /// A uniformly random legal move; the game must not be over. Games override it to play faster:
    /// this one allocates.
    fn random_move(&self, state: &Self::State, rng: &mut Rng) -> Self::Move {
        let mut legal = Vec::new();
        self.legal_into(state, &mut legal);
        legal[rng.index(legal.len())]
    }

    /// Plays uniformly random moves until the game is over or `cap` decisions were made; the
    /// number of decisions made. Games override it where they can be faster with the same result.
    #[inline]
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, cap: u32) -> u32 {
        let mut decisions = 0;
        while decisions < cap && self.to_move(state).is_some() {
            let mv = self.random_move(state, rng);
            self.apply(state, mv);
            decisions += 1;
        }
        decisions
    }

    /// The move of the game's simple player without search (`lowest` in Durak) for the seat to
    /// move; it may use only what that seat may know. `None` if the game has no such player.
    fn lowest_move(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// [`Game::lowest_move`] from the mover's view: always the same move.
    fn lowest_move_in_view(&self, _view: &Self::View) -> Option<Self::Move> {
        None
    }

    /// A key of the full state where the game has a natural unit at whose start positions may
    /// repeat (Durak: the start of a bout with an empty talon), else `None`. The third equal key
    /// of a game ends it as a repetition.
    fn repetition_key(&self, _state: &Self::State) -> Option<u128> {
        None
    }

    /// A key of what `seat` privately knows (its hand), for search that keeps the opponents'
    /// information sets apart. 0 where nothing is private.
    fn private_key(&self, _state: &Self::State, _seat: Seat) -> u64 {
        0
    }

    /// A number for the move, stable across versions, from which digests are made.
    fn move_code(&self, mv: Self::Move) -> u32;

    /// Appends the move's text: on one line, without `;`, which stands between moves.
    fn write_move(&self, mv: Self::Move, out: &mut String);

    /// The move's text.
    fn move_text(&self, mv: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(mv, &mut text);
        text
    }

    /// The move with this text; whether it is legal now is another question.
    ///
    /// # Errors
    /// If the text is no move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveTextError>;

    /// What the seat to move may know, for programs. Names and texts have no spaces in them: a line
    /// of the `text` dialect holds all of them.
    fn observation(&self, view: &Self::View) -> Observation;

    /// Appends [`Game::observation`] as ` name=value` for each field. Games whose moves are quick
    /// override it to do without the fields.
    fn write_observation(&self, view: &Self::View, out: &mut String) {
        for field in self.observation(view).0 {
            out.extend([" ", field.name, "=", &field.text]);
        }
    }

    /// The fields of a trace's `deal` line besides `kind`, `game`, `seats` and `first_seat`:
    /// `rules` and what determines the deal. Here: no options, and what each seat sees at first
    /// (one of them where nothing is hidden).
    fn deal_fields(&self, initial: &Self::State) -> Map<String, Value> {
        let seen = |seat| -> Map<String, Value> {
            let fields = self.observation(&self.view(initial, seat)).0;
            let named = |field: Field| (field.name.to_owned(), field.json);
            fields.into_iter().map(named).collect()
        };
        let info = self.info();
        let viewers = if info.hidden_information {
            info.seats
        } else {
            1
        };
        let position = (0..viewers).map(|seat| Value::Object(seen(seat)));
        Map::from_iter([
            ("rules".to_owned(), Value::Object(Map::new())),
            ("position".to_owned(), position.collect()),
        ])
    }

    /// Seats that went out, bout by bout (trace, `end` line); empty where it has no meaning.
    fn out_groups(&self, state: &Self::State) -> Vec<Vec<Seat>> {
        let places = self.places(state);
        let last = places.iter().copied().max().unwrap_or(0);
        (1..=last)
            .map(|place| {
                (0..self.info().seats)
                    .filter(|&s| places[s] == place)
                    .collect()
            })
            .collect()
    }

    /// A drawing of what a seat may know, for people at a terminal: whole lines. Here: the fields of
    /// [`Game::observation`], one a line.
    fn draw_view(&self, view: &Self::View, _style: Style) -> String {
        let fields = self.observation(view).0;
        let line = |field: &Field| format!("{}: {}\n", field.name, field.text);
        fields.iter().map(line).collect()
    }

    /// A drawing of the whole truth, for replays: whole lines. Here: what each seat sees.
    fn draw_state(&self, state: &Self::State, style: Style) -> String {
        let info = self.info();
        let seen = |seat| self.draw_view(&self.view(state, seat), style);
        if !info.hidden_information {
            return seen(0);
        }
        let mut text = String::new();
        for seat in 0..info.seats {
            text.extend([&format!("seat {seat}\n"), seen(seat).as_str()]);
        }
        text
    }
}

static SPECS: Registry<GameSpec> = Registry::new(&[
    &durak::SPEC,
    &durak_toy::SPEC,
    &tictactoe::SPEC,
    &connect_four::SPEC,
]);

/// Every game that can be named, in the order of `evalctl list games`: those of this crate, then
/// those of [`crate::own_game::register`].
pub fn specs() -> &'static [&'static GameSpec] {
    SPECS.all()
}

/// Adds a game to [`specs`], unless there is one of its name; whether it was added.
pub(crate) fn add_spec(spec: &'static GameSpec) -> bool {
    SPECS.add(spec, |one, other| one.name == other.name)
}
