//! `evalctl play`: people and agents at one terminal.

mod answer;
mod person;
mod room;
mod script;
mod sit;
mod words;

use std::collections::VecDeque;
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::args::PlayGameArgs;
use super::error::{Code, Failure};
use super::experiment::quoted;
use super::signals::Stop;
use super::trace::seeds;
use crate::agents::Fault;
use crate::config::typed;
use crate::external::{self, BotConfig, BotStartError};
use crate::games::{GameInfo, Seat, Style};
use crate::record::GameRecord;
use crate::rng::Seed;
use crate::spec::Settings;
use crate::table::{self, Decision, GameSink, TableOptions};
use crate::trace::JsonTrace;

pub(crate) use sit::register;

use person::enter;
use room::{Ending, Room, Setup};
use sit::Sit;

/// The word for a person.
const HUMAN: &str = "human";

/// How long a game has to end by itself after a signal: a search in this process cannot be asked.
const GRACE: Duration = Duration::from_millis(400);

/// How often the end of the game and a signal are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Moves of a game, which outlive it however it ends.
type Moves = Arc<Mutex<Vec<String>>>;

pub(super) fn run(args: &PlayGameArgs) -> Result<(), Failure> {
    let (game, opening_plies) = typed::game(&args.game).map_err(Failure::usage)?;
    let info = table::game_info(&game).map_err(Failure::usage)?;
    let players = players(args, &game, &info)?;
    let hinter = hinter(args, &game, &info)?;
    let stop = Stop::listen()?;
    let options = TableOptions {
        opening_plies,
        stop: stop.flag(),
        host: args.containment.host(),
        ..TableOptions::default()
    };
    probe(&game, &players, &options)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let script: VecDeque<String> = args
        .moves
        .iter()
        .flat_map(|text| typed_moves(text))
        .collect();
    let people: Vec<Seat> = (0..info.seats)
        .filter(|&s| players[s].name == HUMAN)
        .collect();
    let style = Style {
        colour: super::colours(),
    };
    let room = Arc::new(Mutex::new(Room::new(Setup {
        people,
        secret: info.hidden_information,
        terminal: std::io::stdout().is_terminal(),
        style,
        stop: stop.flag(),
    })));
    let moves = Moves::default();
    let mut commentary = Commentary {
        names: players.iter().map(ToString::to_string).collect(),
        room: Arc::clone(&room),
        moves: Arc::clone(&moves),
        drawn: script.len(),
        out: Vec::new(),
        trace: args.record.as_deref().map(open).transpose()?,
    };
    let root = Seed::root(seed);
    let sit = Sit {
        players: &players,
        hinter: &hinter,
        hint_seed: root.derive("hint", &[game.canonical().as_bytes()]),
        room: &room,
        script: &Arc::new(Mutex::new(script)),
        options,
    };
    let table = sit.table(&game).map_err(Failure::usage)?;
    greet(&room, &commentary.names, args, seed);
    let order: Vec<usize> = (0..info.seats).collect();
    let game_seeds = seeds(&root, &game, &players, &order, (0, 0));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut table = table;
        let played = table.play(&game_seeds, &order, Some(&mut commentary));
        // Nobody waits any more if a signal came.
        let _ = sender.send((played, commentary));
    });
    let over = wait(&receiver, &stop)?;
    let again = again(args, seed, &moves);
    match over {
        Some((Ok(record), commentary)) => commentary.close(&record, &again),
        Some((Err(Fault::Interrupted), commentary)) => {
            let ending = enter(&room).ending();
            commentary.keep_trace()?;
            left(ending, &stop, &again)
        }
        Some((Err(fault), _)) => Err(Failure::failed(fault)),
        None => Err(interrupted(&stop, &again)),
    }
}

/// A game and who told of it.
type Over = (Result<GameRecord, Fault>, Commentary);

