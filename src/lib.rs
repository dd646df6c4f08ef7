//! `evalctl` settles whether one game-playing program beats another.
//!
//! The command is in [`cli`]; everything below it is this library. Imports point down only:
//!
//! ```text
//! cli                      parse -> plan -> run -> exit code; the only code that prints
//! report  plot             read records and statistics; know nothing of games being played
//! analysis                 finished blocks -> cells, claims, diagnostics
//! run                      workers, journal, resume, manifest, verification
//! config  plan             what was typed -> what will be done, every block and seed known
//! table                    one game between agents: the only place where a type-erased game is played
//! agents  external         random, lowest, the MCTS family, solvers; programs as players
//! games                    the Game trait, a file or folder per game
//! stats  rng  numbers      pure functions; depend on nothing else of ours
//! ```
//!
//! # The path of a number
//!
//! 1. [`config::parse`] reads a config; [`config::Config::plan`] expands it into a [`plan::Plan`]:
//!    cells, blocks, claims. A plan is data: equal plans play equal games anywhere.
//! 2. [`plan::CellSeeds`] gives every game its streams, hashed from content: the deal from rules and
//!    block only, an agent's stream from its settings, block, rotation and seat ([`rng`]).
//! 3. [`run::execute`] plays. Workers take blocks from a counter; a [`table::Table`] plays one game;
//!    a single writer appends finished blocks to the journal in the order of the schedule.
//! 4. [`run::finish`] streams the journal into `games.csv` (the private module `games_csv`).
//! 5. [`analysis::Analyzer`] is fed the finished blocks ([`block::PlayedBlock`]) in that order. It
//!    keeps sufficient statistics per cell ([`stats::blocks`]) and gives an
//!    [`analysis::Analysis`]: cells with intervals and tests, verdicts, diagnostics.
//! 6. [`report`] writes it as CSV, terminal table and page; [`plot`] draws it.
//!
//! The same path in a program, without journal and files:
//!
//! ```
//! use evalctl::analysis::Analyzer;
//! use evalctl::block::PlayedBlock;
//! use evalctl::config::{self, Overrides};
//! use evalctl::plan::CellSeeds;
//! use evalctl::table::{self, TableOptions};
//!
//! let config = r#"
//!     name = "example"
//!     seed = 1
//!     games = 40
//!     [game]
//!     name = "tictactoe"
//!     [challenger]
//!     agent = "uct"
//!     simulations = 50
//!     [[opponents]]
//!     agent = "random"
//! "#;
//! let plan = config::plan(config, "example.toml", &Overrides::default())?;
//! let mut analyzer = Analyzer::new(&plan);
//! for cell in &plan.cells {
//!     let players = [cell.challenger.clone(), cell.opponent.clone()];
//!     let mut table = table::build(&cell.game, &players, &TableOptions::default())?;
//!     let seeds = CellSeeds::new(plan.seed, cell);
//!     for block in 0..cell.blocks {
//!         let mut games = Vec::new();
//!         for rotation in 0..cell.rotations {
//!             let seating = table::seating(cell.seats, rotation);
//!             let seeds = seeds.game(block, rotation);
//!             let game = table.play(&seeds, &seating[..cell.seats], None);
//!             games.push(game.map_err(|fault| format!("{fault:?}"))?);
//!         }
//!         analyzer.add(&PlayedBlock { cell: cell.index, block, games });
//!     }
//! }
//! let analysis = analyzer.finish(false)?;
//! let cell = &analysis.cells[0];
//! assert_eq!((cell.games, cell.blocks), (40, 20));
//! assert!(cell.interval.is_some_and(|interval| interval.low > 0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The two hard cuts
//!
//! **What a seat may know.** A [`games::Game`] has a state and a view of it per seat. An
//! [`agents::Agent`] is given a view and samples states from it; only an
//! [`agents::CheatingAgent`], whose name starts with `cheating-`, is given a state.
//!
//! **Static inside, dynamic at the edge.** One `match` over games ([`table::visit`]) and one over
//! agents ([`agents::build`]) turn names into boxed tables and players; below that everything is
//! monomorphised, and a simulation neither allocates nor makes a virtual call.
//!
//! # Adding things
//!
//! Step by step in `docs/architecture.md`; in short:
//!
//! * A game: a file in [`games`] that implements [`games::Game`], a line in [`table::visit`] and in
//!   [`games::specs`]; [`games::conformance::check`] tests its contracts.
//! * A game of one's own, outside of this crate: [`own_game`].
//! * An agent: a file in [`agents`] that implements [`agents::Agent`] with its spec, a line in
//!   [`agents::build`] and in [`agents::specs`].
//! * A statistic: a pure function in [`stats`] and a row in its group of [`stats::batch`].
//! * A chart: its data and scene in [`plot`], and what fills it in [`report::charts`].

pub mod agents;
pub mod analysis;
pub(crate) mod bench;
pub mod block;
pub mod calibrate;
pub mod cli;
pub mod config;
pub mod external;
#[doc(hidden)]
pub mod fuzz;
pub mod games;
pub(crate) mod games_csv;
pub(crate) mod import;
pub(crate) mod move_times;
pub(crate) mod numbers;
pub mod own_game;
pub mod plan;
pub(crate) mod planning;
pub mod plot;
pub mod record;
pub mod report;
pub mod rng;
pub mod run;
pub mod spec;
pub mod stats;
pub mod table;
pub(crate) mod trace;
