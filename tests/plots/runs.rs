//! The charts that runs get, at the edges of what runs can be: one cell, one game, all wins, 200
//! cells, names of 80 characters, 30 players, a million games.
//!
//! The games are made up, since only their number and their names matter here. With
//! `EVALCTL_PICTURES=FOLDER` every picture is written there, to be looked at.

use std::path::PathBuf;

use evalctl::analysis::{Analysis, Analyzer};
use evalctl::block::PlayedBlock;
use evalctl::config::{self, Overrides};
use evalctl::games::{MAX_SEATS, Scores};
use evalctl::plan::Plan;
use evalctl::plot::Scene;
use evalctl::record::{End, GameRecord};
use evalctl::report::charts::{self, CellCost, MoveCost};

/// How a made-up challenger does in a cell.
type Strength = fn(cell: usize) -> f64;

fn even(_: usize) -> f64 {
    0.5
}

fn always(_: usize) -> f64 {
    1.0
}

fn mixed(cell: usize) -> f64 {
    [0.12, 0.35, 0.5, 0.58, 0.77, 0.96][cell % 6]
}

/// A name of 80 characters that ends in a number.
fn long_name(number: usize) -> String {
    let start = "ismcts:simulations=100000,exploration=1.4142,rollout=heuristic,selection=ucb1-x";
    let number = number.to_string();
    format!("{}{number}", &start[..80 - number.len()])
}

