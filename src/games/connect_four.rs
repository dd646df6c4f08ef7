//! Connect Four on bitboards, seven columns by six rows. Seat 0 (`o`) moves first.
//!
//! Seven bits a column, the lowest row first; the seventh bit of each column stays empty, so that
//! shifts do not run from one column into the next (J. Tromp, Fhourstones).

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Field, Game, GameInfo, MoveTextError, Observation, Scores, Seat, Style};
use crate::agents::perfect::connect_four::Perfect;
use crate::agents::{BuildError, GameAgents, Player};
use crate::rng::Rng;
use crate::spec::{GameSpec, Settings};

/// The spec of [`ConnectFour`].
pub const SPEC: GameSpec = GameSpec {
    name: "connect-four",
    help: "Connect Four, 7 columns by 6 rows, seat 0 (o) moves first. Value: the first player wins.",
    options: &[],
};

/// Columns of the board.
pub const COLUMNS: u32 = 7;

/// Rows of the board.
pub const ROWS: u32 = 6;

/// Discs that fill the board.
const FULL: u8 = 42;

/// Bits from a column to the next.
const STRIDE: u32 = ROWS + 1;

/// The lowest cell of every column.
const BOTTOM: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << (column * STRIDE);
        column += 1;
    }
    bits
};

/// The highest cell of every column.
const TOP: u64 = BOTTOM << (ROWS - 1);

/// The rules: there are no options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConnectFour;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// Discs of the seat to move.
    own: u64,
    /// All discs.
    all: u64,
    /// Number of discs.
    plies: u8,
    /// Whether the last move completed a line of four.
    won: bool,
}

/// A column, `0..7` from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(u8);

impl Column {
    /// The column's number, `0..7` from the left.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The column with this number, `0..7` from the left.
    pub fn new(index: u8) -> Option<Self> {
        (u32::from(index) < COLUMNS).then_some(Self(index))
    }
}

/// Whether these discs hold four in a line.
#[inline]
pub fn has_four(discs: u64) -> bool {
    let vertical = discs & discs >> 1;
    let level = discs & discs >> STRIDE;
    let falling = discs & discs >> (STRIDE - 1);
    let rising = discs & discs >> (STRIDE + 1);
    (vertical & vertical >> 2
        | level & level >> (2 * STRIDE)
        | falling & falling >> (2 * (STRIDE - 1))
        | rising & rising >> (2 * (STRIDE + 1)))
        != 0
}

/// For each set of open columns (a bit a column): the open columns in order, and how many there
/// are in the last byte.
const OPEN: [[u8; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut set = 0;
    while set < 128 {
        let (mut column, mut count) = (0_u8, 0_u8);
        while column < 7 {
            if set >> column & 1 != 0 {
                table[set][count as usize] = column;
                count += 1;
            }
            column += 1;
        }
        table[set][7] = count;
        set += 1;
    }
    table
};

/// The row of [`OPEN`] for a board with these discs.
#[inline]
fn open_columns(all: u64) -> &'static [u8; 8] {
    // The top cells lie seven bits apart. The product moves the bit of column c to 36 + c: the
    // multiplier has the bits 0, 6, .. 36, and no other sums of these and 0, 7, .. 42 fall there.
    const GATHER: u64 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24 | 1 << 30 | 1 << 36;
    let open = (!all & TOP) >> (ROWS - 1);
    let set = (open.wrapping_mul(GATHER) >> 36) & 127;
    &OPEN[usize::try_from(set).unwrap_or(0)]
}

impl State {
    /// Discs of the seat to move, seven bits a column from the left, the lowest row first.
    pub fn own(self) -> u64 {
        self.own
    }

    /// Discs of the seat that moved last.
    pub fn other(self) -> u64 {
        self.own ^ self.all
    }

    /// All discs.
    pub fn all(self) -> u64 {
        self.all
    }

    /// Number of discs on the board.
    pub fn plies(self) -> u8 {
        self.plies
    }

    /// Whether the last move won.
    pub fn is_won(self) -> bool {
        self.won
    }

    #[inline]
    fn is_over(self) -> bool {
        self.won || self.plies == FULL
    }

    /// Drops a disc of the seat to move; the column must be open.
    #[inline]
    fn drop_disc(&mut self, column: u8) {
        // Adding to the lowest cell carries up to the first empty one.
        let all = self.all | (self.all + (1 << (u32::from(column) * STRIDE)));
        let moved = self.own | (all ^ self.all);
        self.own ^= self.all;
        self.all = all;
        self.plies += 1;
        self.won = has_four(moved);
    }

    /// `o`, `x` or `.` at a column and a row from below.
    fn mark_at(self, column: u32, row: u32) -> char {
        let bit = 1 << (column * STRIDE + row);
        if self.all & bit == 0 {
            '.'
        } else if (self.own & bit != 0) == self.plies.is_multiple_of(2) {
            'o'
        } else {
            'x'
        }
    }

    /// The 42 cells in reading order, from the top row.
    fn board_text(self) -> String {
        (0..ROWS)
            .rev()
            .flat_map(|row| (0..COLUMNS).map(move |column| self.mark_at(column, row)))
            .collect()
    }
}

