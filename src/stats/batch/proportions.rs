//! Intervals and tests of proportions by name.

use super::super::binomial_test::binomial_test;
use super::super::diff_proportions::{self, TwoSamples};
use super::super::paired::{self, PairedTable};
use super::super::{Interval, StatsError, multinomial, proportions};
use super::{Arguments, Input, Kind, Method, number, numbers, object};
use serde_json::Value;

const ALPHA: Input = Input::new(
    "alpha",
    Kind::Number,
    "two-sided error; the level is 1 - alpha",
);

static COUNTED: [Input; 3] = [
    Input::new("successes", Kind::Count, "games won"),
    Input::new("n", Kind::Count, "games played"),
    ALPHA,
];
static COUNTED_ONE_SIDED: [Input; 3] = [
    Input::new("successes", Kind::Count, "games won"),
    Input::new("n", Kind::Count, "games played"),
    Input::new("alpha", Kind::Number, "error of each one-sided bound"),
];
static TEST: [Input; 4] = [
    Input::new("successes", Kind::Count, "games won"),
    Input::new("n", Kind::Count, "games played"),
    Input::new("p0", Kind::Number, "the rate under the null hypothesis"),
    super::ALTERNATIVE,
];
static TWO_SAMPLES: [Input; 5] = [
    Input::new("x1", Kind::Count, "games won in the first sample"),
    Input::new("n1", Kind::Count, "games played in the first sample"),
    Input::new("x2", Kind::Count, "games won in the second sample"),
    Input::new("n2", Kind::Count, "games played in the second sample"),
    ALPHA,
];
static DISCORDANT: [Input; 2] = [
    Input::new("b", Kind::Count, "deals that only the first won"),
    Input::new("c", Kind::Count, "deals that only the second won"),
];
static DISCORDANT_CHI2: [Input; 3] = [
    Input::new("b", Kind::Count, "deals that only the first won"),
    Input::new("c", Kind::Count, "deals that only the second won"),
    Input::new(
        "continuity_correction",
        Kind::Flag,
        "whether to use Edwards' correction",
    ),
];
static PAIRED: [Input; 5] = [
    Input::new("both", Kind::Count, "deals that both won"),
    Input::new("only_first", Kind::Count, "deals that only the first won"),
    Input::new("only_second", Kind::Count, "deals that only the second won"),
    Input::new("neither", Kind::Count, "deals that neither won"),
    ALPHA,
];
static CATEGORIES: [Input; 2] = [
    Input::new("counts", Kind::Counts, "games in each category"),
    ALPHA,
];

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "wilson",
        help: "Wilson's score interval of a rate, the default for independent games.",
        inputs: &COUNTED,
        run: |a| counted(a, proportions::wilson),
    },
    Method {
        name: "clopper_pearson",
        help: "The exact interval of a rate: coverage is guaranteed.",
        inputs: &COUNTED,
        run: |a| counted(a, proportions::clopper_pearson),
    },
    Method {
        name: "jeffreys",
        help: "Jeffreys' interval of a rate as it is; it never contains 0 or 1.",
        inputs: &COUNTED,
        run: |a| counted(a, proportions::jeffreys),
    },
    Method {
        name: "jeffreys_boundary",
        help: "Jeffreys' interval of a rate, reaching 0 and 1 where it must.",
        inputs: &COUNTED,
        run: |a| counted(a, proportions::jeffreys_boundary),
    },
    Method {
        name: "agresti_coull",
        help: "The interval of Agresti and Coull for a rate.",
        inputs: &COUNTED,
        run: |a| counted(a, proportions::agresti_coull),
    },
    Method {
        name: "wald",
        help: "Wald's interval of a rate; too narrow, shown for comparison only.",
        inputs: &COUNTED,
        run: |a| counted(a, proportions::wald),
    },
    Method {
        name: "wilson_one_sided",
        help: "Two one-sided Wilson bounds, each at level 1 - alpha.",
        inputs: &COUNTED_ONE_SIDED,
        run: |a| bounds(a, proportions::wilson_one_sided),
    },
    Method {
        name: "clopper_pearson_one_sided",
        help: "Two one-sided exact bounds, each at level 1 - alpha.",
        inputs: &COUNTED_ONE_SIDED,
        run: |a| bounds(a, proportions::clopper_pearson_one_sided),
    },
    Method {
        name: "jeffreys_one_sided",
        help: "Two one-sided Jeffreys bounds, each at level 1 - alpha.",
        inputs: &COUNTED_ONE_SIDED,
        run: |a| bounds(a, proportions::jeffreys_one_sided),
    },
    Method {
        name: "binomial_test",
        help: "The exact test of a rate; two-sided sums the outcomes that are at most as likely.",
        inputs: &TEST,
        run: |a| {
            let alternative = super::alternative(a)?;
            let p = binomial_test(
                a.count("successes")?,
                a.count("n")?,
                a.number("p0")?,
                alternative,
            )?;
            Ok(object([("p_value", number(p))]))
        },
    },
    Method {
        name: "newcombe_diff",
        help: "Newcombe's interval of the difference of two independent rates.",
        inputs: &TWO_SAMPLES,
        run: |a| difference(a, diff_proportions::newcombe),
    },
    Method {
        name: "agresti_caffo_diff",
        help: "The interval of Agresti and Caffo for the difference of two independent rates.",
        inputs: &TWO_SAMPLES,
        run: |a| difference(a, diff_proportions::agresti_caffo),
    },
    Method {
        name: "miettinen_nurminen_diff",
        help: "The score interval of the difference of two independent rates.",
        inputs: &TWO_SAMPLES,
        run: |a| difference(a, diff_proportions::miettinen_nurminen),
    },
    Method {
        name: "odds_ratio_wald",
        help: "The odds ratio of two independent rates with its interval on the log scale.",
        inputs: &TWO_SAMPLES,
        run: |a| odds(a, diff_proportions::odds_ratio_wald),
    },
    Method {
        name: "odds_ratio_haldane",
        help: "The odds ratio with 1/2 added to each cell, for tables with empty cells.",
        inputs: &TWO_SAMPLES,
        run: |a| odds(a, diff_proportions::odds_ratio_haldane),
    },
    Method {
        name: "mcnemar_exact",
        help: "The exact test of two players on the same deals, from the deals that only one won.",
        inputs: &DISCORDANT,
        run: |a| {
            let p = paired::mcnemar_exact(a.count("b")?, a.count("c")?)?;
            Ok(object([("p_value", number(p))]))
        },
    },
    Method {
        name: "mcnemar_chi2",
        help: "McNemar's chi-squared test of two players on the same deals.",
        inputs: &DISCORDANT_CHI2,
        run: |a| {
            let corrected = a.flag("continuity_correction")?;
            let (statistic, p) = paired::mcnemar_chi2(a.count("b")?, a.count("c")?, corrected)?;
            Ok(object([
                ("statistic", number(statistic)),
                ("p_value", number(p)),
            ]))
        },
    },
    Method {
        name: "newcombe_paired_diff",
        help: "The difference of two rates on the same deals with Newcombe's paired interval.",
        inputs: &PAIRED,
        run: |a| {
            let table = PairedTable {
                both: a.count("both")?,
                only_first: a.count("only_first")?,
                only_second: a.count("only_second")?,
                neither: a.count("neither")?,
            };
            let result = paired::newcombe_paired(table, a.number("alpha")?)?;
            Ok(object([
                ("diff", number(result.value)),
                ("lower", number(result.interval.low)),
                ("upper", number(result.interval.high)),
            ]))
        },
    },
    Method {
        name: "goodman",
        help: "Simultaneous intervals of the shares of several outcomes, by Goodman.",
        inputs: &CATEGORIES,
        run: |a| categories(a, multinomial::goodman),
    },
    Method {
        name: "sison_glaz",
        help: "Simultaneous intervals of the shares of several outcomes, by Sison and Glaz.",
        inputs: &CATEGORIES,
        run: |a| categories(a, multinomial::sison_glaz),
    },
];

