//! Uniform choice among the legal moves, without listing them.

use super::moves::Action;
use super::rules::Rules;
use super::state::{Phase, State};
use super::turn::covers;
use crate::games::cards::{self, cards};
use crate::games::select::Select;
use crate::rng::Rng;

impl State {
    /// A uniformly random legal action, drawn as from the list of moves; the game must not be over.
    #[inline(always)]
    pub(super) fn random_action<S: Select>(
        &self,
        rules: &Rules,
        rng: &mut Rng,
        select: S,
    ) -> Action {
        let choices = self.choices;
        let number = cards::count(choices);
        match self.public.phase {
            Phase::Lead => Action::Attack(select.nth(choices, rng.below(number))),
            Phase::Throw | Phase::Taking | Phase::Over => {
                let drawn = rng.below(number + 1);
                if drawn == number {
                    Action::Pass
                } else {
                    Action::Attack(select.nth(choices, drawn))
                }
            }
            Phase::Defend if !rules.transfer => {
                let drawn = rng.below(number + 1);
                if drawn == number {
                    Action::Take
                } else {
                    let attack = cards::nth(self.public.open, 0);
                    Action::Cover {
                        card: select.nth(choices, drawn),
                        attack,
                    }
                }
            }
            Phase::Defend => self.random_defence(rules, rng, select),
        }
    }

    /// [`State::random_action`] of a defender who may transfer and face several open attacks.
    #[inline(always)]
    fn random_defence<S: Select>(&self, rules: &Rules, rng: &mut Rng, select: S) -> Action {
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
                    return Action::Cover {
                        card: select.nth(by(attack), drawn),
                        attack,
                    };
                }
                drawn -= number;
            }
        }
        drawn = drawn.wrapping_sub(covering);
        if drawn < transfers {
            Action::Transfer(select.nth(played, drawn))
        } else if drawn == transfers && shown != 0 {
            Action::Show(select.nth(shown, 0))
        } else {
            Action::Take
        }
    }

    /// Plays a uniformly random legal move.
    #[inline(always)]
    pub(super) fn random_step<S: Select>(&mut self, rules: &Rules, rng: &mut Rng, select: S) {
        let action = self.random_action(rules, rng, select);
        self.apply(rules, action);
    }
}
