//! Google's `streamGenerateContent`: calls come whole and without ids, results go by name and order.

use super::received::{ReceivedRequest, Turn, event, is_empty_list, list, text};
use super::script::{Answer, Part, Stop, halves};
use serde_json::{Value, json};

pub(super) fn parse(body: &Value) -> Result<ReceivedRequest, String> {
    let mut request = ReceivedRequest {
        has_empty_tools: is_empty_list(body, "tools"),
        joins_replies: true,
        bounds_output: body
            .pointer("/generationConfig/maxOutputTokens")
            .is_some_and(Value::is_u64),
        ..ReceivedRequest::default()
    };
    for tools in list(body, "tools") {
        for tool in list(tools, "functionDeclarations") {
            request.add_tool(tool, "parametersJsonSchema")?;
        }
    }
    for content in list(body, "contents") {
        let named = |kind: &str| -> Result<Vec<String>, String> {
            let parts = list(content, "parts").filter_map(|part| part.get(kind));
            parts
                .map(|part| text(part, "name").map(str::to_owned))
                .collect()
        };
        match text(content, "role")? {
            "user" => {
                let results = named("functionResponse")?;
                let others = list(content, "parts").count() > results.len();
                if !results.is_empty() {
                    request.add(Turn::Results(results));
                }
                if others {
                    request.add(Turn::User);
                }
            }
            "model" => {
                let names = named("functionCall")?;
                names.iter().for_each(|name| request.add_call(name));
                request.add(Turn::Assistant(names));
            }
            other => return Err(format!("contents: no role {other}")),
        }
    }
    Ok(request)
}

pub(super) fn write(answer: &Answer) -> Vec<String> {
    let chunk = |parts: Value, finish: Option<&str>| {
        let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": parts}});
        let mut whole = json!({"modelVersion": "stub", "responseId": "r"});
        if let (Some(finish), Some(candidate)) = (finish, candidate.as_object_mut()) {
            candidate.insert("finishReason".to_owned(), Value::from(finish));
        }
        if let Some(whole) = whole.as_object_mut() {
            whole.insert("candidates".to_owned(), json!([candidate]));
            if let Some((input, output)) = answer.usage {
                let usage = json!({"promptTokenCount": input, "candidatesTokenCount": output, "totalTokenCount": input + output});
                whole.insert("usageMetadata".to_owned(), usage);
            }
        }
        event(&whole)
    };
    let mut events = Vec::new();
    for part in &answer.parts {
        match part {
            Part::Text(text) => {
                events.extend(halves(text).map(|text| chunk(json!([{"text": text}]), None)))
            }
            Part::Thought(thought) => {
                events.push(chunk(json!([{"text": thought, "thought": true}]), None))
            }
            Part::Call { name, arguments } => {
                let call = json!({"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "c2lnbmVk"});
                events.push(chunk(json!([call]), None));
            }
        }
    }
    let reason = match answer.stop {
        Stop::Length => "MAX_TOKENS",
        Stop::Filtered => "SAFETY",
        Stop::End => "STOP",
    };
    events.push(chunk(json!([{"text": ""}]), Some(reason)));
    events
}
