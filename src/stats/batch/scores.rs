//! Tests of mean scores, adjusted p-values, and power by name.

use super::super::effect_sizes::{cohens_d, cohens_h};
use super::super::multiple_testing::{Adjustment, adjust};
use super::super::{StatsError, mean_score, power};
use super::{ALTERNATIVE, Arguments, Input, Kind, Method, alternative, number, numbers, object};
use serde_json::Value;

const SCORES: Input = Input::new("pair_scores", Kind::Numbers, "one score for each block");
const MU0: Input = Input::new("mu0", Kind::Number, "the mean under the null hypothesis");
const ALPHA: Input = Input::new(
    "alpha",
    Kind::Number,
    "two-sided error; the level is 1 - alpha",
);
const ERROR: Input = Input::new("alpha", Kind::Number, "the error rate of the test");
const P0: Input = Input::new("p0", Kind::Number, "the rate under the null hypothesis");
const P1: Input = Input::new("p1", Kind::Number, "the rate to be found");
const P2: Input = Input::new("p2", Kind::Number, "the rate it is compared with");
const POWER: Input = Input::new("power", Kind::Number, "the probability of finding it");
const SIDES: Input = Input::new("sides", Kind::Count, "1 or 2: sides of the test");

static T_TEST: [Input; 3] = [SCORES, MU0, ALPHA];
static SIGN_FLIP: [Input; 3] = [SCORES, MU0, ALTERNATIVE];
static TOST: [Input; 3] = [
    SCORES,
    Input::new("low", Kind::Number, "the lower margin"),
    Input::new("upp", Kind::Number, "the upper margin"),
];
static P_VALUES: [Input; 1] = [Input::new(
    "p_values",
    Kind::Numbers,
    "the p-values of the family",
)];
static TWO_RATES: [Input; 2] = [P1, P2];
static COHENS_D: [Input; 3] = [
    Input::new("mean", Kind::Number, "the mean score"),
    MU0,
    Input::new("sd", Kind::Number, "standard deviation of a block"),
];
static POWER_ONE: [Input; 5] = [
    P0,
    P1,
    Input::new("n", Kind::Number, "games"),
    ERROR,
    ALTERNATIVE,
];
static POWER_TWO: [Input; 5] = [
    P1,
    P2,
    Input::new("n_per_group", Kind::Number, "games in each group"),
    ERROR,
    ALTERNATIVE,
];
static SIZE_ARCSINE: [Input; 5] = [P0, P1, POWER, ERROR, ALTERNATIVE];
static SIZE_ONE: [Input; 5] = [P0, P1, POWER, ERROR, SIDES];
static SIZE_TWO: [Input; 5] = [P1, P2, POWER, ERROR, SIDES];
static POWER_EXACT: [Input; 4] = [Input::new("n", Kind::Count, "games"), P0, P1, ERROR];
static SIZE_EXACT: [Input; 4] = [P0, P1, POWER, ERROR];

