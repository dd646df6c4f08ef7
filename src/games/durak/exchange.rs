//! What it costs to forget why the first attacker was chosen.
//!
//! Sampled worlds honour the choice of the first attacker exactly in the first bout; from the first
//! refill on they treat the unknown cards of a hand as exchangeable (see `sample`). The truth is
//! then a little different: the first attacker was dealt the lowest trump and may still hold it, the
//! other hand was dealt none below. [`trump_bias`] measures by how many trumps sampled hands are
//! off on average. Play itself also sorts cards (a trump can be spent where nothing else can), so the
//! same games with a first attacker drawn by lot are the control, and only the difference is due to
//! the forgetting; `examples/durak_facts.rs` prints both.

use super::facts::Policy;
use super::rules::FirstAttacker;
use super::{Durak, Phase, Rules, View};
use crate::games::Game;
use crate::games::cards;
use crate::rng::Seed;

/// Bouts that are told apart; later ones are not counted.
pub const BOUTS: usize = 10;

/// Trumps among the unknown cards of one hand, at the start of one bout.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Trumps {
    /// Positions counted.
    pub positions: u32,
    /// Sum of the trumps that were there.
    pub held: f64,
    /// Sum of the trumps that sampled worlds have there on average.
    pub sampled: f64,
}

impl Trumps {
    /// Mean number of trumps that sampled worlds lack.
    pub fn bias(&self) -> f64 {
        (self.held - self.sampled) / f64::from(self.positions.max(1))
    }
}

/// Trumps in the unknown cards of the first attacker's hand (index 0) and of the other's (1), by
/// the number of the bout from 0, over games of two players while the talon hides cards.
pub fn trump_bias(
    first_attacker: FirstAttacker,
    policy: Policy,
    games: u32,
    seed: &Seed,
) -> [[Trumps; BOUTS]; 2] {
    let durak = Durak {
        rules: Rules {
            first_attacker,
            ..Rules::default()
        },
    };
    let deck = cards::deck_mask(durak.rules().deck);
    let mut rng = seed.derive("exchange", &[]).rng();
    let mut trumps = [[Trumps::default(); BOUTS]; 2];
    let mut legal = Vec::new();
    for _ in 0..games {
        let mut state = durak.deal(&mut rng);
        let first = state.public().lead();
        let mut bout = 0;
        while durak.to_move(&state).is_some() && state.public().talon() > 1 && bout < BOUTS {
            if state.public().phase() == Phase::Lead {
                for (distance, by_bout) in trumps.iter_mut().enumerate() {
                    let holder = (first + distance) % 2;
                    let view = durak.view(&state, 1 - holder);
                    count(&view, deck, holder, state.hand(holder), &mut by_bout[bout]);
                }
                bout += 1;
            }
            let lowest = durak
                .lowest_move(&state)
                .filter(|_| policy == Policy::Lowest);
            let mv = lowest.unwrap_or_else(|| {
                durak.legal_into(&state, &mut legal);
                legal[rng.index(legal.len())]
            });
            durak.apply(&mut state, mv);
        }
    }
    trumps
}

fn count(view: &View, deck: u64, holder: usize, hand: u64, trumps: &mut Trumps) {
    let unseen = view.unseen(deck);
    let suit = view.public().trumps();
    let unknown = hand & unseen;
    let share = f64::from(cards::count(unseen & suit)) / f64::from(cards::count(unseen).max(1));
    let missing = view.hand_size(holder) - cards::count(view.known(holder)) as usize;
    trumps.positions += 1;
    trumps.held += f64::from(cards::count(unknown & suit));
    trumps.sampled += share * f64::from(u8::try_from(missing).unwrap_or(u8::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_matters_in_the_first_bout_and_less_later() {
        for policy in [Policy::Uniform, Policy::Lowest] {
            let seed = Seed::root(81);
            let [first, other] = trump_bias(FirstAttacker::LowestTrump, policy, 4_000, &seed);
            let [lot, lot_other] = trump_bias(FirstAttacker::Random, policy, 4_000, &seed);
            let effect = |bout: usize| {
                [
                    first[bout].bias() - lot[bout].bias(),
                    other[bout].bias() - lot_other[bout].bias(),
                ]
            };
            // In the first bout the plain share is wrong, which is why it is sampled exactly.
            let dealt = effect(0);
            assert!(dealt[0] > 0.2 && dealt[1] < -0.2, "{dealt:?}");
            for bout in 1..BOUTS {
                let later = effect(bout);
                assert!(
                    later[0].abs() < dealt[0] && later[1].abs() < -dealt[1],
                    "{later:?}"
                );
            }
        }
    }
}
