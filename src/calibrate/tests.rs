use super::*;

fn options(filter: &str, repetitions: u64) -> Options {
    Options {
        repetitions,
        filter: Some(filter.to_owned()),
        seed: 5,
        quick: true,
    }
}

fn measured(filter: &str, repetitions: u64) -> Vec<Row> {
    run(
        &options(filter, repetitions),
        &AtomicBool::new(false),
        |_, _, _| (),
    )
    .unwrap()
    .unwrap()
}

fn value(rows: &[Row], measure: &str, method: &str) -> f64 {
    let row = rows
        .iter()
        .find(|row| row.measure == measure && row.method == method);
    row.unwrap_or_else(|| panic!("no {measure} of {method}"))
        .value
}

#[test]
fn plain_t_is_found_out_and_the_default_is_not() {
    // 97 % of pairs at 1: in ten of them nothing varies three times out of four.
    let rows = measured("cell/strong-97/1x10", 200);
    assert!(value(&rows, "coverage", "plain t") < 0.5);
    assert!(value(&rows, "coverage", METHODS[0]) > 0.93);
    assert!(
        rows.iter().all(|row| row.holds() != Some(false)),
        "{rows:?}"
    );
    assert!(value(&rows, "power", "") > 0.9);
}

#[test]
fn the_number_of_threads_changes_no_digit() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| measured("grid/draws", 120))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn verdicts_on_equal_players_are_rarely_wrong_also_when_looked_at_all_the_time() {
    let rows = measured("looking/coin", 60);
    assert!(value(&rows, "look-false-positive", "") < 0.15);
    let rows = measured("grid/three-seats", 60);
    assert!(value(&rows, "claim-false-positive", "") < 0.2);
}

#[test]
fn a_test_between_two_hypotheses_stops_and_says_which() {
    let rows = measured("stopping/coin/1x400/sprt", 100);
    assert!(value(&rows, "wrong-decision", "") <= 0.25);
    assert!(value(&rows, "blocks", "") < 400.0);
}

#[test]
fn a_promise_that_is_broken_is_said_so() {
    let mut row = measured("cell/coin/1x10", 50).remove(0);
    row.bound = Some(Bound::Least(0.94));
    row.range = (0.9, 0.93);
    assert_eq!(row.holds(), Some(false));
    row.bound = Some(Bound::Most(0.92));
    assert_eq!(row.holds(), Some(true));
    row.bound = None;
    assert_eq!(row.holds(), None);
}

#[test]
fn stopping_ends_it() {
    let found = run(
        &options("cell/coin", 100),
        &AtomicBool::new(true),
        |_, _, _| (),
    )
    .unwrap();
    assert_eq!(found, None);
}
