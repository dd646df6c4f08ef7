//! A finished block as bytes: compact, because a tic-tac-toe game between random players takes
//! about a microsecond and its record must cost next to nothing.
//!
//! A block is its games in rotation order; how many there are, the plan says. The usual game of two
//! (it ended by the rules, somebody won or both drew, nobody went out in an order) is
//!
//! | bytes | what |
//! |---|---|
//! | 1 | bit 7 set; bits 0-1 the score of seat 0: 0, 1, or 2 for 1/2; bit 2 the seat that moved first; bits 3-6 decisions, or 15 |
//! | (1 to 5) | decisions, if 15: seven bits a byte, low first |
//! | 8 | the digest |
//!
//! Any other game is
//!
//! | bytes | what |
//! |---|---|
//! | 1 | bits 0-2 the code of the end, bit 3 a fault seat follows, bit 4 places follow |
//! | 1 | the seat that moved first |
//! | seats / 2, rounded up | a code per seat, low half first: score 0, 1, 1/2, the fair share, or 15: eight bytes follow |
//! | 8 each | scores with code 15, as bits of an `f64` |
//! | (1) | the fault seat |
//! | (seats / 2, rounded up) | places |
//! | 1 to 5 | decisions |
//! | 8 | the digest |
//!
//! Nothing of it follows from anything else that is at hand when `games.csv` is written: the seeds,
//! which do, are not kept. Most of it is the digest, which cannot be made shorter.

use crate::games::{MAX_SEATS, Scores};
use crate::plan::Cell;
use crate::record::{End, GameRecord};

const USUAL: u8 = 1 << 7;
/// In a usual game: the decisions follow.
const MANY: u8 = 15;
const FAULT: u8 = 1 << 3;
const PLACES: u8 = 1 << 4;
const RAW: u8 = 15;

/// What of a cell a reader must know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shape {
    /// Games of a block.
    pub rotations: usize,
    /// Seats of a game.
    pub seats: usize,
    /// The mean score of equally strong players.
    pub fair_share: f64,
}

impl From<&Cell> for Shape {
    fn from(cell: &Cell) -> Self {
        Self {
            rotations: cell.rotations,
            seats: cell.seats.min(MAX_SEATS),
            fair_share: cell.fair_share,
        }
    }
}

impl Shape {
    #[inline]
    fn code(&self, score: f64) -> u8 {
        let bits = score.to_bits();
        // By bits: what is read back must be exactly what was written. Without branches: who wins
        // cannot be predicted, and a branch that is guessed wrong costs more than all of this.
        let mut code = RAW;
        for (number, known) in [(3, self.fair_share), (2, 0.5_f64), (1, 1.0), (0, 0.0)] {
            code = if known.to_bits() == bits {
                number
            } else {
                code
            };
        }
        code
    }

    /// Appends `game`.
    #[inline]
    pub(crate) fn write_game(&self, game: &GameRecord, out: &mut Vec<u8>) {
        if let Some(head) = self.usual_head(game) {
            let mut bytes = [0; 9];
            bytes[0] = head;
            bytes[1..].copy_from_slice(&game.digest.to_le_bytes());
            if (head >> 3) & 15 != MANY {
                out.extend_from_slice(&bytes);
                return;
            }
            out.push(head);
            write_number(game.decisions, out);
            out.extend_from_slice(&bytes[1..]);
            return;
        }
        let places = game.places[..self.seats].iter().any(|&place| place != 0);
        let end = End::ALL.iter().position(|&end| end == game.end);
        let head = u8::try_from(end.unwrap_or(0)).unwrap_or(0)
            | if game.fault_seat.is_some() { FAULT } else { 0 }
            | if places { PLACES } else { 0 };
        out.push(head);
        out.push(u8::try_from(game.first_seat).unwrap_or(0));
        let scores = game.scores.as_slice();
        let mut codes = [RAW; MAX_SEATS + 1];
        for (code, &score) in codes.iter_mut().zip(scores) {
            *code = self.code(score);
        }
        for pair in codes[..self.seats.next_multiple_of(2)].chunks_exact(2) {
            out.push(pair[0] | (pair[1] << 4));
        }
        for (&code, &score) in codes.iter().zip(scores) {
            if code == RAW {
                out.extend_from_slice(&score.to_bits().to_le_bytes());
            }
        }
        if let Some(seat) = game.fault_seat {
            out.push(u8::try_from(seat).unwrap_or(u8::MAX));
        }
        if places {
            let mut all = [0; MAX_SEATS + 1];
            all[..self.seats].copy_from_slice(&game.places[..self.seats]);
            for pair in all[..self.seats.next_multiple_of(2)].chunks_exact(2) {
                out.push((pair[0] & 15) | (pair[1] << 4));
            }
        }
        write_number(game.decisions, out);
        out.extend_from_slice(&game.digest.to_le_bytes());
    }

