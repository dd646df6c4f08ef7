//! The one place that says how every chart looks: sizes, colours, markers, dashes.
//!
//! Pictures are [`WIDTH`] pixels wide. Shown at half that width, the smallest text is still 10
//! pixels high, which the layout check of [`Scene`](super::Scene) enforces for every chart.
//! The colours are those of Okabe and Ito ("Color Universal Design", 2008), which people with any
//! of the common colour blindnesses tell apart; yellow is left out because it vanishes on white.
//! No two series differ in colour alone: each also has its own marker and dash.

/// Width of every chart in pixels.
pub const WIDTH: f64 = 2000.0;
/// Smallest text size, in pixels, that any chart may use.
pub const SMALLEST_TEXT: f64 = 18.0;
/// Empty border around a chart, in pixels.
pub(super) const MARGIN: f64 = 44.0;

/// Text sizes in pixels (the height of the em square, as in CSS).
pub(super) mod size {
    /// The chart's title.
    pub const TITLE: f64 = 38.0;
    /// Line under the title.
    pub const SUBTITLE: f64 = 27.0;
    /// Heading of a panel.
    pub const HEADING: f64 = 28.0;
    /// Title of an axis, entry of a legend, label of a row.
    pub const LABEL: f64 = 25.0;
    /// Labels of ticks and reference lines.
    pub const TICK: f64 = 23.0;
    /// Text of captions.
    pub const CAPTION: f64 = 22.0;
    /// Second line in a cell of a grid.
    pub const SMALL: f64 = 20.0;
}

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color {
    /// Red, green and blue, 0 to 255, in sRGB.
    pub rgb: [u8; 3],
    /// Opacity, 0 to 1.
    pub alpha: f64,
}

impl Color {
    /// An opaque colour from its usual hexadecimal form.
    pub const fn hex(value: u32) -> Self {
        let [_, r, g, b] = value.to_be_bytes();
        Self {
            rgb: [r, g, b],
            alpha: 1.0,
        }
    }

    /// The same colour, more or less see-through.
    pub const fn with_alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}

/// Background of a chart.
pub(super) const PAPER: Color = Color::hex(0x00FF_FFFF);
/// Background of the area where data is drawn.
pub(super) const PANEL: Color = Color::hex(0x00FA_FBFC);
/// Titles and values.
pub(super) const INK: Color = Color::hex(0x001F_2328);
/// Labels and captions.
pub(super) const MUTED: Color = Color::hex(0x0050_575F);
/// Lines of axes.
pub(super) const AXIS: Color = Color::hex(0x006B_737C);
/// Lines of grids.
pub(super) const GRID: Color = Color::hex(0x00E1_E5EA);
/// The line of no effect.
pub(super) const NULL: Color = Color::hex(0x001F_2328);
/// Other lines to compare with.
pub(super) const REFERENCE: Color = Color::hex(0x0058_6069);
/// Every second row of a list.
pub(super) const STRIPE: Color = Color::hex(0x00F1_F4F7);
/// A cell of a grid without a value.
pub(super) const NO_VALUE: Color = Color::hex(0x00EC_EEF1);

const SERIES: [Color; 7] = [
    Color::hex(0x0000_72B2), // blue
    Color::hex(0x00D5_5E00), // vermillion
    Color::hex(0x0000_9E73), // bluish green
    Color::hex(0x00CC_79A7), // reddish purple
    Color::hex(0x0056_B4E9), // sky blue
    Color::hex(0x00E6_9F00), // orange
    Color::hex(0x0033_3333), // black
];

/// Shape of the points of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// A filled circle.
    Disc,
    /// A square.
    Square,
    /// A triangle that points up.
    Up,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    Down,
    /// An upright cross.
    Plus,
    /// A diagonal cross.
    Cross,
}

const MARKERS: [Marker; 7] = [
    Marker::Disc,
    Marker::Square,
    Marker::Up,
    Marker::Diamond,
    Marker::Down,
    Marker::Plus,
    Marker::Cross,
];

/// Lengths of strokes and gaps in pixels, repeated; empty for a full line.
pub(super) type Dash = &'static [f64];

/// A full line.
pub(super) const SOLID: Dash = &[];
/// Dash of reference lines.
pub(super) const REFERENCE_DASH: Dash = &[3.0, 7.0];
/// Dash of the line of no effect.
pub(super) const NULL_DASH: Dash = &[14.0, 8.0];

