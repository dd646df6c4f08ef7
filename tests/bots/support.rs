//! Tables with fake bots, and a look at the processes that exist.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use evalctl::agents::Player;
use evalctl::agents::basic::First;
use evalctl::external::process::ProcessSpec;
use evalctl::external::{
    BotConfig, Dialect, ExternalAgent, GameLog, Level, Limits, ResolvedCommand, Sandbox,
};
use evalctl::games::tictactoe::TicTacToe;
use evalctl::plan::GameSeeds;
use evalctl::record::{End, GameRecord};
use evalctl::rng::Seed;
use evalctl::table::{GameTable, Table as _, TableOptions};

/// The kit of misbehaving programs.
pub fn fake_bot() -> PathBuf {
    crate::common::example("fake_bot")
}

/// A text that only the processes of one test carry in their command line.
pub fn marker() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("marker-{}-{count}-", std::process::id())
}

/// Command lines of the processes that carry `marker`.
#[cfg(target_os = "linux")]
pub fn processes_with(marker: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        if let Ok(line) = std::fs::read(entry.path().join("cmdline")) {
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(marker) {
                found.push(line);
            }
        }
    }
    found
}

/// A fake bot and how it is run.
#[derive(Clone)]
pub struct Fake {
    pub behaviour: String,
    pub dialect: Dialect,
    pub more: Vec<String>,
    pub marker: String,
    pub limits: Limits,
    pub sandbox: Sandbox,
    pub reuse: bool,
    pub interrupt: Arc<AtomicBool>,
}

impl Fake {
    pub fn new(behaviour: &str, dialect: Dialect) -> Self {
        Self {
            behaviour: behaviour.to_owned(),
            dialect,
            more: Vec::new(),
            marker: marker(),
            limits: Limits {
                move_ms: 400,
                margin_ms: 50,
                memory_mb: 256,
                ..Limits::default()
            },
            sandbox: Sandbox {
                level: Level::Default,
                helper: Some(env!("CARGO_BIN_EXE_evalctl").into()),
                ..Sandbox::default()
            },
            reuse: true,
            interrupt: Arc::default(),
        }
    }

    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.more.extend([key.to_owned(), value.to_owned()]);
        self
    }

    pub fn level(mut self, level: Level) -> Self {
        self.sandbox.level = level;
        self
    }

    pub fn config(&self) -> BotConfig {
        let mut words = vec![
            fake_bot().to_str().unwrap().to_owned(),
            self.behaviour.clone(),
            "--dialect".to_owned(),
            self.dialect.word().to_owned(),
            "--marker".to_owned(),
            self.marker.clone(),
        ];
        words.extend(self.more.iter().cloned());
        BotConfig {
            process: ProcessSpec {
                command: ResolvedCommand::new(&words).unwrap(),
                env: Vec::new(),
                limits: self.limits,
                sandbox: self.sandbox.clone(),
                share_core: false,
                interrupt: Arc::clone(&self.interrupt),
            },
            dialect: self.dialect,
            reuse: self.reuse,
        }
    }

    pub fn agent(&self) -> ExternalAgent {
        ExternalAgent::new(self.config())
    }
}

pub fn seeds(game: u64) -> GameSeeds {
    let seed = Seed::root(game);
    GameSeeds {
        deal: seed,
        opening: seed,
        agents: [seed; evalctl::games::MAX_SEATS],
    }
}

/// A table of tic-tac-toe with the fake bot as player 0 and `first` as player 1.
pub fn table(fake: &Fake) -> GameTable<TicTacToe> {
    table_of(vec![
        Player::Honest(Box::new(fake.agent())),
        Player::Honest(Box::new(First)),
    ])
}

pub fn table_of(players: Vec<Player<TicTacToe>>) -> GameTable<TicTacToe> {
    GameTable::new(TicTacToe, players, TableOptions::default())
}

/// What came of some games of a fake bot against `first`, seats swapped.
pub struct Outcome {
    pub records: Vec<GameRecord>,
    pub log: GameLog,
    pub notice: Option<String>,
}

impl Outcome {
    /// How the games ended.
    pub fn ends(&self) -> Vec<End> {
        self.records.iter().map(|record| record.end).collect()
    }

    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.log.errors).into_owned()
    }
}

/// Plays `games` games and checks that no process is left when the table is gone.
pub fn play(fake: &Fake, games: u64) -> Outcome {
    let mut table = table(fake);
    let mut log = GameLog::default();
    let records = (0..games)
        .map(|game| {
            let rotation = usize::from(game % 2 == 1);
            let players = [rotation, 1 - rotation];
            let record = table.play(&seeds(game), &players, None).unwrap();
            log.append(&table.take_log(0).unwrap());
            record
        })
        .collect();
    let notice = table.notice(0);
    drop(table);
    #[cfg(target_os = "linux")]
    assert_eq!(processes_with(&fake.marker), [""; 0]);
    Outcome {
        records,
        log,
        notice,
    }
}

/// A forfeit: the bot scores 0, the other seat 1, and the bot's seat is named.
pub fn assert_forfeit(record: &GameRecord, end: End, bot_seat: usize) {
    assert_eq!(record.end, end, "{record:?}");
    assert_eq!(record.fault_seat, Some(bot_seat));
    let expected = if bot_seat == 0 {
        [0.0, 1.0]
    } else {
        [1.0, 0.0]
    };
    assert_eq!(record.scores.as_slice(), expected);
}
