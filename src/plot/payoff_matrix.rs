//! Who beats whom in a tournament.

use super::data::{Caption, Reference, empty, finite, numbered};
use super::grid::{self, Grid, HeatCell};
use super::page::Page;
use super::scene::Scene;
use super::{Chart, PlotError};

/// Scores of every player against every other: the cell is the score of the player of its row
/// against the player of its column. Columns are numbered like the rows, so that names may be long.
#[derive(Clone, Debug, PartialEq)]
pub struct PayoffMatrix {
    /// Title; says what was asked.
    pub title: String,
    /// What is measured, a score between 0 and 1, such as "score of the row's player".
    pub measure: String,
    /// The neutral level, such as the fair share, between 0 and 1.
    pub null: Reference,
    /// What a mark of significance means; empty if no cell has one.
    pub marks: String,
    /// Names of the players.
    pub players: Vec<String>,
    /// Cells by row, then column; nothing on the diagonal and where two did not meet.
    pub cells: Vec<Vec<Option<HeatCell>>>,
    /// What stands below.
    pub caption: Caption,
}

impl PayoffMatrix {
    fn check(&self) -> Result<(), PlotError> {
        finite(&self.title, &self.null.label, &[self.null.value])?;
        let mut any = false;
        for (row, name) in self.cells.iter().zip(&self.players) {
            for cell in row.iter().take(self.players.len()).flatten() {
                cell.estimate.check(&self.title, name)?;
                any = true;
            }
        }
        if any {
            Ok(())
        } else {
            Err(empty(&self.title, "games"))
        }
    }

    /// Draws the rows from `start` on, as many as there are names.
    fn page(&self, title: &str, start: usize, names: &[String]) -> Result<Scene, PlotError> {
        let mut page = Page::new(title, "", &self.caption)?;
        grid::key(
            &mut page,
            &self.measure,
            self.null.value,
            &self.null.label,
            &self.marks,
        );
        let rows: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(i, name)| format!("{name}  {}", start + i + 1))
            .collect();
        let columns: Vec<String> = (1..=self.players.len()).map(|i| i.to_string()).collect();
        let cell = |row: usize, column: usize| *self.cells.get(start + row)?.get(column)?;
        grid::draw(
            &mut page,
            &Grid {
                heading: "",
                row_title: "player",
                column_title: "against player number",
                rows: &rows,
                columns: &columns,
                cells: &cell,
                centre: self.null.value,
            },
        );
        Ok(page.finish())
    }
}

impl Chart for PayoffMatrix {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        self.page(&self.title, 0, &self.players)
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.check()?;
        let most = grid::page_rows(self.players.len());
        let parts: Vec<&[String]> = self.players.chunks(most).collect();
        let count = parts.len();
        parts
            .into_iter()
            .enumerate()
            .map(|(i, names)| self.page(&numbered(&self.title, i, count), i * most, names))
            .collect()
    }
}
