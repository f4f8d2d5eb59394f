//! Tells and logs when other rules hold, and asks them what may leave on behalf of a server as such:
//! signing in, its way out, an address that it wants opened. What is always true of the rules stands
//! in [`crate::rule_book`]; about calls, and whatever else somebody wants sent, the room of calls
//! asks them.

mod watch;

pub use self::watch::watch;

use crate::registry::ServerNow;
use crate::{Servers, error, roots};
use api::{HostError, HostEvent};
use policy::{Context, EnforcementPoint, PolicyRequest, Refusal, Target};
use protocol::{Launch, ServerId};
use store::{Entry, Event};

/// Writes down what became of the administrator's rules.
pub(crate) fn record(servers: &Servers, event: Event) {
    if let Event::PolicyBroken { problem } = &event {
        tracing::error!(%problem, "the administrator's rules cannot be read; nothing runs until they can");
    }
    let entry = Entry::new(servers.now(), event);
    if let Err(problem) = servers.record(entry) {
        tracing::error!(%problem, "a change of the administrator's rules could not be written to the log");
    }
}

/// Notes the administrator's rules as they were found when the host was opened.
pub fn record_found(servers: &Servers) {
    if let Some(event) = servers.rules().note() {
        record(servers, event);
    }
}

/// Reads the administrator's file again after it has changed.
pub(crate) fn read_again(servers: &Servers) {
    if let Some(event) = servers.rules().read_again() {
        record(servers, event);
        changed(servers);
    }
}

/// Tells everyone that other rules hold.
pub fn changed(servers: &Servers) {
    servers.publish(HostEvent::PolicyChanged);
    roots::ask_anew(servers, servers.registry().ids());
}

/// What forbids that anything leaves for a host on behalf of a server.
pub fn forbids_leaving(servers: &Servers, server: &ServerId, to: &str) -> Option<Refusal> {
    let known = Context {
        hosts: vec![to.to_owned()],
        ..of_server(servers.registry().now(server).ok().as_deref())
    };
    let request = PolicyRequest {
        caller: None,
        server,
        target: Target::Server,
        context: &known,
    };
    servers
        .rules()
        .now()
        .ruling(EnforcementPoint::Egress, &request)
        .refusal()
}

/// The same as an error.
pub(crate) fn may_leave(servers: &Servers, server: &ServerId, to: &str) -> Result<(), HostError> {
    forbids_leaving(servers, server, to).map_or(Ok(()), |refusal| Err(error::refused(refusal)))
}

/// What is known about a server as such; of one that is not there any more, only doubt.
pub fn of_server(server: Option<&ServerNow>) -> Context {
    let launch = server.map(|server| &server.row.launch);
    Context {
        remote: matches!(launch, Some(Launch::Http(_)) | None),
        unconfined: server.is_none_or(|server| server.confined() == Some(false)),
        ..Context::default()
    }
}
