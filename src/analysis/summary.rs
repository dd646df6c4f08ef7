//! What the analysis says: rows of the derived files, verdicts, diagnostics.

use super::standings::Standings;
use crate::plan::{Cell, ClaimKind};
use crate::stats::Interval;

/// A warning that a result means little, or less than it seems.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flag {
    /// Every block has the same score, and it is the fair share or the placebo's.
    Degenerate,
    /// The seat, or moving first, explains at least 90 % of the variance of game scores.
    SeatDecided,
    /// All games of a rotation are one game.
    DuplicateGames,
    /// The score is at the ceiling, or a player without search reaches it too.
    Saturated,
    /// The smallest detectable effect is above the claim's margin.
    Underpowered,
    /// The verdict changes when forfeited games are left out.
    Forfeits,
    /// Some games were cut off.
    Truncated,
    /// A control that must be null is not.
    PlaceboFailed,
    /// The run was extended or looked at without a rule.
    Peeked,
    /// The best cell is quoted without confirmation.
    WinnersCurse,
}

impl Flag {
    /// All flags.
    pub const ALL: [Self; 10] = [
        Self::Degenerate,
        Self::SeatDecided,
        Self::DuplicateGames,
        Self::Saturated,
        Self::Underpowered,
        Self::Forfeits,
        Self::Truncated,
        Self::PlaceboFailed,
        Self::Peeked,
        Self::WinnersCurse,
    ];

    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Degenerate => "degenerate",
            Self::SeatDecided => "seat-decided",
            Self::DuplicateGames => "duplicate-games",
            Self::Saturated => "saturated",
            Self::Underpowered => "underpowered",
            Self::Forfeits => "forfeits",
            Self::Truncated => "truncated",
            Self::PlaceboFailed => "placebo-failed",
            Self::Peeked => "peeked",
            Self::WinnersCurse => "winners-curse",
        }
    }

    /// Whether a claim on a cell with this flag is void.
    pub fn voids(self) -> bool {
        matches!(
            self,
            Self::Degenerate | Self::SeatDecided | Self::DuplicateGames | Self::PlaceboFailed
        )
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Degenerate => {
                "The experiment cannot tell the players apart: change the game, the opponent or the rules."
            }
            Self::SeatDecided => {
                "Rotate the seats on shared deals and choose a game in which play matters."
            }
            Self::DuplicateGames => {
                "Add variety: `opening_plies`, an agent with its own randomness, or another game. More repeats add nothing."
            }
            Self::Saturated => {
                "Look at a stronger opponent: this one cannot separate good players."
            }
            Self::Underpowered => {
                "Play more games (see `evalctl plan`) or declare a larger margin."
            }
            Self::Forfeits => "Mend the program that forfeits, or quote both results.",
            Self::Truncated => {
                "Quote the result with these games as 0 and as 1; avoid pairs of players that repeat for ever."
            }
            Self::PlaceboFailed => {
                "Something other than strength decides: look at seats, deals and seeds before anything else."
            }
            Self::Peeked => {
                "Treat the interval as descriptive, or run anew with a stopping rule (`[stop]`)."
            }
            Self::WinnersCurse => {
                "Quote a best cell only from a claim of kind `best`, which confirms it on fresh deals."
            }
        }
    }
}

/// A flag with what raised it.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Which.
    pub flag: Flag,
    /// The cells it concerns, by index.
    pub cells: Vec<usize>,
    /// What was seen, in a sentence with its numbers.
    pub sentence: String,
}

/// A row of `cells.csv`.
#[derive(Clone, PartialEq, Debug)]
pub struct CellSummary {
    /// The cell.
    pub cell: Cell,
    /// Games and complete blocks played, truncated ones included.
    pub games: u64,
    /// See `games`.
    pub blocks: u64,
    /// Number of different games.
    pub distinct_games: u64,
    /// Games won, drawn, lost, cut off.
    pub wins: u64,
    /// See `wins`.
    pub draws: u64,
    /// See `wins`.
    pub losses: u64,
    /// See `wins`.
    pub truncated: u64,
    /// Games forfeited by the challenger.
    pub forfeits_challenger: u64,
    /// Games forfeited by an opponent.
    pub forfeits_opponent: u64,
    /// Mean block score without truncated blocks; `None` if there is no such block.
    pub score: Option<f64>,
    /// Pointwise interval of the score.
    pub interval: Option<Interval>,
    /// Simultaneous interval: Bonferroni over the cells of one opponent, placebo left out.
    pub simultaneous: Option<Interval>,
    /// Number of cells in the simultaneous family.
    pub family: usize,
    /// The method of both intervals.
    pub method: String,
    /// Two-sided p-value against the fair share.
    pub p_value: Option<f64>,
    /// Its method.
    pub p_method: String,
    /// Holm-adjusted over the same family.
    pub p_adjusted: Option<f64>,
    /// Elo of the score and of the interval's end points; `None` where unbounded or more than two
    /// seats.
    pub elo: Option<f64>,
    /// See `elo`.
    pub elo_low: Option<f64>,
    /// See `elo`.
    pub elo_high: Option<f64>,
    /// Mean score when moving first minus otherwise, by block.
    pub seat_effect: Option<f64>,
    /// Its interval.
    pub seat_interval: Option<Interval>,
    /// Score with truncated games counted as 0 and as 1.
    pub truncated_bounds: Option<(f64, f64)>,
    /// Score without forfeited games.
    pub score_unforfeited: Option<f64>,
    /// Standard deviation of block scores.
    pub block_deviation: Option<f64>,
    /// Smallest difference from the fair share detectable with 80 % power at this size and
    /// variance (two-sided, uncorrected).
    pub detectable: Option<f64>,
    /// Mean number of decisions per game.
    pub mean_decisions: f64,
    /// Games by number of decisions.
    pub lengths: Vec<u64>,
    /// Score after some of the blocks, in the order of the schedule; the last after all of them.
    pub running: Vec<RunningPoint>,
    /// Flags of this cell.
    pub flags: Vec<Flag>,
}

