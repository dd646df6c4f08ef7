//! `board`: one line with the mover's mark, three lines of three cells; the answer is two
//! integers, row and column. The protocol of a public tic-tac-toe runner, whose programs play
//! here unchanged. They print with `printf("%d %d")` and are read like `scanf` reads: the two
//! numbers may stand on two lines.

use super::{Answer, legal_move};
use crate::games::Game;

/// Appends the question: four lines.
pub fn write_question<G: Game>(game: &G, view: &G::View, out: &mut String) {
    let start = out.len();
    game.write_observation(view, out);
    let observation = out.split_off(start);
    let field = |name| observation.split(' ').find_map(|f| f.strip_prefix(name));
    if let (Some(mark), Some(board)) = (field("mark="), field("board=")) {
        out.push_str(mark);
        for (index, cell) in board.chars().enumerate() {
            if index % 3 == 0 {
                out.push('\n');
            }
            out.push(cell);
        }
        out.push('\n');
    }
}

/// What the words so far mean; `words` may be several lines.
pub fn read_answer<G: Game>(game: &G, words: &str, legal: &[G::Move]) -> Answer<G::Move> {
    let mut numbers = [0_i64; 2];
    let mut count = 0;
    for word in words.split_ascii_whitespace() {
        match (numbers.get_mut(count), word.parse()) {
            (Some(number), Ok(parsed)) => *number = parsed,
            _ => {
                return Answer::Malformed(format!(
                    "answered `{}`, which is not a row and a column",
                    crate::external::escape::excerpt(words.as_bytes())
                ));
            }
        }
        count += 1;
    }
    let [row, column] = numbers;
    if count < 2 {
        Answer::Unfinished
    } else {
        legal_move(game, &format!("{row} {column}"), legal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;

    #[test]
    fn a_question_has_four_lines_and_its_answer_two_numbers() {
        let game = TicTacToe;
        let mut state = game.deal(&mut crate::rng::Seed::root(1).rng());
        game.apply(&mut state, game.parse_move("1 1").unwrap());
        let (mut legal, mut out) = (Vec::new(), String::new());
        game.legal_into(&state, &mut legal);
        write_question(&game, &game.view(&state, 1), &mut out);
        assert_eq!(out, "x\n...\n.o.\n...\n");
        let answer = |words| read_answer(&game, words, &legal);
        let corner = Answer::Move(game.parse_move("0 2").unwrap());
        assert_eq!(answer("0 2"), corner);
        assert_eq!(answer("0\n\t2\n"), corner);
        assert_eq!(answer("+0 02"), corner);
        assert_eq!(answer("0"), Answer::Unfinished);
        assert_eq!(answer("\n"), Answer::Unfinished);
        for words in ["-1 -1", "1 1", "3 0", "0 9223372036854775807"] {
            assert_eq!(answer(words), Answer::Illegal(words.to_owned()));
        }
        for words in ["a b", "1,2", "0 0 0", "0 99999999999999999999"] {
            assert!(matches!(answer(words), Answer::Malformed(_)), "{words}");
        }
    }
}
