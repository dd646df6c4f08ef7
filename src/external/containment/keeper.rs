//! The side of `evalctl`: starts a helper process, hands it a bot's pipes, hears how the bot ended.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::ending::Ending;
use super::supervisor::ARGUMENT;
use super::wire::{self, Bounds, Order, Report, StrictOrder};
use super::{Level, Sandbox};
use crate::external::command::ResolvedCommand;
use crate::external::limits::Limits;

/// The largest file a bot may write, in bytes.
const FILE_SIZE: u64 = 256 << 20;
/// Processor time of one process of a bot, in seconds: a day stops only what was forgotten.
const CPU_SECONDS: u64 = 86_400;
/// Files a bot may have open.
const OPEN_FILES: u64 = 1024;
/// Address space is reserved far beyond what is used (Java, WebAssembly): this much, and a quarter
/// of the machine's memory (Java's heap), may be reserved above the memory limit, in bytes.
const RESERVABLE: u64 = 16 << 30;
/// Processes and threads that may exist above what the user has when the run starts (`strict`).
const PROCESSES: u64 = 4096;

/// The bot's pipe ends: standard input, output and error.
pub(crate) type BotPipes = [OwnedFd; 3];

/// A bot under a helper process. Dropping it ends the bot and everything the bot started, and
/// returns when they are gone.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// Closed to ask for the end.
    control: Option<UnixStream>,
    helper: Child,
    pid: i32,
    ending: Option<Ending>,
}

/// Why a bot did not start.
#[derive(Debug)]
pub(crate) enum KeepError {
    /// The helper process itself failed.
    Helper(String),
    /// The helper could not start the program.
    Program { why: String, errno: Option<i32> },
}

/// What is to be kept, besides the command.
pub(crate) struct Keeping<'a> {
    pub sandbox: &'a Sandbox,
    pub env: &'a [(OsString, OsString)],
    pub limits: &'a Limits,
    pub bot_cores: &'a [usize],
    pub helper_cores: &'a [usize],
}

impl Keeper {
    /// Starts `command` with `pipes` under a helper; gives up at `deadline`.
    pub(crate) fn start(
        command: &ResolvedCommand,
        keeping: &Keeping<'_>,
        pipes: &BotPipes,
        deadline: Instant,
    ) -> Result<Self, KeepError> {
        let failed =
            |what: &str, e: &dyn std::fmt::Display| KeepError::Helper(format!("{what}: {e}"));
        let (control, theirs) =
            UnixStream::pair().map_err(|e| failed("cannot make a control socket", &e))?;
        let program = keeping
            .sandbox
            .helper
            .clone()
            // Not the path that this program was started by, which may have been replaced since.
            .unwrap_or_else(|| PathBuf::from("/proc/self/exe"));
        let helper = Command::new(&program)
            .arg0("bot-supervisor")
            .arg(ARGUMENT)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| failed("cannot start the helper process", &e))?;
        let mut keeper = Self {
            control: Some(control),
            helper,
            pid: 0,
            ending: None,
        };
        let order = order(command, keeping);
        let [input, output, errors] = pipes;
        let pipes = [input.as_fd(), output.as_fd(), errors.as_fd()];
        keeper
            .socket()
            .and_then(|socket| wire::send_with_descriptors(socket, &order, &pipes))
            .map_err(|e| failed("cannot reach the helper process", &e))?;
        match keeper.hear(deadline) {
            Ok(Some(Report::Started { pid })) => {
                keeper.pid = pid;
                Ok(keeper)
            }
            Ok(Some(Report::Failed { why, errno })) => Err(KeepError::Program { why, errno }),
            Ok(Some(Report::Ended(_)) | None) => Err(KeepError::Helper(format!(
                "the helper process did not answer (is `{}` a program that calls `evalctl::external::main_if_requested` first?)",
                program.display()
            ))),
            Err(e) => Err(failed("the helper process did not answer", &e)),
        }
    }

    /// The bot's process id.
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// How the bot ended, if it does so by `deadline`.
    pub(crate) fn ending(&mut self, deadline: Instant) -> Option<Ending> {
        if self.ending.is_none()
            && let Ok(Some(Report::Ended(ending))) = self.hear(deadline)
        {
            self.ending = Some(ending);
        }
        self.ending
    }

    /// Ends the bot with everything it started; returns when they are gone.
    pub(crate) fn end(&mut self) {
        self.control = None;
        // The helper waits for the kernel at most some seconds.
        let _ = self.helper.wait();
    }

    fn socket(&self) -> io::Result<&UnixStream> {
        let ended = || io::Error::from(io::ErrorKind::NotConnected);
        self.control.as_ref().ok_or_else(ended)
    }

    fn hear(&self, deadline: Instant) -> io::Result<Option<Report>> {
        let socket = self.socket()?;
        let left = deadline.saturating_duration_since(Instant::now());
        // A zero time limit would mean "wait for ever".
        socket.set_read_timeout(Some(left.max(Duration::from_micros(1))))?;
        wire::receive(socket)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.end();
    }
}

