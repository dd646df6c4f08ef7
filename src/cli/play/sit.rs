//! Who sits at the table: people in the room, agents, programs.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::HUMAN;
use super::person::{Hinter, Person};
use super::room::Room;
use super::script::{Script, scripted};
use crate::agents::{self, BuildError, GameAgents, Player};
use crate::rng::Seed;
use crate::spec::Settings;
use crate::table::{self, GameTable, Table, TableOptions, Visitor};

/// The players of a game, and what people among them need.
pub(crate) struct Sit<'a> {
    pub(super) players: &'a [Settings],
    pub(super) hinter: &'a Settings,
    pub(super) hint_seed: Seed,
    pub(super) room: &'a Arc<Mutex<Room>>,
    pub(super) script: &'a Script,
    pub(super) options: TableOptions,
}

/// Seats players at a registered game, made from checked options.
type Seating = dyn Fn(&Settings, Sit<'_>) -> Result<Box<dyn Table>, BuildError> + Send + Sync;

static REGISTERED: RwLock<Vec<(&str, Arc<Seating>)>> = RwLock::new(Vec::new());

/// Lets people play a game that is not of this crate. Its name is known to be new.
pub(crate) fn register<G: GameAgents>(
    name: &'static str,
    rules: fn(&Settings) -> Result<G, BuildError>,
) {
    let seating: Arc<Seating> = Arc::new(move |game, sit| sit.visit(rules(game)?));
    REGISTERED
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .push((name, seating));
}

impl Sit<'_> {
    /// The table of `game` with these players at it.
    pub(super) fn table(self, game: &Settings) -> Result<Box<dyn Table>, BuildError> {
        let registered = REGISTERED
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .find(|(name, _)| *name == game.name)
            .map(|(_, seating)| Arc::clone(seating));
        match registered {
            Some(seating) => seating(game, self),
            None => table::visit(game, self),
        }
    }
}

impl Visitor for Sit<'_> {
    type Output = Box<dyn Table>;

    fn visit<G: GameAgents>(self, game: G) -> Result<Box<dyn Table>, BuildError> {
        let mut seated = Vec::with_capacity(self.players.len());
        for settings in self.players {
            let player = if settings.name == HUMAN {
                let Player::Honest(agent) = agents::build(&game, self.hinter)? else {
                    return Err(BuildError::new(
                        "hints come from an agent that does not look",
                    ));
                };
                Player::Honest(Box::new(Person::new(
                    Arc::clone(self.room),
                    Hinter {
                        name: self.hinter.to_string(),
                        agent,
                        seed: self.hint_seed,
                    },
                )))
            } else {
                table::player(&game, settings, &self.options)?
            };
            seated.push(scripted(player, self.script));
        }
        Ok(Box::new(GameTable::new(game, seated, self.options)))
    }
}
