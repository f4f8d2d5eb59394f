//! The messages of a prompt, taken apart to be cleaned like the parts of a result, and put together
//! again.
//!
//! Always true here: a message keeps its own content, or is left out with it.

use protocol::{Content, PromptMessage, ToolResult};
use serde_json::{Map, Value};

/// Under which name what is said of the messages lies beside them while it is cleaned. No other field
/// has it.
const MESSAGES: &str = "messages";

/// What is said in the messages, with what is said of them and of all of it.
pub(super) fn apart(messages: &mut [PromptMessage], mut extra: Map<String, Value>) -> ToolResult {
    let of_each = messages.iter_mut();
    let of_each = of_each.map(|message| Value::Object(std::mem::take(&mut message.extra)));
    extra.insert(MESSAGES.to_owned(), of_each.collect());
    let contents = messages.iter_mut();
    let contents = contents.map(|one| std::mem::replace(&mut one.content, Content::text("")));
    ToolResult {
        content: contents.collect(),
        extra,
        ..ToolResult::default()
    }
}

/// The messages with what is left of it. `kept` says which of them still have their content.
pub(super) fn together(
    mut messages: Vec<PromptMessage>,
    cleaned: &mut ToolResult,
    kept: &[bool],
) -> Vec<PromptMessage> {
    let extras = cleaned.extra.remove(MESSAGES);
    let extras = extras.and_then(|extras| serde_json::from_value(extras).ok());
    let extras: Vec<Map<String, Value>> = extras.unwrap_or_default();
    for (message, extra) in messages.iter_mut().zip(extras) {
        message.extra = extra;
    }
    let mut kept = kept.iter();
    messages.retain(|_| kept.next().copied().unwrap_or_default());
    let contents = std::mem::take(&mut cleaned.content);
    for (message, content) in messages.iter_mut().zip(contents) {
        message.content = content;
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use inspect::{Masker, clean_parts};
    use serde_json::json;

    fn message(role: &str, content: Content) -> PromptMessage {
        let extra = json!({"of": role}).as_object().unwrap().clone();
        PromptMessage {
            role: role.to_owned(),
            content,
            extra,
        }
    }

    #[test]
    fn a_message_whose_content_is_too_large_takes_no_others_content() {
        let picture = Content::Image {
            data: "A".repeat(9 * 1024 * 1024),
            mime_type: "image/png".to_owned(),
            extra: Map::new(),
        };
        let mut messages = vec![
            message("first", Content::text("one")),
            message("second", picture),
            message("third", Content::text("three")),
        ];
        let taken = apart(&mut messages, Map::new());
        let (mut cleaned, kept) = clean_parts(taken, &Masker::new([]));
        let messages = together(messages, &mut cleaned, &kept);
        let expected = [
            message("first", Content::text("one")),
            message("third", Content::text("three")),
        ];
        assert_eq!(messages, expected);
        assert!(!cleaned.notes.is_empty(), "that it was cut is said");
        assert!(cleaned.extra.is_empty());
    }
}
