//! What goes wrong while a run plays stops it cleanly, and nothing that was finished is lost.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::execute::{Machinery, execute_with};
use super::journal::writer::Medium;
use super::tests::{complete, games};
use super::worker::build_table;
use super::*;
use crate::agents::Fault;
use crate::external::GameLog;
use crate::games::{GameInfo, MAX_SEATS, Scores, Seat};
use crate::move_times::MoveTimes;
use crate::plan::{CellSeeds, GameSeeds};
use crate::record::{End, GameRecord};
use crate::table::{GameSink, Table};

/// What happens at the marked game.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    Panic,
    Infrastructure,
    /// Longer than a run may take to stop, deaf to every flag.
    Deaf(Duration),
    /// Every game is forfeited by the challenger.
    Forfeit,
}

/// A table that plays as usual, but for one game.
struct Troubled {
    table: Box<dyn Table>,
    marked: GameSeeds,
    trouble: Trouble,
}

impl Table for Troubled {
    fn info(&self) -> GameInfo {
        self.table.info()
    }
    fn play(
        &mut self,
        seeds: &GameSeeds,
        players: &[usize],
        sink: Option<&mut dyn GameSink>,
    ) -> Result<GameRecord, Fault> {
        let marked = *seeds == self.marked;
        match self.trouble {
            Trouble::Panic if marked => panic!("the rules are wrong"),
            Trouble::Infrastructure if marked => {
                return Err(Fault::Infrastructure("the pipe broke".into()));
            }
            Trouble::Deaf(time) if marked => std::thread::sleep(time),
            Trouble::Forfeit => {
                let loser: Seat = players.iter().position(|&player| player == 0).unwrap();
                return Ok(GameRecord {
                    scores: Scores::lost_by(2, loser),
                    places: [0; MAX_SEATS],
                    first_seat: 0,
                    end: End::Timeout,
                    fault_seat: Some(loser),
                    decisions: 1,
                    digest: 1,
                    nanos: [0; MAX_SEATS],
                    choices: [0; MAX_SEATS],
                });
            }
            _ => {}
        }
        self.table.play(seeds, players, sink)
    }
    fn notice(&self, index: usize) -> Option<String> {
        self.table.notice(index)
    }
    fn take_log(&mut self, index: usize) -> Option<GameLog> {
        self.table.take_log(index)
    }
    fn set_measure(&mut self, measure: bool) {
        self.table.set_measure(measure);
    }
    fn keep_move_times(&mut self) {
        self.table.keep_move_times();
    }
    fn drain_move_times(&mut self, index: usize, into: &mut MoveTimes) {
        self.table.drain_move_times(index, into);
    }
}

/// Machinery with trouble in the second game of block 100 of cell 1.
fn troubled(plan: &Plan, trouble: Trouble) -> Machinery {
    let marked = CellSeeds::new(plan.seed, &plan.cells[1]).game(100, 1);
    Machinery {
        make_table: Arc::new(move |plan, cell, host, stop| {
            let table = build_table(plan, cell, host, stop)?;
            Ok(Box::new(Troubled {
                table,
                marked,
                trouble,
            }))
        }),
        ..Machinery::default()
    }
}

fn small() -> Plan {
    testing::plan(&[("random", 200), ("first", 300)])
}

fn options(dir: &Path) -> RunOptions {
    RunOptions {
        jobs: 3,
        ..RunOptions::new(dir)
    }
}

fn fail(plan: &Plan, dir: &Path, machinery: &Machinery) -> RunError {
    execute_with(plan, &options(dir), &mut Silent, None, machinery).unwrap_err()
}

/// Goes on with the usual machinery: nothing is lost that was finished in order, and the result is
/// that of a run without trouble.
fn go_on(plan: &Plan, dir: &Path, kept: u64) {
    let (run, _) = complete(plan, dir, 2);
    let blocks: u64 = plan.cells.iter().map(|cell| cell.blocks).sum();
    assert_eq!(run.played_blocks(), blocks - kept);
    let whole = tempfile::tempdir().unwrap();
    assert!(games(&run) == games(&complete(plan, whole.path(), 2).0));
}

#[test]
fn a_panic_in_a_game_is_reported_with_its_seed_and_a_command() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let error = fail(&plan, dir.path(), &troubled(&plan, Trouble::Panic));
    assert_eq!(error.exit_code(), 1);
    let message = error.to_string();
    let seed = CellSeeds::new(plan.seed, &plan.cells[1]).deal(100).short();
    for part in [
        "a game panicked (the rules are wrong) in cell 1, block 100, rotation 1",
        &format!("seed {seed:016x}"),
        "evalctl trace 'first' 'random' --game 'tictactoe' --seed 7 --block 100 --rotation 1",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let kept = kept(&plan, dir.path());
    assert!((200..=300).contains(&kept), "{kept}");
    go_on(&plan, dir.path(), kept);
}

