//! Scripts that have a cluster play the shards of a run and merge them.
//!
//! Pure functions from a [`Submission`] to texts and commands: what is shown by `--print` is what
//! is submitted.

mod kubernetes;
mod parallel;
mod slurm;

use std::path::{Path, PathBuf};

pub use slurm::SLURM_ARRAY;

/// The folder within a run's folder in which its shards are played.
pub const SHARD_DIR: &str = "shards";

/// The resolved config in the folder of the shards.
pub const CONFIG: &str = "config.toml";

/// Exit code of a run that was stopped and goes on when it is started again.
const TRANSIENT: u8 = 75;

/// How often a scheduler starts a shard again before it is given up.
const RETRIES: u32 = 20;

/// Who distributes the shards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// A Slurm job array and a job that merges.
    Slurm,
    /// GNU parallel on this machine, or on those of its `--sshloginfile`.
    Parallel,
    /// An indexed Job of Kubernetes, and a Job that merges.
    Kubernetes,
}

/// What is submitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// The run's name.
    pub name: String,
    /// The resolved config.
    pub config: String,
    /// The run's folder, absolute; shards go to a folder within it.
    pub out: PathBuf,
    /// Number of shards.
    pub shards: u64,
    /// Threads of each shard; `None` leaves it to the machine.
    pub jobs: Option<usize>,
    /// The program, absolute (on the machines that play).
    pub program: PathBuf,
    /// Further lines or arguments for the engine, such as `--partition=long` (`#SBATCH` lines,
    /// arguments of `parallel`); for Kubernetes the image.
    pub extra: Vec<String>,
}

/// Files to be written and commands to be run, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scripts {
    /// Files by their path within the folder of the shards.
    pub files: Vec<(String, String)>,
    /// Commands, each a line for `sh`; a later one may use what an earlier one set.
    pub commands: Vec<String>,
}

impl Submission {
    /// The folder of the shards.
    pub fn shard_dir(&self) -> PathBuf {
        self.out.join(SHARD_DIR)
    }

    /// The scripts for `engine`.
    pub fn scripts(&self, engine: Engine) -> Scripts {
        let mut scripts = match engine {
            Engine::Slurm => slurm::scripts(self),
            Engine::Parallel => parallel::scripts(self),
            Engine::Kubernetes => kubernetes::scripts(self),
        };
        scripts
            .files
            .insert(0, (CONFIG.into(), self.config.clone()));
        scripts
    }

    /// The command that plays the shard that `shard` names (a shell expression).
    fn play(&self, shard: &str) -> String {
        let jobs = self.threads();
        format!(
            "{} sweep {} --out {} --shard {shard}{jobs} --progress plain",
            shell(&self.program),
            shell(&self.shard_dir().join(CONFIG)),
            shell(&self.shard_dir()),
        )
    }

    /// The option for the number of threads; nothing leaves it to the machine.
    fn threads(&self) -> String {
        self.jobs
            .map_or_else(String::new, |jobs| format!(" --jobs {jobs}"))
    }

    /// The command that merges. A confirmation of selected cells is played by it.
    fn merge(&self) -> String {
        let jobs = self.threads();
        format!(
            "{} merge {} {}{jobs} --progress plain",
            shell(&self.program),
            shell(&self.out),
            shell(&self.shard_dir())
        )
    }

    /// The name as schedulers take it: at most 40 letters, digits and dashes.
    fn job_name(&self) -> String {
        let name: String = self
            .name
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    '-'
                }
            })
            .take(40)
            .collect();
        match name.trim_matches('-') {
            "" => "evalctl-run".to_owned(),
            name => format!("evalctl-{name}"),
        }
    }
}

/// A path as one word of a shell.
fn shell(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// `text` as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=,:@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All, with their words on the command line.
    const ENGINES: [(Engine, &str); 3] = [
        (Engine::Slurm, "slurm"),
        (Engine::Parallel, "parallel"),
        (Engine::Kubernetes, "kubernetes"),
    ];

    pub(super) fn submission() -> Submission {
        Submission {
            name: "durak full".into(),
            config: "name = \"durak full\"\n".into(),
            out: "/data/it's here/durak".into(),
            shards: 8,
            jobs: Some(2),
            program: "/opt/evalctl".into(),
            extra: Vec::new(),
        }
    }

    /// Every script that is one is accepted by `sh -n`.
    #[test]
    fn scripts_are_valid_shell() {
        for (engine, _) in ENGINES {
            for (name, text) in submission().scripts(engine).files {
                if !text.starts_with("#!") {
                    continue;
                }
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join("script");
                std::fs::write(&path, &text).unwrap();
                let status = std::process::Command::new("bash")
                    .arg("-n")
                    .arg(&path)
                    .status()
                    .unwrap();
                assert!(status.success(), "{name}:\n{text}");
            }
        }
    }

    #[test]
    fn scripts_look_as_they_should() {
        let mut text = String::new();
        for (engine, word) in ENGINES {
            let scripts = submission().scripts(engine);
            for (name, file) in &scripts.files {
                text.push_str(&format!("==> {word}: {name}\n{file}\n"));
            }
            text.push_str(&format!("==> commands\n{}\n", scripts.commands.join("\n")));
        }
        insta::assert_snapshot!(text);
    }

    #[test]
    fn text_is_quoted_for_the_shell() {
        assert_eq!(quoted("a/b-c.toml"), "a/b-c.toml");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
