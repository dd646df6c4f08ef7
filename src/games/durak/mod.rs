//! Durak, podkidnoy and perevodnoy, for two to six players, with every rule on which sources
//! differ as an option ([`rules::SPEC`]).
//!
//! Where to look: [`rules`] has the options, [`moves`] the moves and their text, [`state`] what a
//! position and a view hold, `deal` the deal, `turn` what is legal, `play` what moves do, `bout` what
//! happens between bouts, `sample` the hidden cards, `lowest` the lowest-card player, `text` observations and drawings.

mod bout;
mod deal;
pub mod ending;
pub mod exchange;
pub mod facts;
mod faults;
mod lowest;
pub mod moves;
mod play;
mod playout;
mod random;
pub mod rules;
mod sample;
pub mod soak;
pub mod state;
mod text;
mod turn;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

pub use self::deal::{DeckError, parse_deck};
use self::faults::{Fault, seeded};
pub use self::moves::{Action, Move};
use self::playout::Playout;
pub use self::rules::{Rules, RulesError, SPEC};
pub use self::state::{Pair, Phase, Public, State, View};
use super::cards::Card;
use super::select::{Portable, fastest};
use super::{Game, GameInfo, MAX_SEATS, MoveTextError, Observation, Places, Scores, Seat, Style};
use crate::agents::heuristic::Heuristic;
use crate::agents::mcts::{ismcts::Ismcts, options::SearchOptions};
use crate::agents::perfect::durak::Exact;
use crate::agents::{Agent, BuildError, GameAgents, Player, lowest::Lowest};
use crate::rng::Rng;
use crate::spec::Settings;

/// Durak with a set of rules that can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Durak {
    rules: Rules,
}

/// A move that is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("`{mv}` cannot be played: the game is over")]
    GameOver {
        /// The move.
        mv: Move,
    },
    /// The mover does not hold the card.
    #[error("`{mv}` cannot be played: seat {seat} does not hold {card}")]
    NotHeld {
        /// The move.
        mv: Move,
        /// The seat to move.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The move is not legal now.
    #[error("`{mv}` is not legal now; seat {seat} may play: {legal}")]
    NotLegal {
        /// The move.
        mv: Move,
        /// The seat to move.
        seat: Seat,
        /// Texts of the legal moves.
        legal: String,
    },
}

