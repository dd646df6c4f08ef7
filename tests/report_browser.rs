//! `report.html` in a browser: headless Chromium opens it, and a probe in the page clicks, measures
//! and writes down what it saw. Says aloud when there is no Chromium. `.ci/run` installs it.
//!
//! Screenshots are left in `target/tmp/report-*.png`, to be looked at.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The most that Chromium may take; it is ended then.
const LIMIT: Duration = Duration::from_secs(120);

/// Clicks every head of every table twice and writes what the columns hold then.
const PROBE: &str = r#"<script>
window.addEventListener("load", () => {
  const column = (table, index) =>
    [...table.tBodies[0].rows].map((row) => row.cells[index].dataset.key ?? row.cells[index].textContent);
  const tables = [...document.querySelectorAll("table.sortable")].map((table) => ({
    label: table.getAttribute("aria-label"),
    columns: [...table.tHead.rows[0].cells].map((head, index) => {
      const before = column(table, index);
      head.querySelector("button").click();
      const up = column(table, index), said = head.getAttribute("aria-sort");
      head.querySelector("button").click();
      const down = column(table, index);
      return { head: head.textContent, before, up, down, said };
    }),
  }));
  const seen = {
    tables,
    headings: [...document.querySelectorAll("h2")].map((h) => h.textContent),
    charts: [...document.querySelectorAll("figure")].map((f) => ({
      alt: f.getAttribute("aria-label"), drawn: f.querySelector("svg").getBoundingClientRect().height,
    })),
    // What stands in a heading or a sentence as code must be marked up as such.
    backticks: [...document.querySelectorAll("main p, main li, main .warning")]
      .map((e) => e.textContent).filter((text) => text.includes("`")),
    lost: [...document.querySelectorAll("nav a")]
      .filter((a) => !document.getElementById(a.hash.slice(1))).map((a) => a.textContent),
    unlabelled: [...document.querySelectorAll(".scroll")]
      .filter((s) => s.tabIndex !== 0 || !s.getAttribute("aria-label")).length,
    requests: performance.getEntriesByType("resource").length,
    ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
  };
  const pre = document.createElement("pre");
  pre.id = "probe";
  pre.textContent = JSON.stringify(seen);
  document.body.append(pre);
});
</script>"#;

/// Measures pages in frames: how wide they are, how large their letters, and where the column that
/// names the rows stands when a table is scrolled aside.
const FRAMES: &str = r#"addEventListener("load", () => {
  const pages = [...document.querySelectorAll("iframe")].map((f) => f.contentDocument);
  const pinned = pages.flatMap((page) => [...page.querySelectorAll(".scroll")]).flatMap((region) => {
    region.scrollLeft = 200;
    const left = (e) => e.getBoundingClientRect().left;
    return region.scrollLeft < 80 ? [] : [left(region.querySelector("tbody .pin")) - left(region)];
  });
  const pre = document.createElement("pre");
  pre.id = "probe";
  pre.textContent = JSON.stringify({
    widths: pages.map((page) => [page.documentElement.scrollWidth, page.documentElement.clientWidth]),
    letters: pages.map((page) => getComputedStyle(page.body).fontSize),
    pinned,
  });
  document.body.append(pre);
});"#;

/// Chromium, if this machine has it.
fn chromium() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            Command::new(name)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        })
        .or_else(|| {
            eprintln!("SKIPPED: no Chromium on this machine (Debian: apt-get install chromium)");
            None
        })
}

