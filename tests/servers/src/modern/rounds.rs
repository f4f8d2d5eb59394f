//! Requests whose answer waits for input. Nothing is remembered between rounds: what must be known
//! comes back as state.

use crate::rpc::{Outcome, text};
use serde_json::{Value, json};

/// Everything that could be lost on the way there and back: quotes, escapes, spaces, what looks
/// like JSON, and no letters of ASCII.
const STATE: &str = " {\"n\": 1.0, \"n\": 2}\\u0041\t\"\u{1F600} é\u{2028}\u{0}/%7B+ ";

/// The tools that ask.
pub(super) fn call(tool: &str, params: &Value) -> Outcome {
    match tool {
        "form" => asked(params, || json!({ "who": form("Who?") })),
        "url" => asked(params, || json!({ "where": url() })),
        "roots" => asked(params, || json!({ "folders": roots() })),
        "sample" => asked(params, || json!({ "model": sample() })),
        "all" => asked(
            params,
            || json!({ "who": form("Who?"), "where": url(), "folders": roots() }),
        ),
        "with-sample" => asked(params, || json!({ "folders": roots(), "model": sample() })),
        "unheard-of" => asked(
            params,
            || json!({ "soul": { "method": "soul/sell", "params": {} } }),
        ),
        "many" => asked(params, || {
            (0..1_000)
                .map(|number| (number.to_string(), roots()))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }),
        "nothing" => Outcome::Result(json!({ "resultType": "input_required" })),
        "stateless" => match params.get("inputResponses") {
            None => Outcome::Result(
                json!({ "resultType": "input_required", "inputRequests": { "folders": roots() } }),
            ),
            Some(_) if params.get("requestState").is_some() => Outcome::Error("there was no state"),
            Some(given) => Outcome::Result(text(given.to_string())),
        },
        "twice" => twice(params),
        "state-only" => match params.get("requestState").and_then(Value::as_str) {
            None => Outcome::Result(json!({ "resultType": "input_required", "requestState": "1" })),
            Some("1") => {
                Outcome::Result(json!({ "resultType": "input_required", "requestState": "2" }))
            }
            Some("2") if params.get("inputResponses").is_none() => {
                Outcome::Result(text("after two rounds"))
            }
            Some(_) => Outcome::Error("this is no state of mine"),
        },
        _ => Outcome::Error("no such tool"),
    }
}

/// Wants something in the first round, and gives what it got in the second, if its state came back
/// as it was.
pub(super) fn asked(params: &Value, wants: impl FnOnce() -> Value) -> Outcome {
    match (params.get("inputResponses"), params.get("requestState")) {
        (None, None) => Outcome::Result(
            json!({ "resultType": "input_required", "inputRequests": wants(), "requestState": STATE }),
        ),
        (Some(given), Some(state)) if state == STATE => Outcome::Result(text(given.to_string())),
        _ => Outcome::Error("the state is not what it was"),
    }
}

/// Asks two things after each other. The first answer is carried in the state of the second round,
/// and must not come again.
fn twice(params: &Value) -> Outcome {
    let given = |key: &str| {
        params
            .get("inputResponses")
            .and_then(|given| given.get(key))
    };
    match params.get("requestState").and_then(Value::as_str) {
        None => Outcome::Result(
            json!({ "resultType": "input_required", "inputRequests": { "a": form("First?") }, "requestState": "one" }),
        ),
        Some("one") => {
            let state = given("a").map(Value::to_string);
            Outcome::Result(
                json!({ "resultType": "input_required", "inputRequests": { "b": form("Second?") }, "requestState": state }),
            )
        }
        Some(_) if given("a").is_some() => Outcome::Error("the first answer came again"),
        Some(first) => Outcome::Result(text(format!(
            "{first} {}",
            given("b").unwrap_or(&Value::Null)
        ))),
    }
}

/// One more round, always another.
pub(super) fn once_more(params: &Value) -> Value {
    let round = params
        .get("requestState")
        .and_then(Value::as_str)
        .and_then(|round| round.parse().ok())
        .unwrap_or(0_u64);
    json!({ "resultType": "input_required", "inputRequests": { "folders": roots() }, "requestState": (round + 1).to_string() })
}

pub(super) fn form(message: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    json!({ "method": "elicitation/create", "params": { "mode": "form", "message": message, "requestedSchema": schema } })
}

fn url() -> Value {
    json!({ "method": "elicitation/create", "params": { "mode": "url", "message": "Sign in", "url": "https://example.com/" } })
}

fn roots() -> Value {
    json!({ "method": "roots/list" })
}

fn sample() -> Value {
    json!({ "method": "sampling/createMessage", "params": { "messages": [], "maxTokens": 1 } })
}