impl Game for ConnectFour {
    type State = State;
    type View = State;
    type Move = Column;

    #[inline]
    fn info(&self) -> GameInfo {
        GameInfo {
            name: "connect-four",
            seats: 2,
            hidden_information: false,
            fair_share: 0.5,
            utility: "win 1, draw 1/2, loss 0",
        }
    }

    fn deal(&self, _rng: &mut Rng) -> State {
        State::default()
    }

    #[inline]
    fn to_move(&self, state: &State) -> Option<Seat> {
        (!state.is_over()).then_some(usize::from(state.plies & 1))
    }

    #[inline]
    fn legal_into(&self, state: &State, out: &mut Vec<Column>) {
        out.clear();
        if state.is_over() {
            return;
        }
        let open = open_columns(state.all);
        out.extend(
            open[..usize::from(open[7]).min(7)]
                .iter()
                .map(|&c| Column(c)),
        );
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: Column) {
        state.drop_disc(mv.0);
    }

    #[inline]
    fn scores(&self, state: &State) -> Option<Scores> {
        if state.won {
            Some(Scores::lost_by(2, usize::from(state.plies & 1)))
        } else if state.plies == FULL {
            Some(Scores::all(2, 0.5))
        } else {
            None
        }
    }

    #[inline]
    fn view(&self, state: &State, _seat: Seat) -> State {
        *state
    }

    #[inline]
    fn sample(&self, view: &State, _rng: &mut Rng) -> State {
        *view
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng) -> Column {
        let open = open_columns(state.all);
        Column(open[rng.index(usize::from(open[7])) & 7])
    }

    // While no column is full, seven are open and the draws do not wait for the board; no line is
    // looked for before the seventh disc.
    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, cap: u32) -> u32 {
        if state.is_over() {
            return 0;
        }
        let start = u32::from(state.plies);
        let end = start.saturating_add(cap).min(u32::from(FULL));
        let (mut own, mut all, mut ply) = (state.own, state.all, start);
        let mut won = false;
        while ply < end && all & TOP == 0 && !won {
            let column = rng.below(COLUMNS);
            let next = all | (all + (1 << (column * STRIDE)));
            let moved = own | (next ^ all);
            won = ply >= 6 && has_four(moved);
            own ^= all;
            all = next;
            ply += 1;
        }
        while ply < end && !won {
            let open = open_columns(all);
            let column = u32::from(open[rng.below(u32::from(open[7])) as usize & 7]);
            let next = all | (all + (1 << (column * STRIDE)));
            let moved = own | (next ^ all);
            won = has_four(moved);
            own ^= all;
            all = next;
            ply += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 42")]
        {
            *state = State {
                own,
                all,
                plies: ply as u8,
                won,
            };
        }
        ply - start
    }

    #[inline]
    fn move_code(&self, mv: Column) -> u32 {
        u32::from(mv.0)
    }

    fn write_move(&self, mv: Column, out: &mut String) {
        let _ = write!(out, "{}", mv.0);
    }

    fn parse_move(&self, text: &str) -> Result<Column, MoveTextError> {
        let digits = text.trim_ascii();
        digits
            .parse()
            .ok()
            .filter(|_| digits.len() == 1)
            .and_then(Column::new)
            .ok_or_else(|| MoveTextError {
                text: text.to_owned(),
                game: "connect-four",
                expected: "a column, 0 to 6 from the left".to_owned(),
            })
    }

    fn observation(&self, view: &State) -> Observation {
        let seat = view.plies & 1;
        let board = view.board_text();
        Observation(vec![
            Field {
                name: "seat",
                text: seat.to_string(),
                json: json!(seat),
            },
            Field {
                name: "board",
                json: json!(board),
                text: board,
            },
        ])
    }

    fn deal_fields(&self, initial: &State) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("rules".to_owned(), json!({}));
        fields.insert("position".to_owned(), json!(initial.board_text()));
        fields
    }

    fn draw_view(&self, view: &State, style: Style) -> String {
        self.draw_state(view, style)
    }

    fn draw_state(&self, state: &State, style: Style) -> String {
        let mut out = String::new();
        for row in (0..ROWS).rev() {
            out.push_str("  |");
            for column in 0..COLUMNS {
                match (state.mark_at(column, row), style.colour) {
                    ('o', true) => out.push_str(" \x1b[1;34mo\x1b[0m"),
                    ('x', true) => out.push_str(" \x1b[1;33mx\x1b[0m"),
                    (mark, _) => {
                        let _ = write!(out, " {mark}");
                    }
                }
            }
            out.push_str(" |\n");
        }
        out.push_str("  +---------------+\n    0 1 2 3 4 5 6\n");
        out
    }
}

