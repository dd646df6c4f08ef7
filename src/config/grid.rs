//! From a config to a plan: the cells in their order, each with its game, players and blocks.
//!
//! Order of cells: for each challenger in the order of the file, for each assignment of the axes
//! (the axes of the table that stands first, `[game]` or the challenger, change slowest; within a
//! table the first axis changes slowest), for each opponent. Placebo cells follow, for each game
//! and opponent. Axes are columns in the same order.
//!
//! Cells with the same content would be the same games twice under two numbers, and are refused.

use std::collections::{BTreeMap, BTreeSet};

use super::claims;
use super::document::Origin;
use super::entrant::{self, Entrant, Side, Variant};
use super::error::{ConfigError, Problems, quoted, suggestion};
use super::sweep::Config;
use crate::agents::BuildError;
use crate::games::GameInfo;
use crate::plan::{Cell, Phase, Plan, SeatMode, StopRule};
use crate::spec::{Settings, Value};
use crate::table::{self, TableOptions};

/// The most cells of a plan: more are a slip in the config, and no report could show them.
pub const MAX_CELLS: usize = 10_000;

/// A game that is played, with what it is.
pub(super) struct PlayedGame {
    pub variant: Variant,
    pub info: GameInfo,
}

/// A column of an axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub side: Side,
    pub key: String,
    /// Its name in files: the key, prefixed where both sides have it.
    pub name: String,
}

impl Config {
    /// Expands the config: every cell with its blocks, every claim with its cells.
    ///
    /// # Errors
    /// Options that cannot be played together, agents that do not play the game, claims about
    /// nothing, cells that are the same, too many cells: each with file, line and key.
    pub fn plan(&self) -> Result<Plan, ConfigError> {
        let mut problems = Problems::of(&self.path);
        let plan = self.expand(&mut problems);
        problems.into_result(plan)
    }

    fn expand(&self, problems: &mut Problems) -> Option<Plan> {
        self.check_size(problems);
        self.check_labels(problems);
        if !problems.is_empty() {
            return None;
        }
        let games = played_games(&self.game, problems);
        if !problems.is_empty() {
            return None;
        }
        self.check_stop(&games, problems);
        let columns = self.columns();
        let mut cells = self.main_cells(&games, &columns, problems);
        if !problems.is_empty() {
            return None;
        }
        let claims = claims::resolve(self, &mut cells, &columns, problems);
        if self.placebo {
            add_placebos(&mut cells, columns.len());
        }
        for (index, cell) in cells.iter_mut().enumerate() {
            cell.index = index;
        }
        if !problems.is_empty() {
            return None;
        }
        Some(Plan {
            name: self.name.clone(),
            seed: self.seed,
            confidence: self.confidence,
            seats: self.seats,
            games_asked: self.games,
            opening_plies: self.opening_plies,
            axes: columns.into_iter().map(|column| column.name).collect(),
            cells,
            claims,
            stop: self.stop,
            resolved: self.resolved(),
        })
    }

    /// Number of cells but for placebos; `None` if it is astronomical.
    pub(super) fn size(&self) -> Option<usize> {
        let games = self.game.count()?;
        self.challengers
            .iter()
            .try_fold(0_usize, |sum, challenger| {
                let variants = challenger.entrant.count()?.checked_mul(games)?;
                variants.checked_mul(self.opponents.len())?.checked_add(sum)
            })
    }

    /// The number of cells is known, and bearable, before any is made.
    fn check_size(&self, problems: &mut Problems) {
        let cells = self.size();
        if cells.is_none_or(|cells| cells > MAX_CELLS) {
            let count = cells.map_or_else(|| "far too many".to_owned(), |cells| cells.to_string());
            let message = format!(
                "the grid has {count} cells, at most {MAX_CELLS} are played: shorten the lists"
            );
            problems.add(&Origin::File, "", message);
        }
    }

