//! Everything that reads what others wrote, given any bytes at all.
//!
//! A [`Target`] reads bytes as one kind of input and must come back without a panic, and without
//! taking more memory than the bytes themselves suggest. Two drivers share these bodies:
//! coverage-guided fuzzing (`fuzz/`, with cargo-fuzz), and the seeded mutation of `tests/fuzz.rs`,
//! which runs on the stable toolchain and measures allocations.

use crate::config;
use crate::external;
use crate::games::Game as _;
use crate::games::durak::{Durak, Move, parse_deck};
use crate::import;
use crate::rng::{Rng, Seed};
use crate::run;
use crate::spec::Settings;

/// A reader, and inputs to start from.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, that of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Reads any bytes.
    ///
    /// # Panics
    /// Where it finds a bug.
    pub body: fn(&[u8]),
    /// Valid inputs.
    pub samples: fn() -> Vec<Vec<u8>>,
}

/// All.
pub const TARGETS: [Target; 9] = [
    Target {
        name: "config",
        body: config::fuzz::body,
        samples: config_samples,
    },
    Target {
        name: "durak",
        body: durak,
        samples: durak_samples,
    },
    Target {
        name: "protocol",
        body: external::fuzz::body,
        samples: || vec![external::fuzz::SAMPLE.to_vec()],
    },
    Target {
        name: "board",
        body: external::fuzz::board_game,
        samples: || vec![external::fuzz::BOARD_SAMPLE.to_vec()],
    },
    Target {
        name: "import",
        body: imported,
        samples: import_samples,
    },
    Target {
        name: "journal",
        body: |bytes| {
            resealed(bytes, |bytes| {
                run::fuzz::journal(bytes);
            });
        },
        samples: || run_samples(0),
    },
    Target {
        name: "shard",
        body: |bytes| {
            resealed(bytes, |bytes| {
                run::fuzz::shard(bytes);
            });
        },
        samples: || run_samples(1),
    },
    Target {
        name: "games",
        body: |bytes| {
            run::fuzz::games_csv(bytes);
        },
        samples: || vec![run_sample(2)],
    },
    Target {
        name: "manifest",
        body: |bytes| {
            run::fuzz::manifest(bytes);
        },
        samples: || vec![run_sample(3)],
    },
];

impl Target {
    /// The target with this name.
    pub fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }
}

fn config_samples() -> Vec<Vec<u8>> {
    config::fuzz::SAMPLES
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect()
}

fn run_sample(index: usize) -> Vec<u8> {
    run::fuzz::samples()
        .ok()
        .and_then(|samples| samples.into_iter().nth(index))
        .unwrap_or_default()
}

/// A file of a run, once to be read as it is and once with new checksums.
fn run_samples(index: usize) -> Vec<Vec<u8>> {
    let sample = run_sample(index);
    [0, 1].map(|first| [&[first], &sample[..]].concat()).into()
}

/// Gives `bytes` without the first to `body`. If the first is odd, the checksums of the rest are
/// made right before, so that not only they are tried.
fn resealed(bytes: &[u8], body: fn(&[u8])) {
    match bytes.split_first() {
        Some((first, rest)) if first % 2 == 1 => body(&run::fuzz::sealed(rest)),
        Some((_, rest)) => body(rest),
        None => {}
    }
}

fn import_samples() -> Vec<Vec<u8>> {
    let plain = b"score,opponent,block\n1,random,a\n0,random,a\n0.5,random,b\n1,random,b\n";
    let full = b"challenger,opponent,block,seat,score,digest,simulations,game\n\
        mcts,random,1,0,1,00ff,100,7\nmcts,random,1,1,0,00fe,100,7\n\
        mcts,\"a, \"\"b\"\"\",1,0,1,1,200,7\nmcts,\"a, \"\"b\"\"\",1,1,0.25,2,200,7\n";
    vec![plain.to_vec(), full.to_vec()]
}

/// Reads `bytes` as results that were played elsewhere; what is taken for some is whole.
fn imported(bytes: &[u8]) {
    let Ok(imported) = import::read(bytes, "fuzz.csv", "fuzz", 0.95) else {
        return;
    };
    let mut games = 0;
    for block in imported.blocks() {
        let Ok(block) = block else {
            return;
        };
        let rotations = imported.plan.cells[block.cell].rotations;
        assert_eq!(block.games.len(), rotations, "games of a block");
        let mut scores = block.games.iter().flat_map(|game| game.scores.as_slice());
        assert!(scores.all(|score| (0.0..=1.0).contains(score)));
        games += block.games.len() as u64;
    }
    assert_eq!(games, imported.games, "games of all blocks");
}

fn durak_samples() -> Vec<Vec<u8>> {
    [
        "durak\n6c 7c 8c 9c Tc Jc Qc Kc Ac\n6c\n8h>6h\ntake\npass\n",
        "durak:players=4,deck=52,transfer=on,throw_in=all\n6d,7d\ntransfer 6d\nshow 6d\n",
        "durak:deck=24,first_attacker=random\n\n0\n0\n0\n0\n0\n",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}

/// The first line is a game with its options, the second a deck; each further one is played as a
/// move if it is one, or else, if it is a number, as the legal move of that number.
fn durak(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split('\n');
    let settings = match config::typed::game(lines.next().unwrap_or_default()) {
        Ok((settings, _)) if settings.name == "durak" => settings,
        _ => Settings::named("durak"),
    };
    let Ok(game) = Durak::from_settings(&settings) else {
        return;
    };
    let deck = parse_deck(lines.next().unwrap_or_default());
    let dealt = deck.map(|deck| game.deal_from_deck(&deck, Some(0)));
    let mut state = match dealt {
        Ok(Ok(state)) => state,
        _ => game.deal(&mut Seed::root(bytes.len() as u64).rng()),
    };
    let mut legal = Vec::new();
    for line in lines {
        let mv = match (Move::parse(line), line.parse::<usize>()) {
            (Ok(mv), _) => {
                let text = mv.to_string();
                assert_eq!(Move::parse(&text), Ok(mv), "`{text}` reads back");
                mv
            }
            (Err(_), Ok(number)) => {
                game.legal_into(&state, &mut legal);
                match legal.get(number % legal.len().max(1)) {
                    Some(&mv) => mv,
                    None => continue,
                }
            }
            _ => continue,
        };
        game.legal_into(&state, &mut legal);
        let is_legal = legal.contains(&mv);
        assert_eq!(game.try_apply(&mut state, mv).is_ok(), is_legal, "{mv}");
    }
}

/// Changes `bytes` in a few random ways: bits flipped, bytes set, parts removed, doubled or moved,
/// numbers made extreme, the end cut off.
pub fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const EXTREME: [&[u8]; 9] = [
        &[0xff; 8],
        &[0; 8],
        &[0xff, 0xff, 0xff, 0x7f],
        b"-1",
        b"18446744073709551616",
        b"1e999",
        b"NaN",
        b"\"",
        b"\n,\n",
    ];
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            bytes.push(0);
        }
        let at = rng.index(bytes.len());
        let length = (1 + rng.index(40)).min(bytes.len() - at);
        match rng.below(8) {
            0 | 1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes[at] = u8::try_from(rng.below(256)).unwrap_or(0),
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..at + length)),
            5 => {
                let part = bytes[at..at + length].to_vec();
                let to = rng.index(bytes.len());
                bytes.splice(to..to, part);
            }
            6 => {
                let extreme = EXTREME[rng.index(EXTREME.len())];
                bytes.splice(at..at + length, extreme.iter().copied());
            }
            _ => {
                let to = rng.index(bytes.len());
                bytes.swap(at, to);
            }
        }
    }
}
