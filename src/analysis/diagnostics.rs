//! Diagnostics, run on every experiment: when a result means little, and why.

use super::summary::{CellSummary, ClaimSummary, Diagnostic, Flag, Verdict};
use super::tally::CellTally;
use crate::numbers::{decimals, percent};
use crate::plan::{ClaimKind, Phase, Plan, SeatMode, StopRule};
use crate::spec::Settings;
use crate::stats::distributions::normal_quantile;

/// Share of the variance of game scores from which on the seat decides.
const SEAT_SHARE: f64 = 0.9;
/// Blocks below which equal scores, or scores that go with the seat, are chance: with fair,
/// independent games all of ten pairs are split once in a thousand experiments, and of one pair
/// with a winner and a loser the seat always explains everything.
const FEW_BLOCKS: u64 = 10;
/// Score from which on an opponent is saturated.
const CEILING: f64 = 0.95;
/// Points by which selection may flatter the best setting before the report warns.
const FLATTERY: f64 = 0.01;
/// Players that look ahead without a budget of search, or may do so for all that is known.
const MAY_LOOK_AHEAD: [&str; 2] = ["perfect", "exec"];

/// Flags of single cells, set on them, and what raised them.
pub(super) fn of_cells(
    plan: &Plan,
    tallies: &[CellTally],
    cells: &mut [CellSummary],
) -> Vec<Diagnostic> {
    let mut found = vec![
        raise(
            cells,
            Flag::Degenerate,
            &degenerate(plan, tallies),
            |list, _| {
                format!(
                    "In {list} every block has the same score, and it is the fair share or what the placebo scores in the same seat."
                )
            },
        ),
        raise(
            cells,
            Flag::SeatDecided,
            &seat_decided(plan, tallies),
            |list, cells| {
                let least = cells
                    .iter()
                    .filter_map(|&c| tallies[c].variance_explained_by_seat())
                    .reduce(f64::min);
                match least {
                    Some(share) => format!(
                        "In {list} the seat, or moving first, explains {} of the variance of game scores.",
                        percent(share)
                    ),
                    None => format!(
                        "In {list} all games end alike in the seat that was fixed for the challenger."
                    ),
                }
            },
        ),
        raise(
            cells,
            Flag::DuplicateGames,
            &indices(tallies, CellTally::is_one_game),
            |list, _| {
                format!(
                    "In {list} every rotation played one and the same game in all blocks, so n is 1."
                )
            },
        ),
        raise(
            cells,
            Flag::Truncated,
            &indices(tallies, |t| t.truncated > 0),
            |list, cells| {
                let games: u64 = cells.iter().map(|&c| tallies[c].truncated).sum();
                format!(
                    "In {list} {games} games were cut off; they score the fair share and are left out of the estimate."
                )
            },
        ),
        raise(
            cells,
            Flag::PlaceboFailed,
            &failed_placebos(plan, cells),
            |list, _| {
                format!(
                    "In {list} the opponent's own agent in the challenger's seat does not score the fair share."
                )
            },
        ),
    ];
    found.extend(saturated(cells));
    found.extend(winners_curse(plan, tallies, cells));
    found.into_iter().flatten().collect()
}

/// Sets `flag` on `hit` and describes it; nothing if there are none.
fn raise(
    cells: &mut [CellSummary],
    flag: Flag,
    hit: &[usize],
    sentence: impl Fn(String, &[usize]) -> String,
) -> Option<Diagnostic> {
    if hit.is_empty() {
        return None;
    }
    for &index in hit {
        set(&mut cells[index], flag);
    }
    let text = sentence(name_cells(cells, hit), hit);
    Some(Diagnostic {
        flag,
        cells: hit.to_vec(),
        sentence: text,
    })
}

fn set(cell: &mut CellSummary, flag: Flag) {
    if !cell.flags.contains(&flag) {
        cell.flags.push(flag);
        cell.flags.sort_unstable();
    }
}

