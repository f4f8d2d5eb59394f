//! What can be searched for of a row: its words, and the facets that narrow a search down.

use super::call_events::{CallClosed, CallOpened};
use super::record::{Entry, Event};
use super::row_facts;
use crate::tokenizer::facet;
use api::{ActivitySegment, Outcome};
use protocol::{CallerFilter, Launch, ServerId, ToolName};
use serde_json::Value;

/// What the index of words knows of a row besides its words. Most rows are of calls, and most calls
/// run and are done; none of that is marked, so that a call that is done need not be indexed again.
pub(super) fn facets(
    server: Option<&ServerId>,
    tool: Option<&ToolName>,
    caller: Option<&CallerFilter>,
    outcome: Option<Outcome>,
    segment: Option<ActivitySegment>,
) -> Vec<String> {
    let outcome = outcome.filter(|outcome| !matches!(outcome, Outcome::Running | Outcome::Done));
    let server = server.map(|server| facet("server", &server.key()));
    let tool = tool.map(|tool| facet("tool", tool.as_str()));
    let kind = caller.map(|caller| facet("callerkind", caller.kind.as_str()));
    let caller = caller
        .and_then(|caller| caller.id.as_ref())
        .map(|id| facet("caller", id.as_str()));
    let outcome = outcome.map(|outcome| facet("outcome", outcome.as_str()));
    let segment = segment
        .filter(|segment| *segment != ActivitySegment::Calls)
        .map(|segment| facet("segment", segment.as_str()));
    [server, tool, kind, caller, outcome, segment]
        .into_iter()
        .flatten()
        .collect()
}

/// What can be searched for of a row: whatever it shows, and what stands in its record besides.
pub(super) fn text(entry: &Entry, what: &str) -> String {
    let mut text = String::from(what);
    let mut add = |more: &str| {
        text.push('\n');
        text.push_str(more);
    };
    entry.server.iter().for_each(|server| add(server.as_str()));
    entry.tool.iter().for_each(|tool| add(tool.as_str()));
    entry.approver.iter().for_each(|approver| add(approver));
    row_facts::subject(&entry.event)
        .iter()
        .for_each(|subject| add(subject));
    match &entry.event {
        Event::CallOpened(CallOpened { arguments, .. }) => arguments
            .iter()
            .for_each(|(name, value)| values(name, value, &mut add)),
        Event::CallRefused {
            arguments, refusal, ..
        }
        | Event::RequestRefused {
            arguments, refusal, ..
        } => {
            arguments
                .iter()
                .for_each(|(name, value)| values(name, value, &mut add));
            add(&refusal.to_string());
        }
        Event::CallClosed(CallClosed { error, .. }) => error.iter().for_each(|error| add(error)),
        Event::QuestionAnswered {
            question,
            answer,
            reason,
        } => {
            let parts = [Some(question.as_str()), Some(answer), reason.as_deref()];
            parts.into_iter().flatten().for_each(&mut add);
        }
        Event::ServerAdded { launch } | Event::ServerEdited { launch } => match launch {
            Launch::Builtin { name } => add(name),
            Launch::Stdio(run) => std::iter::once(&run.command)
                .chain(&run.args)
                .for_each(|part| add(part)),
            Launch::Http(call) => add(&call.url),
        },
        Event::GrantMade { grant, .. }
        | Event::GrantRevoked { grant }
        | Event::GrantLapsed { grant } => add(grant.as_str()),
        Event::RuleMade { rule, .. } | Event::RuleRemoved { rule, .. } => add(rule.as_str()),
        Event::PolicyBroken { problem } => add(&problem.to_string()),
        Event::ClientAdded { client, .. } | Event::ClientRemoved { client, .. } => {
            add(client.as_str())
        }
        Event::ModelAdded { settings, .. } | Event::ModelChanged { settings, .. } => {
            [&settings.url, &settings.name]
                .into_iter()
                .for_each(|part| add(part))
        }
        Event::ApplicationConnected { path, client, .. } => {
            [path, client.as_str()].into_iter().for_each(&mut add)
        }
        Event::ApplicationDisconnected { path, .. } => add(path),
        Event::ClientAnswered { answer, origin, .. } => [Some(answer), origin.as_ref()]
            .into_iter()
            .flatten()
            .for_each(|part| add(part)),
        Event::OffersDecided { decided } => decided.iter().for_each(|one| add(&one.name)),
        Event::OfferQuarantined { also, .. } => also.iter().for_each(|key| add(&key.name)),
        Event::SignedIn { issuer, .. } => add(issuer),
        Event::ClientSet {
            client_id: Some(client),
        } => add(client),
        _ => {}
    }
    text
}

fn values(name: &str, value: &Value, add: &mut dyn FnMut(&str)) {
    add(name);
    match value {
        Value::String(text) => add(text),
        Value::Array(items) => items.iter().for_each(|item| values("", item, add)),
        Value::Object(map) => map
            .iter()
            .for_each(|(name, value)| values(name, value, add)),
        scalar => add(&scalar.to_string()),
    }
}
