//! One game between agents: the only place where a type-erased game is played.
//!
//! [`build`] turns names into a boxed [`Table`]: one `match` over games here, one over agents in
//! [`crate::agents::build`]; below that everything is monomorphised.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::{Map, Value};

use crate::agents::{self, BuildError, Fault, GameAgents, Player};
use crate::external::{self, GameLog, Host};
use crate::games::{Game, GameInfo, MAX_SEATS, Scores, Seat};
use crate::move_times::MoveTimes;
use crate::own_game;
use crate::plan::GameSeeds;
use crate::record::{DECISION_CAP, Digest, End, GameRecord};
use crate::rng::Rng;
use crate::spec::Settings;

/// Attempts at random opening moves that do not end the game.
const OPENING_ATTEMPTS: u32 = 100;

/// How a table is set up.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// Random moves, the same in every cell and rotation, before the agents are asked.
    pub opening_plies: u32,
    /// Whether the agents' time is measured (it never reaches a move).
    pub measure: bool,
    /// Set from outside to abandon the game in flight at the next decision; waiting for a program
    /// then ends within a fraction of a second too.
    pub stop: Arc<AtomicBool>,
    /// How players that are programs are run.
    pub host: Host,
}

/// Receives a game as it is played: the trace.
pub trait GameSink {
    /// The deal: `kind`-less fields of the trace's first line (rules and what determines the
    /// deal), number of seats, who moves first.
    fn deal(&mut self, fields: Map<String, Value>, seats: usize, first_seat: Seat);
    /// A decision: legal moves sorted as text, the move, and drawings made on demand.
    fn decision(&mut self, decision: &Decision<'_>);
    /// The end.
    fn end(&mut self, record: &GameRecord, out: &[Vec<Seat>]);
}

/// One decision of a traced game, taken but not yet played.
pub struct Decision<'a> {
    /// Number of the decision, from 0.
    pub ply: u32,
    /// Who decides.
    pub seat: Seat,
    /// Whether it was a random opening move.
    pub opening: bool,
    /// Legal moves, sorted as text.
    pub legal: Vec<String>,
    /// The move.
    pub mv: String,
    /// Draws the position before the move: all of it for `None`, what a seat may know otherwise.
    pub draw: &'a dyn Fn(Option<Seat>, crate::games::Style) -> String,
}

/// A game with its players, type-erased.
pub trait Table: Send {
    /// What the game is.
    fn info(&self) -> GameInfo;

    /// Plays one game. `players[seat]` is the index of the player that sits there.
    ///
    /// # Errors
    /// [`Fault::Infrastructure`] or [`Fault::Interrupted`]: the game is no result. Other faults
    /// are forfeits and part of the record.
    fn play(
        &mut self,
        seeds: &GameSeeds,
        players: &[usize],
        sink: Option<&mut dyn GameSink>,
    ) -> Result<GameRecord, Fault>;

    /// What the report must say about player `index`, if anything.
    fn notice(&self, index: usize) -> Option<String>;

    /// Takes what the program in player `index` wrote besides its moves since the last call (the
    /// first 64 KiB of its standard error and of its remarks); `None` if it is no program.
    fn take_log(&mut self, index: usize) -> Option<GameLog>;

    /// Turns the measuring of agents' time on or off from the next decision on.
    fn set_measure(&mut self, measure: bool);

    /// Keeps the time of each measured move from now on, player by player.
    fn keep_move_times(&mut self);

    /// Adds what was kept of player `index` to `into`, and forgets it.
    fn drain_move_times(&mut self, index: usize, into: &mut MoveTimes);
}

/// Who sits where when player 0 (the challenger) sits in seat `rotation`.
pub fn seating(seats: usize, rotation: usize) -> [usize; MAX_SEATS] {
    let mut players = [0; MAX_SEATS];
    let mut next = 1;
    for (seat, player) in players.iter_mut().enumerate().take(seats) {
        if seat != rotation {
            *player = next;
            next += 1;
        }
    }
    players
}

