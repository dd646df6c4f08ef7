//! A program at the table: started when needed, asked, timed, and restarted after a fault.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::containment::{Reached, SandboxError};
use super::dialect::{Answer, Dialect, board, json, text};
use super::escape::{escape_for_terminal, escape_lines, excerpt};
use super::limits::deadline;
use super::process::{Failure, GameLog, Process, StartError};
use super::settings::BotConfig;
use crate::agents::{Agent, Fault};
use crate::games::{Game, Scores, Seat};
use crate::record::End;
use crate::rng::Seed;

pub use super::dialect::json::Identity;

/// Attempts to start a program that has run before. One failed restart in a long run may be an
/// accident of the machine; three are not.
const RESTARTS: u32 = 3;

/// How long a program may take to leave after `quit`.
const QUIT_WITHIN: Duration = Duration::from_millis(200);

/// Lines of standard error in a message.
const TAIL_LINES: usize = 10;

/// A program that could not be started or did not become ready. It is no game lost: the run has
/// not begun.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotStartError {
    /// It was not executed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It was executed and did not become ready.
    #[error("`{command}` did not become ready: {why}{}", tail_text(.tail))]
    NotReady {
        /// The command.
        command: String,
        /// What happened, with its exit status if it exited.
        why: String,
        /// The last lines of its standard error, escaped.
        tail: Vec<String>,
    },
    /// It cannot be contained as asked.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// What is known of a program before the first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Who it says it is (`json`).
    pub identity: Identity,
    /// From the start of the process until it was ready.
    pub ready_after: Duration,
    /// The containment that it runs under.
    pub reached: Reached,
}

/// Starts a program, waits until it is ready, and ends it: so that one that cannot play fails the
/// run before the first game.
///
/// # Errors
/// If it cannot be contained as asked, cannot be started, or does not become ready.
pub fn probe<G: Game>(game: &G, config: &BotConfig) -> Result<Probe, BotStartError> {
    let reached = config.process.sandbox.check()?;
    let mut agent = ExternalAgent::new(config.clone());
    let started = Instant::now();
    agent.ensure_started(game, 0)?;
    Ok(Probe {
        identity: agent.identity().cloned().unwrap_or_default(),
        ready_after: started.elapsed(),
        reached,
    })
}

fn tail_text(tail: &[String]) -> String {
    if tail.is_empty() {
        "; it wrote nothing to standard error".to_owned()
    } else {
        format!("; its standard error ends with:\n  {}", tail.join("\n  "))
    }
}

/// A started program and its name for itself.
#[derive(Debug)]
struct Live {
    process: Process,
    identity: Identity,
    /// Whether it may still be starting: it has neither greeted nor answered.
    starting: bool,
}

/// How often a program failed so far, by cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultCounts {
    /// Exceeded its time.
    pub timeouts: u64,
    /// Exited or closed its output.
    pub crashes: u64,
    /// Answered no legal move.
    pub illegal_moves: u64,
    /// Broke the protocol.
    pub protocol: u64,
}

impl FaultCounts {
    /// All together.
    pub fn total(&self) -> u64 {
        self.timeouts + self.crashes + self.illegal_moves + self.protocol
    }

    fn count(&mut self, fault: &Fault) {
        match fault {
            Fault::Timeout { .. } => self.timeouts += 1,
            Fault::Crash(_) => self.crashes += 1,
            Fault::IllegalMove { .. } => self.illegal_moves += 1,
            Fault::Protocol(_) => self.protocol += 1,
            Fault::Infrastructure(_) | Fault::Interrupted => {}
        }
    }
}

/// A program as a player of any game.
///
/// The process is started by the first [`Agent::start`], on the thread that plays.
#[derive(Debug)]
pub struct ExternalAgent {
    config: BotConfig,
    live: Option<Live>,
    /// Whether it was ever ready: a first failure to start is the user's to see at once.
    was_ready: bool,
    seat: Seat,
    games: u64,
    next_id: u64,
    used: Duration,
    faults: FaultCounts,
    first_fault: Option<String>,
    /// Of processes that are gone.
    log: GameLog,
    /// Reused for every message.
    buffer: String,
}

