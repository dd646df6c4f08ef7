//! The twenty cases that programs get wrong, each with the faults that it is shown to notice.
//!
//! [`every_case_notices_its_faults`] seeds each fault into the rules and requires that the case
//! fails; together the cases must name every fault of `faults.rs`.

use super::super::faults::{self, Fault};
use super::properties::{conserves_cards, is_symmetric};
use super::*;
use crate::games::Places;
use crate::rng::Seed;

struct Case {
    name: &'static str,
    check: fn(),
    faults: &'static [Fault],
}

/// A test for each case, and the list of all with the faults they must notice.
macro_rules! cases {
    ($($number:literal $name:ident [$($fault:ident),*] $body:block)*) => {
        $(
            #[test]
            fn $name() $body
        )*

        const CASES: &[(u32, Case)] = &[$((
            $number,
            Case { name: stringify!($name), check: $name, faults: &[$(Fault::$fault),*] },
        )),*];
    };
}

#[test]
fn every_case_notices_its_faults() {
    for (number, case) in CASES {
        assert!(!case.faults.is_empty());
        for &fault in case.faults {
            faults::seed(Some(fault));
            let noticed = std::panic::catch_unwind(case.check).is_err();
            faults::seed(None);
            assert!(
                noticed,
                "case {number}, {}, does not notice {fault:?}",
                case.name
            );
        }
    }
    let numbers: Vec<u32> = CASES.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<u32>>());
    for fault in Fault::ALL {
        let named = CASES.iter().any(|(_, case)| case.faults.contains(fault));
        assert!(named, "no case notices {fault:?}");
    }
}

fn two() -> Rules {
    Rules::default()
}

fn seats(players: u8) -> Rules {
    Rules { players, ..two() }
}

fn transfer(players: u8) -> Rules {
    Rules {
        transfer: true,
        show_trump: true,
        ..seats(players)
    }
}

