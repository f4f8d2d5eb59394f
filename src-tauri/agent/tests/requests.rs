//! What is sent to services: path, headers and body, word for word.
//!
//! What each of them gets stands in `tests/wire/SERVICE.request.json`; `UPDATE_EXPECT=1` writes it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use agent::model::{Failure, Outgoing, ask};
use agent::{
    CallResult, Message, ModelCall, ModelRef, ReplyPart, Request, ResultPart, ToolDefinition,
};
use protocol::{ModelId, ModelService};
use serde_json::{Map, Value, json};

const PICTURE: &str = "iVBORw0KGgo=";
const ALL: [(&str, ModelService); 5] = [
    ("anthropic", ModelService::Anthropic),
    ("chat", ModelService::Chat),
    ("gemini", ModelService::Gemini),
    ("ollama", ModelService::Ollama),
    ("responses", ModelService::Responses),
];

fn call(id: &str, name: &str, arguments: Value) -> ReplyPart {
    ReplyPart::Call(ModelCall {
        provider_id: Some(id.to_owned()),
        name: name.to_owned(),
        arguments: arguments.as_object().cloned().unwrap(),
        invalid: None,
        native: None,
    })
}

fn result(id: &str, name: &str, parts: Vec<ResultPart>, is_error: bool) -> CallResult {
    CallResult {
        call: id.to_owned(),
        name: name.to_owned(),
        parts,
        is_error,
    }
}

fn picture() -> ResultPart {
    ResultPart::Image {
        data: PICTURE.to_owned(),
        mime_type: "image/png".to_owned(),
    }
}

fn request(wire: ModelService) -> Request {
    let model = ModelRef {
        id: ModelId::from("model-1"),
        wire,
        name: "model-1".to_owned(),
    };
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    Request {
        instructions: "Be brief.".to_owned(),
        messages: vec![
            Message::User {
                parts: vec![ResultPart::text("Look at both."), picture()],
            },
            Message::Assistant {
                model: model.clone(),
                parts: vec![
                    ReplyPart::text("I look."),
                    call("id-1", "files__read", json!({"path": "a.png"})),
                    call("id-2", "files__read", json!({"path": "/etc/shadow"})),
                ],
                origin: None,
            },
            Message::Results {
                results: vec![
                    result(
                        "id-1",
                        "files__read",
                        vec![ResultPart::text("a picture:"), picture()],
                        false,
                    ),
                    result(
                        "id-2",
                        "files__read",
                        vec![ResultPart::text("The person did not allow this call.")],
                        true,
                    ),
                ],
            },
        ],
        tools: vec![ToolDefinition {
            name: "files__read".to_owned(),
            description: "Reads a file.".to_owned(),
            schema: schema.as_object().cloned().unwrap(),
        }],
        may_call: true,
        max_output: 1_000,
        context: 16_000,
        temperature: None,
        model,
    }
}

fn sent(request: &Request) -> (Outgoing, Value) {
    let (outgoing, _) = ask(request).unwrap();
    let body = serde_json::from_slice(&outgoing.body).unwrap();
    (outgoing, body)
}

#[test]
fn each_service_is_asked_in_its_own_words() {
    for (name, wire) in ALL {
        let (outgoing, body) = sent(&request(wire));
        let headers: Map<String, Value> = outgoing
            .headers
            .into_iter()
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        let whole = json!({"path": outgoing.path, "headers": headers, "body": body});
        let path = format!(
            "{}/tests/wire/{name}.request.json",
            env!("CARGO_MANIFEST_DIR")
        );
        expect_test::expect_file![path].assert_eq(&format!("{whole:#}\n"));
    }
}

#[test]
fn no_request_holds_what_could_be_a_credential_or_an_address() {
    for (_, wire) in ALL {
        let (outgoing, _) = sent(&request(wire));
        let body = String::from_utf8_lossy(&outgoing.body).into_owned();
        let head = format!("{} {:?}", outgoing.path, outgoing.headers);
        let text = format!("{head} {body}").to_lowercase();
        for word in [
            "authorization",
            "api-key",
            "key=",
            "bearer",
            "model.invalid",
            "http://",
        ] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert!(outgoing.path.starts_with('/') && body.contains("Look at both."));
    }
}

