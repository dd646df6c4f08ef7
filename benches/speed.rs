//! Speeds of playouts, searches and matches, beside a bare loop without traits.
//!
//! `cargo bench --bench speed`. `evalctl bench` gives the same figures in ten seconds; this is
//! for comparing two versions of the code.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evalctl::agents::{self, GameAgents, Player};
use evalctl::games::Game;
use evalctl::games::connect_four::ConnectFour;
use evalctl::games::durak::Durak;
use evalctl::games::tictactoe::TicTacToe;
use evalctl::plan::{Cell, CellSeeds, Phase, Plan, SeatMode, StopRule};
use evalctl::rng::{Rng, Seed};
use evalctl::run::{self, RunOptions};
use evalctl::spec::{Settings, Value};
use evalctl::table::{self, TableOptions};

fn stream(name: &str) -> Rng {
    Seed::root(1).derive("bench", &[name.as_bytes()]).rng()
}

/// Uniform tic-tac-toe on two masks: what a hand-written loop reaches.
fn bare_tictactoe(rng: &mut Rng) -> u32 {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut marks = [0_u16; 2];
    for ply in 0..9_u32 {
        let mut empty = 0x1ff & !(marks[0] | marks[1]);
        for _ in 0..rng.below(9 - ply) {
            empty &= empty - 1;
        }
        let mine = &mut marks[(ply & 1) as usize];
        *mine |= empty & empty.wrapping_neg();
        if LINES.iter().any(|line| *mine & line == *line) {
            return ply + 1;
        }
    }
    9
}

fn playouts(criterion: &mut Criterion) {
    fn game<G: Game>(criterion: &mut Criterion, name: &str, game: &G) {
        let mut rng = stream(name);
        let mut group = criterion.benchmark_group("playout");
        group.throughput(Throughput::Elements(1));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut state = game.deal(&mut rng);
                black_box(game.playout(&mut state, &mut rng, u32::MAX))
            });
        });
        group.finish();
    }
    game(criterion, "tictactoe", &TicTacToe);
    game(criterion, "connect-four", &ConnectFour);
    game(criterion, "durak", &Durak::default());
    let mut rng = stream("bare");
    let mut group = criterion.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    group.bench_function("tictactoe, bare loop", |bencher| {
        bencher.iter(|| black_box(bare_tictactoe(&mut rng)));
    });
    group.finish();
}

/// The searcher of all figures: 1,000 simulations, exploration 1.41.
fn searcher(agent: &str, simulations: i64) -> Settings {
    let mut settings = Settings::named(agent);
    let mut set = |key: &str, value| settings.values.insert(key.to_owned(), value);
    set("simulations", Value::Integer(simulations));
    set("exploration", Value::Real(1.41));
    settings
}

/// The empty board, or in a game with hidden information positions with a choice from random games.
fn positions<G: Game>(game: &G, name: &str) -> Vec<(G::State, Vec<G::Move>)> {
    let mut rng = stream(name);
    let mut legal = Vec::new();
    if !game.info().hidden_information {
        let state = game.deal(&mut rng);
        game.legal_into(&state, &mut legal);
        return vec![(state, legal)];
    }
    let mut found = Vec::new();
    while found.len() < 50 {
        let mut state = game.deal(&mut rng);
        let plies = 10 + rng.below(30);
        game.playout(&mut state, &mut rng, plies);
        if game.to_move(&state).is_some() {
            game.legal_into(&state, &mut legal);
            if legal.len() > 1 {
                found.push((state, legal.clone()));
            }
        }
    }
    found
}

fn searches(criterion: &mut Criterion) {
    fn game<G: GameAgents>(criterion: &mut Criterion, name: &str, game: &G, agent: &str) {
        let Ok(Player::Honest(mut player)) = agents::build(game, &searcher(agent, 1000)) else {
            panic!("{agent} plays {name} and does not cheat");
        };
        let positions = positions(game, name);
        let mut number = 0;
        let mut group = criterion.benchmark_group("search");
        group.throughput(Throughput::Elements(1000));
        group.bench_function(format!("{name}/{agent}:1000"), |bencher| {
            bencher.iter(|| {
                let (state, legal) = &positions[number % positions.len()];
                number += 1;
                let seat = game.to_move(state).unwrap_or(0);
                let started = player.start(game, seat, Seed::root(number as u64));
                black_box(
                    started.and_then(|()| player.choose(game, &game.view(state, seat), legal)),
                )
            });
        });
        group.finish();
    }
    game(criterion, "tictactoe", &TicTacToe, "uct");
    game(criterion, "connect-four", &ConnectFour, "uct");
    game(criterion, "durak", &Durak::default(), "ismcts");
}

fn cell(game: &str, agent: Settings, blocks: u64) -> Cell {
    let game = Settings::named(game);
    let info = table::game_info(&game).expect("a game with its defaults");
    Cell {
        index: 0,
        label: agent.name.clone(),
        challenger: agent,
        opponent: Settings::named("random"),
        opponent_label: "random".to_owned(),
        game,
        axes: Vec::new(),
        phase: Phase::Main,
        first_block: 0,
        blocks,
        rotations: info.seats,
        seats: info.seats,
        fair_share: info.fair_share,
    }
}

fn matches(criterion: &mut Criterion) {
    for game in ["tictactoe", "connect-four"] {
        let cell = cell(game, searcher("uct", 1000), 1);
        let players = [cell.challenger.clone(), cell.opponent.clone()];
        let mut table = table::build(&cell.game, &players, &TableOptions::default())
            .expect("players with their defaults");
        let seeds = CellSeeds::new(1, &cell);
        let mut block = 0;
        let mut group = criterion.benchmark_group("match");
        group.throughput(Throughput::Elements(2));
        group.bench_function(format!("{game}/uct:1000-v-random"), |bencher| {
            bencher.iter(|| {
                block += 1;
                for rotation in 0..2 {
                    let seating = table::seating(2, rotation);
                    let _ = black_box(table.play(&seeds.game(block, rotation), &seating, None));
                }
            });
        });
        group.finish();
    }
}

/// A whole sweep, files and all, on one thread and on all.
fn sweeps(criterion: &mut Criterion) {
    const BLOCKS: u64 = 200;
    let plan = Plan {
        name: "bench".to_owned(),
        seed: 1,
        confidence: 0.95,
        seats: SeatMode::Rotate,
        games_asked: 2 * BLOCKS,
        opening_plies: 0,
        axes: Vec::new(),
        cells: vec![cell("durak", searcher("ismcts", 100), BLOCKS)],
        claims: Vec::new(),
        stop: StopRule::Fixed,
        resolved: String::new(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut group = criterion.benchmark_group("sweep");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(2 * BLOCKS));
    for jobs in [1, cores] {
        group.bench_function(
            format!("durak/ismcts:100-v-random, {jobs} threads"),
            |bencher| {
                bencher.iter(|| {
                    let dir = tempfile::tempdir().expect("a temporary folder");
                    let mut options = RunOptions::new(dir.path());
                    options.jobs = jobs;
                    run::execute(&plan, &options, &mut run::Silent).expect("a small sweep");
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, playouts, searches, matches, sweeps);
criterion_main!(benches);
