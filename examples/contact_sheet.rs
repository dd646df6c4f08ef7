//! Draws every chart with made-up numbers.
//!
//! `cargo run --release --example contact_sheet -- DIR` writes each chart as PNG and SVG into DIR.

#[path = "../tests/plots/samples.rs"]
mod samples;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use evalctl::plot::Meta;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(std::env::args().nth(1).ok_or("usage: contact_sheet DIR")?);
    std::fs::create_dir_all(&dir)?;
    let meta = Meta {
        software: concat!("evalctl ", env!("CARGO_PKG_VERSION")).to_owned(),
        run: "made-up numbers".to_owned(),
    };
    for (name, chart) in samples::normal().into_iter().chain(samples::extreme()) {
        let t = Instant::now();
        let scene = chart.scene()?;
        let t1 = t.elapsed();
        let png = chart.render_png(&meta)?;
        let t2 = t.elapsed();
        println!(
            "{name}: scene {t1:?} png {:?} {} bytes {}",
            t2 - t1,
            png.len(),
            scene.height()
        );
        for fault in scene.faults() {
            println!("{name}: {fault}");
        }
        std::fs::write(dir.join(format!("{name}.png")), png)?;
        std::fs::write(dir.join(format!("{name}.svg")), chart.render_svg(&meta)?)?;
    }
    Ok(())
}
