//! What servers and callers say, as opposed to what happened: it leaves only if the person wants
//! that too.

use opentelemetry::Value;
use opentelemetry::trace::Status;
use opentelemetry_sdk::trace::SpanData;

/// The attributes that hold it.
const CONTENTS: [&str; 3] = [
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
    "mcp.resource.uri",
];
/// The attribute with the kind of an error, which is a word of ours or a number.
const KIND: &str = "error.type";

/// Takes it off a span. Of an error its kind is left: a description may be in a server's words.
pub(crate) fn leave_out(span: &mut SpanData) {
    span.attributes
        .retain(|attribute| !CONTENTS.contains(&attribute.key.as_str()));
    if let Status::Error { .. } = span.status {
        let kind = span
            .attributes
            .iter()
            .rfind(|attribute| attribute.key.as_str() == KIND)
            .map(|attribute| &attribute.value);
        let kind = if let Some(Value::String(kind)) = kind {
            kind.as_str().to_owned()
        } else {
            String::new()
        };
        span.status = Status::error(kind);
    }
}
