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

/// All files of a folder and of its folder of pictures, by their names from there.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in ["", "plots"] {
        for entry in std::fs::read_dir(dir.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.strip_prefix(dir).expect("below").display().to_string();
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// Pictures, byte for byte, but for those of times.
///
/// `EVALCTL_UPDATE=1 cargo test --test reference_run` writes the committed ones again after a chart
/// was changed on purpose: look at them then.
#[test]
fn the_committed_pictures_are_what_this_version_draws() {
    let dir = tempfile::tempdir().expect("a folder");
    let committed = Path::new(RUN);
    let update = std::env::var_os("EVALCTL_UPDATE").is_some();
    if !update {
        std::fs::create_dir(dir.path().join("plots")).expect("a folder");
        for name in ["games.csv", "timing.csv", "manifest.json"] {
            std::fs::copy(committed.join(name), dir.path().join(name)).expect("a copy");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .arg("analyze")
        .arg(if update { committed } else { dir.path() })
        .output()
        .expect("the command starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    if update {
        return;
    }
    let (old, new) = (files(committed), files(dir.path()));
    let names = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
        let steady = |name: &&String| name.starts_with("plots/") && !name.contains("timing");
        files.keys().filter(steady).cloned().collect()
    };
    assert_eq!(names(&old), names(&new));
    assert!(names(&old).iter().filter(|n| n.contains(".png")).count() >= 5);
    for name in names(&old) {
        assert!(
            old.get(&name) == new.get(&name),
            "{RUN}/{name} is not what this version makes of its games: look at what changed, then \
             `EVALCTL_UPDATE=1 cargo test --test reference_run`"
        );
    }
}