fn ends(interval: Interval) -> Value {
    object([
        ("lower", number(interval.low)),
        ("upper", number(interval.high)),
    ])
}

fn counted(
    a: &Arguments,
    method: impl Fn(u64, u64, f64) -> Result<Interval, StatsError>,
) -> Result<Value, StatsError> {
    method(a.count("successes")?, a.count("n")?, a.number("alpha")?).map(ends)
}

fn bounds(
    a: &Arguments,
    method: impl Fn(u64, u64, f64) -> Result<(f64, f64), StatsError>,
) -> Result<Value, StatsError> {
    let (lower, upper) = method(a.count("successes")?, a.count("n")?, a.number("alpha")?)?;
    Ok(object([
        ("lower_bound", number(lower)),
        ("upper_bound", number(upper)),
    ]))
}

fn samples(a: &Arguments) -> Result<TwoSamples, StatsError> {
    TwoSamples::new(
        a.count("x1")?,
        a.count("n1")?,
        a.count("x2")?,
        a.count("n2")?,
    )
}

fn difference(
    a: &Arguments,
    method: impl Fn(TwoSamples, f64) -> Result<Interval, StatsError>,
) -> Result<Value, StatsError> {
    method(samples(a)?, a.number("alpha")?).map(ends)
}

fn odds(
    a: &Arguments,
    method: impl Fn(TwoSamples, f64) -> Result<diff_proportions::OddsRatio, StatsError>,
) -> Result<Value, StatsError> {
    let result = method(samples(a)?, a.number("alpha")?)?;
    Ok(object([
        ("or", number(result.ratio)),
        ("lower", number(result.interval.low)),
        ("upper", number(result.interval.high)),
    ]))
}

fn categories(
    a: &Arguments,
    method: impl Fn(&[u64], f64) -> Result<Vec<Interval>, StatsError>,
) -> Result<Value, StatsError> {
    let intervals = method(&a.counts("counts")?, a.number("alpha")?)?;
    let rows: Vec<Value> = intervals
        .iter()
        .map(|interval| numbers([interval.low, interval.high]))
        .collect();
    Ok(object([("ci", Value::from(rows))]))
}
