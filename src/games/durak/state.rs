//! The position: what everybody may know, the hands, and the order of the talon.

use crate::games::cards::{self, Card, cards};
use crate::games::{MAX_SEATS, Places, Seat};

/// Size of arrays that a card's number or a count of cards indexes without a check.
const SLOTS: usize = 64;

/// What is asked of the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The attacker opens the bout with any card.
    Lead,
    /// A thrower adds a card, or passes; everything on the table is covered.
    Throw,
    /// The defender covers, transfers or takes.
    Defend,
    /// The defender takes; throwers add cards, or pass.
    Taking,
    /// The game is over.
    Over,
}

/// What the choice of the first attacker says about the hands that were dealt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Nothing (any more).
    Silent,
    /// This seat's lowest trump was lower than every other hand's.
    LowestTrump(u8),
    /// Nobody held a trump: the first attacker was drawn by lot.
    NoTrump,
}

/// Everything that everybody at the table may know, hand sizes aside (they are counted).
///
/// A card that was once seen is followed by everybody for ever, because whatever moves it is
/// public. One mask of seen cards therefore says which cards of a hand are known, and what the
/// discard is.
#[derive(Clone, Copy, Debug)]
pub struct Public {
    /// Every card on the table.
    pub(super) table: u64,
    /// Attacks that are not covered.
    pub(super) open: u64,
    /// Every card whose place was ever public, but those first played in this bout.
    pub(super) seen: u64,
    /// The trump suit.
    pub(super) trumps: u64,
    /// Attacks of this bout in order of play; the first `attacks` count.
    pub(super) attack_cards: [u8; SLOTS],
    /// The cover of each attack that is not open.
    pub(super) cover_cards: [u8; SLOTS],
    /// The trump card (a card's number).
    pub(super) trump_card: u8,
    /// Cards in the talon, the trump card included.
    pub(super) talon: u8,
    /// Number of attacks on the table.
    pub(super) attacks: u8,
    /// The most attacks in this bout.
    pub(super) limit: u8,
    /// The lead attacker.
    pub(super) lead: u8,
    /// The seat that led this bout, before any transfer.
    pub(super) opener: u8,
    /// The defender.
    pub(super) defender: u8,
    /// The seat to move.
    pub(super) mover: u8,
    /// What is asked of it.
    pub(super) phase: Phase,
    /// Seats still in the game, a bit each.
    pub(super) alive: u8,
    /// Whether this is the first bout.
    pub(super) first_bout: bool,
    /// Whether a bout has been beaten off.
    pub(super) beaten_off: bool,
    /// Whether a trump was shown in this bout.
    pub(super) shown: bool,
    /// What the first attacker's choice says.
    pub(super) start: Start,
    /// The fool of a finished game, [`NOBODY`] in a draw.
    pub(super) fool: u8,
    /// Number of groups that have gone out.
    pub(super) groups: u8,
    /// The group each seat went out with.
    pub(super) places: Places,
}

/// No seat.
pub(super) const NOBODY: u8 = 0xff;

/// The whole truth about a position.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub(super) public: Public,
    /// Hands by seat.
    pub(super) hands: [u64; 8],
    /// The talon from the trump card up: the next card drawn is `deck[talon - 1]`. After the deal
    /// the rest of the array still holds the dealt cards, the first of them last.
    pub(super) deck: [u8; SLOTS],
    /// Cards that the mover may lead or throw in, or cover the only attack with.
    pub(super) choices: u64,
    /// The first attacker's hand before the first card was led, while `start` speaks, else 0.
    pub(super) start_hand: u64,
}

/// What one seat may know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    pub(super) public: Public,
    /// Whose view it is.
    pub(super) seat: u8,
    /// Its hand.
    pub(super) hand: u64,
    /// Cards known by everybody to be in each hand.
    pub(super) known: [u64; 8],
    /// Cards in each hand.
    pub(super) sizes: [u8; 8],
    /// What the first attacker has played of its dealt hand, while `start` speaks.
    pub(super) start_played: u64,
}

/// A card of the table with its cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The attack.
    pub attack: Card,
    /// The card that covers it.
    pub cover: Option<Card>,
}

// Only the parts of the arrays that mean something are compared.
impl PartialEq for Public {
    fn eq(&self, other: &Self) -> bool {
        let scalars = |p: &Self| {
            (
                (p.table, p.open, p.seen, p.trumps, p.trump_card, p.talon),
                (p.attacks, p.limit, p.lead, p.opener, p.defender, p.mover),
                (p.phase, p.alive, p.first_bout, p.beaten_off, p.shown),
                (p.start, p.fool, p.groups, p.places),
            )
        };
        scalars(self) == scalars(other) && self.pairs().eq(other.pairs())
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.public == other.public
            && self.hands == other.hands
            && self.choices == other.choices
            && self.start_hand == other.start_hand
            && self.talon_order().eq(other.talon_order())
    }
}

