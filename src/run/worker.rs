//! A worker: plays batches of blocks and turns them into journal chunks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use crate::agents::{BuildError, Fault};
use crate::external::{self, Host};
use crate::games::MAX_SEATS;
use crate::move_times::MoveTimes;
use crate::plan::{Cell, CellSeeds, Plan};
use crate::record::GameRecord;
use crate::table::{self, Table, TableOptions};

use super::RunError;
use super::dispenser::{Batch, Dispenser};
use super::journal::chunk::ChunkBuilder;
use super::journal::codec::Shape;
use super::ledger::Tally;
use super::logs::Logs;
use super::schedule::Range;
use super::times::Times;

/// Games of cells whose blocks take at least this long are all timed; of faster ones the first
/// block of each batch, or reading the clock would take longer than playing.
const TIMED_NANOS: f64 = 100e3;

/// Makes the table of a cell; the flag abandons the game in flight.
pub(crate) type MakeTable = dyn Fn(&Plan, &Cell, &Host, Arc<AtomicBool>) -> Result<Box<dyn Table>, BuildError>
    + Send
    + Sync;

/// What all workers of a run share.
pub(crate) struct Shared {
    pub plan: Arc<Plan>,
    pub dispenser: Dispenser,
    /// How programs are run.
    pub host: Host,
    pub make_table: Arc<MakeTable>,
    /// Whether blocks are recorded.
    pub record: bool,
    /// What programs write.
    pub logs: Arc<Logs>,
    /// Seed of the journal's checksums.
    pub checksum_seed: u32,
    /// Abandons the games in flight.
    pub halt: Arc<AtomicBool>,
    /// Cells that a stopping rule has ended: the rest of their batches is not needed.
    pub decided: Vec<AtomicBool>,
    /// Whether the times of single moves are kept everywhere, not only where programs play.
    pub move_times: bool,
}

/// A played batch.
pub(crate) struct Played {
    pub turn: u64,
    pub range: Range,
    /// A chunk of the journal.
    pub chunk: Vec<u8>,
    pub tally: Tally,
    pub times: Times,
    /// Of the challenger and of its opponents; empty where nobody asked.
    pub move_times: [MoveTimes; 2],
    pub nanos: u64,
    /// What the report must say about players, with the block from which on.
    pub notices: Vec<(u64, String)>,
}

/// What a worker tells.
pub(crate) enum Report {
    Played(Box<Played>),
    /// Its batch was no longer needed.
    Dropped(Batch),
    /// The run cannot go on.
    Failed(Box<RunError>),
    /// It will tell nothing more.
    Left,
}

/// The table of the cell that a worker is at: built once, and with it the programs that play.
struct Seat {
    cell: usize,
    table: Box<dyn Table>,
    seeds: CellSeeds,
    seatings: Vec<[usize; MAX_SEATS]>,
    shape: Shape,
    has_programs: bool,
    /// Bytes of the last chunk.
    chunk: usize,
    /// Whose notices were passed on.
    noted: [bool; MAX_SEATS],
}

impl Seat {
    fn at(shared: &Shared, index: usize) -> Result<Self, RunError> {
        let plan = &shared.plan;
        let cell = &plan.cells[index];
        let has_programs = [&cell.challenger, &cell.opponent]
            .iter()
            .any(|player| player.name == external::SPEC.name);
        let mut table = (shared.make_table)(plan, cell, &shared.host, Arc::clone(&shared.halt))
            .map_err(|source| RunError::Build {
                cell: index,
                source,
            })?;
        if shared.move_times || has_programs {
            table.keep_move_times();
        }
        Ok(Self {
            cell: index,
            table,
            seeds: CellSeeds::new(plan.seed, cell),
            seatings: (0..cell.rotations)
                .map(|rotation| table::seating(cell.seats, rotation))
                .collect(),
            shape: cell.into(),
            has_programs,
            chunk: 0,
            noted: [false; MAX_SEATS],
        })
    }

    /// What was kept of the moves of the challenger and of its opponents.
    fn drain_move_times(&mut self, cell: &Cell) -> [MoveTimes; 2] {
        let mut times = <[MoveTimes; 2]>::default();
        let [challenger, opponents] = &mut times;
        self.table.drain_move_times(0, challenger);
        for player in 1..cell.seats {
            self.table.drain_move_times(player, opponents);
        }
        times
    }

    /// What the report must say about a player, the first time that there is something.
    fn new_notice(&mut self, cell: &Cell, player: usize) -> Option<String> {
        let noted = self.noted.get_mut(player).filter(|noted| !**noted)?;
        let notice = self.table.notice(player)?;
        *noted = true;
        let who = if player == 0 {
            &cell.challenger
        } else {
            &cell.opponent
        };
        Some(format!("{who}: {notice}"))
    }
}

