//! Figures that two independent engines agree on, and how to measure them here.
//!
//! Averages do not prove rules right (a wrong order of drawing moves them by a tenth of a
//! decision), but rules that do not reproduce them are wrong. `examples/durak_facts.rs` measures
//! all rows on as many games as the sources did; a test does it on fewer.

use super::rules::{FirstBoutLimit, Rules};
use super::{Durak, Phase};
use crate::games::{Game, MAX_SEATS};
use crate::rng::Seed;

/// No game of these rows comes near this many decisions, but deterministic players may repeat
/// for ever.
const CAP: u32 = 5_000;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Every seat uniform over its legal actions.
    Uniform,
    /// Every seat the lowest-card player.
    Lowest,
    /// The lowest-card player against a uniform one, seats swapped from game to game.
    LowestAgainstUniform,
}

/// A quantity of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Quantity {
    /// Share of games that the seat this far clockwise from the first attacker loses.
    Loses(usize),
    /// Share of games that any but the first attacker loses.
    OthersLose,
    /// Share of drawn games.
    Draw,
    /// Share of games that the lowest-card player wins.
    LowestWins,
    /// Decisions a game.
    Decisions,
    /// Legal actions a decision, mean over all decisions.
    LegalActions,
}

/// A published figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// What was measured.
    pub quantity: Quantity,
    /// Its value as published.
    pub value: f64,
    /// Half a unit of the last published digit.
    pub rounding: f64,
}

/// A row: rules, players, figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The rules.
    pub rules: Rules,
    /// Who plays.
    pub policy: Policy,
    /// Games behind the published figures.
    pub games: u64,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// A figure measured again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The published figure.
    pub figure: Figure,
    /// The value measured here.
    pub value: f64,
    /// The standard error of the difference, of both measurements together.
    pub error: f64,
}

impl Measured {
    /// By how many standard errors the two differ beyond what rounding explains.
    pub fn deviation(&self) -> f64 {
        let difference = (self.value - self.figure.value).abs();
        (difference - self.figure.rounding).max(0.0) / self.error
    }
}

fn figure(quantity: Quantity, value: f64, rounding: f64) -> Figure {
    Figure {
        quantity,
        value,
        rounding,
    }
}

/// Losses of the first attacker and of the other, draws, mean decisions, mean legal actions.
fn two_seats([first, other, draw, decisions, legal]: [f64; 5], draw_rounding: f64) -> Vec<Figure> {
    vec![
        figure(Quantity::Loses(0), first, 5e-5),
        figure(Quantity::OthersLose, other, 5e-5),
        figure(Quantity::Draw, draw, draw_rounding),
        figure(Quantity::Decisions, decisions, 0.05),
        figure(Quantity::LegalActions, legal, 0.005),
    ]
}

/// The loss shares by distance from the first attacker, by number of seats from three up.
const SHARES: [(&str, &[f64]); 4] = [
    ("players=3", &[0.332, 0.336, 0.330]),
    ("players=4", &[0.237, 0.270, 0.239, 0.252]),
    ("players=5", &[0.203, 0.215, 0.196, 0.210, 0.175]),
    ("players=6", &[0.092, 0.255, 0.107, 0.229, 0.113, 0.203]),
];

/// Games behind [`SHARES`]: the sources give no number, so they are taken to be as sharp as their
/// three digits.
const SHARES_GAMES: u64 = 1_000_000;

/// Two uniform players: the row's name, its rules, games, and the figures of [`two_seats`].
fn uniform_rows() -> [(&'static str, Rules, u64, [f64; 5]); 6] {
    let plain = Rules::default();
    let first_bout_limit = FirstBoutLimit::UntilFirstBeaten;
    let (throw_after_take, transfer) = (false, true);
    [
        (
            "uniform",
            plain,
            2_000_000,
            [0.4976, 0.5003, 0.00206, 87.8, 3.90],
        ),
        (
            "first_bout_limit=until_first_beaten",
            Rules {
                first_bout_limit,
                ..plain
            },
            1_000_000,
            [0.4975, 0.5003, 0.00223, 87.9, 3.90],
        ),
        (
            "throw_after_take=no",
            Rules {
                throw_after_take,
                ..plain
            },
            1_000_000,
            [0.4966, 0.5007, 0.00272, 83.5, 3.99],
        ),
        (
            "transfer=on",
            Rules { transfer, ..plain },
            100_000,
            [0.4976, 0.5000, 0.00243, 97.3, 4.01],
        ),
        (
            "deck=24",
            Rules { deck: 24, ..plain },
            500_000,
            [0.4863, 0.5120, 0.00170, 56.3, 3.73],
        ),
        (
            "deck=52",
            Rules { deck: 52, ..plain },
            300_000,
            [0.4970, 0.5006, 0.00238, 124.2, 4.04],
        ),
    ]
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = uniform_rows()
        .into_iter()
        .map(|(name, rules, games, figures)| Row {
            name,
            rules,
            policy: Policy::Uniform,
            games,
            figures: two_seats(figures, 5e-6),
        })
        .collect();
    rows.push(Row {
        name: "lowest against itself",
        rules: Rules::default(),
        policy: Policy::Lowest,
        games: 500_000,
        figures: two_seats([0.3989, 0.5121, 0.0890, 43.1, 3.80], 5e-5),
    });
    rows.push(Row {
        name: "lowest against uniform",
        rules: Rules::default(),
        policy: Policy::LowestAgainstUniform,
        games: 500_000,
        figures: vec![
            figure(Quantity::LowestWins, 0.983, 5e-4),
            figure(Quantity::Draw, 0.0026, 5e-5),
        ],
    });
    rows.extend((3..).zip(SHARES).map(|(players, (name, shares))| {
        Row {
            name,
            rules: Rules {
                players,
                ..Rules::default()
            },
            policy: Policy::Uniform,
            games: SHARES_GAMES,
            figures: (shares.iter().enumerate())
                .map(|(seat, &share)| figure(Quantity::Loses(seat), share, 5e-4))
                .collect(),
        }
    }));
    rows
}

/// Sums over games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games lost, by distance of the fool from the first attacker.
    pub lost: [u64; MAX_SEATS],
    /// Drawn games.
    pub draws: u64,
    /// Games cut off.
    pub truncated: u64,
    /// Games that the lowest-card player won.
    pub lowest_wins: u64,
    /// Decisions.
    pub decisions: u64,
    /// Squares of the decisions of a game.
    pub decisions_squared: u64,
    /// Legal actions over all decisions.
    pub legal: u64,
    /// Number of games by decisions, for quantiles.
    pub lengths: Vec<u64>,
}

