//! Results that were played elsewhere: a CSV file becomes a plan and blocks, and everything after
//! that is as for an own run. Two seats; nothing can be verified or replayed.
//!
//! Columns, in any order: `score` (the challenger's, 0 to 1), `opponent`, `block` (games with the
//! same text there shared their deal or opening) are needed. Read if they are there: `challenger`;
//! `seat` and `first_seat` (0 or 1); `digest`; `end` and `outcome`, so that games that were cut off
//! or forfeited count as such; `fault_seat`; `phase` and `scores`, to refuse what an import cannot
//! keep apart. `game`, `cell`, `rotation`, `seed`, `places` and `decisions` are ignored. Every other
//! column is an axis: its values tell cells apart.
//!
//! The file is read once, and a game takes some 32 bytes until its block is asked for.

use std::collections::BTreeMap;
use std::io::Read;

use crate::block::PlayedBlock;
use crate::games::{MAX_SEATS, Scores};
use crate::plan::{Cell, Claim, ClaimKind, Phase, Plan, SeatMode, StopRule};
use crate::record::{End, GameRecord};
use crate::spec::{Settings, Value};

const NEEDED: [&str; 3] = ["score", "opponent", "block"];
const READ: [&str; 9] = [
    "challenger",
    "seat",
    "digest",
    "first_seat",
    "end",
    "outcome",
    "fault_seat",
    "phase",
    "scores",
];
const IGNORED: [&str; 6] = ["game", "cell", "rotation", "seed", "places", "decisions"];

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
        "`{file}`, line 1: the column `{column}` is missing; needed are score, opponent, block{hint}"
    )]
    Missing {
        /// The file.
        file: String,
        /// The column.
        column: &'static str,
        /// What the reason may be.
        hint: &'static str,
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
    /// Games.
    pub games: u64,
    /// Rows of every block of every cell.
    cells: Vec<Vec<Vec<Row>>>,
    /// Games of a block.
    size: usize,
    file: String,
}

impl Imported {
    /// The blocks, cell by cell; each is made when it is asked for.
    ///
    /// # Errors
    /// A block that has not as many games as the first one, or not both seats, with its line.
    pub fn blocks(&self) -> impl Iterator<Item = Result<PlayedBlock, ImportError>> + '_ {
        self.cells.iter().enumerate().flat_map(move |(cell, own)| {
            own.iter().enumerate().map(move |(number, rows)| {
                let games =
                    seated(rows, self.size).map_err(|(line, column, what)| ImportError::Row {
                        file: self.file.clone(),
                        line,
                        column: column.to_owned(),
                        what,
                    })?;
                Ok(PlayedBlock {
                    cell,
                    block: number as u64,
                    games,
                })
            })
        })
    }
}

/// What tells cells apart: challenger, opponent, axes.
type Key = (String, String, Vec<String>);

#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    line: u64,
    score: f64,
    digest: u64,
    seat: Option<u8>,
    first_seat: u8,
    end: End,
    /// Whether the challenger forfeited; `None` if nobody did.
    fault: Option<bool>,
}

