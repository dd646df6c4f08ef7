//! Shards merged in any number and order are the unsharded run; whatever is wrong is said.

use std::path::{Path, PathBuf};

use super::tests::{complete, games, sealed};
use super::*;
use crate::config::{self, Overrides};
use crate::rng::Seed;

fn plan(more: &str) -> Plan {
    let text = format!(
        "name = \"test\"\nseed = 7\ngames = 500\n[game]\nname = \"tictactoe\"\n\
        [[challengers]]\nagent = \"random\"\n[[challengers]]\nagent = \"first\"\n\
        [[opponents]]\nagent = \"random\"\n{more}"
    );
    let config = config::parse(&text, "test.toml", &Overrides::default());
    config.unwrap().plan().unwrap()
}

const BEST: &str = "[[claims]]\nname = \"the best\"\nkind = \"best\"\nopponent = \"random\"\n";
const SPRT: &str = "[stop]\nrule = \"sprt\"\nelo0 = 0.0\nelo1 = 150.0\n";

fn options(dir: &Path, shard: Option<Shard>) -> RunOptions {
    RunOptions {
        jobs: 2,
        shard,
        ..RunOptions::new(dir)
    }
}

fn play(plan: &Plan, dir: &Path, index: u64, count: u64) -> PathBuf {
    let options = options(dir, Shard::new(index, count));
    match execute(plan, &options, &mut Silent).unwrap() {
        Outcome::Complete(run) => publish(run).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn merge(shards: &Shards, dir: &Path) -> Run {
    match shards.merge(&options(dir, None), &mut Silent).unwrap() {
        Outcome::Complete(run) => run,
        other => panic!("{other:?}"),
    }
}

fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != "timing.csv")
        .map(|entry| {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            if entry.file_name() == MANIFEST {
                let text = String::from_utf8(bytes).unwrap();
                bytes = text.split("\"environment\"").next().unwrap().into();
            }
            (entry.file_name().into_string().unwrap(), bytes)
        })
        .collect();
    all.sort();
    all
}

#[test]
fn any_number_of_shards_merged_in_any_order_is_the_whole_run() {
    let mut rng = Seed::root(9).rng();
    for more in ["", BEST, SPRT] {
        let plan = plan(more);
        let whole = tempfile::tempdir().unwrap();
        sealed(complete(&plan, whole.path(), 2).0);
        let expected = files(whole.path());
        for count in [1, 2, 3, 8, 64] {
            // Every shard on a machine of its own, or all in one folder.
            let dirs: Vec<tempfile::TempDir> = (0..if count == 3 { 1 } else { count })
                .map(|_| tempfile::tempdir().unwrap())
                .collect();
            let mut order: Vec<u64> = (0..count).collect();
            rng.shuffle(&mut order);
            let mut given = Vec::new();
            for index in order {
                let dir = &dirs[usize::try_from(index).unwrap() % dirs.len()];
                let path = play(&plan, dir.path(), index, count);
                given.push(if count == 3 { path } else { dir.path().into() });
            }
            rng.shuffle(&mut given);
            let shards = Shards::open(&given).unwrap();
            shards.check(false).unwrap();
            let out = tempfile::tempdir().unwrap();
            let run = merge(&shards, out.path());
            let confirmed = if more == BEST { 250 } else { 0 };
            assert_eq!(
                run.played_blocks(),
                confirmed,
                "only the confirmation is played"
            );
            sealed(run);
            assert!(files(out.path()) == expected, "{count} shards, {more}");
        }
    }
}

