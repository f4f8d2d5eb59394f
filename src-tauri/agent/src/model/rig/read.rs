//! What the codecs make of a reply, in our types.

use super::guard::Guard;
use super::{Queue, lock, quietly};
use crate::model::{Failure, MOST_CALLS, StreamEvent, failure};
use crate::{ModelCall, Reply, ReplyPart, StopReason, Usage};
use futures::Stream as _;
use protocol::ModelService;
use rig_core::completion::{CompletionResponse, FinishReason};
use rig_core::error::ProviderError;
use rig_core::message::{self as rig, AssistantContent, MimeType};
use rig_core::streaming::{CompletionStream, Item, PartKind, StreamEvent as RigEvent};
use serde_json::{Value, json};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Reads a reply.
pub(in crate::model) struct Reader {
    stream: CompletionStream,
    queue: Queue,
    wire: ModelService,
    guard: Guard,
    calls: usize,
    /// The codec has all that it waits for.
    is_read: bool,
    /// The service refuses, and sends no reply.
    refusal: Option<String>,
}

impl Reader {
    pub(super) fn new(stream: CompletionStream, queue: Queue, wire: ModelService) -> Self {
        Self {
            stream,
            queue,
            wire,
            guard: Guard::new(wire),
            calls: 0,
            is_read: false,
            refusal: None,
        }
    }

    pub(in crate::model) fn is_whole(&self) -> bool {
        self.is_read && self.guard.has_end()
    }

    pub(in crate::model) fn push(
        &mut self,
        frames: impl IntoIterator<Item = String>,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), Failure> {
        for frame in frames {
            if self.is_whole() {
                break;
            }
            self.guard.look(&frame)?;
            lock(&self.queue).frames.push_back(frame);
            self.read(events)?;
        }
        Ok(())
    }

    fn read(&mut self, events: &mut Vec<StreamEvent>) -> Result<(), Failure> {
        while !self.is_read {
            let mut context = Context::from_waker(Waker::noop());
            match quietly(|| Pin::new(&mut self.stream).poll_next(&mut context)) {
                Poll::Pending => return Ok(()),
                Poll::Ready(None) => self.is_read = true,
                Poll::Ready(Some(Err(error))) => {
                    let report = error.report();
                    if !report.refusal {
                        return Err(failure(&error));
                    }
                    self.refusal = Some(failure::short(words(&error).unwrap_or(&report.message)));
                    self.is_read = true;
                }
                Poll::Ready(Some(Ok(item))) => events.extend(self.event(item)?),
            }
        }
        Ok(())
    }

    fn event(&mut self, item: Item<RigEvent>) -> Result<Option<StreamEvent>, Failure> {
        // What nobody knows is kept out of the way and is no reason to fail.
        let Item::Event(event) = item else {
            return Ok(None);
        };
        Ok(match event {
            RigEvent::Text { text, .. } => Some(StreamEvent::Text(text)),
            RigEvent::Reasoning { text, .. } => Some(StreamEvent::Reasoning(text)),
            RigEvent::Start { kind, name, .. } => {
                self.guard.add_part()?;
                if kind != PartKind::ToolCall {
                    return Ok(None);
                }
                self.calls += 1;
                if self.calls > MOST_CALLS {
                    return Err(Failure::TooManyCalls { limit: MOST_CALLS });
                }
                name.map(|name| StreamEvent::CallBegan {
                    name: name.as_str().to_owned(),
                })
            }
            _ => None,
        })
    }

    pub(in crate::model) fn finish(mut self) -> Result<Reply, Failure> {
        lock(&self.queue).is_over = true;
        self.read(&mut Vec::new())?;
        if let Some(reason) = self.refusal {
            let stop = StopReason::Refused { reason };
            return Ok(Reply {
                stop,
                ..Reply::default()
            });
        }
        if !self.guard.has_end() {
            return Err(Failure::CutOff);
        }
        let wire = self.wire;
        let mut finishing = Box::pin(self.stream.finish());
        let mut context = Context::from_waker(Waker::noop());
        match quietly(|| finishing.as_mut().poll(&mut context)) {
            Poll::Ready(Ok(response)) => reply(response, wire),
            Poll::Ready(Err(error)) => Err(failure(&error)),
            Poll::Pending => Err(Failure::CutOff),
        }
    }
}

