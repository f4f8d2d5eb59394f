//! Whether a server may ask for a model, and how much.

use crate::api::{HostError, SamplingSettings, SamplingView};
use crate::{Host, Surface};
use policy::Budget;
use protocol::ServerId;
use store::{Entry, Event, SamplingRow};

/// What holds for a server about which a person has said nothing: it may not ask; and how much it might, once it may.
const UNTOLD: SamplingRow = SamplingRow { on: false, review_replies: false, requests: 10, tokens: 20_000, per_reply: 1_000 };

/// What a person chose for a server, and what is left of it.
pub(crate) async fn show(host: &Host, server: &ServerId) -> Result<SamplingView, HostError> {
    let server = host.kept().with(server, |kept| kept.row.id.clone())?;
    let row = settings_of(host, &server).await?;
    let left = host.store().sampling().left(&server, row, host.now()).await?;
    let limit = Budget { requests: row.requests, tokens: row.tokens, per_reply: row.per_reply };
    Ok(SamplingView {
        settings: SamplingSettings { on: row.on, review_replies: row.review_replies, limit },
        left: Budget { requests: left.requests, tokens: left.tokens, per_reply: row.per_reply.min(left.tokens) },
        model: host.model().map(|model| model.name()),
    })
}

/// Keeps what a person chose for a server.
pub(crate) async fn set(host: &Host, server: &ServerId, settings: SamplingSettings, surface: &Surface) -> Result<SamplingView, HostError> {
    let server = host.kept().with(server, |kept| kept.row.id.clone())?;
    let SamplingSettings { on, review_replies, limit: Budget { requests, tokens, per_reply } } = settings;
    let event = Event::SamplingSet { on, review_replies: Some(review_replies), requests, tokens, per_reply };
    host.record_synced(Entry { server: Some(server.clone()), ..surface.decided(host, event) }).await?;
    host.store().sampling().set(&server, SamplingRow { on, review_replies, requests, tokens, per_reply }).await?;
    show(host, &server).await
}

/// What holds for a server.
pub(crate) async fn settings_of(host: &Host, server: &ServerId) -> Result<SamplingRow, HostError> {
    Ok(host.store().sampling().of(server).await?.unwrap_or(UNTOLD))
}
