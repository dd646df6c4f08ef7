//! Results that were played elsewhere: a CSV file becomes a plan and blocks, and everything after
//! that is as for an own run. Two seats; nothing can be verified or replayed.
//!
//! Columns, in any order: `score` (the challenger's, 0 to 1), `opponent`, `block` (games with the
//! same text there shared their deal or opening) are needed. `challenger`, `seat` (0 or 1) and
//! `digest` are read if they are there; `game`, `cell`, `phase`, `rotation`, `first_seat`, `seed`,
//! `scores`, `places`, `outcome`, `end`, `fault_seat` and `decisions` are ignored. Every other
//! column is an axis: its values tell cells apart.

use std::collections::BTreeMap;
use std::io::Read;

use crate::block::PlayedBlock;
use crate::games::{MAX_SEATS, Scores};
use crate::plan::{Cell, Claim, ClaimKind, Phase, Plan, SeatMode, StopRule};
use crate::record::{End, GameRecord};
use crate::spec::{Settings, Value};

const NEEDED: [&str; 3] = ["score", "opponent", "block"];
const READ: [&str; 3] = ["challenger", "seat", "digest"];
const IGNORED: [&str; 12] = [
    "game",
    "cell",
    "phase",
    "rotation",
    "first_seat",
    "seed",
    "scores",
    "places",
    "outcome",
    "end",
    "fault_seat",
    "decisions",
];

/// What is wrong with a file, in a sentence.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is no CSV.
    #[error("cannot read `{file}`: {source}")]
    Csv {
        /// The file.
        file: String,
        /// Why not.
        source: csv::Error,
    },
    /// A column is missing.
    #[error(
        "`{file}`, line 1: the column `{column}` is missing; needed are score, opponent, block"
    )]
    Missing {
        /// The file.
        file: String,
        /// The column.
        column: &'static str,
    },
    /// Two columns have the same name.
    #[error("`{file}`, line 1: there are two columns `{column}`: rename or remove one")]
    Twice {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
    /// A row is not what it should be.
    #[error("`{file}`, line {line}, column {column}: {what}")]
    Row {
        /// The file.
        file: String,
        /// Its line.
        line: u64,
        /// The column.
        column: String,
        /// What is wrong.
        what: String,
    },
    /// There are no rows.
    #[error("`{file}` holds no games below its header")]
    Empty {
        /// The file.
        file: String,
    },
}

/// Imported results.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// Cells in the order of their first rows, and a claim of kind `better` for every opponent,
    /// over all its cells.
    pub plan: Plan,
    /// Blocks, cell by cell.
    pub blocks: Vec<PlayedBlock>,
    /// Games.
    pub games: u64,
}

/// What tells cells apart: challenger, opponent, axes.
type Key = (String, String, Vec<String>);

#[derive(Clone, Copy)]
struct Row {
    line: u64,
    seat: Option<usize>,
    score: f64,
    digest: u64,
}

#[derive(Default)]
struct Blocks {
    /// Rows by block, in the order of the blocks' first rows.
    rows: Vec<Vec<Row>>,
    places: BTreeMap<String, usize>,
}

