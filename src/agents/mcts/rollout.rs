//! Rollouts: from a leaf of the tree to a score per seat.

use super::options::{Policy, SearchOptions};
use crate::games::{Game, Scores};
use crate::rng::Rng;

/// Plays `state` to its end, or `depth` decisions further, and scores it; a game that is cut off
/// scores the fair share.
#[inline]
pub(super) fn rollout<G: Game>(
    game: &G,
    options: &SearchOptions,
    state: &mut G::State,
    rng: &mut Rng,
) -> Scores {
    match options.policy {
        Policy::Random => {
            game.playout(state, rng, options.depth);
        }
        Policy::Lowest { epsilon } => simple_playout(game, epsilon, options.depth, state, rng),
    }
    score(game, state)
}

/// The scores of a finished game, the fair share for all otherwise.
#[inline]
pub(super) fn score<G: Game>(game: &G, state: &G::State) -> Scores {
    game.scores(state).unwrap_or_else(|| {
        let info = game.info();
        Scores::all(info.seats, info.fair_share)
    })
}

fn simple_playout<G: Game>(game: &G, epsilon: f64, cap: u32, state: &mut G::State, rng: &mut Rng) {
    let mut decisions = 0;
    while decisions < cap && game.to_move(state).is_some() {
        let simple = if epsilon > 0.0 && rng.unit() < epsilon {
            None
        } else {
            game.lowest_move(state)
        };
        let mv = simple.unwrap_or_else(|| game.random_move(state, rng));
        game.apply(state, mv);
        decisions += 1;
    }
}
