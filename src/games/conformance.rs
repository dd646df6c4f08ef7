//! The suite that every game passes: random play checked decision by decision.
//!
//! Public, so that a game of one's own can be held to the same contracts in its tests.

use super::{Game, Scores, Style};
use crate::rng::Seed;

/// No game here comes near this many decisions under uniform play.
const CAP: u32 = 5000;

/// One uniformly random game as text: the position dealt, a line for each decision, the scores. A
/// test that compares it with a recorded one notices when rules change.
pub fn transcript<G: Game>(game: &G, seed: u64) -> String {
    let root = Seed::root(seed).derive("transcript", &[game.info().name.as_bytes()]);
    let mut rng = root.rng();
    let mut state = game.deal(&mut rng);
    let mut text = game.draw_state(&state, Style::default());
    let mut decisions = 0;
    while decisions < CAP
        && let Some(seat) = game.to_move(&state)
    {
        let mv = game.random_move(&state, &mut rng);
        text.push_str(&format!("{seat}: {}\n", game.move_text(mv)));
        game.apply(&mut state, mv);
        decisions += 1;
    }
    let scores = game.scores(&state);
    let scores = scores.as_ref().map(Scores::as_slice);
    text.push_str(&format!("scores {:?}\n", scores.unwrap_or_default()));
    text
}

/// Plays `games` uniformly random games and checks every contract of [`Game`] on the way.
///
/// # Panics
/// At the first contract that is broken, saying which: this is a test.
pub fn check<G: Game>(game: &G, games: u32) {
    let info = game.info();
    let root = Seed::root(41).derive("conformance", &[info.name.as_bytes()]);
    let (mut legal, mut again) = (Vec::new(), Vec::new());
    for number in 0..games {
        let seed = root.derive("game", &[&number.to_le_bytes()]);
        let mut state = game.deal(&mut seed.rng());
        assert_eq!(
            state,
            game.deal(&mut seed.rng()),
            "a deal depends on its stream only"
        );
        let mut rng = seed.derive("moves", &[]).rng();
        let mut reused_view = game.view(&state, 0);
        let mut reused_state = state.clone();
        let mut decisions = 0;
        while let Some(mover) = game.to_move(&state) {
            assert!(mover < info.seats);
            assert_eq!(game.scores(&state), None, "a running game has no scores");
            game.legal_into(&state, &mut legal);
            assert!(!legal.is_empty(), "no legal move in {state:?}");
            check_moves(game, &legal);
            // Views and samples: every seat, not only the mover.
            for seat in 0..info.seats {
                let view = game.view(&state, seat);
                game.view_into(&state, seat, &mut reused_view);
                assert_eq!(view, reused_view, "`view` and `view_into` agree");
                let sampled = game.sample(&view, &mut rng.clone());
                game.sample_into(&view, &mut rng, &mut reused_state);
                assert_eq!(sampled, reused_state, "`sample` and `sample_into` agree");
                assert_eq!(
                    game.view(&sampled, seat),
                    view,
                    "a sampled state gives the same view"
                );
                assert_eq!(game.to_move(&sampled), Some(mover), "who moves is public");
                if seat == mover {
                    game.legal_into(&sampled, &mut again);
                    assert_eq!(
                        legal, again,
                        "a sampled state gives its owner the same moves"
                    );
                    let fields = game.observation(&view).0;
                    assert!(!fields.is_empty());
                    let mut text = String::new();
                    game.write_observation(&view, &mut text);
                    let mut joined = String::new();
                    for field in &fields {
                        let words = [field.name, &field.text];
                        assert!(
                            words.iter().all(|word| !word.contains(char::is_whitespace)),
                            "a field of an observation is two words without spaces: {words:?}"
                        );
                        joined.push_str(&format!(" {}={}", field.name, field.text));
                    }
                    assert_eq!(text, joined, "both forms of an observation agree");
                }
                if !info.hidden_information {
                    assert_eq!(sampled, state, "nothing is hidden, so the state is known");
                }
            }
            // `random_move` is the plain choice from the list, with the same use of the stream.
            let mut plain = rng.clone();
            let mv = game.random_move(&state, &mut rng);
            assert_eq!(mv, legal[plain.index(legal.len())]);
            assert_eq!(
                rng, plain,
                "`random_move` uses the stream as the list would"
            );
            let lowest = game.lowest_move(&state);
            assert_eq!(lowest, game.lowest_move_in_view(&game.view(&state, mover)));
            if let Some(lowest) = lowest {
                assert!(legal.contains(&lowest), "the simple player's move is legal");
            }
            game.apply(&mut state, mv);
            decisions += 1;
            assert!(
                decisions < CAP,
                "a random game of {} did not end",
                info.name
            );
        }
        check_end(game, &state);
        check_playout(game, &seed);
    }
}

fn check_moves<G: Game>(game: &G, legal: &[G::Move]) {
    for (index, &mv) in legal.iter().enumerate() {
        assert!(!legal[..index].contains(&mv), "{mv:?} is listed twice");
        let text = game.move_text(mv);
        assert_eq!(game.parse_move(&text), Ok(mv), "`{text}` reads back");
        assert!(
            !text.is_empty() && !text.contains([';', '\n', '\r']),
            "moves are listed on a line, with `;` between: {text:?}"
        );
        for &other in &legal[..index] {
            assert_ne!(
                game.move_code(mv),
                game.move_code(other),
                "codes tell moves apart"
            );
        }
    }
}

fn check_end<G: Game>(game: &G, state: &G::State) {
    let info = game.info();
    let mut legal = Vec::new();
    game.legal_into(state, &mut legal);
    assert!(legal.is_empty(), "a finished game has no legal moves");
    let scores = game.scores(state).expect("a finished game has scores");
    assert_eq!(scores.as_slice().len(), info.seats);
    assert!(scores.as_slice().iter().all(|s| (0.0..=1.0).contains(s)));
    let total: f64 = scores.as_slice().iter().sum();
    let mean = total / f64::from(u8::try_from(info.seats).expect("at most MAX_SEATS"));
    assert!(
        (mean - info.fair_share).abs() < 1e-9,
        "the seats share out the fair share: {mean}"
    );
    assert!(
        !game.draw_state(state, Style::default()).contains('\x1b'),
        "no colour unless asked"
    );
}

/// `playout` is the same game as move by move.
fn check_playout<G: Game>(game: &G, seed: &Seed) {
    let start = game.deal(&mut seed.rng());
    let stream = seed.derive("playout", &[]);
    let (mut quick, mut slow) = (start.clone(), start);
    let mut rng = stream.rng();
    let decisions = game.playout(&mut quick, &mut rng, CAP);
    let mut rng_slow = stream.rng();
    let mut slow_decisions = 0;
    while game.to_move(&slow).is_some() {
        let mv = game.random_move(&slow, &mut rng_slow);
        game.apply(&mut slow, mv);
        slow_decisions += 1;
    }
    assert_eq!(decisions, slow_decisions);
    assert_eq!(quick, slow);
}
