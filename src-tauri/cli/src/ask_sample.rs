//! The question in a terminal whether a server may use a model, and have what it answered.

use crate::ask::prompt;
use crate::print::{note, quote_as, text, visible};
use serde_json::{Map, Value, json};

/// Shows on standard error what a server asks of a model, or what the model has answered.
pub(crate) fn show(question: &Value) {
    let server = text(question, "/server");
    let params = &question["subject"]["sample"]["params"];
    if question.pointer("/subject/kind") == Some(&json!("sample_reply")) {
        note(format_args!("A model has answered what {server} asked:"));
        note(quote_as(&text(question, "/subject/model"), &text(question, "/subject/reply")));
        return;
    }
    match question.pointer("/subject/model").and_then(Value::as_str) {
        Some(model) => note(format_args!("The server {server} asks to use the model {}. It asks it:", visible(model))),
        None => {
            note(format_args!("The server {server} asks to use a language model. There is none here, so it is declined. It asked for:"))
        }
    }
    if let Some(system) = params["systemPrompt"].as_str() {
        note(quote_as("instructions", system));
    }
    let messages = params["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for message in messages {
        let content = &message["content"];
        let said = content["text"].as_str().map_or_else(|| content.to_string(), str::to_owned);
        note(quote_as(&text(message, "/role"), &said));
    }
    let rest = params.as_object().into_iter().flatten().filter(|(key, _)| !matches!(key.as_str(), "messages" | "systemPrompt"));
    for (key, value) in rest {
        note(quote_as(key, &value.to_string()));
    }
    if question.pointer("/subject/model").is_some_and(Value::is_string) {
        let left = |key: &str| text(question, &format!("/subject/budget/{key}"));
        note(format_args!(
            "After this it may ask {} times more within the hour, for {} tokens within the day.",
            left("requests"),
            left("tokens")
        ));
    }
}

/// Reads the answer to a request for a model.
pub(crate) fn read(subject: &Value) -> Value {
    if !subject["model"].is_string() {
        // Whatever is typed, there is one answer.
        let _ = prompt("Press Enter to go on: ");
        return json!({"kind": "decline"});
    }
    match prompt("Let the model answer? y to let it, e to change what it is asked, n to decline [n]: ").as_deref().map(str::trim) {
        Some("y" | "yes") => json!({"kind": "use_model"}),
        Some("e") => edited(&subject["sample"]["params"]),
        _ => json!({"kind": "decline"}),
    }
}

/// Reads whether the server gets the reply.
pub(crate) fn read_reply() -> Value {
    match prompt("Let the server have it? y to send, e to send something else, n to keep it back [n]: ").as_deref().map(str::trim) {
        Some("y" | "yes") => json!({"kind": "send_reply"}),
        Some("e") => match prompt("Send instead: ") {
            Some(reply) => json!({"kind": "send_reply", "reply": reply.trim_end()}),
            None => json!({"kind": "decline"}),
        },
        _ => json!({"kind": "decline"}),
    }
}

/// The request with the last message and the length of the reply as they are typed.
fn edited(params: &Value) -> Value {
    let mut params: Map<String, Value> = params.as_object().cloned().unwrap_or_default();
    let Some(asked) = prompt("Ask it instead (Enter leaves it): ") else { return json!({"kind": "decline"}) };
    let Some(tokens) = prompt("Tokens of the reply, at most (Enter leaves it): ") else { return json!({"kind": "decline"}) };
    if !asked.trim().is_empty()
        && let Some(last) = params.get_mut("messages").and_then(Value::as_array_mut).and_then(|messages| messages.last_mut())
    {
        last["content"] = json!({"type": "text", "text": asked.trim_end()});
    }
    if let Ok(tokens) = tokens.trim().parse::<u32>() {
        params.insert("maxTokens".to_owned(), tokens.into());
    }
    json!({"kind": "use_model", "params": params})
}
