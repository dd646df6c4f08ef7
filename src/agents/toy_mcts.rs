//! `toy-mcts`: the search of the program that played [`crate::games::durak_toy`], as it was found.
//!
//! It is kept to repeat a published experiment, with its two faults: the move that is being
//! judged is never played before the random game that judges it, and the tree has no second
//! level. What it counts for a move is therefore independent of the move. For search that works
//! see [`super::mcts`].

use super::mcts::options::{EXPLORATION, SIMULATIONS};
use super::{Agent, BuildError, Fault, Player};
use crate::games::durak_toy::{CardId, DurakToy, State, View};
use crate::games::{Game, Seat};
use crate::rng::{Rng, Seed};
use crate::spec::{AgentSpec, OptionSpec, Settings};

/// The spec of [`ToyMcts`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "toy-mcts",
    help: "The search of a published Durak experiment, faults and all: UCB over the moves of the root, but the chosen move is never played before the rollout that judges it. For durak-toy only.",
    games: &["durak-toy"],
    options: &[
        SIMULATIONS,
        OptionSpec {
            default: DEFAULT_EXPLORATION,
            ..EXPLORATION
        },
    ],
};

const DEFAULT_EXPLORATION: &str = "1.41";

/// More decisions than a game of the toy can have: 36 cards, each played once.
const ROLLOUT_CAP: u32 = 100;

/// Counts of a move, or of all moves together.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Node {
    wins: u32,
    visits: u32,
}

/// The search.
#[derive(Clone, Debug)]
pub struct ToyMcts {
    simulations: u32,
    exploration: f64,
    seat: Seat,
    worlds: Rng,
    rollouts: Rng,
    /// By legal move.
    children: Vec<Node>,
    root: Node,
}

impl ToyMcts {
    /// A player that makes `simulations` per decision (at least 1) with the constant
    /// `exploration` of UCB1 (finite, not negative).
    pub fn new(simulations: u32, exploration: f64) -> Self {
        let idle = Seed::root(0).rng();
        Self {
            simulations,
            exploration,
            seat: 0,
            worlds: idle.clone(),
            rollouts: idle,
            children: Vec::new(),
            root: Node::default(),
        }
    }

    /// The child to judge next: unvisited ones first, then the greatest UCB1 value, the first of
    /// equals.
    fn select(&self) -> usize {
        if let Some(unvisited) = self.children.iter().position(|child| child.visits == 0) {
            return unvisited;
        }
        let log = libm::log(f64::from(self.root.visits));
        let mut best = (0, f64::NEG_INFINITY);
        for (index, child) in self.children.iter().enumerate() {
            let visits = f64::from(child.visits);
            let value = f64::from(child.wins) / visits + self.exploration * (log / visits).sqrt();
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    }

    /// Whether this seat won a random game from a fresh re-deal of the root position.
    fn rollout(&mut self, game: DurakToy, view: &View, state: &mut State) -> bool {
        view.redeal_into(&mut self.worlds, state);
        game.playout(state, &mut self.rollouts, ROLLOUT_CAP);
        game.scores(state)
            .is_some_and(|scores| scores.of(self.seat) > 0.5)
    }
}

/// `toy-mcts` with these settings.
///
/// # Errors
/// If an option is out of its range.
pub(crate) fn build(settings: &Settings) -> Result<Player<DurakToy>, BuildError> {
    let simulations = settings.integer("simulations").unwrap_or(1000);
    let simulations = u32::try_from(simulations)
        .ok()
        .filter(|&simulations| simulations > 0)
        .ok_or_else(|| {
            BuildError::about(
                "simulations",
                format!("simulations must be at least 1, not {simulations}"),
            )
        })?;
    let exploration = settings.real("exploration").unwrap_or(1.41);
    if !exploration.is_finite() || exploration < 0.0 {
        return Err(BuildError::about(
            "exploration",
            format!("exploration must be a finite number of at least 0, not {exploration}"),
        ));
    }
    Ok(Player::Honest(Box::new(ToyMcts::new(
        simulations,
        exploration,
    ))))
}

impl Agent<DurakToy> for ToyMcts {
    fn start(&mut self, _game: &DurakToy, seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.seat = seat;
        self.worlds = seed.derive("worlds", &[]).rng();
        self.rollouts = seed.derive("rollouts", &[]).rng();
        self.root = Node::default();
        Ok(())
    }