fn reply(response: CompletionResponse, wire: ModelService) -> Result<Reply, Failure> {
    let stop = stop(&response, wire)?;
    let origin = serde_json::to_value(&response.origin).ok();
    let usage = Usage {
        input: response.usage.input_tokens,
        output: response.usage.output_tokens,
        cached: response.usage.cached_input_tokens,
        reasoning: response.usage.reasoning_tokens,
    };
    let parts = response.choice.into_iter().filter_map(reply_part).collect();
    Ok(Reply {
        parts,
        usage,
        stop,
        origin,
    })
}

fn stop(response: &CompletionResponse, wire: ModelService) -> Result<StopReason, Failure> {
    let native = response.raw.get("stop_reason").and_then(Value::as_str);
    if wire == ModelService::Anthropic && native == Some("pause_turn") {
        return Ok(StopReason::Paused);
    }
    let said = response.error.as_deref();
    match (response.finish_reason(), response.stop()) {
        (Some(FinishReason::ContentFilter), _) => Ok(StopReason::Refused {
            reason: failure::short(said.unwrap_or("content_filter")),
        }),
        (Some(FinishReason::Other(reason)), _) => Err(unknown_stop(said.unwrap_or(&reason))),
        _ if said.is_some() => Err(unknown_stop(said.unwrap_or_default())),
        (_, rig::StopReason::Length) => Ok(StopReason::Length),
        (_, rig::StopReason::Stop | rig::StopReason::ToolUse) => Ok(StopReason::End),
        _ => Err(unknown_stop("unknown")),
    }
}

fn unknown_stop(reason: &str) -> Failure {
    Failure::UnknownStopReason {
        reason: failure::short(reason),
    }
}

fn reply_part(content: AssistantContent) -> Option<ReplyPart> {
    let native = content.native_item().cloned();
    Some(match content {
        AssistantContent::Text(text) => ReplyPart::Text {
            text: text.text,
            native,
        },
        AssistantContent::Reasoning(reasoning) => ReplyPart::Reasoning {
            text: reasoning.text,
            native: native.map(|item| json!({"item": item, "redacted": reasoning.redacted})),
        },
        AssistantContent::ToolCall(call) => ReplyPart::Call(ModelCall {
            provider_id: call.id.provider().map(|id| id.as_str().to_owned()),
            name: call.function.name.as_str().to_owned(),
            arguments: call.function.arguments,
            invalid: call.function.invalid_arguments,
            native,
        }),
        AssistantContent::Image(image) => {
            let mime_type = image.media_type.as_ref().map(MimeType::to_mime_type);
            let rig::DocumentSourceKind::Base64(data) = image.data else {
                return None;
            };
            ReplyPart::Image {
                data,
                // Where it is not known, nobody is to take it for a kind that can be shown.
                mime_type: mime_type.unwrap_or("application/octet-stream").to_owned(),
                native,
            }
        }
        AssistantContent::Opaque(opaque) => ReplyPart::Opaque {
            native: serde_json::to_value(opaque).ok()?,
        },
        _ => return None,
    })
}

fn failure(error: &ProviderError) -> Failure {
    match error {
        ProviderError::Truncated => Failure::CutOff,
        ProviderError::Json(problem) => Failure::Unreadable {
            problem: failure::short(&problem.to_string()),
        },
        ProviderError::ProviderResponse(response) => {
            let message = failure::message_of(response.body.as_bytes());
            Failure::Service {
                message: message.unwrap_or_else(|| failure::short(&response.body)),
            }
        }
        other => Failure::Service {
            message: words(other)
                .map_or_else(|| failure::short(&other.to_string()), failure::short),
        },
    }
}

/// What went wrong, without the codec's own name for it.
fn words(error: &ProviderError) -> Option<&str> {
    match error {
        ProviderError::Response(message) | ProviderError::Provider(message) => Some(message),
        other => other
            .provider_response()
            .map(|response| response.body.as_str()),
    }
}
