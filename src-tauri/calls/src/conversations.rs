//! What strangers have said in each conversation, so that it cannot silently steer what is done in
//! it next.
//!
//! Always true here:
//! - what a person fills in by hand is the person's own word: nothing there is asked about;
//! - what was told otherwise in a conversation is remembered as its server's word until the
//!   application ends, whoever asks in that conversation;
//! - an answered question settles a value, never a label.

use policy::flow::{Concern, Conversation, Message, Proposed, Why};
use policy::{ServerRequest, Target, ToolFlags};
use protocol::{
    Confidentiality, ConversationId, Origin, ServerId, Timestamp, ToolCall, ToolResult, ToolSpec,
};
use serde_json::{Map, Value};
use servers::Surface;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What the reading of a resource is called where a tool is named.
const READ: &str = "read_resource";

/// All of them, by their numbers.
#[derive(Default)]
pub struct Conversations {
    by_id: Mutex<HashMap<ConversationId, Conversation>>,
}

impl Conversations {
    fn of<R>(&self, id: &ConversationId, look: impl FnOnce(&mut Conversation) -> R) -> R {
        let mut all = self.by_id.lock().unwrap_or_else(PoisonError::into_inner);
        look(all.entry(id.clone()).or_default())
    }

    /// What speaks against a call, gravest first.
    pub(crate) fn check(&self, call: &ToolCall, tool: &ToolSpec, mark: ToolFlags) -> Vec<Concern> {
        if call.by_hand {
            return Vec::new();
        }
        self.of(&call.conversation, |said| {
            strangers_words(said.check(&proposed(call, tool, mark)))
        })
    }

    /// What speaks against something else that is wanted to be sent to a server.
    pub(crate) fn check_request<R: ServerRequest>(
        &self,
        surface: &Surface,
        server: &ServerId,
        request: &R,
    ) -> Vec<Concern> {
        if surface.is_by_hand() || request.target() == Target::Server {
            return Vec::new();
        }
        let arguments = request.chosen();
        let proposed = Proposed {
            server: Some(server),
            tool: READ,
            spec: None,
            mark: ToolFlags::default(),
            arguments: &arguments,
        };
        self.of(&surface.conversation, |said| {
            strangers_words(said.check(&proposed))
        })
    }

    /// Notes that a person was asked about these and said yes.
    pub(crate) fn settle(&self, conversation: &ConversationId, concerns: &[Concern]) {
        if !concerns.is_empty() {
            self.of(conversation, |said| said.settle(concerns));
        }
    }

    /// Notes that a call runs.
    pub(crate) fn runs(&self, call: &ToolCall, tool: &ToolSpec, mark: ToolFlags) {
        if !call.by_hand {
            self.of(&call.conversation, |said| {
                said.runs(&proposed(call, tool, mark));
            });
        }
    }

    /// Notes what a server has said to a call. `mark` is what the person says about the tool.
    pub(crate) fn heard(
        &self,
        call: &ToolCall,
        tool: Option<&ToolSpec>,
        mark: ToolFlags,
        answer: &ToolResult,
        now: Timestamp,
    ) {
        if call.by_hand {
            return;
        }
        let call_of = Proposed {
            server: Some(&call.server),
            tool: call.tool.as_str(),
            spec: tool,
            mark,
            arguments: &call.arguments,
        };
        let text = answer.as_text();
        let confidentiality = if mark.secret {
            Confidentiality::Secret
        } else {
            Confidentiality::Private
        };
        let message = Message::Result {
            call: Some(call_of),
            text: &text,
            confidentiality,
        };
        self.of(&call.conversation, |said| said.observe(message, Some(now)));
    }

    /// Notes what a server has given to read, by its address.
    pub(crate) fn read(
        &self,
        surface: &Surface,
        server: &ServerId,
        uri: &str,
        answer: &ToolResult,
        now: Timestamp,
    ) {
        if surface.is_by_hand() {
            return;
        }
        let arguments = Map::from_iter([("uri".to_owned(), Value::from(uri))]);
        let call = Proposed {
            server: Some(server),
            tool: READ,
            spec: None,
            mark: ToolFlags::default(),
            arguments: &arguments,
        };
        let text = answer.as_text();
        let message = Message::Result {
            call: Some(call),
            text: &text,
            confidentiality: Confidentiality::Private,
        };
        self.of(&surface.conversation, |said| {
            said.observe(message, Some(now))
        });
    }
}

/// What a person has said in these conversations is not known here. So nothing counts as unasked or
/// unnamed: only what a server has said does.
fn strangers_words(mut concerns: Vec<Concern>) -> Vec<Concern> {
    concerns.retain(|concern| {
        concern.why != Why::UnaskedAct && concern.source.origin != Origin::Unknown
    });
    concerns
}

fn proposed<'a>(call: &'a ToolCall, tool: &'a ToolSpec, mark: ToolFlags) -> Proposed<'a> {
    Proposed {
        server: Some(&call.server),
        tool: call.tool.as_str(),
        spec: Some(tool),
        mark,
        arguments: &call.arguments,
    }
}
