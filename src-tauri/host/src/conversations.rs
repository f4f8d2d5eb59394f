//! What strangers have said to each caller, so that it cannot silently steer what the caller does next.
//!
//! Always true here:
//! - what a person fills in by hand in the window is the person's own word: nothing there is asked about;
//! - what every other caller was told by a server is remembered as that server's word until the application ends;
//! - an answered question settles a value, never a label.

use crate::Host;
use policy::Mark;
use policy::flow::{Concern, Conversation, Message, Proposed, Why};
use protocol::{Caller, Confidentiality, Origin, ServerId, ToolAnswer, ToolCall, ToolSpec};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What the reading of a resource is called where a tool is named.
pub(crate) const READ: &str = "read_resource";

#[derive(Default)]
pub(crate) struct Conversations {
    by_caller: Mutex<HashMap<Caller, Conversation>>,
}

impl Conversations {
    fn of<R>(&self, caller: &Caller, look: impl FnOnce(&mut Conversation) -> R) -> R {
        let mut all = self.by_caller.lock().unwrap_or_else(PoisonError::into_inner);
        look(all.entry(caller.clone()).or_default())
    }

    /// What speaks against a call, gravest first.
    ///
    /// What a person has said to these callers is not known here. So nothing counts as unasked or unnamed: only what a server has
    /// said does.
    pub(crate) fn check(&self, call: &ToolCall, tool: &ToolSpec, mark: Mark) -> Vec<Concern> {
        if is_the_person(&call.caller) {
            return Vec::new();
        }
        let mut concerns = self.of(&call.caller, |said| said.check(&proposed(call, tool, mark)));
        concerns.retain(|concern| concern.why != Why::UnaskedAct && concern.source.origin != Origin::Unknown);
        concerns
    }

    /// Notes that a person was asked about these and said yes.
    pub(crate) fn settle(&self, caller: &Caller, concerns: &[Concern]) {
        if !concerns.is_empty() {
            self.of(caller, |said| said.settle(concerns));
        }
    }

    /// Notes that a call runs.
    pub(crate) fn runs(&self, call: &ToolCall, tool: &ToolSpec, mark: Mark) {
        if !is_the_person(&call.caller) {
            self.of(&call.caller, |said| said.runs(&proposed(call, tool, mark)));
        }
    }
}

/// Notes what a server has told a caller.
pub(crate) fn heard(host: &Host, call: &ToolCall, tool: Option<&ToolSpec>, answer: &ToolAnswer) {
    if is_the_person(&call.caller) {
        return;
    }
    let mark = host.kept().with(&call.server, |kept| kept.mark(&call.tool)).unwrap_or_default();
    let call_of = Proposed { server: Some(&call.server), tool: call.tool.as_str(), spec: tool, mark, arguments: &call.arguments };
    let text = answer.as_text();
    let confidentiality = if mark.secret { Confidentiality::Secret } else { Confidentiality::Private };
    let message = Message::Result { call: Some(call_of), text: &text, confidentiality };
    host.conversations().of(&call.caller, |said| said.observe(message, Some(host.now())));
}

/// Notes what a server has given a caller to read, by its address.
pub(crate) fn read(host: &Host, caller: &Caller, server: &ServerId, uri: &str, answer: &ToolAnswer) {
    if is_the_person(caller) {
        return;
    }
    let arguments = Map::from_iter([("uri".to_owned(), Value::from(uri))]);
    let call = Proposed { server: Some(server), tool: READ, spec: None, mark: Mark::default(), arguments: &arguments };
    let text = answer.as_text();
    let message = Message::Result { call: Some(call), text: &text, confidentiality: Confidentiality::Private };
    host.conversations().of(caller, |said| said.observe(message, Some(host.now())));
}

fn is_the_person(caller: &Caller) -> bool {
    matches!(caller, Caller::Window)
}

fn proposed<'a>(call: &'a ToolCall, tool: &'a ToolSpec, mark: Mark) -> Proposed<'a> {
    Proposed { server: Some(&call.server), tool: call.tool.as_str(), spec: Some(tool), mark, arguments: &call.arguments }
}
