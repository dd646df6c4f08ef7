//! An experiment from plan to files: plays, analyses, writes, and says what came out. Sweeps,
//! matches and tournaments differ only in where the plan comes from and what is added at the end.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::args::PlayArgs;
use super::error::{Code, Failure};
use super::progress;
use super::signals::Stop;
use crate::analysis::{Analysis, Analyzer, Verdict};
use crate::numbers::count;
use crate::plan::Plan;
use crate::report::files::{self, Provenance};
use crate::report::terminal;
use crate::run::{self, FileHash, Finished, Outcome, Run, RunError, RunOptions, Shard, Shards};

/// A plan and how it is played.
pub(super) struct Experiment {
    pub plan: Plan,
    /// Where results go; `results/NAME` by default.
    pub dir: Option<PathBuf>,
    pub play: PlayArgs,
    pub fresh: bool,
    pub shard: Option<Shard>,
    /// The command that does the same again, for resuming.
    pub command: String,
    pub require_claims: bool,
    /// Whether the times of single moves are kept where no program plays too.
    pub move_times: bool,
}

impl Experiment {
    /// Plays what is left, writes all files and prints the answer. `more` adds to a finished run:
    /// it may write files and print.
    pub(super) fn run(
        self,
        more: impl FnOnce(&Run, &Analysis) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let dir = self
            .dir
            .clone()
            .unwrap_or_else(|| Path::new("results").join(&self.plan.name));
        self.carry_out(&dir, None, more)
    }

    /// As [`Experiment::run`], from finished shards.
    pub(super) fn merge(self, shards: &Shards) -> Result<(), Failure> {
        let dir = self.dir.clone().unwrap_or_default();
        self.carry_out(&dir, Some(shards), |_, _| Ok(()))
    }

    fn carry_out(
        self,
        dir: &Path,
        shards: Option<&Shards>,
        more: impl FnOnce(&Run, &Analysis) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if dir.is_file() {
            return Err(Failure::usage(format!(
                "{} is a file, and results go to a folder: choose another one with --out",
                dir.display()
            )));
        }
        if !self.fresh {
            refuse_foreign(dir)?;
        }
        let stop = Stop::listen()?;
        let mut options = RunOptions::new(dir);
        if let Some(jobs) = self.play.jobs {
            options.jobs = jobs;
        }
        options.stop = stop.flag();
        options.fresh = self.fresh;
        options.shard = self.shard;
        options.move_times = self.move_times;
        options.max_faults = self.play.max_faults;
        options.host = self.play.containment.host();
        let mut observer = progress::observer(self.play.progress);
        let outcome = match shards {
            None => run::execute(&self.plan, &options, observer.as_mut())?,
            Some(shards) => shards.merge(&options, observer.as_mut())?,
        };
        drop(observer);
        match outcome {
            Outcome::Complete(run) if run.shard().is_some() => {
                let published = run::publish(run)?;
                let mut out = std::io::stdout().lock();
                writeln!(out, "the shard is finished: {}", published.display())?;
                Ok(())
            }
            Outcome::ShardDone(path) => {
                eprintln!(
                    "evalctl: the shard is finished: {}; nothing was played",
                    path.display()
                );
                Ok(())
            }
            Outcome::Complete(run) => self.complete(run, more),
            Outcome::AlreadyDone(finished) => {
                eprintln!(
                    "evalctl: {} holds this experiment, finished; nothing was played",
                    finished.dir().display()
                );
                let altered = altered(&finished);
                require_recorded_games(&finished, &altered)?;
                if !altered.is_empty() {
                    eprintln!(
                        "evalctl: written again, since they were missing or changed: {}",
                        altered.join(", ")
                    );
                }
                let write = !finished.is_current() || !altered.is_empty();
                let analysis = derive(finished, write)?;
                require(&analysis, self.require_claims)
            }
            Outcome::Interrupted(run) => {
                partial(&run)?;
                let message = format!(
                    "stopped after {} of {} blocks; nothing finished is lost. Go on with: {}",
                    count(run.cells().iter().map(|c| c.tally.blocks).sum()),
                    count(run.cells().iter().map(|c| c.planned).sum()),
                    self.command
                );
                Err(Failure::new(stop.code(), message))
            }
        }
    }

    fn complete(
        &self,
        run: Run,
        more: impl FnOnce(&Run, &Analysis) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        run::finish(&run)?;
        let analysis = analyze(&run)?;
        let plan = run.plan().clone();
        let mut provenance = provenance(&plan, &run.identity().hex(), run.notices());
        provenance.notices.extend(missing(run.missing_shards()));
        let written =
            files::write_all(run.dir(), &plan, &analysis, &provenance).map_err(Failure::failed)?;
        print(&plan, &analysis)?;
        more(&run, &analysis)?;
        let finished = run::seal(run, &written)?;
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "\n{} and {} more files are in {}",
            written.last().map_or("games.csv", String::as_str),
            written.len() + 2,
            finished.dir().display()
        )?;
        drop(out);
        require(&analysis, self.require_claims)
    }
}

