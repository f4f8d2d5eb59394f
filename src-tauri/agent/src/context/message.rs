//! How the things of a conversation are written in a request.

use super::{IMAGE_TOKENS, Source, Unit};
use crate::request::{CallResult, Message, ResultPart};
use crate::{
    Call, Closing, Inclusion, LabelledResult, ModelCall, Outcome, Reply, ReplyPart, Said, Setting,
    Unknown,
};
use protocol::{
    Boundary, Content, DataSource, Label, Provenance, Timestamp, ToolResult, envelope,
    estimated_tokens,
};
use serde_json::Value;
use std::collections::HashSet;

/// The media types of pictures that every service takes.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The longest name of a tool that every service takes, in characters.
const LONGEST_NAME: usize = 64;

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
    if units.iter().any(|unit| unit.included == Inclusion::LeftOut) {
        messages.says(vec![ResultPart::text(MADE_ROOM)]);
    }
    let mut units = units.iter().peekable();
    while let Some(unit) = units.next() {
        if unit.included == Inclusion::LeftOut {
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

/// A call with an id of its own and a name that every service takes.
fn identified(wanted: &ModelCall, call: &Call, ids: &mut HashSet<String>) -> ModelCall {
    let mut wanted = wanted.clone();
    let name = plain_name(&wanted.name);
    if name != wanted.name {
        // The service's own form holds the name, too.
        wanted.native = None;
        wanted.name = name;
    }
    let own = wanted
        .provider_id
        .take()
        .filter(|id| !id.is_empty() && !ids.contains(id));
    let id = own.unwrap_or_else(|| call.id.as_str().to_owned());
    ids.insert(id.clone());
    wanted.provider_id = Some(id);
    wanted
}

/// A name that a model has made up, in letters that every service takes back.
fn plain_name(name: &str) -> String {
    let plain = |c: char| match c {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' => c,
        _ => '_',
    };
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars().map(plain).take(LONGEST_NAME).collect()
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
    let is_named = unit.included == Inclusion::Named;
    let parts = match unit.source {
        Source::Said(said) => said
            .iter()
            .flat_map(|said| spoken(said, is_named))
            .collect(),
        Source::LetGoOn => vec![ResultPart::text(LET_GO_ON)],
        Source::Result(call) if is_named => {
            vec![left_out("The answer to this call", &outcome(call))]
        }
        Source::Result(call) => outcome(call),
        Source::Reply { .. } => Vec::new(),
    };
    let has_room = unit.included < Inclusion::WithoutImages;
    let shown = |part| match part {
        ResultPart::Image { mime_type, .. } if !setting.sees_images => ResultPart::text(format!(
            "(A picture, {mime_type}, that the person can see and you cannot.)"
        )),
        ResultPart::Image { mime_type, .. } if !has_room => ResultPart::text(format!(
            "(A picture, {mime_type}, is left out to make room.)"
        )),
        part => part,
    };
    parts.into_iter().map(shown).collect()
}

fn left_out(what: &str, parts: &[ResultPart]) -> ResultPart {
    let tokens: u64 = parts.iter().map(tokens).sum();
    ResultPart::text(format!(
        "({what}, about {tokens} tokens, is left out to make room.)"
    ))
}

/// What the person says and attaches; where there is no room, of attachments only that they were
/// there.
fn spoken(said: &Said, is_named: bool) -> Vec<ResultPart> {
    let attachment = match said {
        Said::Text { text } => return vec![ResultPart::text(text)],
        Said::Attached { attachment } => attachment,
    };
    let source = DataSource::Attachment {
        name: attachment.name.clone(),
    };
    let from = provenance(source, attachment.at, &said.label());
    let result = ToolResult {
        content: attachment.content.clone(),
        ..ToolResult::default()
    };
    let parts = enclosed(&from, &result, &attachment.boundary);
    if is_named {
        return vec![left_out("What the person attached", &parts)];
    }
    parts
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

/// What a model is told of a call. No request is made while one has no outcome; were one made, nobody
/// would know of it.
fn outcome(call: &Call) -> Vec<ResultPart> {
    let unknown = Outcome::Unknown {
        why: Unknown::Stopped,
    };
    let outcome = call.outcome.as_ref().unwrap_or(&unknown);
    match (outcome, &call.tool) {
        (Outcome::Answered { answer }, Some(tool)) => {
            let source = DataSource::Tool {
                server: tool.server.clone(),
                tool: tool.tool.clone(),
            };
            answered(source, answer)
        }
        (outcome, _) => vec![ResultPart::text(outcome.words().unwrap_or_default())],
    }
}

fn answered(source: DataSource, answer: &LabelledResult) -> Vec<ResultPart> {
    let changed = answer.changed.as_ref().map(|sent| {
        let sent = Value::Object(sent.clone());
        ResultPart::text(format!(
            "The person has changed the arguments. This was sent: {sent}"
        ))
    });
    let from = provenance(source, answer.at, &answer.label);
    let parts = enclosed(&from, &answer.result, &answer.boundary);
    changed.into_iter().chain(parts).collect()
}

fn provenance(source: DataSource, at: Timestamp, label: &Label) -> Provenance {
    Provenance {
        source,
        at,
        trust: label.trust(),
        confidentiality: label.confidentiality(),
    }
}

/// What is nobody's word, between its marks.
fn enclosed(from: &Provenance, result: &ToolResult, boundary: &Boundary) -> Vec<ResultPart> {
    let parts = envelope(from, result, boundary).into_iter();
    let parts = parts.map(|part| match part {
        Content::Text { text, .. } => ResultPart::Text { text },
        Content::Image {
            data, mime_type, ..
        } => picture(&data, &mime_type),
        _ => ResultPart::text("(Something that only the person can hear or look at.)"),
    });
    parts.collect()
}

/// About how many tokens a part takes.
pub(super) fn tokens(part: &ResultPart) -> u64 {
    u64::from(match part {
        ResultPart::Text { text } => estimated_tokens(text),
        ResultPart::Image { .. } => IMAGE_TOKENS,
    })
}
