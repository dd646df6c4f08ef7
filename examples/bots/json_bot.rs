//! A player for evalctl in Rust, json dialect: any game, and a little sense in tic-tac-toe.
//!
//! ```text
//! rustc -O -o json_bot examples/bots/json_bot.rs
//! evalctl match exec:./json_bot random --game tictactoe
//! ```
//!
//! It looks for the few keys it needs instead of reading JSON in full; messages are one a line and
//! the harness writes them without spaces. A longer program would use `serde_json`.

use std::io::{self, BufRead as _, Write as _};

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// Whether `mark` in `cell` makes a line of three.
fn completes(board: &[u8], cell: usize, mark: u8) -> bool {
    let full = |line: &[usize; 3]| line.iter().all(|&c| c == cell || board[c] == mark);
    LINES.iter().any(|line| line.contains(&cell) && full(line))
}

/// Win, else block, else the centre, else a corner, else the first legal move.
fn choose<'a>(legal: &[&'a str], board: Option<&str>, mark: Option<&str>) -> &'a str {
    let (Some(board), Some(mark)) = (board.filter(|b| b.len() == 9), mark) else {
        return legal[0];
    };
    let marks = if mark == "o" { [b'o', b'x'] } else { [b'x', b'o'] };
    let cell_of = |mv: &str| {
        let digits: Vec<usize> = mv.bytes().map(|b| usize::from(b.wrapping_sub(b'0'))).collect();
        3 * digits[0] + digits[2]
    };
    for who in marks {
        if let Some(mv) = legal.iter().find(|mv| completes(board.as_bytes(), cell_of(mv), who)) {
            return mv;
        }
    }
    for wanted in [4, 0, 2, 6, 8] {
        if let Some(mv) = legal.iter().find(|mv| cell_of(mv) == wanted) {
            return mv;
        }
    }
    legal[0]
}

/// What stands between `key` and `end`.
fn between<'a>(line: &'a str, key: &str, end: char) -> Option<&'a str> {
    line.split_once(key)?.1.split(end).next()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.contains(r#""type":"hello""#) {
            writeln!(out, r#"{{"type":"ready","name":"json-bot","version":"rs"}}"#)?;
        } else if line.contains(r#""type":"act""#) {
            let id = between(&line, r#""id":"#, ',').unwrap_or("0");
            let list = between(&line, r#""legal":["#, ']').unwrap_or("");
            let legal: Vec<&str> = list.split(',').map(|mv| mv.trim_matches('"')).collect();
            let (board, mark) = (
                between(&line, r#""board":""#, '"'),
                between(&line, r#""mark":""#, '"'),
            );
            let mv = choose(&legal, board, mark);
            writeln!(out, r#"{{"id":{id},"move":"{mv}"}}"#)?;
        } else if line.contains(r#""type":"quit""#) {
            break;
        }
        // "start", "event" and "end" need no answer.
        out.flush()?;
    }
    Ok(())
}
