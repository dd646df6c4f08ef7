//! The helper process: parent and reaper of one bot, and its end.
//!
//! `evalctl` re-executes itself with one argument, `ARGUMENT`; standard input is the control
//! socket. The helper has one thread, receives an order with the bot's pipe ends, starts the bot in
//! a process group or session of its own, and waits. It ends the whole tree and removes the scratch folder when the
//! socket closes (for whatever reason `evalctl` is gone), when the bot's main process ends, or when
//! it is itself asked to terminate.

use std::fs;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitStatus};
use rustix::thread::CpuSet;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::ending::Ending;
use super::strict::Prepared;
use super::tree;
use super::wire::{self, Bounds, Order, Report};

/// The argument that makes this program a helper.
pub(crate) const ARGUMENT: &str = "__supervise-bot";

/// How long the kernel is given to end the processes of a bot.
const END_WITHIN: Duration = Duration::from_secs(10);

/// Runs the helper and exits if this program was started as one; else returns at once.
pub(crate) fn main_if_requested() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|a| a == ARGUMENT) && arguments.next().is_none() {
        let done = io::stdin()
            .as_fd()
            .try_clone_to_owned()
            .and_then(|socket| supervise(&UnixStream::from(socket)));
        std::process::exit(i32::from(done.is_err()));
    }
}

fn supervise(control: &UnixStream) -> io::Result<()> {
    leave_terminal();
    // `killall evalctl` does not find this name.
    let _ = rustix::thread::set_name(c"bot-supervisor");
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (children, children_writer) = UnixStream::pair()?;
    let (end, end_writer) = UnixStream::pair()?;
    children.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(SIGCHLD, children_writer)?;
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
        signal_hook::low_level::pipe::register(signal, end_writer.try_clone()?)?;
    }

    let (order, pipes): (Order, Vec<OwnedFd>) = wire::receive_with_descriptors(control)?;
    close_on_exec();
    set_cores(&order.helper_cores);
    let scratch = match scratch_folder(&order) {
        Ok(scratch) => scratch,
        Err(e) => {
            let parent = order.scratch_parent.display();
            let why = format!("cannot make a scratch folder in {parent}: {e}");
            return wire::send(control, &Report::Failed { why, errno: None });
        }
    };
    let outcome = match start(&order, scratch.path(), pipes) {
        Ok(bot) => {
            // Not before the bot is started, which would inherit the session (see `own_session`).
            let _ = rustix::process::setsid();
            make_first_victim(bot);
            let pid = bot.as_raw_nonzero().get();
            wire::send(control, &Report::Started { pid })?;
            wait(control, &children, &end, bot)?.map(Report::Ended)
        }
        Err(failure) => Some(failure),
    };
    if let Some(report) = outcome {
        // If evalctl is gone there is nobody to tell.
        let _ = wire::send(control, &report);
    }
    let deadline = Instant::now() + END_WITHIN;
    let gone = tree::end_all(deadline, |_, _| {});
    remove(scratch);
    if gone {
        Ok(())
    } else {
        Err(io::ErrorKind::TimedOut.into())
    }
}

/// Waits for the first reason to end; the bot's ending if that is the reason.
fn wait(
    control: &UnixStream,
    children: &UnixStream,
    end: &UnixStream,
    bot: Pid,
) -> io::Result<Option<Ending>> {
    let mut ending = None;
    loop {
        let none_left = tree::reap(&mut |pid, status| {
            if pid == bot {
                ending = ending_of(status);
            }
        });
        if ending.is_some() || none_left {
            return Ok(ending);
        }
        let mut descriptors = [
            PollFd::new(control, PollFlags::IN),
            PollFd::new(children, PollFlags::IN),
            PollFd::new(end, PollFlags::IN),
        ];
        match poll(&mut descriptors, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
        let [control_event, children_event, end_event] =
            descriptors.map(|d| !d.revents().is_empty());
        if control_event || end_event {
            return Ok(None);
        }
        if children_event {
            let _ = io::Read::read(&mut &*children, &mut [0; 64]);
        }
    }
}

fn ending_of(status: WaitStatus) -> Option<Ending> {
    let exited = status.exit_status().map(Ending::Exited);
    exited.or_else(|| status.terminating_signal().map(Ending::Killed))
}

/// Starts the bot.
fn start(order: &Order, scratch: &Path, pipes: Vec<OwnedFd>) -> Result<Pid, Report> {
    let failed = |why: String, errno| Report::Failed { why, errno };
    let [input, output, errors] = <[OwnedFd; 3]>::try_from(pipes)
        .map_err(|_| failed("the pipes did not arrive".to_owned(), None))?;
    let prepared = order
        .strict
        .as_ref()
        .map(|strict| Prepared::new(&strict.readable, scratch))
        .transpose()
        .map_err(|why| failed(why, None))?;
    // Why a step failed, which the standard library reduces to a number.
    let (mut reason, reason_writer) =
        io::pipe().map_err(|e| failed(format!("cannot make a pipe: {e}"), None))?;

    let mut command = Command::new(&order.program);
    command
        .args(&order.args)
        .env_clear()
        .envs(order.env.iter().map(|(key, value)| (key, value)))
        .env("HOME", scratch)
        .env("TMPDIR", scratch)
        .current_dir(scratch)
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(output))
        .stderr(Stdio::from(errors));
    if let Some((user, group)) = order.account {
        // The standard library also drops the supplementary groups.
        command.uid(user).gid(group);
    }
    before_exec(&mut command, order, prepared, reason_writer);
    match command.spawn() {
        Ok(child) => i32::try_from(child.id())
            .ok()
            .and_then(Pid::from_raw)
            .ok_or_else(|| failed("the process id is out of range".to_owned(), None)),
        Err(e) => {
            drop(command);
            let mut why = String::new();
            let _ = io::Read::read_to_string(&mut reason, &mut why);
            Err(if why.is_empty() {
                failed(e.to_string(), e.raw_os_error())
            } else {
                failed(why, None)
            })
        }
    }
}

