//! The permission for everything that is sent to a server by somebody's wish and is no call of a
//! tool: from what was approved and what the rules say, or from a person who is asked now.
//!
//! Always true here:
//! - a refusal is in the log like that of a call, whoever is refused;
//! - what was decided is decided once more when the person has answered, with everything as it is
//!   by then;
//! - a caller hears of a refusal before anything of the request is sent.

use crate::{Calls, ask_request, rules, waiting};
use api::HostError;
use connections::{Connection, ConnectionError};
use policy::flow::Concern;
use policy::{
    Offerings, PendingRequest, Permitted, PermittedRoots, PolicyDecision, Refusal, RequestFacts,
    RequestVerdict, ServerRequest, Target, decide_request, permit_roots,
};
use protocol::{Root, ServerId};
use serde_json::{Map, Value};
use servers::registry::ServerNow;
use servers::{Core, Servers, Surface, error, folders, granted, masked, pins};
use store::{Entry, Event};

/// Everything that a decision looks at, as it was in one moment.
struct Known {
    offerings: Offerings,
    ruling: PolicyDecision,
    concerns: Vec<Concern>,
}

/// Gets the permission, or writes down why there is none.
pub(crate) async fn permit<R: ServerRequest>(
    calls: &Calls,
    id: &ServerId,
    connection: &Connection,
    request: R,
    surface: &Surface,
) -> Result<Permitted<R>, HostError> {
    let chosen = request.chosen();
    let known = look(calls, id, &request, surface).await;
    let is_forbidden = known
        .as_ref()
        .map_or(true, |known| known.ruling.refusal().is_some());
    if let Some(what) = lacks(connection, R::METHOD).filter(|_| !is_forbidden) {
        let lacking = ConnectionError::NotOffered { what };
        return Err(error::connection(id, &lacking, &calls.secrets().masker()));
    }
    let decided = async {
        let mut known = known?;
        // Most of what is read needs no look at the server's list.
        let unlisted = decide_request(request.clone(), facts(calls, &known, surface));
        if let RequestVerdict::Allow(permitted) = unlisted {
            return Ok(permitted);
        }
        list(calls, connection, &request, &mut known).await;
        match decide_request(request, facts(calls, &known, surface)) {
            RequestVerdict::Allow(permitted) => Ok(permitted),
            RequestVerdict::Deny(refusal) => Err(refusal),
            RequestVerdict::Ask(pending) => ask(calls, id, connection, pending, surface).await,
        }
    };
    let refused = |refusal| refuse::<R>(calls, id, chosen, refusal, surface);
    decided.await.map_err(refused)
}

/// What the server would need to offer and does not.
fn lacks(connection: &Connection, method: &str) -> Option<&'static str> {
    let able = connection.capabilities();
    let (offered, what) = match method {
        "resources/read" => (able.resources, "resources"),
        "resources/subscribe" => (able.watch, "changes of resources"),
        "prompts/get" => (able.prompts, "prompts"),
        "completion/complete" => (able.completions, "completions"),
        _ => (able.logs, "logs"),
    };
    (!offered).then_some(what)
}

/// Asks a person, and decides again with what they say.
async fn ask<R: ServerRequest>(
    calls: &Calls,
    id: &ServerId,
    connection: &Connection,
    pending: PendingRequest<R>,
    surface: &Surface,
) -> Result<Permitted<R>, Refusal> {
    let (answer, asked) = ask_request::ask(calls, id, &pending, surface).await?;
    let mut known = look(calls, id, pending.request(), surface).await?;
    list(calls, connection, pending.request(), &mut known).await;
    let concerns = pending.concerns().to_vec();
    let permitted = match pending.answer(&answer, facts(calls, &known, surface)) {
        Ok(permitted) => permitted,
        Err(refusal) => return Err(waiting::as_denied(calls, &asked, refusal).await),
    };
    calls
        .conversations()
        .settle(&surface.conversation, &concerns);
    Ok(permitted)
}

fn facts<'a>(core: &Core, known: &'a Known, surface: &Surface) -> RequestFacts<'a> {
    RequestFacts {
        offerings: &known.offerings,
        ruling: &known.ruling,
        concerns: &known.concerns,
        by_person: surface.is_person(core),
    }
}

async fn look<R: ServerRequest>(
    calls: &Calls,
    id: &ServerId,
    request: &R,
    surface: &Surface,
) -> Result<Known, Refusal> {
    let concerns = calls.conversations().check_request(surface, id, request);
    // The server is gone in this moment.
    let gone = |_| Refusal::NotReviewed;
    let mut now = calls.registry().now(id).map_err(gone)?;
    let mut ruling = rules::on_request(calls, &surface.caller, &now, request, &concerns).await;
    if ruling.refusal().is_none() {
        pins::list_rest(calls, id).await.map_err(gone)?;
        // Rules and approval speak about one state of the server: that with everything listed.
        now = calls.registry().now(id).map_err(gone)?;
        ruling = rules::on_request(calls, &surface.caller, &now, request, &concerns).await;
    }
    Ok(Known {
        offerings: now.offered.offerings(),
        ruling,
        concerns,
    })
}

/// Adds the addresses that the server lists, for what is about one. What it does not list, for
/// whatever reason, it does not.
async fn list<R: ServerRequest>(
    core: &Core,
    connection: &Connection,
    request: &R,
    known: &mut Known,
) {
    let refused = known.ruling.refusal().is_some() || known.offerings.about.refusal().is_some();
    if refused || !matches!(request.target(), Target::Resource(_)) {
        return;
    }
    let resources = connection.resources().await.unwrap_or_default();
    let masker = core.secrets().masker();
    known.offerings.listed = masked::resources(resources, &masker)
        .map(|resource| resource.uri)
        .collect();
}

fn refuse<R: ServerRequest>(
    calls: &Calls,
    id: &ServerId,
    mut chosen: Map<String, Value>,
    refusal: Refusal,
    surface: &Surface,
) -> HostError {
    let masker = calls.secrets().masker();
    masker.mask_map(&mut chosen);
    let refusal = error::masked_refusal(refusal, &masker);
    granted::note_refused(calls, id, &refusal);
    let event = Event::RequestRefused {
        method: R::METHOD.to_owned(),
        arguments: chosen,
        refusal: refusal.clone(),
    };
    let entry = Entry {
        approver: None,
        server: Some(id.clone()),
        ..surface.decided(calls, event)
    };
    if let Err(error) = calls.record(entry) {
        tracing::error!(server = %id, %error, "a refusal could not be written to the log");
    }
    error::refused(refusal)
}

/// The folders that a server is told when it asks: what rules and the person's approval leave of
/// those that it was given.
pub(crate) async fn roots(servers: &Servers, server: &ServerNow) -> PermittedRoots {
    roots_of(servers, server, &server.place.roots).await
}

/// The same of these folders, each of which lies in one that it was given.
pub(crate) async fn roots_of(
    servers: &Servers,
    server: &ServerNow,
    folders: &[String],
) -> PermittedRoots {
    let mut ruled = Vec::with_capacity(folders.len());
    for path in folders.iter().filter(|path| folders::present(path)) {
        let root = Root {
            uri: folders::uri(path),
            name: folders::name(path),
        };
        ruled.push((root, rules::on_root(servers, server, path).await));
    }
    permit_roots(&server.offered.about(), ruled)
}
