//! What can be typed: the commands and their options, with examples.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::external::{Host, Level, Sandbox};

/// Settles whether one game-playing program beats another.
#[derive(Parser, Debug)]
#[command(name = "evalctl", version, about, after_help = MAIN_EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const MAIN_EXAMPLES: &str = "\
Examples:
  evalctl sweep configs/durak.toml             play a grid, test its claims, draw its charts
  evalctl sweep configs/durak.toml --dry-run   what would be played, and what it could show
  evalctl match ismcts lowest --game durak     two agents, seats swapped on the same deals
  evalctl play durak human ismcts              you against search, at the terminal
  evalctl trace random lowest --game durak     a game, move by move, as JSON lines
  evalctl stats wilson successes=45 n=50 alpha=0.05   the calculator behind the reports
  evalctl list agents                          what can be named, with every option

Exit codes: 0 done; 1 failed; 2 wrong usage or config; 3 a claim is not supported
(--require-claims); 65 results of another experiment; 75 interrupted or transient, run again;
130 Ctrl-C, resumable.";

/// A command.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play the grid of a config; write results, statistics, charts and a report.
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(SweepArgs),
    /// Play and print traces as JSON lines.
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(TraceArgs),
    /// Play two agents against each other, seats swapped on the same deals.
    #[command(after_help = MATCH_EXAMPLES)]
    Match(MatchArgs),
    /// Play a round-robin, gauntlet or ladder of many agents; rate them.
    Tournament(TournamentArgs),
    /// Play at the terminal: people against people or agents.
    #[command(after_help = PLAY_EXAMPLES)]
    Play(PlayGameArgs),
    /// Tell a bot's author, step by step, what the bot does wrong.
    #[command(after_help = CHECK_EXAMPLES)]
    CheckBot(CheckBotArgs),
    /// Compute a statistic: the calculator behind the reports.
    #[command(after_help = STATS_EXAMPLES)]
    Stats(StatsArgs),
    /// Say how many games an effect needs, or how small an effect a number of games shows.
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(PlanArgs),
    /// Measure what the statistics promise: coverage, false positives and power, by simulation.
    #[command(after_help = CALIBRATE_EXAMPLES)]
    Calibrate(CalibrateArgs),
    /// Recompute every derived file of a run from its games.csv; play nothing.
    Analyze(AnalyzeArgs),
    /// Put finished shards together: the same bytes as of a run on one machine.
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(MergeArgs),
    /// Have a cluster play a config in shards and merge them.
    #[command(after_help = SUBMIT_EXAMPLES)]
    Submit(SubmitArgs),
    /// Check a run's files by their hashes and its games by playing them again.
    Verify(VerifyArgs),
    /// Show one game of a run move by move.
    Replay(ReplayArgs),
    /// List what can be named, with every option, its default and its meaning.
    List(ListArgs),
    /// Measure this machine in about ten seconds.
    Bench(BenchArgs),
    /// Print the JSON schema of configs, for editors.
    Schema,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page.
    Man,
}

const SWEEP_EXAMPLES: &str = "\
Examples:
  evalctl sweep configs/durak.toml
  evalctl sweep configs/durak.toml --games 2000 --jobs 8
  evalctl sweep configs/durak.toml --set challenger.exploration=[0.5,1.0] --out results/try
  evalctl sweep configs/durak.toml --shard 3/8";

const TRACE_EXAMPLES: &str = "\
Examples:
  evalctl trace random random --game durak:players=4,transfer=on,show_trump=on --games 3 --seed 7
  evalctl trace ismcts:simulations=200 lowest --game durak --text";

const MATCH_EXAMPLES: &str = "\
Examples:
  evalctl match ismcts:simulations=1000 lowest --game durak --games 400
  evalctl match uct uct:exploration=1.4 --game connect-four --sprt 0,30,0.05,0.05 --games 20000
  evalctl match exec:./ai1 exec:./ai2 --game tictactoe --protocol board --games 100";

const PLAY_EXAMPLES: &str = "\
Examples:
  evalctl play tictactoe human human
  evalctl play connect-four human uct:simulations=2000
  evalctl play durak human ismcts:simulations=2000
  evalctl play durak:players=4,transfer=on human lowest --seed 7
  evalctl play tictactoe human exec:./my-bot --protocol text

