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

#[test]
fn a_table_is_read_back_as_it_was_written() {
    let mut rows = measured("cell/coin/1x10", 50);
    rows.extend(measured("stopping/coin/1x400/sprt", 40));
    let text = table::csv(&rows);
    let read = table::parse(&text).unwrap();
    assert_eq!(read.len(), rows.len());
    assert_eq!(table::csv(&read), text);
    assert_eq!(table::text(&read), table::text(&rows));
}

#[test]
fn a_table_that_is_none_is_refused_by_its_line() {
    let text = table::csv(&measured("cell/coin/1x10", 50));
    let broken = |from: &str, to: &str| {
        let text = text.replacen(from, to, 1);
        table::parse(&text).unwrap_err()
    };
    assert_eq!(table::parse("").unwrap_err().line, 1);
    assert_eq!(broken("scenario", "scene").line, 1);
    for (from, to, word) in [
        ("cell/coin/1x10", "cell/coin/1x11", "scenario"),
        ("coverage", "cover", "measure"),
        ("Wilson on blocks", "Wilson", "method"),
        (
            "Wilson on blocks,20,",
            "Wilson on blocks,5.5,",
            "repetitions",
        ),
        ("Wilson on blocks,20,", "Wilson on blocks,50,NaN", "value"),
        ("cell,coin,2,1,10,", "cell,coin,3,1,10,", "same numbers"),
    ] {
        let error = broken(from, to);
        assert_eq!(error.line, 2, "{error}");
        assert!(error.what.contains(word), "{error}");
    }
    // A promise that is not this version's, or a verdict that does not follow.
    assert!(
        broken(",at least,0.94,", ",at least,0.9,")
            .what
            .contains("same numbers")
    );
    assert!(broken(",yes", ",no").what.contains("same numbers"));
}

#[test]
fn parts_measured_one_after_the_other_are_one_calibration() {
    let part = |command: &str| folder::Part {
        command: command.to_owned(),
        seed: 5,
        repetitions: 50,
        scenarios: Vec::new(),
    };
    let mut parts = folder::Calibration {
        rows: Vec::new(),
        parts: Vec::new(),
    };
    let all = measured("cell/coin", 50);
    // In another order, and some of them twice (the second holds sizes 10 and 100).
    parts.add(part("first"), &measured("cell/coin/1x30", 20));
    parts.add(part("second"), &measured("cell/coin/1x10", 50));
    parts.add(part("third"), &measured("cell/coin/1x30", 50));
    parts.add(part("fourth"), &measured("cell/coin/1x100", 50));
    assert_eq!(parts.rows, all);
    let commands: Vec<&str> = parts.parts.iter().map(|p| p.command.as_str()).collect();
    assert_eq!(commands, ["second", "third", "fourth"]);
    let dir = tempfile::tempdir().unwrap();
    parts.write(dir.path()).unwrap();
    let read = folder::Calibration::read(dir.path()).unwrap().unwrap();
    assert_eq!(read.parts, parts.parts);
    assert_eq!(table::csv(&read.rows), table::csv(&parts.rows));
    let report = || std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    let before = report();
    read.write(dir.path()).unwrap();
    assert!(before == report());
    assert!(before.contains("promises that were put to the test are kept"));
}

#[test]
fn a_report_says_first_which_promises_are_broken() {
    let mut rows = measured("cell/coin/1x10", 50);
    let row = rows.iter_mut().find(|row| row.bound.is_some()).unwrap();
    (row.value, row.range) = (0.9, (0.88, 0.92));
    let page = page::page(&rows, &[], &[], "hash");
    assert!(page.contains("promises are BROKEN"), "{page}");
    assert!(
        page.contains("<b>broken</b>: cell/coin/1x10 coverage"),
        "{page}"
    );
}
