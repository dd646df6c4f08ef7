//! The engine of `evalctl check-bot`: goes through the protocol step by step, plays some games,
//! provokes the usual mistakes, and says of each step what was sent, what came back, and what
//! should have.
//!
//! It never stops at the first problem if later steps can still tell something.

mod advice;
mod session;

use std::time::Duration;

use self::session::{Asked, Session, Talk};
use super::bot::{BotStartError, ExternalAgent};
use super::dialect::Dialect;
use super::escape::{escape_lines, excerpt};
use super::settings::BotConfig;
use crate::games::{Game, Seat};
use crate::rng::Seed;

/// What a step has shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// As it should be.
    Good,
    /// Allowed, but it may cost games.
    Warning,
    /// It forfeits games or never plays.
    Bad,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was tried.
    pub title: String,
    /// What was sent, escaped, line by line; empty if nothing was.
    pub sent: Vec<String>,
    /// What came back, escaped, line by line; empty if nothing did.
    pub received: Vec<String>,
    /// What should have come back; empty if the step is good.
    pub expected: String,
    /// What it means.
    pub verdict: Verdict,
    /// In words: what was seen, and what to change.
    pub explanation: String,
}

impl Step {
    fn good(title: impl Into<String>, explanation: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            sent: Vec::new(),
            received: Vec::new(),
            expected: String::new(),
            verdict: Verdict::Good,
            explanation: explanation.into(),
        }
    }

    fn warning(title: impl Into<String>, explanation: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Warning,
            ..Self::good(title, explanation)
        }
    }

    fn bad(
        title: impl Into<String>,
        expected: impl Into<String>,
        explanation: impl Into<String>,
    ) -> Self {
        Self {
            verdict: Verdict::Bad,
            expected: expected.into(),
            ..Self::good(title, explanation)
        }
    }

    fn with(mut self, talk: &Talk) -> Self {
        self.sent = lines(&talk.sent);
        self.received = lines(&talk.received);
        self
    }
}

fn lines(bytes: &[u8]) -> Vec<String> {
    escape_lines(bytes).lines().map(str::to_owned).collect()
}

/// What a check is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// Whole games to play in each seat.
    pub games: u32,
    /// Seed of the opponent's random moves and of the deals.
    pub seed: u64,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { games: 3, seed: 1 }
    }
}

/// Checks the program of `config` as a player of `game`; `tell` hears of each step when it is done.
///
/// Returns the worst verdict.
pub fn check<G: Game>(
    game: &G,
    config: &BotConfig,
    options: CheckOptions,
    mut tell: impl FnMut(&Step),
) -> Verdict {
    let mut worst = Verdict::Good;
    let mut add = |step: Step| {
        worst = worst.max(step.verdict);
        tell(&step);
        step.verdict
    };
    if add(containment(config)) == Verdict::Bad {
        return Verdict::Bad;
    }
    let (step, session) = start(game, config);
    add(step);
    let Some(session) = session else {
        return Verdict::Bad;
    };
    let (step, session) = first_question(game, session, options.seed);
    let usable = add(step) != Verdict::Bad;
    add(remarks(session));
    if usable {
        for step in mistakes(game, config, options.seed) {
            add(step);
        }
        add(games(game, config, options));
        add(two_at_once(game, config));
        add(end_of_input(game, config));
    }
    worst
}

fn containment(config: &BotConfig) -> Step {
    let title = "Find the program and its containment";
    let command = &config.process.command;
    match config.process.sandbox.check() {
        Ok(reached) => {
            let program = super::escape_for_terminal(command.program.to_string_lossy().as_bytes());
            let level = reached.level.word();
            Step::good(
                title,
                format!("{program}, contained by `--sandbox {level}`"),
            )
        }
        Err(e) => Step::bad(
            title,
            "a containment that this machine can enforce",
            e.to_string(),
        ),
    }
}

/// Starts the program and goes through the handshake.
fn start<G: Game>(game: &G, config: &BotConfig) -> (Step, Option<Session>) {
    let title = match config.dialect {
        Dialect::Json => "Start it and say hello",
        Dialect::Text | Dialect::Board => "Start it",
    };
    match Session::start(game, config) {
        Ok((session, talk, taken)) => {
            let name = match config.dialect {
                Dialect::Json => "ready".to_owned(),
                Dialect::Text | Dialect::Board => {
                    "running (this dialect has no handshake)".to_owned()
                }
            };
            let text = format!("{name} after {}", milliseconds(taken));
            (Step::good(title, text).with(&talk), Some(session))
        }
        Err((error, talk)) => {
            let expected = match (&error, config.dialect) {
                (BotStartError::NotReady { .. }, Dialect::Json) => {
                    r#"{"type":"ready","name":"...","version":"..."} on a line of its own"#
                }
                _ => "a program that runs",
            };
            let why = advice::on_start(&error, config);
            (Step::bad(title, expected, why).with(&talk), None)
        }
    }
}

/// Asks for one move.
fn first_question<G: Game>(game: &G, mut session: Session, seed: u64) -> (Step, Session) {
    let title = "Ask for a move";
    let state = game.deal(&mut Seed::root(seed).rng());
    let seat = game.to_move(&state).unwrap_or(0);
    session.begin(seat);
    let asked = session.ask_at(game, &state, seat);
    let step = judge(title, &asked, &mut session);
    (step, session)
}

/// The step for one question.
fn judge<M>(title: &str, asked: &Asked<M>, session: &mut Session) -> Step {
    match &asked.answer {
        Ok(_) => Step::good(
            title,
            format!("a legal move after {}", milliseconds(asked.taken)),
        ),
        Err(problem) => {
            let why = advice::on_answer(problem, session);
            Step::bad(title, asked.expected.clone(), why)
        }
    }
    .with(&asked.talk)
}

