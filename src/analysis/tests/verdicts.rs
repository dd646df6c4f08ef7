//! Every kind of claim with every verdict: the sentences that people quote, kept word for word.

use super::*;

/// What becomes of the cells' win probabilities with so many blocks.
struct Case {
    verdict: Verdict,
    /// Win probability of every cell; `None`: all games of the cell are drawn.
    cells: Vec<Option<f64>>,
    blocks: usize,
}

fn case(verdict: Verdict, cells: &[f64], blocks: usize) -> Case {
    Case {
        verdict,
        cells: cells.iter().map(|&p| Some(p)).collect(),
        blocks,
    }
}

/// Where every game is drawn nothing can be told.
fn void(cells: usize) -> Case {
    Case {
        verdict: Verdict::Void,
        cells: vec![None; cells],
        blocks: 20,
    }
}

fn cases(kind: ClaimKind) -> (Option<f64>, Vec<Case>) {
    use Verdict::{Refuted, Supported, Undecided};
    match kind {
        ClaimKind::Better => (
            None,
            vec![
                case(Supported, &[0.7], 100),
                case(Refuted, &[0.3], 100),
                case(Undecided, &[0.5], 100),
                void(1),
            ],
        ),
        ClaimKind::AtLeast => (
            Some(0.05),
            vec![
                case(Supported, &[0.52, 0.52], 400),
                case(Refuted, &[0.3, 0.35], 100),
                case(Undecided, &[0.5, 0.47], 20),
                void(2),
            ],
        ),
        ClaimKind::Equivalent => (
            Some(0.1),
            vec![
                case(Supported, &[0.5], 400),
                case(Refuted, &[0.8], 100),
                case(Undecided, &[0.5], 20),
                void(1),
            ],
        ),
        ClaimKind::Trend => (
            None,
            vec![
                case(Supported, &[0.3, 0.45, 0.6, 0.75], 100),
                case(Refuted, &[0.75, 0.6, 0.45, 0.3], 100),
                case(Undecided, &[0.5; 4], 50),
                void(4),
            ],
        ),
        ClaimKind::Monotone => (
            Some(0.02),
            vec![
                case(Supported, &[0.1, 0.35, 0.6, 0.85], 300),
                case(Refuted, &[0.2, 0.8, 0.5, 0.9], 100),
                case(Undecided, &[0.5; 4], 50),
                void(4),
            ],
        ),
        ClaimKind::Best => (
            None,
            vec![
                case(Supported, &[0.5, 0.7, 0.7], 100),
                case(Refuted, &[0.3, 0.35, 0.3], 100),
                case(Undecided, &[0.5, 0.53, 0.5], 50),
                void(3),
            ],
        ),
    }
}

/// The last of the cells of a claim of kind `best` is the confirmation of the second one.
fn experiment(kind: ClaimKind, margin: Option<f64>, case: &Case) -> Analysis {
    let number = case.cells.len();
    let mut cells: Vec<Cell> = (0..number)
        .map(|i| cell(i, "uct", Some(10 << i), "random"))
        .collect();
    let mut asked = number;
    if kind == ClaimKind::Best {
        asked = number - 1;
        for one in &mut cells {
            one.phase = Phase::Select;
        }
        let selected = usize::from(case.verdict != Verdict::Void);
        cells[asked] = Cell {
            index: asked,
            phase: Phase::Confirm,
            first_block: case.blocks as u64,
            ..cells[selected].clone()
        };
    }
    let asked: Vec<usize> = (0..asked).collect();
    let plan = plan(cells, vec![claim(kind, &asked, "random", margin)]);
    let games: Vec<PlayedBlock> = case
        .cells
        .iter()
        .enumerate()
        .flat_map(|(index, p)| match p {
            Some(p) => blocks(index, coins(case.blocks, *p, 40 + index as u64)),
            None => blocks(index, vec![[0.5, 0.5]; case.blocks]),
        })
        .collect();
    analyse(&plan, &games)
}

const KINDS: [ClaimKind; 6] = [
    ClaimKind::Better,
    ClaimKind::AtLeast,
    ClaimKind::Equivalent,
    ClaimKind::Trend,
    ClaimKind::Monotone,
    ClaimKind::Best,
];

