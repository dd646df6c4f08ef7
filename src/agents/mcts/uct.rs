//! `uct`: UCT for games without hidden information (Kocsis and Szepesvari, "Bandit based
//! Monte-Carlo planning", ECML 2006).

use super::options::{
    DEPTH, EPSILON, EXPLORATION, FINAL, MILLIS, NODES, REUSE, ROLLOUT, SELECTION, SIMULATIONS,
    SOLVER, SearchOptions, word,
};
use super::shared::{Streams, full_notice};
use super::tree::Tree;
use crate::agents::BuildError;
use crate::agents::{Agent, Fault, Player};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::{AgentSpec, Settings};

/// The spec of [`Uct`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "uct",
    help: "Monte Carlo tree search for games without hidden information: UCT (Kocsis and Szepesvari 2006).",
    games: &[],
    options: &[
        SIMULATIONS,
        MILLIS,
        EXPLORATION,
        ROLLOUT,
        EPSILON,
        DEPTH,
        SELECTION,
        FINAL,
        NODES,
        SOLVER,
        REUSE,
    ],
};

/// UCT from the mover's view, which is the state.
pub struct Uct<G: Game> {
    options: SearchOptions,
    tree: Tree<G>,
    streams: Streams,
    root: Option<G::State>,
    /// Moves since the last search, where the tree is kept.
    played: Option<Vec<G::Move>>,
    full: u32,
    estimate: Option<f64>,
}

impl<G: Game> Uct<G> {
    /// A searcher with these options. `solver` backs up proven results (two seats only), `reuse`
    /// keeps the tree between moves.
    pub fn new(options: SearchOptions, solver: bool, reuse: bool) -> Self {
        Self {
            options,
            tree: Tree::new(options).with_solver(solver),
            streams: Streams::new(&Seed::root(0)),
            root: None,
            played: reuse.then(Vec::new),
            full: 0,
            estimate: None,
        }
    }
}

/// `uct` with these settings.
///
/// # Errors
/// If the game has hidden information or the options do not go together.
pub(in crate::agents) fn build<G: Game>(
    game: &G,
    settings: &Settings,
) -> Result<Player<G>, BuildError> {
    let info = game.info();
    if info.hidden_information {
        return Err(BuildError::new(format!(
            "`uct` needs to see the whole position and {} has hidden information: use `ismcts` or `pimc`, or `cheating-uct` for a player that looks",
            info.name
        )));
    }
    let options = SearchOptions::read(game, settings)?;
    let on = |option| word(settings, option) == "on";
    if on(&SOLVER) && info.seats != 2 {
        return Err(BuildError::about(
            "solver",
            format!(
                "solver=on is for two seats and this {} has {}: use solver=off",
                info.name, info.seats
            ),
        ));
    }
    Ok(Player::Honest(Box::new(Uct::new(
        options,
        on(&SOLVER),
        on(&REUSE),
    ))))
}

impl<G: Game> Agent<G> for Uct<G> {
    fn start(&mut self, _game: &G, _seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.streams = Streams::new(&seed);
        self.estimate = None;
        self.tree.forget();
        if let Some(played) = &mut self.played {
            played.clear();
        }
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        self.estimate = None;
        if let [only] = legal {
            return Ok(*only);
        }
        let streams = &mut self.streams;
        let root = match self.root.take() {
            Some(mut root) => {
                game.sample_into(view, &mut streams.worlds, &mut root);
                root
            }
            None => game.sample(view, &mut streams.worlds),
        };
        let kept = match &mut self.played {
            Some(played) => {
                let kept = self.tree.advance(played);
                played.clear();
                kept
            }
            None => false,
        };
        let budget = self.options.budget;
        if kept {
            self.tree.go_on(game, &root, budget, streams);
        } else {
            self.tree.search(game, &root, legal, budget, streams);
        }
        self.full += u32::from(self.tree.is_full());
        self.root = Some(root);
        let best = self.tree.best(legal);
        self.estimate = Some(self.tree.edge(best).mean);
        Ok(best)
    }

    fn observe(&mut self, _game: &G, _mover: Seat, mv: G::Move, _view: &G::View) {
        if let Some(played) = &mut self.played {
            played.push(mv);
        }
    }

    fn observes(&self) -> bool {
        self.played.is_some()
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }

    fn notice(&self) -> Option<String> {
        full_notice(self.full, self.options.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::{State, TicTacToe};

    /// The move of `uct` after the moves `played` (cells in reading order).
    fn answer(played: &[u8], simulations: i64, seed: u64) -> String {
        let mut settings = Settings::named("uct");
        settings.values.insert(
            "simulations".to_owned(),
            crate::spec::Value::Integer(simulations),
        );
        let options = SearchOptions::read(&TicTacToe, &settings).expect("valid");
        let mut agent = Uct::new(options, false, false);
        Agent::start(&mut agent, &TicTacToe, 0, Seed::root(seed)).expect("starts");
        let mut state = State::default();
        for &cell in played {
            let mv = TicTacToe
                .parse_move(&format!("{} {}", cell / 3, cell % 3))
                .expect("a cell");
            TicTacToe.apply(&mut state, mv);
        }
        let mut legal = Vec::new();
        TicTacToe.legal_into(&state, &mut legal);
        let mv = agent.choose(&TicTacToe, &state, &legal).expect("moves");
        TicTacToe.move_text(mv)
    }

    #[test]
    fn it_completes_a_line_and_stops_the_opponents() {
        for seed in 0..20 {
            // o has 0 and 1, x has 3 and 4: cell 2 wins at once.
            assert_eq!(answer(&[0, 3, 1, 4], 300, seed), "0 2");
            // x must stop o at 2.
            assert_eq!(answer(&[0, 4, 1], 300, seed), "0 2");
        }
    }

    #[test]
    fn equal_seeds_play_equal_moves() {
        let moves = |seed| -> Vec<String> { (1..40).map(|n| answer(&[], n, seed)).collect() };
        assert_eq!(moves(5), moves(5));
        assert_ne!(moves(5), moves(6));
    }
}