/// `cell 3 (uct against random)`, or a count of many.
fn name_cells(cells: &[CellSummary], hit: &[usize]) -> String {
    match hit {
        [] => "no cell".to_owned(),
        [one] => {
            let cell = &cells[*one].cell;
            format!(
                "cell {one} ({} against {})",
                cell.label, cell.opponent_label
            )
        }
        _ if hit.len() == cells.len() => format!("all {} cells", hit.len()),
        _ if hit.len() <= 6 => {
            let list: Vec<String> = hit.iter().map(ToString::to_string).collect();
            format!("cells {}", list.join(", "))
        }
        _ => format!("{} of {} cells", hit.len(), cells.len()),
    }
}

fn indices(tallies: &[CellTally], test: impl Fn(&CellTally) -> bool) -> Vec<usize> {
    (0..tallies.len()).filter(|&i| test(&tallies[i])).collect()
}

/// The placebo of the same game and opponent.
fn placebo_of(plan: &Plan, index: usize) -> Option<usize> {
    let cell = &plan.cells[index];
    plan.cells
        .iter()
        .find(|other| {
            other.phase == Phase::Placebo
                && other.opponent_label == cell.opponent_label
                && other.game == cell.game
        })
        .map(|other| other.index)
}

/// A player against itself (a placebo, or the same settings on both sides) may well split every
/// block: that is the null, not a fault of the experiment.
fn degenerate(plan: &Plan, tallies: &[CellTally]) -> Vec<usize> {
    (0..tallies.len())
        .filter(|&index| plan.cells[index].challenger != plan.cells[index].opponent)
        .filter(|&index| {
            let tally = &tallies[index];
            let Some(score) = tally
                .primary
                .constant()
                .filter(|_| tally.blocks >= FEW_BLOCKS)
            else {
                return false;
            };
            let placebo =
                placebo_of(plan, index).and_then(|placebo| tallies[placebo].primary.constant());
            tally.is_fair_share(score)
                || placebo.is_some_and(|placebo| (placebo - score).abs() < 1e-9)
        })
        .collect()
}

fn seat_decided(plan: &Plan, tallies: &[CellTally]) -> Vec<usize> {
    (0..tallies.len())
        .filter(|&index| tallies[index].blocks >= FEW_BLOCKS)
        .filter(|&index| {
            let tally = &tallies[index];
            if let Some(share) = tally.variance_explained_by_seat() {
                return share >= SEAT_SHARE;
            }
            // No variance at all in a fixed seat, and the placebo does just as well there.
            let constant = tally.primary.constant();
            plan.seats == SeatMode::Fixed
                && constant.is_some_and(|score| !tally.is_fair_share(score))
                && placebo_of(plan, index)
                    .is_some_and(|placebo| tallies[placebo].primary.constant() == constant)
        })
        .collect()
}

/// Placebos whose exact test rejects, Holm-corrected over the placebos.
fn failed_placebos(plan: &Plan, cells: &[CellSummary]) -> Vec<usize> {
    let placebos: Vec<(usize, f64)> = cells
        .iter()
        .filter(|c| c.cell.phase == Phase::Placebo && plan.seats == SeatMode::Rotate)
        .filter_map(|c| Some((c.cell.index, c.p_value?)))
        .collect();
    let p_values: Vec<f64> = placebos.iter().map(|&(_, p)| p).collect();
    let Ok(adjusted) = super::cells::holm(&p_values) else {
        return Vec::new();
    };
    placebos
        .iter()
        .zip(adjusted)
        .filter(|(_, p)| *p < 1.0 - plan.confidence)
        .map(|(&(index, _), _)| index)
        .collect()
}

/// Whether this is a player without search: what it reaches, search need not be credited for.
fn is_without_search(agent: &str) -> bool {
    let spec = crate::agents::specs()
        .iter()
        .find(|spec| spec.name == agent);
    spec.is_some_and(|spec| !spec.searches()) && !MAY_LOOK_AHEAD.contains(&agent)
}

