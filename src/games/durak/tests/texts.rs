//! Texts: options and their errors, decks, observations, drawings, golden transcripts.

use std::fmt::Write as _;

use super::*;
use crate::rng::Seed;
use crate::spec::{Settings, Value};
use rules::{FirstAttacker, FirstBoutLimit, Throwers};

fn settings(options: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::named("durak");
    for (key, value) in options {
        settings.values.insert((*key).to_owned(), value.clone());
    }
    settings
}

fn word(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn every_option_is_read_and_written_back() {
    assert_eq!(
        Durak::from_settings(&Settings::named("durak")),
        Ok(Durak::default())
    );
    let all = settings(&[
        ("deck", Value::Integer(52)),
        ("players", Value::Integer(2)),
        ("transfer", word("on")),
        ("show_trump", word("on")),
        ("first_bout_transfer", word("no")),
        ("first_bout_limit", word("first_bout_only")),
        ("throw_after_take", word("no")),
        ("throwers", word("none")),
        ("hand_cap", word("no")),
        ("attack_cap", word("off")),
        ("first_attacker", word("seat0")),
        ("trump_ace", word("redeal")),
        ("both_empty", word("defender_loses")),
        ("transfer_refill", word("original_lead")),
    ]);
    let rules = *Durak::from_settings(&all).unwrap().rules();
    let expected = Rules {
        deck: 52,
        players: 2,
        transfer: true,
        show_trump: true,
        first_bout_transfer: false,
        first_bout_limit: FirstBoutLimit::FirstBoutOnly,
        throw_after_take: false,
        throwers: Throwers::Nobody,
        hand_cap: false,
        attack_cap: false,
        first_attacker: FirstAttacker::Seat0,
        redeal_ace: true,
        defender_loses: true,
        original_lead_refills: true,
    };
    assert_eq!(rules, expected);
    assert_eq!(
        rules.text(),
        "durak:deck=52,transfer=on,show_trump=on,first_bout_transfer=no,\
         first_bout_limit=first_bout_only,throw_after_take=no,throwers=none,hand_cap=no,\
         attack_cap=off,first_attacker=seat0,trump_ace=redeal,both_empty=defender_loses,\
         transfer_refill=original_lead"
    );
    assert_eq!(
        serde_json::Value::Object(Rules::default().fields()).to_string(),
        r#"{"deck":36,"players":2,"transfer":"off","show_trump":"off","first_bout_transfer":"yes","first_bout_limit":"off","throw_after_take":"yes","throwers":"all","hand_cap":"yes","attack_cap":6,"first_attacker":"lowest_trump","trump_ace":"keep","both_empty":"draw","transfer_refill":"transferor"}"#
    );
    // Every word of every choice is read, and the spec's default is the rules' default.
    for option in SPEC.options {
        let default = Rules::default().fields()[option.name].clone();
        let default = default
            .as_str()
            .map_or_else(|| default.to_string(), str::to_owned);
        assert_eq!(option.default, default, "{}", option.name);
        if let crate::spec::OptionKind::Choice(words) = option.kind {
            for value in words {
                let mut one = settings(&[(option.name, word(value))]);
                if option.name == "show_trump" {
                    one.values.insert("transfer".to_owned(), word("on"));
                }
                let rules = Rules::from_settings(&one).unwrap();
                let written = rules.fields()[option.name].clone();
                let written = written
                    .as_str()
                    .map_or_else(|| written.to_string(), str::to_owned);
                assert_eq!(written, *value, "{}", option.name);
            }
        }
    }
}

#[test]
fn options_that_cannot_be_played_are_refused_by_name() {
    let refused = |options: &[(&str, Value)], option: &str, part: &str| {
        let error = Durak::from_settings(&settings(options)).unwrap_err();
        assert_eq!(error.option, option, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    };
    refused(&[("deck", Value::Integer(32))], "deck", "24, 36, 52");
    refused(&[("players", Value::Integer(7))], "players", "2 to 6");
    refused(
        &[("players", Value::Integer(-1))],
        "players",
        "whole number",
    );
    let full = [("deck", Value::Integer(24)), ("players", Value::Integer(5))];
    refused(&full, "players", "at most 4");
    refused(&[("show_trump", word("on"))], "show_trump", "transfer=on");
    let three = [
        ("players", Value::Integer(3)),
        ("both_empty", word("defender_loses")),
    ];
    refused(&three, "both_empty", "two players");
    refused(&[("throwers", word("some"))], "throwers", "neighbours");
    refused(&[("trump", word("c"))], "trump", "first_attacker");
}

#[test]
fn decks_with_missing_doubled_or_foreign_cards_are_refused_by_name() {
    let durak = Durak::default();
    let sorted: Vec<String> = cards::cards(cards::deck_mask(36))
        .map(|c| c.to_string())
        .collect();
    let refused = |change: &dyn Fn(&mut Vec<String>), part: &str| {
        let mut deck = sorted.clone();
        change(&mut deck);
        let error = parse_deck(&deck.join(" ")).and_then(|deck| durak.deal_from_deck(&deck, None));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(
        &|deck| drop(deck.remove(4)),
        "lacks 1 of the 36 cards of this game, the first of them Tc",
    );
    refused(
        &|deck| deck[9] = "6c".to_owned(),
        "6c twice, at positions 1 and 10",
    );
    refused(&|deck| deck[2] = "5c".to_owned(), "5c at position 3");
    refused(&|deck| deck[2] = "10c".to_owned(), "`10c` at position 3");
    refused(&|deck| deck.clear(), "lacks 36");
    // Sorted, all spades lie in the talon: nobody holds a trump, and the lot decides.
    refused(&|_| (), "drawn by lot");
    let deck = parse_deck(&sorted.join(",")).unwrap();
    assert_eq!(
        durak
            .deal_from_deck(&deck, Some(1))
            .unwrap()
            .public()
            .lead(),
        1
    );
    assert!(durak.deal_from_deck(&deck, Some(2)).is_err());
}

#[test]
fn illegal_moves_are_refused_with_the_reason_and_change_nothing() {
    let (durak, mut state) = position(Rules::default(), &["6c 7c", "8d 9c"], "", "As", 0);
    let refused = |state: &mut State, text: &str, part: &str| {
        let before = *state;
        let error = durak
            .try_apply(state, Move::parse(text).unwrap())
            .unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(*state, before);
    };
    refused(&mut state, "8d", "seat 0 does not hold 8d");
    refused(&mut state, "pass", "seat 0 may play: 6c, 7c");
    play(&durak, &mut state, "6c");
    refused(&mut state, "8d>6c", "seat 1 may play: 9c>6c, take");
    refused(&mut state, "9c>7c", "seat 1 may play: 9c>6c, take");
    refused(&mut state, "transfer 9c", "not legal now");
    play(&durak, &mut state, "take;7c;take");
    refused(&mut state, "take", "the game is over");
}

/// A position with something in every field.
fn busy() -> (Durak, State) {
    let rules = Rules {
        players: 3,
        transfer: true,
        ..Rules::default()
    };
    let hands = ["6c 8c 9c", "6d Td Jh Qd", "6h Kc As Ks"];
    let (durak, mut state) = position(rules, &hands, "7d 7h 7s 8h 8d Ah 9h Th", "Th", 0);
    play(&durak, &mut state, "6c;take;pass");
    (durak, state)
}

#[test]
fn observations_and_drawings_show_what_the_seat_may_know() {
    let (durak, mut state) = busy();
    let mut text = String::new();
    for _ in 0..2 {
        let seat = durak.to_move(&state).unwrap();
        let view = durak.view(&state, seat);
        text.push_str("obs");
        let mut json = serde_json::Map::new();
        for field in durak.observation(&view).0 {
            write!(text, " {}={}", field.name, field.text).unwrap();
            json.insert(field.name.to_owned(), field.json);
        }
        writeln!(text, "\n{}\n", serde_json::Value::Object(json)).unwrap();
        text.push_str(&durak.draw_view(&view, Style::default()));
        text.push('\n');
        text.push_str(&durak.draw_state(&state, Style::default()));
        text.push('\n');
        let mut moves = Vec::new();
        durak.legal_into(&state, &mut moves);
        durak.apply(&mut state, moves[0]);
    }
    insta::assert_snapshot!("texts", text);
    let view = durak.view(&state, 0);
    assert!(
        durak
            .draw_view(&view, Style { colour: true })
            .contains("\x1b[1;31m"),
        "red trumps"
    );
}

/// One seeded random game as text, a bout a line.
fn transcript(rules: Rules, seed: u64) -> String {
    let durak = Durak::new(rules).unwrap();
    let mut rng = Seed::root(seed).derive("golden", &[]).rng();
    let mut state = durak.deal(&mut rng);
    let mut text = rules.text();
    let deck = deal::dealt_deck(&rules, &state);
    write!(text, "\n{}", deck.join(" ")).unwrap();
    while let Some(mover) = durak.to_move(&state) {
        if state.public().phase() == Phase::Lead {
            text.push('\n');
        } else {
            text.push_str("  ");
        }
        let mv = durak.random_move(&state, &mut rng);
        write!(text, "{mover}:{mv}").unwrap();
        durak.apply(&mut state, mv);
    }
    let scores = durak.scores(&state).unwrap();
    write!(
        text,
        "\nscores {:?} out {:?}\n",
        scores.as_slice(),
        durak.out_groups(&state)
    )
    .unwrap();
    text
}

#[test]
#[expect(clippy::too_many_lines, reason = "a variant after the other")]
fn games_of_every_variant_take_the_recorded_course() {
    let plain = Rules::default();
    let perevodnoy = Rules {
        transfer: true,
        show_trump: true,
        ..plain
    };
    let variants = [
        ("plain", plain),
        ("deck-24", Rules { deck: 24, ..plain }),
        ("deck-52", Rules { deck: 52, ..plain }),
        (
            "three",
            Rules {
                players: 3,
                ..plain
            },
        ),
        (
            "four-neighbours",
            Rules {
                players: 4,
                throwers: Throwers::Neighbours,
                ..plain
            },
        ),
        (
            "five-lead",
            Rules {
                players: 5,
                throwers: Throwers::Lead,
                ..plain
            },
        ),
        (
            "six",
            Rules {
                players: 6,
                ..plain
            },
        ),
        (
            "nobody-throws",
            Rules {
                throwers: Throwers::Nobody,
                ..plain
            },
        ),
        (
            "no-throw-after-take",
            Rules {
                throw_after_take: false,
                ..plain
            },
        ),
        (
            "until-first-beaten",
            Rules {
                first_bout_limit: FirstBoutLimit::UntilFirstBeaten,
                ..plain
            },
        ),
        (
            "first-bout-only",
            Rules {
                first_bout_limit: FirstBoutLimit::FirstBoutOnly,
                ..plain
            },
        ),
        (
            "no-caps",
            Rules {
                hand_cap: false,
                attack_cap: false,
                players: 3,
                ..plain
            },
        ),
        (
            "random-first",
            Rules {
                first_attacker: FirstAttacker::Random,
                redeal_ace: true,
                ..plain
            },
        ),
        (
            "seat0-first",
            Rules {
                first_attacker: FirstAttacker::Seat0,
                defender_loses: true,
                ..plain
            },
        ),
        (
            "transfer",
            Rules {
                transfer: true,
                ..plain
            },
        ),
        (
            "show-trump",
            Rules {
                players: 4,
                ..perevodnoy
            },
        ),
        (
            "original-lead-refills",
            Rules {
                players: 3,
                first_bout_transfer: false,
                original_lead_refills: true,
                ..perevodnoy
            },
        ),
    ];
    for (seed, (name, rules)) in (1..).zip(variants) {
        insta::assert_snapshot!(name, transcript(rules, seed));
    }
}