    fn choose(&mut self, game: &DurakToy, view: &View, legal: &[CardId]) -> Result<CardId, Fault> {
        self.root = Node::default();
        self.children.clear();
        self.children.resize(legal.len(), Node::default());
        let mut state = game.sample(view, &mut self.worlds.clone());
        for _ in 0..self.simulations {
            let selected = self.select();
            let won = u32::from(self.rollout(*game, view, &mut state));
            for node in [&mut self.children[selected], &mut self.root] {
                node.visits += 1;
                node.wins += won;
            }
        }
        let mut best = 0;
        for (index, child) in self.children.iter().enumerate() {
            if child.visits > self.children[best].visits {
                best = index;
            }
        }
        Ok(legal[best])
    }

    fn estimate(&self) -> Option<f64> {
        (self.root.visits > 0).then(|| f64::from(self.root.wins) / f64::from(self.root.visits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Value;

    /// The first decision of a game.
    fn decide(deck: u8, simulations: u32) -> (u8, ToyMcts) {
        let game = DurakToy::new(deck).expect("0 to 24");
        let state = game.deal(&mut Seed::root(0).rng());
        let mut legal = Vec::new();
        game.legal_into(&state, &mut legal);
        let mut agent = ToyMcts::new(simulations, 1.41);
        agent.start(&game, 0, Seed::root(9)).expect("no program");
        let chosen = agent
            .choose(&game, &game.view(&state, 0), &legal)
            .expect("a move");
        (chosen.id(), agent)
    }

    #[test]
    fn nothing_is_ever_won_in_a_rollout_so_visits_are_shared_out_evenly() {
        // The re-deal puts cards into the deck even where it is empty in truth.
        for deck in [24, 0] {
            let (chosen, agent) = decide(deck, 1000);
            let visits: Vec<u32> = agent.children.iter().map(|child| child.visits).collect();
            assert_eq!(visits, [167, 167, 167, 167, 166, 166]);
            assert_eq!((agent.root.wins, agent.root.visits), (0, 1000));
            assert_eq!(chosen, 0, "the first of equals");
            assert_eq!(agent.estimate(), Some(0.0));
        }
    }

    #[test]
    fn unvisited_children_come_first_then_the_greatest_upper_bound() {
        let mut agent = ToyMcts::new(1, 1.41);
        let node = |wins, visits| Node { wins, visits };
        agent.children = vec![node(1, 1), node(0, 0), node(0, 0)];
        agent.root = node(1, 1);
        assert_eq!(agent.select(), 1);
        // Values by hand: 0.25 + 1.41 sqrt(ln 13 / 4) = 1.379, 0.6 + 1.41 sqrt(ln 13 / 5) = 1.610,
        // 0.5 + 1.41 sqrt(ln 13 / 4) = 1.629.
        agent.children = vec![node(1, 4), node(3, 5), node(2, 4)];
        agent.root = node(6, 13);
        assert_eq!(agent.select(), 2);
        agent.exploration = 0.0;
        assert_eq!(agent.select(), 1);
        agent.children = vec![node(1, 4), node(2, 4), node(2, 4)];
        assert_eq!(agent.select(), 1, "the first of equals");
    }

    #[test]
    fn options_out_of_range_are_refused_by_name() {
        for (key, value) in [
            ("simulations", Value::Integer(0)),
            ("exploration", Value::Real(-1.0)),
            ("exploration", Value::Real(f64::NAN)),
        ] {
            let mut settings = Settings::named(SPEC.name);
            settings.values.insert(key.to_owned(), value);
            let error = build(&settings).err().expect("refused");
            assert_eq!(error.option.as_deref(), Some(key));
        }
    }

    #[test]
    fn the_default_exploration_is_the_one_of_the_spec() {
        let default = SPEC.options.iter().find(|o| o.name == "exploration");
        assert_eq!(default.map(|o| o.default), Some(DEFAULT_EXPLORATION));
        assert_eq!(DEFAULT_EXPLORATION.parse(), Ok(1.41));
    }
}
