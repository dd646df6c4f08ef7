//! `json`, version 1: objects, one a line. Unknown keys are ignored both ways.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Answer, legal_move};
use crate::external::escape::excerpt;
use crate::external::limits::Limits;
use crate::games::{Game, Observation, Scores, Seat};
use crate::record::End;
use crate::rng::Seed;

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// Longest name or version of a bot that is kept, in characters.
const MAX_NAME: usize = 200;

#[derive(Serialize)]
struct Hello<'a> {
    r#type: &'static str,
    protocol: u64,
    game: &'a str,
    rules: Value,
    seat: Seat,
    seats: usize,
    limits: HelloLimits,
}

#[derive(Serialize)]
struct HelloLimits {
    start_ms: u64,
    move_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_ms: Option<u64>,
    memory_mb: u64,
}

#[derive(Serialize)]
struct Start {
    r#type: &'static str,
    game: u64,
    seat: Seat,
}

#[derive(Serialize)]
struct Event<'a> {
    r#type: &'static str,
    seat: Seat,
    r#move: &'a str,
}

#[derive(Serialize)]
struct Act {
    r#type: &'static str,
    id: u64,
    #[serde(serialize_with = "fields")]
    observation: Observation,
    legal: Vec<String>,
    move_ms: u64,
}

#[derive(Serialize)]
struct Ended<'a> {
    r#type: &'static str,
    score: f64,
    scores: &'a [f64],
    reason: &'a str,
}

fn fields<S: Serializer>(observation: &Observation, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(observation.0.iter().map(|field| (field.name, &field.json)))
}

fn push_line(message: &impl Serialize, out: &mut String) {
    // Nothing here can fail: the keys are texts and the numbers finite.
    if let Ok(line) = serde_json::to_string(message) {
        out.push_str(&line);
        out.push('\n');
    }
}

/// Appends the first line that a process reads.
pub fn write_hello<G: Game>(game: &G, seat: Seat, limits: &Limits, out: &mut String) {
    let info = game.info();
    // Rules are part of how a deal is described. This deal is thrown away.
    let deal = game.deal(&mut Seed::root(0).rng());
    let rules = game.deal_fields(&deal).remove("rules");
    let hello = Hello {
        r#type: "hello",
        protocol: VERSION,
        game: info.name,
        rules: rules.unwrap_or_else(|| Value::Object(Map::new())),
        seat,
        seats: info.seats,
        limits: HelloLimits {
            start_ms: limits.start_ms,
            move_ms: limits.move_ms,
            game_ms: limits.game_ms,
            memory_mb: limits.memory_mb,
        },
    };
    push_line(&hello, out);
}

