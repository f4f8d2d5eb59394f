//! A line of text as a QR code: for a camera, from a window or from a terminal.

use qrcode::render::{svg, unicode};
use qrcode::{EcLevel, QrCode};

/// An SVG image; none if the text is too long for one code.
pub(crate) fn svg(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    Some(
        code.render::<svg::Color<'_>>()
            .min_dimensions(240, 240)
            .dark_color(svg::Color("#000"))
            .light_color(svg::Color("#fff"))
            .build(),
    )
}

/// Lines of block characters, light on dark; none if the text is too long for one code.
pub fn qr_blocks(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    // Terminals are dark, nearly all of them: what is dark in the code is left out.
    Some(
        code.render::<unicode::Dense1x2>()
            .dark_color(unicode::Dense1x2::Light)
            .light_color(unicode::Dense1x2::Dark)
            .build(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_fits_and_a_text_that_does_not_has_no_code() {
        let line = "majordomo-log-anchor-1.".to_owned() + &"x".repeat(330);
        assert!(svg(&line).unwrap().starts_with("<?xml"));
        let blocks = qr_blocks(&line).unwrap();
        let widths: std::collections::BTreeSet<_> =
            blocks.lines().map(|line| line.chars().count()).collect();
        assert_eq!(widths.len(), 1, "every line is as wide as the others");
        assert!(widths.iter().all(|width| *width <= 90));
        assert_eq!(svg(&"x".repeat(9_000)), None);
    }
}
