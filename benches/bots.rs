//! What contact with programs costs, beside a bare way of doing the same in the same run.
//!
//! `cargo bench --bench bots`, about a minute. Everything is measured in turns. Of each figure the
//! best turn and the median are printed, and its ratio to the bare figure, best to best. On a busy
//! machine the ratio says more than the figures, but that of two games at once needs both cores
//! free in the same turn and holds for an idle machine only.

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("bots: containment and binding to a core are there on Linux only");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use evalctl::external::bench::round_trips;
    use evalctl::external::process::{Process, ProcessSpec};
    use evalctl::external::{Dialect, Level, Limits, ResolvedCommand, Sandbox};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Turns, in each of which everything is measured once.
    const TURNS: usize = 40;
    /// Length of a measurement of round trips.
    const TIME: Duration = Duration::from_millis(100);

    pub fn main() {
        let cores = cores();
        println!("cores: {}; {TURNS} turns", cores.len());
        let mut rows = Rows::default();
        for _ in 0..TURNS {
            trips(&mut rows, &cores[..1]);
            if let Some(two) = cores.get(..2) {
                trips(&mut rows, two);
            }
            starts(&mut rows);
        }
        rows.print();
    }

    fn sandbox(level: Level) -> Sandbox {
        Sandbox {
            level,
            helper: Some(env!("CARGO_BIN_EXE_evalctl").into()),
            ..Sandbox::default()
        }
    }

    fn trips(rows: &mut Rows, cores: &[usize]) {
        let many = cores.len();
        let name = |what: &str| format!("round trips/s, {many} at once, {what}");
        let bare: f64 = std::thread::scope(|scope| {
            let pairs: Vec<_> = (cores.iter())
                .map(|&core| scope.spawn(move || bare_round_trips(core)))
                .collect();
            pairs.into_iter().map(|pair| pair.join().unwrap()).sum()
        });
        rows.add(&name("bare pipe"), true, Better::More, bare);
        for dialect in [Dialect::Text, Dialect::Board, Dialect::Json] {
            let ours = round_trips(dialect, many, TIME, &sandbox(Level::Default)).unwrap();
            rows.add(&name(dialect.word()), false, Better::More, ours.per_second);
        }
    }

    /// Round trips per second through pipes with `cat`, both on one core: one write and one read,
    /// without a deadline.
    fn bare_round_trips(core: usize) -> f64 {
        let mut set = CpuSet::new();
        set.set(core);
        sched_setaffinity(None, &set).unwrap();
        // A child starts on the cores of the thread that starts it.
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("`cat` is there on Linux");
        let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let question = b"obs mark=o board=o........\nmoves 0 1;0 2;1 0;1 1;1 2;2 0;2 1;2 2\n";
        let mut answer = [0; 128];
        let mut trips = 0_u32;
        let mut started = Instant::now();
        loop {
            input.write_all(question).unwrap();
            assert_eq!(output.read(&mut answer).unwrap(), question.len());
            trips += 1;
            if trips == 50 {
                started = Instant::now();
            } else if trips > 50 && started.elapsed() >= TIME {
                break;
            }
        }
        let rate = f64::from(trips - 50) / started.elapsed().as_secs_f64();
        drop(input);
        child.wait().unwrap();
        rate
    }

    fn starts(rows: &mut Rows) {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let name = |what: &str| format!("start, ms, {what}");
        rows.add(
            &name("bare spawn"),
            true,
            Better::Less,
            milliseconds(bare_start()),
        );
        for level in [Level::Off, Level::Default] {
            let time = milliseconds(start(level));
            rows.add(&name(level.word()), false, Better::Less, time);
        }
    }

    /// Time until a program that greets at once has been heard.
    fn bare_start() -> Duration {
        let started = Instant::now();
        let mut child = Command::new("echo")
            .arg("hello")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("`echo` is there on Linux");
        let mut greeting = [0; 6];
        let output = child.stdout.as_mut().unwrap();
        output.read_exact(&mut greeting).unwrap();
        let taken = started.elapsed();
        child.wait().unwrap();
        taken
    }

    fn start(level: Level) -> Duration {
        let spec = ProcessSpec {
            command: ResolvedCommand::new(&["echo".to_owned(), "hello".to_owned()]).unwrap(),
            env: Vec::new(),
            limits: Limits::default(),
            sandbox: sandbox(level),
            share_core: false,
            interrupt: std::sync::Arc::default(),
        };
        let started = Instant::now();
        let mut process = Process::start(&spec).unwrap();
        let line = process.receive(started + Duration::from_secs(10)).unwrap();
        assert_eq!(process.text(&line), "hello");
        line.at - started
    }

    fn cores() -> Vec<usize> {
        let set = sched_getaffinity(None).unwrap();
        (0..CpuSet::MAX_CPU)
            .filter(|&core| set.is_set(core))
            .collect()
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Better {
        More,
        Less,
    }

    struct Row {
        name: String,
        /// Whether those that follow are compared with this one.
        is_bare: bool,
        better: Better,
        values: Vec<f64>,
    }

    #[derive(Default)]
    struct Rows(Vec<Row>);

    impl Rows {
        fn add(&mut self, name: &str, is_bare: bool, better: Better, value: f64) {
            if let Some(row) = self.0.iter_mut().find(|row| row.name == name) {
                row.values.push(value);
            } else {
                self.0.push(Row {
                    name: name.to_owned(),
                    is_bare,
                    better,
                    values: vec![value],
                });
            }
        }

        fn print(self) {
            println!("{:38} {:>10} {:>10} {:>8}", "", "best", "median", "to bare");
            let mut bare = 1.0;
            for mut row in self.0 {
                row.values.sort_by(f64::total_cmp);
                let (digits, best) = match row.better {
                    Better::More => (0, row.values[row.values.len() - 1]),
                    Better::Less => (2, row.values[0]),
                };
                let median = row.values[row.values.len() / 2];
                if row.is_bare {
                    bare = best;
                }
                println!(
                    "{:38} {best:>10.digits$} {median:>10.digits$} {:>8.2}",
                    row.name,
                    best / bare
                );
            }
        }
    }
}
