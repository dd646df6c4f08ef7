//! The frame that all charts share: title above, caption below, legend in between.

use super::PlotError;
use super::data::Caption;
use super::font::{LEADING, Weight};
use super::scene::{Align, Scene, Style, bold, plain};
use super::theme::{self, INK, MARGIN, MUTED, SeriesStyle, size};

/// A drawing that grows from top to bottom.
pub(super) struct Page {
    /// What was drawn so far.
    pub scene: Scene,
    /// Lower edge of what was drawn so far; the next part starts here.
    pub bottom: f64,
    caption: String,
}

/// One entry of a legend.
pub(super) struct Entry {
    /// Look of the series.
    pub style: SeriesStyle,
    /// Its name.
    pub name: String,
    /// Whether its points have markers.
    pub marker: bool,
    /// Whether its points are joined.
    pub line: bool,
}

impl Page {
    /// Starts a page with its title.
    pub fn new(title: &str, subtitle: &str, caption: &Caption) -> Result<Self, PlotError> {
        let mut scene = Scene::new()?;
        title.clone_into(&mut scene.title);
        scene.description = caption.text();
        let mut page = Self {
            scene,
            bottom: MARGIN,
            caption: caption.text(),
        };
        page.paragraph(title, bold(size::TITLE, INK), 3);
        if !subtitle.is_empty() {
            page.gap(4.0);
            page.paragraph(subtitle, plain(size::SUBTITLE, MUTED), 3);
        }
        page.gap(22.0);
        Ok(page)
    }

    /// Leaves space.
    pub fn gap(&mut self, height: f64) {
        self.bottom += height;
    }

    /// Left edge of the content.
    pub const fn left() -> f64 {
        MARGIN
    }

    /// Right edge of the content.
    pub const fn right() -> f64 {
        theme::WIDTH - MARGIN
    }

    /// Text over the full width, in at most `most` lines.
    pub fn paragraph(&mut self, text: &str, style: Style, most: usize) {
        let width = Self::right() - Self::left();
        let lines = self.scene.fonts.fit(
            &super::font::clean(text),
            style.size,
            style.weight,
            width,
            most,
        );
        for line in lines {
            let height = style.size * LEADING;
            self.scene.text(
                &line,
                (Self::left(), self.bottom + height / 2.0),
                Align::Start,
                style,
            );
            self.bottom += height;
        }
    }

    /// Draws a legend in as many rows as it needs; nothing for a single series without a name.
    pub fn legend(&mut self, entries: &[Entry]) {
        const GAP: f64 = 40.0;
        let style = plain(size::LABEL, INK);
        let row = 42.0;
        let mut x = Self::left();
        let mut drawn = false;
        for entry in entries {
            let sample = if entry.line { 96.0 } else { 28.0 };
            let room = Self::right() - Self::left() - sample - 14.0;
            let name = self.scene.fonts.line(
                &super::font::clean(&entry.name),
                style.size,
                Weight::Regular,
                room,
            );
            if name.is_empty() {
                continue;
            }
            let width = sample + 14.0 + self.scene.measure(&name, style);
            if x > Self::left() && x + width > Self::right() {
                x = Self::left();
                self.bottom += row;
            }
            let y = self.bottom + row / 2.0;
            if entry.line {
                self.scene.line(
                    vec![(x, y), (x + sample, y)],
                    4.0,
                    entry.style.color,
                    entry.style.dash,
                );
            }
            if entry.marker {
                self.scene.marker(
                    (x + sample / 2.0, y),
                    10.0,
                    entry.style.marker,
                    entry.style.color,
                );
            }
            self.scene
                .text(&name, (x + sample + 14.0, y), Align::Start, style);
            x += width + GAP;
            drawn = true;
        }
        if drawn {
            self.bottom += row + 14.0;
        }
    }

    /// Writes the caption and closes the page.
    pub fn finish(mut self) -> Scene {
        let caption = std::mem::take(&mut self.caption);
        if !caption.is_empty() {
            self.gap(26.0);
            self.scene.stroke(
                (Self::left(), self.bottom),
                (Self::right(), self.bottom),
                1.5,
                theme::GRID,
            );
            self.gap(16.0);
            self.paragraph(&caption, plain(size::CAPTION, MUTED), 12);
        }
        self.scene.height = (self.bottom + MARGIN * 0.8).ceil();
        self.scene
    }
}
