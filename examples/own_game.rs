//! A game of one's own, with hidden information, and the whole of `evalctl` around it.
//!
//! Kuhn poker (H. W. Kuhn 1950): three cards, one for each of two players, who each put 1 into the
//! pot. A player may pass or bet 1. The higher card takes the pot, or whoever stays when the other
//! passes after a bet.
//!
//! `cargo run --example own_game` plays the sweep of `examples/own_game.toml` into
//! `results/own-game`; with arguments it is `evalctl` with one more game:
//! `cargo run --example own_game -- trace random ismcts --game kuhn-poker --text`.

use std::process::ExitCode;

use evalctl::agents::{Agent, BuildError, Fault, GameAgents, Player};
use evalctl::games::{Field, Game, GameInfo, MoveTextError, Observation, Scores, Seat};
use evalctl::rng::{Rng, Seed};
use evalctl::spec::{AgentSpec, GameSpec, Settings};
use serde_json::json;

static SPEC: GameSpec = GameSpec {
    name: "kuhn-poker",
    help: "Kuhn poker: three cards, one bet.",
    options: &[],
};

#[derive(Clone)]
struct Kuhn;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Move {
    Pass,
    Bet,
}

/// What both players saw: at most three moves, seat 0 first.
type Moves = [Option<Move>; 3];

/// The card of each seat (0 jack, 1 queen, 2 king).
#[derive(Clone, PartialEq, Debug)]
struct State {
    cards: [usize; 2],
    moves: Moves,
}

/// One's own card, and what both saw.
#[derive(Clone, PartialEq, Debug)]
struct View {
    seat: Seat,
    card: usize,
    moves: Moves,
}

fn words(moves: Moves) -> String {
    let words = moves.iter().flatten().map(|mv| Kuhn.move_text(*mv));
    words.collect::<Vec<_>>().join(",")
}

impl Game for Kuhn {
    type State = State;
    type View = View;
    type Move = Move;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: SPEC.name,
            seats: 2,
            hidden_information: true,
            fair_share: 0.5,
            utility: "1/2 and a quarter of what was won or lost",
        }
    }

    fn deal(&self, rng: &mut Rng) -> State {
        let first = rng.index(3);
        let second = (first + 1 + rng.index(2)) % 3;
        State {
            cards: [first, second],
            moves: [None; 3],
        }
    }

    fn to_move(&self, state: &State) -> Option<Seat> {
        use Move::{Bet, Pass};
        match state.moves {
            [None, ..] | [Some(Pass), Some(Bet), None] => Some(0),
            [Some(_), None, _] => Some(1),
            _ => None,
        }
    }

    fn legal_into(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if self.to_move(state).is_some() {
            out.extend([Move::Pass, Move::Bet]);
        }
    }

    fn apply(&self, state: &mut State, mv: Move) {
        if let Some(next) = state.moves.iter_mut().find(|mv| mv.is_none()) {
            *next = Some(mv);
        }
    }

    fn scores(&self, state: &State) -> Option<Scores> {
        use Move::{Bet, Pass};
        let higher = usize::from(state.cards[1] > state.cards[0]);
        let (winner, won) = match state.moves {
            [Some(Pass), Some(Pass), _] => (higher, 1.0),
            [Some(Pass), Some(Bet), Some(Pass)] => (1, 1.0),
            [Some(Bet), Some(Pass), _] => (0, 1.0),
            [Some(Bet), Some(Bet), _] | [Some(Pass), Some(Bet), Some(Bet)] => (higher, 2.0),
            _ => return None,
        };
        Some(Scores::all(2, 0.5 - won / 4.0).with(winner, 0.5 + won / 4.0))
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View {
            seat,
            card: state.cards[seat],
            moves: state.moves,
        }
    }

    /// The other card is one of the two that one does not hold.
    fn sample(&self, view: &View, rng: &mut Rng) -> State {
        let mut cards = [(view.card + 1 + rng.index(2)) % 3; 2];
        cards[view.seat] = view.card;
        State {
            cards,
            moves: view.moves,
        }
    }

    fn move_code(&self, mv: Move) -> u32 {
        mv as u32
    }

    fn write_move(&self, mv: Move, out: &mut String) {
        out.push_str(match mv {
            Move::Pass => "pass",
            Move::Bet => "bet",
        });
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        match text {
            "pass" => Ok(Move::Pass),
            "bet" => Ok(Move::Bet),
            _ => Err(MoveTextError {
                text: text.to_owned(),
                game: SPEC.name,
                expected: "pass or bet".to_owned(),
            }),
        }
    }

    fn observation(&self, view: &View) -> Observation {
        let field = |name, text: String| Field {
            name,
            json: json!(text),
            text,
        };
        Observation(vec![
            field("card", ["J", "Q", "K"][view.card].to_owned()),
            field("moves", words(view.moves)),
        ])
    }
}

static BOLD: AgentSpec = AgentSpec {
    name: "bold",
    help: "Bets with the king, otherwise passes. No search.",
    games: &["kuhn-poker"],
    options: &[],
};

/// A player of its own; all general ones play the game without being named here.
struct Bold;

impl Agent<Kuhn> for Bold {
    fn start(&mut self, _game: &Kuhn, _seat: Seat, _seed: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, _game: &Kuhn, view: &View, _legal: &[Move]) -> Result<Move, Fault> {
        Ok([Move::Pass, Move::Pass, Move::Bet][view.card])
    }
}

impl GameAgents for Kuhn {
    fn own_agent(&self, settings: &Settings) -> Result<Option<Player<Self>>, BuildError> {
        let bold = || Player::Honest(Box::new(Bold));
        Ok((settings.name == BOLD.name).then(bold))
    }
}

fn register() -> Result<(), BuildError> {
    evalctl::own_game::register(&SPEC, |_options| Ok(Kuhn))?;
    evalctl::own_game::register_agent(&BOLD)
}

fn main() -> ExitCode {
    if let Err(error) = register() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    if std::env::args_os().len() > 1 {
        return evalctl::cli::main();
    }
    evalctl::cli::main_with(["own_game", "sweep", "examples/own_game.toml"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_keeps_its_contracts() {
        evalctl::games::conformance::check(&Kuhn, 200);
    }

    #[test]
    fn it_is_swept_and_verified_like_any_other() {
        register().expect("new names");
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run").display().to_string();
        let evalctl = |arguments: &[&str]| {
            evalctl::cli::main_with([&["evalctl"], arguments].concat().iter().copied())
        };
        let sweep = [
            "sweep",
            "examples/own_game.toml",
            "--progress",
            "none",
            "--out",
            &run,
        ];
        assert_eq!(
            evalctl(&[&sweep[..], &["--require-claims"]].concat()),
            ExitCode::SUCCESS
        );
        assert_eq!(evalctl(&["verify", &run]), ExitCode::SUCCESS);
        let claims = std::fs::read_to_string(folder.path().join("run/claims.csv"));
        assert!(claims.expect("claims.csv").contains("supported"));
    }
}
