//! Charts as PNG and SVG: one theme, an embedded font, intervals always drawn.
