//! Writes a [`Scene`] as SVG.
//!
//! A reader's program has other fonts than the one that was measured, so every text carries its
//! measured length (`textLength`): a wider font is squeezed into the place that was kept for it
//! instead of running over its neighbours, and each text is anchored where it must line up, should
//! a program ignore that length.

use std::fmt::Write as _;

use super::Meta;
use super::font::{FAMILY, Weight};
use super::scene::{Align, Point, Scene, Shape, Text, Tip};
use super::theme::{Color, PAPER};

/// The whole document, ending in a line break.
pub(super) fn write(scene: &Scene, meta: &Meta) -> String {
    let (width, height) = (number(scene.width()), number(scene.height()));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FAMILY}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<!-- {} -->\n",
        escape(scene.title()),
        escape(scene.description()),
        comment(&format!("{}; run {}", meta.software, meta.run)),
    );
    let _ = writeln!(
        out,
        "<rect width=\"{width}\" height=\"{height}\"{}/>",
        paint("fill", PAPER)
    );
    for shape in &scene.shapes {
        write_shape(&mut out, shape);
    }
    for text in &scene.texts {
        write_text(&mut out, text);
    }
    // On top, so that nothing is between them and the pointer.
    for tip in &scene.tips {
        write_tip(&mut out, tip);
    }
    out.push_str("</svg>\n");
    out
}

// Writing into a `String` cannot fail, so the results of `writeln!` are dropped below.

fn write_shape(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Polygon { points, fill } => {
            let _ = writeln!(
                out,
                "<polygon points=\"{}\"{}/>",
                coordinates(points),
                paint("fill", *fill)
            );
        }
        Shape::Line {
            points,
            width,
            color,
            dash,
        } => {
            let dashes = if dash.is_empty() {
                String::new()
            } else {
                let lengths: Vec<String> = dash.iter().map(|d| number(*d)).collect();
                format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
            };
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke-width=\"{}\" \
                 stroke-linejoin=\"round\"{}{dashes}/>",
                coordinates(points),
                number(*width),
                paint("stroke", *color)
            );
        }
        Shape::Disc {
            center,
            radius,
            fill,
        } => {
            let _ = writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
                number(center.0),
                number(center.1),
                number(*radius),
                paint("fill", *fill)
            );
        }
    }
}

fn write_text(out: &mut String, text: &Text) {
    let (x, y) = (number(text.anchor.0), number(text.anchor.1));
    let anchor = match text.align {
        Align::Start => "",
        Align::Middle => " text-anchor=\"middle\"",
        Align::End => " text-anchor=\"end\"",
    };
    let weight = match text.style.weight {
        Weight::Regular => "",
        Weight::Bold => " font-weight=\"600\"",
    };
    let turn = if text.turned {
        format!(" transform=\"rotate(-90 {x} {y})\"")
    } else {
        String::new()
    };
    // One letter has no gaps to stretch, and some programs divide by their number.
    let length = if text.content.chars().count() > 1 {
        format!(
            " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
            number(text.width)
        )
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{weight}{anchor}{turn}{length}{}>{}</text>",
        number(text.style.size),
        paint("fill", text.style.color),
        escape(&text.content)
    );
}

/// A place that shows nothing until somebody points at it.
fn write_tip(out: &mut String, tip: &Tip) {
    let lines = tip.text.lines().filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(escape).collect();
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"0\"><title>{}</title></rect>",
        number(tip.area.left),
        number(tip.area.top),
        number(tip.area.width()),
        number(tip.area.height()),
        lines.join("&#10;")
    );
}

fn coordinates(points: &[Point]) -> String {
    let pairs: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{},{}", number(*x), number(*y)))
        .collect();
    pairs.join(" ")
}

fn paint(attribute: &str, color: Color) -> String {
    let [r, g, b] = color.rgb;
    let opacity = if color.alpha < 1.0 {
        format!(" {attribute}-opacity=\"{}\"", number(color.alpha))
    } else {
        String::new()
    };
    format!(" {attribute}=\"#{r:02x}{g:02x}{b:02x}\"{opacity}")
}

/// At most two decimals, no trailing zeros, no minus zero.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no place for control characters, not even escaped.
            c if c.is_control() || c == '\u{FFFE}' || c == '\u{FFFF}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A comment must not contain two hyphens in a row.
fn comment(text: &str) -> String {
    escape(text).replace("--", "- -")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::scene::{Area, plain};
    use crate::plot::theme::INK;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.0), "12");
        assert_eq!(number(100.0), "100");
        assert_eq!(number(-3.456), "-3.46");
    }

    #[test]
    fn names_cannot_break_the_document() {
        let mut scene = Scene::new().expect("embedded fonts");
        scene.height = 100.0;
        scene.title = "a<b & \"c\" -->".to_owned();
        scene.text("<script>", (10.0, 50.0), Align::Start, plain(20.0, INK));
        scene.tips.push(Tip {
            area: Area {
                left: 1.0,
                top: 2.0,
                right: 4.0,
                bottom: 6.0,
            },
            text: "</title><svg>".to_owned(),
        });
        let meta = Meta {
            software: "evalctl".to_owned(),
            run: "x--><svg>".to_owned(),
        };
        let svg = write(&scene, &meta);
        assert!(svg.contains("&lt;script&gt;"));
        assert_eq!(svg.matches("-->").count(), 1);
        assert_eq!(svg.matches("<svg").count(), 1);
        assert!(svg.contains(
            "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill-opacity=\"0\"><title>&lt;/title&gt;"
        ));
    }
}
