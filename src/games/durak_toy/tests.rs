use super::*;
use crate::games::conformance;
use crate::plan::{Cell, CellSeeds, Phase};
use crate::record::GameRecord;
use crate::rng::Seed;
use crate::table::{self, TableOptions, seating};

fn toy(deck: u8) -> DurakToy {
    DurakToy::new(deck).expect("0 to 24")
}

fn position(hands: [&[u8]; 2], deck: u8, mover: u8) -> State {
    State {
        hands: hands.map(|ids| List::of(ids.iter().copied())),
        deck: List::of(FIRST_IN_DECK..FIRST_IN_DECK + deck),
        mover,
    }
}

#[test]
fn conforms_with_every_deck() {
    for deck in 0..=PUBLISHED_DECK {
        conformance::check(&toy(deck), 12);
    }
}

/// Plays `moves` and writes down who was asked, what was legal in which order, and what was seen.
fn transcript(game: DurakToy, moves: &[&str]) -> String {
    let mut state = game.deal(&mut Seed::root(1).rng());
    let mut out = String::new();
    let mut legal = Vec::new();
    for text in moves {
        let seat = game.to_move(&state).expect("the game goes on");
        game.legal_into(&state, &mut legal);
        let mv = game.parse_move(text).expect("a card id");
        assert!(legal.contains(&mv), "{text} is legal in {state:?}");
        let seen = game.observation(&game.view(&state, seat));
        let seen: Vec<String> = seen
            .0
            .iter()
            .map(|field| format!("{}={}", field.name, field.text))
            .collect();
        let _ = writeln!(out, "{seat}: {} -> {text}", seen.join(" "));
        game.apply(&mut state, mv);
    }
    let _ = writeln!(
        out,
        "{:?} {:?}",
        game.to_move(&state),
        game.scores(&state).map(|scores| scores.of(0))
    );
    out
}

#[test]
fn a_game_with_the_published_deck_is_a_draw_when_both_hands_are_empty() {
    let moves = [
        "0", "15", "2", "10", "5", "12", "3", "11", "4", "14", "1", "13",
    ];
    let expected = "\
0: hand=0,1,2,3,4,5 opponent=6 -> 0
1: hand=10,11,12,13,14,15 opponent=5 -> 15
0: hand=5,1,2,3,4 opponent=5 -> 2
1: hand=10,11,12,13,14 opponent=4 -> 10
0: hand=5,1,4,3 opponent=4 -> 5
1: hand=14,11,12,13 opponent=3 -> 12
0: hand=3,1,4 opponent=3 -> 3
1: hand=14,11,13 opponent=2 -> 11
0: hand=4,1 opponent=2 -> 4
1: hand=14,13 opponent=1 -> 14
0: hand=1 opponent=1 -> 1
1: hand=13 opponent=0 -> 13
None Some(0.5)
";
    assert_eq!(transcript(toy(24), &moves), expected);
    // One entry in the deck is enough to take the win away.
    assert_eq!(transcript(toy(1), &moves), expected);
}

#[test]
fn a_game_with_an_empty_deck_is_won_by_the_first_empty_hand() {
    let moves = ["5", "10", "4", "11", "3", "12", "2", "13", "1", "14", "0"];
    let played = transcript(toy(0), &moves);
    assert!(
        played.ends_with("0: hand=0 opponent=1 -> 0\nNone Some(1.0)\n"),
        "{played}"
    );
}

#[test]
fn a_player_without_cards_is_asked_nothing_while_the_deck_lasts() {
    let game = toy(24);
    let mut state = position([&[7], &[1, 2, 3]], 24, 0);
    game.apply(&mut state, CardId(7));
    for expected in [[1, 2, 3].as_slice(), &[3, 2], &[2]] {
        assert_eq!(game.to_move(&state), Some(1));
        assert_eq!(state.hand(1), expected);
        game.apply(&mut state, CardId(expected[0]));
    }
    assert_eq!(game.to_move(&state), None);
    assert_eq!(game.scores(&state), Some(Scores::all(2, 0.5)));

    let mut state = position([&[7], &[1, 2, 3]], 0, 0);
    game.apply(&mut state, CardId(7));
    assert_eq!(game.scores(&state), Some(Scores::lost_by(2, 1)));
    let mut state = position([&[7, 8], &[1]], 0, 1);
    game.apply(&mut state, CardId(1));
    assert_eq!(game.scores(&state), Some(Scores::lost_by(2, 0)));
}

