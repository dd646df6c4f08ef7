//! Laws of a block: how the games of one deal come out, with the exact mean of the score.

use super::tictactoe::{self, Exact};
use crate::block::PlayedBlock;
use crate::games::{MAX_SEATS, Scores};
use crate::record::{End, GameRecord};
use crate::rng::Rng;

/// Both games of a pair with their probability: the challenger's score in seat 0 and in seat 1.
type Pair = (f64, [f64; 2]);

/// A law with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// The name in tables, such as `coin`.
    pub name: &'static str,
    /// What happens, in a few words.
    pub help: &'static str,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Two seats, rotated.
    Pairs(Vec<Pair>),
    /// More seats, rotated: one fool per game, the challenger with this probability, otherwise
    /// any of the others alike. The games of a block are independent.
    Fool { seats: usize, challenger: f64 },
    /// Real games of tic-tac-toe between two players that move uniformly at random, seats rotated
    /// or the challenger always in seat 0.
    TicTacToe { rotated: bool },
}

impl Law {
    /// Every law that is simulated.
    pub fn all() -> Vec<Self> {
        let pairs = |name, help, pairs: Vec<Pair>| Self {
            name,
            help,
            kind: Kind::Pairs(pairs),
        };
        let fool = |name, help, seats, challenger| Self {
            name,
            help,
            kind: Kind::Fool { seats, challenger },
        };
        let tictactoe = |name, help, rotated| Self {
            name,
            help,
            kind: Kind::TicTacToe { rotated },
        };
        vec![
            pairs(
                "coin",
                "independent fair games without draws",
                independent(0.5, 0.0),
            ),
            pairs(
                "all-or-nothing-50",
                "both games of a pair to one side, to either alike",
                vec![(0.5, [1.0, 1.0]), (0.5, [0.0, 0.0])],
            ),
            pairs(
                "all-or-nothing-90",
                "both games of a pair to one side, to the challenger in 90 %",
                vec![(0.9, [1.0, 1.0]), (0.1, [0.0, 0.0])],
            ),
            pairs(
                "deal-decides",
                "the deal decides: pair scores 0, 1/2, 1 with 5, 90, 5 %",
                vec![
                    (0.05, [0.0, 0.0]),
                    (0.45, [1.0, 0.0]),
                    (0.45, [0.0, 1.0]),
                    (0.05, [1.0, 1.0]),
                ],
            ),
            pairs(
                "draws",
                "independent even games, 20 % of them drawn",
                independent(0.4, 0.2),
            ),
            pairs(
                "strong-97",
                "pair scores 1 and 1/2 with 97 and 3 %",
                vec![(0.97, [1.0, 1.0]), (0.015, [1.0, 0.0]), (0.015, [0.0, 1.0])],
            ),
            pairs(
                "strong-90",
                "pair scores 1, 1/2, 0 with 90, 6, 4 %",
                vec![
                    (0.9, [1.0, 1.0]),
                    (0.03, [1.0, 0.0]),
                    (0.03, [0.0, 1.0]),
                    (0.04, [0.0, 0.0]),
                ],
            ),
            pairs(
                "strong-985",
                "independent games won in 98.5 %",
                independent(0.985, 0.0),
            ),
            pairs(
                "edge-55",
                "independent games won in 55 %",
                independent(0.55, 0.0),
            ),
            pairs(
                "edge-60",
                "independent games won in 60 %",
                independent(0.6, 0.0),
            ),
            fool("three-seats", "three seats, equal players", 3, 1.0 / 3.0),
            fool(
                "three-seats-strong",
                "three seats, the challenger is the fool in 5 %",
                3,
                0.05,
            ),
            fool("six-seats", "six seats, equal players", 6, 1.0 / 6.0),
            fool(
                "six-seats-strong",
                "six seats, the challenger is the fool in 5 %",
                6,
                0.05,
            ),
            tictactoe("tictactoe", "real games of uniform players, rotated", true),
            tictactoe(
                "tictactoe-first",
                "real games of uniform players, always moving first",
                false,
            ),
        ]
    }

