//! Tic-tac-toe on two nine-bit boards. Seat 0 (`o`) moves first.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Field, Game, GameInfo, MoveTextError, Observation, Scores, Seat, Style};
use crate::agents::{BuildError, GameAgents, Player, perfect};
use crate::rng::Rng;
use crate::spec::{GameSpec, Settings};

/// The spec of [`TicTacToe`].
pub const SPEC: GameSpec = GameSpec {
    name: "tictactoe",
    help: "Tic-tac-toe, 3 x 3, seat 0 (o) moves first. Value: draw.",
    options: &[],
};

/// The rules: there are no options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TicTacToe;

/// Cells 0..9 in reading order, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// Marks by seat.
    marks: [u16; 2],
    /// Number of marks on the board.
    plies: u8,
    /// Whether the last move completed a line.
    won: bool,
}

/// A cell in reading order, `0..9`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

const FULL: u16 = 0x1ff;

/// Bit `m` says whether the marks `m` contain a line: 512 bits.
const LINES: [u64; 8] = line_table();

const fn line_table() -> [u64; 8] {
    const LINE_MASKS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut table = [0_u64; 8];
    let mut marks = 0_u16;
    while marks <= FULL {
        let mut line = 0;
        while line < LINE_MASKS.len() {
            if marks & LINE_MASKS[line] == LINE_MASKS[line] {
                table[(marks >> 6) as usize] |= 1 << (marks & 63);
            }
            line += 1;
        }
        marks += 1;
    }
    table
}

#[inline]
fn has_line(marks: u16) -> bool {
    LINES[usize::from(marks >> 6) & 7] >> (marks & 63) & 1 != 0
}

/// For each set of empty cells: the cells in reading order, so that the `n`-th is one look-up.
const CELLS: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut set = 0;
    while set < table.len() {
        let (mut cell, mut count) = (0_u8, 0);
        while cell < 9 {
            if set >> cell & 1 != 0 {
                table[set][count] = cell;
                count += 1;
            }
            cell += 1;
        }
        set += 1;
    }
    table
};

/// The `n`-th empty cell.
#[inline]
fn nth_cell(empty: u16, n: u32) -> u8 {
    CELLS[usize::from(empty & FULL)][n as usize & 15]
}

impl State {
    /// Marks of `seat` as a nine-bit board in reading order.
    pub fn marks(self, seat: Seat) -> u16 {
        self.marks[seat]
    }

    /// The empty cells as a nine-bit board.
    #[inline]
    pub fn empty(self) -> u16 {
        FULL & !(self.marks[0] | self.marks[1])
    }

    fn is_over(self) -> bool {
        self.won || self.plies == 9
    }

    fn mark_at(self, cell: u8) -> char {
        match (self.marks[0] >> cell & 1, self.marks[1] >> cell & 1) {
            (1, _) => 'o',
            (_, 1) => 'x',
            _ => '.',
        }
    }

    fn board_text(self) -> String {
        (0..9).map(|cell| self.mark_at(cell)).collect()
    }
}

impl Cell {
    /// The cell's index in reading order, `0..9`.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The cell with this index, `0..9`.
    pub fn new(index: u8) -> Option<Self> {
        (index < 9).then_some(Self(index))
    }
}

impl Game for TicTacToe {
    type State = State;
    type View = State;
    type Move = Cell;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "tictactoe",
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

