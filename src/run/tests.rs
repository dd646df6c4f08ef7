//! Runs that are interrupted, damaged and resumed end in the same bytes.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::*;
use crate::rng::Seed;

/// Remembers notes; may stop the run after some blocks.
#[derive(Default)]
struct Watch {
    notes: Vec<String>,
    last: u64,
}

impl Observer for Watch {
    fn update(&mut self, status: &Status<'_>) {
        assert!(status.finished_blocks() >= self.last, "progress went back");
        self.last = status.finished_blocks();
    }
    fn note(&mut self, text: &str) {
        self.notes.push(text.into());
    }
}

fn options(dir: &Path, jobs: usize) -> RunOptions {
    RunOptions {
        jobs,
        ..RunOptions::new(dir)
    }
}

fn complete(plan: &Plan, dir: &Path, jobs: usize) -> (Run, Vec<String>) {
    let mut watch = Watch::default();
    match execute(plan, &options(dir, jobs), &mut watch) {
        Ok(Outcome::Complete(run)) => (run, watch.notes),
        other => panic!("{other:?}"),
    }
}

fn games(run: &Run) -> String {
    let file = finish(run).unwrap();
    std::fs::read_to_string(file.path).unwrap()
}

fn small() -> Plan {
    testing::plan(&[
        ("random", 300),
        ("first", 77),
        ("random", 1),
        ("first", 500),
    ])
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let plan = small();
    let texts: Vec<String> = [1, 2, 5]
        .map(|jobs| {
            let dir = tempfile::tempdir().unwrap();
            let (run, notes) = complete(&plan, dir.path(), jobs);
            assert_eq!(run.played_blocks(), 878);
            assert_eq!(notes, [""; 0]);
            games(&run)
        })
        .into();
    assert_eq!(texts[0].lines().count(), 2 * 878 + 1);
    assert!(texts[0] == texts[1] && texts[0] == texts[2]);
}

#[test]
fn a_cell_plays_the_same_games_whatever_other_cells_there_are() {
    let tail = |plan: &Plan, cell: &str| -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let text = games(&complete(plan, dir.path(), 2).0);
        let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
        rows.filter(|row| row[1] == cell)
            .map(|row| row[2..].join(","))
            .collect()
    };
    let alone = tail(&testing::plan(&[("first", 50)]), "0");
    let last = tail(&testing::plan(&[("random", 9), ("first", 50)]), "1");
    assert_eq!(alone.len(), 100);
    assert_eq!(alone, last);
}

#[test]
fn a_journal_cut_anywhere_is_resumed_to_the_same_bytes() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let (run, _) = complete(&plan, dir.path(), 2);
    let expected = games(&run);
    let path = dir.path().join(store::JOURNAL);
    let whole = std::fs::read(&path).unwrap();
    drop(run);
    let mut rng = Seed::root(3).rng();
    let (mut partial, mut torn) = (0, 0);
    for trial in 0..60 {
        let cut = match trial {
            0 => 0,
            1 => 10,
            2 => whole.len() - 1,
            _ => rng.index(whole.len()),
        };
        std::fs::write(&path, &whole[..cut]).unwrap();
        let (run, notes) = complete(&plan, dir.path(), 2);
        partial += u32::from(run.played_blocks() > 0 && run.played_blocks() < 878);
        torn += u32::from(notes.iter().any(|note| note.contains("incomplete")));
        assert!(games(&run) == expected, "cut at {cut}");
        drop(run);
        assert!(store::old_journals(&path).unwrap().is_empty(), "{notes:?}");
    }
    assert!(partial >= 50 && torn >= 50, "{partial} {torn}");
}

#[test]
fn flipped_bits_are_found_said_and_only_that_part_is_played_again() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let (run, _) = complete(&plan, dir.path(), 1);
    let expected = games(&run);
    let path = dir.path().join(store::JOURNAL);
    let whole = std::fs::read(&path).unwrap();
    drop(run);
    let mut rng = Seed::root(4).rng();
    let mut replayed = Vec::new();
    for trial in 0..60 {
        let mut bytes = whole.clone();
        // The header first, then anywhere.
        let at = if trial < 5 {
            trial * 40
        } else {
            rng.index(bytes.len())
        };
        bytes[at] ^= 1 << rng.below(8);
        let version_or_length = (8..16).contains(&at);
        std::fs::write(&path, &bytes).unwrap();
        let (run, notes) = complete(&plan, dir.path(), 2);
        // A flipped bit in the times of a cell costs no block.
        assert!(!notes.is_empty(), "{at} {version_or_length}");
        replayed.push(run.played_blocks());
        assert!(games(&run) == expected, "flipped at {at}");
        drop(run);
        for old in store::old_journals(&path).unwrap() {
            std::fs::remove_file(old).unwrap();
        }
    }
    replayed.sort_unstable();
    // A block, or a chunk where its header was hit.
    assert!(replayed[30] <= 40, "{replayed:?}");
    assert!(replayed.iter().sum::<u64>() > 0, "{replayed:?}");
}

