//! Example charts: ordinary ones for the contact sheet, extreme ones for the layout check. All
//! numbers are made up, and every caption says so.

use evalctl::plot::{
    Caption, Chart, DoseLine, DosePanel, DoseResponse, Estimate, HeatCell, HeatMap, HeatPanel,
    Reference, SeatEffect, SeatGroup, SeatRow, Side,
};

/// A chart with the name of its file.
pub type Sample = (String, Box<dyn Chart>);

/// A name of 80 characters.
pub const LONG: &str =
    "ismcts:simulations=100000,exploration=1.4142,rollout=heuristic,selection=ucb1-tu";

fn caption() -> Caption {
    Caption {
        sample: "n = 200 games (100 blocks) per cell".to_owned(),
        seed: "seed 20261130".to_owned(),
        method: "bands and bars: 95 % t intervals on block scores with two pseudo-blocks"
            .to_owned(),
        notes: vec!["made-up numbers, to show the chart".to_owned()],
    }
}

fn long_caption() -> Caption {
    Caption {
        sample: "n = 2 games (1 block) per cell, rounded up to whole blocks".to_owned(),
        notes: vec![
            format!("the challenger {LONG} looks at hidden cards"),
            "games that ended by the decision cap score the fair share and are left out of the primary estimate".to_owned(),
            LONG.repeat(3),
            "made-up numbers, to show the chart".to_owned(),
        ],
        ..caption()
    }
}

/// An estimate with an interval of the given half width, kept within 0 and 1.
pub fn score(value: f64, half: f64) -> Estimate {
    Estimate {
        value,
        low: (value - half).max(0.0),
        high: (value + half).min(1.0),
    }
}

fn reference(label: &str, value: f64) -> Reference {
    Reference {
        label: label.to_owned(),
        value,
    }
}

/// A number between -1 and 1 that looks random and is the same on every run.
fn wobble(i: usize) -> f64 {
    let mixed = i.wrapping_mul(0x9E37_79B9).wrapping_add(i >> 3) >> 7;
    real(mixed % 2001) / 1000.0 - 1.0
}

/// A small number as a coordinate.
fn real(i: usize) -> f64 {
    u32::try_from(i).map_or(0.0, f64::from)
}

const BUDGETS: [f64; 6] = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];
const EXPLORATIONS: [&str; 3] = ["0.35", "0.7", "1.41"];

fn dose(
    opponents: &[&str],
    lines: &[String],
    budgets: &[f64],
    value: impl Fn(usize, usize, usize) -> Option<Estimate>,
    references: &[Reference],
    caption: Caption,
) -> DoseResponse {
    DoseResponse {
        title: "Does more search help? Score against simulations, Durak for two".to_owned(),
        budget: "simulations per move".to_owned(),
        measure: "score of the challenger".to_owned(),
        null: reference("fair share 0.5", 0.5),
        panels: opponents
            .iter()
            .enumerate()
            .map(|(p, opponent)| DosePanel {
                opponent: format!("against {opponent}"),
                lines: lines
                    .iter()
                    .enumerate()
                    .map(|(l, name)| DoseLine {
                        name: name.clone(),
                        points: budgets
                            .iter()
                            .enumerate()
                            .map(|(b, budget)| (*budget, value(p, l, b)))
                            .collect(),
                    })
                    .collect(),
                references: references.to_vec(),
            })
            .collect(),
        caption,
    }
}

fn explorations() -> Vec<String> {
    EXPLORATIONS
        .iter()
        .map(|e| format!("exploration {e}"))
        .collect()
}

fn curve(p: usize, l: usize, b: usize) -> Estimate {
    let noise = 0.01 * wobble(7 * b + l);
    let (b, l) = (real(b), real(l));
    let value = if p == 0 {
        0.97 + 0.005 * b - 0.004 * l
    } else {
        0.36 + 0.055 * b - 0.018 * (l - 1.0) * (l - 1.0) + noise
    };
    score(value.min(0.998), 0.045 - 0.003 * b)
}

