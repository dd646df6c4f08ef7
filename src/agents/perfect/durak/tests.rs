use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::agents::{Player, build};
use crate::games::Game;
use crate::games::durak::{Rules, State};
use crate::rng::Rng;
use crate::spec::{Settings, Value};

fn durak(options: &[(&str, &str)]) -> Durak {
    let mut settings = Settings::named("durak");
    for (key, value) in options {
        let value = match value.parse() {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Text((*value).to_owned()),
        };
        settings.values.insert((*key).to_owned(), value);
    }
    Durak::from_settings(&settings).expect("rules that can be played")
}

/// Rules that matter at the end, most of all those under which play can repeat.
fn all_rules() -> Vec<Durak> {
    vec![
        Durak::default(),
        durak(&[("transfer", "on")]),
        durak(&[("transfer", "on"), ("show_trump", "on")]),
        durak(&[("transfer", "on"), ("show_trump", "on"), ("hand_cap", "no")]),
        durak(&[("deck", "24"), ("throwers", "none")]),
        durak(&[("throw_after_take", "no"), ("both_empty", "defender_loses")]),
        durak(&[
            ("first_bout_limit", "until_first_beaten"),
            ("attack_cap", "off"),
            ("hand_cap", "no"),
        ]),
    ]
}

fn cards_left(state: &State) -> u32 {
    (state.hand(0) | state.hand(1) | state.public().table()).count_ones()
}

/// A position of a random game with an empty talon and at most `most` cards left.
fn random_ending(game: &Durak, most: u32, rng: &mut Rng) -> State {
    loop {
        let mut state = game.deal(rng);
        while game.to_move(&state).is_some() {
            if state.public().talon() == 0 && cards_left(&state) <= most {
                return state;
            }
            let mv = game.random_move(&state, rng);
            game.apply(&mut state, mv);
        }
    }
}

fn ending_of(game: &Durak, state: &State) -> (Ending, u64) {
    let seat = game.to_move(state).expect("goes on");
    Ending::of_view(game, &game.view(state, seat), 14).expect("an ending")
}

#[test]
fn numbers_stand_for_positions_under_all_rules() {
    for game in all_rules() {
        let mut rng = Seed::root(41).rng();
        let (mut legal, mut known) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            let mut state = random_ending(&game, 13, &mut rng);
            let (ending, first) = ending_of(&game, &state);
            assert_eq!(ending.number(&state), first);
            while let Some(seat) = game.to_move(&state) {
                let number = ending.number(&state);
                game.legal_into(&state, &mut legal);
                let (again, mover) = ending.moves(number, &mut known);
                assert_eq!((&legal, seat), (&known, mover));
                for &mv in &legal {
                    let mut next = state;
                    game.apply(&mut next, mv);
                    match ending.after(&again, mv) {
                        Ok(position) => assert_eq!(position, ending.number(&next)),
                        Err(fool) => {
                            assert_eq!(game.to_move(&next), None);
                            assert_eq!(fool, next.fool());
                        }
                    }
                }
                let (later, position) = ending_of(&game, &state);
                assert_eq!(ending.position_in(&later), Some(number));
                assert_eq!(later.number(&state), position);
                let mv = game.random_move(&state, &mut rng);
                game.apply(&mut state, mv);
            }
        }
    }
}