#[test]
fn a_run_that_was_told_to_stop_goes_on_where_it_stopped() {
    let plan = testing::plan(&[("random", 40_000), ("first", 40_000)]);
    let dir = tempfile::tempdir().unwrap();
    let options = options(dir.path(), 2);
    let stop = Arc::clone(&options.stop);
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(15));
        stop.store(true, Ordering::Relaxed);
    });
    let first = match execute(&plan, &options, &mut Silent).unwrap() {
        Outcome::Interrupted(run) => run,
        Outcome::Complete(_) => panic!("80,000 blocks take longer than 15 ms"),
    };
    stopper.join().unwrap();
    let mut seen = 0;
    first
        .visit_blocks(|_| {
            seen += 1;
            Ok::<(), RunError>(())
        })
        .unwrap();
    assert_eq!(seen, first.played_blocks());
    assert!(seen < 80_000);
    drop(first);
    let (rest, _) = complete(&plan, dir.path(), 2);
    assert_eq!(seen + rest.played_blocks(), 80_000);
    let other = tempfile::tempdir().unwrap();
    assert!(games(&rest) == games(&complete(&plan, other.path(), 1).0));
}

#[test]
fn more_games_extend_a_run_and_keep_what_was_played() {
    let dir = tempfile::tempdir().unwrap();
    let few = small();
    drop(complete(&few, dir.path(), 2));
    let mut more = few.clone();
    more.games_asked = 2_000;
    for cell in &mut more.cells {
        cell.blocks += 100;
    }
    let (run, _) = complete(&more, dir.path(), 2);
    assert_eq!(run.played_blocks(), 400, "the first 878 are copied");
    let text = games(&run);
    drop(run);
    let other = tempfile::tempdir().unwrap();
    assert!(text == games(&complete(&more, other.path(), 2).0));
    let error = execute(&few, &options(dir.path(), 1), &mut Silent).unwrap_err();
    assert!(matches!(error, RunError::FewerGames { .. }), "{error}");
    assert_eq!(error.exit_code(), 65);
}

#[test]
fn another_experiment_is_refused_by_its_changed_keys_and_fresh_moves_it_aside() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("run");
    let plan = small();
    let text = games(&complete(&plan, &dir, 1).0);
    let mut other = plan.clone();
    other.seed = 8;
    other.cells[1].challenger = crate::spec::Settings::named("random");
    let error = execute(&other, &options(&dir, 1), &mut Silent).unwrap_err();
    assert_eq!(error.exit_code(), 65);
    let message = error.to_string();
    assert!(message.contains("seed: 7 -> 8"), "{message}");
    assert!(message.contains("cell 1: first = first"), "{message}");
    assert!(!message.contains("cell 0"), "{message}");
    let fresh = RunOptions {
        fresh: true,
        ..options(&dir, 1)
    };
    let mut watch = Watch::default();
    let Outcome::Complete(run) = execute(&other, &fresh, &mut watch).unwrap() else {
        panic!("not stopped");
    };
    assert_eq!(run.played_blocks(), 878);
    assert!(watch.notes[0].contains("run.old-1"), "{:?}", watch.notes);
    let kept = std::fs::read_to_string(parent.path().join("run.old-1/games.csv")).unwrap();
    assert!(kept == text);
}

#[test]
fn a_second_writer_is_refused_while_the_first_lives() {
    let dir = tempfile::tempdir().unwrap();
    let plan = small();
    let (run, _) = complete(&plan, dir.path(), 1);
    let error = execute(&plan, &options(dir.path(), 1), &mut Silent).unwrap_err();
    assert!(matches!(error, RunError::Locked { .. }), "{error}");
    drop(run);
    assert_eq!(complete(&plan, dir.path(), 1).0.played_blocks(), 0);
}

#[test]
fn a_newer_format_and_a_foreign_file_are_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let plan = small();
    drop(complete(&plan, dir.path(), 1));
    let path = dir.path().join(store::JOURNAL);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8] = 99;
    std::fs::write(&path, &bytes).unwrap();
    let error = execute(&plan, &options(dir.path(), 1), &mut Silent).unwrap_err();
    assert!(error.to_string().contains("format 99"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let letter = b"Dear diary, this is no journal of games.".repeat(10);
    std::fs::write(&path, &letter).unwrap();
    let error = execute(&plan, &options(dir.path(), 1), &mut Silent).unwrap_err();
    assert!(matches!(error, RunError::Damaged { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), letter);
}
