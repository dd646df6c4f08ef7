//! `evalctl tournament`: a round-robin, gauntlet or ladder, played like a sweep.

use super::args::TournamentArgs;
use super::error::Failure;
use super::experiment::{Experiment, quoted};
use crate::config::{self, Overrides, tournament};

pub(super) fn run(args: &TournamentArgs) -> Result<(), Failure> {
    let text = config::read_file(&args.config).map_err(Failure::usage)?;
    let overrides = Overrides {
        seed: args.play.seed,
        games: args.games,
        set: args.set.clone(),
    };
    let path = args.config.display().to_string();
    let config = tournament::parse(&text, &path, &overrides).map_err(Failure::usage)?;
    let plan = config.plan().map_err(Failure::usage)?;
    let mut command = format!("evalctl tournament {}", quoted(&path));
    if let Some(seed) = args.play.seed {
        command.push_str(&format!(" --seed {seed}"));
    }
    if let Some(games) = args.games {
        command.push_str(&format!(" --games {games}"));
    }
    for set in &args.set {
        command.push_str(&format!(" --set {}", quoted(set)));
    }
    if let Some(out) = &args.out {
        command.push_str(&format!(" --out {}", quoted(&out.display().to_string())));
    }
    let experiment = Experiment {
        plan,
        dir: args.out.clone(),
        play: args.play.clone(),
        fresh: args.fresh,
        shard: None,
        command,
        require_claims: false,
        move_times: false,
    };
    experiment.run(|_, _| Ok(()))
}
