//! What a server asks for and nobody may be asked for: refused at once, written to the log, told to
//! every surface.

use crate::Calls;
use api::{AskRefusal, HostEvent};
use protocol::{CallId, ServerId};
use store::{Entry, Event};

/// Tells that something was refused.
pub(super) fn refuse(calls: &Calls, server: &ServerId, during: Vec<CallId>, why: AskRefusal) {
    let event = Event::AskRefused {
        why: why.key().to_owned(),
    };
    let entry = Entry {
        call: during.first().cloned(),
        server: Some(server.clone()),
        ..Entry::new(calls.now(), event)
    };
    if let Err(error) = calls.record(entry) {
        tracing::error!(%server, %error, "that a server was refused something could not be written to the log");
    }
    calls.running().refused_ask(&during, why);
    calls.publish(HostEvent::AskRefused {
        server: server.clone(),
        during,
        why,
    });
}
