//! How a process ended, in words.

use serde::{Deserialize, Serialize};

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It exited with this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Exited(status) => write!(f, "exited with status {status}"),
            Self::Killed(signal) => match signal_name(signal) {
                Some((name, hint)) => write!(f, "was ended by signal {signal} ({name}{hint})"),
                None => write!(f, "was ended by signal {signal}"),
            },
        }
    }
}

fn signal_name(signal: i32) -> Option<(&'static str, &'static str)> {
    Some(match signal {
        4 => ("SIGILL", ", an illegal instruction"),
        6 => ("SIGABRT", ", it aborted itself"),
        8 => ("SIGFPE", ", an arithmetic error"),
        9 => ("SIGKILL", ""),
        11 => ("SIGSEGV", ", a memory error"),
        13 => ("SIGPIPE", ", it wrote to a closed pipe"),
        15 => ("SIGTERM", ""),
        24 if cfg!(target_os = "linux") => ("SIGXCPU", ", the limit on processor time"),
        25 if cfg!(target_os = "linux") => ("SIGXFSZ", ", the limit on file size"),
        31 if cfg!(target_os = "linux") => ("SIGSYS", ", a forbidden system call"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_told_in_words() {
        assert_eq!(Ending::Exited(3).to_string(), "exited with status 3");
        let text = Ending::Killed(11).to_string();
        assert_eq!(text, "was ended by signal 11 (SIGSEGV, a memory error)");
        assert_eq!(Ending::Killed(63).to_string(), "was ended by signal 63");
    }
}
