//! Runs what stands in `sh` blocks. Configs and programs that a page prints before (a `toml` block
//! with a `name`, a `python` block) are written where the commands run. Sweeps, matches and
//! tournaments play few games here; commands of [`PARSED`] are parsed only, each for a reason.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Beginnings of commands that are only parsed, and why.
const PARSED: [(&str, &str); 6] = [
    ("evalctl bench", "it measures for ten seconds"),
    (
        "evalctl submit",
        "without --print it hands jobs to a cluster; `.ci/run` does that",
    ),
    (
        "evalctl merge results/durak results/durak/shards",
        "a cluster plays these shards; `.ci/run` merges such",
    ),
    ("evalctl calibrate", "it repeats whole experiments"),
    ("evalctl match exec:./my-bot", "the reader's own program"),
    (
        "evalctl sweep configs/durak-full.toml",
        "even two games a cell take minutes",
    ),
];

/// Commands of the toolchain: `.ci/run` has them.
const TOOLS: [&str; 9] = [
    "cargo test",
    "cargo fmt",
    "cargo clippy",
    "cargo bench",
    "cargo build",
    "cargo install",
    "cargo doc",
    "bash .ci/run",
    "mdbook ",
];

/// A block of a page: its language and its lines.
fn blocks(page: &str) -> Vec<(String, Vec<String>)> {
    let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(language) => {
                blocks.push((language.to_owned(), Vec::new()));
                open = true;
            }
            None if open => {
                if let Some((_, lines)) = blocks.last_mut() {
                    lines.push(line.to_owned());
                }
            }
            None => {}
        }
    }
    blocks
}

/// A command without the environment variables that are set before it.
fn without_settings(line: &str) -> &str {
    let mut rest = line;
    while let Some((word, after)) = rest.split_once(' ')
        && word.contains('=')
        && word.starts_with(|c: char| c.is_ascii_uppercase())
    {
        rest = after;
    }
    rest
}

/// The words of a command without its comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            ('#', None) if word.is_empty() => break,
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            (c, _) => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The arguments with few games, so that a test can run them.
fn fewer(mut arguments: Vec<String>) -> Vec<String> {
    let plays = ["sweep", "match", "tournament"];
    if !plays.contains(&arguments.first().map_or("", String::as_str)) {
        return arguments;
    }
    match arguments.iter().position(|a| a == "--games") {
        Some(at) => {
            if let Some(games) = arguments.get_mut(at + 1) {
                "4".clone_into(games);
            }
        }
        None => arguments.extend(["--games".to_owned(), "4".to_owned()]),
    }
    arguments
}

fn run(folder: &Path, program: &Path, arguments: &[String]) -> Result<(), String> {
    let output = Command::new(program)
        .current_dir(folder)
        .args(arguments)
        .stdin(std::process::Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.code() {
        // 3: a claim is not supported, which few games may well say.
        Some(0 | 3) => Ok(()),
        // Nobody is there to play; the game can be gone on with.
        Some(130) if arguments.first().is_some_and(|word| word == "play") => Ok(()),
        code => Err(format!(
            "exit {code:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// What a line starts, and its arguments: `evalctl`, or an example of this crate.
fn program(line: &str) -> Option<(PathBuf, Vec<String>)> {
    let mut words = words(line).into_iter();
    let mut next = || words.next();
    match next()?.as_str() {
        "evalctl" => Some((env!("CARGO_BIN_EXE_evalctl").into(), words.collect())),
        "cargo" => {
            let named =
                ["run", "--release", "--example"].map(|word| next().as_deref() == Some(word));
            let name = next().filter(|_| named == [true; 3])?;
            let arguments = words.skip_while(|word| word == "--").collect();
            Some((crate::common::example(&name), arguments))
        }
        _ => None,
    }
}

/// Runs a page's commands; how many were run or parsed.
fn check(page: &Path) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["configs", "docs", "examples", "results"] {
        copy(&super::root().join(name), &folder.path().join(name));
    }
    let mut seen = 0;
    for (language, lines) in blocks(&super::text(page)) {
        let joined = lines.join("\n");
        if language == "toml"
            && let Some(rest) = joined.split("name = \"").nth(1)
            && joined.contains("[game]")
        {
            let name = rest.split('"').next().unwrap_or_default();
            std::fs::write(folder.path().join(format!("{name}.toml")), &joined).expect("a config");
        }
        if language == "python" {
            std::fs::write(folder.path().join("bot.py"), &joined).expect("a bot");
        }
        if language != "sh" {
            continue;
        }
        for line in lines {
            let line = line.replace("cargo run --release -- ", "evalctl ");
            if line.trim().is_empty()
                || line.starts_with('#')
                || line.starts_with("RUSTDOCFLAGS=")
                || TOOLS
                    .iter()
                    .any(|tool| without_settings(&line).starts_with(tool))
            {
                continue;
            }
            let what = format!("{}: `{line}`", page.display());
            let (program, mut arguments) = program(&line).unwrap_or_else(|| panic!("{what}"));
            seen += 1;
            if line.contains("python3") && !has_python() {
                eprintln!("SKIPPED, no python3: {what}");
                continue;
            }
            let parsed = |(start, _): &(&str, &str)| line.starts_with(start);
            if PARSED.iter().any(parsed) && !line.contains(" --print") {
                let end = arguments.iter().position(|a| a == "--");
                arguments.insert(end.unwrap_or(arguments.len()), "--help".to_owned());
            } else {
                arguments = fewer(arguments);
            }
            run(folder.path(), &program, &arguments)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
        }
    }
    seen
}

fn has_python() -> bool {
    Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Copies a folder; results only as far as the small committed run.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            let parent = from.file_name().is_some_and(|name| name == "reference");
            if !parent || name == "durak" {
                copy(&path, &to.join(name));
            }
        } else {
            std::fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

#[test]
fn the_commands_of_the_documentation_run() {
    let mut seen = 0;
    for page in super::pages() {
        if page != Path::new("README.md") {
            seen += check(&page);
        }
    }
    assert!(seen >= 20, "{seen} commands");
}

#[test]
fn the_commands_of_the_readme_run() {
    assert!(check(Path::new("README.md")) >= 10);
}

#[test]
fn words_are_split_like_a_shell_does() {
    assert_eq!(
        words("evalctl match \"exec:python3 bot.py\" random   # why"),
        ["evalctl", "match", "exec:python3 bot.py", "random"]
    );
}
