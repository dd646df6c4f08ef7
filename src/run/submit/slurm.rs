//! A Slurm job array and a job that merges.
//!
//! A job that was stopped, or whose program was killed, is requeued by its own script before it
//! exits: Slurm's `RequeueExit` would end the job first, and the dependency of the merge with it.
//! Jobs lost with their node are requeued by Slurm (`--requeue`). The merge waits for the end of
//! all of them, however they end (`afterany`), and says what is missing and how to submit it.

use super::{RETRIES, Scripts, Submission, TRANSIENT, shell};

/// The script of the array, in the folder of the shards.
pub const SLURM_ARRAY: &str = "array.sbatch";
const MERGE: &str = "merge.sbatch";

pub(super) fn scripts(submission: &Submission) -> Scripts {
    let dir = submission.shard_dir();
    let mut extra = String::new();
    for line in &submission.extra {
        extra.push_str("#SBATCH ");
        extra.push_str(line);
        extra.push('\n');
    }
    let cpus = submission.jobs.map_or_else(String::new, |jobs| {
        format!("#SBATCH --cpus-per-task={jobs}\n")
    });
    // Slurm reads `%` and backslashes in its own options, so paths stay out of them: jobs start
    // in the folder that they are submitted from, which the commands below set.
    let array = format!(
        r#"#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
#SBATCH --output=slurm-%A-%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
{cpus}{extra}
# A signal to this script is handed on, so that the shard is left in a state that it goes on from.
{play} &
child=$!
trap 'kill -TERM "$child" 2>/dev/null' TERM INT
wait "$child"
code=$?
# An interrupted `wait` is no end: wait until the program has ended.
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  code=$?
done
# {transient}: stopped, goes on when started again. Above 128: killed by a signal. Requeued is what
# still runs: a job that somebody cancelled stays cancelled.
me="${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
if [ "$code" -eq {transient} ] || [ "$code" -gt 128 ]; then
  if [ "$(squeue -h -j "$me" -o %T)" = RUNNING ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {retries} ]; then
    echo "shard $SLURM_ARRAY_TASK_ID ended with code $code: requeued" >&2
    scontrol requeue "$me" && sleep 60
  fi
fi
exit "$code"
"#,
        name = submission.job_name(),
        last = submission.shards.saturating_sub(1),
        play = submission.play(&format!("\"$SLURM_ARRAY_TASK_ID\"/{}", submission.shards)),
        transient = TRANSIENT,
        retries = RETRIES,
    );
    let merge = format!(
        r"#!/bin/bash
#SBATCH --job-name={name}-merge
#SBATCH --output=slurm-merge-%j.log
#SBATCH --open-mode=append
{cpus}{extra}
{merge}
",
        name = submission.job_name(),
        merge = submission.merge(),
    );
    let cd = format!("cd {}", shell(&dir));
    Scripts {
        files: vec![(SLURM_ARRAY.into(), array), (MERGE.into(), merge)],
        commands: vec![
            format!("{cd} && job=$(sbatch --parsable {SLURM_ARRAY}) && echo \"array job: $job\""),
            format!(
                "{cd} && merge=$(sbatch --parsable --dependency=\"afterany:${{job%%;*}}\" {MERGE}) && echo \"merge job: $merge\""
            ),
        ],
    }
}
