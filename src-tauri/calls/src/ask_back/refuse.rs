//! What a server asks for and nobody may be asked for: refused at once, written to the log, told to
//! every surface. However often it asks, that is a few records a minute.

use crate::Calls;
use crate::floods::MINUTE;
use crate::refused_asks::Noted;
use api::{AskRefusal, HostEvent};
use protocol::{CallId, ServerId};
use store::{Entry, Event};

/// Tells that something was refused.
pub(super) fn refuse(calls: &Calls, server: &ServerId, during: Vec<CallId>, why: AskRefusal) {
    calls.running().refused_ask(&during, why);
    match calls.refused_asks().note(server, why, calls.now()) {
        Noted::Alone => tell(calls, server, during, why, 1),
        Noted::First => {
            let (weak, server) = (calls.weak(), server.clone());
            tokio::spawn(async move {
                tokio::time::sleep(MINUTE).await;
                if let Some(calls) = weak.upgrade() {
                    let times = calls.refused_asks().take(&server, why);
                    tell(&calls, &server, Vec::new(), why, times);
                }
            });
        }
        Noted::Counted => {}
    }
}

fn tell(calls: &Calls, server: &ServerId, during: Vec<CallId>, why: AskRefusal, times: u32) {
    let event = Event::AskRefused {
        why: why.key().to_owned(),
        times,
    };
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
        times,
    });
}