While it is your turn, type a move, its number, or: help, hint, board, quit.";

const CHECK_EXAMPLES: &str = "\
Examples:
  evalctl check-bot --game tictactoe -- python3 my_bot.py
  evalctl check-bot --game durak --protocol text -- ./my-bot --fast";

const STATS_EXAMPLES: &str = "\
Examples:
  evalctl stats wilson successes=45 n=50 alpha=0.05
  evalctl stats gsprt_pentanomial_logistic 'results=[10,40,90,45,15]' elo0=0 elo1=5
  evalctl stats list                           every method with its inputs
  evalctl stats batch < cases.jsonl            lines of {\"id\",\"method\",\"inputs\"}";

const PLAN_EXAMPLES: &str = "\
Examples:
  evalctl plan --effect 0.05 --power 0.9       games that show 55 % against 50 %
  evalctl plan --games 400                     the smallest effect that 400 games show
  evalctl plan --effect 0.03 --pilot results/durak    with a finished run's variance and times
  evalctl plan --config configs/durak.toml     what a config could show, and how long it takes

The effect is a difference of the mean score from the fair share (1/2 with two seats).";

const CALIBRATE_EXAMPLES: &str = "\
Examples:
  evalctl calibrate --quick                    three sizes, 1,000 repetitions: seconds
  evalctl calibrate --scenario cell/strong     only scenarios whose name holds this text
  evalctl calibrate --out results/calibration  everything: some minutes

Exit code 1 if something measured is outside what is promised, Monte-Carlo error allowed for.";

/// How progress is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProgressMode {
    /// A bar on a terminal, plain lines elsewhere.
    #[default]
    Auto,
    /// A line now and then.
    Plain,
    /// JSON lines on standard error.
    Json,
    /// Nothing.
    None,
}

/// Options that mean the same in every command that plays.
#[derive(Args, Debug, Clone)]
pub struct PlayArgs {
    /// Threads that play (default: one per core).
    #[arg(long, value_name = "N", value_parser = positive_jobs)]
    pub jobs: Option<usize>,
    /// The root seed: every random stream of the run derives from it.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How progress is shown (standard error).
    #[arg(long, value_enum, default_value_t)]
    pub progress: ProgressMode,
    /// Games that programs may forfeit before the run stops (default: 10 % of the games, at least 10).
    #[arg(long, value_name = "N")]
    pub max_faults: Option<u64>,
    /// Containment of programs.
    #[command(flatten)]
    pub containment: ContainmentArgs,
}

/// What players that are programs may do.
#[derive(Args, Debug, Clone)]
pub struct ContainmentArgs {
    /// Containment of players that are programs: off, default (accidents) or strict (malice).
    #[arg(long, value_name = "LEVEL", default_value = "default", value_parser = sandbox_level)]
    pub sandbox: Level,
    /// User id that contained programs run as; strict as root needs one.
    #[arg(long, value_name = "UID")]
    pub sandbox_user: Option<u32>,
}

impl ContainmentArgs {
    /// How programs are run.
    pub fn host(&self) -> Host {
        Host {
            sandbox: Sandbox {
                level: self.sandbox,
                user: self.sandbox_user,
                ..Sandbox::default()
            },
            ..Host::default()
        }
    }
}

/// A level of containment by its word.
fn sandbox_level(text: &str) -> Result<Level, String> {
    Level::from_word(text).ok_or_else(|| "must be off, default or strict".to_owned())
}

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

/// Options for players that are programs.
#[derive(Args, Debug, Clone)]
pub struct ProgramArgs {
    /// Dialect of programs: json, text or board.
    #[arg(long, value_name = "DIALECT")]
    pub protocol: Option<String>,
    /// One process for many games where the dialect has one per game.
    #[arg(long)]
    pub reuse: bool,
    /// Milliseconds a program has to start.
    #[arg(long, value_name = "MS")]
    pub start_ms: Option<u64>,
    /// Milliseconds a program has for a move.
    #[arg(long, value_name = "MS")]
    pub move_ms: Option<u64>,
    /// Milliseconds a program has for a game.
    #[arg(long, value_name = "MS")]
    pub game_ms: Option<u64>,
    /// Milliseconds of grace for the harness itself.
    #[arg(long, value_name = "MS")]
    pub margin_ms: Option<u64>,
}