/// Reads `input`, called `file` in messages; `name` is the run's name.
///
/// # Errors
/// The first thing that is wrong, with line and column.
#[expect(
    clippy::too_many_lines,
    reason = "one pass over the columns, check after check"
)]
pub fn read(
    input: impl Read,
    file: &str,
    name: &str,
    confidence: f64,
) -> Result<Imported, ImportError> {
    let csv_error = |source| ImportError::Csv {
        file: file.to_owned(),
        source,
    };
    let mut reader = csv::Reader::from_reader(input);
    let header = reader.headers().map_err(csv_error)?.clone();
    if let Some(twice) = header
        .iter()
        .map(str::trim)
        .enumerate()
        .find_map(|(at, name)| {
            header
                .iter()
                .take(at)
                .any(|h| h.trim() == name)
                .then_some(name)
        })
    {
        return Err(ImportError::Twice {
            file: file.to_owned(),
            column: twice.to_owned(),
        });
    }
    let place = |column: &str| header.iter().position(|found| found.trim() == column);
    let needed = |column: &'static str| {
        place(column).ok_or(ImportError::Missing {
            file: file.to_owned(),
            column,
        })
    };
    let (score, opponent, block) = (needed("score")?, needed("opponent")?, needed("block")?);
    let (challenger, seat, digest) = (place("challenger"), place("seat"), place("digest"));
    let axes: Vec<(usize, &str)> = header
        .iter()
        .map(str::trim)
        .enumerate()
        .filter(|(_, column)| {
            !NEEDED.contains(column) && !READ.contains(column) && !IGNORED.contains(column)
        })
        .collect();
    let mut cells: Vec<(Key, Blocks)> = Vec::new();
    let mut places: BTreeMap<Key, usize> = BTreeMap::new();
    let mut row = csv::StringRecord::new();
    let mut games = 0;
    while reader.read_record(&mut row).map_err(csv_error)? {
        let line = row.position().map_or(0, csv::Position::line);
        let field = |column: usize| row.get(column).unwrap_or_default().trim();
        let wrong = |column: &str, what: String| ImportError::Row {
            file: file.to_owned(),
            line,
            column: column.to_owned(),
            what,
        };
        let named = |column: &str, index: usize| {
            if field(index).is_empty() {
                Err(wrong(column, "is empty".to_owned()))
            } else {
                Ok(field(index).to_owned())
            }
        };
        let read = Row {
            line,
            seat: match seat.map(field) {
                None | Some("") => None,
                Some("0") => Some(0),
                Some("1") => Some(1),
                Some(other) => {
                    let what = format!("`{other}` is no seat; games of two seats have 0 and 1");
                    return Err(wrong("seat", what));
                }
            },
            score: field(score)
                .parse()
                .ok()
                .filter(|score| (0.0..=1.0).contains(score))
                .ok_or_else(|| {
                    let what = format!("`{}` is no score from 0 to 1", field(score));
                    wrong("score", what)
                })?,
            // Without digests every game is taken as different.
            digest: match digest.map(field) {
                None | Some("") => line,
                Some(text) => u64::from_str_radix(text, 16)
                    .map_err(|_| wrong("digest", format!("`{text}` is no hexadecimal number")))?,
            },
        };
        let key: Key = (
            challenger.map_or(Ok("challenger".to_owned()), |c| named("challenger", c))?,
            named("opponent", opponent)?,
            axes.iter()
                .map(|&(axis, _)| field(axis).to_owned())
                .collect(),
        );
        let index = *places.entry(key.clone()).or_insert_with(|| {
            cells.push((key, Blocks::default()));
            cells.len() - 1
        });
        let own = &mut cells[index].1;
        let next = own.rows.len();
        let block = *own.places.entry(named("block", block)?).or_insert(next);
        if block == next {
            own.rows.push(Vec::new());
        }
        own.rows[block].push(read);
        games += 1;
    }
    let Some(size) = cells.first().map(|(_, own)| own.rows[0].len()) else {
        return Err(ImportError::Empty {
            file: file.to_owned(),
        });
    };
    let mut blocks = Vec::new();
    for (cell, (_, own)) in cells.iter_mut().enumerate() {
        for (number, rows) in own.rows.iter_mut().enumerate() {
            let games = seated(rows, size).map_err(|(line, column, what)| ImportError::Row {
                file: file.to_owned(),
                line,
                column: column.to_owned(),
                what,
            })?;
            blocks.push(PlayedBlock {
                cell,
                block: number as u64,
                games,
            });
        }
    }
    let axes = axes.into_iter().map(|(_, axis)| axis.to_owned()).collect();
    Ok(Imported {
        plan: plan(&cells, axes, size, file, name, confidence),
        blocks,
        games,
    })
}

/// The games of a block in the order of the challenger's seats; what is wrong otherwise, with the
/// line and the column.
fn seated(rows: &mut [Row], size: usize) -> Result<Vec<GameRecord>, (u64, &'static str, String)> {
    let last = rows.last().map_or(0, |row| row.line);
    if rows.len() != size || size > 2 {
        let what = format!(
            "this block has {} games; every block must have the same number, 2 (the seats exchanged) or 1, and the first one has {size}",
            rows.len()
        );
        return Err((last, "block", what));
    }
    if size == 2 && rows.iter().any(|row| row.seat.is_some()) {
        rows.sort_by_key(|row| row.seat);
        if rows[0].seat != Some(0) || rows[1].seat != Some(1) {
            let what = "the two games of a block must have the challenger in seat 0 and in seat 1";
            return Err((last, "seat", what.to_owned()));
        }
    }
    let record = |(seat, row): (usize, &Row)| GameRecord {
        scores: Scores::all(2, 1.0 - row.score).with(seat, row.score),
        places: [0; MAX_SEATS],
        first_seat: 0,
        end: End::Normal,
        fault_seat: None,
        decisions: 0,
        digest: row.digest,
        nanos: [0; MAX_SEATS],
        choices: [0; MAX_SEATS],
    };
    Ok(rows.iter().enumerate().map(record).collect())
}