/// What a named game is.
///
/// # Errors
/// If there is no such game or its options cannot be played together.
pub fn game_info(game: &Settings) -> Result<GameInfo, BuildError> {
    struct Info;
    impl Visitor for Info {
        type Output = GameInfo;
        fn visit<G: GameAgents>(self, game: G) -> Result<GameInfo, BuildError> {
            Ok(game.info())
        }
    }
    match own_game::find(&game.name) {
        Some(own) => own.info(game),
        None => visit(game, Info),
    }
}

/// A table for `game` with one player per seat, the challenger first.
///
/// # Errors
/// If a name or a set of options cannot be played.
pub fn build(
    game: &Settings,
    players: &[Settings],
    options: &TableOptions,
) -> Result<Box<dyn Table>, BuildError> {
    struct Build<'a>(&'a [Settings], &'a TableOptions);
    impl Visitor for Build<'_> {
        type Output = Box<dyn Table>;
        fn visit<G: GameAgents>(self, game: G) -> Result<Box<dyn Table>, BuildError> {
            of_game(game, self.0, self.1)
        }
    }
    match own_game::find(&game.name) {
        Some(own) => own.build(game, players, options),
        None => visit(game, Build(players, options)),
    }
}

/// A table of a game whose type is known.
///
/// # Errors
/// As [`build`].
pub(crate) fn of_game<G: GameAgents>(
    game: G,
    players: &[Settings],
    options: &TableOptions,
) -> Result<Box<dyn Table>, BuildError> {
    let players = players
        .iter()
        .map(|settings| player(&game, settings, options))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Box::new(GameTable::new(game, players, options.clone())))
}

/// The player that `settings` name: an agent or a program.
///
/// # Errors
/// As [`build`].
pub fn player<G: GameAgents>(
    game: &G,
    settings: &Settings,
    options: &TableOptions,
) -> Result<Player<G>, BuildError> {
    if settings.name == external::SPEC.name {
        external::build(game, settings, &options.host, Arc::clone(&options.stop))
    } else {
        agents::build(game, settings)
    }
}

/// Starts the program that `player` names, waits until it is ready to play `game`, and ends it.
/// Call it for every program before the first game: one that cannot be started is no lost game.
///
/// # Errors
/// The outer error if the settings cannot be played, the inner if the program does not start.
pub fn probe(
    game: &Settings,
    player: &Settings,
    options: &TableOptions,
) -> Result<Result<external::Probe, external::BotStartError>, BuildError> {
    struct Start<'a>(&'a Settings, &'a TableOptions);
    impl Visitor for Start<'_> {
        type Output = Result<external::Probe, external::BotStartError>;
        fn visit<G: GameAgents>(self, game: G) -> Result<Self::Output, BuildError> {
            let stop = Arc::clone(&self.1.stop);
            let config = external::BotConfig::new(self.0, &self.1.host, stop)?;
            config.check_game(&game)?;
            Ok(external::probe(&game, &config))
        }
    }
    visit(game, Start(player, options))
}

/// Something done with a game whose type is known only at run time.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    ///
    /// # Errors
    /// As the visitor says.
    fn visit<G: GameAgents>(self, game: G) -> Result<Self::Output, BuildError>;
}

/// Calls `visitor` with the named game. The one `match` over games.
///
/// # Errors
/// If there is no such game, its options cannot be played together, or the visitor fails.
pub fn visit<V: Visitor>(game: &Settings, visitor: V) -> Result<V::Output, BuildError> {
    match game.name.as_str() {
        "durak" => visitor.visit(durak(game)?),
        "durak-toy" => visitor.visit(crate::games::durak_toy::DurakToy::from_settings(game)?),
        "tictactoe" => visitor.visit(crate::games::tictactoe::TicTacToe),
        "connect-four" => visitor.visit(crate::games::connect_four::ConnectFour),
        name if own_game::find(name).is_some() => Err(BuildError::new(format!(
            "programs and people play the games that come with evalctl, not {name}"
        ))),
        name => Err(BuildError::unknown_game(name)),
    }
}

