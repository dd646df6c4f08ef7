//! How much the seat decides, cell by cell.

use super::axis::Axis;
use super::data::{Caption, Estimate, numbered};
use super::page::Page;
use super::rows::{self, Group, Row, Rows};
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
    /// Groups of cells, such as one per opponent.
    pub groups: Vec<SeatGroup>,
    /// What stands below.
    pub caption: Caption,
}

/// Cells under a common heading.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatGroup {
    /// Heading, such as "against lowest"; may be empty.
    pub heading: String,
    /// One row per cell.
    pub rows: Vec<SeatRow>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatRow {
    /// Name of the cell.
    pub label: String,
    /// Difference with interval, between -1 and 1; nothing where it is unknown.
    pub difference: Option<Estimate>,
}

impl SeatEffect {
    /// The same chart in pages of at most `rows` rows each (at least one); titles are numbered if
    /// there is more than one page.
    pub fn pages(&self, rows: usize) -> Vec<Self> {
        let groups = self
            .groups
            .iter()
            .map(|g| (g.heading.clone(), g.rows.clone()))
            .collect();
        let pages = rows::split(groups, rows);
        let count = pages.len();
        pages
            .into_iter()
            .enumerate()
            .map(|(index, groups)| Self {
                title: numbered(&self.title, index, count),
                groups: groups
                    .into_iter()
                    .map(|(heading, rows)| SeatGroup { heading, rows })
                    .collect(),
                ..self.clone()
            })
            .collect()
    }
}

impl Chart for SeatEffect {
    fn scene(&self) -> Result<Scene, PlotError> {
        let mut reach = 0.1_f64;
        let mut any = false;
        for row in self.groups.iter().flat_map(|g| &g.rows) {
            if let Some(e) = row.difference {
                e.check(&self.title, &row.label)?;
                reach = reach.max(e.low.abs()).max(e.high.abs()).max(e.value.abs());
                any = true;
            }
        }
        if !any {
            return Err(PlotError::Empty {
                chart: self.title.clone(),
                what: "differences",
            });
        }
        let groups: Vec<Group> = self
            .groups
            .iter()
            .map(|group| Group {
                heading: group.heading.clone(),
                rows: group
                    .rows
                    .iter()
                    .map(|row| Row {
                        label: row.label.clone(),
                        value: row.difference.map(|e| e.value),
                        low: row.difference.map(|e| e.low),
                        high: row.difference.map(|e| e.high),
                        inner: None,
                    })
                    .collect(),
            })
            .collect();
        let mut page = Page::new(&self.title, "", &self.caption)?;
        rows::key(&mut page, "zero");
        rows::draw(
            &mut page,
            &Rows {
                groups: &groups,
                axis: Axis::linear([-reach, reach], Some((-1.0, 1.0)), 0.1),
                axis_label: &self.measure,
                numbers: "difference [interval]",
                decimals: 3,
                null: Some((0.0, "no difference between seats")),
            },
        );
        Ok(page.finish())
    }
}
