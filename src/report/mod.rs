//! What is written of a run: CSV files, the terminal's table, the HTML report, the charts.
//!
//! Reads records and statistics; knows nothing of games being played.

pub mod charts;
pub mod files;
pub mod html;
mod standings;
pub mod tables_csv;
pub mod terminal;
mod words;
