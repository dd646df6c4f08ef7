//! A game whose type is known only at run time: what the rest of the program does with it, type
//! erased once, and the games that are registered by programs of one's own.

use std::sync::{Arc, PoisonError, RwLock};

use super::{GameTable, Table, TableOptions, Visitor, player, visit};
use crate::agents::{BuildError, GameAgents};
use crate::external::check::{self, CheckOptions, Step, Verdict};
use crate::external::{self, BotConfig, BotStartError, Probe};
use crate::games::GameInfo;
use crate::spec::Settings;

/// A game with its rules, its type erased.
pub(crate) trait AnyGame: Send + Sync {
    /// As [`super::game_info`].
    fn game_info(&self) -> GameInfo;

    /// As [`super::build`].
    fn table(
        &self,
        players: &[Settings],
        options: &TableOptions,
    ) -> Result<Box<dyn Table>, BuildError>;

    /// As [`super::probe`].
    fn probe(&self, config: &BotConfig) -> Result<Result<Probe, BotStartError>, BuildError>;

    /// As [`super::check_bot`].
    fn check_bot(
        &self,
        config: &BotConfig,
        options: CheckOptions,
        tell: &mut dyn FnMut(&Step),
    ) -> Verdict;
}

impl<G: GameAgents> AnyGame for G {
    fn game_info(&self) -> GameInfo {
        self.info()
    }

    fn table(
        &self,
        players: &[Settings],
        options: &TableOptions,
    ) -> Result<Box<dyn Table>, BuildError> {
        let players = players
            .iter()
            .map(|settings| player(self, settings, options))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(GameTable::new(
            self.clone(),
            players,
            options.clone(),
        )))
    }

    fn probe(&self, config: &BotConfig) -> Result<Result<Probe, BotStartError>, BuildError> {
        config.check_game(self)?;
        Ok(external::probe(self, config))
    }

    fn check_bot(
        &self,
        config: &BotConfig,
        options: CheckOptions,
        tell: &mut dyn FnMut(&Step),
    ) -> Verdict {
        check::check(self, config, options, tell)
    }
}

/// Makes a game from checked options.
type Maker = dyn Fn(&Settings) -> Result<Box<dyn AnyGame>, BuildError> + Send + Sync;

static REGISTERED: RwLock<Vec<(&str, Arc<Maker>)>> = RwLock::new(Vec::new());

/// Makes a game known to [`named`]. Its name is known to be new.
pub(crate) fn register(
    name: &'static str,
    make: impl Fn(&Settings) -> Result<Box<dyn AnyGame>, BuildError> + Send + Sync + 'static,
) {
    REGISTERED
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .push((name, Arc::new(make)));
}

/// The named game, of this crate or registered.
///
/// # Errors
/// If there is no such game or its options cannot be played together.
pub(super) fn named(game: &Settings) -> Result<Box<dyn AnyGame>, BuildError> {
    struct Erase;
    impl Visitor for Erase {
        type Output = Box<dyn AnyGame>;
        fn visit<G: GameAgents>(self, game: G) -> Result<Self::Output, BuildError> {
            Ok(Box::new(game))
        }
    }
    let registered = REGISTERED
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .find(|(name, _)| *name == game.name)
        .map(|(_, make)| Arc::clone(make));
    match registered {
        Some(make) => make(game),
        None => visit(game, Erase),
    }
}
