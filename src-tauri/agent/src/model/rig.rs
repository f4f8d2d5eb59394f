//! The words of five services, by the codecs of `rig-core`. Nothing beside this file and the two
//! below it names it.
//!
//! Always true here:
//! - it is used as a codec only: it is given no key, no connection and no loop, and what it would
//!   write to a log is dropped;
//! - no header and no query leaves but those that are known to carry no credential.

mod guard;
mod read;
mod write;

use super::{Failure, Framing, Outgoing, failure};
use crate::{ModelRef, Request};
use futures::Stream;
use protocol::ModelService;
use rig_core::driver::{Exchange, Model, Opened, Opening, Transport};
use rig_core::error::ProviderError;
use rig_core::providers::anthropic::AnthropicConfig;
use rig_core::providers::anthropic::wire::{Messages, ToolInputStreaming};
use rig_core::providers::gemini::GeminiConfig;
use rig_core::providers::gemini::completion::GenerateContent;
use rig_core::providers::ollama::{Chat as OllamaChat, OllamaConfig};
use rig_core::providers::openai::OpenAIConfig;
use rig_core::providers::openai::responses_api::wire::Responses;
use rig_core::providers::openai::wire::Chat;
use rig_core::wire::{Body, Encoded, Wire as RigWire, WireFrame};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tracing::dispatcher::{Dispatch, with_default};
use write::completion;

pub(super) use read::Reader;

/// The address that codecs are given; nothing is sent there.
const NOWHERE: &str = "http://model.invalid";
/// The headers that a service needs beside its credential.
const HEADERS: [&str; 3] = ["anthropic-beta", "anthropic-version", "content-type"];
/// What stands in an address that asks Gemini for events.
const QUERY: &str = "alt=";
type Queue = Arc<Mutex<Shared>>;

/// What the codec and whoever feeds it share.
#[derive(Default)]
struct Shared {
    encoded: Option<Encoded>,
    frames: VecDeque<String>,
    is_over: bool,
}

fn lock(queue: &Queue) -> MutexGuard<'_, Shared> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a request down instead of sending it, and gives the frames that are handed in.
#[derive(Clone, Default)]
struct Hands(Queue);

impl<W> Transport<W> for Hands
where
    W: RigWire<Payload = Encoded, Frame = WireFrame>,
{
    fn send(&self, payload: Encoded, _: Exchange) -> Opening<WireFrame> {
        lock(&self.0).encoded = Some(payload);
        Opening::ready(Opened::new(HandedIn(self.0.clone())))
    }
}

struct HandedIn(Queue);

impl Stream for HandedIn {
    type Item = Result<WireFrame, ProviderError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut shared = lock(&self.0);
        match shared.frames.pop_front() {
            Some(frame) => Poll::Ready(Some(Ok(WireFrame::Text(frame)))),
            None if shared.is_over => Poll::Ready(None),
            // Nobody is to be woken: whoever hands frames in polls.
            None => Poll::Pending,
        }
    }
}

/// Writes a request, and begins to read its reply.
pub(super) fn open(request: &Request) -> Result<(Outgoing, Framing, Reader), Failure> {
    check_name(&request.model)?;
    let hands = Hands::default();
    let body = completion(request)?;
    let name = request.model.name.clone();
    let stream = quietly(|| {
        let asked = match request.model.wire {
            ModelService::Anthropic => {
                let wire = Messages {
                    provider: AnthropicConfig::new("").with_base_url(NOWHERE),
                    model: name,
                    default_max_tokens: None,
                    prompt_caching: true,
                    static_prefix_cache_ttl: None,
                    strict_tools: false,
                    // What others do not know is not asked of a service that speaks these words.
                    tool_input_streaming: ToolInputStreaming::Off,
                };
                Model::new(wire, hands.clone()).stream(body)
            }
            ModelService::Responses => {
                let provider = openai();
                let wire = Responses {
                    system_instructions: provider.system_instructions_placement(),
                    provider,
                    model: name,
                    tools: Vec::new(),
                    strict_tools: false,
                };
                Model::new(wire, hands.clone()).stream(body)
            }
            ModelService::Chat => Model::new(Chat::new(openai(), name), hands.clone()).stream(body),
            ModelService::Gemini => {
                let provider = GeminiConfig::new("").with_base_url(NOWHERE);
                Model::new(GenerateContent::new(provider, name), hands.clone()).stream(body)
            }
            ModelService::Ollama => {
                let provider = OllamaConfig::new().with_base_url(NOWHERE);
                Model::new(OllamaChat::new(provider, name), hands.clone()).stream(body)
            }
        };
        asked.map_err(|error| Failure::Request {
            problem: failure::short(&error.to_string()),
        })
    })?;
    let encoded = lock(&hands.0)
        .encoded
        .take()
        .ok_or_else(|| not_written("there is nothing to send"))?;
    let framing = match request.model.wire {
        ModelService::Ollama => Framing::Lines,
        _ => Framing::Events,
    };
    let reader = Reader::new(stream, hands.0, request.model.wire);
    Ok((outgoing(encoded)?, framing, reader))
}

fn openai() -> OpenAIConfig {
    OpenAIConfig::new("").with_base_url(NOWHERE)
}

/// A codec would write requests and replies to the log at its finest level.
fn quietly<T>(doing: impl FnOnce() -> T) -> T {
    with_default(&Dispatch::none(), doing)
}

fn not_written(problem: &str) -> Failure {
    Failure::Request {
        problem: problem.to_owned(),
    }
}

/// With Gemini the name stands in the address, and is to lead nowhere else.
fn check_name(model: &ModelRef) -> Result<(), Failure> {
    let name = model.name.as_str();
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '/' | '@' | '+');
    let fits = match model.wire {
        ModelService::Gemini => name.chars().all(plain) && !name.contains(".."),
        _ => !name.chars().any(char::is_control),
    };
    (fits && (1..=256).contains(&name.len()))
        .then_some(())
        .ok_or_else(|| not_written("this is not the name of a model"))
}

/// What is sent, without the address and with nothing that could be a credential.
fn outgoing(encoded: Encoded) -> Result<Outgoing, Failure> {
    let (parts, body) = encoded.request.into_parts();
    let Body::Bytes(body) = body else {
        return Err(not_written("it is no JSON"));
    };
    let mut path = parts.uri.path().to_owned();
    let query = parts.uri.query().unwrap_or_default();
    let query: Vec<&str> = query
        .split('&')
        .filter(|pair| pair.starts_with(QUERY))
        .collect();
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let headers = parts
        .headers
        .iter()
        .filter(|(name, _)| HEADERS.contains(&name.as_str()));
    let headers = headers
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    Ok(Outgoing {
        path,
        headers: headers.collect(),
        body,
    })
}
