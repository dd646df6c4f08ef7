//! What a program's player can be told: its command, dialect and limits.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::bot::ExternalAgent;
use super::command::{CommandError, ResolvedCommand, split_words};
use super::containment::Sandbox;
use super::dialect::Dialect;
use super::limits::Limits;
use super::process::ProcessSpec;
use crate::agents::{BuildError, Player};
use crate::games::Game;
use crate::spec::{AgentSpec, OptionKind, OptionSpec, Settings, Value};

/// The spec of a program as a player.
pub const SPEC: AgentSpec = AgentSpec {
    name: "exec",
    help: "Any program that reads standard input and writes standard output: `exec:COMMAND`, split like shell words, without a shell.",
    games: &[],
    options: &[
        OptionSpec {
            name: "command",
            kind: OptionKind::Text,
            default: "",
            help: "The program and its first arguments, split like shell words; files that exist are made absolute.",
        },
        OptionSpec {
            name: "args",
            kind: OptionKind::TextList,
            default: "",
            help: "More arguments, taken as they are.",
        },
        OptionSpec {
            name: "env",
            kind: OptionKind::TextTable,
            default: "",
            help: "Additions to the environment, which has only PATH, HOME and TMPDIR.",
        },
        OptionSpec {
            name: "protocol",
            kind: OptionKind::Choice(&["json", "text", "board"]),
            default: "json",
            help: "The dialect: json (all games), text (all games, for ten-line bots), board (tic-tac-toe).",
        },
        OptionSpec {
            name: "start_ms",
            kind: milliseconds(1),
            default: "10000",
            help: "Milliseconds until the program must be ready; without a handshake (text, board), the first answer of a process has so many more.",
        },
        OptionSpec {
            name: "move_ms",
            kind: milliseconds(1),
            default: "5000",
            help: "Milliseconds for each move.",
        },
        OptionSpec {
            name: "margin_ms",
            kind: milliseconds(0),
            default: "10",
            help: "Milliseconds added to every limit for the way between the processes.",
        },
        OptionSpec {
            name: "game_ms",
            kind: milliseconds(1),
            default: "",
            help: "Milliseconds for all moves of a game together; not limited if not set.",
        },
        OptionSpec {
            name: "memory_mb",
            kind: OptionKind::Integer {
                min: 1,
                max: 1 << 30,
            },
            default: "4096",
            help: "Private memory of each of the program's processes, MiB.",
        },
        OptionSpec {
            name: "reuse",
            kind: OptionKind::Choice(&["off", "on"]),
            default: "off",
            help: "Under the board dialect: one process for many games instead of one for each.",
        },
    ],
};

const fn milliseconds(min: i64) -> OptionKind {
    OptionKind::Integer {
        min,
        // A week.
        max: 604_800_000,
    }
}

/// What all programs of a run have in common; from the command line, not from a player.
#[derive(Clone, Debug)]
pub struct Host {
    /// Containment.
    pub sandbox: Sandbox,
    /// Whether a worker and its programs share a core (see [`super::process::ProcessSpec`]).
    pub share_core: bool,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            sandbox: Sandbox::default(),
            share_core: true,
        }
    }
}

/// The player at a table of `game` that `settings` name.
///
/// # Errors
/// As [`BotConfig::new`], and if the dialect cannot express the game.
pub fn build<G: Game>(
    game: &G,
    settings: &Settings,
    host: &Host,
    interrupt: Arc<AtomicBool>,
) -> Result<Player<G>, BuildError> {
    let config = BotConfig::new(settings, host, interrupt)?;
    config.check_game(game)?;
    Ok(Player::Honest(Box::new(ExternalAgent::new(config))))
}

/// A program as a player, ready to be started.
#[derive(Clone, Debug)]
pub struct BotConfig {
    /// What is started, and how.
    pub process: ProcessSpec,
    /// The language.
    pub dialect: Dialect,
    /// Whether one process plays many games.
    pub reuse: bool,
}

