//! What people are told: how to play, and how a game came out.

use crate::games::Seat;
use crate::numbers::short;
use crate::record::GameRecord;
use crate::report::terminal;

/// Columns of what is shown.
pub(super) const WIDTH: usize = 78;

const COMMANDS: &str = "\
You can type
  a move        by its text, the beginning of it, or its number in the list
  hint          what search would play, from what you may know
  board         the position and the moves again
  help          this text
  quit          leave the game (asks first)
";

/// How to play `game` and what can be typed.
pub(super) fn help(game: &str) -> String {
    let own;
    let rules = match game {
        "tictactoe" => {
            "\
Tic-tac-toe: three of your own marks in a row, a column or a diagonal win; a
full board without such a line is a draw. Seat 0 has o and moves first. A move
is row and column, each 0 to 2: `1 2`.
"
        }
        "connect-four" => {
            "\
Connect Four: a disc falls to the lowest free place of its column. Four of your
own in a row, a column or a diagonal win; a full board is a draw. Seat 0 has o.
A move is a column, 0 to 6.
"
        }
        "durak" => {
            "\
Durak: the last player with cards is the fool. The attacker leads a card; the
defender covers each attack with a higher card of its suit or with a trump, or
takes the whole table. Others throw in cards of ranks that lie on the table.
Then hands are filled up from the talon. Ranks 2-9 T J Q K A, suits c d h s.
  6c            lead the six of clubs, or throw it in
  8h>6h         cover the six of hearts with the eight of hearts
  take          take the table
  pass          throw in no more
  transfer 6d   pass the defence on with a card of the attacks' rank
  show 6d       the same by showing the trump of that rank (an option)
"
        }
        "durak-toy" => {
            "\
The toy of a well-known experiment: each turn any card of your hand goes. As
long as the deck is not empty the game ends in a draw, whatever anybody plays.
A move is the number of a card.
"
        }
        // A game from outside this crate says what it is in its spec.
        name => {
            let spec = crate::games::specs().iter().find(|spec| spec.name == name);
            own = spec.map_or_else(String::new, |spec| terminal::wrap(spec.help, WIDTH));
            &own
        }
    };
    format!("{rules}{COMMANDS}")
}

/// How a game came out, in a line or two. `names` are the players by seat.
pub(super) fn result(names: &[String], record: &GameRecord, out: &[Vec<Seat>]) -> String {
    let who = |seat: Seat| {
        format!(
            "seat {seat} ({})",
            names.get(seat).map_or("?", String::as_str)
        )
    };
    if let Some(seat) = record.fault_seat {
        return format!("Over: {} forfeits by {}.\n", who(seat), record.end.word());
    }
    if record.end.is_truncated() {
        return format!("Over without a result ({}).\n", record.end.word());
    }
    let scores = record.scores.as_slice();
    let with = |wanted: fn(f64) -> bool| -> Vec<Seat> {
        (0..scores.len()).filter(|&s| wanted(scores[s])).collect()
    };
    let (won, lost) = (with(|s| s >= 1.0), with(|s| s <= 0.0));
    let mut text = match (&won[..], &lost[..]) {
        ([winner], [_]) => format!("Over: {} wins.\n", who(*winner)),
        (_, [loser]) => format!("Over: {} loses, all others win.\n", who(*loser)),
        _ if scores.iter().all(|s| s.total_cmp(&scores[0]).is_eq()) => "Over: a draw.\n".to_owned(),
        _ => {
            let each: Vec<String> = scores
                .iter()
                .enumerate()
                .map(|(seat, &score)| format!("{} {}", who(seat), short(score)))
                .collect();
            format!("Over. Scores: {}.\n", each.join(", "))
        }
    };
    if scores.len() > 2 && !out.is_empty() {
        let groups: Vec<String> = out
            .iter()
            .map(|group| {
                let seats: Vec<String> = group.iter().map(|&seat| who(seat)).collect();
                seats.join(" and ")
            })
            .collect();
        text.push_str(&format!(
            "Went out in this order: {}.\n",
            groups.join(", then ")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{MAX_SEATS, Scores};
    use crate::record::End;

    fn record(scores: Scores) -> GameRecord {
        GameRecord {
            scores,
            places: [0; MAX_SEATS],
            first_seat: 0,
            end: End::Normal,
            fault_seat: None,
            decisions: 5,
            digest: 0,
            nanos: [0; MAX_SEATS],
            choices: [0; MAX_SEATS],
        }
    }

    fn names() -> Vec<String> {
        ["human", "lowest", "random"].map(str::to_owned).to_vec()
    }

    #[test]
    fn results_are_sentences() {
        let say = |record: &GameRecord| result(&names(), record, &[]);
        assert_eq!(
            say(&record(Scores::lost_by(2, 0))),
            "Over: seat 1 (lowest) wins.\n"
        );
        assert_eq!(
            say(&record(Scores::lost_by(3, 2))),
            "Over: seat 2 (random) loses, all others win.\n"
        );
        assert_eq!(say(&record(Scores::all(2, 0.5))), "Over: a draw.\n");
        let mut forfeited = record(Scores::lost_by(2, 1));
        forfeited.end = End::Timeout;
        forfeited.fault_seat = Some(1);
        assert_eq!(
            say(&forfeited),
            "Over: seat 1 (lowest) forfeits by timeout.\n"
        );
        let three = result(&names(), &record(Scores::lost_by(3, 0)), &[vec![1, 2]]);
        assert!(
            three.contains("seat 1 (lowest) and seat 2 (random)"),
            "{three}"
        );
    }

    #[test]
    fn every_game_has_rules_in_its_help() {
        for spec in crate::games::specs() {
            let text = help(spec.name);
            assert!(text.len() > COMMANDS.len() + 50, "{}", spec.name);
            assert!(text.lines().all(|line| line.len() < 80), "{}", spec.name);
        }
    }
}
