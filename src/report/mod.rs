//! What is written of a run: CSV files, the terminal's table, the HTML report, the charts.
//!
//! Reads records and statistics; knows nothing of games being played.

pub mod charts;
pub(crate) mod files;
pub(crate) mod html;
mod standings;
pub(crate) mod tables_csv;
pub(crate) mod terminal;
mod words;
