//! What a person means by a line.

use crate::external::escape_for_terminal;
use crate::games::Game;

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer<M> {
    /// A legal move.
    Move(M),
    /// How to play and what can be typed.
    Help,
    /// What search would play.
    Hint,
    /// The position and the moves again.
    Board,
    /// Leave the game.
    Quit,
    /// Nothing was typed.
    Nothing,
    /// Neither a move nor a word that is known: why, in a sentence.
    Wrong(String),
}

/// The moves that a person may choose from.
pub(super) struct Menu<M> {
    /// Moves with their texts, in the order of their texts.
    moves: Vec<(String, M)>,
    /// Whether a number picks a move: not where moves are numbers themselves.
    numbered: bool,
}

impl<M: Copy> Menu<M> {
    /// The menu of `legal` moves.
    pub fn new<G: Game<Move = M>>(game: &G, legal: &[M]) -> Self {
        let mut moves: Vec<(String, M)> =
            legal.iter().map(|&mv| (game.move_text(mv), mv)).collect();
        let numbered = !moves.iter().any(|(text, _)| text.parse::<u64>().is_ok());
        if numbered {
            moves.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Self { moves, numbered }
    }

    /// The moves for people, in lines of at most `width` characters.
    pub fn text(&self, width: usize) -> String {
        let mut out = String::from("moves");
        let mut column = out.len();
        for (index, (text, _)) in self.moves.iter().enumerate() {
            let item = if self.numbered {
                format!("{}: {text}", index + 1)
            } else {
                text.clone()
            };
            if column + item.len() + 3 > width {
                out.push_str("\n     ");
                column = 5;
            }
            out.push_str("   ");
            out.push_str(&item);
            column += item.len() + 3;
        }
        out.push('\n');
        out
    }

    /// What `line` means.
    pub fn understand<G: Game<Move = M>>(&self, game: &G, line: &str) -> Answer<M> {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => return Answer::Nothing,
            "help" | "h" | "?" => return Answer::Help,
            "hint" => return Answer::Hint,
            "quit" | "q" | "exit" => return Answer::Quit,
            "board" | "table" | "moves" => return Answer::Board,
            _ => {}
        }
        if self.numbered
            && let Ok(number) = line.parse::<usize>()
        {
            return match number
                .checked_sub(1)
                .and_then(|index| self.moves.get(index))
            {
                Some(&(_, mv)) => Answer::Move(mv),
                None => Answer::Wrong(format!(
                    "there is no move {number}: they are numbered 1 to {}",
                    self.moves.len()
                )),
            };
        }
        let wanted = squeezed(line);
        let exact = |text: &str| squeezed(text) == wanted;
        if let Some(&(_, mv)) = self.moves.iter().find(|(text, _)| exact(text)) {
            return Answer::Move(mv);
        }
        // The beginning of exactly one move is enough, such as the card of the only cover.
        let mut begun = self
            .moves
            .iter()
            .filter(|(text, _)| squeezed(text).starts_with(&wanted));
        match (begun.next(), begun.next()) {
            (Some(&(_, mv)), None) => return Answer::Move(mv),
            (Some((first, _)), Some((second, _))) => {
                return Answer::Wrong(format!(
                    "`{}` could be `{first}` or `{second}`: type more of it",
                    shown(line)
                ));
            }
            _ => {}
        }
        if let Some(word) = self.meant(&wanted) {
            return Answer::Wrong(format!(
                "`{}` is no move: do you mean `{word}`?",
                shown(line)
            ));
        }
        // What the drawing shows (`8♥`, `10`) is a move's text written otherwise.
        let plain = plain(line);
        Answer::Wrong(match game.parse_move(&plain) {
            Ok(mv) => format!("`{}` cannot be played now", game.move_text(mv)),
            Err(error) => format!("`{}` is no move: {}", shown(line), error.expected),
        })
    }
}

impl<M> Menu<M> {
    /// The word that `typed` is one slip away from.
    fn meant(&self, typed: &str) -> Option<&str> {
        let moves = self.moves.iter().map(|(text, _)| text.as_str());
        let words = ["help", "hint", "board", "quit"].into_iter();
        words
            .chain(moves.filter(|text| text.chars().all(char::is_alphabetic)))
            .filter(|_| typed.len() > 2 && typed.len() < 8)
            .find(|word| strsim::damerau_levenshtein(typed, word) == 1)
    }
}

