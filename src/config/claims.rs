//! From a claim as it was written to the cells it is about.

use super::document::Origin;
use super::error::{Problems, quoted, shown, suggestion};
use super::grid::Column;
use super::sweep::{ClaimConfig, Config};
use super::values;
use crate::plan::{Cell, Claim, ClaimKind, Phase};
use crate::spec::Value;

/// The axis that trends are about.
const DOSE: &str = "simulations";

/// Finds the cells of every claim; cells of `best` claims become cells of the selection.
pub(super) fn resolve(
    config: &Config,
    cells: &mut [Cell],
    columns: &[Column],
    problems: &mut Problems,
) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for claim in &config.claims {
        if claims.iter().any(|before| before.name == claim.name) {
            let message = format!("`name` \"{}\" is used twice", shown(&claim.name));
            problems.add(&claim.origin, "[[claims]]", message);
            continue;
        }
        let reading = Reading {
            config,
            claim,
            columns,
        };
        claims.extend(reading.resolve(cells, problems));
    }
    for claim in claims.iter().filter(|claim| claim.kind == ClaimKind::Best) {
        for &index in &claim.cells {
            if let Some(cell) = cells.get_mut(index) {
                cell.phase = Phase::Select;
            }
        }
    }
    claims
}

struct Reading<'a> {
    config: &'a Config,
    claim: &'a ClaimConfig,
    columns: &'a [Column],
}

