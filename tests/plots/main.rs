//! Charts: layout, determinism, file formats and bad input, on ordinary and extreme examples.

mod samples;

use evalctl::plot::{Meta, theme};
use samples::{extreme, normal};

fn meta() -> Meta {
    Meta {
        software: "evalctl 0.0.0".to_owned(),
        run: "0123abcd".to_owned(),
    }
}

#[test]
fn no_text_overlaps_is_clipped_small_or_on_data() {
    let mut faults = Vec::new();
    for (name, chart) in normal().into_iter().chain(extreme()) {
        let scene = chart.scene().expect(&name);
        assert!(scene.texts().len() >= 5, "{name} has hardly any text");
        assert!(!scene.data_areas().is_empty(), "{name} marks no data area");
        for fault in scene.faults() {
            faults.push(format!("{name}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pictures_are_wide_enough_and_text_is_9_pixels_at_half_size() {
    for (name, chart) in normal() {
        let png = chart.render_png(&meta()).expect(&name);
        let decoder = png::Decoder::new(std::io::Cursor::new(png));
        let reader = decoder.read_info().expect("a PNG file");
        assert!(reader.info().width >= 1600, "{name}");
        let smallest = chart
            .scene()
            .expect(&name)
            .texts()
            .iter()
            .map(|t| t.size)
            .fold(f64::INFINITY, f64::min);
        assert!(smallest >= 18.0, "{name}: {smallest}");
    }
    assert!(theme::SMALLEST_TEXT >= 18.0);
}
