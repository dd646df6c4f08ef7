//! How many questions a second can be asked and answered: `bot/round-trips`.
//!
//! The bot is this program again, in a role that answers at once (its argument is `ARGUMENT`), so
//! that the way between the processes is measured and nothing else: real games of tic-tac-toe in
//! one process that is kept (for `board` that is `--reuse`), with deadlines, checks and
//! containment as in any match.

use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bot::ExternalAgent;
use super::command::ResolvedCommand;
use super::containment::Sandbox;
use super::dialect::Dialect;
use super::limits::Limits;
use super::process::ProcessSpec;
use super::settings::BotConfig;
use crate::agents::{Agent as _, Fault};
use crate::games::Game as _;
use crate::games::tictactoe::TicTacToe;
use crate::record::End;
use crate::rng::Seed;

/// The argument that makes this program an instant bot.
pub(crate) const ARGUMENT: &str = "__instant-bot";

/// The rate that was measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RoundTrips {
    /// Questions asked and answered per second, by all games together.
    pub per_second: f64,
    /// Games played at once, each on a thread and with a bot of its own.
    pub at_once: usize,
}

/// Plays games against instant bots for about `time`.
///
/// # Errors
/// If a bot cannot be started or fails, which it never should.
pub fn round_trips(
    dialect: Dialect,
    at_once: usize,
    time: Duration,
    sandbox: &Sandbox,
) -> Result<RoundTrips, Fault> {
    let rates: Result<Vec<f64>, Fault> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once)
            .map(|_| scope.spawn(|| worker(dialect, time, sandbox)))
            .collect();
        let failed = || Fault::Infrastructure("a worker thread panicked".to_owned());
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err(failed())))
            .collect()
    });
    Ok(RoundTrips {
        per_second: rates?.iter().sum(),
        at_once,
    })
}

/// Round trips per second of one game after another.
fn worker(dialect: Dialect, time: Duration, sandbox: &Sandbox) -> Result<f64, Fault> {
    let mut agent = ExternalAgent::new(instant_bot(dialect, sandbox)?);
    let game = TicTacToe;
    let (mut legal, seed) = (Vec::new(), Seed::root(0));
    // The first games warm up: the start of the process is not what is measured.
    let mut started = Instant::now();
    let mut trips = 0_u32;
    for number in 0_u32.. {
        let mut state = game.deal(&mut seed.rng());
        agent.start(&game, 0, seed)?;
        while game.to_move(&state).is_some() {
            game.legal_into(&state, &mut legal);
            let mv = agent.choose(&game, &state, &legal)?;
            game.apply(&mut state, mv);
            trips += 1;
        }
        if let Some(scores) = game.scores(&state) {
            agent.end(&game, &scores, End::Normal);
        }
        if number == 50 {
            (trips, started) = (0, Instant::now());
        } else if number > 50 && started.elapsed() >= time {
            break;
        }
    }
    Ok(f64::from(trips) / started.elapsed().as_secs_f64())
}

fn instant_bot(dialect: Dialect, sandbox: &Sandbox) -> Result<BotConfig, Fault> {
    let failed = |e: &dyn std::fmt::Display| Fault::Infrastructure(format!("instant bot: {e}"));
    let program = match &sandbox.helper {
        Some(helper) => helper.clone(),
        None => std::env::current_exe().map_err(|e| failed(&e))?,
    };
    Ok(BotConfig {
        process: ProcessSpec {
            command: ResolvedCommand {
                program,
                args: vec![ARGUMENT.into()],
                display: "instant bot".to_owned(),
                missing: None,
            },
            env: Vec::new(),
            limits: Limits::default(),
            sandbox: sandbox.clone(),
            share_core: true,
            interrupt: Arc::<AtomicBool>::default(),
        },
        dialect,
        reuse: true,
    })
}

/// Becomes an instant bot if this program was started as one; else returns at once.
pub(super) fn main_if_requested() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|a| a == ARGUMENT) && arguments.next().is_none() {
        answer_at_once();
        std::process::exit(0);
    }
}

/// Answers questions in any dialect as soon as their last line is there.
fn answer_at_once() {
    let mut input = std::io::stdin().lock();
    // Straight to the pipe, without the buffer that waits for a line end.
    let Ok(mut output) = raw_output() else { return };
    let mut buffer = vec![0; 16 * 1024];
    let mut filled = 0;
    let mut board = Vec::new();
    while let Some(room) = buffer.get_mut(filled..)
        && let Ok(count @ 1..) = input.read(room)
    {
        filled += count;
        let mut rest = buffer.get(..filled).unwrap_or_default();
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if let Some(answer) = answer(line, &mut board)
                && output.write_all(&answer).is_err()
            {
                return;
            }
        }
        let unread = rest.len();
        buffer.copy_within(filled - unread..filled, 0);
        filled = unread;
    }
}

/// The answer that is due after `line`: the first move. `board` has the cells of the rows so far.
fn answer(line: &[u8], board: &mut Vec<u8>) -> Option<Vec<u8>> {
    match line {
        [b'{', ..] => json_answer(line),
        [_mark] => {
            board.clear();
            None
        }
        [_, _, _] => {
            board.extend_from_slice(line);
            let free = board.iter().position(|&cell| cell == b'.');
            free.filter(|_| board.len() == 9)
                .map(|cell| format!("{} {}\n", cell / 3, cell % 3).into_bytes())
        }
        _ => {
            let first = line.strip_prefix(b"moves ")?.split(|&b| b == b';').next()?;
            Some([first, b"\n"].concat())
        }
    }
}

fn json_answer(line: &[u8]) -> Option<Vec<u8>> {
    let message: Value = serde_json::from_slice(line).ok()?;
    let reply = match message.get("type")?.as_str()? {
        "hello" => json!({"type": "ready"}),
        "act" => json!({"id": message.get("id")?, "move": message.get("legal")?.get(0)?}),
        _ => return None,
    };
    Some(format!("{reply}\n").into_bytes())
}

#[cfg(unix)]
fn raw_output() -> std::io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;
    Ok(std::io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn raw_output() -> std::io::Result<std::io::Stdout> {
    Ok(std::io::stdout())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_is_the_answer_in_every_dialect() {
        let mut board = Vec::new();
        let mut said = |line: &str| {
            answer(line.as_bytes(), &mut board).map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(said("obs mark=x board=o........"), None);
        assert_eq!(said("moves 0 1;0 2"), Some("0 1\n".to_owned()));
        for _ in 0..2 {
            for line in ["x", "oxo", "x.."] {
                assert_eq!(said(line), None);
            }
            assert_eq!(said("..."), Some("1 1\n".to_owned()));
        }
        let ready = said(r#"{"type":"hello","protocol":1}"#);
        assert_eq!(ready.as_deref(), Some("{\"type\":\"ready\"}\n"));
        assert_eq!(said(r#"{"type":"start"}"#), None);
        let moved = said(r#"{"type":"act","id":7,"legal":["0 1","0 2"]}"#);
        assert_eq!(moved.as_deref(), Some("{\"id\":7,\"move\":\"0 1\"}\n"));
    }
}
