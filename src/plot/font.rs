//! The embedded font: measuring, wrapping and shortening text.
//!
//! Text is measured from the same outlines that are later filled, so a box that was measured is
//! the box that is drawn. Characters that Inter lacks (card suits, chess pieces) come from a few
//! glyphs of `DejaVu` Sans; anything else becomes an empty box, never an error,
//! because a player may be named as its author likes.

use ab_glyph::{Font, FontRef, GlyphId};

use super::PlotError;

const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular-subset.otf");
const BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-SemiBold-subset.otf");
const SYMBOLS: &[u8] = include_bytes!("../../assets/fonts/DejaVuSans-symbols-subset.ttf");

/// Names for the `font-family` of SVG text: the font that was measured, then others of nearly the
/// same width, then whatever the reader has.
pub(super) const FAMILY: &str = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
/// How far capitals and digits rise above the baseline, as a share of the size.
pub(super) const ASCENT: f64 = 0.76;
/// How far letters such as g reach below the baseline, as a share of the size.
pub(super) const DESCENT: f64 = 0.21;
/// Height of capitals and digits, as a share of the size; used to centre text.
pub(super) const CAPITAL: f64 = 0.727;
/// Distance between baselines of wrapped text, as a share of the size.
pub(super) const LEADING: f64 = 1.3;

/// Drawn for a character that neither font has.
const REPLACEMENT: char = '□';

/// Regular or bold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Regular.
    Regular,
    /// Semi-bold.
    Bold,
}

/// The fonts of all charts.
#[derive(Clone)]
pub(super) struct Fonts {
    regular: FontRef<'static>,
    bold: FontRef<'static>,
    symbols: FontRef<'static>,
}

/// One character placed on its line.
pub(super) struct Placed<'a> {
    /// The font that has it.
    pub font: &'a FontRef<'static>,
    /// Which glyph of that font.
    pub glyph: GlyphId,
    /// Distance from the start of the text in pixels.
    pub x: f64,
}

impl Fonts {
    /// Reads the embedded fonts.
    ///
    /// # Errors
    /// [`PlotError::Font`] if the program was built with damaged font files.
    pub fn load() -> Result<Self, PlotError> {
        let read = |bytes| FontRef::try_from_slice(bytes).map_err(|_| PlotError::Font);
        Ok(Self {
            regular: read(REGULAR)?,
            bold: read(BOLD)?,
            symbols: read(SYMBOLS)?,
        })
    }

    fn find(&self, c: char, weight: Weight) -> (&FontRef<'static>, GlyphId) {
        let main = match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        };
        let glyph = main.glyph_id(c);
        if glyph.0 != 0 {
            return (main, glyph);
        }
        let symbol = self.symbols.glyph_id(c);
        if symbol.0 != 0 {
            return (&self.symbols, symbol);
        }
        (&self.symbols, self.symbols.glyph_id(REPLACEMENT))
    }

    /// Every character of a text with its place on the line.
    pub fn place(&self, text: &str, size: f64, weight: Weight) -> (Vec<Placed<'_>>, f64) {
        let mut x = 0.0;
        let mut placed = Vec::with_capacity(text.len());
        for c in text.chars() {
            let (font, glyph) = self.find(c, weight);
            placed.push(Placed { font, glyph, x });
            x += advance(font, glyph, size);
        }
        (placed, x)
    }

    /// Width of one line of text in pixels.
    pub fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        text.chars()
            .map(|c| {
                let (font, glyph) = self.find(c, weight);
                advance(font, glyph, size)
            })
            .sum()
    }

    /// Breaks a text into lines no wider than `width` pixels, after spaces or, within long names,
    /// after signs such as `,` and `-`; a piece that is still too long is cut anywhere.
    pub fn wrap(&self, text: &str, size: f64, weight: Weight, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for piece in pieces(text) {
            let joined = format!("{line}{piece}");
            if self.width(joined.trim_end(), size, weight) <= width {
                line = joined;
                continue;
            }
            if !line.trim().is_empty() {
                lines.push(line.trim_end().to_owned());
            }
            line = String::new();
            for c in piece.chars() {
                let mut longer = line.clone();
                longer.push(c);
                if !line.is_empty() && self.width(longer.trim_end(), size, weight) > width {
                    lines.push(std::mem::take(&mut line));
                    line.push(c);
                } else {
                    line = longer;
                }
            }
        }
        if !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// Wraps a text into at most `most` lines; if that is not enough, the middle of the text gives
    /// way to an ellipsis, because names of players differ at their ends.
    pub fn fit(
        &self,
        text: &str,
        size: f64,
        weight: Weight,
        width: f64,
        most: usize,
    ) -> Vec<String> {
        let lines = self.wrap(text, size, weight, width);
        if lines.len() <= most {
            return lines;
        }
        let letters: Vec<char> = text.chars().collect();
        // Binary search for the longest shortened text that fits.
        let (mut low, mut high) = (0, letters.len());
        let mut best = vec!["…".to_owned()];
        while low < high {
            let keep = (low + high).div_ceil(2);
            let head = keep.div_ceil(2);
            let tail = letters.len() - (keep - head);
            let shortened: String = letters
                .iter()
                .take(head)
                .chain(['…'].iter())
                .chain(letters.iter().skip(tail))
                .collect();
            let lines = self.wrap(&shortened, size, weight, width);
            if lines.len() <= most {
                best = lines;
                low = keep;
            } else {
                high = keep - 1;
            }
        }
        best
    }

    /// One line of at most `width` pixels, shortened in the middle if need be.
    pub fn line(&self, text: &str, size: f64, weight: Weight, width: f64) -> String {
        self.fit(text, size, weight, width, 1)
            .into_iter()
            .next()
            .unwrap_or_default()
    }
}

