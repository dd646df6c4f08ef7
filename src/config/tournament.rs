//! The config of a tournament: many agents at one game, as a plan whose cells are the pairings.
//!
//! ```toml
//! name = "cup"
//! games = 100                # per pairing
//! format = "round-robin"     # or "gauntlet", "ladder"
//! [game]
//! name = "tictactoe"
//! [[players]]
//! agent = "perfect"
//! [[players]]
//! agent = "uct"
//! simulations = [10, 100]    # a list makes one player of each value
//! ```
//!
//! Everything below the config works on cells, so a tournament is played, resumed, sharded and
//! verified by the same code as a sweep.

use super::document::{self, Entry, Origin};
use super::entrant::{self, Entrant, Role, Side, Variant};
use super::error::{ConfigError, Problems};
use super::grid::{MAX_CELLS, PlayedGame, Trials, played_games};
use super::overrides::Overrides;
use super::reader::Reader;
use super::resolve::quoted;
use super::sweep::{read_common, read_game};
use crate::plan::{Cell, Phase, Plan, SeatMode, StopRule};

/// Top-level keys.
const KEYS: [&str; 7] = [
    "name",
    "seed",
    "games",
    "confidence",
    "format",
    "game",
    "players",
];

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Each against each.
    #[default]
    RoundRobin,
    /// The first player against all others.
    Gauntlet,
    /// Each player against the next.
    Ladder,
}

/// Formats by their words.
pub(super) const FORMATS: [(&str, Format); 3] = [
    ("round-robin", Format::RoundRobin),
    ("gauntlet", Format::Gauntlet),
    ("ladder", Format::Ladder),
];

impl Format {
    /// The pairings of `players` players, by index, in the order of the plan.
    fn pairings(self, players: usize) -> Vec<(usize, usize)> {
        match self {
            Self::RoundRobin => (0..players)
                .flat_map(|one| (one + 1..players).map(move |other| (one, other)))
                .collect(),
            Self::Gauntlet => (1..players).map(|other| (0, other)).collect(),
            Self::Ladder => (1..players).map(|other| (other - 1, other)).collect(),
        }
    }
}

/// The config of a tournament, checked key by key. [`TournamentConfig::plan`] expands it.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentConfig {
    path: String,
    name: String,
    seed: u64,
    games: u64,
    confidence: f64,
    format: Format,
    game: Entrant,
    opening_plies: u32,
    players: Vec<Entrant>,
}

/// A player: a table with one value for each of its lists.
struct Player<'a> {
    entrant: &'a Entrant,
    variant: Variant,
    label: String,
}

/// Reads the config of a tournament. `path` names it in messages.
///
/// # Errors
/// Everything that is wrong with its keys and values, a sentence each with file, line and key.
pub fn parse(
    text: &str,
    path: &str,
    overrides: &Overrides,
) -> Result<TournamentConfig, ConfigError> {
    let mut entries = document::parse(text, path)?;
    overrides.apply(&mut entries)?;
    let mut problems = Problems::of(path);
    let sweeps = ["challenger", "challengers", "opponents"];
    if let Some(entry) = entries
        .iter()
        .find(|entry| sweeps.contains(&entry.key.as_str()))
    {
        let message = format!(
            "`{}` belongs to a sweep: run `evalctl sweep` with this config, or write every player as [[players]]",
            entry.key
        );
        problems.add(&entry.origin, "", message);
        return problems.into_result(None);
    }
    let config = read(&entries, path, &mut problems);
    problems.into_result(config)
}

fn read(entries: &[Entry], path: &str, problems: &mut Problems) -> Option<TournamentConfig> {
    let mut reader = Reader::new("", &Origin::File, entries, &KEYS, problems);
    let common = read_common(&mut reader, path);
    let format = reader.choice("format", &FORMATS).unwrap_or_default();
    let role = Role {
        side: Side::Game,
        axes: Err("a tournament is about one game; write a config for each"),
        links: false,
        further: &["opening_plies"],
    };
    let game = read_game(&mut reader, role);
    let players = read_players(&mut reader);
    let common = common?;
    let (game, opening_plies) = game?;
    Some(TournamentConfig {
        path: path.to_owned(),
        name: common.name,
        seed: common.seed,
        games: common.games,
        confidence: common.confidence,
        format,
        game,
        opening_plies,
        players: players?,
    })
}

