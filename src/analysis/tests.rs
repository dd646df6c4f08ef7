//! Experiments made by hand: each diagnostic and verdict by one that must raise it and one that
//! must not.

use super::*;
use crate::games::{MAX_SEATS, Scores};
use crate::plan::{Cell, Claim, ClaimKind, SeatMode, StopRule};
use crate::record::{End, GameRecord};
use crate::rng::{Rng, Seed};
use crate::spec::{Settings, Value};

mod verdicts;

/// A cell of two seats: `challenger` with `simulations` against `opponent`.
fn cell(index: usize, challenger: &str, simulations: Option<i64>, opponent: &str) -> Cell {
    let mut settings = Settings::named(challenger);
    if let Some(simulations) = simulations {
        settings
            .values
            .insert("simulations".to_owned(), Value::Integer(simulations));
    }
    Cell {
        index,
        label: challenger.to_owned(),
        challenger: settings,
        opponent: Settings::named(opponent),
        opponent_label: opponent.to_owned(),
        game: Settings::named("tictactoe"),
        axes: vec![simulations.map(Value::Integer)],
        phase: Phase::Main,
        first_block: 0,
        blocks: 100,
        rotations: 2,
        seats: 2,
        fair_share: 0.5,
    }
}

fn placebo(index: usize, opponent: &str) -> Cell {
    Cell {
        label: format!("placebo:{opponent}"),
        phase: Phase::Placebo,
        axes: vec![None],
        ..cell(index, opponent, None, opponent)
    }
}

fn plan(cells: Vec<Cell>, claims: Vec<Claim>) -> Plan {
    Plan {
        name: "made".to_owned(),
        seed: 1,
        confidence: 0.95,
        seats: SeatMode::Rotate,
        games_asked: 200,
        opening_plies: 0,
        axes: vec!["simulations".to_owned()],
        cells,
        claims,
        stop: StopRule::Fixed,
        resolved: String::new(),
    }
}

fn claim(kind: ClaimKind, cells: &[usize], opponent: &str, margin: Option<f64>) -> Claim {
    Claim {
        name: format!("a claim of kind {}", kind.word()),
        kind,
        opponent: opponent.to_owned(),
        cells: cells.to_vec(),
        threshold: 0.5,
        margin,
    }
}

/// A game in which the challenger, in `seat`, scores `score`; seat 0 moved first.
fn game(seat: usize, score: f64, digest: u64) -> GameRecord {
    let scores = Scores::all(2, 1.0 - score).with(seat, score);
    GameRecord {
        scores,
        places: [0; MAX_SEATS],
        first_seat: 0,
        end: End::Normal,
        fault_seat: None,
        decisions: 7,
        digest,
        nanos: [0; MAX_SEATS],
        choices: [0; MAX_SEATS],
    }
}

/// Blocks of a cell from the scores of their two games.
fn blocks(cell: usize, scores: impl IntoIterator<Item = [f64; 2]>) -> Vec<PlayedBlock> {
    scores
        .into_iter()
        .enumerate()
        .map(|(block, scores)| PlayedBlock {
            cell,
            block: block as u64,
            games: scores
                .into_iter()
                .enumerate()
                .map(|(seat, score)| game(seat, score, (cell * 10_000 + block * 2 + seat) as u64))
                .collect(),
        })
        .collect()
}

/// `count` blocks of independent games won with probability `p`.
fn coins(count: usize, p: f64, seed: u64) -> Vec<[f64; 2]> {
    let mut rng = Seed::root(seed).rng();
    let toss = |rng: &mut Rng| if rng.unit() < p { 1.0 } else { 0.0 };
    (0..count)
        .map(|_| [toss(&mut rng), toss(&mut rng)])
        .collect()
}

fn analyse(plan: &Plan, blocks: &[PlayedBlock]) -> Analysis {
    let mut analyzer = Analyzer::new(plan);
    for block in blocks {
        analyzer.add(block);
    }
    analyzer.finish(false).expect("an analysis")
}

fn has(analysis: &Analysis, flag: Flag) -> bool {
    analysis.diagnostics.iter().any(|d| d.flag == flag)
}