/// Waits for the end of the game; `None` if a signal came and the game does not end by itself.
fn wait(receiver: &Receiver<Over>, stop: &Stop) -> Result<Option<Over>, Failure> {
    let mut asked = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(over) => return Ok(Some(over)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::failed("the game ended in an error of evalctl"));
            }
            Err(RecvTimeoutError::Timeout) if stop.is_asked() => {
                if asked.get_or_insert_with(Instant::now).elapsed() > GRACE {
                    return Ok(None);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A game was left before its end.
fn left(ending: Option<Ending>, stop: &Stop, again: &str) -> Result<(), Failure> {
    match ending {
        Some(Ending::Output(error)) => Err(error.into()),
        Some(Ending::Quit) => {
            let mut out = std::io::stdout().lock();
            Ok(writeln!(out, "Left. To go on: {again}")?)
        }
        Some(Ending::EndOfInput) => Err(Failure::new(
            Code::Interrupted,
            format!("the input ended before the game. To go on: {again}"),
        )),
        None => Err(interrupted(stop, again)),
    }
}

fn interrupted(stop: &Stop, again: &str) -> Failure {
    Failure::new(stop.code(), format!("stopped. To go on: {again}"))
}

/// Who sits where; the last agent named fills the seats left.
fn players(
    args: &PlayGameArgs,
    game: &Settings,
    info: &GameInfo,
) -> Result<Vec<Settings>, Failure> {
    let named = args.seats.len();
    if named > info.seats {
        return Err(Failure::usage(format!(
            "{named} players were named, but {} has {} seats",
            game.canonical(),
            info.seats
        )));
    }
    let last = args.seats.last().map_or("", String::as_str);
    if named < info.seats && last == HUMAN {
        return Err(Failure::usage(format!(
            "name a player for each of the {1} seats of {0} (an agent named last fills the seats left)",
            game.canonical(),
            info.seats
        )));
    }
    let exec = args.programs.exec_options();
    (0..info.seats)
        .map(
            |seat| match args.seats.get(seat).map_or(last, String::as_str) {
                HUMAN => Ok(Settings::named(HUMAN)),
                text => typed::agent_with(text, game, &exec).map_err(Failure::usage),
            },
        )
        .collect()
}

/// The agent that gives hints: an honest search unless another one is named.
fn hinter(args: &PlayGameArgs, game: &Settings, info: &GameInfo) -> Result<Settings, Failure> {
    let text = args.hint.as_deref().unwrap_or(if info.hidden_information {
        "ismcts:simulations=2000"
    } else {
        "uct:simulations=5000"
    });
    if text.starts_with("cheating-") || text.starts_with("exec") {
        return Err(Failure::usage(format!(
            "--hint {}: hints come from an agent of evalctl that sees what you see, such as ismcts:simulations=5000",
            external::escape_for_terminal(text.as_bytes())
        )));
    }
    typed::agent(text, game).map_err(Failure::usage)
}

/// Starts every program once: one that cannot be started has not lost a game.
fn probe(game: &Settings, players: &[Settings], options: &TableOptions) -> Result<(), Failure> {
    for (seat, player) in players.iter().enumerate() {
        if player.name != external::SPEC.name || players[..seat].contains(player) {
            continue;
        }
        let config = BotConfig::new(player, &options.host, Arc::clone(&options.stop))
            .map_err(Failure::usage)?;
        match table::probe(game, &config).map_err(Failure::usage)? {
            Ok(_) => {}
            Err(BotStartError::Interrupted) => {
                return Err(Failure::new(Code::Interrupted, "stopped before the game"));
            }
            Err(error) => return Err(Failure::failed(error)),
        }
    }
    Ok(())
}

/// A seed that differs from call to call; short, because people type it.
fn fresh_seed() -> u64 {
    std::hash::RandomState::new().build_hasher().finish() % 1_000_000
}

fn typed_moves(text: &str) -> impl Iterator<Item = String> {
    text.split(';')
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

fn open(path: &std::path::Path) -> Result<JsonTrace<File>, Failure> {
    File::create(path)
        .map(|file| JsonTrace::new(file, 0))
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))
}

/// The command that plays the same moves and goes on from there.
fn again(args: &PlayGameArgs, seed: u64, moves: &Moves) -> String {
    let mut parts = vec!["evalctl play".to_owned(), quoted(&args.game)];
    parts.extend(args.seats.iter().map(|seat| quoted(seat)));
    for (key, value) in args.programs.exec_options() {
        parts.push(if key == "reuse" {
            "--reuse".to_owned()
        } else {
            format!("--{} {}", key.replace('_', "-"), quoted(&value))
        });
    }
    parts.push(format!("--seed {seed}"));
    let moves = moves.lock().unwrap_or_else(PoisonError::into_inner);
    if !moves.is_empty() {
        parts.push(format!("--moves {}", quoted(&moves.join(";"))));
    }
    parts.join(" ")
}

fn greet(room: &Mutex<Room>, names: &[String], args: &PlayGameArgs, seed: u64) {
    let seats: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            format!(
                "seat {seat}: {}",
                external::escape_for_terminal(name.as_bytes())
            )
        })
        .collect();
    let mut text = format!("{}, {}; seed {seed}\n", args.game, seats.join(", "));
    let mut room = enter(room);
    if !room.people().is_empty() {
        text.push_str("Type a move, or: help, hint, board, quit.\n");
    }
    // The first question finds out if nobody reads.
    let _ = room.say(&text);
}

