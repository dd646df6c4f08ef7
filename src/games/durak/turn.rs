//! What is legal: covers, transfers, throwing in, and their limits.

use super::faults::{Fault, seeded};
use super::moves::{Action, Move};
use super::rules::{FirstBoutLimit, Rules};
use super::state::{Phase, Public, State, View, size};
use crate::games::cards::{self, Card, cards};

/// The seat to move with what it may know of its legal moves: shared by states and views, so that
/// both give the same moves.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) rules: &'a Rules,
    pub(super) public: &'a Public,
    /// The mover's hand.
    pub(super) hand: u64,
    /// Cards in the hand of the next seat, who would defend after a transfer.
    pub(super) next_size: u8,
}

/// The cards of `hand` that cover `attack`.
#[inline]
pub(super) fn covers(hand: u64, attack: Card, trumps: u64) -> u64 {
    let plain =
        attack.bit() & trumps == 0 && !(seeded(Fault::SpadesStandOut) && attack.suit() == 3);
    let by_trump = if plain { trumps } else { 0 };
    hand & (cards::higher(attack) | by_trump)
}

/// The most attacks in a bout, the defender's hand aside.
#[inline]
pub(super) fn cap(rules: &Rules, first_bout: bool, beaten_off: bool) -> u8 {
    let five = match rules.first_bout_limit {
        FirstBoutLimit::Off => false,
        FirstBoutLimit::UntilFirstBeaten => {
            if seeded(Fault::FirstLimitLiftedByTake) {
                first_bout
            } else {
                !beaten_off
            }
        }
        FirstBoutLimit::FirstBoutOnly => first_bout,
    };
    match (five, rules.attack_cap) {
        (true, _) => 5,
        (false, true) => 6,
        (false, false) => u8::MAX,
    }
}

/// The most attacks against a defender with `hand` cards.
#[inline]
pub(super) fn limit(rules: &Rules, public: &Public, hand: u8) -> u8 {
    let cap = cap(rules, public.first_bout, public.beaten_off);
    if rules.hand_cap { cap.min(hand) } else { cap }
}

impl Turn<'_> {
    /// Cards with which the defender may transfer, and the trump that it may show instead.
    #[inline]
    pub(super) fn transfers(&self) -> (u64, u64) {
        let (rules, public) = (self.rules, self.public);
        // Only while nothing is covered; all attacks then have one rank.
        if !rules.transfer
            || public.table != public.open
            || (public.first_bout && !rules.first_bout_transfer)
        {
            return (0, 0);
        }
        let bound = if seeded(Fault::TransferOverfills) {
            cap(rules, public.first_bout, public.beaten_off)
        } else {
            limit(rules, public, self.next_size)
        };
        let rank = self.hand & cards::same_ranks(public.open);
        let last = seeded(Fault::LastCardNoTransfer) && size(self.hand) == 1;
        let played = if public.attacks < bound && !last {
            rank
        } else {
            0
        };
        let may_show = rules.show_trump
            && (!public.shown || seeded(Fault::ShownTwice))
            && if seeded(Fault::ShowCountsTheCard) {
                public.attacks < bound
            } else {
                public.attacks <= bound
            };
        (played, if may_show { rank & public.trumps } else { 0 })
    }

    /// Cards that may be led or thrown in.
    #[inline]
    pub(super) fn attacks(&self) -> u64 {
        match self.public.phase {
            Phase::Lead => self.hand,
            Phase::Throw | Phase::Taking => self.hand & self.ranks(),
            Phase::Defend | Phase::Over => 0,
        }
    }

    /// All cards of the ranks on the table.
    #[inline]
    fn ranks(&self) -> u64 {
        thrown_ranks(self.public)
    }

    /// Replaces `out` by the legal moves: for each open attack its covers, then transfers, then
    /// take; or cards to lead or throw in, then pass. Cards ascend within each.
    pub(super) fn legal_into(&self, out: &mut Vec<Move>) {
        out.clear();
        match self.public.phase {
            Phase::Over => {}
            Phase::Lead => out.extend(cards(self.hand).map(Move::attack)),
            Phase::Throw | Phase::Taking => {
                out.extend(cards(self.attacks()).map(Move::attack));
                out.push(Move::PASS);
            }
            Phase::Defend => {
                for attack in cards(self.public.open) {
                    let by = covers(self.hand, attack, self.public.trumps);
                    out.extend(cards(by).map(|card| Move::cover(card, attack)));
                }
                let (played, shown) = self.transfers();
                out.extend(cards(played).map(Move::transfer));
                out.extend(cards(shown).map(Move::show));
                out.push(Move::TAKE);
            }
        }
        if seeded(Fault::SmallMoveList) {
            out.truncate(32);
        }
    }

    /// Whether a move is legal.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let defending = self.public.phase == Phase::Defend;
        match mv.action() {
            Action::Attack(card) => self.attacks() & card.bit() != 0,
            Action::Pass => matches!(self.public.phase, Phase::Throw | Phase::Taking),
            Action::Take => defending,
            Action::Cover { card, attack } => {
                defending
                    && self.public.open & attack.bit() != 0
                    && covers(self.hand, attack, self.public.trumps) & card.bit() != 0
            }
            Action::Transfer(card) => defending && self.transfers().0 & card.bit() != 0,
            Action::Show(card) => defending && self.transfers().1 & card.bit() != 0,
        }
    }
}

/// All cards of the ranks on the table.
#[inline]
pub(super) fn thrown_ranks(public: &Public) -> u64 {
    if seeded(Fault::CoversGiveNoRanks) {
        let attacks = public
            .pairs()
            .fold(0, |mask, pair| mask | pair.attack.bit());
        return cards::same_ranks(attacks);
    }
    cards::same_ranks(public.table)
}

impl State {
    /// The mover's turn.
    #[inline]
    pub(super) fn turn<'a>(&'a self, rules: &'a Rules) -> Turn<'a> {
        let public = &self.public;
        let next_size = if rules.transfer {
            size(self.hands[usize::from(public.next(rules.players, public.mover)) & 7])
        } else {
            0
        };
        Turn {
            rules,
            public,
            hand: self.hands[usize::from(public.mover) & 7],
            next_size,
        }
    }

    /// Cards that the mover may lead, throw in, or cover the only attack with.
    pub(super) fn current_choices(&self, rules: &Rules) -> u64 {
        let turn = self.turn(rules);
        match self.public.phase {
            Phase::Defend if !rules.transfer => cards::first(self.public.open)
                .map_or(0, |a| covers(turn.hand, a, self.public.trumps)),
            _ => turn.attacks(),
        }
    }
}

impl View {
    /// The turn of the view's owner, who must be the seat to move.
    pub(super) fn turn<'a>(&'a self, rules: &'a Rules) -> Turn<'a> {
        let next = self.public.next(rules.players, self.public.mover);
        Turn {
            rules,
            public: &self.public,
            hand: self.hand,
            next_size: self.sizes[usize::from(next) & 7],
        }
    }
}
