//! What makes two runs the same experiment: everything that decides which games are played and
//! what is written about them, but for the number of blocks (a run may be extended) and whatever
//! only the analysis reads (name, claims).

use std::collections::BTreeMap;

use crate::plan::{Plan, SeatMode, StopRule};

/// The identity of an experiment: a hash, and the keys and values that it was made from, so that
/// a difference can be named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    hash: blake3::Hash,
    keys: BTreeMap<String, String>,
}

impl Identity {
    /// The identity of `plan`.
    pub fn of(plan: &Plan) -> Self {
        let mut keys = BTreeMap::new();
        let mut put = |key: String, value: String| {
            keys.insert(key, value);
        };
        put("evalctl version".into(), env!("CARGO_PKG_VERSION").into());
        put("seed".into(), plan.seed.to_string());
        put(
            "seats".into(),
            match plan.seats {
                SeatMode::Rotate => "rotate",
                SeatMode::Fixed => "fixed",
            }
            .into(),
        );
        put("opening_plies".into(), plan.opening_plies.to_string());
        put("axes".into(), plan.axes.join(", "));
        put("cells".into(), plan.cells.len().to_string());
        put(
            "stopping rule".into(),
            match plan.stop {
                StopRule::Fixed => "fixed".into(),
                StopRule::Precision { width } => {
                    format!("precision {width} at {}", plan.confidence)
                }
                StopRule::Sprt {
                    elo0,
                    elo1,
                    alpha,
                    beta,
                } => format!("sprt {elo0},{elo1},{alpha},{beta}"),
            },
        );
        for (index, cell) in plan.cells.iter().enumerate() {
            let axes: Vec<String> = cell
                .axes
                .iter()
                .map(|value| value.as_ref().map_or(String::new(), ToString::to_string))
                .collect();
            put(
                format!("cell {index}"),
                format!(
                    "{} = {} against {} = {} at {}, {}, axes [{}], from block {}, {} rotations",
                    cell.label,
                    cell.challenger.canonical(),
                    cell.opponent_label,
                    cell.opponent.canonical(),
                    cell.game.canonical(),
                    cell.phase.word(),
                    axes.join("; "),
                    cell.first_block,
                    cell.rotations,
                ),
            );
        }
        Self::from_keys(keys)
    }

    /// The identity made from these keys and values.
    pub fn from_keys(keys: BTreeMap<String, String>) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("evalctl 2026 experiment identity");
        for text in keys.iter().flat_map(|(key, value)| [key, value]) {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        Self {
            hash: hasher.finalize(),
            keys,
        }
    }

    /// The hash, as 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        self.hash.to_hex().to_string()
    }

    /// The keys and values.
    pub fn keys(&self) -> &BTreeMap<String, String> {
        &self.keys
    }

    /// The first 32 bits of the hash: the seed of the journal's checksums, so that a record of
    /// another experiment is as invalid as a damaged one.
    pub(crate) fn checksum_seed(&self) -> u32 {
        let [a, b, c, d, ..] = *self.hash.as_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// What differs from `other`, as `key: theirs -> ours` in the order of the keys; the cells are
    /// left out where their number differs, because then all of them may.
    pub fn changes_from(&self, other: &Self) -> Vec<String> {
        let value = |keys: &BTreeMap<String, String>, key: &str| {
            keys.get(key).cloned().unwrap_or_else(|| "none".into())
        };
        let other_cells = other.keys.get("cells") != self.keys.get("cells");
        let mut names: Vec<&String> = self.keys.keys().chain(other.keys.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names
            .into_iter()
            .filter(|key| self.keys.get(*key) != other.keys.get(*key))
            .filter(|key| !(other_cells && key.starts_with("cell ")))
            .map(|key| {
                format!(
                    "{key}: {} -> {}",
                    value(&other.keys, key),
                    value(&self.keys, key)
                )
            })
            .collect()
    }
}
