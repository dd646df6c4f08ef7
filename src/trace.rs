//! Games written down move by move: JSON lines for programs, drawings for people.
//!
//! Both are [`GameSink`]s: they are told of a game as it is played and never influence it.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::games::{Seat, Style};
use crate::record::GameRecord;
use crate::table::{Decision, GameSink};

/// Writes the contract's JSON lines: `deal`, a `move` per decision, `end`.
#[derive(Debug)]
pub struct JsonTrace<W: Write> {
    out: W,
    game: u64,
    failed: Option<io::Error>,
}

impl<W: Write> JsonTrace<W> {
    /// A trace of game number `game`, written to `out`.
    pub fn new(out: W, game: u64) -> Self {
        Self {
            out,
            game,
            failed: None,
        }
    }

    /// Ends the trace.
    ///
    /// # Errors
    /// The first error of writing, if there was one.
    pub fn finish(mut self) -> io::Result<W> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }

    fn line(&mut self, value: &Value) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.out, "{value}")
        {
            self.failed = Some(error);
        }
    }
}

impl<W: Write> GameSink for JsonTrace<W> {
    fn deal(&mut self, fields: Map<String, Value>, seats: usize, first_seat: Seat) {
        let mut line = Map::new();
        line.insert("kind".to_owned(), json!("deal"));
        line.insert("game".to_owned(), json!(self.game));
        line.extend(fields);
        line.insert("seats".to_owned(), json!(seats));
        line.insert("first_seat".to_owned(), json!(first_seat));
        self.line(&Value::Object(line));
    }

    fn decision(&mut self, decision: &Decision<'_>) {
        let mut line = json!({
            "kind": "move",
            "ply": decision.ply,
            "seat": decision.seat,
            "legal": decision.legal,
            "move": decision.mv,
        });
        if decision.opening {
            line["opening"] = json!(true);
        }
        self.line(&line);
    }

    fn end(&mut self, record: &GameRecord, out: &[Vec<Seat>]) {
        let mut line = json!({
            "kind": "end",
            "scores": record.scores.as_slice(),
            "end": record.end.word(),
            "out": out,
        });
        if let Some(seat) = record.fault_seat {
            line["fault_seat"] = json!(seat);
        }
        self.line(&line);
    }
}

/// Draws a game for people, position by position.
#[derive(Debug)]
pub struct TextTrace<W: Write> {
    out: W,
    /// Names of the players by seat.
    names: Vec<String>,
    style: Style,
    /// Show only what this seat may know.
    viewer: Option<Seat>,
    title: String,
    failed: Option<io::Error>,
}

impl<W: Write> TextTrace<W> {
    /// A drawing of one game. `names` are the players by seat; `viewer` limits what is shown to
    /// what that seat may know.
    pub fn new(
        out: W,
        title: String,
        names: Vec<String>,
        style: Style,
        viewer: Option<Seat>,
    ) -> Self {
        Self {
            out,
            names,
            style,
            viewer,
            title,
            failed: None,
        }
    }

