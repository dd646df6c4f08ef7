//! What the author of a program most probably has to change.

use super::session::{Problem, Session};
use crate::external::bot::BotStartError;
use crate::external::dialect::Dialect;
use crate::external::escape::{escape_for_terminal, excerpt};
use crate::external::settings::BotConfig;

const FLUSH: &str = "its output is held back in a buffer: flush after every answer (Python print(..., flush=True), C fflush(stdout), Java System.out.flush(), Rust stdout().flush())";

/// Why a program did not start, and what to do.
pub(super) fn on_start(error: &BotStartError, config: &BotConfig) -> String {
    let hint = match error {
        BotStartError::NotReady { why, .. } if why.contains("exited") => {
            "; run the command by hand to see it fail (it runs in an empty folder with only PATH, HOME and TMPDIR set, so name its files with full paths or as arguments)"
        }
        BotStartError::NotReady { why, .. }
            if why.contains("within") && config.dialect == Dialect::Json =>
        {
            "; if it has answered, its output may be held back in a buffer: flush after every line"
        }
        _ => "",
    };
    format!("{error}{hint}")
}

/// What is wrong with an answer, and what to do. It may close the program's input to find out.
pub(super) fn on_answer(problem: &Problem, session: &mut Session) -> String {
    match problem {
        Problem::Timeout(move_ms) => {
            let limits = session.limits();
            let of = if *move_ms > limits.move_ms {
                format!(
                    " ({} to start, {} for a move)",
                    limits.start_ms, limits.move_ms
                )
            } else {
                String::new()
            };
            let nothing = format!("no answer within {move_ms} ms{of}");
            match session.words_after_closing() {
                Some(words) => format!(
                    "{nothing}, but when its input was closed it printed `{}`: {FLUSH}",
                    excerpt(words.as_bytes())
                ),
                None => format!(
                    "{nothing}, and none when its input was closed: is it waiting for something that is not sent, or thinking too long?{}",
                    reading(session.dialect())
                ),
            }
        }
        Problem::Crash(how) => {
            let errors = session.last_errors();
            let errors = if errors.is_empty() {
                "it wrote nothing to standard error".to_owned()
            } else {
                format!("its standard error ends with `{errors}`")
            };
            let cure = if how.contains("status 0") {
                staying(session.dialect())
            } else {
                ""
            };
            format!("it {how} instead of answering; {errors}{cure}")
        }
        Problem::Illegal(words) => format!("`{words}` is not a legal move here"),
        Problem::Protocol(why) => format!("{}{}", escape_for_terminal(why.as_bytes()), cure(why)),
        Problem::Interrupted => "interrupted".to_owned(),
    }
}

fn reading(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Json => " Messages of type `start`, `event` and `end` need no reply; `act` does",
        Dialect::Text => " A question is two lines: `obs ...` and `moves ...`",
        Dialect::Board => " A question is four lines: the mark and three rows",
    }
}

/// For a program that takes its work for done.
fn staying(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Json => "; it must go on until the message `quit` or the end of its input",
        Dialect::Text => {
            "; it must read and answer again and again until its input ends: a process plays many games"
        }
        Dialect::Board => {
            "; it must read and answer again and again until its input ends: a process plays a whole game"
        }
    }
}

fn cure(why: &str) -> &'static str {
    if why.contains("before being asked") {
        "; print nothing but answers to standard output, one for each question; remarks go to standard error or on lines that start with `#`"
    } else if why.contains("not JSON") || why.contains("no JSON object") {
        "; print nothing but JSON objects to standard output; remarks go to standard error or on lines that start with `#`"
    } else if why.contains("longer than") {
        "; is the line end missing?"
    } else {
        ""
    }
}
