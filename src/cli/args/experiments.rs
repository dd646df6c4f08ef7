//! Arguments of the commands that play experiments: sweeps, matches, tournaments and their shards.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{PlayArgs, ProgramArgs, positive_jobs};

pub const SWEEP_EXAMPLES: &str = "\
Examples:
  evalctl sweep configs/durak.toml
  evalctl sweep configs/durak.toml --games 2000 --jobs 8
  evalctl sweep configs/durak.toml --set challenger.exploration=[0.5,1.0] --out results/try
  evalctl sweep configs/durak.toml --shard 3/8";

pub const MATCH_EXAMPLES: &str = "\
Examples:
  evalctl match ismcts:simulations=1000 lowest --game durak --games 400
  evalctl match uct uct:exploration=1.4 --game connect-four --sprt 0,30,0.05,0.05 --games 20000
  evalctl match exec:./ai1 exec:./ai2 --game tictactoe --protocol board --games 100";

/// Arguments of `sweep`.
#[derive(Args, Debug, Clone)]
pub struct SweepArgs {
    /// The config (TOML).
    pub config: PathBuf,
    /// Where results go (default: results/NAME).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Options of every command that plays.
    #[command(flatten)]
    pub play: PlayArgs,
    /// Games per cell, rounded up to whole blocks.
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Replace a value of the config, such as `challenger.simulations=[100,200]`. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Start anew; an old run in the folder is moved aside, never deleted.
    #[arg(long)]
    pub fresh: bool,
    /// Play only shard I of N (I from 0), to be put together by `evalctl merge`; `none` plays all,
    /// also within a scheduler's job array.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Print cells, games, smallest detectable effect and estimated time; play nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Exit with 3 unless every claim is supported.
    #[arg(long)]
    pub require_claims: bool,
}

/// Arguments of `match`.
#[derive(Args, Debug, Clone)]
pub struct MatchArgs {
    /// The agent whose score is reported.
    pub challenger: String,
    /// The agent in the other seats.
    pub opponent: String,
    /// The game, such as `durak` or `tictactoe:opening_plies=2`.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Games, rounded up to whole blocks; the most there can be with --sprt.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub games: u64,
    /// Stop by a sequential test of pairs: logistic Elo of H0 and H1, errors of the two kinds.
    #[arg(long, value_name = "ELO0,ELO1,ALPHA,BETA")]
    pub sprt: Option<String>,
    /// Confidence level.
    #[arg(long, default_value_t = 0.95)]
    pub confidence: f64,
    /// Limits and dialect of programs.
    #[command(flatten)]
    pub programs: ProgramArgs,
    /// Where results go (default: results/A-v-B-GAME).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Options of every command that plays.
    #[command(flatten)]
    pub play: PlayArgs,
    /// Start anew; an old run in the folder is moved aside, never deleted.
    #[arg(long)]
    pub fresh: bool,
}

pub const TOURNAMENT_EXAMPLES: &str = "\
Examples:
  evalctl tournament configs/tictactoe-cup.toml
  evalctl tournament configs/tictactoe-cup.toml --games 1000 --out results/cup";

/// Arguments of `tournament`.
#[derive(Args, Debug, Clone)]
pub struct TournamentArgs {
    /// The config (TOML).
    pub config: PathBuf,
    /// Where results go (default: results/NAME).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Options of every command that plays.
    #[command(flatten)]
    pub play: PlayArgs,
    /// Games per pairing, rounded up to whole blocks.
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Replace a value of the config. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Start anew; an old run in the folder is moved aside, never deleted.
    #[arg(long)]
    pub fresh: bool,
}

pub const MERGE_EXAMPLES: &str = "\
Examples:
  evalctl merge results/durak results/durak/shards     all shards in one folder
  evalctl merge results/durak from-a from-b from-c     shards that machines brought home";

/// Arguments of `merge`.
#[derive(Args, Debug, Clone)]
pub struct MergeArgs {
    /// Where results go.
    pub out: PathBuf,
    /// Folders with finished shards, or their files.
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Merge what is there; the result is marked as partial.
    #[arg(long)]
    pub allow_partial: bool,
    /// Options of every command that plays: a selection's confirmation is played here.
    #[command(flatten)]
    pub play: PlayArgs,
    /// Exit with 3 unless every claim is supported.
    #[arg(long)]
    pub require_claims: bool,
}

pub const SUBMIT_EXAMPLES: &str = "\
Examples:
  evalctl submit configs/durak.toml --engine slurm --shards 8 --jobs 4
  evalctl submit configs/durak.toml --engine slurm --shards 8 --extra=--partition=long --print
  evalctl submit configs/durak.toml --engine parallel --shards 16
  evalctl submit configs/durak.toml --engine kubernetes --shards 50 --extra=registry/evalctl:1";

/// Who distributes the shards.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineName {
    /// A Slurm job array and a job that merges.
    Slurm,
    /// GNU parallel.
    Parallel,
    /// An indexed Job of Kubernetes.
    Kubernetes,
}

/// Arguments of `submit`.
#[derive(Args, Debug, Clone)]
pub struct SubmitArgs {
    /// The config (TOML).
    pub config: PathBuf,
    /// Who distributes the shards.
    #[arg(long, value_enum)]
    pub engine: EngineName,
    /// How many shards.
    #[arg(long, value_name = "N")]
    pub shards: u64,
    /// Where results go (default: results/NAME); shards go to a folder within it.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads of each shard.
    #[arg(long, value_name = "N", value_parser = positive_jobs)]
    pub jobs: Option<usize>,
    /// The root seed.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Games per cell, rounded up to whole blocks.
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Replace a value of the config. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// For the engine: an option of sbatch, an argument of parallel, or the image. Repeatable.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub extra: Vec<String>,
    /// Show files and commands; write and submit nothing.
    #[arg(long)]
    pub print: bool,
}