#[test]
fn a_clear_win_is_supported_a_clear_loss_refuted_and_a_coin_undecided() {
    for (p, verdict) in [
        (0.8, Verdict::Supported),
        (0.2, Verdict::Refuted),
        (0.5, Verdict::Undecided),
    ] {
        let plan = plan(
            vec![cell(0, "uct", Some(10), "random")],
            vec![claim(ClaimKind::Better, &[0], "random", None)],
        );
        let analysis = analyse(&plan, &blocks(0, coins(100, p, 5)));
        assert_eq!(
            analysis.claims[0].verdict, verdict,
            "{:?}",
            analysis.claims[0]
        );
        assert!(!analysis.claims[0].why.is_empty());
        let summary = &analysis.cells[0];
        let (score, interval) = (summary.score.unwrap(), summary.interval.unwrap());
        assert!(interval.contains(score) && interval.width() > 0.0);
        assert_eq!(summary.games, 200);
        assert_eq!(summary.wins + summary.losses, 200);
    }
}

#[test]
fn a_game_that_is_always_drawn_is_degenerate_and_voids_the_claim() {
    let plan = plan(
        vec![cell(0, "uct", Some(10), "random")],
        vec![claim(ClaimKind::Better, &[0], "random", None)],
    );
    let drawn = analyse(&plan, &blocks(0, vec![[0.5, 0.5]; 50]));
    assert!(has(&drawn, Flag::Degenerate));
    assert_eq!(drawn.claims[0].verdict, Verdict::Void);
    // All won is no fault of the experiment.
    let won = analyse(&plan, &blocks(0, vec![[1.0, 1.0]; 50]));
    assert!(!has(&won, Flag::Degenerate));
    assert_eq!(won.claims[0].verdict, Verdict::Supported);
}

#[test]
fn a_placebo_that_does_as_well_is_degenerate() {
    let plan = plan(
        vec![cell(0, "uct", Some(10), "random"), placebo(1, "random")],
        vec![claim(ClaimKind::Better, &[0], "random", None)],
    );
    let mut games = blocks(0, vec![[1.0, 1.0]; 50]);
    games.extend(blocks(1, vec![[1.0, 1.0]; 50]));
    let analysis = analyse(&plan, &games);
    assert!(has(&analysis, Flag::Degenerate));
    assert!(
        has(&analysis, Flag::PlaceboFailed),
        "a placebo that wins everything is no null"
    );
    assert_eq!(analysis.claims[0].verdict, Verdict::Void);
    // A fair placebo raises nothing.
    let mut games = blocks(0, vec![[1.0, 1.0]; 50]);
    games.extend(blocks(1, coins(50, 0.5, 2)));
    let analysis = analyse(&plan, &games);
    assert!(!has(&analysis, Flag::PlaceboFailed) && !has(&analysis, Flag::Degenerate));
}

#[test]
fn a_seat_that_always_wins_is_seat_decided() {
    let plan = plan(
        vec![cell(0, "uct", Some(10), "random")],
        vec![claim(ClaimKind::Better, &[0], "random", None)],
    );
    // Seat 0 wins all but a few games.
    let mut scores = vec![[1.0, 0.0]; 98];
    scores.push([0.0, 0.0]);
    scores.push([1.0, 1.0]);
    let analysis = analyse(&plan, &blocks(0, scores));
    assert!(
        has(&analysis, Flag::SeatDecided),
        "{:?}",
        analysis.diagnostics
    );
    assert_eq!(analysis.claims[0].verdict, Verdict::Void);
    let effect = analysis.cells[0].seat_effect.unwrap();
    assert!(effect > 0.9, "{effect}");
    let fair = analyse(&plan, &blocks(0, coins(100, 0.6, 3)));
    assert!(!has(&fair, Flag::SeatDecided));
    // A pair with a winner and a loser says nothing about seats.
    for (pairs, found) in [(1, false), (9, false), (10, true)] {
        let few = analyse(&plan, &blocks(0, vec![[1.0, 0.0]; pairs]));
        assert_eq!(has(&few, Flag::SeatDecided), found, "{pairs}");
    }
}

