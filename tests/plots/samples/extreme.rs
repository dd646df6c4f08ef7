//! Charts at the edges of what can come: one cell, one game, all wins, 200 cells, names of 80
//! characters, values that are not known.

use evalctl::plot::{
    Caption, DosePanel, Estimate, HeatPanel, IntervalGroup, LengthGroup, RatingRow, TimingLine,
    TimingPanel, TimingPoint,
};

use super::normal::{
    calibration, dose_response, forest, game_length, heat_map, payoff_matrix, rating_ladder,
    running, running_score, seat_effect, timing,
};
use super::{Sample, cell, real, reference, row, sample, score, series, within, wobble};

/// A name of 80 characters.
const LONG: &str =
    "ismcts:simulations=100000,exploration=1.4142,rollout=heuristic,selection=ucb1-tu";

fn long_caption() -> Caption {
    Caption {
        sample: "n = 2 games (1 block) per cell, rounded up to whole blocks".to_owned(),
        seed: "seed 20261130".to_owned(),
        method: format!("intervals of {LONG}"),
        notes: vec![
            "games that ended by the decision cap score the fair share and are left out of the primary estimate".to_owned(),
            LONG.repeat(3),
            "made-up numbers, to show the chart".to_owned(),
        ],
    }
}

/// All extreme examples.
pub fn extreme() -> Vec<Sample> {
    let mut all = dose();
    all.extend(heat());
    all.extend(rows());
    all.extend(lengths());
    all.extend(running_and_timing());
    all.extend(tournaments());
    all
}

fn panel(opponent: &str, lines: Vec<evalctl::plot::Series>) -> DosePanel {
    DosePanel {
        opponent: format!("against {opponent}"),
        lines,
        references: Vec::new(),
    }
}

fn dose() -> Vec<Sample> {
    let mut one = dose_response();
    let single = series("exploration 0.7", [(1000.0, Some(score(1.0, 0.6)))]);
    one.panels = vec![panel("random", vec![single])];

    let mut wins = dose_response();
    for panel in &mut wins.panels {
        for point in panel.lines.iter_mut().flat_map(|l| &mut l.points) {
            point.1 = Some(score(1.0, 0.01));
        }
        panel.references = vec![
            reference("lowest 1.0", 1.0),
            reference("heuristic 1.0", 1.0),
            reference("flat-mc with 10 simulations 0.998", 0.998),
        ];
    }

    let mut many = dose_response();
    let powers: Vec<f64> = (0..20).map(|i| f64::from(1 << i)).collect();
    many.panels = ["random", "lowest", "heuristic", LONG, "pimc"]
        .iter()
        .enumerate()
        .map(|(p, opponent)| {
            let lines = (0..16).map(|l| {
                let points = powers.iter().enumerate().map(|(b, budget)| {
                    let value = 0.5 + 0.4 * wobble(p * 400 + l * 20 + b);
                    (*budget, ((p + l + b) % 5 != 0).then(|| score(value, 0.1)))
                });
                series(
                    &format!("exploration {:.1}", 0.1 * real(l)),
                    points.collect::<Vec<_>>(),
                )
            });
            let mut panel = panel(opponent, lines.collect());
            panel.references = vec![reference(LONG, 0.51), reference("lowest 0.52", 0.52)];
            panel
        })
        .collect();
    many.caption = long_caption();

    let mut long = dose_response();
    long.title = LONG.repeat(4);
    long.budget = LONG.repeat(2);
    long.measure = LONG.repeat(2);
    LONG.clone_into(&mut long.null.label);
    long.panels = [LONG, "lowest", LONG]
        .iter()
        .map(|opponent| {
            let lines = (0..4).map(|l| {
                let points = [16.0, 20.0, 25.0, 1_000_000.0]
                    .iter()
                    .map(|b| (*b, (*b < 21.0 || l == 0).then(|| score(0.2 * real(l), 0.2))));
                series(&format!("{LONG}{l}"), points.collect::<Vec<_>>())
            });
            let mut panel = panel(opponent, lines.collect());
            panel.references = vec![reference(LONG, 0.5)];
            panel
        })
        .collect();
    long.caption = long_caption();

    vec![
        sample("dose-one-cell", one),
        sample("dose-all-wins", wins),
        sample("dose-many", many),
        sample("dose-long-names", long),
    ]
}