impl ProgramArgs {
    /// As options of an `exec` player.
    pub fn exec_options(&self) -> Vec<(&'static str, String)> {
        let mut options = Vec::new();
        if let Some(protocol) = &self.protocol {
            options.push(("protocol", protocol.clone()));
        }
        if self.reuse {
            options.push(("reuse", "on".to_owned()));
        }
        let limits = [
            ("start_ms", self.start_ms),
            ("move_ms", self.move_ms),
            ("game_ms", self.game_ms),
            ("margin_ms", self.margin_ms),
        ];
        for (key, value) in limits {
            if let Some(value) = value {
                options.push((key, value.to_string()));
            }
        }
        options
    }
}

/// Arguments of `check-bot`.
#[derive(Args, Debug, Clone)]
pub struct CheckBotArgs {
    /// The game that the bot is to play.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Limits and dialect of the program.
    #[command(flatten)]
    pub programs: ProgramArgs,
    /// Containment of the program.
    #[command(flatten)]
    pub containment: ContainmentArgs,
    /// Whole games to play in each seat.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub games: u32,
    /// Seed of the deals and of the opponent's random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// Arguments of `play`.
#[derive(Args, Debug, Clone)]
pub struct PlayGameArgs {
    /// The game, such as `durak:players=4,transfer=on`.
    pub game: String,
    /// One player per seat: `human` or an agent; an agent named last fills the seats left.
    #[arg(required = true, num_args = 1.., value_name = "SEAT")]
    pub seats: Vec<String>,
    /// Limits and dialect of programs.
    #[command(flatten)]
    pub programs: ProgramArgs,
    /// Containment of programs.
    #[command(flatten)]
    pub containment: ContainmentArgs,
    /// The deal and the agents' random streams (default: a new one, printed at the start).
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// The agent that gives hints (default: ismcts with 2,000 simulations, or uct with 5,000 where nothing is hidden).
    #[arg(long, value_name = "AGENT")]
    pub hint: Option<String>,
    /// Play these moves of all seats first, separated by `;`: an earlier game again, or to go on with it.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// Write the game as JSON lines, as `evalctl trace` prints them.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
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

const MERGE_EXAMPLES: &str = "\
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

const SUBMIT_EXAMPLES: &str = "\
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
    /// Write calibration.csv, manifest.json and charts into this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Three sizes instead of eight, and fewer repetitions.
    #[arg(long)]
    pub quick: bool,
    /// How progress is shown (standard error).
    #[arg(long, value_enum, default_value_t)]
    pub progress: ProgressMode,
}

/// Arguments of `trace`.
#[derive(Args, Debug, Clone)]
pub struct TraceArgs {
    /// One agent per seat; the last one named fills the seats left.
    #[arg(required = true, num_args = 1.., value_name = "AGENT")]
    pub agents: Vec<String>,
    /// The game, such as `durak:players=4,transfer=on`.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Number of games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The root seed.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random opening moves.
    #[arg(long, default_value_t = 0)]
    pub opening_plies: u32,
    /// Number of the first deal; with --seed of a run, the run's block.
    #[arg(long, default_value_t = 0)]
    pub block: u64,
    /// Seat of the first agent, if it plays the challenger of a run's block.
    #[arg(long, default_value_t = 0)]
    pub rotation: usize,
    /// Draw the game for people instead of JSON lines.
    #[arg(long)]
    pub text: bool,
    /// With --text: show only what this seat may know.
    #[arg(long, value_name = "SEAT", requires = "text")]
    pub seat: Option<usize>,
}

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

/// The form of a command's output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
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

/// A positive number of threads.
fn positive_jobs(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(0) => Err("at least one thread must play; leave --jobs out for one per core".to_owned()),
        Ok(jobs) if jobs <= 4096 => Ok(jobs),
        Ok(_) => Err("at most 4096 threads".to_owned()),
        Err(_) => Err("not a whole number".to_owned()),
    }
}
