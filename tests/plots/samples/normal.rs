//! One ordinary example of every chart.

use evalctl::plot::{
    Calibration, CalibrationPanel, DosePanel, DoseResponse, Estimate, Forest, GameLength, HeatMap,
    HeatPanel, IntervalGroup, IntervalRow, LengthGroup, PayoffMatrix, RatingLadder, RatingRow,
    RunningScore, SeatEffect, Timing, TimingLine, TimingPanel, TimingPoint,
};

use super::{
    Sample, caption, cell, fair, real, reference, row, sample, score, series, within, wobble,
};

pub const BUDGETS: [f64; 6] = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];
pub const EXPLORATIONS: [&str; 3] = ["0.35", "0.7", "1.41"];
const OPPONENTS: [&str; 2] = ["random", "lowest"];
const BLOCKS: &str = "95 % t intervals on block scores with two pseudo-blocks";

/// One example of every chart, in the order in which a report shows them.
pub fn normal() -> Vec<Sample> {
    vec![
        sample("dose-response", dose_response()),
        sample("heat-map", heat_map()),
        sample("forest", forest()),
        sample("seat-effect", seat_effect()),
        sample("game-length", game_length()),
        sample("running-score", running_score()),
        sample("timing", timing()),
        sample("payoff-matrix", payoff_matrix()),
        sample("rating-ladder", rating_ladder()),
        sample("calibration", calibration()),
    ]
}

/// Made-up score against an opponent (by place), of an exploration, at a budget.
fn curve(opponent: usize, exploration: usize, budget: usize) -> Estimate {
    let noise = 0.015 * wobble(7 * budget + exploration);
    let (b, e) = (real(budget), real(exploration));
    let value = if opponent == 0 {
        0.965 + 0.006 * b - 0.004 * e + 0.2 * noise
    } else {
        0.36 + 0.055 * b - 0.018 * (e - 1.0) * (e - 1.0) + noise
    };
    score(value.min(0.998), 0.05 - 0.003 * b)
}

pub fn dose_response() -> DoseResponse {
    let panel = |(p, opponent): (usize, &&str)| DosePanel {
        opponent: format!("against {opponent}"),
        lines: EXPLORATIONS
            .iter()
            .enumerate()
            .map(|(e, name)| {
                let points = BUDGETS
                    .iter()
                    .enumerate()
                    .map(|(b, budget)| (*budget, Some(curve(p, e, b))));
                series(&format!("exploration {name}"), points)
            })
            .collect(),
        references: vec![if p == 0 {
            reference("lowest, without search: 0.97", 0.97)
        } else {
            reference("lowest against itself: 0.50", 0.503)
        }],
    };
    DoseResponse {
        title: "Does more search help? Score against simulations, Durak for two".to_owned(),
        budget: "simulations per move".to_owned(),
        measure: "score of the challenger".to_owned(),
        null: fair(),
        panels: OPPONENTS.iter().enumerate().map(panel).collect(),
        caption: caption(&format!("bands and bars: {BLOCKS}")),
    }
}

pub fn heat_map() -> HeatMap {
    let panel = |(p, opponent): (usize, &&str)| HeatPanel {
        opponent: format!("against {opponent}"),
        rows: EXPLORATIONS.map(str::to_owned).to_vec(),
        columns: BUDGETS.map(|b| b.to_string()).to_vec(),
        cells: (0..EXPLORATIONS.len())
            .map(|e| {
                (0..BUDGETS.len())
                    .map(|b| Some(cell(curve(p, e, b))))
                    .collect()
            })
            .collect(),
    };
    HeatMap {
        title: "Score of ismcts by simulations and exploration, Durak for two".to_owned(),
        row_axis: "exploration".to_owned(),
        column_axis: "simulations per move".to_owned(),
        measure: "score of the challenger".to_owned(),
        null: fair(),
        marks: "adjusted p below 0.05 (Holm over the cells of one opponent)".to_owned(),
        panels: OPPONENTS.iter().enumerate().map(panel).collect(),
        caption: caption(BLOCKS),
    }
}