/// What the program wrote to standard error and as chatter.
fn remarks(mut session: Session) -> Step {
    let title = "What it writes besides its answers";
    session.end();
    let log = session.take_log();
    let mut text = log.errors;
    text.extend_from_slice(&log.chatter);
    if text.is_empty() {
        Step::good(title, "nothing")
    } else {
        let step = Step::good(
            title,
            "kept in the log of each game; the first 64 KiB, and it never blocks the program",
        );
        Step {
            received: lines(&text).into_iter().take(20).collect(),
            ..step
        }
    }
}

/// A way of asking that a program must cope with, though a first version often does not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trial {
    /// The question arrives in two pieces with a pause between.
    Pieces,
    /// Unknown keys (`json`).
    UnknownKeys,
    /// The whole beginning of a game in one write (`json`).
    OneWrite,
}

impl Trial {
    fn title(self) -> &'static str {
        match self {
            Self::Pieces => "A question that arrives in two pieces",
            Self::UnknownKeys => "A question with keys it does not know",
            Self::OneWrite => "Several messages at once",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Pieces => "read whole lines: one read from a pipe may return half of one",
            Self::UnknownKeys => "ignore keys you do not know: later versions may add some",
            Self::OneWrite => {
                "take the lines of what you read one by one: one read may return several"
            }
        }
    }
}

fn mistakes<G: Game>(game: &G, config: &BotConfig, seed: u64) -> Vec<Step> {
    let trials: &[Trial] = match config.dialect {
        Dialect::Json => &[Trial::Pieces, Trial::UnknownKeys, Trial::OneWrite],
        Dialect::Text | Dialect::Board => &[Trial::Pieces],
    };
    trials
        .iter()
        .map(|&trial| {
            let (mut session, ..) = match Session::start(game, config) {
                Ok(started) => started,
                Err((error, talk)) => {
                    let why = advice::on_start(&error, config);
                    return Step::bad(trial.title(), "a start like the first", why).with(&talk);
                }
            };
            let state = game.deal(&mut Seed::root(seed).rng());
            let seat = game.to_move(&state).unwrap_or(0);
            let asked = session.try_out(game, &state, seat, trial);
            let mut step = judge(trial.title(), &asked, &mut session);
            if step.verdict == Verdict::Bad {
                step.explanation = format!("{}; {}", step.explanation, trial.hint());
            }
            step
        })
        .collect()
}

/// Plays whole games against random moves, in every seat.
fn games<G: Game>(game: &G, config: &BotConfig, options: CheckOptions) -> Step {
    let title = "Play whole games in every seat";
    let expected = "a legal move in time, every time";
    let mut session = None;
    let (mut slowest, mut moves, mut played) = (Duration::ZERO, 0_u32, 0_u32);
    for number in 0..options.games {
        for seat in 0..game.info().seats {
            let mut current = match session.take().filter(|_| config.reuse) {
                Some(session) => session,
                None => match Session::start(game, config) {
                    Ok((session, ..)) => session,
                    Err((error, talk)) => {
                        let why = advice::on_start(&error, config);
                        return Step::bad(title, expected, why).with(&talk);
                    }
                },
            };
            let seed = Seed::root(options.seed).derive("check", &[&number.to_le_bytes()]);
            match current.play(game, seat, seed) {
                Ok(played) => {
                    slowest = slowest.max(played.slowest);
                    moves += played.moves;
                }
                Err(asked) => {
                    let step = judge(title, &asked, &mut current);
                    let place = format!("game {}, seat {seat}, {}", played + 1, asked.place);
                    return Step {
                        explanation: format!("{place}: {}", step.explanation),
                        ..step
                    };
                }
            }
            played += 1;
            session = Some(current);
        }
    }
    let text = format!(
        "{played} games, {moves} moves, the slowest after {} of {} ms",
        milliseconds(slowest),
        config.process.limits.move_ms
    );
    if slowest * 2 > Duration::from_millis(config.process.limits.move_ms) {
        let near = "; that is near the limit: on a busier machine some moves will be late";
        Step::warning(title, text + near)
    } else {
        Step::good(title, text)
    }
}

/// Games are played side by side, so a program must run twice at the same time.
fn two_at_once<G: Game>(game: &G, config: &BotConfig) -> Step {
    let title = "Run two of it at once";
    let mut pair = [config, config].map(|config| ExternalAgent::new(config.clone()));
    for agent in &mut pair {
        if let Err(error) = agent.ensure_started(game, 0) {
            let why = format!(
                "{}; with --jobs several run side by side: do not count on a fixed file or port",
                advice::on_start(&error, config)
            );
            return Step::bad(title, "both are ready", why);
        }
    }
    Step::good(title, "both are ready")
}

/// A program should leave when its input ends.
fn end_of_input<G: Game>(game: &G, config: &BotConfig) -> Step {
    let title = "End its input";
    let Ok((mut session, ..)) = Session::start(game, config) else {
        return Step::bad(
            title,
            "a start like the first",
            "it did not start this time",
        );
    };
    match session.leave() {
        Some(how) => Step::good(title, format!("it {}", excerpt(how.as_bytes()))),
        None => Step::warning(
            title,
            "it goes on running; evalctl ends it, but a program that leaves when a read fails cannot be left behind anywhere else either",
        ),
    }
}

fn milliseconds(time: Duration) -> String {
    if time < Duration::from_millis(10) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{} ms", time.as_millis())
    }
}

/// Which decision of a game a question was.
fn place(ply: u32, seat: Seat) -> String {
    format!("decision {ply} (seat {seat} to move)")
}