    /// The law with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|law| law.name == name)
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        match self.kind {
            Kind::Pairs(_) | Kind::TicTacToe { .. } => 2,
            Kind::Fool { seats, .. } => seats,
        }
    }

    /// Games of a block.
    pub fn rotations(&self) -> usize {
        match self.kind {
            Kind::TicTacToe { rotated: false } => 1,
            _ => self.seats(),
        }
    }

    /// The score of equal players.
    pub fn fair_share(&self) -> f64 {
        let seats = count(self.seats());
        if self.seats() == 2 {
            0.5
        } else {
            (seats - 1.0) / seats
        }
    }

    /// The exact mean of the challenger's score.
    pub fn mean(&self) -> f64 {
        match &self.kind {
            Kind::Pairs(pairs) => pairs.iter().map(|(p, [a, b])| p * (a + b) / 2.0).sum(),
            Kind::Fool { challenger, .. } => 1.0 - challenger,
            Kind::TicTacToe { rotated: true } => 0.5,
            Kind::TicTacToe { rotated: false } => {
                let Exact { first, draw, .. } = tictactoe::exact();
                first + draw / 2.0
            }
        }
    }

    /// Whether exchanging the players changes nothing: the null hypothesis of equal strength.
    pub fn is_null(&self) -> bool {
        (self.mean() - self.fair_share()).abs() < 1e-12
    }

    /// Plays a block into `block`, whose cell and number are set.
    pub fn play(&self, rng: &mut Rng, block: &mut PlayedBlock) {
        block.games.clear();
        match &self.kind {
            Kind::Pairs(pairs) => {
                let mut u = rng.unit();
                let mut drawn = [0.5; 2];
                for (p, scores) in pairs {
                    drawn = *scores;
                    if u < *p {
                        break;
                    }
                    u -= p;
                }
                for (seat, score) in drawn.into_iter().enumerate() {
                    let scores = Scores::all(2, 1.0 - score).with(seat, score);
                    block.games.push(record(scores, rng.next_u64()));
                }
            }
            Kind::Fool { seats, challenger } => {
                for seat in 0..*seats {
                    let fool = if rng.unit() < *challenger {
                        seat
                    } else {
                        (seat + 1 + rng.index(seats - 1)) % seats
                    };
                    let scores = Scores::lost_by(*seats, fool);
                    block.games.push(record(scores, rng.next_u64()));
                }
            }
            Kind::TicTacToe { .. } => {
                for _ in 0..self.rotations() {
                    block.games.push(tictactoe::play(rng));
                }
            }
        }
    }
}

/// Two independent games, each won with probability `win` and drawn with `draw`.
fn independent(win: f64, draw: f64) -> Vec<Pair> {
    let game = [(win, 1.0), (draw, 0.5), (1.0 - win - draw, 0.0)];
    game.into_iter()
        .flat_map(|(p, a)| game.map(|(q, b)| (p * q, [a, b])))
        .filter(|(p, _)| *p > 0.0)
        .collect()
}

/// A game that ended by the rules, seat 0 having moved first.
pub(super) fn record(scores: Scores, digest: u64) -> GameRecord {
    GameRecord {
        scores,
        places: [0; MAX_SEATS],
        first_seat: 0,
        end: End::Normal,
        fault_seat: None,
        decisions: 1,
        digest,
        nanos: [0; MAX_SEATS],
        choices: [0; MAX_SEATS],
    }
}

fn count(n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a number of seats")]
    {
        n as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn simulated_blocks_have_the_mean_that_is_claimed_and_scores_that_add_up() {
        for law in Law::all() {
            let mut rng = Seed::root(3).derive(law.name, &[]).rng();
            let mut block = PlayedBlock::default();
            let blocks = 4_000;
            let mut sum = 0.0;
            for _ in 0..blocks {
                law.play(&mut rng, &mut block);
                assert_eq!(block.games.len(), law.rotations(), "{}", law.name);
                sum += block.mean_score();
                for game in &block.games {
                    let total: f64 = game.scores.as_slice().iter().sum();
                    let whole = count(law.seats()) * law.fair_share();
                    assert!((total - whole).abs() < 1e-12, "{}", law.name);
                }
            }
            // Block scores deviate by at most 1/2: five standard errors.
            let error = (sum / f64::from(blocks) - law.mean()).abs();
            assert!(error < 5.0 * 0.5 / f64::from(blocks).sqrt(), "{}", law.name);
        }
    }

    #[test]
    fn names_are_unique_and_probabilities_add_up() {
        let laws = Law::all();
        for law in &laws {
            assert_eq!(laws.iter().filter(|l| l.name == law.name).count(), 1);
            assert_eq!(Law::named(law.name).as_ref(), Some(law));
            if let Kind::Pairs(pairs) = &law.kind {
                let total: f64 = pairs.iter().map(|(p, _)| p).sum();
                assert!((total - 1.0).abs() < 1e-12, "{}", law.name);
            }
        }
        assert!(Law::named("tictactoe").unwrap().is_null());
        assert!(!Law::named("tictactoe-first").unwrap().is_null());
        assert!(Law::named("six-seats").unwrap().is_null());
    }
}
