//! Sampled worlds against an enumeration of all that are consistent with the view.

use std::collections::BTreeMap;

use super::super::soak::random_rules;
use super::*;
use crate::games::MAX_SEATS;
use crate::rng::{Rng, Seed};

/// Counts of samples against the chance of each world; fails if they differ by more than chance
/// explains, or if an impossible world was sampled.
fn assert_distribution<K: Ord + std::fmt::Debug>(
    counts: &BTreeMap<K, u32>,
    weights: &BTreeMap<K, f64>,
) {
    let samples: f64 = counts.values().copied().map(f64::from).sum();
    let total: f64 = weights.values().sum();
    for world in counts.keys() {
        assert!(
            weights.contains_key(world),
            "an impossible world was sampled: {world:?}"
        );
    }
    let mut chi_square = 0.0;
    for (world, weight) in weights {
        let expected = samples * weight / total;
        let seen = f64::from(counts.get(world).copied().unwrap_or(0));
        chi_square += (seen - expected).powi(2) / expected;
    }
    let freedom = f64::from(u32::try_from(weights.len().saturating_sub(1)).unwrap());
    if freedom > 0.0 {
        // Wilson and Hilferty: the cube root of chi-square by its degrees of freedom is nearly normal.
        let spread = 2.0 / (9.0 * freedom);
        let z = ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
        assert!(
            z < 4.5,
            "chi-square {chi_square} with {freedom} degrees of freedom"
        );
    }
}

/// Hands, then the talon in the order of drawing.
type World = ([u64; MAX_SEATS], Vec<Card>);

fn world_of(state: &State) -> World {
    (
        std::array::from_fn(|seat| state.hand(seat)),
        state.talon_order().collect(),
    )
}

/// Every world in which the unseen cards fill the hidden cards of hands and talon.
fn enumerate(view: &View, unseen: &[Card], world: &mut World, all: &mut Vec<World>) {
    let Some((&card, rest)) = unseen.split_first() else {
        all.push(world.clone());
        return;
    };
    for seat in 0..MAX_SEATS {
        if (world.0[seat].count_ones() as usize) < view.hand_size(seat) {
            world.0[seat] |= card.bit();
            enumerate(view, rest, world, all);
            world.0[seat] &= !card.bit();
        }
    }
    let hidden = view.public().talon().saturating_sub(1);
    for place in 0..hidden {
        if world.1[place] == view.public().trump_card() {
            world.1[place] = card;
            enumerate(view, rest, world, all);
            world.1[place] = view.public().trump_card();
        }
    }
}

#[test]
fn every_world_has_the_same_chance_late_in_a_game() {
    let mut rng = Seed::root(31).rng();
    let (mut positions, mut with_talon) = (0, 0);
    while positions < 14 {
        let durak = Durak::new(random_rules(&mut rng)).unwrap();
        let seats = usize::from(durak.rules().players);
        let seat = rng.index(seats);
        let mut state = durak.deal(&mut rng);
        for _ in 0..1000 {
            if durak.to_move(&state).is_none() {
                break;
            }
            let view = durak.view(&state, seat);
            let unseen = view.unseen(cards::deck_mask(durak.rules().deck));
            // Few enough worlds to enumerate, and more than one of them; every second time with
            // hidden cards in the talon.
            let hidden_in_talon = view.public().talon() > 1;
            let wanted = hidden_in_talon || positions % 2 == 0;
            if (3..=5).contains(&unseen.count_ones()) && wanted && !state.public.first_bout {
                let mut start: World = (
                    std::array::from_fn(|s| {
                        if s == seat {
                            view.hand()
                        } else {
                            view.known(s)
                        }
                    }),
                    vec![view.public().trump_card(); view.public().talon()],
                );
                let mut all = Vec::new();
                let unseen: Vec<Card> = cards::cards(unseen).collect();
                enumerate(&view, &unseen, &mut start, &mut all);
                if all.len() > 1 {
                    check_uniform(&durak, &view, all, &mut rng);
                    positions += 1;
                    with_talon += u32::from(hidden_in_talon);
                }
                break;
            }
            let mv = durak.random_move(&state, &mut rng);
            durak.apply(&mut state, mv);
        }
    }
    assert!(with_talon >= 7);
}

fn check_uniform(durak: &Durak, view: &View, all: Vec<World>, rng: &mut Rng) {
    let weights: BTreeMap<World, f64> = all.into_iter().map(|world| (world, 1.0)).collect();
    let mut counts = BTreeMap::new();
    let mut state = State::blank(view);
    for _ in 0..weights.len() * 60 {
        durak.sample_into(view, rng, &mut state);
        *counts.entry(world_of(&state)).or_default() += 1;
    }
    assert_distribution(&counts, &weights);
}

