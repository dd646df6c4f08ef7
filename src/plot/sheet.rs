//! All charts on one sheet, at a little under half size: what a reader of a paper would see.

use super::font::Weight;
use super::png_out;
use super::raster::{self, Image, byte, real, whole};
use super::scene::{Align, Scene, bold, plain};
use super::theme::{self, INK, MARGIN, MUTED, size};
use super::{Meta, PlotError};

const COLUMNS: usize = 2;
const GAP: f64 = 40.0;
const NAME: f64 = 44.0;

/// Draws small pictures of scenes, each under its name, in two columns on one PNG.
///
/// # Errors
/// [`PlotError::Empty`] without scenes, [`PlotError::Png`] if the sheet is too large to encode.
pub fn contact_sheet(
    title: &str,
    scenes: &[(String, Scene)],
    meta: &Meta,
) -> Result<Vec<u8>, PlotError> {
    if scenes.is_empty() {
        return Err(super::data::empty(title, "charts"));
    }
    let mut sheet = Scene::new()?;
    title.clone_into(&mut sheet.title);
    "every chart at a little under half size".clone_into(&mut sheet.description);
    let inner = sheet.width() - 2.0 * MARGIN;
    let heading = sheet.fonts.line(title, size::TITLE, Weight::Bold, inner);
    let style = bold(size::TITLE, INK);
    sheet.text(&heading, (MARGIN, MARGIN + 24.0), Align::Start, style);
    let columns = real(COLUMNS);
    let width = ((inner - GAP * (columns - 1.0)) / columns).floor();
    let mut bottoms = [MARGIN + 80.0; COLUMNS];
    let mut places = Vec::new();
    for (name, scene) in scenes {
        // Next into the column that is shortest so far, the left one if all are equal.
        let mut column = 0;
        for (index, bottom) in bottoms.iter().enumerate() {
            if *bottom < bottoms[column] {
                column = index;
            }
        }
        let left = MARGIN + real(column) * (width + GAP);
        let top = bottoms[column] + NAME;
        let height = (scene.height() * width / scene.width()).round();
        let name = sheet.fonts.line(name, size::LABEL, Weight::Regular, width);
        let at = (left, top - NAME / 2.0);
        sheet.text(&name, at, Align::Start, plain(size::LABEL, MUTED));
        for (from, to) in [
            ((left, top), (left + width, top)),
            ((left, top + height), (left + width, top + height)),
            ((left, top), (left, top + height)),
            ((left + width, top), (left + width, top + height)),
        ] {
            sheet.stroke(from, to, 2.0, theme::GRID);
        }
        bottoms[column] = top + height + GAP;
        places.push((left, top, width, height));
    }
    sheet.height = bottoms.into_iter().fold(0.0, f64::max) + MARGIN - GAP;
    let mut image = raster::paint(&sheet);
    for ((_, scene), (left, top, width, height)) in scenes.iter().zip(places) {
        let small = shrink(&raster::paint(scene), whole(width) - 2, whole(height) - 2);
        paste(&mut image, &small, whole(left) + 1, whole(top) + 1);
    }
    png_out::write(&image, title, sheet.description(), meta)
}

/// Shrinks an image; each new pixel is the mean of the area that it covers.
fn shrink(image: &Image, width: usize, height: usize) -> Image {
    let rows = shares(image.height, height);
    let columns = shares(image.width, width);
    let mut rgb = Vec::with_capacity(3 * width * height);
    for row in &rows {
        for column in &columns {
            let mut sum = [0.0; 3];
            let mut weight = 0.0;
            for (y, down) in row {
                for (x, across) in column {
                    let start = 3 * (y * image.width + x);
                    let share = down * across;
                    for (total, channel) in sum.iter_mut().zip(image.rgb.iter().skip(start)) {
                        *total += share * f64::from(*channel);
                    }
                    weight += share;
                }
            }
            rgb.extend(sum.map(|total| byte(total / weight)));
        }
    }
    Image { width, height, rgb }
}

/// For each of `small` pixels, which of `large` pixels it covers and how much of each.
fn shares(large: usize, small: usize) -> Vec<Vec<(usize, f64)>> {
    let ratio = real(large) / real(small.max(1));
    (0..small)
        .map(|i| {
            let (from, to) = (real(i) * ratio, real(i + 1) * ratio);
            (whole(from)..whole(to.ceil()).min(large))
                .map(|pixel| {
                    let share = to.min(real(pixel + 1)) - from.max(real(pixel));
                    (pixel, share)
                })
                .filter(|(_, share)| *share > 0.0)
                .collect()
        })
        .collect()
}

fn paste(image: &mut Image, small: &Image, left: usize, top: usize) {
    for (row, line) in small.rgb.chunks_exact(3 * small.width.max(1)).enumerate() {
        let start = 3 * ((top + row) * image.width + left);
        if let Some(target) = image.rgb.get_mut(start..start + line.len()) {
            target.copy_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_keeps_the_mean() {
        let image = Image {
            width: 30,
            height: 20,
            rgb: (0..1800_u32)
                .map(|i| u8::try_from(i * 7 % 251).unwrap_or(0))
                .collect(),
        };
        let small = shrink(&image, 13, 9);
        let mean = |rgb: &[u8]| rgb.iter().map(|b| f64::from(*b)).sum::<f64>() / real(rgb.len());
        assert_eq!(small.rgb.len(), 3 * 13 * 9);
        assert!((mean(&small.rgb) - mean(&image.rgb)).abs() < 1.0);
    }

    #[test]
    fn a_sheet_without_charts_is_an_error() {
        let meta = Meta {
            software: String::new(),
            run: String::new(),
        };
        assert!(matches!(
            contact_sheet("t", &[], &meta),
            Err(PlotError::Empty { .. })
        ));
    }
}