impl ExternalAgent {
    /// A player that will start its program when the first game begins.
    pub fn new(config: BotConfig) -> Self {
        Self {
            config,
            live: None,
            was_ready: false,
            seat: 0,
            games: 0,
            next_id: 1,
            used: Duration::ZERO,
            faults: FaultCounts::default(),
            first_fault: None,
            log: GameLog::default(),
            buffer: String::new(),
        }
    }

    /// What went wrong so far.
    pub fn faults(&self) -> FaultCounts {
        self.faults
    }

    /// The first fault in words, if there was one.
    pub fn first_fault(&self) -> Option<&str> {
        self.first_fault.as_deref()
    }

    /// The program's name for itself (`json`), if it is running.
    pub fn identity(&self) -> Option<&Identity> {
        self.live.as_ref().map(|live| &live.identity)
    }

    /// The running process, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.live.as_ref().map(|live| live.process.id())
    }

    /// Starts the program unless it runs: returns when it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not become ready.
    pub fn ensure_started<G: Game>(&mut self, game: &G, seat: Seat) -> Result<(), BotStartError> {
        if self.live.is_some() {
            return Ok(());
        }
        let attempts = if self.was_ready { RESTARTS } else { 1 };
        let mut attempt = 1;
        loop {
            match start(game, seat, &self.config) {
                Ok(live) => {
                    self.live = Some(live);
                    // Nothing that an earlier process was asked is pending here.
                    self.next_id = 1;
                    self.was_ready = true;
                    return Ok(());
                }
                // Ctrl-C may also have reached a helper that was just being started.
                Err(_) if self.config.process.interrupt.load(Ordering::Relaxed) => {
                    return Err(BotStartError::Interrupted);
                }
                Err(error) if attempt >= attempts => return Err(error),
                Err(_) => attempt += 1,
            }
        }
    }

    /// Ends the program; politely if it can be told to quit.
    pub fn quit(&mut self) {
        if let Some(mut live) = self.live.take() {
            let process = &mut live.process;
            if self.config.dialect == Dialect::Json && !process.has_ended() {
                let by = Instant::now() + QUIT_WITHIN;
                if process.send(json::QUIT.as_bytes(), by).is_ok() {
                    process.close_input();
                    process.wait_for_end(by);
                }
            }
            self.keep_log(live);
        }
    }

    /// Takes what the program wrote besides its answers since the last call.
    pub fn take_log(&mut self) -> GameLog {
        let mut log = std::mem::take(&mut self.log);
        if let Some(live) = &mut self.live {
            log.append(&live.process.take_log());
        }
        log
    }

    fn keep_log(&mut self, mut live: Live) {
        live.process.end();
        self.log.append(&live.process.take_log());
    }

    /// Sends what is in the buffer and needs no answer. A program that does not take it will be
    /// found out when it is asked for a move, which is when a fault counts.
    fn tell(&mut self) {
        if let Some(live) = &mut self.live {
            let limits = &self.config.process.limits;
            let by = deadline(Instant::now(), limits.with_margin(limits.move_ms));
            let _ = live.process.send(self.buffer.as_bytes(), by);
        }
    }

    /// Whether the running process can be trusted with another game.
    fn is_fit(&mut self) -> bool {
        let Some(live) = &mut self.live else {
            return false;
        };
        let unasked = live.process.nothing_unasked();
        let late = match self.config.dialect {
            Dialect::Json => discard_late(&mut live.process, self.next_id, unasked),
            Dialect::Text | Dialect::Board => unasked,
        };
        late.is_ok() && !live.process.has_ended()
    }

    fn ask<G: Game>(
        &mut self,
        game: &G,
        view: &G::View,
        legal: &[G::Move],
    ) -> Result<G::Move, Fault> {
        let dialect = self.config.dialect;
        let limits = self.config.process.limits;
        let starting = self.live.as_ref().is_some_and(|live| live.starting);
        let grace = if starting { limits.start_ms } else { 0 };
        let move_ms = limits.next_move_ms(self.used).saturating_add(grace);
        let id = self.next_id;
        self.next_id += 1;
        self.buffer.clear();
        match dialect {
            Dialect::Json => {
                json::write_question(game, view, legal, (id, move_ms), &mut self.buffer);
            }
            Dialect::Text => text::write_question(game, view, legal, &mut self.buffer),
            Dialect::Board => board::write_question(game, view, &mut self.buffer),
        }
        let Some(live) = &mut self.live else {
            return Err(Fault::Infrastructure(format!(
                "`{}` is not running",
                self.config.process.command.display
            )));
        };
        let process = &mut live.process;
        let fault = |failure| fault_of(failure, move_ms);

        let asked = Instant::now();
        let by = deadline(asked, limits.with_margin(move_ms));
        let mut unasked = process.nothing_unasked();
        if dialect == Dialect::Json && unasked.is_err() {
            unasked = discard_late(process, id, unasked);
        }
        unasked.map_err(fault)?;
        process.send(self.buffer.as_bytes(), by).map_err(fault)?;
        self.buffer.clear();
        loop {
            let received = process.receive(by).map_err(fault)?;
            let line = process.text(&received);
            let answer = match dialect {
                Dialect::Json => json::read_answer(game, line, id, legal),
                Dialect::Text => text::read_answer(game, line, legal),
                Dialect::Board => {
                    self.buffer.push_str(line);
                    self.buffer.push('\n');
                    board::read_answer(game, self.buffer.trim_ascii(), legal)
                }
            };
            let taken = received.at.duration_since(asked);
            let answer = match answer {
                Answer::Move(mv) => Ok(mv),
                Answer::Illegal(answer) => Err(Fault::IllegalMove { answer }),
                Answer::Malformed(why) => Err(Fault::Protocol(why)),
                Answer::Unfinished | Answer::Late => continue,
            };
            self.used += taken.saturating_sub(Duration::from_millis(grace));
            if let Some(live) = &mut self.live {
                live.starting = false;
            }
            return answer;
        }
    }
}

