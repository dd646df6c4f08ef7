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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use evalctl::agents::perfect::connect_four::book::Book;
use evalctl::agents::perfect::connect_four::choose;
use evalctl::agents::perfect::connect_four::solver::{ORDER, Position, Solver, Table};

/// Slots of the table as a power of two: 512 MB.
const TABLE_BITS: u32 = 26;

/// After so many choices what is known is written and a line is printed.
const KEEP_EVERY: usize = 20;

/// Positions after the moves in all open columns that do not end the game, by canonical key.
fn after_moves(position: Position, into: &mut BTreeMap<u64, Position>) {
    for column in ORDER {
        if position.is_open(column) && !position.wins_with(column) {
            let next = position.play(column).canonical().0;
            into.insert(next.key(), next);
        }
    }
}

/// Chooses in every position of a layer, both threads on one table; a choice that the committed
/// book has is taken from it. `keep` is called with what is known so far now and then, so that hours of
/// work are not lost with the last minute.
fn choose_all(
    layer: &[Position],
    solver: &Solver,
    keep: &(dyn Fn(&BTreeMap<u64, u32>) + Sync),
) -> BTreeMap<u64, u32> {
    let next = AtomicUsize::new(0);
    let chosen = Mutex::new(BTreeMap::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&position) = layer.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let column = Book::committed()
                        .column(position)
                        .unwrap_or_else(|| choose(solver, position));
                    let mut chosen = chosen.lock().unwrap_or_else(PoisonError::into_inner);
                    chosen.insert(position.key(), column);
                    if chosen.len() % KEEP_EVERY == 0 {
                        eprintln!("  {} of {}", chosen.len(), layer.len());
                        keep(&chosen);
                    }
                }
            });
        }
    });
    chosen.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the book to `path` as it grows.
fn make(path: &str, deepest: [i32; 2]) -> std::io::Result<()> {
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
            let with = |chosen: &BTreeMap<u64, u32>| {
                let mut all: BTreeMap<u64, u32> = columns.clone();
                let searched = chosen.iter().map(|(&key, &column)| (key, column));
                all.extend(searched.filter(|&(key, _)| Position::from_key(key).needs_search()));
                all
            };
            let keep = |chosen: &BTreeMap<u64, u32>| {
                if let Err(error) = std::fs::write(path, Book::new(&with(chosen)).encode()) {
                    eprintln!("cannot write {path}: {error}");
                }
            };
            let chosen = choose_all(&layer, &solver, &keep);
            let mut next = BTreeMap::new();
            for &position in &layer {
                let column = chosen[&position.key()];
                if !position.wins_with(column) {
                    after_moves(position.play(column), &mut next);
                }
            }
            columns = with(&chosen);
            eprintln!(
                "ply {ply}: {} positions, book {}",
                layer.len(),
                columns.len()
            );
            layer = next.into_values().collect();
        }
    }
    std::fs::write(path, Book::new(&columns).encode())
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
                return match make(path, [even, odd]) {
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