#[test]
fn one_game_played_over_and_over_is_found() {
    let plan = plan(vec![cell(0, "first", None, "uct")], Vec::new());
    let mut same = blocks(0, vec![[1.0, 0.0]; 30]);
    for block in &mut same {
        for (seat, game) in block.games.iter_mut().enumerate() {
            game.digest = seat as u64;
        }
    }
    let analysis = analyse(&plan, &same);
    assert!(has(&analysis, Flag::DuplicateGames));
    assert_eq!(analysis.cells[0].distinct_games, 2);
    same[3].games[0].digest = 77;
    same[4].games[1].digest = 78;
    assert!(!has(&analyse(&plan, &same), Flag::DuplicateGames));
}

#[test]
fn a_ceiling_is_saturated_also_when_only_a_player_without_search_reaches_it() {
    let high = plan(vec![cell(0, "uct", Some(10), "random")], Vec::new());
    assert!(has(
        &analyse(&high, &blocks(0, coins(100, 0.99, 1))),
        Flag::Saturated
    ));
    assert!(!has(
        &analyse(&high, &blocks(0, coins(100, 0.8, 1))),
        Flag::Saturated
    ));
    let with_baseline = plan(
        vec![
            cell(0, "uct", Some(10), "random"),
            cell(1, "lowest", None, "random"),
        ],
        Vec::new(),
    );
    let mut games = blocks(0, coins(100, 0.8, 1));
    games.extend(blocks(1, vec![[1.0, 1.0]; 100]));
    let analysis = analyse(&with_baseline, &games);
    assert!(analysis.cells[0].flags.contains(&Flag::Saturated));
    let sentence = &analysis.diagnostics[0].sentence;
    assert!(sentence.contains("lowest"), "{sentence}");
}

#[test]
fn truncated_games_are_left_out_and_bounded_both_ways() {
    let plan = plan(vec![cell(0, "uct", Some(10), "random")], Vec::new());
    let mut games = blocks(0, coins(100, 0.7, 1));
    games[0].games[0].end = End::DecisionCap;
    games[0].games[0].scores = Scores::all(2, 0.5);
    let analysis = analyse(&plan, &games);
    let summary = &analysis.cells[0];
    assert!(has(&analysis, Flag::Truncated));
    assert_eq!(
        (summary.truncated, summary.blocks, summary.games),
        (1, 100, 200)
    );
    let (low, high) = summary.truncated_bounds.unwrap();
    assert!(low < high && high - low <= 0.005 + 1e-12, "{low} {high}");
    assert!(!has(
        &analyse(&plan, &blocks(0, coins(100, 0.7, 1))),
        Flag::Truncated
    ));
}

#[test]
fn forfeits_that_carry_the_verdict_are_named() {
    let plan = plan(
        vec![cell(0, "uct", Some(10), "exec")],
        vec![claim(ClaimKind::Better, &[0], "exec", None)],
    );
    let mut games = blocks(0, vec![[0.0, 0.0]; 40]);
    games.extend(
        blocks(0, vec![[1.0, 1.0]; 60])
            .into_iter()
            .map(|mut block| {
                block.block += 40;
                for (seat, game) in block.games.iter_mut().enumerate() {
                    game.end = End::Timeout;
                    game.fault_seat = Some(1 - seat);
                }
                block
            }),
    );
    let analysis = analyse(&plan, &games);
    assert!(has(&analysis, Flag::Forfeits), "{:?}", analysis.claims);
    assert_eq!(analysis.cells[0].forfeits_opponent, 120);
    let clean = analyse(&plan, &blocks(0, coins(100, 0.7, 4)));
    assert!(!has(&clean, Flag::Forfeits));
}

#[test]
fn a_margin_that_cannot_be_seen_is_underpowered() {
    let claims = |margin| vec![claim(ClaimKind::Equivalent, &[0], "random", Some(margin))];
    let cells = || vec![cell(0, "uct", Some(10), "random")];
    let games = blocks(0, coins(100, 0.5, 6));
    assert!(has(
        &analyse(&plan(cells(), claims(0.01)), &games),
        Flag::Underpowered
    ));
    assert!(!has(
        &analyse(&plan(cells(), claims(0.3)), &games),
        Flag::Underpowered
    ));
    let equal = analyse(&plan(cells(), claims(0.3)), &games);
    assert_eq!(equal.claims[0].verdict, Verdict::Supported);
}

