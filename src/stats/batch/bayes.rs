//! Bayes factors by name.

use super::super::StatsError;
use super::super::bayes::{beta_binomial_log_bf10, posterior_prob_greater};
use super::{Arguments, Input, Kind, Method, number, object};
use serde_json::Value;

static INPUTS: [Input; 5] = [
    Input::new("successes", Kind::Count, "number of successes"),
    Input::new("n", Kind::Count, "number of trials"),
    Input::new("p0", Kind::Number, "success probability under H0"),
    Input::new("prior_a", Kind::Number, "first shape of the beta prior"),
    Input::new("prior_b", Kind::Number, "second shape of the beta prior"),
];

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "beta_binomial_bf",
        help: "Log Bayes factor of a beta prior against one success probability.",
        inputs: &INPUTS,
        run: |arguments| call(arguments, "log_bf10", beta_binomial_log_bf10),
    },
    Method {
        name: "posterior_prob_greater",
        help: "Posterior probability that the success probability exceeds p0.",
        inputs: &INPUTS,
        run: |arguments| call(arguments, "prob", posterior_prob_greater),
    },
];

fn call(
    arguments: &Arguments,
    key: &str,
    function: fn(u64, u64, f64, f64, f64) -> Result<f64, StatsError>,
) -> Result<Value, StatsError> {
    let value = function(
        arguments.count("successes")?,
        arguments.count("n")?,
        arguments.number("p0")?,
        arguments.number("prior_a")?,
        arguments.number("prior_b")?,
    )?;
    Ok(object([(key, number(value))]))
}
