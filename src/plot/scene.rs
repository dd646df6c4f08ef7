//! A finished drawing as a list of shapes and measured texts, before it becomes PNG or SVG.
//!
//! Charts draw into a [`Scene`] once; the two painters only follow it. Because every text is kept
//! together with its measured box, the layout can be checked by a program: see
//! [`Scene::faults`].

use super::PlotError;
use super::font::{self, ASCENT, CAPITAL, DESCENT, Fonts, Weight};
use super::theme::{self, Color, Dash};

/// A point in pixels from the upper left corner.
pub(super) type Point = (f64, f64);

/// A rectangle in pixels, upper left corner first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Area {
    /// Width in pixels.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height in pixels.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    fn overlaps(&self, other: &Self) -> bool {
        // Half a pixel of overlap is rounding, not a fault.
        let slack = 0.5;
        self.left + slack < other.right
            && other.left + slack < self.right
            && self.top + slack < other.bottom
            && other.top + slack < self.bottom
    }

    fn within(&self, other: &Self) -> bool {
        self.left >= other.left
            && self.top >= other.top
            && self.right <= other.right
            && self.bottom <= other.bottom
    }
}

/// A text with the box that it covers.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBox {
    /// What is written, on one line.
    pub text: String,
    /// The box from the height of capitals to the depth of letters such as g, and as wide as the
    /// text.
    pub area: Area,
    /// Size in pixels.
    pub size: f64,
}

/// What is drawn besides text.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A filled polygon whose edges do not cross.
    Polygon { points: Vec<Point>, fill: Color },
    /// A line through points.
    Line {
        points: Vec<Point>,
        width: f64,
        color: Color,
        dash: Dash,
    },
    /// A filled circle.
    Disc {
        center: Point,
        radius: f64,
        fill: Color,
    },
}

/// What a reader sees who points at a place: the numbers behind a mark. SVG only.
#[derive(Clone, Debug)]
pub(super) struct Tip {
    /// The place.
    pub area: Area,
    /// What is said.
    pub text: String,
}

/// Where a text stands relative to its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// The anchor is the start of the text.
    Start,
    /// The anchor is the middle of the text.
    Middle,
    /// The anchor is the end of the text.
    End,
}

/// Size, weight and colour of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// Size in pixels.
    pub size: f64,
    /// Regular or bold.
    pub weight: Weight,
    /// Colour.
    pub color: Color,
}

/// Regular text.
pub(super) const fn plain(size: f64, color: Color) -> Style {
    Style {
        size,
        weight: Weight::Regular,
        color,
    }
}

/// Bold text.
pub(super) const fn bold(size: f64, color: Color) -> Style {
    Style {
        size,
        weight: Weight::Bold,
        color,
    }
}

/// A placed text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub content: String,
    pub style: Style,
    pub align: Align,
    /// Anchor on the baseline.
    pub anchor: Point,
    /// Reads from bottom to top.
    pub turned: bool,
    /// Measured width.
    pub width: f64,
    /// May stand on a data area, as the values in a grid do.
    pub on_data: bool,
}

impl Text {
    /// Start of the baseline.
    pub fn origin(&self) -> Point {
        let shift = match self.align {
            Align::Start => 0.0,
            Align::Middle => self.width / 2.0,
            Align::End => self.width,
        };
        let (x, y) = self.anchor;
        if self.turned {
            (x, y + shift)
        } else {
            (x - shift, y)
        }
    }

    fn area(&self) -> Area {
        let (x, y) = self.origin();
        let (up, down) = (self.style.size * ASCENT, self.style.size * DESCENT);
        if self.turned {
            Area {
                left: x - up,
                top: y - self.width,
                right: x + down,
                bottom: y,
            }
        } else {
            Area {
                left: x,
                top: y - up,
                right: x + self.width,
                bottom: y + down,
            }
        }
    }
}

/// A finished drawing: shapes, measured texts and the areas that hold data.
#[derive(Clone)]
pub struct Scene {
    pub(super) fonts: Fonts,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
    pub(super) texts: Vec<Text>,
    pub(super) data_areas: Vec<Area>,
    pub(super) tips: Vec<Tip>,
    pub(super) title: String,
    pub(super) description: String,
}

