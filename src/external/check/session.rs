//! One running program, with a record of what was said.

use std::time::{Duration, Instant};

use super::Trial;
use crate::external::bot::{BotStartError, Identity, not_ready, start_failure, with_dialect_hint};
use crate::external::dialect::{Answer, Dialect, board, json, text};
use crate::external::escape::escape_lines;
use crate::external::limits::{Limits, deadline};
use crate::external::process::{Failure, GameLog, Process};
use crate::external::settings::BotConfig;
use crate::games::{Game, Seat};
use crate::rng::Seed;

/// How long a program that has not answered is given after its input was closed.
const AFTER_CLOSING: Duration = Duration::from_secs(1);

/// The pause between two pieces of a question.
const PAUSE: Duration = Duration::from_millis(30);

/// The most words of either side in a report, in bytes.
const MAX_TALK: usize = 4096;

/// The most lines of standard error that are shown.
const TAIL_LINES: usize = 3;

/// What both sides said in one step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Talk {
    pub sent: Vec<u8>,
    pub received: Vec<u8>,
}

impl Talk {
    fn hear(&mut self, line: &str) {
        if self.received.len() < MAX_TALK {
            let end = line.floor_boundary(MAX_TALK);
            self.received.extend_from_slice(&line.as_bytes()[..end]);
            self.received.push(b'\n');
        }
    }
}

trait FloorBoundary {
    fn floor_boundary(&self, most: usize) -> usize;
}

impl FloorBoundary for str {
    /// The largest length of at most `most` bytes that ends between characters.
    fn floor_boundary(&self, most: usize) -> usize {
        (0..=most.min(self.len()))
            .rev()
            .find(|&end| self.is_char_boundary(end))
            .unwrap_or(0)
    }
}

/// What was wrong with an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// Nothing came in time.
    Timeout(u64),
    /// It ended.
    Crash(String),
    /// A well-formed answer that is no legal move.
    Illegal(String),
    /// Not an answer.
    Protocol(String),
    /// Ctrl-C.
    Interrupted,
}

/// A question and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Asked<M> {
    pub talk: Talk,
    pub answer: Result<M, Problem>,
    pub expected: String,
    pub taken: Duration,
    /// Whether it was the first answer of a process without a handshake.
    pub starting: bool,
    pub place: String,
}

/// A game that went well.
pub(super) struct Played {
    pub moves: u32,
    /// Of the answers that did not have to wait for a start.
    pub slowest: Duration,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    config: BotConfig,
    next_id: u64,
    games: u64,
    /// Words to go out with the next question.
    pending: String,
    /// Whether the next answer is the first of a process without a handshake.
    starting: bool,
}

impl Session {
    /// Starts the program and shakes hands; how long that took.
    pub(super) fn start<G: Game>(
        game: &G,
        config: &BotConfig,
    ) -> Result<(Self, Talk, Duration), (BotStartError, Talk)> {
        let started = Instant::now();
        let spec = &config.process;
        let by = deadline(started, spec.limits.start());
        let mut talk = Talk::default();
        let mut process = Process::start(spec).map_err(|e| (e.into(), Talk::default()))?;
        if config.dialect == Dialect::Json {
            match shake_hands(game, config, &mut process, by, &mut talk) {
                Ok(_) => {}
                Err(why) => return Err((not_ready(config, process, why), talk)),
            }
        }
        let session = Self {
            process,
            config: config.clone(),
            next_id: 1,
            games: 0,
            pending: String::new(),
            starting: config.dialect != Dialect::Json,
        };
        Ok((session, talk, started.elapsed()))
    }

    /// Begins a game.
    pub(super) fn begin(&mut self, seat: Seat) {
        if self.config.dialect == Dialect::Json {
            json::write_start(self.games, seat, &mut self.pending);
        }
        self.games += 1;
    }

