//! The whole grid of a sweep at a glance.

use super::data::{Caption, Reference, empty, finite, numbered};
use super::grid::{self, Grid, HeatCell};
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
            Err(empty(&self.title, "cells"))
        }
    }

    /// Panels cut into pages of a handy height.
    fn split(&self) -> Vec<Vec<HeatPanel>> {
        let mut pages: Vec<Vec<HeatPanel>> = Vec::new();
        let mut left = 0;
        for panel in &self.panels {
            let most = grid::page_rows(panel.columns.len());
            let mut start = 0;
            while start < panel.rows.len() {
                if left == 0 {
                    pages.push(Vec::new());
                    left = most;
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
        pages
    }

    fn page(&self, title: &str, panels: &[HeatPanel]) -> Result<Scene, PlotError> {
        let mut page = Page::new(title, "", &self.caption)?;
        grid::key(
            &mut page,
            &self.measure,
            self.null.value,
            &self.null.label,
            &self.marks,
        );
        for (index, panel) in panels.iter().enumerate() {
            if index > 0 {
                page.gap(36.0);
            }
            let cell = |row: usize, column: usize| *panel.cells.get(row)?.get(column)?;
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

impl Chart for HeatMap {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        self.page(&self.title, &self.panels)
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.check()?;
        let pages = self.split();
        let count = pages.len();
        pages
            .iter()
            .enumerate()
            .map(|(i, panels)| self.page(&numbered(&self.title, i, count), panels))
            .collect()
    }
}
