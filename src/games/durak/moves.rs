//! Moves and their text: `6c`, `8h>6h`, `transfer 6d`, `show 6d`, `take`, `pass`.

use std::fmt::{self, Write as _};

use crate::games::MoveTextError;
use crate::games::cards::Card;

/// A move in one word: kind, attack that is covered, card. The word is also the move's code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Lead a card or throw it in.
    Attack(Card),
    /// Cover the attack by the card.
    Cover {
        /// The covering card.
        card: Card,
        /// The attack.
        attack: Card,
    },
    /// Play a card of the attacks' rank and pass the defence on.
    Transfer(Card),
    /// Show the trump of the attacks' rank, keep it and pass the defence on.
    Show(Card),
    /// Take the table.
    Take,
    /// Throw in no more.
    Pass,
}

const ATTACK: u16 = 0;
const COVER: u16 = 1;
const TRANSFER: u16 = 2;
const SHOW: u16 = 3;
const TAKE: u16 = 4;
const PASS: u16 = 5;

impl Move {
    /// Take the table.
    pub const TAKE: Self = Self(TAKE << 12);
    /// Throw in no more.
    pub const PASS: Self = Self(PASS << 12);

    /// Lead a card or throw it in.
    #[inline]
    pub const fn attack(card: Card) -> Self {
        Self(ATTACK << 12 | card.index() as u16)
    }

    /// Cover `attack` by `card`.
    #[inline]
    pub const fn cover(card: Card, attack: Card) -> Self {
        Self(COVER << 12 | (attack.index() as u16) << 6 | card.index() as u16)
    }

    /// Transfer by playing `card`.
    #[inline]
    pub const fn transfer(card: Card) -> Self {
        Self(TRANSFER << 12 | card.index() as u16)
    }

    /// Transfer by showing `card`.
    #[inline]
    pub const fn show(card: Card) -> Self {
        Self(SHOW << 12 | card.index() as u16)
    }

    /// What the move does.
    #[inline]
    pub const fn action(self) -> Action {
        let card = Card::from_index((self.0 & 63) as u8);
        match self.0 >> 12 {
            ATTACK => Action::Attack(card),
            COVER => Action::Cover {
                card,
                attack: Card::from_index((self.0 >> 6 & 63) as u8),
            },
            TRANSFER => Action::Transfer(card),
            SHOW => Action::Show(card),
            TAKE => Action::Take,
            _ => Action::Pass,
        }
    }

    /// The card that the move plays or shows.
    pub const fn card(self) -> Option<Card> {
        match self.action() {
            Action::Attack(card)
            | Action::Cover { card, .. }
            | Action::Transfer(card)
            | Action::Show(card) => Some(card),
            Action::Take | Action::Pass => None,
        }
    }

    /// A number for the move, stable across versions.
    pub const fn code(self) -> u32 {
        self.0 as u32
    }

    /// Appends the move's text.
    pub fn write(self, out: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "{self}");
    }

    /// The move with this text.
    ///
    /// # Errors
    /// If there is no such move in any position.
    pub fn parse(text: &str) -> Result<Self, MoveTextError> {
        let refuse = |expected: &str| {
            Err(MoveTextError {
                text: text.to_owned(),
                game: "durak",
                expected: expected.to_owned(),
            })
        };
        let trimmed = text.trim();
        match trimmed {
            "take" => return Ok(Self::TAKE),
            "pass" => return Ok(Self::PASS),
            _ => {}
        }
        let (build, card): (fn(Card) -> Self, &str) =
            if let Some((card, attack)) = trimmed.split_once('>') {
                let (Some(card), Some(attack)) = (Card::parse(card), Card::parse(attack)) else {
                    return refuse("a cover is a card, `>` and the attack, such as `8h>6h`");
                };
                return Ok(Self::cover(card, attack));
            } else if let Some(card) = trimmed.strip_prefix("transfer ") {
                (Self::transfer, card)
            } else if let Some(card) = trimmed.strip_prefix("show ") {
                (Self::show, card)
            } else {
                (Self::attack, trimmed)
            };
        match Card::parse(card.trim()) {
            Some(card) => Ok(build(card)),
            None => refuse(
                "a card is a rank of 23456789TJQKA and a suit of cdhs, such as `Th`; moves are `6c`, `8h>6h`, `transfer 6d`, `show 6d`, `take`, `pass`",
            ),
        }
    }
}

impl From<Action> for Move {
    #[inline]
    fn from(action: Action) -> Self {
        match action {
            Action::Attack(card) => Self::attack(card),
            Action::Cover { card, attack } => Self::cover(card, attack),
            Action::Transfer(card) => Self::transfer(card),
            Action::Show(card) => Self::show(card),
            Action::Take => Self::TAKE,
            Action::Pass => Self::PASS,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action() {
            Action::Attack(card) => write!(f, "{card}"),
            Action::Cover { card, attack } => write!(f, "{card}>{attack}"),
            Action::Transfer(card) => write!(f, "transfer {card}"),
            Action::Show(card) => write!(f, "show {card}"),
            Action::Take => f.write_str("take"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back_and_codes_are_fixed_for_ever() {
        // Digests of committed runs depend on the codes.
        for (text, code) in [
            ("2c", 0),
            ("As", 60),
            ("8h>6h", 0x1926),
            ("transfer 6d", 0x2014),
            ("show 6d", 0x3014),
            ("take", 0x4000),
            ("pass", 0x5000),
        ] {
            let mv = Move::parse(text).unwrap();
            assert_eq!(mv.to_string(), text);
            assert_eq!(mv.code(), code, "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_move_are_refused_in_words() {
        for text in [
            "",
            "6",
            "6x",
            "1c",
            "10c",
            "6c>",
            ">6c",
            "6c>7",
            "transfer",
            "show",
            "show 6",
            "TAKE",
            "6c 7c",
            "é",
            "transfer6d",
        ] {
            let error = Move::parse(text).unwrap_err();
            assert!(error.to_string().contains("such as"), "{error}");
        }
        assert_eq!(
            Move::parse(" 6c \r"),
            Ok(Move::attack(Card::parse("6c").unwrap()))
        );
    }
}
