//! Claims with verdicts, corrected over the declared family.
//!
//! `supported`: the estimate lies on the claimed side and the claim's Holm-adjusted p-value, in
//! the claimed direction, is below 1 - confidence. `refuted`: the interval, simultaneous over the
//! declared claims (Bonferroni), lies wholly on the other side. Otherwise `undecided`. `void`: the
//! experiment cannot answer (a flag that voids, fixed seats without a placebo).

mod dose;
mod evidence;
mod steps;

pub(super) use self::dose::notes as dose_notes;
pub(super) use self::evidence::describe;

use self::evidence::Evidence;
use super::cells::holm;
use super::summary::{CellSummary, ClaimSummary, Comparison, Verdict};
use super::tally::CellTally;
use crate::numbers::{decimals, p_value, percent, points};
use crate::plan::{Claim, ClaimKind, Phase, Plan, SeatMode};
use crate::stats::{Interval, StatsError};

/// Verdicts on all claims of the plan, with the comparisons that they ask for.
pub(super) fn judge(
    plan: &Plan,
    tallies: &[CellTally],
    cells: &[CellSummary],
) -> Result<(Vec<ClaimSummary>, Vec<Comparison>), StatsError> {
    let mut comparisons = Vec::new();
    let mut found = Vec::with_capacity(plan.claims.len());
    for claim in &plan.claims {
        found.push(evidence::of(plan, claim, tallies, cells, &mut comparisons)?);
    }
    let adjusted = adjust(&found)?;
    let alpha = (1.0 - plan.confidence) / super::cells::count(plan.claims.len());
    let mut claims = Vec::with_capacity(found.len());
    for ((claim, evidence), p_adjusted) in plan.claims.iter().zip(found).zip(adjusted) {
        let interval = evidence.interval(alpha)?;
        claims.push(conclude(
            plan, claim, cells, &evidence, interval, p_adjusted,
        ));
    }
    Ok((claims, comparisons))
}

/// Whether some claim would be supported if the run ended now, flags that void left aside.
pub(super) fn any_supported(plan: &Plan, tallies: &[CellTally]) -> Result<bool, StatsError> {
    let mut comparisons = Vec::new();
    let found = plan
        .claims
        .iter()
        .map(|claim| evidence::of(plan, claim, tallies, &[], &mut comparisons))
        .collect::<Result<Vec<_>, _>>()?;
    let level = 1.0 - plan.confidence;
    let adjusted = adjust(&found)?;
    Ok(found
        .iter()
        .zip(adjusted)
        .any(|(evidence, p)| p.is_some_and(|p| supports(evidence, p, level))))
}

fn supports(evidence: &Evidence, p_adjusted: f64, level: f64) -> bool {
    evidence.on_claimed_side && p_adjusted < level
}

/// Holm's adjustment over the claims that have a p-value.
fn adjust(found: &[Evidence]) -> Result<Vec<Option<f64>>, StatsError> {
    let p_values: Vec<f64> = found.iter().filter_map(|e| e.p_value).collect();
    let mut corrected = holm(&p_values)?.into_iter();
    Ok(found
        .iter()
        .map(|evidence| evidence.p_value.and_then(|_| corrected.next()))
        .collect())
}

fn conclude(
    plan: &Plan,
    claim: &Claim,
    cells: &[CellSummary],
    evidence: &Evidence,
    interval: Option<Interval>,
    p_adjusted: Option<f64>,
) -> ClaimSummary {
    let level = 1.0 - plan.confidence;
    let (verdict, why) = match reason_for_void(plan, claim, cells) {
        Some(reason) => (Verdict::Void, reason),
        None => match (evidence.estimate, interval, p_adjusted) {
            (Some(estimate), Some(interval), Some(p)) => {
                let verdict = if supports(evidence, p, level) {
                    Verdict::Supported
                } else if evidence.refuted_by(interval) {
                    Verdict::Refuted
                } else {
                    Verdict::Undecided
                };
                (
                    verdict,
                    explain(evidence, estimate, interval, p, verdict, plan),
                )
            }
            _ => (Verdict::Undecided, evidence.missing.clone()),
        },
    };
    ClaimSummary {
        name: claim.name.clone(),
        kind: claim.kind,
        opponent: claim.opponent.clone(),
        cells: claim.cells.clone(),
        estimate: evidence.estimate,
        interval,
        quantity: evidence.quantity.clone(),
        p_value: evidence.p_value,
        p_method: evidence.p_method.clone(),
        p_adjusted,
        verdict,
        why,
    }
}

