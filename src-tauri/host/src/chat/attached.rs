//! What a person attaches to what they say: a text or a picture, read from its bytes.
//!
//! Always true here:
//! - what is in it is looked through and covered as the result of a tool is, and counts as nobody's
//!   word, though a person has chosen it;
//! - it is taken whole or refused: nothing of it is cut without a word;
//! - what it is, its bytes say, and not its name.

use super::covered;
use agent::{Attachment, Said};
use api::{ErrorCode, HostError, MOST_ATTACHED, NewAttachment};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use calls::Calls;
use calls::conversations::{Conversations, Told};
use inspect::{Masker, StreamMask, sanitize};
use protocol::{
    Boundary, Content, ConversationId, Label, Origin, Timestamp, ToolResult, Trust, has_hidden,
};
use serde_json::Map;
use servers::error;

/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 120;
/// The largest picture that every service takes, in bytes: some count 5 MB of what it takes in base64.
const LARGEST_PICTURE: usize = 3_750_000;
/// The longest text, in bytes.
pub(super) const LONGEST_TEXT: usize = 1024 * 1024;
/// What is attached without a name.
const NAMELESS: &str = "attachment";

/// Reads what a person attaches.
///
/// Fails with `too_large`, and with `unreadable_attachment` for what is neither a text nor a picture
/// that models read.
pub(super) async fn read(
    calls: &Calls,
    attachments: Vec<NewAttachment>,
) -> Result<Vec<Attachment>, HostError> {
    if attachments.is_empty() {
        return Ok(Vec::new());
    }
    let (masker, now) = (calls.secrets().masker(), calls.now());
    let work = move || {
        let mut all = 0;
        let read = attachments.into_iter().map(|one| {
            let bytes = STANDARD.decode(&one.data);
            let bytes = bytes.map_err(|_| unreadable(&one.name, "it is not in base64"))?;
            all += bytes.len();
            if all > MOST_ATTACHED {
                return Err(too_large("what is attached", MOST_ATTACHED));
            }
            of(&masker, &one.name, &bytes, now)
        });
        read.collect()
    };
    // A long text takes a while; other conversations go on meanwhile.
    let read = tokio::task::spawn_blocking(work).await;
    read.unwrap_or_else(|problem| {
        Err(error::host(
            ErrorCode::Internal,
            format!("what is attached could not be read: {problem}"),
        ))
    })
}

fn of(masker: &Masker, name: &str, bytes: &[u8], at: Timestamp) -> Result<Attachment, HostError> {
    let name = called(masker, name);
    let content = match picture(bytes) {
        Some(_) if bytes.len() > LARGEST_PICTURE => return Err(too_large(&name, LARGEST_PICTURE)),
        Some(kind) if !is_whole(kind, bytes) => return Err(unreadable(&name, "it is damaged")),
        Some(kind) => Content::Image {
            data: STANDARD.encode(bytes),
            mime_type: kind.to_owned(),
            extra: Map::new(),
        },
        None => {
            let no_text = "it is neither a text nor a PNG, JPEG, GIF or WebP picture";
            Content::text(text(bytes).ok_or_else(|| unreadable(&name, no_text))?)
        }
    };
    let result = ToolResult {
        content: vec![content],
        ..ToolResult::default()
    };
    let harmless = sanitize(result, masker, &mut StreamMask::default());
    if harmless.whole.is_some() {
        return Err(too_large(&name, LONGEST_TEXT));
    }
    let label = Label::of(Origin::Attachment { name: name.clone() });
    let label = match harmless.prompt_injection {
        true => label.at_least_as_doubtful(Trust::Steering),
        false => label,
    };
    Ok(Attachment {
        name,
        content: harmless.answer.content,
        label,
        at,
        boundary: Boundary::random(),
    })
}

/// A name of one line, in which everything can be seen.
pub(super) fn called(masker: &Masker, name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown = covered::text(masker, file);
    let words: Vec<&str> = shown.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(LONGEST_NAME).collect();
    match line.is_empty() || has_hidden(&line) || line.chars().any(char::is_control) {
        true => NAMELESS.to_owned(),
        false => line,
    }
}

/// The media type of a picture that services take, by how it begins.
fn picture(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => "image/webp",
        _ => return None,
    })
}

/// Whether this is a whole picture of the kind that is said of it, and no larger than can be attached.
pub(super) fn is_picture(data: &str, mime_type: &str) -> bool {
    let bytes = STANDARD.decode(data).unwrap_or_default();
    let is_known = picture(&bytes) == Some(mime_type);
    is_known && bytes.len() <= LARGEST_PICTURE && is_whole(mime_type, &bytes)
}

