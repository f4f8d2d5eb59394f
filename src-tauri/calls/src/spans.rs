//! What may be known outside of what the host does: `tracing` spans with names of our own
//! (`host.…`) around those of the requests to servers.
//!
//! Always true here: while nobody listens, a span is nothing and costs next to nothing.

use crate::traced::Traced;
use api::{CallResult, HostError};
use connections::Trace;
use inspect::Masker;
use policy::{Permission, Refusal, Verdict};
use protocol::ToolCall;
use serde::Serialize;
use serde_json::Value;
use telemetry::Telemetry;
use tracing::field::Empty;
use tracing::{Span, info_span};

/// Bytes of the arguments or the result of a call that are shown.
const SHOWN: usize = 16 * 1024;

/// The span of a call as a whole: with the question to a person, if there is one.
pub(crate) fn call(call: &ToolCall) -> Span {
    info_span!(
        target: "telemetry",
        "host.call",
        otel.status_code = Empty,
        host.call.id = %call.id,
        host.caller = call.caller.kind().as_str(),
        host.server = %call.server,
        gen_ai.tool.name = %call.tool,
        host.policy.decision = Empty,
        host.permission.kind = Empty,
        host.consent.waited = Empty,
        host.consent.answer = Empty,
        error.type = Empty,
    )
}

/// Notes on the call's span what the policy says.
pub(crate) fn decided(verdict: &Verdict) {
    let word = match verdict {
        Verdict::Allow(_) => "allow",
        Verdict::Ask(_) => "ask",
        Verdict::Deny(_) => "deny",
    };
    Span::current().record("host.policy.decision", word);
}

/// Notes on the call's span on whose word it runs.
pub(crate) fn permitted(permission: &Permission) {
    let word = match permission {
        Permission::Grant { .. } => "grant",
        Permission::Answer { .. } => "answer",
        Permission::Rules { .. } => "rules",
    };
    Span::current().record("host.permission.kind", word);
}

/// Notes on the call's span what came of it.
pub fn ended(span: &Span, result: &Result<CallResult, HostError>) {
    if span.is_disabled() {
        return;
    }
    let word = match result {
        Ok(answered) if answered.answer.is_error => "tool_error".to_owned(),
        Ok(_) => return,
        Err(HostError {
            refusal: Some(refusal),
            ..
        }) => kind(refusal),
        Err(error) => error.code.word(),
    };
    span.record("error.type", word)
        .record("otel.status_code", "ERROR");
}

/// How the request of a call is traced, by what the person chose.
pub(crate) fn trace(traced: &Traced, call: &ToolCall, masker: &Masker) -> Trace {
    let span = connections::call_span(&call.tool);
    if span.is_disabled() {
        return Trace::default();
    }
    if traced.contents() {
        let mut arguments = call.arguments.clone();
        // Before it is text: in JSON a secret with a quotation mark looks different.
        masker.mask_map(&mut arguments);
        span.record(
            "gen_ai.tool.call.arguments",
            shown(&Value::Object(arguments)),
        );
    }
    let parent = traced
        .propagates()
        .then(|| Telemetry::traceparent(&span))
        .flatten();
    Trace { span, parent }
}

/// The span of a request that is to have the result when it is known; nothing keeps the others
/// open.
pub(crate) fn held(traced: &Traced, trace: &Trace) -> Option<Span> {
    (!trace.span.is_disabled() && traced.contents()).then(|| trace.span.clone())
}

/// Notes the result on the span of its request, as it is passed on.
pub(crate) fn result(span: Option<Span>, result: &Result<CallResult, HostError>) {
    if let (Some(span), Ok(answered)) = (span, result) {
        span.record("gen_ai.tool.call.result", shown(&answered.answer));
    }
}

fn kind(refusal: &Refusal) -> String {
    let refusal = serde_json::to_value(refusal).unwrap_or_default();
    refusal
        .get("kind")
        .and_then(Value::as_str)
        .unwrap_or("refused")
        .to_owned()
}

fn shown(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).unwrap_or_default();
    if text.len() > SHOWN {
        text.truncate(text.floor_char_boundary(SHOWN));
    }
    text
}
