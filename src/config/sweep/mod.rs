//! Reading the config of a sweep: every key checked, nothing expanded yet.

mod claim;
mod stop;

use super::document::{self, Entry, Node, Origin, Raw};
use super::entrant::{self, Entrant, Role, Side};
use super::error::{ConfigError, Problems, shown};
use super::overrides::Overrides;
use super::reader::Reader;
use crate::plan::{SeatMode, StopRule};
pub(super) use claim::ClaimConfig;
use claim::read_claim;
pub(super) use stop::read_stop;

/// The most games a cell may have: the blocks of confirmations begin behind them.
pub const MAX_GAMES: u64 = 1_000_000_000_000;

/// The most random opening moves.
pub const MAX_OPENING_PLIES: u64 = 1_000;

/// Top-level keys.
const KEYS: [&str; 12] = [
    "name",
    "seed",
    "games",
    "confidence",
    "seats",
    "placebo",
    "game",
    "challenger",
    "challengers",
    "opponents",
    "claims",
    "stop",
];

/// Words of `seats`.
pub(super) const SEATS: [(&str, SeatMode); 2] =
    [("rotate", SeatMode::Rotate), ("fixed", SeatMode::Fixed)];

pub(super) const GAME_ROLE: Role = Role {
    side: Side::Game,
    axes: Ok(()),
    links: false,
    further: &["opening_plies"],
};

pub(super) const CHALLENGER_ROLE: Role = Role {
    side: Side::Agent,
    axes: Ok(()),
    links: false,
    further: &["against"],
};

pub(super) const OPPONENT_ROLE: Role = Role {
    side: Side::Agent,
    axes: Err("opponents have no axes; write a table [[opponents]] for each value"),
    links: true,
    further: &[],
};

/// A config as it was written, with overrides, checked key by key. [`Config::plan`] expands it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) games: u64,
    pub(super) confidence: f64,
    pub(super) seats: SeatMode,
    pub(super) placebo: bool,
    pub(super) game: Entrant,
    pub(super) opening_plies: u32,
    /// Whether `[game]` stands before the challengers: its axes are the first columns then.
    pub(super) game_first: bool,
    pub(super) challengers: Vec<Challenger>,
    pub(super) opponents: Vec<Entrant>,
    pub(super) claims: Vec<ClaimConfig>,
    pub(super) stop: StopRule,
    /// Where the stopping rule was written.
    pub(super) stop_origin: Origin,
}

/// A challenger and whom it plays.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Challenger {
    pub entrant: Entrant,
    /// Labels of its opponents; all if it was not given.
    pub against: Option<Vec<(String, Origin)>>,
}

/// Reads the config of a sweep. `path` names it in messages.
///
/// # Errors
/// Everything that is wrong with its keys and values, a sentence each with file, line and key.
pub fn parse(text: &str, path: &str, overrides: &Overrides) -> Result<Config, ConfigError> {
    let mut entries = document::parse(text, path)?;
    overrides.apply(&mut entries)?;
    let mut problems = Problems::of(path);
    if let Some(entry) = entries.iter().find(|entry| entry.key == "players") {
        problems.add(
            &entry.origin,
            "",
            "`players` belongs to a tournament: run `evalctl tournament` with this config, or write [challenger] and [[opponents]] for a sweep",
        );
        return problems.into_result(None);
    }
    let config = read(&entries, path, &mut problems);
    problems.into_result(config)
}

