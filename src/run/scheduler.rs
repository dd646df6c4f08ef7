//! Which shard a job of a cluster's array is, from the variables that its scheduler sets.
//!
//! A resubmitted array is often a part of the first one, so its size says nothing about the run:
//! the number of shards comes from the run's folder ([`Cut`]) wherever that says it. Only the first
//! submission, if nothing else told, takes it from the scheduler, and only from an array that
//! begins where shards begin and has no gaps.

use super::{Cut, Shard};

/// The number of shards, for schedulers that do not tell it (set by `evalctl submit`).
pub const COUNT_VARIABLE: &str = "EVALCTL_SHARDS";

/// A scheduler and the variables by which it tells a job which one of an array it is.
struct Scheduler {
    name: &'static str,
    index: &'static str,
    /// The number of the first job that numbers shards without gaps.
    first: u64,
    /// First and last number of the array, and the step between numbers, where they are told.
    range: [Option<&'static str>; 3],
    /// How many jobs the array has, where that is told.
    count: Option<&'static str>,
    /// A value of `index` that means "no array".
    none: &'static str,
}

const SCHEDULERS: [Scheduler; 7] = [
    Scheduler {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        first: 0,
        range: [
            Some("SLURM_ARRAY_TASK_MIN"),
            Some("SLURM_ARRAY_TASK_MAX"),
            Some("SLURM_ARRAY_TASK_STEP"),
        ],
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        none: "",
    },
    Scheduler {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        first: 0,
        range: [None; 3],
        count: None,
        none: "",
    },
    Scheduler {
        name: "PBS",
        index: "PBS_ARRAY_INDEX",
        first: 0,
        range: [None; 3],
        count: None,
        none: "",
    },
    Scheduler {
        name: "Torque",
        index: "PBS_ARRAYID",
        first: 0,
        range: [None; 3],
        count: None,
        none: "",
    },
    Scheduler {
        name: "SGE",
        index: "SGE_TASK_ID",
        first: 1,
        range: [
            Some("SGE_TASK_FIRST"),
            Some("SGE_TASK_LAST"),
            Some("SGE_TASK_STEPSIZE"),
        ],
        count: None,
        none: "undefined",
    },
    Scheduler {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: 0,
        range: [None; 3],
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
        none: "",
    },
    Scheduler {
        name: "LSF",
        index: "LSB_JOBINDEX",
        first: 1,
        range: [None, Some("LSB_JOBINDEX_END"), Some("LSB_JOBINDEX_STEP")],
        count: None,
        none: "0",
    },
];

/// Why the variables do not say which shard to play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SchedulerError {
    /// Two schedulers speak at once.
    #[error(
        "both {0} ({1}) and {2} ({3}) say which part of an array this job is; say it with --shard I/N, or play all with --shard none"
    )]
    Conflict(&'static str, &'static str, &'static str, &'static str),
    /// A variable holds no number.
    #[error(
        "{variable} is `{value}`, which is no number; say the shard with --shard I/N, or play all with --shard none"
    )]
    NoNumber {
        /// The variable.
        variable: String,
        /// Its value.
        value: String,
    },
    /// Nothing says how many shards there are.
    #[error(
        "{scheduler} says that this is job {index} of an array but not of how many: set {COUNT_VARIABLE}, use `evalctl submit`, or say the shard with --shard I/N, or play all with --shard none"
    )]
    NoCount {
        /// The scheduler.
        scheduler: &'static str,
        /// The job's number.
        index: u64,
    },
    /// The array is numbered in a way from which no shard follows.
    #[error(
        "the array of {scheduler} does not number shards: number its jobs from {first} without gaps, or say the shard with --shard I/N, or play all with --shard none"
    )]
    Numbering {
        /// The scheduler.
        scheduler: &'static str,
        /// The number that the first job must have.
        first: u64,
    },
    /// A job beyond the shards.
    #[error("{scheduler} says shard {index} (from 0), but the run has {count} shards")]
    Beyond {
        /// The scheduler.
        scheduler: &'static str,
        /// The shard.
        index: u64,
        /// How many there are.
        count: u64,
    },
}

