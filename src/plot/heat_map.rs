//! The whole grid of a sweep at a glance.

use super::data::{Caption, Estimate, Reference, finite};
use super::grid::{self, Cell, Grid, Side};
use super::page::Page;
use super::scene::Scene;
use super::{Chart, PlotError};

/// Scores of a grid of settings, one panel per opponent. Colours run from 0 to 1 with the fair
/// share in the middle, in every chart alike, so that two heat maps can be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Title; says what was asked.
    pub title: String,
    /// What the rows are, such as "exploration".
    pub row_axis: String,
    /// What the columns are, such as "simulations per move".
    pub column_axis: String,
    /// What is measured, a score between 0 and 1.
    pub measure: String,
    /// The neutral level, such as the fair share, between 0 and 1.
    pub null: Reference,
    /// What a mark of significance means, such as "adjusted p below 0.05 (Holm)"; empty if no
    /// cell has one.
    pub marks: String,
    /// One panel per opponent.
    pub panels: Vec<HeatPanel>,
    /// What stands below.
    pub caption: Caption,
}

/// One opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatPanel {
    /// Heading that names the opponent, such as "against lowest".
    pub opponent: String,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Cells by row, then column; nothing where nothing was played.
    pub cells: Vec<Vec<Option<HeatCell>>>,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatCell {
    /// Score with interval.
    pub estimate: Estimate,
    /// Side of the neutral level on which the score lies significantly, if it does.
    pub mark: Option<Side>,
}

impl HeatMap {
    fn check(&self) -> Result<(), PlotError> {
        let chart = self.title.as_str();
        finite(chart, &self.null.label, &[self.null.value])?;
        let mut any = false;
        for panel in &self.panels {
            for (row, cells) in panel.rows.iter().zip(&panel.cells) {
                for (column, cell) in panel.columns.iter().zip(cells) {
                    if let Some(cell) = cell {
                        cell.estimate.check(chart, &format!("{row}, {column}"))?;
                        any = true;
                    }
                }
            }
        }
        if any {
            Ok(())
        } else {
            Err(PlotError::Empty {
                chart: self.title.clone(),
                what: "cells",
            })
        }
    }

    /// The same heat map in pages of at most `rows` rows each (at least one), for grids that are
    /// too tall for one picture. A page keeps the panels of its rows; titles are numbered if there
    /// is more than one page.
    pub fn pages(&self, rows: usize) -> Vec<Self> {
        let rows = rows.max(1);
        let mut pages: Vec<Vec<HeatPanel>> = Vec::new();
        let mut left = 0;
        for panel in &self.panels {
            let mut start = 0;
            while start < panel.rows.len() {
                if left == 0 {
                    pages.push(Vec::new());
                    left = rows;
                }
                let take = left.min(panel.rows.len() - start);
                let part = HeatPanel {
                    opponent: panel.opponent.clone(),
                    rows: panel.rows.iter().skip(start).take(take).cloned().collect(),
                    columns: panel.columns.clone(),
                    cells: panel.cells.iter().skip(start).take(take).cloned().collect(),
                };
                if let Some(page) = pages.last_mut() {
                    page.push(part);
                }
                start += take;
                left -= take;
            }
        }
        let count = pages.len();
        pages
            .into_iter()
            .enumerate()
            .map(|(index, panels)| Self {
                title: super::data::numbered(&self.title, index, count),
                panels,
                ..self.clone()
            })
            .collect()
    }
}

impl Chart for HeatMap {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        let mut page = Page::new(&self.title, "", &self.caption)?;
        grid::key(
            &mut page,
            &self.measure,
            self.null.value,
            &self.null.label,
            &self.marks,
        );
        for (index, panel) in self.panels.iter().enumerate() {
            if index > 0 {
                page.gap(36.0);
            }
            let cell = |row: usize, column: usize| {
                let cell = panel.cells.get(row)?.get(column)?.as_ref()?;
                Some(Cell {
                    estimate: cell.estimate,
                    mark: cell.mark,
                })
            };
            grid::draw(
                &mut page,
                &Grid {
                    heading: &panel.opponent,
                    row_title: &self.row_axis,
                    column_title: &self.column_axis,
                    rows: &panel.rows,
                    columns: &panel.columns,
                    cells: &cell,
                    centre: self.null.value,
                },
            );
        }
        Ok(page.finish())
    }
}
