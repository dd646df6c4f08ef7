//! Writes pixels as a PNG file that says where it comes from.

use super::raster::{self, Image};
use super::scene::Scene;
use super::{Meta, PlotError};

/// Paints and encodes a scene.
pub(super) fn encode(scene: &Scene, meta: &Meta) -> Result<Vec<u8>, PlotError> {
    write(
        &raster::paint(scene),
        scene.title(),
        scene.description(),
        meta,
    )
}

/// Encodes an image with its title, description and origin as text chunks (keywords of the PNG
/// specification, 11.3.3.1).
pub(super) fn write(
    image: &Image,
    title: &str,
    description: &str,
    meta: &Meta,
) -> Result<Vec<u8>, PlotError> {
    let failed = |reason: String| PlotError::Png {
        chart: title.to_owned(),
        reason,
    };
    let size = |pixels: usize| {
        u32::try_from(pixels).map_err(|_| failed("it is more than 2^32 pixels wide".to_owned()))
    };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size(image.width)?, size(image.height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    for (keyword, text) in [
        ("Title", title),
        ("Description", description),
        ("Software", &meta.software),
        ("Source", &format!("run {}", meta.run)),
    ] {
        encoder
            .add_itxt_chunk(keyword.to_owned(), text.to_owned())
            .map_err(|e| failed(e.to_string()))?;
    }
    let mut writer = encoder.write_header().map_err(|e| failed(e.to_string()))?;
    writer
        .write_image_data(&image.rgb)
        .map_err(|e| failed(e.to_string()))?;
    writer.finish().map_err(|e| failed(e.to_string()))?;
    Ok(bytes)
}
