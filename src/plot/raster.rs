//! Paints a [`Scene`] into a buffer of RGB pixels.
//!
//! Every shape is filled by exact area coverage with `ab_glyph_rasterizer`, the same code that
//! fills the letters. The bitmap painter of the `plotters` crate was tried first and set aside: it
//! cuts corner points to whole pixels (a line changes its width from one segment to the next),
//! ignores the side bearings of letters (uneven gaps), has no dashes, and measures text in whole
//! pixels.

use ab_glyph::Font;
use ab_glyph_rasterizer::{Rasterizer, point};

use super::font::scale;
use super::scene::{Point, Scene, Shape, Text};
use super::theme::{Color, PAPER};

/// An image of red, green and blue bytes, row by row from the top.
pub(super) struct Image {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

/// Paints a scene on light paper.
pub(super) fn paint(scene: &Scene) -> Image {
    let width = whole(scene.width().ceil());
    let height = whole(scene.height().ceil());
    let mut image = Image {
        width,
        height,
        rgb: vec![0; 3 * width * height],
    };
    for pixel in image.rgb.chunks_exact_mut(3) {
        pixel.copy_from_slice(&PAPER.rgb);
    }
    let mut brush = Brush {
        image: &mut image,
        coverage: Rasterizer::new(1, 1),
    };
    for shape in &scene.shapes {
        match shape {
            Shape::Polygon { points, fill } => brush.fill(&[points.as_slice()], *fill),
            Shape::Disc {
                center,
                radius,
                fill,
            } => brush.fill(&[circle(*center, *radius).as_slice()], *fill),
            Shape::Line {
                points,
                width,
                color,
                dash,
            } => {
                let outlines = outline(points, *width, dash);
                let borrowed: Vec<&[Point]> = outlines.iter().map(Vec::as_slice).collect();
                brush.fill(&borrowed, *color);
            }
        }
    }
    for text in &scene.texts {
        write(&mut image, scene, text);
    }
    image
}

struct Brush<'a> {
    image: &'a mut Image,
    coverage: Rasterizer,
}

impl Brush<'_> {
    /// Fills the union of polygons that all turn the same way.
    fn fill(&mut self, polygons: &[&[Point]], color: Color) {
        let (right, bottom) = (self.image.width, self.image.height);
        let clamp = |(x, y): Point| (x.clamp(0.0, real(right)), y.clamp(0.0, real(bottom)));
        let mut low = (f64::INFINITY, f64::INFINITY);
        let mut high = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for &corner in polygons.iter().copied().flatten() {
            let (x, y) = clamp(corner);
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        if low.0 > high.0 || low.1 > high.1 {
            return;
        }
        let (x0, y0) = (whole(low.0.floor()), whole(low.1.floor()));
        let columns = (whole(high.0.ceil()).min(right)).saturating_sub(x0) + 1;
        let rows = (whole(high.1.ceil()).min(bottom)).saturating_sub(y0) + 1;
        self.coverage.reset(columns, rows);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "pixel coordinates are small; f32 holds them to 1/1000 of a pixel"
        )]
        let local = |corner: Point| {
            let (x, y) = clamp(corner);
            point((x - real(x0)) as f32, (y - real(y0)) as f32)
        };
        for polygon in polygons {
            for (from, to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
                self.coverage.draw_line(local(*from), local(*to));
            }
        }
        let image = &mut *self.image;
        self.coverage.for_each_pixel_2d(|x, y, share| {
            if share > 0.0 {
                blend(image, x0 + x as usize, y0 + y as usize, color, share);
            }
        });
    }
}

/// Mixes a colour into a pixel that is covered to a share between 0 and 1.
///
/// Sixteen shades of an edge look the same as 256, and keep most charts within the 256 colours that
/// a PNG file with a palette can have, at a third of the size.
fn blend(image: &mut Image, x: usize, y: usize, color: Color, share: f32) {
    if x >= image.width {
        return;
    }
    let start = 3 * (y * image.width + x);
    let Some(pixel) = image.rgb.get_mut(start..start + 3) else {
        return;
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 15"
    )]
    let step = (share.clamp(0.0, 1.0) * 15.0 + 0.5) as u8;
    let alpha = f64::from(step) / 15.0 * color.alpha;
    if alpha >= 1.0 {
        pixel.copy_from_slice(&color.rgb);
    } else if step > 0 {
        for (old, new) in pixel.iter_mut().zip(color.rgb) {
            let mixed = f64::from(*old) + (f64::from(new) - f64::from(*old)) * alpha;
            *old = byte(mixed);
        }
    }
}

