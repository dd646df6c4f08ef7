//! The rules in motion: what is legal, what a move does, how a bout ends.

use super::faults::{Fault, seeded};
use super::moves::{Action, Move};
use super::rules::{FULL_HAND, FirstBoutLimit, Rules, Throwers};
use super::state::{NOBODY, Phase, Public, Start, State, View, size};
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
    let by_trump = if attack.bit() & trumps == 0 {
        trumps
    } else {
        0
    };
    hand & (cards::higher(attack) | by_trump)
}

/// The most attacks in a bout, the defender's hand aside.
#[inline]
pub(super) fn cap(rules: &Rules, public: &Public) -> u8 {
    let five = match rules.first_bout_limit {
        FirstBoutLimit::Off => false,
        FirstBoutLimit::UntilFirstBeaten => {
            if seeded(Fault::FirstLimitLiftedByTake) {
                public.first_bout
            } else {
                !public.beaten_off
            }
        }
        FirstBoutLimit::FirstBoutOnly => public.first_bout,
    };
    match (five, rules.attack_cap) {
        (true, _) => 5,
        (false, true) => 6,
        (false, false) => u8::MAX,
    }
}

/// The most attacks against a defender with `hand` cards.
#[inline]
fn limit(rules: &Rules, public: &Public, hand: u8) -> u8 {
    let cap = cap(rules, public);
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
            cap(rules, public)
        } else {
            limit(rules, public, self.next_size)
        };
        let rank = self.hand & cards::same_ranks(public.open);
        let played = if public.attacks < bound { rank } else { 0 };
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
fn thrown_ranks(public: &Public) -> u64 {
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

    /// Plays a legal move.
    #[inline]
    pub(super) fn apply(&mut self, rules: &Rules, mv: Move) {
        match mv.action() {
            Action::Attack(card) => self.attack(rules, card),
            Action::Cover { card, attack } => self.cover(rules, card, attack),
            Action::Take => self.take(rules),
            Action::Pass => self.ask_thrower_after(rules, self.public.mover),
            Action::Transfer(card) => {
                self.put(card);
                self.put_attack(card);
                self.pass_defence_on(rules);
            }
            Action::Show(card) => {
                self.public.seen |= card.bit();
                self.public.shown = true;
                self.pass_defence_on(rules);
            }
        }
    }

    /// Moves a card of the mover's hand onto the table.
    #[inline]
    fn put(&mut self, card: Card) {
        self.hands[usize::from(self.public.mover) & 7] &= !card.bit();
        self.public.table |= card.bit();
    }

    /// Notes that a card of the table is an attack.
    #[inline]
    fn put_attack(&mut self, card: Card) {
        let public = &mut self.public;
        public.attack_cards[usize::from(public.attacks) & 63] = card.index();
        public.attacks += 1;
        public.open |= card.bit();
    }

    #[inline]
    fn attack(&mut self, rules: &Rules, card: Card) {
        self.put(card);
        self.put_attack(card);
        if self.public.phase == Phase::Taking {
            // The same thrower goes on until it passes, or can throw no more.
            self.choices &= !card.bit();
            let full = self.public.attacks >= self.public.limit && !seeded(Fault::ThrowPastLimit);
            if full {
                self.end_bout(rules, true);
            } else if self.choices == 0 {
                self.ask_thrower_after(rules, self.public.mover);
            }
        } else {
            self.ask_defender(rules);
        }
    }

    /// The defender must answer.
    #[inline]
    fn ask_defender(&mut self, rules: &Rules) {
        self.public.phase = Phase::Defend;
        self.public.mover = self.public.defender;
        self.choices = if rules.transfer {
            0
        } else {
            let hand = self.hands[usize::from(self.public.defender) & 7];
            covers(hand, cards::nth(self.public.open, 0), self.public.trumps)
        };
    }

    #[inline]
    fn cover(&mut self, rules: &Rules, card: Card, attack: Card) {
        self.put(card);
        let public = &mut self.public;
        public.open &= !attack.bit();
        let mut index = usize::from(public.attacks.wrapping_sub(1)) & 63;
        if rules.transfer {
            while index > 0 && public.attack_cards[index] != attack.index() {
                index -= 1;
            }
        }
        public.cover_cards[index] = card.index();
        if public.open != 0 {
            return;
        }
        let hand = self.hands[usize::from(self.public.defender) & 7];
        if (seeded(Fault::LimitShrinks) && self.public.attacks >= size(hand))
            || self.public.attacks >= self.public.limit
        {
            self.end_bout(rules, false);
        } else {
            self.public.phase = Phase::Throw;
            self.ask_thrower(rules, self.public.lead);
        }
    }

    #[inline]
    fn take(&mut self, rules: &Rules) {
        self.public.phase = Phase::Taking;
        if !rules.throw_after_take
            || (self.public.attacks >= self.public.limit && !seeded(Fault::ThrowPastLimit))
        {
            self.end_bout(rules, true);
        } else {
            self.ask_thrower(rules, self.public.lead);
        }
    }

    /// The defence passes on; the old defender becomes the lead.
    fn pass_defence_on(&mut self, rules: &Rules) {
        let public = &mut self.public;
        public.lead = public.defender;
        public.defender = public.next(rules.players, public.lead);
        let hand = self.hands[usize::from(public.defender) & 7];
        public.limit = limit(rules, public, size(hand));
        self.ask_defender(rules);
    }

    /// Asks the next thrower after `seat`.
    #[inline]
    fn ask_thrower_after(&mut self, rules: &Rules, seat: u8) {
        if rules.players == 2 {
            let taken = self.public.phase == Phase::Taking;
            self.end_bout(rules, taken);
            return;
        }
        let next = self.public.next(rules.players, seat);
        if next == self.public.lead {
            let taken = self.public.phase == Phase::Taking;
            self.end_bout(rules, taken);
        } else {
            self.ask_thrower(rules, next);
        }
    }

    /// Asks the first thrower from `seat` on, clockwise, who has a card to throw in; ends the bout
    /// if there is none before the lead's turn comes again.
    #[inline]
    fn ask_thrower(&mut self, rules: &Rules, mut seat: u8) {
        let ranks = thrown_ranks(&self.public);
        loop {
            let choices = self.hands[usize::from(seat) & 7] & ranks;
            if choices != 0 && self.may_throw(rules, seat) {
                self.public.mover = seat;
                self.choices = choices;
                return;
            }
            if rules.players == 2 {
                break;
            }
            seat = self.public.next(rules.players, seat);
            if seat == self.public.lead {
                break;
            }
        }
        let taken = self.public.phase == Phase::Taking;
        self.end_bout(rules, taken);
    }

    /// Whether a seat may throw in, its cards aside.
    #[inline]
    fn may_throw(&self, rules: &Rules, seat: u8) -> bool {
        let public = &self.public;
        seat != public.defender
            && match rules.throwers {
                Throwers::All => true,
                // The lead is always the seat before the defender.
                Throwers::Neighbours => {
                    seat == public.lead || seat == public.next(rules.players, public.defender)
                }
                Throwers::Lead => seat == public.lead,
                Throwers::Nobody => false,
            }
    }

    /// The table goes to the discard or to the defender, hands are filled, empty ones go out, the
    /// next bout begins.
    fn end_bout(&mut self, rules: &Rules, taken: bool) {
        let public = &mut self.public;
        public.seen |= public.table;
        if taken {
            self.hands[usize::from(public.defender) & 7] |= public.table;
        } else {
            public.beaten_off = true;
        }
        public.table = 0;
        public.open = 0;
        public.attacks = 0;
        public.shown = false;
        public.first_bout = false;
        public.start = Start::Silent;
        self.start_hand = 0;
        if public.talon > 0 {
            self.refill(rules);
        }
        self.after_refill(rules, taken);
    }

    /// Empty hands go out if the talon is empty; the next bout begins.
    pub(super) fn after_refill(&mut self, rules: &Rules, taken: bool) {
        if self.public.talon == 0 || seeded(Fault::OutWhileTalonLasts) {
            self.send_out(rules);
        }
        let public = &self.public;
        let defender = public.defender;
        let lead = if !taken && public.alive >> defender & 1 != 0 {
            defender
        } else {
            public.next(rules.players, defender)
        };
        if public.phase == Phase::Over {
            // Nobody is to move; equal ends should be equal states.
            self.public.mover = self.public.lead;
            self.choices = 0;
        } else {
            self.begin_bout(rules, lead);
        }
    }

    /// Starts a bout.
    #[inline]
    pub(super) fn begin_bout(&mut self, rules: &Rules, lead: u8) {
        let public = &mut self.public;
        public.lead = lead;
        public.opener = lead;
        public.mover = lead;
        public.phase = Phase::Lead;
        public.defender = public.next(rules.players, lead);
        let hand = self.hands[usize::from(public.defender) & 7];
        public.limit = limit(rules, public, size(hand));
        self.choices = self.hands[usize::from(lead) & 7];
    }

    /// Fills hands up to six while the talon lasts: lead first, then clockwise, the defender last.
    fn refill(&mut self, rules: &Rules) {
        let defender = self.public.defender;
        let first = if rules.original_lead_refills {
            self.public.opener
        } else {
            self.public.lead
        };
        let mut seat = first;
        loop {
            if seat != defender {
                self.draw(seat);
            }
            seat = self.public.next(rules.players, seat);
            if seat == first || self.public.talon == 0 {
                break;
            }
        }
        self.draw(defender);
    }

    /// Fills one hand up to six while the talon lasts.
    #[inline]
    fn draw(&mut self, seat: u8) {
        let hand = &mut self.hands[usize::from(seat) & 7];
        let wanted = FULL_HAND.saturating_sub(size(*hand)).min(self.public.talon);
        for _ in 0..wanted {
            self.public.talon -= 1;
            *hand |= 1 << (self.deck[usize::from(self.public.talon) & 63] & 63);
        }
        if wanted > 0 && self.public.talon == 0 {
            // Everybody saw who drew the trump card.
            self.public.seen |= self.public.trump_card().bit();
        }
    }

    /// Empty hands go out; they share a place. The game may be over.
    fn send_out(&mut self, rules: &Rules) {
        let public = &mut self.public;
        let mut out = 0_u8;
        for seat in 0..rules.players {
            let empty = self.hands[usize::from(seat) & 7] == 0;
            out |= u8::from(empty) << seat;
        }
        out &= public.alive;
        if out == 0 {
            return;
        }
        public.groups += 1;
        for (seat, place) in public.places.iter_mut().enumerate() {
            if out >> seat & 1 != 0 {
                *place = public.groups;
            }
        }
        public.alive &= !out;
        if public.alive.count_ones() <= 1 {
            public.phase = Phase::Over;
            public.fool = match public.alive {
                0 if rules.defender_loses => public.defender,
                0 => NOBODY,
                #[expect(clippy::cast_possible_truncation, reason = "at most five")]
                one => one.trailing_zeros() as u8,
            };
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
