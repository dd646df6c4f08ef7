//! What a program that plays may do to this machine, and how it ends with everything it started.
//!
//! `off` runs the program as it is. `default` guards against accidents: a helper process (this
//! program, re-executed: [`supervisor`]) is the bot's parent and the reaper of all that it starts,
//! and ends the whole tree when its control socket closes, so that even SIGKILL of `evalctl` leaves
//! nothing behind. `strict` guards against malice: Landlock and seccomp on top, or no run at all.
//! The helper is not in the path of the data: the bot has the pipes themselves.

#[cfg(unix)]
pub(crate) mod ending;
#[cfg(target_os = "linux")]
pub mod keeper;
#[cfg(target_os = "linux")]
mod strict;
#[cfg(target_os = "linux")]
pub mod supervisor;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod wire;

use std::path::PathBuf;

use serde::Serialize;

/// How a program is contained.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not at all.
    Off,
    /// Against accidents.
    #[default]
    Default,
    /// Against malice.
    Strict,
}

impl Level {
    /// All, from loose to strict.
    pub const ALL: [Self; 3] = [Self::Off, Self::Default, Self::Strict];

    /// The word in configs and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Default => "default",
            Self::Strict => "strict",
        }
    }

    /// The level with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }
}

/// How programs are to be contained (`--sandbox`, `--sandbox-user`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sandbox {
    /// The level.
    pub level: Level,
    /// The user id to run programs as; only root can change it.
    pub user: Option<u32>,
    /// Files and folders that programs may read under `strict`, besides the system's and their own.
    pub readable: Vec<PathBuf>,
    /// The helper's program: one that calls [`crate::external::main_if_requested`] first in its `main`. `None` is
    /// this program itself.
    pub helper: Option<PathBuf>,
}

/// The containment that was really reached, for the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reached {
    /// The level.
    pub level: Level,
    /// Whether a helper process ends the whole tree of a program.
    pub supervised: bool,
    /// The version of Landlock that is enforced.
    pub landlock: Option<u32>,
    /// Whether a seccomp filter is enforced.
    pub seccomp: bool,
    /// The user id that programs run as, if it was changed.
    pub user: Option<u32>,
}

/// Why a program cannot be contained as asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SandboxError {
    /// `strict` as root.
    #[error(
        "strict containment does not hold against root: give --sandbox-user UID (an unprivileged user), or run evalctl as one"
    )]
    StrictAsRoot,
    /// Another user, but not root.
    #[error(
        "only root can run programs as user {0}: leave --sandbox-user out, or run evalctl as root"
    )]
    NotRoot(u32),
    /// `strict` for user 0.
    #[error("--sandbox-user 0 is root: give the id of an unprivileged user")]
    RootUser,
    /// `strict` where there is no way to enforce it.
    #[error(
        "strict containment needs Linux: on this system run evalctl in a container or a virtual machine, or use --sandbox default"
    )]
    NotLinux,
    /// A kernel without what `strict` needs.
    #[error(
        "strict containment cannot be enforced here: {0}; use a kernel with Landlock ABI 6 (Linux 6.12) and seccomp, or --sandbox default"
    )]
    Kernel(String),
}

impl Sandbox {
    /// Checks that this machine can enforce what is asked, before anything is started.
    ///
    /// # Errors
    /// If it cannot; nothing is ever enforced in part.
    pub fn check(&self) -> Result<Reached, SandboxError> {
        let strict = self.level == Level::Strict;
        #[cfg(unix)]
        {
            let root = rustix::process::geteuid().is_root();
            match self.user {
                Some(0) => return Err(SandboxError::RootUser),
                Some(user) if !root => return Err(SandboxError::NotRoot(user)),
                None if strict && root => return Err(SandboxError::StrictAsRoot),
                _ => {}
            }
        }
        #[cfg(target_os = "linux")]
        let landlock = strict.then(strict::probe).transpose()?;
        #[cfg(not(target_os = "linux"))]
        let landlock = if strict {
            return Err(SandboxError::NotLinux);
        } else {
            None
        };
        Ok(Reached {
            level: self.level,
            supervised: cfg!(target_os = "linux") && self.level != Level::Off,
            landlock,
            seccomp: strict,
            user: self.user.filter(|_| self.level != Level::Off),
        })
    }
}
