//! What the rules say at each of the four points where they are asked about what somebody wants
//! sent or gets back.
//!
//! Always true here:
//! - what is not known about a server or a tool counts as doubt;
//! - what an application was not given is refused to it, whatever rules say.

mod context;
mod named;
mod outside;

use crate::Calls;
use api::HostError;
use context::{destination, of_call, of_folder, of_part, of_request, web_host};
use inspect::{Finding, FindingKind};
use outside::outside;
use policy::flow::Concern;
use policy::{
    Context, EnforcementPoint, FoundWhat, PolicyDecision, PolicyRequest, Refusal, ServerRequest,
    Target,
};
use protocol::{Caller, ServerId, ToolCall};
use serde_json::{Map, Value};
use servers::registry::ServerNow;
use servers::rules::of_server;
use servers::{Servers, error};

/// What the rules say about a call at each point before its result comes back, in order.
pub async fn at_hooks(
    calls: &Calls,
    server: &ServerNow,
    call: &ToolCall,
    concerns: &[Concern],
) -> Vec<(EnforcementPoint, PolicyDecision)> {
    let known = of_call(calls, Some(server), call, concerns).await;
    let request = PolicyRequest {
        caller: Some(&call.caller),
        server: &call.server,
        target: Target::Tool(&call.tool),
        context: &known,
    };
    given(calls, server, &request, &call.arguments, false).await
}

/// The same for who may not have been given it, of a server that may not have been given what is
/// named.
async fn given(
    calls: &Calls,
    server: &ServerNow,
    request: &PolicyRequest<'_>,
    chosen: &Map<String, Value>,
    is_typed: bool,
) -> Vec<(EnforcementPoint, PolicyDecision)> {
    let mut said = before(calls, server, request);
    if let Some(caller) = request.caller {
        let mut why = withheld(calls, caller, server, request.target);
        // Whoever made a rule about it has said more than that it was not given.
        if why.is_none() && said.iter().all(|(_, ruling)| ruling.refusal().is_none()) {
            why = outside(calls, server, chosen, is_typed).await;
        }
        if let Some((_, first)) = said.first_mut() {
            first.withheld = why;
        }
    }
    said
}

/// Why a caller was not given this of a server, if so.
fn withheld(
    calls: &Calls,
    caller: &Caller,
    server: &ServerNow,
    target: Target<'_>,
) -> Option<Refusal> {
    let (in_use, server) = (&server.workspace, &server.row.id);
    calls.clients().withhold(caller, in_use, server, target)
}

/// What the rules say at each point before something is sent, in order.
fn before(
    servers: &Servers,
    server: &ServerNow,
    request: &PolicyRequest<'_>,
) -> Vec<(EnforcementPoint, PolicyDecision)> {
    let rules = servers.rules().now();
    let mut said = Vec::with_capacity(3);
    // A server as such is shown to everybody.
    if request.target != Target::Server {
        said.push((
            EnforcementPoint::Discover,
            rules.ruling(EnforcementPoint::Discover, request),
        ));
    }
    said.push((
        EnforcementPoint::Call,
        rules.ruling(EnforcementPoint::Call, request),
    ));
    let mut leads_to = Vec::from_iter(destination(Some(server)));
    if let Target::Resource(uri) = request.target {
        leads_to.extend(web_host(uri));
    }
    if !leads_to.is_empty() {
        let leaving = Context {
            hosts: leads_to,
            named_hosts: Vec::new(),
            ..request.context.clone()
        };
        let request = PolicyRequest {
            context: &leaving,
            ..*request
        };
        said.push((
            EnforcementPoint::Egress,
            rules.ruling(EnforcementPoint::Egress, &request),
        ));
    }
    said
}

/// What the rules say about a call: a tool that is hidden from a caller, or may not send to its
/// server, cannot be called.
pub async fn on_call(
    calls: &Calls,
    server: &ServerNow,
    call: &ToolCall,
    concerns: &[Concern],
) -> PolicyDecision {
    joined(&at_hooks(calls, server, call, concerns).await)
}

/// What the rules say about something else that a caller wants to have sent to a server.
pub async fn on_request<R: ServerRequest>(
    calls: &Calls,
    caller: &Caller,
    server: &ServerNow,
    request: &R,
    concerns: &[Concern],
) -> PolicyDecision {
    let known = of_request(calls, Some(server), request, concerns).await;
    let about = PolicyRequest {
        caller: Some(caller),
        server: &server.row.id,
        target: request.target(),
        context: &known,
    };
    // Nobody is asked about each key that is pressed.
    let is_typed = R::ASKED_AS.is_none();
    joined(&given(calls, server, &about, &request.chosen(), is_typed).await)
}

