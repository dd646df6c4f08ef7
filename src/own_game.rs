//! A game of one's own, in a program of one's own: everything that `evalctl` does (sweeps, matches,
//! tournaments, traces, replays, verification, outside programs, people at the terminal) with a
//! game that is not in this crate.
//!
//! Implement [`Game`](crate::games::Game), [`register`] it before anything else, and hand over to
//! [`cli::main`]:
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
//! `examples/own_game.rs` is a whole one, with a player of its own ([`register_agent`]).

use crate::agents::{self, BuildError, GameAgents};
use crate::spec::{AgentSpec, GameSpec, Settings};
use crate::{cli, games, table};

/// Makes a game known by the name of its spec, for the rest of the process. `rules` turns options
/// that were checked against the spec into the game.
///
/// # Errors
/// If a game of this name is known already, or the name cannot be typed in a config or a command.
pub fn register<G: GameAgents>(
    spec: &'static GameSpec,
    rules: fn(&Settings) -> Result<G, BuildError>,
) -> Result<(), BuildError> {
    can_be_typed(spec.name)?;
    if !games::add_spec(spec) {
        return Err(taken("game", spec.name));
    }
    table::register(spec.name, move |settings| Ok(Box::new(rules(settings)?)));
    cli::play_own_game(spec.name, rules);
    Ok(())
}

/// Makes an agent known by the name of its spec, for the rest of the process. The games that the
/// spec names build it in [`GameAgents::own_agent`].
///
/// # Errors
/// If an agent of this name is known already, the name cannot be typed, or the spec names no game.
pub fn register_agent(spec: &'static AgentSpec) -> Result<(), BuildError> {
    can_be_typed(spec.name)?;
    if spec.games.is_empty() {
        return Err(BuildError::new(format!(
            "the agent `{}` is for no game; name in its spec the games whose `own_agent` builds it",
            spec.name
        )));
    }
    if spec.name == "human" || !agents::add_spec(spec) {
        return Err(taken("agent", spec.name));
    }
    Ok(())
}

fn taken(what: &str, name: &str) -> BuildError {
    BuildError::new(format!(
        "the name `{name}` of a new {what} is taken; choose another one"
    ))
}

/// Names stand in `name:key=value,...`, in file names and in tables.
fn can_be_typed(name: &str) -> Result<(), BuildError> {
    let typable = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(typable) {
        return Ok(());
    }
    Err(BuildError::new(format!(
        "the name {name:?} cannot be used: begin with a letter from a to z, go on with such letters, digits and `-`"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;

    fn refusal(name: &'static str, agent: bool) -> String {
        let error = if agent {
            register_agent(Box::leak(Box::new(AgentSpec {
                name,
                help: "",
                games: &["tictactoe"],
                options: &[],
            })))
        } else {
            let spec = GameSpec {
                name,
                help: "",
                options: &[],
            };
            register(Box::leak(Box::new(spec)), |_| Ok(TicTacToe))
        };
        error.expect_err("a name that cannot be used").to_string()
    }

    #[test]
    fn names_are_given_once_and_can_be_typed() {
        assert!(refusal("tictactoe", false).contains("`tictactoe` of a new game is taken"));
        assert!(refusal("random", true).contains("`random` of a new agent is taken"));
        assert!(refusal("human", true).contains("taken"));
        for name in ["", "My game", "a:b", "9", "ä", "a,b"] {
            assert!(refusal(name, false).contains("cannot be used"), "{name}");
            assert!(refusal(name, true).contains("cannot be used"), "{name}");
        }
    }

    #[test]
    fn an_agent_is_for_a_game() {
        static SPEC: AgentSpec = AgentSpec {
            name: "for-nothing",
            help: "",
            games: &[],
            options: &[],
        };
        let error = register_agent(&SPEC).expect_err("no game").to_string();
        assert!(error.contains("`for-nothing` is for no game"), "{error}");
    }
}
