//! Distribution functions by name.

use super::super::StatsError;
use super::super::distributions::{
    Beta, Binomial, ChiSquared, StudentT, normal_cdf, normal_quantile, normal_sf,
};
use super::super::error::finite;
use super::{Arguments, Input, Kind, Method, number, object};
use serde_json::Value;

const fn inputs(dist: &'static [&'static str], kind: &'static [&'static str]) -> [Input; 4] {
    [
        Input::new("dist", Kind::Word(dist), "the distribution"),
        Input::new("params", Kind::Numbers, "its parameters"),
        Input::new("kind", Kind::Word(kind), "p cdf, s upper tail, q quantile"),
        Input::new("x", Kind::Number, "the point, or the probability for q"),
    ]
}

static NORM_P: [Input; 4] = inputs(&["norm"], &["p"]);
static NORM_S: [Input; 4] = inputs(&["norm"], &["s"]);
static NORM_Q: [Input; 4] = inputs(&["norm"], &["q"]);
static T_P: [Input; 4] = inputs(&["t"], &["p"]);
static T_S: [Input; 4] = inputs(&["t"], &["s"]);
static T_Q: [Input; 4] = inputs(&["t"], &["q"]);
static CHISQ_P: [Input; 4] = inputs(&["chisq"], &["p"]);
static CHISQ_S: [Input; 4] = inputs(&["chisq"], &["s"]);
static CHISQ_Q: [Input; 4] = inputs(&["chisq"], &["q"]);
static BETA_P: [Input; 4] = inputs(&["beta"], &["p"]);
static BETA_S: [Input; 4] = inputs(&["beta"], &["s"]);
static BETA_Q: [Input; 4] = inputs(&["beta"], &["q"]);
static BINOM_P: [Input; 4] = inputs(&["binom"], &["p"]);
static BINOM_S: [Input; 4] = inputs(&["binom"], &["s"]);
static BINOM_Q: [Input; 4] = inputs(&["binom"], &["q"]);

const fn method(name: &'static str, help: &'static str, inputs: &'static [Input; 4]) -> Method {
    Method {
        name,
        help,
        inputs,
        run,
    }
}

pub(super) static METHODS: &[Method] = &[
    method("norm_cdf", "P(Z <= x) of the standard normal law.", &NORM_P),
    method("norm_sf", "P(Z > x) of the standard normal law.", &NORM_S),
    method(
        "norm_quantile",
        "The x with P(Z <= x) = p, standard normal law.",
        &NORM_Q,
    ),
    method(
        "t_cdf",
        "P(T <= x) of Student's t; parameter: degrees of freedom.",
        &T_P,
    ),
    method(
        "t_sf",
        "P(T > x) of Student's t; parameter: degrees of freedom.",
        &T_S,
    ),
    method("t_quantile", "The x with P(T <= x) = p, Student's t.", &T_Q),
    method(
        "chisq_cdf",
        "P(X <= x) of chi-squared; parameter: degrees of freedom.",
        &CHISQ_P,
    ),
    method(
        "chisq_sf",
        "P(X > x) of chi-squared; parameter: degrees of freedom.",
        &CHISQ_S,
    ),
    method(
        "chisq_quantile",
        "The x with P(X <= x) = p, chi-squared.",
        &CHISQ_Q,
    ),
    method(
        "beta_cdf",
        "P(X <= x) of the beta law; parameters: two shapes.",
        &BETA_P,
    ),
    method(
        "beta_sf",
        "P(X > x) of the beta law; parameters: two shapes.",
        &BETA_S,
    ),
    method(
        "beta_quantile",
        "The x with P(X <= x) = p, beta law.",
        &BETA_Q,
    ),
    method(
        "binom_cdf",
        "P(X <= x) of the binomial law; parameters: n, p.",
        &BINOM_P,
    ),
    method(
        "binom_sf",
        "P(X > x) of the binomial law; parameters: n, p.",
        &BINOM_S,
    ),
    method(
        "binom_quantile",
        "The smallest k with P(X <= k) >= p, binomial law.",
        &BINOM_Q,
    ),
];

fn run(arguments: &Arguments) -> Result<Value, StatsError> {
    let kind = arguments.word("kind")?;
    let dist = arguments.word("dist")?;
    let x = finite("x", arguments.number("x")?)?;
    let params = arguments.numbers("params")?;
    let value = match (dist, params.as_slice()) {
        ("norm", []) => match kind {
            "p" => normal_cdf(x),
            "s" => normal_sf(x),
            _ => rename(normal_quantile(x))?,
        },
        ("t", &[df]) => {
            let law = named(StudentT::new(df))?;
            match kind {
                "p" => law.cdf(x),
                "s" => law.sf(x),
                _ => rename(law.quantile(x))?,
            }
        }
        ("chisq", &[df]) => {
            let law = named(ChiSquared::new(df))?;
            match kind {
                "p" => law.cdf(x),
                "s" => law.sf(x),
                _ => rename(law.quantile(x))?,
            }
        }
        ("beta", &[a, b]) => {
            let law = named(Beta::new(a, b))?;
            match kind {
                "p" => law.cdf(x),
                "s" => law.sf(x),
                _ => rename(law.quantile(x))?,
            }
        }
        ("binom", &[n, p]) => binomial(kind, n, p, x)?,
        _ => {
            return Err(StatsError::argument(
                "params",
                format!("a list of {}", params.len()),
                format!("as many numbers as `{dist}` has parameters"),
            ));
        }
    };
    Ok(object([("value", number(value))]))
}

/// At a point between two counts the cdf is that of the lower one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts are checked to be whole and at most 2^53"
)]
fn binomial(kind: &str, n: f64, p: f64, x: f64) -> Result<f64, StatsError> {
    if !(n >= 0.0 && n.fract() == 0.0) {
        return Err(StatsError::argument(
            "params",
            n,
            "n, a whole number, then p",
        ));
    }
    let law = named(Binomial::new(n as u64, p))?;
    Ok(match kind {
        "p" if x < 0.0 => 0.0,
        "s" if x < 0.0 => 1.0,
        "p" => law.cdf(x as u64),
        "s" => law.sf(x as u64),
        _ => rename(law.quantile(x))? as f64,
    })
}

/// The error of a parameter, under the name of the input that holds it.
fn named<T>(result: Result<T, StatsError>) -> Result<T, StatsError> {
    result.map_err(|error| relabel(error, "params"))
}

/// The error of a probability, under the name of the input that holds it.
fn rename<T>(result: Result<T, StatsError>) -> Result<T, StatsError> {
    result.map_err(|error| relabel(error, "x"))
}

fn relabel(error: StatsError, argument: &str) -> StatsError {
    match error {
        StatsError::Argument {
            value, expected, ..
        } => StatsError::Argument {
            argument: argument.to_owned(),
            value,
            expected,
        },
        other => other,
    }
}
