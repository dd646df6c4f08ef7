//! Intervals and estimates, the shape in which results are handed on.

use std::borrow::Cow;

/// A closed interval, `low <= high`, in the unit of what it bounds.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval between two ends, in either order.
    pub fn new(one: f64, other: f64) -> Self {
        Self {
            low: one.min(other),
            high: one.max(other),
        }
    }

    /// `high - low`.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Whether `value` lies inside, the ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The part inside `[low, high]`. An interval that lies wholly outside becomes the nearer end.
    #[must_use]
    pub fn clip(&self, low: f64, high: f64) -> Self {
        Self {
            low: self.low.clamp(low, high),
            high: self.high.clamp(low, high),
        }
    }
}

/// A value with its interval, the interval's level and the name of the method that made it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The point estimate. Not necessarily the middle of the interval.
    pub value: f64,
    /// The interval.
    pub interval: Interval,
    /// The interval's level, such as 0.95.
    pub confidence: f64,
    /// How the interval was made, in the words that a report prints.
    pub method: Cow<'static, str>,
}

impl Estimate {
    /// An estimate whose parts are named.
    pub fn new(
        value: f64,
        interval: Interval,
        confidence: f64,
        method: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            value,
            interval,
            confidence,
            method: method.into(),
        }
    }
}