/// What the rules say about telling a server a folder that it was given. It asks by itself, and
/// Majordomo answers.
pub async fn on_root(servers: &Servers, server: &ServerNow, folder: &str) -> PolicyDecision {
    let known = of_folder(servers, server, folder).await;
    let request = PolicyRequest {
        caller: None,
        server: &server.row.id,
        target: Target::Server,
        context: &known,
    };
    joined(&before(servers, server, &request))
}

/// What the rules say at several points together.
pub fn joined(said: &[(EnforcementPoint, PolicyDecision)]) -> PolicyDecision {
    said.iter()
        .fold(PolicyDecision::default(), |joined, (_, ruling)| {
            joined.and(ruling.clone())
        })
}

/// Whether a caller was given anything of a server.
pub fn is_given(calls: &Calls, caller: &Caller, server: &ServerNow) -> bool {
    withheld(calls, caller, server, Target::Server).is_none()
}

/// Whether a tool, a resource or a prompt is hidden from a caller: it was not given it, or a rule
/// says so.
pub fn hides(calls: &Calls, caller: &Caller, server: &ServerId, target: Target<'_>) -> bool {
    let now = calls.registry().now(server).ok();
    if let Some(now) = &now
        && withheld(calls, caller, now, target).is_some()
    {
        return true;
    }
    let known = of_part(now.as_deref(), target);
    let request = PolicyRequest {
        caller: Some(caller),
        server,
        target,
        context: &known,
    };
    calls
        .rules()
        .now()
        .ruling(EnforcementPoint::Discover, &request)
        .refusal()
        .is_some()
}

/// What the rules say about handing a result to whoever made the call.
pub async fn on_return(servers: &Servers, call: &ToolCall, findings: &[Finding]) -> PolicyDecision {
    let server = servers.registry().now(&call.server).ok();
    let known = of_call(servers, server.as_deref(), call, &[]).await;
    let target = Target::Tool(&call.tool);
    returning(servers, &call.caller, &call.server, target, known, findings)
}

/// What the rules say about handing over what came of something else that was sent to a server.
pub async fn on_reply<R: ServerRequest>(
    servers: &Servers,
    caller: &Caller,
    server: &ServerId,
    request: &R,
    findings: &[Finding],
) -> PolicyDecision {
    let now = servers.registry().now(server).ok();
    let known = of_request(servers, now.as_deref(), request, &[]).await;
    returning(servers, caller, server, request.target(), known, findings)
}

fn returning(
    servers: &Servers,
    caller: &Caller,
    server: &ServerId,
    target: Target<'_>,
    mut known: Context,
    findings: &[Finding],
) -> PolicyDecision {
    known.found = [
        FoundWhat::Instructions,
        FoundWhat::Credentials,
        FoundWhat::PersonalNumbers,
    ]
    .into_iter()
    .filter(|what| findings.iter().any(|finding| is(*what, finding.kind)))
    .collect();
    let request = PolicyRequest {
        caller: Some(caller),
        server,
        target,
        context: &known,
    };
    servers
        .rules()
        .now()
        .ruling(EnforcementPoint::Return, &request)
}

/// Whether a caller may have something sent to a server: it was given something of it, and where
/// that is reached over the network no rule is against it.
pub fn may_send(calls: &Calls, caller: &Caller, server: &ServerId) -> Result<(), HostError> {
    let now = calls.registry().now(server).ok();
    let given = now.as_deref();
    if let Some(refusal) = given.and_then(|now| withheld(calls, caller, now, Target::Server)) {
        return Err(error::refused(refusal));
    }
    let Some(to) = destination(now.as_deref()) else {
        return Ok(());
    };
    let known = Context {
        hosts: vec![to],
        ..of_server(now.as_deref())
    };
    let request = PolicyRequest {
        caller: Some(caller),
        server,
        target: Target::Server,
        context: &known,
    };
    let refusal = calls
        .rules()
        .now()
        .ruling(EnforcementPoint::Egress, &request)
        .refusal();
    refusal.map_or(Ok(()), |refusal| Err(error::refused(refusal)))
}

fn is(what: FoundWhat, kind: FindingKind) -> bool {
    match what {
        FoundWhat::Instructions => kind.speaks_to_model(),
        FoundWhat::Credentials => matches!(kind, FindingKind::Credential | FindingKind::HeldSecret),
        FoundWhat::PersonalNumbers => kind == FindingKind::PersonalNumber,
    }
}
