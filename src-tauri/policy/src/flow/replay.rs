//! A recorded conversation, played again: which calls would have been asked about.
//!
//! Reads `{"messages": [{"role", "content", "tool_calls"}]}`, or the list alone; of a call,
//! `function` and `args`, or OpenAI's or Anthropic's nesting of them. Results belong to calls by
//! their id where there is one, else in order.

use super::concern::{Concern, Source, Why};
use super::conversation::{Conversation, Message};
use super::record::{Call, Said, said};
use protocol::Confidentiality;
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;

/// Most messages of one conversation.
const MAX_MESSAGES: usize = 100_000;

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// Which message, counted from 0.
    pub message: usize,
    /// Which call of it, counted from 0.
    pub call: usize,
    /// The value, or the act, that matters most.
    pub value: String,
    /// Where it came from.
    pub origin: Source,
    /// The reason as a sentence.
    pub why: String,
    /// The reason as a word.
    pub kind: Why,
    /// Everything else that the question names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Concern>,
}

/// Why a record cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It holds no list of messages.
    #[error("the record holds no list \"messages\"")]
    NoMessages,
    /// It is too long.
    #[error("the record has {0} messages; at most {MAX_MESSAGES} are played")]
    TooLong(usize),
    /// A message cannot be read.
    #[error("message {message}: {problem}")]
    BadMessage {
        /// Which, counted from 0.
        message: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// Plays a record. Every question is taken to be answered with yes, since the record went on.
pub fn replay(record: &Value) -> Result<Vec<Asked>, ReplayError> {
    let messages = record
        .as_array()
        .or_else(|| record.get("messages")?.as_array())
        .ok_or(ReplayError::NoMessages)?;
    if messages.len() > MAX_MESSAGES {
        return Err(ReplayError::TooLong(messages.len()));
    }
    let mut conversation = Conversation::new();
    let mut waiting: VecDeque<Call> = VecDeque::new();
    let mut asked = Vec::new();
    for (number, message) in messages.iter().enumerate() {
        conversation.messages = number;
        for said in said(message).map_err(|problem| ReplayError::BadMessage {
            message: number,
            problem,
        })? {
            match said {
                Said::Host(text) => drop(conversation.observe(Message::Host { text: &text }, None)),
                Said::Person(text) => {
                    drop(conversation.observe(Message::Person { text: &text }, None))
                }
                Said::Model(calls) => {
                    conversation.observe(Message::Model, None);
                    // A call without a result must not shift the results of the next ones.
                    waiting.clear();
                    for (place, call) in calls.into_iter().enumerate() {
                        let concerns = conversation.check(&call.proposed());
                        conversation.settle(&concerns);
                        conversation.runs(&call.proposed());
                        asked.extend(question(number, place, concerns));
                        waiting.push_back(call);
                    }
                }
                Said::Result {
                    id,
                    call: beside,
                    text,
                } => {
                    let call = take(&mut waiting, id.as_deref()).or(beside);
                    let call = call.as_ref().map(Call::proposed);
                    conversation.observe(
                        Message::Result {
                            call,
                            text: &text,
                            confidentiality: Confidentiality::Private,
                        },
                        None,
                    );
                }
            }
        }
    }
    Ok(asked)
}

fn question(message: usize, call: usize, mut concerns: Vec<Concern>) -> Option<Asked> {
    if concerns.is_empty() {
        return None;
    }
    let first = concerns.remove(0);
    Some(Asked {
        message,
        call,
        why: first.sentence(),
        kind: first.why,
        value: first.value,
        origin: first.source,
        also: concerns,
    })
}

/// The call that an answer belongs to: by its id; where either has none, the first that still
/// waits.
fn take(waiting: &mut VecDeque<Call>, id: Option<&str>) -> Option<Call> {
    let at = match id {
        Some(id) => waiting
            .iter()
            .position(|call| call.id() == Some(id))
            .or_else(|| waiting.iter().position(|call| call.id().is_none()))?,
        None => 0,
    };
    waiting.remove(at)
}
