//! Log-likelihood ratios of sequential tests by name.

use super::super::StatsError;
use super::super::results::ResultCounts;
use super::super::sprt::{
    EloModel, approximate_llr, bayeselo_llr, binomial_llr, gsprt_llr, wald_bounds,
};
use super::elo::results;
use super::{Arguments, Input, Kind, Method, number, object};
use serde_json::Value;

static GAMES: [Input; 3] = inputs("counts of single games: loss, draw, win");
static PAIRS: [Input; 3] = inputs("the five pair counts, lowest score first");
static EITHER: [Input; 3] = inputs("counts, lowest score first: 3 of games or 5 of pairs");

const fn inputs(results: &'static str) -> [Input; 3] {
    [
        Input::new("results", Kind::Numbers, results),
        Input::new("elo0", Kind::Number, "Elo difference of H0"),
        Input::new("elo1", Kind::Number, "Elo difference of H1"),
    ]
}

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "gsprt_trinomial_logistic",
        help: "Generalised log-likelihood ratio of game counts, bounds in logistic Elo.",
        inputs: &GAMES,
        run: |arguments| gsprt(arguments, 3, EloModel::Logistic),
    },
    Method {
        name: "gsprt_trinomial_normalized",
        help: "Generalised log-likelihood ratio of game counts, bounds in normalized Elo.",
        inputs: &GAMES,
        run: |arguments| gsprt(arguments, 3, EloModel::Normalized),
    },
    Method {
        name: "gsprt_trinomial_bayeselo",
        help: "Generalised log-likelihood ratio of game counts, bounds in BayesElo.",
        inputs: &GAMES,
        run: |arguments| gsprt(arguments, 3, EloModel::Bayes),
    },
    Method {
        name: "gsprt_pentanomial_logistic",
        help: "Generalised log-likelihood ratio of pair counts, bounds in logistic Elo.",
        inputs: &PAIRS,
        run: |arguments| gsprt(arguments, 5, EloModel::Logistic),
    },
    Method {
        name: "gsprt_pentanomial_normalized",
        help: "Generalised log-likelihood ratio of pair counts, bounds in normalized Elo.",
        inputs: &PAIRS,
        run: |arguments| gsprt(arguments, 5, EloModel::Normalized),
    },
    Method {
        name: "llr_bayeselo_legacy",
        help: "Log-likelihood ratio of the BayesElo model with the sample's draw parameter.",
        inputs: &GAMES,
        run: |arguments| {
            let (results, elo0, elo1) = read(arguments, Some(3))?;
            llr(bayeselo_llr(results, elo0, elo1))
        },
    },
    Method {
        name: "gsprt_approx_normal",
        help: "Brownian approximation of the generalised log-likelihood ratio, logistic Elo.",
        inputs: &EITHER,
        run: |arguments| {
            let (results, elo0, elo1) = read(arguments, None)?;
            llr(approximate_llr(results, elo0, elo1))
        },
    },
    Method {
        name: "wald_bounds",
        help: "Wald's bounds of the log-likelihood ratio.",
        inputs: &[
            Input::new("alpha", Kind::Number, "error rate at H0"),
            Input::new("beta", Kind::Number, "error rate at H1"),
        ],
        run: |arguments| {
            let (lower, upper) =
                wald_bounds(arguments.number("alpha")?, arguments.number("beta")?)?;
            Ok(object([("lower", number(lower)), ("upper", number(upper))]))
        },
    },
    Method {
        name: "wald_binomial_llr",
        help: "Log-likelihood ratio of a success probability p1 against p0.",
        inputs: &[
            Input::new("successes", Kind::Count, "number of successes"),
            Input::new("n", Kind::Count, "number of trials"),
            Input::new("p0", Kind::Number, "probability under H0"),
            Input::new("p1", Kind::Number, "probability under H1"),
        ],
        run: |arguments| {
            llr(binomial_llr(
                arguments.count("successes")?,
                arguments.count("n")?,
                arguments.number("p0")?,
                arguments.number("p1")?,
            ))
        },
    },
];

fn read(
    arguments: &Arguments,
    cells: Option<usize>,
) -> Result<(ResultCounts, f64, f64), StatsError> {
    let results = results(arguments)?;
    let got = results.cells().len();
    if let Some(cells) = cells
        && got != cells
    {
        return Err(StatsError::argument(
            "results",
            format!("a list of {got}"),
            format!("a list of {cells} counts"),
        ));
    }
    Ok((
        results,
        arguments.number("elo0")?,
        arguments.number("elo1")?,
    ))
}

fn gsprt(arguments: &Arguments, cells: usize, model: EloModel) -> Result<Value, StatsError> {
    let (results, elo0, elo1) = read(arguments, Some(cells))?;
    llr(gsprt_llr(results, elo0, elo1, model))
}

fn llr(value: Result<f64, StatsError>) -> Result<Value, StatsError> {
    Ok(object([("llr", number(value?))]))
}