/// One sentence with the numbers, the methods and what was corrected for.
fn explain(
    evidence: &Evidence,
    estimate: f64,
    interval: Interval,
    p: f64,
    verdict: Verdict,
    plan: &Plan,
) -> String {
    let show = |value: f64| {
        if evidence.is_score {
            percent(value)
        } else {
            format!("{} points", points(value))
        }
    };
    let ending = match verdict {
        // Test and interval may differ where there are few blocks: the interval has pseudo-blocks,
        // a permutation test has none. A reader who sees both is owed the reason.
        Verdict::Supported if !evidence.shown_by(interval) => {
            "; the test decides, the interval is the more careful of the two".to_owned()
        }
        Verdict::Supported => evidence.limit.to_owned(),
        Verdict::Refuted => format!("; {}", evidence.refutation()),
        _ => "; that is not enough to decide either way".to_owned(),
    };
    let mut quantity = evidence.quantity.clone();
    if let Some(first) = quantity.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let (simultaneous, adjusted) = match plan.claims.len() {
        1 => (String::new(), String::new()),
        number => (
            format!(", simultaneous over the {number} claims"),
            format!(", Holm-adjusted over the {number} claims"),
        ),
    };
    format!(
        "{}: {}, {} % interval {} to {} ({}{simultaneous}), against {}; p for the claim {} ({}{adjusted}){}{ending}.",
        quantity,
        show(estimate),
        decimals(plan.confidence * 100.0, 2),
        show(interval.low),
        show(interval.high),
        evidence.interval_method(),
        evidence.against,
        p_value(p),
        evidence.p_method,
        evidence.note,
    )
}

/// Why the experiment cannot answer, if it cannot.
fn reason_for_void(plan: &Plan, claim: &Claim, cells: &[CellSummary]) -> Option<String> {
    let has_placebo = cells
        .iter()
        .any(|c| c.cell.phase == Phase::Placebo && c.cell.opponent_label == claim.opponent);
    let mut reasons: Vec<String> = Vec::new();
    if plan.seats == SeatMode::Fixed && !has_placebo {
        reasons.push(
            "the seats are fixed and there is no placebo, so player and seat cannot be told apart"
                .to_owned(),
        );
    }
    let asked: Vec<&CellSummary> = cells
        .iter()
        .filter(|c| {
            claim.cells.contains(&c.cell.index)
                || (claim.kind == ClaimKind::Best
                    && c.cell.phase == Phase::Confirm
                    && c.cell.opponent_label == claim.opponent)
        })
        .collect();
    for flag in super::Flag::ALL.into_iter().filter(|flag| flag.voids()) {
        let raised = asked.iter().filter(|c| c.flags.contains(&flag)).count();
        if raised == 0 {
            continue;
        }
        let scope = if asked.len() == 1 {
            String::new()
        } else {
            format!(" ({raised} of {} cells)", asked.len())
        };
        reasons.push(format!("{}{scope}", void_words(flag)));
    }
    let failed = |c: &CellSummary| {
        c.cell.phase == Phase::Placebo
            && c.cell.opponent_label == claim.opponent
            && c.flags.contains(&super::Flag::PlaceboFailed)
    };
    if cells.iter().any(failed) {
        reasons.push(void_words(super::Flag::PlaceboFailed).to_owned());
    }
    (!reasons.is_empty())
        .then(|| format!("The experiment cannot answer this: {}.", reasons.join("; ")))
}

fn void_words(flag: super::Flag) -> &'static str {
    match flag {
        super::Flag::Degenerate => {
            "every block has the same score, and it is the fair share or what a placebo scores in the same seat"
        }
        super::Flag::SeatDecided => "the seat decides the games, whoever plays in it",
        super::Flag::DuplicateGames => "all games of a rotation are one and the same game",
        super::Flag::PlaceboFailed => "the placebo, which must score the fair share, does not",
        _ => "the design does not allow it",
    }
}