/// Positions from which each seat can force a win, by sweeps over the whole graph until nothing
/// changes.
fn sweep(ending: &Ending, root: u64) -> BTreeMap<u64, Option<Seat>> {
    let mut graph = BTreeMap::new();
    let mut open = vec![root];
    let mut legal = Vec::new();
    while let Some(position) = open.pop() {
        if graph.contains_key(&position) {
            continue;
        }
        let (state, mover) = ending.moves(position, &mut legal);
        let after: Vec<_> = legal.iter().map(|&mv| ending.after(&state, mv)).collect();
        open.extend(after.iter().filter_map(|next| next.ok()));
        graph.insert(position, (mover, after));
    }
    let mut won: BTreeMap<u64, Option<Seat>> = graph.keys().map(|&p| (p, None)).collect();
    loop {
        let mut changed = false;
        for (position, (mover, after)) in &graph {
            if won[position].is_some() {
                continue;
            }
            let winner = |next: &Result<u64, Option<Seat>>| match next {
                Ok(next) => won[next],
                Err(fool) => fool.map(|fool| 1 - fool),
            };
            let found = if after.iter().any(|next| winner(next) == Some(*mover)) {
                Some(*mover)
            } else {
                (after.iter().all(|next| winner(next) == Some(1 - mover))).then_some(1 - mover)
            };
            if found.is_some() {
                won.insert(*position, found);
                changed = true;
            }
        }
        if !changed {
            return won;
        }
    }
}

/// Whether a position can come up again.
fn repeats(ending: &Ending, root: u64) -> bool {
    fn visit(ending: &Ending, at: u64, path: &mut BTreeSet<u64>, done: &mut BTreeSet<u64>) -> bool {
        if path.contains(&at) {
            return true;
        }
        if !done.insert(at) {
            return false;
        }
        path.insert(at);
        let mut legal = Vec::new();
        let (state, _) = ending.moves(at, &mut legal);
        let found = (legal.iter())
            .filter_map(|&mv| ending.after(&state, mv).ok())
            .any(|next| visit(ending, next, path, done));
        path.remove(&at);
        found
    }
    visit(ending, root, &mut BTreeSet::new(), &mut BTreeSet::new())
}

#[test]
fn values_are_those_of_sweeps_over_the_whole_graph() {
    let mut repeating = 0;
    for game in all_rules() {
        let mut rng = Seed::root(42).rng();
        let mut values = BTreeMap::new();
        for _ in 0..25 {
            let state = random_ending(&game, 7, &mut rng);
            let (ending, root) = ending_of(&game, &state);
            let won = sweep(&ending, root);
            *values.entry(won[&root]).or_insert(0) += 1;
            repeating += u32::from(repeats(&ending, root));
            for winner in [0, 1] {
                let mut proof = Proof::new(winner);
                assert_eq!(
                    proof.is_won(&ending, root, 100_000),
                    Ok(won[&root] == Some(winner))
                );
                // Later questions to the same proof, in an order that has nothing to do with it.
                for (&position, &value) in won.iter().rev().take(50) {
                    let found = proof.is_won(&ending, position, 100_000);
                    assert_eq!(found, Ok(value == Some(winner)));
                }
            }
        }
        assert!(values.len() > 1, "{values:?}");
    }
    assert!(repeating > 0, "some endings must be able to repeat");
}

