//! `evalctl merge`: from finished shards to results.

use std::path::Path;

use super::args::MergeArgs;
use super::error::{Code, Failure};
use super::experiment::{Experiment, quoted};
use crate::run::{MergeError, Shards};

pub(super) fn run(args: &MergeArgs) -> Result<(), Failure> {
    let shards = Shards::open(&args.dirs)?;
    shards.check(args.allow_partial)?;
    let missing = shards.missing();
    if !missing.is_empty() {
        eprintln!(
            "evalctl: {} of {} shards are missing; the result is partial",
            missing.len(),
            shards.count()
        );
        if let Some(command) = shards.resubmit() {
            eprintln!("evalctl: to play them: {command}");
        }
    }
    Experiment {
        plan: shards.plan().clone(),
        dir: Some(args.out.clone()),
        play: args.play.clone(),
        fresh: false,
        shard: None,
        command: command(args),
        require_claims: args.require_claims,
        move_times: false,
    }
    .merge(&shards)
}

fn command(args: &MergeArgs) -> String {
    let path = |path: &Path| quoted(&path.display().to_string());
    let mut parts = vec!["evalctl merge".to_owned(), path(&args.out)];
    parts.extend(args.dirs.iter().map(|dir| path(dir)));
    if args.allow_partial {
        parts.push("--allow-partial".to_owned());
    }
    parts.join(" ")
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        let code = if error.exit_code == 65 {
            Code::OtherExperiment
        } else {
            Code::Failed
        };
        let mut message = error.problems.join("\nevalctl: ");
        if let Some(command) = &error.resubmit {
            message.push_str("\nevalctl: to play what is missing: ");
            message.push_str(command);
        }
        Self::new(code, message)
    }
}