impl<G: Game> Agent<G> for ExternalAgent {
    fn start(&mut self, game: &G, seat: Seat, _seed: Seed) -> Result<(), Fault> {
        self.seat = seat;
        self.used = Duration::ZERO;
        if !self.is_fit()
            && let Some(live) = self.live.take()
        {
            self.keep_log(live);
        }
        self.ensure_started(game, seat)
            .map_err(|error| match error {
                BotStartError::Interrupted => Fault::Interrupted,
                error => Fault::Infrastructure(error.to_string()),
            })?;
        if let Some(live) = &mut self.live {
            live.process.follow_thread();
        }
        if self.config.dialect == Dialect::Json {
            self.buffer.clear();
            json::write_start(self.games, seat, &mut self.buffer);
            self.tell();
        }
        self.games += 1;
        Ok(())
    }

    fn choose(&mut self, game: &G, view: &G::View, legal: &[G::Move]) -> Result<G::Move, Fault> {
        let answer = self.ask(game, view, legal);
        if let Err(fault) = &answer {
            self.faults.count(fault);
            if fault.end().is_some() && self.first_fault.is_none() {
                self.first_fault = Some(fault.to_string());
            }
            // Whatever it does now is of no use, and may burn the opponent's time.
            if let Some(live) = self.live.take() {
                self.keep_log(live);
            }
        }
        answer
    }

    fn observe(&mut self, game: &G, mover: Seat, mv: G::Move, _view: &G::View) {
        self.buffer.clear();
        json::write_event(game, mover, mv, &mut self.buffer);
        self.tell();
    }

    fn observes(&self) -> bool {
        self.config.dialect == Dialect::Json && self.live.is_some()
    }

