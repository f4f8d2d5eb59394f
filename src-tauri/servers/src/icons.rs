//! Pictures that servers give themselves and their tools. Pure.
//!
//! Always true here: only a picture that came along is shown; nothing is fetched for it, from
//! wherever. It is what it says it is: a bitmap of a known kind, small as a file and as a picture,
//! with the first bytes of that kind. Drawings that can hold scripts are left out.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use imagesize::ImageType;
use serde_json::Value;

/// The longest address of a picture, in bytes: about 48 KiB of picture.
const LONGEST: usize = 64 * 1024;
/// The most points of a side: a small file can be a picture that fills the memory.
const LARGEST: usize = 1024;
/// How many a server may name before the others are passed over.
const LOOKED_AT: usize = 16;

/// The first of some pictures (`icons` of a tool, or of what a server says about itself) that can be
/// shown, as a `data:` address.
pub fn shown(icons: Option<&Value>) -> Option<String> {
    icons?
        .as_array()?
        .iter()
        .take(LOOKED_AT)
        .filter_map(|icon| icon.get("src")?.as_str())
        .find(|src| can_be_shown(src))
        .map(str::to_owned)
}

fn can_be_shown(src: &str) -> bool {
    if src.len() > LONGEST {
        return false;
    }
    let Some((kind, data)) = src
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"))
    else {
        return false;
    };
    let Ok(bytes) = STANDARD.decode(data) else {
        return false;
    };
    let is_kind = match imagesize::image_type(&bytes) {
        Ok(ImageType::Png) => kind == "image/png",
        Ok(ImageType::Jpeg) => kind == "image/jpeg",
        Ok(ImageType::Webp) => kind == "image/webp",
        _ => false,
    };
    let is_small = |size: imagesize::ImageSize| size.width.max(size.height) <= LARGEST;
    is_kind && imagesize::blob_size(&bytes).is_ok_and(is_small)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_shown(src: &str) -> bool {
        shown(Some(&json!([{ "src": src }]))).is_some()
    }

    fn data(kind: &str, bytes: &[u8]) -> String {
        format!("data:{kind};base64,{}", STANDARD.encode(bytes))
    }

    /// The beginnings of pictures of so many points a side.
    fn png(side: u32) -> Vec<u8> {
        let side = side.to_be_bytes();
        let head = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice();
        [head, &side, &side, &[8, 6, 0, 0, 0]].concat()
    }

    fn jpeg(side: u16) -> Vec<u8> {
        let side = side.to_be_bytes();
        let head = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".as_slice();
        let colours = &[3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0];
        [head, b"\xff\xc0\0\x11\x08", &side, &side, colours].concat()
    }

    fn webp(side: u32) -> Vec<u8> {
        let side = &(side - 1).to_le_bytes()[..3];
        let head = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".as_slice();
        [head, side, side].concat()
    }

    #[test]
    fn a_small_bitmap_that_came_along_is_shown() {
        assert!(is_shown(&data("image/png", &png(64))));
        assert!(is_shown(&data("image/jpeg", &jpeg(64))));
        assert!(is_shown(&data("image/webp", &webp(64))));
        assert!(is_shown(&data("image/png", &png(1024))));
    }

    #[test]
    fn the_first_that_can_be_shown_is() {
        let small = data("image/png", &png(16));
        let icons = json!([{ "src": "https://example.com/icon.png" }, { "sizes": ["any"] }, { "src": small }]);
        assert_eq!(shown(Some(&icons)), Some(small));
        for none in [None, Some(&json!([])), Some(&json!("picture"))] {
            assert_eq!(shown(none), None);
        }
    }

    #[test]
    fn a_picture_that_would_fill_the_memory_is_not_shown() {
        assert!(!is_shown(&data("image/png", &png(30_000))));
        assert!(!is_shown(&data("image/jpeg", &jpeg(65_000))));
        assert!(!is_shown(&data("image/webp", &webp(16_000))));
    }

    #[test]
    fn nothing_that_would_be_fetched_or_run_or_is_not_what_it_says_is_shown() {
        for src in [
            "https://example.com/icon.png",
            "http://127.0.0.1/icon.png",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:image/svg+xml;base64,PHN2Zy8+",
            "data:image/svg+xml,<svg/>",
            "data:image/png;base64,!!!",
            "data:text/html;base64,PGI+",
        ] {
            assert!(!is_shown(src), "{src}");
        }
        assert!(!is_shown(&data("image/png", b"GIF89a")));
        assert!(!is_shown(&data("image/png", &jpeg(64))));
        // It breaks off before it says how large it is.
        assert!(!is_shown(&data("image/png", b"\x89PNG\r\n\x1a\n....")));
        let long = [png(64), vec![0; LONGEST]].concat();
        assert!(!is_shown(&data("image/png", &long)));
    }
}