    /// The first byte of `game` if it is a usual one.
    #[inline]
    fn usual_head(&self, game: &GameRecord) -> Option<u8> {
        let &[one, other] = game.scores.as_slice() else {
            return None;
        };
        let (one, other) = (self.code(one), self.code(other));
        // Who wins cannot be predicted, but that somebody does or both draw can.
        let matches = one <= 2 && other == [1, 0, 2, RAW][usize::from(one & 3)];
        let usual = matches
            && self.seats == 2
            && game.end == End::Normal
            && game.fault_seat.is_none()
            && game.places[..2] == [0; 2]
            && game.first_seat < 2;
        #[expect(clippy::cast_possible_truncation, reason = "at most 15, and 0 or 1")]
        usual.then_some(
            USUAL
                | one
                | ((game.first_seat as u8) << 2)
                | ((game.decisions.min(MANY.into()) as u8) << 3),
        )
    }

    /// Reads what follows `head`, the first byte of a usual game.
    #[inline]
    fn read_usual(&self, head: u8, bytes: &mut &[u8]) -> Option<GameRecord> {
        if self.seats != 2 {
            return None;
        }
        let score = *[0.0, 1.0, 0.5].get(usize::from(head & 3))?;
        let decisions = match (head >> 3) & 15 {
            MANY => read_number(bytes)?,
            few => few.into(),
        };
        Some(GameRecord {
            scores: Scores::all(2, 1.0 - score).with(0, score),
            places: [0; MAX_SEATS],
            first_seat: usize::from((head >> 2) & 1),
            end: End::Normal,
            fault_seat: None,
            decisions,
            digest: u64::from_le_bytes(take::<8>(bytes)?),
            nanos: [0; MAX_SEATS],
            choices: [0; MAX_SEATS],
        })
    }

    /// Reads one game from the front of `bytes`; `None` if it is none.
    fn read_game(&self, bytes: &mut &[u8]) -> Option<GameRecord> {
        let head = take::<1>(bytes)?[0];
        if head & USUAL != 0 {
            return self.read_usual(head, bytes);
        }
        let end = *End::ALL.get(usize::from(head & 7))?;
        let first_seat = usize::from(take::<1>(bytes)?[0]);
        if first_seat >= self.seats {
            return None;
        }
        let codes = read_halves(bytes, self.seats)?;
        let mut scores = Scores::all(self.seats, 0.0);
        for (seat, &code) in codes.iter().enumerate().take(self.seats) {
            let score = match code {
                0 => 0.0,
                1 => 1.0,
                2 => 0.5,
                3 => self.fair_share,
                RAW => f64::from_bits(u64::from_le_bytes(take::<8>(bytes)?)),
                _ => return None,
            };
            if !(0.0..=1.0).contains(&score) {
                return None;
            }
            scores = scores.with(seat, score);
        }
        let fault_seat = if head & FAULT == 0 {
            None
        } else {
            let seat = usize::from(take::<1>(bytes)?[0]);
            Some(seat).filter(|&seat| seat < self.seats)?.into()
        };
        let places = if head & PLACES == 0 {
            [0; MAX_SEATS]
        } else {
            read_halves(bytes, self.seats)?
        };
        let decisions = read_number(bytes)?;
        Some(GameRecord {
            scores,
            places,
            first_seat,
            end,
            fault_seat,
            decisions,
            digest: u64::from_le_bytes(take::<8>(bytes)?),
            nanos: [0; MAX_SEATS],
            choices: [0; MAX_SEATS],
        })
    }

    /// Replaces `out` by the games of the block at the front of `bytes`, which it takes from there;
    /// `false` if there is none.
    pub(crate) fn read_block(&self, bytes: &mut &[u8], out: &mut Vec<GameRecord>) -> bool {
        out.clear();
        for _ in 0..self.rotations {
            match self.read_game(bytes) {
                Some(game) => out.push(game),
                None => return false,
            }
        }
        true
    }
}