    /// Ends the drawing.
    ///
    /// # Errors
    /// The first error of writing, if there was one.
    pub fn finish(mut self) -> io::Result<W> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(text.as_bytes())
        {
            self.failed = Some(error);
        }
    }

    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat).map_or("?", String::as_str)
    }

    fn bold(&self, text: &str) -> String {
        if self.style.colour {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

impl<W: Write> GameSink for TextTrace<W> {
    fn deal(&mut self, fields: Map<String, Value>, _seats: usize, first_seat: Seat) {
        let mut text = format!("{}\n", self.bold(&self.title));
        for (seat, name) in self.names.iter().enumerate() {
            text.push_str(&format!("  seat {seat}: {name}\n"));
        }
        if let Some(Value::Object(rules)) = fields.get("rules")
            && !rules.is_empty()
        {
            let rules: Vec<String> = rules
                .iter()
                .map(|(key, value)| match value {
                    Value::String(text) => format!("{key}={text}"),
                    other => format!("{key}={other}"),
                })
                .collect();
            text.push_str(&format!("  rules: {}\n", rules.join(" ")));
        }
        text.push_str(&format!("  seat {first_seat} moves first\n\n"));
        self.write(&text);
    }

    fn decision(&mut self, decision: &Decision<'_>) {
        let mut text = (decision.draw)(self.viewer, self.style);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let who = format!("seat {} ({})", decision.seat, self.name(decision.seat));
        let by_lot = if decision.opening {
            ", a random opening move"
        } else {
            ""
        };
        text.push_str(&format!(
            "{:>4}. {who} plays {}{by_lot}\n\n",
            decision.ply + 1,
            self.bold(&decision.mv)
        ));
        self.write(&text);
    }

    fn end(&mut self, record: &GameRecord, out: &[Vec<Seat>]) {
        let mut text = match record.fault_seat {
            Some(seat) => format!("Ended by {} of seat {seat}.", record.end.word()),
            None if record.end.is_truncated() => {
                format!(
                    "Cut off ({}) after {} decisions.",
                    record.end.word(),
                    record.decisions
                )
            }
            None => format!("Over after {} decisions.", record.decisions),
        };
        if !out.is_empty() {
            let groups: Vec<String> = out
                .iter()
                .map(|group| {
                    group
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(" and ")
                })
                .collect();
            text.push_str(&format!(
                " Went out, in order: seat {}.",
                groups.join(", then ")
            ));
        }
        text.push_str(" Scores:");
        for (seat, score) in record.scores.as_slice().iter().enumerate() {
            text.push_str(&format!(" seat {seat} {}", crate::numbers::short(*score)));
        }
        text.push_str("\n\n");
        self.write(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Fault;
    use crate::plan::GameSeeds;
    use crate::rng::Seed;
    use crate::spec::Settings;
    use crate::table::{TableOptions, build, seating};

    fn seeds() -> GameSeeds {
        let seed = Seed::root(3);
        GameSeeds {
            deal: seed,
            opening: seed,
            agents: [seed; crate::games::MAX_SEATS],
        }
    }

    fn play(sink: &mut dyn GameSink) -> Result<GameRecord, Fault> {
        let game = Settings::named("tictactoe");
        let players = [Settings::named("first"), Settings::named("random")];
        build(&game, &players, &TableOptions::default())
            .unwrap()
            .play(&seeds(), &seating(2, 0), Some(sink))
    }

    #[test]
    fn a_json_trace_has_a_deal_a_line_per_decision_and_an_end() {
        let mut trace = JsonTrace::new(Vec::new(), 4);
        let record = play(&mut trace).unwrap();
        let text = String::from_utf8(trace.finish().unwrap()).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(lines.len(), record.decisions as usize + 2);
        assert_eq!(lines[0]["kind"], "deal");
        assert_eq!(lines[0]["game"], 4);
        assert_eq!(lines[1]["move"], "0 0");
        let legal: Vec<&str> = lines[1]["legal"]
            .as_array()
            .unwrap()
            .iter()
            .map(|l| l.as_str().unwrap())
            .collect();
        assert!(legal.is_sorted() && legal.len() == 9);
        assert_eq!(lines[lines.len() - 1]["end"], "normal");
    }

    #[test]
    fn a_drawing_names_players_and_has_no_colours_unless_asked() {
        let names = vec!["first".to_owned(), "random".to_owned()];
        let mut trace = TextTrace::new(
            Vec::new(),
            "Game 0".to_owned(),
            names,
            Style::default(),
            None,
        );
        play(&mut trace).unwrap();
        let text = String::from_utf8(trace.finish().unwrap()).unwrap();
        assert!(text.contains("seat 0 (first) plays 0 0"), "{text}");
        assert!(!text.contains('\x1b'));
    }

    #[test]
    fn an_error_of_writing_is_kept_for_the_end() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut trace = JsonTrace::new(Full, 0);
        play(&mut trace).unwrap();
        assert_eq!(
            trace.finish().err().map(|e| e.to_string()),
            Some("full".to_owned())
        );
    }
}