impl GameAgents for ConnectFour {
    fn own_agent(&self, settings: &Settings) -> Result<Option<Player<Self>>, BuildError> {
        Ok(match settings.name.as_str() {
            "perfect" => Some(Player::Honest(Box::<Perfect>::default())),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::conformance;
    use crate::rng::Seed;

    fn after(columns: &str) -> State {
        let mut state = State::default();
        for text in columns.chars() {
            let mv = ConnectFour.parse_move(&text.to_string()).expect("a column");
            assert!(ConnectFour.to_move(&state).is_some(), "over before {text}");
            ConnectFour.apply(&mut state, mv);
        }
        state
    }

    #[test]
    fn a_game_takes_the_recorded_course() {
        insta::assert_snapshot!(conformance::transcript(&ConnectFour, 1));
    }

    #[test]
    fn conforms() {
        conformance::check(&ConnectFour, 200);
    }

    fn perft(state: State, depth: u32) -> u64 {
        if depth == 0 || state.is_over() {
            return u64::from(depth == 0);
        }
        let mut legal = Vec::new();
        ConnectFour.legal_into(&state, &mut legal);
        legal
            .into_iter()
            .map(|mv| {
                let mut next = state;
                ConnectFour.apply(&mut next, mv);
                perft(next, depth - 1)
            })
            .sum()
    }

    fn reference() -> Value {
        let text = include_str!("../../tests/data/reference/games.json");
        let all: Value = serde_json::from_str(text).expect("valid JSON");
        all["connect_four_7x6"].clone()
    }

    #[test]
    fn move_sequences_are_counted_as_published() {
        let counts = reference()["perft"].clone();
        let counts = counts.as_array().expect("a list");
        // The ninth takes a second; the others are enough to catch any wrong rule but late wins,
        // which the distinct positions and uniform play cover.
        for (index, count) in counts.iter().enumerate().take(8) {
            let depth = u32::try_from(index + 1).expect("small");
            assert_eq!(
                Some(perft(State::default(), depth)),
                count.as_u64(),
                "depth {depth}"
            );
        }
    }

    #[test]
    fn distinct_positions_by_ply_are_counted_as_published() {
        let counts = reference()["positions_by_ply"].clone();
        let counts = counts.as_array().expect("a list");
        let mut layer = vec![State::default()];
        let mut legal = Vec::new();
        for (ply, count) in counts.iter().enumerate().take(9) {
            assert_eq!(u64::try_from(layer.len()).ok(), count.as_u64(), "ply {ply}");
            let mut next = Vec::new();
            for state in &layer {
                ConnectFour.legal_into(state, &mut legal);
                for &mv in &legal {
                    let mut child = *state;
                    ConnectFour.apply(&mut child, mv);
                    next.push(child);
                }
            }
            next.sort_unstable_by_key(|s| (s.all, s.own));
            next.dedup();
            layer = next;
        }
    }

    #[test]
    fn lines_in_all_directions_win_and_edges_do_not_wrap() {
        for (columns, won) in [
            ("0101010", true),       // vertical
            ("0011223", true),       // level
            ("01122323363", true),   // rising
            ("65544343303", true),   // falling
            ("4455661", false),      // three and a gap
            ("0605040", true),       // vertical at the edge
            ("000001111162", false), // no line across the top of two columns
        ] {
            assert_eq!(after(columns).is_won(), won, "{columns}");
        }
    }

    #[test]
    fn uniform_play_agrees_with_the_published_rates() {
        let exact = reference()["uniform_v_uniform"].clone();
        let rate = |key: &str| exact[key].as_f64().expect("a number");
        let games = 200_000_u32;
        let mut rng = Seed::root(4).rng();
        let (mut first, mut draws, mut plies) = (0_u32, 0_u32, 0_u64);
        for _ in 0..games {
            let mut state = State::default();
            plies += u64::from(ConnectFour.playout(&mut state, &mut rng, u32::MAX));
            match ConnectFour.scores(&state).map(|s| s.of(0)) {
                Some(score) if score > 0.75 => first += 1,
                Some(score) if score > 0.25 => draws += 1,
                _ => {}
            }
        }
        let n = f64::from(games);
        let known = rate("standard_error");
        let check = |count: u32, p: f64| {
            let error = (p * (1.0 - p) / n + known * known).sqrt();
            let seen = f64::from(count) / n;
            assert!((seen - p).abs() < 4.0 * error, "{seen}, not {p}");
        };
        check(first, rate("first_wins"));
        check(draws, rate("draw"));
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let mean = plies as f64 / n;
        // The standard deviation of the length is about 7.4 plies.
        let error = 4.0 * 7.5 / n.sqrt();
        assert!((mean - rate("mean_plies")).abs() < error, "{mean}");
    }

    #[test]
    fn texts_that_are_no_column_are_refused_in_words() {
        for text in ["", "7", "-1", "00", "a", "1 2", "+1"] {
            let error = ConnectFour.parse_move(text).unwrap_err().to_string();
            assert!(error.contains("0 to 6"), "{error}");
        }
        assert_eq!(ConnectFour.parse_move(" 3 "), Ok(Column(3)));
    }

    #[test]
    fn the_board_reads_from_the_top_row() {
        let text = after("0013").board_text();
        assert_eq!(text.len(), 42);
        assert_eq!(&text[28..35], "x......");
        assert_eq!(&text[35..], "oo.x...");
    }
}
