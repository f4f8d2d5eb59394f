//! A request whose answer may wait for input (2026-07-28): what the server wants is asked for, and
//! the request is made again with it, as often as it wants, up to a cap. The older era's error that
//! an address must be opened first is driven the same way.

use super::Inner;
use super::request::{Patience, dressed, once};
use crate::conversation::{Ask, Tool};
use crate::{ConnectionError, During};
use futures::future::join_all;
use protocol::{CallId, Era};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// How often a server may ask back before it answers.
const ROUNDS: usize = 10;
/// Things that a server may want in one round.
const WANTS: usize = 32;
/// `URLElicitationRequired` of 2025-11-25.
const URL_REQUIRED: i32 = -32_042;

/// What is wanted of a server.
pub(super) struct Wanted<'a> {
    pub(super) method: &'static str,
    /// What is called, of a call only.
    pub(super) tool: Option<Tool<'a>>,
    /// All other parameters.
    pub(super) params: Map<String, Value>,
    pub(super) call: Option<CallId>,
    /// The number of what is no call, by which who wants it is found.
    pub(super) number: Option<CallId>,
    pub(super) parameters: Vec<(String, String)>,
}

impl Wanted<'_> {
    fn during(&self) -> During {
        During::alone(self.call.clone(), self.number.clone())
    }
}

/// What came of it.
pub(super) enum Outcome {
    /// The answer.
    Done(Value),
    /// The server works on it as a task.
    Task(Value),
}

/// What a server wants before it goes on with a request, in its words. It can be written down, so
/// that the request can be made again in a later run; it may hold whatever the server knows.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// How many there were with this one.
    number: usize,
    /// What it wants.
    wants: Option<Map<String, Value>>,
    /// What it gets back as it came.
    state: Option<Value>,
}

impl Round {
    /// Reads an answer that is none yet.
    fn of(result: Value, number: usize) -> Result<Self, ConnectionError> {
        let Value::Object(mut result) = result else {
            return Err(ConnectionError::Unreadable {
                problem: "its result is no object".to_owned(),
            });
        };
        let wants = result.remove("inputRequests").filter(|all| !all.is_null());
        let wants = wants
            .map(serde_json::from_value)
            .transpose()
            .map_err(ConnectionError::unreadable)?;
        let state = result.remove("requestState");
        if wants.is_none() && state.is_none() {
            return Err(ConnectionError::Unreadable {
                problem: "it wants input and does not say which".to_owned(),
            });
        }
        Ok(Self {
            number,
            wants,
            state,
        })
    }
}

impl std::fmt::Debug for Round {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Round")
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

/// Asks until there is an answer; with a round that is open, for its input first.
pub(super) async fn drive(
    inner: &Inner,
    wanted: Wanted<'_>,
    mut open: Option<Round>,
    patience: &mut Patience,
) -> Result<Outcome, ConnectionError> {
    let mut rounds = 0;
    while rounds <= ROUNDS {
        let mut given = Map::new();
        if let Some(round) = open.take() {
            rounds = round.number;
            given = input(inner, round, wanted.during(), patience).await?;
        }
        let number = wanted.call.as_ref().or(wanted.number.as_ref());
        let mut params = dressed(inner, wanted.params.clone(), number);
        params.extend(given);
        // Unprefixed, as SEP-414 has it.
        if let Some(parent) = &patience.traceparent
            && let Value::Object(meta) = params.entry("_meta").or_insert_with(|| json!({}))
        {
            meta.insert("traceparent".to_owned(), parent.as_str().into());
        }
        let ask = Ask {
            tool: wanted.tool,
            listener: Some(patience.listener.clone()),
            call: wanted.call.clone(),
            number: wanted.number.clone(),
            parameters: wanted.parameters.clone(),
            ..Ask::new(wanted.method, params)
        };
        match once(inner, ask, patience).await {
            Err(ConnectionError::Server {
                code: URL_REQUIRED,
                data: Some(data),
                ..
            }) if inner.initialize_result.era == Era::Legacy => {
                rounds += 1;
                open_addresses(inner, *data, wanted.during(), patience).await?;
            }
            Err(error) => return Err(error),
            Ok(result) if inner.initialize_result.era == Era::Legacy => {
                return Ok(Outcome::Done(result));
            }
            Ok(result) => match result
                .get("resultType")
                .and_then(Value::as_str)
                .unwrap_or("complete")
            {
                "complete" => return Ok(Outcome::Done(result)),
                "task" if wanted.method == "tools/call" => return Ok(Outcome::Task(result)),
                "input_required" => {
                    rounds += 1;
                    open = Some(Round::of(result, rounds)?);
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
    round: Round,
    during: During,
    patience: &mut Patience,
) -> Result<Map<String, Value>, ConnectionError> {
    // Where nothing is wanted nobody thinks: the request is made again at once.
    let rounds = patience.rounds.clone().filter(|_| round.wants.is_some());
    if let Some(rounds) = &rounds {
        rounds.opens(&round).await;
    }
    let mut given = Map::new();
    if let Some(wants) = round.wants {
        let answers = answers(inner, wants, during, patience).await?;
        given.insert("inputResponses".to_owned(), Value::Object(answers));
    }
    if let Some(state) = round.state {
        given.insert("requestState".to_owned(), state);
    }
    match rounds {
        Some(rounds) if !rounds.closes().await => Err(ConnectionError::Cancelled),
        _ => Ok(given),
    }
}

/// Answers to everything in a map of input requests, all asked at once. Time in which people think
/// does not count.
pub(super) async fn answers(
    inner: &Inner,
    wants: Map<String, Value>,
    during: During,
    patience: &mut Patience,
) -> Result<Map<String, Value>, ConnectionError> {
    if wants.len() > WANTS {
        return Err(ConnectionError::TooManyRounds {
            rounds: wants.len(),
        });
    }
    let handler = inner.conversation.handler();
    let one = async |key: String, mut want: Value| {
        let method = want
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let params = want.get_mut("params").map(Value::take);
        let during = During {
            key: Some(key.clone()),
            ..during.clone()
        };
        match handler.reply(&method, params, Some(during)).await {
            Ok(reply) => Ok((key, reply)),
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
    during: During,
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
    let answers = answers(inner, wants, during, patience).await?;
    if answers
        .values()
        .any(|reply| reply.get("action").and_then(Value::as_str) != Some("accept"))
    {
        return Err(ConnectionError::NotGiven {
            method: "elicitation/create".to_owned(),
        });
    }
    patience.hold(true);
    let done = tokio::select! {
        () = inner.conversation.handler().finished(&ids) => Ok(()),
        () = tokio::time::sleep(inner.limits.call_maximum) => Err(ConnectionError::TimedOut { after: inner.limits.call_maximum }),
        () = patience.cancelled.cancelled() => Err(ConnectionError::Cancelled),
        () = inner.ending.over() => Err(inner.ending.error()),
    };
    patience.hold(false);
    done
}
