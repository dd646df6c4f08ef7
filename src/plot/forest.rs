//! Every cell with its interval beside the line of no effect.

use super::axis::Axis;
use super::data::{Caption, IntervalGroup, Reference, finite};
use super::rows::{self, Rows};
use super::scene::Scene;
use super::{Chart, PlotError};

/// Cells with simultaneous intervals; the form is the forest plot of meta-analysis (Lewis and
/// Clarke, BMJ 322 (2001) 1479).
///
/// The thin line of a row is its interval, the thick part the narrower one within (simultaneous
/// and pointwise). Colours say whether the interval leaves out the line of no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// Title; says what was asked.
    pub title: String,
    /// What is measured; title of the axis.
    pub measure: String,
    /// Smallest and largest possible value, such as 0 and 1 for scores.
    pub limits: (f64, f64),
    /// The level of no effect.
    pub null: Reference,
    /// What the numbers at the right are, such as "score [95 % simultaneous]".
    pub numbers: String,
    /// Groups of cells, such as one per opponent.
    pub groups: Vec<IntervalGroup>,
    /// What stands below.
    pub caption: Caption,
}

impl Forest {
    fn rows(&self) -> Result<Rows<'_>, PlotError> {
        finite(
            &self.title,
            &self.null.label,
            &[self.null.value, self.limits.0, self.limits.1],
        )?;
        let groups = rows::groups(&self.title, &self.groups)?;
        let values = rows::extent(&groups).into_iter().chain([self.null.value]);
        Ok(Rows {
            title: &self.title,
            caption: &self.caption,
            axis: Axis::linear(values, Some(self.limits), 0.1),
            axis_label: &self.measure,
            numbers: &self.numbers,
            decimals: 3,
            null: self.null.clone(),
            colored: true,
            groups,
        })
    }
}

impl Chart for Forest {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.rows()?.scene()
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.rows()?.pages()
    }
}