/// The analysis of a finished run's games.
pub(super) fn analysis_of(finished: &Finished) -> Result<Analysis, Failure> {
    let mut analyzer = Analyzer::new(finished.plan());
    finished.visit_blocks::<RunError>(|block| {
        analyzer.add(block);
        Ok(())
    })?;
    let extended = !finished.extended_from().is_empty();
    analyzer.finish(extended).map_err(Failure::failed)
}

/// Everything that follows from a finished run's games: printed, and written if `write`.
pub(super) fn derive(mut finished: Finished, write: bool) -> Result<Analysis, Failure> {
    let plan = finished.plan().clone();
    let analysis = analysis_of(&finished)?;
    if write {
        let mut provenance = provenance(&plan, &finished.identity().hex(), finished.notices());
        let absent = &finished.manifest().missing_shards;
        provenance.notices.extend(missing(absent));
        let written = files::write_all(finished.dir(), &plan, &analysis, &provenance)
            .map_err(Failure::failed)?;
        finished.reseal(&written)?;
    }
    print(&plan, &analysis)?;
    Ok(analysis)
}

/// The file that marks a folder of imported results.
const IMPORTED: &str = "imported.json";

/// A file whose hash is taken while it is read, so that it need not be held.
struct Hashing {
    inner: std::fs::File,
    hasher: blake3::Hasher,
}

impl std::io::Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

/// Results that were played elsewhere: everything that follows from them, written and printed.
pub(super) fn import(dir: &Path, file: &Path) -> Result<Analysis, Failure> {
    if !dir.join(IMPORTED).exists() {
        refuse_foreign(dir)?;
        if dir.join(run::MANIFEST).exists() {
            return Err(Failure::new(
                Code::OtherExperiment,
                format!(
                    "{} holds a run of its own; import into another folder",
                    dir.display()
                ),
            ));
        }
    }
    let shown = file.display().to_string();
    let name = file.file_stem().map_or_else(
        || "imported".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let unreadable =
        |error: std::io::Error| Failure::usage(format!("cannot read `{shown}`: {error}"));
    let mut source = Hashing {
        inner: std::fs::File::open(file).map_err(unreadable)?,
        hasher: blake3::Hasher::new(),
    };
    let imported = crate::import::read(&mut source, &shown, &name, 0.95).map_err(Failure::usage)?;
    let hash = source.hasher.finalize().to_hex().to_string();
    let mut analyzer = Analyzer::new(&imported.plan);
    for block in imported.blocks() {
        analyzer.add(&block.map_err(Failure::usage)?);
    }
    let analysis = analyzer.finish(false).map_err(Failure::failed)?;
    let provenance = Provenance {
        run: hash.clone(),
        command: format!(
            "evalctl analyze {} --import {}",
            quoted(&dir.display().to_string()),
            quoted(&shown)
        ),
        not_reproducible: Some("its games were played elsewhere and imported".to_owned()),
        ..Provenance::default()
    };
    let mark = serde_json::json!({
        "imported_from": shown,
        "blake3": hash,
        "games": imported.games,
        "version": env!("CARGO_PKG_VERSION"),
    });
    files::write(&dir.join(IMPORTED), super::list::json(&mark)?.as_bytes())
        .map_err(Failure::failed)?;
    files::write_all(dir, &imported.plan, &analysis, &provenance).map_err(Failure::failed)?;
    print(&imported.plan, &analysis)?;
    Ok(analysis)
}

/// What a report of some of the shards says about the others; nothing if all are there.
fn missing(shards: &[u64]) -> Option<String> {
    let list: Vec<String> = shards.iter().map(u64::to_string).collect();
    let (noun, verb) = if shards.len() == 1 {
        ("shard", "is")
    } else {
        ("shards", "are")
    };
    (!shards.is_empty()).then(|| {
        format!(
            "This result is partial: {noun} {} {verb} missing, so cells have fewer games than were planned.",
            list.join(", ")
        )
    })
}

/// What the report says about where it comes from. The same however the config was found and the
/// run was played: in one go, in shards, or analysed again.
fn provenance(plan: &Plan, run: &str, notices: Vec<String>) -> Provenance {
    let why = "a player uses the clock, or is a program or a person";
    Provenance {
        run: run.to_owned(),
        command: again(plan),
        notices,
        not_reproducible: (!run::is_reproducible(plan)).then(|| why.to_owned()),
    }
}

/// Refuses a folder that holds results, but neither a journal nor a manifest that says whose.
fn refuse_foreign(dir: &Path) -> Result<(), Failure> {
    let holds = |name: &str| dir.join(name).exists();
    let ours = std::fs::read_dir(dir).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name == run::MANIFEST || name.starts_with("journal") || name.starts_with("shard")
        })
    });
    let found = ["games.csv", "cells.csv", "claims.csv", "report.html"]
        .into_iter()
        .find(|name| holds(name));
    match found {
        Some(name) if !ours => Err(Failure::new(
            Code::OtherExperiment,
            format!(
                "{} holds a {name}, but no {} that says which experiment it belongs to; choose another folder with --out, or --fresh, which moves this one aside",
                dir.display(),
                run::MANIFEST
            ),
        )),
        _ => Ok(()),
    }
}