#[test]
fn every_verdict_of_every_kind_has_a_sentence_that_can_be_printed() {
    let mut text = String::new();
    for kind in KINDS {
        let (margin, cases) = cases(kind);
        for case in cases {
            let analysis = experiment(kind, margin, &case);
            let found = &analysis.claims[0];
            assert_eq!(
                found.verdict,
                case.verdict,
                "{}: {}",
                kind.word(),
                found.why
            );
            let why = &found.why;
            for never in ["NaN", "nan", " inf", "-0 ", "-0.0 "] {
                assert!(!why.contains(never), "{why}");
            }
            assert!(why.ends_with('.') && !why.trim_end_matches('.').is_empty());
            text.push_str(&format!(
                "{} {}: {why}\n",
                kind.word(),
                found.verdict.word()
            ));
            for note in &analysis.dose {
                for sentence in &note.sentences {
                    text.push_str(&format!("    {sentence}\n"));
                }
            }
        }
    }
    insta::assert_snapshot!("verdicts", text);
}

/// Two budgets and two explorations, against the same opponent.
fn square(p: [f64; 4]) -> Analysis {
    let cells: Vec<Cell> = (0..4)
        .map(|i| {
            let (budget, exploration) = (10 << (i % 2), if i < 2 { 0.7 } else { 1.4 });
            let mut one = cell(i, "uct", Some(budget), "random");
            one.challenger
                .values
                .insert("exploration".to_owned(), Value::Real(exploration));
            one.axes.push(Some(Value::Real(exploration)));
            one
        })
        .collect();
    let mut plan = plan(
        cells,
        vec![claim(ClaimKind::Trend, &[0, 1, 2, 3], "random", None)],
    );
    plan.axes.push("exploration".to_owned());
    let games: Vec<PlayedBlock> = (0..4)
        .flat_map(|i| blocks(i, coins(400, p[i], 60 + i as u64)))
        .collect();
    analyse(&plan, &games)
}

#[test]
fn whether_exploration_matters_and_interacts_with_the_budget_is_said_where_both_were_swept() {
    let sentences = |p| square(p).dose[0].sentences.clone();
    // The same at all four: neither.
    let neither = sentences([0.5; 4]);
    assert!(neither[0].starts_with("No difference"), "{neither:?}");
    assert!(neither[1].starts_with("It was not shown"), "{neither:?}");
    // One exploration scores higher throughout, and gains as much.
    let level = sentences([0.3, 0.4, 0.55, 0.65]);
    assert!(level[0].starts_with("Scores differ"), "{level:?}");
    assert!(level[1].starts_with("It was not shown"), "{level:?}");
    // As good on average, but only one of them gains.
    let slope = sentences([0.4, 0.6, 0.5, 0.5]);
    assert!(slope[0].starts_with("No difference"), "{slope:?}");
    assert!(slope[1].starts_with("The gain of a doubling"), "{slope:?}");
    assert!(
        slope[2].contains("9999 random") && slope[2].contains("Holm"),
        "{slope:?}"
    );
    assert!(slope[3].contains("Elo difference"), "{slope:?}");
}

#[test]
fn cells_that_are_no_grid_have_no_note_and_neither_has_a_run_that_may_stop_early() {
    // Two challengers.
    let mut cells: Vec<Cell> = (0..4)
        .map(|i| {
            cell(
                i,
                if i < 2 { "uct" } else { "flat-mc" },
                Some(10 << (i % 2)),
                "random",
            )
        })
        .collect();
    let asked = || vec![claim(ClaimKind::Trend, &[0, 1, 2, 3], "random", None)];
    let games: Vec<PlayedBlock> = (0..4)
        .flat_map(|i| blocks(i, coins(50, 0.5, i as u64)))
        .collect();
    assert!(
        analyse(&plan(cells.clone(), asked()), &games)
            .dose
            .is_empty()
    );
    for (index, one) in cells.iter_mut().enumerate() {
        *one = cell(index, "uct", Some(10 << index), "random");
    }
    let mut plan = plan(cells, asked());
    assert_eq!(analyse(&plan, &games).dose.len(), 1);
    plan.stop = StopRule::Precision { width: 0.1 };
    assert!(analyse(&plan, &games).dose.is_empty());
}