#[test]
fn a_finished_shard_plays_nothing_and_another_cut_is_refused() {
    let plan = plan("");
    let dir = tempfile::tempdir().unwrap();
    let path = play(&plan, dir.path(), 1, 3);
    let before = std::fs::read(&path).unwrap();
    let again = execute(&plan, &options(dir.path(), Shard::new(1, 3)), &mut Silent).unwrap();
    assert!(
        matches!(&again, Outcome::ShardDone(found) if *found == path),
        "{again:?}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let error = execute(&plan, &options(dir.path(), Shard::new(1, 4)), &mut Silent).unwrap_err();
    assert_eq!(error.exit_code(), 65);
    assert!(error.to_string().contains("shards: 3 -> 4"), "{error}");
    let mut other = plan.clone();
    other.seed = 8;
    let error = execute(&other, &options(dir.path(), Shard::new(0, 3)), &mut Silent).unwrap_err();
    assert_eq!(error.exit_code(), 65);
    // --fresh moves this shard aside and no other.
    play(&plan, dir.path(), 0, 3);
    let fresh = RunOptions {
        fresh: true,
        ..options(dir.path(), Shard::new(1, 3))
    };
    let Outcome::Complete(run) = execute(&plan, &fresh, &mut Silent).unwrap() else {
        panic!("nothing stops it");
    };
    assert!(run.played_blocks() > 0);
    publish(run).unwrap();
    assert!(dir.path().join("shard-1-of-3.blocks.aside-1").exists());
    assert!(dir.path().join("shard-0-of-3.blocks").exists());
}

#[test]
fn a_shard_without_work_publishes_an_empty_file() {
    let plan = plan("");
    let dir = tempfile::tempdir().unwrap();
    let path = play(&plan, dir.path(), 63, 64);
    let header = shard_file::header(&path).unwrap();
    assert_eq!(header.shard, Shard::new(63, 64));
    let shards = Shards::open(&[path]).unwrap();
    assert_eq!(shards.found(), 1);
}

#[test]
fn what_is_missing_doubled_foreign_or_damaged_is_listed() {
    let plan = plan("");
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..4)
        .map(|index| play(&plan, dir.path(), index, 4))
        .collect();
    let check = |dirs: &[PathBuf]| Shards::open(dirs).unwrap().check(false);
    // The same shard twice is no harm.
    let other = tempfile::tempdir().unwrap();
    let twin = play(&plan, other.path(), 2, 4);
    check(&[dir.path().into(), twin.clone()]).unwrap();
    // Missing ones, with the command that plays them.
    let error = check(&[paths[0].clone(), paths[2].clone()]).unwrap_err();
    assert_eq!(error.exit_code, 1);
    assert!(
        error.to_string().contains("2 of 4 shards are missing: 1,3"),
        "{error}"
    );
    assert!(error.resubmit.unwrap().contains("--shard $i/4"));
    // A flipped bit anywhere.
    let whole = std::fs::read(&paths[1]).unwrap();
    let mut rng = Seed::root(5).rng();
    for _ in 0..40 {
        let mut bytes = whole.clone();
        let at = rng.index(bytes.len());
        bytes[at] ^= 1 << rng.below(8);
        std::fs::write(&paths[1], &bytes).unwrap();
        let error = check(&[dir.path().into()]).unwrap_err().to_string();
        assert!(error.contains("shard-1-of-4"), "bit at {at}: {error}");
        assert!(
            error.contains("shards are missing: 1"),
            "bit at {at}: {error}"
        );
    }
    std::fs::write(&paths[1], &whole[..whole.len() - 7]).unwrap();
    let error = check(&[dir.path().into()]).unwrap_err().to_string();
    assert!(error.contains("shard-1-of-4"), "{error}");
    std::fs::write(&paths[1], &whole).unwrap();
    // Another experiment's, with what differs.
    let mut foreign = plan.clone();
    foreign.seed = 8;
    foreign.resolved = foreign.resolved.replace("seed = 7", "seed = 8");
    let stranger = play(&foreign, &other.path().join("foreign"), 2, 4);
    let error = check(&[dir.path().into(), stranger]).unwrap_err();
    assert_eq!(error.exit_code, 65);
    assert!(error.to_string().contains("seed"), "{error}");
    assert!(Shards::open(&[other.path().join("foreign/none")]).is_err());
}

#[test]
fn a_partial_merge_is_what_is_there_and_gives_way_to_the_whole() {
    let plan = plan("");
    let dir = tempfile::tempdir().unwrap();
    for index in [0, 2] {
        play(&plan, dir.path(), index, 3);
    }
    let out = tempfile::tempdir().unwrap();
    let shards = Shards::open(&[dir.path().into()]).unwrap();
    shards.check(true).unwrap();
    let run = merge(&shards, out.path());
    assert_eq!(run.played_blocks(), 0);
    assert_eq!(run.missing_shards(), [1]);
    let partial = games(&run);
    let finished = sealed(run);
    assert_eq!(finished.manifest().missing_shards, [1]);
    play(&plan, dir.path(), 1, 3);
    let shards = Shards::open(&[dir.path().into()]).unwrap();
    shards.check(false).unwrap();
    sealed(merge(&shards, out.path()));
    let whole = tempfile::tempdir().unwrap();
    sealed(complete(&plan, whole.path(), 2).0);
    assert!(files(out.path()) == files(whole.path()));
    let text = std::fs::read_to_string(whole.path().join("games.csv")).unwrap();
    assert!(partial.lines().count() < text.lines().count());
    let known: std::collections::HashSet<&str> = text.lines().map(after_game).collect();
    assert!(partial.lines().all(|row| known.contains(after_game(row))));
}

/// A row without its number.
fn after_game(row: &str) -> &str {
    row.split_once(',').unwrap().1
}

#[test]
fn a_damaged_shard_journal_is_resumed_and_published_all_the_same() {
    let plan = plan("");
    let dir = tempfile::tempdir().unwrap();
    let whole = std::fs::read(play(&plan, dir.path(), 0, 2)).unwrap();
    // The published file as a journal that was not yet published, cut and damaged.
    for (cut, flip) in [
        (whole.len(), None),
        (whole.len() / 2, None),
        (whole.len(), Some(3_000)),
    ] {
        let other = tempfile::tempdir().unwrap();
        let mut bytes = whole[..cut].to_vec();
        if let Some(at) = flip {
            bytes[at] ^= 1;
        }
        std::fs::write(other.path().join("shard-0-of-2.journal"), &bytes).unwrap();
        let path = play(&plan, other.path(), 0, 2);
        let again = shard_file::inspect(
            &path,
            &plan,
            &Identity::of(&plan),
            &ledger::shapes(&plan).into(),
        )
        .unwrap();
        let first = shard_file::inspect(
            &dir.path().join("shard-0-of-2.blocks"),
            &plan,
            &Identity::of(&plan),
            &ledger::shapes(&plan).into(),
        )
        .unwrap();
        assert!(again.footer.has_blocks_of(&first.footer));
        assert!(!other.path().join("shard-0-of-2.journal").exists());
        assert!(!other.path().join("shard-0-of-2.journal.old-1").exists());
    }
}