fn heat(
    rows: usize,
    columns: usize,
    name: impl Fn(usize) -> String,
    value: impl Fn(usize, usize) -> Option<HeatCell>,
    caption: Caption,
) -> HeatMap {
    HeatMap {
        title: "Score of ismcts by simulations and exploration, Durak for two".to_owned(),
        row_axis: "exploration".to_owned(),
        column_axis: "simulations per move".to_owned(),
        measure: "score of the challenger".to_owned(),
        null: reference("fair share 0.5", 0.5),
        marks: "adjusted p below 0.05 (Holm over the cells of one opponent)".to_owned(),
        panels: vec![HeatPanel {
            opponent: "against lowest".to_owned(),
            rows: (0..rows).map(&name).collect(),
            columns: (0..columns)
                .map(|c| {
                    BUDGETS
                        .get(c)
                        .map_or_else(|| format!("{}", 100 * c), |b| format!("{b}"))
                })
                .collect(),
            cells: (0..rows)
                .map(|r| (0..columns).map(|c| value(r, c)).collect())
                .collect(),
        }],
        caption,
    }
}

fn cell(value: f64, half: f64) -> HeatCell {
    let estimate = score(value, half);
    HeatCell {
        estimate,
        mark: if estimate.low > 0.5 {
            Some(Side::Above)
        } else if estimate.high < 0.5 {
            Some(Side::Below)
        } else {
            None
        },
    }
}

fn seats(groups: Vec<(String, Vec<(String, Option<Estimate>)>)>, caption: Caption) -> SeatEffect {
    SeatEffect {
        title: "Does moving first help?".to_owned(),
        measure: "score when moving first minus score otherwise".to_owned(),
        groups: groups
            .into_iter()
            .map(|(heading, rows)| SeatGroup {
                heading,
                rows: rows
                    .into_iter()
                    .map(|(label, difference)| SeatRow { label, difference })
                    .collect(),
            })
            .collect(),
        caption,
    }
}

fn difference(value: f64, half: f64) -> Option<Estimate> {
    Some(Estimate {
        value,
        low: (value - half).max(-1.0),
        high: (value + half).min(1.0),
    })
}

fn normal_seats() -> SeatEffect {
    seats(
        ["random", "lowest"]
            .iter()
            .enumerate()
            .map(|(o, opponent)| {
                let rows = BUDGETS
                    .iter()
                    .enumerate()
                    .map(|(b, budget)| {
                        let value = 0.04 * real(o) + 0.05 * wobble(b + 10 * o);
                        (
                            format!("simulations {budget}, exploration 0.7"),
                            difference(value, 0.06),
                        )
                    })
                    .collect();
                (format!("against {opponent}"), rows)
            })
            .collect(),
        caption(),
    )
}

/// One ordinary example of every chart.
pub fn normal() -> Vec<Sample> {
    vec![
        (
            "dose-response".to_owned(),
            Box::new(dose(
                &["random", "lowest"],
                &explorations(),
                &BUDGETS,
                |p, l, b| Some(curve(p, l, b)),
                &[reference("lowest, without search: 0.52", 0.52)],
                caption(),
            )) as Box<dyn Chart>,
        ),
        (
            "heat-map".to_owned(),
            Box::new(heat(
                3,
                6,
                |r| EXPLORATIONS[r % 3].to_owned(),
                |r, c| Some(cell(curve(1, r, c).value, 0.05)),
                caption(),
            )),
        ),
        ("seat-effect".to_owned(), Box::new(normal_seats())),
    ]
}

