//! Every method by its name: what `evalctl stats` and `evalctl stats batch` call.
//!
//! Names, inputs and result keys are those of the reference files in
//! `tests/data/reference/stats/`. A method is a row in the table of its group: a name, a sentence
//! of help, its inputs, and the function that reads them. [`evaluate`] checks the names of the
//! inputs before the method runs, so a method reads what it needs and nothing is silently ignored.

mod arguments;
mod bayes;
mod blocks;
mod confidence_sequences;
mod distributions;
mod elo;
mod group_sequential;
mod logistic;
mod proportions;
mod ratings;
mod scores;
mod sprt;
mod tables;

pub use arguments::{Arguments, Input, Kind};

use super::{Alternative, StatsError};
use serde_json::{Map, Value};

/// One method that can be called by name.
#[derive(Debug)]
pub struct Method {
    /// The name, as in the reference files.
    pub name: &'static str,
    /// What it computes, in one sentence.
    pub help: &'static str,
    /// Its inputs, in the order in which they are shown.
    pub inputs: &'static [Input],
    /// Reads the inputs and computes.
    run: fn(&Arguments) -> Result<Value, StatsError>,
}

/// The tables of methods, one for each group.
static GROUPS: &[&[Method]] = &[
    bayes::METHODS,
    blocks::METHODS,
    confidence_sequences::METHODS,
    distributions::METHODS,
    elo::METHODS,
    group_sequential::METHODS,
    logistic::METHODS,
    proportions::METHODS,
    ratings::METHODS,
    scores::METHODS,
    sprt::METHODS,
    tables::METHODS,
];

/// All methods, group by group.
pub fn methods() -> impl Iterator<Item = &'static Method> {
    GROUPS.iter().copied().flatten()
}

/// The method with this name.
///
/// # Errors
/// [`StatsError::UnknownMethod`], with the name that was probably meant.
pub fn find(name: &str) -> Result<&'static Method, StatsError> {
    methods().find(|method| method.name == name).ok_or_else(|| {
        let nearest = methods()
            .map(|method| (strsim::damerau_levenshtein(method.name, name), method.name))
            .min()
            .filter(|(distance, near)| *distance <= near.len() / 2);
        StatsError::UnknownMethod {
            method: name.to_owned(),
            hint: nearest.map_or_else(String::new, |(_, near)| format!("; did you mean `{near}`?")),
        }
    })
}

/// Calls a method by name: `inputs` is an object, and so is the result.
///
/// Numbers that are not finite travel as the strings `"inf"`, `"-inf"` and `"nan"`, in inputs and
/// in results.
///
/// # Errors
/// Every [`StatsError`]: an unknown method, an input that is missing, unknown, of the wrong type or
/// out of range, and inputs that leave the statistic undefined. Each names the argument.
///
/// # Examples
/// ```
/// let inputs = serde_json::json!({"dist": "norm", "params": [], "kind": "p", "x": 0});
/// let result = evalctl::stats::batch::evaluate("norm_cdf", &inputs).unwrap();
/// assert_eq!(result["value"], 0.5);
/// ```
pub fn evaluate(method: &str, inputs: &Value) -> Result<Value, StatsError> {
    let method = find(method)?;
    let arguments = Arguments::new(method.name, method.inputs, inputs)?;
    (method.run)(&arguments)
}

/// The input that says in which direction a test looks.
const ALTERNATIVE: Input = Input::new(
    "alternative",
    Kind::Word(Alternative::WORDS),
    "which deviations count",
);

/// The value of [`ALTERNATIVE`].
fn alternative(arguments: &Arguments) -> Result<Alternative, StatsError> {
    let word = arguments.word("alternative")?;
    Alternative::from_word(word)
        .ok_or_else(|| StatsError::argument("alternative", word, Alternative::WORDS.join(" or ")))
}

/// A number as JSON: never `-0`, and the strings of [`evaluate`] where it is not finite.
fn number(value: f64) -> Value {
    if value.is_nan() {
        Value::from("nan")
    } else if value.is_infinite() {
        Value::from(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        // Adding 0 turns -0 into 0.
        Value::from(value + 0.0)
    }
}

/// A list of numbers as JSON.
fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    values.into_iter().map(number).collect()
}

/// A result object from its keys and values.
fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Map<_, _>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_unique_and_every_input_is_explained() {
        let mut names: Vec<_> = methods().map(|method| method.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for method in methods() {
            assert!(method.help.ends_with('.'), "{}", method.name);
            assert!(method.inputs.iter().all(|input| !input.help.is_empty()));
        }
    }

    #[test]
    fn every_method_has_its_source_in_the_documentation() {
        let page = include_str!("../../../docs/methods.md");
        for method in methods() {
            let row = page.lines().any(|line| {
                line.starts_with("| `") && line.contains(&format!("`{}`", method.name))
            });
            assert!(row, "docs/methods.md does not name {}", method.name);
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error =
            |method: &str, inputs: Value| evaluate(method, &inputs).unwrap_err().to_string();
        assert!(error("norm_cdff", json!({})).contains("did you mean `norm_cdf`"));
        assert!(error("xyzzy", json!({})).ends_with("is not a method"));
        assert!(error("norm_cdf", json!([])).contains("`inputs`"));
        let good = json!({"dist": "norm", "params": [], "kind": "p", "x": 0});
        for (key, value) in [
            ("x", json!("nan")),
            ("x", json!(null)),
            ("params", json!(3)),
            ("kind", json!("z")),
        ] {
            let mut inputs = good.clone();
            inputs[key] = value;
            assert!(error("norm_cdf", inputs).contains(&format!("`{key}`")));
        }
        let mut inputs = good.clone();
        inputs["y"] = json!(1);
        assert!(error("norm_cdf", inputs).contains("`y` is not an argument"));
        let mut inputs = good;
        inputs.as_object_mut().unwrap().remove("x");
        assert!(error("norm_cdf", inputs).contains("`x` is missing"));
    }

    #[test]
    fn numbers_that_are_not_finite_are_strings_and_zero_has_no_sign() {
        assert_eq!(number(f64::NAN), json!("nan"));
        assert_eq!(number(f64::INFINITY), json!("inf"));
        assert_eq!(number(f64::NEG_INFINITY), json!("-inf"));
        assert_eq!(number(-0.0).to_string(), "0.0");
    }
}
