//! A finished block as bytes: compact, because a tic-tac-toe game between random players takes
//! about a microsecond and its record must cost next to nothing.
//!
//! A block is its games in rotation order; how many there are, the plan says. A game is
//!
//! | bytes | what |
//! |---|---|
//! | 1 | bits 0-2 the code of the end, bit 3 a fault seat follows, bit 4 places follow, bits 5-7 the seat that moved first |
//! | seats / 2, rounded up | a code per seat, low half first: score 0, 1, 1/2, the fair share, or 15: eight bytes follow |
//! | 8 each | scores with code 15, as bits of an `f64` |
//! | (1) | the fault seat |
//! | (seats / 2, rounded up) | places |
//! | 1 to 5 | decisions, seven bits a byte, low first |
//! | 8 | the digest |

use crate::games::{MAX_SEATS, Scores};
use crate::plan::Cell;
use crate::record::{End, GameRecord};

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
        let places = game.places[..self.seats].iter().any(|&place| place != 0);
        let first = u8::try_from(game.first_seat).unwrap_or(0) & 7;
        let end = End::ALL.iter().position(|&end| end == game.end);
        let head = u8::try_from(end.unwrap_or(0)).unwrap_or(0)
            | if game.fault_seat.is_some() { FAULT } else { 0 }
            | if places { PLACES } else { 0 }
            | (first << 5);
        let digest = game.digest.to_le_bytes();
        if let (&[one, other], None, false, 0..0x80) = (
            game.scores.as_slice(),
            game.fault_seat,
            places,
            game.decisions,
        ) {
            // The usual game of two, in one piece.
            let (one, other) = (self.code(one), self.code(other));
            if (one | other) != RAW {
                let [a, b, c, d, e, f, g, h] = digest;
                #[expect(clippy::cast_possible_truncation, reason = "below 128")]
                let decisions = game.decisions as u8;
                out.extend_from_slice(&[
                    head,
                    one | (other << 4),
                    decisions,
                    a,
                    b,
                    c,
                    d,
                    e,
                    f,
                    g,
                    h,
                ]);
                return;
            }
        }
        let mut bytes = Bytes::default();
        bytes.push([head]);
        let scores = game.scores.as_slice();
        let mut codes = [RAW; MAX_SEATS + 1];
        for (code, &score) in codes.iter_mut().zip(scores) {
            *code = self.code(score);
        }
        for pair in codes[..self.seats.next_multiple_of(2)].chunks_exact(2) {
            bytes.push([pair[0] | (pair[1] << 4)]);
        }
        for (&code, &score) in codes.iter().zip(scores) {
            if code == RAW {
                bytes.push(score.to_bits().to_le_bytes());
            }
        }
        if let Some(seat) = game.fault_seat {
            bytes.push([u8::try_from(seat).unwrap_or(u8::MAX)]);
        }
        if places {
            let mut all = [0; MAX_SEATS + 1];
            all[..self.seats].copy_from_slice(&game.places[..self.seats]);
            for pair in all[..self.seats.next_multiple_of(2)].chunks_exact(2) {
                bytes.push([(pair[0] & 15) | (pair[1] << 4)]);
            }
        }
        let mut decisions = game.decisions;
        while decisions >= 0x80 {
            #[expect(clippy::cast_possible_truncation, reason = "seven bits are meant")]
            bytes.push([decisions as u8 | 0x80]);
            decisions >>= 7;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        bytes.push([decisions as u8]);
        bytes.push(digest);
        out.extend_from_slice(&bytes.bytes[..bytes.length]);
    }

    /// Reads one game from the front of `bytes`; `None` if it is none.
    fn read_game(&self, bytes: &mut &[u8]) -> Option<GameRecord> {
        let head = take::<1>(bytes)?[0];
        let end = *End::ALL.get(usize::from(head & 7))?;
        let first_seat = usize::from(head >> 5);
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
        let mut decisions = 0_u32;
        let mut shift = 0;
        loop {
            let byte = take::<1>(bytes)?[0];
            decisions |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
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

    /// Replaces `out` by the games of a block; `false` if `bytes` are not exactly one block.
    pub(crate) fn read_block(&self, mut bytes: &[u8], out: &mut Vec<GameRecord>) -> bool {
        out.clear();
        for _ in 0..self.rotations {
            match self.read_game(&mut bytes) {
                Some(game) => out.push(game),
                None => return false,
            }
        }
        bytes.is_empty()
    }
}

/// The most bytes of a game: every score as eight bytes, a fault, places, five of decisions.
const MOST: usize = 1 + MAX_SEATS.div_ceil(2) + 8 * MAX_SEATS + 1 + MAX_SEATS.div_ceil(2) + 5 + 8;

/// The bytes of a game while they are put together.
struct Bytes {
    bytes: [u8; MOST],
    length: usize,
}

impl Default for Bytes {
    fn default() -> Self {
        Self {
            bytes: [0; MOST],
            length: 0,
        }
    }
}

impl Bytes {
    #[inline(always)]
    fn push<const N: usize>(&mut self, part: [u8; N]) {
        self.bytes[self.length..self.length + N].copy_from_slice(&part);
        self.length += N;
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
            prop_assert!(shape.read_block(&bytes, &mut games));
            // Scores beyond the seats do not exist, so compare what does.
            prop_assert_eq!(games[0].scores.as_slice(), record.scores.as_slice());
            record.scores.as_slice().iter().for_each(|s| assert!((0.0..=1.0).contains(s)));
            games[0].scores = record.scores;
            prop_assert_eq!(&games[0], &record);
            // Neither less nor more is a block.
            prop_assert!(!shape.read_block(&bytes[..bytes.len() - 1], &mut games));
            bytes.push(0);
            prop_assert!(!shape.read_block(&bytes, &mut games));
        }

        #[test]
        fn no_bytes_panic(seats in 2..=MAX_SEATS, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut games = Vec::new();
            shape(seats).read_block(&bytes, &mut games);
        }
    }

    #[test]
    fn a_game_of_two_random_players_takes_eleven_bytes() {
        let shape = shape(2);
        let record = GameRecord {
            scores: Scores::lost_by(2, 1),
            places: [0; MAX_SEATS],
            first_seat: 1,
            end: End::Normal,
            fault_seat: None,
            decisions: 7,
            digest: u64::MAX,
            nanos: [5; MAX_SEATS],
            choices: [1; MAX_SEATS],
        };
        let mut bytes = Vec::new();
        shape.write_game(&record, &mut bytes);
        assert_eq!(bytes.len(), 11);
    }
}
