//! Pictures that servers give their tools. Pure.
//!
//! Always true here: only a picture that came along is shown; nothing is fetched for it, from
//! wherever. It is what it says it is: a bitmap of a known kind, small, with the first bytes of
//! that kind. Drawings that can hold scripts are left out.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// The longest address of a picture, in bytes: about 48 KiB of picture.
const LONGEST: usize = 64 * 1024;
/// How many a server may name before the others are passed over.
const LOOKED_AT: usize = 16;

/// The first picture among a tool's fields (`icons`) that can be shown, as a `data:` address.
pub fn of(fields: &Map<String, Value>) -> Option<String> {
    let icons = fields.get("icons")?.as_array()?;
    icons
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
    match kind {
        "image/png" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" => bytes.starts_with(b"\xff\xd8\xff"),
        "image/webp" => bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(src: &str) -> bool {
        let Value::Object(fields) = json!({ "icons": [{ "src": src }] }) else {
            unreachable!()
        };
        of(&fields).is_some()
    }

    fn data(kind: &str, bytes: &[u8]) -> String {
        format!("data:{kind};base64,{}", STANDARD.encode(bytes))
    }

    #[test]
    fn a_small_bitmap_that_came_along_is_shown() {
        assert!(shown(&data("image/png", b"\x89PNG\r\n\x1a\n....")));
        assert!(shown(&data("image/jpeg", b"\xff\xd8\xff\xe0")));
        assert!(shown(&data("image/webp", b"RIFF....WEBP")));
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
            assert!(!shown(src), "{src}");
        }
        assert!(!shown(&data("image/png", b"GIF89a")));
        assert!(!shown(&data(
            "image/png",
            &[b"\x89PNG\r\n\x1a\n".as_slice(), &vec![0; LONGEST]].concat()
        )));
    }
}
