//! What a client can ask for of resources: their lists, one of them, and to hear of its changes.

use super::{Asked, Era, Reply, not_given, of_each, of_server, one_page};
use crate::message::Params;
use crate::ongoing::carry_out;
use crate::rpc_error::RpcError;
use crate::subscriptions::{Place, Watched};
use crate::views;
use crate::visit::Visit;
use crate::wire;
use api::{ErrorCode, ListResources, ReadResource, ResourceList};
use futures::FutureExt as _;
use host::Watch;
use protocol::ServerId;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::future::pending;
use tokio_util::task::AbortOnDropHandle;

async fn resource_lists(visit: &Visit) -> Vec<(ServerId, ResourceList)> {
    of_each(visit, async |server| {
        visit.ask(ListResources { server }).await
    })
    .await
}

pub(super) async fn list(visit: &Visit, params: &Params) -> Reply {
    one_page(params)?;
    let lists = resource_lists(visit).await;
    let all = lists.iter().flat_map(|(server, list)| {
        let resources = list.resources.iter();
        resources.map(move |one| of_server(visit.endpoint(), server, wire::resource(one)))
    });
    Ok(wire::list("resources", all))
}

pub(super) async fn templates(visit: &Visit, params: &Params) -> Reply {
    one_page(params)?;
    let lists = resource_lists(visit).await;
    let all = lists.iter().flat_map(|(server, list)| {
        let templates = list.templates.iter();
        templates.map(move |one| of_server(visit.endpoint(), server, wire::template(one)))
    });
    Ok(wire::list("resourceTemplates", all))
}

#[derive(Deserialize)]
struct OfResource {
    uri: String,
}

pub(super) async fn read(asked: &Asked<'_>) -> Reply {
    let OfResource { uri } = asked.params.read()?;
    let gone = |_| missing(asked.era, &uri);
    let (server, own) = server_of(asked.visit, &uri).await.map_err(gone)?;
    let view_of = views::is_view(&own).then(|| server.clone());
    let request = ReadResource {
        server: server.clone(),
        uri: own,
    };
    let (host, endpoint) = (asked.visit.host().clone(), asked.visit.endpoint().clone());
    let (era, surface) = (asked.era, asked.surface());
    let begin = || {
        async move {
            let read = host.ask(request, &surface).await;
            read.map(|read| of_server(&endpoint, &server, wire::resource_result(&read)))
                .map_err(|error| match error.code {
                    ErrorCode::UnknownResource => missing(era, &uri),
                    _ => not_given(&error, era),
                })
        }
        .boxed()
    };
    let reply = carry_out(asked, begin).await?;
    if let Some(server) = view_of
        && reply.get("contents").is_some()
    {
        asked.visit.renders(&server);
    }
    Ok(reply)
}

pub(super) fn missing(era: Era, uri: &str) -> RpcError {
    let code = match era {
        Era::Handshake => RpcError::NO_RESOURCE,
        Era::Modern => RpcError::INVALID_PARAMS,
    };
    RpcError {
        data: Some(json!({ "uri": uri })),
        ..RpcError::new(code, "Resource not found")
    }
}

/// There is no server that has it, or more than one.
pub(super) struct NoServer;

/// Which server a resource is of, and its address there. At the joint endpoint the server that the
/// address says, the one that lists it or, where nobody does, the only one that can have it.
pub(super) async fn server_of(visit: &Visit, uri: &str) -> Result<(ServerId, String), NoServer> {
    if let Some((server, own)) = views::meant(visit.endpoint(), uri) {
        let mut servers = visit.servers().into_iter();
        let found = servers.find(|one| one.key() == server.key());
        return Ok((found.ok_or(NoServer)?, own));
    }
    if let [only] = visit.servers().as_slice() {
        return Ok((only.clone(), uri.to_owned()));
    }
    let lists = resource_lists(visit).await;
    let lists_it = |list: &ResourceList| list.resources.iter().any(|one| one.uri == uri);
    let fits = |list: &ResourceList| {
        list.templates
            .iter()
            .any(|one| may_be_of(&one.uri_template, uri))
    };
    for is_of in [&lists_it as &dyn Fn(&ResourceList) -> bool, &fits] {
        let mut found = lists.iter().filter(|(_, list)| is_of(list));
        match (found.next(), found.next()) {
            (Some((server, _)), None) => return Ok((server.clone(), uri.to_owned())),
            (Some(_), Some(_)) => return Err(NoServer),
            (None, _) => {}
        }
    }
    Err(NoServer)
}

/// Whether an address may be one of a template: it begins like it.
fn may_be_of(template: &str, uri: &str) -> bool {
    let begins = template.split('{').next().unwrap_or_default();
    !begins.is_empty() && uri.starts_with(begins)
}

pub(super) async fn watch(asked: &Asked<'_>) -> Reply {
    let OfResource { uri } = asked.params.read()?;
    match watch_one(asked.visit, &uri).await {
        Ok(watched) => asked.subscriptions.hold(uri, watched),
        Err(problem) => {
            asked.subscriptions.end(&uri);
            return Err(problem);
        }
    }
    Ok(json!({}))
}

async fn watch_one(visit: &Visit, uri: &str) -> Result<(Watch, Place), RpcError> {
    let gone = |_| missing(Era::Handshake, uri);
    let (server, uri) = server_of(visit, uri).await.map_err(gone)?;
    let (surface, place) = (visit.surface().clone(), Place::of(&server, uri.clone()));
    let watch = visit.host().watch(server, uri, surface).await;
    let watch = watch.map_err(|error| RpcError::of_host(&error))?;
    Ok((watch, place))
}

/// Has servers tell when these change, until the answer is dropped. Of those that cannot be watched
/// nothing is ever told.
pub(crate) fn watch_all(
    visit: Visit,
    uris: BTreeSet<String>,
    watched: Watched,
) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut watches = Vec::new();
        for uri in uris {
            match watch_one(&visit, &uri).await {
                Ok((watch, place)) => {
                    watched.add(place, uri);
                    watches.push(watch);
                }
                Err(problem) => {
                    tracing::debug!(problem = problem.message, "a resource is not watched");
                }
            }
        }
        pending::<()>().await;
        drop(watches);
    }))
}