fn order(command: &ResolvedCommand, keeping: &Keeping<'_>) -> Order {
    let sandbox = keeping.sandbox;
    let strict = sandbox.level == Level::Strict;
    Order {
        program: command.program.clone(),
        args: command.args.clone(),
        env: keeping.env.to_vec(),
        scratch_parent: std::env::temp_dir(),
        bounds: bounds(keeping.limits.memory_mb, strict),
        bot_cores: keeping.bot_cores.to_vec(),
        helper_cores: keeping.helper_cores.to_vec(),
        own_session: strict || !sessions_are_scheduling_groups(),
        account: sandbox.user.map(|user| (user, group_of(user))),
        strict: strict.then(|| StrictOrder {
            readable: own_folders(command)
                .into_iter()
                .chain(sandbox.readable.iter().cloned())
                .collect(),
        }),
    }
}

/// Whether the kernel schedules sessions as groups (`CONFIG_SCHED_AUTOGROUP`, sched(7)).
///
/// Then every turn of a bot in a session of its own takes part in scheduling twice, which was
/// measured to cost 3 microseconds of 11. The bot then gets a process group of its own and loses
/// the terminal, which isolates it as well from signals of the terminal and from `/dev/tty`.
fn sessions_are_scheduling_groups() -> bool {
    std::fs::read_to_string("/proc/sys/kernel/sched_autogroup_enabled")
        .is_ok_and(|enabled| enabled.trim() == "1")
}

fn bounds(memory_mb: u64, strict: bool) -> Bounds {
    let data = memory_mb.saturating_mul(1 << 20);
    let system = rustix::system::sysinfo();
    let unit = u64::from(system.mem_unit);
    #[expect(
        clippy::useless_conversion,
        reason = "the field is 32 bits wide on some systems"
    )]
    let machine = u64::from(system.totalram).saturating_mul(unit);
    Bounds {
        data,
        address_space: data.saturating_add(RESERVABLE).saturating_add(machine / 4),
        file_size: FILE_SIZE,
        cpu_seconds: CPU_SECONDS,
        open_files: OPEN_FILES,
        // The kernel counts all of the user's processes, so the limit is above what there are. It
        // is counted once: the order of magnitude is what stops a fork bomb.
        processes: strict.then(|| PROCESSES.saturating_add(existing_threads())),
    }
}

/// Threads of all users when first asked; a user's own cannot be more.
fn existing_threads() -> u64 {
    static COUNT: OnceLock<u64> = OnceLock::new();
    *COUNT.get_or_init(|| {
        // "0.20 0.18 0.12 1/80 11206": running and existing, before the slash and after it.
        std::fs::read_to_string("/proc/loadavg")
            .ok()
            .and_then(|text| text.split(['/', ' ']).nth(4)?.parse().ok())
            .unwrap_or(4096)
    })
}

/// The user's primary group by `/etc/passwd`, else the group with the same number.
pub(crate) fn group_of(user: u32) -> u32 {
    let find = |accounts: String| {
        accounts.lines().find_map(|line| {
            let mut fields = line.split(':').skip(2);
            let id: u32 = fields.next()?.parse().ok()?;
            let group = fields.next()?.parse().ok()?;
            (id == user).then_some(group)
        })
    };
    let accounts = std::fs::read_to_string("/etc/passwd").ok();
    accounts.and_then(find).unwrap_or(user)
}

/// What a bot may read of its own: the folders of the program and of the files among its
/// arguments; of an interpreter outside the system's folders, its whole installation.
fn own_folders(command: &ResolvedCommand) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let files = std::iter::once(command.program.as_path())
        .chain(command.args.iter().map(Path::new))
        .filter(|path| path.is_absolute() && path.is_file());
    for file in files {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        for path in [file, &real] {
            if let Some(folder) = path.parent() {
                folders.push(installation(folder).unwrap_or(folder).to_owned());
            }
        }
    }
    folders.sort();
    folders.dedup();
    // The whole disk is nobody's own folder.
    folders.retain(|folder| folder.parent().is_some());
    folders
}

/// `/opt/python` of `/opt/python/bin`, if it has a `lib` beside `bin`.
fn installation(folder: &Path) -> Option<&Path> {
    let root = folder.parent()?;
    (folder.ends_with("bin") && root.join("lib").is_dir() && root.parent().is_some())
        .then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_readable_as_a_whole_and_a_plain_folder_alone() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for below in ["python/bin", "python/lib", "bots"] {
            std::fs::create_dir_all(root.join(below)).unwrap();
        }
        for file in ["python/bin/python3", "bots/bot.py"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let command = ResolvedCommand {
            program: root.join("python/bin/python3"),
            args: vec![root.join("bots/bot.py").into(), "-x".into()],
            display: String::new(),
            missing: None,
        };
        assert_eq!(
            own_folders(&command),
            [root.join("bots"), root.join("python")]
        );
    }

    #[test]
    fn limits_are_above_what_is_asked() {
        let bounds = bounds(512, true);
        assert_eq!(bounds.data, 512 << 20);
        assert!(bounds.address_space > 16 << 30);
        assert!(bounds.processes.unwrap() > PROCESSES);
        assert_eq!(super::bounds(512, false).processes, None);
        assert_eq!(group_of(0), 0);
    }
}
