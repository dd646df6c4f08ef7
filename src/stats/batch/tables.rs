//! Tests on tables of counts by name.

use super::super::trend_tables::{
    ChiSquaredTest, chi2_homogeneity, cochran_armitage, g_test_homogeneity, isotonic_rates,
    linear_by_linear,
};
use super::super::two_by_two::{conditional_odds_ratio, fisher_exact};
use super::super::{Alternative, StatsError};
use super::{Arguments, Input, Kind, Method, number, numbers, object};
use serde_json::Value;

const SUCCESSES: Input = Input::new("successes", Kind::Counts, "successes in each group");
const N: Input = Input::new("n", Kind::Counts, "size of each group");
const SCORES: Input = Input::new("scores", Kind::Numbers, "the dose of each group");
const TABLE: Input = Input::new("table", Kind::Counts, "four counts, row by row");

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "cochran_armitage",
        help: "Test for a linear trend of success rates (variance with N).",
        inputs: &[SUCCESSES, N, SCORES],
        run: |arguments| {
            let test = cochran_armitage(
                &arguments.counts("successes")?,
                &arguments.counts("n")?,
                &arguments.numbers("scores")?,
            )?;
            Ok(object([
                ("chi2", number(test.statistic)),
                ("p_value", number(test.p_value)),
            ]))
        },
    },
    Method {
        name: "linear_by_linear",
        help: "Test for a linear trend of success rates (variance with N - 1), signed.",
        inputs: &[SUCCESSES, N, SCORES],
        run: |arguments| {
            let test = linear_by_linear(
                &arguments.counts("successes")?,
                &arguments.counts("n")?,
                &arguments.numbers("scores")?,
            )?;
            Ok(object([
                ("z", number(test.z)),
                ("p_value", number(test.p_value)),
            ]))
        },
    },
    Method {
        name: "chi2_homogeneity",
        help: "Pearson's test that all groups have the same success rate.",
        inputs: &[SUCCESSES, N],
        run: |arguments| homogeneity(arguments, "chi2", chi2_homogeneity),
    },
    Method {
        name: "g_test_homogeneity",
        help: "Likelihood-ratio test that all groups have the same success rate.",
        inputs: &[SUCCESSES, N],
        run: |arguments| homogeneity(arguments, "g", g_test_homogeneity),
    },
    Method {
        name: "isotonic_increasing",
        help: "Success rates fitted so that they do not fall from group to group.",
        inputs: &[SUCCESSES, N],
        run: |arguments| {
            let fit = isotonic_rates(&arguments.counts("successes")?, &arguments.counts("n")?)?;
            Ok(object([("fit", numbers(fit))]))
        },
    },
    Method {
        name: "fisher_exact",
        help: "Fisher's exact test of a two by two table.",
        inputs: &[
            TABLE,
            Input::new(
                "alternative",
                Kind::Word(Alternative::WORDS),
                "which tables count as more extreme",
            ),
        ],
        run: |arguments| {
            let alternative = Alternative::from_word(arguments.word("alternative")?)
                .unwrap_or(Alternative::TwoSided);
            let p = fisher_exact(table(arguments)?, alternative)?;
            Ok(object([("p_value", number(p))]))
        },
    },
    Method {
        name: "odds_ratio_conditional",
        help: "Conditional maximum likelihood odds ratio of a two by two table, exact interval.",
        inputs: &[TABLE, Input::new("alpha", Kind::Number, "two-sided error")],
        run: |arguments| {
            let ratio = conditional_odds_ratio(table(arguments)?, arguments.number("alpha")?)?;
            Ok(object([
                ("or_cmle", number(ratio.estimate.unwrap_or(f64::INFINITY))),
                ("lower", number(ratio.low)),
                ("upper", number(ratio.high.unwrap_or(f64::INFINITY))),
            ]))
        },
    },
];

fn homogeneity(
    arguments: &Arguments,
    key: &str,
    test: fn(&[u64], &[u64]) -> Result<ChiSquaredTest, StatsError>,
) -> Result<Value, StatsError> {
    let test = test(&arguments.counts("successes")?, &arguments.counts("n")?)?;
    Ok(object([
        (key, number(test.statistic)),
        ("df", Value::from(test.df)),
        ("p_value", number(test.p_value)),
    ]))
}

fn table(arguments: &Arguments) -> Result<[u64; 4], StatsError> {
    let counts = arguments.counts("table")?;
    <[u64; 4]>::try_from(counts.as_slice()).map_err(|_| {
        StatsError::argument(
            "table",
            format!("a list of {}", counts.len()),
            "four counts, row by row",
        )
    })
}
