//! Plans for tests.

use crate::plan::{Cell, Phase, Plan, SeatMode, StopRule};
use crate::spec::Settings;

/// A plan of tic-tac-toe cells: challengers against `random`, each with so many blocks.
pub(crate) fn plan(cells: &[(&str, u64)]) -> Plan {
    Plan {
        name: "test".into(),
        seed: 7,
        confidence: 0.95,
        seats: SeatMode::Rotate,
        games_asked: 2 * cells.iter().map(|cell| cell.1).max().unwrap_or(0),
        opening_plies: 0,
        axes: vec!["strength".into()],
        cells: cells
            .iter()
            .enumerate()
            .map(|(index, &(challenger, blocks))| Cell {
                index,
                label: challenger.into(),
                challenger: Settings::named(challenger),
                opponent: Settings::named("random"),
                opponent_label: "random".into(),
                game: Settings::named("tictactoe"),
                axes: vec![None],
                phase: Phase::Main,
                first_block: 0,
                blocks,
                rotations: 2,
                seats: 2,
                fair_share: 0.5,
            })
            .collect(),
        claims: Vec::new(),
        stop: StopRule::Fixed,
        resolved: "name = \"test\"\n".into(),
    }
}