/// Appends `number`, seven bits a byte, low first.
fn write_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        #[expect(clippy::cast_possible_truncation, reason = "seven bits are meant")]
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 128")]
    out.push(number as u8);
}

/// Takes a number that [`write_number`] wrote.
fn read_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    let mut shift = 0;
    loop {
        let byte = take::<1>(bytes)?[0];
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// Takes `N` bytes from the front of `bytes`.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}

/// Takes `count` half bytes, rounded up to whole bytes.
fn read_halves(bytes: &mut &[u8], count: usize) -> Option<[u8; MAX_SEATS]> {
    let mut halves = [0; MAX_SEATS];
    for pair in halves.chunks_mut(2).take(count.div_ceil(2)) {
        let byte = take::<1>(bytes)?[0];
        for (half, value) in pair.iter_mut().zip([byte & 15, byte >> 4]) {
            *half = value;
        }
    }
    for half in halves.iter_mut().skip(count) {
        *half = 0;
    }
    Some(halves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(seats: usize) -> Shape {
        #[expect(clippy::cast_precision_loss, reason = "a handful of seats")]
        let fair_share = (seats as f64 - 1.0) / seats as f64;
        Shape {
            rotations: 1,
            seats,
            fair_share,
        }
    }

    prop_compose! {
        fn any_game()(seats in 2..=MAX_SEATS)(
            seats in Just(seats),
            scores in prop::collection::vec(prop_oneof![
                Just(0.0), Just(1.0), Just(0.5), Just(5.0 / 6.0), 0.0..=1.0
            ], seats),
            places in prop::collection::vec(0_u8..=6, seats),
            first_seat in 0..seats,
            end in 0..End::ALL.len(),
            fault_seat in prop::option::of(0..seats),
            decisions in any::<u32>(),
            digest in any::<u64>(),
        ) -> (usize, GameRecord) {
            let mut record = GameRecord {
                scores: Scores::all(seats, 0.0),
                places: [0; MAX_SEATS],
                first_seat,
                end: End::ALL[end],
                fault_seat,
                decisions,
                digest,
                nanos: [0; MAX_SEATS],
                choices: [0; MAX_SEATS],
            };
            for seat in 0..seats {
                record.scores = record.scores.with(seat, scores[seat]);
                record.places[seat] = places[seat];
            }
            (seats, record)
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back((seats, record) in any_game()) {
            let shape = shape(seats);
            let mut bytes = Vec::new();
            shape.write_game(&record, &mut bytes);
            let mut games = Vec::new();
            bytes.push(7);
            let mut rest = &bytes[..];
            prop_assert!(shape.read_block(&mut rest, &mut games));
            prop_assert_eq!(rest, &[7], "what follows is left");
            // Scores beyond the seats do not exist, so compare what does.
            prop_assert_eq!(games[0].scores.as_slice(), record.scores.as_slice());
            record.scores.as_slice().iter().for_each(|s| assert!((0.0..=1.0).contains(s)));
            games[0].scores = record.scores;
            prop_assert_eq!(&games[0], &record);
            let mut less = &bytes[..bytes.len() - 2];
            prop_assert!(!shape.read_block(&mut less, &mut games));
        }

        #[test]
        fn no_bytes_panic(seats in 2..=MAX_SEATS, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut games = Vec::new();
            shape(seats).read_block(&mut &bytes[..], &mut games);
        }
    }

    #[test]
    fn a_short_game_of_two_takes_nine_bytes_whoever_wins() {
        let shape = shape(2);
        for (score, first_seat, decisions) in [(0.0, 1, 7), (1.0, 0, 9), (0.5, 1, 14), (1.0, 1, 15)]
        {
            let record = GameRecord {
                scores: Scores::all(2, 1.0 - score).with(0, score),
                places: [0; MAX_SEATS],
                first_seat,
                end: End::Normal,
                fault_seat: None,
                decisions,
                digest: u64::MAX,
                nanos: [0; MAX_SEATS],
                choices: [0; MAX_SEATS],
            };
            let mut bytes = Vec::new();
            shape.write_game(&record, &mut bytes);
            assert_eq!(bytes.len(), if decisions < 15 { 9 } else { 10 });
            let mut games = Vec::new();
            assert!(shape.read_block(&mut &bytes[..], &mut games));
            assert_eq!(games, [record]);
        }
    }
}