/// Tells people what happens, writes down the moves and, if asked, the trace.
struct Commentary {
    names: Vec<String>,
    room: Arc<Mutex<Room>>,
    moves: Moves,
    /// Positions before this decision are drawn: they come from `--moves`, nobody is asked.
    drawn: usize,
    out: Vec<Vec<Seat>>,
    trace: Option<JsonTrace<File>>,
}

impl GameSink for Commentary {
    fn deal(&mut self, fields: Map<String, Value>, seats: usize, first_seat: Seat) {
        if let Some(trace) = &mut self.trace {
            trace.deal(fields, seats, first_seat);
        }
    }

    fn decision(&mut self, decision: &Decision<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.decision(decision);
        }
        let mut room = enter(&self.room);
        let viewer = room.people().first().copied();
        let made = {
            let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
            if !decision.opening {
                moves.push(decision.mv.clone());
            }
            moves.len()
        };
        let replayed = !decision.opening && made <= self.drawn;
        if (replayed || viewer.is_none()) && !room.keeps_secrets() {
            let drawing = (decision.draw)(viewer, room.style());
            // If nobody reads, the next question finds out.
            let _ = room.say(&format!("\n{drawing}"));
        }
        let name = self.names.get(decision.seat).map_or("?", String::as_str);
        let by_lot = if decision.opening {
            ", a random opening move"
        } else {
            ""
        };
        let name = external::escape_for_terminal(name.as_bytes());
        let text = format!(
            "seat {} ({name}) plays {}{by_lot}",
            decision.seat, decision.mv
        );
        let told_already = !replayed && room.people().contains(&decision.seat);
        let _ = room.happened(told_already.then_some(decision.seat), text);
    }

    fn end(&mut self, record: &GameRecord, out: &[Vec<Seat>]) {
        if let Some(trace) = &mut self.trace {
            trace.end(record, out);
        }
        self.out = out.to_vec();
    }
}

impl Commentary {
    /// The last words of a game that came to its end.
    fn close(self, record: &GameRecord, again: &str) -> Result<(), Failure> {
        let mut room = enter(&self.room);
        let text = words::result(&self.names, record, &self.out);
        let said = room
            .close()
            .and_then(|()| room.say(&format!("{text}To see it again: {again}\n")));
        if said.is_err()
            && let Some(Ending::Output(error)) = room.ending()
        {
            return Err(error.into());
        }
        drop(room);
        self.keep_trace()
    }

    fn keep_trace(self) -> Result<(), Failure> {
        match self.trace.map(JsonTrace::finish) {
            Some(Err(error)) => Err(Failure::failed(format!("cannot write the record: {error}"))),
            _ => Ok(()),
        }
    }
}
