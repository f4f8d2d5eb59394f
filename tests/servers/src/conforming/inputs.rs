//! What a tool or prompt wants of the client before it answers, round by round, each by its key.

use serde_json::{Map, Value, json};

/// All rounds; none where nothing is wanted.
pub(super) fn wanted(name: &str, arguments: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let text = |key: &str| arguments.get(key).cloned().unwrap_or_else(|| json!(""));
    let name_of = |key: &str, message: &str| one(key, form(message, &name_form()));
    match name {
        "test_sampling" => vec![one("sampled", sample(&text("prompt"), 100))],
        "test_elicitation" => vec![one(
            "answered",
            form(
                text("message").as_str().unwrap_or_default(),
                &json!({
                    "type": "object",
                    "properties": {
                        "username": { "type": "string", "description": "User's response" },
                        "email": { "type": "string", "description": "User's email address" },
                    },
                    "required": ["username", "email"],
                }),
            ),
        )],
        "test_elicitation_sep1034_defaults" => vec![one(
            "answered",
            form("Please review and update the form fields", &defaults()),
        )],
        "test_elicitation_sep1330_enums" => vec![one(
            "answered",
            form("Please choose of each field", &choices()),
        )],
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
            vec![name_of("user_name", "What is your name?")]
        }
        "test_input_required_result_sampling" => vec![one(
            "capital_question",
            sample(&json!("What is the capital of France?"), 100),
        )],
        "test_input_required_result_list_roots" => vec![one("client_roots", roots())],
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => {
            vec![one("confirm", form("Please confirm", &ok_form()))]
        }
        "test_input_required_result_multiple_inputs" => vec![Map::from_iter([
            (
                "user_name".to_owned(),
                form("What is your name?", &name_form()),
            ),
            (
                "greeting".to_owned(),
                sample(&json!("Generate a greeting"), 50),
            ),
            ("client_roots".to_owned(), roots()),
        ])],
        "test_input_required_result_multi_round" => vec![
            name_of("step1", "Step 1: What is your name?"),
            one(
                "step2",
                form("Step 2: What is your favorite color?", &text_form("color")),
            ),
        ],
        "test_input_required_result_capabilities" => vec![Map::from_iter([
            (
                "user_name".to_owned(),
                form("What is your name?", &name_form()),
            ),
            (
                "greeting".to_owned(),
                sample(&json!("Generate a greeting"), 50),
            ),
        ])],
        "test_input_required_result_prompt" => vec![one(
            "user_context",
            form("What context should the prompt use?", &text_form("context")),
        )],
        _ => Vec::new(),
    }
}

/// Which capability of a client an input needs.
pub(super) fn capability(input: &Value) -> &'static str {
    match input["method"].as_str() {
        Some("sampling/createMessage") => "sampling",
        Some("roots/list") => "roots",
        _ => "elicitation",
    }
}

fn one(key: &str, input: Value) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), input)])
}

fn form(message: &str, schema: &Value) -> Value {
    json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } })
}

fn sample(prompt: &Value, tokens: u32) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": tokens } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

fn name_form() -> Value {
    text_form("name")
}

fn text_form(field: &str) -> Value {
    json!({ "type": "object", "properties": { field: { "type": "string" } }, "required": [field] })
}

fn ok_form() -> Value {
    json!({ "type": "object", "properties": { "ok": { "type": "boolean" } }, "required": ["ok"] })
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "User name", "default": "John Doe" },
            "age": { "type": "integer", "description": "User age", "default": 30 },
            "score": { "type": "number", "description": "User score", "default": 95.5 },
            "status": { "type": "string", "description": "User status", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "description": "Verification status", "default": true },
        },
        "required": [],
    })
}

fn choices() -> Value {
    let titled = |words: [(&str, &str); 3]| {
        words
            .map(|(value, title)| json!({ "const": value, "title": title }))
            .to_vec()
    };
    let plain = ["option1", "option2", "option3"];
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled([("value1", "First Option"), ("value2", "Second Option"), ("value3", "Third Option")]) },
            "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"] },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled([("value1", "First Choice"), ("value2", "Second Choice"), ("value3", "Third Choice")]) } },
        },
        "required": [],
    })
}
