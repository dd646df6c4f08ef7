//! Ctrl-C and SIGTERM: the first asks to stop within a second, the second stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::error::{Code, Failure};

/// The request to stop, shared with whatever plays.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop {
    flag: Arc<AtomicBool>,
    /// The signal that asked: 0 for none.
    signal: Arc<AtomicU8>,
}

impl Stop {
    /// Listens for signals from now on.
    pub(super) fn listen() -> Result<Self, Failure> {
        let stop = Self::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            use signal_hook::iterator::Signals;
            let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
                .map_err(|error| Failure::failed(format!("cannot listen for signals: {error}")))?;
            let told = stop.clone();
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    told.request(u8::try_from(signal).unwrap_or(u8::MAX));
                }
            });
        }
        #[cfg(not(unix))]
        {
            let told = stop.clone();
            ctrlc::set_handler(move || told.request(INTERRUPT))
                .map_err(|error| Failure::failed(format!("cannot listen for Ctrl-C: {error}")))?;
        }
        Ok(stop)
    }

    fn request(&self, signal: u8) {
        if self.flag.swap(true, Ordering::SeqCst) {
            // The second signal: the journal is written block by block, so nothing is lost.
            std::process::exit(i32::from(code_of(signal) as u8));
        }
        self.signal.store(signal, Ordering::SeqCst);
    }

    /// The flag for those who play.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Whether a signal has asked to stop.
    pub(super) fn is_asked(&self) -> bool {
        self.flag.load(Ordering::SeqCst)
    }

    /// The exit code that belongs to the signal that asked.
    pub(super) fn code(&self) -> Code {
        code_of(self.signal.load(Ordering::SeqCst))
    }
}

const INTERRUPT: u8 = 2;

fn code_of(signal: u8) -> Code {
    if signal == INTERRUPT || signal == 0 {
        Code::Interrupted
    } else {
        Code::Transient
    }
}