fn plan(
    cells: &[(Key, Blocks)],
    axes: Vec<String>,
    size: usize,
    file: &str,
    name: &str,
    confidence: f64,
) -> Plan {
    let value = |text: &String| {
        (!text.is_empty()).then(|| match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(whole), _) => Value::Integer(whole),
            (_, Ok(real)) if real.is_finite() => Value::Real(real),
            _ => Value::Text(text.clone()),
        })
    };
    let mut opponents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, ((_, opponent, _), _)) in cells.iter().enumerate() {
        opponents.entry(opponent).or_default().push(index);
    }
    let most = cells.iter().map(|(_, own)| own.rows.len() as u64).max();
    Plan {
        name: name.to_owned(),
        seed: 0,
        confidence,
        seats: if size == 2 {
            SeatMode::Rotate
        } else {
            SeatMode::Fixed
        },
        games_asked: most.unwrap_or(0) * size as u64,
        opening_plies: 0,
        claims: opponents
            .into_iter()
            .map(|(opponent, cells)| Claim {
                name: format!("better than {opponent}"),
                kind: ClaimKind::Better,
                opponent: opponent.to_owned(),
                cells,
                threshold: 0.5,
                margin: None,
            })
            .collect(),
        cells: cells
            .iter()
            .enumerate()
            .map(|(index, ((challenger, opponent, values), own))| {
                let mut settings = Settings::named(challenger);
                for (axis, text) in axes.iter().zip(values) {
                    settings
                        .values
                        .extend(value(text).map(|value| (axis.clone(), value)));
                }
                Cell {
                    index,
                    label: challenger.clone(),
                    challenger: settings,
                    opponent: Settings::named(opponent),
                    opponent_label: opponent.clone(),
                    game: Settings::named("imported"),
                    axes: values.iter().map(value).collect(),
                    phase: Phase::Main,
                    first_block: 0,
                    blocks: own.rows.len() as u64,
                    rotations: size,
                    seats: 2,
                    fair_share: 0.5,
                }
            })
            .collect(),
        axes,
        stop: StopRule::Fixed,
        resolved: format!(
            "# Imported from {file}: played elsewhere, so neither checked nor repeatable here.\n"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Analyzer, Verdict};

    fn import(text: &str) -> Result<Imported, ImportError> {
        read(text.as_bytes(), "their.csv", "their", 0.95)
    }

    #[test]
    fn the_three_needed_columns_are_enough_for_a_verdict() {
        let mut text = String::from("block,opponent,score\n");
        for block in 0..40 {
            text.push_str(&format!("{block},old,1\n{block},old,{}\n", block % 2));
        }
        let imported = import(&text).unwrap();
        assert_eq!((imported.games, imported.blocks.len()), (80, 40));
        let mut analyzer = Analyzer::new(&imported.plan);
        for block in &imported.blocks {
            analyzer.add(block);
        }
        let analysis = analyzer.finish(false).unwrap();
        assert!((analysis.cells[0].score.unwrap() - 0.75).abs() < 1e-12);
        assert_eq!(analysis.claims[0].verdict, Verdict::Supported);
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        for text in [
            "score,opponent,block,score\n1,old,a,0\n",
            "score,opponent,block,depth, depth\n1,old,a,0,1\n",
        ] {
            let said = import(text).unwrap_err().to_string();
            assert!(said.contains("two columns"), "{said}");
        }
    }

    #[test]
    fn other_columns_are_axes_and_seats_put_games_in_order() {
        let text = "depth,challenger,opponent,block,seat,score\n\
                    3,new,old,a,1,0\n3,new,old,a,0,1\n5,new,old,a,0,0.5\n5,new,old,a,1,1\n";
        let imported = import(text).unwrap();
        assert_eq!(imported.plan.axes, ["depth"]);
        assert_eq!(imported.plan.cells.len(), 2);
        assert_eq!(imported.plan.cells[1].axes, [Some(Value::Integer(5))]);
        assert_eq!(imported.blocks[0].score(0), Some(1.0));
        assert_eq!(imported.blocks[0].score(1), Some(0.0));
        assert_eq!(imported.plan.claims[0].cells, [0, 1]);
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        for (text, parts) in [
            ("score,block\n1,1\n", ["line 1", "`opponent` is missing"]),
            ("score,block,opponent\n", ["their.csv", "no games"]),
            (
                "score,block,opponent\n1,1,x\n1.5,1,x\n",
                ["line 3, column score", "`1.5` is no score"],
            ),
            (
                "score,block,opponent\nnan,1,x\n",
                ["line 2, column score", "`nan`"],
            ),
            (
                "score,block,opponent\n1,1,x\n1,1,x\n0,2,x\n",
                ["line 4, column block", "has 1 games"],
            ),
            (
                "score,block,opponent,seat\n1,1,x,0\n1,1,x,0\n",
                ["line 3, column seat", "seat 0 and in seat 1"],
            ),
            (
                "score,block,opponent\n1,1,\n",
                ["line 2, column opponent", "is empty"],
            ),
        ] {
            let error = import(text).unwrap_err().to_string();
            for part in parts {
                assert!(error.contains(part), "{error}");
            }
        }
    }
}