/// A cell's score after its first blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunningPoint {
    /// Blocks so far, those with a truncated game left out.
    pub blocks: u64,
    /// Their mean score.
    pub score: f64,
    /// A confidence sequence: it holds at all moments at once.
    pub interval: Interval,
}

/// A row of `seats.csv`: the challenger's score in one seat.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatSummary {
    /// The cell's index.
    pub cell: usize,
    /// The seat.
    pub seat: usize,
    /// Games in it, truncated ones left out.
    pub games: u64,
    /// Mean score.
    pub score: f64,
    /// Interval over games of different deals.
    pub interval: Interval,
    /// Mean score in games where the challenger moved first in this seat, if any.
    pub method: String,
}

/// A verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The estimate lies on the claimed side and the adjusted p is small enough.
    Supported,
    /// The simultaneous interval lies wholly on the other side.
    Refuted,
    /// Neither.
    Undecided,
    /// The experiment cannot answer.
    Void,
}

impl Verdict {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
            Self::Void => "void",
        }
    }
}

/// A row of `claims.csv`.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimSummary {
    /// Its sentence.
    pub name: String,
    /// Its kind.
    pub kind: ClaimKind,
    /// Opponent label.
    pub opponent: String,
    /// Cells it is about.
    pub cells: Vec<usize>,
    /// The estimate: mean score, slope per doubling, or difference, as `quantity` says.
    pub estimate: Option<f64>,
    /// Interval, simultaneous over the declared claims.
    pub interval: Option<Interval>,
    /// What the estimate is, in words.
    pub quantity: String,
    /// One-sided p-value in the claimed direction.
    pub p_value: Option<f64>,
    /// Its method; empty without one.
    pub p_method: String,
    /// Holm over the declared claims.
    pub p_adjusted: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason in one sentence.
    pub why: String,
}

/// A row of `comparisons.csv`: cell against cell where a claim asks.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The claim that asks.
    pub claim: String,
    /// The cells: `second` minus `first`.
    pub first: usize,
    /// See `first`.
    pub second: usize,
    /// Shared deals (paired), or 0.
    pub shared_blocks: u64,
    /// Mean difference of block scores.
    pub difference: f64,
    /// Interval, simultaneous over the claim's comparisons.
    pub interval: Interval,
    /// Method of interval and test.
    pub method: String,
    /// Two-sided p-value.
    pub p_value: f64,
    /// Holm over the claim's comparisons.
    pub p_adjusted: f64,
    /// Share of the variance saved by sharing deals (may be negative); `None` if unpaired.
    pub variance_saved: Option<f64>,
}

/// What the cells of a claim about the budget show beyond its verdict: whether a second setting
/// matters, whether what the budget gains depends on it, how much Elo a doubling is worth. Nobody
/// declared these questions as claims.
#[derive(Clone, PartialEq, Debug)]
pub struct DoseNote {
    /// The claim.
    pub claim: String,
    /// Sentences with numbers, method and correction.
    pub sentences: Vec<String>,
}

/// Everything that is derived from a run's games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Analysis {
    /// Confidence level.
    pub confidence: f64,
    /// Cells in the plan's order.
    pub cells: Vec<CellSummary>,
    /// Seats of cells with more than two seats.
    pub seats: Vec<SeatSummary>,
    /// Claims as declared.
    pub claims: Vec<ClaimSummary>,
    /// Comparisons in the claims' order.
    pub comparisons: Vec<Comparison>,
    /// What claims about the budget leave open, in the claims' order.
    pub dose: Vec<DoseNote>,
    /// Diagnostics, the gravest first.
    pub diagnostics: Vec<Diagnostic>,
    /// What a tournament came to; `None` for other runs.
    pub standings: Option<Standings>,
}
