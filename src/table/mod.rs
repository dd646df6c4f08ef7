//! One game between agents: the only place where a type-erased game is played.
//!
//! [`build`] turns names into a boxed [`Table`]: one `match` over games here, one over agents in
//! [`crate::agents::build`]; below that everything is monomorphised.
//!
//! ```
//! use evalctl::config::typed;
//! use evalctl::plan::GameSeeds;
//! use evalctl::rng::Seed;
//! use evalctl::table::{self, TableOptions};
//!
//! let (game, _) = typed::game("durak:players=3")?;
//! let players = ["ismcts:simulations=50", "lowest", "random"]
//!     .map(|text| typed::agent(text, &game));
//! let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let mut table = table::build(&game, &players, &TableOptions::default())?;
//! let root = Seed::root(7);
//! let seeds = GameSeeds {
//!     deal: root.derive("deal", &[]),
//!     opening: root.derive("opening", &[]),
//!     agents: std::array::from_fn(|seat| root.indexed([0, 0, seat as u64])),
//! };
//! let record = table
//!     .play(&seeds, &[0, 1, 2], None)
//!     .map_err(|fault| fault.to_string())?;
//! assert_eq!(record.scores.as_slice().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod game;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};

pub(crate) use self::any::register;
pub use self::game::GameTable;
use crate::agents::{self, BuildError, Fault, GameAgents, Player};
use crate::external::check::{CheckOptions, Step, Verdict};
use crate::external::{self, GameLog, Host};
use crate::games::{GameInfo, MAX_SEATS, Seat};
pub use crate::move_times::MoveTimes;
use crate::plan::GameSeeds;
use crate::record::GameRecord;
use crate::spec::Settings;

/// How a table is set up.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// Random moves, the same in every cell and rotation, before the agents are asked.
    pub opening_plies: u32,
    /// Whether the agents' time is measured (it never reaches a move).
    pub measure: bool,
    /// Set from outside to abandon the game in flight at the next decision; waiting for a program
    /// then ends within a fraction of a second too.
    pub stop: Arc<AtomicBool>,
    /// How players that are programs are run.
    pub host: Host,
}

/// Receives a game as it is played: the trace.
pub trait GameSink {
    /// The deal: `kind`-less fields of the trace's first line (rules and what determines the
    /// deal), number of seats, who moves first.
    fn deal(&mut self, fields: Map<String, Value>, seats: usize, first_seat: Seat);
    /// A decision: legal moves sorted as text, the move, and drawings made on demand.
    fn decision(&mut self, decision: &Decision<'_>);
    /// The end.
    fn end(&mut self, record: &GameRecord, out: &[Vec<Seat>]);
}

/// One decision of a traced game, taken but not yet played.
pub struct Decision<'a> {
    /// Number of the decision, from 0.
    pub ply: u32,
    /// Who decides.
    pub seat: Seat,
    /// Whether it was a random opening move.
    pub opening: bool,
    /// Legal moves, sorted as text.
    pub legal: Vec<String>,
    /// The move.
    pub mv: String,
    /// Draws the position before the move: all of it for `None`, what a seat may know otherwise.
    pub draw: &'a dyn Fn(Option<Seat>, crate::games::Style) -> String,
}

/// A game with its players, type-erased.
pub trait Table: Send {
    /// What the game is.
    fn info(&self) -> GameInfo;

    /// Plays one game. `players[seat]` is the index of the player that sits there.
    ///
    /// # Errors
    /// [`Fault::Infrastructure`] or [`Fault::Interrupted`]: the game is no result. Other faults
    /// are forfeits and part of the record.
    fn play(
        &mut self,
        seeds: &GameSeeds,
        players: &[usize],
        sink: Option<&mut dyn GameSink>,
    ) -> Result<GameRecord, Fault>;

    /// What the report must say about player `index`, if anything.
    fn notice(&self, index: usize) -> Option<String>;

