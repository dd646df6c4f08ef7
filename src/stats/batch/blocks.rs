//! What a sweep reports of its blocks, by name.

use super::super::blocks::{self, BlockSummary};
use super::super::{Interval, StatsError, elo};
use super::{ALTERNATIVE, Arguments, Input, Kind, Method, alternative, number, object};
use serde_json::Value;

const SCORES: Input = Input::new(
    "scores",
    Kind::Numbers,
    "the different block scores, 0 to 1",
);
const COUNTS: Input = Input::new("counts", Kind::Counts, "how many blocks have each of them");

static INTERVAL: [Input; 3] = [
    SCORES,
    COUNTS,
    Input::new(
        "alpha",
        Kind::Number,
        "two-sided error; the level is 1 - alpha",
    ),
];
static TEST: [Input; 4] = [
    SCORES,
    COUNTS,
    Input::new(
        "centre",
        Kind::Number,
        "the score of equal strength, 0.5 for two seats",
    ),
    ALTERNATIVE,
];
static DETECTABLE: [Input; 4] = [
    Input::new("blocks", Kind::Count, "blocks played"),
    DEVIATION,
    ALPHA,
    POWER,
];
static NEEDED: [Input; 4] = [
    Input::new(
        "effect",
        Kind::Number,
        "the difference of scores to be found",
    ),
    DEVIATION,
    ALPHA,
    POWER,
];
const DEVIATION: Input = Input::new("deviation", Kind::Number, "standard deviation of a block");
const ALPHA: Input = Input::new("alpha", Kind::Number, "two-sided error of the test");
const POWER: Input = Input::new("power", Kind::Number, "the probability of finding it");

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "block_mean",
        help: "The interval that a sweep reports: Student's t on blocks with two pseudo-blocks.",
        inputs: &INTERVAL,
        run: |a| {
            let summary = summary(a)?;
            let range = Interval::new(0.0, 1.0);
            let moments = summary.moments();
            let interval = blocks::mean_interval(&moments, range, a.number("alpha")?)?;
            let (elo_lower, elo_upper) = elo::elo_interval(interval.low, interval.high);
            let mean = moments.mean();
            Ok(object([
                ("mean", optional(mean)),
                ("lower", number(interval.low)),
                ("upper", number(interval.high)),
                ("elo", optional(mean.and_then(elo::elo_of_score))),
                ("elo_lower", optional(elo_lower)),
                ("elo_upper", optional(elo_upper)),
            ]))
        },
    },
    Method {
        name: "block_sign_flip",
        help: "The exact test that a sweep of two seats reports: the players exchanged within deals.",
        inputs: &TEST,
        run: |a| {
            let test = blocks::sign_flip(&summary(a)?, a.number("centre")?, alternative(a)?)?;
            Ok(object([("p_value", number(test.p_value))]))
        },
    },
    Method {
        name: "block_decisive",
        help: "The exact binomial test of the blocks that someone won, a second opinion.",
        inputs: &TEST,
        run: |a| {
            let test = blocks::decisive_test(&summary(a)?, a.number("centre")?, alternative(a)?)?;
            Ok(object([("p_value", number(test.p_value))]))
        },
    },
    Method {
        name: "smallest_detectable",
        help: "The smallest difference that so many blocks show with the given power.",
        inputs: &DETECTABLE,
        run: |a| {
            let effect = blocks::smallest_detectable(
                a.count("blocks")?,
                a.number("deviation")?,
                a.number("alpha")?,
                a.number("power")?,
            )?;
            Ok(object([("effect", number(effect))]))
        },
    },
    Method {
        name: "blocks_needed",
        help: "The number of blocks that show a difference with the given power.",
        inputs: &NEEDED,
        run: |a| {
            let blocks = blocks::blocks_needed(
                a.number("effect")?,
                a.number("deviation")?,
                a.number("alpha")?,
                a.number("power")?,
            )?;
            Ok(object([("blocks", Value::from(blocks))]))
        },
    },
];

fn optional(value: Option<f64>) -> Value {
    value.map_or(Value::Null, number)
}

fn summary(a: &Arguments) -> Result<BlockSummary, StatsError> {
    let (scores, counts) = (a.numbers("scores")?, a.counts("counts")?);
    if scores.len() != counts.len() {
        return Err(StatsError::argument(
            "counts",
            format!("a list of {}", counts.len()),
            format!("as long as `scores`, which is {}", scores.len()),
        ));
    }
    if let Some(bad) = scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
        return Err(StatsError::argument(
            "scores",
            format!("a list with {bad}"),
            "a list of numbers between 0 and 1",
        ));
    }
    let total = counts
        .iter()
        .try_fold(0_u64, |sum, count| sum.checked_add(*count));
    if !total.is_some_and(|total| (1..=super::super::error::MAX_COUNT).contains(&total)) {
        return Err(StatsError::argument(
            "counts",
            "a list",
            "at least 1 and at most 2^53 blocks together",
        ));
    }
    let mut summary = BlockSummary::default();
    for (score, count) in scores.iter().zip(counts) {
        summary.push_many(*score, count);
    }
    Ok(summary)
}
