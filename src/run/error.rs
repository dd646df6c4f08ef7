//! Why a run could not be played to its end: one sentence each.

use std::io;
use std::path::{Path, PathBuf};

use crate::agents::BuildError;

/// Why a run stopped, or did not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be read or written. What was played before is kept.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was to be done, such as "write".
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The folder holds results of another experiment.
    #[error(
        "`{}` holds another experiment ({}); choose another folder with --out, or --fresh to move the old run aside",
        dir.display(), changes.join("; ")
    )]
    OtherExperiment {
        /// The folder.
        dir: PathBuf,
        /// What differs, as `key: old -> new`.
        changes: Vec<String>,
    },
    /// Fewer games are asked for than were already played or begun.
    #[error(
        "`{}` was begun with {before} games per cell, more than the {now} asked for; give --games {before} or more, or --fresh to move the old run aside",
        dir.display()
    )]
    FewerGames {
        /// The folder.
        dir: PathBuf,
        /// Games per cell of the run in the folder.
        before: u64,
        /// Games per cell asked for.
        now: u64,
    },
    /// A file was written by a newer version of this program.
    #[error("`{}` has format {found}, and this version reads up to {known}: use a newer evalctl", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest that is understood.
        known: u32,
    },
    /// A journal or shard was written by an older version of this program.
    #[error("`{}` has format {found} of an older evalctl, and this version reads format {known}: finish that run with the version that began it, or play it anew (--fresh moves it aside)", path.display())]
    OlderFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that is understood.
        known: u32,
    },
    /// A file is not what its name says.
    #[error("`{}` is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        what: String,
    },
    /// Another process plays this run.
    #[error("another evalctl is writing to `{}`; wait for it, or choose another folder with --out", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// A game or an agent of the plan cannot be built.
    #[error("cell {cell} cannot be played: {source}")]
    Build {
        /// The cell.
        cell: usize,
        /// Why.
        source: BuildError,
    },
    /// A game could not be played, through no player's fault.
    #[error("cell {cell}, block {block}, rotation {rotation}: {what}")]
    Infrastructure {
        /// The cell.
        cell: usize,
        /// The block.
        block: u64,
        /// The rotation.
        rotation: usize,
        /// Why.
        what: String,
    },
    /// A game panicked: a bug in this program.
    #[error(
        "a game panicked ({what}) in cell {cell}, block {block}, rotation {rotation}, seed {seed:016x}; everything before it is kept. To see it again: {replay}"
    )]
    Panic {
        /// The cell.
        cell: usize,
        /// The block.
        block: u64,
        /// The rotation.
        rotation: usize,
        /// The seed of the deal (column `seed`).
        seed: u64,
        /// The panic's message.
        what: String,
        /// The command that plays that game.
        replay: String,
    },
    /// The plan's stopping rule has no meaning.
    #[error("the stopping rule cannot be applied: {0}")]
    Rule(#[from] crate::stats::StatsError),
    /// There is no finished run.
    #[error("`{}` holds no finished run: there is no manifest.json; run or resume the sweep first", dir.display())]
    NotFinished {
        /// The folder.
        dir: PathBuf,
    },
    /// A run that is no shard was to be published as one.
    #[error("this run is no shard of a run")]
    NoShard,
    /// There are no finished shards.
    #[error(
        "no finished shards in {}: play them with `evalctl sweep CONFIG --shard I/N --out DIR`",
        listed(dirs)
    )]
    NoShards {
        /// Where they were looked for.
        dirs: Vec<PathBuf>,
    },
    /// There is no such game.
    #[error("there is no game {game}: the run has games 0 to {}", games.saturating_sub(1))]
    NoSuchGame {
        /// The number asked for.
        game: u64,
        /// How many games there are.
        games: u64,
    },
    /// The config in a manifest cannot be read.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// A program that plays cannot be started.
    #[error(transparent)]
    Bot(#[from] crate::external::BotStartError),
    /// A `games.csv` cannot be read.
    #[error(transparent)]
    Games(#[from] crate::games_csv::ReadError),
    /// The operating system gave no threads.
    #[error("cannot start a thread: {source}; use a smaller --jobs")]
    Threads {
        /// Why not.
        source: io::Error,
    },
    /// All workers ended although there was work: a bug in this program.
    #[error(
        "all workers ended before the run did; everything that was finished is kept, run again to go on"
    )]
    LostWorkers,
    /// Programs forfeited too often.
    #[error(
        "{faults} of {games} games were forfeited by a program, more than the {limit} allowed: {what}; the results so far are kept. {who}. Repair the program (`evalctl check-bot` shows step by step what is wrong) and start over with --fresh, or go on with a higher --max-faults"
    )]
    TooManyFaults {
        /// Forfeited games.
        faults: u64,
        /// Games so far.
        games: u64,
        /// The limit.
        limit: u64,
        /// The causes, counted.
        what: String,
        /// What some of the programs did.
        who: String,
    },
}

fn listed(dirs: &[PathBuf]) -> String {
    let names: Vec<String> = dirs
        .iter()
        .map(|dir| format!("`{}`", dir.display()))
        .collect();
    names.join(", ")
}

impl RunError {
    /// An I/O error about a file.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// A journal or shard in format `found`, where `known` is understood.
    pub(crate) fn other_format(path: &Path, found: u32, known: u32) -> Self {
        let path = path.to_owned();
        if found > known {
            Self::NewerFormat { path, found, known }
        } else {
            Self::OlderFormat { path, found, known }
        }
    }

    /// The exit code that the contract gives to this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::OtherExperiment { .. } | Self::FewerGames { .. } => 65,
            Self::Build { .. }
            | Self::Rule(_)
            | Self::NotFinished { .. }
            | Self::NoSuchGame { .. }
            | Self::Config(_) => 2,
            Self::Locked { .. } => 75,
            Self::Io { .. }
            | Self::NewerFormat { .. }
            | Self::OlderFormat { .. }
            | Self::Damaged { .. }
            | Self::Infrastructure { .. }
            | Self::NoShard
            | Self::NoShards { .. }
            | Self::Panic { .. }
            | Self::Threads { .. }
            | Self::Bot(_)
            | Self::Games(_)
            | Self::LostWorkers
            | Self::TooManyFaults { .. } => 1,
        }
    }
}