/// The shard that the scheduler's variables name, and the scheduler; `None` outside an array.
///
/// `variable` gives an environment variable; `cut` is what the run's folder says.
///
/// # Errors
/// If the variables contradict each other or do not say enough.
pub fn shard_of_environment(
    variable: &dyn Fn(&str) -> Option<String>,
    cut: Option<&Cut>,
) -> Result<Option<(Shard, &'static str)>, SchedulerError> {
    let speaks = |scheduler: &&Scheduler| {
        variable(scheduler.index).is_some_and(|value| !value.is_empty() && value != scheduler.none)
    };
    let mut speaking = SCHEDULERS.iter().filter(speaks);
    let Some(scheduler) = speaking.next() else {
        return Ok(None);
    };
    if let Some(other) = speaking.next() {
        return Err(SchedulerError::Conflict(
            scheduler.name,
            scheduler.index,
            other.name,
            other.index,
        ));
    }
    let number = |name: Option<&'static str>| -> Result<Option<u64>, SchedulerError> {
        let Some(name) = name else {
            return Ok(None);
        };
        let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
            return Ok(None);
        };
        match value.trim().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(SchedulerError::NoNumber {
                variable: name.to_owned(),
                value,
            }),
        }
    };
    let numbering = SchedulerError::Numbering {
        scheduler: scheduler.name,
        first: scheduler.first,
    };
    let job = number(Some(scheduler.index))?.unwrap_or(0);
    let index = job.checked_sub(scheduler.first).ok_or(numbering.clone())?;
    let count = match (cut, number(Some(COUNT_VARIABLE))?) {
        (Some(cut), _) => cut.shards,
        (None, Some(count)) => count,
        (None, None) => {
            let [first, last, step] = scheduler.range;
            let (first, last, step) = (number(first)?, number(last)?, number(step)?);
            let told = number(scheduler.count)?;
            let spanned = last.and_then(|last| (last + 1).checked_sub(scheduler.first));
            let gaps = first.is_some_and(|first| first != scheduler.first)
                || step.is_some_and(|step| step != 1)
                || matches!((told, spanned), (Some(told), Some(spanned)) if told != spanned);
            if gaps {
                return Err(numbering);
            }
            told.or(spanned).ok_or(SchedulerError::NoCount {
                scheduler: scheduler.name,
                index: job,
            })?
        }
    };
    let shard = Shard::new(index, count).ok_or(SchedulerError::Beyond {
        scheduler: scheduler.name,
        index,
        count,
    })?;
    Ok(Some((shard, scheduler.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Identity, testing};

    fn ask(
        variables: &[(&str, &str)],
        shards: Option<u64>,
    ) -> Result<Option<(Shard, &'static str)>, SchedulerError> {
        let identity = Identity::of(&testing::plan(&[("random", 1)]));
        let cut = shards.map(|shards| Cut::new(&identity, 2, shards));
        let variable = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        shard_of_environment(&variable, cut.as_ref())
    }

    fn shard(index: u64, count: u64) -> Shard {
        Shard::new(index, count).unwrap()
    }

    #[test]
    fn every_scheduler_says_which_shard() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "3"),
            ("SLURM_ARRAY_TASK_MIN", "0"),
            ("SLURM_ARRAY_TASK_MAX", "7"),
            ("SLURM_ARRAY_TASK_COUNT", "8"),
        ];
        assert_eq!(ask(&slurm, None), Ok(Some((shard(3, 8), "Slurm"))));
        let sge = [
            ("SGE_TASK_ID", "4"),
            ("SGE_TASK_FIRST", "1"),
            ("SGE_TASK_LAST", "8"),
            ("SGE_TASK_STEPSIZE", "1"),
        ];
        assert_eq!(ask(&sge, None), Ok(Some((shard(3, 8), "SGE"))));
        let lsf = [("LSB_JOBINDEX", "4"), ("LSB_JOBINDEX_END", "8")];
        assert_eq!(ask(&lsf, None), Ok(Some((shard(3, 8), "LSF"))));
        let aws = [
            ("AWS_BATCH_JOB_ARRAY_INDEX", "3"),
            ("AWS_BATCH_JOB_ARRAY_SIZE", "8"),
        ];
        assert_eq!(ask(&aws, None), Ok(Some((shard(3, 8), "AWS Batch"))));
        for (name, scheduler) in [
            ("JOB_COMPLETION_INDEX", "Kubernetes"),
            ("PBS_ARRAY_INDEX", "PBS"),
            ("PBS_ARRAYID", "Torque"),
        ] {
            let variables = [(name, "3"), (COUNT_VARIABLE, "8")];
            assert_eq!(ask(&variables, None), Ok(Some((shard(3, 8), scheduler))));
            assert_eq!(
                ask(&[(name, "3")], Some(9)),
                Ok(Some((shard(3, 9), scheduler)))
            );
            assert!(matches!(
                ask(&[(name, "3")], None),
                Err(SchedulerError::NoCount { .. })
            ));
        }
    }

    #[test]
    fn outside_an_array_nothing_is_said() {
        assert_eq!(ask(&[], Some(8)), Ok(None));
        assert_eq!(ask(&[("SGE_TASK_ID", "undefined")], None), Ok(None));
        assert_eq!(ask(&[("LSB_JOBINDEX", "0")], None), Ok(None));
        assert_eq!(ask(&[("SLURM_JOB_ID", "77")], None), Ok(None));
    }

    #[test]
    fn a_resubmitted_part_of_an_array_counts_as_the_run_does() {
        // Jobs 3 and 5 of eight again.
        let again = [
            ("SLURM_ARRAY_TASK_ID", "5"),
            ("SLURM_ARRAY_TASK_MIN", "3"),
            ("SLURM_ARRAY_TASK_MAX", "5"),
            ("SLURM_ARRAY_TASK_COUNT", "2"),
        ];
        assert_eq!(ask(&again, Some(8)), Ok(Some((shard(5, 8), "Slurm"))));
        assert!(matches!(
            ask(&again, None),
            Err(SchedulerError::Numbering { .. })
        ));
        assert!(matches!(
            ask(&again, Some(4)),
            Err(SchedulerError::Beyond { .. })
        ));
    }

    #[test]
    fn contradictions_and_nonsense_are_refused() {
        let both = [("SLURM_ARRAY_TASK_ID", "1"), ("PBS_ARRAY_INDEX", "2")];
        assert!(matches!(
            ask(&both, Some(8)),
            Err(SchedulerError::Conflict(..))
        ));
        assert!(matches!(
            ask(&[("SLURM_ARRAY_TASK_ID", "x")], Some(8)),
            Err(SchedulerError::NoNumber { .. })
        ));
        assert!(matches!(
            ask(
                &[("LSB_JOBINDEX", "9"), ("LSB_JOBINDEX_END", "99999999")],
                None
            ),
            Err(SchedulerError::Beyond { .. })
        ));
    }
}