#[test]
fn an_extended_run_has_been_peeked_at() {
    let mut plan = plan(vec![cell(0, "uct", Some(10), "random")], Vec::new());
    let extended = |plan: &Plan| {
        let mut analyzer = Analyzer::new(plan);
        for block in &blocks(0, coins(20, 0.6, 1)) {
            analyzer.add(block);
        }
        analyzer.finish(true).unwrap()
    };
    assert!(has(&extended(&plan), Flag::Peeked));
    assert!(!has(
        &analyse(&plan, &blocks(0, coins(20, 0.6, 1))),
        Flag::Peeked
    ));
    plan.stop = StopRule::Precision { width: 0.01 };
    assert!(!has(&extended(&plan), Flag::Peeked));
}

#[test]
fn fixed_seats_support_nothing_without_a_placebo() {
    let mut fixed = plan(
        vec![Cell {
            rotations: 1,
            ..cell(0, "uct", Some(10), "random")
        }],
        vec![claim(ClaimKind::Better, &[0], "random", None)],
    );
    fixed.seats = SeatMode::Fixed;
    let games: Vec<PlayedBlock> = blocks(0, coins(100, 0.9, 1))
        .into_iter()
        .map(|mut block| {
            block.games.truncate(1);
            block
        })
        .collect();
    let analysis = analyse(&fixed, &games);
    assert_eq!(analysis.claims[0].verdict, Verdict::Void);
    assert!(
        analysis.claims[0].why.contains("placebo"),
        "{}",
        analysis.claims[0].why
    );
}

/// Two cells and their placebos of a game with fixed seats: under one rule every game is drawn,
/// under the other whoever sits in seat 0 wins.
#[test]
fn an_experiment_that_the_seat_decides_is_void_with_both_reasons_in_words() {
    let ruled = |deck: i64, cell: Cell| {
        let mut game = Settings::named("durak-toy");
        game.values.insert("deck".to_owned(), Value::Integer(deck));
        Cell {
            game,
            rotations: 1,
            ..cell
        }
    };
    let mut fixed = plan(
        vec![
            ruled(24, cell(0, "toy-mcts", None, "random")),
            ruled(0, cell(1, "toy-mcts", None, "random")),
            ruled(24, placebo(2, "random")),
            ruled(0, placebo(3, "random")),
        ],
        vec![claim(ClaimKind::Better, &[0, 1], "random", None)],
    );
    fixed.seats = SeatMode::Fixed;
    let played = |search: f64, placebo: f64| -> Vec<PlayedBlock> {
        let mut games: Vec<PlayedBlock> = [0.5, search, 0.5, placebo]
            .into_iter()
            .enumerate()
            .flat_map(|(cell, score)| blocks(cell, vec![[score, score]; 50]))
            .collect();
        for block in &mut games {
            block.games.truncate(1);
        }
        games
    };
    let analysis = analyse(&fixed, &played(1.0, 1.0));
    let verdict = &analysis.claims[0];
    assert_eq!(verdict.verdict, Verdict::Void);
    for reason in [
        "every block has the same score",
        "a placebo scores in the same seat (2 of 2 cells)",
        "the seat decides the games, whoever plays in it (1 of 2 cells)",
    ] {
        assert!(verdict.why.contains(reason), "{}", verdict.why);
    }
    // Random is at the ceiling under the rule that lets seat 0 win, not under the other.
    let flags = |cell: usize| &analysis.cells[cell].flags;
    assert_eq!(flags(0)[..], [Flag::Degenerate]);
    assert!(flags(1).contains(&Flag::Saturated), "{:?}", flags(1));
    // Where the placebo loses, it is not the seat that wins.
    let analysis = analyse(&fixed, &played(1.0, 0.0));
    let flags = &analysis.cells[1].flags;
    assert!(!flags.contains(&Flag::SeatDecided) && !flags.contains(&Flag::Degenerate));
}