    /// Asks for a move in `state`.
    pub(super) fn ask_at<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
    ) -> Asked<G::Move> {
        let (question, legal, id) = self.question(game, state, seat);
        self.ask(game, &[question.as_bytes()], &legal, id)
    }

    /// Asks in an unusual but permitted way.
    pub(super) fn try_out<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        trial: Trial,
    ) -> Asked<G::Move> {
        self.begin(seat);
        let (mut question, legal, id) = self.question(game, state, seat);
        match trial {
            Trial::OneWrite => self.ask(game, &[question.as_bytes()], &legal, id),
            Trial::UnknownKeys => {
                question = question.replace("{\"type\":", "{\"unknown\":{\"a\":[1]},\"type\":");
                self.ask(game, &[question.as_bytes()], &legal, id)
            }
            Trial::Pieces => {
                let (first, second) =
                    question.split_at(question.floor_boundary(question.len() / 2));
                self.ask(game, &[first.as_bytes(), second.as_bytes()], &legal, id)
            }
        }
    }

    /// Plays a game against uniformly random moves; the first question that went wrong, if any.
    pub(super) fn play<G: Game>(
        &mut self,
        game: &G,
        seat: Seat,
        seed: Seed,
    ) -> Result<Played, Box<Asked<G::Move>>> {
        let mut state = game.deal(&mut seed.derive("deal", &[]).rng());
        let mut rng = seed.derive("moves", &[]).rng();
        let mut played = Played {
            moves: 0,
            slowest: Duration::ZERO,
        };
        self.begin(seat);
        let mut ply = 0;
        while let Some(mover) = game.to_move(&state) {
            if ply >= crate::record::DECISION_CAP {
                break;
            }
            let mv = if mover == seat {
                let mut asked = self.ask_at(game, &state, seat);
                let Ok(mv) = asked.answer else {
                    asked.place = super::place(ply, seat);
                    return Err(Box::new(asked));
                };
                played.moves += 1;
                if !asked.starting {
                    played.slowest = played.slowest.max(asked.taken);
                }
                mv
            } else {
                game.random_move(&state, &mut rng)
            };
            game.apply(&mut state, mv);
            if self.config.dialect == Dialect::Json {
                json::write_event(game, mover, mv, &mut self.pending);
            }
            ply += 1;
        }
        if let (Dialect::Json, Some(scores)) = (self.config.dialect, game.scores(&state)) {
            json::write_end(seat, &scores, crate::record::End::Normal, &mut self.pending);
        }
        Ok(played)
    }

    /// Closes the program's input; how it ended, if it does.
    pub(super) fn leave(&mut self) -> Option<String> {
        let by = Instant::now() + AFTER_CLOSING;
        if self.config.dialect == Dialect::Json {
            let _ = self.process.send(json::QUIT.as_bytes(), by);
        }
        self.process.close_input();
        self.process.wait_for_end(by)
    }

    /// What comes after the input is closed: an answer now means that it was held back in a buffer.
    pub(super) fn words_after_closing(&mut self) -> Option<String> {
        self.process.close_input();
        let received = self.process.receive(Instant::now() + AFTER_CLOSING).ok()?;
        Some(self.process.text(&received).to_owned())
    }

    /// The end of its standard error, on one line; ends the program.
    pub(super) fn last_errors(&mut self) -> String {
        self.process.end();
        let text = escape_lines(&self.process.errors_tail());
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        let last = lines.len().saturating_sub(TAIL_LINES);
        lines.get(last..).unwrap_or_default().join(" / ")
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.config.dialect
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.config.process.limits
    }

    pub(super) fn end(&mut self) {
        self.process.end();
    }

    pub(super) fn take_log(&mut self) -> GameLog {
        self.process.take_log()
    }

    /// What is pending and the question itself.
    fn question<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
    ) -> (String, Vec<G::Move>, u64) {
        let (mut legal, id) = (Vec::new(), self.next_id);
        self.next_id += 1;
        game.legal_into(state, &mut legal);
        let view = game.view(state, seat);
        let mut out = std::mem::take(&mut self.pending);
        match self.config.dialect {
            Dialect::Json => {
                let move_ms = self.config.process.limits.move_ms;
                json::write_question(game, &view, &legal, (id, move_ms), &mut out);
            }
            Dialect::Text => text::write_question(game, &view, &legal, &mut out),
            Dialect::Board => board::write_question(game, &view, &mut out),
        }
        (out, legal, id)
    }

    fn ask<G: Game>(
        &mut self,
        game: &G,
        pieces: &[&[u8]],
        legal: &[G::Move],
        id: u64,
    ) -> Asked<G::Move> {
        let limits = self.config.process.limits;
        // As in play: without a handshake the first answer has the time of a start too.
        let grace = if self.starting { limits.start_ms } else { 0 };
        let move_ms = limits.move_ms.saturating_add(grace);
        let mut talk = Talk {
            sent: pieces.concat(),
            received: Vec::new(),
        };
        talk.sent.truncate(MAX_TALK);
        let asked_at = Instant::now();
        let by = deadline(asked_at, limits.with_margin(move_ms));
        let failed = |failure| problem(failure, move_ms);
        let sent = self.send(pieces, by).map_err(failed);
        let answer = sent.and_then(|()| {
            let heard = self.hear(game, legal, id, by, &mut talk);
            heard.map_err(failed)?
        });
        let starting = std::mem::take(&mut self.starting);
        let choices: Vec<String> = legal
            .iter()
            .take(12)
            .map(|&mv| game.move_text(mv))
            .collect();
        let more = if legal.len() > choices.len() {
            ", ..."
        } else {
            ""
        };
        let list = choices.join(", ");
        let expected = match self.config.dialect {
            Dialect::Json => {
                format!("{{\"id\":{id},\"move\":M}} on a line, M one of: {list}{more}")
            }
            Dialect::Text => format!("a line with one of: {list}{more}"),
            Dialect::Board => format!("row and column of a free cell, one of: {list}{more}"),
        };
        Asked {
            talk,
            answer,
            expected,
            taken: asked_at.elapsed(),
            starting,
            place: String::new(),
        }
    }

    fn send(&mut self, pieces: &[&[u8]], by: Instant) -> Result<(), Failure> {
        for (index, piece) in pieces.iter().enumerate() {
            if index > 0 {
                std::thread::sleep(PAUSE);
            }
            self.process.nothing_unasked()?;
            self.process.send(piece, by)?;
        }
        Ok(())
    }

    fn hear<G: Game>(
        &mut self,
        game: &G,
        legal: &[G::Move],
        id: u64,
        by: Instant,
        talk: &mut Talk,
    ) -> Result<Result<G::Move, Problem>, Failure> {
        let mut words = String::new();
        loop {
            let received = self.process.receive(by)?;
            let line = self.process.text(&received);
            talk.hear(line);
            let answer = match self.config.dialect {
                Dialect::Json => json::read_answer(game, line, id, legal),
                Dialect::Text => text::read_answer(game, line, legal),
                Dialect::Board => {
                    words.push_str(line);
                    words.push('\n');
                    board::read_answer(game, words.trim_ascii(), legal)
                }
            };
            return Ok(match answer {
                Answer::Move(mv) => Ok(mv),
                Answer::Illegal(words) => Err(Problem::Illegal(words)),
                Answer::Malformed(why) => Err(Problem::Protocol(why)),
                Answer::Unfinished | Answer::Late => continue,
            });
        }
    }
}

fn shake_hands<G: Game>(
    game: &G,
    config: &BotConfig,
    process: &mut Process,
    by: Instant,
    talk: &mut Talk,
) -> Result<Identity, String> {
    let limits = &config.process.limits;
    let mut hello = String::new();
    json::write_hello(game, 0, limits, &mut hello);
    talk.sent = hello.into_bytes();
    let received = process
        .send(&talk.sent, by)
        .and_then(|()| process.receive(by))
        .map_err(|failure| start_failure(failure, limits.start_ms))?;
    let line = process.text(&received);
    talk.hear(line);
    json::read_ready(line).map_err(|why| with_dialect_hint(why, line))
}

fn problem(failure: Failure, move_ms: u64) -> Problem {
    match failure {
        Failure::Timeout => Problem::Timeout(move_ms),
        Failure::Crash(how) => Problem::Crash(how),
        Failure::Protocol(why) => Problem::Protocol(why),
        Failure::Interrupted => Problem::Interrupted,
    }
}
