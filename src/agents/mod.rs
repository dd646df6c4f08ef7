//! Players: random, first, the MCTS family, solvers, and the boundary to programs and people.
//!
//! An [`Agent`] is given what its seat may know; a [`CheatingAgent`] is given the whole state and
//! exists only under names that start with `cheating-`. Dispatch is dynamic once per decision and
//! static below: a simulation makes no virtual call and no allocation.
//!
//! An agent by its name, asked for a move:
//!
//! ```
//! use evalctl::agents::{self, Player};
//! use evalctl::config::typed;
//! use evalctl::games::Game;
//! use evalctl::games::connect_four::ConnectFour;
//! use evalctl::rng::Seed;
//!
//! let (game, _) = typed::game("connect-four")?;
//! let settings = typed::agent("uct:simulations=500", &game)?;
//! let Player::Honest(mut agent) = agents::build(&ConnectFour, &settings)? else {
//!     unreachable!("its name does not start with `cheating-`");
//! };
//! let state = ConnectFour.deal(&mut Seed::root(1).rng());
//! let mut legal = Vec::new();
//! ConnectFour.legal_into(&state, &mut legal);
//! agent.start(&ConnectFour, 0, Seed::root(2))?;
//! let mv = agent.choose(&ConnectFour, &ConnectFour.view(&state, 0), &legal)?;
//! assert_eq!(ConnectFour.move_text(mv), "3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod basic;
pub(crate) mod heuristic;
pub(crate) mod lowest;
pub(crate) mod mcts;
pub mod perfect;
pub(crate) mod toy_mcts;

use crate::external::GameLog;
use crate::games::{Game, Scores, Seat};
use crate::record::End;
use crate::rng::Seed;
use crate::spec::{AgentSpec, Registry, Settings};

/// Why a player could not move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It answered something that is not a legal move.
    #[error("answered `{answer}`, which is not a legal move")]
    IllegalMove {
        /// The answer, escaped.
        answer: String,
    },
    /// It exceeded its time.
    #[error("did not answer within {milliseconds} ms")]
    Timeout {
        /// The limit.
        milliseconds: u64,
    },
    /// It exited or closed its output.
    #[error("crashed: {0}")]
    Crash(String),
    /// It broke the protocol.
    #[error("broke the protocol: {0}")]
    Protocol(String),
    /// Not the player's doing: the game is no result and the run stops with exit code 1.
    #[error("{0}")]
    Infrastructure(String),
    /// The run was interrupted while the player was thinking: the game is no result.
    #[error("interrupted")]
    Interrupted,
}

impl Fault {
    /// The `end` of a game forfeited by this fault; `None` if it is no result.
    pub fn end(&self) -> Option<End> {
        match self {
            Self::IllegalMove { .. } => Some(End::IllegalMove),
            Self::Timeout { .. } => Some(End::Timeout),
            Self::Crash(_) => Some(End::Crash),
            Self::Protocol(_) => Some(End::Protocol),
            Self::Infrastructure(_) | Self::Interrupted => None,
        }
    }
}

/// A player that is given what its seat may know.
pub trait Agent<G: Game>: Send {
    /// A new game begins: forget the last one. `seed` is this agent's own stream for this game.
    ///
    /// # Errors
    /// If a program cannot be started.
    fn start(&mut self, game: &G, seat: Seat, seed: Seed) -> Result<(), Fault>;

    /// Chooses one of `legal` (never empty; in the game's order).
    ///
    /// # Errors
    /// If the player gives no legal move; in-process agents never fail.
    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault>;

    /// A move was made, by any seat including this one. `view` is what this seat knows after it.
    /// Only called if [`Agent::observes`].
    fn observe(&mut self, _game: &G, _mover: Seat, _mv: G::Move, _view: &G::View) {}

    /// Whether [`Agent::observe`] is to be called.
    fn observes(&self) -> bool {
        false
    }

    /// The game is over.
    fn end(&mut self, _game: &G, _scores: &Scores, _end: End) {}

    /// Takes what a program wrote besides its moves since the last call; `None` for players that
    /// are no programs.
    fn take_log(&mut self) -> Option<GameLog> {
        None
    }

    /// The agent's own estimate of its score after the last choice, in `[0, 1]`, if it made one.
    fn estimate(&self) -> Option<f64> {
        None
    }

    /// Something the report must say about this agent (such as a node budget that was hit).
    fn notice(&self) -> Option<String> {
        None
    }
}

/// A player that sees the whole state.
pub trait CheatingAgent<G: Game>: Send {
    /// As [`Agent::start`].
    ///
    /// # Errors
    /// As [`Agent::start`].
    fn start(&mut self, game: &G, seat: Seat, seed: Seed) -> Result<(), Fault>;

    /// Chooses one of `legal`, seeing everything.
    ///
    /// # Errors
    /// As [`Agent::choose`].
    fn choose(&mut self, game: &G, state: &G::State, legal: &[G::Move]) -> Result<G::Move, Fault>;

    /// As [`Agent::estimate`].
    fn estimate(&self) -> Option<f64> {
        None
    }

    /// As [`Agent::notice`].
    fn notice(&self) -> Option<String> {
        None
    }
}

/// A player at a table.
pub enum Player<G: Game> {
    /// Given views.
    Honest(Box<dyn Agent<G>>),
    /// Given states; its name starts with `cheating-`.
    Cheating(Box<dyn CheatingAgent<G>>),
}

