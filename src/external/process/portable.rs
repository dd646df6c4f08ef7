//! Pipes where there is no `poll`: two threads move bytes between the pipes and bounded queues.

use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{ProcessSpec, StartError};
use crate::external::stderr::ErrorLog;

/// Bytes that a queue holds before its producer waits.
const QUEUE: usize = 64 * 1024;

#[derive(Debug, Default)]
struct Bytes {
    waiting: VecDeque<u8>,
    closed: bool,
}

#[derive(Debug, Default)]
struct Queue {
    bytes: Mutex<Bytes>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Bytes> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what fits; `None` if nothing does, an error if the queue is closed.
    fn offer(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut queue = self.lock();
        if queue.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(QUEUE - queue.waiting.len().min(QUEUE));
        if count == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        queue.waiting.extend(&bytes[..count]);
        self.changed.notify_all();
        Ok(count)
    }

    /// Takes what is there: `None` if nothing is, `Some(0)` at the end.
    fn take(&self, room: &mut [u8]) -> Option<usize> {
        let mut queue = self.lock();
        let count = queue.waiting.len().min(room.len());
        if count == 0 {
            return queue.closed.then_some(0);
        }
        for (place, byte) in room.iter_mut().zip(queue.waiting.drain(..count)) {
            *place = byte;
        }
        self.changed.notify_all();
        Some(count)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits for a change while `idle`, at most `time`.
    fn wait(&self, time: Duration, idle: impl Fn(&Bytes) -> bool) {
        let queue = self.lock();
        let _ = self
            .changed
            .wait_timeout_while(queue, time, |bytes| !bytes.closed && idle(bytes));
    }
}

/// A running program with its pipes.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    input: Arc<Queue>,
    output: Arc<Queue>,
    errors: ErrorLog,
    ending: Option<String>,
    _scratch: tempfile::TempDir,
}

impl Running {
    pub(super) fn start(spec: &ProcessSpec) -> Result<Self, StartError> {
        let failed = |e: &dyn std::fmt::Display| StartError::Helper {
            command: spec.command.display.clone(),
            why: format!("its pipes: {e}"),
        };
        let scratch = tempfile::Builder::new()
            .prefix("evalctl-bot-")
            .tempdir()
            .map_err(|e| failed(&e))?;
        let mut child = Command::new(&spec.command.program)
            .args(&spec.command.args)
            .envs(spec.env.iter().map(|(key, value)| (key, value)))
            .env("HOME", scratch.path())
            .env("TMPDIR", scratch.path())
            .current_dir(scratch.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| StartError::Program {
                command: spec.command.display.clone(),
                why: e.to_string(),
            })?;
        let (Some(mut stdin), Some(mut stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(&"they are missing"));
        };
        let (input, output) = (Arc::<Queue>::default(), Arc::<Queue>::default());
        let (to_write, to_fill) = (Arc::clone(&input), Arc::clone(&output));
        std::thread::spawn(move || {
            let mut buffer = vec![0; QUEUE];
            loop {
                to_write.wait(Duration::MAX, |bytes| bytes.waiting.is_empty());
                match to_write.take(&mut buffer) {
                    Some(count @ 1..) if stdin.write_all(&buffer[..count]).is_ok() => {}
                    Some(_) => return to_write.close(),
                    None => {}
                }
            }
        });
        std::thread::spawn(move || {
            let mut buffer = vec![0; QUEUE];
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                let mut rest = &buffer[..count];
                while !rest.is_empty() {
                    match to_fill.offer(rest) {
                        Ok(taken) => rest = &rest[taken..],
                        Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                            to_fill.wait(Duration::MAX, |bytes| bytes.waiting.len() >= QUEUE);
                        }
                        Err(_) => return,
                    }
                }
            }
            to_fill.close();
        });
        Ok(Self {
            child,
            input,
            output,
            errors: ErrorLog::start(stderr).map_err(|e| failed(&e))?,
            ending: None,
            _scratch: scratch,
        })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn follow_thread(&mut self) {}

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.input.offer(bytes)
    }

    pub(super) fn read(&mut self, room: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(self.output.take(room))
    }

    pub(super) fn wait(&self, time: Duration) {
        self.output.wait(time, |bytes| bytes.waiting.is_empty());
    }

    pub(super) fn wait_both(&self, time: Duration) {
        // There is no waiting for two queues at once; what comes out is looked at often enough.
        let time = time.min(Duration::from_millis(2));
        self.input.wait(time, |bytes| bytes.waiting.len() >= QUEUE);
    }

    pub(super) fn is_gone(&mut self) -> bool {
        self.look().is_some()
    }

    pub(super) fn close_input(&mut self) {
        self.input.close();
    }

    pub(super) fn errors(&self) -> &ErrorLog {
        &self.errors
    }

    pub(super) fn ending(&mut self, deadline: Instant) -> Option<String> {
        while self.look().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.ending.clone()
    }

    pub(super) fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.input.close();
        self.output.close();
        self.errors.finish();
    }

    fn look(&mut self) -> Option<&str> {
        if self.ending.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.ending = Some(format!("exited ({status})"));
        }
        self.ending.as_deref()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_bounded_and_ends_after_its_last_byte() {
        let queue = Queue::default();
        assert_eq!(queue.offer(&[7; QUEUE + 5]).unwrap(), QUEUE);
        let full = queue.offer(b"x").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
        let mut room = vec![0; QUEUE - 1];
        assert_eq!(queue.take(&mut room), Some(QUEUE - 1));
        queue.close();
        assert_eq!(queue.take(&mut room), Some(1));
        assert_eq!(queue.take(&mut room), Some(0));
    }
}
