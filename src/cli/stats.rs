//! `evalctl stats`: every method by its name, for people and for scripts.

use std::io::{BufRead as _, BufWriter, Write as _};

use serde_json::{Map, Value, json};

use super::args::{Format, StatsArgs};
use super::error::{Code, Failure};
use crate::numbers;
use crate::stats::batch::{self, Method};

/// A longer line of `batch` is refused: no method needs as much.
const LONGEST_LINE: usize = 64 << 20;

pub(super) fn run(args: &StatsArgs) -> Result<(), Failure> {
    match args.method.as_str() {
        "batch" if args.inputs.is_empty() => run_batch(),
        "list" if args.inputs.is_empty() => list(args.format),
        name => single(name, args),
    }
}

/// Lines of `{"id","method","inputs"}` in, lines of `{"id","result"}` or `{"id","error"}` out.
fn run_batch() -> Result<(), Failure> {
    let mut input = std::io::stdin().lock();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::failed(format!("cannot read standard input: {error}")))?;
        if read == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", answer(&line))?;
    }
    Ok(out.flush()?)
}

/// The answer to one line.
fn answer(line: &[u8]) -> Value {
    let failed = |id: Value, error: String| json!({"id": id, "error": error});
    if line.len() > LONGEST_LINE {
        return failed(Value::Null, "the line is longer than 64 MiB".to_owned());
    }
    let question: Value = match serde_json::from_slice(line) {
        Ok(question) => question,
        Err(error) => return failed(Value::Null, format!("the line is not JSON: {error}")),
    };
    let id = question.get("id").cloned().unwrap_or(Value::Null);
    let Some(method) = question.get("method").and_then(Value::as_str) else {
        return failed(
            id,
            "`method` is missing; write the name of a method".to_owned(),
        );
    };
    let nothing = Value::Object(Map::new());
    let inputs = question.get("inputs").unwrap_or(&nothing);
    match batch::evaluate(method, inputs) {
        Ok(result) => json!({"id": id, "result": result}),
        Err(error) => failed(id, error.to_string()),
    }
}

fn list(format: Format) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    if format == Format::Json {
        let methods: Vec<Value> = batch::methods()
            .map(|method| {
                let inputs: Vec<Value> = method
                    .inputs
                    .iter()
                    .map(|input| {
                        json!({
                            "name": input.name,
                            "kind": input.kind.expected(),
                            "help": input.help,
                            "optional": input.optional,
                        })
                    })
                    .collect();
                json!({"name": method.name, "help": method.help, "inputs": inputs})
            })
            .collect();
        out.write_all(super::list::json(&methods)?.as_bytes())?;
    } else {
        for method in batch::methods() {
            writeln!(
                out,
                "{}\n    {}\n    {}",
                method.name,
                method.help,
                usage(method)
            )?;
        }
    }
    Ok(out.flush()?)
}

/// `evalctl stats NAME a=NUMBER [b=WORD]`.
fn usage(method: &Method) -> String {
    let mut text = format!("evalctl stats {}", method.name);
    for input in method.inputs {
        let part = format!("{}=…", input.name);
        text.push_str(&if input.optional {
            format!(" [{part}]")
        } else {
            format!(" {part}")
        });
    }
    text
}

fn single(name: &str, args: &StatsArgs) -> Result<(), Failure> {
    let method = batch::find(name).map_err(|error| {
        Failure::usage(format!("{error}; `evalctl stats list` shows all methods"))
    })?;
    let mut inputs = Map::new();
    for text in &args.inputs {
        let (key, value) = text.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "`{text}`: write NAME=VALUE; usage: {}",
                usage(method)
            ))
        })?;
        // What is not JSON is a word, so that alternative=greater needs no quotes.
        let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
        if inputs.insert(key.to_owned(), value).is_some() {
            return Err(Failure::usage(format!("`{key}` is given twice")));
        }
    }
    let result = batch::evaluate(name, &Value::Object(inputs.clone()))
        .map_err(|error| Failure::new(Code::Usage, format!("{error}; usage: {}", usage(method))))?;
    let text = match args.format {
        Format::Json => super::list::json(&result)?,
        Format::Text => sentence(method, &inputs, &result),
    };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// What was computed, its numbers, and a warning where the method is weak.
