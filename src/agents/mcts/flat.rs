//! `flat-mc`: flat Monte Carlo, one rollout after each legal move in turn (B. Abramson,
//! "Expected-outcome: a general model of static evaluation", IEEE TPAMI 12(2), 1990). No tree: the
//! baseline that shows what a tree adds.
//!
//! Every rollout starts from a state sampled anew from the player's view. The budget is shared out
//! evenly, the first moves getting one more where it does not divide; the highest mean is played.

use super::options::{DEPTH, EPSILON, Final, MILLIS, ROLLOUT, SIMULATIONS, SearchOptions};
use super::rollout::rollout;
use super::shared::{Clock, Edge, Streams, best_index};
use crate::agents::{Agent, BuildError, Fault, Player};
use crate::games::{Game, Seat};
use crate::rng::Seed;
use crate::spec::{AgentSpec, Settings};

/// The spec of [`FlatMc`].
pub const SPEC: AgentSpec = AgentSpec {
    name: "flat-mc",
    help: "Flat Monte Carlo: rollouts after each legal move in turn, no tree (Abramson 1990).",
    games: &[],
    options: &[SIMULATIONS, MILLIS, ROLLOUT, EPSILON, DEPTH],
};

/// Flat Monte Carlo.
pub struct FlatMc<G: Game> {
    options: SearchOptions,
    streams: Streams,
    state: Option<G::State>,
    seat: Seat,
    /// Sum of rewards and rollouts by legal move.
    totals: Vec<(f64, u32)>,
    estimate: Option<f64>,
}

impl<G: Game> FlatMc<G> {
    /// A player with these options.
    pub fn new(options: SearchOptions) -> Self {
        Self {
            options: SearchOptions {
                final_move: Final::Value,
                ..options
            },
            streams: Streams::new(&Seed::root(0)),
            state: None,
            seat: 0,
            totals: Vec::new(),
            estimate: None,
        }
    }
}

/// `flat-mc` with these settings.
///
/// # Errors
/// If the options do not go together or with this game.
pub(in crate::agents) fn build<G: Game>(
    game: &G,
    settings: &Settings,
) -> Result<Player<G>, BuildError> {
    let options = SearchOptions::read(game, settings)?;
    Ok(Player::Honest(Box::new(FlatMc::new(options))))
}

impl<G: Game> Agent<G> for FlatMc<G> {
    fn start(&mut self, _game: &G, seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.streams = Streams::new(&seed);
        self.seat = seat;
        self.estimate = None;
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        self.estimate = None;
        if let [only] = legal {
            return Ok(*only);
        }
        let streams = &mut self.streams;
        let mut state = match self.state.take() {
            Some(state) => state,
            None => game.sample(view, &mut streams.worlds.clone()),
        };
        self.totals.clear();
        self.totals.resize(legal.len(), (0.0, 0));
        let mut clock = Clock::start(self.options.budget);
        let mut next = 0;
        while clock.goes_on() {
            game.sample_into(view, &mut streams.worlds, &mut state);
            game.apply(&mut state, legal[next]);
            let scores = rollout(game, &self.options, &mut state, &mut streams.rollouts);
            let (sum, rollouts) = &mut self.totals[next];
            *sum += scores.of(self.seat);
            *rollouts += 1;
            next = if next + 1 < legal.len() { next + 1 } else { 0 };
        }
        self.state = Some(state);
        let edge = |index: usize| {
            let (sum, visits) = self.totals[index];
            Edge {
                visits,
                mean: sum / f64::from(visits.max(1)),
                of: 0,
                proven: false,
            }
        };
        let best = best_index(&self.options, legal.len(), edge);
        self.estimate = Some(edge(best).mean);
        Ok(legal[best])
    }

    fn estimate(&self) -> Option<f64> {
        self.estimate
    }
}