#[test]
fn the_original_re_deal_fills_the_deck_and_a_sample_does_not() {
    let game = toy(0);
    let state = position([&[0, 4], &[10, 11, 12]], 0, 1);
    let view = game.view(&state, 0);
    let mut rng = Seed::root(3).rng();
    let mut dealt = state.clone();
    let mut seen = 0_u64;
    for _ in 0..400 {
        view.redeal_into(&mut rng, &mut dealt);
        assert_eq!(dealt.hand(0), [0, 4]);
        assert_eq!((dealt.hand(1).len(), dealt.deck().len()), (3, 31));
        assert_eq!(dealt.mover, 1);
        let mut cards: Vec<u8> = [dealt.hand(0), dealt.hand(1), dealt.deck()].concat();
        cards.sort_unstable();
        assert!(cards.iter().copied().eq(0..36), "{cards:?}");
        seen |= game.private_key(&dealt, 1);
        game.sample_into(&view, &mut rng, &mut dealt);
        assert_eq!((dealt.hand(1).len(), dealt.deck().len()), (3, 0));
    }
    // Every card but the viewer's own turns up in the opponent's hand, played ones too.
    assert_eq!(seen, ((1 << 36) - 1) & !0b1_0001);
}

#[test]
fn texts_and_options_that_mean_nothing_are_refused_in_words() {
    for text in ["", "44", "-1", "6c", "1 2", "256"] {
        let error = DurakToy::default()
            .parse_move(text)
            .unwrap_err()
            .to_string();
        assert!(error.contains("the id of a card, 0 to 43"), "{error}");
    }
    for deck in [-1, 25, 300] {
        let mut settings = Settings::named(SPEC.name);
        let value = crate::spec::Value::Integer(deck);
        settings.values.insert("deck".to_owned(), value);
        let error = DurakToy::from_settings(&settings).unwrap_err();
        assert_eq!(error.option.as_deref(), Some("deck"));
        assert!(error.message.contains("from 0 to 24"), "{error}");
    }
}

/// Games with the challenger in `seat`; the wins, draws and losses of seat 0.
fn play(deck: i64, challenger: &Settings, seat: usize, games: u64) -> [u64; 3] {
    let mut game = Settings::named(SPEC.name);
    if deck != 24 {
        let value = crate::spec::Value::Integer(deck);
        game.values.insert("deck".to_owned(), value);
    }
    let cell = Cell {
        index: 0,
        label: challenger.canonical(),
        challenger: challenger.clone(),
        opponent: Settings::named("random"),
        opponent_label: "random".to_owned(),
        game,
        axes: Vec::new(),
        phase: Phase::Main,
        first_block: 0,
        blocks: games,
        rotations: 1,
        seats: 2,
        fair_share: 0.5,
    };
    let players = [cell.challenger.clone(), cell.opponent.clone()];
    let mut table = table::build(&cell.game, &players, &TableOptions::default()).unwrap();
    let seeds = CellSeeds::new(20_261_130, &cell);
    let mut counts = [0; 3];
    for block in 0..games {
        let record: GameRecord = table
            .play(&seeds.game(block, seat), &seating(2, seat), None)
            .unwrap();
        let score = record.scores.of(0);
        counts[usize::from(score < 1.0) + usize::from(score < 0.5)] += 1;
    }
    counts
}

fn measured(what: &str, key: &str) -> (u64, u64) {
    let facts = include_str!("../../../tests/data/reference/games.json");
    let facts: Value = serde_json::from_str(facts).expect("the reference is JSON");
    let number = |key: &str| facts["durak_toy"][what][key].as_u64().expect("a number");
    (number("games"), number(key))
}

fn with(simulations: i64, exploration: f64) -> Settings {
    let mut settings = Settings::named("toy-mcts");
    settings.values = [
        ("simulations", crate::spec::Value::Integer(simulations)),
        ("exploration", crate::spec::Value::Real(exploration)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    settings
}

#[test]
fn as_published_every_game_is_a_draw() {
    let (games, draws) = measured("as_published", "draws");
    let expected = [0, draws, games - draws];
    assert_eq!(play(24, &Settings::named("toy-mcts"), 0, games), expected);
    assert_eq!(play(24, &Settings::named("random"), 0, games), expected);
    // Whatever the parameters, and from the other seat too.
    for (simulations, exploration) in [(1, 1.41), (30, 0.0), (30, 2.0)] {
        let settings = with(simulations, exploration);
        assert_eq!(play(24, &settings, 0, games), expected);
        assert_eq!(play(24, &settings, 1, games), expected);
    }
}

#[test]
fn with_an_empty_deck_the_first_player_wins_every_game() {
    let (games, wins) = measured("with_empty_deck", "first_player_wins");
    let expected = [wins, 0, games - wins];
    assert_eq!(play(0, &Settings::named("toy-mcts"), 0, games), expected);
    assert_eq!(play(0, &Settings::named("random"), 0, games), expected);
    // The search loses every game from the other seat, so it is the seat that wins.
    assert_eq!(play(0, &with(100, 1.41), 1, games), expected);
}