fn read(entries: &[Entry], path: &str, problems: &mut Problems) -> Option<Config> {
    let mut reader = Reader::new("", &Origin::File, entries, &KEYS, problems);
    let common = read_common(&mut reader, path);
    let seats = reader.choice("seats", &SEATS).unwrap_or_default();
    let placebo = reader.flag("placebo").unwrap_or(false);
    let claims: Vec<Option<ClaimConfig>> = reader
        .tables("claims")
        .into_iter()
        .map(|(table, origin)| read_claim(table, origin, reader.problems()))
        .collect();
    let (stop, stop_origin) = reader
        .table("stop")
        .map_or((StopRule::Fixed, Origin::File), |(table, origin)| {
            (read_stop(table, origin, reader.problems()), origin.clone())
        });
    let game = read_game(&mut reader, GAME_ROLE);
    let challengers = read_challengers(&mut reader);
    let opponents = read_opponents(&mut reader);
    let game_first =
        reader.comes_first("game", "challenger") && reader.comes_first("game", "challengers");
    let common = common?;
    let (game, opening_plies) = game?;
    let mut config = Config {
        path: path.to_owned(),
        name: common.name,
        seed: common.seed,
        games: common.games,
        confidence: common.confidence,
        seats,
        placebo,
        game,
        opening_plies,
        game_first,
        challengers: challengers?,
        opponents: opponents?,
        claims: claims.into_iter().collect::<Option<_>>()?,
        stop,
        stop_origin,
    };
    default_opponent_names(&mut config);
    Some(config)
}

/// What every config of games to be played says.
pub(super) struct Common {
    pub name: String,
    pub seed: u64,
    pub games: u64,
    pub confidence: f64,
}

pub(super) fn read_common(reader: &mut Reader<'_>, path: &str) -> Option<Common> {
    let name = match reader.text("name") {
        Some(name) => match check_name(name) {
            Ok(()) => Some(name.to_owned()),
            Err(message) => {
                reader.wrong("name", &message);
                None
            }
        },
        None if reader.node("name").is_some() => None,
        None => Some(name_of(path)),
    };
    let seed = match reader.node("seed") {
        Some(_) => reader.whole("seed", 0, u64::MAX),
        None => Some(0),
    };
    let games = match reader.node("games").map(|node| &node.raw) {
        None => {
            reader.missing(
                "games",
                "write how many games a cell plays, such as games = 200",
            );
            None
        }
        Some(Raw::Integer(0)) => {
            reader.wrong("games", "is 0: nothing would be played; write at least 1");
            None
        }
        Some(_) => reader.whole("games", 1, MAX_GAMES),
    };
    let confidence = match reader.node("confidence") {
        Some(_) => reader.real("confidence", "above 0.5 and below 1, such as 0.95", |c| {
            c > 0.5 && c < 1.0
        }),
        None => Some(0.95),
    };
    Some(Common {
        name: name?,
        seed: seed?,
        games: games?,
        confidence: confidence?,
    })
}

/// Whether `name` is safe as the name of a folder on every system.
///
/// # Errors
/// What is wrong with it, after the key.
pub fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 100 {
        return Err(
            "must have 1 to 100 characters: results go to a folder of this name".to_owned(),
        );
    }
    if !name.chars().all(plain) || name.starts_with(['.', '-']) || name.ends_with('.') {
        return Err(format!(
            "cannot be \"{}\": results go to a folder of this name, so write letters, digits, `-`, `_` and `.`, beginning with a letter or digit",
            shown(name)
        ));
    }
    Ok(())
}

/// The name of a config that says none: its file's, without what no folder should be called.
fn name_of(path: &str) -> String {
    let stem = std::path::Path::new(path)
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    safe_name(&stem)
}

/// `text` as a safe name for a folder.
pub fn safe_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(100);
    let name = name.trim_matches(['.', '-']);
    if name.is_empty() { "run" } else { name }.to_owned()
}

/// `[game]` and its opening moves.
pub(super) fn read_game(reader: &mut Reader<'_>, role: Role) -> Option<(Entrant, u32)> {
    if reader.node("game").is_none() {
        reader.missing("game", "write a line [game] and below it name = \"...\"");
        return None;
    }
    let (entries, origin) = reader.table("game")?;
    let problems = reader.problems();
    let plies = entries
        .iter()
        .position(|entry| entry.key == "opening_plies");
    let opening_plies = plies.map_or(Some(0), |at| {
        read_opening_plies(&entries[at..=at], origin, "[game]", problems)
    });
    let game = entrant::read(entries, origin, "[game]", role, problems);
    Some((game?, opening_plies?))
}