fn plan(text: &str) -> Plan {
    config::plan(text, "made-up.toml", &Overrides::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A sweep over `simulations` and `exploration` against `opponents` opponents of these names.
fn sweep(
    games: u64,
    simulations: usize,
    exploration: usize,
    opponents: &[String],
    challenger: &str,
) -> Plan {
    let list = |values: Vec<String>| values.join(", ");
    let budgets = list((1..=simulations).map(|i| (i * 50).to_string()).collect());
    let constants = list(
        (1..=exploration)
            .map(|i| format!("{}.{}", i / 10, i % 10))
            .collect(),
    );
    let mut text = format!(
        "name = \"made-up\"\nseed = 20261130\ngames = {games}\n[game]\nname = \"tictactoe\"\n\
         opening_plies = 1\n[challenger]\nagent = \"uct\"\nlabel = \"{challenger}\"\n\
         simulations = [{budgets}]\nexploration = [{constants}]\n"
    );
    for (number, label) in opponents.iter().enumerate() {
        text.push_str(&format!(
            "[[opponents]]\nagent = \"flat-mc\"\nsimulations = {}\nlabel = \"{label}\"\n",
            number + 1
        ));
    }
    plan(&text)
}

fn tournament(games: u64, names: &[String]) -> Plan {
    let mut text = format!(
        "name = \"made-up\"\nseed = 20261130\ngames = {games}\n[game]\nname = \"tictactoe\"\n"
    );
    for (simulations, name) in names.iter().enumerate() {
        text.push_str(&format!(
            "[[players]]\nagent = \"uct\"\nsimulations = {}\nlabel = \"{name}\"\n",
            simulations + 1
        ));
    }
    plan(&text)
}

/// What would be seen if every challenger won its share of the games.
fn play(plan: &Plan, strength: Strength) -> Analysis {
    let mut analyzer = Analyzer::new(plan);
    let mut state = 1_u64;
    let mut draw = || {
        // Knuth's generator (TAOCP vol. 2, section 3.3.4, line 26).
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 32).expect("32 bits")
    };
    for cell in &plan.cells {
        for block in 0..cell.blocks {
            let games = (0..cell.rotations)
                .map(|rotation| {
                    let won = f64::from(draw()) < strength(cell.index) * 4_294_967_296.0;
                    let winner = if won { rotation } else { 1 - rotation };
                    GameRecord {
                        scores: Scores::lost_by(2, 1 - winner),
                        places: [0; MAX_SEATS],
                        first_seat: 0,
                        end: End::Normal,
                        fault_seat: None,
                        decisions: 5 + draw() % 5,
                        digest: u64::from(draw()),
                        nanos: [0; MAX_SEATS],
                        choices: [0; MAX_SEATS],
                    }
                })
                .collect();
            analyzer.add(&PlayedBlock {
                cell: cell.index,
                block,
                games,
            });
        }
    }
    analyzer.finish(false).expect("an analysis")
}

/// Lays out every chart of a run; the names of the charts.
fn check(run: &str, plan: &Plan, analysis: &Analysis) -> Vec<String> {
    let cost = |cell: usize| MoveCost {
        moves: 100.0,
        milliseconds: 0.1 * super::samples::real(cell + 1),
    };
    let costs: Vec<CellCost> = (0..plan.cells.len())
        .map(|cell| CellCost {
            cell,
            challenger: cost(cell),
            opponent: cost(2 * cell),
        })
        .collect();
    let mut named = charts::of_run(plan, analysis);
    named.extend(charts::of_times(plan, analysis, &costs));
    let mut faults = Vec::new();
    for chart in &named {
        let pages = chart
            .chart
            .pages()
            .unwrap_or_else(|error| panic!("{run}, {}: {error}", chart.name));
        for (number, page) in pages.iter().enumerate() {
            let name = format!("{run}-{}-{}", chart.name, number + 1);
            assert!(page.height() < 5000.0, "{name}: {}", page.height());
            faults.extend(page.faults().iter().map(|fault| format!("{name}: {fault}")));
            show(&name, page);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    named.into_iter().map(|chart| chart.name).collect()
}

fn show(name: &str, page: &Scene) {
    if let Some(folder) = std::env::var_os("EVALCTL_PICTURES").map(PathBuf::from) {
        std::fs::create_dir_all(&folder).expect("a folder");
        let png = page.render_png(&super::meta()).expect(name);
        std::fs::write(folder.join(format!("{name}.png")), png).expect("a file");
    }
}

fn plain(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_run_of_one_cell_and_one_block() {
    let plan = sweep(1, 1, 1, &plain(&["random"]), "uct");
    assert_eq!((plan.cells.len(), plan.games()), (1, 2));
    let charts = check("one-block", &plan, &play(&plan, always));
    assert!(charts.contains(&"cells".to_owned()), "{charts:?}");
    assert!(charts.contains(&"game-length".to_owned()), "{charts:?}");
}

#[test]
fn a_run_of_one_game_at_a_fixed_seat() {
    let text = "name = \"one\"\nseed = 1\ngames = 1\nseats = \"fixed\"\n[game]\nname = \"tictactoe\"\n\
                [challenger]\nagent = \"first\"\n[[opponents]]\nagent = \"random\"\n";
    let plan = plan(text);
    assert_eq!(plan.games(), 1);
    let charts = check("one-game", &plan, &play(&plan, always));
    assert!(charts.contains(&"cells".to_owned()), "{charts:?}");
}

#[test]
fn a_run_in_which_every_game_was_won() {
    let plan = sweep(200, 5, 3, &plain(&["random", "lowest"]), "uct");
    let charts = check("all-wins", &plan, &play(&plan, always));
    assert!(charts.contains(&"running-score".to_owned()), "{charts:?}");
}

#[test]
fn a_run_of_200_cells() {
    let plan = sweep(20, 20, 5, &plain(&["random", "lowest"]), "uct");
    assert_eq!(plan.cells.len(), 200);
    let charts = check("200-cells", &plan, &play(&plan, mixed));
    for name in [
        "score-against-budget",
        "grid",
        "cells",
        "seat-effect",
        "timing-score-against-cost",
    ] {
        assert!(charts.contains(&name.to_owned()), "{name}: {charts:?}");
    }
}

#[test]
fn a_run_whose_names_have_80_characters() {
    let names: Vec<String> = (0..3).map(long_name).collect();
    let plan = sweep(40, 4, 3, &names, &long_name(9));
    check("long-names", &plan, &play(&plan, mixed));
}

#[test]
fn tournaments_of_30_players_with_names_of_80_characters() {
    let names: Vec<String> = (0..30).map(long_name).collect();
    let plan = tournament(4, &names);
    assert_eq!(plan.cells.len(), 435);
    let charts = check("30-players", &plan, &play(&plan, mixed));
    assert!(charts.contains(&"payoffs".to_owned()), "{charts:?}");
    assert!(charts.contains(&"ratings".to_owned()), "{charts:?}");
    // The first of a pairing always wins: such players cannot be rated, only shown.
    let plan = tournament(4, &names[..8]);
    let charts = check("8-players-no-ratings", &plan, &play(&plan, always));
    assert!(charts.contains(&"payoffs".to_owned()), "{charts:?}");
}

#[test]
fn the_score_of_a_million_games() {
    let plan = sweep(1_000_000, 1, 1, &plain(&["random"]), "uct");
    assert_eq!(plan.games(), 1_000_000);
    let analysis = play(&plan, even);
    let charts = check("a-million-games", &plan, &analysis);
    assert!(charts.contains(&"running-score".to_owned()), "{charts:?}");
    let last = analysis.cells[0].running.last().expect("a moment");
    assert_eq!(last.blocks, 500_000);
    assert!(last.interval.low < 0.5 && last.interval.high > 0.5);
}