fn durak(game: &Settings) -> Result<crate::games::durak::Durak, BuildError> {
    crate::games::durak::Durak::from_settings(game)
        .map_err(|error| BuildError::about(&error.option, error.to_string()))
}

/// A table of a known game.
pub struct GameTable<G: Game> {
    game: G,
    players: Vec<Player<G>>,
    options: TableOptions,
    legal: Vec<G::Move>,
    /// Lent to agents and reused, so that a decision allocates nothing.
    view: Option<G::View>,
    seen: Vec<u128>,
    /// One per player, or none where nobody asked.
    move_times: Vec<MoveTimes>,
}

/// Where a game stands while it is played.
struct Progress<G: Game> {
    state: G::State,
    digest: Digest,
    decisions: u32,
    nanos: [u64; MAX_SEATS],
    choices: [u32; MAX_SEATS],
}

impl<G: Game> GameTable<G> {
    /// A table with these players.
    pub fn new(game: G, players: Vec<Player<G>>, options: TableOptions) -> Self {
        Self {
            game,
            players,
            options,
            legal: Vec::new(),
            view: None,
            seen: Vec::new(),
            move_times: Vec::new(),
        }
    }

    /// Random opening moves that do not end the game: fewer than asked if none are found.
    fn opening(&self, start: &G::State, rng: &mut Rng) -> Vec<G::Move> {
        let mut longest = Vec::new();
        for _ in 0..OPENING_ATTEMPTS {
            let mut state = start.clone();
            let mut moves = Vec::new();
            for _ in 0..self.options.opening_plies {
                if self.game.to_move(&state).is_none() {
                    break;
                }
                let mv = self.game.random_move(&state, rng);
                self.game.apply(&mut state, mv);
                moves.push(mv);
            }
            while self.game.to_move(&state).is_none() && moves.pop().is_some() {
                state = start.clone();
                for &mv in &moves {
                    self.game.apply(&mut state, mv);
                }
            }
            if moves.len() > longest.len() {
                longest = moves;
            }
            if longest.len() == self.options.opening_plies as usize {
                break;
            }
        }
        longest
    }

    /// Asks the player in `seat` for a move among `self.legal`.
    fn ask(
        &mut self,
        progress: &mut Progress<G>,
        seat: Seat,
        player: usize,
    ) -> Result<G::Move, Fault> {
        let started = self.options.measure.then(Instant::now);
        let answer = match &mut self.players[player] {
            Player::Honest(agent) => {
                let view = match &mut self.view {
                    Some(view) => {
                        self.game.view_into(&progress.state, seat, view);
                        view
                    }
                    empty => empty.insert(self.game.view(&progress.state, seat)),
                };
                agent.choose(&self.game, view, &self.legal)
            }
            Player::Cheating(agent) => agent.choose(&self.game, &progress.state, &self.legal),
        };
        if let Some(started) = started {
            let nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            progress.nanos[seat] = progress.nanos[seat].saturating_add(nanos);
            if let Some(times) = self.move_times.get_mut(player) {
                times.add(nanos);
            }
        }
        progress.choices[seat] += 1;
        answer
    }

    /// Tells observing agents about a move that was just played.
    fn announce(&mut self, state: &G::State, players: &[usize], mover: Seat, mv: G::Move) {
        for (seat, &player) in players.iter().enumerate() {
            if let Player::Honest(agent) = &mut self.players[player]
                && agent.observes()
            {
                agent.observe(&self.game, mover, mv, &self.game.view(state, seat));
            }
        }
    }