/// Typed text that is safe to show.
fn shown(line: &str) -> String {
    let text: String = line.chars().take(40).collect();
    escape_for_terminal(text.as_bytes())
}

/// A text without what people write in different ways: case, blanks, commas, suits as symbols, tens.
fn squeezed(text: &str) -> String {
    plain(text)
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Suits as letters, ten as `T`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        out.push(match c {
            '♣' => 'c',
            '♦' => 'd',
            '♥' => 'h',
            '♠' => 's',
            other => other,
        });
    }
    for suit in ["c", "d", "h", "s"] {
        out = out.replace(&format!("10{suit}"), &format!("T{suit}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect_four::ConnectFour;
    use crate::games::durak::{Durak, Move};
    use crate::games::tictactoe::TicTacToe;

    fn durak() -> Durak {
        Durak::from_settings(&crate::spec::Settings::named("durak")).expect("the defaults")
    }

    fn covers() -> Menu<Move> {
        let moves: Vec<Move> = ["take", "8h>6h", "Th>6h", "Td>6h", "Td>7c"]
            .iter()
            .map(|text| Move::parse(text).expect("a move"))
            .collect();
        Menu::new(&durak(), &moves)
    }

    #[test]
    fn moves_are_understood_as_people_write_them() {
        let menu = covers();
        let game = durak();
        for (line, text) in [
            ("8h>6h", "8h>6h"),
            ("8H > 6H", "8h>6h"),
            ("8♥>6♥", "8h>6h"),
            ("8h", "8h>6h"),
            ("10h>6h", "Th>6h"),
            ("th", "Th>6h"),
            ("t a k e", "take"),
            ("TAKE", "take"),
            ("1", "8h>6h"),
            ("5", "take"),
        ] {
            let mv = Move::parse(text).expect("a move");
            assert_eq!(menu.understand(&game, line), Answer::Move(mv), "{line}");
        }
    }

    #[test]
    fn what_is_no_move_is_explained() {
        let menu = covers();
        let game = durak();
        for (line, sentence) in [
            ("td", "`td` could be `Td>6h` or `Td>7c`: type more of it"),
            ("6", "there is no move 6: they are numbered 1 to 5"),
            ("hnt", "`hnt` is no move: do you mean `hint`?"),
            ("tkae", "`tkae` is no move: do you mean `take`?"),
            ("0", "there is no move 0"),
            ("9s>6h", "`9s>6h` cannot be played now"),
            ("pass", "`pass` cannot be played now"),
            ("x\u{1b}[31m", "`x\\u{1b}[31m` is no move: a card is a rank"),
        ] {
            match menu.understand(&game, line) {
                Answer::Wrong(text) => assert!(text.starts_with(sentence), "{line}: {text}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert_eq!(menu.understand(&game, "  "), Answer::Nothing);
        assert_eq!(menu.understand(&game, "Hint"), Answer::Hint);
        assert_eq!(menu.understand(&game, "q"), Answer::Quit);
    }

    #[test]
    fn numbers_are_moves_where_moves_are_numbers() {
        let mut legal = Vec::new();
        let state = crate::games::connect_four::State::default();
        ConnectFour.legal_into(&state, &mut legal);
        let menu = Menu::new(&ConnectFour, &legal);
        let zero = ConnectFour.parse_move("0").expect("a column");
        assert_eq!(menu.understand(&ConnectFour, "0"), Answer::Move(zero));
        assert!(matches!(
            menu.understand(&ConnectFour, "7"),
            Answer::Wrong(_)
        ));
        assert!(!menu.text(80).contains(':'), "{}", menu.text(80));
    }

    #[test]
    fn a_cell_is_its_number_or_row_and_column() {
        let mut legal = Vec::new();
        TicTacToe.legal_into(&crate::games::tictactoe::State::default(), &mut legal);
        let menu = Menu::new(&TicTacToe, &legal);
        let cell = TicTacToe.parse_move("1 2").expect("a cell");
        for line in ["1 2", "1,2", " 1   2 ", "6"] {
            assert_eq!(menu.understand(&TicTacToe, line), Answer::Move(cell));
        }
        assert!(menu.text(30).lines().all(|line| line.len() <= 30));
    }
}
