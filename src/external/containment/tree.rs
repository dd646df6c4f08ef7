//! Ends every process below this one, however deep, detached or forking it may be.
//!
//! The caller is a sub-reaper (`prctl(2)`, `PR_SET_CHILD_SUBREAPER`): a process whose parent ends
//! becomes the caller's own child. So it is enough to end children until there are none. Whole
//! process groups are signalled at once because that is atomic against `fork` (the kernel delivers
//! a group's signal under the lock that a new process would need), which stops fork bombs.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};

/// Ends all descendants and reaps them; `reaped` is told each one's status.
///
/// Returns whether none is left: `false` only if the kernel has not ended one by `deadline`
/// (a process in uninterruptible sleep).
pub(super) fn end_all(deadline: Instant, mut reaped: impl FnMut(Pid, WaitStatus)) -> bool {
    loop {
        if reap(&mut reaped) {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        let me = rustix::process::getpid();
        for child in children(me) {
            end_with_descendants(child, me, 0);
        }
        if reap(&mut reaped) {
            return true;
        }
        // Killed processes need the processor to die.
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Reaps what has ended; whether there is no child left at all.
pub(super) fn reap(reaped: &mut impl FnMut(Pid, WaitStatus)) -> bool {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => reaped(pid, status),
            Ok(None) => return false,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}

/// Deeper trees are reached when their upper part is gone and they have become our children.
const MAX_DEPTH: u32 = 64;

fn end_with_descendants(pid: Pid, parent: Pid, depth: u32) {
    // A process found as a child of another may have ended since, and its number may belong to a
    // stranger now. The descriptor fixes who is meant; if the parent is still the same after it
    // was taken, it is the process that was found.
    let Ok(fixed) = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) else {
        return;
    };
    if depth > 0 && parent_of(pid) != Some(parent) {
        return;
    }
    let below = if depth < MAX_DEPTH {
        children(pid)
    } else {
        Vec::new()
    };
    // A group that is led by a process from below us has no members from elsewhere: joining a
    // group is possible only from within its session, and nobody there does.
    if let Ok(group) = rustix::process::getpgid(Some(pid))
        && group == pid
    {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
    let _ = rustix::process::pidfd_send_signal(&fixed, Signal::KILL);
    for child in below {
        end_with_descendants(child, pid, depth + 1);
    }
}

/// The children of every thread of `pid`, from the kernel's own list, or, where the kernel was
/// built without it, from a look at all processes.
fn children(pid: Pid) -> Vec<Pid> {
    let threads = format!("/proc/{}/task", pid.as_raw_nonzero());
    let Ok(threads) = std::fs::read_dir(threads) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        match std::fs::read_to_string(thread.path().join("children")) {
            Ok(list) => found.extend(list.split_ascii_whitespace().filter_map(parse_pid)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && thread.path().exists() => {
                return children_by_scan(pid);
            }
            Err(_) => {}
        }
    }
    found
}

fn children_by_scan(parent: Pid) -> Vec<Pid> {
    let Ok(all) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    all.flatten()
        .filter_map(|entry| parse_pid(entry.file_name().to_str()?))
        .filter(|&pid| parent_of(pid) == Some(parent))
        .collect()
}

/// The parent, from `/proc/PID/stat`: `pid (name) state ppid ...`, where the name may contain
/// anything, also brackets and spaces.
fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let after_name = stat.iter().rposition(|&b| b == b')')? + 1;
    let rest = std::str::from_utf8(stat.get(after_name..)?).ok()?;
    parse_pid(rest.split_ascii_whitespace().nth(1)?)
}

fn parse_pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_both_ways() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .unwrap();
        let me = rustix::process::getpid();
        let pid = parse_pid(&child.id().to_string()).unwrap();
        assert_eq!(parent_of(pid), Some(me));
        assert!(children(me).contains(&pid));
        assert!(children_by_scan(me).contains(&pid));
        assert!(!children(pid).contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