fn heat() -> Vec<Sample> {
    let mut one = heat_map();
    one.panels = vec![HeatPanel {
        opponent: "against random".to_owned(),
        rows: vec!["0.7".to_owned()],
        columns: vec!["1000".to_owned()],
        cells: vec![vec![Some(cell(score(1.0, 0.5)))]],
    }];

    let mut many = heat_map();
    many.panels = vec![HeatPanel {
        opponent: "against lowest".to_owned(),
        rows: (0..10).map(|r| format!("{:.1}", 0.2 * real(r))).collect(),
        columns: (1..=20).map(|c| format!("{}", c * 100)).collect(),
        cells: (0..10)
            .map(|r| {
                (0..20)
                    .map(|c| {
                        let value = 0.5 + 0.5 * wobble(r * 20 + c);
                        ((r + c) % 17 != 0).then(|| cell(score(value, 0.08)))
                    })
                    .collect()
            })
            .collect(),
    }];
    many.caption = long_caption();

    let mut long = heat_map();
    long.title = LONG.repeat(4);
    LONG.clone_into(&mut long.row_axis);
    long.column_axis = LONG.repeat(3);
    long.measure = LONG.repeat(2);
    long.null = reference(LONG, 0.75);
    long.marks = LONG.repeat(3);
    long.panels = vec![HeatPanel {
        opponent: LONG.repeat(3),
        rows: (0..4).map(|r| format!("{LONG}{r}")).collect(),
        columns: (0..20).map(|c| format!("{LONG}{c}")).collect(),
        // One row is missing and one is too short.
        cells: vec![
            vec![Some(cell(score(1.0, 0.001))); 20],
            vec![None; 20],
            Vec::new(),
        ],
    }];
    long.caption = long_caption();

    vec![
        sample("heat-one-cell", one),
        sample("heat-200-cells", many),
        sample("heat-long-names", long),
    ]
}

fn rows() -> Vec<Sample> {
    let group = |heading: &str, rows| IntervalGroup {
        heading: heading.to_owned(),
        rows,
    };
    let difference = |value, half| Some(within(value, half, (-1.0, 1.0)));
    let mut one = seat_effect();
    one.groups = vec![group("", vec![row("the only cell", difference(1.0, 2.0))])];

    let mut long = seat_effect();
    long.title = LONG.repeat(4);
    long.measure = LONG.repeat(2);
    long.groups = vec![
        group(
            &format!("against {LONG}"),
            vec![
                row(LONG, difference(-0.3, 0.1)),
                row(&LONG.repeat(3), None),
                row("дурак ♠♥♦♣ 象棋", difference(0.0, 0.0)),
            ],
        ),
        group("against lowest", vec![row("x", difference(0.9, 0.3))]),
    ];
    long.caption = long_caption();

    let mut many = seat_effect();
    many.groups = vec![group(
        "against random",
        (0..200)
            .map(|i| row(&format!("cell {i}"), difference(0.3 * wobble(i), 0.1)))
            .collect(),
    )];

    let mut wins = forest();
    wins.null = reference(LONG, 1.0);
    "score [simultaneous interval of the block scores]".clone_into(&mut wins.numbers);
    wins.groups = vec![group(
        LONG,
        vec![
            row("all wins", Some(score(1.0, 0.0))),
            row("one game", Some(score(0.0, 1.0))),
        ],
    )];

    let mut many_cells = forest();
    many_cells.groups = (0..4)
        .map(|g| {
            group(
                &format!("against opponent {g}"),
                (0..50)
                    .map(|i| {
                        row(
                            &format!("{LONG}{i}"),
                            Some(score(0.5 + 0.4 * wobble(i + g), 0.1)),
                        )
                    })
                    .collect(),
            )
        })
        .collect();
    vec![
        sample("seat-one-cell", one),
        sample("seat-long-names", long),
        sample("seat-200-cells", many),
        sample("forest-all-wins", wins),
        sample("forest-200-cells", many_cells),
    ]
}

