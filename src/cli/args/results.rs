//! Arguments of the commands about finished runs, and of `list`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{Format, positive_jobs};

pub const ANALYZE_EXAMPLES: &str = "\
Examples:
  evalctl analyze results/durak                tables, charts and report again; plays nothing
  evalctl analyze results/durak --require-claims       for scripts: 3 if a claim is not supported
  evalctl analyze results/theirs --import games.csv    games that something else played";

pub const VERIFY_EXAMPLES: &str = "\
Examples:
  evalctl verify results/reference/durak       the files' hashes, and every game played again
  evalctl verify results/reference/durak --sample 50   only so many games, drawn at random";

pub const REPLAY_EXAMPLES: &str = "\
Examples:
  evalctl replay results/reference/durak 5     game 5, as people read it
  evalctl replay results/reference/durak 5 --trace     the same as JSON lines";

pub const LIST_EXAMPLES: &str = "\
Examples:
  evalctl list games
  evalctl list agents --format json
  evalctl list axes                            every key of which a list makes an axis";

/// Arguments of `analyze`.
#[derive(Args, Debug, Clone)]
pub struct AnalyzeArgs {
    /// The run's folder; with --import the folder for the results.
    pub dir: PathBuf,
    /// Take games of two seats that were played elsewhere from this CSV file: columns `score`,
    /// `opponent`, `block` at least; `challenger`, `seat`, `first_seat`, `digest`, `end`, `outcome`,
    /// `fault_seat` if known; columns of other names are axes. Each opponent gets a claim to be
    /// beaten, over all its cells.
    #[arg(long, value_name = "FILE")]
    pub import: Option<PathBuf>,
    /// Exit with 3 unless every claim is supported.
    #[arg(long)]
    pub require_claims: bool,
}

/// Arguments of `verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyArgs {
    /// The run's folder.
    pub dir: PathBuf,
    /// Play only so many games again, drawn at random (default: all).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Decides which games are drawn.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Threads that play (default: one per core).
    #[arg(long, value_name = "N", value_parser = positive_jobs)]
    pub jobs: Option<usize>,
}

/// Arguments of `replay`.
#[derive(Args, Debug, Clone)]
pub struct ReplayArgs {
    /// The run's folder.
    pub dir: PathBuf,
    /// The game's number (column `game`).
    pub game: u64,
    /// Print JSON lines instead of a drawing.
    #[arg(long)]
    pub trace: bool,
    /// Show only what this seat may know.
    #[arg(long, value_name = "SEAT", conflicts_with = "trace")]
    pub seat: Option<usize>,
}

/// What `list` lists.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListWhat {
    /// Games and their options.
    Games,
    /// Agents and their options.
    Agents,
    /// Every option that can be an axis of a grid.
    Axes,
}

/// Arguments of `list`.
#[derive(Args, Debug, Clone)]
pub struct ListArgs {
    /// What to list.
    #[arg(value_enum)]
    pub what: ListWhat,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