impl Durak {
    /// Durak with these rules.
    ///
    /// # Errors
    /// If they cannot be played; the error names the option.
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        rules.check()?;
        Ok(Self { rules })
    }

    /// Durak with the options set in `settings`, defaults for the rest.
    ///
    /// # Errors
    /// If an option is unknown, has no such value, or cannot be played; the error names it.
    pub fn from_settings(settings: &Settings) -> Result<Self, RulesError> {
        Rules::from_settings(settings).map(|rules| Self { rules })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The deal of a deck given in dealing order: six cards to each seat, one at a time, clockwise
    /// from seat 0, the rest is the talon. `lot` is the first attacker where it is drawn by lot
    /// (`first_attacker = random`, or nobody holds a trump), else it is not used.
    ///
    /// # Errors
    /// If a card is missing, doubled or foreign, named; or if `lot` is needed and is no seat.
    pub fn deal_from_deck(&self, deck: &[Card], lot: Option<Seat>) -> Result<State, DeckError> {
        deal::deal_from_deck(&self.rules, deck, lot)
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// Says why the move is not legal; the state is unchanged.
    pub fn try_apply(&self, state: &mut State, mv: Move) -> Result<(), IllegalMove> {
        let Some(seat) = state.public.to_move() else {
            return Err(IllegalMove::GameOver { mv });
        };
        if state.turn(&self.rules).is_legal(mv) {
            self.apply(state, mv);
            return Ok(());
        }
        match mv.card() {
            Some(card) if state.hand(seat) & card.bit() == 0 => {
                Err(IllegalMove::NotHeld { mv, seat, card })
            }
            _ => {
                let mut legal = Vec::new();
                self.legal_into(state, &mut legal);
                let texts: Vec<String> = legal.iter().map(Move::to_string).collect();
                Err(IllegalMove::NotLegal {
                    mv,
                    seat,
                    legal: texts.join(", "),
                })
            }
        }
    }

    /// The legal moves of the seat to move, from its own view, in the order of
    /// [`Game::legal_into`]. Empty if the view is not the mover's.
    pub fn legal_in_view(&self, view: &View, out: &mut Vec<Move>) {
        out.clear();
        if view.public.to_move() == Some(view.seat()) {
            view.turn(&self.rules).legal_into(out);
        }
    }

    fn fair_share(&self) -> f64 {
        let players = f64::from(self.rules.players);
        (players - 1.0) / players
    }
}

impl Game for Durak {
    type State = State;
    type View = View;
    type Move = Move;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: SPEC.name,
            seats: usize::from(self.rules.players),
            hidden_information: true,
            fair_share: self.fair_share(),
            utility: match self.rules.players {
                2 => "win 1, draw 1/2, loss 0",
                3 => "the fool scores 0, every other seat 1; a draw gives every seat 2/3",
                4 => "the fool scores 0, every other seat 1; a draw gives every seat 3/4",
                5 => "the fool scores 0, every other seat 1; a draw gives every seat 4/5",
                _ => "the fool scores 0, every other seat 1; a draw gives every seat 5/6",
            },
        }
    }

    #[inline]
    fn deal(&self, rng: &mut Rng) -> State {
        deal::deal(&self.rules, rng)
    }

    #[inline]
    fn to_move(&self, state: &State) -> Option<Seat> {
        state.public.to_move()
    }

    fn legal_into(&self, state: &State, out: &mut Vec<Move>) {
        state.turn(&self.rules).legal_into(out);
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: Move) {
        state.apply(&self.rules, mv.action());
    }

    fn scores(&self, state: &State) -> Option<Scores> {
        if state.public.phase != Phase::Over {
            return None;
        }
        let seats = usize::from(self.rules.players);
        Some(match usize::from(state.public.fool) {
            fool if fool < seats => Scores::lost_by(seats, fool),
            _ => Scores::all(seats, self.fair_share()),
        })
    }

    fn places(&self, state: &State) -> Places {
        state.public.places
    }

    #[inline]
    fn view_into(&self, state: &State, seat: Seat, out: &mut View) {
        state.view_into(seat, out);
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        state.view(seat)
    }

    fn sample_into(&self, view: &View, rng: &mut Rng, out: &mut State) {
        view.sample_into(&self.rules, rng, out);
    }

    fn sample(&self, view: &View, rng: &mut Rng) -> State {
        let mut state = State::blank(view);
        view.sample_into(&self.rules, rng, &mut state);
        state
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng) -> Move {
        state.random_action(&self.rules, rng, Portable).into()
    }

    fn playout(&self, state: &mut State, rng: &mut Rng, cap: u32) -> u32 {
        fastest(Playout {
            rules: &self.rules,
            state,
            rng,
            cap,
        })
    }

    fn lowest_move(&self, state: &State) -> Option<Move> {
        state
            .public
            .to_move()
            .map(|_| state.turn(&self.rules).lowest_move())
    }

    fn lowest_move_in_view(&self, view: &View) -> Option<Move> {
        let own_turn = view.public.to_move() == Some(view.seat());
        own_turn.then(|| view.turn(&self.rules).lowest_move())
    }

    fn repetition_key(&self, state: &State) -> Option<u128> {
        let public = &state.public;
        if public.phase != Phase::Lead || public.talon > 0 || seeded(Fault::NothingRepeats) {
            return None;
        }
        // Every hand is a factor of its own in two independent sums; the discard follows from the
        // hands.
        let mut key = [0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344];
        let flags = u64::from(public.lead * u8::from(!seeded(Fault::AnybodyLeads)))
            | u64::from(public.beaten_off) << 8
            | u64::from(public.first_bout) << 9;
        for word in state.hands[..MAX_SEATS].iter().copied().chain([flags]) {
            for (part, factor) in key
                .iter_mut()
                .zip([0x9e37_79b9_7f4a_7c15_u64, 0xd6e8_feb8_6659_fd93])
            {
                let product = u128::from(*part ^ word) * u128::from(factor);
                #[expect(clippy::cast_possible_truncation, reason = "the two halves are folded")]
                {
                    *part = (product as u64 ^ (product >> 64) as u64).wrapping_add(factor);
                }
            }
        }
        Some(u128::from(key[0]) << 64 | u128::from(key[1]))
    }

    fn private_key(&self, state: &State, seat: Seat) -> u64 {
        state.hand(seat)
    }

    fn move_code(&self, mv: Move) -> u32 {
        mv.code()
    }

    fn write_move(&self, mv: Move, out: &mut String) {
        mv.write(out);
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        Move::parse(text)
    }

    fn observation(&self, view: &View) -> Observation {
        text::observation(&self.rules, view)
    }

    fn deal_fields(&self, initial: &State) -> Map<String, Value> {
        text::deal_fields(&self.rules, initial)
    }

    fn draw_view(&self, view: &View, style: Style) -> String {
        text::draw_view(&self.rules, view, style)
    }

    fn draw_state(&self, state: &State, style: Style) -> String {
        text::draw_state(&self.rules, state, style)
    }
}

impl GameAgents for Durak {
    fn own_agent(&self, settings: &Settings) -> Result<Option<Player<Self>>, BuildError> {
        Ok(match settings.name.as_str() {
            "lowest" => Some(Player::Honest(Box::new(Lowest))),
            "heuristic" => Some(Player::Honest(Box::new(Heuristic))),
            "perfect" => {
                let search = SearchOptions::read(self, &Settings::named("ismcts"))?;
                let inner = Box::new(Ismcts::new(search));
                Some(Player::Honest(self.with_exact_endings(inner)?))
            }
            _ => None,
        })
    }

    fn with_exact_endings(
        &self,
        inner: Box<dyn Agent<Self>>,
    ) -> Result<Box<dyn Agent<Self>>, BuildError> {
        Ok(Box::new(Exact::build(self, inner)?))
    }
}
