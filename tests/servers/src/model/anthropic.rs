//! Anthropic's messages.

use super::received::{ReceivedRequest, Turn, is_empty_list, list, named, text};
use super::script::{Answer, Part, Stop, halves};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

pub(super) fn parse(body: &Value) -> Result<ReceivedRequest, String> {
    let mut request = ReceivedRequest {
        has_empty_tools: is_empty_list(body, "tools"),
        joins_replies: true,
        bounds_output: body.get("max_tokens").is_some_and(Value::is_u64),
        ..ReceivedRequest::default()
    };
    let temperature = body.get("temperature").and_then(Value::as_f64);
    if temperature.is_some_and(|temperature| !(0.0..=1.0).contains(&temperature)) {
        return Err("temperature: range: 0..1".to_owned());
    }
    for tool in list(body, "tools") {
        request.add_tool(tool, "input_schema")?;
    }
    for message in list(body, "messages") {
        match text(message, "role")? {
            "user" => parse_user(message, &mut request)?,
            "assistant" => parse_assistant(message, &mut request)?,
            other => return Err(format!("messages: no role {other}")),
        }
    }
    Ok(request)
}

fn parse_user(message: &Value, request: &mut ReceivedRequest) -> Result<(), String> {
    let mut results = Vec::new();
    let mut others = message.get("content").is_some_and(Value::is_string);
    for block in list(message, "content") {
        if text(block, "type")? == "tool_result" {
            if others {
                return Err("tool_result blocks come first".to_owned());
            }
            results.push(text(block, "tool_use_id")?.to_owned());
        } else {
            others = true;
        }
    }
    if !results.is_empty() {
        if let Some(Turn::Results(_)) = request.turns.last() {
            return Err("tool_result blocks of one reply are in one message".to_owned());
        }
        request.add(Turn::Results(results));
    }
    if others {
        request.add(Turn::User);
    }
    Ok(())
}

fn parse_assistant(message: &Value, request: &mut ReceivedRequest) -> Result<(), String> {
    let mut calls = Vec::new();
    for block in list(message, "content") {
        match text(block, "type")? {
            "tool_use" => {
                request.add_call(text(block, "name")?);
                calls.push(text(block, "id")?.to_owned());
            }
            "thinking" => {
                let thought = block
                    .get("thinking")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                if text(block, "signature")? != signature(thought) {
                    return Err("invalid signature in thinking block".to_owned());
                }
            }
            _ => {}
        }
    }
    request.add(Turn::Assistant(calls));
    Ok(())
}

fn signature(thought: &str) -> String {
    let digest = Sha256::digest(thought.as_bytes());
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

pub(super) fn refusal(status: u16, message: &str) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}})
}

pub(super) fn write(answer: &Answer, number: usize) -> Vec<String> {
    let (input, output) = answer.usage.unwrap_or_default();
    let usage = json!({"input_tokens": input, "output_tokens": 1});
    let message = json!({"id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "stub",
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
    let mut events = vec![
        named("message_start", json!({"message": message})),
        named("ping", json!({})),
    ];
    for (index, part) in answer.parts.iter().enumerate() {
        let (start, deltas) = match part {
            Part::Text(text) => {
                let delta = |text| json!({"type": "text_delta", "text": text});
                (
                    json!({"type": "text", "text": ""}),
                    answer.pieces(text).into_iter().map(delta).collect(),
                )
            }
            Part::Thought(thought) => {
                let start = json!({"type": "thinking", "thinking": "", "signature": ""});
                let deltas = vec![
                    json!({"type": "thinking_delta", "thinking": thought}),
                    json!({"type": "signature_delta", "signature": signature(thought)}),
                ];
                (start, deltas)
            }
            Part::Call { name, arguments } => {
                let id = format!("toolu_{number}_{index}");
                let start = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
                let arguments = arguments.to_string();
                let delta = |json| json!({"type": "input_json_delta", "partial_json": json});
                (start, halves(&arguments).map(delta).to_vec())
            }
        };
        events.push(named(
            "content_block_start",
            json!({"index": index, "content_block": start}),
        ));
        events.extend(deltas.into_iter().map(|delta| {
            named(
                "content_block_delta",
                json!({"index": index, "delta": delta}),
            )
        }));
        events.push(named("content_block_stop", json!({"index": index})));
    }
    let reason = match answer.stop {
        Stop::Length => "max_tokens",
        Stop::Filtered => "refusal",
        Stop::End if answer.wants_calls() => "tool_use",
        Stop::End => "end_turn",
    };
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    events.push(named(
        "message_delta",
        json!({"delta": delta, "usage": {"output_tokens": output}}),
    ));
    events.push(named("message_stop", json!({})));
    events
}