/// Files of a finished run that are missing or are not what its manifest says.
pub(super) fn altered(finished: &Finished) -> Vec<String> {
    finished
        .manifest()
        .files
        .iter()
        .filter(|(path, hash)| {
            !FileHash::of(&finished.dir().join(path)).is_ok_and(|found| found.blake3 == hash.blake3)
        })
        .map(|(path, _)| path.clone())
        .collect()
}

/// Refuses to compute anything from games that are not the recorded ones.
pub(super) fn require_recorded_games(
    finished: &Finished,
    altered: &[String],
) -> Result<(), Failure> {
    if altered.iter().any(|name| name == "games.csv") {
        let path = finished.dir().join("games.csv");
        let packed = path.with_extension("csv.gz");
        if !path.exists() && packed.exists() {
            return Err(Failure::failed(format!(
                "{} is missing, but {} is there: unpack it first (gunzip -k {1})",
                path.display(),
                packed.display()
            )));
        }
        if !path.exists() {
            return Err(Failure::failed(format!(
                "{} is missing: restore it, or play the run again with --fresh",
                path.display()
            )));
        }
        if path.is_dir() {
            return Err(Failure::failed(format!(
                "{} is a folder, not a file: restore the file, or play the run again with --fresh",
                path.display()
            )));
        }
        return Err(Failure::failed(format!(
            "{} is not the file that the manifest names (its hash differs): restore it, or see with `evalctl verify` what differs",
            path.display()
        )));
    }
    Ok(())
}

/// Fails with exit code 3 if claims are required and one is not supported.
pub(super) fn require(analysis: &Analysis, required: bool) -> Result<(), Failure> {
    let unsupported = analysis
        .claims
        .iter()
        .filter(|claim| claim.verdict != Verdict::Supported)
        .count();
    if required && unsupported > 0 {
        return Err(Failure::new(
            Code::ClaimNotSupported,
            format!(
                "{unsupported} of {} claims are not supported",
                analysis.claims.len()
            ),
        ));
    }
    Ok(())
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let code = match error.exit_code() {
            2 => Code::Usage,
            65 => Code::OtherExperiment,
            75 => Code::Transient,
            _ => Code::Failed,
        };
        Self::new(code, error)
    }
}

/// `text` as one word of a shell.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=,:@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The command in the report. It follows from the plan alone: neither the config's place nor how
/// this run was started is part of the result.
fn again(plan: &Plan) -> String {
    let command = if plan.is_tournament() {
        "tournament"
    } else {
        "sweep"
    };
    format!("evalctl {command} {}.toml   # the config above", plan.name)
}

fn analyze(run: &Run) -> Result<Analysis, Failure> {
    let mut analyzer = Analyzer::new(run.plan());
    run.visit_blocks::<RunError>(|block| {
        analyzer.add(block);
        Ok(())
    })?;
    let extended = !run.extended_from().is_empty();
    analyzer.finish(extended).map_err(Failure::failed)
}

/// What a run that was stopped has shown so far.
fn partial(run: &Run) -> Result<(), Failure> {
    let analysis = analyze(run)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "So far (a partial run: its numbers may be looked at, not quoted):\n"
    )?;
    drop(out);
    print(run.plan(), &analysis)
}

pub(super) fn print(plan: &Plan, analysis: &Analysis) -> Result<(), Failure> {
    let text = terminal::summary(plan, analysis, width(), super::colours());
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// Columns of the terminal; 80 where there is none.
fn width() -> usize {
    #[cfg(unix)]
    {
        use std::io::IsTerminal as _;
        if std::io::stdout().is_terminal()
            && let Ok(size) = rustix::termios::tcgetwinsize(std::io::stdout())
            && size.ws_col > 0
        {
            return usize::from(size.ws_col);
        }
    }
    80
}
