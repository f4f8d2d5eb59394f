//! Because of what a client is asked: its call, or something else that it wants of a server.
//!
//! Always true here: what it is told and what it answers is judged like what it has sent because of
//! which it is asked, with everything as it is now.

use crate::client_route::{Sent, SentOffer, SentRequest};
use crate::found::{Found, find};
use crate::{Calls, rules};
use inspect::Finding;
use policy::flow::Concern;
use policy::{FilledIn, PolicyDecision, ServerRequest};
use protocol::{CallId, Caller, ConversationId, ServerId, ToolCall, ToolName, ToolResult};
use serde_json::{Map, Value};
use std::sync::Arc;
use store::Entry;

/// Because of what a client is asked.
pub(super) enum Cause {
    Call(Arc<ToolCall>, Box<Found>),
    Request(Box<SentRequest>),
}

impl Cause {
    /// What was sent, as it is found now; nothing where that is not there any more.
    pub(super) fn of(calls: &Calls, sent: Sent) -> Option<Self> {
        Some(match sent {
            Sent::Call(call) => {
                let found = find(calls, &call.server, &call.tool).ok()?;
                Self::Call(call, Box::new(found))
            }
            Sent::Request(request) => Self::Request(request),
        })
    }

    pub(super) fn server(&self) -> &ServerId {
        match self {
            Self::Call(call, _) => &call.server,
            Self::Request(request) => &request.server,
        }
    }

    pub(super) fn caller(&self) -> &Caller {
        match self {
            Self::Call(call, _) => &call.caller,
            Self::Request(request) => &request.surface.caller,
        }
    }

    /// The call, if it is one.
    pub(super) fn call(&self) -> Option<&CallId> {
        match self {
            Self::Call(call, _) => Some(&call.id),
            Self::Request(_) => None,
        }
    }

    /// What the log says of it beside what happened.
    pub(super) fn entry(&self, entry: Entry) -> Entry {
        Entry {
            call: self.call().cloned(),
            caller: Some(self.caller().clone()),
            conversation: Some(self.conversation().clone()),
            server: Some(self.server().clone()),
            tool: self.tool().cloned(),
            ..entry
        }
    }

    fn conversation(&self) -> &ConversationId {
        match self {
            Self::Call(call, _) => &call.conversation,
            Self::Request(request) => &request.surface.conversation,
        }
    }

    fn tool(&self) -> Option<&ToolName> {
        match self {
            Self::Call(call, _) => Some(&call.tool),
            Self::Request(_) => None,
        }
    }

    /// What the rules say about telling it something in which this was found.
    pub(super) async fn on_return(&self, calls: &Calls, findings: &[Finding]) -> PolicyDecision {
        let SentRequest {
            surface,
            server,
            offer,
        } = match self {
            Self::Call(call, _) => return rules::on_return(calls, call, findings).await,
            Self::Request(request) => request.as_ref(),
        };
        let caller = &surface.caller;
        match offer {
            SentOffer::Read(read) => rules::on_reply(calls, caller, server, read, findings).await,
            SentOffer::Prompt(get) => rules::on_reply(calls, caller, server, get, findings).await,
        }
    }

    /// Remembers what it was told as a stranger's words.
    pub(super) fn heard(&self, calls: &Calls, told: &ToolResult) {
        let (conversations, now) = (calls.conversations(), calls.now());
        match self {
            Self::Call(call, found) => {
                let (known, mark) = (found.tool.known.as_ref(), found.tool.mark);
                conversations.heard(call, Some(known), mark, told, now);
            }
            Self::Request(request) => {
                let named = match &request.offer {
                    SentOffer::Read(read) => &read.uri,
                    SentOffer::Prompt(get) => &get.name,
                };
                conversations.read(&request.surface, &request.server, named, told, now);
            }
        }
    }

    /// What speaks against what it filled in, and what the rules say to that.
    pub(super) async fn judge(
        &self,
        calls: &Calls,
        content: &Map<String, Value>,
    ) -> Option<(PolicyDecision, Vec<Concern>)> {
        let request = match self {
            Self::Call(call, found) => {
                let filled_in = ToolCall {
                    arguments: content.clone(),
                    ..ToolCall::clone(call)
                };
                let tool = &found.tool;
                let conversations = calls.conversations();
                let concerns = conversations.check(&filled_in, &tool.known, tool.mark);
                let ruling = rules::on_call(calls, &found.now, &filled_in, &concerns).await;
                return Some((ruling, concerns));
            }
            Self::Request(request) => request,
        };
        match &request.offer {
            SentOffer::Read(read) => request.judge(calls, read, content).await,
            SentOffer::Prompt(get) => request.judge(calls, get, content).await,
        }
    }
}

impl SentRequest {
    async fn judge<R: ServerRequest>(
        &self,
        calls: &Calls,
        of: &R,
        content: &Map<String, Value>,
    ) -> Option<(PolicyDecision, Vec<Concern>)> {
        let filled_in = FilledIn {
            of: of.clone(),
            content: content.clone(),
        };
        let now = calls.registry().now(&self.server).ok()?;
        let conversations = calls.conversations();
        let concerns = conversations.check_filled_in(&self.surface, &self.server, content);
        let caller = &self.surface.caller;
        let ruling = rules::on_request(calls, caller, &now, &filled_in, &concerns).await;
        Some((ruling, concerns))
    }
}
