//! `evalctl check-bot`: tells a bot's author, step by step, what the bot does wrong.

use std::io::Write as _;

use super::args::CheckBotArgs;
use super::error::Failure;
use super::experiment::quoted;
use super::signals::Stop;
use crate::config::typed;
use crate::external::BotConfig;
use crate::external::check::{CheckOptions, Step, Verdict};
use crate::table;

pub(super) fn run(args: &CheckBotArgs) -> Result<(), Failure> {
    let (game, _) = typed::game(&args.game).map_err(Failure::usage)?;
    let words: Vec<String> = args.command.iter().map(|word| quoted(word)).collect();
    let text = format!("exec:{}", words.join(" "));
    let exec = args.programs.exec_options();
    let settings = typed::agent_with(&text, &game, &exec).map_err(Failure::usage)?;
    let stop = Stop::listen()?;
    let config = BotConfig::new(&settings, &args.containment.host(), stop.flag())
        .map_err(Failure::failed)?;
    let colours = super::colours();
    let options = CheckOptions {
        games: args.games,
        seed: args.seed,
    };
    let worst = table::check_bot(&game, &config, options, |step| {
        // Nobody is left to read if standard output is closed.
        let _ = std::io::stdout()
            .lock()
            .write_all(shown(step, colours).as_bytes());
    })
    .map_err(Failure::usage)?;
    if stop.is_asked() {
        return Err(Failure::new(
            stop.code(),
            "interrupted: no verdict on the bot",
        ));
    }
    let mut out = std::io::stdout().lock();
    let (line, failed) = match worst {
        Verdict::Good => ("The bot does everything right.", false),
        Verdict::Warning => ("The bot can play; see the warnings above.", false),
        Verdict::Bad => ("The bot would forfeit games; see the errors above.", true),
    };
    writeln!(out, "\n{line}")?;
    if failed {
        Err(Failure::failed("the bot does not follow the protocol"))
    } else {
        Ok(())
    }
}

/// A step as a good compiler would report it.
fn shown(step: &Step, colours: bool) -> String {
    let (word, code) = match step.verdict {
        Verdict::Good => ("ok", "32"),
        Verdict::Warning => ("warning", "33"),
        Verdict::Bad => ("error", "31"),
    };
    let word = if colours {
        format!("\x1b[1;{code}m{word}\x1b[0m")
    } else {
        word.to_owned()
    };
    let mut text = format!("{word}: {}\n", step.title);
    if step.verdict == Verdict::Good {
        if !step.explanation.is_empty() {
            text.push_str(&format!("    {}\n", step.explanation));
        }
        return text;
    }
    let mut part = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            text.push_str(&format!("  {title}\n"));
            for line in lines {
                text.push_str(&format!("    | {line}\n"));
            }
        }
    };
    part("sent", &step.sent);
    part("came back", &step.received);
    if !step.expected.is_empty() {
        part(
            "should have come back",
            std::slice::from_ref(&step.expected),
        );
    }
    text.push_str(&format!("  = {}\n", step.explanation));
    text
}
