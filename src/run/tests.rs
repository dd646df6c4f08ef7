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

pub(super) fn complete(plan: &Plan, dir: &Path, jobs: usize) -> (Run, Vec<String>) {
    let mut watch = Watch::default();
    match execute(plan, &options(dir, jobs), &mut watch) {
        Ok(Outcome::Complete(run)) => (run, watch.notes),
        other => panic!("{other:?}"),
    }
}

pub(super) fn games(run: &Run) -> String {
    let file = finish(run).unwrap();
    std::fs::read_to_string(file.path).unwrap()
}

pub(crate) fn small() -> Plan {
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
        other => panic!("80,000 blocks take longer than 15 ms: {other:?}"),
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
    let few = small();
    let mut more = few.clone();
    more.games_asked = 2_000;
    for cell in &mut more.cells {
        cell.blocks += 100;
    }
    let other = tempfile::tempdir().unwrap();
    let expected = games(&complete(&more, other.path(), 2).0);
    // From a journal, from a finished run, and from a finished run whose extension was cut off.
    for finished in [false, true] {
        for cut in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let (run, _) = complete(&few, dir.path(), 2);
            if finished {
                sealed(run);
            } else {
                drop(run);
            }
            let (run, _) = complete(&more, dir.path(), 2);
            assert_eq!(run.played_blocks(), 400, "the first 878 are copied");
            drop(run);
            let path = dir.path().join(store::JOURNAL);
            if cut {
                let whole = std::fs::read(&path).unwrap();
                std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
            }
            let (run, notes) = complete(&more, dir.path(), 2);
            assert_eq!(run.played_blocks() > 0, cut);
            assert!(run.played_blocks() < 400, "{notes:?}");
            assert_eq!(
                run.extended_from(),
                if finished { &[1_000][..] } else { &[] }
            );
            assert!(games(&run) == expected);
            let finished = sealed(run);
            assert_eq!(
                names(dir.path()),
                ["games.csv", "manifest.json", "timing.csv"]
            );
            assert_eq!(finished.manifest().counts.games, 2 * 1_278);
            let error = execute(&few, &options(dir.path(), 1), &mut Silent).unwrap_err();
            assert!(matches!(error, RunError::FewerGames { .. }), "{error}");
            assert_eq!(error.exit_code(), 65);
        }
    }
}

