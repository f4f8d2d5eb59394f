//! What a resource or a prompt goes through before anyone sees it: masked, bounded, hidden
//! characters made visible.

use crate::pieces::each_text;
use crate::{Masker, StreamMask, bounds, reveal};
use protocol::{Content, ResultNote, ToolResult};

/// Cleans an answer that stands alone and notes what was done to it.
pub fn clean(answer: ToolResult, masker: &Masker) -> ToolResult {
    clean_parts(answer, masker).0
}

/// The same, with whether each part that it had is still in it.
pub fn clean_parts(mut answer: ToolResult, masker: &Masker) -> (ToolResult, Vec<bool>) {
    // Masked before it is cut, or half of a secret could stay at the cut.
    let masked = mask_next(&mut answer, masker, &mut StreamMask::default());
    let kept = bounds::bound(&mut answer, bounds::READ).each();
    let mut hidden = 0;
    each_text(&mut answer, &mut |_, text| {
        if let Some((shown, count)) = reveal(text) {
            *text = shown;
            hidden += count;
        }
    });
    if masked {
        answer.notes.push(ResultNote::SecretsMasked);
    }
    if hidden > 0 {
        answer
            .notes
            .push(ResultNote::HiddenCharacters { count: hidden });
    }
    (answer, kept)
}

/// Covers held secrets in every text and in the data of an answer. Says whether there were any.
pub(crate) fn mask_next(
    answer: &mut ToolResult,
    masker: &Masker,
    stream_mask: &mut StreamMask,
) -> bool {
    let mut masked = answer
        .structured
        .as_mut()
        .is_some_and(|value| masker.mask_next_value(value, stream_mask));
    for part in &mut answer.content {
        if let Content::Unknown { value } = part {
            masked |= masker.mask_next_value(value, stream_mask);
        }
        for text in texts(part) {
            masked |= masker.mask_next(text, stream_mask);
        }
        for (_, extra) in part.extras_mut() {
            masked |= masker.mask_next_map(extra, stream_mask);
        }
    }
    masked |= masker.mask_next_map(&mut answer.extra, stream_mask);
    for note in &mut answer.notes {
        // What does not fit a schema is quoted in the problem.
        if let ResultNote::StructuredInvalid { problem } = note {
            masked |= masker.mask_text(problem);
        }
    }
    masked
}

fn texts(part: &mut Content) -> Vec<&mut String> {
    match part {
        Content::Text { text, .. } => vec![text],
        Content::Image {
            data, mime_type, ..
        }
        | Content::Audio {
            data, mime_type, ..
        } => vec![data, mime_type],
        Content::ResourceLink {
            uri,
            name,
            title,
            description,
            mime_type,
            ..
        } => [
            Some(uri),
            Some(name),
            title.as_mut(),
            description.as_mut(),
            mime_type.as_mut(),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Content::Resource {
            uri,
            mime_type,
            text,
            blob,
            ..
        } => [Some(uri), mime_type.as_mut(), text.as_mut(), blob.as_mut()]
            .into_iter()
            .flatten()
            .collect(),
        Content::Unknown { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn an_answer_is_masked_and_revealed_in_all_its_parts() {
        let masker = Masker::new(["hunter22"]);
        let answer = ToolResult {
            content: vec![
                Content::Text {
                    text: "pw hunter22\u{200B}".into(),
                    extra: Map::from_iter([("_meta".to_owned(), json!({"a": "hunter22\u{200B}"}))]),
                },
                Content::ResourceLink {
                    uri: "x:hunter22".into(),
                    name: "n".into(),
                    title: None,
                    description: None,
                    mime_type: None,
                    extra: Map::new(),
                },
                Content::Unknown {
                    value: json!({"a": "hunter22\u{200B}"}),
                },
            ],
            structured: Some(json!(["hunter22"])),
            extra: Map::from_iter([("hunter22".to_owned(), json!("hunter22\u{200B}"))]),
            ..ToolResult::default()
        };
        let clean = clean(answer, &masker);
        assert!(!serde_json::to_string(&clean).unwrap().contains("hunter22"));
        assert_eq!(
            clean.content[0],
            Content::Text {
                text: "pw •••⟨U+200B⟩".into(),
                extra: Map::from_iter([("_meta".to_owned(), json!({"a": "•••⟨U+200B⟩"}))]),
            }
        );
        assert_eq!(
            clean.notes,
            [
                ResultNote::SecretsMasked,
                ResultNote::HiddenCharacters { count: 4 }
            ]
        );
    }

    #[test]
    fn a_secret_at_the_place_where_an_answer_is_cut_is_covered() {
        let masker = Masker::new(["hunter22"]);
        for before in 8 * 1024 * 1024 - 9..=8 * 1024 * 1024 {
            let text = format!("{}hunter22 and more", "x".repeat(before));
            let clean = clean(
                ToolResult {
                    content: vec![Content::text(text)],
                    ..ToolResult::default()
                },
                &masker,
            );
            let [Content::Text { text, .. }] = &clean.content[..] else {
                panic!("it is gone")
            };
            assert!(!text.contains("hunt"), "{before}");
        }
    }
}
