//! Arguments of the commands that compute or measure numbers and play no experiment.

use std::path::PathBuf;

use clap::Args;

use super::common::{Format, ProgressMode, positive_jobs};

pub const STATS_EXAMPLES: &str = "\
Examples:
  evalctl stats wilson successes=45 n=50 alpha=0.05
  evalctl stats gsprt_pentanomial_logistic 'results=[10,40,90,45,15]' elo0=0 elo1=5
  evalctl stats list                           every method with its inputs
  evalctl stats batch < cases.jsonl            lines of {\"id\",\"method\",\"inputs\"}";

pub const PLAN_EXAMPLES: &str = "\
Examples:
  evalctl plan --effect 0.05 --power 0.9       games that show 55 % against 50 %
  evalctl plan --games 400                     the smallest effect that 400 games show
  evalctl plan --effect 0.03 --pilot results/durak    with a finished run's variance and times
  evalctl plan --config configs/durak.toml     what a config could show, and how long it takes

The effect is a difference of the mean score from the fair share (1/2 with two seats).";

pub const CALIBRATE_EXAMPLES: &str = "\
Examples:
  evalctl calibrate --quick                    three sizes, 1,000 repetitions: a minute
  evalctl calibrate --scenario cell/strong     only scenarios whose name holds this text
  evalctl calibrate --out results/calibration  everything, with a report: many minutes

Exit code 1 if something measured is outside what is promised, Monte-Carlo error allowed for.";

/// Arguments of `stats`.
#[derive(Args, Debug, Clone)]
pub struct StatsArgs {
    /// The method's name, `list` for all of them, or `batch` to read JSON lines.
    pub method: String,
    /// Inputs as `name=value`; values are JSON.
    #[arg(value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `plan`.
#[derive(Args, Debug, Clone)]
pub struct PlanArgs {
    /// The effect to be shown, a difference of the mean score from the fair share.
    #[arg(long, value_name = "E", conflicts_with = "games")]
    pub effect: Option<f64>,
    /// Games per cell: how small an effect do they show?
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The probability of showing it.
    #[arg(long, default_value_t = 0.9)]
    pub power: f64,
    /// Confidence level (default: the pilot's or the config's, else 0.95).
    #[arg(long)]
    pub confidence: Option<f64>,
    /// Comparisons that are corrected together (default: cells of an opponent in the pilot or the
    /// config, else 1).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub comparisons: Option<u64>,
    /// Seats of the game, each played by the challenger once per block (default: the pilot's or
    /// the config's, else 2).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=6))]
    pub seats: Option<u64>,
    /// A finished run whose block variance and times are used.
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    pub pilot: Option<PathBuf>,
    /// A config whose cells are counted and timed, by playing a block of each.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Threads that would play (default: one per core).
    #[arg(long, value_name = "N", value_parser = positive_jobs)]
    pub jobs: Option<usize>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `calibrate`.
#[derive(Args, Debug, Clone)]
pub struct CalibrateArgs {
    /// Simulated experiments per scenario (default: 10,000, or 1,000 with --quick). Long ones are
    /// repeated less often: the table says how often.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub repetitions: Option<u64>,
    /// Only scenarios whose name holds this text, such as `grid/` or `cell/coin/1x30`.
    #[arg(long, value_name = "TEXT")]
    pub scenario: Option<String>,
    /// The root seed.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Threads (default: one per core).
    #[arg(long, value_name = "N", value_parser = positive_jobs)]
    pub jobs: Option<usize>,
    /// Write calibration.csv, charts, report.html and manifest.json into this folder. What it holds
    /// of other scenarios stays, so that a long calibration can be measured in parts.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Three sizes instead of eight, and fewer repetitions.
    #[arg(long)]
    pub quick: bool,
    /// How progress is shown (standard error).
    #[arg(long, value_enum, default_value_t)]
    pub progress: ProgressMode,
}

pub const BENCH_EXAMPLES: &str = "\
Examples:
  evalctl bench
  evalctl bench --only playout --format json   figures whose name holds this text, for scripts";

/// Arguments of `bench`.
#[derive(Args, Debug, Clone)]
pub struct BenchArgs {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Measure only names that contain this text.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
}
