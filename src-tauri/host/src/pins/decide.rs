//! Keeps a person's decisions about what a server offers.

use super::look::look;
use crate::api::{ErrorCode, HostError, HostEvent, OfferDecision, OffersReview};
use crate::supervise::tell_changed;
use crate::{Host, Surface, error};
use policy::pin::{Compared, Decision, Pin, Standing};
use protocol::{Offer, OfferKey, OfferKind, ServerId, ToolName};
use store::{Entry, Event};

/// Keeps the decisions, all or none.
pub(crate) async fn decide(
    host: &Host,
    id: &ServerId,
    decisions: Vec<OfferDecision>,
    surface: &Surface,
) -> Result<OffersReview, HostError> {
    let _turn = host.kept().turn(id).await?;
    let now = host.now();
    let (server, chosen) = host.kept().with(id, |kept| {
        let compared = kept.offered.compared();
        let chosen: Result<Vec<(Compared, Decision)>, HostError> =
            decisions.iter().map(|decision| Ok((find(compared, decision)?.clone(), decision.decision))).collect();
        chosen.map(|chosen| (kept.row.id.clone(), chosen))
    })??;

    for (one, decision) in &chosen {
        record(host, &server, one, *decision, surface).await?;
    }
    let pins: Vec<Pin> = chosen.iter().filter_map(|(one, decision)| Some(Pin::new(one.now.as_ref()?, *decision, now))).collect();
    // What is gone is forgotten, and a name that is not used any more.
    let forget: Vec<OfferKey> = chosen.iter().filter_map(|(one, _)| forgotten(one)).collect();
    // Before it is approved, so that one that was switched off is at no moment on.
    for (one, _) in &chosen {
        keep_switch(host, &server, one).await?;
    }
    host.store().pins().save(&server, pins.clone(), forget.clone()).await?;
    host.kept().with(&server, |kept| kept.offered.decided(pins, &forget))?;
    tell_changed(host, &server);
    host.tell(HostEvent::ToolsChanged { server: server.clone() });
    host.tell(HostEvent::OffersChanged { server: server.clone() });
    look(host, &server)
}

/// What a decision is about, if it is still what was shown.
fn find<'a>(compared: &'a [Compared], decision: &OfferDecision) -> Result<&'a Compared, HostError> {
    let unlike = || error::host(ErrorCode::OfferChanged, format!("{} is not what was shown any more; look at it again", decision.key));
    let one = compared.iter().find(|one| one.key == decision.key).ok_or_else(unlike)?;
    if one.now.as_ref().map(Offer::fingerprint) != decision.fingerprint { Err(unlike()) } else { Ok(one) }
}

fn forgotten(one: &Compared) -> Option<OfferKey> {
    match &one.standing {
        Standing::Gone => Some(one.key.clone()),
        Standing::Renamed { from } => Some(OfferKey { kind: one.key.kind, name: from.clone() }),
        _ => None,
    }
}

/// A tool that was switched off stays so under its new name, in every workspace.
async fn keep_switch(host: &Host, server: &ServerId, one: &Compared) -> Result<(), HostError> {
    let Standing::Renamed { from } = &one.standing else { return Ok(()) };
    let (from, to) = (ToolName(from.clone()), ToolName(one.key.name.clone()));
    if one.key.kind == OfferKind::Tool {
        host.store().workspaces().follow_tool(server, &from, &to).await?;
        host.kept().with(server, |kept| _ = kept.place.off.contains(&from).then(|| kept.place.off.insert(to)))?;
    }
    Ok(())
}

async fn record(host: &Host, server: &ServerId, one: &Compared, decision: Decision, surface: &Surface) -> Result<(), HostError> {
    let (kind, name) = (one.key.kind, one.key.name.clone());
    let tool = (kind == OfferKind::Tool).then(|| ToolName(name.clone()));
    let event = Event::OfferDecided { kind, name, decision, fingerprint: one.now.as_ref().map(Offer::fingerprint) };
    host.record_synced(Entry { server: Some(server.clone()), tool, ..surface.decided(host, event) }).await.map(|_| ())
}
