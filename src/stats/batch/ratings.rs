//! Ratings by name.

use super::super::StatsError;
use super::super::ratings::{PairOutcomes, bradley_terry, davidson};
use super::{Arguments, Input, Kind, Method, number, numbers, object};
use serde_json::Value;

pub(super) static METHODS: &[Method] = &[
    Method {
        name: "bradley_terry",
        help: "Maximum likelihood strengths from a matrix of wins.",
        inputs: &[Input::new(
            "wins",
            Kind::Matrix,
            "wins[i][j]: points of player i against player j",
        )],
        run: |arguments| {
            let fit = bradley_terry(&arguments.matrix("wins")?)?;
            Ok(object([
                ("log_strength_centered", numbers(fit.centred())),
                ("log_strength_vs_player0", numbers(fit.log_strengths)),
                ("se_vs_player0", numbers(fit.standard_errors)),
            ]))
        },
    },
    Method {
        name: "davidson",
        help: "Maximum likelihood strengths and draw parameter from wins and draws.",
        inputs: &[
            Input::new("players", Kind::Count, "number of players"),
            Input::new("i", Kind::Counts, "first player of each pair, from 0"),
            Input::new("j", Kind::Counts, "second player of each pair"),
            Input::new("wins_i", Kind::Numbers, "wins of the first player"),
            Input::new("draws", Kind::Numbers, "draws"),
            Input::new("wins_j", Kind::Numbers, "wins of the second player"),
        ],
        run: run_davidson,
    },
];

fn run_davidson(arguments: &Arguments) -> Result<Value, StatsError> {
    let first = arguments.counts("i")?;
    let columns = [
        ("wins_i", arguments.numbers("wins_i")?),
        ("draws", arguments.numbers("draws")?),
        ("wins_j", arguments.numbers("wins_j")?),
    ];
    let second = arguments.counts("j")?;
    let lengths = columns.iter().map(|(name, list)| (*name, list.len()));
    for (name, length) in lengths.chain([("j", second.len())]) {
        if length != first.len() {
            return Err(StatsError::argument(
                name,
                format!("a list of {length}"),
                format!("as long as `i`, which has {}", first.len()),
            ));
        }
    }
    let [(_, first_wins), (_, draws), (_, second_wins)] = &columns;
    let player = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    let pairs: Vec<PairOutcomes> = first
        .iter()
        .zip(&second)
        .zip(first_wins.iter().zip(draws).zip(second_wins))
        .map(
            |((i, j), ((first_wins, draws), second_wins))| PairOutcomes {
                first: player(*i),
                second: player(*j),
                first_wins: *first_wins,
                draws: *draws,
                second_wins: *second_wins,
            },
        )
        .collect();
    let fit = davidson(player(arguments.count("players")?), &pairs)?;
    Ok(object([
        ("log_strength_centered", numbers(fit.centred())),
        ("log_strength_vs_player0", numbers(fit.log_strengths)),
        ("se_vs_player0", numbers(fit.standard_errors)),
        ("log_nu", number(fit.log_nu)),
        ("se_log_nu", number(fit.log_nu_standard_error)),
    ]))
}
