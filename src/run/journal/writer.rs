//! Appending to a journal.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{CHUNK_HEADER, ChunkHeader, Kind, crc32};
use crate::run::RunError;
use crate::run::times::Times;

/// Bytes that are handed to the operating system in one go.
const BUFFER: usize = 1 << 16;
/// How long a finished block may wait in memory.
const FLUSH_EVERY: Duration = Duration::from_millis(250);
/// How long it may take until a finished block survives a loss of power.
const SYNC_EVERY: Duration = Duration::from_secs(10);

/// Where a journal is written to: a file, or in tests something that fails.
pub(crate) trait Medium: Send {
    /// Appends all of `bytes`.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Waits until everything is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Whether it can still be found where it was.
    fn is_there(&self) -> bool;
}

/// A locked file that is where its path says.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: PathBuf,
    file: File,
}

impl JournalFile {
    /// Opens or creates the journal at `path` and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, RunError> {
        loop {
            let file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(RunError::io("open", path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(RunError::Locked { path: path.into() });
                }
                Err(std::fs::TryLockError::Error(source)) => {
                    return Err(RunError::io("lock", path)(source));
                }
            }
            let journal = Self {
                path: path.into(),
                file,
            };
            // It may have been finished and removed between opening and locking.
            if journal.is_there() {
                return Ok(journal);
            }
        }
    }

    /// Another handle of the same open file, with the same lock and place.
    pub(crate) fn try_clone(&self) -> Result<Self, RunError> {
        let file = self.file.try_clone();
        Ok(Self {
            path: self.path.clone(),
            file: file.map_err(RunError::io("open", &self.path))?,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Cuts the file to `length` bytes and goes on from there.
    pub(crate) fn cut(&mut self, length: u64) -> Result<(), RunError> {
        self.file
            .set_len(length)
            .and_then(|()| self.file.seek(SeekFrom::Start(length)))
            .map(|_| ())
            .map_err(RunError::io("write", &self.path))
    }

    /// Moves the file to `to`, where it stays locked.
    pub(crate) fn rename(&mut self, to: &Path) -> Result<(), RunError> {
        std::fs::rename(&self.path, to).map_err(RunError::io("rename", &self.path))?;
        self.path = to.into();
        Ok(())
    }
}

impl Medium for JournalFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn is_there(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let (Ok(path), Ok(file)) = (std::fs::metadata(&self.path), self.file.metadata()) else {
                return false;
            };
            path.dev() == file.dev() && path.ino() == file.ino()
        }
        #[cfg(not(unix))]
        {
            self.path.exists()
        }
    }
}

/// Appends chunks; buffers them for a moment.
pub(crate) struct JournalWriter {
    medium: Box<dyn Medium>,
    path: PathBuf,
    buffer: Vec<u8>,
    flushed: Instant,
    synced: Instant,
}

impl JournalWriter {
    /// A writer that appends to `medium`, which is at `path`.
    pub(crate) fn new(medium: Box<dyn Medium>, path: &Path) -> Self {
        let now = Instant::now();
        Self {
            medium,
            path: path.into(),
            buffer: Vec::new(),
            flushed: now,
            synced: now,
        }
    }

    /// Appends bytes that are whole chunks.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        if self.buffer.len() + bytes.len() < BUFFER {
            self.buffer.extend_from_slice(bytes);
            return Ok(());
        }
        // What is large goes without a copy in between, and while it is still in the cache.
        self.hand_over()?;
        let written = self.medium.append(bytes);
        written.map_err(RunError::io("write", &self.path))
    }

    /// Appends what the players of `cell` took.
    pub(crate) fn append_times(
        &mut self,
        seed: u32,
        cell: usize,
        times: Times,
    ) -> Result<(), RunError> {
        self.append_control(Kind::Times, seed, cell, &times.to_bytes())
    }

    /// Appends a control chunk.
    pub(crate) fn append_control(
        &mut self,
        kind: Kind,
        seed: u32,
        cell: usize,
        body: &[u8],
    ) -> Result<(), RunError> {
        let bytes = control_chunk(kind, seed, cell, body);
        self.append(&bytes)
    }

    /// Whether something has waited long enough.
    pub(crate) fn is_due(&self) -> bool {
        self.flushed.elapsed() >= FLUSH_EVERY
    }

    /// Hands everything to the operating system, and now and then makes sure that it is on the
    /// disk.
    pub(crate) fn flush(&mut self) -> Result<(), RunError> {
        self.hand_over()?;
        self.flushed = Instant::now();
        if !self.medium.is_there() {
            let source = io::Error::new(io::ErrorKind::NotFound, "it was removed while in use");
            return Err(RunError::io("go on writing", &self.path)(source));
        }
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Hands what is buffered to the operating system.
    fn hand_over(&mut self) -> Result<(), RunError> {
        let written = self.medium.append(&self.buffer);
        written.map_err(RunError::io("write", &self.path))?;
        self.buffer.clear();
        Ok(())
    }

    fn sync(&mut self) -> Result<(), RunError> {
        let synced = self.medium.sync();
        synced.map_err(RunError::io("write", &self.path))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Flushes and waits for the disk.
    pub(crate) fn finish(&mut self) -> Result<(), RunError> {
        self.flush()?;
        self.sync()
    }
}

/// A chunk that holds `body` and no blocks.
pub(crate) fn control_chunk(kind: Kind, seed: u32, cell: usize, body: &[u8]) -> Vec<u8> {
    let header = ChunkHeader {
        kind,
        cell: u32::try_from(cell).unwrap_or(u32::MAX),
        first: 0,
        blocks: 0,
        bytes: u32::try_from(body.len() + 4).unwrap_or(u32::MAX),
    };
    let mut bytes = Vec::with_capacity(CHUNK_HEADER + body.len() + 4);
    bytes.extend_from_slice(&header.to_bytes(seed));
    bytes.extend_from_slice(body);
    bytes.extend_from_slice(&crc32(seed, body).to_le_bytes());
    bytes
}