    fn check_labels(&self, problems: &mut Problems) {
        let labels = self.opponent_labels();
        for (index, label) in labels.iter().enumerate() {
            if labels[..index].contains(label) {
                let message = format!(
                    "is the same as an opponent before, `{label}`: remove it, or give it other options or a `label`"
                );
                problems.add(&self.opponents[index].origin, "[[opponents]]", message);
            }
        }
        for challenger in &self.challengers {
            for (wanted, origin) in challenger.against.iter().flatten() {
                if !labels.contains(wanted) {
                    let known: Vec<&str> = labels.iter().map(String::as_str).collect();
                    let message = format!(
                        "`against` names no opponent `{wanted}`{}",
                        suggestion(wanted, &known)
                    );
                    problems.add(origin, &challenger.entrant.section, message);
                }
            }
        }
    }

    fn check_stop(&self, games: &[PlayedGame], problems: &mut Problems) {
        if !matches!(self.stop, StopRule::Sprt { .. }) {
            return;
        }
        if self.seats == SeatMode::Fixed {
            let message = "rule = \"sprt\" counts pairs of games with swapped seats, so it needs seats = \"rotate\"";
            problems.add(&self.stop_origin, "[stop]", message);
        }
        if let Some(game) = games.iter().find(|game| game.info.seats != 2) {
            let message = format!(
                "rule = \"sprt\" is for two seats, and {} has {}: use \"precision\"",
                game.variant.settings, game.info.seats
            );
            problems.add(&self.stop_origin, "[stop]", message);
        }
    }

    /// The axes as columns: each key once, in order of appearance.
    fn columns(&self) -> Vec<Column> {
        let game = self
            .game
            .axes()
            .map(|field| (Side::Game, field.key.clone()));
        let mut agents: Vec<(Side, String)> = Vec::new();
        for challenger in &self.challengers {
            for field in challenger.entrant.axes() {
                let key = (Side::Agent, field.key.clone());
                if !agents.contains(&key) {
                    agents.push(key);
                }
            }
        }
        let keys: Vec<(Side, String)> = if self.game_first {
            game.chain(agents).collect()
        } else {
            agents.into_iter().chain(game).collect()
        };
        let both = |key: &String| keys.iter().filter(|(_, other)| other == key).count() > 1;
        keys.iter()
            .map(|(side, key)| Column {
                side: *side,
                key: key.clone(),
                name: match side {
                    _ if !both(key) => key.clone(),
                    Side::Game => format!("game.{key}"),
                    Side::Agent => format!("challenger.{key}"),
                },
            })
            .collect()
    }

    fn main_cells(
        &self,
        games: &[PlayedGame],
        columns: &[Column],
        problems: &mut Problems,
    ) -> Vec<Cell> {
        let mut trials = Trials::default();
        let mut cells = Vec::new();
        let mut seen: BTreeMap<(String, String, String), usize> = BTreeMap::new();
        let entrants: Vec<Entrant> = self
            .challengers
            .iter()
            .map(|challenger| challenger.entrant.clone())
            .collect();
        let labels = self.opponent_labels();
        let opponents: Vec<(&Entrant, &String, Variant)> = self
            .opponents
            .iter()
            .zip(&labels)
            .filter_map(|(entrant, label)| Some((entrant, label, entrant.variants().pop()?)))
            .collect();
        for (which, challenger) in self.challengers.iter().enumerate() {
            let entrant = &challenger.entrant;
            let variants = entrant.variants();
            for (game, variant) in in_order(games, &variants, self.game_first) {
                trials.check(game, &variant.settings, entrant, problems);
                for (opponent, opponent_label, own) in &opponents {
                    let against = challenger.against.as_ref();
                    if against
                        .is_some_and(|names| !names.iter().any(|(name, _)| name == *opponent_label))
                    {
                        continue;
                    }
                    let settings = match opponent.linked(&own.settings, &variant.settings) {
                        Ok(settings) => settings,
                        Err((field, message)) => {
                            let message = format!("`{}` {message}", field.key);
                            problems.add(&field.origin, &opponent.section, message);
                            continue;
                        }
                    };
                    trials.check(game, &settings, opponent, problems);
                    let cell = self.cell(game, &settings, opponent_label);
                    let cell = Cell {
                        label: entrant::label_of(&entrants, which, &variant.settings),
                        challenger: variant.settings.clone(),
                        axes: axis_values(columns, &self.game, game, entrant, variant),
                        phase: Phase::Main,
                        ..cell
                    };
                    let content = (
                        cell.game.canonical(),
                        cell.challenger.canonical(),
                        cell.opponent.canonical(),
                    );
                    if let Some(&before) = seen.get(&content) {
                        self.report_twin(&cell, &cells[before], entrant, problems);
                    } else {
                        seen.insert(content, cells.len());
                    }
                    cells.push(cell);
                }
            }
        }
        refuse_ambiguous_rows(&cells, problems);
        cells
    }

