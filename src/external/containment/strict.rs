//! What `strict` adds: Landlock for files, TCP, signals and abstract sockets, and a seccomp filter
//! for everything that a player of board games has no business doing.
//!
//! Both are set by the bot's own process between `fork` and `exec`, so that the helper stays
//! outside: its children cannot signal, trace or read it. All or nothing: every step that fails
//! fails the start.
//!
//! Sources: landlock(7), seccomp(2), and the default profiles of container engines for the list of
//! system calls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath,
    PathFd, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetStatus,
    Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::SandboxError;

/// Signal and abstract-socket scopes are the newest of what is needed (Linux 6.12).
const LANDLOCK: ABI = ABI::V6;

/// System folders that may be read and executed from.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// Files and folders outside [`SYSTEM`] that run-time environments read when they start.
const READABLE: &[&str] = &[
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/group",
    "/etc/mime.types",
    // Without its OpenSSL settings Node refuses to start.
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Folders of `/etc` with these beginnings belong to run-time environments (`java-21-openjdk`,
/// `python3`, `perl`).
const READABLE_ETC: &[&str] = &["java", "python", "perl", "mono", "dotnet"];

/// Devices that may be read, and written where that means nothing.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// What `strict` needs from the kernel, tried out without restricting anybody; the Landlock ABI
/// that will be enforced.
pub(super) fn probe() -> Result<u32, SandboxError> {
    let ruleset = handled().map_err(SandboxError::Kernel)?;
    drop(ruleset);
    filters().map_err(SandboxError::Kernel)?;
    let actions = "/proc/sys/kernel/seccomp/actions_avail";
    match std::fs::read_to_string(actions) {
        Ok(list) if list.split_whitespace().any(|a| a == "errno") => {}
        _ => {
            return Err(SandboxError::Kernel(
                "the kernel has no seccomp filters".to_owned(),
            ));
        }
    }
    Ok(LANDLOCK as u32)
}

/// Everything that Landlock can forbid, forbidden.
fn handled() -> Result<RulesetCreated, String> {
    let attempt = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(LANDLOCK))?
            .handle_access(AccessNet::from_all(LANDLOCK))?
            .scope(Scope::from_all(LANDLOCK))?
            .create()
    };
    attempt().map_err(|e| format!("Landlock: {e}"))
}

/// The restrictions of one bot, prepared by the helper and set by the bot's process.
pub(super) struct Prepared {
    ruleset: Option<RulesetCreated>,
    filters: [BpfProgram; 2],
}

impl Prepared {
    /// Rules that let the bot read the system and `readable`, and write below `scratch`.
    pub(super) fn new(readable: &[PathBuf], scratch: &Path) -> Result<Self, String> {
        let read = AccessFs::from_read(LANDLOCK);
        let mut ruleset = handled()?;
        for path in SYSTEM.iter().chain(READABLE).map(Path::new) {
            ruleset = allow(ruleset, path, read, IfMissing::Skip)?;
        }
        for entry in std::fs::read_dir("/etc").into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if READABLE_ETC.iter().any(|start| name.starts_with(start)) {
                ruleset = allow(ruleset, &entry.path(), read, IfMissing::Skip)?;
            }
        }
        for device in DEVICES.iter().map(Path::new) {
            let access = AccessFs::ReadFile | AccessFs::WriteFile;
            ruleset = allow(ruleset, device, access, IfMissing::Skip)?;
        }
        for path in readable {
            ruleset = allow(ruleset, path, read, IfMissing::Fail)?;
        }
        let device_files = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
        let write = AccessFs::from_all(LANDLOCK) & !device_files;
        ruleset = allow(ruleset, scratch, write, IfMissing::Fail)?;
        Ok(Self {
            ruleset: Some(ruleset),
            filters: filters()?,
        })
    }

    /// Restricts the calling process, for ever and with everything it will execute.
    ///
    /// It allocates: call it only in a process with one thread.
    pub(super) fn enforce(&mut self) -> Result<(), String> {
        let ruleset = self.ruleset.take().ok_or("restricted twice")?;
        // Known only now: `/proc/self` is this very process.
        let read = AccessFs::from_read(LANDLOCK);
        let ruleset = allow(ruleset, Path::new("/proc/self"), read, IfMissing::Skip)?;
        let status = ruleset
            .restrict_self()
            .map_err(|e| format!("Landlock: {e}"))?;
        if status.ruleset != RulesetStatus::FullyEnforced || !status.no_new_privs {
            return Err("Landlock is enforced only in part".to_owned());
        }
        for filter in &self.filters {
            seccompiler::apply_filter(filter).map_err(|e| format!("seccomp: {e}"))?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IfMissing {
    Skip,
    Fail,
}

fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
    if_missing: IfMissing,
) -> Result<RulesetCreated, String> {
    let failed = |e: &dyn std::fmt::Display| format!("Landlock, {}: {e}", path.display());
    let (opened, metadata) = match (PathFd::new(path), path.metadata()) {
        (Ok(opened), Ok(metadata)) => (opened, metadata),
        _ if if_missing == IfMissing::Skip => return Ok(ruleset),
        (Err(e), _) => return Err(failed(&e)),
        (_, Err(e)) => return Err(failed(&e)),
    };
    // Rights that only folders have are refused for files.
    let access = if metadata.is_dir() {
        access
    } else {
        access & AccessFs::from_file(LANDLOCK)
    };
    ruleset
        .add_rule(PathBeneath::new(opened, access))
        .map_err(|e| failed(&e))
}

/// System calls that are refused with EPERM.
const REFUSED: &[libc::c_long] = &[
    // The network, and sockets of every other kind.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmsg,
    libc::SYS_recvmmsg,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_perf_event_open,
    libc::SYS_lookup_dcookie,
    // Messages and memory that outlive a process or are shared with other programs of the user.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Ways around this filter, and parts of the kernel with a record of being attacked.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_fanotify_init,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // Mounts and namespaces (`clone` with namespace flags is refused below).
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    // The machine itself.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_personality,
];

/// System calls whose first argument is a process: allowed for the caller itself (0) only. The
/// user's other processes, such as the opponent, could be slowed or limited with them.
const SELF_ONLY: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
];

