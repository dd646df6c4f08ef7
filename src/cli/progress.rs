//! Progress on standard error: a bar on a terminal, lines in a log, JSON for programs.
//!
//! What is shown covers the finished prefix of the schedule, never the order of completion, and the
//! intervals are confidence sequences: valid at any time.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::ProgressMode;
use crate::numbers::{count, percent};
use crate::run::{CellProgress, Observer, Status};
use crate::stats::Interval;
use crate::stats::confidence_sequences::BettingMixture;

/// Seconds between plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// The observer for a mode.
pub(super) fn observer(mode: ProgressMode) -> Box<dyn Observer> {
    match mode {
        ProgressMode::Auto if std::io::stderr().is_terminal() => Box::new(Bar::new()),
        ProgressMode::Auto | ProgressMode::Plain => Box::new(Plain { told: None }),
        ProgressMode::Json => Box::new(Json),
        ProgressMode::None => Box::new(Quiet),
    }
}

/// `1 h 02 min`, `3 min 20 s`, `7 s`.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The cell that is being played, in words.
fn running(status: &Status<'_>) -> String {
    let Some(index) = status.running else {
        return "all cells are finished".to_owned();
    };
    let (Some(cell), Some(progress)) = (status.plan.cells.get(index), status.cells.get(index))
    else {
        return String::new();
    };
    let axes = cell.axes.iter().flatten().map(ToString::to_string);
    let challenger: Vec<String> = std::iter::once(cell.label.clone()).chain(axes).collect();
    let mut text = format!("{} v {}", challenger.join(" "), cell.opponent_label);
    let [wins, draws, losses, truncated] = progress.tally.outcomes;
    if let Some(mean) = progress.tally.mean() {
        text.push_str(&format!(": +{wins} ={draws} -{losses} ({}", percent(mean)));
        if let Some(live) = live(status, progress) {
            text.push_str(&format!(
                ", {} to {} valid at any time",
                percent(live.low),
                percent(live.high)
            ));
        }
        text.push(')');
        if truncated > 0 {
            text.push_str(&format!(", {truncated} cut off"));
        }
    }
    let faults = progress.tally.forfeits();
    if faults > 0 {
        text.push_str(&format!(", {faults} forfeits"));
    }
    text
}

/// The confidence sequence of a cell over the finished prefix of its schedule: it may be looked at
/// as often as one likes.
fn live(status: &Status<'_>, progress: &CellProgress) -> Option<Interval> {
    let mut sequence = BettingMixture::new(1.0 - status.plan.confidence).ok()?;
    for (score, count) in progress.tally.scores.values() {
        sequence.update_times(score, count).ok()?;
    }
    (sequence.count() > 0).then(|| sequence.interval())
}

fn finished_cells(status: &Status<'_>) -> usize {
    status
        .cells
        .iter()
        .filter(|cell| cell.is_finished())
        .count()
}

struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::new(1);
        let style = ProgressStyle::with_template("{bar:28} {percent:>3} %  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("█▓░");
        bar.set_style(style);
        Self { bar }
    }
}

impl Observer for Bar {
    fn update(&mut self, status: &Status<'_>) {
        self.bar.set_length(status.planned_blocks().max(1));
        self.bar.set_position(status.finished_blocks());
        let left = status
            .left
            .map_or_else(String::new, |left| format!("{} left, ", duration(left)));
        self.bar.set_message(format!(
            "{left}cell {} of {}, {}",
            (finished_cells(status) + 1).min(status.cells.len()),
            status.cells.len(),
            running(status)
        ));
        if status.last {
            self.bar.finish_and_clear();
        }
    }

    fn note(&mut self, text: &str) {
        self.bar.println(format!("evalctl: {text}"));
    }
}

struct Plain {
    told: Option<Instant>,
}

impl Observer for Plain {
    fn update(&mut self, status: &Status<'_>) {
        let due = self.told.is_none_or(|told| told.elapsed() >= PLAIN_EVERY);
        if !due && !status.last {
            return;
        }
        self.told = Some(Instant::now());
        let left = status
            .left
            .map_or_else(String::new, |left| format!(", {} left", duration(left)));
        say(&format!(
            "{} of {} blocks, {} games, {} elapsed{left}; {}",
            count(status.finished_blocks()),
            count(status.planned_blocks()),
            count(status.finished_games()),
            duration(status.elapsed),
            running(status)
        ));
    }

    fn note(&mut self, text: &str) {
        say(text);
    }
}

struct Json;

impl Observer for Json {
    fn update(&mut self, status: &Status<'_>) {
        let progress = status.running.and_then(|index| status.cells.get(index));
        let interval = progress.and_then(|progress| live(status, progress));
        let line = json!({
            "kind": "progress",
            "blocks": status.finished_blocks(),
            "blocks_planned": status.planned_blocks(),
            "games": status.finished_games(),
            "cells_finished": finished_cells(status),
            "cells": status.cells.len(),
            "running": status.running,
            "score": progress.and_then(|progress| progress.tally.mean()),
            "any_time_low": interval.map(|interval| interval.low),
            "any_time_high": interval.map(|interval| interval.high),
            "elapsed_s": status.elapsed.as_secs_f64(),
            "left_s": status.left.map(|left| left.as_secs_f64()),
            "last": status.last,
        });
        raw(&line.to_string());
    }

    fn note(&mut self, text: &str) {
        raw(&json!({"kind": "note", "text": text}).to_string());
    }
}

struct Quiet;

impl Observer for Quiet {
    fn update(&mut self, _status: &Status<'_>) {}

    fn note(&mut self, text: &str) {
        say(text);
    }
}

fn say(text: &str) {
    raw(&format!("evalctl: {text}"));
}

/// A line on standard error; nobody reads it if that is closed.
fn raw(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
