use super::*;
use crate::rng::{Rng, Seed};
use crate::stats::elo::{elo_of_score, score_of_elo};
use crate::stats::results::ResultCounts;

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn draw(law: &[f64; 5], rng: &mut Rng) -> f64 {
    let mut u = rng.unit();
    for (p, score) in law.iter().zip(SCORES) {
        u -= p;
        if u < 0.0 {
            return score;
        }
    }
    1.0
}

/// Shares of tests that accepted H1, whose estimate was above the truth, and whose interval held
/// the truth.
fn repeat(law: [f64; 5], elo0: f64, elo1: f64, runs: u32) -> (f64, f64, f64) {
    let score: f64 = law.iter().zip(SCORES).map(|(p, s)| p * s).sum();
    let test = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
    let (mut accepted, mut above, mut held) = (0.0, 0.0, 0.0);
    for index in 0..runs {
        let mut rng = Seed::root(index.into()).derive("sprt", &[]).rng();
        let mut run = SprtRun::new(test);
        while run.state().decision == Decision::Continue {
            run.update(draw(&law, &mut rng)).unwrap();
        }
        accepted += f64::from(u8::from(run.state().decision == Decision::AcceptH1));
        let estimate = test.estimate(run.counts(), 0.05).unwrap();
        above += f64::from(u8::from(estimate.score > score));
        held += f64::from(u8::from(estimate.interval.contains(score)));
    }
    let runs = f64::from(runs);
    (accepted / runs, above / runs, held / runs)
}

#[test]
fn error_rates_and_the_estimate_after_stopping_hold() {
    // Three Monte-Carlo standard errors at 500 runs.
    let (error, half) = (0.029, 0.067);
    let coin = [0.25, 0.0, 0.5, 0.0, 0.25];
    let lopsided = [0.04, 0.0, 0.06, 0.0, 0.9];
    for (law, elo, width) in [
        (coin, 0.0, 60.0),
        (lopsided, elo_of_score(0.93).unwrap(), 200.0),
    ] {
        let (wrong, above, held) = repeat(law, elo, elo + width, 500);
        assert!(wrong < 0.05 + error, "{wrong}");
        assert!((above - 0.5).abs() < half, "{above}");
        assert!(held > 0.95 - error, "{held}");
        let (right, above, held) = repeat(law, elo - width, elo, 500);
        assert!(right > 0.95 - error, "{right}");
        assert!((above - 0.5).abs() < half, "{above}");
        assert!(held > 0.95 - error, "{held}");
    }
}

#[test]
fn the_plain_score_overstates_and_the_estimate_does_not() {
    // A test that stopped for H1 as early as it could.
    let test = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
    let counts = [3, 1, 10, 4, 17];
    assert_eq!(test.state(counts).decision, Decision::AcceptH1);
    let plain = ResultCounts::pairs(counts).moments().unwrap().0;
    let estimate = test.estimate(counts, 0.05).unwrap();
    assert!(estimate.score < plain, "{} {plain}", estimate.score);
    assert!(estimate.interval.contains(estimate.score));
}

#[test]
fn all_wins_give_walds_test_of_a_proportion() {
    let test = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
    let (s0, s1) = (0.5_f64, score_of_elo(200.0).unwrap());
    for blocks in [1_u32, 5, 20] {
        let llr = test.state([0, 0, 0, 0, blocks.into()]).llr;
        let wald = f64::from(blocks) * libm::log(s1 / s0);
        assert!((llr / wald - 1.0).abs() < 0.01, "{llr} {wald}");
    }
    let estimate = test.estimate([0, 0, 0, 0, 12], 0.05).unwrap();
    assert!(estimate.score > 0.9 && estimate.interval.high > 0.99);
}

#[test]
fn swapping_sides_swaps_the_hypotheses() {
    let test = Sprt::new(-3.0, 12.0, 0.05, 0.1).unwrap();
    let swapped = Sprt::new(-12.0, 3.0, 0.1, 0.05).unwrap();
    let counts = [5, 30, 80, 41, 9];
    let mut reversed = counts;
    reversed.reverse();
    let (one, other) = (test.state(counts), swapped.state(reversed));
    assert!((one.llr + other.llr).abs() < 1e-9);
    assert!((one.upper + other.lower).abs() < 1e-12);
    let (a, b) = (
        test.estimate(counts, 0.05),
        swapped.estimate(reversed, 0.05),
    );
    assert!((a.unwrap().score + b.unwrap().score - 1.0).abs() < 1e-6);
}

#[test]
fn a_run_stops_once_and_then_counts_nothing() {
    let test = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
    let mut run = SprtRun::new(test);
    assert!(run.state().llr.abs() < 1e-300);
    for _ in 0..MINIMUM_BLOCKS - 1 {
        assert_eq!(run.update(1.0), Ok(Decision::Continue));
    }
    assert_eq!(run.update(1.0), Ok(Decision::AcceptH1));
    let counts = run.counts();
    assert_eq!(run.update(0.0), Ok(Decision::AcceptH1));
    assert_eq!(run.counts(), counts);
    assert!(run.update(0.3).is_err());
    assert!(run.update(f64::NAN).is_err());
}

#[test]
fn bad_designs_name_the_argument() {
    let error = |a, b, c, d| Sprt::new(a, b, c, d).unwrap_err().to_string();
    assert!(error(5.0, 5.0, 0.05, 0.05).contains("`elo1`"));
    assert!(error(f64::NAN, 5.0, 0.05, 0.05).contains("`elo0`"));
    assert!(error(0.0, f64::INFINITY, 0.05, 0.05).contains("`elo1`"));
    assert!(error(0.0, 5.0, 0.0, 0.05).contains("`alpha`"));
    assert!(error(0.0, 5.0, 0.05, 1.0).contains("`beta`"));
    assert!(error(0.0, 5.0, 0.6, 0.4).contains("`beta`"));
    let test = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
    assert!(test.estimate([0; 5], 0.05).is_err());
    assert!(test.estimate([1; 5], 0.0).is_err());
    assert!(binomial_llr(3, 2, 0.5, 0.6).is_err());
    assert!(binomial_llr(1, 2, 0.0, 0.6).is_err());
    assert!(bayeselo_llr(ResultCounts::games(0, 5, 5), 0.0, 5.0).is_err());
    assert!(bayeselo_llr(ResultCounts::pairs([1; 5]), 0.0, 5.0).is_err());
    assert!(gsprt_llr(ResultCounts::pairs([1; 5]), 0.0, 5.0, EloModel::Bayes).is_err());
    assert!(cutechess_llr(ResultCounts::games(0, 5, 5), 0.0, 5.0).is_ok());
}
