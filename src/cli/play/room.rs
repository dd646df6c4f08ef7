//! The terminal that people share: lines in, text out, whose eyes are on the screen.

use std::io::{BufRead as _, IsTerminal as _, Read as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::agents::Fault;
use crate::external::escape_for_terminal;
use crate::games::{MAX_SEATS, Seat, Style};

/// The longest line that is read, in bytes; more of it is dropped.
const LONGEST_LINE: u64 = 4096;

/// How often a request to stop is looked for while a person thinks.
const LOOK: Duration = Duration::from_millis(50);

/// Why a game ended before its end.
#[derive(Debug)]
pub(super) enum Ending {
    /// A person asked for it and confirmed.
    Quit,
    /// Standard input ended.
    EndOfInput,
    /// Standard output cannot be written.
    Output(std::io::Error),
}

/// What happens at the terminal.
pub(super) struct Room {
    lines: Receiver<String>,
    out: Box<dyn Write + Send>,
    stop: Arc<AtomicBool>,
    /// Seats of people.
    people: Vec<Seat>,
    /// Whether hands must be hidden when the keyboard changes hands.
    secret: bool,
    /// Whether standard output is a terminal, whose screen can be cleared.
    terminal: bool,
    style: Style,
    /// What happened, in order, and how much of it each seat was told.
    news: Vec<(Option<Seat>, String)>,
    told: [usize; MAX_SEATS],
    at_keyboard: Option<Seat>,
    /// The last position, drawn for the person who saw it last.
    last: Option<String>,
    ending: Option<Ending>,
    /// Whether what was typed is shown behind its prompt: a terminal does that by itself.
    echo: bool,
}

/// How a room is set up.
pub(super) struct Setup {
    pub people: Vec<Seat>,
    pub secret: bool,
    pub terminal: bool,
    pub style: Style,
    pub stop: Arc<AtomicBool>,
}

impl Room {
    /// A room that reads standard input and writes standard output.
    pub fn new(setup: Setup) -> Self {
        let mut room = Self::with(setup, read_lines(), Box::new(std::io::stdout()));
        room.echo = !std::io::stdin().is_terminal();
        room
    }

    fn with(setup: Setup, lines: Receiver<String>, out: Box<dyn Write + Send>) -> Self {
        Self {
            lines,
            out,
            stop: setup.stop,
            people: setup.people,
            secret: setup.secret,
            terminal: setup.terminal,
            style: setup.style,
            news: Vec::new(),
            told: [0; MAX_SEATS],
            at_keyboard: None,
            last: None,
            ending: None,
            echo: false,
        }
    }

    /// How positions are drawn.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The people's seats.
    pub fn people(&self) -> &[Seat] {
        &self.people
    }

    /// Whether what one person sees must be kept from another one.
    pub fn keeps_secrets(&self) -> bool {
        self.secret && self.people.len() > 1
    }

    /// Shows text.
    ///
    /// # Errors
    /// [`Fault::Interrupted`] if it cannot be written; [`Room::ending`] has the reason.
    pub fn say(&mut self, text: &str) -> Result<(), Fault> {
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        written.map_err(|error| {
            self.ending = Some(Ending::Output(error));
            Fault::Interrupted
        })
    }

    /// Asks for a line, without its end.
    ///
    /// # Errors
    /// [`Fault::Interrupted`] at the end of input, or if a signal asks to stop.
    pub fn ask(&mut self, prompt: &str) -> Result<String, Fault> {
        self.say(prompt)?;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                let _ = self.say("\n");
                return Err(Fault::Interrupted);
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => {
                    if self.echo {
                        self.say(&format!("{}\n", escape_for_terminal(line.as_bytes())))?;
                    }
                    return Ok(line);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let _ = self.say("\n");
                    self.ending = Some(Ending::EndOfInput);
                    return Err(Fault::Interrupted);
                }
            }
        }
    }

    /// Ends the game because a person wants it so.
    pub fn quit(&mut self) -> Fault {
        self.ending = Some(Ending::Quit);
        Fault::Interrupted
    }

    /// Why the game ended before its end, if a person or the terminal is the reason.
    pub fn ending(&mut self) -> Option<Ending> {
        self.ending.take()
    }

    /// Something that everybody may know happened; a single person is told at once, unless it did
    /// it itself (`by`).
    ///
    /// # Errors
    /// As [`Room::say`].
    pub fn happened(&mut self, by: Option<Seat>, text: String) -> Result<(), Fault> {
        self.news.push((by, text));
        match self.people[..] {
            [] => self.tell(0),
            [seat] => self.tell(seat),
            _ => Ok(()),
        }
    }

    /// Tells `seat` what others did since it was told last.
    fn tell(&mut self, seat: Seat) -> Result<(), Fault> {
        let mut text = String::new();
        for (by, happened) in &self.news[self.told[seat]..] {
            if *by != Some(seat) {
                text.extend(["  ", happened, "\n"]);
            }
        }
        self.told[seat] = self.news.len();
        self.say(&text)
    }

    /// It is `seat`'s turn: the keyboard is passed on if somebody else had it, and `seat` is told
    /// what happened.
    ///
    /// # Errors
    /// As [`Room::ask`].
    pub fn turn(&mut self, seat: Seat) -> Result<(), Fault> {
        if self.keeps_secrets() && self.at_keyboard != Some(seat) {
            self.clear()?;
            let _ = self.ask(&format!(
                "--- Seat {seat} is to move: pass the keyboard, then press Enter to see its cards. "
            ))?;
            self.clear()?;
        }
        self.at_keyboard = Some(seat);
        self.tell(seat)
    }

    /// `seat` has moved: nobody else may see what it saw.
    ///
    /// # Errors
    /// As [`Room::say`].
    pub fn moved(&mut self) -> Result<(), Fault> {
        if self.keeps_secrets() {
            self.clear()?;
        }
        Ok(())
    }

    /// Clears a terminal's screen and what can be scrolled back to.
    fn clear(&mut self) -> Result<(), Fault> {
        if self.terminal {
            self.say("\x1b[2J\x1b[3J\x1b[H")
        } else {
            self.say("\n")
        }
    }

    /// Remembers the position as a person sees it.
    pub fn saw(&mut self, drawing: String) {
        self.last = Some(drawing);
    }

    /// Tells what nobody was told yet and shows the last position.
    ///
    /// # Errors
    /// As [`Room::say`].
    pub fn close(&mut self) -> Result<(), Fault> {
        if let Some(seat) = self.at_keyboard {
            self.tell(seat)?;
        }
        match self.last.take() {
            Some(drawing) => self.say(&format!("\n{drawing}\n")),
            None => Ok(()),
        }
    }
}

