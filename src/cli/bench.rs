//! `evalctl bench`: what this machine does in a second.

use std::io::Write as _;

use super::args::{BenchArgs, Format};
use super::error::Failure;
use crate::bench;
use crate::numbers::{count, decimals};

pub(super) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let wanted = |name: &str| args.only.as_deref().is_none_or(|text| name.contains(text));
    let figures = bench::measure(&wanted).map_err(Failure::failed)?;
    if figures.is_empty() {
        return Err(Failure::usage(format!(
            "no figure's name contains `{}`",
            args.only.as_deref().unwrap_or_default()
        )));
    }
    let text = match args.format {
        Format::Json => super::list::json(&figures)?,
        Format::Text => {
            let mut text = String::new();
            for figure in &figures {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "rates are positive and far below 2^63"
                )]
                let value = if figure.value >= 100.0 {
                    count(figure.value.round() as u64)
                } else {
                    decimals(figure.value, 3)
                };
                let threads = if figure.threads == 1 {
                    "thread"
                } else {
                    "threads"
                };
                text.push_str(&format!(
                    "{:36} {value:>14} {} ({} {threads})\n",
                    figure.name, figure.unit, figure.threads
                ));
            }
            text
        }
    };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
