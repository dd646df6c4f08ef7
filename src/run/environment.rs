//! What a run was played with: the part of the manifest that may differ between machines.

use serde::{Deserialize, Serialize};

/// Build and machine. Nothing here reaches a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Environment {
    /// The commit that the program was built from, or "unknown".
    pub commit: String,
    /// Whether tracked files differed from the commit: "true", "false" or "unknown".
    pub dirty: String,
    /// The compiler.
    pub compiler: String,
    /// The target triple.
    pub target: String,
    /// The build profile.
    pub profile: String,
    /// Optional features of the package, separated by commas, or "none".
    pub features: String,
    /// The operating system.
    pub os: String,
    /// Cores that the process may use.
    pub cores: usize,
    /// How programs were contained: the level that was reached, empty without programs.
    pub containment: String,
    /// Hash of `timing.csv`.
    pub timing: String,
}

impl Environment {
    /// This build on this machine.
    pub fn current() -> Self {
        Self {
            commit: env!("EVALCTL_COMMIT").into(),
            dirty: env!("EVALCTL_DIRTY").into(),
            compiler: env!("EVALCTL_COMPILER").into(),
            target: env!("EVALCTL_TARGET").into(),
            profile: env!("EVALCTL_PROFILE").into(),
            features: env!("EVALCTL_FEATURES").trim().into(),
            os: std::env::consts::OS.into(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            containment: String::new(),
            timing: String::new(),
        }
    }
}
