//! What this machine does in a second: the figures of `evalctl bench`.
//!
//! Every figure is the median of several short repeats, so that a disturbed one does not count.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::agents::{self, BuildError, GameAgents, Player};
use crate::external::{self, Dialect, Sandbox};
use crate::games::Game;
use crate::plan::{Cell, Phase, Plan, SeatMode, StopRule};
use crate::rng::Seed;
use crate::run::{self, RunError, RunOptions};
use crate::spec::{Settings, Value};
use crate::table::{self, Visitor};

/// A measured figure.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Figure {
    /// Name, such as `playout/durak`.
    pub name: String,
    /// Unit, such as `games/s`.
    pub unit: &'static str,
    /// Value.
    pub value: f64,
    /// Threads that worked.
    pub threads: usize,
}

/// Why a figure could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A game or agent could not be built.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// The small sweep failed.
    #[error("{0}")]
    Run(#[from] RunError),
    /// No temporary folder.
    #[error("cannot make a temporary folder: {0}")]
    Scratch(std::io::Error),
}

/// Repeats of a figure.
const REPEATS: usize = 5;
/// Length of a repeat.
const REPEAT: Duration = Duration::from_millis(100);
/// Turns in which sweep and bare loop are measured.
const TURNS: usize = 3;
/// Blocks of the measured sweep: about half a second on one core.
const SWEEP_BLOCKS: u64 = 300;
/// Positions in which Durak is searched.
const POSITIONS: u64 = 200;
/// Exploration of the searches.
const EXPLORATION: f64 = 1.41;