cases! {
    1 no_card_is_thrown_in_past_the_limit_after_a_take [ThrowPastLimit] {
        let (durak, mut state) = position(two(), &["6c 6d 6h 7s 8s", "Th Jh"], "", "As", 0);
        assert_eq!(state.public().limit(), 2);
        play(&durak, &mut state, "6c;take;6d");
        assert_eq!(state.public().phase(), Phase::Lead, "two attacks are the limit");
        assert_eq!(state.hand(1), mask("6c 6d Th Jh"));
        // The limit may be reached before the take.
        let (durak, mut state) = position(two(), &["6c 6d 8s", "Th"], "", "As", 0);
        play(&durak, &mut state, "6c;take");
        assert_eq!(state.public().phase(), Phase::Lead);
    }

    2 the_game_ends_when_the_loser_takes_in_the_last_bout [NobodyOutAfterTake] {
        let (durak, mut state) = position(two(), &["6c", "7d 8d"], "", "As", 0);
        play(&durak, &mut state, "6c;take");
        assert_eq!(durak.to_move(&state), None);
        assert_eq!(state.fool(), Some(1));
    }

    3 cards_are_conserved_after_every_action [CoversLostInTake] {
        conserves_cards(60);
    }

    4 without_a_talon_the_trump_card_is_in_the_last_hand [TalonNeverEmpty] {
        for (deck, players) in [(36, 6), (24, 4)] {
            let durak = Durak::new(Rules { deck, ..seats(players) }).unwrap();
            for number in 0..20 {
                let mut rng = Seed::root(number).rng();
                let mut state = durak.deal(&mut rng);
                let last = usize::from(players) - 1;
                let trump = state.public().trump_card();
                assert_eq!(state.public().talon(), 0);
                assert_eq!(state.talon_order().count(), 0);
                assert_ne!(state.hand(last) & trump.bit(), 0);
                assert_ne!(durak.view(&state, 0).known(last) & trump.bit(), 0, "it is public");
                let fields = durak.deal_fields(&state);
                let deck = fields["deck"].as_array().unwrap();
                assert_eq!(deck.last().unwrap(), &trump.to_string());
                durak.playout(&mut state, &mut rng, u32::MAX);
                assert_eq!(durak.to_move(&state), None);
            }
        }
    }

    5 the_roles_of_the_bout_just_finished_decide_who_draws_first [RefillAfterSwap] {
        let hands = ["6c 8c 9c Tc Jc Qc", "7c 8d 9d Td Jd Qd"];
        let (durak, mut state) = position(two(), &hands, "As", "As", 0);
        play(&durak, &mut state, "6c;7c>6c");
        assert_eq!(state.public().lead(), 1, "beaten off");
        assert_eq!(state.hand(0), mask("8c 9c Tc Jc Qc As"), "the attacker draws first");
        // After a transfer the transferor is the lead, and the first lead is the defender.
        let hands = ["6c 7c 9c Tc Jc Qc", "6d 8d 9d Td Jd Qd"];
        let (durak, mut state) = position(transfer(2), &hands, "Ks As", "As", 0);
        play(&durak, &mut state, "6c;transfer 6d;take");
        assert_eq!(state.hand(1), mask("8d 9d Td Jd Qd Ks"));
        assert_eq!(state.public().lead(), 1);
        // With three seats the option decides between the transferor and the original lead.
        let hands = ["6c 7c 9c Tc Jc Qc", "6d 8d 9d Td Jd Qd", "8h 9h Th Jh Qh Kh"];
        for (original_lead_refills, first) in [(false, 1), (true, 0)] {
            let rules = Rules { original_lead_refills, ..transfer(3) };
            let (durak, mut state) = position(rules, &hands, "As", "As", 0);
            play(&durak, &mut state, "6c;transfer 6d;take");
            assert_ne!(state.hand(first) & mask("As"), 0);
        }
    }

    6 nobody_is_out_while_the_talon_has_cards [OutWhileTalonLasts] {
        let (durak, mut state) = position(two(), &["6c", "7c"], "Kd Ks As", "As", 0);
        play(&durak, &mut state, "6c;7c>6c");
        assert_eq!(durak.to_move(&state), None, "the attacker drew all three cards");
        assert_eq!(state.fool(), Some(0));
        let (durak, mut state) = position(two(), &["6c", "7c"], "Kd Qd Jd Td 9d 8d Ks As", "As", 0);
        play(&durak, &mut state, "6c;7c>6c");
        assert_eq!(durak.to_move(&state), Some(1));
        assert_eq!(state.hand(1), mask("Ks As"));
        assert_eq!(durak.places(&state), Places::default());
    }

    7 the_last_card_answered_by_the_last_card_is_a_draw [EndsMidBout] {
        let (durak, mut state) = position(two(), &["6c", "7c"], "", "As", 0);
        play(&durak, &mut state, "6c");
        assert_eq!(durak.to_move(&state), Some(1), "not over before it is answered");
        play(&durak, &mut state, "7c>6c");
        assert_eq!(durak.to_move(&state), None);
        assert_eq!(state.fool(), None);
        assert_eq!(durak.scores(&state).unwrap().as_slice(), [0.5, 0.5]);
        assert_eq!(durak.out_groups(&state), [[0, 1]]);
        let rules = Rules { defender_loses: true, ..two() };
        let (durak, mut state) = position(rules, &["6c", "7c"], "", "As", 0);
        play(&durak, &mut state, "6c;7c>6c");
        assert_eq!(state.fool(), Some(1));
    }

    8 a_lead_without_cards_stays_in_the_order_until_the_refill [OutAtTransfer] {
        let hands = ["6c", "6d 8d 9d", "7h 8h 9h Th", "Jh Qh Kh"];
        // The transferor draws four, seat 3 three, the first lead the last two.
        let talon = "7c 8c 9c Tc Jc Qc Kc Ks As";
        let (durak, mut state) = position(transfer(4), &hands, talon, "As", 0);
        play(&durak, &mut state, "6c;transfer 6d;take");
        assert_eq!(state.hand(0), mask("Ks As"));
        assert_eq!(state.public().lead(), 3);
        // Without a talon it is out, and the lead that would be its passes on.
        let (durak, mut state) = position(transfer(3), &["6c", "6d 8d 9d", "7h 8h 9h"], "", "As", 0);
        play(&durak, &mut state, "6c;transfer 6d");
        assert!(state.public().in_game(0), "not out during the bout");
        play(&durak, &mut state, "take");
        assert!(!state.public().in_game(0));
        assert_eq!((state.public().lead(), state.public().defender()), (1, 2));
    }

    9 a_thrower_without_cards_is_not_out_before_the_refill [OutWhenThrown] {
        let hands = ["6c 9c Tc Jc Qc Kc", "8c 9d Td Jd Qd Kd", "6h"];
        let (durak, mut state) = position(seats(3), &hands, "7h 7d 7s 8s 9s Ts Js As", "As", 0);
        play(&durak, &mut state, "6c;8c>6c;6h");
        assert!(state.public().in_game(2));
        play(&durak, &mut state, "take");
        assert!(state.public().in_game(2));
        assert_eq!(state.hand(2), mask("7d 7s 8s 9s Ts Js"));
    }

    10 a_defender_who_is_out_passes_the_lead_on [OutDefenderLeads] {
        let (durak, mut state) = position(seats(3), &["6c Kc", "7c", "8d 9d"], "", "As", 0);
        play(&durak, &mut state, "6c;7c>6c");
        assert_eq!(durak.places(&state), [0, 1, 0, 0, 0, 0]);
        assert_eq!((state.public().lead(), state.public().defender()), (2, 0));
        assert_eq!(durak.to_move(&state), Some(2));
    }

    11 the_limit_is_fixed_at_the_start_of_the_bout [LimitShrinks] {
        let (durak, mut state) = position(two(), &["6c 6d 6h 8c", "7c 7d 7h"], "", "As", 0);
        play(&durak, &mut state, "6c;7c>6c;6d;7d>6d");
        assert_eq!(state.public().phase(), Phase::Throw, "two of three attacks are made");
        play(&durak, &mut state, "6h;7h>6h");
        assert_eq!(durak.to_move(&state), None, "three are the limit");
    }

    12 a_take_does_not_lift_the_first_bout_limit [FirstLimitLiftedByTake] {
        let hands = ["6c 7c 9c Tc Jc Qc", "6d 8c 8d 9d Td Jd"];
        let limits = |first_bout_limit| {
            let rules = Rules { first_bout_limit, ..two() };
            let (durak, mut state) = position(rules, &hands, "Kc Kd Kh As", "As", 0);
            state.public.first_bout = true;
            state.public.beaten_off = false;
            state.begin_bout(&rules, 0);
            let mut limits = vec![state.public().limit()];
            play(&durak, &mut state, "6c;take");
            limits.push(state.public().limit());
            play(&durak, &mut state, "7c;8c>7c");
            limits.push(state.public().limit());
            limits
        };
        assert_eq!(limits(rules::FirstBoutLimit::Off), [6, 6, 6]);
        assert_eq!(limits(rules::FirstBoutLimit::UntilFirstBeaten), [5, 5, 6]);
        assert_eq!(limits(rules::FirstBoutLimit::FirstBoutOnly), [5, 6, 6]);
    }

    13 ranks_of_covers_count_for_throwing_in [CoversGiveNoRanks] {
        let (durak, mut state) = position(two(), &["6c 7s Kd", "7c 8d 9d"], "", "Ah", 0);
        play(&durak, &mut state, "6c;7c>6c");
        assert_eq!(legal(&durak, &state), ["7s", "pass"]);
        let (durak, mut state) = position(two(), &["6c 6d 8s", "8c Td Jd"], "", "Ah", 0);
        play(&durak, &mut state, "6c;8c>6c;6d;take");
        assert_eq!(legal(&durak, &state), ["8s", "pass"]);
    }

    14 transfers_need_room_and_a_trump_is_shown_once
        [TransferOverfills, LastCardNoTransfer, ShowCountsTheCard, ShownTwice]
    {
        // Two attacks are too many for one card.
        let (durak, mut state) = position(transfer(3), &["6c 7c", "6d 9c 9s", "9h"], "", "Ah", 0);
        play(&durak, &mut state, "6c");
        assert_eq!(legal(&durak, &state), ["9c>6c", "take"]);
        // The last card may be a transfer; its owner is not out during the bout.
        let (durak, mut state) = position(transfer(3), &["6c 7c", "6d", "9h 9d"], "", "Ah", 0);
        play(&durak, &mut state, "6c;transfer 6d");
        assert!(state.public().in_game(1));
        assert_eq!((state.public().lead(), state.public().defender()), (1, 2));
        // Showing needs one place less than playing; the shown card is known and stays.
        let (durak, mut state) = position(transfer(3), &["6c 7c", "6h 9s", "9d"], "", "Ah", 0);
        play(&durak, &mut state, "6c");
        assert_eq!(legal(&durak, &state), ["6h>6c", "show 6h", "take"]);
        play(&durak, &mut state, "show 6h");
        assert_eq!(durak.view(&state, 0).known(1), mask("6h"));
        assert_eq!(state.hand(1), mask("6h 9s"));
        assert_eq!((state.public().lead(), state.public().defender()), (1, 2));
        // Once a bout: afterwards it can only be played.
        let hands = ["6c 6d Kc Kd Qc", "6h 9s 9d"];
        let (durak, mut state) = position(transfer(2), &hands, "", "Ah", 0);
        play(&durak, &mut state, "6c;show 6h;transfer 6d");
        assert_eq!(legal(&durak, &state), ["6h>6c", "9d>6d", "6h>6d", "transfer 6h", "take"]);
        // `hand_cap = no`: only the cap of six bounds.
        let rules = Rules { hand_cap: false, ..transfer(3) };
        let (durak, mut state) = position(rules, &["6c 7c", "6d 9c", "9h"], "", "Ah", 0);
        play(&durak, &mut state, "6c;transfer 6d");
        assert_eq!(state.public().limit(), 6);
        // Nothing may be covered before a transfer.
        let (durak, mut state) = position(transfer(2), &["6c 6s Kc", "6d 6h 8c 9c"], "", "Ah", 0);
        play(&durak, &mut state, "6c;8c>6c;6s");
        assert_eq!(legal(&durak, &state), ["6h>6s", "take"]);
    }

    15 the_trump_card_is_drawn_like_any_other [TrumpCardNotDrawn, TrumpForgotten] {
        let hands = ["6c 7c 8c 9c Tc", "7d 8d 9d Td Jd 6s"];
        let (durak, mut state) = position(two(), &hands, "Kd As", "As", 0);
        play(&durak, &mut state, "6c;take");
        assert_eq!(state.public().talon(), 0);
        assert_eq!(state.hand(0), mask("7c 8c 9c Tc Kd As"));
        assert_eq!(durak.view(&state, 1).known(0), mask("As"), "everybody saw it");
        assert_eq!(state.public().trump_card(), Card::parse("As").unwrap());
        play(&durak, &mut state, "Kd");
        assert_eq!(legal(&durak, &state), ["6s>Kd", "take"], "the trump suit is still known");
    }

    16 large_hands_are_hands [SmallMoveList] {
        let all = |deck, without: &str| {
            let texts: Vec<String> = cards::cards(cards::deck_mask(deck) & !mask(without))
                .map(|card| card.to_string())
                .collect();
            texts.join(" ")
        };
        let large = all(36, "6c 6d");
        let (durak, state) = position(two(), &["6c 6d", &large], "", "As", 1);
        assert_eq!(legal(&durak, &state).len(), 34);
        assert_eq!(durak.view(&state, 0).hand_size(1), 34);
        let rules = Rules { deck: 52, ..seats(4) };
        let small = ["2c 2d 2h", "3c 3d 3h", "4c 4d 4h"];
        let large = all(52, &(small.join(" ") + " 5c"));
        let hands = [&large, small[0], small[1], small[2]];
        let (durak, mut state) = position(rules, &hands, "", "As", 0);
        assert_eq!(legal(&durak, &state).len(), 42);
        let mut rng = Seed::root(16).rng();
        let mut drawn: Vec<Move> = (0..2000).map(|_| durak.random_move(&state, &mut rng)).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 42, "every one of them is drawn");
        for seat in 0..4 {
            let view = durak.view(&state, seat);
            let world = durak.sample(&view, &mut rng);
            assert_eq!(durak.view(&world, seat), view);
            assert_eq!(world.hand(0).count_ones(), 42);
        }
        durak.playout(&mut state, &mut rng, 5_000);
        assert_eq!(durak.to_move(&state), None);
    }

    17 a_player_acts_several_times_in_a_row [TurnAlternates] {
        let (durak, mut state) = position(two(), &["6c 6d 6h 8c", "Kd Kh Ks"], "", "As", 0);
        play(&durak, &mut state, "6c;take");
        for text in ["6d", "6h"] {
            assert_eq!(durak.to_move(&state), Some(0));
            play(&durak, &mut state, text);
        }
        // And leads again, because the defender took.
        assert_eq!(durak.to_move(&state), Some(0));
        assert_eq!(state.public().phase(), Phase::Lead);
    }

    18 sampled_worlds_keep_what_is_public
        [SampleForgetsPickedUp, SampleDealsTrumpCard, SampleForgetsStart]
    {
        let hands = ["6c 8c 9c Tc", "7d 8d 9d Td"];
        let talon = "Kd Kh Ks 6d 7h 8h 9h Th 9s Ts Js As";
        let (durak, mut state) = position(two(), &hands, talon, "As", 0);
        play(&durak, &mut state, "6c;take");
        let view = durak.view(&state, 0);
        let mut rng = Seed::root(18).rng();
        for _ in 0..100 {
            let world = durak.sample(&view, &mut rng);
            assert_ne!(world.hand(1) & mask("6c"), 0, "a card that was picked up stays");
            assert_eq!(world.talon_order().last(), Some(state.public().trump_card()));
            assert_eq!((world.hand(0) | world.hand(1)) & state.public().trump_card().bit(), 0);
            assert_eq!(durak.view(&world, 0), view);
        }
        // In the first bout the attacker holds the lowest trump of all hands.
        let durak = Durak::new(seats(3)).unwrap();
        for _ in 0..30 {
            let state = durak.deal(&mut rng);
            let lead = state.public().lead();
            for seat in 0..3 {
                let world = durak.sample(&durak.view(&state, seat), &mut rng);
                let held = (0..3).fold(0, |all, s| all | world.hand(s)) & state.public().trumps();
                if let Some(lowest) = cards::first(held) {
                    assert_ne!(world.hand(lead) & lowest.bit(), 0, "the lead's trump is the lowest");
                }
            }
        }
    }

    19 relabelling_suits_or_rotating_seats_changes_nothing [SpadesStandOut, SeatZeroDraws] {
        is_symmetric(60);
    }

    20 a_repeated_position_is_recognised [NothingRepeats, AnybodyLeads] {
        let hands = ["6c 7c", "8d 9d"];
        let key = |hands: &[&str], talon, lead| {
            let (durak, state) = position(two(), hands, talon, "As", lead);
            durak.repetition_key(&state)
        };
        assert!(key(&hands, "", 0).is_some());
        assert_eq!(key(&hands, "", 0), key(&hands, "", 0));
        assert_ne!(key(&hands, "", 0), key(&hands, "", 1), "who leads is part of it");
        assert_ne!(key(&hands, "", 0), key(&["6c 8d", "7c 9d"], "", 0));
        assert_eq!(key(&hands, "As", 0), None, "the talon still changes the position");
        let (durak, mut state) = position(two(), &hands, "", "As", 0);
        play(&durak, &mut state, "6c");
        assert_eq!(durak.repetition_key(&state), None, "only at the start of a bout");
        assert!(repeating_game_is_found(), "four lowest-card players repeat in one game of 10,000");
    }
}

/// Whether among many games of four lowest-card players, which are deterministic, one is found
/// that would never end, and its positions repeat by their keys.
fn repeating_game_is_found() -> bool {
    let durak = Durak::new(seats(4)).unwrap();
    let mut rng = Seed::root(20).rng();
    for _ in 0..100_000 {
        let mut state = durak.deal(&mut rng);
        let mut keys = Vec::new();
        let mut decisions = 0;
        while let Some(mv) = durak.lowest_move(&state) {
            if decisions > 1_000 {
                keys.extend(durak.repetition_key(&state));
            }
            if decisions == 5_000 {
                let first = keys.first();
                return keys.iter().filter(|key| Some(*key) == first).count() >= 3;
            }
            durak.apply(&mut state, mv);
            decisions += 1;
        }
    }
    false
}
