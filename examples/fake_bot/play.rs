//! The well-behaved part: three dialects, first legal move.

use std::io::BufRead as _;

use serde_json::{Value, json};

use crate::print;

/// A question in any dialect.
pub struct Question {
    /// Number of the question in this process, from 1.
    pub number: u64,
    /// Legal moves; the first is played.
    pub moves: Vec<String>,
    /// Its id (`json`).
    id: u64,
}

/// A player of the first legal move.
pub struct Player {
    dialect: String,
    asked: std::cell::Cell<u64>,
}

impl Player {
    pub fn new(dialect: &str) -> Self {
        Self {
            dialect: dialect.to_owned(),
            asked: std::cell::Cell::new(0),
        }
    }

    /// Answers `hello` in the `json` dialect, in the way that the behaviour says.
    pub fn handshake(&mut self, behaviour: &str) {
        if self.dialect != "json" {
            return;
        }
        if read_line().is_none() {
            return;
        }
        match behaviour {
            "wrong-version" => print("{\"type\":\"ready\",\"protocol\":2}\n"),
            "early" => print("{\"type\":\"ready\"}\n{\"id\":1,\"move\":\"0 0\"}\n"),
            "wrong-dialect" => print("hello, I am a bot\n"),
            _ => print("{\"type\":\"ready\",\"name\":\"fake\",\"version\":\"1\"}\n"),
        }
    }

    /// The next question; `None` when there will be none.
    pub fn next_question(&mut self) -> Option<Question> {
        let (id, moves) = match self.dialect.as_str() {
            "json" => next_act()?,
            "board" => (0, free_cells()?),
            _ => {
                let _observation = read_line()?;
                let moves = read_line()?;
                let moves = moves.strip_prefix("moves ")?;
                (0, moves.split(';').map(str::to_owned).collect())
            }
        };
        self.asked.set(self.asked.get() + 1);
        Some(Question {
            number: self.asked.get(),
            moves,
            id,
        })
    }

    /// The answer's line, without its end.
    pub fn answer(&self, question: &Question) -> String {
        let first = question.moves.first().map_or("-1 -1", String::as_str);
        self.reply(question, first)
    }

    /// A well-formed answer that is no legal move.
    pub fn illegal_answer(&self, question: &Question) -> String {
        self.reply(question, "7 7")
    }

    fn reply(&self, question: &Question, mv: &str) -> String {
        if self.dialect == "json" {
            json!({"id": question.id, "move": mv}).to_string()
        } else {
            mv.to_owned()
        }
    }
}

fn read_line() -> Option<String> {
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(1..) => Some(line.trim_end().to_owned()),
        _ => None,
    }
}

fn next_act() -> Option<(u64, Vec<String>)> {
    loop {
        let message: Value = serde_json::from_str(&read_line()?).ok()?;
        match message.get("type")?.as_str()? {
            "act" => {
                let id = message.get("id")?.as_u64()?;
                let legal = message.get("legal")?.as_array()?;
                let moves = legal.iter().filter_map(Value::as_str);
                return Some((id, moves.map(str::to_owned).collect()));
            }
            "quit" => return None,
            _ => {}
        }
    }
}

fn free_cells() -> Option<Vec<String>> {
    let _mark = read_line()?;
    let mut free = Vec::new();
    for row in 0..3 {
        let line = read_line()?;
        let cells = line.chars().enumerate();
        free.extend(
            cells
                .filter(|&(_, cell)| cell == '.')
                .map(|(column, _)| format!("{row} {column}")),
        );
    }
    Some(free)
}

/// Takes what one read returns for a whole question of the `text` dialect, as first versions do.
pub fn one_read() -> ! {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = std::io::Read::read(&mut std::io::stdin(), &mut buffer) {
        let question = String::from_utf8_lossy(buffer.get(..count).unwrap_or_default());
        let moves = question
            .lines()
            .find_map(|line| line.strip_prefix("moves "));
        match moves.and_then(|moves| moves.split(';').next()) {
            Some(first) => print(&format!("{first}\n")),
            None => std::process::exit(1),
        }
    }
    std::process::exit(0);
}
