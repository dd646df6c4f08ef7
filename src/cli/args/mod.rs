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

const SCHEMA_EXAMPLES: &str = "\
Examples:
  evalctl schema > schema.json                 then begin a config with: #:schema ./schema.json";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  evalctl completions bash > ~/.local/share/bash-completion/completions/evalctl
  evalctl completions zsh > ~/.zfunc/_evalctl
  evalctl completions fish > ~/.config/fish/completions/evalctl.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  evalctl man > ~/.local/share/man/man1/evalctl.1";

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
    #[command(after_help = TOURNAMENT_EXAMPLES)]
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
    #[command(after_help = ANALYZE_EXAMPLES)]
    Analyze(AnalyzeArgs),
    /// Put finished shards together: the same bytes as of a run on one machine.
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(MergeArgs),
    /// Have a cluster play a config in shards and merge them.
    #[command(after_help = SUBMIT_EXAMPLES)]
    Submit(SubmitArgs),
    /// Check a run's files by their hashes and its games by playing them again.
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Show one game of a run move by move.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// List what can be named, with every option, its default and its meaning.
    #[command(after_help = LIST_EXAMPLES)]
    List(ListArgs),
    /// Measure this machine in about ten seconds.
    #[command(after_help = BENCH_EXAMPLES)]
    Bench(BenchArgs),
    /// Print the JSON schema of configs, for editors.
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    /// Print a completion script for a shell.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page.
    #[command(after_help = MAN_EXAMPLES)]
    Man,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;
    use crate::external::split_words;

    /// The commands among the examples of a help text, without what stands behind them.
    fn examples(help: &str) -> Vec<&str> {
        let lines = help
            .lines()
            .filter_map(|line| line.strip_prefix("  evalctl "));
        lines
            .map(|line| line.split("  ").next().unwrap_or_default())
            .map(|line| line.split(['<', '>']).next().unwrap_or_default())
            .collect()
    }

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        use clap::Parser as _;
        let main = Cli::command();
        let commands = std::iter::once(&main).chain(main.get_subcommands());
        for command in commands {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            assert!(!examples(&help).is_empty(), "no examples in {name} --help");
            for example in examples(&help) {
                let words = split_words(example).expect("words");
                let typed = std::iter::once("evalctl".to_owned()).chain(words);
                if let Err(error) = Cli::try_parse_from(typed) {
                    panic!("{name} --help, `{example}`: {error}");
                }
            }
        }
    }
}
