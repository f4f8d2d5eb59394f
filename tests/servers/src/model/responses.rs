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

/// What comes: its name, and what is in it.
type Event = (&'static str, Value);

pub(super) fn write(answer: &Answer, number: usize) -> Vec<String> {
    let mut output = Vec::new();
    let begun = json!({"id": format!("resp_{number}"), "object": "response", "created_at": 1_795_000_000,
        "model": "stub", "status": "in_progress", "output": [], "tools": [],
        "parallel_tool_calls": true, "tool_choice": "auto"});
    let mut events: Vec<Event> = ["response.created", "response.in_progress"]
        .map(|kind| (kind, json!({"response": begun})))
        .into();
    for (index, part) in answer.parts.iter().enumerate() {
        let (begin, deltas, item) = item(answer, part, index, number);
        events.push((
            "response.output_item.added",
            json!({"output_index": index, "item": begin}),
        ));
        events.extend(deltas);
        events.push((
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
        json!({"input_tokens": input, "output_tokens": output, "total_tokens": input + output,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0}})
    });
    let mut response = begun;
    response["status"] = Value::from(status);
    response["incomplete_details"] = details;
    response["output"] = Value::Array(output);
    response["usage"] = usage.unwrap_or_default();
    events.push((kind, json!({"response": response})));
    let numbered = |(at, (kind, mut event)): (usize, Event)| {
        event["sequence_number"] = Value::from(at);
        named(kind, event)
    };
    events.into_iter().enumerate().map(numbered).collect()
}

/// How an item begins, what comes of it, and how it is when it is whole.
fn item(answer: &Answer, part: &Part, index: usize, number: usize) -> (Value, Vec<Event>, Value) {
    match part {
        Part::Text(text) => text_item(answer, text, index, number),
        Part::Thought(thought) => thought_item(thought, index, number),
        Part::Call { name, arguments } => call_item(name, arguments, index, number),
    }
}

/// An event of one part of an item.
fn event(kind: &'static str, at: &Value, more: Value) -> Event {
    let mut whole = at.clone();
    if let (Some(whole), Value::Object(mut more)) = (whole.as_object_mut(), more) {
        whole.append(&mut more);
    }
    (kind, whole)
}

fn text_item(
    answer: &Answer,
    text: &str,
    index: usize,
    number: usize,
) -> (Value, Vec<Event>, Value) {
    let id = format!("msg_{number}_{index}");
    let item = |status: &str, content: Value| json!({"type": "message", "id": id, "status": status, "role": "assistant", "content": content});
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
    let at = json!({"item_id": id, "output_index": index, "content_index": 0});
    let of_text = |kind, more| {
        let (kind, mut event) = event(kind, &at, more);
        event["logprobs"] = json!([]);
        (kind, event)
    };
    let mut events = vec![event(
        "response.content_part.added",
        &at,
        json!({"part": part("")}),
    )];
    let pieces = answer.pieces(text).into_iter();
    events.extend(pieces.map(|text| of_text("response.output_text.delta", json!({"delta": text}))));
    events.push(of_text("response.output_text.done", json!({"text": text})));
    events.push(event(
        "response.content_part.done",
        &at,
        json!({"part": part(text)}),
    ));
    (
        item("in_progress", json!([])),
        events,
        item("completed", json!([part(text)])),
    )
}

fn thought_item(thought: &str, index: usize, number: usize) -> (Value, Vec<Event>, Value) {
    let id = format!("rs_{number}_{index}");
    let part = |text: &str| json!({"type": "summary_text", "text": text});
    let at = json!({"item_id": id, "output_index": index, "summary_index": 0});
    let of = |kind, more| event(kind, &at, more);
    let events = vec![
        of(
            "response.reasoning_summary_part.added",
            json!({"part": part("")}),
        ),
        of(
            "response.reasoning_summary_text.delta",
            json!({"delta": thought}),
        ),
        of(
            "response.reasoning_summary_text.done",
            json!({"text": thought}),
        ),
        of(
            "response.reasoning_summary_part.done",
            json!({"part": part(thought)}),
        ),
    ];
    (
        json!({"type": "reasoning", "id": id, "summary": []}),
        events,
        json!({"type": "reasoning", "id": id, "summary": [part(thought)], "encrypted_content": "c2VhbGVk"}),
    )
}

fn call_item(
    name: &str,
    arguments: &Value,
    index: usize,
    number: usize,
) -> (Value, Vec<Event>, Value) {
    let id = format!("fc_{number}_{index}");
    let arguments = arguments.to_string();
    let item = |status: &str, arguments: &str| {
        json!({"type": "function_call", "id": id, "call_id": format!("call_{number}_{index}"),
            "name": name, "arguments": arguments, "status": status})
    };
    let at = json!({"item_id": id, "output_index": index});
    let delta = |text| {
        event(
            "response.function_call_arguments.delta",
            &at,
            json!({"delta": text}),
        )
    };
    let mut events = halves(&arguments).map(delta).to_vec();
    events.push(event(
        "response.function_call_arguments.done",
        &at,
        json!({"arguments": arguments}),
    ));
    (
        item("in_progress", ""),
        events,
        item("completed", &arguments),
    )
}
