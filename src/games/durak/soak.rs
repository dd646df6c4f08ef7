//! Random play under random rules with every invariant checked, and the body of a fuzz target.
//!
//! `cargo run --release --example durak_soak -- 10000000` plays ten million games.

use super::moves::Move;
use super::rules::{FirstAttacker, FirstBoutLimit, Rules, Throwers};
use super::state::{Phase, State};
use super::{Durak, parse_deck};
use crate::games::Game;
use crate::games::cards;
use crate::rng::{Rng, Seed};
use crate::spec::{Settings, Value};

/// Uniform players come nowhere near it, but a game under odd rules may last long.
const CAP: u32 = 50_000;

/// One of some values.
fn pick<T: Copy, const N: usize>(rng: &mut Rng, values: [T; N]) -> T {
    values[rng.index(N) % N]
}

/// A random set of rules that can be played; every option takes each of its values.
pub fn random_rules(rng: &mut Rng) -> Rules {
    loop {
        let rules = Rules {
            deck: pick(rng, [24, 36, 52]),
            players: pick(rng, [2, 3, 4, 5, 6]),
            transfer: pick(rng, [false, true]),
            show_trump: pick(rng, [false, true]),
            first_bout_transfer: pick(rng, [false, true]),
            first_bout_limit: pick(
                rng,
                [
                    FirstBoutLimit::Off,
                    FirstBoutLimit::UntilFirstBeaten,
                    FirstBoutLimit::FirstBoutOnly,
                ],
            ),
            throw_after_take: pick(rng, [true, true, true, false]),
            throwers: pick(
                rng,
                [
                    Throwers::All,
                    Throwers::Neighbours,
                    Throwers::Lead,
                    Throwers::Nobody,
                ],
            ),
            hand_cap: pick(rng, [true, true, true, false]),
            attack_cap: pick(rng, [true, true, true, false]),
            first_attacker: pick(
                rng,
                [
                    FirstAttacker::LowestTrump,
                    FirstAttacker::Random,
                    FirstAttacker::Seat0,
                ],
            ),
            redeal_ace: pick(rng, [false, true]),
            defender_loses: pick(rng, [false, true]),
            original_lead_refills: pick(rng, [false, true]),
        };
        if rules.check().is_ok() {
            return rules;
        }
    }
}

/// What was seen in many random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Soak {
    /// Games.
    pub games: u64,
    /// Decisions in all of them.
    pub decisions: u64,
    /// Decisions of the longest.
    pub longest: u32,
    /// Games that were cut off.
    pub truncated: u64,
    /// Drawn games.
    pub draws: u64,
    /// The largest hand.
    pub largest_hand: u32,
    /// The most legal moves.
    pub most_moves: usize,
}

/// An invariant that did not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} (game {game} of the soak, after {decisions} decisions, rules {rules})")]
pub struct Broken {
    /// The invariant.
    pub what: &'static str,
    /// The number of the game, from 0.
    pub game: u64,
    /// Decisions made.
    pub decisions: u32,
    /// The rules.
    pub rules: String,
}

/// Plays `games` uniformly random games, each under rules of its own, numbered from `first`.
///
/// # Errors
/// At the first broken invariant.
pub fn soak(seed: &Seed, first: u64, games: u64) -> Result<Soak, Broken> {
    let mut soak = Soak::default();
    let mut legal = Vec::new();
    let mut text = String::new();
    for game in first..first + games {
        let mut rng = seed.derive("soak", &[&game.to_le_bytes()]).rng();
        let rules = random_rules(&mut rng);
        let durak = Durak { rules };
        let mut state = durak.deal(&mut rng);
        let mut decisions = 0;
        let broken = |what, decisions| Broken {
            what,
            game,
            decisions,
            rules: rules.text(),
        };
        check_state(&durak, &state).map_err(|what| broken(what, 0))?;
        while durak.to_move(&state).is_some() && decisions < CAP {
            let before = state;
            durak.legal_into(&state, &mut legal);
            let drawn = durak.random_move(&state, &mut rng.clone());
            let mv = legal[rng.index(legal.len())];
            holds(drawn == mv, "a random move is drawn as from the list")
                .and_then(|()| check_moves(&durak, &state, &legal, &mut text))
                .map_err(|what| broken(what, decisions))?;
            soak.most_moves = soak.most_moves.max(legal.len());
            durak.apply(&mut state, mv);
            decisions += 1;
            check_state(&durak, &state)
                .and_then(|()| check_change(&before, &state))
                .map_err(|what| broken(what, decisions))?;
            let largest = (0..6).map(|seat| state.hand(seat).count_ones()).max();
            soak.largest_hand = soak.largest_hand.max(largest.unwrap_or(0));
        }
        soak.games += 1;
        soak.decisions += u64::from(decisions);
        soak.longest = soak.longest.max(decisions);
        if durak.to_move(&state).is_some() {
            soak.truncated += 1;
        } else if state.fool().is_none() {
            soak.draws += 1;
        }
    }
    Ok(soak)
}

