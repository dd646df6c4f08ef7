//! One scenario: whole sweeps simulated, analysed as a real one is, and compared with the truth.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::scenario::{Question, SHARED_DEALS, Scenario};
use crate::analysis::{Analysis, Analyzer, CellTally, Verdict};
use crate::block::PlayedBlock;
use crate::plan::{Cell, Claim, ClaimKind, Phase, Plan, SeatMode, StopRule};
use crate::rng::{Rng, Seed};
use crate::run::Rules;
use crate::spec::{Settings, Value};
use crate::stats::blocks::{self, BlockSummary};
use crate::stats::proportions::wilson;
use crate::stats::sprt::{Decision, Sprt};
use crate::stats::{Interval, StatsError};

/// The confidence level of every simulated sweep.
pub const CONFIDENCE: f64 = 0.95;
/// Repetitions that one task does. The sums of the tasks are added in order, so that the number of
/// threads changes no digit.
const CHUNK: u64 = 50;
const UNIT: Interval = Interval {
    low: 0.0,
    high: 1.0,
};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Measure {
    /// The pointwise interval of a cell holds the true mean.
    Coverage,
    /// Mean width of that interval.
    Width,
    /// The simultaneous intervals of all cells hold the true mean.
    SimultaneousCoverage,
    /// A cell of equal players has p below 0.05.
    FalsePositive,
    /// A cell of unequal players has p below 0.05.
    Power,
    /// Some cell of equal players has an adjusted p below 0.05.
    FamilyFalsePositive,
    /// Some claim that is false (or just not true) gets the verdict `supported`.
    ClaimFalsePositive,
    /// A claim that is true gets the verdict `supported`.
    ClaimPower,
    /// A claim that is false would have been supported at some look.
    LookFalsePositive,
    /// A test between two hypotheses accepts the wrong one.
    WrongDecision,
    /// Mean number of blocks until a cell ended.
    Blocks,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Coverage,
        Self::Width,
        Self::SimultaneousCoverage,
        Self::FalsePositive,
        Self::Power,
        Self::FamilyFalsePositive,
        Self::ClaimFalsePositive,
        Self::ClaimPower,
        Self::LookFalsePositive,
        Self::WrongDecision,
        Self::Blocks,
    ];

    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Width => "width",
            Self::SimultaneousCoverage => "simultaneous-coverage",
            Self::FalsePositive => "false-positive",
            Self::Power => "power",
            Self::FamilyFalsePositive => "family-false-positive",
            Self::ClaimFalsePositive => "claim-false-positive",
            Self::ClaimPower => "claim-power",
            Self::LookFalsePositive => "look-false-positive",
            Self::WrongDecision => "wrong-decision",
            Self::Blocks => "blocks",
        }
    }

    /// Whether it is a mean of numbers and not a rate.
    pub fn is_mean(self) -> bool {
        matches!(self, Self::Width | Self::Blocks)
    }
}

/// Names of the intervals that are compared; the first is the one in use.
pub const METHODS: [&str; 4] = [
    blocks::MEAN_INTERVAL_METHOD,
    "t with half pseudo-blocks",
    "Wilson on blocks",
    "plain t",
];

/// Hits of trials, or the sum of numbers and of their squares.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sum {
    /// Trials.
    pub trials: u64,
    /// Hits, or the sum of the numbers.
    pub sum: f64,
    /// Sum of squares.
    pub squares: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.trials += 1;
        self.sum += value;
        self.squares += value * value;
    }
}