impl Reading<'_> {
    fn resolve(&self, cells: &[Cell], problems: &mut Problems) -> Option<Claim> {
        let opponent = self.opponent(problems)?;
        if !self.names_a_challenger(cells, problems) {
            return None;
        }
        let mut covered: Vec<usize> = (0..cells.len())
            .filter(|&index| {
                let cell = &cells[index];
                let challenger = self.claim.challenger.as_ref();
                cell.opponent_label == opponent
                    && challenger.is_none_or(|(name, _)| goes_by(cell, name))
            })
            .collect();
        for (axis, origin, wanted) in &self.claim.filter {
            let column = self.column(axis, origin, problems)?;
            for node in wanted {
                let known: Vec<&Value> = distinct(&covered, cells, column);
                if !known.iter().any(|value| values::matches(&node.raw, value)) {
                    let message = format!(
                        "`where`: {} is no value of `{axis}` here; it has {}",
                        node.raw.described(),
                        listed(&known)
                    );
                    Self::note(&node.origin, message, problems);
                    return None;
                }
            }
            covered.retain(|&index| {
                let value = cells[index].axes.get(column).and_then(Option::as_ref);
                value.is_some_and(|value| {
                    wanted.iter().any(|node| values::matches(&node.raw, value))
                })
            });
        }
        self.check_shape(&mut covered, cells, problems)?;
        let threshold = self.threshold(&covered, cells, problems)?;
        Some(Claim {
            name: self.claim.name.clone(),
            kind: self.claim.kind,
            opponent,
            cells: covered,
            threshold,
            margin: self.claim.margin,
        })
    }

    fn note(origin: &Origin, message: String, problems: &mut Problems) {
        problems.add(origin, "[[claims]]", message);
    }

    /// The opponent's label, also where the claim gives only the agent's name.
    fn opponent(&self, problems: &mut Problems) -> Option<String> {
        let labels = self.config.opponent_labels();
        let known: Vec<&str> = labels.iter().map(String::as_str).collect();
        let Some((wanted, origin)) = &self.claim.opponent else {
            let message = format!("`opponent` is missing: one of {}", quoted(&known));
            Self::note(&self.claim.origin, message, problems);
            return None;
        };
        if labels.contains(wanted) {
            return Some(wanted.clone());
        }
        let by_agent: Vec<&String> = labels
            .iter()
            .zip(&self.config.opponents)
            .filter(|(_, entrant)| {
                entrant
                    .field("agent")
                    .is_some_and(|field| field.values.iter().any(|v| v.to_string() == *wanted))
            })
            .map(|(label, _)| label)
            .collect();
        if let [label] = by_agent.as_slice() {
            return Some((*label).clone());
        }
        let message = if by_agent.is_empty() {
            format!(
                "there is no opponent `{}`{}",
                shown(wanted),
                suggestion(wanted, &known)
            )
        } else {
            format!(
                "`opponent` \"{}\" is ambiguous: one of {}",
                shown(wanted),
                quoted(&by_agent)
            )
        };
        Self::note(origin, message, problems);
        None
    }

    /// Whether the challenger that the claim is about exists; it may be about all of them.
    fn names_a_challenger(&self, cells: &[Cell], problems: &mut Problems) -> bool {
        let Some((wanted, origin)) = &self.claim.challenger else {
            return true;
        };
        if cells.iter().any(|cell| goes_by(cell, wanted)) {
            return true;
        }
        let mut labels: Vec<&str> = Vec::new();
        for cell in cells {
            if !labels.contains(&cell.label.as_str()) {
                labels.push(&cell.label);
            }
        }
        let message = format!(
            "there is no challenger `{}`{}",
            shown(wanted),
            suggestion(wanted, &labels)
        );
        Self::note(origin, message, problems);
        false
    }

    fn column(&self, axis: &str, origin: &Origin, problems: &mut Problems) -> Option<usize> {
        let by_name = self.columns.iter().position(|column| column.name == axis);
        if by_name.is_some() {
            return by_name;
        }
        let known: Vec<&str> = self
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        let ending = if known.is_empty() {
            "; this config has no axis (a field of [game] or of a challenger given as a list)"
                .to_owned()
        } else {
            suggestion(axis, &known)
        };
        let message = format!("`where` names no axis `{}`{ending}", shown(axis));
        Self::note(origin, message, problems);
        None
    }

    /// The cells fit what the kind of claim says.
    fn check_shape(
        &self,
        covered: &mut Vec<usize>,
        cells: &[Cell],
        problems: &mut Problems,
    ) -> Option<()> {
        let kind = self.claim.kind;
        let message = match kind {
            ClaimKind::Trend | ClaimKind::Monotone => {
                let column = self
                    .columns
                    .iter()
                    .position(|column| column.name == DOSE || column.name == "challenger.simulations");
                // Challengers that do not vary the count (a baseline) have no part in a trend.
                covered.retain(|&index| {
                    column.is_some_and(|column| cells[index].axes[column].is_some())
                });
                let levels = column.map_or(0, |column| distinct(covered, cells, column).len());
                if levels < 2 {
                    format!(
                        "a claim of kind \"{}\" needs a challenger with several `{DOSE}`, given as a list",
                        kind.word()
                    )
                } else if several_games(covered, cells) {
                    format!(
                        "a claim of kind \"{}\" compares cells of the same deals, and these play different games: choose one with `where`",
                        kind.word()
                    )
                } else {
                    return Some(());
                }
            }
            ClaimKind::Best if covered.len() < 2 => {
                "a claim of kind \"best\" needs at least two cells to choose from".to_owned()
            }
            ClaimKind::Best if several_games(covered, cells) => {
                "a claim of kind \"best\" compares cells of the same deals, and these play different games: choose one with `where`".to_owned()
            }
            _ if covered.is_empty() => "covers no cell of the grid".to_owned(),
            _ => return Some(()),
        };
        Self::note(&self.claim.origin, message, problems);
        None
    }

    fn threshold(&self, covered: &[usize], cells: &[Cell], problems: &mut Problems) -> Option<f64> {
        if let Some(threshold) = self.claim.threshold {
            return Some(threshold);
        }
        let shares: Vec<f64> = covered
            .iter()
            .map(|&index| cells[index].fair_share)
            .collect();
        let first = *shares.first()?;
        if shares
            .iter()
            .all(|share| share.to_bits() == first.to_bits())
        {
            return Some(first);
        }
        let message = "covers games with different fair shares: write a `threshold`, or choose one game with `where`";
        Self::note(&self.claim.origin, message.to_owned(), problems);
        None
    }
}

/// Whether the cell's challenger has this label or this agent's name.
fn goes_by(cell: &Cell, name: &str) -> bool {
    cell.label == name || cell.challenger.name == name
}

fn several_games(covered: &[usize], cells: &[Cell]) -> bool {
    covered.iter().any(|&index| {
        covered
            .first()
            .is_some_and(|&first| cells[first].game != cells[index].game)
    })
}

/// The values a column has in these cells, in order, each once.
fn distinct<'a>(covered: &[usize], cells: &'a [Cell], column: usize) -> Vec<&'a Value> {
    let mut values: Vec<&Value> = Vec::new();
    for &index in covered {
        if let Some(value) = cells[index].axes.get(column).and_then(Option::as_ref)
            && !values.contains(&value)
        {
            values.push(value);
        }
    }
    values
}

fn listed(values: &[&Value]) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    texts.join(", ")
}
