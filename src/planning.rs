//! How many games an effect needs, what a number of games can show, and what it costs: answered
//! before anything is played.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::numbers::decimals;
use crate::plan::{Cell, Plan};
use crate::run::{self, RunError, RunOptions};
use crate::stats::blocks;
use crate::stats::power::{power_exact_binomial_greater, sample_size_exact_binomial_greater};
use crate::stats::{StatsError, error};

/// Power at which detectable effects are stated where nothing else is said.
pub const USUAL_POWER: f64 = 0.8;

/// What is known and what is asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    /// A difference of the mean score from the fair share: how many games show it?
    Effect(f64),
    /// A number of games per cell: how small an effect do they show?
    Games(u64),
}

/// A question.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// What is known.
    pub goal: Goal,
    /// The probability of showing the effect, in (0, 1).
    pub power: f64,
    /// Confidence level, in (0, 1).
    pub confidence: f64,
    /// Comparisons that are corrected together, at least 1. Counted as Bonferroni does, which is
    /// Holm's first step: no later step is harder.
    pub comparisons: u64,
    /// Games of a block.
    pub rotations: u64,
    /// Standard deviation of block scores.
    pub deviation: f64,
}

/// Games and effect that belong together.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Size {
    /// Blocks of a cell.
    pub blocks: u64,
    /// Games of a cell.
    pub games: u64,
    /// The difference from the fair share that they show.
    pub effect: f64,
}

/// The exact binomial test beside it: games as independent and without draws.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ExactTest {
    /// Games of a cell, whole blocks.
    pub games: u64,
    /// The test's real error rate, one-sided.
    pub size: f64,
    /// The probability that it shows the effect.
    pub power: f64,
}

/// An answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// An interval that leaves the fair share out (two-sided), by normal theory.
    pub two_sided: Size,
    /// A claim of kind `better` (one-sided), by normal theory.
    pub one_sided: Size,
    /// The exact binomial test of the two-sided answer; for two seats, where it can be computed.
    pub exact: Option<ExactTest>,
}

/// The largest standard deviation of block scores of `rotations` independent games without draws:
/// that of even players. Deals that decide games make it smaller, deals that make all games of a
/// block go one way larger (at most one half).
pub fn deviation_of_independent_games(rotations: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS")]
    let games = rotations.max(1) as f64;
    0.5 / games.sqrt()
}

/// The largest difference from the fair share that there can be: that of a player who wins every
/// game of `seats` seats. Fewer than two count as two.
pub fn greatest_effect(seats: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most MAX_SEATS")]
    let seats = seats.max(2) as f64;
    1.0 - 1.0 / seats
}

impl Question {
    /// The answer. An effect that follows from a number of games can be above
    /// [`greatest_effect`]: then so few games show nothing.
    ///
    ///
    /// # Errors
    /// If a number is outside its range, or no possible number of games shows the effect.
    pub fn answer(&self) -> Result<Answer, StatsError> {
        error::open_unit("confidence", self.confidence)?;
        if self.comparisons == 0 {
            return Err(StatsError::argument("comparisons", 0, "at least 1"));
        }
        #[expect(clippy::cast_precision_loss, reason = "a number of comparisons")]
        let alpha = (1.0 - self.confidence) / self.comparisons as f64;
        let two_sided = self.size(alpha)?;
        let one_sided = self.size((2.0 * alpha).min(1.0 - f64::EPSILON))?;
        let exact = if self.rotations == 2 {
            self.exact(alpha / 2.0, two_sided)
        } else {
            None
        };
        Ok(Answer {
            two_sided,
            one_sided,
            exact,
        })
    }

    /// Normal theory at a two-sided `alpha`.
    fn size(&self, alpha: f64) -> Result<Size, StatsError> {
        let rotations = self.rotations.max(1);
        let (blocks, effect) = match self.goal {
            Goal::Effect(effect) => {
                let greatest = greatest_effect(rotations);
                if effect > greatest {
                    let range = format!(
                        "at most {}, from the fair share to winning every game",
                        decimals(greatest, 4)
                    );
                    return Err(StatsError::argument("effect", effect, range));
                }
                let blocks = blocks::blocks_needed(effect, self.deviation, alpha, self.power)?;
                (blocks, effect)
            }
            Goal::Games(games) => {
                let blocks = games.div_ceil(rotations);
                let effect =
                    blocks::smallest_detectable(blocks, self.deviation, alpha, self.power)?;
                (blocks, effect)
            }
        };
        Ok(Size {
            blocks,
            games: blocks.saturating_mul(rotations),
            effect,
        })
    }

    /// The exact test of even players; `None` where the effect leaves the range or the numbers are
    /// too large to be tried.
    fn exact(&self, one_sided: f64, size: Size) -> Option<ExactTest> {
        let rate = 0.5 + size.effect;
        let games = match self.goal {
            Goal::Games(_) => size.games,
            Goal::Effect(_) => {
                let needed =
                    sample_size_exact_binomial_greater(0.5, rate, self.power, one_sided).ok()?;
                needed.n_all_larger.div_ceil(self.rotations) * self.rotations
            }
        };
        let found = power_exact_binomial_greater(games, 0.5, rate, one_sided).ok()?;
        Some(ExactTest {
            games,
            size: found.size,
            power: found.power,
        })
    }
}

