//! `evalctl` settles whether one game-playing program beats another.

pub mod external;
pub mod plot;
pub mod rng;
pub mod stats;
