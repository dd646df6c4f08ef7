//! What a report says about a tournament: ratings, the payoff matrix, whether one number for each
//! player is enough.

use comfy_table::{Cell, CellAlignment, Table, presets};
use maud::{Markup, html};

use super::charts::Named;
use super::html::{fixed, prose, range, together};
use super::tables_csv::{ends, table};
use super::terminal::wrap;
use crate::analysis::Standings;
use crate::numbers::{count, decimals, exact, p_value, percent, short};
use crate::plot::{
    Caption, Estimate, HeatCell, PayoffMatrix, RatingLadder, RatingRow, Reference, Side,
};
use crate::stats::ratings::RATING_METHOD;

/// `ratings.csv`: a row per player, the best first.
pub(super) fn ratings_csv(standings: &Standings) -> String {
    let header = [
        "rank",
        "player",
        "games",
        "score",
        "elo",
        "elo_low",
        "elo_high",
        "standard_error",
        "method",
    ];
    let rows = standings
        .order()
        .into_iter()
        .enumerate()
        .map(|(place, player)| {
            let standing = &standings.players[player];
            let rating = standings.ratings.as_ref().ok().map(|r| r.players[player]);
            vec![
                (place + 1).to_string(),
                standing.name.clone(),
                standing.games.to_string(),
                exact(standing.score),
                exact(rating.map(|r| r.elo)),
                exact(rating.map(|r| r.low)),
                exact(rating.map(|r| r.high)),
                exact(rating.map(|r| r.standard_error)),
                rating.map_or("", |_| RATING_METHOD).to_owned(),
            ]
        });
    table(header.map(str::to_owned).to_vec(), rows)
}

/// `payoffs.csv`: a row for every player against every one that it met; the score is `player`'s.
pub(super) fn payoffs_csv(standings: &Standings) -> String {
    let header = [
        "player",
        "opponent",
        "games",
        "blocks",
        "score",
        "low",
        "high",
        "p_value",
        "p_adjusted",
    ];
    let name = |player: usize| standings.players[player].name.clone();
    let rows = standings.payoffs.iter().map(|payoff| {
        let [low, high] = ends(payoff.interval);
        vec![
            name(payoff.player),
            name(payoff.opponent),
            payoff.games.to_string(),
            payoff.blocks.to_string(),
            exact(payoff.score),
            low,
            high,
            exact(payoff.p_value),
            exact(payoff.p_adjusted),
        ]
    });
    table(header.map(str::to_owned).to_vec(), rows)
}

/// The result in a line.
pub(super) fn headline(standings: &Standings) -> String {
    let order = standings.order();
    let name = |place: usize| {
        order
            .get(place)
            .map_or("nobody", |&player| standings.players[player].name.as_str())
    };
    match &standings.ratings {
        Err(_) => format!(
            "{} has the highest score of {} players; they cannot all be rated.",
            name(0),
            order.len()
        ),
        Ok(ratings) => {
            let ahead = match order[..] {
                [first, second, ..] => ratings.difference(first, second),
                _ => None,
            };
            match ahead {
                Some(ahead) if ahead.p_value < standings.alpha => {
                    format!("{} is rated highest of {} players.", name(0), order.len())
                }
                _ => format!(
                    "{} is rated highest of {} players, but not beyond doubt: {} is close.",
                    name(0),
                    order.len(),
                    name(1)
                ),
            }
        }
    }
}

/// What the standings mean, in sentences.
pub(super) fn sentences(standings: &Standings) -> Vec<String> {
    let ratings = match &standings.ratings {
        Ok(ratings) => ratings,
        Err(why) => return vec![format!("No ratings: {why}.")],
    };
    let name = |player: usize| standings.players[player].name.as_str();
    let level = decimals((1.0 - standings.alpha) * 100.0, 2);
    let mut out = Vec::new();
    if let [first, second, ..] = standings.order()[..] {
        let rating = &ratings.players[first];
        let mut text = format!(
            "{} leads with Elo {} ({level} % interval {} to {}; the mean of all players is 0)",
            name(first),
            decimals(rating.elo, 1),
            decimals(rating.low, 1),
            decimals(rating.high, 1)
        );
        if let Some(ahead) = ratings.difference(first, second) {
            text.push_str(&format!(
                ", {} ahead of {} (interval {} to {}, p {})",
                decimals(ahead.elo, 1),
                name(second),
                decimals(ahead.low, 1),
                decimals(ahead.high, 1),
                p_value(ahead.p_value)
            ));
        }
        out.push(text + ".");
    }
    if let Some(lack) = &ratings.transitivity.lack {
        let verdict = if lack.p_value < standings.alpha {
            "One number for each player does NOT describe who beats whom: look at the payoff matrix before quoting a rating"
        } else {
            "One number for each player is enough for these results"
        };
        out.push(format!(
            "{verdict} (residual deviance {} on {} degrees of freedom, design effect {}, p {}).",
            decimals(lack.deviance, 1),
            lack.df,
            decimals(lack.design_effect, 2),
            p_value(lack.p_value)
        ));
    }
    let certain: Vec<_> = ratings
        .transitivity
        .cycles
        .iter()
        .filter(|cycle| cycle.p_adjusted < standings.alpha)
        .collect();
    for cycle in certain.iter().take(3) {
        let [a, b, c] = cycle.players.map(name);
        out.push(format!(
            "{a} beats {b}, {b} beats {c} and {c} beats {a} (the narrowest of the three {}, adjusted p {}).",
            percent(cycle.weakest_score),
            p_value(cycle.p_adjusted)
        ));
    }
    out.push(match (certain.len(), ratings.transitivity.cycles.len()) {
        (0, 0) => "No three players beat each other in a circle.".to_owned(),
        (0, seen) => format!(
            "{seen} {} of three players {} in the scores, none beyond chance.",
            if seen == 1 { "circle" } else { "circles" },
            if seen == 1 { "appears" } else { "appear" }
        ),
        (found, _) => format!(
            "{found} {} of three players beyond chance.",
            if found == 1 { "circle" } else { "circles" }
        ),
    });
    out
}

