//! A bot's standard error: read all the time, so that a flood never blocks the bot, and kept in
//! part: the first 64 KiB of each game for the log, the last lines for messages.

use std::process::ChildStderr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// The most that is kept per game, in bytes.
pub const MAX_ERRORS: usize = 64 * 1024;

/// The most that is kept for messages, in bytes.
const TAIL: usize = 4096;

#[derive(Default)]
struct Kept {
    game: Vec<u8>,
    cut: bool,
    tail: Vec<u8>,
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        let room = MAX_ERRORS - self.game.len();
        self.game.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.cut |= bytes.len() > room;
        let last = &bytes[bytes.len().saturating_sub(TAIL)..];
        let excess = (self.tail.len() + last.len()).saturating_sub(TAIL);
        self.tail.drain(..excess);
        self.tail.extend_from_slice(last);
    }
}

struct Shared {
    #[cfg(unix)]
    stream: std::os::fd::OwnedFd,
    kept: Mutex<Kept>,
    stop: AtomicBool,
}

/// Reads a bot's standard error on a thread of its own until it ends.
pub(crate) struct ErrorLog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl ErrorLog {
    /// Starts reading.
    ///
    /// # Errors
    /// If no thread can be started.
    #[cfg(unix)]
    pub(crate) fn start(stream: ChildStderr) -> std::io::Result<Self> {
        let stream = std::os::fd::OwnedFd::from(stream);
        rustix::io::ioctl_fionbio(&stream, true)?;
        let shared = Arc::new(Shared {
            stream,
            kept: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        Self::spawn(shared, Shared::follow)
    }

    /// Starts reading.
    ///
    /// # Errors
    /// If no thread can be started.
    #[cfg(not(unix))]
    pub(crate) fn start(stream: ChildStderr) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            kept: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        Self::spawn(shared, move |shared| shared.follow(stream))
    }

    fn spawn(
        shared: Arc<Shared>,
        follow: impl FnOnce(&Shared) + Send + 'static,
    ) -> std::io::Result<Self> {
        let same = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("bot-stderr".to_owned())
            .stack_size(128 * 1024)
            .spawn(move || {
                #[cfg(target_os = "linux")]
                super::cores::unbind();
                follow(&same);
            })?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Takes what was written since the last call, and whether some of it was cut.
    pub(crate) fn take(&self) -> (Vec<u8>, bool) {
        let mut kept = self.shared.up_to_date();
        (
            std::mem::take(&mut kept.game),
            std::mem::take(&mut kept.cut),
        )
    }

    /// The last bytes written, also those taken before.
    pub(crate) fn tail(&self) -> Vec<u8> {
        self.shared.up_to_date().tail.clone()
    }

    /// Waits until everything was read. Call it when the processes that write are gone.
    pub(crate) fn finish(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(unix)]
impl Shared {
    /// Reads what is there, under the lock, so that pieces cannot change places.
    fn up_to_date(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        self.read(&mut kept);
        kept
    }

    /// Whether the stream goes on.
    fn read(&self, kept: &mut Kept) -> bool {
        let mut buffer = [0; 8192];
        // Bounded, so that a flood does not keep the lock.
        for _ in 0..16 {
            match rustix::io::read(&self.stream, &mut buffer) {
                Ok(0) => return false,
                Ok(n) => kept.push(&buffer[..n]),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => return true,
                Err(_) => return false,
            }
        }
        true
    }

    fn follow(&self) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        // Only a process that left its bot's tree (containment `off`) can keep the stream open
        // after the end, so this time limit hardly ever matters.
        let slice = Timespec {
            tv_sec: 0,
            tv_nsec: 200_000_000,
        };
        loop {
            let _ = poll(
                &mut [PollFd::new(&self.stream, PollFlags::IN)],
                Some(&slice),
            );
            let stop = self.stop.load(Ordering::Relaxed);
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let goes_on = self.read(&mut kept);
            if stop || !goes_on {
                return;
            }
        }
    }
}

#[cfg(not(unix))]
impl Shared {
    fn up_to_date(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follow(&self, mut stream: ChildStderr) {
        let mut buffer = [0; 8192];
        while let Ok(n @ 1..) = std::io::Read::read(&mut stream, &mut buffer) {
            self.up_to_date().push(&buffer[..n]);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

impl Drop for ErrorLog {
    fn drop(&mut self) {
        self.finish();
    }
}

impl std::fmt::Debug for ErrorLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ErrorLog").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_64_kib_of_a_game_and_the_last_lines_are_kept() {
        let mut kept = Kept::default();
        for n in 0..9000 {
            kept.push(format!("line {n:05}\n").as_bytes());
        }
        assert_eq!((kept.game.len(), kept.cut), (MAX_ERRORS, true));
        assert!(kept.game.starts_with(b"line 00000\nline 00001\n"));
        assert_eq!(kept.tail.len(), TAIL);
        assert!(kept.tail.ends_with(b"line 08998\nline 08999\n"));
    }
}