/// All figures whose name passes `wanted`, in the order in which they are shown.
///
/// # Errors
/// If something cannot be built or the small sweep fails.
pub fn measure(wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Figure>, BenchError> {
    let mut figures = Vec::new();
    let mut add = |name: &str, unit, value: &dyn Fn() -> Result<f64, BenchError>, threads| {
        if wanted(name) {
            figures.push(Figure {
                name: name.to_owned(),
                unit,
                value: value()?,
                threads,
            });
        }
        Ok::<(), BenchError>(())
    };
    for game in ["tictactoe", "connect-four", "durak"] {
        add(&format!("playout/{game}"), "games/s", &|| playouts(game), 1)?;
    }
    for (game, agent) in [
        ("tictactoe", "uct"),
        ("connect-four", "uct"),
        ("durak", "ismcts"),
    ] {
        let name = format!("search/{game}/{agent}:1000");
        add(&name, "simulations/s", &|| search(game, agent, 1000), 1)?;
    }
    for game in ["tictactoe", "connect-four"] {
        let name = format!("match/{game}/uct:1000-v-random");
        add(&name, "games/s", &|| games(game, "uct", 1000), 1)?;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    add("bot/round-trips", "questions/s", &|| round_trips(1), 1)?;
    if cores > 1 {
        add(
            "bot/round-trips-at-once",
            "questions/s",
            &|| round_trips(cores),
            cores,
        )?;
    }
    let names = ["sweep/efficiency", "sweep/of-bare-loop"];
    if names.iter().any(|name| wanted(name)) {
        let scaling = Scaling::measure(cores)?;
        add(names[0], "speed-up per core", &|| Ok(scaling.sweep), cores)?;
        add(
            names[1],
            "share of the bare loop's speed-up",
            &|| Ok(scaling.of_bare),
            cores,
        )?;
    }
    Ok(figures)
}

/// The median of what `repeat` gives for one short repeat.
fn median(mut repeat: impl FnMut() -> f64) -> f64 {
    let mut values: Vec<f64> = (0..REPEATS).map(|_| repeat()).collect();
    values.sort_by(f64::total_cmp);
    values[REPEATS / 2]
}

/// How often `work` runs per second, over one repeat; it returns how much it did.
fn per_second(mut work: impl FnMut() -> u64) -> f64 {
    let started = Instant::now();
    let mut done = 0;
    loop {
        done += work();
        let elapsed = started.elapsed();
        if elapsed >= REPEAT {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            return done as f64 / elapsed.as_secs_f64();
        }
    }
}

fn playouts(name: &str) -> Result<f64, BenchError> {
    struct Playouts;
    impl Visitor for Playouts {
        type Output = f64;
        fn visit<G: GameAgents>(self, game: G) -> Result<f64, BuildError> {
            let mut rng = Seed::root(1).derive("bench", &[]).rng();
            Ok(median(|| {
                per_second(|| {
                    for _ in 0..200 {
                        let mut state = game.deal(&mut rng);
                        black_box(game.playout(&mut state, &mut rng, u32::MAX));
                        black_box(&state);
                    }
                    200
                })
            }))
        }
    }
    Ok(table::visit(&Settings::named(name), Playouts)?)
}

fn searcher(agent: &str, simulations: i64) -> Settings {
    let mut settings = Settings::named(agent);
    settings
        .values
        .insert("simulations".to_owned(), Value::Integer(simulations));
    settings
        .values
        .insert("exploration".to_owned(), Value::Real(EXPLORATION));
    settings
}

fn search(game: &str, agent: &str, simulations: i64) -> Result<f64, BenchError> {
    struct Search(Settings, u64);
    impl Visitor for Search {
        type Output = f64;
        fn visit<G: GameAgents>(self, game: G) -> Result<f64, BuildError> {
            let mut player = agents::build(&game, &self.0)?;
            let positions = positions(&game);
            let mut next = 0;
            Ok(median(|| {
                per_second(|| {
                    let (state, legal) = &positions[next % positions.len()];
                    next += 1;
                    let seat = game.to_move(state).unwrap_or(0);
                    let seed = Seed::root(next as u64);
                    let chosen = match &mut player {
                        Player::Honest(agent) => agent
                            .start(&game, seat, seed)
                            .and_then(|()| agent.choose(&game, &game.view(state, seat), legal)),
                        Player::Cheating(agent) => agent
                            .start(&game, seat, seed)
                            .and_then(|()| agent.choose(&game, state, legal)),
                    };
                    black_box(chosen).map_or(0, |_| self.1)
                })
            }))
        }
    }
    let simulations_done = u64::try_from(simulations).unwrap_or(0);
    let visitor = Search(searcher(agent, simulations), simulations_done);
    Ok(table::visit(&Settings::named(game), visitor)?)
}

/// The root for games without hidden information, else positions from the middle of random games
/// in which there is a choice.
fn positions<G: Game>(game: &G) -> Vec<(G::State, Vec<G::Move>)> {
    let root = Seed::root(2).derive("bench positions", &[]);
    let mut found = Vec::new();
    let mut legal = Vec::new();
    if !game.info().hidden_information {
        let state = game.deal(&mut root.rng());
        game.legal_into(&state, &mut legal);
        return vec![(state, legal)];
    }
    for number in 0..POSITIONS {
        let mut rng = root.indexed([number, 0, 0]).rng();
        let start = game.deal(&mut rng);
        let length = game.playout(&mut start.clone(), &mut rng.clone(), u32::MAX);
        let mut state = start;
        // The middle third of the game, at the next place with a choice.
        let least = length / 3 + rng.below(length / 3 + 1);
        let mut ply = 0;
        while game.to_move(&state).is_some() {
            game.legal_into(&state, &mut legal);
            if ply >= least && legal.len() > 1 {
                found.push((state.clone(), legal.clone()));
                break;
            }
            let mv = game.random_move(&state, &mut rng);
            game.apply(&mut state, mv);
            ply += 1;
        }
    }
    found
}

fn cell(game: &str, agent: Settings, blocks: u64) -> Result<Cell, BenchError> {
    let game = Settings::named(game);
    let info = table::game_info(&game)?;
    Ok(Cell {
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
    })
}

fn games(game: &str, agent: &str, simulations: i64) -> Result<f64, BenchError> {
    let cell = cell(game, searcher(agent, simulations), 1)?;
    let players = [cell.challenger.clone(), cell.opponent.clone()];
    let mut table = table::build(&cell.game, &players, &table::TableOptions::default())?;
    let seeds = crate::plan::CellSeeds::new(1, &cell);
    let mut block = 0;
    Ok(median(|| {
        per_second(|| {
            block += 1;
            (0..cell.rotations)
                .filter(|&rotation| {
                    let seating = table::seating(cell.seats, rotation);
                    black_box(table.play(&seeds.game(block, rotation), &seating, None)).is_ok()
                })
                .count() as u64
        })
    }))
}

/// Questions asked of an instant bot and answered, per second.
fn round_trips(at_once: usize) -> Result<f64, BenchError> {
    let time = Duration::from_millis(700);
    let measured = external::bench::round_trips(Dialect::Text, at_once, time, &Sandbox::default());
    measured
        .map(|trips| trips.per_second)
        .map_err(|fault| BenchError::Build(BuildError::new(fault.to_string())))
}

/// What more cores bring.
struct Scaling {
    /// Speed-up of a whole sweep on all cores divided by the cores.
    sweep: f64,
    /// That of the sweep divided by that of a bare loop over the same games, which shares nothing
    /// between threads and writes nothing: what the machine gives at most.
    of_bare: f64,
}

impl Scaling {
    /// Measures sweep and loop, with one thread and with all, in turn, and takes medians over the
    /// turns: what else the machine does then meets all four alike.
    fn measure(cores: usize) -> Result<Self, BenchError> {
        let plan = Plan {
            name: "bench".to_owned(),
            seed: 1,
            confidence: 0.95,
            seats: SeatMode::Rotate,
            games_asked: 2 * SWEEP_BLOCKS,
            opening_plies: 0,
            axes: Vec::new(),
            cells: vec![cell("durak", searcher("ismcts", 100), SWEEP_BLOCKS)?],
            claims: Vec::new(),
            stop: StopRule::Fixed,
            resolved: String::new(),
        };
        let cell = &plan.cells[0];
        let (mut sweeps, mut shares) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let sweep = sweep_seconds(&plan, 1)? / sweep_seconds(&plan, cores)?;
            let bare = bare_seconds(cell, 1)? / bare_seconds(cell, cores)?;
            #[expect(clippy::cast_precision_loss, reason = "a number of cores")]
            sweeps.push(sweep / cores as f64);
            shares.push(sweep / bare);
        }
        sweeps.sort_by(f64::total_cmp);
        shares.sort_by(f64::total_cmp);
        Ok(Self {
            sweep: sweeps[TURNS / 2],
            of_bare: shares[TURNS / 2],
        })
    }
}

/// Seconds of a whole sweep, files and all.
fn sweep_seconds(plan: &Plan, jobs: usize) -> Result<f64, BenchError> {
    let dir = tempfile::tempdir().map_err(BenchError::Scratch)?;
    let mut options = RunOptions::new(dir.path());
    options.jobs = jobs;
    let started = Instant::now();
    run::execute(plan, &options, &mut run::Silent)?;
    Ok(started.elapsed().as_secs_f64())
}

/// Seconds of a bare loop over a cell's games on `threads` threads, which take blocks in turn.
fn bare_seconds(cell: &Cell, threads: usize) -> Result<f64, BenchError> {
    let players = [cell.challenger.clone(), cell.opponent.clone()];
    let seeds = crate::plan::CellSeeds::new(1, cell);
    let next = AtomicU64::new(0);
    let play = || -> Result<(), BuildError> {
        let mut table = table::build(&cell.game, &players, &table::TableOptions::default())?;
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= cell.blocks {
                return Ok(());
            }
            for rotation in 0..cell.rotations {
                let seating = table::seating(cell.seats, rotation);
                let _ = black_box(table.play(&seeds.game(block, rotation), &seating, None));
            }
        }
    };
    let started = Instant::now();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(play)).collect();
        (workers.into_iter())
            .map(|worker| worker.join().unwrap_or(Ok(())))
            .collect::<Result<Vec<()>, BuildError>>()
    })?;
    Ok(started.elapsed().as_secs_f64())
}
