//! OpenAI's chat completions.

use super::received::{ReceivedRequest, Turn, event, is_empty_list, list, text};
use super::script::{Answer, Part, Stop, halves};
use serde_json::{Value, json};

pub(super) fn parse(body: &Value) -> Result<ReceivedRequest, String> {
    let bounds = ["max_tokens", "max_completion_tokens"];
    let mut request = ReceivedRequest {
        has_empty_tools: is_empty_list(body, "tools"),
        bounds_output: bounds
            .iter()
            .any(|field| body.get(field).is_some_and(Value::is_u64)),
        ..ReceivedRequest::default()
    };
    for tool in list(body, "tools") {
        request.add_tool(tool.get("function").unwrap_or(&Value::Null), "parameters")?;
    }
    for message in list(body, "messages") {
        match text(message, "role")? {
            "system" | "developer" => {}
            "user" => request.add(Turn::User),
            "assistant" => {
                let mut ids = Vec::new();
                for call in list(message, "tool_calls") {
                    request.add_call(text(call.get("function").unwrap_or(&Value::Null), "name")?);
                    ids.push(text(call, "id")?.to_owned());
                }
                request.add(Turn::Assistant(ids));
            }
            "tool" => request.add(Turn::Results(vec![
                text(message, "tool_call_id")?.to_owned(),
            ])),
            other => return Err(format!("messages: no role {other}")),
        }
    }
    Ok(request)
}

/// Also of [`super::responses`].
pub(super) fn refusal(status: u16, message: &str) -> Value {
    let (kind, code) = match status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        429 => ("requests", Some("rate_limit_exceeded")),
        400..500 => ("invalid_request_error", None),
        _ => ("server_error", None),
    };
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}

pub(super) fn write(answer: &Answer, number: usize) -> Vec<String> {
    let chunk = |delta: Value, finish: Option<&str>| {
        event(
            &json!({"id": format!("chatcmpl-{number}"), "object": "chat.completion.chunk", "created": 1_795_000_000,
            "model": "stub", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}),
        )
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    let mut calls = 0;
    for part in &answer.parts {
        match part {
            Part::Text(text) => {
                let pieces = answer.pieces(text).into_iter();
                events.extend(pieces.map(|text| chunk(json!({"content": text}), None)));
            }
            Part::Thought(thought) => {
                events.push(chunk(json!({"reasoning_content": thought}), None))
            }
            Part::Call { name, arguments } => {
                let arguments = arguments.to_string();
                let [one, other] = halves(&arguments);
                let call = json!({"index": calls, "id": format!("call_{number}_{calls}"), "type": "function",
                    "function": {"name": name, "arguments": one}});
                events.push(chunk(json!({"tool_calls": [call]}), None));
                let rest = json!({"index": calls, "function": {"arguments": other}});
                events.push(chunk(json!({"tool_calls": [rest]}), None));
                calls += 1;
            }
        }
    }
    let reason = match answer.stop {
        Stop::Length => "length",
        Stop::Filtered => "content_filter",
        Stop::End if answer.wants_calls() => "tool_calls",
        Stop::End => "stop",
    };
    events.push(chunk(json!({}), Some(reason)));
    if let Some((input, output)) = answer.usage {
        let usage = json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output});
        events.push(event(
            &json!({"id": format!("chatcmpl-{number}"), "object": "chat.completion.chunk",
            "created": 1_795_000_000, "model": "stub", "choices": [], "usage": usage}),
        ));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}
