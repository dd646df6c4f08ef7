//! Names as they are typed on a command line: `name`, `name:key=value,key=value`, `exec:COMMAND`.

use super::document::{Entry, Node, Origin, Raw};
use super::entrant::{self, Entrant, MAX_LABEL, Role, Side};
use super::error::{ConfigError, Problems, shown};
use super::grid::{Trials, played_games};
use super::sweep::{self, Challenger, Config, MAX_GAMES};
use super::values::typed;
use crate::plan::{Plan, SeatMode, StopRule};
use crate::spec::{OptionKind, Settings};

const NO_LISTS: &str = "a command line names one value; lists belong in a config";

/// A game typed as `durak:players=4,transfer=on`, with the random opening moves
/// (`opening_plies`), which every game has.
///
/// # Errors
/// What is wrong with the argument, which the message names.
pub fn game(text: &str) -> Result<(Settings, u32), ConfigError> {
    let (entrant, opening_plies) = game_entrant(text)?;
    let mut problems = Problems::of(text);
    let played = played_games(&entrant, &mut problems);
    let settings = played.into_iter().next().map(|game| game.variant.settings);
    Ok((problems.into_result(settings)?, opening_plies))
}

/// An option typed for every program of a command: its key and value, such as `protocol`, `board`
/// for `--protocol board`.
pub type ExecOption = (&'static str, String);

/// An agent typed as `ismcts:simulations=1000,exploration=0.7` or `exec:./bot --fast`, checked to
/// play `game`.
///
/// # Errors
/// What is wrong with the argument, which the message names.
pub fn agent(text: &str, game: &Settings) -> Result<Settings, ConfigError> {
    agent_with(text, game, &[])
}

/// [`agent`], with options for it if it is a program.
///
/// # Errors
/// As [`agent`], and what is wrong with an option for programs.
pub fn agent_with(
    text: &str,
    game: &Settings,
    exec: &[ExecOption],
) -> Result<Settings, ConfigError> {
    let entrant = agent_entrant(text, exec)?;
    let mut problems = Problems::of(text);
    let settings = entrant.variants().pop().map(|variant| variant.settings);
    if let Some(settings) = &settings {
        Trials::default().check_settings(game, settings, &entrant, &mut problems);
    }
    problems.into_result(settings)
}

fn game_entrant(text: &str) -> Result<(Entrant, u32), ConfigError> {
    let mut entries = entries_of(text, Side::Game)?;
    let mut problems = Problems::of(text);
    let mut opening_plies = Some(0);
    if let Some(place) = entries
        .iter()
        .position(|entry| entry.key == "opening_plies")
    {
        let entry = entries.remove(place);
        let origin = entry.origin.clone();
        let alone = std::slice::from_ref(&entry);
        opening_plies = sweep::read_opening_plies(alone, &origin, "", &mut problems);
    }
    let role = Role {
        side: Side::Game,
        axes: Err(NO_LISTS),
        links: false,
        further: &["opening_plies"],
    };
    let entrant = entrant::read(
        &entries,
        &Origin::Argument(shown(text)),
        "",
        role,
        &mut problems,
    );
    problems.into_result(entrant.zip(opening_plies))
}

fn agent_entrant(text: &str, exec: &[ExecOption]) -> Result<Entrant, ConfigError> {
    let mut entries = entries_of(text, Side::Agent)?;
    if text.starts_with("exec:") {
        entries.extend(exec.iter().map(exec_entry));
    }
    let mut problems = Problems::of(text);
    let role = Role {
        side: Side::Agent,
        axes: Err(NO_LISTS),
        links: false,
        further: &[],
    };
    let entrant = entrant::read(
        &entries,
        &Origin::Argument(shown(text)),
        "",
        role,
        &mut problems,
    );
    problems.into_result(entrant)
}

/// An option for programs as an entry; messages name it as it was typed.
fn exec_entry((key, value): &ExecOption) -> Entry {
    let flag = key.replace('_', "-");
    let origin = Origin::Argument(format!("--{flag} {}", shown(value)));
    Entry {
        key: (*key).to_owned(),
        origin: origin.clone(),
        node: Node {
            origin,
            raw: typed(value, kind_of("exec", Side::Agent, key)),
        },
    }
}

/// The kind of an option; any for one that does not exist.
fn kind_of(name: &str, side: Side, key: &str) -> OptionKind {
    if side == Side::Game && key == "opening_plies" {
        return OptionKind::Integer {
            min: 0,
            max: i64::MAX,
        };
    }
    side.options(name)
        .unwrap_or_default()
        .iter()
        .find(|spec| spec.name == key)
        .map_or(OptionKind::Text, |spec| spec.kind)
}

/// The argument as the entries of a table.
fn entries_of(text: &str, side: Side) -> Result<Vec<Entry>, ConfigError> {
    let origin = Origin::Argument(shown(text));
    let entry = |key: &str, raw: Raw| Entry {
        key: key.to_owned(),
        origin: origin.clone(),
        node: Node {
            origin: origin.clone(),
            raw,
        },
    };
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    if name == "exec" && side == Side::Agent {
        if rest.trim().is_empty() {
            return Err(ConfigError::whole(
                text,
                "names no program: write exec:COMMAND, such as exec:./bot",
            ));
        }
        return Ok(vec![entry(side.name_key(), Raw::Text(text.to_owned()))]);
    }
    let mut entries = vec![entry(side.name_key(), Raw::Text(name.to_owned()))];
    for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
        let Some((key, value)) = part.split_once('=') else {
            return Err(ConfigError::whole(
                &shown(text),
                format!(
                    "`{}` is no KEY=VALUE: options are written {name}:key=value,key=value",
                    shown(part)
                ),
            ));
        };
        let (key, value) = (key.trim(), value.trim());
        if entries.iter().any(|entry| entry.key == key) {
            return Err(ConfigError::whole(
                &shown(text),
                format!("`{}` is given twice", shown(key)),
            ));
        }
        let kind = kind_of(name, side, key);
        entries.push(entry(key, typed(value, kind)));
    }
    Ok(entries)
}

