//! The set of scenarios: which law, how many cells and blocks, and how the run ends.

use super::laws::Law;
use crate::plan::StopRule;

/// Blocks per cell that are measured.
pub const SIZES: [u64; 8] = [10, 20, 30, 50, 100, 200, 500, 5_000];
/// The sizes of a quick look.
const QUICK_SIZES: [u64; 3] = [10, 30, 100];
/// Cells of a grid that are measured.
pub const GRIDS: [usize; 5] = [2, 5, 12, 24, 50];

/// What is simulated again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name: what is asked, law, size.
    pub name: String,
    /// The law of every block.
    pub law: Law,
    /// Cells of the grid.
    pub cells: usize,
    /// Blocks per cell; the most there can be with a stopping rule.
    pub blocks: u64,
    /// When a cell ends.
    pub stop: StopRule,
    /// What is asked.
    pub question: Question,
    /// Repetitions as a share of those asked for.
    pub share: f64,
}

/// What a scenario measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Coverage, width, false positives and power of a single cell, beside other methods.
    Cell,
    /// Simultaneous intervals and family-wise false positives of a grid whose cells share deals.
    Grid,
    /// A claim that more search helps, where it does not.
    Trend,
    /// One cell or a grid with a stopping rule.
    Stopping,
    /// A grid whose verdicts are looked at after every block.
    Looking,
}

impl Question {
    /// The word in names.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Grid => "grid",
            Self::Trend => "trend",
            Self::Stopping => "stopping",
            Self::Looking => "looking",
        }
    }
}

/// The share of a grid's blocks whose deal decides alike in all cells.
pub const SHARED_DEALS: f64 = 0.5;

/// A test of no advantage against 50 Elo.
const SPRT: StopRule = StopRule::Sprt {
    elo0: 0.0,
    elo1: 50.0,
    alpha: 0.05,
    beta: 0.05,
};

/// All scenarios, or a quick selection.
pub fn scenarios(quick: bool) -> Vec<Scenario> {
    let mut all = Vec::new();
    let sizes: &[u64] = if quick { &QUICK_SIZES } else { &SIZES };
    for law in Law::all() {
        for &blocks in sizes {
            // Some hundred of these take long; three standard errors of 4,000 are one point.
            let share = if blocks > 500 { 0.06 } else { 0.4 };
            add(&mut all, Question::Cell, law.name, 1, blocks, share);
        }
    }
    for cells in GRIDS {
        // The middle one in full: whole sweeps whose verdicts must be wrong in at most 5 %.
        let share = if cells == 12 { 1.0 } else { 0.2 };
        add(&mut all, Question::Grid, "coin", cells, 50, share);
    }
    for (law, share) in [
        ("deal-decides", 1.0),
        ("three-seats", 1.0),
        ("draws", 0.2),
        ("six-seats", 0.2),
        ("strong-97", 0.2),
    ] {
        add(&mut all, Question::Grid, law, 12, 50, share);
    }
    for law in ["coin", "deal-decides", "draws"] {
        add(&mut all, Question::Trend, law, 5, 40, 0.05);
    }
    for (law, cells) in [
        ("coin", 1),
        ("deal-decides", 1),
        ("draws", 1),
        ("edge-60", 1),
        ("strong-97", 1),
        ("coin", 4),
    ] {
        for stop in [StopRule::Precision { width: 0.25 }, SPRT] {
            let share = match stop {
                StopRule::Precision { .. } => 0.03,
                _ => 0.2,
            };
            add(&mut all, Question::Stopping, law, cells, 400, share);
            if let Some(last) = all.last_mut() {
                last.stop = stop;
                last.name = format!("{}/{}", last.name, rule(stop));
            }
        }
    }
    for law in ["coin", "deal-decides", "three-seats"] {
        add(&mut all, Question::Looking, law, 4, 100, 1.0);
        if let Some(last) = all.last_mut() {
            // Never reached: the run goes on to its last block, and every look must hold.
            last.stop = StopRule::Precision { width: 1e-6 };
        }
    }
    all
}

fn add(
    all: &mut Vec<Scenario>,
    question: Question,
    law: &str,
    cells: usize,
    blocks: u64,
    share: f64,
) {
    all.extend(Law::named(law).map(|law| Scenario {
        name: format!("{}/{}/{cells}x{blocks}", question.word(), law.name),
        law,
        cells,
        blocks,
        stop: StopRule::Fixed,
        question,
        share,
    }));
}

/// A stopping rule in a word.
pub fn rule(stop: StopRule) -> &'static str {
    match stop {
        StopRule::Fixed => "fixed",
        StopRule::Precision { .. } => "precision",
        StopRule::Sprt { .. } => "sprt",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_has_every_law_and_size_and_rule_under_a_name_of_its_own() {
        let all = scenarios(false);
        for law in Law::all() {
            for size in SIZES {
                let name = format!("cell/{}/1x{size}", law.name);
                assert!(all.iter().any(|s| s.name == name), "{name}");
            }
        }
        for word in ["fixed", "precision", "sprt"] {
            assert!(all.iter().any(|s| rule(s.stop) == word), "{word}");
        }
        for cells in [1, 50] {
            assert!(all.iter().any(|s| s.cells == cells));
        }
        for one in &all {
            assert_eq!(all.iter().filter(|s| s.name == one.name).count(), 1);
        }
        assert!(scenarios(true).len() < all.len());
    }
}
