//! An exact solver of Connect Four: negamax with alpha-beta, a transposition table, moves ordered
//! by the threats they make, and moves that lose at once left out (the plan of P. Pons, "Solving
//! Connect 4: how to build a perfect AI", 2015-2019; the board is J. Tromp's). Two static bounds are
//! added: nobody wins who has no line left, and the seat that can answer every disc with one
//! on top of it gets all even rows ("claimeven": V. Allis, "A knowledge-based approach of Connect-Four",
//! 1988, section 3.2).
//!
//! The score of a position for the seat to move is 0 for a draw; n > 0 if it wins and n more discs
//! of its own could have been dropped before the board is full, counting the winning one; -n if the
//! other seat does. The sooner the win, the larger the number.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::games::connect_four::{COLUMNS, ROWS, State, has_four};

/// Bits from a column to the next.
const STRIDE: u32 = ROWS + 1;

/// Cells of the board.
const CELLS: i32 = 42;

/// The lowest cell of every column.
const BOTTOM: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << (column * STRIDE);
        column += 1;
    }
    bits
};

/// All cells.
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The first, third and fifth row: what the seat gets whose every disc is answered on top.
const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;

/// The cells of a column.
const fn column_mask(column: u32) -> u64 {
    ((1 << ROWS) - 1) << (column * STRIDE)
}

/// Columns from the centre outwards: most lines run through the centre.
pub const ORDER: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// The largest score: a win with the fourth disc.
pub const MAX_SCORE: i32 = (CELLS - 6) / 2;

/// A position without the state's bookkeeping.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Discs of the seat to move.
    own: u64,
    /// All discs.
    all: u64,
    /// Number of discs.
    plies: i32,
}

impl From<State> for Position {
    fn from(state: State) -> Self {
        Self {
            own: state.own(),
            all: state.all(),
            plies: i32::from(state.plies()),
        }
    }
}

impl Position {
    /// The empty board.
    pub const EMPTY: Self = Self {
        own: 0,
        all: 0,
        plies: 0,
    };

    /// The position with this [`Position::key`].
    pub fn from_key(key: u64) -> Self {
        (0..COLUMNS).fold(Self::EMPTY, |position, column| {
            // One bit for the height above the discs of the seat to move.
            let bits = key >> (column * STRIDE) & ((1 << STRIDE) - 1);
            let height = bits.checked_ilog2().unwrap_or(0);
            Self {
                own: position.own | (bits & ((1 << height) - 1)) << (column * STRIDE),
                all: position.all | ((1 << height) - 1) << (column * STRIDE),
                plies: position.plies + height.cast_signed(),
            }
        })
    }

    /// Number of discs on the board.
    pub fn plies(self) -> i32 {
        self.plies
    }