/// Sums by measure and method (empty where there is one only).
pub type Sums = BTreeMap<(Measure, &'static str), Sum>;

/// Simulates `scenario` `repetitions` times; `None` if `stop` was set meanwhile.
///
/// # Errors
/// If a statistic has no value, which would be a fault of this program.
pub fn simulate(
    scenario: &Scenario,
    repetitions: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Sums>, StatsError> {
    let plan = plan(scenario);
    let root = Seed::root(seed).derive("calibrate", &[scenario.name.as_bytes()]);
    let chunks: Vec<u64> = (0..repetitions.div_ceil(CHUNK)).collect();
    let parts = chunks
        .into_par_iter()
        .map(|chunk| {
            let mut sums = Sums::new();
            for repetition in chunk * CHUNK..((chunk + 1) * CHUNK).min(repetitions) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let seed = root.indexed([repetition, 0, 0]);
                Sweep::new(scenario, &plan)?.run(seed, &mut sums)?;
            }
            Ok(sums)
        })
        .collect::<Result<Vec<_>, StatsError>>()?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let mut all = Sums::new();
    for (key, part) in parts.into_iter().flatten() {
        let sum = all.entry(key).or_default();
        sum.trials += part.trials;
        sum.sum += part.sum;
        sum.squares += part.squares;
    }
    Ok(Some(all))
}

/// The plan of a scenario: cells that differ in `simulations` only, and its claims.
fn plan(scenario: &Scenario) -> Plan {
    let law = &scenario.law;
    let cell = |index: usize| {
        let simulations = Value::Integer(1 << index.min(40));
        let mut challenger = Settings::named("simulated");
        challenger
            .values
            .insert("simulations".to_owned(), simulations.clone());
        Cell {
            index,
            label: "simulated".to_owned(),
            challenger,
            opponent: Settings::named("other"),
            opponent_label: "other".to_owned(),
            game: Settings::named("simulated"),
            axes: vec![Some(simulations)],
            phase: Phase::Main,
            first_block: 0,
            blocks: scenario.blocks,
            rotations: law.rotations(),
            seats: law.seats(),
            fair_share: law.fair_share(),
        }
    };
    let claim = |kind: ClaimKind, cells: Vec<usize>| Claim {
        name: format!("{} {cells:?}", kind.word()),
        kind,
        opponent: "other".to_owned(),
        cells,
        threshold: law.fair_share(),
        margin: None,
    };
    Plan {
        name: scenario.name.clone(),
        seed: 1,
        confidence: CONFIDENCE,
        seats: if law.rotations() == law.seats() {
            SeatMode::Rotate
        } else {
            SeatMode::Fixed
        },
        games_asked: scenario.blocks * law.rotations() as u64,
        opening_plies: 0,
        axes: vec!["simulations".to_owned()],
        cells: (0..scenario.cells).map(cell).collect(),
        claims: match scenario.question {
            Question::Trend => vec![claim(ClaimKind::Trend, (0..scenario.cells).collect())],
            _ => (0..scenario.cells)
                .map(|cell| claim(ClaimKind::Better, vec![cell]))
                .collect(),
        },
        stop: scenario.stop,
        resolved: String::new(),
    }
}

/// One simulated sweep.
struct Sweep<'a> {
    scenario: &'a Scenario,
    plan: &'a Plan,
    analyzer: Analyzer,
    rules: Rules,
}

impl<'a> Sweep<'a> {
    fn new(scenario: &'a Scenario, plan: &'a Plan) -> Result<Self, StatsError> {
        Ok(Self {
            scenario,
            plan,
            analyzer: Analyzer::new(plan),
            rules: Rules::new(plan)?,
        })
    }

    fn run(mut self, seed: Seed, sums: &mut Sums) -> Result<(), StatsError> {
        if self.scenario.question == Question::Looking {
            return self.look(seed, sums);
        }
        for cell in 0..self.scenario.cells {
            let mut deals = Deals::new(self.scenario, seed, cell);
            let mut played = 0;
            let mut decided = false;
            while played < self.scenario.blocks && !decided {
                let block = deals.next();
                self.analyzer.add(block);
                decided = self.rules.look() && self.rules.decides(cell, &block.games);
                played += 1;
            }
            if self.rules.look() {
                #[expect(clippy::cast_precision_loss, reason = "at most some thousands")]
                add(sums, Measure::Blocks, played as f64);
            }
        }
        if let (StopRule::Sprt { .. }, Some(tally)) = (self.plan.stop, self.analyzer.tally(0)) {
            self.decision(tally, sums)?;
        }
        if self.scenario.question == Question::Cell
            && let Some(tally) = self.analyzer.tally(0)
        {
            compare(&tally.primary, self.scenario.law.mean(), sums)?;
        }
        let analysis = self.analyzer.finish(false)?;
        judge(self.scenario, &analysis, sums);
        Ok(())
    }

    /// Looks at the verdicts after every block of all cells.
    fn look(mut self, seed: Seed, sums: &mut Sums) -> Result<(), StatsError> {
        let mut deals: Vec<Deals<'_>> = (0..self.scenario.cells)
            .map(|cell| Deals::new(self.scenario, seed, cell))
            .collect();
        let mut ever = false;
        for _ in 0..self.scenario.blocks {
            for cell in &mut deals {
                self.analyzer.add(cell.next());
            }
            ever = ever || self.analyzer.any_supported()?;
        }
        add_hit(sums, Measure::LookFalsePositive, ever);
        let analysis = self.analyzer.finish(false)?;
        judge(self.scenario, &analysis, sums);
        Ok(())
    }

    /// Whether a test between two hypotheses that has stopped accepted the wrong one.
    fn decision(&self, tally: &CellTally, sums: &mut Sums) -> Result<(), StatsError> {
        let StopRule::Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        } = self.plan.stop
        else {
            return Ok(());
        };
        let mut counts = [0; 5];
        for (score, count) in tally.primary.values() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "quarters from 0 to 1"
            )]
            let place = (score * 4.0).round() as usize;
            counts[place.min(4)] += count;
        }
        let decision = Sprt::new(elo0, elo1, alpha, beta)?.state(counts).decision;
        // The mean of even games is one half but for rounding.
        let truth = self.scenario.law.mean() - 1e-9;
        let wrong = if crate::stats::elo::elo_of_score(truth).is_some_and(|elo| elo <= elo0) {
            decision == Decision::AcceptH1
        } else {
            decision == Decision::AcceptH0
        };
        add_hit(sums, Measure::WrongDecision, wrong);
        Ok(())
    }
}

/// The blocks of a cell. Some deals come out alike in all cells of a grid.
struct Deals<'a> {
    scenario: &'a Scenario,
    shared: Option<Rng>,
    own: Rng,
    block: PlayedBlock,
}