/// Whether a picture is not cut off, as far as its kind tells at its end. One that no service can read
/// would stand in every further request of its conversation.
fn is_whole(kind: &str, bytes: &[u8]) -> bool {
    let ends = |mark: &[u8]| {
        let end = &bytes[bytes.len().saturating_sub(64 * 1024)..];
        end.windows(mark.len()).any(|window| window == mark)
    };
    match kind {
        "image/png" => bytes.get(12..16) == Some(b"IHDR") && ends(b"IEND"),
        "image/jpeg" => ends(b"\xff\xd9"),
        "image/gif" => ends(b"\x3b"),
        _ => {
            let size = bytes.get(4..8).and_then(|size| size.try_into().ok());
            let size = size.map_or(u32::MAX, u32::from_le_bytes) as usize;
            bytes.len() >= size.saturating_add(8)
        }
    }
}

/// The text, if it is one: UTF-8, or UTF-16 that says so at its beginning.
fn text(bytes: &[u8]) -> Option<String> {
    let units = |of: fn([u8; 2]) -> u16, bytes: &[u8]| -> Option<String> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| of(*pair)).collect();
        rest.is_empty().then(|| String::from_utf16(&units).ok())?
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => units(u16::from_le_bytes, rest)?,
        [0xfe, 0xff, rest @ ..] => units(u16::from_be_bytes, rest)?,
        [0xef, 0xbb, 0xbf, rest @ ..] => str::from_utf8(rest).ok()?.to_owned(),
        _ => str::from_utf8(bytes).ok()?.to_owned(),
    };
    (!text.contains('\0')).then_some(text)
}

fn unreadable(name: &str, problem: &str) -> HostError {
    error::host(
        ErrorCode::UnreadableAttachment,
        format!("{name} cannot be attached: {problem}"),
    )
}

fn too_large(what: &str, most: usize) -> HostError {
    error::host(
        ErrorCode::TooLarge,
        format!("{what} has more than {most} bytes"),
    )
}

/// Notes what a person has said, and what they attached to it. A task is the word of a model, and
/// what is to be read for it was noted when it came.
pub(super) fn tell(said: &Conversations, id: &ConversationId, parts: &[Said]) {
    if parts.iter().any(|part| matches!(part, Said::Task { .. })) {
        return said.tell(id, [Told::Model]);
    }
    said.tell(id, [Told::Person(&Said::words(parts))]);
    for attachment in Said::attachments(parts) {
        let whole = ToolResult {
            content: attachment.content.clone(),
            ..ToolResult::default()
        };
        let told = Told::Attached {
            name: &attachment.name,
            text: &whole.as_whole_text(),
            at: attachment.at,
        };
        said.tell(id, [told]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_is_its_bytes_say() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a", Some("image/gif")),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"<svg/>", None),
            (b"", None),
        ] {
            assert_eq!(picture(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_picture_that_is_cut_off_is_none() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR....IEND"[..], true),
            (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR....", false),
            (b"\x89PNG\r\n\x1a\n", false),
            (b"\xff\xd8\xff\xe0..\xff\xd9", true),
            (b"\xff\xd8\xff\xe0..", false),
            (b"GIF89a..\x3b", true),
            (b"RIFF\x04\0\0\0WEBP", true),
            (b"RIFF\xff\0\0\0WEBP", false),
        ] {
            let kind = picture(bytes).unwrap();
            assert_eq!(is_whole(kind, bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_text_is_read_in_the_ways_that_it_is_written_in() {
        for (bytes, expected) in [
            (&b"plain"[..], Some("plain")),
            ("z\u{fc}rich".as_bytes(), Some("z\u{fc}rich")),
            (b"\xef\xbb\xbfmarked", Some("marked")),
            (b"\xff\xfea\0b\0", Some("ab")),
            (b"\xfe\xff\0a\0b", Some("ab")),
            (b"\xff\xfea\0b", None),
            (b"%PDF-1.7\n\xe2\xe3", None),
            (b"a\0b", None),
            (b"\xfc", None),
            (b"", Some("")),
        ] {
            assert_eq!(text(bytes).as_deref(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_name_is_one_line_without_folders_and_hides_nothing() {
        let masker = Masker::default();
        let long = "x".repeat(500);
        for (name, expected) in [
            ("notes.txt", "notes.txt"),
            ("C:\\Users\\a\\notes.txt", "notes.txt"),
            ("../../etc/passwd", "passwd"),
            (" a \n b ", "a b"),
            ("", NAMELESS),
            ("/", NAMELESS),
            (long.as_str(), &long[..LONGEST_NAME]),
        ] {
            assert_eq!(called(&masker, name), expected, "{name:?}");
        }
        assert!(!has_hidden(&called(&masker, "in\u{202e}fdp.exe")));
    }
}
