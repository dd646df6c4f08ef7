//! How much the seat decides, cell by cell.

use super::axis::Axis;
use super::data::{Caption, IntervalGroup, Reference};
use super::rows::{self, Rows};
use super::scene::Scene;
use super::{Chart, PlotError};

/// Differences between seats (mean score when moving first minus otherwise) with intervals and the
/// line of no difference. The axis is symmetric about zero.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatEffect {
    /// Title; says what was asked.
    pub title: String,
    /// What is measured, such as "score when moving first minus score otherwise".
    pub measure: String,
    /// Groups of cells, such as one per opponent; values between -1 and 1.
    pub groups: Vec<IntervalGroup>,
    /// What stands below.
    pub caption: Caption,
}

impl SeatEffect {
    fn rows(&self) -> Result<Rows<'_>, PlotError> {
        let groups = rows::groups(&self.title, &self.groups)?;
        let reach = rows::extent(&groups)
            .into_iter()
            .fold(0.1, |reach: f64, v| reach.max(v.abs()));
        Ok(Rows {
            title: &self.title,
            caption: &self.caption,
            axis: Axis::linear([-reach, reach], Some((-1.0, 1.0)), 0.1),
            axis_label: &self.measure,
            numbers: "difference [interval]",
            decimals: 3,
            null: Reference {
                label: "no difference (0)".to_owned(),
                value: 0.0,
            },
            colored: true,
            groups,
        })
    }
}

impl Chart for SeatEffect {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.rows()?.scene()
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.rows()?.pages()
    }
}