    /// Plays `mv`, with everything that goes with it.
    fn advance(
        &mut self,
        progress: &mut Progress<G>,
        players: &[usize],
        (seat, mv, opening): (Seat, G::Move, bool),
        sink: &mut Option<&mut dyn GameSink>,
    ) {
        if let Some(sink) = sink {
            let mut legal: Vec<String> = self
                .legal
                .iter()
                .map(|&mv| self.game.move_text(mv))
                .collect();
            legal.sort_unstable();
            let (game, state) = (&self.game, &progress.state);
            sink.decision(&Decision {
                ply: progress.decisions,
                seat,
                opening,
                legal,
                mv: self.game.move_text(mv),
                draw: &|viewer, style| match viewer {
                    Some(viewer) => game.draw_view(&game.view(state, viewer), style),
                    None => game.draw_state(state, style),
                },
            });
        }
        progress.digest.push(self.game.move_code(mv));
        progress.decisions += 1;
        self.game.apply(&mut progress.state, mv);
        self.announce(&progress.state, players, seat, mv);
    }

    /// Plays until the game is over, cut off or forfeited.
    fn run(
        &mut self,
        progress: &mut Progress<G>,
        players: &[usize],
        sink: &mut Option<&mut dyn GameSink>,
    ) -> Result<(Scores, End, Option<Seat>), Fault> {
        let info = self.game.info();
        self.seen.clear();
        while let Some(seat) = self.game.to_move(&progress.state) {
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            if progress.decisions >= DECISION_CAP {
                return Ok((
                    Scores::all(info.seats, info.fair_share),
                    End::DecisionCap,
                    None,
                ));
            }
            if let Some(key) = self.game.repetition_key(&progress.state) {
                if self.seen.iter().filter(|&&seen| seen == key).count() >= 2 {
                    return Ok((
                        Scores::all(info.seats, info.fair_share),
                        End::Repetition,
                        None,
                    ));
                }
                self.seen.push(key);
            }
            let mut legal = std::mem::take(&mut self.legal);
            self.game.legal_into(&progress.state, &mut legal);
            self.legal = legal;
            let answer = self.ask(progress, seat, players[seat]).and_then(|mv| {
                if self.legal.contains(&mv) {
                    Ok(mv)
                } else {
                    Err(Fault::IllegalMove {
                        answer: self.game.move_text(mv),
                    })
                }
            });
            match answer {
                Ok(mv) => self.advance(progress, players, (seat, mv, false), sink),
                Err(fault) => {
                    let end = fault.end().ok_or(fault)?;
                    return Ok((Scores::lost_by(info.seats, seat), end, Some(seat)));
                }
            }
        }
        let scores = self
            .game
            .scores(&progress.state)
            .ok_or_else(|| Fault::Infrastructure(format!("{} ended without scores", info.name)))?;
        Ok((scores, End::Normal, None))
    }
}

impl<G: Game> Table for GameTable<G> {
    fn info(&self) -> GameInfo {
        self.game.info()
    }

    fn play(
        &mut self,
        seeds: &GameSeeds,
        players: &[usize],
        mut sink: Option<&mut dyn GameSink>,
    ) -> Result<GameRecord, Fault> {
        let info = self.game.info();
        let start = self.game.deal(&mut seeds.deal.rng());
        let first_seat = self.game.to_move(&start).unwrap_or(0);
        if let Some(sink) = &mut sink {
            sink.deal(self.game.deal_fields(&start), info.seats, first_seat);
        }
        for (seat, &player) in players.iter().enumerate().take(info.seats) {
            match &mut self.players[player] {
                Player::Honest(agent) => agent.start(&self.game, seat, seeds.agents[seat])?,
                Player::Cheating(agent) => agent.start(&self.game, seat, seeds.agents[seat])?,
            }
        }
        let opening = if self.options.opening_plies > 0 {
            self.opening(&start, &mut seeds.opening.rng())
        } else {
            Vec::new()
        };
        let players = &players[..info.seats];
        let mut progress = Progress {
            state: start,
            digest: Digest::default(),
            decisions: 0,
            nanos: [0; MAX_SEATS],
            choices: [0; MAX_SEATS],
        };
        for mv in opening {
            let seat = self.game.to_move(&progress.state).unwrap_or(0);
            let mut legal = std::mem::take(&mut self.legal);
            self.game.legal_into(&progress.state, &mut legal);
            self.legal = legal;
            self.advance(&mut progress, players, (seat, mv, true), &mut sink);
        }
        let (scores, end, fault_seat) = self.run(&mut progress, players, &mut sink)?;
        for &player in players {
            if let Player::Honest(agent) = &mut self.players[player] {
                agent.end(&self.game, &scores, end);
            }
        }
        let record = GameRecord {
            scores,
            places: self.game.places(&progress.state),
            first_seat,
            end,
            fault_seat,
            decisions: progress.decisions,
            digest: progress.digest.value(),
            nanos: progress.nanos,
            choices: progress.choices,
        };
        if let Some(sink) = &mut sink {
            sink.end(&record, &self.game.out_groups(&progress.state));
        }
        Ok(record)
    }

