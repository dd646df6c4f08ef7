//! Tic-tac-toe and Connect Four: playouts from the empty board and UCT with 1,000 simulations
//! there, against hand-written loops that know one game and no trait.
//!
//! `cargo bench --bench bare_loops`. Both are timed in turns and the best of many short runs counts,
//! so that the ratio holds on a busy machine.

#![expect(
    clippy::disallowed_methods,
    reason = "what a hand-written search would call; nothing here reaches a result"
)]

use std::hint::black_box;
use std::time::Instant;

use evalctl::agents::{self, GameAgents, Player};
use evalctl::games::connect_four::ConnectFour;
use evalctl::games::tictactoe::TicTacToe;
use evalctl::rng::{Rng, Seed};
use evalctl::spec::{Settings, Value};

/// Playouts of one run: a few tenths of a millisecond.
const PLAYOUTS: u32 = 2_000;

/// Simulations of one search, which is one run.
const SIMULATIONS: u32 = 1_000;

/// Runs, of which the best counts.
const RUNS: u64 = 1_000;

/// What the hand-written loops need of a board: all of it is inlined.
trait Board: Copy {
    /// The empty board.
    const EMPTY: Self;
    /// The number of moves; moves are counted in the order of their cells or columns.
    fn moves(self) -> usize;
    /// The board after the `n`-th move, and whether it made a line.
    fn after(self, n: usize) -> (Self, bool);
}

/// Tic-tac-toe: the mover's marks, the other's, and how many there are.
#[derive(Clone, Copy)]
struct Nine(u16, u16, usize);

impl Board for Nine {
    const EMPTY: Self = Self(0, 0, 0);

    #[inline(always)]
    fn moves(self) -> usize {
        9 - self.2
    }

    #[inline(always)]
    fn after(self, n: usize) -> (Self, bool) {
        const LINES: [usize; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        const LINE: [bool; 512] = {
            let mut table = [false; 512];
            let mut marks = 0_usize;
            while marks < 512 {
                let mut line = 0;
                while line < 8 {
                    table[marks] |= marks & LINES[line] == LINES[line];
                    line += 1;
                }
                marks += 1;
            }
            table
        };
        const NTH: [[u16; 16]; 512] = {
            let mut table = [[0; 16]; 512];
            let mut set = 0;
            while set < 512 {
                let (mut cell, mut count) = (0, 0);
                while cell < 9 {
                    if set >> cell & 1 != 0 {
                        table[set][count] = 1 << cell;
                        count += 1;
                    }
                    cell += 1;
                }
                set += 1;
            }
            table
        };
        let empty = 0x1ff & !(self.0 | self.1);
        let marks = self.0 | NTH[usize::from(empty)][n & 15];
        (
            Self(self.1, marks, self.2 + 1),
            LINE[usize::from(marks & 0x1ff)],
        )
    }
}

/// Connect Four: the mover's discs and all, seven bits a column.
#[derive(Clone, Copy)]
struct Columns(u64, u64);

impl Board for Columns {
    const EMPTY: Self = Self(0, 0);

    #[inline(always)]
    fn moves(self) -> usize {
        if self.1 & TOP == 0 {
            7
        } else {
            (!self.1 & TOP).count_ones() as usize
        }
    }

    #[inline(always)]
    fn after(self, n: usize) -> (Self, bool) {
        let column = if self.1 & TOP == 0 {
            7 * n
        } else {
            let mut open = !self.1 & TOP;
            for _ in 0..n {
                open &= open - 1;
            }
            open.trailing_zeros() as usize / 7 * 7
        };
        let all = self.1 | (self.1 + (1 << column));
        let moved = self.0 | (all ^ self.1);
        let won = [1, 6, 7, 8].into_iter().any(|step| {
            let pairs = moved & moved >> step;
            pairs & pairs >> (2 * step) != 0
        });
        (Self(self.0 ^ self.1, all), won)
    }
}

/// The top cell of every column.
const TOP: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < 7 {
        bits |= 1 << (7 * column + 5);
        column += 1;
    }
    bits
};

/// Plays to the end; the reward of the seat to move at the start: 1, 1/2 or 0.
#[inline(always)]
fn rollout<B: Board>(mut board: B, rng: &mut Rng) -> f64 {
    let mut reward = 1.0;
    loop {
        let moves = board.moves();
        if moves == 0 {
            return 0.5;
        }
        let (next, won) = board.after(rng.index(moves));
        if won {
            return reward;
        }
        board = next;
        reward = 1.0 - reward;
    }
}

/// A node: its children lie side by side from `first`, in the order of the moves.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Rewards of the seat that moved here.
    total: f64,
    visits: f64,
    first: usize,
    children: usize,
    /// 1 or 1/2 if the game is over here.
    end: Option<f64>,
}

