//! Measures the figures that independent Durak engines agree on and prints the differences:
//!
//! ```text
//! cargo run --release --example durak_facts            # as many games as the sources
//! cargo run --release --example durak_facts -- 0.1     # a tenth
//! ```
//!
//! Exits with 1 if a figure is off by more than four standard errors.

use std::process::ExitCode;

use evalctl::games::durak::exchange::trump_bias;
use evalctl::games::durak::facts::{Policy, Tally, rows};
use evalctl::games::durak::rules::FirstAttacker;
use evalctl::rng::Seed;

/// How many trumps sampled hands lack because they forget why the first attacker was chosen: the
/// difference to games whose first attacker is drawn by lot.
fn forgotten_start() {
    for policy in [Policy::Uniform, Policy::Lowest] {
        let bias = |first| trump_bias(first, policy, 100_000, &Seed::root(2026));
        let chosen = bias(FirstAttacker::LowestTrump);
        let by_lot = bias(FirstAttacker::Random);
        for (index, holder) in ["first attacker", "other"].into_iter().enumerate() {
            let effects: Vec<String> = (chosen[index].iter().zip(&by_lot[index]))
                .map(|(chosen, lot)| format!("{:+.3}", chosen.bias() - lot.bias()))
                .collect();
            println!(
                "{policy:?}: trumps that exchangeable hands of the {holder} lack, by bout: {}",
                effects.join(" ")
            );
        }
    }
}

fn main() -> ExitCode {
    let scale: f64 = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 1.0,
        Some(Ok(scale)) if scale > 0.0 => scale,
        Some(_) => {
            eprintln!(
                "the argument is the number of games as a factor of the sources', such as 0.1"
            );
            return ExitCode::from(2);
        }
    };
    let mut worst = 0.0_f64;
    println!(
        "{:<38} {:>9}  {:<14} {:>9} {:>9} {:>6}",
        "row", "games", "figure", "expected", "measured", "off"
    );
    for row in rows() {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of games"
        )]
        let games = (row.games as f64 * scale).ceil() as u64;
        let tally = match Tally::play(&row, games, &Seed::root(2026)) {
            Ok(tally) => tally,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        for measured in tally.measured(&row) {
            worst = worst.max(measured.deviation());
            println!(
                "{:<38} {games:>9}  {:<14} {:>9} {:>9.5} {:>6.2}",
                row.name,
                format!("{:?}", measured.figure.quantity),
                measured.figure.value,
                measured.value,
                measured.deviation()
            );
        }
        println!(
            "{:<38} {games:>9}  decisions: 99 % at most {}, longest {}; truncated {}",
            row.name,
            tally.length_quantile(0.99),
            tally.lengths.len().saturating_sub(1),
            tally.truncated
        );
    }
    forgotten_start();
    println!("largest deviation: {worst:.2} standard errors");
    if worst > 4.0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
