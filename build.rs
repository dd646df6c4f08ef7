//! Records what this program was built from and with, for the manifests of its runs.
//!
//! Standard library only; without git, or outside a repository, the commit is "unknown".

use std::path::Path;
use std::process::Command;

fn main() {
    let commit = git(&["rev-parse", "HEAD"]).or_else(packaged_commit);
    let dirty =
        git(&["status", "--porcelain", "--untracked-files=no"]).map(|text| !text.is_empty());
    set("COMMIT", commit.as_deref().unwrap_or("unknown"));
    set(
        "DIRTY",
        dirty.map_or("unknown", |dirty| if dirty { "true" } else { "false" }),
    );
    let compiler =
        std::env::var_os("RUSTC").and_then(|rustc| output(Command::new(rustc).arg("-V")));
    set("COMPILER", compiler.as_deref().unwrap_or("unknown"));
    for (name, variable) in [("TARGET", "TARGET"), ("PROFILE", "PROFILE")] {
        set(
            name,
            &std::env::var(variable).unwrap_or_else(|_| "unknown".into()),
        );
    }
    let mut features: Vec<String> = std::env::vars()
        .filter_map(|(key, _)| key.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .filter(|feature| feature != "default")
        .collect();
    features.sort();
    if features.is_empty() {
        features.push("none".into());
    }
    set("FEATURES", &features.join(","));
    // The commit and the dirty flag change with these; naming any file makes cargo watch only
    // what is named.
    for path in ["build.rs", "Cargo.toml", "Cargo.lock", "src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    for name in ["HEAD", "index"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn set(name: &str, value: &str) {
    println!("cargo::rustc-env=EVALCTL_{name}={value}");
}

/// What a successful command printed, trimmed.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().replace('\n', " "))
}

/// What git says about this package's own repository, if it is in one.
fn git(arguments: &[&str]) -> Option<String> {
    // A packaged copy may lie inside somebody else's repository.
    if !Path::new(".git").exists() {
        return None;
    }
    output(Command::new("git").args(arguments))
}

/// The commit that a packaged copy was made from.
fn packaged_commit() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    commit
        .chars()
        .all(|c| c.is_ascii_hexdigit())
        .then(|| commit.into())
}