/// UCT by the book (Kocsis and Szepesvári 2006; Browne et al. 2012, algorithm 2); the number of the
/// most visited move.
fn bare_uct<B: Board>(nodes: &mut Vec<Node>, rng: &mut Rng) -> usize {
    nodes.clear();
    nodes.push(Node::default());
    let mut path = Vec::with_capacity(64);
    for _ in 0..SIMULATIONS {
        path.clear();
        path.push(0);
        let (mut board, mut at) = (B::EMPTY, 0);
        let reward = loop {
            if let Some(end) = nodes[at].end {
                break end;
            }
            if nodes[at].children == 0 {
                nodes[at].first = nodes.len();
                nodes[at].children = board.moves();
                nodes.extend((0..board.moves()).map(|_| Node::default()));
            }
            let Node {
                first, children, ..
            } = nodes[at];
            let logarithm = nodes[at].visits.max(1.0).ln();
            let (mut best, mut best_score) = (first, f64::NEG_INFINITY);
            let mut unvisited = 0;
            for (child, node) in nodes[first..first + children].iter().enumerate() {
                if node.visits == 0.0 {
                    unvisited += 1;
                    // Each of the unvisited is as likely.
                    if rng.below(unvisited) == 0 {
                        best = first + child;
                    }
                } else if unvisited == 0 {
                    let score = node.total / node.visits + 1.41 * (logarithm / node.visits).sqrt();
                    if score > best_score {
                        (best, best_score) = (first + child, score);
                    }
                }
            }
            let (next, won) = board.after(best - first);
            board = next;
            at = best;
            path.push(at);
            if won {
                nodes[at].end = Some(1.0);
            } else if board.moves() == 0 {
                nodes[at].end = Some(0.5);
            } else if nodes[at].visits == 0.0 {
                break 1.0 - rollout(board, rng);
            }
        };
        let mut reward = reward;
        for &node in path.iter().rev() {
            nodes[node].visits += 1.0;
            nodes[node].total += reward;
            reward = 1.0 - reward;
        }
    }
    let root = nodes[0];
    let visits = |child: usize| nodes[root.first + child].visits;
    (0..root.children)
        .max_by(|&a, &b| visits(a).total_cmp(&visits(b)))
        .unwrap_or(0)
}

/// The best times of the hand-written loop and of evalctl's, in seconds a run.
fn best_of(mut bare: impl FnMut(&mut Rng), mut own: impl FnMut(u64, &mut Rng)) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for run in 0..RUNS {
        for (which, best) in best.iter_mut().enumerate() {
            let mut rng = Seed::root(run).rng();
            let start = Instant::now();
            if which == 0 {
                bare(&mut rng);
            } else {
                own(run, &mut rng);
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

fn print(name: &str, unit: &str, amount: u32, [bare, own]: [f64; 2]) {
    let rate = |seconds: f64| f64::from(amount) / seconds / 1e6;
    println!(
        "{name:<28} bare loop {:>6.2}  evalctl {:>6.2} M {unit}/s  ratio {:.2}",
        rate(bare),
        rate(own),
        bare / own
    );
}

fn compare<B: Board, G: GameAgents>(name: &str, game: &G) {
    let times = best_of(
        |rng| {
            for _ in 0..PLAYOUTS {
                black_box(rollout(B::EMPTY, rng));
            }
        },
        |_, rng| {
            for _ in 0..PLAYOUTS {
                let mut state = game.deal(rng);
                black_box(game.playout(&mut state, rng, u32::MAX));
                black_box(&state);
            }
        },
    );
    print(&format!("{name}, playouts"), "games", PLAYOUTS, times);

    let mut settings = Settings::named("uct");
    let number = Value::Integer(i64::from(SIMULATIONS));
    settings.values.insert("simulations".to_owned(), number);
    let exploration = Value::Real(1.41);
    settings
        .values
        .insert("exploration".to_owned(), exploration);
    let Ok(Player::Honest(mut player)) = agents::build(game, &settings) else {
        panic!("uct plays {name} and does not cheat");
    };
    let state = game.deal(&mut Seed::root(1).rng());
    let view = game.view(&state, 0);
    let mut legal = Vec::new();
    game.legal_into(&state, &mut legal);
    let mut nodes = Vec::new();
    let times = best_of(
        |rng| {
            black_box(bare_uct::<B>(&mut nodes, rng));
        },
        |run, _| {
            let started = player.start(game, 0, Seed::root(run));
            let _ = black_box(started.and_then(|()| player.choose(game, &view, &legal)));
        },
    );
    print(&format!("{name}, UCT"), "simulations", SIMULATIONS, times);
}

fn main() {
    compare::<Nine, _>("tic-tac-toe", &TicTacToe);
    compare::<Columns, _>("Connect Four", &ConnectFour);
}
