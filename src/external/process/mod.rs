//! A program with piped standard input and output, deadlines that are absolute, and an end that
//! leaves nothing behind.
//!
//! Neither reading nor writing can block for ever, a program that keeps printing does not extend
//! its time, and the end of its output is seen at once.

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[cfg(not(unix))]
use self::portable as system;
#[cfg(unix)]
use self::unix as system;
use super::command::ResolvedCommand;
use super::containment::Sandbox;
use super::escape::excerpt;
use super::limits::Limits;
use super::line::{LineBuffer, MAX_CHATTER};
use super::stderr::MAX_ERRORS;

/// The longest wait without a look at the interrupt flag.
const SLICE: Duration = Duration::from_millis(100);

/// How long the status of a program that closed its output is waited for.
const STATUS_WITHIN: Duration = Duration::from_millis(500);

/// What to start and under which conditions.
#[derive(Clone, Debug)]
pub struct ProcessSpec {
    /// The program.
    pub command: ResolvedCommand,
    /// Additions to the environment.
    pub env: Vec<(OsString, OsString)>,
    /// Time and memory.
    pub limits: Limits,
    /// Containment.
    pub sandbox: Sandbox,
    /// Whether the program shares a core with the thread that plays with it.
    pub share_core: bool,
    /// Set when the run is interrupted: every wait then ends within a fraction of a second.
    pub interrupt: Arc<AtomicBool>,
}

/// A program that could not be started. Not the program's loss: the run has not begun.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The system did not execute it.
    #[error("cannot start `{command}`: {why}")]
    Program {
        /// The command.
        command: String,
        /// What the system said, with a hint.
        why: String,
    },
    /// The helper process or a pipe failed.
    #[error("cannot start `{command}`: {why}")]
    Helper {
        /// The command.
        command: String,
        /// What failed.
        why: String,
    },
}

/// Why no line came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The deadline has passed.
    Timeout,
    /// The program exited or closed its output: how.
    Crash(String),
    /// What it printed cannot be a line, or came unasked: why.
    Protocol(String),
    /// The run was interrupted.
    Interrupted,
}

/// What a program wrote besides its answers, since it was last taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameLog {
    /// The first 64 KiB of its standard error.
    pub errors: Vec<u8>,
    /// Whether there was more.
    pub errors_cut: bool,
    /// The first 64 KiB of the lines that started with `#`.
    pub chatter: Vec<u8>,
    /// Whether there was more.
    pub chatter_cut: bool,
}

impl GameLog {
    /// Adds what was written later, within the same bounds.
    pub fn append(&mut self, later: &Self) {
        self.errors_cut |= later.errors_cut | join(&mut self.errors, &later.errors, MAX_ERRORS);
        self.chatter_cut |=
            later.chatter_cut | join(&mut self.chatter, &later.chatter, MAX_CHATTER);
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.chatter.is_empty()
    }
}

/// Appends up to `limit` bytes in all; whether some were left out.
fn join(first: &mut Vec<u8>, second: &[u8], limit: usize) -> bool {
    let room = limit.saturating_sub(first.len());
    first.extend_from_slice(second.get(..room).unwrap_or(second));
    second.len() > room
}

/// A line that was received in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    line: Range<usize>,
    /// When it was there.
    pub at: Instant,
}

/// A running program. Dropping it ends the program with everything it started (under `off`: with
/// its process group) and returns when they are gone.
#[derive(Debug)]
pub struct Process {
    system: system::Running,
    lines: LineBuffer,
    ended: bool,
    interrupt: Arc<AtomicBool>,
}

impl Process {
    /// Starts a program. It has been executed when this returns.
    ///
    /// # Errors
    /// If it cannot be executed, or cannot be contained as asked.
    pub fn start(spec: &ProcessSpec) -> Result<Self, StartError> {
        if let Some(missing) = &spec.command.missing {
            return Err(StartError::Program {
                command: spec.command.display.clone(),
                why: missing.to_string(),
            });
        }
        Ok(Self {
            system: system::Running::start(spec)?,
            lines: LineBuffer::default(),
            ended: false,
            interrupt: Arc::clone(&spec.interrupt),
        })
    }

    /// The operating system's number of the process.
    pub fn id(&self) -> u32 {
        self.system.id()
    }

    /// Moves the program to the core of the calling thread, if it is to share one: call it when a
    /// game begins, for the game may be played by another thread than the last.
    pub fn follow_thread(&mut self) {
        self.system.follow_thread();
    }