const DASHES: [Dash; 4] = [SOLID, &[20.0, 8.0], &[7.0, 7.0], &[22.0, 7.0, 6.0, 7.0]];

/// How one series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SeriesStyle {
    /// Colour of line, points and band.
    pub color: Color,
    /// Shape of its points.
    pub marker: Marker,
    /// Dash of its line.
    pub dash: Dash,
}

/// The look of the `index`-th series of a chart (from 0). The first 49 all differ in colour or
/// marker, the first 7 in both.
pub(super) fn series(index: usize) -> SeriesStyle {
    let color = index % SERIES.len();
    // Shifting the markers by one per round keeps colour and marker from pairing up again.
    let marker = (index + index / SERIES.len()) % MARKERS.len();
    SeriesStyle {
        color: SERIES[color],
        marker: MARKERS[marker],
        dash: DASHES[index % DASHES.len()],
    }
}

/// Colour for a position between -1 (far below the centre) and 1 (far above): orange, white, blue.
///
/// Lightness falls evenly to both sides and orange and blue stay apart for every colour blindness.
/// Values outside are clamped; the result is opaque, and light enough for dark text everywhere.
pub(super) fn diverging(position: f64) -> Color {
    const BELOW: [[f64; 3]; 4] = [
        [247.0, 247.0, 247.0],
        [254.0, 224.0, 182.0],
        [250.0, 186.0, 105.0],
        [224.0, 130.0, 20.0],
    ];
    const ABOVE: [[f64; 3]; 4] = [
        [247.0, 247.0, 247.0],
        [209.0, 229.0, 240.0],
        [146.0, 197.0, 222.0],
        [67.0, 147.0, 195.0],
    ];
    let stops = if position < 0.0 { BELOW } else { ABOVE };
    let along = position.abs().min(1.0) * 3.0;
    let (lower, upper) = if along < 1.0 {
        (0, 1)
    } else if along < 2.0 {
        (1, 2)
    } else {
        (2, 3)
    };
    let share = along - f64::from(u8::try_from(lower).unwrap_or(0));
    let mut rgb = [0_u8; 3];
    for (channel, value) in rgb.iter_mut().enumerate() {
        let mixed = stops[lower][channel] * (1.0 - share) + stops[upper][channel] * share;
        *value = super::raster::byte(mixed);
    }
    Color { rgb, alpha: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Color {
        /// Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance").
        fn luminance(self) -> f64 {
            let channel = |value: u8| {
                let v = f64::from(value) / 255.0;
                if v <= 0.040_45 {
                    v / 12.92
                } else {
                    libm::pow((v + 0.055) / 1.055, 2.4)
                }
            };
            let [r, g, b] = self.rgb;
            0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
        }

        /// Contrast ratio with another colour, 1 to 21 (WCAG 2.2, "contrast ratio").
        fn contrast(self, other: Self) -> f64 {
            let (a, b) = (self.luminance(), other.luminance());
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        }
    }

    #[test]
    fn text_is_legible_on_every_shade_of_the_diverging_scale() {
        for step in -100..=100 {
            let shade = diverging(f64::from(step) / 100.0);
            let contrast = shade.contrast(INK);
            assert!(contrast >= 4.5, "step {step}: contrast {contrast}");
        }
    }

    #[test]
    fn labels_have_the_contrast_that_small_text_needs() {
        for color in [INK, MUTED, REFERENCE] {
            for ground in [PAPER, PANEL, STRIPE, NO_VALUE] {
                assert!(color.contrast(ground) >= 4.5, "{color:?} on {ground:?}");
            }
        }
    }

    #[test]
    fn no_two_of_the_first_49_series_share_colour_and_marker() {
        for a in 0..49 {
            for b in 0..a {
                let (x, y) = (series(a), series(b));
                assert!(
                    x.color != y.color || x.marker != y.marker,
                    "series {a} and {b}"
                );
            }
        }
    }

    #[test]
    fn contrast_of_black_and_white_is_21() {
        let ratio = Color::hex(0).contrast(PAPER);
        assert!((ratio - 21.0).abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn diverging_scale_is_symmetric_about_its_centre_and_clamped() {
        assert_eq!(diverging(0.0), diverging(-0.0));
        assert_eq!(diverging(1.0), diverging(7.0));
        assert_eq!(diverging(-1.0), diverging(-7.0));
        assert_ne!(diverging(0.5), diverging(-0.5));
    }
}
