//! Uniform playouts of Durak from the deal, against a hand-written loop that knows nothing but two
//! players and the default rules.
//!
//! Both are timed in turns and the best of many short runs counts, so that the ratio holds on a
//! busy machine, where a benchmark of one after the other would not.

use std::hint::black_box;
use std::time::Instant;

use evalctl::games::Game;
use evalctl::games::cards;
use evalctl::games::durak::{Durak, Rules};
use evalctl::games::select::{Portable, Select, Task, fastest};
use evalctl::rng::{Rng, Seed};

/// Games of one run: less than a millisecond, so that some runs are not interrupted.
const GAMES: u32 = 500;

/// Runs, of which the best counts.
const RUNS: u64 = 500;

/// The bare loop: no trait, no state, no options, nothing remembered of who knows what.
struct Bare<'a> {
    rng: &'a mut Rng,
    games: u32,
}

impl Task for Bare<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Select>(self, select: S) -> u32 {
        let mut sorted = [0_u8; 36];
        for (slot, card) in sorted.iter_mut().zip(cards::cards(cards::deck_mask(36))) {
            *slot = card.index();
        }
        (0..self.games)
            .map(|_| bare_game(&sorted, self.rng, select))
            .sum()
    }
}

/// One game; the number of decisions.
#[inline(always)]
fn bare_game<S: Select>(sorted: &[u8; 36], rng: &mut Rng, select: S) -> u32 {
    let mut deck = *sorted;
    rng.shuffle(&mut deck);
    let mut hands = [0_u64; 2];
    for (place, card) in deck[24..].iter().enumerate() {
        hands[place % 2] |= 1 << card;
    }
    let trumps = cards::suit_mask(deck[0] >> 4);
    let lowest = (hands[0] | hands[1]) & trumps;
    let lowest = lowest & lowest.wrapping_neg();
    let mut attacker = if lowest == 0 {
        rng.index(2)
    } else {
        usize::from(hands[1] & lowest != 0)
    };
    let mut talon = 24;
    let mut decisions = 0;
    loop {
        let (mut attacking, mut defending) = (hands[attacker], hands[1 - attacker]);
        let limit = defending.count_ones().min(6);
        let mut card = select.nth(attacking, rng.below(attacking.count_ones()));
        decisions += 1;
        let (mut table, mut attacks) = (0_u64, 0);
        let taken = loop {
            attacking &= !card.bit();
            table |= card.bit();
            attacks += 1;
            let by_trump = if card.bit() & trumps == 0 { trumps } else { 0 };
            let covers = defending & (cards::higher(card) | by_trump);
            let drawn = rng.below(covers.count_ones() + 1);
            decisions += 1;
            if drawn == covers.count_ones() {
                let mut choices = attacking & cards::same_ranks(table);
                while choices != 0 && attacks < limit {
                    let drawn = rng.below(choices.count_ones() + 1);
                    decisions += 1;
                    if drawn == choices.count_ones() {
                        break;
                    }
                    let thrown = select.nth(choices, drawn).bit();
                    choices &= !thrown;
                    attacking &= !thrown;
                    table |= thrown;
                    attacks += 1;
                }
                break true;
            }
            let cover = select.nth(covers, drawn).bit();
            defending &= !cover;
            table |= cover;
            let choices = attacking & cards::same_ranks(table);
            if attacks == limit || choices == 0 {
                break false;
            }
            let drawn = rng.below(choices.count_ones() + 1);
            decisions += 1;
            if drawn == choices.count_ones() {
                break false;
            }
            card = select.nth(choices, drawn);
        };
        if taken {
            defending |= table;
        }
        for hand in [&mut attacking, &mut defending] {
            while talon > 0 && hand.count_ones() < 6 {
                talon -= 1;
                *hand |= 1 << deck[talon];
            }
        }
        hands[attacker] = attacking;
        hands[1 - attacker] = defending;
        if talon == 0 && (attacking == 0 || defending == 0) {
            return decisions;
        }
        if !taken {
            attacker = 1 - attacker;
        }
    }
}

fn playouts(durak: &Durak, rng: &mut Rng) -> u32 {
    let play = |_| {
        let mut state = durak.deal(rng);
        durak.playout(&mut state, rng, u32::MAX)
    };
    (0..GAMES).map(play).sum()
}

/// The lowest-card player on every seat.
fn lowest(durak: &Durak, rng: &mut Rng) -> u32 {
    let mut decisions = 0;
    for _ in 0..GAMES {
        let mut state = durak.deal(rng);
        let mut left = 1_000;
        while left > 0
            && let Some(mv) = durak.lowest_move(&state)
        {
            durak.apply(&mut state, mv);
            left -= 1;
        }
        decisions += 1_000 - left;
    }
    decisions
}

/// A name and what plays `GAMES` games, giving the decisions.
type Run<'a> = (&'a str, Box<dyn Fn(&mut Rng) -> u32 + 'a>);

fn main() {
    let two = Durak::default();
    let four = Durak::new(Rules {
        players: 4,
        transfer: true,
        ..Rules::default()
    })
    .expect("rules that can be played");
    let runs: [Run; 5] = [
        (
            "bare loop, portable",
            Box::new(|rng| Bare { rng, games: GAMES }.run(Portable)),
        ),
        (
            "bare loop, fastest selection",
            Box::new(|rng| fastest(Bare { rng, games: GAMES })),
        ),
        ("playout, two players", Box::new(|rng| playouts(&two, rng))),
        (
            "playout, four players, transfer",
            Box::new(|rng| playouts(&four, rng)),
        ),
        (
            "lowest against itself, move by move",
            Box::new(|rng| lowest(&two, rng)),
        ),
    ];
    let mut best = [f64::INFINITY; 5];
    let mut decisions = [0_u32; 5];
    for run in 0..RUNS {
        for (index, (_, play)) in runs.iter().enumerate() {
            let mut rng = Seed::root(run).rng();
            let start = Instant::now();
            decisions[index] = black_box(play(&mut rng));
            best[index] = best[index].min(start.elapsed().as_secs_f64());
        }
    }
    for (index, (name, _)) in runs.iter().enumerate() {
        println!(
            "{name:<36} {:>9.0} games/s  {:>6.2} ns/decision  {:.2} of the bare loop",
            f64::from(GAMES) / best[index],
            best[index] * 1e9 / f64::from(decisions[index]),
            best[1] / best[index],
        );
    }
}
