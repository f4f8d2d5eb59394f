//! Whether a server may ask for a model, and how much.

use crate::Calls;
use api::{HostError, SamplingSettings, SamplingView};
use policy::Budget;
use protocol::ServerId;
use servers::{Core, Surface};
use store::{Entry, Event, SamplingRow};

/// What holds for a server about which a person has said nothing: it may not ask; and how much it
/// might, once it may.
const UNTOLD: SamplingRow = SamplingRow {
    on: false,
    review_replies: false,
    requests: 10,
    tokens: 20_000,
    per_reply: 1_000,
};

/// What a person chose for a server, and what is left of it.
pub async fn show(calls: &Calls, server: &ServerId) -> Result<SamplingView, HostError> {
    let server = calls.registry().now(server)?.row.id.clone();
    let row = settings_of(calls, &server).await?;
    let left = calls
        .store()
        .sampling()
        .left(&server, row, calls.now())
        .await?;
    let limit = Budget {
        requests: row.requests,
        tokens: row.tokens,
        per_reply: row.per_reply,
    };
    Ok(SamplingView {
        settings: SamplingSettings {
            on: row.on,
            review_replies: row.review_replies,
            limit,
        },
        left: Budget {
            requests: left.requests,
            tokens: left.tokens,
            per_reply: row.per_reply.min(left.tokens),
        },
        model: calls.model().map(|model| model.name()),
    })
}

/// Keeps what a person chose for a server.
pub async fn set(
    calls: &Calls,
    server: &ServerId,
    settings: SamplingSettings,
    surface: &Surface,
) -> Result<SamplingView, HostError> {
    let server = calls.registry().now(server)?.row.id.clone();
    let SamplingSettings {
        on,
        review_replies,
        limit: Budget {
            requests,
            tokens,
            per_reply,
        },
    } = settings;
    let event = Event::SamplingSet {
        on,
        review_replies: Some(review_replies),
        requests,
        tokens,
        per_reply,
    };
    calls
        .record_synced(Entry {
            server: Some(server.clone()),
            ..surface.decided(calls, event)
        })
        .await?;
    calls
        .store()
        .sampling()
        .set(
            &server,
            SamplingRow {
                on,
                review_replies,
                requests,
                tokens,
                per_reply,
            },
        )
        .await?;
    show(calls, &server).await
}

/// What holds for a server.
pub(crate) async fn settings_of(core: &Core, server: &ServerId) -> Result<SamplingRow, HostError> {
    Ok(core.store().sampling().of(server).await?.unwrap_or(UNTOLD))
}
