//! What programs write besides their moves, kept for whoever wrote them.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::external::GameLog;
use crate::plan::Cell;

use super::Shard;

/// Bytes after which no more is kept: a program that floods its standard error in a million games
/// must not fill the disk.
const LIMIT: u64 = 64 << 20;

/// A file in the run's `logs/`, made when there is something to keep. It is no result: what does
/// not fit, or cannot be written, is lost.
pub(crate) struct Logs {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    file: Option<File>,
    /// What was written, and whether writing has ended.
    bytes: u64,
    ended: bool,
}

impl Logs {
    /// The log of a run, or of a shard, in `dir`.
    pub(crate) fn new(dir: &Path, shard: Option<Shard>) -> Self {
        let name = match shard {
            None => "programs.log".to_owned(),
            Some(shard) => format!("programs-{}-of-{}.log", shard.index, shard.count),
        };
        Self {
            path: dir.join("logs").join(name),
            state: Mutex::default(),
        }
    }

    /// Adds what `player` of a game wrote.
    pub(crate) fn add(
        &self,
        cell: &Cell,
        block: u64,
        rotation: usize,
        player: usize,
        log: &GameLog,
    ) {
        if log.is_empty() {
            return;
        }
        let who = if player == 0 {
            &cell.challenger
        } else {
            &cell.opponent
        };
        let mut text = Vec::new();
        let parts = [
            ("standard error", &log.errors, log.errors_cut),
            ("remarks", &log.chatter, log.chatter_cut),
        ];
        for (what, bytes, cut) in parts {
            if bytes.is_empty() {
                continue;
            }
            let place = format!(
                "== cell {}, block {block}, rotation {rotation}: {what} of {who}{} ==\n",
                cell.index,
                if cut { ", beginning" } else { "" }
            );
            text.extend_from_slice(place.as_bytes());
            text.extend_from_slice(bytes);
            if !bytes.ends_with(b"\n") {
                text.push(b'\n');
            }
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.ended {
            return;
        }
        if state.bytes + text.len() as u64 > LIMIT {
            text = b"== the log is full; what was written later was not kept ==\n".to_vec();
            state.ended = true;
        }
        state.bytes += text.len() as u64;
        if self.write(&mut state, &text).is_err() {
            state.ended = true;
        }
    }

    fn write(&self, state: &mut State, text: &[u8]) -> std::io::Result<()> {
        if state.file.is_none() {
            if let Some(dir) = self.path.parent() {
                std::fs::create_dir_all(dir)?;
            }
            let file = File::options().create(true).append(true).open(&self.path)?;
            state.bytes += file.metadata()?.len();
            state.file = Some(file);
        }
        match &mut state.file {
            Some(file) => file.write_all(text),
            None => Ok(()),
        }
    }
}
