//! What a program of ill will tries. Each attempt writes a line `NAME allowed` or
//! `NAME refused: ERROR` to standard error.

use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};

use rustix::process::{Pid, Signal};

/// Attempts what `kind` says.
pub fn attack(kind: &str, value: &str) {
    match kind {
        "read-file" => {
            let results = format!("{value}/games.csv");
            report("read", std::fs::read(&results));
            report("write", std::fs::write(&results, "mine now"));
            report(
                "write-beside",
                std::fs::write(format!("{results}.new"), "x"),
            );
            report("write-scratch", std::fs::write("notes", "mine"));
            report("read-scratch", std::fs::read("notes"));
        }
        "sockets" => sockets(),
        "signal" => brute_force("signal", |pid| {
            rustix::process::kill_process(pid, Signal::KILL).is_ok()
        }),
        "trace" => brute_force("trace", |pid| {
            call(libc::SYS_ptrace, [0x4206, raw(pid), 0, 0, 0]).is_ok()
        }),
        "system-calls" => system_calls(),
        _ => {}
    }
}

fn report<T>(name: &str, result: io::Result<T>) {
    match result {
        Ok(_) => eprintln!("{name} allowed"),
        Err(e) => eprintln!("{name} refused: {e}"),
    }
}

fn sockets() {
    report("tcp-connect", TcpStream::connect("127.0.0.1:9"));
    report("tcp-listen", TcpListener::bind("127.0.0.1:0"));
    report("udp", UdpSocket::bind("127.0.0.1:0"));
    report("unix", UnixDatagram::unbound());
    report("pair", UnixStream::pair());
}

/// Tries every process number that is likely to exist, but for this process itself.
fn brute_force(name: &str, attempt: impl Fn(Pid) -> bool) {
    let me = rustix::process::getpid();
    let all = (2..65_536).filter_map(Pid::from_raw);
    let hits = all.filter(|&pid| pid != me && attempt(pid)).count();
    eprintln!("{name} hits: {hits}");
}

fn raw(pid: Pid) -> i64 {
    pid.as_raw_nonzero().get().into()
}

fn system_calls() {
    let parent = rustix::process::getppid().map_or(1, raw);
    let attempts: &[(&str, libc::c_long, [i64; 5])] = &[
        ("socketpair", libc::SYS_socketpair, [1, 1, 0, 0, 0]),
        ("unshare", libc::SYS_unshare, [0x1000_0000, 0, 0, 0, 0]),
        (
            "clone-namespace",
            libc::SYS_clone,
            [0x1000_0011, 0, 0, 0, 0],
        ),
        ("io_uring", libc::SYS_io_uring_setup, [1, 0, 0, 0, 0]),
        ("keyctl", libc::SYS_keyctl, [0, -3, 1, 0, 0]),
        ("add_key", libc::SYS_add_key, [0, 0, 0, 0, 0]),
        ("bpf", libc::SYS_bpf, [0, 0, 0, 0, 0]),
        ("mount", libc::SYS_mount, [0, 0, 0, 0, 0]),
        ("perf", libc::SYS_perf_event_open, [0, 0, -1, -1, 0]),
        ("userfaultfd", libc::SYS_userfaultfd, [1, 0, 0, 0, 0]),
        ("vm_readv", libc::SYS_process_vm_readv, [parent, 0, 0, 0, 0]),
        ("prlimit-parent", libc::SYS_prlimit64, [parent, 7, 0, 0, 0]),
        (
            "affinity-parent",
            libc::SYS_sched_setaffinity,
            [parent, 8, 0, 0, 0],
        ),
        ("shmget", libc::SYS_shmget, [0x1234, 4096, 0o1666, 0, 0]),
        ("tiocsti", libc::SYS_ioctl, [0, 0x5412, 0, 0, 0]),
        #[cfg(target_arch = "x86_64")]
        ("x32-getpid", 0x4000_0000 | libc::SYS_getpid, [0; 5]),
        // Allowed: what every program needs.
        ("getpid", libc::SYS_getpid, [0; 5]),
        ("prlimit-self", libc::SYS_prlimit64, [0, 7, 0, 0, 0]),
    ];
    for &(name, number, arguments) in attempts {
        report(name, call(number, arguments));
    }
    report("clone3", call(libc::SYS_clone3, [0; 5]));
    report(
        "proc-parent",
        std::fs::read(format!("/proc/{parent}/environ")),
    );
    report("proc-self", std::fs::read("/proc/self/stat"));
    report("passwd", std::fs::read("/etc/passwd"));
    report("shadow", std::fs::read("/etc/shadow"));
    report("home", std::fs::read_dir("/root"));
    report("thread", std::thread::Builder::new().spawn(|| {}));
}

#[expect(unsafe_code, reason = "attacks are made of raw system calls")]
fn call(number: libc::c_long, arguments: [i64; 5]) -> io::Result<i64> {
    let [a, b, c, d, e] = arguments;
    // SAFETY: every pointer among the arguments above is null, and no call that succeeds with
    // them changes this process's memory.
    let result = unsafe { libc::syscall(number, a, b, c, d, e) };
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        // A process that a call made must not go on as a second player.
        if number == libc::SYS_clone && result == 0 {
            std::process::exit(0);
        }
        Ok(result)
    }
}
