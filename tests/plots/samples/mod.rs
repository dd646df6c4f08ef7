//! Example charts: ordinary ones for the contact sheet, extreme ones for the layout check. All
//! numbers are made up, and every caption says so.

mod extreme;
mod normal;

pub use extreme::extreme;
pub use normal::normal;

use evalctl::plot::{Caption, Chart, Estimate, HeatCell, IntervalRow, Reference, Series, Side};

/// A chart with the name of its file.
pub type Sample = (String, Box<dyn Chart>);

fn sample(name: &str, chart: impl Chart + 'static) -> Sample {
    (name.to_owned(), Box::new(chart))
}

fn caption(method: &str) -> Caption {
    Caption {
        sample: "n = 200 games (100 blocks) per cell".to_owned(),
        seed: "seed 20261130".to_owned(),
        method: method.to_owned(),
        notes: vec!["made-up numbers, to show the chart".to_owned()],
    }
}

/// An estimate with an interval of the given half width, kept within the limits.
fn within(value: f64, half: f64, limits: (f64, f64)) -> Estimate {
    Estimate {
        value,
        low: (value - half).max(limits.0),
        high: (value + half).min(limits.1),
    }
}

fn score(value: f64, half: f64) -> Estimate {
    within(value, half, (0.0, 1.0))
}

fn cell(estimate: Estimate) -> HeatCell {
    let mark = if estimate.low > 0.5 {
        Some(Side::Above)
    } else if estimate.high < 0.5 {
        Some(Side::Below)
    } else {
        None
    };
    HeatCell { estimate, mark }
}

fn reference(label: &str, value: f64) -> Reference {
    Reference {
        label: label.to_owned(),
        value,
    }
}

fn fair() -> Reference {
    reference("fair share 0.5", 0.5)
}

fn series(name: &str, points: impl IntoIterator<Item = (f64, Option<Estimate>)>) -> Series {
    Series {
        name: name.to_owned(),
        points: points.into_iter().collect(),
    }
}

fn row(label: &str, estimate: Option<Estimate>) -> IntervalRow {
    IntervalRow {
        label: label.to_owned(),
        estimate,
        inner: None,
    }
}

/// A number between -1 and 1 that looks random and is the same on every run.
fn wobble(i: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    real(usize::try_from(mixed % 2001).unwrap_or(0)) / 1000.0 - 1.0
}

/// A small number as a coordinate.
pub fn real(i: usize) -> f64 {
    u32::try_from(i).map_or(0.0, f64::from)
}