impl Public {
    /// The table in order of play.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        let played = &self.attack_cards[..usize::from(self.attacks) & (SLOTS - 1)];
        played
            .iter()
            .zip(&self.cover_cards)
            .map(|(&attack, &cover)| {
                let attack = Card::from_index(attack);
                Pair {
                    attack,
                    cover: (self.open & attack.bit() == 0).then(|| Card::from_index(cover)),
                }
            })
    }

    /// Every card on the table, as a mask (see [`crate::games::cards`]).
    pub fn table(&self) -> u64 {
        self.table
    }

    /// The attacks that are not covered, as a mask.
    pub fn open(&self) -> u64 {
        self.open
    }

    /// The trump card. It is known also after it was drawn.
    pub fn trump_card(&self) -> Card {
        Card::from_index(self.trump_card)
    }

    /// All cards of the trump suit, as a mask.
    pub fn trumps(&self) -> u64 {
        self.trumps
    }

    /// Cards in the talon, the trump card included.
    pub fn talon(&self) -> usize {
        usize::from(self.talon)
    }

    /// Attacks on the table.
    pub fn attacks(&self) -> usize {
        usize::from(self.attacks)
    }

    /// The most attacks in this bout.
    pub fn limit(&self) -> usize {
        usize::from(self.limit)
    }

    /// The lead attacker.
    pub fn lead(&self) -> Seat {
        usize::from(self.lead)
    }

    /// The defender.
    pub fn defender(&self) -> Seat {
        usize::from(self.defender)
    }

    /// What is asked of the seat to move.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to move, `None` when the game is over.
    #[inline]
    pub fn to_move(&self) -> Option<Seat> {
        (self.phase != Phase::Over).then_some(usize::from(self.mover))
    }

    /// Whether the defender has said that it takes.
    pub fn taking(&self) -> bool {
        self.phase == Phase::Taking
    }

    /// Whether a seat is still in the game.
    pub fn in_game(&self, seat: Seat) -> bool {
        seat < MAX_SEATS && self.alive >> seat & 1 != 0
    }

    /// Number of seats still in the game.
    pub fn players_left(&self) -> usize {
        self.alive.count_ones() as usize
    }

    /// The next seat clockwise that is still in the game (`seat` itself if there is no other).
    #[inline]
    pub(super) fn next(&self, players: u8, seat: u8) -> u8 {
        // Two copies of the seats' bits side by side, so that the search runs over the end.
        let twice = u32::from(self.alive) | u32::from(self.alive) << players;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "at most twelve bits are searched"
        )]
        let steps = (twice >> (seat + 1)).trailing_zeros() as u8;
        let next = seat + 1 + (steps & 7);
        if next >= players {
            next - players
        } else {
            next
        }
    }
}

impl State {
    /// What everybody may know.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// A seat's hand, as a mask.
    #[inline]
    pub fn hand(&self, seat: Seat) -> u64 {
        self.hands[seat & 7]
    }

    /// The talon in the order in which it is drawn; the last card is the trump card.
    pub fn talon_order(&self) -> impl Iterator<Item = Card> {
        let talon = &self.deck[..usize::from(self.public.talon) & (SLOTS - 1)];
        talon.iter().rev().map(|&c| Card::from_index(c))
    }

    /// The fool of a finished game; `None` while it runs and in a draw.
    pub fn fool(&self) -> Option<Seat> {
        (self.public.fool != NOBODY).then_some(usize::from(self.public.fool))
    }

    /// The talon as a mask.
    pub fn talon_mask(&self) -> u64 {
        self.talon_order().fold(0, |mask, card| mask | card.bit())
    }

    /// The discard as a mask: what was seen and is nowhere else.
    pub fn discard(&self) -> u64 {
        let held = self.hands.iter().fold(0, |all, hand| all | hand);
        let trump = if self.public.talon > 0 {
            self.public.trump_card().bit()
        } else {
            0
        };
        self.public.seen & !(held | self.public.table | trump)
    }
}

impl View {
    /// What everybody may know.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// Whose view it is.
    pub fn seat(&self) -> Seat {
        usize::from(self.seat)
    }

    /// Its hand, as a mask.
    pub fn hand(&self) -> u64 {
        self.hand
    }

    /// Number of cards in a seat's hand.
    pub fn hand_size(&self, seat: Seat) -> usize {
        usize::from(self.sizes[seat & 7])
    }

    /// Cards that everybody knows to be in a seat's hand, as a mask.
    pub fn known(&self, seat: Seat) -> u64 {
        self.known[seat & 7]
    }

    /// The discard as a mask.
    pub fn discard(&self) -> u64 {
        let held = self.known.iter().fold(0, |all, hand| all | hand);
        let trump = if self.public.talon > 0 {
            self.public.trump_card().bit()
        } else {
            0
        };
        self.public.seen & !(held | self.public.table | trump)
    }

    /// The cards of `deck` (all cards of the game, as a mask) whose place this seat does not
    /// know: they are in other hands or in the talon.
    pub fn unseen(&self, deck: u64) -> u64 {
        deck & !(self.public.seen | self.public.table | self.hand)
    }
}

/// A mask as text, `6c,7d`.
pub(super) fn list(mask: u64) -> String {
    let texts: Vec<String> = cards(mask).map(|card| card.to_string()).collect();
    texts.join(",")
}

/// Number of cards of a mask as a small number.
#[inline]
pub(super) fn size(mask: u64) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
    {
        cards::count(mask) as u8
    }
}
