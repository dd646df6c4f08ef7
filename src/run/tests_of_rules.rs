//! Stopping rules and confirmations: decided in schedule order, whatever else happens.

use super::testing;
use super::tests::{complete, games, sealed};
use super::*;
use crate::plan::{Claim, ClaimKind, Phase, StopRule};
use crate::spec::Settings;
use crate::stats::confidence_sequences::BettingMixture;

#[test]
fn a_rule_ends_cells_at_the_same_block_with_any_number_of_threads_and_after_any_cut() {
    let rules = [
        StopRule::Sprt {
            elo0: 0.0,
            elo1: 100.0,
            alpha: 0.05,
            beta: 0.05,
        },
        StopRule::Precision { width: 0.15 },
    ];
    for stop in rules {
        let mut plan = testing::plan(&[("first", 5_000), ("random", 5_000), ("first", 5)]);
        plan.stop = stop;
        let dir = tempfile::tempdir().unwrap();
        let (run, _) = complete(&plan, dir.path(), 1);
        let expected = games(&run);
        let ends: Vec<(u64, bool)> = run
            .cells()
            .iter()
            .map(|cell| (cell.tally.blocks, cell.decided))
            .collect();
        assert!(ends[0].1 && ends[0].0 > 5 && ends[0].0 < 4_000, "{ends:?}");
        assert!(ends[1].1 && ends[1].0 < 4_000, "{ends:?}");
        assert_eq!(ends[2], (5, false), "too few blocks to decide");
        if let StopRule::Precision { width } = stop {
            check_precision(&run, width);
        }
        drop(run);
        let path = dir.path().join(store::JOURNAL);
        let whole = std::fs::read(&path).unwrap();
        for cut in [whole.len() / 5, whole.len() / 2, whole.len() - 3] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (run, _) = complete(&plan, dir.path(), 4);
            assert!(games(&run) == expected, "{stop:?}, cut at {cut}");
        }
    }
}

/// The interval is narrow enough where the cell ended, and was not one look before.
fn check_precision(run: &Run, width: f64) {
    let mut scores = Vec::new();
    run.visit_blocks(|block| {
        if block.cell == 0 {
            scores.push(block.mean_score());
        }
        Ok::<(), RunError>(())
    })
    .unwrap();
    let width_of = |count: usize| {
        let mut sequence = BettingMixture::new(0.05).unwrap();
        for &score in &scores[..count] {
            sequence.update(score).unwrap();
        }
        let interval = sequence.interval();
        interval.high - interval.low
    };
    assert!(width_of(scores.len()) < width);
    let before = scores.len() - 1 - scores.len().saturating_sub(200) / 100;
    assert!(width_of(before) > width * 0.98, "{}", scores.len());
    assert!(width_of(before / 2) > width);
}

fn selection() -> Plan {
    // `first` beats `random`, so cell 1 is selected.
    let mut plan = testing::plan(&[("random", 150), ("first", 150)]);
    for cell in &mut plan.cells {
        cell.phase = Phase::Select;
    }
    plan.claims.push(Claim {
        name: "the first is best".into(),
        kind: ClaimKind::Best,
        opponent: "random".into(),
        cells: vec![0, 1],
        threshold: 0.5,
        margin: None,
    });
    plan
}

#[test]
fn the_best_cell_is_confirmed_on_other_deals_after_the_selection() {
    let plan = selection();
    let dir = tempfile::tempdir().unwrap();
    let (run, _) = complete(&plan, dir.path(), 2);
    assert_eq!(run.plan().cells.len(), 3);
    assert_eq!(run.plan().cells[2].phase, Phase::Confirm);
    assert_eq!(run.plan().cells[2].challenger, Settings::named("first"));
    assert_eq!(run.played_blocks(), 450);
    let text = games(&run);
    let confirmed: Vec<&str> = text
        .lines()
        .filter(|row| row.contains(",confirm,"))
        .collect();
    assert_eq!(confirmed.len(), 300);
    assert!(
        confirmed[0].contains(",confirm,1000000000000,0,"),
        "{}",
        confirmed[0]
    );
    drop(run);
    // Killed within the confirmation, or just before it.
    let path = dir.path().join(store::JOURNAL);
    let whole = std::fs::read(&path).unwrap();
    for cut in [whole.len() / 2, whole.len() * 2 / 3, whole.len() * 5 / 6] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let (run, _) = complete(&plan, dir.path(), 3);
        assert!(games(&run) == text, "cut at {cut}");
        assert!(run.played_blocks() > 0);
    }
    // A flipped bit in the selection.
    let mut flipped = whole.clone();
    flipped[whole.len() / 4] ^= 4;
    std::fs::write(&path, &flipped).unwrap();
    let (run, _) = complete(&plan, dir.path(), 3);
    assert!(games(&run) == text);
    let finished = sealed(run);
    assert_eq!(finished.manifest().selected, [1]);
    assert_eq!(finished.plan().cells.len(), 3);
    let again = execute(&plan, &RunOptions::new(dir.path()), &mut Silent).unwrap();
    let Outcome::AlreadyDone(again) = again else {
        panic!("{again:?}");
    };
    assert_eq!(again, finished);
}

#[test]
fn an_extended_selection_is_selected_and_confirmed_anew() {
    let few = selection();
    let mut more = few.clone();
    more.games_asked *= 2;
    for cell in &mut more.cells {
        cell.blocks *= 2;
    }
    let direct = tempfile::tempdir().unwrap();
    let expected = games(&complete(&more, direct.path(), 2).0);
    let dir = tempfile::tempdir().unwrap();
    sealed(complete(&few, dir.path(), 2).0);
    let (run, _) = complete(&more, dir.path(), 2);
    assert!(games(&run) == expected);
    assert_eq!(run.played_blocks(), 300 + 300);
}