impl Tally {
    /// Plays `games` games of a row, the deals and moves derived from `seed`.
    ///
    /// # Errors
    /// If the rules cannot be played.
    pub fn play(row: &Row, games: u64, seed: &Seed) -> Result<Self, super::RulesError> {
        let durak = Durak::new(row.rules)?;
        let mut tally = Self::default();
        let mut rng = seed.derive("facts", &[row.name.as_bytes()]).rng();
        let mut legal = Vec::new();
        for number in 0..games {
            let mut state = durak.deal(&mut rng);
            let first = state.public().lead();
            let swapped = usize::from(number % 2 == 1);
            let mut decisions = 0;
            while let Some(mover) = durak.to_move(&state) {
                if decisions == CAP {
                    break;
                }
                durak.legal_into(&state, &mut legal);
                tally.legal += legal.len() as u64;
                let lowest = match row.policy {
                    Policy::Uniform => false,
                    Policy::Lowest => true,
                    Policy::LowestAgainstUniform => mover == swapped,
                };
                let mv = match durak.lowest_move(&state) {
                    Some(mv) if lowest => mv,
                    _ => legal[rng.index(legal.len())],
                };
                durak.apply(&mut state, mv);
                decisions += 1;
            }
            tally.count(&durak, &state, first, swapped, decisions);
        }
        Ok(tally)
    }

    fn count(
        &mut self,
        durak: &Durak,
        state: &super::State,
        first: usize,
        lowest: usize,
        decisions: u32,
    ) {
        let seats = durak.info().seats;
        self.games += 1;
        self.decisions += u64::from(decisions);
        self.decisions_squared += u64::from(decisions).pow(2);
        let length = decisions as usize;
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
        if state.public().phase() != Phase::Over {
            self.truncated += 1;
            return;
        }
        match state.fool() {
            Some(fool) => {
                self.lost[(fool + seats - first) % seats] += 1;
                self.lowest_wins += u64::from(fool != lowest);
            }
            None => self.draws += 1,
        }
    }

    /// The shortest length that this share of games does not exceed.
    pub fn length_quantile(&self, share: f64) -> usize {
        let mut below = 0.0;
        let wanted = share * as_real(self.games);
        for (length, &count) in self.lengths.iter().enumerate() {
            below += as_real(count);
            if below >= wanted {
                return length;
            }
        }
        self.lengths.len()
    }

    /// The figures of a row, as measured.
    pub fn measured(&self, row: &Row) -> Vec<Measured> {
        let games = as_real(self.games);
        let both = 1.0 / games + 1.0 / as_real(row.games);
        let share = |figure: Figure, count: u64| {
            let p = figure.value;
            Measured {
                figure,
                value: as_real(count) / games,
                error: (p * (1.0 - p) * both).sqrt(),
            }
        };
        let mean = as_real(self.decisions) / games;
        let spread = (as_real(self.decisions_squared) / games - mean * mean).max(0.0);
        let measure = |&figure: &Figure| match figure.quantity {
            Quantity::Loses(seat) => share(figure, self.lost[seat % MAX_SEATS]),
            Quantity::OthersLose => share(figure, self.lost[1..].iter().sum()),
            Quantity::Draw => share(figure, self.draws),
            Quantity::LowestWins => share(figure, self.lowest_wins),
            Quantity::Decisions => Measured {
                figure,
                value: mean,
                error: (spread * both).sqrt(),
            },
            // The mean over a game varies by about 0.4 from game to game.
            Quantity::LegalActions => Measured {
                figure,
                value: as_real(self.legal) / as_real(self.decisions),
                error: 0.4 * both.sqrt(),
            },
        };
        row.figures.iter().map(measure).collect()
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of games are far below 2^53"
)]
fn as_real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_figures_are_reproduced() {
        // The full numbers: examples/durak_facts.rs.
        for row in rows() {
            let tally = Tally::play(&row, row.games / 100, &Seed::root(71)).unwrap();
            assert_eq!(tally.truncated, 0);
            for measured in tally.measured(&row) {
                assert!(measured.deviation() < 4.0, "{}: {measured:?}", row.name);
            }
        }
    }
}