/// The smallest difference that the smallest cell of a plan shows with [`USUAL_POWER`], uncorrected
/// and with games taken as independent; `None` for a plan without blocks.
///
/// # Errors
/// If the plan's confidence is outside (0, 1).
pub fn before_playing(plan: &Plan) -> Result<Option<Size>, StatsError> {
    let Some(cell) = plan
        .cells
        .iter()
        .filter(|cell| cell.blocks > 0)
        .min_by_key(|cell| cell.blocks)
    else {
        return Ok(None);
    };
    let rotations = cell.rotations as u64;
    let question = Question {
        goal: Goal::Games(cell.games()),
        power: USUAL_POWER,
        confidence: plan.confidence,
        comparisons: 1,
        rotations,
        deviation: deviation_of_independent_games(rotations),
    };
    question.answer().map(|answer| Some(answer.two_sided))
}

/// What a block of every cell takes one thread, by playing one and throwing it away.
///
/// # Errors
/// If a block cannot be played.
pub fn measured_block_times(plan: &Plan) -> Result<Vec<Duration>, RunError> {
    let scratch = tempfile::tempdir()
        .map_err(|error| RunError::io("make a folder in", &std::env::temp_dir())(error))?;
    let mut times = Vec::with_capacity(plan.cells.len());
    for cell in &plan.cells {
        let mut pilot = plan.clone();
        pilot.claims.clear();
        pilot.cells = vec![Cell {
            index: 0,
            blocks: 1,
            ..cell.clone()
        }];
        let mut options = RunOptions::new(scratch.path().join(cell.index.to_string()));
        options.jobs = 1;
        let started = Instant::now();
        run::execute(&pilot, &options, &mut run::Silent)?;
        times.push(started.elapsed());
    }
    Ok(times)
}

/// Time for so many blocks of every cell with `jobs` threads.
pub fn total_time(blocks: impl Iterator<Item = u64>, times: &[Duration], jobs: usize) -> Duration {
    let work = blocks
        .zip(times)
        .fold(Duration::ZERO, |sum, (blocks, time)| {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let seconds = time.as_secs_f64() * blocks as f64;
            sum.saturating_add(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        });
    work / u32::try_from(jobs.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(goal: Goal) -> Question {
        Question {
            goal,
            power: 0.9,
            confidence: 0.95,
            comparisons: 1,
            rotations: 2,
            deviation: deviation_of_independent_games(2),
        }
    }

    #[test]
    fn five_points_need_about_a_thousand_games() {
        let answer = question(Goal::Effect(0.05)).answer().unwrap();
        // (1.96 + 1.2816)^2 / 4 / 0.05^2 = 1050.7 independent games.
        assert!(
            (1_050..=1_060).contains(&answer.two_sided.games),
            "{answer:?}"
        );
        assert!(answer.one_sided.games < answer.two_sided.games);
        let exact = answer.exact.unwrap();
        assert!(exact.power >= 0.9 && exact.size <= 0.025, "{exact:?}");
        assert!((1_040..=1_090).contains(&exact.games), "{exact:?}");
    }

    #[test]
    fn games_and_effects_are_inverse() {
        let answer = question(Goal::Effect(0.05)).answer().unwrap();
        let back = question(Goal::Games(answer.two_sided.games))
            .answer()
            .unwrap();
        assert!(back.two_sided.effect <= 0.05);
        assert!(back.two_sided.effect > 0.0495);
        assert_eq!(back.two_sided.games, answer.two_sided.games);
    }

    #[test]
    fn comparisons_cost_games_and_steady_deals_save_them() {
        let one = question(Goal::Effect(0.05))
            .answer()
            .unwrap()
            .two_sided
            .games;
        let mut many = question(Goal::Effect(0.05));
        many.comparisons = 15;
        assert!(many.answer().unwrap().two_sided.games > one * 3 / 2);
        let mut steady = question(Goal::Effect(0.05));
        steady.deviation /= 2.0;
        assert!(steady.answer().unwrap().two_sided.games < one / 3);
    }

    #[test]
    fn bad_numbers_are_named() {
        let mut bad = question(Goal::Effect(0.0));
        assert!(bad.answer().unwrap_err().to_string().contains("`effect`"));
        bad.goal = Goal::Effect(1.5);
        assert!(bad.answer().unwrap_err().to_string().contains("`effect`"));
        bad.goal = Goal::Effect(0.51);
        let said = bad.answer().unwrap_err().to_string();
        assert!(said.contains("at most 0.5"), "{said}");
        bad.goal = Goal::Effect(0.5);
        assert!(bad.answer().is_ok());
        bad.rotations = 6;
        bad.goal = Goal::Effect(0.8);
        assert!(bad.answer().is_ok());
        bad = question(Goal::Games(100));
        bad.confidence = 1.0;
        assert!(
            bad.answer()
                .unwrap_err()
                .to_string()
                .contains("`confidence`")
        );
        bad = question(Goal::Games(100));
        bad.comparisons = 0;
        assert!(bad.answer().is_err());
        bad = question(Goal::Games(0));
        assert!(bad.answer().unwrap_err().to_string().contains("`blocks`"));
    }

    #[test]
    fn time_adds_up_over_cells_and_is_shared_by_threads() {
        let times = [Duration::from_millis(10), Duration::from_millis(30)];
        let all = total_time([100, 200].into_iter(), &times, 2);
        assert_eq!(all, Duration::from_millis(3_500));
        assert!(total_time([u64::MAX; 2].into_iter(), &times, 1) > Duration::from_secs(1 << 40));
    }
}
