//! OpenAI's responses.

use super::received::{ReceivedRequest, Turn, is_empty_list, list, named, text};
use super::script::{Answer, Part, Stop, halves};
use serde_json::{Value, json};

pub(super) fn parse(body: &Value) -> Result<ReceivedRequest, String> {
    let mut request = ReceivedRequest {
        has_empty_tools: is_empty_list(body, "tools"),
        joins_replies: true,
        bounds_output: body.get("max_output_tokens").is_some_and(Value::is_u64),
        ..ReceivedRequest::default()
    };
    for tool in list(body, "tools") {
        request.add_tool(tool, "parameters")?;
    }
    let is_stored = body.get("store") != Some(&Value::from(false));
    for item in list(body, "input") {
        let kind = item
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or("message");
        match kind {
            "message" if text(item, "role")? == "assistant" => {
                request.add(Turn::Assistant(Vec::new()))
            }
            "message" => request.add(Turn::User),
            "function_call" => {
                request.add_call(text(item, "name")?);
                request.add(Turn::Assistant(vec![text(item, "call_id")?.to_owned()]));
            }
            "function_call_output" => {
                request.add(Turn::Results(vec![text(item, "call_id")?.to_owned()]))
            }
            "reasoning" => {
                if !is_stored && text(item, "encrypted_content").is_err() {
                    return Err("an item of reasoning was not found".to_owned());
                }
                request.add(Turn::Assistant(Vec::new()));
            }
            other => return Err(format!("input: no type {other}")),
        }
    }
    Ok(request)
}

pub(super) fn write(answer: &Answer, number: usize) -> Vec<String> {
    let mut output = Vec::new();
    let begun = json!({"id": format!("resp_{number}"), "object": "response", "created_at": 1_795_000_000,
        "model": "stub", "status": "in_progress", "output": [], "tools": []});
    let mut events = vec![named(
        "response.created",
        json!({"response": begun.clone()}),
    )];
    for (index, part) in answer.parts.iter().enumerate() {
        let (begin, deltas, item) = item(part, index, number);
        events.push(named(
            "response.output_item.added",
            json!({"output_index": index, "item": begin}),
        ));
        events.extend(deltas);
        events.push(named(
            "response.output_item.done",
            json!({"output_index": index, "item": item}),
        ));
        output.push(item);
    }
    let (kind, status, details) = match answer.stop {
        Stop::End => ("response.completed", "completed", Value::Null),
        Stop::Length => (
            "response.incomplete",
            "incomplete",
            json!({"reason": "max_output_tokens"}),
        ),
        Stop::Filtered => (
            "response.incomplete",
            "incomplete",
            json!({"reason": "content_filter"}),
        ),
    };
    let usage = answer.usage.map(|(input, output)| {
        json!({"input_tokens": input, "output_tokens": output, "total_tokens": input + output})
    });
    let mut response = begun;
    if let Some(response) = response.as_object_mut() {
        response.insert("status".to_owned(), Value::from(status));
        response.insert("incomplete_details".to_owned(), details);
        response.insert("output".to_owned(), Value::Array(output));
        response.insert("usage".to_owned(), usage.unwrap_or_default());
    }
    events.push(named(kind, json!({"response": response})));
    events
}

/// How an item begins, what comes of it, and how it is when it is whole.
fn item(part: &Part, index: usize, number: usize) -> (Value, Vec<String>, Value) {
    match part {
        Part::Text(text) => {
            let id = format!("msg_{number}_{index}");
            let item = |status: &str, content: Value| json!({"type": "message", "id": id, "status": status, "role": "assistant", "content": content});
            let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
            let at = |more: Value| {
                let mut at = json!({"item_id": id, "output_index": index, "content_index": 0});
                if let (Some(at), Value::Object(mut more)) = (at.as_object_mut(), more) {
                    at.append(&mut more);
                }
                at
            };
            let mut deltas = vec![named(
                "response.content_part.added",
                at(json!({"part": part("")})),
            )];
            deltas.extend(
                halves(text)
                    .map(|text| named("response.output_text.delta", at(json!({"delta": text})))),
            );
            deltas.push(named(
                "response.output_text.done",
                at(json!({"text": text})),
            ));
            deltas.push(named(
                "response.content_part.done",
                at(json!({"part": part(text)})),
            ));
            (
                item("in_progress", json!([])),
                deltas,
                item("completed", json!([part(text)])),
            )
        }
        Part::Thought(thought) => {
            let id = format!("rs_{number}_{index}");
            let summary = json!([{"type": "summary_text", "text": thought}]);
            let delta =
                json!({"item_id": id, "output_index": index, "summary_index": 0, "delta": thought});
            (
                json!({"type": "reasoning", "id": id, "summary": []}),
                vec![named("response.reasoning_summary_text.delta", delta)],
                json!({"type": "reasoning", "id": id, "summary": summary, "encrypted_content": "c2VhbGVk"}),
            )
        }
        Part::Call { name, arguments } => {
            let id = format!("fc_{number}_{index}");
            let arguments = arguments.to_string();
            let item = |status: &str, arguments: &str| {
                json!({"type": "function_call", "id": id, "call_id": format!("call_{number}_{index}"),
                    "name": name, "arguments": arguments, "status": status})
            };
            let delta = |text| {
                let delta = json!({"item_id": id, "output_index": index, "delta": text});
                named("response.function_call_arguments.delta", delta)
            };
            let mut deltas = halves(&arguments).map(delta).to_vec();
            let done = json!({"item_id": id, "output_index": index, "arguments": arguments});
            deltas.push(named("response.function_call_arguments.done", done));
            (
                item("in_progress", ""),
                deltas,
                item("completed", &arguments),
            )
        }
    }
}