impl Scene {
    /// An empty drawing whose height is not yet known.
    pub(super) fn new() -> Result<Self, PlotError> {
        Ok(Self {
            fonts: Fonts::load()?,
            height: 0.0,
            shapes: Vec::new(),
            texts: Vec::new(),
            data_areas: Vec::new(),
            tips: Vec::new(),
            title: String::new(),
            description: String::new(),
        })
    }

    /// Width in pixels, the same for every chart.
    pub fn width(&self) -> f64 {
        theme::WIDTH
    }

    /// Height in pixels, as much as the content needs.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The chart's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The caption in one line; serves as the description for people who do not see the picture.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Every text with its measured box, in drawing order.
    pub fn texts(&self) -> Vec<TextBox> {
        self.texts
            .iter()
            .map(|t| TextBox {
                text: t.content.clone(),
                area: t.area(),
                size: t.style.size,
            })
            .collect()
    }

    /// The areas in which data is drawn.
    pub fn data_areas(&self) -> &[Area] {
        &self.data_areas
    }

    /// What is wrong with the layout, one sentence each: text or shapes that leave the picture,
    /// texts that overlap, text that covers data, text below [`theme::SMALLEST_TEXT`]
    /// (18 pixels, which is 9 at half size). Empty for a good layout.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let page = Area {
            left: 4.0,
            top: 4.0,
            right: self.width() - 4.0,
            bottom: self.height - 4.0,
        };
        let boxes: Vec<Area> = self.texts.iter().map(Text::area).collect();
        for (text, area) in self.texts.iter().zip(&boxes) {
            if !area.within(&page) {
                faults.push(format!("text \"{}\" is clipped: {area:?}", text.content));
            }
            if text.style.size < theme::SMALLEST_TEXT {
                faults.push(format!(
                    "text \"{}\" is {} pixels high",
                    text.content, text.style.size
                ));
            }
            if !text.on_data && self.data_areas.iter().any(|data| area.overlaps(data)) {
                faults.push(format!("text \"{}\" covers data", text.content));
            }
        }
        for (i, first) in boxes.iter().enumerate() {
            for (j, second) in boxes.iter().enumerate().skip(i + 1) {
                if first.overlaps(second)
                    && let (Some(a), Some(b)) = (self.texts.get(i), self.texts.get(j))
                {
                    faults.push(format!(
                        "texts \"{}\" and \"{}\" overlap",
                        a.content, b.content
                    ));
                }
            }
        }
        for shape in &self.shapes {
            if !bounds(shape).within(&Area {
                left: 0.0,
                top: 0.0,
                right: self.width(),
                bottom: self.height,
            }) {
                faults.push(format!("a shape leaves the picture: {:?}", bounds(shape)));
            }
        }
        faults
    }

    /// Width of a text in pixels.
    pub(super) fn measure(&self, text: &str, style: Style) -> f64 {
        self.fonts
            .width(&font::clean(text), style.size, style.weight)
    }

    /// Writes a text whose capitals are centred on `y`. Returns its width.
    pub(super) fn text(&mut self, text: &str, at: Point, align: Align, style: Style) -> f64 {
        let baseline = at.1 + style.size * CAPITAL / 2.0;
        self.place(text, (at.0, baseline), align, style, false, false)
    }

    /// Like [`Scene::text`], for text that belongs on a data area.
    pub(super) fn text_on_data(&mut self, text: &str, at: Point, align: Align, style: Style) {
        let baseline = at.1 + style.size * CAPITAL / 2.0;
        self.place(text, (at.0, baseline), align, style, false, true);
    }

    /// Writes a text that reads from bottom to top, its capitals centred on `x`, its middle at `y`.
    pub(super) fn turned(&mut self, text: &str, at: Point, style: Style) {
        let baseline = at.0 + style.size * CAPITAL / 2.0;
        self.place(text, (baseline, at.1), Align::Middle, style, true, false);
    }

    fn place(
        &mut self,
        text: &str,
        anchor: Point,
        align: Align,
        style: Style,
        turned: bool,
        on_data: bool,
    ) -> f64 {
        let content = font::clean(text);
        if content.is_empty() {
            return 0.0;
        }
        let width = self.fonts.width(&content, style.size, style.weight);
        self.texts.push(Text {
            content,
            style,
            align,
            anchor,
            turned,
            width,
            on_data,
        });
        width
    }

    /// A filled rectangle.
    pub(super) fn rect(&mut self, area: Area, fill: Color) {
        self.polygon(
            vec![
                (area.left, area.top),
                (area.right, area.top),
                (area.right, area.bottom),
                (area.left, area.bottom),
            ],
            fill,
        );
    }

    /// A filled polygon.
    pub(super) fn polygon(&mut self, points: Vec<Point>, fill: Color) {
        self.shapes.push(Shape::Polygon { points, fill });
    }

    /// A line through points.
    pub(super) fn line(&mut self, points: Vec<Point>, width: f64, color: Color, dash: Dash) {
        if points.len() >= 2 {
            self.shapes.push(Shape::Line {
                points,
                width,
                color,
                dash,
            });
        }
    }

    /// A straight full line.
    pub(super) fn stroke(&mut self, from: Point, to: Point, width: f64, color: Color) {
        self.line(vec![from, to], width, color, theme::SOLID);
    }
}

