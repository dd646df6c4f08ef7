//! The options of search: declared once, shared by every agent that has them.

use std::time::Duration;

use crate::agents::BuildError;
use crate::games::Game;
use crate::rng::Seed;
use crate::spec::{OptionKind, OptionSpec, Settings};

/// Budget in simulations.
pub const SIMULATIONS: OptionSpec = OptionSpec {
    name: "simulations",
    kind: OptionKind::Integer {
        min: 1,
        max: 100_000_000,
    },
    default: "1000",
    help: "Simulations per decision.",
};

/// Budget in milliseconds.
pub const MILLIS: OptionSpec = OptionSpec {
    name: "millis",
    kind: OptionKind::Integer {
        min: 1,
        max: 3_600_000,
    },
    default: "",
    help: "Milliseconds per decision, instead of simulations; results are then not reproducible.",
};

/// The exploration constant.
pub const EXPLORATION: OptionSpec = OptionSpec {
    name: "exploration",
    kind: OptionKind::Real { min: 0.0, max: 1e6 },
    default: "0.7",
    help: "The constant of UCB1: mean reward + exploration x sqrt(ln(parent visits) / visits), rewards in 0..1.",
};

/// The rollout policy.
pub const ROLLOUT: OptionSpec = OptionSpec {
    name: "rollout",
    kind: OptionKind::Choice(&["random", "lowest"]),
    default: "random",
    help: "How a simulation is played to its end: uniformly at random, or by the game's simple player (Durak).",
};

/// The share of random moves in rollouts.
pub const EPSILON: OptionSpec = OptionSpec {
    name: "epsilon",
    kind: OptionKind::Real { min: 0.0, max: 1.0 },
    default: "0",
    help: "With rollout=lowest: the share of rollout moves that are random instead.",
};

/// The rollout cut-off.
pub const DEPTH: OptionSpec = OptionSpec {
    name: "depth",
    kind: OptionKind::Integer { min: 1, max: 5000 },
    default: "1000",
    help: "Decisions after which a rollout is cut off and scored as the fair share.",
};

/// The selection formula.
pub const SELECTION: OptionSpec = OptionSpec {
    name: "selection",
    kind: OptionKind::Choice(&["ucb1", "ucb1-tuned"]),
    default: "ucb1",
    help: "UCB1, or UCB1-tuned, which scales exploration by each child's variance (Auer, Cesa-Bianchi and Fischer 2002).",
};

/// The choice of the move that is played.
pub const FINAL: OptionSpec = OptionSpec {
    name: "final",
    kind: OptionKind::Choice(&["visits", "value", "lower-bound"]),
    default: "visits",
    help: "The move played: most visits, highest mean, or highest mean - exploration x sqrt(ln(parent visits) / visits).",
};

/// The node budget.
pub const NODES: OptionSpec = OptionSpec {
    name: "nodes",
    kind: OptionKind::Integer {
        min: 1000,
        max: 100_000_000,
    },
    default: "1000000",
    help: "Most tree nodes per decision (about 50 bytes each); beyond them the tree stops growing and the report says so.",
};

/// The number of determinizations.
pub const WORLDS: OptionSpec = OptionSpec {
    name: "worlds",
    kind: OptionKind::Integer {
        min: 1,
        max: 1_000_000,
    },
    default: "30",
    help: "Determinizations per decision, among which the budget is divided.",
};

/// How determinizations are put together.
pub const VOTE: OptionSpec = OptionSpec {
    name: "vote",
    kind: OptionKind::Choice(&["worlds", "visits"]),
    default: "worlds",
    help: "What is added up over the worlds: one vote for each world's best move, or its visits of every move.",
};

/// Backing up of proven results.
pub const SOLVER: OptionSpec = OptionSpec {
    name: "solver",
    kind: OptionKind::Choice(&["off", "on"]),
    default: "off",
    help: "Back up proven wins, draws and losses: MCTS-solver (Winands, Bjornsson and Saito 2008).",
};

/// Keeping the tree between moves.
pub const REUSE: OptionSpec = OptionSpec {
    name: "reuse",
    kind: OptionKind::Choice(&["off", "on"]),
    default: "off",
    help: "Keep the part of the tree below the moves that were played; the budget counts new simulations only.",
};

/// Exact play at the end.
pub const ENDGAME: OptionSpec = OptionSpec {
    name: "endgame",
    kind: OptionKind::Choice(&["off", "exact"]),
    default: "off",
    help: "Play the end exactly where the game has a solver: Durak, two players, empty talon, at most 12 cards in both hands and on the table.",
};

/// When a search stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// After this many simulations.
    Simulations(u32),
    /// After this much wall-clock time.
    Time(Duration),
}

impl Budget {
    /// The `part`-th of `parts` nearly equal parts of this budget; `parts` is positive.
    pub(super) fn part(self, part: u32, parts: u32) -> Self {
        match self {
            Self::Simulations(all) => {
                Self::Simulations(all / parts + u32::from(part < all % parts))
            }
            Self::Time(all) => Self::Time(all / parts),
        }
    }
}

/// How rollouts are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// Uniformly random moves.
    Random,
    /// The game's simple player, but a random move with chance `epsilon`.
    Lowest {
        /// In `[0, 1]`.
        epsilon: f64,
    },
}

/// Which formula selects inside the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// UCB1.
    Ucb1,
    /// UCB1-tuned.
    Ucb1Tuned,
}

/// Which child of the root is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Final {
    /// Most visits, then the higher mean.
    Visits,
    /// The highest mean, then more visits.
    Value,
    /// The highest lower confidence bound ("secure child", Chaslot et al. 2008).
    LowerBound,
}

