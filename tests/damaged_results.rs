//! `analyze` on a folder of which a file is missing, cut off, overwritten, empty or a folder: what
//! follows from `games.csv` is written again, and everything else is a sentence and an exit code.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CONFIG: &str = r#"
name = "damaged"
seed = 1
games = 8
[game]
name = "tictactoe"
opening_plies = 1
[challenger]
agent = "uct"
simulations = [2, 4]
[[opponents]]
agent = "random"
[[claims]]
name = "More search helps"
kind = "monotone"
"#;

/// What may have happened to a file.
const DAMAGES: [&str; 5] = ["removed", "cut", "overwritten", "empty", "folder"];

fn evalctl(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(dir)
        .args(arguments)
        .output()
        .expect("the command starts")
}

/// All files of a folder, by their names from there.
fn files(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["", "plots"] {
        for entry in std::fs::read_dir(dir.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.strip_prefix(dir).expect("below");
                names.push(name.display().to_string());
            }
        }
    }
    names.sort();
    names
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.join("plots")).expect("a folder");
    for name in files(from) {
        std::fs::copy(from.join(&name), to.join(&name)).expect("a copy");
    }
}

fn damage(path: &Path, how: &str) {
    let bytes = std::fs::read(path).expect("the file");
    match how {
        "removed" => std::fs::remove_file(path),
        "cut" => std::fs::write(path, &bytes[..bytes.len() / 2]),
        "overwritten" => {
            let noise: Vec<u8> = (0..3000_u32)
                .map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()[0])
                .collect();
            std::fs::write(path, noise)
        }
        "empty" => std::fs::write(path, ""),
        _ => std::fs::remove_file(path).and_then(|()| std::fs::create_dir(path)),
    }
    .expect(how);
}

/// The exit code that a damage must have, and what must be said; nothing where the file is
/// written again.
fn expected(name: &str, how: &str) -> Option<(i32, &'static str)> {
    match (name, how) {
        ("manifest.json", "removed") => Some((2, "holds no finished run")),
        ("manifest.json", "folder") => Some((1, "manifest.json")),
        ("manifest.json", _) => Some((1, "is damaged: it is no manifest of a run")),
        ("games.csv", "removed") => Some((1, "games.csv is missing")),
        ("games.csv", "folder") => Some((1, "games.csv is a folder")),
        ("games.csv", _) => Some((1, "games.csv is not the file that the manifest names")),
        (_, "folder") => Some((1, "directory")),
        _ => None,
    }
}

#[test]
fn every_damage_of_every_file_is_mended_or_said() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path();
    std::fs::write(dir.join("damaged.toml"), CONFIG).expect("a config");
    let played = evalctl(
        dir,
        &[
            "sweep",
            "damaged.toml",
            "--progress",
            "none",
            "--out",
            "run",
        ],
    );
    assert!(played.status.success(), "{played:?}");
    let run = dir.join("run");
    // What is written again is damaged all at once.
    let kept = ["manifest.json", "games.csv", "timing.csv"];
    let derived: Vec<String> = files(&run)
        .into_iter()
        .filter(|name| !kept.contains(&name.as_str()))
        .collect();
    assert!(derived.len() >= 9, "{derived:?}");
    let mut groups = vec![derived];
    groups.extend(kept.map(|name| vec![name.to_owned()]));
    for (number, group) in groups.iter().enumerate() {
        for how in DAMAGES {
            let name = group.first().expect("a file");
            let copied = PathBuf::from(format!("copy-{number}-{how}"));
            copy(&run, &dir.join(&copied));
            for name in group {
                damage(&dir.join(&copied).join(name), how);
            }
            let output = evalctl(dir, &["analyze", &copied.display().to_string()]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let what = format!("{name}, {how}: {:?}, {said}", output.status.code());
            assert!(!said.contains("panicked"), "{what}");
            // What a move takes was measured, and cannot be computed again.
            let lost = name == "timing.csv";
            if let Some((code, sentence)) = expected(name, how) {
                assert_eq!(output.status.code(), Some(code), "{what}");
                let last = said.trim_end().lines().last().unwrap_or_default();
                assert!(last.starts_with("evalctl: "), "{what}");
                assert!(last.contains(sentence), "{what}");
                let lines = if lost { 2 } else { 1 };
                assert_eq!(said.trim_end().lines().count(), lines, "{what}");
                continue;
            }
            assert_eq!(output.status.code(), Some(0), "{what}");
            assert_eq!(said.contains("timing.csv"), lost, "{what}");
            assert!(said.lines().count() <= 1, "{what}");
            for other in files(&run) {
                let differs = other.contains("timing") || other == "manifest.json";
                if !(differs && lost) {
                    let read = |dir: &Path| std::fs::read(dir.join(&other)).ok();
                    let same = read(&run) == read(&dir.join(&copied));
                    assert!(same, "{what}: {other} is not what it was");
                }
            }
        }
    }
}

#[test]
fn folders_that_hold_no_run_are_called_that() {
    let root = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(root.path().join("empty")).expect("a folder");
    std::fs::write(root.path().join("file"), "text").expect("a file");
    for name in ["empty", "nothing", "file"] {
        let output = evalctl(root.path(), &["analyze", name]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("holds no finished run"), "{name}: {said}");
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path();
    std::fs::write(dir.join("damaged.toml"), CONFIG).expect("a config");
    let said = |arguments: &[&str]| {
        let output = evalctl(dir, arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let sweep = ["sweep", "damaged.toml", "--progress", "none", "--out"];
    let (code, text) = said(&[&sweep[..], &["damaged.toml"]].concat());
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("damaged.toml is a file, and results go to a folder"),
        "{text}"
    );
    assert_eq!(said(&[&sweep[..], &["run"]].concat()).0, Some(0));
    std::fs::remove_dir_all(dir.join("run/plots")).expect("a folder");
    std::fs::write(dir.join("run/plots"), "in the way").expect("a file");
    let (code, text) = said(&["analyze", "run"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("plots is a file where a folder is needed"),
        "{text}"
    );
    // As the large committed runs are kept.
    std::fs::rename(dir.join("run/games.csv"), dir.join("run/games.csv.gz")).expect("a file");
    let (code, text) = said(&["analyze", "run"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("(gunzip -k run/games.csv.gz)"), "{text}");
}