/// Appends the line that begins a game. `game` counts the games of this player from 0.
pub fn write_start(game: u64, seat: Seat, out: &mut String) {
    let r#type = "start";
    push_line(&Start { r#type, game, seat }, out);
}

/// Appends a public event: `seat` made a move.
pub fn write_event<G: Game>(game: &G, seat: Seat, mv: G::Move, out: &mut String) {
    let event = Event {
        r#type: "event",
        seat,
        r#move: &game.move_text(mv),
    };
    push_line(&event, out);
}

/// Appends a question.
pub fn write_question<G: Game>(
    game: &G,
    view: &G::View,
    legal: &[G::Move],
    (id, move_ms): (u64, u64),
    out: &mut String,
) {
    let act = Act {
        r#type: "act",
        id,
        observation: game.observation(view),
        legal: legal.iter().map(|&mv| game.move_text(mv)).collect(),
        move_ms,
    };
    push_line(&act, out);
}

/// Appends the line that ends a game.
pub fn write_end(seat: Seat, scores: &Scores, end: End, out: &mut String) {
    let ended = Ended {
        r#type: "end",
        score: scores.of(seat),
        scores: scores.as_slice(),
        reason: end.word(),
    };
    push_line(&ended, out);
}

/// The last line that a process reads.
pub const QUIT: &str = "{\"type\":\"quit\"}\n";

/// Who a bot says it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
}

/// What a bot answers to `hello`.
///
/// # Errors
/// Why this is no `ready` of this version, in words.
pub fn read_ready(line: &str) -> Result<Identity, String> {
    let object = object(line)?;
    match object.get("type").and_then(Value::as_str) {
        Some("ready") => {}
        Some(other) => {
            return Err(format!(
                "it answered `hello` with type `{}` instead of `ready`",
                excerpt(other.as_bytes())
            ));
        }
        None => {
            return Err(format!(
                "`{}` has no type `ready`",
                excerpt(line.as_bytes())
            ));
        }
    }
    match object.get("protocol") {
        None => {}
        Some(version) if version.as_u64() == Some(VERSION) => {}
        Some(version) => {
            return Err(format!(
                "it speaks protocol version {}, this is version {VERSION}",
                excerpt(version.to_string().as_bytes())
            ));
        }
    }
    let text = |key: &str| {
        let value = object.get(key)?.as_str()?;
        let head: String = value.chars().take(MAX_NAME).collect();
        Some(crate::external::escape_for_terminal(head.as_bytes()))
    };
    Ok(Identity {
        name: text("name"),
        version: text("version"),
    })
}

#[derive(Deserialize)]
struct Reply {
    id: u64,
    r#move: String,
}

/// What a line means while question `id` is pending.
pub fn read_answer<G: Game>(game: &G, line: &str, id: u64, legal: &[G::Move]) -> Answer<G::Move> {
    match serde_json::from_str::<Reply>(line) {
        Ok(reply) if reply.id == id => legal_move(game, reply.r#move.trim_ascii(), legal),
        Ok(_) => Answer::Late,
        Err(_) => Answer::Malformed(why_no_reply(line)),
    }
}

/// Whether a line that came unasked answers an earlier question than `next`: it is late then, and
/// no offence.
pub fn is_late(line: &str, next: u64) -> bool {
    serde_json::from_str::<Reply>(line).is_ok_and(|reply| reply.id < next)
}

fn why_no_reply(line: &str) -> String {
    let object = match object(line) {
        Ok(object) => object,
        Err(why) => return why,
    };
    let what = if object.get("id").is_some_and(Value::is_u64) {
        "has no text `move`"
    } else {
        "has no number `id`"
    };
    format!("the reply `{}` {what}", excerpt(line.as_bytes()))
}

fn object(line: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(line) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(format!("`{}` is no JSON object", excerpt(line.as_bytes()))),
        Err(e) => Err(format!("`{}` is not JSON ({e})", excerpt(line.as_bytes()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;

    #[test]
    fn what_is_written_is_one_object_a_line() {
        let game = TicTacToe;
        let state = game.deal(&mut Seed::root(1).rng());
        let mut legal = Vec::new();
        game.legal_into(&state, &mut legal);
        let mut out = String::new();
        write_hello(&game, 1, &Limits::default(), &mut out);
        write_start(17, 1, &mut out);
        write_event(&game, 0, legal[4], &mut out);
        let question = (41, 1000);
        write_question(
            &game,
            &game.view(&state, 0),
            &legal[..2],
            question,
            &mut out,
        );
        write_end(1, &Scores::lost_by(2, 0), End::Crash, &mut out);
        out.push_str(QUIT);
        let expected = [
            r#"{"type":"hello","protocol":1,"game":"tictactoe","rules":{},"seat":1,"seats":2,"limits":{"start_ms":10000,"move_ms":5000,"memory_mb":4096}}"#,
            r#"{"type":"start","game":17,"seat":1}"#,
            r#"{"type":"event","seat":0,"move":"1 1"}"#,
            r#"{"type":"act","id":41,"observation":{"mark":"o","board":"........."},"legal":["0 0","0 1"],"move_ms":1000}"#,
            r#"{"type":"end","score":1.0,"scores":[0.0,1.0],"reason":"crash"}"#,
            r#"{"type":"quit"}"#,
        ];
        assert_eq!(out.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn replies_are_matched_by_id_and_malformed_ones_explained() {
        let game = TicTacToe;
        let legal = [game.parse_move("1 1").unwrap()];
        let answer = |line| read_answer(&game, line, 41, &legal);
        assert_eq!(
            answer(r#"{"id":41,"move":"1 1","x":[1]}"#),
            Answer::Move(legal[0])
        );
        assert_eq!(answer(r#"{"id":40,"move":"1 1"}"#), Answer::Late);
        assert_eq!(
            answer(r#"{"id":41,"move":"0 0"}"#),
            Answer::Illegal("0 0".to_owned())
        );
        for (line, why) in [
            ("1 1", "no JSON"),
            ("", "not JSON"),
            ("[]", "no JSON object"),
            (r#"{"move":"1 1"}"#, "no number `id`"),
            (r#"{"id":"41","move":"1 1"}"#, "no number `id`"),
            (r#"{"id":41,"move":3}"#, "no text `move`"),
        ] {
            let Answer::Malformed(text) = answer(line) else {
                panic!("{line} is malformed");
            };
            assert!(text.contains(why) || why == "no JSON", "{text}");
        }
        assert!(is_late(r#"{"id":40,"move":"1 1"}"#, 41));
        assert!(!is_late(r#"{"id":41,"move":"1 1"}"#, 41));
        assert!(!is_late("hello", 41));
    }

    #[test]
    fn ready_says_who_it_is_and_other_words_are_refused() {
        let ready = read_ready(r#"{"type":"ready","name":"b\u001b[1mot","version":"2"}"#).unwrap();
        assert_eq!(ready.name.as_deref(), Some("b\\u{1b}[1mot"));
        assert_eq!(ready.version.as_deref(), Some("2"));
        assert_eq!(read_ready(r#"{"type":"ready"}"#), Ok(Identity::default()));
        for (line, why) in [
            ("ready", "not JSON"),
            (r#"{"type":"hello"}"#, "type `hello`"),
            ("{}", "no type"),
            (r#"{"type":"ready","protocol":2}"#, "version 2"),
            (r#"{"type":"ready","protocol":"1"}"#, "version"),
        ] {
            let text = read_ready(line).unwrap_err();
            assert!(text.contains(why), "{text}");
        }
    }
}
