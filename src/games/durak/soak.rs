//! Random play under random rules with every invariant checked, and the body of a fuzz target.

use super::rules::{FirstAttacker, FirstBoutLimit, Rules, Throwers};
use crate::rng::Rng;

/// A random set of rules that can be played, every option taking each of its values.
pub fn random_rules(rng: &mut Rng) -> Rules {
    let mut coin = |sides| rng.below(sides);
    loop {
        let rules = Rules {
            deck: [24, 36, 52][coin(3) as usize % 3],
            players: [2, 3, 4, 5, 6][coin(5) as usize % 5],
            transfer: coin(2) == 1,
            show_trump: coin(2) == 1,
            first_bout_transfer: coin(2) == 1,
            first_bout_limit: [
                FirstBoutLimit::Off,
                FirstBoutLimit::UntilFirstBeaten,
                FirstBoutLimit::FirstBoutOnly,
            ][coin(3) as usize % 3],
            throw_after_take: coin(4) != 0,
            throwers: [
                Throwers::All,
                Throwers::Neighbours,
                Throwers::Lead,
                Throwers::Nobody,
            ][coin(4) as usize % 4],
            hand_cap: coin(4) != 0,
            attack_cap: coin(4) != 0,
            first_attacker: [
                FirstAttacker::LowestTrump,
                FirstAttacker::Random,
                FirstAttacker::Seat0,
            ][coin(3) as usize % 3],
            redeal_ace: coin(2) == 1,
            defender_loses: coin(2) == 1,
            original_lead_refills: coin(2) == 1,
        };
        if rules.check().is_ok() {
            return rules;
        }
    }
}