/// Reads `opening_plies`, the only one of `entries`.
pub(super) fn read_opening_plies(
    entries: &[Entry],
    origin: &Origin,
    section: &str,
    problems: &mut Problems,
) -> Option<u32> {
    let key = "opening_plies";
    let mut reader = Reader::new(section, origin, entries, &[key], problems);
    if let Some(Raw::List(_)) = reader.node(key).map(|node| &node.raw) {
        reader.wrong(
            key,
            "cannot be a list: openings are the same in every cell, so that cells can be compared",
        );
        return None;
    }
    reader
        .whole(key, 0, MAX_OPENING_PLIES)
        .and_then(|plies| u32::try_from(plies).ok())
}

/// `[challenger]`, `[[challengers]]` or both, in the order of the file.
fn read_challengers(reader: &mut Reader<'_>) -> Option<Vec<Challenger>> {
    let mut tables: Vec<_> = reader
        .table("challenger")
        .map(|(table, origin)| ("[challenger]", table, origin))
        .into_iter()
        .collect();
    let several = reader.tables("challengers");
    let several = several
        .into_iter()
        .map(|(table, origin)| ("[[challengers]]", table, origin));
    if reader.comes_first("challenger", "challengers") {
        tables.extend(several);
    } else {
        tables.splice(0..0, several);
    }
    if tables.is_empty() {
        if reader.node("challenger").is_none()
            && reader.node("challengers").is_none_or(is_empty_list)
        {
            reader.missing(
                "challenger",
                "write a line [challenger] and below it agent = \"...\"",
            );
        }
        return None;
    }
    tables
        .into_iter()
        .map(|(section, table, origin)| read_challenger(table, origin, section, reader.problems()))
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

fn is_empty_list(node: &Node) -> bool {
    matches!(&node.raw, Raw::List(items) if items.is_empty())
}

fn read_challenger(
    table: &[Entry],
    origin: &Origin,
    section: &str,
    problems: &mut Problems,
) -> Option<Challenger> {
    let mut against = None;
    if let Some(entry) = table.iter().find(|entry| entry.key == "against") {
        let labels: Option<Vec<_>> = match &entry.node.raw {
            Raw::List(items) if !items.is_empty() => items
                .iter()
                .map(|item| match &item.raw {
                    Raw::Text(text) => Some((text.clone(), item.origin.clone())),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if labels.is_none() {
            let message = "`against` must be a list of opponents' names, such as [\"random\"]; without it a challenger plays all of them";
            problems.add(&entry.node.origin, section, message);
            return None;
        }
        against = labels;
    }
    let entrant = entrant::read(table, origin, section, CHALLENGER_ROLE, problems)?;
    Some(Challenger { entrant, against })
}

fn read_opponents(reader: &mut Reader<'_>) -> Option<Vec<Entrant>> {
    let tables = reader.tables("opponents");
    if tables.is_empty() {
        if reader.node("opponents").is_none_or(is_empty_list) {
            reader.missing(
                "opponents",
                "write a line [[opponents]] and below it agent = \"...\" for each opponent",
            );
        }
        return None;
    }
    tables
        .into_iter()
        .map(|(table, origin)| {
            entrant::read(
                table,
                origin,
                "[[opponents]]",
                OPPONENT_ROLE,
                reader.problems(),
            )
        })
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

/// A claim that names no opponent is about the only one.
fn default_opponent_names(config: &mut Config) {
    let labels = config.opponent_labels();
    if let [label] = labels.as_slice() {
        for claim in &mut config.claims {
            if claim.opponent.is_none() {
                claim.opponent = Some((label.clone(), claim.origin.clone()));
            }
        }
    }
}

impl Config {
    /// The labels of the opponents, in order.
    pub(super) fn opponent_labels(&self) -> Vec<String> {
        self.opponents
            .iter()
            .enumerate()
            .map(|(index, opponent)| {
                let settings = opponent
                    .variants()
                    .into_iter()
                    .next()
                    .map(|variant| variant.settings)
                    .unwrap_or_default();
                entrant::label_of(&self.opponents, index, &settings)
            })
            .collect()
    }

    /// The name, which is a safe name for a folder.
    pub fn name(&self) -> &str {
        &self.name
    }
}