    /// The cells where a disc can land.
    #[inline]
    fn landings(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// Whether the column has room.
    pub fn is_open(self, column: u32) -> bool {
        self.landings() & column_mask(column) != 0
    }

    /// Whether a disc of the seat to move in this open column wins.
    pub fn wins_with(self, column: u32) -> bool {
        has_four(self.own | self.landings() & column_mask(column))
    }

    /// Whether a disc in this column neither lets the other seat win at once nor leaves it two
    /// threats. The seat to move must have no win at once.
    pub fn is_safe(self, column: u32) -> bool {
        self.safe_landings() & column_mask(column) != 0
    }

    /// Whether the choice of a move needs a search: no win at once, and more than one move that
    /// does not lose at once.
    pub fn needs_search(self) -> bool {
        let wins = (0..COLUMNS).any(|column| self.is_open(column) && self.wins_with(column));
        !wins
            && (0..COLUMNS)
                .filter(|&column| self.is_safe(column))
                .nth(1)
                .is_some()
    }

    /// The position after a disc in this open column.
    #[must_use]
    pub fn play(self, column: u32) -> Self {
        self.after(self.landings() & column_mask(column))
    }

    #[inline]
    fn after(self, landing: u64) -> Self {
        Self {
            own: self.own ^ self.all,
            all: self.all | landing,
            plies: self.plies + 1,
        }
    }

    /// A number that tells positions apart: the discs of the seat to move, with the cell above
    /// each column's discs marked by the carry.
    #[inline]
    pub fn key(self) -> u64 {
        self.own + self.all + BOTTOM
    }

    /// The position or its mirror image, whichever has the smaller key, and whether it is the
    /// mirror image.
    pub fn canonical(self) -> (Self, bool) {
        let mirror = Self {
            own: mirrored(self.own),
            all: mirrored(self.all),
            ..self
        };
        if mirror.key() < self.key() {
            (mirror, true)
        } else {
            (self, false)
        }
    }

    /// Bounds of the score that need no search.
    #[inline]
    fn static_bounds(self) -> (i32, i32) {
        let other = self.own ^ self.all;
        let empty = BOARD ^ self.all;
        let mut bounds = (-MAX_SCORE - 3, MAX_SCORE + 3);
        if !has_four(other | empty) {
            bounds.0 = 0;
        }
        // Every column even: the other seat can answer on top of every disc, to the end.
        if self.landings() & !ODD_ROWS == 0 {
            if !has_four(self.own | empty & ODD_ROWS) {
                bounds.1 = if has_four(other | empty & !ODD_ROWS) {
                    -1
                } else {
                    0
                };
            }
        } else if !has_four(self.own | empty) {
            bounds.1 = 0;
        }
        bounds
    }

    /// Landings that neither let the other seat win at once nor leave it two threats; 0 if there
    /// are none. The seat to move must have no win at once.
    #[inline]
    fn safe_landings(self) -> u64 {
        let landings = self.landings();
        let threats = threats(self.own ^ self.all, self.all);
        let forced = landings & threats;
        let landings = if forced == 0 {
            landings
        } else if forced & (forced - 1) != 0 {
            return 0;
        } else {
            forced
        };
        // Not below a cell where the other seat wins.
        landings & !(threats >> 1)
    }
}

/// The board seen in a mirror.
fn mirrored(discs: u64) -> u64 {
    (0..COLUMNS).fold(0, |image, column| {
        let cells = discs >> (column * STRIDE) & ((1 << STRIDE) - 1);
        image | cells << ((COLUMNS - 1 - column) * STRIDE)
    })
}

/// The empty cells that would give these discs four in a line.
#[inline]
fn threats(own: u64, all: u64) -> u64 {
    let mut cells = (own << 1) & (own << 2) & (own << 3);
    for shift in [STRIDE, STRIDE - 1, STRIDE + 1] {
        let pair = (own << shift) & (own << (2 * shift));
        cells |= pair & (own << (3 * shift));
        cells |= pair & (own >> shift);
        let pair = (own >> shift) & (own >> (2 * shift));
        cells |= pair & (own << shift);
        cells |= pair & (own >> (3 * shift));
    }
    cells & (BOARD ^ all)
}

/// Bounds of scores by position. A slot holds the last position that was put there, its key and
/// the bound in one word, so that threads can share a table without locks: whatever they read is
/// true of the position.
#[derive(Debug)]
pub struct Table {
    /// Key << 8 | bound, 0 where nothing is known.
    slots: Vec<AtomicU64>,
    /// 64 - log2 of the number of slots.
    shift: u32,
}

impl Table {
    /// A table of 2^`bits` slots of eight bytes; `bits` from 1 to 40.
    pub fn new(bits: u32) -> Self {
        Self {
            slots: (0..1_u64 << bits).map(|_| AtomicU64::new(0)).collect(),
            shift: 64 - bits,
        }
    }

    #[inline]
    fn slot(&self, key: u64) -> &AtomicU64 {
        let index = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift;
        &self.slots[usize::try_from(index).unwrap_or(0)]
    }

    #[inline]
    fn get(&self, key: u64) -> u8 {
        let entry = self.slot(key).load(Ordering::Relaxed);
        if entry >> 8 == key {
            (entry & 0xff) as u8
        } else {
            0
        }
    }

    #[inline]
    fn put(&self, key: u64, bound: u8) {
        self.slot(key)
            .store(key << 8 | u64::from(bound), Ordering::Relaxed);
    }
}

/// The solver. Its table is kept from position to position and only ever holds what is true of a
/// position, so that answers do not depend on what was asked before.
#[derive(Clone, Debug)]
pub struct Solver {
    table: Arc<Table>,
}

impl Solver {
    /// A solver with this table, which others may use at the same time.
    pub fn new(table: Arc<Table>) -> Self {
        Self { table }
    }

    /// The exact score of a position whose game is not over.
    pub fn score(&self, position: Position) -> i32 {
        self.within(position, -MAX_SCORE - 3, MAX_SCORE + 3)
    }

    /// 1, 0 or -1: who wins a position whose game is not over, without saying how soon.
    pub fn outcome(&self, position: Position) -> i32 {
        self.within(position, -1, 1).signum()
    }

    /// The score if it lies between `low` and `high`, else a bound on its side.
    pub fn within(&self, position: Position, low: i32, high: i32) -> i32 {
        if (0..COLUMNS).any(|column| position.is_open(column) && position.wins_with(column)) {
            return (CELLS + 1 - position.plies) / 2;
        }
        let mut low = low.max(-(CELLS - position.plies) / 2);
        let mut high = high.min((CELLS + 1 - position.plies) / 2);
        // Halving with windows of width one: each question is much cheaper than an open window.
        while low < high {
            let mut middle = low + (high - low) / 2;
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let score = self.negamax(position, middle, middle + 1);
            if score <= middle {
                high = score;
            } else {
                low = score;
            }
        }
        low
    }