impl<'a> Deals<'a> {
    fn new(scenario: &'a Scenario, seed: Seed, cell: usize) -> Self {
        Self {
            scenario,
            shared: (scenario.cells > 1).then(|| seed.indexed([0, 0, 1]).rng()),
            own: seed.indexed([cell as u64, 1, 0]).rng(),
            block: PlayedBlock {
                cell,
                block: 0,
                games: Vec::new(),
            },
        }
    }

    fn next(&mut self) -> &PlayedBlock {
        let law = &self.scenario.law;
        let mut alike = false;
        if let Some(shared) = &mut self.shared {
            alike = shared.unit() < SHARED_DEALS;
            law.play(shared, &mut self.block);
        }
        if !alike {
            law.play(&mut self.own, &mut self.block);
        }
        self.block.block += 1;
        &self.block
    }
}

/// Coverage and width of the other intervals on the same blocks.
fn compare(scores: &BlockSummary, truth: f64, sums: &mut Sums) -> Result<(), StatsError> {
    let moments = scores.moments();
    let alpha = 1.0 - CONFIDENCE;
    let mean = moments.mean().unwrap_or(0.5);
    let others = [
        blocks::mean_interval_weighted(&moments, UNIT, 0.5, alpha)?,
        // Successes must be whole numbers there: quarters of blocks are rounded.
        wilson_of_mean(mean, moments.count(), alpha)?,
        // Nothing varies: an interval without a width.
        blocks::mean_interval_weighted(&moments, UNIT, 0.0, alpha)
            .unwrap_or(Interval::new(mean, mean)),
    ];
    for (method, interval) in METHODS[1..].iter().zip(others) {
        let key = |measure| (measure, *method);
        sums.entry(key(Measure::Coverage))
            .or_default()
            .add(hit(holds(interval, truth)));
        sums.entry(key(Measure::Width))
            .or_default()
            .add(interval.width());
    }
    Ok(())
}

/// Wilson's interval as if each block were one game.
fn wilson_of_mean(mean: f64, blocks: u64, alpha: f64) -> Result<Interval, StatsError> {
    // Its formula is smooth in the successes; between two whole numbers it is interpolated.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let successes = (mean * blocks as f64).clamp(0.0, blocks as f64);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of blocks"
    )]
    let below = successes.floor() as u64;
    let part = successes - successes.floor();
    let low = wilson(below, blocks, alpha)?;
    let high = wilson((below + 1).min(blocks), blocks, alpha)?;
    Ok(Interval::new(
        low.low + part * (high.low - low.low),
        low.high + part * (high.high - low.high),
    ))
}

/// What the analysis said, against the truth.
fn judge(scenario: &Scenario, analysis: &Analysis, sums: &mut Sums) {
    let law = &scenario.law;
    let truth = law.mean();
    let level = 1.0 - CONFIDENCE;
    let mut all_hold = true;
    let mut any_rejected = false;
    for cell in &analysis.cells {
        let (Some(interval), Some(simultaneous), Some(p)) =
            (cell.interval, cell.simultaneous, cell.p_value)
        else {
            continue;
        };
        all_hold &= holds(simultaneous, truth);
        any_rejected |= cell.p_adjusted.is_some_and(|p| p < level);
        if cell.cell.index > 0 {
            continue;
        }
        let method = if scenario.question == Question::Cell {
            METHODS[0]
        } else {
            ""
        };
        let key = |measure| (measure, method);
        sums.entry(key(Measure::Coverage))
            .or_default()
            .add(hit(holds(interval, truth)));
        sums.entry(key(Measure::Width))
            .or_default()
            .add(interval.width());
        let measure = if law.is_null() {
            Measure::FalsePositive
        } else {
            Measure::Power
        };
        add_hit(sums, measure, p < level);
    }
    if scenario.cells > 1 && scenario.question != Question::Trend {
        add_hit(sums, Measure::SimultaneousCoverage, all_hold);
        if law.is_null() {
            add_hit(sums, Measure::FamilyFalsePositive, any_rejected);
        }
    }
    // Fixed seats support no claim.
    if law.rotations() == law.seats() {
        let mut supported = analysis
            .claims
            .iter()
            .map(|claim| claim.verdict == Verdict::Supported);
        if law.is_null() || scenario.question == Question::Trend {
            add_hit(sums, Measure::ClaimFalsePositive, supported.any(|s| s));
        } else {
            add_hit(sums, Measure::ClaimPower, supported.next().unwrap_or(false));
        }
    }
}

/// Whether the truth lies inside, but for rounding.
fn holds(interval: Interval, truth: f64) -> bool {
    interval.low <= truth + 1e-12 && truth <= interval.high + 1e-12
}

fn hit(yes: bool) -> f64 {
    if yes { 1.0 } else { 0.0 }
}

fn add(sums: &mut Sums, measure: Measure, value: f64) {
    sums.entry((measure, "")).or_default().add(value);
}

fn add_hit(sums: &mut Sums, measure: Measure, yes: bool) {
    add(sums, measure, hit(yes));
}
