//! What engine match runners published, recomputed.
//!
//! Every case of `tests/data/reference/match_reports.json`, every figure of it, and the seven
//! properties that the file states. Figures that are undefined (`null`) must be undefined here.
//!
//! Where published output is itself off, and by how much:
//!
//! - cutechess takes 1.95716 for the 97.5 % normal quantile (its inverse error function is an
//!   approximation), 0.14 % too little. Its error bars are compared with that quantile in its place
//!   (with the exact one cc-cinder-570 is 7.756 for a printed 7.7), and ours must lie within 0.3 %.
//! - cutechess prints `inf` and `nan` where Elo or its error bar is undefined.
//! - fastchess before its PR 794 solved the likelihood equations loosely: run-783 prints 2.94598
//!   where the exact value is 2.945495. The case's tolerance of 0.0006 allows for that, and
//!   fc-sprt-norm-penta-3 (111.82 for 111.7976) likewise.
//! - for the three `sprt_stress_no_reference` cases fastchess hung, printed `nan`, or decided after
//!   one pair; the values here are the reference's own constrained maximum likelihood.

#![expect(
    clippy::float_cmp,
    reason = "where exact equality is claimed, it is meant"
)]

use evalctl::stats::aggregate::{interquartile_mean, median, probability_of_improvement};
use evalctl::stats::confidence_sequences::BettingMixture;
use evalctl::stats::elo::{
    ELO_PER_LOG_STRENGTH, elo_of_score, fishtest_elo, los_of_decisive_games, match_report,
    openbench_elo,
};
use evalctl::stats::proportions::{clopper_pearson, wilson};
use evalctl::stats::ratings::bradley_terry;
use evalctl::stats::results::ResultCounts;
use evalctl::stats::sprt::{
    Decision, EloModel, Sprt, bayeselo_llr, cutechess_llr, gsprt_llr, wald_bounds,
};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/reference/match_reports.json"
    );
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn number(input: &Value, key: &str) -> f64 {
    input[key]
        .as_f64()
        .unwrap_or_else(|| panic!("no number {key} in {input}"))
}

fn count(input: &Value, key: &str) -> u64 {
    input[key]
        .as_u64()
        .unwrap_or_else(|| panic!("no count {key} in {input}"))
}

