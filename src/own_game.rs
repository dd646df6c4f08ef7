//! A game of one's own, in a program of one's own: everything that `evalctl` does in process
//! (sweeps, matches, tournaments, traces, replays, verification) with a game that is not in this
//! crate.
//!
//! Implement [`Game`](crate::games::Game), [`register`] it before anything else, and hand over to
//! [`cli::main`](crate::cli::main):
//!
//! ```no_run
//! # use evalctl::games::tictactoe::TicTacToe as MyGame;
//! use evalctl::spec::GameSpec;
//!
//! static SPEC: GameSpec = GameSpec { name: "my-game", help: "One sentence.", options: &[] };
//!
//! fn main() -> std::process::ExitCode {
//!     if let Err(error) = evalctl::own_game::register(&SPEC, |_| Ok(MyGame)) {
//!         eprintln!("{error}");
//!         return std::process::ExitCode::FAILURE;
//!     }
//!     evalctl::cli::main()
//! }
//! ```
//!
//! `examples/own_game.rs` is a whole one. Programs (`exec:`) and people are offered the games of
//! this crate only.

use std::sync::{Arc, PoisonError, RwLock};

use crate::agents::{BuildError, GameAgents};
use crate::games::{self, GameInfo};
use crate::spec::{GameSpec, Settings};
use crate::table::{self, Table, TableOptions};

/// Rules from checked options.
type Rules<G> = fn(&Settings) -> Result<G, BuildError>;

/// A registered game, its type erased.
pub(crate) trait OwnGame: Send + Sync {
    /// As [`table::game_info`].
    fn info(&self, game: &Settings) -> Result<GameInfo, BuildError>;

    /// As [`table::build`].
    fn build(
        &self,
        game: &Settings,
        players: &[Settings],
        options: &TableOptions,
    ) -> Result<Box<dyn Table>, BuildError>;
}

struct Registered<G>(Rules<G>);

impl<G: GameAgents> OwnGame for Registered<G> {
    fn info(&self, game: &Settings) -> Result<GameInfo, BuildError> {
        Ok((self.0)(game)?.info())
    }

    fn build(
        &self,
        game: &Settings,
        players: &[Settings],
        options: &TableOptions,
    ) -> Result<Box<dyn Table>, BuildError> {
        table::of_game((self.0)(game)?, players, options)
    }
}

static REGISTERED: RwLock<Vec<(&str, Arc<dyn OwnGame>)>> = RwLock::new(Vec::new());

/// Makes a game known by the name of its spec, for the rest of the process. `rules` turns options
/// that were checked against the spec into the game.
///
/// # Errors
/// If a game of this name is known already.
pub fn register<G: GameAgents>(spec: &'static GameSpec, rules: Rules<G>) -> Result<(), BuildError> {
    games::add_spec(spec)?;
    REGISTERED
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .push((spec.name, Arc::new(Registered(rules))));
    Ok(())
}

/// The registered game of this name.
pub(crate) fn find(name: &str) -> Option<Arc<dyn OwnGame>> {
    REGISTERED
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, game)| Arc::clone(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;

    #[test]
    fn a_name_is_given_once() {
        static SPEC: GameSpec = GameSpec {
            name: "tictactoe",
            help: "again",
            options: &[],
        };
        let error = register(&SPEC, |_| Ok(TicTacToe)).expect_err("the name is taken");
        assert!(error.to_string().contains("tictactoe"), "{error}");
        assert!(find("tictactoe").is_none());
    }
}
