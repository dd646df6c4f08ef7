//! Uniform choice among the legal moves, without listing them.

use super::moves::Move;
use super::rules::Rules;
use super::state::{Phase, State};
use super::turn::covers;
use crate::games::cards::{self, cards};
use crate::games::select::Select;
use crate::rng::Rng;

impl State {
    /// A uniformly random legal move, drawn as from the list; the game must not be over.
    #[inline(always)]
    pub(super) fn random_move<S: Select>(&self, rules: &Rules, rng: &mut Rng, select: S) -> Move {
        let choices = self.choices;
        let number = cards::count(choices);
        match self.public.phase {
            Phase::Lead => Move::attack(select.nth(choices, rng.below(number))),
            Phase::Throw | Phase::Taking | Phase::Over => {
                let drawn = rng.below(number + 1);
                if drawn == number {
                    Move::PASS
                } else {
                    Move::attack(select.nth(choices, drawn))
                }
            }
            Phase::Defend if !rules.transfer => {
                let drawn = rng.below(number + 1);
                if drawn == number {
                    Move::TAKE
                } else {
                    let attack = cards::nth(self.public.open, 0);
                    Move::cover(select.nth(choices, drawn), attack)
                }
            }
            Phase::Defend => self.random_defence(rules, rng, select),
        }
    }

    /// [`State::random_move`] of a defender who may transfer and face several open attacks.
    #[inline(always)]
    fn random_defence<S: Select>(&self, rules: &Rules, rng: &mut Rng, select: S) -> Move {
        let turn = self.turn(rules);
        let (played, shown) = turn.transfers();
        let by = |attack| covers(turn.hand, attack, self.public.trumps);
        let covering: u32 = cards(self.public.open).map(|a| cards::count(by(a))).sum();
        let transfers = cards::count(played);
        let mut drawn = rng.below(covering + transfers + cards::count(shown) + 1);
        if drawn < covering {
            for attack in cards(self.public.open) {
                let number = cards::count(by(attack));
                if drawn < number {
                    return Move::cover(select.nth(by(attack), drawn), attack);
                }
                drawn -= number;
            }
        }
        drawn = drawn.wrapping_sub(covering);
        if drawn < transfers {
            Move::transfer(select.nth(played, drawn))
        } else if drawn == transfers && shown != 0 {
            Move::show(select.nth(shown, 0))
        } else {
            Move::TAKE
        }
    }

    /// Plays a uniformly random legal move.
    #[inline(always)]
    pub(super) fn random_step<S: Select>(&mut self, rules: &Rules, rng: &mut Rng, select: S) {
        let mv = self.random_move(rules, rng, select);
        self.apply(rules, mv);
    }
}
