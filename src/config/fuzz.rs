//! Any bytes as a config or an argument: nothing may panic or take memory without bound, and what
//! is accepted must resolve to a config that means the same.
//!
//! [`body`] is driven by cargo-fuzz and by the seeded mutator in the tests, which runs on the
//! stable toolchain.

use super::{Overrides, document, plan, tournament, typed};
use crate::rng::Rng;
use crate::spec::Settings;

/// Grids beyond this are only read, not expanded: the fuzzer would spend its time on them.
const SMALL_GRID: usize = 60;

/// Reads `bytes`, up to the first NUL as a config; what follows are arguments separated by NUL,
/// each taken as a `--set`, an agent and a game in turn.
///
/// # Panics
/// If a config that was accepted does not resolve to a text with the same plan: a bug.
pub fn body(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split('\0');
    let config = parts.next().unwrap_or_default();
    let mut overrides = Overrides::default();
    for (index, argument) in parts.take(9).enumerate() {
        match index % 3 {
            0 => overrides.set.push(argument.to_owned()),
            1 => drop(typed::agent(argument, &Settings::named("durak"))),
            _ => drop(typed::game(argument)),
        }
    }
    if !is_small(config, &overrides) {
        return;
    }
    if let Ok(first) = plan(config, "fuzz.toml", &overrides) {
        match plan(&first.resolved, "resolved", &Overrides::default()) {
            Ok(again) => assert!(again == first, "not the same plan:\n{}", first.resolved),
            Err(error) => panic!("{error}\n{}", first.resolved),
        }
    }
}

/// Whether the config is wrong, or small enough to be expanded.
fn is_small(text: &str, overrides: &Overrides) -> bool {
    let is_tournament = document::parse(text, "")
        .is_ok_and(|entries| entries.iter().any(|entry| entry.key == "players"));
    let size = if is_tournament {
        tournament::parse(text, "fuzz.toml", overrides).map(|config| config.size())
    } else {
        super::parse(text, "fuzz.toml", overrides).map(|config| config.size())
    };
    size.is_ok_and(|size| size.is_none_or(|size| size > super::MAX_CELLS || size <= SMALL_GRID))
}

/// Valid inputs, where mutation starts from.
pub const SAMPLES: [&str; 3] = [
    include_str!("../../configs/durak.toml"),
    "games = 3\n[game]\nname = \"durak\"\ndeck = [24, 36]\n[challenger]\nagent = \"ismcts\"\n\
     simulations = [10, 20]\nfinal = \"value\"\n[[opponents]]\nagent = \"random\"\n\
     [[opponents]]\nagent = \"ismcts\"\nsimulations = { challenger = 0.5 }\n\
     \0challenger.simulations=[1,2]\0ismcts:simulations=3\0durak:players=3",
    "games = 3\nformat = \"gauntlet\"\n[game]\nname = \"tictactoe\"\n[[players]]\n\
     agent = \"uct\"\nsimulations = [1, 2]\n[[players]]\nagent = \"random\"\nlabel = \"r\"\n",
];

/// Words that configs are made of; mutations put them where they do not belong.
const WORDS: [&str; 40] = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\"",
    "'''",
    "\n",
    "#",
    "\0",
    "-1",
    "0",
    "nan",
    "-inf",
    "1e400",
    "99999999999999999999999999999999999999999",
    "0x_f",
    "1979-05-27",
    "true",
    "\u{feff}",
    "é",
    "[game]\n",
    "[challenger]\n",
    "[[challengers]]\n",
    "[[opponents]]\n",
    "[[claims]]\n",
    "[[players]]\n",
    "[stop]\n",
    "where = { simulations = 10 }\n",
    "simulations = [1, 2]\n",
    "simulations = { challenger = 2 }\n",
    "agent = \"exec:true\"\n",
    "kind = \"best\"\n",
    "rule = \"sprt\"\nelo1 = 5\n",
    "label = \"x\"\n",
    "against = [\"random\"]\n",
];

/// A seeded mutation of `input`: bytes changed, pieces moved, doubled and cut, words put in.
pub fn mutated(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.index(4) {
        let at = rng.index(bytes.len() + 1);
        let end = (at + rng.index(40)).min(bytes.len());
        match rng.index(6) {
            0 if at < bytes.len() => bytes[at] = rng.next_u64().to_le_bytes()[0],
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.index(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            3 => {
                let line_end = |from: usize| {
                    bytes[from..]
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .map_or(bytes.len(), |length| from + length + 1)
                };
                let start = line_end(at);
                let line = bytes[start..line_end(start)].to_vec();
                let to = line_end(rng.index(bytes.len() + 1));
                bytes.splice(to..to, line);
            }
            _ => {
                let word = WORDS[rng.index(WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn mutated_configs_never_panic_and_resolve_to_the_same_plan() {
        let mut rng = Seed::root(1).rng();
        for round in 0..3_000 {
            let mut input = SAMPLES[round % SAMPLES.len()].as_bytes().to_vec();
            for _ in 0..=rng.index(3) {
                input = mutated(&input, &mut rng);
            }
            body(&input);
        }
    }

    #[test]
    fn the_seeds_themselves_are_plans() {
        for seed in SAMPLES {
            let text = seed.split('\0').next().unwrap();
            assert!(plan(text, "seed", &Overrides::default()).is_ok());
            body(seed.as_bytes());
        }
    }
}