    fn report_twin(&self, cell: &Cell, twin: &Cell, entrant: &Entrant, problems: &mut Problems) {
        let other = self
            .challengers
            .iter()
            .map(|challenger| &challenger.entrant)
            .find(|other| {
                *other != entrant
                    && other
                        .variants()
                        .iter()
                        .any(|v| v.settings == twin.challenger)
            });
        let place = match other.map(|other| &other.origin) {
            Some(Origin::Line(line)) => format!(" (the table of line {line} gives it too)"),
            _ => String::new(),
        };
        let message = format!(
            "the cell `{}` against `{}` is in the grid twice{place}: the same games would be played twice; remove one",
            cell.challenger, cell.opponent_label
        );
        problems.add(&entrant.origin, &entrant.section, message);
    }

    /// A cell of `game` against `opponent`, as yet with the opponent in the challenger's seat.
    fn cell(&self, game: &PlayedGame, opponent: &Settings, opponent_label: &str) -> Cell {
        let rotations = match self.seats {
            SeatMode::Rotate => game.info.seats,
            SeatMode::Fixed => 1,
        };
        Cell {
            index: 0,
            label: format!("placebo:{opponent_label}"),
            challenger: opponent.clone(),
            opponent: opponent.clone(),
            opponent_label: opponent_label.to_owned(),
            game: game.variant.settings.clone(),
            axes: Vec::new(),
            phase: Phase::Placebo,
            first_block: 0,
            blocks: self.games.div_ceil(rotations as u64),
            rotations,
            seats: game.info.seats,
            fair_share: game.info.fair_share,
        }
    }
}

/// One placebo cell for each game and opponent that is played, in the order of the cells.
fn add_placebos(cells: &mut Vec<Cell>, axes: usize) {
    let mut seen = BTreeSet::new();
    let mut settings: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for cell in cells.iter() {
        let of_label = settings.entry(&cell.opponent_label).or_default();
        of_label.insert(cell.opponent.canonical());
    }
    let placebos: Vec<Cell> = cells
        .iter()
        .filter(|cell| seen.insert((cell.game.canonical(), cell.opponent.canonical())))
        .map(|cell| {
            // An opponent that follows the challenger is several players under one name.
            let several = settings
                .get(cell.opponent_label.as_str())
                .is_some_and(|settings| settings.len() > 1);
            let name = if several {
                cell.opponent.canonical()
            } else {
                cell.opponent_label.clone()
            };
            Cell {
                label: format!("placebo:{name}"),
                challenger: cell.opponent.clone(),
                axes: vec![None; axes],
                phase: Phase::Placebo,
                ..cell.clone()
            }
        })
        .collect();
    cells.extend(placebos);
}

/// Every game with every variant: the game outside if it stands first.
fn in_order<'a>(
    games: &'a [PlayedGame],
    variants: &'a [Variant],
    game_first: bool,
) -> Vec<(&'a PlayedGame, &'a Variant)> {
    if game_first {
        games
            .iter()
            .flat_map(|game| variants.iter().map(move |variant| (game, variant)))
            .collect()
    } else {
        variants
            .iter()
            .flat_map(|variant| games.iter().map(move |game| (game, variant)))
            .collect()
    }
}

/// The games of a config with what they are.
pub(super) fn played_games(game: &Entrant, problems: &mut Problems) -> Vec<PlayedGame> {
    let mut games = Vec::new();
    for variant in game.variants() {
        match table::game_info(&variant.settings) {
            Ok(info) => games.push(PlayedGame { variant, info }),
            Err(error) => report(&error, game, problems),
        }
    }
    games
}

