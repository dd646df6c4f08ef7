//! Elo transformations and runner reports by name.

use super::super::StatsError;
use super::super::elo::{
    OutcomeLaw, bayeselo_law, bayeselo_of_law, clamped_elo, fishtest_elo, match_report,
    score_of_elo,
};
use super::super::error::probability;
use super::super::results::ResultCounts;
use super::super::sprt::{EloModel, SprtDesign, sprt_estimate};
use super::{Arguments, Input, Kind, Method, number, object};
use serde_json::Value;
use std::cmp::Ordering;

const RESULTS: Input = Input::new(
    "results",
    Kind::Numbers,
    "counts, lowest score first: loss, draw, win, or the five pair counts",
);

static RESULTS_ONLY: [Input; 1] = [RESULTS];

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "fishtest_get_elo",
        help: "Elo, 95 % half width and likelihood of superiority as fishtest prints them.",
        inputs: &RESULTS_ONLY,
        run: fishtest_get_elo,
    },
    Method {
        name: "fastchess_elo",
        help: "Elo and normalized Elo with 95 % half widths, without any regularisation.",
        inputs: &RESULTS_ONLY,
        run: fastchess,
    },
    Method {
        name: "score_to_elo",
        help: "Logistic Elo of a score, which is first moved into [0.001, 0.999].",
        inputs: &[Input::new("score", Kind::Number, "mean score in [0, 1]")],
        run: |arguments| {
            let score = probability("score", arguments.number("score")?)?;
            Ok(object([("elo", number(clamped_elo(score)))]))
        },
    },
    Method {
        name: "elo_to_score",
        help: "The score that a logistic Elo difference predicts.",
        inputs: &[Input::new("elo", Kind::Number, "Elo difference")],
        run: |arguments| {
            let score = score_of_elo(arguments.number("elo")?)?;
            Ok(object([("score", number(score))]))
        },
    },
    Method {
        name: "bayeselo_to_proba",
        help: "Outcome probabilities of the BayesElo model.",
        inputs: &[
            Input::new("bayeselo", Kind::Number, "BayesElo difference"),
            Input::new("drawelo", Kind::Number, "draw parameter, at least 0"),
        ],
        run: |arguments| {
            let law = bayeselo_law(arguments.number("bayeselo")?, arguments.number("drawelo")?)?;
            Ok(object([
                ("win", number(law.win)),
                ("draw", number(law.draw)),
                ("loss", number(law.loss)),
            ]))
        },
    },
    Method {
        name: "proba_to_bayeselo",
        help: "BayesElo difference and draw parameter of outcome probabilities.",
        inputs: &[
            Input::new("win", Kind::Number, "probability of a win"),
            Input::new("draw", Kind::Number, "probability of a draw"),
            Input::new("loss", Kind::Number, "probability of a loss"),
        ],
        run: |arguments| {
            let (bayeselo, drawelo) = bayeselo_of_law(OutcomeLaw {
                win: arguments.number("win")?,
                draw: arguments.number("draw")?,
                loss: arguments.number("loss")?,
            })?;
            Ok(object([
                ("bayeselo", number(bayeselo)),
                ("drawelo", number(drawelo)),
            ]))
        },
    },
    Method {
        name: "sprt_elo_median_unbiased",
        help: "Elo after a sequential test, corrected for stopping early (fishtest's estimate).",
        inputs: &[
            RESULTS,
            Input::new("elo0", Kind::Number, "Elo difference of H0"),
            Input::new("elo1", Kind::Number, "Elo difference of H1, above elo0"),
            Input::new(
                "elo_model",
                Kind::Word(&["logistic", "normalized"]),
                "the unit of elo0 and elo1",
            ),
            Input::new("alpha", Kind::Number, "error rate at H0"),
            Input::new("beta", Kind::Number, "error rate at H1"),
            Input::new("p", Kind::Number, "the interval has level 1 - p"),
        ],
        run: median_unbiased,
    },
];

/// The counts in the input `results`.
pub(super) fn results(arguments: &Arguments) -> Result<ResultCounts, StatsError> {
    ResultCounts::new(&arguments.numbers("results")?)
}

fn fishtest_get_elo(arguments: &Arguments) -> Result<Value, StatsError> {
    let report = fishtest_elo(results(arguments)?);
    Ok(object([
        ("elo", number(report.elo)),
        ("elo95", number(report.elo95)),
        ("los", number(report.los)),
    ]))
}

/// Where a figure is undefined, the answer is what fastchess prints.
fn fastchess(arguments: &Arguments) -> Result<Value, StatsError> {
    let report = match_report(results(arguments)?)?;
    let unbounded = match report.score.total_cmp(&0.5) {
        Ordering::Less => f64::NEG_INFINITY,
        Ordering::Equal => f64::NAN,
        Ordering::Greater => f64::INFINITY,
    };
    Ok(object([
        ("score", number(report.score)),
        ("elo", number(report.elo.unwrap_or(unbounded))),
        (
            "elo_error95",
            number(report.elo_error95.unwrap_or(f64::NAN)),
        ),
        ("nelo", number(report.nelo.unwrap_or(unbounded))),
        (
            "nelo_error95",
            number(report.nelo_error95.unwrap_or(f64::NAN)),
        ),
    ]))
}

fn median_unbiased(arguments: &Arguments) -> Result<Value, StatsError> {
    let design = SprtDesign {
        elo0: arguments.number("elo0")?,
        elo1: arguments.number("elo1")?,
        alpha: arguments.number("alpha")?,
        beta: arguments.number("beta")?,
        model: match arguments.word("elo_model")? {
            "normalized" => EloModel::Normalized,
            _ => EloModel::Logistic,
        },
    };
    let estimate = sprt_estimate(results(arguments)?, design, arguments.number("p")?)?;
    Ok(object([
        (
            "elo",
            number(estimate.elo.unwrap_or(unbounded(estimate.score))),
        ),
        (
            "ci_lower",
            number(estimate.elo_low.unwrap_or(unbounded(estimate.interval.low))),
        ),
        (
            "ci_upper",
            number(
                estimate
                    .elo_high
                    .unwrap_or(unbounded(estimate.interval.high)),
            ),
        ),
        ("los", number(estimate.los)),
        ("llr", number(estimate.llr)),
    ]))
}

/// Elo at a score of 0 or 1.
fn unbounded(score: f64) -> f64 {
    f64::INFINITY.copysign(score - 0.5)
}