pub fn forest() -> Forest {
    let group = |(p, opponent): (usize, &&str)| IntervalGroup {
        heading: format!("against {opponent}"),
        rows: BUDGETS
            .iter()
            .enumerate()
            .map(|(b, budget)| {
                let e = curve(p, 1, b);
                IntervalRow {
                    label: format!("simulations {budget}, exploration 0.7"),
                    estimate: Some(score(e.value, 0.075)),
                    inner: Some((e.low, e.high)),
                }
            })
            .collect(),
    };
    Forest {
        title: "Which cells differ from the fair share?".to_owned(),
        measure: "score of the challenger".to_owned(),
        limits: (0.0, 1.0),
        null: fair(),
        numbers: "score [95 % simultaneous]".to_owned(),
        groups: OPPONENTS.iter().enumerate().map(group).collect(),
        caption: caption("thin: simultaneous (Bonferroni), thick: pointwise 95 % interval"),
    }
}

pub fn seat_effect() -> SeatEffect {
    let group = |(p, opponent): (usize, &&str)| IntervalGroup {
        heading: format!("against {opponent}"),
        rows: BUDGETS
            .iter()
            .enumerate()
            .map(|(b, budget)| {
                let value = 0.05 * real(p) + 0.05 * wobble(b + 10 * p);
                let label = format!("simulations {budget}, exploration 0.7");
                row(&label, Some(within(value, 0.06, (-1.0, 1.0))))
            })
            .collect(),
    };
    SeatEffect {
        title: "Does moving first help?".to_owned(),
        measure: "score when moving first minus score otherwise".to_owned(),
        groups: OPPONENTS.iter().enumerate().map(group).collect(),
        caption: caption("95 % t intervals on block differences"),
    }
}

pub fn game_length() -> GameLength {
    let group = |(p, opponent): (usize, &&str)| {
        let centre = 52.0 + 9.0 * real(p);
        let mut counts: Vec<(u64, u64)> = (10_u32..180)
            .map(|length| {
                // A skewed hill.
                let x = (f64::from(length) - centre) / (10.0 + f64::from(length) / 12.0);
                let height = 160.0 / (1.0 + x * x * x * x);
                let games = format!("{height:.0}").parse().unwrap_or(0);
                (u64::from(length), games)
            })
            .collect();
        counts.push((5000, 2));
        LengthGroup {
            name: format!("against {opponent}"),
            counts,
            mean: Some(Estimate {
                value: centre + 4.0,
                low: centre + 2.9,
                high: centre + 5.1,
            }),
        }
    };
    GameLength {
        title: "How long are the games?".to_owned(),
        unit: "decisions per game".to_owned(),
        groups: OPPONENTS.iter().enumerate().map(group).collect(),
        caption: caption("mean with 95 % t interval on blocks"),
    }
}

/// A running mean of made-up block scores with a band that narrows.
pub fn running(name: &str, level: f64, blocks: usize, salt: usize) -> evalctl::plot::Series {
    let mut sum = 0.0;
    let points = (1..=blocks).map(|n| {
        sum += level + 0.5 * wobble(n * 31 + salt);
        let mean: f64 = sum / real(n);
        let half = 1.1 / real(n).sqrt();
        (real(n), Some(score(mean.clamp(0.0, 1.0), half)))
    });
    series(name, points.collect::<Vec<_>>())
}

pub fn running_score() -> RunningScore {
    RunningScore {
        title: "How the score settled: ismcts against lowest, Durak for two".to_owned(),
        progress: "blocks, in the order of the schedule".to_owned(),
        measure: "score of the challenger".to_owned(),
        null: fair(),
        lines: vec![
            running("simulations 100", 0.45, 2000, 1),
            running("simulations 1000", 0.57, 2000, 2),
        ],
        caption: caption("bands: 95 % confidence sequence (betting), valid at every moment"),
    }
}

