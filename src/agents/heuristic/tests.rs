//! Legal under all rules, blind to hidden cards, stronger than `lowest`, exact at the end.

use super::*;
use crate::agents::lowest::Lowest;
use crate::games::Game;
use crate::games::durak::soak::random_rules;

fn mask(texts: &str) -> u64 {
    let card = |text: &str| Card::parse(text).unwrap().bit();
    texts
        .split_whitespace()
        .fold(0, |mask, text| mask | card(text))
}

#[test]
fn under_all_rules_its_moves_are_legal_and_do_not_depend_on_hidden_cards() {
    let mut rng = Seed::root(31).rng();
    let mut legal = Vec::new();
    let (mut decisions, mut exchanged) = (0, 0);
    for _ in 0..400 {
        let game = Durak::new(random_rules(&mut rng)).unwrap();
        let mut state = game.deal(&mut rng);
        let mut agent = Heuristic;
        // Random moves in between lead to positions that it would avoid by itself.
        for _ in 0..400 {
            let Some(mover) = game.to_move(&state) else {
                break;
            };
            game.legal_into(&state, &mut legal);
            let view = game.view(&state, mover);
            let chosen = agent.choose(&game, &view, &legal).unwrap();
            assert!(legal.contains(&chosen), "{chosen} of {legal:?}");
            let other = game.sample(&view, &mut rng);
            let seen = game.view(&other, mover);
            assert_eq!(agent.choose(&game, &seen, &legal), Ok(chosen));
            decisions += 1;
            exchanged += u32::from(other != state);
            let played = if rng.below(3) == 0 {
                game.random_move(&state, &mut rng)
            } else {
                chosen
            };
            game.apply(&mut state, played);
        }
    }
    assert!(
        exchanged > 5000,
        "hidden cards were exchanged in {exchanged} of {decisions} positions"
    );
}

/// The score of the heuristic in the seat `seat` from this deal.
fn score(game: &Durak, deal: &<Durak as Game>::State, seat: Seat) -> f64 {
    let mut state = *deal;
    let mut legal = Vec::new();
    for _ in 0..5000 {
        let Some(mover) = game.to_move(&state) else {
            break;
        };
        game.legal_into(&state, &mut legal);
        let view = game.view(&state, mover);
        let mv = if mover == seat {
            Heuristic.choose(game, &view, &legal)
        } else {
            Lowest.choose(game, &view, &legal)
        };
        game.apply(&mut state, mv.unwrap());
    }
    game.scores(&state).map_or(0.0, |scores| scores.of(seat))
}

#[test]
fn it_beats_the_lowest_card_player() {
    let game = Durak::default();
    let mut rng = Seed::root(32).rng();
    let blocks = 3000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..blocks {
        let deal = game.deal(&mut rng);
        let block = f64::midpoint(score(&game, &deal, 0), score(&game, &deal, 1));
        sum += block;
        squares += block * block;
    }
    let n = f64::from(blocks);
    let mean = sum / n;
    let error = ((squares / n - mean * mean) / n).sqrt();
    assert!(
        mean - 5.0 * error > 0.5,
        "{mean} with standard error {error}"
    );
}

#[test]
fn runs_of_leads_that_cannot_be_beaten_are_found() {
    let ending = Ending::new(&Rules::default(), mask("6s 7s 8s 9s Ts Js Qs Ks As"));
    // The ace is taken, the six goes last.
    assert!(ending.runs_out(mask("Ah 6c"), mask("7d 8d 9d")));
    // Both can be covered.
    assert!(!ending.runs_out(mask("Kh 6c"), mask("Ah 8c 9d")));
    // A trump covers the ace.
    assert!(!ending.runs_out(mask("Ah 6c"), mask("6s 8c 9d")));
    // One rank goes in one bout, also when it is covered.
    assert!(ending.runs_out(mask("6c 6d"), mask("7c 7d 8d")));
    // The last cards of both meet: no win.
    assert!(!ending.runs_out(mask("6c 6d"), mask("7c 7d")));
    // The order of the ranks matters: a king that was taken would cover the six.
    assert!(ending.runs_out(mask("Ks Kh 6h 7c"), mask("8d 9d Td")));
    // Only one of two low cards can go last.
    assert!(!ending.runs_out(mask("Ah 6c 7c"), mask("8c 8d 9d")));
}

#[test]
fn without_throwing_in_a_rank_goes_card_by_card() {
    let rules = Rules {
        throwers: Throwers::Nobody,
        ..Rules::default()
    };
    let ending = Ending::new(&rules, mask("6s 7s 8s 9s Ts Js Qs Ks As"));
    assert!(!ending.runs_out(mask("6c 6d"), mask("7c 7d 8d")));
    assert!(ending.runs_out(mask("Ac 6d"), mask("7c 7d 8d")));
}