/// The values of the columns in one cell.
fn axis_values(
    columns: &[Column],
    game: &Entrant,
    played: &PlayedGame,
    challenger: &Entrant,
    variant: &Variant,
) -> Vec<Option<Value>> {
    columns
        .iter()
        .map(|column| {
            let (entrant, variant) = match column.side {
                Side::Game => (game, &played.variant),
                Side::Agent => (challenger, variant),
            };
            let place = entrant.axes().position(|field| field.key == column.key)?;
            variant.axes.get(place).cloned()
        })
        .collect()
}

/// Rows that differ in no column but the cell's number could not be told apart.
fn refuse_ambiguous_rows(cells: &[Cell], problems: &mut Problems) {
    let mut seen: BTreeMap<(String, &str, String), &Cell> = BTreeMap::new();
    for cell in cells {
        let axes = format!("{:?}", cell.axes);
        let row = (cell.label.clone(), cell.opponent_label.as_str(), axes);
        if let Some(twin) = seen.insert(row, cell)
            && twin.challenger != cell.challenger
        {
            let message = format!(
                "two challengers are called `{}` and no axis tells them apart: give one a `label`",
                cell.label
            );
            problems.add(&Origin::File, "[[challengers]]", message);
        }
    }
}

/// Notes a game or agent that cannot be built, at the option that is at fault.
fn report(error: &BuildError, entrant: &Entrant, problems: &mut Problems) {
    let field = error
        .option
        .as_deref()
        .and_then(|option| entrant.field(option))
        .or_else(|| entrant.field(entrant.side.name_key()));
    let origin = field.map_or(&entrant.origin, |field| &field.origin);
    problems.add(origin, &entrant.section, error.message.clone());
}

/// Agents are built once at each game before anything is played, so that options which cannot be
/// played together are found here.
#[derive(Default)]
pub(super) struct Trials {
    done: BTreeSet<(String, String)>,
}

impl Trials {
    /// Builds the agent at the game, unless that was done before.
    pub(super) fn check(
        &mut self,
        game: &PlayedGame,
        agent: &Settings,
        entrant: &Entrant,
        problems: &mut Problems,
    ) {
        if agent.name == "human" {
            let message = "`human` cannot play here: people play with `evalctl play`";
            problems.add(name_origin(entrant), &entrant.section, message);
            return;
        }
        self.check_settings(&game.variant.settings, agent, entrant, problems);
    }

    /// The same with the game's settings alone, for people, too.
    pub(super) fn check_settings(
        &mut self,
        settings: &Settings,
        agent: &Settings,
        entrant: &Entrant,
        problems: &mut Problems,
    ) {
        if !self.done.insert((settings.canonical(), agent.canonical())) {
            return;
        }
        if let Some(message) = refused(&agent.name, &settings.name) {
            problems.add(name_origin(entrant), &entrant.section, message);
            return;
        }
        let players = std::slice::from_ref(agent);
        if let Err(error) = table::build(settings, players, &TableOptions::default()) {
            report(&error, entrant, problems);
        }
    }
}

/// Where the agent's name was written.
fn name_origin(entrant: &Entrant) -> &Origin {
    entrant
        .field(Side::Agent.name_key())
        .map_or(&entrant.origin, |field| &field.origin)
}

/// Why this agent cannot be played at this game at all.
fn refused(agent: &str, game: &str) -> Option<String> {
    let spec = crate::agents::specs()
        .iter()
        .find(|spec| spec.name == agent)?;
    if spec.games.is_empty() || spec.games.contains(&game) {
        return None;
    }
    let others: Vec<&str> = crate::agents::specs()
        .iter()
        .filter(|spec| spec.games.is_empty() || spec.games.contains(&game))
        .map(|spec| spec.name)
        .collect();
    Some(format!(
        "`{agent}` does not play {game} (it plays {}); {game} is played by {}",
        spec.games.join(", "),
        quoted(&others)
    ))
}
