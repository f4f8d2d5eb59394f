//! The question in a terminal whether a server may use a model, and have what it answered.

use crate::input::{self, Typed};
use crate::messages::m;
use crate::print::{Stream, quote_as, visible};
use policy::{Budget, Decision};
use protocol::Sample;
use serde_json::{Map, Value, json};

/// Shows what a server asks of a model.
pub(crate) fn show(to: Stream, server: &str, sample: &Sample, model: Option<&str>, budget: Budget) {
    match model {
        Some(model) => to.say(format_args!(
            "The server {server} asks to use the model {}. It asks it:",
            visible(model)
        )),
        None => to.say(format_args!(
            "The server {server} asks to use a language model. There is none here, so it is declined. It asked for:"
        )),
    }
    // As the protocol has it, with whatever a server has put in it.
    let Sample { params } = sample;
    if let Some(system) = params.get("systemPrompt").and_then(Value::as_str) {
        to.say(quote_as("instructions", system));
    }
    let messages = params.get("messages").and_then(Value::as_array);
    for message in messages.into_iter().flatten() {
        let content = &message["content"];
        let said = content["text"]
            .as_str()
            .map_or_else(|| content.to_string(), str::to_owned);
        to.say(quote_as(message["role"].as_str().unwrap_or("-"), &said));
    }
    let rest = params
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "messages" | "systemPrompt"));
    for (key, value) in rest {
        to.say(quote_as(key, &value.to_string()));
    }
    if model.is_some() {
        let Budget {
            requests,
            tokens,
            per_reply,
        } = budget;
        to.say(m(
            "sample.budget",
            &[
                ("requests", &requests.to_string()),
                ("tokens", &tokens.to_string()),
                ("reply", &per_reply.to_string()),
            ],
        ));
    }
}

/// Reads the answer to a request for a model.
pub(crate) fn read(sample: &Sample, model: Option<&str>) -> Decision {
    if model.is_none() {
        // Whatever is typed, there is one answer.
        let _ = input::ask("Press Enter to go on");
        return Decision::Decline;
    }
    let typed = input::ask(
        "Let the model answer? y to let it, e to change what it is asked, n to decline [n]",
    );
    match typed.as_ref().map(Typed::word) {
        Some("y" | "yes") => Decision::UseModel { params: None },
        Some("e") => {
            edited(sample.params.clone()).map_or(Decision::Decline, |params| Decision::UseModel {
                params: Some(params),
            })
        }
        _ => Decision::Decline,
    }
}

/// Reads whether the server gets the reply.
pub(crate) fn read_reply() -> Decision {
    let typed = input::ask(
        "Let the server have it? y to send, e to send something else, n to keep it back [n]",
    );
    match typed.as_ref().map(Typed::word) {
        Some("y" | "yes") => Decision::SendReply { reply: None },
        Some("e") => {
            input::ask("Send instead").map_or(Decision::Decline, |reply| Decision::SendReply {
                reply: Some(reply.text().to_owned()),
            })
        }
        _ => Decision::Decline,
    }
}

/// The request with the last message and the length of the reply as they are typed. Nothing, if the
/// terminal has gone.
fn edited(mut params: Map<String, Value>) -> Option<Map<String, Value>> {
    let asked = input::ask("Ask it instead (Enter leaves it)")?;
    let tokens = input::ask("Tokens of the reply, at most (Enter leaves it)")?;
    if !asked.word().is_empty()
        && let Some(last) = params
            .get_mut("messages")
            .and_then(Value::as_array_mut)
            .and_then(|messages| messages.last_mut())
    {
        last["content"] = json!({"type": "text", "text": asked.text()});
    }
    if let Ok(tokens) = tokens.word().parse::<u32>() {
        params.insert("maxTokens".to_owned(), tokens.into());
    }
    Some(params)
}
