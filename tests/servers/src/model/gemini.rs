//! Google's `streamGenerateContent`: calls come whole and without ids, results go by name and order.

use super::received::{ReceivedRequest, Turn, event, is_empty_list, list, text};
use super::script::{Answer, Part, Stop};
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
            // Both spellings of a name are read, and Google's own client writes this one so.
            let schema = ["parameters_json_schema", "parametersJsonSchema"];
            let schema = schema.into_iter().find(|name| tool.get(name).is_some());
            request.add_tool(tool, schema.unwrap_or_default())?;
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

pub(super) fn refusal(status: u16, retry_after: Option<u32>, message: &str) -> Value {
    let word = match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 => "UNAVAILABLE",
        _ => "INTERNAL",
    };
    let mut error = json!({"code": status, "message": message, "status": word});
    if let Some(seconds) = retry_after {
        let info = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{seconds}s")});
        error["details"] = json!([info]);
    }
    json!({ "error": error })
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
                let pieces = answer.pieces(text).into_iter();
                events.extend(pieces.map(|text| chunk(json!([{"text": text}]), None)));
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
