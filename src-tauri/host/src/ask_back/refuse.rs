//! What a server asks for and nobody may be asked for: refused at once, written to the log, told to every surface.

use crate::Host;
use crate::api::{AskRefusal, HostEvent};
use protocol::{CallId, ServerId};
use store::{Entry, Event};

/// Tells that something was refused.
pub(super) fn refuse(host: &Host, server: &ServerId, during: Vec<CallId>, why: AskRefusal) {
    let event = Event::AskRefused { why: why.key().to_owned() };
    let entry = Entry {
        at: host.now(),
        call: during.first().cloned(),
        caller: None,
        approver: None,
        server: Some(server.clone()),
        tool: None,
        event,
    };
    if let Err(error) = host.record(entry) {
        tracing::error!(%server, %error, "that a server was refused something could not be written to the log");
    }
    host.calls().refused_ask(&during, why);
    host.tell(HostEvent::AskRefused { server: server.clone(), during, why });
}
