//! Markers of points and bars of intervals.

use super::scene::{Point, Scene, Shape};
use super::theme::{self, Color, Marker};

impl Scene {
    /// The point of a series with a light edge, so that it stands out from lines and its like.
    pub(super) fn marker(&mut self, center: Point, radius: f64, marker: Marker, color: Color) {
        for (size, fill) in [(radius + 2.5, theme::PAPER), (radius, color)] {
            match marker_outline(marker, center, size) {
                Some(points) => self.polygon(points, fill),
                None => self.shapes.push(Shape::Disc {
                    center,
                    radius: size,
                    fill,
                }),
            }
        }
    }

    /// An interval as a line with ends, upright or lying. An open end is an arrow head.
    pub(super) fn whisker(&mut self, from: Point, to: Point, look: Whisker) {
        self.stroke(from, to, look.width, look.color);
        let length = f64::hypot(to.0 - from.0, to.1 - from.1);
        let (ux, uy) = if length > 0.0 {
            ((to.0 - from.0) / length, (to.1 - from.1) / length)
        } else {
            (1.0, 0.0)
        };
        for (end, open, sign) in [(from, look.open_from, -1.0), (to, look.open_to, 1.0)] {
            let (x, y) = end;
            let (dx, dy) = (ux * sign, uy * sign);
            let cap = look.cap;
            if open {
                let back = (x - dx * cap * 1.6, y - dy * cap * 1.6);
                self.polygon(
                    vec![
                        (x, y),
                        (back.0 - dy * cap, back.1 + dx * cap),
                        (back.0 + dy * cap, back.1 - dx * cap),
                    ],
                    look.color,
                );
            } else if cap > 0.0 {
                self.stroke(
                    (x - dy * cap, y + dx * cap),
                    (x + dy * cap, y - dx * cap),
                    look.width,
                    look.color,
                );
            }
        }
    }
}

/// How an interval is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whisker {
    /// Line width in pixels.
    pub width: f64,
    /// Half the length of the end strokes in pixels; 0 for none.
    pub cap: f64,
    /// Colour.
    pub color: Color,
    /// The first end is unbounded.
    pub open_from: bool,
    /// The second end is unbounded.
    pub open_to: bool,
}

impl Whisker {
    /// A bounded interval.
    pub const fn closed(width: f64, cap: f64, color: Color) -> Self {
        Self {
            width,
            cap,
            color,
            open_from: false,
            open_to: false,
        }
    }
}

fn marker_outline(marker: Marker, (x, y): Point, r: f64) -> Option<Vec<Point>> {
    // Sizes are chosen so that all markers look equally heavy.
    let place = |corners: &[(f64, f64)]| {
        corners
            .iter()
            .map(|(dx, dy)| (x + dx * r, y + dy * r))
            .collect()
    };
    let cross = |a: f64, t: f64| {
        vec![
            (-t, -a),
            (t, -a),
            (t, -t),
            (a, -t),
            (a, t),
            (t, t),
            (t, a),
            (-t, a),
            (-t, t),
            (-a, t),
            (-a, -t),
            (-t, -t),
        ]
    };
    match marker {
        Marker::Disc => None,
        Marker::Square => Some(place(&[
            (-0.88, -0.88),
            (0.88, -0.88),
            (0.88, 0.88),
            (-0.88, 0.88),
        ])),
        Marker::Up => Some(place(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)])),
        Marker::Down => Some(place(&[(-1.1, -0.8), (1.1, -0.8), (0.0, 1.2)])),
        Marker::Diamond => Some(place(&[
            (0.0, -1.25),
            (1.25, 0.0),
            (0.0, 1.25),
            (-1.25, 0.0),
        ])),
        Marker::Plus => Some(place(&cross(1.2, 0.42))),
        Marker::Cross => {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            let corners: Vec<(f64, f64)> = cross(1.3, 0.42)
                .into_iter()
                .map(|(dx, dy)| ((dx - dy) * half, (dx + dy) * half))
                .collect();
            Some(place(&corners))
        }
    }
}