/// `clone` flags that make namespaces: time, mount, cgroup, uts, ipc, user, pid, net.
const NAMESPACE_FLAGS: [u64; 8] = [
    0x80,
    0x0002_0000,
    0x0200_0000,
    0x0400_0000,
    0x0800_0000,
    0x1000_0000,
    0x2000_0000,
    0x4000_0000,
];

/// Terminal requests that put words into another program's mouth.
const TERMINAL_INPUT: [u64; 2] = [0x5412, 0x541c];

fn filters() -> Result<[BpfProgram; 2], String> {
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    for &call in SELF_ONLY {
        refused.insert(call, vec![rule(0, SeccompCmpOp::Ne, 0)?]);
    }
    refused.insert(libc::SYS_clone, any_flag(&NAMESPACE_FLAGS)?);
    let requests: Result<_, _> = TERMINAL_INPUT
        .iter()
        .map(|&request| rule(1, SeccompCmpOp::Eq, request))
        .collect();
    refused.insert(libc::SYS_ioctl, requests?);
    // The flags of clone3 are in memory, which a filter cannot read. ENOSYS makes the C library
    // fall back to clone.
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let mut first = program(refused, libc::EPERM)?;
    if cfg!(target_arch = "x86_64") {
        first.splice(0..0, refuse_x32());
    }
    Ok([first, program(unknown, libc::ENOSYS)?])
}

fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<BpfProgram, String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)
        .map_err(|_| "no seccomp filter for this processor".to_owned())?;
    let refuse = SeccompAction::Errno(errno.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)
        .and_then(BpfProgram::try_from)
        .map_err(|e| format!("seccomp: {e}"))
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, String> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|e| format!("seccomp: {e}"))
}

fn any_flag(flags: &[u64]) -> Result<Vec<SeccompRule>, String> {
    flags
        .iter()
        .map(|&flag| rule(0, SeccompCmpOp::MaskedEq(flag), flag))
        .collect()
}

/// Instructions that refuse the x32 numbers of system calls (bit 30 set), which would pass a
/// filter that compares 64-bit numbers: `ld [nr]; jge #0x40000000, 0, 1; ret ERRNO(EPERM)`.
fn refuse_x32() -> [sock_filter; 3] {
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    [
        instruction(0x20, 0, 0, 0),
        instruction(0x35, 0, 1, 0x4000_0000),
        instruction(0x06, 0, 0, 0x0005_0000 | libc::EPERM.unsigned_abs()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_compile_and_their_lists_do_not_overlap() {
        let [first, second] = filters().unwrap();
        assert!(first.len() > REFUSED.len() && second.len() > 3);
        for call in SELF_ONLY {
            assert!(!REFUSED.contains(call), "{call}");
        }
    }
}