fn write(image: &mut Image, scene: &Scene, text: &Text) {
    let (ox, oy) = text.origin();
    let (placed, _) = scene
        .fonts
        .place(&text.content, text.style.size, text.style.weight);
    for letter in placed {
        // A turned letter is drawn level and its pixels are turned, which is exact for 90 degrees.
        let (x, y) = if text.turned {
            (-oy + letter.x, ox)
        } else {
            (ox + letter.x, oy)
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "pixel coordinates are small"
        )]
        let position = ab_glyph::point(x as f32, y as f32);
        let glyph = letter
            .glyph
            .with_scale_and_position(scale(letter.font, text.style.size), position);
        let Some(outlined) = letter.font.outline_glyph(glyph) else {
            continue;
        };
        let bounds = outlined.px_bounds();
        let (left, top) = (f64::from(bounds.min.x), f64::from(bounds.min.y));
        outlined.draw(|dx, dy, share| {
            let (px, py) = (left + f64::from(dx), top + f64::from(dy));
            let (px, py) = if text.turned {
                (py, -px - 1.0)
            } else {
                (px, py)
            };
            if px >= 0.0 && py >= 0.0 {
                blend(image, whole(px), whole(py), text.style.color, share);
            }
        });
    }
}

/// The outline of a line as polygons that all turn the same way, so that their union is filled:
/// one for each stroke of the dash pattern, and a disc at each bend.
fn outline(points: &[Point], width: f64, dash: &[f64]) -> Vec<Vec<Point>> {
    let mut polygons = Vec::new();
    let half = width / 2.0;
    for run in dashes(points, dash) {
        for (from, to) in run.iter().zip(run.iter().skip(1)) {
            let length = f64::hypot(to.0 - from.0, to.1 - from.1);
            if length <= 0.0 {
                continue;
            }
            let (nx, ny) = (
                -(to.1 - from.1) / length * half,
                (to.0 - from.0) / length * half,
            );
            polygons.push(vec![
                (from.0 + nx, from.1 + ny),
                (from.0 - nx, from.1 - ny),
                (to.0 - nx, to.1 - ny),
                (to.0 + nx, to.1 + ny),
            ]);
        }
        if let Some(bends) = run.get(1..run.len().saturating_sub(1)) {
            polygons.extend(bends.iter().map(|&bend| circle(bend, half)));
        }
    }
    polygons
}

/// Cuts a line into the strokes of a dash pattern (lengths of stroke, gap, stroke, ...); the whole
/// line for an empty pattern.
pub(super) fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    if pattern.iter().sum::<f64>() <= 0.0 {
        return vec![points.to_vec()];
    }
    let mut runs = Vec::new();
    let mut lengths = pattern.iter().copied().cycle();
    let mut left = lengths.next().unwrap_or(1.0);
    let mut drawing = true;
    let mut run: Vec<Point> = points.first().copied().into_iter().collect();
    for (from, to) in points.iter().zip(points.iter().skip(1)) {
        let length = f64::hypot(to.0 - from.0, to.1 - from.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let cut = (
                from.0 + (to.0 - from.0) * share,
                from.1 + (to.1 - from.1) * share,
            );
            if drawing {
                run.push(cut);
                runs.push(std::mem::take(&mut run));
            } else {
                run = vec![cut];
            }
            drawing = !drawing;
            left = lengths.next().unwrap_or(1.0);
        }
        left -= length - done;
        if drawing {
            run.push(*to);
        }
    }
    if run.len() >= 2 {
        runs.push(run);
    }
    runs
}

/// A circle as a polygon that turns like the strokes of [`outline`].
fn circle((x, y): Point, radius: f64) -> Vec<Point> {
    // The unit circle in 48 steps by rotation, without the platform's sine.
    const COS: f64 = 0.991_444_861_373_810_4;
    const SIN: f64 = 0.130_526_192_220_051_6;
    let mut direction = (1.0, 0.0);
    (0..48)
        .map(|_| {
            let corner = (x + radius * direction.0, y + radius * direction.1);
            direction = (
                direction.0 * COS - direction.1 * SIN,
                direction.1 * COS + direction.0 * SIN,
            );
            corner
        })
        .collect()
}

/// Rounds a colour channel to a byte.
pub(super) fn byte(value: f64) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the range of a byte"
    )]
    {
        // Adding a half and cutting is much faster than `round` and the same for what is not
        // negative.
        (value.clamp(0.0, 255.0) + 0.5) as u8
    }
}

/// A coordinate that is known to be whole and not negative, as an index.
pub(super) fn whole(value: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a range that fits"
    )]
    {
        value.clamp(0.0, 1e9) as usize
    }
}