#[test]
fn a_proven_win_is_won_in_finite_play_against_every_defence() {
    for game in all_rules() {
        let mut rng = Seed::root(43).rng();
        for _ in 0..20 {
            let state = random_ending(&game, 7, &mut rng);
            let (ending, root) = ending_of(&game, &state);
            for winner in [0, 1] {
                let mut proof = Proof::new(winner);
                if proof.is_won(&ending, root, 100_000) != Ok(true) {
                    continue;
                }
                // Follows the winning moves and all answers; a circle would never end.
                let mut path = vec![(root, BTreeSet::from([root]))];
                let mut legal = Vec::new();
                let mut looked_at = 0;
                while let Some((at, seen)) = path.pop() {
                    looked_at += 1;
                    assert!(looked_at < 200_000);
                    let (state, mover) = ending.moves(at, &mut legal);
                    let moves = match proof.winning_move(at) {
                        Some(number) => vec![legal[number]],
                        None => legal.clone(),
                    };
                    assert!(moves.len() == 1 || mover != winner);
                    for mv in moves {
                        match ending.after(&state, mv) {
                            Err(fool) => assert_eq!(fool, Some(1 - winner)),
                            Ok(next) => {
                                let mut seen = seen.clone();
                                assert!(seen.insert(next), "play repeats");
                                path.push((next, seen));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// `EVALCTL_THOROUGH=1 cargo test --release --lib perfect::durak -- --nocapture` looks at more of
/// them, under all rules.
#[test]
fn endings_of_the_most_cards_are_solved_with_room_to_spare() {
    let thorough = std::env::var_os("EVALCTL_THOROUGH").is_some();
    let (rules, number) = if thorough {
        (all_rules(), 200)
    } else {
        (vec![Durak::default()], 20)
    };
    for game in rules {
        let mut rng = Seed::root(45).rng();
        let mut sizes = Vec::new();
        let started = std::time::Instant::now();
        for _ in 0..number {
            let state = random_ending(&game, MOST_CARDS, &mut rng);
            let (ending, root) = ending_of(&game, &state);
            for winner in [0, 1] {
                let mut proof = Proof::new(winner);
                assert!(proof.is_won(&ending, root, MOST_POSITIONS).is_ok());
                sizes.push(proof.len());
            }
        }
        sizes.sort_unstable();
        println!(
            "{:?}: positions median {}, most {}; {:?} in all",
            game.rules(),
            sizes[sizes.len() / 2],
            sizes[sizes.len() - 1],
            started.elapsed()
        );
        assert!(sizes[sizes.len() - 1] < MOST_POSITIONS / 2);
    }
}

fn exact(game: &Durak, simulations: i64) -> Box<dyn Agent<Durak>> {
    let mut settings = Settings::named("ismcts");
    settings
        .values
        .insert("simulations".to_owned(), Value::Integer(simulations));
    settings
        .values
        .insert("endgame".to_owned(), Value::Text("exact".to_owned()));
    match build(game, &settings) {
        Ok(Player::Honest(agent)) => agent,
        _ => panic!("ismcts with exact endings plays Durak"),
    }
}

#[test]
fn the_player_never_gives_a_value_away() {
    for game in all_rules() {
        let mut rng = Seed::root(44).rng();
        let mut agent = exact(&game, 20);
        let mut legal = Vec::new();
        for number in 0..15 {
            let mut state = random_ending(&game, 8, &mut rng);
            let (ending, root) = ending_of(&game, &state);
            let won = sweep(&ending, root);
            let seat = game.to_move(&state).expect("goes on");
            agent
                .start(&game, seat, Seed::root(number))
                .expect("starts");
            let mut decisions = 0;
            while let Some(mover) = game.to_move(&state) {
                let value = won[&ending.number(&state)];
                let mv = if mover == seat {
                    game.legal_into(&state, &mut legal);
                    let view = game.view(&state, seat);
                    agent.choose(&game, &view, &legal).expect("chooses")
                } else {
                    game.random_move(&state, &mut rng)
                };
                game.apply(&mut state, mv);
                if mover == seat {
                    let after = match game.to_move(&state) {
                        Some(_) => won[&ending.number(&state)],
                        None => state.fool().map(|fool| 1 - fool),
                    };
                    assert_eq!(after, value);
                }
                decisions += 1;
                assert!(decisions < 2000, "against random play every game ends");
            }
        }
    }
}

#[test]
fn exact_endings_are_refused_where_there_are_none() {
    let four = Durak::new(Rules {
        players: 4,
        ..Rules::default()
    })
    .expect("rules that can be played");
    let mut settings = Settings::named("ismcts");
    settings
        .values
        .insert("endgame".to_owned(), Value::Text("exact".to_owned()));
    for error in [
        build(&four, &settings).err(),
        build(&crate::games::tictactoe::TicTacToe, &settings).err(),
        build(&four, &Settings::named("perfect")).err(),
    ] {
        let message = error.expect("refused").message;
        assert!(message.contains("two"), "{message}");
    }
}