#[test]
fn the_best_of_many_settings_is_not_quoted_without_confirmation() {
    let settings = |kind, games: usize| {
        let cells: Vec<Cell> = (0..12)
            .map(|i| cell(i, "uct", Some(10 << i), "random"))
            .collect();
        let all: Vec<usize> = (0..12).collect();
        let played: Vec<PlayedBlock> = (0..12)
            .flat_map(|i| blocks(i, coins(games, 0.5, i as u64)))
            .collect();
        analyse(
            &plan(cells, vec![claim(kind, &all, "random", None)]),
            &played,
        )
    };
    let few = settings(ClaimKind::Better, 50);
    let warning = few
        .diagnostics
        .iter()
        .find(|d| d.flag == Flag::WinnersCurse)
        .expect("a warning");
    let [best] = warning.cells[..] else {
        panic!("one cell is the best: {warning:?}");
    };
    assert!(few.cells.iter().all(|c| c.score <= few.cells[best].score));
    // The largest of twelve normal values is 1.63 on average; a cell's standard error is 5 points.
    let points = warning.sentence.rsplit_once("about ").expect("a number").1;
    let points: f64 = points[..3].parse().expect("a number");
    assert!((6.5..9.5).contains(&points), "{}", warning.sentence);
    assert!(warning.sentence.contains(" percentage points better"));
    // A claim that confirms, or so many games that selection hardly flatters.
    assert!(!has(&settings(ClaimKind::Best, 50), Flag::WinnersCurse));
    assert!(!has(
        &settings(ClaimKind::Better, 5_000),
        Flag::WinnersCurse
    ));
}

#[test]
fn several_claims_are_corrected_together() {
    let cells: Vec<Cell> = (0..5)
        .map(|i| cell(i, "uct", Some(10 << i), "random"))
        .collect();
    let claims = (0..5)
        .map(|i| claim(ClaimKind::Better, &[i], "random", None))
        .collect();
    let plan = plan(cells, claims);
    let games: Vec<PlayedBlock> = (0..5)
        .flat_map(|i| blocks(i, coins(60, 0.58, 20 + i as u64)))
        .collect();
    let analysis = analyse(&plan, &games);
    for claim in &analysis.claims {
        assert!(claim.p_adjusted.unwrap() >= claim.p_value.unwrap());
    }
    for cell in &analysis.cells {
        assert_eq!(cell.family, 5);
        let (narrow, wide) = (cell.interval.unwrap(), cell.simultaneous.unwrap());
        assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        assert!(cell.p_adjusted.unwrap() >= cell.p_value.unwrap());
    }
}

#[test]
fn more_than_two_seats_have_their_own_null_and_no_elo() {
    let three = Cell {
        rotations: 3,
        seats: 3,
        fair_share: 2.0 / 3.0,
        ..cell(0, "ismcts", Some(10), "random")
    };
    let plan = plan(
        vec![three],
        vec![Claim {
            threshold: 2.0 / 3.0,
            ..claim(ClaimKind::Better, &[0], "random", None)
        }],
    );
    // The challenger is never the fool.
    let games: Vec<PlayedBlock> = (0..60_u64)
        .map(|block| PlayedBlock {
            cell: 0,
            block,
            games: (0..3)
                .map(|seat| GameRecord {
                    scores: Scores::lost_by(3, (seat + 1 + (block % 2) as usize) % 3),
                    ..game(0, 1.0, block * 3 + seat as u64)
                })
                .collect(),
        })
        .collect();
    let analysis = analyse(&plan, &games);
    let summary = &analysis.cells[0];
    assert_eq!((summary.elo, summary.elo_low), (None, None));
    assert!(
        summary.p_method.contains("relabelling"),
        "{}",
        summary.p_method
    );
    assert_eq!(
        analysis.claims[0].verdict,
        Verdict::Supported,
        "{:?}",
        analysis.claims[0]
    );
    assert_eq!(analysis.seats.len(), 3);
}
