//! What will be done: every cell, block and seed of a run, validated before a game is played.
//!
//! The config layer turns what was typed into a [`Plan`]; everything below works from plans only.
//! A plan is data: the same plan plays the same games on any machine with any number of threads.

use crate::games::{MAX_SEATS, Seat};
use crate::rng::Seed;
use crate::spec::{Settings, Value};

/// How seats are assigned within a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeatMode {
    /// The challenger sits in every seat of the same deal: a block has as many games as seats.
    #[default]
    Rotate,
    /// The challenger always sits in seat 0: a block is one game. Supports no claim without a
    /// placebo.
    Fixed,
}

/// What a cell is played for (column `phase`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Phase {
    /// An ordinary cell.
    #[default]
    Main,
    /// Played to select the best cell (claims of kind `best`).
    Select,
    /// The selected cell again, on deals disjoint from the selection's.
    Confirm,
    /// The opponent's agent in the challenger's seat: a control that must be null.
    Placebo,
}

impl Phase {
    /// All phases, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Main, Self::Select, Self::Confirm, Self::Placebo];

    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Select => "select",
            Self::Confirm => "confirm",
            Self::Placebo => "placebo",
        }
    }
}

/// One cell of the grid: a challenger with fixed options against an opponent in a fixed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Position in the plan, from 0 (column `cell`).
    pub index: usize,
    /// The name in column `challenger`: the agent's name, or `placebo:NAME`.
    pub label: String,
    /// The challenger.
    pub challenger: Settings,
    /// The opponent; with more than two seats it fills all the others.
    pub opponent: Settings,
    /// The name in column `opponent` (the agent's name, with options where two opponents share it).
    pub opponent_label: String,
    /// The game with its rules.
    pub game: Settings,
    /// Values of the plan's axes, in their order; `None` where an axis does not apply.
    pub axes: Vec<Option<Value>>,
    /// What it is played for.
    pub phase: Phase,
    /// Number of the first block: phases with disjoint deals start elsewhere.
    pub first_block: u64,
    /// Number of blocks (an upper bound where a stopping rule is set).
    pub blocks: u64,
    /// Games of a block: the number of seats, or 1 with fixed seats.
    pub rotations: usize,
    /// Number of seats of the game.
    pub seats: usize,
    /// The mean score of equally strong players.
    pub fair_share: f64,
}

/// The kind of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClaimKind {
    /// The mean score is above the threshold.
    Better,
    /// The mean score is at least the threshold less the margin.
    AtLeast,
    /// The mean score is within the margin of the threshold (two one-sided tests).
    Equivalent,
    /// The score changes with the simulation count (slope on log2, permuted within deals).
    Trend,
    /// The score never drops from one simulation count to the next.
    Monotone,
    /// One cell is the best: selected on some deals, confirmed on others.
    Best,
}

impl ClaimKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Better,
        Self::AtLeast,
        Self::Equivalent,
        Self::Trend,
        Self::Monotone,
        Self::Best,
    ];

    /// The word in configs and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::AtLeast => "at-least",
            Self::Equivalent => "equivalent",
            Self::Trend => "trend",
            Self::Monotone => "monotone",
            Self::Best => "best",
        }
    }
}

/// A declared claim.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// Its sentence.
    pub name: String,
    /// What it says.
    pub kind: ClaimKind,
    /// The opponent it is about (label).
    pub opponent: String,
    /// Cells it covers, by index, in order. Never empty.
    pub cells: Vec<usize>,
    /// The score it compares with; the fair share by default.
    pub threshold: f64,
    /// The smallest difference that matters, in score.
    pub margin: Option<f64>,
}

/// When the games of a cell end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum StopRule {
    /// After the planned number of blocks.
    #[default]
    Fixed,
    /// When the confidence sequence is narrower than this width.
    Precision {
        /// Full width, in score.
        width: f64,
    },
    /// When a pentanomial GSPRT has decided (two seats).
    Sprt {
        /// Logistic Elo of H0.
        elo0: f64,
        /// Logistic Elo of H1.
        elo1: f64,
        /// Error of the first kind.
        alpha: f64,
        /// Error of the second kind.
        beta: f64,
    },
}

/// A run, fully resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The config's name.
    pub name: String,
    /// The root seed.
    pub seed: u64,
    /// Confidence level, such as 0.95.
    pub confidence: f64,
    /// Seats.
    pub seats: SeatMode,
    /// Games per cell that were asked for, before rounding up to whole blocks.
    pub games_asked: u64,
    /// Random opening moves of every game.
    pub opening_plies: u32,
    /// Keys of the axes, in column order.
    pub axes: Vec<String>,
    /// The cells, ordered.
    pub cells: Vec<Cell>,
    /// The claims, as declared.
    pub claims: Vec<Claim>,
    /// When cells end.
    pub stop: StopRule,
    /// The config as it was resolved, in TOML, for the manifest.
    pub resolved: String,
}

/// The seeds of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSeeds {
    /// The deal's stream.
    pub deal: Seed,
    /// The stream of random opening moves.
    pub opening: Seed,
    /// The stream of the agent in each seat.
    pub agents: [Seed; MAX_SEATS],
}

/// The streams of a cell, hashed once from content, so that a game costs one short hash a stream.
#[derive(Clone, Debug)]
pub struct CellSeeds {
    deal: Seed,
    opening: Seed,
    challenger: Seed,
    opponent: Seed,
    seats: usize,
}

