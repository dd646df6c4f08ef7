//! How long a program may take and how much memory it may have.

use std::time::{Duration, Instant};

/// The limits of one program. Each is explicit and separate: one slow start is not a slow move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Milliseconds from the start of the process to its `ready`. Dialects without a handshake
    /// cannot tell a slow start from a slow answer: there the first answer of a process has this
    /// time and that of the move, and only what exceeds it counts for the game.
    pub start_ms: u64,
    /// Milliseconds for one move, counted anew for each.
    pub move_ms: u64,
    /// Milliseconds added to every limit for the way between the processes. An answer after limit
    /// and margin is late, even if it is correct.
    pub margin_ms: u64,
    /// Milliseconds for all moves of one game together, if limited.
    pub game_ms: Option<u64>,
    /// Memory of each of the program's processes, MiB.
    pub memory_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start_ms: 10_000,
            move_ms: 5_000,
            margin_ms: 10,
            game_ms: None,
            memory_mb: 4096,
        }
    }
}

impl Limits {
    /// Time to become ready, margin included.
    pub fn start(&self) -> Duration {
        Duration::from_millis(self.start_ms.saturating_add(self.margin_ms))
    }

    /// Milliseconds for the next move if the program has used `used` in this game so far.
    pub fn next_move_ms(&self, used: Duration) -> u64 {
        let used = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
        match self.game_ms {
            Some(game) => self.move_ms.min(game.saturating_sub(used)),
            None => self.move_ms,
        }
    }

    /// `milliseconds` with the margin.
    pub fn with_margin(&self, milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds.saturating_add(self.margin_ms))
    }
}

/// The moment `time` after `from`; absurdly long times are a year.
#[inline]
pub(crate) fn deadline(from: Instant, time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    from.checked_add(time.min(YEAR)).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_has_its_own_time_within_that_of_the_game() {
        let limits = Limits {
            move_ms: 100,
            game_ms: Some(250),
            ..Limits::default()
        };
        let after = |ms| limits.next_move_ms(Duration::from_millis(ms));
        assert_eq!(
            [after(0), after(140), after(200), after(900)],
            [100, 100, 50, 0]
        );
        assert_eq!(Limits::default().next_move_ms(Duration::MAX), 5000);
        assert_eq!(limits.with_margin(100), Duration::from_millis(110));
    }
}
