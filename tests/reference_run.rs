//! The committed run of `configs/durak.toml`: its files are what its manifest says, and its first
//! games, played again, are the same to the byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const RUN: &str = "results/reference/durak";

/// Rows by cell, block and rotation, without the game's number, which depends on the run's size.
fn rows(path: &Path) -> BTreeMap<(String, String, String), Vec<String>> {
    let mut reader = csv::Reader::from_path(path).expect("games.csv");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|h| h == name).expect("a column");
    let key = [column("cell"), column("block"), column("rotation")];
    let number = column("game");
    reader
        .records()
        .map(|row| {
            let row = row.expect("a row");
            let [cell, block, rotation] = key.map(|index| row[index].to_owned());
            let rest = row
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != number)
                .map(|(_, field)| field.to_owned())
                .collect();
            ((cell, block, rotation), rest)
        })
        .collect()
}

#[test]
fn the_first_games_of_every_cell_are_the_same_today() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .args([
            "sweep",
            "configs/durak.toml",
            "--games",
            "4",
            "--progress",
            "none",
            "--out",
        ])
        .arg(dir.path())
        .output()
        .expect("the command starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let committed = rows(&Path::new(RUN).join("games.csv"));
    let played = rows(&dir.path().join("games.csv"));
    assert!(played.len() >= 4 * 30, "{} rows", played.len());
    for (key, row) in &played {
        assert_eq!(
            committed.get(key),
            Some(row),
            "cell, block, rotation {key:?}"
        );
    }
}

#[test]
fn the_committed_files_are_what_their_manifest_says() {
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .args(["verify", RUN, "--sample", "40"])
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains("40 of"), "{said}");
}
