//! `evalctl play`, with people whose answers are scripted.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn evalctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalctl"));
    command.arg("play").stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Plays with these lines typed, then the end of input.
fn play(args: &[&str], typed: &str) -> Output {
    let mut child = evalctl().args(args).spawn().expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    // The game may be over before everything is read.
    let _ = input.write_all(typed.as_bytes());
    drop(input);
    child.wait_with_output().expect("ends")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The command printed after `marker`, as arguments of `play`.
fn printed_command(text: &str, marker: &str) -> Vec<String> {
    let line = text
        .lines()
        .find_map(|line| line.split_once(marker))
        .unwrap_or_else(|| panic!("no `{marker}` in {text}"))
        .1;
    let words = evalctl::external::split_words(line).expect("words of a shell");
    assert_eq!(words[..2], ["evalctl", "play"]);
    words[2..].to_vec()
}

#[test]
fn a_game_of_two_people_with_typos_comes_to_its_end_and_can_be_seen_again() {
    let typed = "1 1\nnonsense\n9 9\n1 1\n0 0\n\n2,0\n3\n2 2\n6\n0 1\n0 2\n";
    let game = play(&["tictactoe", "human", "human", "--seed", "1"], typed);
    let text = out(&game);
    assert_eq!(code(&game), Some(0), "{text}{}", err(&game));
    assert!(
        text.contains("`nonsense` is no move: row and column"),
        "{text}"
    );
    assert!(text.contains("`9 9` is no move"), "{text}");
    assert!(text.contains("`1 1` cannot be played now"), "{text}");
    assert!(text.contains("Over: "), "{text}");
    assert!(
        !text.contains('\x1b'),
        "colours go to terminals only: {text}"
    );
    assert!(!text.contains("pass the keyboard"), "nothing is hidden");
    let again = printed_command(&text, "To see it again: ");
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let replayed = play(&again, "");
    assert_eq!(code(&replayed), Some(0), "{}", err(&replayed));
    let last = |text: &str| text[text.find("Over: ").expect("a result")..].to_owned();
    assert_eq!(last(&out(&replayed)), last(&text));
}

#[test]
fn connect_four_is_won_with_columns() {
    let game = play(
        &["connect-four", "human", "first", "--seed", "1"],
        "3\n8\n3\nhint\n3\n3\n",
    );
    let text = out(&game);
    assert_eq!(code(&game), Some(0), "{text}{}", err(&game));
    assert!(text.contains("`8` is no move"), "{text}");
    assert!(
        text.contains("hint: uct:simulations=5000 would play "),
        "{text}"
    );
    assert!(text.contains("Over: seat 0 (human) wins."), "{text}");
    // The last position is shown, not the one before it.
    let end = &text[text.rfind("+-----").expect("a board") - 200..];
    assert!(end.contains("| x . . o . . . |"), "{end}");
}

#[test]
fn durak_shows_a_person_its_own_hand_only_and_search_gives_hints() {
    let args = ["durak", "human", "lowest", "--seed", "3"];
    let game = play(&args, "hint\n1\n7d\n9h>\nquit\nno\nquit\nyes\n");
    let text = out(&game);
    assert_eq!(code(&game), Some(0), "{text}{}", err(&game));
    assert!(text.contains("from what you may know, it expects you to score 0."));
    assert!(
        text.contains("> seat 0 attacks   9♣ 7♦ 6♥ 9♥ J♥ A♥"),
        "{text}"
    );
    assert!(text.contains("seat 1 defends   6 cards"), "{text}");
    assert!(text.contains("you play 9h>6d"), "{text}");
    assert!(text.contains("Leave this game? It is not over."), "{text}");
    let on = printed_command(&text, "To go on: ");
    let on: Vec<&str> = on.iter().map(String::as_str).collect();
    let gone_on = play(&on, "");
    assert_eq!(code(&gone_on), Some(130), "{}", err(&gone_on));
    assert!(out(&gone_on).contains("seat 0 (human) plays 9h>6d"));
    assert!(err(&gone_on).contains("the input ended before the game"));
}

#[test]
fn a_whole_game_of_durak_is_played_by_number_and_recorded() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("game.jsonl");
    let path = file.display().to_string();
    let args = [
        "durak:players=3",
        "human",
        "lowest",
        "--seed",
        "4",
        "--record",
        &path,
    ];
    let game = play(&args, &"1\n".repeat(300));
    let text = out(&game);
    assert_eq!(code(&game), Some(0), "{text}{}", err(&game));
    assert!(text.contains("Over: ") && text.contains("Went out in this order: "));
    let record = std::fs::read_to_string(&file).expect("a record");
    assert!(
        record.starts_with("{\"kind\":\"deal\",\"game\":0,"),
        "{record}"
    );
    let last = record.lines().last().expect("a line");
    assert!(last.starts_with("{\"kind\":\"end\","), "{last}");
}