type Check = Result<(), &'static str>;

fn holds(condition: bool, what: &'static str) -> Check {
    if condition { Ok(()) } else { Err(what) }
}

/// Invariants of one position.
fn check_state(durak: &Durak, state: &State) -> Check {
    let rules = durak.rules();
    let public = state.public();
    let deck = cards::deck_mask(rules.deck);
    let mut all = 0_u64;
    let mut count = 0;
    let zones = (0..6).map(|seat| state.hand(seat));
    for zone in zones.chain([state.talon_mask(), public.table(), state.discard()]) {
        all |= zone;
        count += zone.count_ones();
    }
    holds(all == deck, "hands, talon, table and discard are the deck")?;
    holds(count == u32::from(rules.deck), "no card is in two places")?;
    holds(
        state.talon_order().count() == public.talon(),
        "the talon has no card twice",
    )?;
    let last = state.talon_order().last();
    holds(
        last.is_none_or(|card| card == public.trump_card()),
        "the trump card lies below",
    )?;
    holds(
        public.open() & !public.table() == 0,
        "open attacks lie on the table",
    )?;
    let seats = usize::from(rules.players);
    let in_game = (0..seats).filter(|&seat| public.in_game(seat)).count();
    if public.phase() == Phase::Over {
        holds(in_game <= 1, "a game with two players goes on")?;
        holds(public.table() == 0, "no bout is unfinished at the end")?;
        return holds(durak.scores(state).is_some(), "a finished game has scores");
    }
    holds(in_game >= 2, "a game with one player is over")?;
    holds(
        durak.scores(state).is_none(),
        "a running game has no scores",
    )?;
    holds(public.lead() != public.defender(), "nobody attacks itself")?;
    holds(
        public.in_game(public.lead()) && public.in_game(public.defender()),
        "who is out has no role",
    )?;
    holds(
        public.attacks() <= public.limit(),
        "no attack is past the limit",
    )?;
    let mover = usize::from(public.mover);
    let defends = mover == public.defender();
    holds(
        defends == (public.phase() == Phase::Defend),
        "only the defender defends",
    )?;
    if public.phase() == Phase::Lead {
        let filled = |seat: usize| {
            let size = state.hand(seat).count_ones();
            !public.in_game(seat)
                || if public.talon() > 0 {
                    size >= 6
                } else {
                    size > 0
                }
        };
        holds((0..seats).all(filled), "hands are filled before a bout")?;
        holds(public.table() == 0, "a bout starts with an empty table")?;
    }
    holds(
        state.choices == state.current_choices(rules),
        "the kept choices are the legal ones",
    )
}

/// Invariants of an action.
fn check_change(before: &State, after: &State) -> Check {
    let (old, new) = (before.public(), after.public());
    holds(new.talon() <= old.talon(), "the talon shrinks")?;
    holds(
        before.discard() & !after.discard() == 0,
        "the discard grows",
    )?;
    holds(new.alive & !old.alive == 0, "nobody comes back")?;
    holds(old.seen & !new.seen == 0, "nothing is forgotten")
}

/// Invariants of the legal moves.
fn check_moves(durak: &Durak, state: &State, legal: &[Move], text: &mut String) -> Check {
    let turn = state.turn(durak.rules());
    holds(!legal.is_empty(), "there is a legal move")?;
    for (index, &mv) in legal.iter().enumerate() {
        holds(!legal[..index].contains(&mv), "no move is listed twice")?;
        holds(turn.is_legal(mv), "listed moves are legal")?;
        let held = mv.card().is_none_or(|card| turn.hand & card.bit() != 0);
        holds(held, "only cards in the hand are played")?;
    }
    if let Some(&mv) = legal.last() {
        text.clear();
        mv.write(text);
        holds(Move::parse(text) == Ok(mv), "a move's text reads back")?;
    }
    Ok(())
}