    /// Takes what the program in player `index` wrote besides its moves since the last call (the
    /// first 64 KiB of its standard error and of its remarks); `None` if it is no program.
    fn take_log(&mut self, index: usize) -> Option<GameLog>;

    /// Turns the measuring of agents' time on or off from the next decision on.
    fn set_measure(&mut self, measure: bool);

    /// Keeps the time of each measured move from now on, player by player.
    fn keep_move_times(&mut self);

    /// Adds what was kept of player `index` to `into`, and forgets it.
    fn drain_move_times(&mut self, index: usize, into: &mut MoveTimes);
}

/// Who sits where when player 0 (the challenger) sits in seat `rotation`.
pub fn seating(seats: usize, rotation: usize) -> [usize; MAX_SEATS] {
    let mut players = [0; MAX_SEATS];
    let mut next = 1;
    for (seat, player) in players.iter_mut().enumerate().take(seats) {
        if seat != rotation {
            *player = next;
            next += 1;
        }
    }
    players
}

/// What a named game is.
///
/// # Errors
/// If there is no such game or its options cannot be played together.
pub fn game_info(game: &Settings) -> Result<GameInfo, BuildError> {
    Ok(any::named(game)?.game_info())
}

/// A table for `game` with one player per seat, the challenger first.
///
/// # Errors
/// If a name or a set of options cannot be played.
pub fn build(
    game: &Settings,
    players: &[Settings],
    options: &TableOptions,
) -> Result<Box<dyn Table>, BuildError> {
    any::named(game)?.table(players, options)
}

/// The player that `settings` name: an agent or a program.
///
/// # Errors
/// As [`build`].
pub fn player<G: GameAgents>(
    game: &G,
    settings: &Settings,
    options: &TableOptions,
) -> Result<Player<G>, BuildError> {
    if settings.name == external::SPEC.name {
        external::build(game, settings, &options.host, Arc::clone(&options.stop))
    } else {
        agents::build(game, settings)
    }
}

/// Starts the program of `config`, waits until it is ready to play `game`, and ends it. Call it
/// for every program before the first game: one that cannot be started is no lost game.
///
/// # Errors
/// The outer error if it cannot be asked to play this game, the inner if it does not start.
pub fn probe(
    game: &Settings,
    config: &external::BotConfig,
) -> Result<Result<external::Probe, external::BotStartError>, BuildError> {
    any::named(game)?.probe(config)
}

/// Checks step by step what the program of `config` does wrong at `game`; tells each step as soon
/// as it is known, and gives the worst of their verdicts.
///
/// # Errors
/// If there is no such game or its options cannot be played together.
pub fn check_bot(
    game: &Settings,
    config: &external::BotConfig,
    options: CheckOptions,
    mut tell: impl FnMut(&Step),
) -> Result<Verdict, BuildError> {
    Ok(any::named(game)?.check_bot(config, options, &mut tell))
}

/// Something done with a game whose type is known only at run time.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    ///
    /// # Errors
    /// As the visitor says.
    fn visit<G: GameAgents>(self, game: G) -> Result<Self::Output, BuildError>;
}

/// Calls `visitor` with the named game of this crate. The one `match` over games.
///
/// # Errors
/// If there is no such game, its options cannot be played together, or the visitor fails.
pub fn visit<V: Visitor>(game: &Settings, visitor: V) -> Result<V::Output, BuildError> {
    match game.name.as_str() {
        "durak" => visitor.visit(durak(game)?),
        "durak-toy" => visitor.visit(crate::games::durak_toy::DurakToy::from_settings(game)?),
        "tictactoe" => visitor.visit(crate::games::tictactoe::TicTacToe),
        "connect-four" => visitor.visit(crate::games::connect_four::ConnectFour),
        name => Err(BuildError::unknown_game(name)),
    }
}

fn durak(game: &Settings) -> Result<crate::games::durak::Durak, BuildError> {
    crate::games::durak::Durak::from_settings(game)
        .map_err(|error| BuildError::about(&error.option, error.to_string()))
}