/// Lines of standard input, read by a thread of their own: a read that waits cannot be ended by a
/// signal, a channel can be left.
fn read_lines() -> Receiver<String> {
    let (sender, receiver) = sync_channel(16);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            match input
                .by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)
            {
                Ok(read) if read > 0 => {}
                _ => return,
            }
            if line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE {
                // The rest of an endless line is not a line of its own.
                let mut rest = Vec::new();
                while !matches!(
                    input
                        .by_ref()
                        .take(LONGEST_LINE)
                        .read_until(b'\n', &mut rest),
                    Ok(0) | Err(_)
                ) && rest.last() != Some(&b'\n')
                {
                    rest.clear();
                }
            }
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if sender.send(text).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("not poisoned").extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Paper {
        fn text(&self) -> String {
            String::from_utf8_lossy(&self.0.lock().expect("not poisoned")).into_owned()
        }
    }

    fn room(people: &[Seat], terminal: bool, typed: &[&str]) -> (Room, Paper) {
        let (sender, lines) = sync_channel(16);
        for line in typed {
            sender.send((*line).to_owned()).expect("room");
        }
        let paper = Paper::default();
        let setup = Setup {
            people: people.to_vec(),
            secret: true,
            terminal,
            style: Style::default(),
            stop: Arc::default(),
        };
        (Room::with(setup, lines, Box::new(paper.clone())), paper)
    }

    #[test]
    fn the_keyboard_is_passed_between_people_and_the_screen_is_cleared_before_and_after() {
        let (mut room, paper) = room(&[0, 1], true, &["", "", ""]);
        room.turn(0).expect("passed");
        room.say("secret of 0").expect("written");
        room.moved().expect("cleared");
        room.happened(Some(0), "seat 0 plays 6c".to_owned())
            .expect("kept");
        room.turn(1).expect("passed");
        let text = paper.text();
        let after = text.rsplit("secret of 0").next().expect("a rest");
        assert!(after.starts_with("\x1b[2J\x1b[3J"), "{after:?}");
        assert!(after.contains("Seat 1 is to move: pass the keyboard"));
        assert!(after.contains("seat 0 plays 6c"));
        // The same person again: nothing to pass.
        room.turn(1).expect("goes on");
        assert_eq!(paper.text().matches("pass the keyboard").count(), 2);
    }

    #[test]
    fn one_person_is_told_at_once_and_nothing_is_passed() {
        let (mut room, paper) = room(&[1], true, &[]);
        room.happened(Some(0), "seat 0 plays 6c".to_owned())
            .expect("told");
        room.happened(Some(1), "seat 1 plays 7c".to_owned())
            .expect("kept");
        room.turn(1).expect("nothing to ask");
        assert_eq!(paper.text(), "  seat 0 plays 6c\n");
    }

    #[test]
    fn the_end_of_input_and_signals_end_the_game() {
        let (mut first, _) = room(&[0], false, &["a line"]);
        assert_eq!(first.ask("? "), Ok("a line".to_owned()));
        assert_eq!(first.ask("? "), Err(Fault::Interrupted));
        assert!(matches!(first.ending(), Some(Ending::EndOfInput)));
        let (mut second, _) = room(&[0], false, &["a line"]);
        second.stop.store(true, Ordering::Relaxed);
        assert_eq!(second.ask("? "), Err(Fault::Interrupted));
        assert!(second.ending().is_none());
    }
}