/// Why a game, an agent or their combination cannot be built: one sentence that says what is wrong
/// and what to use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct BuildError {
    /// The option at fault, if it is one.
    pub option: Option<String>,
    /// The sentence.
    pub message: String,
}

impl BuildError {
    /// An error about a name or a combination.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            option: None,
            message: message.into(),
        }
    }

    /// An error about the option `option`.
    pub fn about(option: &str, message: impl Into<String>) -> Self {
        Self {
            option: Some(option.to_owned()),
            message: message.into(),
        }
    }

    /// There is no game of this name.
    pub fn unknown_game(name: &str) -> Self {
        let known: Vec<&str> = crate::games::specs().iter().map(|spec| spec.name).collect();
        Self::new(format!(
            "there is no game `{name}`; known games: {}",
            known.join(", ")
        ))
    }

    /// There is no agent of this name for this game.
    pub fn unknown_agent(name: &str, game: &str) -> Self {
        Self::new(format!(
            "there is no agent `{name}` for {game}; see `evalctl list agents`"
        ))
    }
}

/// Agents that exist for one game only.
pub trait GameAgents: Game {
    /// The agent with this name, if this game has one of its own (`perfect`, `lowest`, ...).
    ///
    /// # Errors
    /// If the options cannot be played.
    fn own_agent(&self, _settings: &Settings) -> Result<Option<Player<Self>>, BuildError> {
        Ok(None)
    }

    /// A player that plays the ends of games exactly and all else as `inner`.
    ///
    /// # Errors
    /// If endings of this game cannot be solved.
    fn with_exact_endings(
        &self,
        _inner: Box<dyn Agent<Self>>,
    ) -> Result<Box<dyn Agent<Self>>, BuildError> {
        Err(BuildError::about(
            "endgame",
            format!(
                "endgame=exact is for two-player durak, not {}: use endgame=off",
                self.info().name
            ),
        ))
    }
}

/// The player that `settings` name, at a table of `game`. The one `match` over agents.
///
/// # Errors
/// If there is no such agent for this game or its options cannot be played together.
pub fn build<G: GameAgents>(game: &G, settings: &Settings) -> Result<Player<G>, BuildError> {
    if let Some(player) = game.own_agent(settings)? {
        return Ok(player);
    }
    let player = by_name(game, settings)?;
    match player {
        Player::Honest(inner) if settings.text(mcts::options::ENDGAME.name) == Some("exact") => {
            game.with_exact_endings(inner).map(Player::Honest)
        }
        player => Ok(player),
    }
}

fn by_name<G: GameAgents>(game: &G, settings: &Settings) -> Result<Player<G>, BuildError> {
    match settings.name.as_str() {
        "random" => Ok(Player::Honest(Box::<basic::Random>::default())),
        "first" => Ok(Player::Honest(Box::new(basic::First))),
        "flat-mc" => mcts::flat::build(game, settings),
        "uct" => mcts::uct::build(game, settings),
        "pimc" => mcts::pimc::build(game, settings),
        "ismcts" => mcts::ismcts::build(game, settings),
        "mo-ismcts" => mcts::mo_ismcts::build(game, settings),
        "cheating-uct" => mcts::cheating::build(game, settings),
        name => Err(BuildError::unknown_agent(name, game.info().name)),
    }
}

/// Whether games with this player come out the same every time: no clock, no program, no person.
pub fn is_reproducible(settings: &Settings) -> bool {
    let name = settings.name.as_str();
    !settings.values.contains_key("millis") && name != "human" && !name.starts_with("exec")
}

static SPECS: Registry<AgentSpec> = Registry::new(&[
    &basic::RANDOM,
    &basic::FIRST,
    &lowest::SPEC,
    &heuristic::SPEC,
    &mcts::flat::SPEC,
    &mcts::uct::SPEC,
    &mcts::pimc::SPEC,
    &mcts::ismcts::SPEC,
    &mcts::mo_ismcts::SPEC,
    &mcts::cheating::SPEC,
    &perfect::SPEC,
    &toy_mcts::SPEC,
    &crate::external::SPEC,
]);

/// Every agent that can be named, in the order of `evalctl list agents`: those of this crate, then
/// those of [`crate::own_game::register_agent`].
pub fn specs() -> &'static [&'static AgentSpec] {
    SPECS.all()
}

/// Adds an agent to [`specs`], unless there is one of its name; whether it was added.
pub(crate) fn add_spec(spec: &'static AgentSpec) -> bool {
    SPECS.add(spec, |one, other| one.name == other.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;
    use crate::spec::Value;

    #[test]
    fn names_make_players_and_unknown_names_are_refused_in_words() {
        for name in [
            "random",
            "first",
            "uct",
            "ismcts",
            "cheating-uct",
            "perfect",
        ] {
            assert!(build(&TicTacToe, &Settings::named(name)).is_ok(), "{name}");
        }
        let error = build(&TicTacToe, &Settings::named("nobody")).err();
        assert!(error.is_some_and(|e| e.message.contains("`nobody`")));
    }

    #[test]
    fn clocks_programs_and_people_are_not_reproducible() {
        let mut uct = Settings::named("uct");
        assert!(is_reproducible(&uct));
        uct.values.insert("millis".to_owned(), Value::Integer(5));
        assert!(!is_reproducible(&uct));
        assert!(!is_reproducible(&Settings::named("exec:./bot")));
        assert!(!is_reproducible(&Settings::named("human")));
    }
}