#[test]
fn every_request_bounds_what_is_written_and_asks_that_nothing_is_kept() {
    let of = |wire, pointer: &str| sent(&request(wire)).1.pointer(pointer).cloned();
    assert_eq!(
        of(ModelService::Anthropic, "/max_tokens"),
        Some(json!(1_000))
    );
    assert_eq!(of(ModelService::Chat, "/max_tokens"), Some(json!(1_000)));
    assert_eq!(
        of(ModelService::Chat, "/stream_options/include_usage"),
        Some(json!(true))
    );
    assert_eq!(
        of(ModelService::Responses, "/max_output_tokens"),
        Some(json!(1_000))
    );
    assert_eq!(of(ModelService::Responses, "/store"), Some(json!(false)));
    assert_eq!(
        of(ModelService::Gemini, "/generationConfig/maxOutputTokens"),
        Some(json!(1_000))
    );
    assert_eq!(
        of(ModelService::Ollama, "/options/num_predict"),
        Some(json!(1_000))
    );
    assert_eq!(
        of(ModelService::Ollama, "/options/num_ctx"),
        Some(json!(16_000))
    );
}

#[test]
fn each_service_is_told_how_freely_it_may_write_as_far_as_it_takes_that() {
    let told = |wire, name: &str, temperature| {
        let mut request = request(wire);
        request.model.name = name.to_owned();
        request.temperature = temperature;
        let body = sent(&request).1;
        let places = [
            "/temperature",
            "/generationConfig/temperature",
            "/options/temperature",
        ];
        let found = places.iter().find_map(|place| body.pointer(place));
        found.and_then(Value::as_f64)
    };
    for (name, wire) in ALL {
        let [nothing, some, less, more] =
            [None, Some(0.5), Some(-1.0), Some(9.0)].map(|wanted| told(wire, "model-1", wanted));
        let most = match wire {
            ModelService::Anthropic => Some(1.0),
            // Most of its models think first, and take none.
            ModelService::Responses => None,
            _ => Some(2.0),
        };
        assert_eq!((nothing, more), (None, most), "{name}");
        let taken = most.map_or((None, None), |_| (Some(0.5), Some(0.0)));
        assert_eq!((some, less), taken, "{name}");
    }
}

#[test]
fn where_no_tool_may_be_called_the_service_is_told_so() {
    for (name, wire) in ALL {
        let mut closing = request(wire);
        closing.may_call = false;
        let (_, body) = sent(&closing);
        let says_none = [
            body.pointer("/tool_choice") == Some(&json!("none")),
            body.pointer("/tool_choice/type") == Some(&json!("none")),
            body.pointer("/toolConfig/functionCallingConfig/mode") == Some(&json!("NONE")),
            wire == ModelService::Ollama && body.get("tools").is_none(),
        ];
        assert!(says_none.contains(&true), "{name}: {body:#}");
        closing.tools.clear();
        let (_, body) = sent(&closing);
        for field in ["tools", "tool_choice", "toolConfig"] {
            assert!(
                body.get(field).is_none_or(Value::is_null),
                "{name}: {field}"
            );
        }
    }
}

#[test]
fn what_only_one_model_can_read_goes_to_no_other() {
    for ((name, wire), (id, by)) in ALL.into_iter().flat_map(|service| {
        // Another model of the same service, and the same one behind another address or key.
        [("model-1", "another"), ("model-2", "model-1")].map(|other| (service, other))
    }) {
        let mut other = request(wire);
        other.messages = vec![
            Message::User {
                parts: vec![ResultPart::text("hello")],
            },
            Message::Assistant {
                model: ModelRef {
                    id: ModelId::from(id),
                    wire,
                    name: by.to_owned(),
                },
                parts: vec![
                    ReplyPart::Reasoning {
                        text: "thought-text".to_owned(),
                        native: Some(json!({"item": {"signature": "signed"}, "redacted": false})),
                    },
                    ReplyPart::Opaque {
                        native: json!({"item": {"type": "hologram"}, "replay": true}),
                    },
                    ReplyPart::Text {
                        text: "answer".to_owned(),
                        native: Some(json!({"signed": "item"})),
                    },
                ],
                origin: Some(json!({"api": "x", "provider": "y", "model": by})),
            },
            Message::User {
                parts: vec![ResultPart::text("and?")],
            },
        ];
        let text = sent(&other).1.to_string();
        assert!(text.contains("answer"), "{name}: {text}");
        for word in ["thought-text", "signed", "hologram"] {
            assert!(!text.contains(word), "{name}: {word} in {text}");
        }
    }
}

#[test]
fn a_name_that_leads_elsewhere_is_no_model() {
    for name in ["", "../files/1", "a?key=1", "a b", "a\nb", &"x".repeat(300)] {
        let mut wrong = request(ModelService::Gemini);
        wrong.model.name = name.to_owned();
        assert!(
            matches!(ask(&wrong), Err(Failure::Request { .. })),
            "{name}"
        );
    }
}