/// Four budgets of one line whose win probabilities are `p`.
fn ladder(p: [f64; 4], kind: ClaimKind, margin: Option<f64>) -> Analysis {
    let cells: Vec<Cell> = (0..4)
        .map(|i| cell(i, "uct", Some(10 << i), "random"))
        .collect();
    let plan = plan(cells, vec![claim(kind, &[0, 1, 2, 3], "random", margin)]);
    let games: Vec<PlayedBlock> = (0..4)
        .flat_map(|i| blocks(i, coins(300, p[i], i as u64)))
        .collect();
    analyse(&plan, &games)
}

#[test]
fn a_trend_is_found_and_its_opposite_refuted() {
    let rising = ladder([0.3, 0.45, 0.6, 0.75], ClaimKind::Trend, None);
    assert_eq!(
        rising.claims[0].verdict,
        Verdict::Supported,
        "{:?}",
        rising.claims[0]
    );
    assert!((rising.claims[0].estimate.unwrap() - 0.15).abs() < 0.03);
    assert_eq!(rising.comparisons.len(), 3);
    let falling = ladder([0.75, 0.6, 0.45, 0.3], ClaimKind::Trend, None);
    assert_eq!(falling.claims[0].verdict, Verdict::Refuted);
    let flat = ladder([0.5; 4], ClaimKind::Trend, None);
    assert_eq!(flat.claims[0].verdict, Verdict::Undecided);
}

#[test]
fn where_test_and_interval_differ_the_reason_is_given() {
    // The last budget is always a little better: within a deal that is rare by chance, but eight
    // deals leave the interval wide.
    let cells: Vec<Cell> = (0..4)
        .map(|i| cell(i, "uct", Some(10 << i), "random"))
        .collect();
    let claims = vec![claim(ClaimKind::Trend, &[0, 1, 2, 3], "random", None)];
    let games: Vec<PlayedBlock> = (0..4)
        .flat_map(|i| {
            let more = if i == 3 { 0.5 } else { 0.0 };
            blocks(i, [[0.5 + more, 0.5], [0.5, 0.5 + more]].repeat(4))
        })
        .collect();
    let analysis = analyse(&plan(cells, claims), &games);
    let found = &analysis.claims[0];
    assert_eq!(found.verdict, Verdict::Supported, "{found:?}");
    assert!(found.interval.unwrap().low < 0.0, "{found:?}");
    let reason = "the test decides, the interval is the more careful of the two";
    assert!(found.why.contains(reason), "{}", found.why);
}

#[test]
fn a_trend_is_not_monotonicity() {
    // Rises overall, with one clear drop.
    let bumpy = ladder([0.2, 0.8, 0.5, 0.9], ClaimKind::Monotone, None);
    assert_eq!(
        bumpy.claims[0].verdict,
        Verdict::Refuted,
        "{:?}",
        bumpy.claims[0]
    );
    let steps = ladder([0.1, 0.35, 0.6, 0.85], ClaimKind::Monotone, None);
    assert_eq!(
        steps.claims[0].verdict,
        Verdict::Supported,
        "{:?}",
        steps.claims[0]
    );
    let flat = ladder([0.5; 4], ClaimKind::Monotone, None);
    assert_eq!(flat.claims[0].verdict, Verdict::Undecided);
}

#[test]
fn only_the_confirmation_of_the_best_cell_is_quoted() {
    let mut cells: Vec<Cell> = (0..3)
        .map(|i| Cell {
            phase: Phase::Select,
            ..cell(i, "uct", Some(10 << i), "random")
        })
        .collect();
    cells.push(Cell {
        index: 3,
        phase: Phase::Confirm,
        first_block: 1000,
        ..cells[1].clone()
    });
    let plan = plan(
        cells,
        vec![claim(ClaimKind::Best, &[0, 1, 2], "random", None)],
    );
    let mut games = blocks(0, coins(100, 0.5, 1));
    games.extend(blocks(1, coins(100, 0.9, 2)));
    games.extend(blocks(2, coins(100, 0.6, 3)));
    let waiting = analyse(&plan, &games);
    assert_eq!(waiting.claims[0].verdict, Verdict::Undecided);
    games.extend(blocks(3, coins(100, 0.7, 4)));
    let analysis = analyse(&plan, &games);
    let claim = &analysis.claims[0];
    assert_eq!(claim.verdict, Verdict::Supported, "{claim:?}");
    assert_eq!(
        claim.estimate, analysis.cells[3].score,
        "the confirmation, not the selection"
    );
}