pub fn timing() -> Timing {
    let panel = |(p, opponent): (usize, &&str)| TimingPanel {
        opponent: format!("against {opponent}"),
        lines: EXPLORATIONS
            .iter()
            .enumerate()
            .map(|(e, name)| TimingLine {
                name: format!("exploration {name}"),
                points: BUDGETS
                    .iter()
                    .enumerate()
                    .map(|(b, budget)| {
                        let cost = budget * 0.0021 * (1.0 + 0.1 * real(e));
                        TimingPoint {
                            cost,
                            spread: Some((cost * 0.8, cost * 1.3)),
                            score: curve(p, e, b),
                        }
                    })
                    .collect(),
            })
            .collect(),
    };
    Timing {
        title: "What does a score cost?".to_owned(),
        cost: "milliseconds per move (mean and quartiles)".to_owned(),
        measure: "score of the challenger".to_owned(),
        null: fair(),
        panels: OPPONENTS.iter().enumerate().map(panel).collect(),
        caption: caption(&format!("bars: {BLOCKS}")),
    }
}

const PLAYERS: [&str; 6] = [
    "ismcts:simulations=3000,exploration=0.7",
    "ismcts:simulations=300,exploration=0.7",
    "pimc:simulations=300,worlds=20",
    "heuristic",
    "lowest",
    "random",
];

pub fn payoff_matrix() -> PayoffMatrix {
    let n = PLAYERS.len();
    PayoffMatrix {
        title: "Who beats whom? Durak for two, round robin".to_owned(),
        measure: "score of the player of the row".to_owned(),
        null: fair(),
        marks: "adjusted p below 0.05 (Holm over all pairs)".to_owned(),
        players: PLAYERS.map(str::to_owned).to_vec(),
        cells: (0..n)
            .map(|r| {
                (0..n)
                    .map(|c| {
                        let lead = 0.11 * (real(c) - real(r));
                        let value = (0.5 + lead).clamp(0.01, 0.99);
                        (r != c).then(|| cell(score(value, 0.05)))
                    })
                    .collect()
            })
            .collect(),
        caption: caption(BLOCKS),
    }
}

pub fn rating_ladder() -> RatingLadder {
    RatingLadder {
        title: "Ratings of the tournament, Durak for two".to_owned(),
        measure: "Elo, mean of all players 0".to_owned(),
        numbers: "Elo [95 % interval]".to_owned(),
        decimals: 0,
        anchor: reference("mean of all players", 0.0),
        players: PLAYERS
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let rating = 190.0 - 72.0 * real(i) + 20.0 * wobble(i);
                let last = i + 1 == PLAYERS.len();
                RatingRow {
                    name: (*name).to_owned(),
                    rating: Some(rating - if last { 300.0 } else { 0.0 }),
                    low: (!last).then_some(rating - 32.0),
                    high: Some(rating + 34.0 - if last { 180.0 } else { 0.0 }),
                }
            })
            .collect(),
        caption: caption("Bradley-Terry, maximum likelihood, intervals from blocks"),
    }
}

pub fn calibration() -> Calibration {
    let sizes = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
    let methods = [
        ("t with two pseudo-blocks", 0.006),
        ("Wilson", -0.012),
        ("plain t", -0.05),
    ];
    let line = |(m, (name, bias)): (usize, &(&str, f64)), nominal: f64, sign: f64| {
        let points = sizes.iter().enumerate().map(|(i, size)| {
            let value = nominal + sign * bias / (1.0 + 0.6 * real(i)) + 0.0015 * wobble(i + 9 * m);
            (*size, Some(score(value, 0.0035)))
        });
        series(name, points.collect::<Vec<_>>())
    };
    let panel = |heading: &str, measure: &str, nominal: f64, sign: f64| CalibrationPanel {
        heading: heading.to_owned(),
        measure: measure.to_owned(),
        nominal: reference(&format!("nominal {nominal}"), nominal),
        lines: methods
            .iter()
            .enumerate()
            .map(|m| line(m, nominal, sign))
            .collect(),
    };
    Calibration {
        title: "Do the intervals keep their promise?".to_owned(),
        size: "blocks per experiment".to_owned(),
        panels: vec![
            panel("Coverage of 95 % intervals", "coverage", 0.95, 1.0),
            panel(
                "False positives at 5 %",
                "rate of false positives",
                0.05,
                -1.0,
            ),
        ],
        caption: caption("bars: 95 % Monte-Carlo error of 20,000 repeated experiments"),
    }
}
