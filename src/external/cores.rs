//! A worker and its bots on one core.
//!
//! They take turns: while one computes the others wait. On one core a turn passes without waking
//! a second, sleeping core, which more than doubles the round trips per second, and two games at
//! once do not get into each other's way. Each worker thread takes the least used of the cores
//! that the process may use, for as long as it has a bot. Nothing here can fail a game: where the
//! system refuses, everything runs where the system likes.

use std::cell::RefCell;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::ThreadId;

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The cores that the process may use, and how many workers use each.
struct Machine {
    cores: Vec<usize>,
    workers: Mutex<Vec<u32>>,
}

fn machine() -> &'static Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        // Asked of the whole process (its first thread), not of a thread that may be bound.
        let set = sched_getaffinity(Some(rustix::process::getpid()));
        let cores: Vec<usize> = match set {
            Ok(set) => (0..CpuSet::MAX_CPU).filter(|&c| set.is_set(c)).collect(),
            Err(_) => Vec::new(),
        };
        let workers = Mutex::new(vec![0; cores.len()]);
        Machine { cores, workers }
    })
}

/// What a thread has taken.
struct Claim {
    /// Index in [`Machine::cores`].
    index: usize,
    bots: u32,
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut workers = machine()
            .workers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = workers.get_mut(self.index) {
            *count = count.saturating_sub(1);
        }
    }
}

thread_local! {
    static CLAIM: RefCell<Option<Claim>> = const { RefCell::new(None) };
}

/// A bot's share in the core of the thread that started it.
#[derive(Debug)]
pub(crate) struct SharedCore {
    thread: ThreadId,
    core: usize,
}

impl SharedCore {
    /// Binds this thread to a core of its own, if the system allows, until its last share ends.
    pub(crate) fn take() -> Option<Self> {
        let machine = machine();
        if machine.cores.is_empty() {
            return None;
        }
        let core = CLAIM
            .try_with(|claim| {
                let mut claim = claim.borrow_mut();
                if claim.is_none() {
                    let index = least_used(machine);
                    let taken = Claim { index, bots: 0 };
                    bind(None, &machine.cores[index..=index]).ok()?;
                    *claim = Some(taken);
                }
                let claim = claim.as_mut()?;
                claim.bots += 1;
                machine.cores.get(claim.index).copied()
            })
            .ok()
            .flatten()?;
        Some(Self {
            thread: std::thread::current().id(),
            core,
        })
    }

    /// The core.
    pub(crate) fn core(&self) -> usize {
        self.core
    }

    /// Whether the calling thread is the one that shares.
    pub(crate) fn is_here(&self) -> bool {
        std::thread::current().id() == self.thread
    }
}

impl Drop for SharedCore {
    fn drop(&mut self) {
        // Elsewhere the claim ends with its thread.
        if !self.is_here() {
            return;
        }
        let _ = CLAIM.try_with(|claim| {
            let mut claim = claim.borrow_mut();
            if let Some(taken) = claim.as_mut() {
                taken.bots = taken.bots.saturating_sub(1);
                if taken.bots == 0 {
                    *claim = None;
                    unbind();
                }
            }
        });
    }
}

fn least_used(machine: &Machine) -> usize {
    let here = sched_getcpu();
    let mut workers = machine
        .workers
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let index = (0..machine.cores.len())
        .min_by_key(|&i| (workers[i], machine.cores[i] != here))
        .unwrap_or(0);
    workers[index] += 1;
    index
}

/// Lets the calling thread run on all of the process's cores.
pub(crate) fn unbind() {
    let _ = bind(None, &machine().cores);
}

/// All cores that the process may use.
pub(crate) fn all() -> &'static [usize] {
    &machine().cores
}

/// Binds a process's first thread (or the calling thread) to `cores`.
pub(crate) fn bind(
    process: Option<rustix::process::Pid>,
    cores: &[usize],
) -> rustix::io::Result<()> {
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    sched_setaffinity(process, &set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_spread_over_the_cores_and_are_free_again() {
        let barrier = std::sync::Barrier::new(2);
        let worker = || {
            let share = SharedCore::take().unwrap();
            let again = SharedCore::take().unwrap();
            assert_eq!(share.core(), again.core());
            let bound = sched_getaffinity(None).unwrap();
            assert_eq!((bound.count(), bound.is_set(share.core())), (1, true));
            barrier.wait();
            drop(again);
            let core = share.core();
            barrier.wait();
            drop(share);
            assert_eq!(
                sched_getaffinity(None).unwrap().count() as usize,
                all().len()
            );
            core
        };
        let (first, second) = std::thread::scope(|scope| {
            let (a, b) = (scope.spawn(worker), scope.spawn(worker));
            (a.join().unwrap(), b.join().unwrap())
        });
        if all().len() > 1 {
            assert_ne!(first, second);
        }
    }
}
