//! GNU parallel: shards that failed are tried again, and a second start of the script plays only
//! what the job log does not know as done.

use super::{Scripts, Submission, quoted, shell};

const SCRIPT: &str = "parallel.sh";
/// Stands for the shard's number. Not the usual `{}`, which may be in a path.
const NUMBER: &str = "@SHARD@";

pub(super) fn scripts(submission: &Submission) -> Scripts {
    let dir = submission.shard_dir();
    // Shards run side by side, so each takes one thread unless more are asked for.
    let jobs = submission.jobs.unwrap_or(1).max(1);
    let submission = &Submission {
        jobs: Some(jobs),
        ..submission.clone()
    };
    let mut arguments = vec![
        format!("-I {NUMBER} --tagstring 'shard {NUMBER}' --line-buffer"),
        format!("--joblog {}", shell(&dir.join("joblog.tsv"))),
        "--resume-failed --retries 3 --halt never".to_owned(),
        format!("--jobs {}%", (100 / jobs).max(1)),
    ];
    arguments.extend(submission.extra.iter().map(|text| quoted(text)));
    let script = format!(
        r"#!/bin/bash
# Plays {shards} shards, at most as many at a time as there are cores, and merges them. Start it
# again to go on after an interruption: shards that are finished are not played again.
set -u
seq 0 {last} | parallel {arguments} \
  {play}
{merge}
",
        shards = submission.shards,
        // A shell of its own reads it for each shard, so it is quoted twice.
        play = quoted(&submission.play(&format!("{NUMBER}/{}", submission.shards))),
        arguments = arguments.join(" "),
        last = submission.shards.saturating_sub(1),
        merge = submission.merge(),
    );
    Scripts {
        files: vec![(SCRIPT.into(), script)],
        commands: vec![format!("bash {}", shell(&dir.join(SCRIPT)))],
    }
}