#[test]
fn hands_of_two_people_are_hidden_while_the_keyboard_is_passed() {
    let game = play(&["durak", "human", "human", "--seed", "5"], "\n6c\n\nAc\n");
    let text = out(&game);
    assert_eq!(code(&game), Some(130));
    let passed: Vec<&str> = text.split("pass the keyboard").collect();
    assert_eq!(passed.len(), 3, "{text}");
    assert!(!passed[0].contains('♦'), "cards before anybody was asked");
    assert!(passed[1].contains("8♦ J♦ T♥") && !passed[1].contains("J♣"));
    assert!(passed[2].contains("6♥ 7♥ 8♥ J♥ J♣ A♣") && !passed[2].contains("T♥"));
    assert!(passed[2].contains("seat 0 (human) plays 6c"), "{text}");
}

#[test]
fn the_toy_is_played_too_and_nobody_needs_to_be_a_person() {
    let game = play(
        &["durak-toy", "human", "toy-mcts"],
        &"0\n1\n2\n3\n4\n5\n".repeat(7),
    );
    assert_eq!(code(&game), Some(0), "{}{}", out(&game), err(&game));
    assert!(out(&game).contains("Over: a draw."));
    let agents = play(&["tictactoe", "perfect", "--seed", "2"], "");
    assert!(out(&agents).contains("Over: a draw."), "{}", out(&agents));
}

#[test]
fn what_cannot_be_played_is_a_usage_error_in_a_sentence() {
    for (args, sentence) in [
        (&["chess", "human", "human"][..], "no game `chess`"),
        (
            &["tictactoe", "human"],
            "name a player for each of the 2 seats",
        ),
        (&["tictactoe", "human", "human", "human"], "has 2 seats"),
        (&["tictactoe", "human", "nobody"], "nobody"),
        (&["durak", "human", "uct"], "hidden information"),
        (
            &["durak", "human", "lowest", "--hint", "cheating-uct"],
            "sees what you see",
        ),
    ] {
        let output = play(args, "");
        assert_eq!(code(&output), Some(2), "{args:?}: {}", err(&output));
        assert!(
            err(&output).contains(sentence),
            "{args:?}: {}",
            err(&output)
        );
    }
    let output = play(&["tictactoe", "human", "human", "--moves", "0 0;0 0"], "");
    assert_eq!(code(&output), Some(1));
    assert!(err(&output).contains("`0 0` cannot be played where it stands"));
    let output = play(&["tictactoe", "human", "exec:./no-such-bot"], "1 1\n");
    assert_eq!(code(&output), Some(1), "{}", err(&output));
    assert!(err(&output).contains("no-such-bot"), "{}", err(&output));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_at_once_while_a_person_thinks_and_while_search_does() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::time::{Duration, Instant};
    for (opponent, typed, wait_for) in [
        ("perfect", "", "Type a move"),
        // What is piped in is shown behind its prompt, on a line of its own.
        ("uct:millis=60000", "1 1\n", "seat 0, your move: 1 1\n"),
    ] {
        let mut child = evalctl()
            .args(["tictactoe", "human", opponent])
            .spawn()
            .expect("starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(typed.as_bytes()).expect("read");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains(wait_for) {
            line.clear();
            assert!(output.read_line(&mut line).expect("text") > 0);
        }
        let asked = Instant::now();
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("sent");
        let status = child.wait().expect("ends");
        assert!(
            asked.elapsed() < Duration::from_secs(1),
            "{:?}",
            asked.elapsed()
        );
        assert_eq!(status.code(), Some(130));
        let mut said = String::new();
        let errors = child.stderr.as_mut().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        assert!(said.contains("stopped. To go on: evalctl play tictactoe human"));
        drop(input);
    }
}

#[test]
fn a_move_that_cannot_be_repeated_shows_nobody_s_hand() {
    let args = ["durak", "human", "lowest", "--seed", "3"];
    let output = play(&[&args[..], &["--moves", "9c;zzz"]].concat(), "");
    assert_eq!(code(&output), Some(1), "{}", err(&output));
    let said = err(&output);
    assert!(
        said.contains("`zzz` cannot be played where it stands"),
        "{said}"
    );
    // What seat 1 could have answered.
    assert!(!said.contains(">9c") && !said.contains("take"), "{said}");
    // Where nothing is hidden, the choice is named.
    let output = play(&["tictactoe", "human", "human", "--moves", "0 0;0 0"], "");
    assert!(err(&output).contains("only 0 1, 0 2"), "{}", err(&output));
}