fn sentence(method: &Method, inputs: &Map<String, Value>, result: &Value) -> String {
    let mut text = format!("{}: {}\n", method.name, method.help);
    if let Value::Object(fields) = result {
        if let (Some(low), Some(high)) = (ends(fields, "lower"), ends(fields, "upper")) {
            let level = inputs
                .get("alpha")
                .and_then(Value::as_f64)
                .map_or_else(String::new, |a| {
                    format!("{} % ", numbers::decimals((1.0 - a) * 100.0, 4))
                });
            text.push_str(&format!("  {level}interval: {low} to {high}\n"));
        }
        for (key, value) in fields {
            text.push_str(&format!("  {key} = {}\n", show(value)));
        }
    } else {
        text.push_str(&format!("  {}\n", show(result)));
    }
    if let Some(warning) = warning(method.name) {
        text.push_str(&format!("  Note: {warning}\n"));
    }
    text
}

fn ends(fields: &Map<String, Value>, key: &str) -> Option<String> {
    fields
        .get(key)
        .and_then(Value::as_f64)
        .map(|value| numbers::decimals(value, 6))
}

fn show(value: &Value) -> String {
    match value {
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| number.to_string(), numbers::exact),
        // `batch` alone may say inf or nan; for people these are words.
        Value::String(text) if matches!(text.as_str(), "inf" | "-inf" | "nan") => {
            "undefined (outside any finite range)".to_owned()
        }
        Value::Null => "undefined".to_owned(),
        Value::Array(items) => {
            format!(
                "[{}]",
                items.iter().map(show).collect::<Vec<_>>().join(", ")
            )
        }
        other => other.to_string(),
    }
}

/// Where a method must not be trusted.
fn warning(method: &str) -> Option<&'static str> {
    Some(match method {
        "wald" => {
            "its true coverage falls far below nominal near 0 and 1 and at small n; use wilson."
        }
        "jeffreys" => {
            "at 0 and n successes it leaves out 0 and 1 themselves; use jeffreys_boundary."
        }
        "t_test_mean" => {
            "with a strong player most blocks agree and the interval is far too narrow."
        }
        "tost_mean" => "it rests on plain t, which is too sure where most blocks agree.",
        "sign_flip_exact" => "valid for two seats only; with more, shifting the names is.",
        "fastchess_elo"
        | "gsprt_trinomial_bayeselo"
        | "gsprt_trinomial_logistic"
        | "gsprt_trinomial_normalized" => {
            "counts of single games: games of a pair share their deal, so give the five pair counts."
        }
        "llr_bayeselo_legacy" => {
            "kept for comparison: games as independent, draws by a model; use gsprt_pentanomial_logistic."
        }
        "sidak" | "holm_sidak" => "needs independent tests; cells that share deals are not.",
        "hochberg" | "hommel" => {
            "needs independent or positively dependent tests; holm needs no such assumption."
        }
        "mcnemar_chi2" => "approximate with few deals that only one won; use mcnemar_exact.",
        "odds_ratio_wald" => "undefined with an empty cell, approximate with small ones.",
        "chi2_homogeneity" | "g_test_homogeneity" | "linear_by_linear" | "cochran_armitage"
        | "logistic_glm" | "logistic_lrt" => {
            "descriptive here: cells that share deals are not independent."
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_wrong_get_an_error_with_their_id() {
        for (line, part) in [
            ("{", "not JSON"),
            ("{\"id\":1}", "`method` is missing"),
            ("{\"id\":1,\"method\":\"wilsom\",\"inputs\":{}}", "wilsom"),
            (
                "{\"id\":1,\"method\":\"wilson\",\"inputs\":{\"n\":0,\"successes\":0,\"alpha\":0.05}}",
                "`n`",
            ),
        ] {
            let answer = answer(line.as_bytes());
            let error = answer["error"].as_str().unwrap_or_default().to_owned();
            assert!(error.contains(part), "{answer}");
        }
    }

    #[test]
    fn every_method_that_is_warned_of_exists_and_null_is_a_word() {
        let warned = batch::methods().filter(|m| warning(m.name).is_some());
        assert_eq!(warned.count(), 22);
        let result = json!({"elo": null});
        let text = sentence(batch::methods().next().unwrap(), &Map::new(), &result);
        assert!(text.contains("elo = undefined"), "{text}");
    }

    #[test]
    fn a_right_line_gets_a_result() {
        let line = r#"{"id":"a","method":"wilson","inputs":{"successes":45,"n":50,"alpha":0.05}}"#;
        let answer = answer(line.as_bytes());
        assert_eq!(answer["id"], "a");
        assert!((answer["result"]["lower"].as_f64().unwrap() - 0.786_398).abs() < 1e-5);
    }
}
