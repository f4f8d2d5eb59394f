//! How much of an answer is passed on.

use crate::Finding;
use protocol::{Content, ResultNote, ToolResult};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;

/// How much of an answer is kept, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Of its texts and structured content.
    pub texts: usize,
    /// Of its texts and data in all.
    pub all: usize,
}

/// What is kept of an answer that a person reads by hand.
pub(crate) const READ: Bounds = Bounds {
    texts: 8 * 1024 * 1024,
    all: 8 * 1024 * 1024,
};

/// What is passed on of a result. A mebibyte of text is about 250,000 tokens: more than most models
/// take in, and more than a page draws without stopping. Pictures are not read as text, and a
/// screenshot may well be larger.
pub(crate) const SHOWN: Bounds = Bounds {
    texts: 1024 * 1024,
    all: 8 * 1024 * 1024,
};

/// What became of the parts of an answer.
pub(crate) struct KeptParts(Vec<Option<usize>>);

/// Whether an answer is longer than that.
pub(crate) fn is_longer(answer: &ToolResult, bounds: Bounds) -> bool {
    let (texts, data) = sizes(answer);
    texts > bounds.texts || texts + data > bounds.all
}

/// Cuts an answer that is too long. Texts are cut at a character; structured content, pictures,
/// sounds, blobs and what is beside a part are kept whole or not at all.
pub(crate) fn bound(answer: &mut ToolResult, bounds: Bounds) -> KeptParts {
    let (texts, data) = sizes(answer);
    if !is_longer(answer, bounds) {
        return KeptParts((0..answer.content.len()).map(Some).collect());
    }
    let (mut texts_left, mut all_left) = (bounds.texts, bounds.all);
    let mut keeps = |size: usize| {
        let fits = size <= texts_left;
        if fits {
            texts_left -= size;
            all_left -= size;
        }
        fits
    };
    if !keeps(structured_size(answer)) {
        answer.structured = None;
    }
    if !keeps(map_size(&answer.extra)) {
        answer.extra.clear();
    }
    let (mut kept, mut next) = (Vec::new(), 0);
    answer.content.retain_mut(|part| {
        let is_data = is_data(part);
        let left = if is_data {
            all_left
        } else {
            texts_left.min(all_left)
        };
        cut(part, left);
        let size = size(part);
        let fits = size <= left;
        if fits {
            all_left -= size;
            texts_left -= if is_data { 0 } else { size };
        }
        kept.push(fits.then_some(next));
        next += usize::from(fits);
        fits
    });
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    answer.notes.push(ResultNote::Cut {
        bytes: count(texts + data),
        kept: count(bounds.all - all_left),
    });
    KeptParts(kept)
}

impl KeptParts {
    /// Whether each part is still there.
    pub(crate) fn each(&self) -> Vec<bool> {
        self.0.iter().map(Option::is_some).collect()
    }

    /// A finding as it stands in the answer that was cut; `None` if its place is not there any
    /// more.
    pub(crate) fn moved(&self, mut finding: Finding, answer: &ToolResult) -> Option<Finding> {
        if finding.at.starts_with("/structured") {
            return answer.structured.is_some().then_some(finding);
        }
        if finding.at.starts_with("/extra") {
            return (!answer.extra.is_empty()).then_some(finding);
        }
        let rest = finding.at.strip_prefix("/content/")?;
        let (index, name) = rest.split_once('/')?;
        let index = (*self.0.get(index.parse::<usize>().ok()?)?)?;
        if let (
            Some(
                Content::Text { text, .. }
                | Content::Resource {
                    text: Some(text), ..
                },
            ),
            "text",
        ) = (answer.content.get(index), name)
        {
            if finding.span.start >= text.len() && !text.is_empty() {
                return None;
            }
            finding.span.end = finding.span.end.min(text.len());
        }
        let is_extra = name.starts_with("extra") || name.starts_with("resource_extra");
        if is_extra && answer.content[index].extras().all(Map::is_empty) {
            return None;
        }
        finding.at = format!("/content/{index}/{name}");
        Some(finding)
    }
}

/// Bytes of texts, and of data.
fn sizes(answer: &ToolResult) -> (usize, usize) {
    let of = |wanted: bool| {
        answer
            .content
            .iter()
            .filter(|part| is_data(part) == wanted)
            .map(size)
            .sum::<usize>()
    };
    let beside = structured_size(answer) + map_size(&answer.extra);
    (beside + of(false), of(true))
}

fn structured_size(answer: &ToolResult) -> usize {
    answer.structured.as_ref().map_or(0, written)
}

fn map_size(map: &Map<String, Value>) -> usize {
    if map.is_empty() { 0 } else { written(map) }
}

/// How long something is when it is written as JSON.
fn written(value: &impl Serialize) -> usize {
    struct Length(usize);
    impl io::Write for Length {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut length = Length(0);
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut length, value);
    length.0
}

fn is_data(part: &Content) -> bool {
    matches!(
        part,
        Content::Image { .. } | Content::Audio { .. } | Content::Resource { text: None, .. }
    )
}

fn size(part: &Content) -> usize {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let known = match part {
        Content::Text { text, .. } => text.len(),
        Content::Image {
            data, mime_type, ..
        }
        | Content::Audio {
            data, mime_type, ..
        } => data.len() + mime_type.len(),
        Content::ResourceLink {
            uri,
            name,
            title,
            description,
            mime_type,
            ..
        } => uri.len() + name.len() + length(title) + length(description) + length(mime_type),
        Content::Resource {
            uri,
            mime_type,
            text,
            blob,
            ..
        } => uri.len() + length(mime_type) + length(text).max(length(blob)),
        Content::Unknown { value } => written(value),
    };
    known + part.extras().map(map_size).sum::<usize>()
}

/// Shortens what can be shortened, so that the whole part has that size.
fn cut(part: &mut Content, left: usize) {
    if part.extras().map(map_size).sum::<usize>() > left {
        part.extras_mut().for_each(|(_, extra)| extra.clear());
    }
    let over = size(part).saturating_sub(left);
    if let Content::Text { text, .. }
    | Content::Resource {
        text: Some(text), ..
    } = part
    {
        text.truncate(text.floor_char_boundary(text.len().saturating_sub(over)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beside_an_answer_is_bounded_with_it() {
        let much = Map::from_iter([("_meta".to_owned(), Value::from("x".repeat(SHOWN.texts)))]);
        let text = |extra: Map<String, Value>| Content::Text {
            text: "kept".to_owned(),
            extra,
        };
        let mut answer = ToolResult {
            content: vec![text(much.clone()), text(Map::new())],
            extra: much,
            ..ToolResult::default()
        };
        assert!(is_longer(&answer, SHOWN));
        bound(&mut answer, SHOWN);
        assert_eq!(answer.content, [text(Map::new()), text(Map::new())]);
        assert!(answer.extra.is_empty());
        assert!(matches!(answer.notes[..], [ResultNote::Cut { .. }]));
    }

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let text = "é".repeat(READ.all);
        let image = Content::Image {
            data: "A".repeat(READ.all),
            mime_type: "image/png".into(),
            extra: Map::new(),
        };
        let small = Content::text("first");
        let mut answer = ToolResult {
            content: vec![small.clone(), image, Content::text(text)],
            ..ToolResult::default()
        };
        bound(&mut answer, READ);
        assert_eq!(answer.content.len(), 2);
        assert_eq!(answer.content[0], small);
        assert!(answer.content.iter().map(size).sum::<usize>() <= READ.all);
        assert!(matches!(answer.notes[..], [ResultNote::Cut { .. }]));
    }
}
