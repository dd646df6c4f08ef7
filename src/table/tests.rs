use std::sync::atomic::Ordering;

use super::*;
use crate::plan::{Cell, CellSeeds, Phase};
use crate::record::End;

fn cell(challenger: &str, opponent: &str) -> Cell {
    Cell {
        index: 0,
        label: challenger.to_owned(),
        challenger: Settings::named(challenger),
        opponent: Settings::named(opponent),
        opponent_label: opponent.to_owned(),
        game: Settings::named("tictactoe"),
        axes: Vec::new(),
        phase: Phase::Main,
        first_block: 0,
        blocks: 1,
        rotations: 2,
        seats: 2,
        fair_share: 0.5,
    }
}

fn play(opening_plies: u32, block: u64, rotation: usize) -> GameRecord {
    let cell = cell("random", "first");
    let options = TableOptions {
        opening_plies,
        ..TableOptions::default()
    };
    let players = [cell.challenger.clone(), cell.opponent.clone()];
    let mut table = build(&cell.game, &players, &options).unwrap();
    let seeds = CellSeeds::new(5, &cell).game(block, rotation);
    table.play(&seeds, &seating(2, rotation), None).unwrap()
}

#[test]
fn equal_seeds_give_equal_games_and_other_blocks_give_others() {
    assert_eq!(play(0, 3, 1), play(0, 3, 1));
    let digests: std::collections::BTreeSet<u64> =
        (0..50).map(|block| play(0, block, 0).digest).collect();
    assert!(digests.len() > 20, "{}", digests.len());
}

#[test]
fn openings_are_played_in_full_and_never_end_the_game() {
    for block in 0..200 {
        let record = play(8, block, 0);
        assert_eq!(record.end, End::Normal);
        assert!(record.decisions > 5, "{record:?}");
        assert!(record.choices.iter().sum::<u32>() >= 1, "{record:?}");
    }
}

#[test]
fn the_challenger_sits_where_the_rotation_says() {
    assert_eq!(seating(4, 2)[..4], [1, 2, 0, 3]);
    assert_eq!(seating(2, 0)[..2], [0, 1]);
    assert_eq!(seating(2, 1)[..2], [1, 0]);
}

#[test]
fn an_interrupted_game_is_no_result() {
    let cell = cell("random", "first");
    let options = TableOptions::default();
    options.stop.store(true, Ordering::Relaxed);
    let players = [cell.challenger.clone(), cell.opponent.clone()];
    let mut table = build(&cell.game, &players, &options).unwrap();
    let seeds = CellSeeds::new(5, &cell).game(0, 0);
    assert_eq!(
        table.play(&seeds, &seating(2, 0), None),
        Err(Fault::Interrupted)
    );
}