/// What is wrong in a row: the column and a sentence.
type Wrong = (&'static str, String);

/// Where the columns are that are read row by row.
struct Columns {
    score: usize,
    seat: Option<usize>,
    digest: Option<usize>,
    first_seat: Option<usize>,
    end: Option<usize>,
    outcome: Option<usize>,
    fault_seat: Option<usize>,
    phase: Option<usize>,
    scores: Option<usize>,
}

impl Columns {
    fn row(&self, record: &csv::StringRecord, line: u64) -> Result<Row, Wrong> {
        let field = |column: Option<usize>| {
            let text = column.and_then(|column| record.get(column));
            text.map_or("", str::trim)
        };
        let seat_in = |name: &'static str, column| match field(column) {
            "" => Ok(None),
            "0" => Ok(Some(0)),
            "1" => Ok(Some(1)),
            other => Err((
                name,
                format!("`{other}` is no seat; games of two seats have 0 and 1"),
            )),
        };
        let written = field(Some(self.score));
        let score = written
            .parse()
            .ok()
            .filter(|score| (0.0..=1.0).contains(score))
            .ok_or_else(|| ("score", format!("`{written}` is no score from 0 to 1")))?;
        // Without digests every game is taken as different.
        let digest = match field(self.digest) {
            "" => line,
            text => u64::from_str_radix(text, 16)
                .map_err(|_| ("digest", format!("`{text}` is no hexadecimal number")))?,
        };
        let phase = field(self.phase);
        if !matches!(phase, "" | "main") {
            let what = format!(
                "`{phase}`: an import reads games of the phase main only; leave the others out"
            );
            return Err(("phase", what));
        }
        if field(self.scores).matches(';').count() > 1 {
            let what = "more than two scores: an import reads games of two seats only";
            return Err(("scores", what.to_owned()));
        }
        let seat = seat_in("seat", self.seat)?;
        let end = self.end(field(self.end), field(self.outcome))?;
        let fault_seat = seat_in("fault_seat", self.fault_seat)?;
        Ok(Row {
            line,
            score,
            digest,
            seat,
            first_seat: seat_in("first_seat", self.first_seat)?.unwrap_or(0),
            end,
            fault: fault(end, score, seat, fault_seat)?,
        })
    }

    /// How the game ended: the column `end` says it, or `outcome` that it was cut off.
    fn end(&self, end: &str, outcome: &str) -> Result<End, Wrong> {
        let truncated = outcome == "truncated";
        if end.is_empty() {
            return Ok(if truncated {
                End::DecisionCap
            } else {
                End::Normal
            });
        }
        let Some(found) = End::from_word(end) else {
            let words: Vec<&str> = End::ALL.into_iter().map(End::word).collect();
            let what = format!(
                "`{end}` is no way to end; there are {} (rename the column if it says something else)",
                words.join(", ")
            );
            return Err(("end", what));
        };
        if self.outcome.is_some() && truncated != found.is_truncated() {
            let what = format!("`{outcome}` does not go with the end `{end}`");
            return Err(("outcome", what));
        }
        Ok(found)
    }
}

/// Whether the challenger is at fault: who lost is, where nothing says so.
fn fault(
    end: End,
    score: f64,
    seat: Option<u8>,
    fault_seat: Option<u8>,
) -> Result<Option<bool>, Wrong> {
    if !end.is_forfeit() {
        return match fault_seat {
            Some(_) => Err((
                "fault_seat",
                format!("nobody is at fault where a game ends as {}", end.word()),
            )),
            None => Ok(None),
        };
    }
    if let (Some(seat), Some(fault)) = (seat, fault_seat) {
        return Ok(Some(seat == fault));
    }
    if score > 0.0 && score < 1.0 {
        let what = "seat and fault_seat must say who forfeited a game that nobody lost";
        return Err(("fault_seat", what.to_owned()));
    }
    Ok(Some(score <= 0.0))
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
            hint: match header.get(0) {
                Some(line) if header.len() == 1 && line.contains([';', '\t']) => {
                    ": the line holds no comma, and commas separate columns"
                }
                _ => "",
            },
        })
    };
    let (opponent, block) = (needed("opponent")?, needed("block")?);
    let challenger = place("challenger");
    let columns = Columns {
        score: needed("score")?,
        seat: place("seat"),
        digest: place("digest"),
        first_seat: place("first_seat"),
        end: place("end"),
        outcome: place("outcome"),
        fault_seat: place("fault_seat"),
        phase: place("phase"),
        scores: place("scores"),
    };
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
        let read = columns
            .row(&row, line)
            .map_err(|(column, what)| wrong(column, what))?;
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
    let axes = axes.into_iter().map(|(_, axis)| axis.to_owned()).collect();
    Ok(Imported {
        plan: plan(&cells, axes, size, file, name, confidence),
        games,
        cells: cells.into_iter().map(|(_, own)| own.rows).collect(),
        size,
        file: file.to_owned(),
    })
}

/// The games of a block in the order of the challenger's seats; what is wrong otherwise, with the
/// line and the column.
fn seated(rows: &[Row], size: usize) -> Result<Vec<GameRecord>, (u64, &'static str, String)> {
    let mut rows = rows.to_vec();
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
        first_seat: row.first_seat.into(),
        end: row.end,
        fault_seat: row.fault.map(|own| if own { seat } else { 1 - seat }),
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
mod tests;
