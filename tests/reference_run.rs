//! The committed runs: their files are what their manifests say, games that are played again are the
//! same to the byte, and their tables, charts and reports are what this version makes of them.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "results/reference";

/// Runs whose games were played by sweeps.
const RUNS: [&str; 7] = [
    "connect-four",
    "doubling",
    "durak",
    "durak-full",
    "ladder",
    "seed-claim",
    "seed-grid",
];

/// What was simulated: a folder without games.
const CALIBRATION: &str = "calibration";

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
    let committed = rows(&Path::new(FOLDER).join("durak/games.csv"));
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

/// Runs a command on a folder; what it said.
fn evalctl(command: &str, dir: &Path, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .arg(command)
        .arg(dir)
        .args(more)
        .output()
        .expect("the command starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{}: {said}", dir.display());
    said
}

/// All files of a folder and of its folder of pictures, by their names from there.
fn files(dir: &Path) -> BTreeMap<String, PathBuf> {
    let mut files = BTreeMap::new();
    for folder in ["", "plots"] {
        for entry in std::fs::read_dir(dir.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.strip_prefix(dir).expect("below").display().to_string();
                files.insert(name, path);
            }
        }
    }
    files
}

/// A copy of a committed run, its games unpacked.
fn copy(run: &str, into: &Path) -> PathBuf {
    let copied = into.join(run);
    std::fs::create_dir_all(copied.join("plots")).expect("a folder");
    for (name, path) in files(&Path::new(FOLDER).join(run)) {
        if name == "games.csv.gz" {
            let packed = std::fs::File::open(path).expect("a file");
            let mut games = Vec::new();
            flate2::read::GzDecoder::new(packed)
                .read_to_end(&mut games)
                .expect("a gzip file");
            std::fs::write(copied.join("games.csv"), games).expect("a file");
        } else {
            std::fs::copy(path, copied.join(name)).expect("a copy");
        }
    }
    copied
}

#[test]
fn the_committed_files_are_what_their_manifests_say() {
    let dir = tempfile::tempdir().expect("a folder");
    for run in RUNS {
        let said = evalctl("verify", &copy(run, dir.path()), &["--sample", "12"]);
        assert!(said.contains("12 of"), "{run}: {said}");
    }
}

/// Byte for byte, but for what was measured (`timing-*`) and the manifest, which names the machine.
///
/// `EVALCTL_UPDATE=1 cargo test --test reference_run` writes the committed files again after they
/// were changed on purpose: look at them then.
#[test]
fn the_committed_tables_charts_and_reports_are_what_this_version_makes() {
    let dir = tempfile::tempdir().expect("a folder");
    let update = std::env::var_os("EVALCTL_UPDATE").is_some();
    for run in RUNS.into_iter().chain([CALIBRATION]) {
        let committed = Path::new(FOLDER).join(run);
        let copied = copy(run, dir.path());
        evalctl("analyze", &copied, &[]);
        let (old, new) = (files(&committed), files(&copied));
        if update {
            for name in new.keys().filter(|name| *name != "games.csv") {
                std::fs::copy(copied.join(name), committed.join(name)).expect("a copy");
            }
            continue;
        }
        let names = |files: &BTreeMap<String, PathBuf>| -> Vec<String> {
            let steady = |name: &&String| {
                !name.contains("timing") && !name.starts_with("games") && *name != "manifest.json"
            };
            files.keys().filter(steady).cloned().collect()
        };
        assert_eq!(names(&old), names(&new), "{run}");
        assert!(names(&old).iter().filter(|n| n.contains(".png")).count() >= 3);
        for name in names(&old) {
            let bytes = |files: &BTreeMap<String, PathBuf>| {
                std::fs::read(files.get(&name).expect("a file")).expect("bytes")
            };
            assert!(
                bytes(&old) == bytes(&new),
                "{FOLDER}/{run}/{name} is not what this version makes of its games: look at what \
                 changed, then `EVALCTL_UPDATE=1 cargo test --test reference_run`"
            );
        }
    }
}