/// The options that all of the family share, read from settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchOptions {
    /// When to stop.
    pub budget: Budget,
    /// The constant of UCB1, finite and not negative.
    pub exploration: f64,
    /// Rollouts.
    pub policy: Policy,
    /// Decisions after which a rollout is cut off.
    pub depth: u32,
    /// Selection.
    pub selection: Selection,
    /// Choice of the move.
    pub final_move: Final,
    /// Most nodes.
    pub nodes: usize,
}

impl SearchOptions {
    /// The options in `settings`, the defaults for those not set.
    ///
    /// # Errors
    /// If options contradict each other or the game.
    pub fn read<G: Game>(game: &G, settings: &Settings) -> Result<Self, BuildError> {
        let exploration = real(settings, &EXPLORATION);
        if !exploration.is_finite() || exploration < 0.0 {
            return Err(BuildError::about(
                "exploration",
                format!("exploration must be a finite number of at least 0, not {exploration}"),
            ));
        }
        Ok(Self {
            budget: budget(settings)?,
            exploration,
            policy: policy(game, settings)?,
            depth: u32::try_from(integer(settings, &DEPTH)).unwrap_or(u32::MAX),
            selection: match word(settings, &SELECTION) {
                "ucb1-tuned" => Selection::Ucb1Tuned,
                _ => Selection::Ucb1,
            },
            final_move: match word(settings, &FINAL) {
                "value" => Final::Value,
                "lower-bound" => Final::LowerBound,
                _ => Final::Visits,
            },
            nodes: usize::try_from(integer(settings, &NODES)).unwrap_or(usize::MAX),
        })
    }
}

/// The integer in `settings`, else the option's default (0 if it has none).
pub(super) fn integer(settings: &Settings, option: &OptionSpec) -> i64 {
    settings
        .integer(option.name)
        .unwrap_or_else(|| option.default.parse().unwrap_or(0))
}

fn real(settings: &Settings, option: &OptionSpec) -> f64 {
    settings
        .real(option.name)
        .unwrap_or_else(|| option.default.parse().unwrap_or(0.0))
}

/// The word in `settings`, else the option's default.
pub(super) fn word<'a>(settings: &'a Settings, option: &OptionSpec) -> &'a str {
    settings.text(option.name).unwrap_or(option.default)
}

fn budget(settings: &Settings) -> Result<Budget, BuildError> {
    let positive = |option: &OptionSpec, value: i64| {
        u32::try_from(value).ok().filter(|&v| v > 0).ok_or_else(|| {
            BuildError::about(
                option.name,
                format!("{} must be at least 1, not {value}", option.name),
            )
        })
    };
    match (settings.integer("simulations"), settings.integer("millis")) {
        (Some(_), Some(_)) => Err(BuildError::about(
            "millis",
            "simulations and millis are both set: keep one of them as the budget",
        )),
        (None, Some(millis)) => Ok(Budget::Time(Duration::from_millis(
            positive(&MILLIS, millis)?.into(),
        ))),
        _ => Ok(Budget::Simulations(positive(
            &SIMULATIONS,
            integer(settings, &SIMULATIONS),
        )?)),
    }
}

fn policy<G: Game>(game: &G, settings: &Settings) -> Result<Policy, BuildError> {
    if word(settings, &ROLLOUT) != "lowest" {
        return match settings.real("epsilon") {
            Some(epsilon) if epsilon != 0.0 => Err(BuildError::about(
                "epsilon",
                "epsilon mixes random moves into rollout=lowest: set rollout=lowest or leave epsilon out",
            )),
            _ => Ok(Policy::Random),
        };
    }
    let start = game.deal(&mut Seed::root(0).rng());
    if game.lowest_move(&start).is_none() {
        return Err(BuildError::about(
            "rollout",
            format!(
                "{} has no simple player for rollout=lowest: use rollout=random",
                game.info().name
            ),
        ));
    }
    Ok(Policy::Lowest {
        epsilon: real(settings, &EPSILON),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;
    use crate::spec::Value;

    fn read(values: &[(&str, Value)]) -> Result<SearchOptions, BuildError> {
        let mut settings = Settings::named("uct");
        for (key, value) in values {
            settings.values.insert((*key).to_owned(), value.clone());
        }
        SearchOptions::read(&TicTacToe, &settings)
    }

    #[test]
    fn defaults_are_those_of_the_specs() {
        let options = read(&[]).expect("defaults go together");
        assert_eq!(options.budget, Budget::Simulations(1000));
        assert!((options.exploration - 0.7).abs() < 1e-15);
        assert_eq!(options.policy, Policy::Random);
        assert_eq!(options.depth, 1000);
        assert_eq!(options.nodes, 1_000_000);
    }

    #[test]
    fn contradictions_name_the_option_and_the_way_out() {
        let two = [
            ("simulations", Value::Integer(5)),
            ("millis", Value::Integer(5)),
        ];
        let bad: [(&[(&str, Value)], &str); 6] = [
            (&two, "millis"),
            (&[("simulations", Value::Integer(0))], "simulations"),
            (&[("millis", Value::Integer(-1))], "millis"),
            (&[("exploration", Value::Real(f64::NAN))], "exploration"),
            (&[("rollout", Value::Text("lowest".to_owned()))], "rollout"),
            (&[("epsilon", Value::Real(0.5))], "epsilon"),
        ];
        for (values, option) in bad {
            let error = read(values).expect_err(option);
            assert_eq!(error.option.as_deref(), Some(option));
            assert!(error.message.contains(option), "{error}");
        }
    }
}
