//! A person as a player: asked until the answer is a legal move.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::answer::{Answer, Menu};
use super::room::Room;
use super::words::{self, WIDTH};
use crate::agents::{Agent, Fault};
use crate::games::{Game, Seat};
use crate::numbers::decimals;
use crate::report::terminal;
use crate::rng::Seed;

/// The player that gives hints: it sees what the person sees.
pub(super) struct Hinter<G: Game> {
    /// As it was named.
    pub name: String,
    /// It searches from the person's view.
    pub agent: Box<dyn Agent<G>>,
    /// From which its streams derive.
    pub seed: Seed,
}

/// A person.
pub(super) struct Person<G: Game> {
    room: Arc<Mutex<Room>>,
    hinter: Hinter<G>,
    seat: Seat,
    choices: u64,
}

/// The room, also after a panic of another thread: text on a terminal cannot be half valid.
pub(super) fn enter(room: &Mutex<Room>) -> MutexGuard<'_, Room> {
    room.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Person<G> {
    /// A person in `room`.
    pub fn new(room: Arc<Mutex<Room>>, hinter: Hinter<G>) -> Self {
        Self {
            room,
            hinter,
            seat: 0,
            choices: 0,
        }
    }

    /// What search would play, in a sentence. Equal questions have equal answers: the stream
    /// depends on the decision only.
    fn hint(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<String, Fault> {
        let seed = self
            .hinter
            .seed
            .indexed([self.seat as u64, self.choices, 0]);
        self.hinter.agent.start(game, self.seat, seed)?;
        let mv = self.hinter.agent.choose(game, view, legal)?;
        let text = game.move_text(mv);
        let name = &self.hinter.name;
        Ok(match self.hinter.agent.estimate() {
            _ if legal.len() == 1 => format!("hint: {text}, the only move\n"),
            Some(score) => format!(
                "hint: {name} would play {text}\n      from what you may know, it expects you to score {} ({})\n",
                decimals(score, 2),
                game.info().utility
            ),
            None => format!("hint: {name} would play {text}\n"),
        })
    }
}

impl<G: Game> Agent<G> for Person<G> {
    fn start(&mut self, _game: &G, seat: Seat, _seed: Seed) -> Result<(), Fault> {
        self.seat = seat;
        self.choices = 0;
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        let shared = Arc::clone(&self.room);
        let mut room = enter(&shared);
        room.turn(self.seat)?;
        let menu = Menu::new(game, legal);
        let position = format!(
            "\n{}{}",
            game.draw_view(view, room.style()),
            menu.text(WIDTH)
        );
        room.say(&position)?;
        let prompt = format!("seat {}, your move: ", self.seat);
        loop {
            let line = room.ask(&prompt)?;
            match menu.understand(game, &line) {
                Answer::Move(mv) => {
                    self.choices += 1;
                    room.say(&format!("  you play {}\n", game.move_text(mv)))?;
                    room.moved()?;
                    return Ok(mv);
                }
                Answer::Help => room.say(&words::help(game.info().name))?,
                Answer::Hint => {
                    let hint = self.hint(game, view, legal)?;
                    room.say(&hint)?;
                }
                Answer::Board => room.say(&position)?,
                Answer::Quit => {
                    let sure = room.ask("Leave this game? It is not over. [y/N] ")?;
                    if sure.to_ascii_lowercase().starts_with('y') {
                        return Err(room.quit());
                    }
                }
                Answer::Nothing => room.say(&menu.text(WIDTH))?,
                Answer::Wrong(why) => {
                    let end = if why.ends_with('?') { "" } else { "." };
                    let why = terminal::wrap(&format!("{why}{end}"), WIDTH);
                    room.say(&format!("{why}{}", menu.text(WIDTH)))?;
                }
            }
        }
    }

    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, game: &G, _mover: Seat, _mv: G::Move, view: &G::View) {
        let mut room = enter(&self.room);
        let drawing = game.draw_view(view, room.style());
        room.saw(drawing);
    }
}
