//! Reading the stopping rule.

use crate::config::document::{Entry, Origin};
use crate::config::error::Problems;
use crate::config::reader::Reader;
use crate::plan::StopRule;

pub(in crate::config) fn read_stop(
    table: &[Entry],
    origin: &Origin,
    problems: &mut Problems,
) -> StopRule {
    const KEYS: [&str; 6] = ["rule", "width", "elo0", "elo1", "alpha", "beta"];
    let mut reader = Reader::new("[stop]", origin, table, &KEYS, problems);
    let rules = [("fixed", 0), ("precision", 1), ("sprt", 2)];
    let Some(rule) = reader.choice("rule", &rules) else {
        if reader.node("rule").is_none() {
            reader.missing("rule", "one of `fixed`, `precision`, `sprt`");
        }
        return StopRule::Fixed;
    };
    for (key, owner) in [
        ("width", 1),
        ("elo0", 2),
        ("elo1", 2),
        ("alpha", 2),
        ("beta", 2),
    ] {
        if rule != owner && reader.node(key).is_some() {
            let message = format!("belongs to rule = \"{}\"", rules[owner].0);
            reader.wrong(key, &message);
        }
    }
    match rule {
        1 => {
            if reader.node("width").is_none() {
                reader.missing(
                    "width",
                    "the full width in score at which a cell ends, such as 0.1",
                );
            }
            let width = reader.real("width", "above 0 and below 1", |w| w > 0.0 && w < 1.0);
            width.map_or(StopRule::Fixed, |width| StopRule::Precision { width })
        }
        2 => read_sprt(&mut reader),
        _ => StopRule::Fixed,
    }
}

fn read_sprt(reader: &mut Reader<'_>) -> StopRule {
    let mut elo = |key: &str, default: Option<f64>| match (reader.node(key), default) {
        (None, Some(default)) => Some(default),
        (None, None) => {
            reader.missing(key, "logistic Elo, such as 10");
            None
        }
        (Some(_), _) => reader.real(key, "from -2000 to 2000 (logistic Elo)", |e| {
            e.abs() <= 2000.0
        }),
    };
    let (elo0, elo1) = (elo("elo0", Some(0.0)), elo("elo1", None));
    let mut rate = |key: &str| match reader.node(key) {
        None => Some(0.05),
        Some(_) => reader.real(key, "above 0 and below 0.5", |rate| {
            rate > 0.0 && rate < 0.5
        }),
    };
    let (alpha, beta) = (rate("alpha"), rate("beta"));
    let (Some(elo0), Some(elo1), Some(alpha), Some(beta)) = (elo0, elo1, alpha, beta) else {
        return StopRule::Fixed;
    };
    if elo0 >= elo1 {
        reader.wrong("elo1", "must be above `elo0`");
    }
    StopRule::Sprt {
        elo0,
        elo1,
        alpha,
        beta,
    }
}
