//! What is known when the rules are asked: about the tool, its server, and what the arguments name.

use super::named::{self, Paths};
use crate::Host;
use policy::Circumstances;
use policy::flow::Concern;
use protocol::{Launch, ServerId, ToolName};
use serde_json::{Map, Value};
use url::Url;

/// What is known about a server as such.
pub(super) fn of_server(host: &Host, server: &ServerId) -> Circumstances {
    let launch = host.kept().with(server, |kept| kept.row.launch.clone());
    Circumstances {
        remote: matches!(launch, Ok(Launch::Http(_))),
        unconfined: !matches!(launch, Ok(Launch::Http(_) | Launch::Builtin { .. })),
        ..Circumstances::default()
    }
}

/// What is known about a tool as such.
pub(super) fn of_tool(host: &Host, server: &ServerId, tool: &ToolName) -> Circumstances {
    let mark = host.kept().with(server, |kept| kept.mark(tool)).unwrap_or_default();
    Circumstances { consequential: mark.consequential, secret: mark.secret, ..of_server(host, server) }
}

/// What is known about a call of a tool. Arguments are looked at only as far as there are rules about what they name.
pub(super) async fn of_call(
    host: &Host,
    server: &ServerId,
    tool: &ToolName,
    arguments: &Map<String, Value>,
    concerns: &[Concern],
) -> Circumstances {
    let mut known = Circumstances { from_strangers: !concerns.is_empty(), ..of_tool(host, server, tool) };
    let rules = host.rules().now();
    let (with_hosts, with_folders) = (rules.looks_at_hosts(), rules.looks_at_folders());
    if arguments.is_empty() || !(with_hosts || with_folders) {
        return known;
    }
    let texts = named::texts(arguments);
    let roots = host.kept().with(server, |kept| kept.place.roots.clone()).unwrap_or_default();
    // Much text, or a disk that is slow, holds up nobody else.
    let named = tokio::task::spawn_blocking(move || {
        let hosts = if with_hosts { named::hosts(&texts) } else { Some(Vec::new()) };
        let paths = if with_folders { named::paths(&texts, &roots) } else { Some(Paths::default()) };
        Some((hosts?, paths?))
    });
    match named.await.ok().flatten() {
        Some((hosts, paths)) => {
            (known.hosts, known.paths) = (hosts, paths.real);
            (known.named, known.other_paths) = (paths.named, paths.others);
        }
        None => known.too_many = true,
    }
    known
}

/// The host of a server that is reached over the network.
pub(super) fn destination(host: &Host, server: &ServerId) -> Option<String> {
    let launch = host.kept().with(server, |kept| kept.row.launch.clone()).ok()?;
    match launch {
        Launch::Http(call) => Some(Url::parse(&call.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or(call.url)),
        Launch::Stdio(_) | Launch::Builtin { .. } => None,
    }
}
