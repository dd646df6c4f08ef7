//! `evalctl` settles whether one game-playing program beats another.

pub mod agents;
pub mod analysis;
pub mod bench;
pub mod block;
pub mod cli;
pub mod config;
pub mod external;
pub mod games;
pub mod games_csv;
pub mod numbers;
pub mod plan;
pub mod plot;
pub mod record;
pub mod report;
pub mod rng;
pub mod run;
pub mod spec;
pub mod stats;
pub mod table;
pub mod trace;