/// Opponents against whom the ceiling is reached, by search or without it.
fn saturated(cells: &mut [CellSummary]) -> Vec<Option<Diagnostic>> {
    // The same opponent in another game is another opponent.
    let mut opponents: Vec<(String, Settings)> = Vec::new();
    for cell in cells.iter() {
        let key = (cell.cell.opponent_label.clone(), cell.cell.game.clone());
        if !opponents.contains(&key) {
            opponents.push(key);
        }
    }
    opponents
        .into_iter()
        .map(|(opponent, game)| {
            let against = |c: &&CellSummary| {
                c.cell.opponent_label == opponent && c.cell.game == game
            };
            let baseline = cells
                .iter()
                .filter(against)
                .filter(|c| {
                    // In a fixed seat the placebo shows what the seat is worth, not the opponent.
                    if c.cell.phase == Phase::Placebo {
                        c.cell.rotations > 1
                    } else {
                        is_without_search(&c.cell.challenger.name)
                    }
                })
                .filter_map(|c| Some((c.score.filter(|&s| s >= CEILING)?, c.cell.label.clone())))
                .reduce(|a, b| if b.0 > a.0 { b } else { a });
            let hit: Vec<usize> = cells
                .iter()
                .filter(against)
                .filter(|c| c.cell.phase != Phase::Placebo)
                .filter(|c| baseline.is_some() || c.score.is_some_and(|s| s >= CEILING))
                .map(|c| c.cell.index)
                .collect();
            raise(cells, Flag::Saturated, &hit, |list, _| match &baseline {
                Some((score, name)) => format!(
                    "{opponent} is a saturated opponent: {name}, a player without search, scores {} against it, so beating it says little about search ({list}).",
                    percent(*score)
                ),
                None => format!(
                    "Against {opponent} the score is {} or more in {list}: that is too near the ceiling to tell good players apart.",
                    percent(CEILING)
                ),
            })
        })
        .collect()
}

/// Searches of whose settings the best one would be quoted without confirmation.
fn winners_curse(
    plan: &Plan,
    tallies: &[CellTally],
    cells: &mut [CellSummary],
) -> Vec<Option<Diagnostic>> {
    let family = |c: &CellSummary| {
        (
            c.cell.opponent_label.clone(),
            c.cell.game.clone(),
            c.cell.challenger.name.clone(),
        )
    };
    let mut families: Vec<(_, Vec<usize>)> = Vec::new();
    for c in cells.iter().filter(|c| c.cell.phase == Phase::Main) {
        let key = family(c);
        match families.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(c.cell.index),
            None => families.push((key, vec![c.cell.index])),
        }
    }
    families
        .into_iter()
        .map(|((opponent, _, _), members)| {
            let confirmed = plan
                .claims
                .iter()
                .any(|claim| claim.kind == ClaimKind::Best && claim.opponent == opponent);
            let score = |&index: &usize| Some((cells[index].score?, index));
            let (score, best) = members
                .iter()
                .filter_map(score)
                .reduce(|a, b| if b.0 > a.0 { b } else { a })?;
            let error = standard_error(&tallies[best])?;
            let flattery = expected_largest(members.len())? * error;
            if confirmed || flattery < FLATTERY {
                return None;
            }
            raise(cells, Flag::WinnersCurse, &[best], |_, _| {
                format!(
                    "Of {} settings against {opponent}, that of cell {best} has the best score, {}: {}. Were all equally good, the best of them would look about {} percentage points better than it is.",
                    members.len(),
                    percent(score),
                    super::claims::describe(plan, best),
                    decimals(flattery * 100.0, 1),
                )
            })
        })
        .collect()
}

fn standard_error(tally: &CellTally) -> Option<f64> {
    let blocks = super::cells::count(usize::try_from(tally.primary.count()).ok()?);
    tally.primary.deviation().map(|d| d / blocks.sqrt())
}

/// The expected largest of `number` standard normal values (G. Blom 1958, chapter 6: the quantile
/// at `(n - 3/8) / (n + 1/4)`, within 2 % from two values on). `None` for fewer than two.
fn expected_largest(number: usize) -> Option<f64> {
    if number < 2 {
        return None;
    }
    let n = super::cells::count(number);
    normal_quantile((n - 0.375) / (n + 0.25)).ok()
}

