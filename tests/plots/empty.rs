//! Charts that cannot be drawn.

use evalctl::plot::{
    Calibration, Caption, DosePanel, DoseResponse, Estimate, Forest, GameLength, HeatMap,
    HeatPanel, LengthGroup, PayoffMatrix, RatingLadder, RatingRow, Reference, RunningScore,
    SeatEffect, Series, Timing,
};

use crate::samples::Sample;

fn null() -> Reference {
    Reference {
        label: "fair share".to_owned(),
        value: 0.5,
    }
}

fn text() -> String {
    "x".to_owned()
}

fn dose(points: Vec<(f64, Option<Estimate>)>) -> DoseResponse {
    DoseResponse {
        title: text(),
        budget: text(),
        measure: text(),
        null: null(),
        panels: vec![DosePanel {
            opponent: text(),
            lines: vec![Series {
                name: text(),
                points,
            }],
            references: vec![null()],
        }],
        caption: Caption::default(),
    }
}

/// A chart with a budget that a logarithmic axis cannot show.
pub fn zero_budget() -> DoseResponse {
    let estimate = Estimate {
        value: 0.5,
        low: 0.4,
        high: 0.6,
    };
    dose(vec![(0.0, Some(estimate))])
}

/// Every kind of chart without a single known value.
pub fn empty() -> Vec<Sample> {
    let forest = Forest {
        title: text(),
        measure: text(),
        limits: (0.0, 1.0),
        null: null(),
        numbers: text(),
        groups: Vec::new(),
        caption: Caption::default(),
    };
    let heat = HeatMap {
        title: text(),
        row_axis: text(),
        column_axis: text(),
        measure: text(),
        null: null(),
        marks: text(),
        panels: vec![HeatPanel {
            opponent: text(),
            rows: vec![text()],
            columns: vec![text()],
            cells: vec![vec![None]],
        }],
        caption: Caption::default(),
    };
    let seat = SeatEffect {
        title: text(),
        measure: text(),
        groups: Vec::new(),
        caption: Caption::default(),
    };
    let length = GameLength {
        title: text(),
        unit: text(),
        groups: vec![LengthGroup {
            name: text(),
            counts: vec![(7, 0)],
            mean: None,
        }],
        caption: Caption::default(),
    };
    let running = RunningScore {
        title: text(),
        progress: text(),
        measure: text(),
        null: null(),
        lines: Vec::new(),
        caption: Caption::default(),
    };
    let timing = Timing {
        title: text(),
        cost: text(),
        measure: text(),
        null: null(),
        panels: Vec::new(),
        caption: Caption::default(),
    };
    let payoff = PayoffMatrix {
        title: text(),
        measure: text(),
        null: null(),
        marks: text(),
        players: vec![text()],
        cells: vec![vec![None]],
        caption: Caption::default(),
    };
    let ratings = RatingLadder {
        title: text(),
        measure: text(),
        numbers: text(),
        decimals: 0,
        anchor: null(),
        players: vec![RatingRow {
            name: text(),
            rating: None,
            low: None,
            high: None,
        }],
        caption: Caption::default(),
    };
    let calibration = Calibration {
        title: text(),
        size: text(),
        panels: Vec::new(),
        caption: Caption::default(),
    };
    vec![
        ("dose".to_owned(), Box::new(dose(vec![(10.0, None)]))),
        ("forest".to_owned(), Box::new(forest)),
        ("heat".to_owned(), Box::new(heat)),
        ("seat".to_owned(), Box::new(seat)),
        ("length".to_owned(), Box::new(length)),
        ("running".to_owned(), Box::new(running)),
        ("timing".to_owned(), Box::new(timing)),
        ("payoff".to_owned(), Box::new(payoff)),
        ("ratings".to_owned(), Box::new(ratings)),
        ("calibration".to_owned(), Box::new(calibration)),
    ]
}
