//! One recorded game played again, move by move.

use std::sync::Arc;

use crate::block::PlayedBlock;
use crate::external::Host;
use crate::games_csv::Reader;
use crate::plan::{Cell, CellSeeds, Plan};
use crate::record::GameRecord;
use crate::table::{self, GameSink, Table};

use super::finish::GAMES;
use super::worker::build_table;
use super::{Finished, RunError};

/// A recorded game and the same game played again.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    /// Its number (column `game`).
    pub game: u64,
    /// Index of the cell.
    pub cell: usize,
    /// Number of the block.
    pub block: u64,
    /// The rotation, which is the challenger's seat.
    pub rotation: usize,
    /// What `games.csv` says.
    pub recorded: GameRecord,
    /// What was played.
    pub played: GameRecord,
}

impl Replayed {
    /// What of the record differs, in words; empty if nothing does.
    pub fn differences(&self) -> Vec<String> {
        differences(&self.recorded, &self.played)
    }
}

/// Plays game number `game` of a finished run again and shows it to `sink`.
///
/// # Errors
/// If there is no such game, `games.csv` cannot be read, or the game cannot be played.
pub fn replay(
    finished: &Finished,
    game: u64,
    host: &Host,
    sink: &mut dyn GameSink,
) -> Result<Replayed, RunError> {
    let Located {
        cell,
        block,
        rotation,
        recorded,
    } = locate(finished, game)?;
    let played = Replayer::new(finished.plan(), host, Arc::default()).play(
        cell,
        block,
        rotation,
        Some(sink),
    )?;
    Ok(Replayed {
        game,
        cell,
        block,
        rotation,
        recorded,
        played,
    })
}

/// Where a recorded game stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// Index of the cell.
    pub cell: usize,
    /// Number of the block.
    pub block: u64,
    /// The rotation, which is the challenger's seat.
    pub rotation: usize,
    /// What `games.csv` says.
    pub recorded: GameRecord,
}

/// Finds game number `game` of a finished run.
///
/// # Errors
/// If there is no such game, or `games.csv` cannot be read.
pub fn locate(finished: &Finished, game: u64) -> Result<Located, RunError> {
    let plan = finished.plan();
    let mut reader = Reader::open(plan, &finished.dir().join(GAMES))?;
    let mut block = PlayedBlock::default();
    while reader.read(&mut block)? {
        let rotation = game
            .checked_sub(reader.first_game())
            .and_then(|rotation| usize::try_from(rotation).ok());
        if let Some(rotation) = rotation
            && let Some(recorded) = block.games.get(rotation)
        {
            return Ok(Located {
                cell: block.cell,
                block: block.block,
                rotation,
                recorded: recorded.clone(),
            });
        }
    }
    Err(RunError::NoSuchGame {
        game,
        games: finished.manifest().counts.games,
    })
}

/// Plays games of a plan one by one; keeps the table of the cell that it is at.
pub(crate) struct Replayer<'p> {
    plan: &'p Plan,
    host: &'p Host,
    stop: Arc<std::sync::atomic::AtomicBool>,
    at: Option<(usize, Box<dyn Table>, CellSeeds)>,
}

impl<'p> Replayer<'p> {
    pub(crate) fn new(
        plan: &'p Plan,
        host: &'p Host,
        stop: Arc<std::sync::atomic::AtomicBool>,
    ) -> Self {
        Self {
            plan,
            host,
            stop,
            at: None,
        }
    }

    /// Plays one game.
    pub(crate) fn play(
        &mut self,
        cell: usize,
        block: u64,
        rotation: usize,
        sink: Option<&mut dyn GameSink>,
    ) -> Result<GameRecord, RunError> {
        let Some(planned) = self.plan.cells.get(cell) else {
            return Err(RunError::Infrastructure {
                cell,
                block,
                rotation,
                what: "there is no such cell in the plan".into(),
            });
        };
        let (_, table, seeds) = match self.at.take().filter(|at| at.0 == cell) {
            Some(at) => self.at.insert(at),
            None => self.at.insert(self.sit_down(planned)?),
        };
        let players = table::seating(planned.seats, rotation);
        let seeds = seeds.game(block, rotation);
        table
            .play(&seeds, &players[..planned.seats], sink)
            .map_err(|fault| RunError::Infrastructure {
                cell,
                block,
                rotation,
                what: fault.to_string(),
            })
    }

    fn sit_down(&self, cell: &Cell) -> Result<(usize, Box<dyn Table>, CellSeeds), RunError> {
        let table = build_table(self.plan, cell, self.host, Arc::clone(&self.stop));
        let table = table.map_err(|source| RunError::Build {
            cell: cell.index,
            source,
        })?;
        Ok((cell.index, table, CellSeeds::new(self.plan.seed, cell)))
    }
}

/// What of a recorded game differs from the same game played again, in words.
pub(crate) fn differences(recorded: &GameRecord, played: &GameRecord) -> Vec<String> {
    let scores = |game: &GameRecord| {
        let scores: Vec<String> = game.scores.as_slice().iter().map(f64::to_string).collect();
        scores.join(";")
    };
    let places = |game: &GameRecord| {
        let places: Vec<String> = game.places.iter().map(u8::to_string).collect();
        places.join(";")
    };
    let seat =
        |seat: Option<usize>| seat.map_or("nobody".to_owned(), |seat| format!("seat {seat}"));
    let fields = [
        ("scores", scores(recorded), scores(played)),
        ("places", places(recorded), places(played)),
        (
            "first_seat",
            recorded.first_seat.to_string(),
            played.first_seat.to_string(),
        ),
        ("end", recorded.end.word().into(), played.end.word().into()),
        (
            "fault_seat",
            seat(recorded.fault_seat),
            seat(played.fault_seat),
        ),
        (
            "decisions",
            recorded.decisions.to_string(),
            played.decisions.to_string(),
        ),
        (
            "digest",
            format!("{:016x}", recorded.digest),
            format!("{:016x}", played.digest),
        ),
    ];
    fields
        .into_iter()
        .filter(|(_, recorded, played)| recorded != played)
        .map(|(name, recorded, played)| {
            format!("{name} is {recorded} in games.csv and {played} when played again")
        })
        .collect()
}
