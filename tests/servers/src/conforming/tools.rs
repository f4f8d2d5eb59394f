//! The tools: how they are listed, and what they answer once they have all that they want.

use super::offers::Lists;
use super::{SOUND, VIEW, picture};
use crate::rpc::{Outcome, text, tool};
use serde_json::{Map, Value, json};

/// Tools without arguments, and what they do.
const PLAIN: [(&str, &str); 22] = [
    ("test_simple_text", "Returns a simple text"),
    ("test_image_content", "Returns a picture"),
    ("test_audio_content", "Returns a sound"),
    ("test_embedded_resource", "Returns a resource"),
    (
        "test_multiple_content_types",
        "Returns parts of several kinds",
    ),
    ("test_tool_with_logging", "Writes to the log while it runs"),
    ("test_logging_tool", "Writes to the log where it may"),
    ("test_tool_with_progress", "Tells how far it has come"),
    ("test_error_handling", "Fails"),
    (
        "test_elicitation_sep1034_defaults",
        "Shows a form with defaults",
    ),
    (
        "test_elicitation_sep1330_enums",
        "Shows a form with choices",
    ),
    ("test_missing_capability", "Needs a client with a model"),
    ("test_streaming_elicitation", "Shows a form"),
    ("test_trigger_tool_change", "Changes the list of tools"),
    ("test_trigger_prompt_change", "Changes the list of prompts"),
    ("test_input_required_result_elicitation", "Wants a name"),
    (
        "test_input_required_result_sampling",
        "Wants an answer of a model",
    ),
    ("test_input_required_result_list_roots", "Wants the folders"),
    (
        "test_input_required_result_request_state",
        "Wants a yes, and its state",
    ),
    (
        "test_input_required_result_multiple_inputs",
        "Wants several things at once",
    ),
    (
        "test_input_required_result_multi_round",
        "Wants one thing after the other",
    ),
    (
        "test_input_required_result_tampered_state",
        "Wants its state as it was",
    ),
];

/// The list. One tool of it comes and goes.
pub(super) fn list(lists: &Lists) -> Value {
    let mut tools: Vec<Value> = PLAIN
        .iter()
        .map(|(name, what)| tool(name, what, &json!({})))
        .collect();
    tools.push(tool(
        "test_input_required_result_capabilities",
        "Wants what the client can give",
        &json!({}),
    ));
    for (name, argument, what) in [
        ("test_sampling", "prompt", "Has a model answer"),
        ("test_elicitation", "message", "Asks the person"),
    ] {
        let mut one = tool(name, what, &json!({ argument: { "type": "string" } }));
        one["inputSchema"]["required"] = json!([argument]);
        tools.push(one);
    }
    tools.push(json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": schema(),
    }));
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    let mut routed = tool(
        "test_header_argument",
        "Has an argument that travels as a header, too",
        &json!({ "region": region }),
    );
    routed["inputSchema"]["required"] = json!(["region"]);
    tools.push(routed);
    let mut view = tool("test_view", "Has a view", &json!({}));
    view["_meta"] = json!({ "ui": { "resourceUri": VIEW }, "ui/resourceUri": VIEW });
    tools.push(view);
    if lists.has_passing_tool() {
        tools.push(tool("test_passing", "Comes and goes", &json!({})));
    }
    json!({ "tools": tools })
}

/// What a tool answers, with what it was given of what it wanted.
pub(super) fn answer(name: &str, given: &Map<String, Value>) -> Outcome {
    let resource = |uri: &str, kind: &str, text: &str| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } });
    Outcome::Result(match name {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => json!({ "content": [picture()] }),
        "test_audio_content" => {
            json!({ "content": [{ "type": "audio", "data": SOUND, "mimeType": "audio/wav" }] })
        }
        "test_embedded_resource" => json!({ "content": [resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )] }),
        "test_multiple_content_types" => json!({ "content": [
            { "type": "text", "text": "Multiple content types test:" },
            picture(),
            resource(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#,
            ),
        ] }),
        "test_view" => json!({ "content": [
            { "type": "resource_link", "uri": VIEW, "name": "view" },
            resource(VIEW, "text/html;profile=mcp-app", "<p>"),
        ] }),
        "test_error_handling" => failed("This tool intentionally returns an error for testing"),
        "test_sampling" | "test_input_required_result_sampling" => {
            let said = given.values().next().unwrap_or(&Value::Null);
            text(format!(
                "LLM response: {}",
                said["content"]["text"].as_str().unwrap_or_default()
            ))
        }
        "test_elicitation" => text(format!("User response: {}", Value::Object(given.clone()))),
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => text(format!(
            "Hello, {}!",
            given["user_name"]["content"]["name"]
                .as_str()
                .unwrap_or_default()
        )),
        name if PLAIN.iter().any(|(known, _)| *known == name)
            || name == "test_passing"
            || name == "test_header_argument"
            || name == "json_schema_2020_12_tool"
            || name == "test_input_required_result_capabilities" =>
        {
            text(format!("{name} is done: {}", Value::Object(given.clone())))
        }
        _ => return Outcome::Error("no such tool"),
    })
}

/// A result that says that the tool failed.
pub(super) fn failed(why: &str) -> Value {
    let mut result = text(why);
    result["isError"] = true.into();
    result
}

/// Every keyword that a newer JSON Schema has and a careless reader loses.
fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
