//! What a user of many machines sees: shards, what schedulers say, merging, submitting.

use std::path::Path;
use std::process::{Command, Output};

const CONFIG: &str = r#"
name = "parts"
seed = 7
games = 300
[game]
name = "tictactoe"
[[challengers]]
agent = "random"
[[challengers]]
agent = "first"
[[opponents]]
agent = "random"
[[claims]]
name = "The better one"
kind = "best"
opponent = "random"
"#;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("parts.toml"), CONFIG).expect("a config");
    dir
}

/// The command in `dir`, with variables, and none of a scheduler that runs these tests.
fn evalctl(dir: &Path, args: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalctl"));
    for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "SGE_TASK_ID"] {
        command.env_remove(name);
    }
    command
        .current_dir(dir)
        .args(args.split(' '))
        .envs(variables.iter().copied())
        .output()
        .expect("the command starts")
}

fn done(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said + &String::from_utf8_lossy(&output.stdout)
}

fn fails(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// Results by name, without what differs from run to run; of the manifest what is not about this
/// machine.
fn results(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in [dir.to_owned(), dir.join("plots")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(dir).expect("below").display().to_string();
            if !path.is_file() || name == "timing.csv" || name.starts_with("plots/timing") {
                continue;
            }
            let mut bytes = std::fs::read(&path).expect("a file");
            if name == "manifest.json" {
                let text = String::from_utf8(bytes).expect("text");
                bytes = text.split("\"environment\"").next().expect("a part").into();
            }
            files.push((name, bytes));
        }
    }
    files.sort();
    files
}

#[test]
fn shards_of_an_array_merge_to_the_bytes_of_one_machine() {
    let dir = folder();
    let dir = dir.path();
    done(&evalctl(
        dir,
        "sweep parts.toml --out whole --progress none",
        &[],
    ));
    let play = "sweep parts.toml --out parts --progress none";
    // The first by hand, the second by what the scheduler says, which does not know the number.
    done(&evalctl(dir, &format!("{play} --shard 0/3"), &[]));
    let said = done(&evalctl(dir, play, &[("JOB_COMPLETION_INDEX", "1")]));
    assert!(said.contains("playing shard 1/3"), "{said}");
    let again = done(&evalctl(dir, play, &[("JOB_COMPLETION_INDEX", "1")]));
    assert!(again.contains("nothing was played"), "{again}");
    // Without the third, all is said and nothing written.
    let said = fails(&evalctl(dir, "merge merged parts --progress none", &[]), 1);
    assert!(said.contains("1 of 3 shards are missing: 2"), "{said}");
    assert!(said.contains("--shard $i/3"), "{said}");
    assert!(!dir.join("merged").exists());
    let partial = "merge merged parts --allow-partial --progress none";
    assert!(done(&evalctl(dir, partial, &[])).contains("the result is partial"));
    let report = || std::fs::read_to_string(dir.join("merged/report.html")).expect("a report");
    assert!(report().contains("This result is partial: shard 2 is missing"));
    done(&evalctl(dir, "analyze merged", &[]));
    assert!(report().contains("This result is partial: shard 2 is missing"));
    let said = fails(
        &evalctl(dir, &format!("{play} --seed 8 --shard 2/3"), &[]),
        65,
    );
    assert!(
        said.contains("seed: 7 -> 8") || said.contains("(seed"),
        "{said}"
    );
    let said = fails(&evalctl(dir, "sweep parts.toml --shard 3/3", &[]), 2);
    assert!(said.contains("I from 0 to N-1"), "{said}");
    let both = [("JOB_COMPLETION_INDEX", "1"), ("SLURM_ARRAY_TASK_ID", "2")];
    let said = fails(&evalctl(dir, play, &both), 2);
    assert!(
        said.contains("Slurm") && said.contains("Kubernetes"),
        "{said}"
    );
    // A flag wins over all of them.
    done(&evalctl(dir, &format!("{play} --shard 2/3"), &both));
    done(&evalctl(dir, "merge merged parts --progress none", &[]));
    assert!(!report().contains("partial"));
    let (whole, merged) = (results(&dir.join("whole")), results(&dir.join("merged")));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&whole), names(&merged));
    for ((name, one), (_, other)) in whole.iter().zip(&merged) {
        assert!(one == other, "{name} differs");
    }
    let said = done(&evalctl(dir, "merge merged parts --progress none", &[]));
    assert!(said.contains("finished"), "{said}");
    done(&evalctl(dir, "verify merged --sample 20", &[]));
}

#[test]
fn shards_of_another_experiment_are_refused_and_nothing_is_written() {
    let dir = folder();
    let dir = dir.path();
    done(&evalctl(dir, "sweep parts.toml --out a --shard 0/2", &[]));
    let other = "sweep parts.toml --seed 8 --shard 1/2 --out";
    let said = fails(&evalctl(dir, &format!("{other} a"), &[]), 65);
    assert!(said.contains("identity") || said.contains("seed"), "{said}");
    done(&evalctl(dir, &format!("{other} b"), &[]));
    let said = fails(&evalctl(dir, "merge merged a b", &[]), 65);
    assert!(said.contains("seed"), "{said}");
    assert!(!dir.join("merged").exists());
    let said = fails(&evalctl(dir, "merge merged parts.toml", &[]), 1);
    assert!(said.contains("parts.toml"), "{said}");
    let said = fails(&evalctl(dir, "merge merged nowhere", &[]), 1);
    assert!(said.contains("nowhere"), "{said}");
}

#[test]
fn what_would_be_submitted_is_shown_and_nothing_is_written() {
    let dir = folder();
    let dir = dir.path();
    for (engine, word) in [
        ("slurm", "#SBATCH --array=0-7"),
        ("parallel", "--joblog"),
        ("kubernetes", "\"completions\": 8"),
    ] {
        let args = format!("submit parts.toml --engine {engine} --shards 8 --print");
        let said = done(&evalctl(dir, &args, &[]));
        assert!(said.contains(word), "{said}");
    }
    assert!(!dir.join("results").exists());
    let none = "submit parts.toml --engine slurm --shards 0 --print";
    fails(&evalctl(dir, none, &[]), 2);
}

/// An engine that is not there is said, with the commands that it would have been given.
#[test]
fn an_engine_that_is_missing_is_said() {
    let dir = folder();
    let dir = dir.path();
    let path = [("PATH", "/nowhere")];
    let args = "submit parts.toml --engine slurm --shards 2";
    let said = fails(&evalctl(dir, args, &path), 1);
    assert!(said.lines().count() < 5, "{said}");
}
