//! Logistic regression on simulations and exploration by name.

use super::super::StatsError;
use super::super::logistic::{Group, likelihood_ratio_test, logistic_fit};
use super::{Arguments, Input, Kind, Method, number, numbers, object};
use serde_json::Value;

const MODELS: Kind = Kind::Word(&["1", "s", "c", "s+c", "s*c"]);
const SUCCESSES: Input = Input::new("successes", Kind::Numbers, "successes in each group");
const N: Input = Input::new("n", Kind::Numbers, "size of each group");
const S: Input = Input::new(
    "log2_sims",
    Kind::Numbers,
    "s: log2 of the simulations of each group",
);
const C: Input = Input::new("c", Kind::Numbers, "c: exploration constant of each group");

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "logistic_glm",
        help: "Logistic regression of success counts on simulations (s) and exploration (c).",
        inputs: &[
            Input::new("model", MODELS, "terms besides the constant; s*c has all"),
            SUCCESSES,
            N,
            S,
            C,
        ],
        run: |arguments| {
            let fit = logistic_fit(&groups(arguments, arguments.word("model")?)?)?;
            Ok(object([
                ("coef", numbers(fit.coefficients)),
                ("se", numbers(fit.standard_errors)),
                ("deviance", number(fit.deviance)),
                ("null_deviance", number(fit.null_deviance)),
            ]))
        },
    },
    Method {
        name: "logistic_lrt",
        help: "Likelihood-ratio test of a logistic model against a larger one.",
        inputs: &[
            Input::new("reduced", MODELS, "the smaller model"),
            Input::new("full", MODELS, "the larger model"),
            SUCCESSES,
            N,
            S,
            C,
        ],
        run: |arguments| {
            let test = likelihood_ratio_test(
                &groups(arguments, arguments.word("reduced")?)?,
                &groups(arguments, arguments.word("full")?)?,
            )?;
            Ok(object([
                ("lr", number(test.statistic)),
                ("df", Value::from(test.df)),
                ("p_value", number(test.p_value)),
            ]))
        },
    },
];

fn groups(arguments: &Arguments, model: &str) -> Result<Vec<Group>, StatsError> {
    let successes = arguments.numbers("successes")?;
    let trials = arguments.numbers("n")?;
    let sims = arguments.numbers("log2_sims")?;
    let exploration = arguments.numbers("c")?;
    for (name, list) in [
        ("successes", &successes),
        ("log2_sims", &sims),
        ("c", &exploration),
    ] {
        if list.len() != trials.len() {
            return Err(StatsError::argument(
                name,
                format!("a list of {}", list.len()),
                format!("one number for each of the {} groups of `n`", trials.len()),
            ));
        }
        if let Some(bad) = list.iter().find(|value| !value.is_finite()) {
            return Err(StatsError::argument(name, bad, "made of finite numbers"));
        }
    }
    Ok(successes
        .iter()
        .zip(&trials)
        .zip(sims.iter().zip(&exploration))
        .map(|((successes, trials), (s, c))| Group {
            successes: *successes,
            trials: *trials,
            covariates: match model {
                "s" => vec![1.0, *s],
                "c" => vec![1.0, *c],
                "s+c" => vec![1.0, *s, *c],
                "s*c" => vec![1.0, *s, *c, s * c],
                _ => vec![1.0],
            },
        })
        .collect())
}