impl BotConfig {
    /// The program that `settings` name. It is looked for now and started later; that there is
    /// none is an error of the start.
    ///
    /// # Errors
    /// If the command is malformed.
    pub fn new(
        settings: &Settings,
        host: &Host,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, BuildError> {
        let about_command = |e: CommandError| BuildError::about("command", e.to_string());
        let mut words =
            split_words(settings.text("command").unwrap_or_default()).map_err(about_command)?;
        if let Some(Value::List(args)) = settings.values.get("args") {
            words.extend(args.iter().cloned());
        }
        let command = ResolvedCommand::to_be_started(&words).map_err(about_command)?;
        let env = match settings.values.get("env") {
            Some(Value::Table(table)) => table
                .iter()
                .map(|(key, value)| environment(key, value))
                .collect::<Result<_, _>>()?,
            _ => Vec::new(),
        };
        let word = settings.text("protocol").unwrap_or("json");
        let dialect = Dialect::from_word(word).ok_or_else(|| {
            BuildError::about(
                "protocol",
                format!("there is no protocol `{word}`: use json, text or board"),
            )
        })?;
        Ok(Self {
            process: ProcessSpec {
                command,
                env,
                limits: limits(settings),
                sandbox: host.sandbox.clone(),
                share_core: host.share_core,
                interrupt,
            },
            dialect,
            reuse: dialect != Dialect::Board || settings.text("reuse") == Some("on"),
        })
    }

    /// Checks that the dialect can express the game.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_game<G: Game>(&self, game: &G) -> Result<(), BuildError> {
        if self.dialect.can_play(game) {
            return Ok(());
        }
        Err(BuildError::about(
            "protocol",
            format!(
                "the protocol `{}` is for tic-tac-toe only: use json or text for {}",
                self.dialect.word(),
                game.info().name
            ),
        ))
    }
}

fn limits(settings: &Settings) -> Limits {
    let get = |key: &str| settings.integer(key).and_then(|n| u64::try_from(n).ok());
    let default = Limits::default();
    Limits {
        start_ms: get("start_ms").unwrap_or(default.start_ms),
        move_ms: get("move_ms").unwrap_or(default.move_ms),
        margin_ms: get("margin_ms").unwrap_or(default.margin_ms),
        game_ms: get("game_ms"),
        memory_mb: get("memory_mb").unwrap_or(default.memory_mb),
    }
}

fn environment(key: &str, value: &str) -> Result<(OsString, OsString), BuildError> {
    if key.is_empty() || key.contains(['=', '\0']) || value.contains('\0') {
        return Err(BuildError::about(
            "env",
            format!(
                "`{}` cannot be a variable: a name is not empty and has no `=`, and neither name nor value has a NUL",
                super::escape_for_terminal(key.as_bytes())
            ),
        ));
    }
    Ok((key.into(), value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn config(values: &[(&str, Value)]) -> Result<BotConfig, BuildError> {
        let mut settings = Settings::named("exec");
        for (key, value) in values {
            settings.values.insert((*key).to_owned(), value.clone());
        }
        BotConfig::new(&settings, &Host::default(), Arc::default())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[cfg(unix)]
    #[test]
    fn a_command_its_arguments_and_limits_are_taken_over() {
        let env = BTreeMap::from([("DEPTH".to_owned(), "3".to_owned())]);
        let config = config(&[
            ("command", text("sh -c 'exit 0'")),
            ("args", Value::List(vec!["two words".to_owned()])),
            ("env", Value::Table(env)),
            ("protocol", text("board")),
            ("move_ms", Value::Integer(70)),
        ])
        .unwrap();
        let command = &config.process.command;
        assert!(command.program.is_absolute() && command.program.ends_with("sh"));
        assert_eq!(command.args, ["-c", "exit 0", "two words"]);
        assert_eq!(config.process.env, [("DEPTH".into(), "3".into())]);
        assert_eq!(config.process.limits.move_ms, 70);
        assert_eq!(config.process.limits.start_ms, 10_000);
        assert!(!config.reuse && config.dialect == Dialect::Board);
    }

    #[test]
    fn what_cannot_be_started_is_refused_by_the_option_at_fault() {
        let cases = [
            (vec![], "command"),
            (vec![("command", text("'open"))], "command"),
        ];
        for (values, option) in cases {
            let error = config(&values).unwrap_err();
            assert_eq!(error.option.as_deref(), Some(option), "{error}");
        }
        assert!(environment("A=B", "x").is_err());
        let missing = config(&[("command", text("no-such-program-anywhere"))]).unwrap();
        let error = crate::external::process::Process::start(&missing.process).unwrap_err();
        assert!(error.to_string().contains("and none in PATH"), "{error}");
    }

    #[test]
    fn the_declared_defaults_are_the_real_ones() {
        let limits = Limits::default();
        for (name, value) in [
            ("start_ms", limits.start_ms),
            ("move_ms", limits.move_ms),
            ("margin_ms", limits.margin_ms),
            ("memory_mb", limits.memory_mb),
        ] {
            let option = SPEC.options.iter().find(|o| o.name == name);
            assert_eq!(
                option.map(|o| o.default),
                Some(&*value.to_string()),
                "{name}"
            );
        }
    }
}