impl CellSeeds {
    /// The streams of `cell` under root seed `seed`.
    ///
    /// Deals depend on the game's rules and the block only; agents' streams on the agent's
    /// settings, the game, the block, the rotation and the seat.
    pub fn new(seed: u64, cell: &Cell) -> Self {
        let root = Seed::root(seed);
        let game = cell.game.canonical();
        let agent = |settings: &Settings| {
            root.derive("agent", &[settings.canonical().as_bytes(), game.as_bytes()])
        };
        Self {
            deal: root.derive("deal", &[game.as_bytes()]),
            opening: root.derive("opening", &[game.as_bytes()]),
            challenger: agent(&cell.challenger),
            opponent: agent(&cell.opponent),
            seats: cell.seats,
        }
    }

    /// The seeds of one game.
    pub fn game(&self, block: u64, rotation: usize) -> GameSeeds {
        let seat_seed = |seat: Seat| {
            let owner = if seat == rotation {
                &self.challenger
            } else {
                &self.opponent
            };
            owner.indexed([block, rotation as u64, seat as u64])
        };
        let mut agents = [self.challenger; MAX_SEATS];
        for (seat, agent) in agents.iter_mut().enumerate().take(self.seats) {
            *agent = seat_seed(seat);
        }
        GameSeeds {
            deal: self.deal(block),
            opening: self.opening.indexed([block, 0, 0]),
            agents,
        }
    }

    /// The seed of a block's deal (column `seed`).
    pub fn deal(&self, block: u64) -> Seed {
        self.deal.indexed([block, 0, 0])
    }
}

/// Number of the first block of a confirmation: behind every block that a selection can have, and
/// the same however far a run is extended, so that its deals stay disjoint from the selection's.
pub const CONFIRM_FIRST_BLOCK: u64 = 1_000_000_000_000;

impl Cell {
    /// Number of games if no stopping rule ends the cell early.
    pub fn games(&self) -> u64 {
        self.blocks.saturating_mul(self.rotations as u64)
    }

    /// What is played in the cell, as text: two cells with equal content play the same games in
    /// equal blocks. The number and the names of the cell have no part in it.
    pub fn content(&self) -> String {
        format!(
            "{}|{}|{}",
            self.game.canonical(),
            self.challenger.canonical(),
            self.opponent.canonical()
        )
    }
}

/// Axes that are a budget of search, in the order of preference.
const BUDGETS: [&str; 5] = [
    "simulations",
    "challenger.simulations",
    "worlds",
    "millis",
    "challenger.millis",
];

impl Plan {
    /// The axis that is the budget of search, if one is.
    pub fn budget_axis(&self) -> Option<usize> {
        let place = |name| self.axes.iter().position(|axis| axis == name);
        BUDGETS.into_iter().find_map(place)
    }

    /// Whether its cells are the pairings of a tournament: its config declares players.
    pub fn is_tournament(&self) -> bool {
        self.resolved.lines().any(|line| line == "[[players]]")
    }

    /// Number of games of the planned cells if no stopping rule ends one early; confirmations
    /// come on top ([`Plan::confirm_games`]).
    pub fn games(&self) -> u64 {
        self.cells.iter().map(Cell::games).sum()
    }

    /// The claims of kind `best`, by their index in `claims`: each is followed by one confirmation.
    pub fn selections(&self) -> impl Iterator<Item = usize> {
        self.claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| claim.kind == ClaimKind::Best)
            .map(|(index, _)| index)
    }

    /// The cell that confirms a selection: cell `selected` again, on deals that no other cell
    /// plays. `claim` is the index of a claim of kind `best` that covers it; `None` otherwise.
    ///
    /// Its number follows the plan's cells in the order of the claims, whatever is selected.
    /// Who wins the selection is known only after the selection's last block.
    pub fn confirm_cell(&self, claim: usize, selected: usize) -> Option<Cell> {
        let place = self.selections().position(|index| index == claim)?;
        if !self.claims[claim].cells.contains(&selected) {
            return None;
        }
        Some(Cell {
            index: self.cells.len() + place,
            phase: Phase::Confirm,
            first_block: CONFIRM_FIRST_BLOCK,
            ..self.cells.get(selected)?.clone()
        })
    }

    /// Number of games of all confirmations.
    pub fn confirm_games(&self) -> u64 {
        self.selections()
            .filter_map(|claim| {
                let cells = self.claims[claim].cells.iter();
                cells
                    .filter_map(|&cell| self.cells.get(cell))
                    .map(Cell::games)
                    .max()
            })
            .sum()
    }

    /// What must be said about the design before anything is played, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let placebo = self.cells.iter().any(|cell| cell.phase == Phase::Placebo);
        if self.seats == SeatMode::Fixed && !placebo {
            notes.push(
                "The challenger always sits in seat 0, so a good seat looks like a good player: \
                 no claim can be supported. Set seats = \"rotate\", or placebo = true to see what \
                 the seat alone does."
                    .to_owned(),
            );
        }
        let rounded: Vec<&Cell> = self
            .cells
            .iter()
            .filter(|cell| cell.games() != self.games_asked)
            .collect();
        if let Some(cell) = rounded.first() {
            notes.push(format!(
                "{} games a cell are rounded up to whole blocks: {} blocks of {} games.",
                self.games_asked, cell.blocks, cell.rotations
            ));
        }
        notes
    }

    /// The hash of the resolved config (BLAKE3, hexadecimal).
    pub fn resolved_hash(&self) -> String {
        blake3::hash(self.resolved.as_bytes()).to_hex().to_string()
    }
}
