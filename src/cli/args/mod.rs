//! What can be typed: the commands and their options, with examples.

mod common;
mod experiments;
mod games;
mod numbers;
mod results;

use clap::{Parser, Subcommand};

pub use self::common::*;
pub use self::experiments::*;
pub use self::games::*;
pub use self::numbers::*;
pub use self::results::*;

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