/// The standings for a terminal.
pub(super) fn terminal(standings: &Standings, width: usize) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["", "player", "games", "score", "Elo", "interval"]);
    for (place, player) in standings.order().into_iter().enumerate() {
        let standing = &standings.players[player];
        let rating = standings.ratings.as_ref().ok().map(|r| r.players[player]);
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        table.add_row([
            right((place + 1).to_string()),
            Cell::new(&standing.name),
            right(count(standing.games)),
            right(standing.score.map_or_else(dash, percent)),
            right(rating.map_or_else(dash, |r| decimals(r.elo, 0))),
            Cell::new(rating.map_or_else(dash, |r| {
                format!("{} to {}", decimals(r.low, 0), decimals(r.high, 0))
            })),
        ]);
    }
    let mut out = String::from("\n");
    for line in table.to_string().lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
    for sentence in sentences(standings) {
        out.push_str(&wrap(&sentence, width));
    }
    out
}

/// The standings for the report.
pub(super) fn section(standings: &Standings) -> Markup {
    html! {
        section aria-labelledby="standings" {
            h2 #standings { "Standings" }
            @for sentence in sentences(standings) { p { (prose(&sentence)) } }
            p.note { "Elo above the mean of all players; " (RATING_METHOD) ". Scores are of all blocks that the player was in." }
            div.scroll tabindex="0" role="region" aria-label="Table of ratings" {
                table.sortable aria-label="Table of ratings" {
                    thead { tr {
                        th scope="col" { "rank" } th.text.pin scope="col" { "player" } th scope="col" { "games" }
                        th scope="col" { "score" } th scope="col" { "Elo" } th scope="col" { "interval" }
                    } }
                    tbody {
                        @for (place, player) in standings.order().into_iter().enumerate() {
                            @let standing = &standings.players[player];
                            @let rating = standings.ratings.as_ref().ok().map(|r| r.players[player]);
                            tr {
                                td { (place + 1) }
                                th.text.pin scope="row" { span.name { (standing.name) } }
                                td data-key=(standing.games) { (count(standing.games)) }
                                td data-key=(standing.score.unwrap_or(-1.0)) { (together(&standing.score.map_or_else(dash, percent))) }
                                td data-key=(rating.map_or(-99_999.0, |r| r.elo)) { (rating.map_or_else(dash, |r| fixed(r.elo, 1))) }
                                td data-key=(rating.map_or(-99_999.0, |r| r.low)) { (rating.map_or_else(dash, |r| range(r.low, r.high, 1))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn dash() -> String {
    "–".to_owned()
}

/// The tournament's charts: the payoff matrix and, where there are ratings, the ladder.
pub(super) fn charts(
    standings: &Standings,
    game: &str,
    fair: f64,
    caption: &Caption,
) -> Vec<Named> {
    let mut charts = Vec::new();
    let order = standings.order();
    let level = decimals((1.0 - standings.alpha) * 100.0, 2);
    let cell = |row: usize, column: usize| -> Option<HeatCell> {
        let payoff = standings
            .payoffs
            .iter()
            .find(|p| p.player == row && p.opponent == column)?;
        let (value, interval) = (payoff.score?, payoff.interval?);
        let mark = payoff.p_adjusted.filter(|&p| p < standings.alpha).map(|_| {
            if value > fair {
                Side::Above
            } else {
                Side::Below
            }
        });
        Some(HeatCell {
            estimate: Estimate {
                value,
                low: interval.low,
                high: interval.high,
            },
            mark,
        })
    };
    if standings.payoffs.iter().any(|p| p.interval.is_some()) {
        charts.push(Named {
            name: "payoffs".to_owned(),
            alt: "Score of every player against every other, with intervals, the best rated first."
                .to_owned(),
            chart: Box::new(PayoffMatrix {
                title: format!("Who beats whom in {game}?"),
                measure: "score of the row's player".to_owned(),
                null: Reference {
                    label: format!("equal strength ({})", short(fair)),
                    value: fair,
                },
                marks: format!(
                    "different from equal strength at {} % (Holm over all pairings)",
                    decimals(standings.alpha * 100.0, 2)
                ),
                players: order
                    .iter()
                    .map(|&player| standings.players[player].name.clone())
                    .collect(),
                cells: order
                    .iter()
                    .map(|&row| order.iter().map(|&column| cell(row, column)).collect())
                    .collect(),
                caption: Caption {
                    method: format!("{level} % intervals on block scores, pointwise"),
                    ..caption.clone()
                },
            }),
        });
    }
    if let Ok(ratings) = &standings.ratings {
        charts.push(Named {
            name: "ratings".to_owned(),
            alt: "Ratings of all players with intervals, the best first.".to_owned(),
            chart: Box::new(RatingLadder {
                title: format!("How strong is each player in {game}?"),
                measure: "Elo, mean of all players 0".to_owned(),
                numbers: format!("Elo [{level} % interval]"),
                decimals: 0,
                anchor: Reference {
                    label: "mean of all players".to_owned(),
                    value: 0.0,
                },
                players: order
                    .iter()
                    .map(|&player| RatingRow {
                        name: standings.players[player].name.clone(),
                        rating: Some(ratings.players[player].elo),
                        low: Some(ratings.players[player].low),
                        high: Some(ratings.players[player].high),
                    })
                    .collect(),
                caption: Caption {
                    method: RATING_METHOD.to_owned(),
                    ..caption.clone()
                },
            }),
        });
    }
    charts
}