/// The first bout of a deal, with what each seat has played so far.
struct FirstBout {
    durak: Durak,
    state: State,
    played: [u64; MAX_SEATS],
}

impl FirstBout {
    /// Deals and plays up to `moves` random moves, as long as the first bout lasts.
    fn new(durak: Durak, moves: usize, rng: &mut Rng) -> Self {
        let mut this = Self {
            durak,
            state: durak.deal(rng),
            played: [0; MAX_SEATS],
        };
        for _ in 0..moves {
            let mut next = this.state;
            let mover = usize::from(next.public.mover);
            let mv = durak.random_move(&next, rng);
            durak.apply(&mut next, mv);
            if !next.public.first_bout {
                break;
            }
            this.played[mover] |= this.state.hand(mover) & !next.hand(mover);
            this.state = next;
        }
        this
    }

    /// Whether hands as they were dealt would have chosen this first attacker; `by_lot` says that
    /// it was drawn.
    fn is_possible(&self, hands: &[u64; MAX_SEATS], first: usize, by_lot: bool) -> bool {
        let trumps = self.state.public().trumps();
        let dealt = |seat: usize| (hands[seat] | self.played[seat]) & trumps;
        let lowest = (0..MAX_SEATS).fold(0, |all, seat| all | dealt(seat));
        match cards::first(lowest) {
            None => by_lot,
            Some(lowest) => !by_lot && dealt(first) & lowest.bit() != 0,
        }
    }
}

/// All ways to choose `size` of `from`, as masks.
fn subsets(from: &[Card], size: usize, chosen: u64, all: &mut Vec<u64>) {
    if size == 0 {
        all.push(chosen);
    } else if let Some((card, rest)) = from.split_first()
        && rest.len() + 1 >= size
    {
        subsets(rest, size - 1, chosen | card.bit(), all);
        subsets(rest, size, chosen, all);
    }
}

#[test]
fn the_first_bout_of_two_players_agrees_with_all_deals() {
    let durak = Durak::new(Rules {
        deck: 24,
        ..Rules::default()
    })
    .unwrap();
    let mut rng = Seed::root(32).rng();
    let mut checked = [0; 2];
    for round in 0..8 {
        let bout = FirstBout::new(durak, round, &mut rng);
        let first = usize::from(bout.state.public.opener);
        let by_lot = bout.state.public.start == state::Start::NoTrump;
        let seat = round % 2;
        let view = durak.view(&bout.state, seat);
        let unseen: Vec<Card> = cards::cards(view.unseen(cards::deck_mask(24))).collect();
        let mut hands = Vec::new();
        subsets(&unseen, view.hand_size(1 - seat), 0, &mut hands);
        let mut weights = BTreeMap::new();
        for hand in hands {
            let mut both = [0; MAX_SEATS];
            both[seat] = view.hand();
            both[1 - seat] = hand;
            if bout.is_possible(&both, first, by_lot) {
                weights.insert(hand, 1.0);
            }
        }
        assert!(
            weights.contains_key(&bout.state.hand(1 - seat)),
            "the truth is possible"
        );
        let mut counts = BTreeMap::new();
        let mut world = bout.state;
        for _ in 0..weights.len() * 10 {
            durak.sample_into(&view, &mut rng, &mut world);
            *counts.entry(world.hand(1 - seat)).or_default() += 1;
        }
        assert_distribution(&counts, &weights);
        checked[usize::from(seat == first)] += 1;
    }
    assert!(
        checked.iter().all(|&n| n > 0),
        "from the attacker's and from the defender's seat"
    );
}

#[test]
fn the_first_bout_of_more_players_agrees_with_counted_deals() {
    let mut rng = Seed::root(33).rng();
    let mut unsettled = 0;
    for round in 0..24 {
        let rules = Rules {
            deck: [24, 36, 52][round % 3],
            players: [3, 5, 6][round % 3],
            transfer: round % 2 == 0,
            show_trump: round % 2 == 0,
            ..Rules::default()
        };
        let durak = Durak::new(rules).unwrap();
        let bout = FirstBout::new(durak, round % 7, &mut rng);
        let first = usize::from(bout.state.public.opener);
        let by_lot = bout.state.public.start == state::Start::NoTrump;
        let seat = rng.index(usize::from(rules.players));
        let view = durak.view(&bout.state, seat);
        let weights = trump_patterns(&bout, &view, first, by_lot);
        unsettled += u32::from(weights.len() > 8);
        let mut counts = BTreeMap::new();
        let mut world = bout.state;
        for _ in 0..20_000 {
            durak.sample_into(&view, &mut rng, &mut world);
            assert_eq!(durak.view(&world, seat), view);
            // A pattern too rare for this many samples is left out on both sides.
            let pattern = pattern_of(&world, &view, first);
            *counts.entry(pattern).or_default() += 1;
        }
        let total: f64 = weights.values().sum();
        let frequent = |weight: f64| weight / total > 5.0 / 20_000.0;
        for pattern in counts.keys() {
            assert!(weights.contains_key(pattern), "impossible: {pattern:?}");
        }
        counts.retain(|pattern, _| frequent(weights[pattern]));
        let weights = weights
            .into_iter()
            .filter(|&(_, weight)| frequent(weight))
            .collect();
        assert_distribution(&counts, &weights);
    }
    assert!(unsettled > 8, "most positions leave something open");
}

