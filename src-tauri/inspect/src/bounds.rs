//! How much of an answer is kept.

use protocol::{AnswerNote, Content, ToolAnswer};

/// The largest answer that is kept whole, in bytes of its texts and data.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Cuts an answer that is too long. Texts are cut at a character; pictures, sounds and blobs are kept whole or not at all.
pub(crate) fn bound(answer: &mut ToolAnswer) {
    let structured = answer.structured.as_ref().map_or(0, |value| value.to_string().len());
    let bytes: usize = structured + answer.content.iter().map(size).sum::<usize>();
    if bytes <= MAX_BYTES {
        return;
    }
    if structured > MAX_BYTES {
        answer.structured = None;
    }
    let mut left = MAX_BYTES - answer.structured.as_ref().map_or(0, |_| structured);
    answer.content.retain_mut(|part| {
        cut(part, left);
        let size = size(part);
        let fits = size <= left;
        if fits {
            left -= size;
        }
        fits
    });
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    answer.notes.push(AnswerNote::Cut { bytes: count(bytes), kept: count(MAX_BYTES - left) });
}

fn size(part: &Content) -> usize {
    match part {
        Content::Text { text } => text.len(),
        Content::Image { data, .. } | Content::Audio { data, .. } => data.len(),
        Content::ResourceLink { uri, .. } => uri.len(),
        Content::Resource { text, blob, .. } => text.as_ref().or(blob.as_ref()).map_or(0, String::len),
        Content::Unknown { value } => value.to_string().len(),
    }
}

fn cut(part: &mut Content, left: usize) {
    if let Content::Text { text } | Content::Resource { text: Some(text), .. } = part {
        text.truncate(text.floor_char_boundary(left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let text = "é".repeat(MAX_BYTES);
        let image = Content::Image { data: "A".repeat(MAX_BYTES), mime_type: "image/png".into() };
        let small = Content::Text { text: "first".into() };
        let mut answer =
            ToolAnswer { content: vec![small.clone(), image, Content::Text { text }], structured: None, is_error: false, notes: vec![] };
        bound(&mut answer);
        assert_eq!(answer.content.len(), 2);
        assert_eq!(answer.content[0], small);
        assert!(answer.content.iter().map(size).sum::<usize>() <= MAX_BYTES);
        assert!(matches!(answer.notes[..], [AnswerNote::Cut { .. }]));
    }
}
