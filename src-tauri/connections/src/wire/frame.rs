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

/// The longest name of a method, and the longest id as JSON, in bytes. Both are kept and shown
/// beside a message, whatever is cut of it.
const LONGEST_NAME: usize = 256;
/// The most values in one message. Each takes a multiple of its text in memory.
const MOST_VALUES: usize = 1_000_000;

/// Reads one message or batch; none if it is not the protocol, and an empty list if it concerns
/// nobody. Fails if no server that means well sends such a thing.
pub(crate) fn frames(bytes: &[u8]) -> Result<Option<Vec<Frame<'_>>>, ConnectionError> {
    let bytes = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii();
    if has_too_many_values(bytes) {
        return Err(ConnectionError::Oversized {
            what: "values in a message",
            limit: MOST_VALUES,
        });
    }
    let frames = match bytes.first() {
        None => Some(Vec::new()),
        Some(b'[') => batch(bytes),
        Some(_) => frame(bytes).map(|frame| vec![frame]),
    };
    match frames {
        Some(frames) if frames.iter().any(is_oversized) => Err(ConnectionError::Oversized {
            what: "bytes in the name of a method or an id",
            limit: LONGEST_NAME,
        }),
        frames => Ok(frames),
    }
}

fn batch(bytes: &[u8]) -> Option<Vec<Frame<'_>>> {
    let batch: Vec<&RawValue> = serde_json::from_slice(bytes).ok()?;
    let frames: Vec<_> = batch
        .into_iter()
        .filter_map(|part| frame(part.get().as_bytes()))
        .collect();
    (!frames.is_empty()).then_some(frames)
}

fn is_oversized(frame: &Frame<'_>) -> bool {
    match frame {
        Frame::Request { id, method, .. } => id.get().len().max(method.len()) > LONGEST_NAME,
        Frame::Notification { method, .. } => method.len() > LONGEST_NAME,
        // Its id is a number of ours.
        Frame::Reply { .. } | Frame::Stray { .. } => false,
    }
}

/// Whether there are more values in a text than are read, if it is JSON: each but the first stands
/// behind one of these signs.
fn has_too_many_values(bytes: &[u8]) -> bool {
    let separates = |byte: &u8| matches!(byte, b',' | b':' | b'[' | b'{');
    // Most messages have not even as many in their texts.
    if bytes.len() <= MOST_VALUES
        || bytes.iter().filter(|byte| separates(byte)).count() <= MOST_VALUES
    {
        return false;
    }
    let (mut found, mut in_text, mut escaped) = (0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            byte if !in_text && separates(byte) => found += 1,
            _ => {}
        }
    }
    found > MOST_VALUES
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
            Err(error) => format!("refused: {error}"),
            Ok(None) => "junk".to_owned(),
            Ok(Some(all)) => all.iter().map(words).collect::<Vec<_>>().join("; "),
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

    #[test]
    fn a_name_or_an_id_of_any_length_and_values_without_number_are_refused() {
        let long = "x".repeat(LONGEST_NAME + 1);
        for refused in [
            format!(r#"{{"method":"{long}"}}"#),
            format!(r#"{{"method":"ping","id":"{long}"}}"#),
            format!(r#"[{{"method":"ping","id":1}},{{"method":"{long}","id":1}}]"#),
        ] {
            assert!(told(&refused).starts_with("refused: "), "{refused}");
        }
        let result = |inside: &str| format!(r#"{{"id":1,"result":{{"a":{inside}}}}}"#);
        let many = format!("[{}0]", "0,".repeat(MOST_VALUES));
        assert!(told(&result(&many)).starts_with("refused: "));
        let deep = format!("[{}[]]", "[],".repeat(MOST_VALUES / 2));
        assert!(told(&result(&deep)).starts_with("refused: "));
        // Signs in a text are no values.
        let text = format!(r#""\\\"{}""#, "[1,{2:".repeat(MOST_VALUES));
        assert!(told(&result(&text)).starts_with("answer 1 "));
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
