//! Prompts in a list, filled in, and proposals for what to fill in → our words.

use super::tool_result::part;
use super::{beside, object};
use protocol::{Completion, PromptArgument, PromptMessage, PromptResult, PromptSpec};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Proposals that are shown at most.
const VALUES: usize = 100;

#[derive(Deserialize)]
struct Prompt {
    name: String,
    title: Option<String>,
    description: Option<String>,
    arguments: Option<Vec<PromptArgument>>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Deserialize)]
struct Filled {
    description: Option<String>,
    messages: Vec<Message>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Value,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// Reads one entry of a list.
pub(crate) fn prompt(value: Value) -> Result<PromptSpec, serde_json::Error> {
    let Prompt {
        name,
        title,
        description,
        arguments,
        extra,
    } = serde_json::from_value(value)?;
    Ok(PromptSpec {
        name,
        title,
        description,
        arguments: arguments.unwrap_or_default(),
        extra,
    })
}

/// Reads a prompt that was filled in.
pub(crate) fn prompt_answer(value: Value) -> Result<PromptResult, serde_json::Error> {
    let answer: Filled = object(value)?;
    let messages = answer
        .messages
        .into_iter()
        .map(|message| PromptMessage {
            role: message.role,
            content: part(message.content),
            extra: message.extra,
        })
        .collect();
    Ok(PromptResult {
        description: answer.description,
        messages,
        notes: Vec::new(),
        extra: beside(answer.extra),
    })
}

/// Reads proposals.
pub(crate) fn completion(value: Value) -> Result<Completion, serde_json::Error> {
    #[derive(Deserialize)]
    struct CompleteResult {
        completion: Inner,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Inner {
        values: Vec<String>,
        total: Option<u64>,
        has_more: Option<bool>,
    }
    let CompleteResult {
        completion:
            Inner {
                mut values,
                total,
                has_more,
            },
    } = object(value)?;
    let more = values.len() > VALUES;
    values.truncate(VALUES);
    Ok(Completion {
        values,
        total,
        has_more: has_more.unwrap_or(false) || more,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;
    use protocol::Content;
    use serde_json::json;

    #[test]
    fn a_prompt_and_its_messages_arrive_whole() {
        let read = prompt(json!({"name": "p", "arguments": [{"name": "a", "required": true, "_meta": {"a": 1}}, {"name": "b"}], "icons": []})).unwrap();
        assert_eq!(
            read.arguments
                .iter()
                .map(|argument| argument.required)
                .collect::<Vec<_>>(),
            [true, false]
        );
        assert!(read.extra.contains_key("icons"));
        assert!(read.arguments[0].extra.contains_key("_meta"));
        let said = prompt_answer(
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": "hello"}, "b": 1}], "_meta": {"a": 1}}),
        )
        .unwrap();
        assert!(matches!(&said.messages[0].content, Content::Text { text, .. } if text == "hello"));
        assert!(said.messages[0].extra.contains_key("b") && said.extra.contains_key("_meta"));
    }

    #[test]
    fn no_more_than_a_hundred_proposals_are_taken() {
        let many: Vec<_> = (0..120).map(|number| number.to_string()).collect();
        let read = completion(json!({"completion": {"values": many}})).unwrap();
        assert_eq!((read.values.len(), read.has_more), (VALUES, true));
    }

    proptest! {
        #[test]
        fn no_prompt_brings_it_down(value in prop_oneof![any_json(), nearly(json!({"name": "p", "arguments": [{"name": "a"}], "icons": []}))]) {
            if let Ok(read) = prompt(value.clone()) {
                prop_assert_eq!(Some(read.name.as_str()), value["name"].as_str());
            }
        }

        #[test]
        fn no_filled_prompt_brings_it_down(content in any_json(), value in any_json()) {
            let _ = prompt_answer(value);
            let said = prompt_answer(json!({"messages": [{"role": "user", "content": content}]})).unwrap();
            prop_assert_eq!(said.messages.len(), 1);
        }

        #[test]
        fn no_proposals_bring_it_down_and_there_are_never_too_many(
            value in any_json(),
            values in prop::collection::vec(".{0,3}", 0..300),
            total in any_json(),
        ) {
            let _ = completion(value);
            if let Ok(read) = completion(json!({"completion": {"values": values, "total": total}})) {
                prop_assert!(read.values.len() <= VALUES && read.has_more == (values.len() > VALUES));
            }
        }
    }
}
