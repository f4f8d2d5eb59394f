//! A request whose answer may wait for input (2026-07-28): what the server wants is asked for, and
//! the request is made again with it, as often as it wants, up to a cap. The older era's error that
//! an address must be opened first is driven the same way.

use super::Inner;
use super::request::{Patience, dressed, once};
use crate::ConnectionError;
use crate::conversation::Ask;
use futures::future::join_all;
use protocol::{CallId, Era};
use serde_json::{Map, Value, json};

/// How often a server may ask back before it answers.
const ROUNDS: usize = 10;
/// Things that a server may want in one round.
const WANTS: usize = 32;
/// `URLElicitationRequired` of 2025-11-25.
const URL_REQUIRED: i32 = -32_042;

/// What is wanted of a server.
pub(super) struct Wanted {
    pub(super) method: &'static str,
    pub(super) params: Map<String, Value>,
    pub(super) call: Option<CallId>,
    pub(super) parameters: Vec<(String, String)>,
}

/// What came of it.
pub(super) enum Outcome {
    /// The answer.
    Done(Value),
    /// The server works on it as a task.
    Task(Value),
}

/// Asks until there is an answer.
pub(super) async fn drive(
    inner: &Inner,
    wanted: Wanted,
    patience: &mut Patience,
) -> Result<Outcome, ConnectionError> {
    let mut given = Map::new();
    for _ in 0..=ROUNDS {
        let mut params = dressed(inner, wanted.params.clone());
        params.extend(std::mem::take(&mut given));
        // Unprefixed, as SEP-414 has it.
        if let Some(parent) = &patience.traceparent
            && let Value::Object(meta) = params.entry("_meta").or_insert_with(|| json!({}))
        {
            meta.insert("traceparent".to_owned(), parent.as_str().into());
        }
        let ask = Ask {
            listener: Some(patience.listener.clone()),
            call: wanted.call.clone(),
            parameters: wanted.parameters.clone(),
            ..Ask::new(wanted.method, params)
        };
        match once(inner, ask, patience).await {
            Err(ConnectionError::Server {
                code: URL_REQUIRED,
                data: Some(data),
                ..
            }) if inner.hello.era == Era::Legacy => {
                open_addresses(inner, *data, wanted.call.clone(), patience).await?;
            }
            Err(error) => return Err(error),
            Ok(result) if inner.hello.era == Era::Legacy => return Ok(Outcome::Done(result)),
            Ok(result) => match result
                .get("resultType")
                .and_then(Value::as_str)
                .unwrap_or("complete")
            {
                "complete" => return Ok(Outcome::Done(result)),
                "task" if wanted.method == "tools/call" => return Ok(Outcome::Task(result)),
                "input_required" => {
                    given = input(inner, result, wanted.call.clone(), patience).await?
                }
                other => {
                    let problem = format!(
                        "its result is of a kind that is not known: {}",
                        other.chars().take(40).collect::<String>()
                    );
                    return Err(ConnectionError::Unreadable { problem });
                }
            },
        }
    }
    Err(ConnectionError::TooManyRounds { rounds: ROUNDS })
}

/// Gets what one round wants, and the state to send back as it came.
async fn input(
    inner: &Inner,
    result: Value,
    call: Option<CallId>,
    patience: &mut Patience,
) -> Result<Map<String, Value>, ConnectionError> {
    let Value::Object(mut result) = result else {
        return Ok(Map::new());
    };
    let mut given = Map::new();
    if let Some(wants) = result
        .remove("inputRequests")
        .filter(|wants| !wants.is_null())
    {
        given.insert(
            "inputResponses".to_owned(),
            Value::Object(answers(inner, wants, call, patience).await?),
        );
    }
    if let Some(state) = result.remove("requestState") {
        given.insert("requestState".to_owned(), state);
    }
    if given.is_empty() {
        return Err(ConnectionError::Unreadable {
            problem: "it wants input and does not say which".to_owned(),
        });
    }
    Ok(given)
}

/// Answers to everything in a map of input requests, all asked at once. Time in which people think
/// does not count.
pub(super) async fn answers(
    inner: &Inner,
    wants: Value,
    call: Option<CallId>,
    patience: &mut Patience,
) -> Result<Map<String, Value>, ConnectionError> {
    let wants: Map<String, Value> =
        serde_json::from_value(wants).map_err(ConnectionError::unreadable)?;
    if wants.len() > WANTS {
        return Err(ConnectionError::TooManyRounds {
            rounds: wants.len(),
        });
    }
    let ear = inner.conversation.ear();
    let one = async |key: String, mut want: Value| {
        let method = want
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let params = want.get_mut("params").map(Value::take);
        match ear.answer(&method, params, call.clone()).await {
            Ok(answer) => Ok((key, answer)),
            // What is not given is not given: the request is simply not made again.
            Err(_) => Err(ConnectionError::NotGiven { method }),
        }
    };
    patience.hold(true);
    let all = join_all(wants.into_iter().map(|(key, want)| one(key, want)));
    let answers = tokio::select! {
        answers = all => answers.into_iter().collect(),
        () = patience.cancelled.cancelled() => Err(ConnectionError::Cancelled),
        () = inner.ending.over() => Err(inner.ending.error()),
    };
    patience.hold(false);
    answers
}

/// Has the addresses opened that an older server wants opened first, and waits until it says that
/// all is done there.
async fn open_addresses(
    inner: &Inner,
    data: Value,
    call: Option<CallId>,
    patience: &mut Patience,
) -> Result<(), ConnectionError> {
    let wants = data
        .get("elicitations")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let ids: Vec<String> = wants
        .iter()
        .filter_map(|want| want.get("elicitationId")?.as_str().map(str::to_owned))
        .collect();
    if wants.is_empty() || ids.len() != wants.len() {
        return Err(ConnectionError::Unreadable {
            problem: "it wants an address to be opened and does not say which".to_owned(),
        });
    }
    let numbered = wants.into_iter().enumerate();
    let wants: Map<_, _> = numbered
        .map(|(number, want)| {
            (
                number.to_string(),
                json!({ "method": "elicitation/create", "params": want }),
            )
        })
        .collect();
    let answers = answers(inner, Value::Object(wants), call, patience).await?;
    if answers
        .values()
        .any(|answer| answer.get("action").and_then(Value::as_str) != Some("accept"))
    {
        return Err(ConnectionError::NotGiven {
            method: "elicitation/create".to_owned(),
        });
    }
    patience.hold(true);
    let done = tokio::select! {
        () = inner.conversation.ear().finished(&ids) => Ok(()),
        () = tokio::time::sleep(inner.limits.call_maximum) => Err(ConnectionError::TimedOut { after: inner.limits.call_maximum }),
        () = patience.cancelled.cancelled() => Err(ConnectionError::Cancelled),
        () = inner.ending.over() => Err(inner.ending.error()),
    };
    patience.hold(false);
    done
}