/// Runs the browser on a file: what it printed, and what it said.
fn browse(browser: &str, page: &Path, more: &[&str]) -> (String, String) {
    let home = tempfile::tempdir().expect("a folder");
    let (out, err) = (home.path().join("out"), home.path().join("err"));
    let file = |path: &Path| std::fs::File::create(path).expect("a file");
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .args(["--enable-logging=stderr", "--virtual-time-budget=10000"])
        .arg(format!(
            "--user-data-dir={}",
            home.path().join("profile").display()
        ))
        .args(more)
        .arg(format!("file://{}", page.display()))
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("the browser starts");
    let started = Instant::now();
    while child.try_wait().expect("its state").is_none() {
        if started.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the browser did not end within {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = |path: &Path| {
        String::from_utf8_lossy(&std::fs::read(path).expect("its output")).into_owned()
    };
    (text(&out), text(&err))
}

/// What the page's console said.
fn console(err: &str) -> Vec<&str> {
    err.lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect()
}

/// What the element `probe` of a dumped page holds.
fn probed(dom: &str) -> Value {
    let text = dom
        .split("<pre id=\"probe\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next())
        .expect("the probe ran to its end");
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    serde_json::from_str(&text).expect("what the probe wrote")
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .collect()
}

/// The numbers of a column, if it holds nothing else.
fn numbers(column: &[&str]) -> Option<Vec<f64>> {
    column.iter().map(|text| text.parse().ok()).collect()
}

/// The reports that are looked at: that of the committed run, that of a run with seats, comparisons,
/// two games and names that would be markup, and that of a tournament with names of 80 letters.
fn reports(dir: &Path) -> Vec<(&'static str, PathBuf)> {
    let config = r#"
name = "four"
seed = 5
games = 8
placebo = true
[game]
name = "durak"
players = 4
transfer = ["off", "on"]
[challenger]
agent = "ismcts"
simulations = [5, 10]
[[opponents]]
agent = "lowest"
[[claims]]
name = "Is <script>alert(1)</script> harmless?"
kind = "monotone"
opponent = "lowest"
where = { transfer = "on" }
"#;
    std::fs::write(dir.join("four.toml"), config).expect("a config");
    evalctl(
        dir,
        &["sweep", "four.toml", "--progress", "none", "--out", "four"],
    );
    let mut cup = "name = \"cup\"\nseed = 5\ngames = 20\n[game]\nname = \"tictactoe\"\n".to_owned();
    for (simulations, label) in [(5, "W".repeat(80)), (10, "long name ".repeat(8))] {
        cup.push_str(&format!(
            "[[players]]\nagent = \"uct\"\nsimulations = {simulations}\nlabel = \"{}\"\n",
            label.trim()
        ));
    }
    cup.push_str("[[players]]\nagent = \"random\"\n[[players]]\nagent = \"first\"\n");
    std::fs::write(dir.join("cup.toml"), cup).expect("a config");
    evalctl(
        dir,
        &[
            "tournament",
            "cup.toml",
            "--progress",
            "none",
            "--out",
            "cup",
        ],
    );
    // The committed games, with what this version derives from them.
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/durak");
    std::fs::create_dir(dir.join("durak")).expect("a folder");
    for name in ["games.csv", "timing.csv", "manifest.json"] {
        std::fs::copy(committed.join(name), dir.join("durak").join(name)).expect("a copy");
    }
    evalctl(dir, &["analyze", "durak"]);
    ["durak", "four", "cup"]
        .map(|name| (name, dir.join(name).join("report.html")))
        .into()
}

fn evalctl(dir: &Path, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_evalctl"))
        .current_dir(dir)
        .args(args)
        .output()
        .expect("the command starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_report_is_read_and_sorted_in_a_browser() {
    let Some(browser) = chromium() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    for (name, path) in reports(dir.path()) {
        let page = std::fs::read_to_string(&path).expect("a report");
        assert!(page.len() < 2_000_000, "{name}: {} bytes", page.len());
        let probe = dir.path().join(format!("{name}-probe.html"));
        std::fs::write(&probe, page.replace("</body>", &format!("{PROBE}</body>")))
            .expect("a page");
        let (dom, err) = browse(browser, &probe, &["--dump-dom"]);
        assert_eq!(console(&err), Vec::<&str>::new(), "{name}");
        let seen = probed(&dom);
        let headings = texts(&seen["headings"]);
        let order: Vec<&str> = headings
            .iter()
            .map(|heading| heading.trim_end_matches('s'))
            .filter(|heading| *heading != "Standing")
            .collect();
        assert_eq!(
            order,
            [
                "The question",
                "The answer",
                "How far to trust it",
                "Chart",
                "Table",
                "Design",
                "How to do it again"
            ],
            "{name}"
        );
        assert_eq!(texts(&seen["backticks"]), Vec::<&str>::new(), "{name}");
        assert_eq!(
            texts(&seen["lost"]),
            Vec::<&str>::new(),
            "{name}: contents lead on"
        );
        assert_eq!(
            seen["unlabelled"], 0,
            "{name}: tables scroll by the keys, too"
        );
        assert_eq!(seen["requests"], 0, "{name}: no network, no other file");
        let ready = seen["ready"].as_f64().expect("a time");
        // Well below a second on a machine with nothing else to do; tests share theirs.
        eprintln!("{name}: {} bytes, usable after {ready} ms", page.len());
        assert!(ready < 10_000.0, "{name}: usable after {ready} ms");
        let charts = seen["charts"].as_array().expect("charts");
        assert!(charts.len() >= 3, "{name}: {} charts", charts.len());
        for chart in charts {
            assert!(
                chart["alt"].as_str().is_some_and(|alt| alt.len() > 20),
                "{name}: {chart}"
            );
            assert!(
                chart["drawn"].as_f64().is_some_and(|h| h > 100.0),
                "{name}: {chart}"
            );
        }
        check_sorting(name, &seen["tables"]);
    }
}

/// Every column was sorted both ways; columns of numbers by number.
fn check_sorting(name: &str, tables: &Value) {
    let tables = tables.as_array().expect("tables");
    assert!(tables.len() >= 2, "{name}: {} tables", tables.len());
    let mut moved = 0;
    for table in tables {
        for column in table["columns"].as_array().expect("columns") {
            let what = format!("{name}, {}, {}", table["label"], column["head"]);
            let [before, up, down] = ["before", "up", "down"].map(|key| texts(&column[key]));
            assert_eq!(column["said"], "ascending", "{what}");
            let sorted = |column: &[&str]| {
                let mut all: Vec<String> = column.iter().map(ToString::to_string).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(sorted(&before), sorted(&up), "{what}: rows are kept");
            assert_eq!(sorted(&before), sorted(&down), "{what}: rows are kept");
            if let (Some(up), Some(down)) = (numbers(&up), numbers(&down)) {
                assert!(up.is_sorted(), "{what}: {up:?}");
                assert!(down.is_sorted_by(|a, b| a >= b), "{what}: {down:?}");
                moved += usize::from(up != down);
            } else {
                let mut reversed = down.clone();
                reversed.reverse();
                assert_eq!(up, reversed, "{what}: one order is the other backwards");
            }
        }
    }
    assert!(moved >= 5, "{name}: only {moved} columns of numbers moved");
}

#[test]
fn a_report_fits_a_phone_and_a_desk() {
    let Some(browser) = chromium() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    for (name, path) in reports(dir.path()) {
        let page = std::fs::read_to_string(&path).expect("a report");
        // Frames, because a browser's window has a least width.
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        let frames: String = [360, 1200]
            .map(|width| {
                format!("<iframe style=\"border:0;width:{width}px;height:2400px\" srcdoc=\"{escaped}\"></iframe>")
            })
            .concat();
        let framed = format!(
            "<!doctype html><body style=\"margin:0;width:1600px\">{frames}<script>{FRAMES}</script></body>"
        );
        let file = dir.path().join(format!("{name}-frames.html"));
        std::fs::write(&file, framed).expect("a page");
        let (dom, err) = browse(browser, &file, &["--dump-dom"]);
        assert_eq!(console(&err), Vec::<&str>::new(), "{name}");
        let seen = probed(&dom);
        assert_eq!(
            seen["widths"],
            serde_json::json!([[360, 360], [1200, 1200]]),
            "{name}: the page scrolls sideways (width of content, of page)"
        );
        assert_eq!(seen["letters"], serde_json::json!(["16px", "16px"]));
        let pinned = seen["pinned"].as_array().expect("a list");
        assert!(!pinned.is_empty(), "{name}: no table scrolls on a phone");
        for place in pinned {
            let place = place.as_f64().expect("a number");
            assert!(
                (-1.0..4.0).contains(&place),
                "{name}: the column that names the rows went out of sight: {pinned:?}"
            );
        }
        let picture = dir.path().join(format!("{name}.png"));
        let shot = format!("--screenshot={}", picture.display());
        browse(browser, &file, &[&shot, "--window-size=1600,2400"]);
        let bytes = std::fs::read(&picture).expect("a screenshot");
        assert!(bytes.len() > 50_000, "{name}: an empty picture");
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}.png"));
        std::fs::write(kept, bytes).expect("a copy");
    }
}