fn read_players(reader: &mut Reader<'_>) -> Option<Vec<Entrant>> {
    let role = Role {
        side: Side::Agent,
        axes: Ok(()),
        links: false,
        further: &[],
    };
    let tables = reader.tables("players");
    if tables.is_empty() && reader.node("players").is_none() {
        reader.missing(
            "players",
            "write a line [[players]] and below it agent = \"...\" for each player",
        );
    }
    tables
        .into_iter()
        .map(|(table, origin)| entrant::read(table, origin, "[[players]]", role, reader.problems()))
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

impl TournamentConfig {
    /// Expands the config: a cell for each pairing, the first player as the challenger. With more
    /// than two seats each pairing is two cells, as one player against several copies of the
    /// other is not the same the other way round.
    ///
    /// # Errors
    /// Players that cannot be told apart or do not play the game, fewer than two players.
    pub fn plan(&self) -> Result<Plan, ConfigError> {
        let mut problems = Problems::of(&self.path);
        let plan = self.expand(&mut problems);
        problems.into_result(plan)
    }

    /// Number of pairings of a round-robin; `None` if it is astronomical.
    pub(super) fn size(&self) -> Option<usize> {
        let count = self
            .players
            .iter()
            .try_fold(0_usize, |sum, player| player.count()?.checked_add(sum))?;
        Some(count.checked_mul(count.saturating_sub(1))? / 2)
    }

    fn expand(&self, problems: &mut Problems) -> Option<Plan> {
        let pairings = self.size();
        if pairings.is_none_or(|pairings| pairings > MAX_CELLS) {
            let message =
                format!("there are too many players: at most {MAX_CELLS} pairings are played");
            problems.add(&Origin::File, "", message);
            return None;
        }
        let players = self.entries();
        if players.len() < 2 {
            problems.add(
                &Origin::File,
                "",
                "a tournament needs at least two [[players]]",
            );
            return None;
        }
        let game = played_games(&self.game, problems).pop()?;
        let mut trials = Trials::default();
        for (index, player) in players.iter().enumerate() {
            trials.check(&game, &player.variant.settings, player.entrant, problems);
            let twin = players[..index].iter().find(|other| {
                other.label == player.label || other.variant.settings == player.variant.settings
            });
            if let Some(twin) = twin {
                let message = if twin.variant.settings == player.variant.settings {
                    format!(
                        "`{}` is the same as `{}` before: remove one",
                        player.label, twin.label
                    )
                } else {
                    format!(
                        "two players are called `{}`: give one a `label`",
                        player.label
                    )
                };
                problems.add(&player.entrant.origin, "[[players]]", message);
            }
        }
        let mut cells = Vec::new();
        for (one, other) in self.format.pairings(players.len()) {
            cells.push(self.cell(&game, &players[one], &players[other], cells.len()));
            if game.info.seats > 2 {
                cells.push(self.cell(&game, &players[other], &players[one], cells.len()));
            }
        }
        Some(Plan {
            name: self.name.clone(),
            seed: self.seed,
            confidence: self.confidence,
            seats: SeatMode::Rotate,
            games_asked: self.games,
            opening_plies: self.opening_plies,
            axes: Vec::new(),
            cells,
            claims: Vec::new(),
            stop: StopRule::Fixed,
            resolved: self.resolved(),
        })
    }

    /// The players, every list written out.
    fn entries(&self) -> Vec<Player<'_>> {
        let mut players = Vec::new();
        for (index, entrant) in self.players.iter().enumerate() {
            for variant in entrant.variants() {
                let mut label = entrant::label_of(&self.players, index, &variant.settings);
                for (field, value) in entrant.axes().zip(&variant.axes) {
                    if field.key != Side::Agent.name_key() {
                        let mark = if label.contains(':') { ',' } else { ':' };
                        label = format!("{label}{mark}{}={value}", field.key);
                    }
                }
                players.push(Player {
                    entrant,
                    variant,
                    label,
                });
            }
        }
        players
    }

    fn cell(&self, game: &PlayedGame, one: &Player<'_>, other: &Player<'_>, index: usize) -> Cell {
        Cell {
            index,
            label: one.label.clone(),
            challenger: one.variant.settings.clone(),
            opponent: other.variant.settings.clone(),
            opponent_label: other.label.clone(),
            game: game.variant.settings.clone(),
            axes: Vec::new(),
            phase: Phase::Main,
            first_block: 0,
            blocks: self.games.div_ceil(game.info.seats as u64),
            rotations: game.info.seats,
            seats: game.info.seats,
            fair_share: game.info.fair_share,
        }
    }

    /// The config as canonical TOML, which is itself a config.
    pub fn resolved(&self) -> String {
        let format = FORMATS
            .iter()
            .find(|(_, format)| *format == self.format)
            .map_or("round-robin", |(word, _)| *word);
        let mut text = format!(
            "name = {}\nseed = {}\ngames = {}\nconfidence = {:?}\nformat = \"{format}\"\n\n[game]\n{}opening_plies = {}\n",
            quoted(&self.name),
            self.seed,
            self.games,
            self.confidence,
            self.game.lines(),
            self.opening_plies,
        );
        for player in &self.players {
            text.push_str("\n[[players]]\n");
            text.push_str(&player.lines());
        }
        text
    }

    /// Who plays whom.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The name, which is a safe name for a folder.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUP: &str = r#"
name = "cup"
games = 9
[game]
name = "tictactoe"
[[players]]
agent = "perfect"
[[players]]
agent = "uct"
simulations = [10, 1000]
[[players]]
agent = "random"
"#;

    fn plan(text: &str) -> Result<Plan, ConfigError> {
        parse(text, "cup.toml", &Overrides::default())?.plan()
    }

    fn pairings(text: &str) -> Vec<String> {
        let plan = plan(text).unwrap_or_else(|error| panic!("{error}"));
        plan.cells
            .iter()
            .map(|cell| format!("{} v {}", cell.label, cell.opponent_label))
            .collect()
    }

    #[test]
    fn every_format_has_its_pairings() {
        assert_eq!(
            pairings(CUP),
            [
                "perfect v uct:simulations=10",
                "perfect v uct:simulations=1000",
                "perfect v random",
                "uct:simulations=10 v uct:simulations=1000",
                "uct:simulations=10 v random",
                "uct:simulations=1000 v random",
            ]
        );
        let gauntlet = CUP.replace("games = 9", "games = 9\nformat = \"gauntlet\"");
        assert_eq!(pairings(&gauntlet).len(), 3);
        let ladder = CUP.replace("games = 9", "games = 9\nformat = \"ladder\"");
        assert_eq!(pairings(&ladder)[2], "uct:simulations=1000 v random");
    }

    #[test]
    fn more_than_two_seats_make_two_cells_of_a_pairing() {
        let durak = CUP
            .replace("name = \"tictactoe\"", "name = \"durak\"\nplayers = 3")
            .replace("\"perfect\"", "\"lowest\"")
            .replace("\"uct\"", "\"ismcts\"");
        let plan = plan(&durak).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(plan.cells.len(), 12);
        assert_eq!((plan.cells[0].blocks, plan.cells[0].rotations), (3, 3));
        assert_eq!(plan.cells[0].label, plan.cells[1].opponent_label);
    }

    #[test]
    fn the_resolved_text_gives_the_same_plan() {
        let first = plan(CUP).unwrap();
        assert_eq!(plan(&first.resolved).unwrap(), first);
    }

    #[test]
    fn wrong_tournaments_are_refused_in_words() {
        let twice = format!("{CUP}[[players]]\nagent = \"uct\"\n");
        let cases = [
            (
                twice.as_str(),
                "cup.toml:13: [[players]] `uct` is the same as `uct:simulations=1000` before: remove one",
            ),
            (
                "games = 2\n[game]\nname = \"tictactoe\"\n[[players]]\nagent = \"first\"\n",
                "cup.toml: a tournament needs at least two [[players]]",
            ),
            (
                "games = 2\n[challenger]\nagent = \"first\"\n",
                "cup.toml:2: `challenger` belongs to a sweep: run `evalctl sweep` with this config, or write every player as [[players]]",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(plan(text).unwrap_err().to_string(), message);
        }
    }
}
