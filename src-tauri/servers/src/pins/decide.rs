//! Keeps a person's decisions about what a server offers.

use super::look::look_through;
use crate::registry::Offered;
use crate::{Servers, Surface, error, roots};
use api::{ErrorCode, FeatureDecision, FeaturesReview, HostError, HostEvent};
use policy::pin::{ApprovalStatus, FeatureComparison, Pin, PinDecision};
use protocol::{Feature, FeatureKey, FeatureKind, ServerId, ToolName};
use store::{DecidedOffer, Entry, Event};

/// Keeps the decisions, all or none.
pub async fn decide(
    servers: &Servers,
    id: &ServerId,
    decisions: Vec<FeatureDecision>,
    surface: &Surface,
) -> Result<FeaturesReview, HostError> {
    let _turn = servers.registry().turn(id).await?;
    let now = servers.now();
    let before = servers.registry().now(id)?;
    let server = before.row.id.clone();
    let chosen: Vec<(FeatureComparison, PinDecision)> = decisions
        .iter()
        .map(|decision| Ok((find(&before.offered, decision)?.clone(), decision.decision)))
        .collect::<Result<_, HostError>>()?;

    if let Some(entry) = entry(servers, &server, &chosen, surface) {
        servers.record_synced(entry).await?;
    }
    let pins: Vec<Pin> = chosen
        .iter()
        .filter_map(|(one, decision)| Some(Pin::new(one.now.as_ref()?, *decision, now)))
        .collect();
    // What is gone is forgotten, and a name that is not used any more.
    let forget: Vec<FeatureKey> = chosen
        .iter()
        .filter_map(|(one, _)| forgotten(one))
        .collect();
    // Before it is approved, so that one that was switched off is at no moment on.
    for (one, _) in &chosen {
        keep_choices(servers, &server, one).await?;
    }
    servers
        .store()
        .pins()
        .save(&server, pins.clone(), forget.clone())
        .await?;
    servers
        .registry()
        .change(&server, |now| now.offered_mut().decided(pins, &forget))?;
    servers.tell_changed(&server);
    if chosen
        .iter()
        .any(|(one, _)| one.key.kind == FeatureKind::About)
    {
        roots::ask_anew(servers, [server.clone()]);
    }
    servers.publish(HostEvent::ToolsChanged {
        server: server.clone(),
    });
    servers.publish(HostEvent::OffersChanged {
        server: server.clone(),
    });
    look_through(servers, &server).await
}

/// What a decision is about, if it is still what was shown.
fn find<'a>(
    offered: &'a Offered,
    decision: &FeatureDecision,
) -> Result<&'a FeatureComparison, HostError> {
    let unlike = || {
        error::host(
            ErrorCode::OfferChanged,
            format!(
                "{} is not what was shown any more; look at it again",
                decision.key
            ),
        )
    };
    let one = offered.comparison(&decision.key).ok_or_else(unlike)?;
    if one.now.as_ref().map(Feature::fingerprint) != decision.fingerprint {
        Err(unlike())
    } else {
        Ok(one)
    }
}

fn forgotten(one: &FeatureComparison) -> Option<FeatureKey> {
    match &one.standing {
        ApprovalStatus::Gone => Some(one.key.clone()),
        ApprovalStatus::Renamed { from } => Some(FeatureKey {
            kind: one.key.kind,
            name: from.clone(),
        }),
        _ => None,
    }
}

/// The tools that these decisions are about and that go by another name now: the old one and the new
/// one of each.
pub fn renamed_tools(
    servers: &Servers,
    id: &ServerId,
    decisions: &[FeatureDecision],
) -> Vec<(ToolName, ToolName)> {
    let Ok(now) = servers.registry().now(id) else {
        return Vec::new();
    };
    let found = decisions
        .iter()
        .filter_map(|decision| now.offered.comparison(&decision.key));
    found.filter_map(renamed_tool).collect()
}

fn renamed_tool(one: &FeatureComparison) -> Option<(ToolName, ToolName)> {
    match &one.standing {
        ApprovalStatus::Renamed { from } if one.key.kind == FeatureKind::Tool => Some((
            ToolName::from(from.clone()),
            ToolName::from(one.key.name.clone()),
        )),
        _ => None,
    }
}

/// A tool that was switched off, or is always shown, stays so under its new name, in every workspace.
async fn keep_choices(
    servers: &Servers,
    server: &ServerId,
    one: &FeatureComparison,
) -> Result<(), HostError> {
    if let Some((from, to)) = renamed_tool(one) {
        servers
            .store()
            .workspaces()
            .follow_tool(server, &from, &to)
            .await?;
        servers.registry().change(server, |now| {
            for chosen in [&mut now.place.off, &mut now.place.always_shown] {
                if chosen.contains(&from) {
                    chosen.insert(to.clone());
                }
            }
        })?;
    }
    Ok(())
}

/// What the log says of decisions that were made together; nothing of none.
fn entry(
    servers: &Servers,
    server: &ServerId,
    chosen: &[(FeatureComparison, PinDecision)],
    surface: &Surface,
) -> Option<Entry> {
    let mut decided = chosen.iter().map(|(one, decision)| DecidedOffer {
        kind: one.key.kind,
        name: one.key.name.clone(),
        decision: *decision,
        fingerprint: one.now.as_ref().map(Feature::fingerprint),
    });
    let (tool, event) = match chosen {
        [] => return None,
        [(one, _)] => {
            let tool = || ToolName::from(one.key.name.clone());
            let decided = decided.next()?;
            (
                (one.key.kind == FeatureKind::Tool).then(tool),
                Event::OfferDecided { decided },
            )
        }
        _ => {
            let decided = decided.collect();
            (None, Event::OffersDecided { decided })
        }
    };
    Some(Entry {
        server: Some(server.clone()),
        tool,
        ..surface.decided(servers, event)
    })
}
