//! How commands fail: a sentence and an exit code.

use std::process::ExitCode;

/// Exit codes of the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Code {
    /// I/O, a bot that never started, a mismatch.
    Failed = 1,
    /// Wrong usage or config.
    Usage = 2,
    /// Done, but a claim is not supported.
    ClaimNotSupported = 3,
    /// A shard or results belong to another experiment.
    OtherExperiment = 65,
    /// Interrupted or transient: run again to resume.
    Transient = 75,
    /// Ctrl-C: resumable.
    Interrupted = 130,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

/// Why a command ended without success.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: Code,
    /// One sentence or a few lines; empty if all was said already.
    pub message: String,
}

impl Failure {
    /// A failure with this code and sentence.
    pub fn new(code: Code, message: impl std::fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
        }
    }

    /// Wrong usage or config.
    pub fn usage(message: impl std::fmt::Display) -> Self {
        Self::new(Code::Usage, message)
    }

    /// I/O and everything else that failed.
    pub fn failed(message: impl std::fmt::Display) -> Self {
        Self::new(Code::Failed, message)
    }
}

/// Writing to standard output failed. A closed pipe is the reader's choice and ends quietly.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // The reader has what it wanted: success, as ripgrep documents it.
            std::process::exit(0);
        }
        Self::failed(format!("cannot write to standard output: {error}"))
    }
}
