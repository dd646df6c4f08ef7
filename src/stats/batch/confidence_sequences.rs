//! Confidence sequences by name.

use super::super::confidence_sequences::{
    EmpiricalBernstein, PredictableHoeffding, beta_binomial_cs, betting_cs, betting_interval,
    betting_log_capital, conjugate_hoeffding, gamma_exponential_mixture_bound,
    normal_mixture_bound, poly_stitching_bound,
};
use super::super::error::{open_unit, probability};
use super::super::{Interval, StatsError};
use super::{Arguments, Input, Kind, Method, number, numbers, object};
use serde_json::Value;

const X: Input = Input::new("x", Kind::Numbers, "observations in [0, 1], in order");
const ALPHA: Input = Input::new("alpha", Kind::Number, "error rate");
const TIMES: Input = Input::new(
    "t",
    Kind::Counts,
    "times to report, from 1 to the length of x",
);
const BREAKS: Input = Input::new("breaks", Kind::Count, "grid steps between 0 and 1");
const V: Input = Input::new("v", Kind::Number, "intrinsic time (sum of variances)");
const V_OPT: Input = Input::new("v_opt", Kind::Number, "intrinsic time to be tightest at");
const ALPHA_OPT: Input = Input::new("alpha_opt", Kind::Number, "error rate to be tightest for");
const C: Input = Input::new("c", Kind::Number, "scale of single observations");

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "predmix_empirical_bernstein",
        help: "Empirical Bernstein confidence sequence of a mean in [0, 1].",
        inputs: &[X, ALPHA, TIMES],
        run: |arguments| {
            let mut sequence = EmpiricalBernstein::new(arguments.number("alpha")?)?;
            sequence_at(arguments, |x| {
                sequence.update(x)?;
                Ok(sequence.interval())
            })
        },
    },
    Method {
        name: "predmix_hoeffding",
        help: "Hoeffding confidence sequence of a mean in [0, 1].",
        inputs: &[X, ALPHA, TIMES],
        run: |arguments| {
            let mut sequence = PredictableHoeffding::new(arguments.number("alpha")?)?;
            sequence_at(arguments, |x| {
                sequence.update(x)?;
                Ok(sequence.interval())
            })
        },
    },
    Method {
        name: "conjmix_hoeffding",
        help: "Hoeffding confidence sequence of a normal mixture, tightest near t_opt.",
        inputs: &[
            X,
            ALPHA,
            Input::new(
                "t_opt",
                Kind::Number,
                "number of observations to be tightest at",
            ),
            TIMES,
        ],
        run: conjmix,
    },
    Method {
        name: "betting_hedged_cs",
        help: "Confidence sequence by betting against every mean on a grid.",
        inputs: &[X, ALPHA, TIMES, BREAKS],
        run: |arguments| {
            let x = arguments.numbers("x")?;
            let all = betting_cs(&x, arguments.number("alpha")?, arguments.count("breaks")?)?;
            at_times(arguments, &all)
        },
    },
    Method {
        name: "betting_fixed_n_ci",
        help: "Confidence interval by betting, for a number of observations fixed in advance.",
        inputs: &[X, ALPHA, BREAKS],
        run: |arguments| {
            let x = arguments.numbers("x")?;
            betting_interval(&x, arguments.number("alpha")?, arguments.count("breaks")?).map(ends)
        },
    },
    Method {
        name: "betting_martingale_log_capital",
        help: "Logarithm of the capital won by betting against the mean m.",
        inputs: &[
            X,
            Input::new("m", Kind::Number, "the mean that is bet against"),
            ALPHA,
            TIMES,
        ],
        run: |arguments| {
            let x = arguments.numbers("x")?;
            let all = betting_log_capital(&x, arguments.number("m")?, arguments.number("alpha")?)?;
            let chosen = pick(arguments, &all)?;
            Ok(object([("log_capital", numbers(chosen))]))
        },
    },
    Method {
        name: "beta_binomial_cs",
        help: "Confidence sequence of a success probability from its counts.",
        inputs: &[
            Input::new(
                "successes",
                Kind::Number,
                "number of successes, may be fractional",
            ),
            Input::new("n", Kind::Count, "number of trials"),
            ALPHA,
            Input::new("t_opt", Kind::Number, "number of trials to be tightest at"),
            ALPHA_OPT,
        ],
        run: |arguments| {
            beta_binomial_cs(
                arguments.number("successes")?,
                arguments.count("n")?,
                arguments.number("alpha")?,
                arguments.number("t_opt")?,
                arguments.number("alpha_opt")?,
            )
            .map(ends)
        },
    },
    Method {
        name: "normal_mixture_bound",
        help: "Boundary that a sub-Gaussian sum ever crosses with probability alpha.",
        inputs: &[
            V,
            ALPHA,
            V_OPT,
            ALPHA_OPT,
            Input::new("one_sided", Kind::Flag, "whether only large sums count"),
        ],
        run: |arguments| {
            bound(normal_mixture_bound(
                arguments.number("v")?,
                arguments.number("alpha")?,
                arguments.number("v_opt")?,
                arguments.number("alpha_opt")?,
                arguments.flag("one_sided")?,
            ))
        },
    },
    Method {
        name: "gamma_exponential_mixture_bound",
        help: "Boundary that a sub-exponential sum ever crosses with probability alpha.",
        inputs: &[V, ALPHA, V_OPT, C, ALPHA_OPT],
        run: |arguments| {
            bound(gamma_exponential_mixture_bound(
                arguments.number("v")?,
                arguments.number("alpha")?,
                arguments.number("v_opt")?,
                arguments.number("c")?,
                arguments.number("alpha_opt")?,
            ))
        },
    },
    Method {
        name: "poly_stitching_bound",
        help: "Stitched boundary that a sum ever crosses with probability alpha.",
        inputs: &[
            V,
            ALPHA,
            Input::new(
                "v_min",
                Kind::Number,
                "intrinsic time below which it is flat",
            ),
            C,
            Input::new("s", Kind::Number, "shape, above 1"),
            Input::new("eta", Kind::Number, "ratio of epochs, above 1"),
        ],
        run: |arguments| {
            bound(poly_stitching_bound(
                arguments.number("v")?,
                arguments.number("alpha")?,
                arguments.number("v_min")?,
                arguments.number("c")?,
                arguments.number("s")?,
                arguments.number("eta")?,
            ))
        },
    },
];