/// An index as a coordinate.
pub(super) fn real(value: usize) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "pixel counts are far below 2^53"
    )]
    {
        value as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::scene::{Align, Area, plain};
    use crate::plot::theme::{INK, SOLID};

    fn scene(height: f64) -> Scene {
        let mut scene = Scene::new().expect("embedded fonts");
        scene.height = height;
        scene
    }

    fn at(image: &Image, x: usize, y: usize) -> [u8; 3] {
        let start = 3 * (y * image.width + x);
        [image.rgb[start], image.rgb[start + 1], image.rgb[start + 2]]
    }

    /// Darkness summed over the picture, in fully black pixels.
    fn ink(image: &Image) -> f64 {
        image.rgb.iter().map(|b| f64::from(255 - b)).sum::<f64>() / (3.0 * 255.0)
    }

    const BLACK: Color = Color::hex(0);

    #[test]
    fn a_rectangle_on_pixel_borders_is_exact_and_halves_are_grey() {
        let mut s = scene(100.0);
        s.rect(
            Area {
                left: 10.0,
                top: 20.0,
                right: 30.5,
                bottom: 40.0,
            },
            BLACK,
        );
        let image = paint(&s);
        assert_eq!(at(&image, 10, 20), [0, 0, 0]);
        assert_eq!(at(&image, 9, 20), [255, 255, 255]);
        assert_eq!(at(&image, 29, 39), [0, 0, 0]);
        assert_eq!(at(&image, 29, 40), [255, 255, 255]);
        // Coverage comes in steps of 1/15, so a half is off by at most half a step, 8.5 of 255.
        assert!((119..=136).contains(&at(&image, 30, 30)[0]));
        assert!((ink(&image) - 20.5 * 20.0).abs() <= 20.0 / 30.0 + 0.05);
    }

    #[test]
    fn a_bent_line_is_evenly_wide_without_holes() {
        let mut s = scene(300.0);
        let points = vec![(50.0, 50.0), (250.0, 100.3), (260.0, 220.0), (450.7, 210.0)];
        s.line(points.clone(), 6.0, BLACK, SOLID);
        let image = paint(&s);
        let length: f64 = points
            .iter()
            .zip(points.iter().skip(1))
            .map(|(a, b)| f64::hypot(b.0 - a.0, b.1 - a.1))
            .sum();
        // Each bend adds part of a disc and takes away a wedge: a few pixels in all.
        assert!((ink(&image) - 6.0 * length).abs() < 20.0, "{}", ink(&image));
        assert_eq!(at(&image, 250, 101), [0, 0, 0]);
    }

    #[test]
    fn a_disc_has_the_area_of_a_disc() {
        let mut s = scene(100.0);
        s.shapes.push(Shape::Disc {
            center: (50.3, 40.7),
            radius: 20.0,
            fill: BLACK,
        });
        let expected = std::f64::consts::PI * 400.0;
        assert!((ink(&paint(&s)) - expected).abs() < 0.01 * expected);
    }

    #[test]
    fn dashes_cover_their_share_of_a_line() {
        let runs = dashes(&[(0.0, 0.0), (30.0, 0.0), (30.0, 40.0)], &[6.0, 4.0]);
        let drawn: f64 = runs
            .iter()
            .flat_map(|run| run.iter().zip(run.iter().skip(1)))
            .map(|(a, b)| f64::hypot(b.0 - a.0, b.1 - a.1))
            .sum();
        assert!((drawn - 42.0).abs() < 1e-9, "{drawn}");
        assert_eq!(dashes(&[(0.0, 0.0), (9.0, 0.0)], &[]).len(), 1);
    }

    #[test]
    fn text_stays_in_its_measured_box_level_and_turned() {
        for turned in [false, true] {
            let mut s = scene(500.0);
            let style = plain(24.0, INK);
            if turned {
                s.turned("Simulations, jagged 0.5", (700.0, 250.0), style);
            } else {
                s.text(
                    "Simulations, jagged 0.5",
                    (700.0, 250.0),
                    Align::Middle,
                    style,
                );
            }
            let area = s.texts().first().expect("the text").area;
            let image = paint(&s);
            let mut dark = 0;
            for y in 0..image.height {
                for x in 0..image.width {
                    if at(&image, x, y)[0] < 200 {
                        dark += 1;
                        let inside = real(x) >= area.left - 2.0
                            && real(x) <= area.right + 2.0
                            && real(y) >= area.top - 2.0
                            && real(y) <= area.bottom + 2.0;
                        assert!(inside, "turned {turned}: ({x}, {y}) outside {area:?}");
                    }
                }
            }
            assert!(dark > 500, "turned {turned}: only {dark} dark pixels");
        }
    }

    #[test]
    fn what_lies_outside_is_cut_not_a_panic() {
        let mut s = scene(50.0);
        s.stroke((-100.0, -20.0), (3000.0, 400.0), 8.0, BLACK);
        s.text("outside", (-40.0, 60.0), Align::Start, plain(24.0, INK));
        assert_eq!(paint(&s).rgb.len(), 3 * 2000 * 50);
    }
}
