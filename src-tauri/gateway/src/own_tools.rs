//! The tools that are Majordomo's own, at the joint endpoint: those by which a client that looks for
//! tools finds, describes and calls them, and those by which it learns what of its own waits and what
//! it did.
//!
//! Always true here:
//! - a client learns of its own questions and activity only, and can answer nothing;
//! - what it finds is what it may use, and a call by way of these goes the way of any call.

use crate::endpoint::Endpoint;
use crate::methods::{Asked, Reply, call_named, tool_of};
use crate::names;
use crate::visit::Visit;
use crate::wire;
use api::own_tools::{
    ACTIVITY, CALL_TOOL, DESCRIBE_TOOL, FIND_TOOLS, MOST_ROWS, WAITING_QUESTIONS, own_tools,
    search_tools,
};
use api::{
    ActivityFilter, ActivityRow, FoundTool, HostError, ListActivity, SearchTools, ToolsFound,
};
use policy::{Question, RequestKind, Subject};
use protocol::{CallId, CallerFilter, ServerId, ToolSpec};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many rows of activity are listed where nothing is said.
const ROWS: u32 = 20;
/// Most questions that are listed.
const MOST_QUESTIONS: usize = 50;

type Arguments = Map<String, Value>;

/// One of these tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnTool {
    Find,
    Describe,
    Call,
    Waiting,
    Activity,
}

/// Those that a client is offered here.
pub(crate) fn offered(visit: &Visit) -> Vec<ToolSpec> {
    let mut offered = Vec::new();
    if visit.looks_for_tools() {
        offered.extend(search_tools());
    }
    if visit.has_own_tools() {
        offered.extend(own_tools());
    }
    offered
}

/// Which of them a client means, if it is offered that.
pub(crate) fn meant(visit: &Visit, name: &str) -> Option<OwnTool> {
    let (tool, is_offered) = match name {
        FIND_TOOLS => (OwnTool::Find, visit.looks_for_tools()),
        DESCRIBE_TOOL => (OwnTool::Describe, visit.looks_for_tools()),
        CALL_TOOL => (OwnTool::Call, visit.looks_for_tools()),
        WAITING_QUESTIONS => (OwnTool::Waiting, visit.has_own_tools()),
        ACTIVITY => (OwnTool::Activity, visit.has_own_tools()),
        _ => return None,
    };
    is_offered.then_some(tool)
}

/// Uses one of them.
pub(crate) async fn call(asked: &Asked<'_>, tool: OwnTool, arguments: Arguments) -> Reply {
    let visit = asked.visit;
    let said = match tool {
        OwnTool::Find => find(visit, arguments).await,
        OwnTool::Describe => describe(visit, arguments),
        OwnTool::Call => match read::<Named>(arguments) {
            Ok(Named { name, arguments }) => return call_named(asked, &name, arguments).await,
            Err(problem) => Err(problem),
        },
        OwnTool::Waiting => Ok(waiting(visit)),
        OwnTool::Activity => activity(visit, arguments).await,
    };
    let is_error = said.is_err();
    let (Ok(text) | Err(text)) = said;
    Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
}

/// A tool, as it was found.
#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    arguments: Arguments,
}

/// What goes with the use of a tool. A model is told what is wrong with it.
fn read<T: DeserializeOwned>(arguments: Arguments) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|problem| format!("The arguments do not fit: {problem}"))
}

fn told(error: HostError) -> String {
    error.message
}

async fn find(visit: &Visit, arguments: Arguments) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Queries {
        queries: Vec<String>,
    }
    if let Some(error) = visit.elsewhere() {
        return Err(told(error));
    }
    let Queries { queries } = read(arguments)?;
    let found = visit.ask(SearchTools { queries }).await.map_err(told)?;
    let texts = found
        .iter()
        .map(|found| found_text(visit.endpoint(), found));
    Ok(texts.collect::<Vec<_>>().join("\n\n"))
}

fn found_text(endpoint: &Endpoint, found: &ToolsFound) -> String {
    let ToolsFound {
        query,
        tools,
        servers,
    } = found;
    if tools.is_empty() {
        let servers: Vec<&str> = servers.iter().map(ServerId::as_str).collect();
        return format!(
            "{query}: no tool fits. There are tools of these servers: {}",
            servers.join(", ")
        );
    }
    let mut text = format!("{query}:");
    for FoundTool { server, tool, line } in tools {
        let name = names::shown(endpoint, server, tool.as_str());
        // Writing to a String cannot fail.
        let _ = write!(text, "\n- {name} (of {server}): {line}");
    }
    text
}