/// `elo0,elo1,alpha,beta` as typed after `--sprt`.
///
/// # Errors
/// What is wrong with the argument.
pub fn sprt(text: &str) -> Result<StopRule, ConfigError> {
    let wrong = |message: String| {
        Err(ConfigError::whole(
            &format!("--sprt {}", shown(text)),
            message,
        ))
    };
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>())
        .collect::<Result<_, _>>()
        .unwrap_or_default();
    let [elo0, elo1, alpha, beta] = numbers[..] else {
        return wrong(
            "must be four numbers, elo0,elo1,alpha,beta, such as 0,10,0.05,0.05".to_owned(),
        );
    };
    for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
        if !(-2000.0..=2000.0).contains(&elo) {
            return wrong(format!(
                "{name} must be from -2000 to 2000 (logistic Elo), not {elo}"
            ));
        }
    }
    for (name, rate) in [("alpha", alpha), ("beta", beta)] {
        if !(rate > 0.0 && rate < 0.5) {
            return wrong(format!("{name} must be above 0 and below 0.5, not {rate}"));
        }
    }
    if elo0 >= elo1 {
        return wrong("elo1 must be above elo0".to_owned());
    }
    Ok(StopRule::Sprt {
        elo0: elo0 + 0.0,
        elo1: elo1 + 0.0,
        alpha,
        beta,
    })
}

/// The agent with all its options as its label: a match has no columns for them.
fn labelled(mut agent: Entrant) -> Entrant {
    let settings = agent.variants().pop().map(|variant| variant.settings);
    agent.label = settings
        .filter(|settings| !settings.values.is_empty() && settings.name != "exec")
        .map(|settings| settings.canonical())
        .filter(|label| label.chars().count() <= MAX_LABEL);
    agent
}

/// A match as it was typed: two agents at a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Match<'a> {
    /// The agent whose score is reported.
    pub challenger: &'a str,
    /// The agent in the other seats.
    pub opponent: &'a str,
    /// The game.
    pub game: &'a str,
    /// Root seed.
    pub seed: u64,
    /// Number of games, rounded up to whole blocks; the most there can be with a stopping rule.
    pub games: u64,
    /// Confidence level, above 0.5 and below 1.
    pub confidence: f64,
    /// When it ends.
    pub stop: StopRule,
    /// Options of both, where they are programs.
    pub exec: &'a [ExecOption],
}

impl Match<'_> {
    /// The plan of the match: one cell, the seats rotated.
    ///
    /// # Errors
    /// What is wrong with which argument.
    pub fn plan(&self) -> Result<Plan, ConfigError> {
        self.config()?.plan()
    }

    fn config(&self) -> Result<Config, ConfigError> {
        if !(1..=MAX_GAMES).contains(&self.games) {
            return Err(ConfigError::whole(
                &format!("--games {}", self.games),
                format!("must be from 1 to {MAX_GAMES}"),
            ));
        }
        if !(self.confidence > 0.5 && self.confidence < 1.0) {
            return Err(ConfigError::whole(
                &format!("--confidence {}", self.confidence),
                "must be above 0.5 and below 1, such as 0.95",
            ));
        }
        let (game, opening_plies) = game_entrant(self.game)?;
        Ok(Config {
            path: "the match".to_owned(),
            name: sweep::safe_name(&format!(
                "{}-v-{}-{}",
                self.challenger, self.opponent, self.game
            )),
            seed: self.seed,
            games: self.games,
            confidence: self.confidence,
            seats: SeatMode::Rotate,
            placebo: false,
            game,
            opening_plies,
            game_first: true,
            challengers: vec![Challenger {
                entrant: labelled(agent_entrant(self.challenger, self.exec)?),
                against: None,
            }],
            opponents: vec![labelled(agent_entrant(self.opponent, self.exec)?)],
            claims: Vec::new(),
            stop: self.stop,
            stop_origin: Origin::Argument("--sprt".to_owned()),
        })
    }
}
