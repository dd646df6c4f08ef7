//! Makes or checks the opening book of `perfect` at Connect Four.
//!
//! ```text
//! cargo run --release --example connect_four_book -- make book.bin 8 9   # deepest even and odd ply
//! cargo run --release --example connect_four_book -- check 20            # every 20th entry
//! ```
//!
//! A book holds the choices at the empty board and after each first move, and after each answer
//! to a choice, up to the deepest plies. `check` solves committed entries again, the late ones
//! first (they are the cheap ones), and exits with 1 if one differs.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use evalctl::agents::perfect::connect_four::book::Book;
use evalctl::agents::perfect::connect_four::choose;
use evalctl::agents::perfect::connect_four::solver::{ORDER, Position, Solver, Table};

/// Slots of the table as a power of two: 512 MB.
const TABLE_BITS: u32 = 26;

/// Positions after the moves in all open columns that do not end the game, by canonical key.
fn after_moves(position: Position, into: &mut BTreeMap<u64, Position>) {
    for column in ORDER {
        if position.is_open(column) && !position.wins_with(column) {
            let next = position.play(column).canonical().0;
            into.insert(next.key(), next);
        }
    }
}

fn make(deepest: [i32; 2]) -> Book {
    let solver = Solver::new(Arc::new(Table::new(TABLE_BITS)));
    let mut columns = BTreeMap::new();
    let mut first = BTreeMap::new();
    after_moves(Position::EMPTY, &mut first);
    for (start, deepest) in [(vec![Position::EMPTY], deepest[0])]
        .into_iter()
        .chain([(first.into_values().collect(), deepest[1])])
    {
        let mut layer: Vec<Position> = start;
        while let Some(ply) = layer.first().map(|p| p.plies()).filter(|&p| p <= deepest) {
            let mut next = BTreeMap::new();
            for &position in &layer {
                let column = choose(&solver, position);
                if position.needs_search() {
                    columns.insert(position.key(), column);
                }
                if !position.wins_with(column) {
                    after_moves(position.play(column), &mut next);
                }
            }
            eprintln!(
                "ply {ply}: {} positions, book {}",
                layer.len(),
                columns.len()
            );
            layer = next.into_values().collect();
        }
    }
    Book::new(&columns)
}

fn check(every: usize) -> ExitCode {
    let solver = Solver::new(Arc::new(Table::new(TABLE_BITS)));
    let mut entries: Vec<(Position, u32)> = Book::committed().entries().collect();
    entries.sort_by_key(|(position, _)| -position.plies());
    let (mut checked, mut wrong) = (0_u32, 0_u32);
    for (position, column) in entries.into_iter().step_by(every) {
        let found = choose(&solver, position);
        checked += 1;
        if found != column {
            wrong += 1;
            println!("{position:?}: {found}, not {column}");
        }
    }
    println!("{checked} entries solved again, {wrong} differ");
    ExitCode::from(u8::from(wrong > 0))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", path, even, odd] => {
            if let (Ok(even), Ok(odd)) = (even.parse(), odd.parse()) {
                return match std::fs::write(path, make([even, odd]).encode()) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(error) => {
                        eprintln!("cannot write {path}: {error}");
                        ExitCode::FAILURE
                    }
                };
            }
        }
        ["check", every] => {
            if let Some(every) = every.parse().ok().filter(|&every| every > 0) {
                return check(every);
            }
        }
        _ => {}
    }
    eprintln!("usage: connect_four_book make FILE EVEN ODD | check EVERY");
    ExitCode::from(2)
}
