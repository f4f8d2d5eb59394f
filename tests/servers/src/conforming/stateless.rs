//! The same in the words of 2026-07-28: what is wanted of the client is the answer, and the request
//! is made again with it.

use super::{inputs, log, offers, progress, tools};
use crate::modern::{META, fresh, listening::Listening};
use crate::rpc::{Call, Outcome};
use serde_json::{Map, Value, json};

/// Whoever could make a state up by itself would have to know this.
const SEAL: &str = "5e2c0f1b";

/// Serves one client.
#[derive(Default)]
pub(crate) struct Stateless {
    lists: offers::Lists,
    listening: Listening,
}

impl crate::modern::Requests for Stateless {
    fn request(&mut self, id: &Value, method: &str, params: &Value) -> Outcome {
        match method {
            "server/discover" => Outcome::Result(discovered()),
            "tools/list" => Outcome::Result(fresh(tools::list(&self.lists))),
            "tools/call" => self.call(id, params),
            "prompts/get" if params["name"] == "test_input_required_result_prompt" => {
                match round(params) {
                    Ok(given) => Outcome::Result(offers::asked_prompt(&given)),
                    Err(unfinished) => unfinished,
                }
            }
            "subscriptions/listen" => self.listening.begin(id, params),
            _ => match offers::request(method, params, &self.lists, -32_602) {
                Outcome::Result(result) if method != "prompts/get" => {
                    Outcome::Result(fresh(result))
                }
                outcome => outcome,
            },
        }
    }

    fn cancelled(&mut self, id: &Value) {
        self.listening.end(id);
    }
}

impl Stateless {
    fn call(&mut self, id: &Value, params: &Value) -> Outcome {
        let name = params["name"].as_str().unwrap_or_default();
        let meta = |name: &str| &params["_meta"][format!("{META}{name}")];
        match name {
            "test_missing_capability" if meta("clientCapabilities")["sampling"].is_null() => {
                return Outcome::Refusal(
                    -32_021,
                    "This tool needs a client with a model",
                    json!({ "requiredCapabilities": { "sampling": {} } }),
                );
            }
            "test_tool_with_progress" => progress(&Call {
                id: id.clone(),
                tool: name.to_owned(),
                arguments: Map::new(),
                progress: params["_meta"].get("progressToken").cloned(),
            }),
            "test_tool_with_logging" | "test_logging_tool" if meta("logLevel").is_string() => log(),
            tool if self.lists.switch(tool) => {
                let what = if tool == "test_trigger_tool_change" {
                    "tools"
                } else {
                    "prompts"
                };
                self.listening.tell(what, "", "");
            }
            _ => {}
        }
        match round(params) {
            Ok(given) => tools::answer(name, &given),
            Err(unfinished) => unfinished,
        }
    }
}

fn discovered() -> Value {
    json!({
        "supportedVersions": ["2026-07-28"],
        "capabilities": {
            "tools": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "prompts": { "listChanged": true },
            "completions": {},
        },
        "ttlMs": 60_000,
        "cacheScope": "public",
        "_meta": { format!("{META}serverInfo"): { "name": "conforming", "version": "1.0.0" } },
    })
}

/// All that is wanted, once it was given; until then what the next round wants.
fn round(params: &Value) -> Result<Map<String, Value>, Outcome> {
    let name = params["name"].as_str().unwrap_or_default();
    let none = Map::new();
    let arguments = params["arguments"].as_object().unwrap_or(&none);
    let able = &params["_meta"][format!("{META}clientCapabilities")];
    let mut rounds = inputs::wanted(name, arguments);
    if name == "test_input_required_result_capabilities" {
        for round in &mut rounds {
            round.retain(|_, input| !able[inputs::capability(input)].is_null());
        }
    }
    let done = match &params["requestState"] {
        Value::Null => 0,
        state => {
            let of_round = |number: &usize| *state == json!(seal(name, *number));
            let Some(done) = (0..rounds.len()).find(of_round) else {
                return Err(Outcome::Error("the state is not the one that was given"));
            };
            done
        }
    };
    let given = params["inputResponses"].as_object().unwrap_or(&none);
    for (number, wanted) in rounds.iter().enumerate().skip(done) {
        let has_all = wanted
            .keys()
            .all(|key| given.get(key).is_some_and(Value::is_object));
        if !has_all {
            let mut result = json!({ "resultType": "input_required", "inputRequests": wanted });
            // The first tools of the suite keep no state, all others do.
            if has_state(name) {
                result["requestState"] = seal(name, number).into();
            }
            return Err(Outcome::Result(result));
        }
    }
    let last = rounds.last().unwrap_or(&none);
    let of_it = given.iter().filter(|(key, _)| last.contains_key(*key));
    Ok(of_it
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect())
}

fn has_state(name: &str) -> bool {
    [
        "test_input_required_result_request_state",
        "test_input_required_result_tampered_state",
        "test_input_required_result_multiple_inputs",
        "test_input_required_result_multi_round",
    ]
    .contains(&name)
}

fn seal(name: &str, round: usize) -> String {
    format!("{name}/{round}/{SEAL}")
}
