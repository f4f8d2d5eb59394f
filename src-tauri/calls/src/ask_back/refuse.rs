//! What a server asks for and nobody may be asked for: refused at once, written to the log, told to
//! every surface. However often it asks, that is a few records a minute.

use crate::Calls;
use api::{AskRefusal, HostEvent};
use protocol::{CallId, ServerId};
use store::{Entry, Event, Times};

/// Tells that something was refused.
pub(super) fn refuse(calls: &Calls, server: &ServerId, during: Vec<CallId>, why: AskRefusal) {
    calls.running().refused_ask(&during, why);
    let (weak, id) = (calls.weak(), server.clone());
    calls.tell_recurring(server, why.key(), move |times| {
        if let Some(calls) = weak.upgrade() {
            tell(&calls, &id, during, why, times);
        }
    });
}

fn tell(calls: &Calls, server: &ServerId, during: Vec<CallId>, why: AskRefusal, times: Times) {
    let event = Event::AskRefused {
        why: why.key().to_owned(),
        times,
    };
    // Of many only the last one would be named.
    let during = if times.get() == 1 { during } else { Vec::new() };
    let entry = Entry {
        call: during.first().cloned(),
        server: Some(server.clone()),
        ..Entry::new(calls.now(), event)
    };
    if let Err(error) = calls.record(entry) {
        tracing::error!(%server, %error, "that a server was refused something could not be written to the log");
    }
    calls.publish(HostEvent::AskRefused {
        server: server.clone(),
        during,
        why,
        times: times.get(),
    });
}