    /// Sends `bytes`, which may be several lines. What the program prints meanwhile is read, so
    /// that two full pipes cannot block each other.
    ///
    /// # Errors
    /// At `deadline`, if the program has closed its input, or if it prints what was not asked.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), Failure> {
        loop {
            match self.system.write(bytes) {
                Ok(written) if written == bytes.len() => return Ok(()),
                Ok(written) => bytes = &bytes[written..],
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {
                    self.check_time(deadline)?;
                    self.system.wait_both(slice(deadline));
                    self.read()?;
                    self.refuse_unasked()?;
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.crash("closed its input")),
            }
        }
    }

    /// Reads what is there and refuses anything but chatter: nothing was asked yet.
    ///
    /// # Errors
    /// If there is something, or the output cannot be a line.
    #[inline]
    pub fn nothing_unasked(&mut self) -> Result<(), Failure> {
        if !self.ended {
            self.read()?;
        }
        if self.lines.is_empty() {
            Ok(())
        } else {
            self.refuse_unasked()
        }
    }

    /// The next line that is not chatter. A last line counts even without a line end.
    ///
    /// # Errors
    /// If none is there at `deadline`, the output has ended, the line is none (see
    /// `super::line`), or the run is interrupted.
    #[inline]
    pub fn receive(&mut self, deadline: Instant) -> Result<Received, Failure> {
        let mut first_wait = true;
        loop {
            match self.lines.next_line() {
                Ok(Some(line)) => {
                    let at = Instant::now();
                    // It was there, but too late: what counts is when it could be read.
                    return if at > deadline {
                        Err(Failure::Timeout)
                    } else {
                        Ok(Received { line, at })
                    };
                }
                Ok(None) => {}
                Err(e) => return Err(Failure::Protocol(e.to_string())),
            }
            if self.ended {
                return self.last(deadline);
            }
            // Before the first wait a full slice is asked for without looking at the clock, unless
            // the deadline may be nearer.
            if !std::mem::take(&mut first_wait) {
                self.check_time(deadline)?;
            }
            self.system.wait(slice(deadline));
            self.read()?;
        }
    }

    /// The text of a line that was just received.
    #[inline]
    pub fn text(&self, received: &Received) -> &str {
        self.lines.text(&received.line)
    }

    /// Whether the program has ended its output.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes the next whole line that [`Process::nothing_unasked`] complained of.
    pub(crate) fn take_unasked(&mut self) -> Option<String> {
        let line = self.lines.next_line().ok().flatten()?;
        Some(self.lines.text(&line).to_owned())
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.system.close_input();
    }

    /// Waits until the program has ended, at most until `deadline`; how it ended, if it did.
    pub fn wait_for_end(&mut self, deadline: Instant) -> Option<String> {
        self.system.ending(deadline)
    }

    /// Ends the program with everything it started; what it wrote can still be taken.
    pub fn end(&mut self) {
        self.system.end();
        self.ended = true;
    }

    /// Takes what the program wrote besides its answers.
    pub fn take_log(&mut self) -> GameLog {
        let (errors, errors_cut) = self.system.errors().take();
        let (chatter, chatter_cut) = self.lines.take_chatter();
        GameLog {
            errors,
            errors_cut,
            chatter,
            chatter_cut,
        }
    }

    /// The last bytes of its standard error.
    pub fn errors_tail(&self) -> Vec<u8> {
        self.system.errors().tail()
    }

    fn last(&mut self, deadline: Instant) -> Result<Received, Failure> {
        let at = Instant::now();
        match self.lines.last_line() {
            Ok(Some(_)) if at > deadline => Err(Failure::Timeout),
            Ok(Some(line)) => Ok(Received { line, at }),
            Ok(None) => Err(self.crash("closed its output")),
            Err(e) => Err(Failure::Protocol(e.to_string())),
        }
    }

    #[inline]
    fn read(&mut self) -> Result<(), Failure> {
        match self.system.read(self.lines.room()) {
            Ok(Some(0)) => self.ended = true,
            Ok(Some(count)) => self.lines.advance(count),
            Ok(None) => {}
            Err(e) => return Err(Failure::Crash(format!("its output cannot be read: {e}"))),
        }
        Ok(())
    }

    fn refuse_unasked(&mut self) -> Result<(), Failure> {
        match self.lines.unasked() {
            Some(words) => Err(Failure::Protocol(format!(
                "answered before being asked: `{}`",
                excerpt(words)
            ))),
            None => Ok(()),
        }
    }

    fn check_time(&mut self, deadline: Instant) -> Result<(), Failure> {
        if self.interrupt.load(Ordering::Relaxed) {
            Err(Failure::Interrupted)
        } else if Instant::now() >= deadline {
            Err(Failure::Timeout)
        } else {
            if self.system.is_gone() {
                self.ended = true;
            }
            Ok(())
        }
    }

    fn crash(&mut self, otherwise: &str) -> Failure {
        if self.interrupt.load(Ordering::Relaxed) {
            return Failure::Interrupted;
        }
        let ending = self.system.ending(Instant::now() + STATUS_WITHIN);
        Failure::Crash(ending.unwrap_or_else(|| format!("{otherwise} but did not exit")))
    }
}

#[inline]
fn slice(deadline: Instant) -> Duration {
    deadline
        .saturating_duration_since(Instant::now())
        .min(SLICE)
}
