//! Arguments of the commands that show or play single games.

use std::path::PathBuf;

use clap::Args;

use super::common::{ContainmentArgs, ProgramArgs};

pub const TRACE_EXAMPLES: &str = "\
Examples:
  evalctl trace random random --game durak:players=4,transfer=on,show_trump=on --games 3 --seed 7
  evalctl trace ismcts:simulations=200 lowest --game durak --text";

pub const PLAY_EXAMPLES: &str = "\
Examples:
  evalctl play tictactoe human human
  evalctl play connect-four human uct:simulations=2000
  evalctl play durak human ismcts:simulations=2000
  evalctl play durak:players=4,transfer=on human lowest --seed 7
  evalctl play tictactoe human exec:./my-bot --protocol text

While it is your turn, type a move, its number, or: help, hint, board, quit.";

pub const CHECK_EXAMPLES: &str = "\
Examples:
  evalctl check-bot --game tictactoe -- python3 my_bot.py
  evalctl check-bot --game durak --protocol text -- ./my-bot --fast";

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
