//! A kit of programs that misbehave as players: `fake_bot BEHAVIOUR [--dialect D] [--at N] ...`.
//!
//! It plays the first legal move and misbehaves at question N (default 2), so that a game is under
//! way. The tests of `evalctl` use it to show what each kind of misbehaviour leads to, and it is
//! handy for trying out any other harness.

mod attack;
mod play;

use std::io::Write as _;
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use play::{Player, Question};

const USAGE: &str = "usage: fake_bot BEHAVIOUR [--dialect json|text|board] [--at N] [--value V] [--marker M]
  well behaved:  first, chatter, crlf, bytes, slow-start
  silent:        never, spin, late (--value MS), ignore-sigterm
  buffers:       unflushed, one-read
  ends:          exit-at-start, never-ready, exit-after-ready, exit, abort, exit-with-answer, close-output
  floods:        flood, flood-lines, flood-chatter, flood-errors, megabyte
  wrong words:   early, twice, illegal, empty, nul, utf8, escapes, wrong-version, wrong-dialect
  processes:     fork, daemon, rabbit
  resources:     eat-memory, huge-file
  attacks:       read-file (--value FOLDER), sockets, signal, trace, system-calls";

/// What was asked for on the command line.
#[derive(Clone)]
pub struct Options {
    behaviour: String,
    dialect: String,
    at: u64,
    value: String,
    marker: String,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let Some(behaviour) = words.next() else {
        eprintln!("{USAGE}");
        exit(2);
    };
    let mut options = Options {
        behaviour,
        dialect: "text".to_owned(),
        at: 2,
        value: String::new(),
        marker: String::new(),
    };
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        match key.as_str() {
            "--dialect" => options.dialect = value,
            "--at" => options.at = value.parse().unwrap_or(2),
            "--value" => options.value = value,
            "--marker" => options.marker = value,
            _ => {
                eprintln!("{USAGE}");
                exit(2);
            }
        }
    }
    run(&options);
}

fn run(options: &Options) {
    match options.behaviour.as_str() {
        // "sleeper" and the like are roles of the processes that some behaviours start.
        "sleeper" | "never-ready" => rest(),
        "daemonize" => {
            let _ = rustix::process::setsid();
            start_another(options, "sleeper");
            return;
        }
        "rabbit-child" => return rabbit(options),
        "exit-at-start" => {
            eprintln!("cannot find my opening book\nleaving \x1b[31mnow");
            exit(3);
        }
        "slow-start" => sleep(Duration::from_millis(options.value.parse().unwrap_or(300))),
        // Without a handshake the first words cannot be too early for one.
        "early" if options.dialect != "json" => print("0 0\n"),
        _ => {}
    }
    let mut player = Player::new(&options.dialect);
    player.handshake(&options.behaviour);
    if options.behaviour == "exit-after-ready" {
        exit(0);
    }
    if options.behaviour == "one-read" {
        play::one_read();
    }
    let mut asked = 0;
    let mut held_back = String::new();
    while let Some(question) = player.next_question() {
        asked += 1;
        if options.behaviour == "unflushed" {
            held_back.push_str(&format!("{}\n", player.answer(&question)));
        } else if asked < options.at || !misbehave(options, &player, &question) {
            print(&format!("{}\n", player.answer(&question)));
        }
    }
    print(&held_back);
}

/// Does what the behaviour says; whether that was the answer.
fn misbehave(options: &Options, player: &Player, question: &Question) -> bool {
    let answer = player.answer(question);
    match options.behaviour.as_str() {
        "never" | "ignore-sigterm" => {
            if options.behaviour == "ignore-sigterm" {
                let ignored = std::sync::Arc::default();
                let _ = signal_hook::flag::register(signal_hook::consts::SIGTERM, ignored);
            }
            rest();
        }
        "spin" => loop {
            std::hint::spin_loop();
        },
        "late" => {
            sleep(Duration::from_millis(options.value.parse().unwrap_or(500)));
            return false;
        }
        "exit" => exit(3),
        "abort" => std::process::abort(),
        "exit-with-answer" => {
            print(&answer);
            exit(3);
        }
        "close-output" => close_output(),
        "flood" => loop {
            print(&"x".repeat(8192));
        },
        "flood-lines" => loop {
            print(&"0 0\n".repeat(2000));
        },
        "flood-chatter" => loop {
            print(&"# still thinking\n".repeat(500));
        },
        "flood-errors" => {
            if question.number == options.at {
                // Far more than a pipe holds, then more for as long as there is somebody to read.
                for _ in 0..256 {
                    eprint!("{}", "this is a flood\n".repeat(500));
                }
                std::thread::spawn(|| {
                    loop {
                        eprint!("{}", "this is a flood\n".repeat(500));
                    }
                });
            }
            return false;
        }
        "megabyte" => print(&format!("{}\n", "y".repeat(1 << 20))),
        "twice" => print(&format!("{answer}\n{answer}\n")),
        "bytes" => {
            for byte in format!("{answer}\n").chars() {
                print(&byte.to_string());
                sleep(Duration::from_millis(1));
            }
        }
        "crlf" => print(&format!("{answer}\r\n")),
        "chatter" => print(&format!(
            "# I look at {} moves\n{answer}\n",
            question.moves.len()
        )),
        "illegal" => print(&format!("{}\n", player.illegal_answer(question))),
        "empty" => print("\n"),
        "nul" => print(&format!("{answer}\0\n")),
        "utf8" => print_bytes(b"0 \xff\xfe\n"),
        "escapes" => print("\x1b[2J\x1b]0;owned\x07\n"),
        "fork" => {
            for _ in 0..5 {
                start_another(options, "sleeper");
            }
            return false;
        }
        "daemon" => {
            start_another(options, "daemonize");
            return false;
        }
        "rabbit" => {
            start_another(options, "rabbit-child");
            return false;
        }
        "eat-memory" => eat_memory(),
        "huge-file" => {
            if let Ok(file) = std::fs::File::create("huge") {
                let _ = file.set_len(1 << 40);
            }
            return false;
        }
        _ => {
            attack::attack(&options.behaviour, &options.value);
            return false;
        }
    }
    true
}

/// Writes to standard output at once; exits when nobody reads, as programs do.
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn rest() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

/// Starts this program again in another role, with the same marker and the same pipes.
fn start_another(options: &Options, role: &str) {
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let started = Command::new(program)
        .args([role, "--marker", &options.marker])
        .stdin(Stdio::null())
        .spawn();
    if let Err(e) = started {
        eprintln!("no new process: {e}");
    }
}

/// Hops from process to process, each in a session of its own, for as long as it is let.
fn rabbit(options: &Options) {
    let _ = rustix::process::setsid();
    start_another(options, "rabbit-child");
}

/// Touches memory until there is no more.
fn eat_memory() -> ! {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    loop {
        eaten.push(vec![u8::try_from(eaten.len() % 251).unwrap_or(1); 16 << 20]);
    }
}

/// Stays alive with its output closed.
fn close_output() -> ! {
    #[expect(
        unsafe_code,
        reason = "closing a standard stream is not offered as safe"
    )]
    // SAFETY: this process never uses its standard output again.
    unsafe {
        rustix::io::close(1);
    }
    rest()
}
