//! Ratings of a tournament, best first.

use super::axis::Axis;
use super::data::{Caption, Reference, empty, finite};
use super::rows::{Group, Row, Rows, extent};
use super::scene::Scene;
use super::{Chart, PlotError};

/// Ratings with intervals, sorted from the highest down. A player without a finite rating stands
/// above all others if only its upper end is unbounded, below them if only its lower end is, and
/// last if nothing is known; an unbounded end of an interval is an arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingLadder {
    /// Title; says what was asked.
    pub title: String,
    /// What is measured, such as "Elo, mean of all players 0".
    pub measure: String,
    /// What the numbers at the right are, such as "Elo [95 % interval]".
    pub numbers: String,
    /// Decimals of the numbers at the right.
    pub decimals: usize,
    /// A rating to compare with, such as the mean.
    pub anchor: Reference,
    /// Players in any order.
    pub players: Vec<RatingRow>,
    /// What stands below.
    pub caption: Caption,
}

/// One player.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingRow {
    /// Name.
    pub name: String,
    /// Rating; nothing where it is undefined, as for a player that won every game.
    pub rating: Option<f64>,
    /// Lower end; nothing where it is unbounded.
    pub low: Option<f64>,
    /// Upper end; nothing where it is unbounded.
    pub high: Option<f64>,
}

impl RatingLadder {
    fn rows(&self) -> Result<Rows<'_>, PlotError> {
        finite(&self.title, &self.anchor.label, &[self.anchor.value])?;
        let mut players = self.players.clone();
        for player in &players {
            let known: Vec<f64> = [player.rating, player.low, player.high]
                .into_iter()
                .flatten()
                .collect();
            finite(&self.title, &player.name, &known)?;
        }
        if players.iter().all(|p| p.rating.is_none()) {
            return Err(empty(&self.title, "ratings"));
        }
        players.sort_by(|a, b| {
            let key = |p: &RatingRow| match (p.rating, p.low, p.high) {
                (Some(rating), ..) => (1, rating),
                (None, Some(low), None) => (2, low),
                (None, None, Some(high)) => (0, high),
                (None, ..) => (-1, 0.0),
            };
            let ((tier_a, a_at), (tier_b, b_at)) = (key(a), key(b));
            tier_b
                .cmp(&tier_a)
                .then_with(|| b_at.total_cmp(&a_at))
                .then_with(|| a.name.cmp(&b.name))
        });
        // Arrows need room beyond the markers.
        let open = players.iter().any(|p| p.low.is_none() || p.high.is_none());
        let rows = players
            .into_iter()
            .map(|p| Row {
                label: p.name,
                value: p.rating,
                low: p.low,
                high: p.high,
                inner: None,
            })
            .collect();
        let groups = vec![Group {
            heading: String::new(),
            rows,
        }];
        let values = extent(&groups).into_iter().chain([self.anchor.value]);
        Ok(Rows {
            title: &self.title,
            caption: &self.caption,
            axis: Axis::linear(values, None, 10.0).widened(if open { 0.04 } else { 0.0 }),
            axis_label: &self.measure,
            numbers: &self.numbers,
            decimals: self.decimals,
            null: self.anchor.clone(),
            colored: false,
            groups,
        })
    }
}

impl Chart for RatingLadder {
    fn scene(&self) -> Result<Scene, PlotError> {
        self.rows()?.scene()
    }

    fn pages(&self) -> Result<Vec<Scene>, PlotError> {
        self.rows()?.pages()
    }
}