fn bounds(shape: &Shape) -> Area {
    let (points, around): (Vec<Point>, f64) = match shape {
        Shape::Polygon { points, .. } => (points.clone(), 0.0),
        Shape::Line { points, width, .. } => (points.clone(), width / 2.0),
        Shape::Disc { center, radius, .. } => (vec![*center], *radius),
    };
    let mut area = Area {
        left: f64::INFINITY,
        top: f64::INFINITY,
        right: f64::NEG_INFINITY,
        bottom: f64::NEG_INFINITY,
    };
    for (x, y) in points {
        area.left = area.left.min(x - around);
        area.top = area.top.min(y - around);
        area.right = area.right.max(x + around);
        area.bottom = area.bottom.max(y + around);
    }
    area
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::theme::{INK, size};

    fn scene() -> Scene {
        let mut scene = Scene::new().expect("embedded fonts");
        scene.height = 400.0;
        scene
    }

    #[test]
    fn overlapping_clipped_small_and_covering_texts_are_found() {
        let style = plain(size::LABEL, INK);
        let mut s = scene();
        s.text("one", (100.0, 100.0), Align::Start, style);
        s.text("two", (110.0, 105.0), Align::Start, style);
        assert!(s.faults().iter().any(|f| f.contains("overlap")));

        let mut s = scene();
        s.text("far right", (1990.0, 100.0), Align::Start, style);
        assert!(s.faults().iter().any(|f| f.contains("clipped")));

        let mut s = scene();
        s.text("tiny", (100.0, 100.0), Align::Start, plain(17.0, INK));
        assert!(s.faults().iter().any(|f| f.contains("17 pixels")));

        let mut s = scene();
        s.data_areas.push(Area {
            left: 50.0,
            top: 50.0,
            right: 500.0,
            bottom: 300.0,
        });
        s.text("legend", (100.0, 100.0), Align::Start, style);
        assert!(s.faults().iter().any(|f| f.contains("covers data")));
        s.texts.clear();
        s.text_on_data("0.62", (100.0, 100.0), Align::Middle, style);
        assert!(s.faults().is_empty(), "{:?}", s.faults());
    }

    #[test]
    fn shapes_outside_the_picture_are_found() {
        let mut s = scene();
        s.stroke((10.0, 10.0), (10.0, 500.0), 2.0, INK);
        assert!(s.faults().iter().any(|f| f.contains("shape leaves")));
    }

    #[test]
    fn boxes_follow_alignment_and_turning() {
        let mut s = scene();
        let style = plain(20.0, INK);
        let width = s.text("middle", (500.0, 200.0), Align::Middle, style);
        s.turned("upwards", (300.0, 200.0), style);
        let boxes = s.texts();
        let level = boxes.first().expect("first text").area;
        assert!((level.left - (500.0 - width / 2.0)).abs() < 1e-9);
        assert!((level.top + level.bottom - 400.0).abs() < 12.0);
        let upright = boxes.get(1).expect("second text").area;
        assert!(upright.height() > upright.width());
        assert!((upright.top + upright.bottom - 400.0).abs() < 1e-9);
    }

    #[test]
    fn control_characters_in_names_become_spaces() {
        let mut s = scene();
        s.text("a\nb\u{7}", (100.0, 100.0), Align::Start, plain(20.0, INK));
        assert_eq!(
            s.texts().first().map(|t| t.text.clone()),
            Some("a b".into())
        );
    }
}
