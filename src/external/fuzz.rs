//! Any bytes from a program that plays: as they arrive, cut into lines, and as answers in every
//! dialect.

use crate::games::Game;
use crate::games::durak::Durak;
use crate::games::tictactoe::TicTacToe;
use crate::rng::Seed;
use crate::spec::Settings;

use super::dialect::{Answer, board, json, text};
use super::line::LineBuffer;
use super::{escape_for_terminal, split_words};

/// Reads `bytes` as a program's output, in pieces of a size that the first byte says, and every
/// line of it as an answer to a question of Durak and of tic-tac-toe.
pub fn body(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else {
        return;
    };
    let size = usize::from(first) + 1;
    let mut lines = LineBuffer::default();
    let mut tables = Tables::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let room = lines.room();
        let count = size.min(rest.len()).min(room.len());
        let (piece, later) = rest.split_at(count);
        room[..count].copy_from_slice(piece);
        lines.advance(count);
        rest = later;
        loop {
            match lines.next_line() {
                Ok(Some(line)) => tables.answer(lines.text(&line)),
                Ok(None) => break,
                // A program that does this is stopped.
                Err(_) => return,
            }
        }
    }
    if let Ok(Some(line)) = lines.last_line() {
        tables.answer(lines.text(&line));
    }
    drop(lines.take_chatter());
}

/// Questions that lines answer.
struct Tables {
    durak: Option<(Durak, Vec<<Durak as Game>::Move>)>,
    board: Vec<<TicTacToe as Game>::Move>,
    asked: u64,
}

impl Tables {
    fn new() -> Self {
        let mut rng = Seed::root(1).rng();
        let durak = Durak::from_settings(&Settings::named("durak")).ok();
        let durak = durak.map(|game| {
            let state = game.deal(&mut rng);
            let mut legal = Vec::new();
            game.legal_into(&state, &mut legal);
            (game, legal)
        });
        let mut board = Vec::new();
        TicTacToe.legal_into(&TicTacToe.deal(&mut rng), &mut board);
        Self {
            durak,
            board,
            asked: 1,
        }
    }

    fn answer(&mut self, line: &str) {
        self.asked += 1;
        drop(json::read_ready(line));
        let _ = json::is_late(line, self.asked);
        if let Some((game, legal)) = &self.durak {
            drop(json::read_answer(game, line, self.asked, legal));
            drop(text::read_answer(game, line, legal));
        }
        drop(json::read_answer(&TicTacToe, line, self.asked, &self.board));
        drop(board::read_answer(&TicTacToe, line, &self.board));
        // What is shown of it cannot command a terminal.
        let shown = escape_for_terminal(line.as_bytes());
        assert!(!shown.chars().any(char::is_control), "{shown:?}");
        drop(split_words(line));
    }
}

/// Reads `bytes` as the output of a program of the dialect `board` that plays both sides: words
/// are put together until they are an answer, and a legal one is played.
///
/// # Panics
/// Where it finds a bug.
pub fn board_game(bytes: &[u8]) {
    let game = TicTacToe;
    let mut state = game.deal(&mut Seed::root(1).rng());
    let (mut legal, mut words, mut question) = (Vec::new(), String::new(), String::new());
    for line in String::from_utf8_lossy(bytes).split('\n') {
        let Some(seat) = game.to_move(&state) else {
            return;
        };
        question.clear();
        board::write_question(&game, &game.view(&state, seat), &mut question);
        assert_eq!(question.lines().count(), 4, "{question}");
        game.legal_into(&state, &mut legal);
        words.push_str(line);
        words.push('\n');
        match board::read_answer(&game, &words, &legal) {
            Answer::Move(mv) => {
                assert!(legal.contains(&mv), "{words:?} on {question}");
                game.apply(&mut state, mv);
                words.clear();
            }
            Answer::Unfinished => assert!(words.split_ascii_whitespace().count() < 2),
            Answer::Illegal(_) | Answer::Malformed(_) | Answer::Late => words.clear(),
        }
    }
}

/// Where mutation of [`board_game`] starts from.
pub const BOARD_SAMPLE: &[u8] = b"1 1\n0 0\n0\n2\n 2 0\r\n1 0\n1 2\n0 1\n2 1\n2 2\n";

/// Where mutation starts from.
pub const SAMPLE: &[u8] =
    b"\x05{\"type\":\"ready\",\"protocol\":1,\"name\":\"bot\",\"version\":\"1\"}\n\
    # a remark\n{\"type\":\"move\",\"id\":3,\"move\":\"6c\"}\n8h>6h\r\npass\ntransfer 6d\n1 1\n\
    x..\n.o.\n...\n{\"type\":\"move\",\"id\":7,\"move\":\"2 2\"}";
