//! Draws every chart with made-up numbers.
//!
//! `cargo run --release --example contact_sheet -- docs/charts.png` writes one sheet with
//! all charts; a second argument names a folder that gets each of them, and extreme ones (one
//! cell, 200 cells, names of 80 characters), as PNG and SVG, to be looked at.

#[path = "../tests/plots/samples/mod.rs"]
mod samples;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use evalctl::plot::{Meta, contact_sheet};
use samples::Sample;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let sheet = arguments
        .next()
        .ok_or("usage: contact_sheet SHEET.png [FOLDER]")?;
    let meta = Meta {
        software: concat!("evalctl ", env!("CARGO_PKG_VERSION")).to_owned(),
        run: "none, made-up numbers".to_owned(),
    };
    let mut scenes = Vec::new();
    for (name, chart) in samples::normal() {
        scenes.push((name, chart.scene()?));
    }
    let png = contact_sheet(
        "All charts with made-up numbers, at a little under half size",
        &scenes,
        &meta,
    )?;
    std::fs::write(sheet, png)?;
    let Some(folder) = arguments.next() else {
        return Ok(());
    };
    std::fs::create_dir_all(&folder)?;
    draw(samples::normal(), &folder, &meta)?;
    draw(samples::extreme(), &folder, &meta)
}

/// Writes every page of every chart and says how long each kind of work took.
fn draw(charts: Vec<Sample>, folder: &Path, meta: &Meta) -> Result<(), Box<dyn Error>> {
    let (mut layout, mut png, mut svg) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut pictures = 0;
    for (name, chart) in charts {
        let start = Instant::now();
        let pages = chart.pages()?;
        layout += start.elapsed();
        for (number, page) in pages.iter().enumerate() {
            let name = if pages.len() > 1 {
                format!("{name}-{}", number + 1)
            } else {
                name.clone()
            };
            let start = Instant::now();
            let bytes = page.render_png(meta)?;
            png += start.elapsed();
            let start = Instant::now();
            let text = page.render_svg(meta);
            svg += start.elapsed();
            std::fs::write(folder.join(format!("{name}.png")), bytes)?;
            std::fs::write(folder.join(format!("{name}.svg")), text)?;
            pictures += 1;
        }
    }
    println!("{pictures} pictures: layout {layout:.0?}, PNG {png:.0?}, SVG {svg:.0?}");
    Ok(())
}