    fn legal_into(&self, state: &State, out: &mut Vec<Cell>) {
        out.clear();
        if state.is_over() {
            return;
        }
        let mut empty = state.empty();
        while empty != 0 {
            out.push(Cell(nth_cell(empty, 0)));
            empty &= empty - 1;
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: Cell) {
        let seat = usize::from(state.plies & 1);
        state.marks[seat] |= 1 << mv.0;
        state.plies += 1;
        state.won = has_line(state.marks[seat]);
    }

    fn scores(&self, state: &State) -> Option<Scores> {
        if state.won {
            Some(Scores::lost_by(2, usize::from(state.plies & 1)))
        } else if state.plies == 9 {
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
    fn random_move(&self, state: &State, rng: &mut Rng) -> Cell {
        let drawn = rng.below(9 - u32::from(state.plies.min(8)));
        Cell(nth_cell(state.empty(), drawn))
    }

    // The number of empty cells is known from the ply, so that draws do not wait for the board,
    // and no line is looked for before the fifth mark.
    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, cap: u32) -> u32 {
        if state.is_over() {
            return 0;
        }
        let start = u32::from(state.plies);
        let end = start.saturating_add(cap).min(9);
        let mover = usize::from(state.plies & 1);
        let (mut own, mut other) = (state.marks[mover], state.marks[mover ^ 1]);
        let mut ply = start;
        let mut won = false;
        while ply < end && !won {
            own |= 1 << nth_cell(!(own | other), rng.below(9 - ply));
            won = ply >= 4 && has_line(own);
            (own, other) = (other, own);
            ply += 1;
        }
        let mover = usize::from(ply & 1 != 0);
        state.marks[mover] = own;
        state.marks[mover ^ 1] = other;
        #[expect(clippy::cast_possible_truncation, reason = "at most nine")]
        {
            state.plies = ply as u8;
        }
        state.won = won;
        ply - start
    }

    fn move_code(&self, mv: Cell) -> u32 {
        u32::from(mv.0)
    }

    fn write_move(&self, mv: Cell, out: &mut String) {
        // Written for every legal move of every question to a program: formatting would show.
        let digit = |n: u8| char::from(b'0' + n);
        out.extend([digit(mv.0 / 3), ' ', digit(mv.0 % 3)]);
    }

    fn parse_move(&self, text: &str) -> Result<Cell, MoveTextError> {
        let mut parts = text.split_ascii_whitespace().map(str::parse::<u8>);
        match (parts.next(), parts.next(), parts.next()) {
            (Some(Ok(row @ 0..3)), Some(Ok(column @ 0..3)), None) => Ok(Cell(row * 3 + column)),
            _ => Err(MoveTextError {
                text: text.to_owned(),
                game: "tictactoe",
                expected: "row and column, each 0, 1 or 2, such as `1 2`".to_owned(),
            }),
        }
    }

    fn observation(&self, view: &State) -> Observation {
        let mark = if view.plies.is_multiple_of(2) {
            "o"
        } else {
            "x"
        };
        let board = view.board_text();
        Observation(vec![
            Field {
                name: "mark",
                text: mark.to_owned(),
                json: json!(mark),
            },
            Field {
                name: "board",
                json: json!(board),
                text: board,
            },
        ])
    }

    fn write_observation(&self, view: &State, out: &mut String) {
        let mark = view.plies.is_multiple_of(2);
        out.push_str(if mark {
            " mark=o board="
        } else {
            " mark=x board="
        });
        out.extend((0..9).map(|cell| view.mark_at(cell)));
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
        let mut out = String::from("     0   1   2\n");
        for row in 0..3 {
            if row > 0 {
                out.push_str("    ---+---+---\n");
            }
            let _ = write!(out, "  {row} ");
            for column in 0..3 {
                if column > 0 {
                    out.push('|');
                }
                match (state.mark_at(row * 3 + column), style.colour) {
                    ('.', _) => out.push_str("   "),
                    ('o', true) => out.push_str(" \x1b[1;34mo\x1b[0m "),
                    ('x', true) => out.push_str(" \x1b[1;33mx\x1b[0m "),
                    (mark, _) => {
                        let _ = write!(out, " {mark} ");
                    }
                }
            }
            out.push('\n');
        }
        out
    }
}

impl GameAgents for TicTacToe {
    fn own_agent(&self, settings: &Settings) -> Result<Option<Player<Self>>, BuildError> {
        Ok((settings.name == "perfect")
            .then(|| Player::Honest(Box::<perfect::tictactoe::Perfect>::default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::conformance;
    use crate::rng::Seed;

    #[test]
    fn a_game_takes_the_recorded_course() {
        insta::assert_snapshot!(conformance::transcript(&TicTacToe, 1));
    }

    #[test]
    fn conforms() {
        conformance::check(&TicTacToe, 300);
    }

    #[derive(Default, Debug, PartialEq)]
    struct Tree {
        games: u64,
        first_wins: u64,
        second_wins: u64,
        draws: u64,
    }

    fn enumerate(state: State, tree: &mut Tree, seen: &mut std::collections::BTreeSet<[u16; 2]>) {
        seen.insert(state.marks);
        if let Some(scores) = TicTacToe.scores(&state) {
            tree.games += 1;
            match scores.of(0) {
                1.0 => tree.first_wins += 1,
                0.0 => tree.second_wins += 1,
                _ => tree.draws += 1,
            }
            return;
        }
        let mut legal = Vec::new();
        TicTacToe.legal_into(&state, &mut legal);
        for mv in legal {
            let mut next = state;
            TicTacToe.apply(&mut next, mv);
            enumerate(next, tree, seen);
        }
    }

    #[test]
    fn the_whole_game_tree_has_the_published_counts() {
        let (mut tree, mut seen) = (Tree::default(), std::collections::BTreeSet::new());
        enumerate(State::default(), &mut tree, &mut seen);
        let expected = Tree {
            games: 255_168,
            first_wins: 131_184,
            second_wins: 77_904,
            draws: 46_080,
        };
        assert_eq!(tree, expected);
        assert_eq!(seen.len(), 5478);
    }

    #[test]
    fn uniform_play_agrees_with_the_exact_fractions() {
        let games = 200_000_u32;
        let mut rng = Seed::root(3).rng();
        let (mut first, mut draws, mut plies) = (0_u32, 0_u32, 0_u64);
        for _ in 0..games {
            let mut state = State::default();
            plies += u64::from(TicTacToe.playout(&mut state, &mut rng, u32::MAX));
            match TicTacToe.scores(&state).map(|s| s.of(0)) {
                Some(1.0) => first += 1,
                Some(0.5) => draws += 1,
                _ => {}
            }
        }
        let n = f64::from(games);
        let check = |count: u32, p: f64| {
            let error = (p * (1.0 - p) / n).sqrt();
            assert!(
                (f64::from(count) / n - p).abs() < 4.0 * error,
                "{count} of {games}, not {p}"
            );
        };
        check(first, 737.0 / 1260.0);
        check(draws, 8.0 / 63.0);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let mean = plies as f64 / n;
        // The standard deviation of the length is about 1.3 plies.
        assert!(
            (mean - 3203.0 / 420.0).abs() < 4.0 * 1.4 / n.sqrt(),
            "{mean}"
        );
    }

    #[test]
    fn texts_that_are_no_cell_are_refused_in_words() {
        for text in ["", "1", "3 0", "0 0 0", "a b", "-1 -1", "0,1"] {
            let error = TicTacToe.parse_move(text).unwrap_err().to_string();
            assert!(error.contains("row and column"), "{error}");
        }
        assert_eq!(TicTacToe.parse_move(" 2  1 "), Ok(Cell(7)));
    }
}