/// The body of a fuzz target: lines of text, the first of them options (`key=value,...`), then
/// either `deck` and cards, moves, or numbers that choose among the legal moves. Nothing that is
/// read may panic, and no accepted move may break an invariant.
///
/// # Panics
/// If it does.
pub fn fuzz(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let durak = match Durak::from_settings(&settings(lines.next().unwrap_or_default())) {
        Ok(durak) => durak,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(durak.rules().check(), Ok(()));
    let mut state = durak.deal(&mut Seed::root(data.len() as u64).rng());
    let mut legal = Vec::new();
    for line in lines.take(2_000) {
        if let Some(deck) = line.strip_prefix("deck ") {
            match parse_deck(deck).and_then(|deck| durak.deal_from_deck(&deck, Some(0))) {
                Ok(dealt) => state = dealt,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        } else if let Ok(number) = line.trim().parse::<u16>() {
            durak.legal_into(&state, &mut legal);
            if !legal.is_empty() {
                let mv = legal[usize::from(number) % legal.len()];
                durak
                    .try_apply(&mut state, mv)
                    .expect("a listed move is legal");
            }
        } else {
            match Move::parse(line) {
                Ok(mv) => {
                    assert_eq!(Move::parse(&mv.to_string()), Ok(mv));
                    let before = state;
                    if let Err(error) = durak.try_apply(&mut state, mv) {
                        assert!(!error.to_string().is_empty());
                        assert_eq!(state, before, "a refused move changes nothing");
                    }
                }
                Err(error) => assert!(error.to_string().contains("durak")),
            }
        }
        assert_eq!(check_state(&durak, &state), Ok(()));
    }
}

/// Options from a line, unchecked.
fn settings(line: &str) -> Settings {
    let mut settings = Settings::named("durak");
    for (key, value) in line.split(',').filter_map(|part| part.split_once('=')) {
        let value = match value.parse() {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Text(value.to_owned()),
        };
        settings.values.insert(key.to_owned(), value);
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::durak::SPEC;
    use crate::spec::OptionKind;

    #[test]
    fn random_games_under_random_rules_break_no_invariant() {
        let soak = soak(&Seed::root(51), 0, 3_000).unwrap();
        assert_eq!((soak.games, soak.truncated), (3_000, 0));
        assert!(soak.largest_hand > 20 && soak.most_moves > 20, "{soak:?}");
    }

    /// Pieces that inputs are made of, right and wrong.
    fn line(rng: &mut Rng) -> String {
        let card = |rng: &mut Rng| {
            let letters = b"23456789TJQKAcdhsX>1 ";
            let rank = letters[rng.index(13)];
            let suits = if rng.index(9) == 0 { 8 } else { 4 };
            let suit = letters[13 + rng.index(suits)];
            String::from_utf8_lossy(&[rank, suit]).into_owned()
        };
        match rng.index(9) {
            0 => card(rng),
            1 => format!("{}>{}", card(rng), card(rng)),
            2 => format!("transfer {}", card(rng)),
            3 => format!("show {}", card(rng)),
            4 => pick(rng, ["take", "pass", "", "deck 6c 6c", "TAKE", "\u{fffd}"]).to_owned(),
            5 => {
                let mut deck: Vec<String> = cards::cards(cards::deck_mask(36))
                    .map(|c| c.to_string())
                    .collect();
                rng.shuffle(&mut deck);
                deck.truncate(36 - rng.index(40).saturating_sub(37));
                format!("deck {}", deck.join(" "))
            }
            _ => rng.below(50).to_string(),
        }
    }

    fn options(rng: &mut Rng) -> String {
        let mut parts = Vec::new();
        for option in SPEC.options {
            let value = match option.kind {
                OptionKind::Choice(words) => words[rng.index(words.len())].to_owned(),
                _ if option.name == "deck" => pick(rng, ["24", "36", "36", "52", "53"]).to_owned(),
                _ => (2 + rng.below(5)).to_string(),
            };
            match rng.index(40) {
                0 => parts.push(format!("{}={value}x", option.name)),
                1 => parts.push(format!("{}s={value}", option.name)),
                2..20 => parts.push(format!("{}={value}", option.name)),
                _ => {}
            }
        }
        parts.join(",")
    }

    #[test]
    fn hostile_texts_and_options_are_refused_without_a_panic() {
        let mut rng = Seed::root(52).rng();
        for _ in 0..600 {
            let mut text = options(&mut rng);
            for _ in 0..60 {
                text.push('\n');
                text.push_str(&line(&mut rng));
            }
            let mut bytes = text.into_bytes();
            if rng.index(4) == 0 {
                let place = rng.index(bytes.len());
                bytes[place] ^= 1 << rng.index(8);
            }
            fuzz(&bytes);
        }
    }
}