fn bound(value: Result<f64, StatsError>) -> Result<Value, StatsError> {
    Ok(object([("bound", number(value?))]))
}

fn ends(interval: Interval) -> Value {
    object([
        ("lower", number(interval.low)),
        ("upper", number(interval.high)),
    ])
}

/// Runs over the observations and reports at the times asked for.
fn sequence_at(
    arguments: &Arguments,
    step: impl FnMut(f64) -> Result<Interval, StatsError>,
) -> Result<Value, StatsError> {
    let all: Vec<Interval> = arguments
        .numbers("x")?
        .into_iter()
        .map(step)
        .collect::<Result<_, _>>()?;
    at_times(arguments, &all)
}

fn at_times(arguments: &Arguments, all: &[Interval]) -> Result<Value, StatsError> {
    let chosen = pick(arguments, all)?;
    Ok(object([
        ("lower", numbers(chosen.iter().map(|interval| interval.low))),
        (
            "upper",
            numbers(chosen.iter().map(|interval| interval.high)),
        ),
    ]))
}

/// The entries of `all` at the 1-based times of the input `t`.
fn pick<T: Copy>(arguments: &Arguments, all: &[T]) -> Result<Vec<T>, StatsError> {
    if all.is_empty() {
        return Err(StatsError::argument(
            "x",
            "an empty list",
            "at least one observation",
        ));
    }
    arguments
        .counts("t")?
        .into_iter()
        .map(|t| {
            usize::try_from(t)
                .ok()
                .and_then(|t| all.get(t.checked_sub(1)?).copied())
                .ok_or_else(|| {
                    StatsError::argument(
                        "t",
                        t,
                        format!("made of times from 1 to {}, the length of `x`", all.len()),
                    )
                })
        })
        .collect()
}

fn conjmix(arguments: &Arguments) -> Result<Value, StatsError> {
    let alpha = open_unit("alpha", arguments.number("alpha")?)?;
    let t_opt = arguments.number("t_opt")?;
    let (mut sum, mut count) = (0.0, 0_u32);
    sequence_at(arguments, |x| {
        sum += probability("x", x)?;
        count += 1;
        conjugate_hoeffding(sum / f64::from(count), count.into(), alpha, t_opt)
    })
}
