//! Ratings of several players from their games against each other.
//!
//! [`rate`] is what tournaments report: Bradley-Terry strengths with intervals from deals.
//! [`bradley_terry`] and [`davidson`] are the plain maximum likelihood fits, with standard errors
//! for independent games.

mod bradley_terry;
mod connectivity;
mod davidson;
mod from_blocks;
#[cfg(test)]
mod tests;
mod transitivity;

pub use bradley_terry::{BradleyTerryFit, bradley_terry};
pub use connectivity::strongly_connected_groups;
pub use davidson::{DavidsonFit, PairOutcomes, davidson};
pub use from_blocks::{BlockResult, RATING_METHOD, Rating, RatingDifference, Ratings, rate};
pub use transitivity::{Cycle, Lack, PairScore, Transitivity};
