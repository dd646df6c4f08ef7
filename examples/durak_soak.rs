//! Plays random games of Durak under random rules and checks every invariant after every action:
//!
//! ```text
//! cargo run --release --example durak_soak -- 10000000
//! ```

use std::process::ExitCode;

use evalctl::games::durak::soak::soak;
use evalctl::rng::Seed;

fn main() -> ExitCode {
    let Some(Ok(games)) = std::env::args().nth(1).map(|text| text.parse::<u64>()) else {
        eprintln!("the argument is the number of games, such as 10000000");
        return ExitCode::from(2);
    };
    let seed = Seed::root(2026);
    let part = 100_000;
    let mut decisions = 0;
    let (mut longest, mut truncated, mut draws, mut hand, mut moves) = (0, 0, 0, 0, 0);
    for first in (0..games).step_by(part) {
        match soak(&seed, first, (games - first).min(part as u64)) {
            Ok(found) => {
                decisions += found.decisions;
                longest = longest.max(found.longest);
                truncated += found.truncated;
                draws += found.draws;
                hand = hand.max(found.largest_hand);
                moves = moves.max(found.most_moves);
            }
            Err(broken) => {
                eprintln!("{broken}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!(
        "{games} games, {decisions} decisions, no broken invariant; longest {longest} decisions, \
         {truncated} cut off, {draws} drawn, largest hand {hand}, most legal moves {moves}"
    );
    ExitCode::SUCCESS
}
