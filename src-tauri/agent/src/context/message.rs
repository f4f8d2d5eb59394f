//! How the things of a conversation are written in a request.

use super::{IMAGE_TOKENS, Source, Unit};
use crate::request::{CallResult, Message, ResultPart};
use crate::{
    Answer, Call, Closing, Kept, ModelCall, NotRun, Outcome, Reply, ReplyPart, Said, Setting,
};
use protocol::{Content, Provenance, envelope, estimated_tokens};
use serde_json::Value;
use std::collections::HashSet;

/// The media types of pictures that every service takes.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const LET_GO_ON: &str = "(The person lets you go on.)";
const MADE_ROOM: &str = "(Earlier parts of this conversation are left out, to make room.)";
const BROKE_OFF: &str = "(The answer above was broken off.)";
const PURSE_SPENT: &str = "(This turn has reached its limit, so no more tools can be called. \
    Answer with what you have, and say what is left to do.)";
const LOOPS: &str = "(The same calls keep having the same results, so no more tools can be called. \
    Answer with what you have, and say what you were trying to do.)";

/// The messages of a request. Neighbours that the same side speaks are one.
pub(super) fn messages(
    units: &[Unit<'_>],
    setting: &Setting,
    closing: Option<Closing>,
) -> Vec<Message> {
    let mut messages = Messages::default();
    let mut ids = HashSet::new();
    if units.iter().any(|unit| unit.kept == Kept::LeftOut) {
        messages.says(vec![ResultPart::text(MADE_ROOM)]);
    }
    let mut units = units.iter().peekable();
    while let Some(unit) = units.next() {
        if unit.kept == Kept::LeftOut {
            continue;
        }
        let Source::Reply {
            model,
            reply,
            calls,
            broke,
        } = unit.source
        else {
            messages.says(parts(unit, setting));
            continue;
        };
        let (parts, names) = rewritten(reply, calls, broke.is_some(), &mut ids);
        let breaks_off = broke.is_some() && !parts.is_empty();
        if !parts.is_empty() {
            messages.list.push(Message::Assistant {
                model: model.clone(),
                parts,
                origin: reply.origin.clone(),
            });
        }
        let mut results = Vec::new();
        let is_result = |unit: &&Unit<'_>| matches!(unit.source, Source::Result(_));
        for name in names {
            if let Some(unit) = units.next_if(is_result) {
                results.push(result(unit, name, setting));
            }
        }
        if !results.is_empty() {
            messages.list.push(Message::Results { results });
        }
        if breaks_off {
            messages.says(vec![ResultPart::text(BROKE_OFF)]);
        }
    }
    let note = match closing {
        Some(Closing::PurseSpent) => Some(PURSE_SPENT),
        Some(Closing::Loops) => Some(LOOPS),
        None => None,
    };
    messages.says(note.map(ResultPart::text).into_iter().collect());
    messages.list
}

#[derive(Default)]
struct Messages {
    list: Vec<Message>,
}

impl Messages {
    fn says(&mut self, more: Vec<ResultPart>) {
        match self.list.last_mut() {
            _ if more.is_empty() => {}
            Some(Message::User { parts }) => parts.extend(more),
            _ => self.list.push(Message::User { parts: more }),
        }
    }
}

/// A reply as it goes back, and for each of its calls the id and the name that it has there. An id
/// that another call of the conversation has is replaced by ours.
fn rewritten(
    reply: &Reply,
    calls: &[Call],
    is_broken: bool,
    ids: &mut HashSet<String>,
) -> (Vec<ReplyPart>, Vec<(String, String)>) {
    let mut calls = calls.iter();
    let mut names = Vec::new();
    let mut parts = Vec::new();
    for part in &reply.parts {
        parts.push(match part {
            ReplyPart::Call(wanted) => {
                let Some(call) = calls.next() else {
                    continue;
                };
                let call = identified(wanted, call, ids);
                let id = call.provider_id.clone().unwrap_or_default();
                names.push((id, call.name.clone()));
                ReplyPart::Call(call)
            }
            // What only makes sense with the end of its reply stays away without it.
            ReplyPart::Text { text, .. } if is_broken => {
                if text.trim().is_empty() {
                    continue;
                }
                ReplyPart::text(text)
            }
            _ if is_broken => continue,
            part => part.clone(),
        });
    }
    (parts, names)
}

fn identified(wanted: &ModelCall, call: &Call, ids: &mut HashSet<String>) -> ModelCall {
    let mut wanted = wanted.clone();
    let own = wanted
        .provider_id
        .take()
        .filter(|id| !id.is_empty() && !ids.contains(id));
    if own.is_none() {
        wanted.native = None;
    }
    let id = own.unwrap_or_else(|| call.id.as_str().to_owned());
    ids.insert(id.clone());
    wanted.provider_id = Some(id);
    wanted
}

fn result(unit: &Unit<'_>, (call, name): (String, String), setting: &Setting) -> CallResult {
    let is_error = match unit.source {
        Source::Result(call) => call.outcome.as_ref().is_none_or(Outcome::is_error),
        _ => true,
    };
    CallResult {
        call,
        name,
        parts: parts(unit, setting),
        is_error,
    }
}

/// What is sent of anything but a reply.
pub(super) fn parts(unit: &Unit<'_>, setting: &Setting) -> Vec<ResultPart> {
    let parts = match unit.source {
        Source::Said(said) => said.iter().map(from_said).collect(),
        Source::LetGoOn => vec![ResultPart::text(LET_GO_ON)],
        Source::Result(call) => outcome(call),
        Source::Reply { .. } => Vec::new(),
    };
    if unit.kept == Kept::Named {
        let tokens: u64 = parts.iter().map(tokens).sum();
        return vec![ResultPart::text(format!(
            "(The result, about {tokens} tokens, is left out to make room. The call was answered.)"
        ))];
    }
    let shows = setting.sees_images && unit.kept < Kept::WithoutImages;
    let shown = |part| match part {
        ResultPart::Image { mime_type, .. } if !shows => ResultPart::text(format!(
            "(A picture, {mime_type}, that the person can see and you cannot.)"
        )),
        part => part,
    };
    parts.into_iter().map(shown).collect()
}

fn from_said(said: &Said) -> ResultPart {
    match said {
        Said::Text { text } => ResultPart::text(text),
        Said::Image { data, mime_type } => picture(data, mime_type),
    }
}

/// A picture, if it is one that services take.
fn picture(data: &str, mime_type: &str) -> ResultPart {
    if !data.is_empty() && PICTURES.contains(&mime_type) {
        return ResultPart::Image {
            data: data.to_owned(),
            mime_type: mime_type.to_owned(),
        };
    }
    ResultPart::text("(A picture of a kind that only the person can look at.)")
}

/// What a model is told of a call. One that has no outcome yet is none that a request is made for;
/// were there one, it would have been stopped by that.
fn outcome(call: &Call) -> Vec<ResultPart> {
    let stopped = Outcome::NotRun {
        why: NotRun::Stopped,
    };
    let outcome = call.outcome.as_ref().unwrap_or(&stopped);
    match (outcome, &call.tool) {
        (Outcome::Answered { answer }, Some(tool)) => {
            let from = Provenance {
                server: tool.server.clone(),
                tool: tool.tool.clone(),
                at: answer.at,
                trust: answer.label.trust(),
                confidentiality: answer.label.confidentiality(),
            };
            answered(&from, answer)
        }
        (outcome, _) => vec![ResultPart::text(outcome.words().unwrap_or_default())],
    }
}

fn answered(from: &Provenance, answer: &Answer) -> Vec<ResultPart> {
    let changed = answer.changed.as_ref().map(|sent| {
        let sent = Value::Object(sent.clone());
        ResultPart::text(format!(
            "The person has changed the arguments. This was sent: {sent}"
        ))
    });
    let parts = envelope(from, &answer.result, &answer.boundary);
    let parts = parts.into_iter().map(|part| match part {
        Content::Text { text, .. } => ResultPart::Text { text },
        Content::Image {
            data, mime_type, ..
        } => picture(&data, &mime_type),
        _ => ResultPart::text("(Something that only the person can hear or look at.)"),
    });
    changed.into_iter().chain(parts).collect()
}

/// About how many tokens a part takes.
pub(super) fn tokens(part: &ResultPart) -> u64 {
    u64::from(match part {
        ResultPart::Text { text } => estimated_tokens(text),
        ResultPart::Image { .. } => IMAGE_TOKENS,
    })
}
