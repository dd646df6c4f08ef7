//! Pipes with `poll`, and a process that is either kept by a helper or a plain child.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use super::{ProcessSpec, StartError};
#[cfg(target_os = "linux")]
use crate::external::containment::Level;
use crate::external::containment::ending::Ending;
#[cfg(target_os = "linux")]
use crate::external::containment::keeper::{KeepError, Keeper, Keeping};
#[cfg(target_os = "linux")]
use crate::external::cores::{self, SharedCore};
#[cfg(target_os = "linux")]
use crate::external::limits::deadline;
use crate::external::stderr::ErrorLog;

/// A running program with its pipes. Both our ends never block.
#[derive(Debug)]
pub(super) struct Running {
    /// Ended first when dropped: the reading of standard error ends with the processes.
    parent: Parent,
    input: Option<OwnedFd>,
    output: OwnedFd,
    errors: ErrorLog,
    #[cfg(target_os = "linux")]
    core: Option<SharedCore>,
}

#[derive(Debug)]
enum Parent {
    #[cfg(target_os = "linux")]
    Helper(Keeper),
    Us(Plain),
}

/// A child of our own, in a process group of its own.
#[derive(Debug)]
struct Plain {
    child: Child,
    ending: Option<Ending>,
    _scratch: tempfile::TempDir,
}

struct Pipes {
    input: OwnedFd,
    output: OwnedFd,
    errors: OwnedFd,
}

impl Running {
    pub(super) fn start(spec: &ProcessSpec) -> Result<Self, StartError> {
        if is_bare_script(&spec.command.program) {
            let noexec = Errno::NOEXEC.raw_os_error();
            return Err(program_error(spec, "Exec format error", Some(noexec)));
        }
        #[cfg(target_os = "linux")]
        let core = spec.share_core.then(SharedCore::take).flatten();
        #[cfg(target_os = "linux")]
        let (parent, pipes) = if spec.sandbox.level == Level::Off {
            start_plain(spec)?
        } else {
            start_kept(spec, core.as_ref())?
        };
        #[cfg(not(target_os = "linux"))]
        let (parent, pipes) = start_plain(spec)?;

        let ready = || -> io::Result<ErrorLog> {
            rustix::io::ioctl_fionbio(&pipes.input, true)?;
            rustix::io::ioctl_fionbio(&pipes.output, true)?;
            ErrorLog::start(ChildStderr::from(pipes.errors))
        };
        let errors = ready().map_err(|e| helper_error(spec, &format!("its pipes: {e}")))?;
        #[cfg(target_os = "linux")]
        if let (Parent::Us(plain), Some(core)) = (&parent, &core) {
            let _ = cores::bind(pid(&plain.child), &[core.core()]);
        }
        Ok(Self {
            parent,
            input: Some(pipes.input),
            output: pipes.output,
            errors,
            #[cfg(target_os = "linux")]
            core,
        })
    }