/// The table of `cell`: the challenger is player 0, the opponent fills all other seats.
pub(crate) fn build_table(
    plan: &Plan,
    cell: &Cell,
    host: &Host,
    stop: Arc<AtomicBool>,
) -> Result<Box<dyn Table>, BuildError> {
    let mut players = vec![cell.challenger.clone()];
    players.resize(cell.seats, cell.opponent.clone());
    table::build(
        &cell.game,
        &players,
        &TableOptions {
            opening_plies: plan.opening_plies,
            measure: false,
            stop,
            host: host.clone(),
        },
    )
}

/// Plays batches until there are none.
pub(crate) fn work(shared: &Shared, reports: &Sender<Report>) {
    let mut seat: Option<Seat> = None;
    let mut games = Vec::new();
    // A report that nobody receives means that the run has ended.
    while let Some(batch) = shared.dispenser.take() {
        let current = match seat.take().filter(|seat| seat.cell == batch.range.cell) {
            Some(seat) => Ok(seat),
            None => Seat::at(shared, batch.range.cell),
        };
        let report = current.and_then(|mut current| {
            let played = play_batch(shared, &mut current, batch, &mut games)?;
            seat = Some(current);
            Ok(played)
        });
        let sent = match report {
            Ok(Some(played)) => reports.send(Report::Played(played)),
            Ok(None) if shared.halt.load(Ordering::Relaxed) => break,
            Ok(None) => reports.send(Report::Dropped(batch)),
            Err(error) => {
                // Others may finish what they have; the run takes it as far as it is in order.
                let _ = reports.send(Report::Failed(Box::new(error)));
                break;
            }
        };
        if sent.is_err() {
            break;
        }
    }
    let _ = reports.send(Report::Left);
}

/// Plays a batch; `None` if it was abandoned or is no longer needed.
fn play_batch(
    shared: &Shared,
    seat: &mut Seat,
    batch: Batch,
    games: &mut Vec<GameRecord>,
) -> Result<Option<Box<Played>>, RunError> {
    let range = batch.range;
    let cell = &shared.plan.cells[range.cell];
    // A program takes longer than the clock, and its slowest move is asked for.
    let always = seat.has_programs || shared.dispenser.cost(range.cell) >= TIMED_NANOS;
    // What an abandoned batch has left.
    let _ = seat.drain_move_times(cell);
    let started = Instant::now();
    let mut played = Played {
        turn: batch.turn,
        range,
        chunk: Vec::new(),
        tally: Tally::default(),
        times: Times::default(),
        move_times: Default::default(),
        nanos: 0,
        notices: Vec::new(),
    };
    // A chunk is about as long as the one before it.
    let capacity = seat.chunk + seat.chunk / 4;
    let mut chunk = ChunkBuilder::new(shared.checksum_seed, range.cell, range.start, capacity);
    for block in range.start..range.end {
        if shared.decided[range.cell].load(Ordering::Relaxed) {
            return Ok(None);
        }
        let measured = always || block == range.start;
        seat.table.set_measure(measured);
        if !play_block(shared, seat, cell, block, games)? {
            return Ok(None);
        }
        if shared.record {
            chunk.push_with(|out| {
                for game in &*games {
                    seat.shape.write_game(game, out);
                }
            });
        }
        played.tally.add_block(games);
        for player in 0..cell.seats {
            if let Some(notice) = seat.new_notice(cell, player) {
                played.notices.push((block, notice));
            }
        }
        if measured {
            for (rotation, game) in games.iter().enumerate() {
                played.times.add_game(cell, rotation, game);
            }
        }
    }
    played.move_times = seat.drain_move_times(cell);
    played.chunk = chunk.finish();
    seat.chunk = played.chunk.len();
    played.nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let blocks = range.end - range.start;
    shared.dispenser.learn(range.cell, blocks, played.nanos);
    Ok(Some(Box::new(played)))
}

/// Replaces `games` by the games of a block; `false` if it was abandoned.
fn play_block(
    shared: &Shared,
    seat: &mut Seat,
    cell: &Cell,
    block: u64,
    games: &mut Vec<GameRecord>,
) -> Result<bool, RunError> {
    games.clear();
    // One guard for the whole block: `games` tells which rotation it was.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        for (rotation, players) in seat.seatings.iter().enumerate() {
            let seeds = seat.seeds.game(block, rotation);
            games.push(seat.table.play(&seeds, &players[..cell.seats], None)?);
            if seat.has_programs {
                for player in 0..cell.seats {
                    if let Some(log) = seat.table.take_log(player) {
                        shared.logs.add(cell, block, rotation, player, &log);
                    }
                }
            }
        }
        Ok(())
    }));
    let rotation = games.len();
    match outcome {
        Ok(Ok(())) => Ok(true),
        Ok(Err(Fault::Interrupted)) => Ok(false),
        Ok(Err(fault)) => Err(RunError::Infrastructure {
            cell: cell.index,
            block,
            rotation,
            what: fault.to_string(),
        }),
        Err(panic) => {
            let what = panic
                .downcast_ref::<&str>()
                .map(ToString::to_string)
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".into());
            Err(RunError::Panic {
                cell: cell.index,
                block,
                rotation,
                seed: seat.seeds.deal(block).short(),
                what,
                replay: super::replay_command(&shared.plan, cell, block, rotation),
            })
        }
    }
}