/// Unseen trumps in the first attacker's hand, and in other hands.
type Pattern = (u64, u64);

fn pattern_of(world: &State, view: &View, first: usize) -> Pattern {
    let hidden = world.public().trumps() & !view.public().seen & !view.public().table();
    let of = |seat: usize| {
        if seat == view.seat() {
            0
        } else {
            world.hand(seat) & hidden
        }
    };
    let others = (0..MAX_SEATS)
        .filter(|&s| s != first)
        .fold(0, |all, s| all | of(s));
    (of(first), others)
}

/// Every way to place the unseen trumps, with the number of ways to place the other cards.
fn trump_patterns(
    bout: &FirstBout,
    view: &View,
    first: usize,
    by_lot: bool,
) -> BTreeMap<Pattern, f64> {
    let deck = cards::deck_mask(bout.durak.rules().deck);
    let unseen = view.unseen(deck);
    let trumps: Vec<Card> = cards::cards(unseen & view.public().trumps()).collect();
    let hidden = |seat: usize| {
        let known = if seat == view.seat() {
            view.hand()
        } else {
            view.known(seat)
        };
        view.hand_size(seat) - known.count_ones() as usize
    };
    let all_hidden: usize = (0..MAX_SEATS).map(hidden).sum();
    let places = [
        hidden(first),
        all_hidden - hidden(first),
        unseen.count_ones() as usize - all_hidden,
    ];
    let mut patterns = BTreeMap::new();
    for code in 0..3_usize.pow(u32::try_from(trumps.len()).unwrap()) {
        let mut in_place = [0_u64; 3];
        let mut rest = code;
        for card in &trumps {
            in_place[rest % 3] |= card.bit();
            rest /= 3;
        }
        let mut hands: [u64; MAX_SEATS] = std::array::from_fn(|s| {
            if s == view.seat() {
                view.hand()
            } else {
                view.known(s)
            }
        });
        hands[first] |= in_place[0];
        // Which of the other seats holds a trump changes nothing.
        hands[(first + 1) % usize::from(bout.durak.rules().players)] |= in_place[1];
        // Falling factorials: the ways to put that many particular cards into that many places.
        let ways = |place: usize| -> f64 {
            let taken = in_place[place].count_ones() as usize;
            (0..taken)
                .map(|n| as_real(places[place]) - as_real(n))
                .product()
        };
        let weight: f64 = (0..3).map(ways).product();
        if weight > 0.0 && bout.is_possible(&hands, first, by_lot) {
            patterns.insert((in_place[0], in_place[1]), weight);
        }
    }
    patterns
}

fn as_real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

#[test]
fn a_start_by_lot_leaves_no_trump_in_any_hand() {
    let durak = Durak::new(Rules {
        deck: 52,
        ..Rules::default()
    })
    .unwrap();
    let mut rng = Seed::root(34).rng();
    let mut found = 0;
    while found < 5 {
        let state = durak.deal(&mut rng);
        if state.public.start != state::Start::NoTrump {
            continue;
        }
        found += 1;
        for seat in 0..2 {
            let view = durak.view(&state, seat);
            for _ in 0..50 {
                let world = durak.sample(&view, &mut rng);
                assert_eq!((world.hand(0) | world.hand(1)) & world.public().trumps(), 0);
                assert_eq!(durak.view(&world, seat), view);
            }
        }
    }
}

#[test]
fn two_players_and_an_empty_talon_hide_nothing() {
    let durak = Durak::default();
    let mut rng = Seed::root(35).rng();
    for _ in 0..20 {
        let mut state = durak.deal(&mut rng);
        while durak.to_move(&state).is_some() {
            if state.public().talon() <= 1 {
                let before = rng.clone();
                for seat in 0..2 {
                    assert_eq!(durak.sample(&durak.view(&state, seat), &mut rng), state);
                }
                assert_eq!(rng, before, "and nothing is drawn for it");
            }
            let mv = durak.random_move(&state, &mut rng);
            durak.apply(&mut state, mv);
        }
    }
}