/// The pixel scale of `ab_glyph` is the distance from ascender to descender, ours is the em square
/// as in CSS.
pub(super) fn scale(font: &FontRef<'static>, size: f64) -> f32 {
    let em = font.units_per_em().unwrap_or(1000.0);
    #[expect(clippy::cast_possible_truncation, reason = "sizes are small")]
    let size = size as f32;
    size * font.height_unscaled() / em
}

fn advance(font: &FontRef<'static>, glyph: GlyphId, size: f64) -> f64 {
    let em = font.units_per_em().unwrap_or(1000.0);
    f64::from(font.h_advance_unscaled(glyph)) / f64::from(em) * size
}

/// Splits a text after each sign where a line may end; joined again they give the text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if matches!(c, ' ' | ',' | ';' | '-' | '_' | '/' | ':' | '|') {
            let end = at + c.len_utf8();
            pieces.push(&text[start..end]);
            start = end;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// A text as it can stand on one line: control characters become spaces.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect::<String>()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fonts() -> Fonts {
        Fonts::load().expect("embedded fonts")
    }

    #[test]
    fn every_sign_that_charts_use_has_a_glyph() {
        let fonts = fonts();
        let missing: Vec<char> = "AZaz09 .,:;()[]{}+-−×÷±–—…≤≥≈→↑↓▲▼αβγ♠♥♦♣äÖßéДурак♔½“”’%"
            .chars()
            .filter(|c| {
                [Weight::Regular, Weight::Bold].into_iter().any(|w| {
                    let (font, glyph) = fonts.find(*c, w);
                    glyph.0 == 0 || glyph == font.glyph_id('\u{FFFD}')
                })
            })
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn unknown_signs_become_a_visible_box() {
        let fonts = fonts();
        for weight in [Weight::Regular, Weight::Bold] {
            let (font, glyph) = fonts.find('象', weight);
            assert!(glyph.0 != 0 && font.outline(glyph).is_some());
            let width = fonts.width("象", 20.0, weight);
            assert!((width - fonts.width("□", 20.0, weight)).abs() < 1e-9 && width > 5.0);
        }
    }

    #[test]
    fn wrapped_lines_fit_and_lose_nothing() {
        let fonts = fonts();
        let text = "n = 200 games (100 blocks) per cell; seed 20261130; t interval on blocks, ismcts:simulations=1000,exploration=0.7,rollout=lowest";
        for width in [60.0, 150.0, 400.0, 2000.0] {
            let lines = fonts.wrap(text, 22.0, Weight::Regular, width);
            for line in &lines {
                assert!(fonts.width(line, 22.0, Weight::Regular) <= width, "{line}");
            }
            let squeeze = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
            assert_eq!(squeeze(&lines.concat()), squeeze(text));
        }
    }

    #[test]
    fn shortening_keeps_both_ends() {
        let fonts = fonts();
        let name = "a".repeat(40) + &"b".repeat(40);
        let line = fonts.line(&name, 24.0, Weight::Bold, 300.0);
        assert!(line.starts_with('a') && line.ends_with('b') && line.contains('…'));
        assert!(fonts.width(&line, 24.0, Weight::Bold) <= 300.0);
        let two = fonts.fit(&name, 24.0, Weight::Bold, 300.0, 2);
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn nothing_is_shortened_without_need() {
        let fonts = fonts();
        assert_eq!(fonts.line("ismcts", 24.0, Weight::Regular, 500.0), "ismcts");
        assert!(fonts.fit("", 24.0, Weight::Regular, 500.0, 2).is_empty());
    }
}
