//! What is known when the rules are asked: about the tool, its server, and what the arguments name.

use super::named::{self, Hosts, Paths, Surroundings};
use policy::flow::Concern;
use policy::{Context, ServerRequest, Target, ToolFlags};
use protocol::{Launch, ToolCall};
use serde_json::{Map, Value};
use servers::Servers;
use servers::registry::ServerNow;
use servers::rules::of_server;
use std::collections::BTreeSet;
use url::Url;

/// What is known about a part of a server as such; of a tool whose server is not there any more,
/// only doubt.
pub(super) fn of_part(server: Option<&ServerNow>, target: Target<'_>) -> Context {
    let Target::Tool(tool) = target else {
        return of_server(server);
    };
    let mark = server.map_or(ToolFlags::DOUBTFUL, |server| server.mark(tool));
    Context {
        consequential: mark.consequential,
        secret: mark.secret,
        ..of_server(server)
    }
}

/// What is known about a call of a tool.
pub(super) async fn of_call(
    servers: &Servers,
    server: Option<&ServerNow>,
    call: &ToolCall,
    concerns: &[Concern],
) -> Context {
    let known = Context {
        from_untrusted: !concerns.is_empty(),
        ..of_part(server, Target::Tool(&call.tool))
    };
    naming(servers, server, &call.arguments, None, known).await
}

/// What is known about something else that is to be sent to a server.
pub(super) async fn of_request<R: ServerRequest>(
    servers: &Servers,
    server: Option<&ServerNow>,
    request: &R,
    concerns: &[Concern],
) -> Context {
    let known = Context {
        from_untrusted: !concerns.is_empty(),
        ..of_part(server, request.target())
    };
    let mut chosen = request.chosen();
    let mut address = None;
    if let Target::Resource(uri) = request.target() {
        chosen.extend(path_in(uri).map(|path| ("path".to_owned(), path.into())));
        address = Some(uri);
    }
    naming(servers, server, &chosen, address, known).await
}

/// What is known about a folder that a server may be told.
pub(super) async fn of_folder(servers: &Servers, server: &ServerNow, folder: &str) -> Context {
    let named = Map::from_iter([("folder".to_owned(), folder.into())]);
    let known = of_server(Some(server));
    naming(servers, Some(server), &named, None, known).await
}

/// The path in an address that is not one of the web. Servers take it for one of files under many
/// names, and some whatever host stands before it.
pub(super) fn path_in(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok()?;
    if matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let mut as_file = Url::parse("file:///").ok()?;
    as_file.set_path(url.path());
    as_file.to_file_path().ok()?.to_str().map(str::to_owned)
}

/// The same with what arguments name, and what some program may read in an address. They are looked
/// at only as far as there are rules about that.
async fn naming(
    servers: &Servers,
    server: Option<&ServerNow>,
    arguments: &Map<String, Value>,
    address: Option<&str>,
    mut known: Context,
) -> Context {
    let rules = servers.rules().now();
    let (with_hosts, with_folders) = (rules.looks_at_hosts(), rules.looks_at_folders());
    let nothing = arguments.is_empty() && address.is_none();
    if nothing || !(with_hosts || with_folders) {
        return known;
    }
    let texts = named::texts(arguments);
    let address = BTreeSet::from_iter(address.map(str::to_owned));
    let mut bases = server.map_or_else(Vec::new, |server| server.place.roots.clone());
    if let Some(Launch::Stdio(run)) = server.map(|server| &server.row.launch) {
        bases.extend(run.cwd.clone());
    }
    let around = Surroundings {
        bases,
        folders: rules.folders().to_vec(),
    };
    // Much text, or a disk that is slow, holds up nobody else.
    let named = tokio::task::spawn_blocking(move || {
        let (mut hosts, mut paths) = (Hosts::default(), Paths::default());
        if with_hosts {
            hosts = named::hosts(&texts)?;
            let more = named::hosts(&address)?;
            hosts
                .within
                .extend(more.named.into_iter().chain(more.within));
        }
        if with_folders {
            paths = named::paths(&texts, &around)?;
            let more = named::paths(&address, &around)?;
            paths.named.extend(more.real.into_iter().chain(more.named));
        }
        Some((hosts, paths))
    });
    match named.await.ok().flatten() {
        Some((hosts, paths)) => {
            (known.hosts, known.named_hosts) = (hosts.named, hosts.within);
            (known.paths, known.named) = (paths.real, paths.named);
            known.other_paths = paths.others;
        }
        None => known.too_many = true,
    }
    known
}

/// The host of an address in the web: who reads it has it fetched there, whoever fetches.
pub(super) fn web_host(uri: &str) -> Option<String> {
    let url = Url::parse(uri.trim()).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp");
    url.host_str().filter(|_| is_web).map(str::to_owned)
}

/// The host of a server that is reached over the network.
pub(super) fn destination(server: Option<&ServerNow>) -> Option<String> {
    match &server?.row.launch {
        Launch::Http(call) => Some(
            Url::parse(&call.url)
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned))
                .unwrap_or_else(|| call.url.clone()),
        ),
        Launch::Stdio(_) | Launch::Builtin { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ToolName;

    #[test]
    fn a_tool_whose_server_is_gone_counts_as_marked() {
        let known = of_part(None, Target::Tool(&ToolName::from("read")));
        assert!(known.consequential && known.secret);
        assert!(known.remote && known.unconfined);
    }
}