fn lengths() -> Vec<Sample> {
    let group = |name: &str, counts, mean| LengthGroup {
        name: name.to_owned(),
        counts,
        mean,
    };
    let mut one = game_length();
    one.groups = vec![group("one game", vec![(7, 1)], None)];

    let mut long = game_length();
    long.title = LONG.repeat(3);
    long.unit = LONG.repeat(2);
    let mean = Estimate {
        value: 0.2,
        low: 0.0,
        high: 400.0,
    };
    long.groups = vec![
        group(&LONG.repeat(2), vec![(0, 3), (1, 1)], Some(mean)),
        group("none", vec![], None),
        group("far", vec![(1_000_000_000, 2)], None),
    ];
    long.caption = long_caption();

    let mut many = game_length();
    many.groups = (0..20)
        .map(|g| {
            let counts = (5..200).map(|l| (l, 1 + (l * 7 + g) % 13)).collect();
            group(&format!("against opponent {g}"), counts, None)
        })
        .collect();
    vec![
        sample("length-one-game", one),
        sample("length-long-names", long),
        sample("length-many", many),
    ]
}

fn running_and_timing() -> Vec<Sample> {
    let mut one = running_score();
    one.lines = vec![series("one block", [(1.0, Some(score(1.0, 1.0)))])];

    let mut wins = running_score();
    wins.lines = vec![series(
        LONG,
        (1..=50).map(|n| (real(n), Some(score(1.0, 1.0 / real(n))))),
    )];
    wins.title = LONG.repeat(4);

    let mut many = running_score();
    many.lines = (0..20)
        .map(|i| running(&format!("{LONG}{i}"), 0.5 + 0.02 * real(i), 400, i * 1000))
        .collect();
    many.caption = long_caption();

    let mut single = timing();
    let point = TimingPoint {
        cost: 0.000_4,
        spread: None,
        score: score(1.0, 0.4),
    };
    single.panels = vec![TimingPanel {
        opponent: LONG.repeat(2),
        lines: vec![TimingLine {
            name: LONG.to_owned(),
            points: vec![point],
        }],
    }];

    let mut wide = timing();
    wide.panels = (0..3)
        .map(|p| TimingPanel {
            opponent: format!("against opponent {p}"),
            lines: vec![TimingLine {
                name: "from a microsecond to an hour".to_owned(),
                points: (0_u16..10)
                    .map(|i| TimingPoint {
                        cost: 0.001 * 9.0_f64.powi(i32::from(i)),
                        spread: None,
                        score: score(0.1 * f64::from(i), 0.1),
                    })
                    .collect(),
            }],
        })
        .collect();

    let mut sizes = calibration();
    for panel in &mut sizes.panels {
        panel.lines = vec![series(LONG, [(1.0, Some(score(0.0, 0.0))), (2.0, None)])];
        panel.measure = LONG.repeat(2);
        LONG.clone_into(&mut panel.nominal.label);
        panel.heading = LONG.repeat(2);
    }
    vec![
        sample("running-one-block", one),
        sample("running-all-wins", wins),
        sample("running-many", many),
        sample("timing-one-cell", single),
        sample("timing-wide", wide),
        sample("calibration-long-names", sizes),
    ]
}

fn tournaments() -> Vec<Sample> {
    let mut two = payoff_matrix();
    two.players = vec![LONG.to_owned(), LONG.repeat(2)];
    two.cells = vec![
        vec![None, Some(cell(score(1.0, 0.0)))],
        vec![Some(cell(score(0.0, 0.0)))],
    ];
    two.caption = long_caption();

    let mut many = payoff_matrix();
    many.players = (0..24)
        .map(|i| format!("player {i} with a name of its own"))
        .collect();
    many.cells = (0..24)
        .map(|r| {
            (0..24)
                .map(|c| (r != c).then(|| cell(score(0.5 + 0.02 * (real(c) - real(r)), 0.06))))
                .collect()
        })
        .collect();

    let mut ratings = rating_ladder();
    let player = |name: &str, rating, low, high| RatingRow {
        name: name.to_owned(),
        rating,
        low,
        high,
    };
    ratings.players = vec![
        player(LONG, Some(3000.0), Some(2500.0), None),
        player("won every game", None, Some(900.0), None),
        player("lost every game", None, None, Some(-900.0)),
        player("never played", None, None, None),
        player(&LONG.repeat(2), Some(-3000.0), None, Some(-2500.0)),
    ];
    ratings.anchor.label = LONG.repeat(2);

    let mut alone = rating_ladder();
    alone.players = vec![player("alone", Some(0.0), Some(0.0), Some(0.0))];
    vec![
        sample("payoff-two", two),
        sample("payoff-many", many),
        sample("ratings-unbounded", ratings),
        sample("ratings-one", alone),
    ]
}
