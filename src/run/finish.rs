//! From the journal to `games.csv` and `timing.csv`.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::block::PlayedBlock;
use crate::games_csv::Writer;
use crate::plan::Plan;

use super::journal::Header;
use super::journal::codec::Shape;
use super::journal::records::{Item, Records};
use super::journal::writer::JournalFile;
use super::{CellProgress, Identity, Run, RunError};

/// The file name of the games.
pub(crate) const GAMES: &str = "games.csv";

/// The file name of the players' times.
pub(crate) const TIMING: &str = "timing.csv";

/// A written `games.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its rows.
    pub games: u64,
}

/// Writes `games.csv` and `timing.csv` into the run's folder, each under a temporary name first.
///
/// # Errors
/// If a file cannot be read or written; an older `games.csv` is then still there.
pub fn finish(run: &Run) -> Result<GamesFile, RunError> {
    remove_leftovers(&run.dir);
    remove_leftovers(&run.dir.join("plots"));
    let path = run.dir.join(GAMES);
    let mut games = 0;
    write_atomically(&path, |out| {
        let io = RunError::io("write", &path);
        let mut writer = Writer::new(run.plan(), out).map_err(io)?;
        run.visit_blocks(|block| writer.write(block).map_err(RunError::io("write", &path)))?;
        games = writer.games();
        Ok(())
    })?;
    write_times(&run.dir, run.plan(), &run.cells)?;
    Ok(GamesFile { path, games })
}

/// What temporary files of results are called.
pub(crate) const TEMPORARY: (&str, &str) = (".evalctl-", ".tmp");

/// Removes temporary files of a run that was killed while it wrote results.
///
/// The run is locked, so nobody else is writing them. What cannot be removed does no harm.
fn remove_leftovers(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = |name: &str| name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1);
        if name.to_str().is_some_and(ours) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Writes a file under a temporary name in the same folder, makes sure that it is on the disk, and
/// gives it its name.
pub(crate) fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let dir = path.parent().unwrap_or_else(|| Path::new("."));
    let file = tempfile::Builder::new()
        .prefix(TEMPORARY.0)
        .suffix(TEMPORARY.1)
        .tempfile_in(dir)
        .map_err(RunError::io("create a file in", dir))?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    write(&mut out)?;
    let file = out
        .into_inner()
        .map_err(|error| RunError::io("write", path)(error.into_error()))?;
    file.as_file()
        .sync_all()
        .map_err(RunError::io("write", path))?;
    set_usual_permissions(file.as_file()).map_err(RunError::io("write", path))?;
    file.persist(path)
        .map_err(|error| RunError::io("write", path)(error.error))?;
    Ok(())
}

/// Writes a small file unless it exists; whether it did. Nobody ever sees a part of it.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, RunError> {
    let dir = path.parent().unwrap_or_else(|| Path::new("."));
    let write = || -> std::io::Result<bool> {
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY.0)
            .suffix(TEMPORARY.1)
            .tempfile_in(dir)?;
        file.write_all(bytes)?;
        set_usual_permissions(file.as_file())?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(path) {
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error.error),
        }
    };
    write().map_err(RunError::io("write", path))
}

/// Temporary files are private; results are as readable as any other file.
pub(crate) fn set_usual_permissions(file: &std::fs::File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Ok(())
    }
}

/// Columns of `timing.csv`. New ones come last, as readers of old files may count.
const TIMING_COLUMNS: [&str; 13] = [
    "cell",
    "challenger",
    "opponent",
    "challenger_moves",
    "challenger_ms_per_move",
    "opponent_moves",
    "opponent_ms_per_move",
    "challenger_median_ms",
    "challenger_p99_ms",
    "challenger_max_ms",
    "opponent_median_ms",
    "opponent_p99_ms",
    "opponent_max_ms",
];

/// Writes `timing.csv`: per cell, what a decision of either side takes. Not reproducible. Medians
/// and tails are there for what was played in this session, where moves were kept.
fn write_times(dir: &Path, plan: &Plan, cells: &[CellProgress]) -> Result<(), RunError> {
    let path = dir.join(TIMING);
    let per_move = |nanos: u64, moves: u64| {
        #[expect(clippy::cast_precision_loss, reason = "a time, never a result")]
        let mean = nanos as f64 / moves as f64 / 1e6;
        if moves == 0 {
            String::new()
        } else {
            format!("{mean:.6}")
        }
    };
    write_atomically(&path, |out| {
        let mut text = TIMING_COLUMNS.join(",");
        text.push('\n');
        for (cell, progress) in plan.cells.iter().zip(cells) {
            let times = progress.times;
            let mut fields = vec![
                cell.index.to_string(),
                crate::games_csv::quoted(&cell.label),
                crate::games_csv::quoted(&cell.opponent_label),
                times.challenger_moves.to_string(),
                per_move(times.challenger_nanos, times.challenger_moves),
                times.opponent_moves.to_string(),
                per_move(times.opponent_nanos, times.opponent_moves),
            ];
            for side in &progress.move_times {
                let figures = [side.percentile(50), side.percentile(99), side.max()];
                fields.extend(
                    figures.map(|nanos| nanos.map_or_else(String::new, |n| per_move(n, 1))),
                );
            }
            text.push_str(&fields.join(","));
            text.push('\n');
        }
        out.write_all(text.as_bytes())
            .map_err(RunError::io("write", &path))
    })
}

/// Calls `visit` with every block of a journal.
pub(crate) fn visit_journal<E: From<RunError>>(
    journal: &JournalFile,
    identity: &Identity,
    shapes: &Arc<[Shape]>,
    mut visit: impl FnMut(&PlayedBlock) -> Result<(), E>,
) -> Result<(), E> {
    let path = journal.path();
    let file = std::fs::File::open(path).map_err(RunError::io("open", path))?;
    let length = file.metadata().map_err(RunError::io("read", path))?.len();
    let mut input = &file;
    let Ok((_, start)) = Header::read(&mut input, length) else {
        return Err(damaged(path, 0).into());
    };
    let seed = identity.checksum_seed();
    let mut records = Records::new(file, start, length, seed, Arc::clone(shapes));
    let mut played = PlayedBlock::default();
    while let Some(item) = records.next_item().map_err(RunError::io("read", path))? {
        match item {
            Item::Block { cell, block } => {
                played.cell = cell;
                played.block = block;
                played.games.clear();
                played.games.extend_from_slice(records.games());
                visit(&played)?;
            }
            Item::Times(..) | Item::Notice(..) | Item::Footer(_) => {}
            Item::Damage { from, .. } => return Err(damaged(path, from).into()),
        }
    }
    Ok(())
}

fn damaged(path: &Path, at: u64) -> RunError {
    RunError::Damaged {
        path: path.into(),
        what: format!(
            "its record at byte {at} changed while it was in use; run again to repair it"
        ),
    }
}
