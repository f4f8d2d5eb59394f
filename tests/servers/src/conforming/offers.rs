//! What it offers beside tools: resources, prompts, proposals.

use super::{PICTURE, VIEW, picture};
use crate::rpc::Outcome;
use serde_json::{Map, Value, json};

/// What of the lists comes and goes.
#[derive(Default)]
pub(super) struct Lists {
    no_passing_tool: bool,
    no_passing_prompt: bool,
}

impl Lists {
    pub(super) fn has_passing_tool(&self) -> bool {
        !self.no_passing_tool
    }

    /// Changes a list, if that is what the tool does.
    pub(super) fn switch(&mut self, tool: &str) -> bool {
        match tool {
            "test_trigger_tool_change" => self.no_passing_tool = !self.no_passing_tool,
            "test_trigger_prompt_change" => self.no_passing_prompt = !self.no_passing_prompt,
            _ => return false,
        }
        true
    }
}

/// Any request but those for tools. `gone` is the code for a resource that there is not.
pub(super) fn request(method: &str, params: &Value, lists: &Lists, gone: i32) -> Outcome {
    let param = |name: &str| params[name].as_str().unwrap_or_default();
    Outcome::Result(match method {
        "resources/list" => resources(),
        "resources/templates/list" => json!({ "resourceTemplates": [{
            "uriTemplate": "test://template/{id}/data",
            "name": "template",
            "description": "A resource with a gap in its address",
            "mimeType": "application/json",
        }] }),
        "resources/read" => match read(param("uri")) {
            Some(contents) => json!({ "contents": [contents], "_meta": source() }),
            None => {
                let uri = json!({ "uri": param("uri") });
                return Outcome::Refusal(gone, "Resource not found", uri);
            }
        },
        "prompts/list" => prompts(lists),
        "prompts/get" => match prompt(param("name"), &params["arguments"]) {
            Some(messages) => json!({ "messages": messages, "_meta": source() }),
            None => return Outcome::Error("no such prompt"),
        },
        "completion/complete" => {
            json!({ "completion": { "values": ["paris", "park", "party"], "total": 150, "hasMore": true } })
        }
        _ => return Outcome::Refusal(-32_601, "no such method", Value::Null),
    })
}

/// What is said of everything that is read or filled in.
fn source() -> Value {
    json!({ "example.com/source": "memory" })
}

fn resources() -> Value {
    let one = |name: &str, kind: &str| json!({ "uri": format!("test://{name}"), "name": name, "description": format!("The resource {name}"), "mimeType": kind });
    json!({ "resources": [
        one("static-text", "text/plain"),
        one("static-binary", "image/png"),
        one("watched-resource", "text/plain"),
        { "uri": VIEW, "name": "view", "description": "A view", "mimeType": "text/html;profile=mcp-app" },
    ] })
}

fn read(uri: &str) -> Option<Value> {
    let id = uri
        .strip_prefix("test://template/")
        .and_then(|rest| rest.strip_suffix("/data"));
    let text = |text: String, kind: &str| json!({ "uri": uri, "mimeType": kind, "text": text });
    Some(match (uri, id) {
        (_, Some(id)) => text(
            json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") })
                .to_string(),
            "application/json",
        ),
        ("test://static-text", _) => {
            let mut contents = text(
                "This is the content of the static text resource.".to_owned(),
                "text/plain",
            );
            contents["_meta"] = json!({ "example.com/edition": 2 });
            contents
        }
        ("test://static-binary", _) => {
            json!({ "uri": uri, "mimeType": "image/png", "blob": PICTURE })
        }
        (VIEW, _) => text("<p>".to_owned(), "text/html;profile=mcp-app"),
        ("test://watched-resource", _) => text("Watched resource content".to_owned(), "text/plain"),
        _ => return None,
    })
}

fn prompts(lists: &Lists) -> Value {
    let argument = |name: &str| json!({ "name": name, "description": format!("The {name}"), "required": true });
    let mut all = vec![
        json!({ "name": "test_simple_prompt", "description": "A simple prompt" }),
        json!({ "name": "test_prompt_with_arguments", "description": "A prompt with gaps", "arguments": [argument("arg1"), argument("arg2")] }),
        json!({ "name": "test_prompt_with_embedded_resource", "description": "A prompt with a resource", "arguments": [argument("resourceUri")] }),
        json!({ "name": "test_prompt_with_image", "description": "A prompt with a picture" }),
        json!({ "name": "test_input_required_result_prompt", "description": "A prompt that asks first" }),
    ];
    if !lists.no_passing_prompt {
        all.push(json!({ "name": "test_passing_prompt", "description": "Comes and goes" }));
    }
    json!({ "prompts": all })
}

fn prompt(name: &str, arguments: &Value) -> Option<Value> {
    let text = |text: &str| message(&json!({ "type": "text", "text": text }));
    let argument = |name: &str| arguments[name].as_str().unwrap_or_default();
    Some(match name {
        "test_simple_prompt" | "test_passing_prompt" => json!([message(&json!({
            "type": "text",
            "text": "This is a simple prompt for testing.",
            "annotations": { "audience": ["assistant"] },
        }))]),
        "test_prompt_with_arguments" => json!([text(&format!(
            "Prompt with arguments: arg1='{}', arg2='{}'",
            argument("arg1"),
            argument("arg2")
        ))]),
        "test_prompt_with_embedded_resource" => json!([
            message(&json!({ "type": "resource", "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            } })),
            text("Please process the embedded resource above."),
        ]),
        "test_prompt_with_image" => {
            json!([message(&picture()), text("Please analyze the image above.")])
        }
        _ => return None,
    })
}

/// The prompt that asks first, once it was answered.
pub(super) fn asked_prompt(given: &Map<String, Value>) -> Value {
    let text = format!("Use this context: {}", Value::Object(given.clone()));
    json!({ "messages": [message(&json!({ "type": "text", "text": text }))] })
}

fn message(content: &Value) -> Value {
    json!({ "role": "user", "content": content })
}