    fn set_measure(&mut self, measure: bool) {
        self.options.measure = measure;
    }

    fn keep_move_times(&mut self) {
        let players = self.players.len();
        self.move_times.resize_with(players, MoveTimes::default);
    }

    fn drain_move_times(&mut self, index: usize, into: &mut MoveTimes) {
        if let Some(times) = self.move_times.get_mut(index) {
            into.merge(times);
            times.clear();
        }
    }

    fn notice(&self, index: usize) -> Option<String> {
        match self.players.get(index)? {
            Player::Honest(agent) => agent.notice(),
            Player::Cheating(agent) => agent.notice(),
        }
    }

    fn take_log(&mut self, index: usize) -> Option<GameLog> {
        match self.players.get_mut(index)? {
            Player::Honest(agent) => agent.take_log(),
            Player::Cheating(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Cell, CellSeeds, Phase};

    fn cell(challenger: &str, opponent: &str) -> Cell {
        Cell {
            index: 0,
            label: challenger.to_owned(),
            challenger: Settings::named(challenger),
            opponent: Settings::named(opponent),
            opponent_label: opponent.to_owned(),
            game: Settings::named("tictactoe"),
            axes: Vec::new(),
            phase: Phase::Main,
            first_block: 0,
            blocks: 1,
            rotations: 2,
            seats: 2,
            fair_share: 0.5,
        }
    }

    fn play(opening_plies: u32, block: u64, rotation: usize) -> GameRecord {
        let cell = cell("random", "first");
        let options = TableOptions {
            opening_plies,
            ..TableOptions::default()
        };
        let players = [cell.challenger.clone(), cell.opponent.clone()];
        let mut table = build(&cell.game, &players, &options).unwrap();
        let seeds = CellSeeds::new(5, &cell).game(block, rotation);
        table.play(&seeds, &seating(2, rotation), None).unwrap()
    }

    #[test]
    fn equal_seeds_give_equal_games_and_other_blocks_give_others() {
        assert_eq!(play(0, 3, 1), play(0, 3, 1));
        let digests: std::collections::BTreeSet<u64> =
            (0..50).map(|block| play(0, block, 0).digest).collect();
        assert!(digests.len() > 20, "{}", digests.len());
    }

    #[test]
    fn openings_are_played_in_full_and_never_end_the_game() {
        for block in 0..200 {
            let record = play(8, block, 0);
            assert_eq!(record.end, End::Normal);
            assert!(record.decisions > 5, "{record:?}");
            assert!(record.choices.iter().sum::<u32>() >= 1, "{record:?}");
        }
    }

    #[test]
    fn the_challenger_sits_where_the_rotation_says() {
        assert_eq!(seating(4, 2)[..4], [1, 2, 0, 3]);
        assert_eq!(seating(2, 0)[..2], [0, 1]);
        assert_eq!(seating(2, 1)[..2], [1, 0]);
    }

    #[test]
    fn an_interrupted_game_is_no_result() {
        let cell = cell("random", "first");
        let options = TableOptions::default();
        options.stop.store(true, Ordering::Relaxed);
        let players = [cell.challenger.clone(), cell.opponent.clone()];
        let mut table = build(&cell.game, &players, &options).unwrap();
        let seeds = CellSeeds::new(5, &cell).game(0, 0);
        assert_eq!(
            table.play(&seeds, &seating(2, 0), None),
            Err(Fault::Interrupted)
        );
    }
}