/// Lets the bot's process restrict itself between `fork` and `exec`.
#[expect(
    unsafe_code,
    reason = "code between fork and exec cannot be declared safe; see the safety comment"
)]
fn before_exec(
    command: &mut Command,
    order: &Order,
    mut prepared: Option<Prepared>,
    mut reason: io::PipeWriter,
) {
    let bounds = order.bounds;
    let cores = order.bot_cores.clone();
    let own_session = order.own_session;
    if !own_session {
        command.process_group(0);
    }
    let restrict = move || {
        let step = |name: &str, result: rustix::io::Result<()>| {
            result.map_err(|e| format!("{name}: {}", io::Error::from(e)))
        };
        if own_session {
            step("new session", rustix::process::setsid().map(|_| ()))?;
        }
        // Should the helper itself be killed, its child is as well.
        let signal = Some(Signal::KILL);
        let set = rustix::process::set_parent_process_death_signal(signal);
        step("death signal", set)?;
        step("no new privileges", rustix::thread::set_no_new_privs(true))?;
        set_cores(&cores);
        set_bounds(&bounds)?;
        prepared.as_mut().map_or(Ok(()), Prepared::enforce)
    };
    // SAFETY: the closure runs in the child between `fork` and `exec`, where only what another
    // thread may have left half done is dangerous: locks, of the allocator above all. The helper
    // has one thread, so nothing is half done, and allocation, files and locks work as anywhere.
    unsafe {
        let mut restrict = restrict;
        command.pre_exec(move || {
            restrict().map_err(|why: String| {
                let _ = reason.write_all(why.as_bytes());
                io::Error::from(io::ErrorKind::PermissionDenied)
            })
        });
    }
}

fn set_bounds(bounds: &Bounds) -> Result<(), String> {
    let limits = [
        (Resource::Data, Some(bounds.data), "memory"),
        (Resource::As, Some(bounds.address_space), "address space"),
        (Resource::Fsize, Some(bounds.file_size), "file size"),
        (Resource::Cpu, Some(bounds.cpu_seconds), "processor time"),
        (Resource::Nofile, Some(bounds.open_files), "open files"),
        (Resource::Nproc, bounds.processes, "processes"),
        (Resource::Core, Some(0), "core dumps"),
    ];
    for (resource, wanted, name) in limits {
        let Some(wanted) = wanted else { continue };
        // A limit that is lower already stays: raising it needs privileges.
        let limit = rustix::process::getrlimit(resource)
            .maximum
            .map_or(wanted, |maximum| maximum.min(wanted));
        let both = Rlimit {
            current: Some(limit),
            maximum: Some(limit),
        };
        rustix::process::setrlimit(resource, both)
            .map_err(|e| format!("limit on {name}: {}", io::Error::from(e)))?;
    }
    Ok(())
}

/// Gives up the controlling terminal, so that neither this process nor what it starts gets the
/// terminal's signals or can open `/dev/tty`.
#[expect(
    unsafe_code,
    reason = "giving up a terminal is a raw request to a device"
)]
fn leave_terminal() {
    if let Ok(terminal) = fs::File::open("/dev/tty") {
        // SAFETY: the request has no argument and reads or writes no memory of this process.
        let _ = unsafe { libc::ioctl(std::os::fd::AsRawFd::as_raw_fd(&terminal), libc::TIOCNOTTY) };
    }
}

/// Sharing a core is for speed only, so a system that refuses it is obeyed.
fn set_cores(cores: &[usize]) {
    if cores.is_empty() {
        return;
    }
    let mut set = CpuSet::new();
    for &core in cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
        set.set(core);
    }
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

/// Keeps descriptors that this process inherited (a shell's, say) from the bot.
#[expect(
    unsafe_code,
    reason = "a descriptor that is known only by its number can be borrowed only unsafely"
)]
fn close_on_exec() {
    let listed: Vec<i32> = match fs::read_dir("/proc/self/fd") {
        Ok(entries) => entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect(),
        Err(_) => (0..4096).collect(),
    };
    for number in listed.into_iter().filter(|&number| number > 2) {
        // SAFETY: the descriptor is used for this one call, which fails harmlessly if it is not
        // open, and closes nothing in this process.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::CLOEXEC);
    }
}

/// When memory runs out the kernel should end the bot, not the run.
fn make_first_victim(bot: Pid) {
    let file = format!("/proc/{}/oom_score_adj", bot.as_raw_nonzero());
    let _ = fs::write(file, "800");
}

fn scratch_folder(order: &Order) -> io::Result<tempfile::TempDir> {
    let scratch = tempfile::Builder::new()
        .prefix("evalctl-bot-")
        .tempdir_in(&order.scratch_parent)?;
    if let Some((user, group)) = order.account {
        std::os::unix::fs::chown(scratch.path(), Some(user), Some(group))?;
    }
    Ok(scratch)
}

/// Removes the scratch folder, also if the bot has taken its own rights to it away.
fn remove(scratch: tempfile::TempDir) {
    let path = scratch.keep();
    if fs::remove_dir_all(&path).is_err() {
        reopen(&path, 0);
        let _ = fs::remove_dir_all(&path);
    }
}

fn reopen(folder: &Path, depth: u32) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if depth < 64 && entry.file_type().is_ok_and(|t| t.is_dir()) {
            reopen(&entry.path(), depth + 1);
        }
    }
}
