//! Charts: layout, determinism, file formats and bad input, on ordinary and extreme examples.

mod empty;
mod runs;
mod samples;

use evalctl::plot::{
    Caption, Chart, Estimate, Forest, IntervalGroup, IntervalRow, Meta, PlotError, Reference,
    Scene, contact_sheet, theme,
};
use samples::{Sample, extreme, normal};

fn meta() -> Meta {
    Meta {
        software: "evalctl 0.0.0".to_owned(),
        run: "0123abcd".to_owned(),
    }
}

fn all() -> Vec<Sample> {
    normal().into_iter().chain(extreme()).collect()
}

/// Whole charts and their pages, each with a name.
fn scenes(charts: Vec<Sample>) -> Vec<(String, Scene)> {
    let mut scenes = Vec::new();
    for (name, chart) in charts {
        scenes.push((name.clone(), chart.scene().expect(&name)));
        for (i, page) in chart.pages().expect(&name).into_iter().enumerate() {
            scenes.push((format!("{name}, page {}", i + 1), page));
        }
    }
    scenes
}

#[test]
fn no_text_overlaps_is_clipped_small_or_on_data() {
    let mut faults = Vec::new();
    for (name, scene) in scenes(all()) {
        assert!(scene.texts().len() >= 5, "{name} has hardly any text");
        assert!(!scene.data_areas().is_empty(), "{name} marks no data area");
        for fault in scene.faults() {
            faults.push(format!("{name}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn text_is_at_least_9_pixels_at_half_size_and_pictures_at_least_1600_wide() {
    for (name, scene) in scenes(all()) {
        assert!(scene.width() >= 1600.0, "{name}");
        for text in scene.texts() {
            assert!(text.size >= 18.0, "{name}: {text:?}");
        }
    }
    const { assert!(theme::SMALLEST_TEXT >= 18.0) };
}

#[test]
fn every_chart_shows_its_title_its_caption_and_what_was_measured() {
    for (name, chart) in normal() {
        let scene = chart.scene().expect(&name);
        let shown: Vec<String> = scene.texts().into_iter().map(|t| t.text).collect();
        let shown = shown.join(" ");
        for needed in [
            "n = 200 games (100 blocks) per cell",
            "seed 20261130",
            "95 %",
            scene.title(),
        ] {
            assert!(shown.contains(needed), "{name} does not say: {needed}");
        }
    }
}

#[test]
fn no_picture_shows_nan_infinity_or_minus_zero() {
    for (name, scene) in scenes(all()) {
        let svg = scene.render_svg(&meta());
        for wrong in ["NaN", "inf", "\"-0\"", "\"-0 "] {
            assert!(!svg.contains(wrong), "{name} contains {wrong}");
        }
        for text in scene.texts() {
            let zero = text.text.trim_start_matches(['−', '-']);
            let minus = text.text != zero;
            let nothing = zero.chars().all(|c| c == '0' || c == '.') && !zero.is_empty();
            assert!(!(minus && nothing), "{name}: {}", text.text);
        }
    }
}

#[test]
fn pages_are_of_a_handy_size_and_keep_their_scales() {
    let mut paged = 0;
    for (name, chart) in all() {
        let pages = chart.pages().expect(&name);
        for page in &pages {
            assert!(page.height() < 5000.0, "{name}: {}", page.height());
        }
        if pages.len() > 1 {
            paged += 1;
            assert!(
                pages.iter().all(|p| p.title().contains("page ")),
                "{name} does not number its pages"
            );
        }
    }
    assert!(paged >= 3, "only {paged} of the extreme charts need pages");
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    for ((name, first), (_, second)) in normal().into_iter().zip(normal()) {
        let png = first.render_png(&meta()).expect(&name);
        assert_eq!(png, second.render_png(&meta()).expect(&name), "{name}");
        let svg = first.render_svg(&meta()).expect(&name);
        assert_eq!(svg, second.render_svg(&meta()).expect(&name), "{name}");
    }
}

#[test]
fn png_files_say_what_they_show_and_where_they_come_from() {
    let (name, chart) = normal().remove(0);
    let png = chart.render_png(&meta()).expect(&name);
    let mut reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    let info = reader.info();
    assert!(info.width >= 1600);
    let texts: Vec<(String, String)> = info
        .utf8_text
        .iter()
        .map(|t| (t.keyword.clone(), t.get_text().expect("text")))
        .collect();
    let get = |keyword: &str| {
        let found = texts.iter().find(|(k, _)| k == keyword);
        found.map(|(_, text)| text.as_str()).unwrap_or_default()
    };
    let scene = chart.scene().expect(&name);
    assert_eq!(get("Title"), scene.title());
    assert_eq!(get("Software"), "evalctl 0.0.0");
    assert_eq!(get("Source"), "run 0123abcd");
    assert!(get("Description").contains("seed 20261130"));
    // Not a blank page: the palette's blue is there, and the corners are paper.
    assert!(pixels.chunks_exact(3).any(|p| p == [0x00, 0x72, 0xB2]));
    assert_eq!(pixels.get(..3), Some([255, 255, 255].as_slice()));
}

#[test]
fn svg_text_keeps_to_its_measured_width_in_any_font() {
    for (name, chart) in normal() {
        let scene = chart.scene().expect(&name);
        let svg = scene.render_svg(&meta());
        let texts: Vec<&str> = svg.lines().filter(|l| l.starts_with("<text ")).collect();
        assert_eq!(texts.len(), scene.texts().len(), "{name}");
        for (line, text) in texts.iter().zip(scene.texts()) {
            let single = text.text.chars().count() == 1;
            assert!(single || line.contains("textLength="), "{name}: {line}");
        }
        assert!(svg.contains("sans-serif"), "{name} names no generic font");
        assert!(svg.contains("<title>") && svg.contains("<desc>"), "{name}");
        assert_eq!(svg.matches('<').count(), svg.matches('>').count(), "{name}");
    }
}

fn forest(estimate: Option<Estimate>) -> Forest {
    Forest {
        title: "t".to_owned(),
        measure: "score".to_owned(),
        limits: (0.0, 1.0),
        null: Reference {
            label: "fair share".to_owned(),
            value: 0.5,
        },
        numbers: "score".to_owned(),
        groups: vec![IntervalGroup {
            heading: String::new(),
            rows: vec![IntervalRow {
                label: "cell 7".to_owned(),
                estimate,
                inner: None,
            }],
        }],
        caption: Caption::default(),
    }
}

#[test]
fn bad_numbers_are_errors_that_say_where() {
    let wrong = |value, low, high| {
        let error = forest(Some(Estimate { value, low, high })).scene().err();
        error.expect("an error").to_string()
    };
    for message in [
        wrong(f64::NAN, 0.0, 1.0),
        wrong(0.5, f64::NEG_INFINITY, 1.0),
        wrong(0.5, 0.6, 0.4),
    ] {
        assert!(message.contains("cell 7"), "{message}");
        assert!(message.contains("chart \"t\""), "{message}");
    }
    assert!(matches!(forest(None).scene(), Err(PlotError::Empty { .. })));
}

#[test]
fn empty_charts_are_errors_not_pictures() {
    let charts = empty::empty();
    assert_eq!(charts.len(), normal().len());
    for (name, chart) in charts {
        for error in [chart.scene().err(), chart.pages().err()] {
            assert!(
                matches!(error, Some(PlotError::Empty { .. })),
                "{name}: {error:?}"
            );
        }
    }
}

#[test]
fn a_budget_of_zero_is_an_error_on_a_logarithmic_axis() {
    assert!(matches!(
        empty::zero_budget().scene(),
        Err(PlotError::Value { .. })
    ));
}

#[test]
fn the_contact_sheet_holds_every_chart() {
    let scenes: Vec<(String, Scene)> = normal()
        .into_iter()
        .map(|(name, chart)| (name.clone(), chart.scene().expect(&name)))
        .collect();
    let png = contact_sheet("sheet", &scenes, &meta()).expect("a sheet");
    let reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .expect("a PNG file");
    let tallest = scenes.iter().map(|(_, s)| s.height()).sum::<f64>() / 4.0;
    assert!(f64::from(reader.info().height) > tallest);
}

/// In a browser: what a reader sees who points at a mark.
#[test]
fn marks_of_which_the_numbers_are_not_written_show_them_when_pointed_at() {
    for (name, chart) in normal() {
        let svg = chart.scene().expect(&name).render_svg(&meta());
        let tips = svg.matches("<title>").count() - 1;
        let written = [
            "heat-map",
            "forest",
            "seat-effect",
            "payoff-matrix",
            "rating-ladder",
        ];
        assert_eq!(
            tips > 0,
            !written.contains(&name.as_str()),
            "{name}: {tips}"
        );
    }
    let (name, chart) = normal().remove(0);
    let svg = chart.scene().expect(&name).render_svg(&meta());
    assert_eq!(svg.matches("<title>").count(), 1 + 2 * 3 * 6, "{name}");
    let tip =
        "<title>exploration 0.7&#10;simulations per move: 1,000&#10;score of the challenger: 0.9";
    assert!(svg.contains(tip), "{name}");
}
