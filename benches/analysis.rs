//! The analysis of a cell of a million games: tallying its blocks, and the numbers made from them.
//!
//! `cargo bench --bench analysis`

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use evalctl::analysis::Analyzer;
use evalctl::block::PlayedBlock;
use evalctl::config::{self, Overrides};
use evalctl::games::{Places, Scores};
use evalctl::record::{End, GameRecord};
use evalctl::rng::{Rng, Seed};

const BLOCKS: u64 = 500_000;

const CONFIG: &str = r#"
name = "million"
seed = 1
games = 1000000
[game]
name = "durak"
[challenger]
agent = "lowest"
[[opponents]]
agent = "random"
[[claims]]
name = "better"
kind = "better"
opponent = "random"
"#;

/// A game that the challenger, in `seat`, wins in three of five cases.
fn game(seat: usize, rng: &mut Rng) -> GameRecord {
    let score = if rng.below(5) < 3 { 1.0 } else { 0.0 };
    GameRecord {
        scores: Scores::all(2, 1.0 - score).with(seat, score),
        places: Places::default(),
        first_seat: rng.index(2),
        end: End::Normal,
        fault_seat: None,
        decisions: 80,
        digest: rng.next_u64(),
        nanos: Default::default(),
        choices: Default::default(),
    }
}

fn million(criterion: &mut Criterion) {
    let plan = config::plan(CONFIG, "million.toml", &Overrides::default()).expect("a plan");
    let mut rng = Seed::root(1).rng();
    let blocks: Vec<PlayedBlock> = (0..BLOCKS)
        .map(|block| PlayedBlock {
            cell: 0,
            block,
            games: (0..2).map(|seat| game(seat, &mut rng)).collect(),
        })
        .collect();
    let tallied = || {
        let mut analyzer = Analyzer::new(&plan);
        for block in &blocks {
            analyzer.add(block);
        }
        analyzer
    };
    let mut group = criterion.benchmark_group("cell of 1,000,000 games");
    group.sample_size(10);
    group.bench_function("tally and analyse", |bench| {
        bench.iter(|| black_box(tallied().finish(false)));
    });
    group.bench_function("analyse", |bench| {
        bench.iter_with_setup(tallied, |analyzer| black_box(analyzer.finish(false)));
    });
    group.finish();
}

criterion_group!(benches, million);
criterion_main!(benches);