/// How many blocks a journal holds.
fn kept(plan: &Plan, dir: &Path) -> u64 {
    let stopped = RunOptions {
        stop: Arc::new(AtomicBool::new(true)),
        ..options(dir)
    };
    match execute(plan, &stopped, &mut Silent).unwrap() {
        Outcome::Interrupted(run) => run.cells().iter().map(|cell| cell.tally.blocks).sum(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failure_that_is_no_players_fault_is_no_result() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let error = fail(&plan, dir.path(), &troubled(&plan, Trouble::Infrastructure));
    assert_eq!(
        error.to_string(),
        "cell 1, block 100, rotation 1: the pipe broke"
    );
    let kept = kept(&plan, dir.path());
    go_on(&plan, dir.path(), kept);
}

#[test]
fn a_worker_that_is_deaf_is_left_behind_within_a_second() {
    let plan = testing::plan(&[("random", 10), ("first", 400_000)]);
    let dir = tempfile::tempdir().unwrap();
    let options = options(dir.path());
    let stop = Arc::clone(&options.stop);
    let (told, stopper) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        told.send(Instant::now()).unwrap();
        stop.store(true, Ordering::Relaxed);
    });
    let machinery = troubled(&plan, Trouble::Deaf(Duration::from_secs(20)));
    let outcome = execute_with(&plan, &options, &mut Silent, None, &machinery).unwrap();
    let took = stopper.recv().unwrap().elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    let Outcome::Interrupted(run) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(run.cells()[1].tally.blocks <= 100, "the deaf block is due");
}

#[test]
fn too_many_forfeits_stop_the_run_and_keep_the_results() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let machinery = troubled(&plan, Trouble::Forfeit);
    let error = fail(&plan, dir.path(), &machinery);
    let message = error.to_string();
    assert!(message.contains("more than the 100 allowed"), "{message}");
    assert!(message.contains("timeout"), "{message}");
    assert_eq!(error.exit_code(), 1);
    // Again at once, and not if more are allowed.
    let error = fail(&plan, dir.path(), &machinery);
    assert!(matches!(error, RunError::TooManyFaults { .. }), "{error}");
    let lenient = RunOptions {
        max_faults: Some(1_000),
        ..options(dir.path())
    };
    let outcome = execute_with(&plan, &lenient, &mut Silent, None, &machinery).unwrap();
    assert!(matches!(outcome, Outcome::Complete(_)), "{outcome:?}");
}

/// A disk that is full after some bytes of the journal.
struct Full<M> {
    medium: M,
    room: usize,
}

impl<M: Medium> Medium for Full<M> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fits = bytes.len().min(self.room);
        self.medium.append(&bytes[..fits])?;
        self.room -= fits;
        if fits < bytes.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
    fn sync(&mut self) -> io::Result<()> {
        self.medium.sync()
    }
    fn is_there(&self) -> bool {
        self.medium.is_there()
    }
}

#[test]
fn a_full_disk_is_one_sentence_and_the_run_goes_on_when_there_is_room() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let machinery = Machinery {
        make_medium: |medium| {
            Box::new(Full {
                medium,
                room: 7_001,
            })
        },
        ..Machinery::default()
    };
    let error = fail(&plan, dir.path(), &machinery);
    assert_eq!(error.exit_code(), 1);
    let message = error.to_string();
    assert!(message.starts_with("cannot write `"), "{message}");
    assert!(message.contains("journal.bin"), "{message}");
    assert!(!message.contains('\n'), "{message}");
    let (run, notes) = complete(&plan, dir.path(), 2);
    assert!(notes[0].contains("incomplete"), "{notes:?}");
    assert!(run.played_blocks() < 500);
    let whole = tempfile::tempdir().unwrap();
    assert!(games(&run) == games(&complete(&plan, whole.path(), 2).0));
}

#[test]
fn a_vanished_folder_is_noticed() {
    let plan = testing::plan(&[("random", 2_000_000)]);
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("run");
    let gone = dir.clone();
    let remover = std::thread::spawn(move || {
        // From the journal's header on; before, there is no run yet whose folder could vanish.
        let journal = gone.join(store::JOURNAL);
        while std::fs::metadata(&journal).map_or(0, |data| data.len()) == 0 {
            std::thread::yield_now();
        }
        std::fs::remove_dir_all(&gone).unwrap();
    });
    let error = execute(&plan, &options(&dir), &mut Silent).unwrap_err();
    remover.join().unwrap();
    assert!(
        error.to_string().contains("removed while in use"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = execute(&small(), &options(&file.join("run")), &mut Silent).unwrap_err();
    assert!(error.to_string().starts_with("cannot "), "{error}");
    assert_eq!(error.exit_code(), 1);
}