const fn adjustment(
    name: &'static str,
    help: &'static str,
    run: fn(&Arguments) -> Result<Value, StatsError>,
) -> Method {
    Method {
        name,
        help,
        inputs: &P_VALUES,
        run,
    }
}

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "t_test_mean",
        help: "Student's t test and interval of a mean score.",
        inputs: &T_TEST,
        run: |a| {
            let result = mean_score::t_test_mean(
                &a.numbers("pair_scores")?,
                a.number("mu0")?,
                a.number("alpha")?,
            )?;
            Ok(object([
                ("t", number(result.t)),
                ("p_value", number(result.p_value)),
                ("lower", number(result.interval.low)),
                ("upper", number(result.interval.high)),
            ]))
        },
    },
    Method {
        name: "sign_flip_exact",
        help: "The exact permutation test that scores are symmetric around a value.",
        inputs: &SIGN_FLIP,
        run: |a| {
            let alternative = alternative(a)?;
            let p = mean_score::sign_flip_exact(
                &a.numbers("pair_scores")?,
                a.number("mu0")?,
                alternative,
            )?;
            Ok(object([("p_value", number(p))]))
        },
    },
    Method {
        name: "tost_mean",
        help: "Two one-sided t tests: whether the mean lies between two margins.",
        inputs: &TOST,
        run: |a| {
            let result = mean_score::tost_mean(
                &a.numbers("pair_scores")?,
                a.number("low")?,
                a.number("upp")?,
            )?;
            Ok(object([
                ("p_lower", number(result.p_lower)),
                ("p_upper", number(result.p_upper)),
                ("p_value", number(result.p_value)),
            ]))
        },
    },
    adjustment("bonferroni", "Bonferroni's adjusted p-values.", |a| {
        adjusted(a, Adjustment::Bonferroni)
    }),
    adjustment(
        "sidak",
        "Sidak's adjusted p-values, for independent tests.",
        |a| adjusted(a, Adjustment::Sidak),
    ),
    adjustment(
        "holm",
        "Holm's adjusted p-values, the default for claims.",
        |a| adjusted(a, Adjustment::Holm),
    ),
    adjustment(
        "holm_sidak",
        "Step-down Sidak, for independent tests.",
        |a| adjusted(a, Adjustment::HolmSidak),
    ),
    adjustment("hochberg", "Hochberg's adjusted p-values.", |a| {
        adjusted(a, Adjustment::Hochberg)
    }),
    adjustment("hommel", "Hommel's adjusted p-values.", |a| {
        adjusted(a, Adjustment::Hommel)
    }),
    adjustment(
        "bh",
        "Benjamini and Hochberg: the false discovery rate.",
        |a| adjusted(a, Adjustment::Bh),
    ),
    adjustment(
        "by",
        "Benjamini and Yekutieli: the false discovery rate, any dependence.",
        |a| adjusted(a, Adjustment::By),
    ),
    Method {
        name: "cohens_h",
        help: "Cohen's h, the difference of two rates on the arcsine scale.",
        inputs: &TWO_RATES,
        run: |a| {
            let h = cohens_h(a.number("p1")?, a.number("p2")?)?;
            Ok(object([("h", number(h))]))
        },
    },
    Method {
        name: "cohens_d",
        help: "Cohen's d, the distance of a mean in standard deviations.",
        inputs: &COHENS_D,
        run: |a| {
            let d = cohens_d(a.number("mean")?, a.number("mu0")?, a.number("sd")?)?;
            Ok(object([("d", number(d))]))
        },
    },
    Method {
        name: "power_one_prop_arcsine",
        help: "Power of the arcsine test of one rate.",
        inputs: &POWER_ONE,
        run: |a| {
            let power = power::power_one_prop_arcsine(
                a.number("p0")?,
                a.number("p1")?,
                a.number("n")?,
                a.number("alpha")?,
                alternative(a)?,
            )?;
            Ok(object([("power", number(power))]))
        },
    },
    Method {
        name: "power_two_prop_arcsine",
        help: "Power of the arcsine test of two independent rates.",
        inputs: &POWER_TWO,
        run: |a| {
            let power = power::power_two_prop_arcsine(
                a.number("p1")?,
                a.number("p2")?,
                a.number("n_per_group")?,
                a.number("alpha")?,
                alternative(a)?,
            )?;
            Ok(object([("power", number(power))]))
        },
    },
    Method {
        name: "sample_size_one_prop_arcsine",
        help: "Games for the arcsine test of one rate, not rounded.",
        inputs: &SIZE_ARCSINE,
        run: |a| {
            let n = power::sample_size_one_prop_arcsine(
                a.number("p0")?,
                a.number("p1")?,
                a.number("power")?,
                a.number("alpha")?,
                alternative(a)?,
            )?;
            Ok(object([("n", number(n))]))
        },
    },
    Method {
        name: "sample_size_one_prop_normal",
        help: "Games for the normal test of one rate, not rounded.",
        inputs: &SIZE_ONE,
        run: |a| {
            let n = power::sample_size_one_prop_normal(
                a.number("p0")?,
                a.number("p1")?,
                a.number("power")?,
                a.number("alpha")?,
                a.count("sides")?,
            )?;
            Ok(object([("n", number(n))]))
        },
    },
    Method {
        name: "sample_size_two_prop_normal",
        help: "Games in each group for the normal test of two rates, not rounded.",
        inputs: &SIZE_TWO,
        run: |a| {
            let n = power::sample_size_two_prop_normal(
                a.number("p1")?,
                a.number("p2")?,
                a.number("power")?,
                a.number("alpha")?,
                a.count("sides")?,
            )?;
            Ok(object([("n_per_group", number(n))]))
        },
    },
    Method {
        name: "power_exact_binomial_greater",
        help: "Critical value, size and power of the exact one-sided test of a rate.",
        inputs: &POWER_EXACT,
        run: |a| {
            let exact = power::power_exact_binomial_greater(
                a.count("n")?,
                a.number("p0")?,
                a.number("p1")?,
                a.number("alpha")?,
            )?;
            Ok(object([
                ("k_crit", Value::from(exact.k_crit)),
                ("size", number(exact.size)),
                ("power", number(exact.power)),
            ]))
        },
    },
    Method {
        name: "sample_size_exact_binomial_greater",
        help: "Games for the exact one-sided test of a rate, whose power is saw-toothed.",
        inputs: &SIZE_EXACT,
        run: |a| {
            let size = power::sample_size_exact_binomial_greater(
                a.number("p0")?,
                a.number("p1")?,
                a.number("power")?,
                a.number("alpha")?,
            )?;
            Ok(object([
                ("n_first", Value::from(size.n_first)),
                ("n_all_larger", Value::from(size.n_all_larger)),
            ]))
        },
    },
];

fn adjusted(a: &Arguments, method: Adjustment) -> Result<Value, StatsError> {
    let result = adjust(&a.numbers("p_values")?, method)?;
    Ok(object([("adjusted", numbers(result))]))
}