    /// Alpha-beta for a seat that cannot win at once.
    fn negamax(&self, position: Position, mut alpha: i32, mut beta: i32) -> i32 {
        let landings = position.safe_landings();
        let left = CELLS - position.plies;
        if landings == 0 {
            return -left / 2;
        }
        if left <= 2 {
            return 0;
        }
        // Nobody wins with the next two discs.
        let least = -(left - 2) / 2;
        if alpha < least {
            alpha = least;
            if alpha >= beta {
                return alpha;
            }
        }
        let most = (left - 1) / 2;
        if beta > most {
            beta = most;
            if alpha >= beta {
                return beta;
            }
        }
        let (low, high) = position.static_bounds();
        if low > alpha {
            alpha = low;
            if alpha >= beta {
                return alpha;
            }
        }
        if high < beta {
            beta = high;
            if alpha >= beta {
                return beta;
            }
        }
        // Bounds are kept as small positive numbers: upper ones below `LOWER`, lower ones from it.
        let key = position.key();
        match i32::from(self.table.get(key)) {
            0 => {}
            bound if bound >= LOWER => {
                let bound = bound - LOWER - OFFSET;
                if alpha < bound {
                    alpha = bound;
                    if alpha >= beta {
                        return alpha;
                    }
                }
            }
            bound => {
                let bound = bound - OFFSET;
                if beta > bound {
                    beta = bound;
                    if alpha >= beta {
                        return beta;
                    }
                }
            }
        }
        let mut moves = [(0_u64, 0_u32); 7];
        let mut count = 0;
        for column in ORDER {
            let landing = landings & column_mask(column);
            if landing == 0 {
                continue;
            }
            let made = threats(position.own | landing, position.all).count_ones();
            // Insertion, the most threats first, the centre first among equals.
            let mut at = count;
            while at > 0 && moves[at - 1].1 < made {
                moves[at] = moves[at - 1];
                at -= 1;
            }
            moves[at] = (landing, made);
            count += 1;
        }
        // A look at what is already known of the moves saves searching the ones before them.
        if left > LOOK_AHEAD_ABOVE {
            for &(landing, _) in &moves[..count] {
                let bound = i32::from(self.table.get(position.after(landing).key()));
                if bound != 0 && bound < LOWER && OFFSET - bound >= beta {
                    return OFFSET - bound;
                }
            }
        }
        for &(landing, _) in &moves[..count] {
            let score = -self.negamax(position.after(landing), -beta, -alpha);
            if score >= beta {
                self.table.put(key, bound_byte(score + LOWER));
                return score;
            }
            alpha = alpha.max(score);
        }
        self.table.put(key, bound_byte(alpha));
        alpha
    }
}

/// Where fewer cells are empty, searching is cheaper than looking.
const LOOK_AHEAD_ABOVE: i32 = 14;

/// Added to scores, so that every bound is a positive number.
const OFFSET: i32 = 25;

/// Added to lower bounds.
const LOWER: i32 = 64;

fn bound_byte(bound: i32) -> u8 {
    u8::try_from(bound + OFFSET).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::connect_four::ConnectFour;
    use crate::rng::Seed;

    fn solver() -> Solver {
        Solver::new(Arc::new(Table::new(16)))
    }

    /// The score by its definition, without any pruning or bound.
    fn minimax(position: Position) -> i32 {
        if position.plies == CELLS {
            return 0;
        }
        (0..COLUMNS)
            .filter(|&column| position.is_open(column))
            .map(|column| {
                if position.wins_with(column) {
                    (CELLS + 1 - position.plies) / 2
                } else {
                    -minimax(position.play(column))
                }
            })
            .max()
            .unwrap_or(0)
    }

    fn random_position(rng: &mut crate::rng::Rng, plies: u32) -> Position {
        loop {
            let mut state = State::default();
            ConnectFour.playout(&mut state, rng, plies);
            if ConnectFour.to_move(&state).is_some() {
                return state.into();
            }
        }
    }

    #[test]
    fn scores_are_those_of_plain_minimax() {
        let mut rng = Seed::root(5).rng();
        let shared = solver();
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..300 {
            let position = random_position(&mut rng, 30 + number % 10);
            let score = minimax(position);
            seen.insert(score);
            assert_eq!(shared.score(position), score, "{position:?}");
            assert_eq!(solver().outcome(position), score.signum(), "{position:?}");
            let (low, high) = position.static_bounds();
            if !(0..COLUMNS).any(|c| position.is_open(c) && position.wins_with(c)) {
                assert!(low <= score && score <= high, "{position:?}");
            }
        }
        assert!(seen.len() > 8, "{seen:?}");
    }

    /// Positions with their scores from the test sets of P. Pons ("Solving Connect 4", part 2);
    /// columns from 1.
    #[test]
    fn published_positions_have_their_published_scores() {
        let solver = solver();
        for (columns, score) in [
            ("2252576253462244111563365343671351441", -1),
            ("7422341735647741166133573473242566", 1),
            ("23163416124767223154467471272416755633", 0),
            ("65214673556155731566316327373221417", -1),
        ] {
            let position = columns
                .chars()
                .filter_map(|c| c.to_digit(10))
                .fold(Position::EMPTY, |position, column| {
                    position.play(column - 1)
                });
            assert_eq!(solver.score(position), score, "{columns}");
        }
    }

    #[test]
    fn keys_name_positions() {
        let mut rng = Seed::root(6).rng();
        for plies in 0..40 {
            let position = random_position(&mut rng, plies.min(30));
            assert_eq!(Position::from_key(position.key()), position);
            let (canonical, is_mirrored) = position.canonical();
            assert_eq!(canonical == position, !is_mirrored);
            assert!(canonical.key() <= position.key());
        }
    }
}
