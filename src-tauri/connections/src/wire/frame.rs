//! The bytes of a message → what it is. Only the outside is read; the inside stays as it came until
//! someone needs it.
//!
//! A batch (2025-03-26) is several messages. An answer that cannot be read still ends its request.

use crate::ConnectionError;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// An error of the protocol, in the server's words.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    #[serde(default)]
    pub(crate) message: String,
    pub(crate) data: Option<Box<serde_json::Value>>,
}

/// One message.
#[derive(Debug)]
pub(crate) enum Frame<'a> {
    /// The server asks something.
    Request {
        id: &'a RawValue,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// The server tells something.
    Notification {
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// The server answers.
    Reply {
        id: u64,
        result: Result<&'a RawValue, ConnectionError>,
    },
    /// An error that says not of what, or an answer to something that was never asked.
    Stray { error: Option<ConnectionError> },
}

/// The outer form of a message.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// JSON-RPC's code for what went wrong inside.
pub(crate) const INTERNAL: i32 = -32_603;

/// Reads one message or batch; none if it is not the protocol, and an empty list if it concerns
/// nobody.
pub(crate) fn frames(bytes: &[u8]) -> Option<Vec<Frame<'_>>> {
    let bytes = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii();
    match bytes.first() {
        None => Some(Vec::new()),
        Some(b'[') => {
            let batch: Vec<&RawValue> = serde_json::from_slice(bytes).ok()?;
            let frames: Vec<_> = batch
                .into_iter()
                .filter_map(|part| frame(part.get().as_bytes()))
                .collect();
            (!frames.is_empty()).then_some(frames)
        }
        Some(_) => frame(bytes).map(|frame| vec![frame]),
    }
}

fn frame(bytes: &[u8]) -> Option<Frame<'_>> {
    // A list could be taken for an envelope too, by the order of its parts.
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let Envelope {
        id,
        method,
        params,
        result,
        error,
    } = serde_json::from_slice(bytes).ok()?;
    if let Some(method) = method {
        return Some(match id {
            Some(id) => Frame::Request { id, method, params },
            None => Frame::Notification { method, params },
        });
    }
    let result = match (result, error) {
        (Some(result), None) => Ok(result),
        (_, Some(error)) => Err(serde_json::from_str::<RpcError>(error.get())
            .map_or_else(ConnectionError::unreadable, ConnectionError::from)),
        (None, None) => return None,
    };
    Some(match id.and_then(|id| id.get().parse().ok()) {
        Some(id) => Frame::Reply { id, result },
        None => Frame::Stray {
            error: result.err(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(bytes: &str) -> String {
        let words = |frame: &Frame<'_>| match frame {
            Frame::Request { id, method, .. } => format!("request {id} {method}"),
            Frame::Notification { method, .. } => format!("notification {method}"),
            Frame::Reply {
                id,
                result: Ok(result),
            } => format!("answer {id} {result}"),
            Frame::Reply {
                id,
                result: Err(error),
            } => format!("error {id} {error}"),
            Frame::Stray { .. } => "stray".to_owned(),
        };
        match frames(bytes.as_bytes()) {
            None => "junk".to_owned(),
            Some(all) => all.iter().map(words).collect::<Vec<_>>().join("; "),
        }
    }

    #[test]
    fn what_is_not_the_protocol_is_junk_and_what_concerns_nobody_is_nothing() {
        assert_eq!(told("Server listening on port 3000"), "junk");
        assert_eq!(told("{\"level\":\"info\"}"), "junk");
        assert_eq!(told("[1]"), "junk");
        assert_eq!(told("[]"), "junk");
        assert_eq!(told(r#"[[7, "ping", {}]]"#), "junk");
        assert_eq!(told("  \r"), "");
        assert_eq!(
            told(r#"{"jsonrpc":"1.0","method":"textDocument/didOpen"}"#),
            "notification textDocument/didOpen"
        );
    }

    #[test]
    fn a_result_stays_what_it_is_whatever_else_is_in_it() {
        let line = r#"{"jsonrpc":"2.0","id":1,"result":{"b":1.0,"a":[]},"extra":7}"#;
        assert_eq!(told(line), r#"answer 1 {"b":1.0,"a":[]}"#);
    }

    #[test]
    fn a_batch_is_its_messages_and_one_bad_part_loses_no_other() {
        let batch = r#"[{"id":1,"result":{}},7,{"method":"ping","id":"a"},{"id":2,"error":{"code":-1,"message":"no"}}]"#;
        assert_eq!(
            told(batch),
            "answer 1 {}; request \"a\" ping; error 2 it answered with an error: no (-1)"
        );
    }

    #[test]
    fn an_answer_that_cannot_be_read_ends_its_request() {
        assert!(
            told(r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#)
                .starts_with("error 1 its answer cannot be read")
        );
    }

    #[test]
    fn an_error_that_says_not_of_what_belongs_to_nobody() {
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}"#),
            "stray"
        );
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}"#),
            "stray"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_bring_it_down(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = frames(&bytes);
        }

        #[test]
        fn no_json_brings_it_down(text in r#"[\[\]{}",:0-9a-z\\ ]{0,200}"#) {
            let _ = frames(text.as_bytes());
        }
    }
}