fn describe(visit: &Visit, arguments: Arguments) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Which {
        name: String,
    }
    let Which { name } = read(arguments)?;
    let unknown = || match visit.elsewhere() {
        Some(error) => told(error),
        None => format!("Unknown tool: {name}"),
    };
    let (server, tool) = tool_of(visit, &name).ok_or_else(unknown)?;
    let tools = visit.tools_of(&server).into_iter();
    let mut found = tools.filter(|found| found.spec.name == tool);
    let spec = found.next().ok_or_else(unknown)?.spec;
    Ok(wire::tool(spec, name).to_string())
}

fn waiting(visit: &Visit) -> String {
    let host = visit.host();
    let own = &visit.surface().caller;
    let running = host.running();
    let calls: BTreeSet<CallId> = running
        .into_iter()
        .filter(|call| call.caller == *own)
        .map(|call| call.call)
        .collect();
    let waiting = host.waiting();
    let own = waiting.iter().filter_map(|question| {
        let what = of_client(visit, question, &calls)?;
        let Question {
            asked_at,
            expires_at,
            ..
        } = question;
        Some(format!(
            "- {what}; asked {asked_at}, waits until {expires_at}"
        ))
    });
    let lines: Vec<String> = own.take(MOST_QUESTIONS).collect();
    match lines.is_empty() {
        true => "Nothing waits for the person.".to_owned(),
        false => lines.join("\n"),
    }
}

/// What a question is about, if it is one of this client.
fn of_client(visit: &Visit, question: &Question, calls: &BTreeSet<CallId>) -> Option<String> {
    let shown = |name: &str| match &question.server {
        Some(server) => names::shown(visit.endpoint(), server, name),
        None => name.to_owned(),
    };
    let asks = |what: &str, during: &[CallId]| {
        let is_own = during.iter().any(|call| calls.contains(call));
        let server = question.server.as_ref()?;
        is_own.then(|| format!("{server} {what}"))
    };
    match &question.subject {
        Subject::Call { caller, tool, .. } => {
            let is_own = *caller == visit.surface().caller;
            is_own.then(|| format!("whether {} may be called", shown(tool.name.as_str())))
        }
        Subject::Form { during, .. } => asks("wants a form to be filled in", during),
        Subject::Url { during, .. } => asks("wants an address to be opened", during),
        Subject::Sample { during, .. } => asks("wants to use a model", during),
        Subject::SampleReply { during, .. } => asks("is to get what a model said", during),
        Subject::Request {
            caller, request, ..
        } => {
            let is_own = *caller == visit.surface().caller;
            let server = question.server.as_ref()?;
            let what = match request {
                RequestKind::Read => "a resource may be read",
                RequestKind::Subscribe => "changes of a resource may be told",
                RequestKind::Prompt => "a prompt may be filled in",
                RequestKind::LogLevel => "another log level may be set",
            };
            is_own.then(|| format!("whether {what} of {server}"))
        }
        Subject::Change { .. } | Subject::Rule { .. } => None,
    }
}

async fn activity(visit: &Visit, arguments: Arguments) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Rows {
        #[serde(default)]
        limit: Option<u32>,
    }
    let Rows { limit } = read(arguments)?;
    let caller = &visit.surface().caller;
    let own = CallerFilter {
        kind: caller.kind().clone(),
        id: Some(caller.id().clone()),
    };
    let request = ListActivity {
        filter: ActivityFilter {
            caller: Some(own),
            ..ActivityFilter::default()
        },
        before: None,
        limit: limit.unwrap_or(ROWS).clamp(1, MOST_ROWS),
    };
    let page = visit.ask(request).await.map_err(told)?;
    let rows = page.rows.iter().map(|row| row_text(visit.endpoint(), row));
    let lines: Vec<String> = rows.collect();
    Ok(match lines.is_empty() {
        true => "Nothing has happened yet.".to_owned(),
        false => lines.join("\n"),
    })
}

fn row_text(endpoint: &Endpoint, row: &ActivityRow) -> String {
    let mut text = format!("- {} {}", row.at, row.what);
    let what = match (&row.server, &row.tool) {
        (Some(server), Some(tool)) => Some(names::shown(endpoint, server, tool.as_str())),
        (Some(server), None) => Some(server.to_string()),
        (None, _) => None,
    };
    let outcome = json!(row.outcome);
    let reason = row.reason.map(|reason| reason.as_str().to_owned());
    let parts = [what, outcome.as_str().map(str::to_owned), reason];
    for part in parts.into_iter().flatten() {
        let _ = write!(text, " {part}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Meant;

    #[test]
    fn no_tool_of_a_server_has_the_name_of_one_of_majordomos_own() {
        let own = search_tools().into_iter().chain(own_tools());
        for tool in own {
            let meant = names::meant(&Endpoint::All, tool.name.as_str());
            assert!(matches!(meant, Meant::Nothing), "{}", tool.name);
        }
    }
}
