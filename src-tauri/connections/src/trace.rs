//! What may be known outside of the requests to a server: a `tracing` span for each, by the
//! conventions of OpenTelemetry for MCP
//! (<https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md>),
//! in the development state of 2026.
//!
//! Always true here:
//! - no argument and no answer is on a span. The address of a resource and what a server says of an
//!   error are; whoever sends spans leaves them out unless the person wants them to go along;
//! - while nobody listens, a span is nothing and costs next to nothing.

use crate::{ConnectionError, HttpStart};
use egress::Url;
use protocol::{Fingerprint, ServerId, ToolName, ToolResult};
use serde_json::Value;
use std::sync::OnceLock;
use tracing::field::Empty;
use tracing::{Span, info_span};

/// How a call is traced: not at all, unless the caller says so.
#[derive(Debug, Clone)]
pub struct Trace {
    /// A span of [`call_span`], or of nothing.
    pub span: Span,
    /// The `traceparent` (W3C Trace Context) that the server is told.
    pub parent: Option<String>,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            span: Span::none(),
            parent: None,
        }
    }
}

/// The span of a call of this tool. What is known only later is filled in when it is. The arguments
/// and the result are the caller's to fill in, if anyone may see them.
pub fn call_span(tool: &ToolName) -> Span {
    info_span!(
        target: "telemetry",
        "tools/call",
        otel.name = format_args!("tools/call {tool}"),
        otel.kind = "client",
        otel.status_code = Empty,
        otel.status_description = Empty,
        mcp.method.name = "tools/call",
        mcp.protocol.version = Empty,
        mcp.session.id = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = %tool,
        gen_ai.tool.call.arguments = Empty,
        gen_ai.tool.call.result = Empty,
        jsonrpc.request.id = Empty,
        rpc.response.status_code = Empty,
        error.type = Empty,
        network.transport = Empty,
        network.protocol.name = Empty,
        server.address = Empty,
        server.port = Empty,
        host.server = Empty,
    )
}

/// Where one conversation goes, as far as it may be known.
#[derive(Debug)]
pub(crate) struct Line {
    server: ServerId,
    /// The host and port of a server with an address.
    address: Option<(String, u16)>,
    revision: OnceLock<String>,
}

impl Line {
    /// To a child process.
    pub(crate) fn pipe(server: &ServerId) -> Self {
        Self {
            server: server.clone(),
            address: None,
            revision: OnceLock::new(),
        }
    }

    /// To an address.
    pub(crate) fn http(start: &HttpStart) -> Self {
        let url = Url::parse(&start.url).ok();
        let address =
            url.and_then(|url| Some((url.host_str()?.to_owned(), url.port_or_known_default()?)));
        Self {
            address,
            ..Self::pipe(&start.server)
        }
    }

    /// Both sides have agreed on a revision.
    pub(crate) fn agreed(&self, revision: &str) {
        // A server that is greeted anew may agree on another one; the first stays.
        let _ = self.revision.set(revision.to_owned());
    }

    /// The span of a request. A call has one already: that of its caller.
    pub(crate) fn request(
        &self,
        method: &'static str,
        name: Option<&str>,
        id: u64,
        session: impl FnOnce() -> Option<String>,
    ) -> Span {
        let span = match method {
            "tools/call" => Span::current(),
            method => request_span(method),
        };
        if span.is_disabled() {
            return span;
        }
        span.record("jsonrpc.request.id", id.to_string());
        match (method, name) {
            ("prompts/get", Some(name)) => {
                span.record("otel.name", format!("{method} {name}"));
                span.record("gen_ai.prompt.name", name);
            }
            ("resources/read", Some(uri)) => _ = span.record("mcp.resource.uri", uri),
            _ => {}
        }
        if let Some(session) = session() {
            span.record("mcp.session.id", name_of_session(&session));
        }
        self.describe(&span);
        span
    }

    /// The span that is as long as the connection.
    pub(crate) fn session(&self) -> Span {
        let span = info_span!(
            target: "telemetry",
            parent: None,
            "mcp.session",
            mcp.protocol.version = Empty,
            error.type = Empty,
            network.transport = Empty,
            network.protocol.name = Empty,
            server.address = Empty,
            server.port = Empty,
            host.server = Empty,
        );
        self.describe(&span);
        span
    }

    fn describe(&self, span: &Span) {
        span.record("host.server", self.server.as_str());
        if let Some(revision) = self.revision.get() {
            span.record("mcp.protocol.version", revision);
        }
        match &self.address {
            Some((host, port)) => {
                span.record("network.transport", "tcp")
                    .record("network.protocol.name", "http");
                span.record("server.address", host.as_str())
                    .record("server.port", i64::from(*port));
            }
            None => _ = span.record("network.transport", "pipe"),
        }
    }
}

fn request_span(method: &'static str) -> Span {
    info_span!(
        target: "telemetry",
        "request",
        otel.name = method,
        otel.kind = "client",
        otel.status_code = Empty,
        otel.status_description = Empty,
        mcp.method.name = method,
        mcp.protocol.version = Empty,
        mcp.session.id = Empty,
        mcp.resource.uri = Empty,
        gen_ai.prompt.name = Empty,
        jsonrpc.request.id = Empty,
        rpc.response.status_code = Empty,
        error.type = Empty,
        network.transport = Empty,
        network.protocol.name = Empty,
        server.address = Empty,
        server.port = Empty,
        host.server = Empty,
    )
}

/// Notes on a span that it failed. A description makes the status an error.
pub(crate) fn failed(span: &Span, error: &ConnectionError) {
    if span.is_disabled() {
        return;
    }
    match error {
        ConnectionError::Server { code, message, .. } => {
            span.record("error.type", code.to_string())
                .record("rpc.response.status_code", code.to_string());
            span.record("otel.status_description", message.as_str());
        }
        other => {
            span.record("error.type", other.name())
                .record("otel.status_description", other.to_string());
        }
    }
}

/// Notes on the span of a call what came of it.
pub(crate) fn answered(span: &Span, answer: &Result<ToolResult, ConnectionError>) {
    match answer {
        Ok(answer) if answer.is_error => {
            _ = span
                .record("error.type", "tool_error")
                .record("otel.status_code", "ERROR")
        }
        Ok(_) => {}
        Err(error) => failed(span, error),
    }
}

/// Tells sessions apart without giving them away: whoever knows a session's own identifier can
/// speak in it.
fn name_of_session(session: &str) -> String {
    Fingerprint::of(&Value::String(session.to_owned()))
        .as_str()
        .chars()
        .rev()
        .take(32)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_told_apart_and_not_given_away() {
        let (one, other) = (
            name_of_session("191c4850af6c49e08843a3f6c80e5046"),
            name_of_session("191c4850af6c49e08843a3f6c80e5047"),
        );
        assert_ne!(one, other);
        assert_eq!((one.len(), one.contains("191c4850af6c49e0")), (32, false));
    }
}
