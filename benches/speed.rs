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
use evalctl::rng::{Rng, Seed};
use evalctl::spec::{Settings, Value};

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

fn searches(criterion: &mut Criterion) {
    fn game<G: GameAgents>(criterion: &mut Criterion, name: &str, game: &G, agent: &str) {
        let mut settings = Settings::named(agent);
        settings
            .values
            .insert("simulations".to_owned(), Value::Integer(1000));
        settings
            .values
            .insert("exploration".to_owned(), Value::Real(1.41));
        let Ok(Player::Honest(mut player)) = agents::build(game, &settings) else {
            panic!("{agent} plays {name} and does not cheat");
        };
        let state = game.deal(&mut stream(name));
        let seat = game.to_move(&state).unwrap_or(0);
        let mut legal = Vec::new();
        game.legal_into(&state, &mut legal);
        let view = game.view(&state, seat);
        let mut number = 0;
        let mut group = criterion.benchmark_group("search");
        group.throughput(Throughput::Elements(1000));
        group.bench_function(format!("{name}/{agent}:1000"), |bencher| {
            bencher.iter(|| {
                number += 1;
                let started = player.start(game, seat, Seed::root(number));
                black_box(started.and_then(|()| player.choose(game, &view, &legal)))
            });
        });
        group.finish();
    }
    game(criterion, "tictactoe", &TicTacToe, "uct");
    game(criterion, "connect-four", &ConnectFour, "uct");
    game(criterion, "durak", &Durak::default(), "ismcts");
}

criterion_group!(benches, playouts, searches);
criterion_main!(benches);