    fn end(&mut self, _game: &G, scores: &Scores, end: End) {
        if self.config.dialect == Dialect::Json {
            self.buffer.clear();
            json::write_end(self.seat, scores, end, &mut self.buffer);
            self.tell();
        }
        if !self.config.reuse
            && let Some(live) = self.live.take()
        {
            self.keep_log(live);
        }
    }

    fn take_log(&mut self) -> Option<GameLog> {
        Some(ExternalAgent::take_log(self))
    }

    fn notice(&self) -> Option<String> {
        // Taken when a player fails first, so what it says must hold whatever follows.
        let first = self.first_fault.as_deref()?;
        Some(format!(
            "`{}` forfeited games; the first time it {first}",
            self.config.process.command.display,
        ))
    }
}

impl Drop for ExternalAgent {
    fn drop(&mut self) {
        self.quit();
    }
}

/// Starts a program and waits until it is ready.
fn start<G: Game>(game: &G, seat: Seat, config: &BotConfig) -> Result<Live, BotStartError> {
    let spec = &config.process;
    let by = deadline(Instant::now(), spec.limits.start());
    let mut process = Process::start(spec)?;
    let identity = if config.dialect == Dialect::Json {
        let mut hello = String::new();
        json::write_hello(game, seat, &spec.limits, &mut hello);
        let ready = process
            .send(hello.as_bytes(), by)
            .and_then(|()| process.receive(by))
            .map(|received| {
                let line = process.text(&received);
                json::read_ready(line).map_err(|why| with_dialect_hint(why, line))
            });
        match ready {
            Ok(Ok(identity)) => identity,
            Ok(Err(why)) => return Err(not_ready(config, process, why)),
            Err(failure) => {
                let why = start_failure(failure, spec.limits.start_ms);
                return Err(not_ready(config, process, why));
            }
        }
    } else {
        Identity::default()
    };
    Ok(Live {
        process,
        identity,
        starting: config.dialect != Dialect::Json,
    })
}

pub(super) fn with_dialect_hint(why: String, line: &str) -> String {
    if line.trim_start().starts_with('{') {
        why
    } else {
        format!("{why}; does it speak another dialect? See --protocol text and --protocol board")
    }
}

pub(super) fn start_failure(failure: Failure, start_ms: u64) -> String {
    match failure {
        Failure::Timeout => format!(
            "it did not answer `hello` with `ready` within {start_ms} ms (start_ms; a program that waits for a game may speak --protocol text or board)"
        ),
        Failure::Crash(how) => format!("it {how}"),
        Failure::Protocol(why) => why,
        Failure::Interrupted => "interrupted".to_owned(),
    }
}

pub(super) fn not_ready(config: &BotConfig, mut process: Process, why: String) -> BotStartError {
    process.end();
    let text = escape_lines(&process.errors_tail());
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let tail = lines
        .iter()
        .skip(lines.len().saturating_sub(TAIL_LINES))
        .map(|&line| line.to_owned())
        .collect();
    BotStartError::NotReady {
        command: config.process.command.display.clone(),
        why,
        tail,
    }
}

/// Takes late answers out of what came unasked; anything else is still a failure.
fn discard_late(
    process: &mut Process,
    next_id: u64,
    mut unasked: Result<(), Failure>,
) -> Result<(), Failure> {
    while unasked.is_err() {
        match process.take_unasked() {
            Some(line) if json::is_late(&line, next_id) => unasked = process.nothing_unasked(),
            Some(line) => {
                return Err(Failure::Protocol(format!(
                    "answered before being asked: `{}`",
                    excerpt(line.as_bytes())
                )));
            }
            None => return unasked,
        }
    }
    Ok(())
}

fn fault_of(failure: Failure, milliseconds: u64) -> Fault {
    match failure {
        Failure::Timeout => Fault::Timeout { milliseconds },
        Failure::Crash(how) => Fault::Crash(how),
        Failure::Protocol(why) => Fault::Protocol(escape_for_terminal(why.as_bytes())),
        Failure::Interrupted => Fault::Interrupted,
    }
}
