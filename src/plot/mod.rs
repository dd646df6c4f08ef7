//! Charts as PNG and SVG: one theme, an embedded font, intervals always drawn.
//!
//! A chart is a plain struct of names and numbers ([`DoseResponse`], [`HeatMap`], ...) that knows
//! nothing of games, files or runs; [`Chart::render_png`] and [`Chart::render_svg`] turn it into a
//! picture. The path is short: the chart lays itself out once as a [`Scene`] of shapes and measured
//! texts, and two painters (pixels, SVG) follow the scene. Layout is therefore checkable without
//! looking: [`Scene::faults`] lists clipped, overlapping or too small text.
//!
//! The same chart gives the same bytes on every machine: nothing here asks for the time, the
//! system's fonts or the platform's math library.
//!
//! ```
//! use evalctl::plot::{Caption, Chart, Estimate, Forest, IntervalGroup, IntervalRow, Meta, Reference};
//!
//! let chart = Forest {
//!     title: "Which cells differ from equal strength?".to_owned(),
//!     measure: "score".to_owned(),
//!     limits: (0.0, 1.0),
//!     null: Reference { label: "equal strength (0.5)".to_owned(), value: 0.5 },
//!     numbers: "score [95 % interval]".to_owned(),
//!     groups: vec![IntervalGroup {
//!         heading: "against lowest".to_owned(),
//!         rows: vec![IntervalRow {
//!             label: "1,000 simulations".to_owned(),
//!             estimate: Some(Estimate { value: 0.56, low: 0.5, high: 0.61 }),
//!             inner: None,
//!         }],
//!     }],
//!     caption: Caption { sample: "n = 200 games".to_owned(), ..Caption::default() },
//! };
//! let meta = Meta { software: "example".to_owned(), run: "none".to_owned() };
//! assert!(chart.scene()?.faults().is_empty());
//! assert!(chart.render_svg(&meta)?.contains("1,000 simulations"));
//! # Ok::<(), evalctl::plot::PlotError>(())
//! ```
//!
//! To add a chart: define its data, lay it out on a page (`page.rs`), return the scene from
//! [`Chart::scene`], and add normal and extreme examples of it to `tests/plots/`.

mod axis;
mod calibration;
mod data;
mod dose_response;
mod font;
mod forest;
mod game_length;
mod grid;
mod gutter;
mod heat_map;
mod marks;
mod page;
mod payoff_matrix;
mod png_out;
mod raster;
mod rating_ladder;
mod rows;
mod running_score;
mod scene;
mod seat_effect;
mod sheet;
mod svg;
pub mod theme;
mod timing;
mod xy;

pub use calibration::{Calibration, CalibrationPanel};
pub use data::{Caption, Estimate, IntervalGroup, IntervalRow, Reference, Series};
pub use dose_response::{DosePanel, DoseResponse};
pub use forest::Forest;
pub use game_length::{GameLength, LengthGroup};
pub use grid::{HeatCell, Side};
pub use heat_map::{HeatMap, HeatPanel};
pub use payoff_matrix::PayoffMatrix;
pub use rating_ladder::{RatingLadder, RatingRow};
pub use running_score::RunningScore;
pub use scene::{Area, Scene, TextBox};
pub use seat_effect::SeatEffect;
pub use sheet::contact_sheet;
pub use timing::{Timing, TimingLine, TimingPanel, TimingPoint};

use thiserror::Error;

/// Why a chart could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("the chart \"{chart}\" has no {what} to draw; leave the chart out")]
    Empty {
        /// The chart's title.
        chart: String,
        /// What is missing.
        what: &'static str,
    },
    /// A number is not a number, infinite, or outside what the chart can show.
    #[error("the chart \"{chart}\" cannot show {what}; leave the value out instead")]
    Value {
        /// The chart's title.
        chart: String,
        /// Which value, and what is wrong with it.
        what: String,
    },
    /// The embedded font cannot be read.
    #[error("the font inside this program is damaged; build the program again")]
    Font,
    /// The picture cannot be written as PNG.
    #[error("the chart \"{chart}\" cannot be written as PNG: {reason}")]
    Png {
        /// The chart's title.
        chart: String,
        /// What the encoder said.
        reason: String,
    },
}

/// Where a picture comes from; written into the file, not onto the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Name and version of the program.
    pub software: String,
    /// Hash that identifies the run.
    pub run: String,
}

impl Scene {
    /// The picture as a PNG file, [`theme::WIDTH`] pixels wide, with title, caption and origin in
    /// its text chunks.
    ///
    /// # Errors
    /// [`PlotError::Png`] if the picture is too large to encode.
    pub fn render_png(&self, meta: &Meta) -> Result<Vec<u8>, PlotError> {
        png_out::encode(self, meta)
    }

    /// The picture as an SVG document with title and caption as its description.
    pub fn render_svg(&self, meta: &Meta) -> String {
        svg::write(self, meta)
    }
}

/// A chart that can be drawn.
pub trait Chart {
    /// Lays the chart out.
    ///
    /// # Errors
    /// [`PlotError::Empty`] if there is nothing to draw, [`PlotError::Value`] for a number that is
    /// not finite or an interval that is upside down.
    fn scene(&self) -> Result<Scene, PlotError>;

    /// Lays the chart out on as many pages as keep each of them a handy size, all with the same
    /// scales; most charts have one.
    ///
    /// # Errors
    /// As [`Chart::scene`].
    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        Ok(vec![self.scene()?])
    }

    /// The chart as a PNG file, [`theme::WIDTH`] pixels wide, with title, caption and origin in
    /// its text chunks.
    ///
    /// # Errors
    /// As [`Chart::scene`], and [`PlotError::Png`] if the picture is too large to encode.
    fn render_png(&self, meta: &Meta) -> Result<Vec<u8>, PlotError> {
        self.scene()?.render_png(meta)
    }

    /// The chart as an SVG document with title and caption as its description.
    ///
    /// # Errors
    /// As [`Chart::scene`].
    fn render_svg(&self, meta: &Meta) -> Result<String, PlotError> {
        Ok(self.scene()?.render_svg(meta))
    }
}