    pub(super) fn id(&self) -> u32 {
        match &self.parent {
            #[cfg(target_os = "linux")]
            Parent::Helper(keeper) => keeper.pid().unsigned_abs(),
            Parent::Us(plain) => plain.child.id(),
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn follow_thread(&mut self) {
        if self.core.as_ref().is_some_and(|core| !core.is_here())
            && let Some(core) = SharedCore::take()
        {
            let process = i32::try_from(self.id()).ok().and_then(Pid::from_raw);
            if process.is_some() {
                let _ = cores::bind(process, &[core.core()]);
            }
            self.core = Some(core);
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn follow_thread(&mut self) {}

    /// Writes what the pipe takes at once.
    #[inline]
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.input {
            Some(input) => Ok(rustix::io::write(input, bytes)?),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Reads what is there: `None` if nothing is, `Some(0)` at the end.
    #[inline]
    pub(super) fn read(&mut self, room: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            match rustix::io::read(&self.output, &mut *room) {
                Ok(count) => return Ok(Some(count)),
                Err(Errno::AGAIN) => return Ok(None),
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// Waits until something can be read, at most `time`.
    #[inline]
    pub(super) fn wait(&self, time: Duration) {
        // Errors are signals, or show when reading.
        let _ = poll(
            &mut [PollFd::new(&self.output, PollFlags::IN)],
            Some(&timespec(time)),
        );
    }

    /// Waits until something can be read or written, at most `time`.
    pub(super) fn wait_both(&self, time: Duration) {
        let output = PollFd::new(&self.output, PollFlags::IN);
        let time = timespec(time);
        let _ = match &self.input {
            Some(input) => poll(
                &mut [output, PollFd::new(input, PollFlags::OUT)],
                Some(&time),
            ),
            None => poll(&mut [output], Some(&time)),
        };
    }

    /// Whether the program has ended although others may hold its output open. Under a helper
    /// nobody can: the whole tree ends with the program.
    pub(super) fn is_gone(&mut self) -> bool {
        match &mut self.parent {
            #[cfg(target_os = "linux")]
            Parent::Helper(_) => false,
            Parent::Us(plain) => plain.look().is_some(),
        }
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    pub(super) fn errors(&self) -> &ErrorLog {
        &self.errors
    }

    /// How the program ended, if it does so by `deadline`.
    pub(super) fn ending(&mut self, deadline: Instant) -> Option<String> {
        let ending = match &mut self.parent {
            #[cfg(target_os = "linux")]
            Parent::Helper(keeper) => keeper.ending(deadline),
            Parent::Us(plain) => plain.wait(deadline),
        };
        ending.map(|ending| ending.to_string())
    }

    pub(super) fn end(&mut self) {
        match &mut self.parent {
            #[cfg(target_os = "linux")]
            Parent::Helper(keeper) => keeper.end(),
            Parent::Us(plain) => plain.end(),
        }
        self.errors.finish();
    }
}

impl Plain {
    fn look(&mut self) -> Option<Ending> {
        if self.ending.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            let killed = status.signal().map(Ending::Killed);
            self.ending = killed.or_else(|| status.code().map(Ending::Exited));
        }
        self.ending
    }

    fn wait(&mut self, deadline: Instant) -> Option<Ending> {
        while self.look().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.ending
    }

    fn end(&mut self) {
        if let Some(group) = pid(&self.child) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        self.end();
    }
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

#[inline]
fn timespec(time: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    }
}

/// How long the helper may take to execute a program, at least: this is not the program's time.
#[cfg(target_os = "linux")]
const EXECUTED_WITHIN: std::time::Duration = std::time::Duration::from_secs(10);

fn helper_error(spec: &ProcessSpec, why: &str) -> StartError {
    StartError::Helper {
        command: spec.command.display.clone(),
        why: why.to_owned(),
    }
}

fn program_error(spec: &ProcessSpec, why: &str, errno: Option<i32>) -> StartError {
    let hint = match errno.map(Errno::from_raw_os_error) {
        Some(Errno::NOENT) if spec.command.program.exists() => {
            " (the file is there: is the interpreter that its first line, `#!`, names installed?)"
        }
        Some(Errno::NOEXEC) => {
            " (it is no program: a script needs a first line such as `#!/usr/bin/env python3`, or its interpreter in the command)"
        }
        Some(Errno::ACCESS) => {
            " (is it executable, `chmod +x`, and readable for the user it runs as?)"
        }
        _ => "",
    };
    StartError::Program {
        command: spec.command.display.clone(),
        why: format!("{why}{hint}"),
    }
}

/// Whether the program is a text without `#!`. The C library would hand it to a shell, which would
/// then say something beside the point.
fn is_bare_script(program: &std::path::Path) -> bool {
    let mut head = [0; 256];
    let read =
        std::fs::File::open(program).and_then(|mut file| io::Read::read(&mut file, &mut head));
    match read.map(|count| head.get(..count).unwrap_or_default()) {
        Ok(head) => !head.contains(&0) && !head.starts_with(b"#!"),
        // Not readable for us; the system will say so if it matters.
        Err(_) => false,
    }
}

fn start_plain(spec: &ProcessSpec) -> Result<(Parent, Pipes), StartError> {
    let scratch = tempfile::Builder::new()
        .prefix("evalctl-bot-")
        .tempdir()
        .map_err(|e| helper_error(spec, &format!("no scratch folder: {e}")))?;
    let mut command = Command::new(&spec.command.program);
    command
        .args(&spec.command.args)
        .envs(spec.env.iter().map(|(key, value)| (key, value)))
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path())
        .current_dir(scratch.path())
        // Ctrl-C at the terminal is for evalctl, which then ends its bots.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|e| program_error(spec, &e.to_string(), e.raw_os_error()))?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(errors)) => Ok((
            Parent::Us(Plain {
                child,
                ending: None,
                _scratch: scratch,
            }),
            Pipes {
                input: input.into(),
                output: output.into(),
                errors: errors.into(),
            },
        )),
        _ => Err(helper_error(spec, "its pipes are missing")),
    }
}

#[cfg(target_os = "linux")]
fn start_kept(
    spec: &ProcessSpec,
    core: Option<&SharedCore>,
) -> Result<(Parent, Pipes), StartError> {
    let pipe = || {
        rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)
            .map_err(|e| helper_error(spec, &format!("no pipe: {}", io::Error::from(e))))
    };
    let ((bot_input, input), (output, bot_output), (errors, bot_errors)) =
        (pipe()?, pipe()?, pipe()?);
    let mut env = spec.env.clone();
    let given = |key: &str| env.iter().any(|(name, _)| name == key);
    if let Some(path) = std::env::var_os("PATH").filter(|_| !given("PATH")) {
        env.push(("PATH".into(), path));
    }
    let own = core.map(|core| [core.core()]);
    let keeping = Keeping {
        sandbox: &spec.sandbox,
        env: &env,
        limits: &spec.limits,
        bot_cores: own.as_ref().map_or(cores::all(), |own| own.as_slice()),
        helper_cores: cores::all(),
    };
    let bot_pipes = [bot_input, bot_output, bot_errors];
    let deadline = deadline(Instant::now(), spec.limits.start().max(EXECUTED_WITHIN));
    match Keeper::start(&spec.command, &keeping, &bot_pipes, deadline) {
        Ok(keeper) => Ok((
            Parent::Helper(keeper),
            Pipes {
                input,
                output,
                errors,
            },
        )),
        Err(KeepError::Program { why, errno }) => Err(program_error(spec, &why, errno)),
        Err(KeepError::Helper(why)) => Err(helper_error(spec, &why)),
    }
}
