//! Programs as players of a run: tried before the first game, and written down.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::external::{self, BotConfig, BotStartError, Host};
use crate::plan::Plan;
use crate::spec::Settings;
use crate::table;

use super::RunError;
use super::manifest::FileHash;

/// A program that played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bot {
    /// Its settings, as in `games.csv`'s config.
    pub player: String,
    /// BLAKE3 of the program and of each argument that is a file, by file name.
    pub files: Vec<BotFile>,
}

/// A file that a program consists of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotFile {
    /// Its name, without folders: they differ between machines.
    pub name: String,
    /// BLAKE3, hexadecimal.
    pub blake3: String,
}

/// Programs of a run, and how they are contained.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bots {
    pub bots: Vec<Bot>,
    pub containment: String,
}

/// Starts every program of `plan` once: one that cannot be started, or never becomes ready, fails
/// the run before the first game.
pub(crate) fn probe(plan: &Plan, host: &Host, stop: &Arc<AtomicBool>) -> Result<Bots, RunError> {
    let mut bots = Bots::default();
    let mut seen: Vec<(&Settings, &Settings)> = Vec::new();
    for cell in &plan.cells {
        for player in [&cell.challenger, &cell.opponent] {
            if player.name != external::SPEC.name || seen.contains(&(player, &cell.game)) {
                continue;
            }
            seen.push((player, &cell.game));
            let build = |source| RunError::Build {
                cell: cell.index,
                source,
            };
            let config = BotConfig::new(player, host, Arc::clone(stop)).map_err(build)?;
            match table::probe(&cell.game, &config).map_err(build)? {
                Ok(probe) => probe.reached.level.word().clone_into(&mut bots.containment),
                Err(BotStartError::Interrupted) => return Ok(bots),
                Err(source) => return Err(RunError::Bot(source)),
            }
            let bot = describe(player, &config)?;
            if !bots.bots.contains(&bot) {
                bots.bots.push(bot);
            }
        }
    }
    Ok(bots)
}

fn describe(player: &Settings, config: &BotConfig) -> Result<Bot, RunError> {
    let command = &config.process.command;
    let files = std::iter::once(command.program.as_path())
        .chain(command.args.iter().map(Path::new))
        // Arguments that are files were made absolute when the command was resolved.
        .filter(|path| path.is_absolute() && path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap_or_default();
            Ok(BotFile {
                name: name.to_string_lossy().into_owned(),
                blake3: FileHash::of(path)?.blake3,
            })
        })
        .collect::<Result<_, RunError>>()?;
    Ok(Bot {
        player: player.canonical(),
        files,
    })
}
