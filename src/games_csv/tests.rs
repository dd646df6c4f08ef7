use super::*;
use crate::block::PlayedBlock;
use crate::games::{MAX_SEATS, Scores};
use crate::record::{End, GameRecord};
use crate::run::testing;
use crate::spec::Value;

fn plan() -> Plan {
    let mut plan = testing::plan(&[("random", 2), ("first", 1)]);
    plan.axes = vec!["simulations".into(), "deck".into()];
    plan.cells[0].axes = vec![Some(Value::Integer(10)), None];
    plan.cells[0].label = "exec:a, \"b\"".into();
    plan.cells[1].axes = vec![None, Some(Value::Real(0.7))];
    plan
}

fn game(winner: usize, digest: u64) -> GameRecord {
    GameRecord {
        scores: Scores::lost_by(2, 1 - winner),
        places: [0; MAX_SEATS],
        first_seat: 0,
        end: End::Normal,
        fault_seat: None,
        decisions: 7,
        digest,
        nanos: [0; MAX_SEATS],
        choices: [0; MAX_SEATS],
    }
}

fn blocks() -> Vec<PlayedBlock> {
    let mut odd = game(0, 0xabc);
    odd.scores = Scores::all(2, 0.5);
    odd.end = End::Repetition;
    let mut lost = game(1, u64::MAX);
    lost.end = End::Crash;
    lost.fault_seat = Some(0);
    lost.places = [2, 1, 0, 0, 0, 0];
    let block = |cell, block, games| PlayedBlock { cell, block, games };
    vec![
        block(0, 0, vec![game(0, 1), game(0, 2)]),
        block(0, 1, vec![odd, lost]),
        block(1, 0, vec![game(1, 5), game(1, 6)]),
    ]
}

fn written(plan: &Plan) -> String {
    let mut writer = Writer::new(plan, Vec::new()).unwrap();
    for block in blocks() {
        writer.write(&block).unwrap();
    }
    assert_eq!(writer.games(), 6);
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn read(plan: &Plan, text: &str) -> Result<Vec<PlayedBlock>, ReadError> {
    let mut reader = Reader::new(plan, text.as_bytes(), "games.csv")?.checking_seeds();
    let mut all = Vec::new();
    let mut block = PlayedBlock::default();
    while reader.read(&mut block)? {
        all.push(block.clone());
    }
    Ok(all)
}

#[test]
fn rows_look_as_the_contract_says() {
    insta::assert_snapshot!(written(&plan()));
}

#[test]
fn what_is_written_is_read_back_and_written_again() {
    let plan = plan();
    let text = written(&plan);
    let back = read(&plan, &text).unwrap();
    assert_eq!(back.len(), 3);
    let mut writer = Writer::new(&plan, Vec::new()).unwrap();
    for block in &back {
        writer.write(block).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), text.as_bytes());
}

#[test]
fn a_changed_row_is_named_by_line_and_column() {
    let plan = plan();
    let text = written(&plan);
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        read(&plan, &text.replacen(from, to, 1))
            .unwrap_err()
            .to_string()
    };
    let cases = [
        (",1,1;0,", ",0,1;0,", "line 2, column score"),
        ("win,normal", "loss,normal", "line 2, column outcome"),
        (",repetition,", ",forever,", "line 4, column end"),
        (",crash,0,", ",crash,2,", "line 5, column fault_seat"),
        (",2;1,", ",2;1;1,", "line 5, column places"),
        ("digest\n0,", "digest\n9,", "line 3, column game"),
        ("\n3,0,", "\n3,1,", "line 5, column rotation"),
        (
            "random,main,1,0,",
            "random,main,0,0,",
            "line 4, column block",
        ),
        ("0,0,\"exec", "0,7,\"exec", "line 2, column cell"),
        (",0.7,", ",0.8,", "line 6, column deck"),
    ];
    for (from, to, expected) in cases {
        let message = changed(from, to);
        assert!(message.contains(expected), "{from}: {message}");
    }
    let seed = text.lines().nth(1).unwrap().rsplit(',').nth(8).unwrap();
    let message = changed(seed, "0123456789abcdef");
    assert!(message.contains("line 2, column seed"), "{message}");
    let message = changed("game,cell", "game,sell");
    assert!(
        message.contains("column 2 is `sell` instead of `cell`"),
        "{message}"
    );
    let short = text.trim_end().rsplit_once('\n').unwrap().0;
    let message = read(&plan, short).unwrap_err().to_string();
    assert!(message.contains("ends within a block"), "{message}");
}
