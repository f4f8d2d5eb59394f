//! One line of a server's standard output → one message.
//!
//! The result of a request is kept as the JSON it is. rmcp would try it against every result type that there is, and take the
//! first that fits: a stranger's extra field could then turn an answer into something else, and unknown parts would be lost.

use crate::handler::ELICIT;
use rmcp::model::{CustomRequest, CustomResult, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerRequest, ServerResult};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// What a line is.
pub(crate) enum Line {
    /// A message.
    Message(Box<ServerJsonRpcMessage>),
    /// Nothing that concerns anyone.
    Ignored,
    /// Not the protocol.
    Junk,
}

/// The outer form of a message. The rest is looked at only when it is known what it should be.
#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<RequestId>,
    method: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Reads one line. `greeted` says that the handshake is over; before, rmcp needs its own typed results.
pub(crate) fn read_line(line: &[u8], greeted: bool) -> Line {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Line::Ignored;
    }
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(line) else { return Line::Junk };
    let read = match envelope {
        Envelope { id: Some(id), method: None, result: Some(result), error: None, .. } if greeted => result_of(id, result),
        Envelope { id: Some(id), method: Some(method), params, .. } if method == ELICIT => Some(question_of(id, params)),
        Envelope { id, method, result, error, .. } => match serde_json::from_slice(line) {
            Ok(message) => Some(message),
            // Nobody else will answer this request, so that it does not wait for its deadline.
            Err(problem) if method.is_none() && (result.is_some() || error.is_some()) => id.map(|id| misread(id, &problem)),
            Err(_) if method.is_some() => None,
            Err(_) => return Line::Junk,
        },
    };
    read.map_or(Line::Ignored, |message| Line::Message(Box::new(message)))
}

fn result_of(id: RequestId, result: &RawValue) -> Option<ServerJsonRpcMessage> {
    Some(match serde_json::from_str::<Value>(result.get()) {
        Ok(value) => JsonRpcMessage::response(ServerResult::CustomResult(CustomResult(value)), id),
        Err(problem) => misread(id, &problem),
    })
}

fn question_of(id: RequestId, params: Option<&RawValue>) -> ServerJsonRpcMessage {
    let params = params.and_then(|params| serde_json::from_str(params.get()).ok());
    JsonRpcMessage::request(ServerRequest::CustomRequest(CustomRequest::new(ELICIT, params)), id)
}

fn misread(id: RequestId, problem: &serde_json::Error) -> ServerJsonRpcMessage {
    JsonRpcMessage::error(ErrorData::internal_error(format!("its answer cannot be read: {problem}"), None), Some(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        match read_line(line.as_bytes(), true) {
            Line::Junk => "junk".into(),
            Line::Ignored => "ignored".into(),
            Line::Message(message) => match *message {
                JsonRpcMessage::Response(response) => format!("{:?}", response.result),
                JsonRpcMessage::Error(error) => format!("error {}", error.error.message),
                JsonRpcMessage::Request(request) => format!("request {}", request.id),
                JsonRpcMessage::Notification(_) => "notification".into(),
            },
        }
    }

    #[test]
    fn a_result_stays_what_it_is_whatever_else_is_in_it() {
        let line = r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","tools":[],"content":[]}}"#;
        assert!(told(line).starts_with("CustomResult"), "{}", told(line));
    }

    #[test]
    fn what_is_not_the_protocol_is_junk_and_what_concerns_nobody_is_ignored() {
        assert_eq!(told("Server listening on port 3000"), "junk");
        assert_eq!(told("{\"level\":\"info\"}"), "junk");
        assert_eq!(told("[1]"), "junk");
        assert_eq!(told("  \r"), "ignored");
        assert_eq!(told(r#"{"jsonrpc":"1.0","method":"textDocument/didOpen"}"#), "ignored");
    }

    #[test]
    fn an_answer_that_cannot_be_read_ends_its_request() {
        assert!(told(r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#).starts_with("error its answer cannot be read"));
    }
}
