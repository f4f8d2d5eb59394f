//! Ollama's own `/api/chat`: a JSON document a line, calls whole and without ids.

use super::received::{ReceivedRequest, Turn, is_empty_list, list, text};
use super::script::{Answer, Part, Stop};
use serde_json::{Value, json};

pub(super) fn parse(body: &Value) -> Result<ReceivedRequest, String> {
    if !body.pointer("/options/num_ctx").is_some_and(Value::is_u64) {
        // The real one cuts the beginning of what is sent instead of saying no.
        return Err("options.num_ctx: field required".to_owned());
    }
    let mut request = ReceivedRequest {
        has_empty_tools: is_empty_list(body, "tools"),
        bounds_output: body
            .pointer("/options/num_predict")
            .is_some_and(Value::is_u64),
        ..ReceivedRequest::default()
    };
    for tool in list(body, "tools") {
        request.add_tool(tool.get("function").unwrap_or(&Value::Null), "parameters")?;
    }
    for message in list(body, "messages") {
        match text(message, "role")? {
            "system" => {}
            "user" => request.add(Turn::User),
            "assistant" => {
                let calls = list(message, "tool_calls").filter_map(|call| call.get("function"));
                let names = calls.map(|call| text(call, "name").map(str::to_owned));
                let names = names.collect::<Result<Vec<_>, _>>()?;
                names.iter().for_each(|name| request.add_call(name));
                request.add(Turn::Assistant(names));
            }
            "tool" => request.add(Turn::Results(vec![text(message, "tool_name")?.to_owned()])),
            other => return Err(format!("messages: no role {other}")),
        }
    }
    Ok(request)
}

pub(super) fn refusal(message: &str) -> Value {
    json!({"error": message})
}

pub(super) fn write(answer: &Answer) -> Vec<String> {
    let line = |message: Value| {
        format!(
            "{}\n",
            json!({"model": "stub", "created_at": "2026-11-24T00:00:00Z", "message": message, "done": false})
        )
    };
    let mut lines = Vec::new();
    for part in &answer.parts {
        match part {
            Part::Text(text) => {
                let pieces = answer.pieces(text).into_iter();
                lines
                    .extend(pieces.map(|text| line(json!({"role": "assistant", "content": text}))));
            }
            Part::Thought(thought) => lines.push(line(
                json!({"role": "assistant", "content": "", "thinking": thought}),
            )),
            Part::Call { name, arguments } => {
                let call = json!({"function": {"name": name, "arguments": arguments}});
                lines.push(line(
                    json!({"role": "assistant", "content": "", "tool_calls": [call]}),
                ));
            }
        }
    }
    let reason = if answer.stop == Stop::Length {
        "length"
    } else {
        "stop"
    };
    let mut last = json!({"model": "stub", "created_at": "2026-11-24T00:00:00Z",
        "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": reason});
    if let (Some((input, output)), Some(last)) = (answer.usage, last.as_object_mut()) {
        last.insert("prompt_eval_count".to_owned(), Value::from(input));
        last.insert("eval_count".to_owned(), Value::from(output));
    }
    lines.push(format!("{last}\n"));
    lines
}
