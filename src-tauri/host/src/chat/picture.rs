//! How large a picture is, in bytes and in points, as far as its beginning says. Pure.
//!
//! Always true here: only its beginning is looked at; what a picture says of itself may be wrong.

use api::PictureSize;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// So much of a picture is looked at, in letters of base64. They stand for whole bytes.
const LOOKED_AT: usize = 64 * 1024;

/// How many bytes a text in base64 stands for.
pub(super) fn bytes_in(data: &str) -> usize {
    let padding = data.bytes().rev().take_while(|byte| *byte == b'=').count();
    (data.len() / 4 * 3).saturating_sub(padding)
}

/// How large a PNG, JPEG, GIF or WebP picture is, in points.
pub(super) fn size(data: &str) -> Option<PictureSize> {
    let beginning = data.get(..LOOKED_AT).unwrap_or(data);
    let bytes = STANDARD.decode(beginning).ok()?;
    let (width, height) = match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => (be32(&bytes, 16)?, be32(&bytes, 20)?),
        [b'G', b'I', b'F', ..] => (le16(&bytes, 6)?, le16(&bytes, 8)?),
        [0xff, 0xd8, ..] => jpeg(&bytes)?,
        [b'R', b'I', b'F', b'F', ..] => webp(&bytes)?,
        _ => return None,
    };
    (width > 0 && height > 0).then_some(PictureSize { width, height })
}

/// Its frame header says it, behind segments that say something else.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let (mark, kind) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        match kind {
            // A mark may stand behind any number of these.
            0xff => at += 1,
            _ if mark != 0xff => return None,
            0xc4 | 0xc8 | 0xcc => at += 2 + be16(bytes, at + 2)? as usize,
            0xc0..=0xcf => return Some((be16(bytes, at + 7)?, be16(bytes, at + 5)?)),
            _ => at += 2 + be16(bytes, at + 2)? as usize,
        }
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((le24(bytes, 24)? + 1, le24(bytes, 27)? + 1)),
        b"VP8 " => Some((le16(bytes, 26)? & 0x3fff, le16(bytes, 28)? & 0x3fff)),
        b"VP8L" => {
            let both = le24(bytes, 21)? | u32::from(*bytes.get(24)?) << 24;
            Some(((both & 0x3fff) + 1, (both >> 14 & 0x3fff) + 1))
        }
        _ => None,
    }
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    let two = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u32::from(u16::from_be_bytes(two)))
}

fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    let two = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u32::from(u16::from_le_bytes(two)))
}

fn le24(bytes: &[u8], at: usize) -> Option<u32> {
    Some(le16(bytes, at)? | u32::from(*bytes.get(at + 2)?) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_as_large_as_its_beginning_says() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\0\0\0\x01\x40rest";
        let gif = b"GIF89a\x40\x01\xf0\0rest";
        let jpeg = b"\xff\xd8\xff\xe0\0\x04xx\xff\xff\xc2\0\x11\x08\x01\x40\x02\0\x03";
        let webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x01\0\x3f\x01\0";
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\0\x02\x40\x01";
        let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xff\xc1\x4f\0";
        for (bytes, expected) in [
            (&png[..], Some((512, 320))),
            (gif, Some((320, 240))),
            (jpeg, Some((512, 320))),
            (webp, Some((512, 320))),
            (lossy, Some((512, 320))),
            (lossless, Some((512, 320))),
            (b"\x89PNG\r\n\x1a\n", None),
            (b"GIF89a\0\0\0\0", None),
            (b"\xff\xd8\xff\xe0\xff\xff", None),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"<svg/>", None),
            (b"", None),
        ] {
            let found = size(&STANDARD.encode(bytes)).map(|size| (size.width, size.height));
            assert_eq!(found, expected, "{bytes:?}");
        }
        assert_eq!(size("not base64!"), None);
    }

    #[test]
    fn bytes_are_counted_without_reading_them() {
        for length in 0..10 {
            assert_eq!(bytes_in(&STANDARD.encode(vec![7; length])), length);
        }
    }
}
