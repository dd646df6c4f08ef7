//! Files as others write them.

use super::*;
use crate::analysis::{Analyzer, Verdict};

fn import(text: &str) -> Result<Imported, ImportError> {
    let imported = read(text.as_bytes(), "their.csv", "their", 0.95)?;
    imported.blocks().try_for_each(|block| block.map(drop))?;
    Ok(imported)
}

fn played(imported: &Imported) -> Vec<PlayedBlock> {
    imported.blocks().map(Result::unwrap).collect()
}

#[test]
fn games_that_were_cut_off_or_forfeited_count_as_such() {
    let text = "score,opponent,block,seat,outcome,end,fault_seat,first_seat\n\
                1,old,a,0,win,normal,,1\n0.5,old,a,1,truncated,repetition,,0\n\
                1,old,b,0,win,crash,1,0\n0,old,b,1,loss,timeout,,0\n";
    let blocks = played(&import(text).unwrap());
    assert!(blocks[0].is_truncated() && !blocks[1].is_truncated());
    assert_eq!(blocks[0].games[0].first_seat, 1);
    let faults: Vec<_> = blocks[1].games.iter().map(|game| game.fault_seat).collect();
    // The opponent in seat 1; the challenger, who lost, in seat 1.
    assert_eq!(faults, [Some(1), Some(1)]);
    let only_outcome = "score,opponent,block,outcome\n0.5,old,a,truncated\n";
    assert!(played(&import(only_outcome).unwrap())[0].is_truncated());
}

#[test]
fn what_an_import_cannot_keep_apart_is_refused() {
    for (text, parts) in [
        ("phase\n1,old,a,placebo", ["column phase", "main only"]),
        ("scores\n1,old,a,1;1;0", ["column scores", "two seats"]),
        ("end\n1,old,a,checkmate", ["column end", "`checkmate`"]),
        (
            "outcome,end\n1,old,a,truncated,normal",
            ["column outcome", "does not go with"],
        ),
        (
            "fault_seat\n1,old,a,1",
            ["column fault_seat", "nobody is at fault"],
        ),
        (
            "end\n0.5,old,a,crash",
            ["column fault_seat", "who forfeited"],
        ),
    ] {
        let text = format!("score,opponent,block,{text}\n");
        let error = import(&text).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }
}

#[test]
fn the_three_needed_columns_are_enough_for_a_verdict() {
    let mut text = String::from("block,opponent,score\n");
    for block in 0..40 {
        text.push_str(&format!("{block},old,1\n{block},old,{}\n", block % 2));
    }
    let imported = import(&text).unwrap();
    assert_eq!((imported.games, played(&imported).len()), (80, 40));
    let mut analyzer = Analyzer::new(&imported.plan);
    for block in &played(&imported) {
        analyzer.add(block);
    }
    let analysis = analyzer.finish(false).unwrap();
    assert!((analysis.cells[0].score.unwrap() - 0.75).abs() < 1e-12);
    assert_eq!(analysis.claims[0].verdict, Verdict::Supported);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    for text in [
        "score,opponent,block,score\n1,old,a,0\n",
        "score,opponent,block,depth, depth\n1,old,a,0,1\n",
    ] {
        let said = import(text).unwrap_err().to_string();
        assert!(said.contains("two columns"), "{said}");
    }
}

#[test]
fn other_columns_are_axes_and_seats_put_games_in_order() {
    let text = "depth,challenger,opponent,block,seat,score\n\
                3,new,old,a,1,0\n3,new,old,a,0,1\n5,new,old,a,0,0.5\n5,new,old,a,1,1\n";
    let imported = import(text).unwrap();
    assert_eq!(imported.plan.axes, ["depth"]);
    assert_eq!(imported.plan.cells.len(), 2);
    assert_eq!(imported.plan.cells[1].axes, [Some(Value::Integer(5))]);
    assert_eq!(played(&imported)[0].score(0), Some(1.0));
    assert_eq!(played(&imported)[0].score(1), Some(0.0));
    assert_eq!(imported.plan.claims[0].cells, [0, 1]);
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    for (text, parts) in [
        ("score,block\n1,1\n", ["line 1", "`opponent` is missing"]),
        (
            "score;opponent;block\n1;a;1\n",
            ["line 1", "commas separate columns"],
        ),
        ("score,block,opponent\n", ["their.csv", "no games"]),
        (
            "score,block,opponent\n1,1,x\n1.5,1,x\n",
            ["line 3, column score", "`1.5` is no score"],
        ),
        (
            "score,block,opponent\nnan,1,x\n",
            ["line 2, column score", "`nan`"],
        ),
        (
            "score,block,opponent\n1,1,x\n1,1,x\n0,2,x\n",
            ["line 4, column block", "has 1 games"],
        ),
        (
            "score,block,opponent,seat\n1,1,x,0\n1,1,x,0\n",
            ["line 3, column seat", "seat 0 and in seat 1"],
        ),
        (
            "score,block,opponent\n1,1,\n",
            ["line 2, column opponent", "is empty"],
        ),
    ] {
        let error = import(text).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }
}