/// Diagnostics that need the verdicts, or the run's history.
pub(super) fn of_claims(
    plan: &Plan,
    tallies: &[CellTally],
    cells: &mut [CellSummary],
    claims: &[ClaimSummary],
    extended: bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (claim, summary) in plan.claims.iter().zip(claims) {
        found.extend(underpowered(plan, cells, claim, summary));
        found.extend(forfeits(tallies, cells, claim, summary));
    }
    // With a stopping rule intervals and tests hold at any time, so looking costs nothing.
    if extended && plan.stop == StopRule::Fixed {
        let all: Vec<usize> = (0..cells.len()).collect();
        for &index in &all {
            set(&mut cells[index], Flag::Peeked);
        }
        found.push(Diagnostic {
            flag: Flag::Peeked,
            cells: all,
            sentence: "The run was finished, looked at and then extended without a stopping rule, so its p-values and intervals claim too much.".to_owned(),
        });
    }
    found
}

/// The smallest detectable effect of the claim's cells is above its margin.
fn underpowered(
    plan: &Plan,
    cells: &mut [CellSummary],
    claim: &crate::plan::Claim,
    summary: &ClaimSummary,
) -> Option<Diagnostic> {
    let margin = claim.margin?;
    if matches!(claim.kind, ClaimKind::Trend) {
        return None;
    }
    // The interval's half width times (1 + 0.84 / 1.96) is about the effect found with 80 % power.
    let interval = summary.interval?;
    let effect = interval.width() / 2.0 * 1.43;
    if effect <= margin {
        return None;
    }
    for &index in &summary.cells {
        set(&mut cells[index], Flag::Underpowered);
    }
    Some(Diagnostic {
        flag: Flag::Underpowered,
        cells: summary.cells.clone(),
        sentence: format!(
            "“{}”: the smallest effect this run could have shown (about {} percentage points at {} % confidence, 80 % power) is above the declared margin of {}.",
            claim.name,
            decimals(effect * 100.0, 1),
            decimals(plan.confidence * 100.0, 2),
            decimals(margin * 100.0, 2)
        ),
    })
}

/// The estimate changes sides when forfeited games are left out.
fn forfeits(
    tallies: &[CellTally],
    cells: &mut [CellSummary],
    claim: &crate::plan::Claim,
    summary: &ClaimSummary,
) -> Option<Diagnostic> {
    if matches!(claim.kind, ClaimKind::Trend | ClaimKind::Monotone) {
        return None;
    }
    let faulty: Vec<usize> = claim
        .cells
        .iter()
        .copied()
        .filter(|&c| tallies[c].forfeits_challenger + tallies[c].forfeits_opponent > 0)
        .collect();
    if faulty.is_empty() {
        return None;
    }
    let estimate = summary.estimate?;
    let scores: Option<Vec<f64>> = claim
        .cells
        .iter()
        .map(|&c| tallies[c].unforfeited.mean())
        .collect();
    let changes = match &scores {
        None => true,
        Some(scores) => {
            let without = scores.iter().sum::<f64>() / super::cells::count(scores.len());
            let decided = matches!(summary.verdict, Verdict::Supported | Verdict::Refuted);
            let inside = summary.interval.is_some_and(|i| i.contains(without));
            (without > claim.threshold) != (estimate > claim.threshold) || (decided && !inside)
        }
    };
    if !changes {
        return None;
    }
    for &index in &faulty {
        set(&mut cells[index], Flag::Forfeits);
    }
    Some(Diagnostic {
        flag: Flag::Forfeits,
        cells: faulty,
        sentence: match scores {
            Some(scores) => format!(
                "“{}”: without forfeited games the estimate is {} instead of {}, so the result rests on them.",
                claim.name,
                percent(scores.iter().sum::<f64>() / super::cells::count(scores.len())),
                percent(estimate)
            ),
            None => format!(
                "“{}”: no block is left when forfeited games are left out.",
                claim.name
            ),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::is_without_search;

    #[test]
    fn players_without_search_are_told_by_their_options() {
        let names = crate::agents::specs().iter().map(|spec| spec.name);
        let without: Vec<&str> = names.filter(|name| is_without_search(name)).collect();
        assert_eq!(without, ["random", "first", "lowest", "heuristic"]);
        assert!(!is_without_search("somebody else's"));
    }
}
