//! `text`: `obs FIELD=VALUE ...`, then `moves MOVE;MOVE;...`; the answer is one of the moves.

use super::{Answer, legal_move};
use crate::games::Game;

/// Appends the question: two lines.
pub fn write_question<G: Game>(game: &G, view: &G::View, legal: &[G::Move], out: &mut String) {
    out.push_str("obs");
    game.write_observation(view, out);
    out.push_str("\nmoves ");
    for (index, &mv) in legal.iter().enumerate() {
        if index > 0 {
            out.push(';');
        }
        game.write_move(mv, out);
    }
    out.push('\n');
}

/// What a line means.
pub fn read_answer<G: Game>(game: &G, line: &str, legal: &[G::Move]) -> Answer<G::Move> {
    let line = line.trim_ascii();
    if line.is_empty() {
        Answer::Malformed("answered with an empty line".to_owned())
    } else {
        legal_move(game, line, legal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;

    #[test]
    fn a_question_has_two_lines_and_its_answer_is_one_of_the_moves() {
        let game = TicTacToe;
        let mut state = game.deal(&mut crate::rng::Seed::root(1).rng());
        let mut legal = Vec::new();
        for text in ["1 1", "0 0"] {
            game.apply(&mut state, game.parse_move(text).unwrap());
        }
        game.legal_into(&state, &mut legal);
        let mut out = String::new();
        write_question(&game, &game.view(&state, 0), &legal, &mut out);
        assert_eq!(
            out,
            "obs mark=o board=x...o....\nmoves 0 1;0 2;1 0;1 2;2 0;2 1;2 2\n"
        );
        let answer = |line| read_answer(&game, line, &legal);
        assert_eq!(
            answer(" 2 2 "),
            Answer::Move(game.parse_move("2 2").unwrap())
        );
        assert_eq!(answer("1 1"), Answer::Illegal("1 1".to_owned()));
        assert_eq!(answer("9 9"), Answer::Illegal("9 9".to_owned()));
        assert_eq!(answer("\x1b[0m"), Answer::Illegal("\\u{1b}[0m".to_owned()));
        assert!(matches!(answer("  "), Answer::Malformed(_)));
    }
}
