//! A game played to its end by the players of a table, decision by decision.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::{Decision, GameSink, Table, TableOptions};
use crate::agents::{Fault, Player};
use crate::external::GameLog;
use crate::games::{Game, GameInfo, MAX_SEATS, Scores, Seat};
use crate::move_times::MoveTimes;
use crate::plan::GameSeeds;
use crate::record::{DECISION_CAP, Digest, End, GameRecord};
use crate::rng::Rng;

/// Attempts at random opening moves that do not end the game.
const OPENING_ATTEMPTS: u32 = 100;

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
