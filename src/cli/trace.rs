//! `evalctl trace`: plays games and prints them as JSON lines, or drawn for people.

use std::io::{BufWriter, Write as _};

use super::args::TraceArgs;
use super::error::Failure;
use crate::config::typed;
use crate::games::{MAX_SEATS, Style};
use crate::plan::GameSeeds;
use crate::rng::Seed;
use crate::spec::Settings;
use crate::table::{self, GameSink, TableOptions};
use crate::trace::{JsonTrace, TextTrace};

pub(super) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let (game, opening_plies) = typed::game(&args.game).map_err(Failure::usage)?;
    let info = table::game_info(&game).map_err(Failure::usage)?;
    if args.agents.len() > info.seats {
        return Err(Failure::usage(format!(
            "{} agents were named, but {} has {} seats",
            args.agents.len(),
            game.canonical(),
            info.seats
        )));
    }
    if let Some(seat) = args.seat
        && seat >= info.seats
    {
        return Err(Failure::usage(format!(
            "--seat {seat}: {} has seats 0 to {}",
            game.canonical(),
            info.seats - 1
        )));
    }
    let mut agents = Vec::with_capacity(info.seats);
    for seat in 0..info.seats {
        let text = args
            .agents
            .get(seat)
            .or(args.agents.last())
            .map_or("random", String::as_str);
        agents.push(typed::agent(text, &game).map_err(Failure::usage)?);
    }
    let options = TableOptions {
        opening_plies: args.opening_plies.max(opening_plies),
        ..TableOptions::default()
    };
    let mut table = table::build(&game, &agents, &options).map_err(Failure::usage)?;
    let Some(last) = args.block.checked_add(args.games - 1) else {
        return Err(Failure::usage(format!(
            "--block {} --games {}: deals are numbered up to {}; choose a smaller --block",
            args.block,
            args.games,
            u64::MAX
        )));
    };
    let root = Seed::root(args.seed);
    let content = game.canonical();
    if args.rotation >= info.seats {
        return Err(Failure::usage(format!(
            "--rotation {}: {content} has rotations 0 to {}",
            args.rotation,
            info.seats - 1
        )));
    }
    // The first agent sits in seat `rotation`, the others follow in the seats that are left.
    let players = &table::seating(info.seats, args.rotation)[..info.seats];
    let mut out = BufWriter::new(std::io::stdout().lock());
    for number in args.block..=last {
        let seeds = seeds(&root, &game, &agents, players, (number, args.rotation));
        let mut play = |sink: &mut dyn GameSink| {
            table
                .play(&seeds, players, Some(sink))
                .map_err(Failure::failed)
        };
        if args.text {
            let names = players
                .iter()
                .map(|&player| agents[player].to_string())
                .collect();
            let title = format!("Game {number} of {content}, seed {}", args.seed);
            let style = Style {
                colour: super::colours(),
            };
            let mut trace = TextTrace::new(&mut out, title, names, style, args.seat);
            play(&mut trace)?;
            trace.finish()?;
        } else {
            let mut trace = JsonTrace::new(&mut out, number);
            play(&mut trace)?;
            trace.finish()?;
        }
    }
    Ok(out.flush()?)
}

/// The streams of game `number` between `agents`, where `players[seat]` is the index of the agent
/// in a seat.
pub(super) fn seeds(
    root: &Seed,
    game: &Settings,
    agents: &[Settings],
    players: &[usize],
    (number, rotation): (u64, usize),
) -> GameSeeds {
    let content = game.canonical();
    let of_game = |purpose: &str| {
        root.derive(purpose, &[content.as_bytes()])
            .indexed([number, 0, 0])
    };
    let mut seats = [*root; MAX_SEATS];
    for (seat, &player) in players.iter().enumerate() {
        let agent = agents[player].canonical();
        seats[seat] = root
            .derive("agent", &[agent.as_bytes(), content.as_bytes()])
            .indexed([number, rotation as u64, seat as u64]);
    }
    GameSeeds {
        deal: of_game("deal"),
        opening: of_game("opening"),
        agents: seats,
    }
}