pub(super) fn sealed(run: Run) -> Finished {
    games(&run);
    seal(run, &[]).unwrap()
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_finished_run_plays_nothing_and_its_manifest_is_the_same_everywhere() {
    let plan = small();
    let mut manifests = Vec::new();
    for jobs in [1, 3] {
        let dir = tempfile::tempdir().unwrap();
        let (run, _) = complete(&plan, dir.path(), jobs);
        sealed(run);
        let text = std::fs::read_to_string(dir.path().join(MANIFEST)).unwrap();
        manifests.push(text.split("\"environment\"").next().unwrap().to_owned());
        let again = execute(&plan, &options(dir.path(), 1), &mut Silent).unwrap();
        let Outcome::AlreadyDone(finished) = again else {
            panic!("{again:?}");
        };
        let mut blocks = 0;
        finished
            .visit_blocks(|_| {
                blocks += 1;
                Ok::<(), RunError>(())
            })
            .unwrap();
        assert_eq!(blocks, 878);
        assert!(finished.manifest().reproducible);
        assert_eq!(
            names(dir.path()),
            ["games.csv", "manifest.json", "timing.csv"]
        );
    }
    assert_eq!(manifests[0], manifests[1]);
}

#[test]
fn a_finished_run_whose_games_were_changed_is_not_extended() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    sealed(complete(&plan, dir.path(), 2).0);
    let path = dir.path().join("games.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("win", "won", 1)).unwrap();
    let mut more = plan.clone();
    more.games_asked += 2;
    more.cells[3].blocks += 1;
    let error = execute(&more, &options(dir.path(), 2), &mut Silent).unwrap_err();
    assert!(error.to_string().contains("evalctl verify"), "{error}");
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
    // Another version with another header, not a version that was hit by a flipped bit.
    bytes[8] = 99;
    bytes[20] ^= 1;
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

/// Version 1 had the same header with another number, sealed by its checksum.
#[test]
fn a_journal_of_an_older_format_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let plan = small();
    drop(complete(&plan, dir.path(), 1));
    let path = dir.path().join(store::JOURNAL);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8] = 1;
    let body = 16 + usize::try_from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).unwrap();
    let crc = super::journal::crc32(0, &bytes[..body]);
    bytes[body..body + 4].copy_from_slice(&crc.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let error = execute(&plan, &options(dir.path(), 1), &mut Silent).unwrap_err();
    assert!(
        matches!(error, RunError::OlderFormat { found: 1, .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("--fresh moves it aside"),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let fresh = RunOptions {
        fresh: true,
        ..options(dir.path(), 1)
    };
    let again = execute(&plan, &fresh, &mut Silent).unwrap();
    assert!(matches!(again, Outcome::Complete(run) if run.played_blocks() > 0));
}

/// A version that was hit by a flipped bit is damage, and costs nothing: it is no newer format.
#[test]
fn a_flipped_bit_in_the_version_is_no_newer_format() {
    let plan = small();
    for bit in 0..32 {
        let dir = tempfile::tempdir().unwrap();
        drop(complete(&plan, dir.path(), 1));
        let path = dir.path().join(store::JOURNAL);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[8 + bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &bytes).unwrap();
        let (run, notes) = complete(&plan, dir.path(), 1);
        assert_eq!(run.played_blocks(), 0, "bit {bit}");
        assert!(notes[0].contains("was damaged at byte 0"), "{notes:?}");
    }
}

/// A plan that its manifest's config gives again.
fn configured() -> Plan {
    let text = "name = \"test\"\nseed = 7\ngames = 400\n[game]\nname = \"tictactoe\"\n\
        [[challengers]]\nagent = \"random\"\n[[challengers]]\nagent = \"first\"\n\
        [[opponents]]\nagent = \"random\"\n";
    let config = crate::config::parse(text, "test.toml", &crate::config::Overrides::default());
    config.unwrap().plan().unwrap()
}

fn verify_options(sample: Option<u64>) -> VerifyOptions {
    VerifyOptions {
        jobs: 2,
        sample,
        sample_seed: 1,
        stop: Arc::default(),
        host: Host::default(),
    }
}

#[test]
fn a_forged_row_is_found_by_its_hash_and_with_a_forged_hash_by_the_replay() {
    let plan = configured();
    let dir = tempfile::tempdir().unwrap();
    let finished = sealed(complete(&plan, dir.path(), 2).0);
    let all = verify(&finished, &verify_options(None)).unwrap();
    assert!(all.is_right(), "{all:?}");
    assert_eq!((all.replayed, all.rows, all.skipped), (800, 800, 0));
    let some = verify(&finished, &verify_options(Some(50))).unwrap();
    assert!(some.is_right(), "{some:?}");
    assert_eq!((some.replayed, some.rows), (50, 800));
    // A win becomes a loss in a way that no row contradicts.
    let path = dir.path().join("games.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let row = text
        .lines()
        .find(|row| row.contains(",1,1;0,,win,"))
        .unwrap();
    let forged = text.replacen(row, &row.replace(",1,1;0,,win,", ",0,0;1,,loss,"), 1);
    assert_eq!(forged.len(), text.len() + 1);
    std::fs::write(&path, &forged).unwrap();
    let found = verify(&finished, &verify_options(None)).unwrap();
    assert!(
        found.files[0].contains("`games.csv` was changed"),
        "{found:?}"
    );
    let mut resealed = Finished::open(dir.path()).unwrap();
    resealed.reseal(&[]).unwrap();
    let found = verify(&Finished::open(dir.path()).unwrap(), &verify_options(None)).unwrap();
    assert_eq!(found.files, [""; 0]);
    assert_eq!(found.difference_count, 1, "{found:?}");
    let game = row.split(',').next().unwrap();
    let expected = format!("game {game} (cell ");
    assert!(found.differences[0].starts_with(&expected), "{found:?}");
    assert!(found.differences[0].contains("scores is 0;1 in games.csv and 1;0 when played again"));
    // A removed block is missed.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.truncate(lines.len() - 2);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let found = verify(&finished, &verify_options(Some(5))).unwrap();
    assert!(
        found.differences[0].contains("cell 1 has 199 blocks"),
        "{found:?}"
    );
}

#[test]
fn a_recorded_game_is_replayed_move_by_move() {
    let plan = small();
    let dir = tempfile::tempdir().unwrap();
    let finished = sealed(complete(&plan, dir.path(), 2).0);
    let mut trace = crate::trace::JsonTrace::new(Vec::new(), 601);
    let replayed = replay(&finished, 601, &Host::default(), &mut trace).unwrap();
    assert_eq!(
        (replayed.cell, replayed.block, replayed.rotation),
        (1, 0, 1)
    );
    assert_eq!(replayed.differences(), [""; 0]);
    let lines = String::from_utf8(trace.finish().unwrap()).unwrap();
    let moves = lines.lines().count() - 2;
    assert_eq!(u32::try_from(moves), Ok(replayed.played.decisions));
    let error = replay(
        &finished,
        9_999,
        &Host::default(),
        &mut crate::trace::JsonTrace::new(Vec::new(), 0),
    );
    assert!(error.unwrap_err().to_string().contains("games 0 to 1755"));
}