fn list(value: &Value) -> Vec<f64> {
    let items = value.as_array().unwrap();
    items.iter().map(|item| item.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(list).collect()
}

fn games(input: &Value) -> ResultCounts {
    ResultCounts::games(count(input, "L"), count(input, "D"), count(input, "W"))
}

fn pairs(input: &Value) -> ResultCounts {
    ResultCounts::new(&list(&input["ptnml"])).unwrap()
}

fn llr(results: ResultCounts, input: &Value, model: EloModel) -> f64 {
    gsprt_llr(results, number(input, "elo0"), number(input, "elo1"), model).unwrap()
}

/// The figures of a report without regularisation.
fn report_figure(results: ResultCounts, figure: &str) -> Option<f64> {
    let report = match_report(results).unwrap();
    match figure {
        "score" => Some(report.score),
        "score_pct" => Some(100.0 * report.score),
        "elo" => report.elo,
        "elo_err95" => report.elo_error95,
        "nelo" => report.nelo,
        "nelo_err95" => report.nelo_error95,
        "los_normal_pct" => report.los.map(|los| 100.0 * los),
        other => panic!("unknown figure {other}"),
    }
}

/// The error bar of cutechess, with its own quantile.
fn cutechess_error(results: ResultCounts) -> Option<f64> {
    const QUANTILE: f64 = 1.957_16;
    let (score, variance) = results.moments().unwrap();
    let reach = QUANTILE * (variance / results.total()).sqrt();
    let theirs = (elo_of_score(score + reach)? - elo_of_score(score - reach)?) / 2.0;
    let ours = match_report(results).unwrap().elo_error95?;
    assert!((ours / theirs - 1.0).abs() < 0.003, "{ours} {theirs}");
    Some(theirs)
}

/// The figure of a case, or `None` where it is undefined.
fn figure(kind: &str, input: &Value, name: &str) -> Option<f64> {
    match (kind, name) {
        ("cutechess_report_trinomial", "elo_err95") => cutechess_error(games(input)),
        ("cutechess_report_trinomial", "los_wl_pct") => {
            los_of_decisive_games(number(input, "W"), number(input, "L")).map(|los| 100.0 * los)
        }
        ("cutechess_report_trinomial", "draw_pct") => {
            let all = number(input, "W") + number(input, "L") + number(input, "D");
            Some(100.0 * number(input, "D") / all)
        }
        ("sprt_llr_cutechess_bayeselo_scaled", "llr") => {
            Some(cutechess_llr(games(input), number(input, "elo0"), number(input, "elo1")).unwrap())
        }
        ("sprt_llr_cutechess_bayeselo_scaled" | "sprt_bounds", bound) => {
            let (lower, upper) =
                wald_bounds(number(input, "alpha"), number(input, "beta")).unwrap();
            Some(match bound {
                "lower" | "lbound" => lower,
                "upper" | "ubound" => upper,
                other => panic!("unknown bound {other}"),
            })
        }
        ("winrate_ci_degenerate", name) => {
            let wins = count(input, "W");
            let n = wins + count(input, "L") + count(input, "D");
            let interval = if name.starts_with("wilson") {
                wilson(wins, n, 0.05)
            } else {
                clopper_pearson(wins, n, 0.05)
            }
            .unwrap();
            Some(end(interval.low, interval.high, name))
        }
        ("winrate_ci_wilson", name) => {
            let alpha = 1.0 - number(input, "confidence");
            let interval = wilson(count(input, "k"), count(input, "n"), alpha).unwrap();
            Some(end(interval.low, interval.high, name))
        }
        ("sprt_llr_trinomial_bayesian", _) => Some(llr(games(input), input, EloModel::Bayes)),
        ("sprt_llr_trinomial_logistic", _) => Some(llr(games(input), input, EloModel::Logistic)),
        ("sprt_llr_trinomial_normalized", _) => {
            Some(llr(games(input), input, EloModel::Normalized))
        }
        ("sprt_llr_pentanomial_logistic", _) => Some(llr(pairs(input), input, EloModel::Logistic)),
        ("sprt_llr_trinomial_bayesian_classic", _) => {
            Some(bayeselo_llr(games(input), number(input, "elo0"), number(input, "elo1")).unwrap())
        }
        (
            "sprt_llr_pentanomial_normalized"
            | "sprt_stress_no_reference"
            | "openbench_report_pentanomial"
            | "fastchess_full_report_pentanomial"
            | "openbench_report_trinomial",
            "llr" | "llr_pentanomial",
        ) => Some(llr(pairs(input), input, EloModel::Normalized)),
        ("fishtest_get_elo", name) => {
            let results = ResultCounts::new(&list(&input["counts_low_to_high"])).unwrap();
            let report = fishtest_elo(results);
            Some(match name {
                "elo" => report.elo,
                "elo_err95" => report.elo95,
                "los" => report.los,
                other => panic!("unknown figure {other}"),
            })
        }
        ("openbench_report_pentanomial" | "openbench_report_trinomial", name) => {
            let results = if kind.ends_with("trinomial") {
                games(input)
            } else {
                pairs(input)
            };
            let (elo, half_width) = openbench_elo(results).unwrap();
            Some(match name {
                "elo" => elo,
                "elo_half_width95" => half_width,
                other => panic!("unknown figure {other}"),
            })
        }
        ("bradley_terry_elo", "A_minus_C") => {
            let fit = bradley_terry(&matrix(&input["wins"])).unwrap();
            Some(ELO_PER_LOG_STRENGTH * (fit.log_strengths[0] - fit.log_strengths[2]))
        }
        ("rliable", name) => Some(aggregate(input, name)),
        ("cutechess_report_trinomial" | "elo_trinomial", name) => report_figure(games(input), name),
        ("elo_pentanomial" | "fastchess_full_report_pentanomial", name) => {
            report_figure(pairs(input), name)
        }
        (kind, name) => panic!("no function for {name} of {kind}"),
    }
}

fn end(low: f64, high: f64, name: &str) -> f64 {
    if name.ends_with("lo") { low } else { high }
}

fn aggregate(input: &Value, name: &str) -> f64 {
    let (x, y) = (matrix(&input["x"]), matrix(&input["y"]));
    match name {
        "iqm_x" => interquartile_mean(&x.concat()).unwrap(),
        "iqm_y" => interquartile_mean(&y.concat()).unwrap(),
        "median_x" => {
            // The median over tasks of the mean over runs.
            let means: Vec<f64> = (0..x[0].len())
                .map(|task| {
                    x.iter().map(|run| run[task]).sum::<f64>()
                        / f64::from(u32::try_from(x.len()).unwrap())
                })
                .collect();
            median(&means).unwrap()
        }
        "prob_improvement_xy" => probability_of_improvement(&x, &y).unwrap(),
        other => panic!("unknown figure {other}"),
    }
}

#[test]
fn every_published_figure_is_reproduced() {
    let cases = cases();
    assert_eq!(cases.len(), 57);
    let (mut compared, mut failures) = (0, Vec::new());
    for case in &cases {
        let (id, kind) = (case["id"].as_str().unwrap(), case["kind"].as_str().unwrap());
        let key = if case["expected"].is_object() {
            "expected"
        } else {
            "expected_own_computation"
        };
        for (name, expected) in case[key].as_object().unwrap() {
            if name == "tolerance_abs" {
                continue;
            }
            // The reference's own computations share one tolerance.
            let (value, tolerance) = if expected.is_object() {
                (&expected["expected"], &expected["tolerance_abs"])
            } else {
                (expected, &case[key]["tolerance_abs"])
            };
            let got = figure(kind, &case["input"], name);
            compared += 1;
            let agrees = match (got, value.as_f64()) {
                (Some(got), Some(value)) => (got - value).abs() <= tolerance.as_f64().unwrap(),
                (None, None) => value.is_null(),
                _ => false,
            };
            if !agrees {
                failures.push(format!("{id}: {name} is {got:?}, expected {value}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 150, "{compared}");
}

/// The results of all cases that have some, of games and of pairs.
fn all_results() -> Vec<ResultCounts> {
    let mut all = Vec::new();
    for case in cases() {
        let input = &case["input"];
        if input["ptnml"].is_array() {
            all.push(pairs(input));
        }
        if input["W"].is_u64() {
            all.push(games(input));
        }
    }
    assert!(all.len() > 40);
    all
}

fn close(one: Option<f64>, other: Option<f64>, tolerance: f64) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= tolerance * (1.0 + one.abs()),
        (None, None) => true,
        _ => false,
    }
}

#[test]
fn swapping_sides_negates_elo_and_mirrors_the_rest() {
    for results in all_results() {
        let one = match_report(results).unwrap();
        let other = match_report(results.reversed()).unwrap();
        assert!(
            close(one.elo, other.elo.map(|elo| -elo), 1e-9),
            "{results:?}"
        );
        assert!(
            close(one.elo_error95, other.elo_error95, 1e-9),
            "{results:?}"
        );
        assert!(
            close(one.nelo, other.nelo.map(|nelo| -nelo), 1e-9),
            "{results:?}"
        );
        assert!(close(one.nelo_error95, other.nelo_error95, 1e-9));
        assert!(
            close(one.los, other.los.map(|los| 1.0 - los), 1e-9),
            "{results:?}"
        );
    }
}

#[test]
fn swapping_sides_and_negating_bounds_swaps_the_hypotheses() {
    for results in all_results() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            for (elo0, elo1) in [(0.0, 5.0), (-3.0, 1.0), (10.0, 60.0)] {
                let one = gsprt_llr(results, elo0, elo1, model).unwrap();
                let other = gsprt_llr(results.reversed(), -elo1, -elo0, model).unwrap();
                assert!(
                    (one + other).abs() <= 1e-6 * (1.0 + one.abs()),
                    "{results:?} {elo0} {elo1} {model:?}: {one} and {other}"
                );
            }
        }
    }
}

#[test]
fn more_of_the_same_multiplies_the_ratio_and_narrows_the_error() {
    for results in all_results() {
        if results.cells().contains(&0.0) {
            continue;
        }
        let times = 4.0;
        let scaled: Vec<f64> = results.cells().iter().map(|n| times * n).collect();
        let scaled = ResultCounts::new(&scaled).unwrap();
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let one = gsprt_llr(results, 0.0, 5.0, model).unwrap();
            let more = gsprt_llr(scaled, 0.0, 5.0, model).unwrap();
            assert!((more - times * one).abs() <= 1e-6 * (1.0 + more.abs()));
        }
        let (one, more) = (
            match_report(results).unwrap(),
            match_report(scaled).unwrap(),
        );
        if let (Some(one), Some(more)) = (one.nelo_error95, more.nelo_error95) {
            assert!((one / more - times.sqrt()).abs() < 1e-9);
        }
        // Elo is curved, so for wide bars the square root does not hold.
        if let (Some(one), Some(more)) = (one.elo_error95, more.elo_error95)
            && one < 40.0
        {
            let ratio = one / more / times.sqrt();
            assert!((ratio - 1.0).abs() < 0.05, "{results:?}: {ratio}");
        }
    }
}

#[test]
fn games_and_pairs_of_one_match_have_one_score() {
    let mut seen = 0;
    for case in cases() {
        let input = &case["input"];
        if !(input["ptnml"].is_array() && input["W"].is_u64()) {
            continue;
        }
        seen += 1;
        let (games, pairs) = (games(input), pairs(input));
        assert_eq!(games.total(), 2.0 * pairs.total(), "{}", case["id"]);
        let (one, other) = (games.moments().unwrap(), pairs.moments().unwrap());
        assert!((one.0 - other.0).abs() < 1e-12, "{}", case["id"]);
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn independent_games_make_pairs_half_as_variable() {
    // Pair counts that are exactly the convolution of 20 % losses, 30 % draws, 50 % wins.
    let (l, d, w) = (0.2, 0.3, 0.5);
    let law = [l * l, 2.0 * l * d, 2.0 * l * w + d * d, 2.0 * d * w, w * w];
    let pairs = ResultCounts::new(&law).unwrap();
    let games = ResultCounts::new(&[l, d, w]).unwrap();
    let (pair_variance, game_variance) = (pairs.moments().unwrap().1, games.moments().unwrap().1);
    assert!((2.0 * pair_variance - game_variance).abs() < 1e-12);
    // Openings that favour one colour make it smaller still: a published match.
    let plenty = cases()
        .into_iter()
        .find(|case| case["id"] == "ob-plenty-61-trinomial")
        .unwrap();
    let paired = self::pairs(&plenty["input"]).moments().unwrap().1;
    let single = self::games(&plenty["input"]).moments().unwrap().1;
    assert!(2.0 * paired < 0.9 * single);
}

#[test]
fn the_order_of_completion_changes_nothing() {
    // All statistics are functions of counts; the sequences fed one by one agree to the last bit.
    let scores = [1.0, 0.5, 0.5, 0.25, 1.0, 0.75, 0.0, 0.5, 1.0, 0.75];
    let mut forwards = BettingMixture::new(0.05).unwrap();
    let mut backwards = BettingMixture::new(0.05).unwrap();
    for (one, other) in scores.iter().zip(scores.iter().rev()) {
        forwards.update(*one).unwrap();
        backwards.update(*other).unwrap();
    }
    assert_eq!(forwards.interval(), backwards.interval());
    let test = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
    let mut counts = [0; 5];
    for score in scores {
        let cell = [0.0, 0.25, 0.5, 0.75, 1.0].iter().position(|s| *s == score);
        counts[cell.unwrap()] += 1;
    }
    assert_eq!(counts, [1, 1, 3, 2, 3]);
    assert_eq!(test.state(counts).decision, Decision::Continue);
    assert_eq!(
        match_report(ResultCounts::pairs(counts)).unwrap().score,
        0.625
    );
}
