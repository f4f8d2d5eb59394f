//! What the headers of a request say, and whether they say the same as its body.

use super::body::Response;
use crate::message::Request;
use crate::rpc_error::RpcError;
use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};
use protocol::HeaderParameters;
use serde::Deserialize;
use serde_json::{Map, Value};

const REVISION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// What stands around a value that is written as Base64.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// The revision of the protocol that is spoken.
pub(super) fn revision(headers: &HeaderMap) -> Option<&str> {
    text(headers, REVISION)
}

/// The number of the session.
pub(super) fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get(&SESSION)?.to_str().ok()
}

/// Tells a client the number of its session.
pub(super) fn set_session(response: &mut Response, number: &str) {
    if let Ok(number) = HeaderValue::from_str(number) {
        response.headers_mut().insert(SESSION, number);
    }
}

/// Whether the body is JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// Whether a stream of events is taken.
pub(super) fn takes_events(headers: &HeaderMap) -> bool {
    let takes = |accept: &HeaderValue| {
        let accept = accept.to_str().unwrap_or_default().to_ascii_lowercase();
        accept.contains("text/event-stream") || accept.contains("*/*")
    };
    headers.get_all(header::ACCEPT).iter().any(takes)
}

/// Whether the headers of a request of the era of 2026 say the same as its body. What routes by
/// them may not be led elsewhere.
pub(super) fn check(headers: &HeaderMap, request: &Request) -> Result<(), RpcError> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        uri: Option<String>,
    }
    let meta = request.params.meta()?;
    let said = once(headers, REVISION).ok_or_else(|| mismatch("MCP-Protocol-Version"))?;
    if meta.revision.is_some_and(|revision| revision != said) {
        return Err(mismatch("MCP-Protocol-Version"));
    }
    if once(headers, METHOD) != Some(&request.method) {
        return Err(mismatch("Mcp-Method"));
    }
    let Named { name, uri } = request.params.read()?;
    let named = match request.method.as_str() {
        "tools/call" | "prompts/get" => name,
        "resources/read" => uri,
        _ => return Ok(()),
    };
    let said = once(headers, NAME).and_then(decoded);
    if named.is_some() && said != named {
        return Err(mismatch("Mcp-Name"));
    }
    Ok(())
}

/// Whether the headers of a call say the same as those of its arguments that travel as headers, too.
pub(super) fn check_parameters(
    headers: &HeaderMap,
    parameters: &HeaderParameters,
    arguments: &Map<String, Value>,
) -> Result<(), RpcError> {
    for (name, value) in parameters.each(arguments) {
        let name = format!("Mcp-Param-{name}");
        let said = once(headers, &name).and_then(decoded);
        let is_left_out = value.is_none() && !headers.contains_key(&name);
        if !is_left_out && (said.is_none() || said != value) {
            return Err(mismatch(&name));
        }
    }
    Ok(())
}

fn mismatch(header: &str) -> RpcError {
    RpcError::new(
        RpcError::HEADER_MISMATCH,
        format!("The header {header} is missing, or says something else than the request"),
    )
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The value of a header that stands there once.
fn once<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

/// A value that may be written as Base64.
fn decoded(value: &str) -> Option<String> {
    use base64::Engine as _;
    let inside = value
        .strip_prefix(ENCODED.0)
        .and_then(|value| value.strip_suffix(ENCODED.1));
    let Some(inside) = inside else {
        return Some(value.to_owned());
    };
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(inside)
        .ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn parameters() -> HeaderParameters {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
        }});
        HeaderParameters::read(schema.as_object().unwrap()).unwrap()
    }

    fn is_accepted(arguments: &Value, said: &[(&str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in said {
            let name = HeaderName::try_from(*name).unwrap();
            headers.append(name, HeaderValue::try_from(*value).unwrap());
        }
        let checked = check_parameters(&headers, &parameters(), arguments.as_object().unwrap());
        if let Err(error) = &checked {
            assert_eq!(error.code, RpcError::HEADER_MISMATCH);
        }
        checked.is_ok()
    }

    #[test]
    fn the_headers_of_arguments_say_what_the_arguments_say() {
        let region = "Mcp-Param-Region";
        for (arguments, said) in [
            (json!({"region": "eu"}), &[(region, "eu")][..]),
            (
                json!({"region": "eu"}),
                &[("mcp-param-region", "=?base64?ZXU=?=")],
            ),
            (json!({"region": "ZXU="}), &[(region, "ZXU=")]),
            (
                json!({"region": "=?base64?ZXU="}),
                &[(region, "=?base64?ZXU=")],
            ),
            (json!({"count": 3.0}), &[("Mcp-Param-Count", "3")]),
            (json!({"region": null}), &[]),
            (json!({}), &[("Mcp-Param-Other", "x")]),
        ] {
            assert!(is_accepted(&arguments, said), "{arguments} {said:?}");
        }
        for (arguments, said) in [
            (json!({"region": "eu"}), &[][..]),
            (json!({"region": "eu"}), &[(region, "us")]),
            (json!({"region": "eu"}), &[(region, "eu"), (region, "eu")]),
            (
                json!({"region": "Hello"}),
                &[(region, "=?base64?SGVsbG8?=")],
            ),
            (
                json!({"region": "Hello"}),
                &[(region, "=?base64?SGVs!!!bG8=?=")],
            ),
            (json!({}), &[(region, "eu")]),
            (json!({"region": null}), &[(region, "null")]),
            (json!({"count": 3}), &[("Mcp-Param-Count", "3.0")]),
        ] {
            assert!(!is_accepted(&arguments, said), "{arguments} {said:?}");
        }
    }

    proptest! {
        #[test]
        fn only_the_value_itself_is_accepted(value in "[ -~]{0,12}", said in "[!-~]{0,12}") {
            let arguments = json!({"region": value});
            let is_same = decoded(&said).as_ref() == Some(&value);
            prop_assert_eq!(is_accepted(&arguments, &[("Mcp-Param-Region", said.as_str())]), is_same);
        }
    }
}
