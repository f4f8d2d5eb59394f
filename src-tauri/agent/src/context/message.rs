//! How the things of a conversation are written in a request.

use super::{Inclusion, Source, Unit};
use crate::request::{CallResult, Message, ResultPart};
use crate::{Call, Closing, ModelCall, Outcome, Reply, ReplyPart, Setting};
use std::collections::HashSet;

/// The longest name of a tool that every service takes, in characters.
const LONGEST_NAME: usize = 64;

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
            messages.says(unit.parts(setting));
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
        parts: unit.parts(setting),
        is_error,
    }
}
