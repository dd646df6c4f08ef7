//! `pimc`: perfect information Monte Carlo, also called determinized UCT. Worlds are sampled from
//! the player's view, each is searched as if everything were open, and the worlds vote (M.
//! Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14, 2001;
//! with UCT in each world: Powley, Whitehouse and Cowling, "Determinization in Monte-Carlo tree
//! search for the card game Dou Di Zhu", 2011).
//!
//! The budget is divided evenly among the worlds, so that `simulations` is comparable with the
//! other agents' and not a number per world. What it cannot do is known: it never plays to gain or
//! hide information, and it mixes plans that only fit worlds it cannot tell apart (strategy fusion).

use super::options::{
    Budget, DEPTH, ENDGAME, EPSILON, EXPLORATION, FINAL, MILLIS, NODES, ROLLOUT, SELECTION,
    SIMULATIONS, SearchOptions, VOTE, WORLDS, integer, word,
};
use super::shared::{Streams, full_notice};
use super::tree::Tree;
use crate::agents::{Agent, BuildError, Fault, Player};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::{AgentSpec, Settings};

/// The spec of [`Pimc`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "pimc",
    help: "Perfect information Monte Carlo: UCT in each of several sampled worlds, which vote (Ginsberg 2001).",
    games: &[],
    options: &[
        SIMULATIONS,
        MILLIS,
        WORLDS,
        VOTE,
        EXPLORATION,
        ROLLOUT,
        EPSILON,
        DEPTH,
        SELECTION,
        FINAL,
        NODES,
        ENDGAME,
    ],
};

/// How the worlds are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// Each world has one vote, for its best move; equal votes are settled by visits.
    Worlds,
    /// Visits are added up over the worlds.
    Visits,
}

/// What a move of the root collected.
#[derive(Clone, Copy, Default, Debug)]
struct Ballot {
    votes: u32,
    visits: u64,
    /// Sum of the worlds' means, weighted by visits.
    reward: f64,
}

/// Perfect information Monte Carlo.
pub struct Pimc<G: Game> {
    options: SearchOptions,
    worlds: u32,
    vote: Vote,
    tree: Tree<G>,
    streams: Streams,
    world: Option<G::State>,
    ballots: Vec<Ballot>,
    full: u32,
    estimate: Option<f64>,
}

impl<G: Game> Pimc<G> {
    /// A player that searches `worlds` (at least 1) worlds.
    pub fn new(options: SearchOptions, worlds: u32, vote: Vote) -> Self {
        Self {
            options,
            worlds: worlds.max(1),
            vote,
            tree: Tree::new(options),
            streams: Streams::new(&Seed::root(0)),
            world: None,
            ballots: Vec::new(),
            full: 0,
            estimate: None,
        }
    }
}

/// `pimc` with these settings.
///
/// # Errors
/// If the options do not go together or with this game.
pub(in crate::agents) fn build<G: Game>(
    game: &G,
    settings: &Settings,
) -> Result<Player<G>, BuildError> {
    let options = SearchOptions::read(game, settings)?;
    let worlds = u32::try_from(integer(settings, &WORLDS)).unwrap_or(1);
    if let Budget::Simulations(simulations) = options.budget
        && worlds > simulations
    {
        return Err(BuildError::about(
            "worlds",
            format!(
                "{worlds} worlds cannot share {simulations} simulations: set worlds to at most simulations"
            ),
        ));
    }
    let vote = match word(settings, &VOTE) {
        "visits" => Vote::Visits,
        _ => Vote::Worlds,
    };
    Ok(Player::Honest(Box::new(Pimc::new(options, worlds, vote))))
}

impl<G: Game> Agent<G> for Pimc<G> {
    fn start(&mut self, _game: &G, _seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.streams = Streams::new(&seed);
        self.estimate = None;
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        self.estimate = None;
        if let [only] = legal {
            return Ok(*only);
        }
        let streams = &mut self.streams;
        let mut world = match self.world.take() {
            Some(world) => world,
            None => game.sample(view, &mut streams.worlds.clone()),
        };
        self.ballots.clear();
        self.ballots.resize(legal.len(), Ballot::default());
        let mut full = false;
        for number in 0..self.worlds {
            game.sample_into(view, &mut streams.worlds, &mut world);
            let budget = self.options.budget.part(number, self.worlds);
            self.tree.search(game, &world, legal, budget, streams);
            full |= self.tree.is_full();
            let best = self.tree.best(legal);
            for (ballot, &mv) in self.ballots.iter_mut().zip(legal) {
                let edge = self.tree.edge(mv);
                ballot.votes += u32::from(mv == best);
                ballot.visits += u64::from(edge.visits);
                ballot.reward += edge.mean * f64::from(edge.visits);
            }
        }
        self.full += u32::from(full);
        self.world = Some(world);
        let mut best = 0;
        for index in 1..legal.len() {
            let key = |index: usize| {
                let ballot = &self.ballots[index];
                match self.vote {
                    Vote::Worlds => (u64::from(ballot.votes), ballot.visits),
                    Vote::Visits => (ballot.visits, u64::from(ballot.votes)),
                }
            };
            if key(index) > key(best) {
                best = index;
            }
        }
        let ballot = &self.ballots[best];
        #[expect(clippy::cast_precision_loss, reason = "visits are far below 2^53")]
        {
            self.estimate = (ballot.visits > 0).then(|| ballot.reward / ballot.visits as f64);
        }
        Ok(legal[best])
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }

    fn notice(&self) -> Option<String> {
        full_notice(self.full, self.options.nodes)
    }
}
