//! The raw messages between us and a server, for a person who looks: values of held secrets
//! covered, and only told of in bursts.

use crate::Servers;
use crate::WeakServers;
use api::{FrameView, HostError, HostEvent, WireLog};
use connections::Message;
use inspect::Masker;
use protocol::{CallId, ServerId, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long messages are collected before surfaces are told that there are new ones.
const BURST: Duration = Duration::from_millis(250);

/// Tells that an exchange grew, once for a burst.
#[derive(Debug, Default)]
pub struct Grew(Arc<AtomicBool>);

impl Grew {
    /// Tells it, once for a burst.
    pub fn publish(&self, servers: &WeakServers, server: &ServerId) {
        if self.0.swap(true, Ordering::SeqCst) {
            return;
        }
        let (told, servers, server) = (Arc::clone(&self.0), servers.clone(), server.clone());
        tokio::spawn(async move {
            tokio::time::sleep(BURST).await;
            told.store(false, Ordering::SeqCst);
            if let Some(servers) = servers.upgrade() {
                servers.publish(HostEvent::ExchangeGrew { server });
            }
        });
    }
}

/// The newest messages between us and a server, of one call or all; none if it does not run.
pub fn list(servers: &Servers, id: &ServerId, call: Option<&CallId>) -> Result<WireLog, HostError> {
    let (id, connection) = servers
        .registry()
        .now(id)
        .map(|now| (now.row.id.clone(), now.run.connection.clone()))?;
    let messages = connection
        .map(|connection| connection.exchange())
        .unwrap_or_default();
    let dropped = messages.first().map_or(0, |message| message.number - 1);
    let (masker, now) = (servers.secrets().masker(), servers.now());
    let wanted = messages
        .into_iter()
        .filter(|message| call.is_none() || message.call.as_ref() == call);
    Ok(WireLog {
        server: id,
        frames: wanted.map(|message| view(message, &masker, now)).collect(),
        dropped,
    })
}

fn view(message: Message, masker: &Masker, now: Timestamp) -> FrameView {
    let age = i64::try_from(message.age.as_millis()).unwrap_or(i64::MAX);
    let cut = message.text.len() < message.bytes.saturating_sub(2);
    FrameView {
        number: message.number,
        at: Timestamp(now.0.saturating_sub(age)),
        sent: message.sent,
        method: message
            .method
            .map(|method| masker.mask(&method).unwrap_or(method)),
        id: message.id.map(|id| masker.mask(&id).unwrap_or(id)),
        call: message.call,
        text: masker.mask(&message.text).unwrap_or(message.text),
        bytes: u32::try_from(message.bytes).unwrap_or(u32::MAX),
        cut,
    }
}