/// Charts at the edges of what can come: one cell, one game, all wins, 200 cells, names of 80
/// characters, values that are not known.
pub fn extreme() -> Vec<Sample> {
    let one = |value, half| move |_: usize, _: usize, _: usize| Some(score(value, half));
    let many: Vec<String> = (0..16)
        .map(|i| format!("exploration {}", 0.1 * f64::from(i)))
        .collect();
    let long: Vec<String> = (0..4).map(|i| format!("{LONG}{i}")).collect();
    let powers: Vec<f64> = (0..20).map(|i| f64::from(1 << i)).collect();
    vec![
        (
            "dose-one-cell".to_owned(),
            Box::new(dose(
                &["random"],
                &["exploration 0.7".to_owned()],
                &[1000.0],
                one(1.0, 0.6),
                &[],
                caption(),
            )) as Box<dyn Chart>,
        ),
        (
            "dose-all-wins".to_owned(),
            Box::new(dose(
                &["random"],
                &explorations(),
                &BUDGETS,
                one(1.0, 0.01),
                &[
                    reference("lowest 1.0", 1.0),
                    reference("heuristic 1.0", 1.0),
                    reference("flat-mc with 10 simulations 0.998", 0.998),
                ],
                caption(),
            )),
        ),
        (
            "dose-many".to_owned(),
            Box::new(dose(
                &["random", "lowest", "heuristic", LONG, "pimc"],
                &many,
                &powers,
                |p, l, b| {
                    ((p + l + b) % 5 != 0)
                        .then(|| score(0.5 + 0.4 * wobble(p * 400 + l * 20 + b), 0.1))
                },
                &[reference(LONG, 0.51), reference("lowest 0.52", 0.52)],
                long_caption(),
            )),
        ),
        (
            "dose-long-names".to_owned(),
            Box::new(dose(
                &[LONG, "lowest", LONG],
                &long,
                &[16.0, 20.0, 25.0, 1_000_000.0],
                |_, l, b| (b != 2 || l == 0).then(|| score(0.2 * real(l), 0.2)),
                &[reference(LONG, 0.5)],
                long_caption(),
            )),
        ),
        (
            "heat-one-cell".to_owned(),
            Box::new(heat(
                1,
                1,
                |_| "0.7".to_owned(),
                |_, _| Some(cell(1.0, 0.5)),
                caption(),
            )),
        ),
        (
            "heat-200-cells".to_owned(),
            Box::new(heat(
                10,
                20,
                |r| format!("{}", real(r) * 0.2),
                |r, c| {
                    ((r + c) % 17 != 0).then(|| cell((0.5 + 0.5 * wobble(r * 20 + c)).abs(), 0.08))
                },
                long_caption(),
            )),
        ),
        (
            "heat-long-names".to_owned(),
            Box::new({
                let mut map = heat(
                    4,
                    20,
                    |r| format!("{LONG}{r}"),
                    |_, _| Some(cell(1.0, 0.001)),
                    long_caption(),
                );
                map.title = LONG.repeat(4);
                map.row_axis = LONG.to_owned();
                map.column_axis = LONG.repeat(3);
                map.null.label = LONG.to_owned();
                map.null.value = 0.75;
                map.marks = LONG.repeat(3);
                for panel in &mut map.panels {
                    panel.opponent = LONG.repeat(3);
                    for column in &mut panel.columns {
                        *column = LONG.to_owned();
                    }
                }
                map
            }),
        ),
        (
            "seat-one-cell".to_owned(),
            Box::new(seats(
                vec![(
                    String::new(),
                    vec![("the only cell".to_owned(), difference(1.0, 2.0))],
                )],
                caption(),
            )),
        ),
        (
            "seat-long-names".to_owned(),
            Box::new(seats(
                vec![
                    (
                        format!("against {LONG}"),
                        vec![
                            (LONG.to_owned(), difference(-0.3, 0.1)),
                            (LONG.repeat(3), None),
                            ("дурак ♠♥♦♣".to_owned(), difference(0.0, 0.0)),
                        ],
                    ),
                    (
                        "against lowest".to_owned(),
                        vec![("x".to_owned(), difference(0.9, 0.3))],
                    ),
                ],
                long_caption(),
            )),
        ),
        (
            "seat-200-cells".to_owned(),
            Box::new(seats(
                vec![(
                    "against random".to_owned(),
                    (0..200)
                        .map(|i| (format!("cell {i}"), difference(0.3 * wobble(i), 0.1)))
                        .collect(),
                )],
                caption(),
            )),
        ),
    ]
}
