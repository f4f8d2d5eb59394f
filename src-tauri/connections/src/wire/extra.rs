//! What has no word of ours beside what has one.

use serde_json::{Map, Value};

/// What names the request, the session or the task on the connection to the server, in `_meta`. It
/// means nothing on any other connection.
const OF_CONNECTION: &str = "io.modelcontextprotocol/";
/// The same in words without a prefix, those of W3C Trace Context and Baggage among them.
const OF_REQUEST: [&str; 4] = ["progressToken", "traceparent", "tracestate", "baggage"];
/// What says how a result is to be handled, which was done.
const HANDLED: [&str; 3] = ["resultType", "ttlMs", "cacheScope"];

/// What is passed on of the fields of a result that have no word here: all of it but what concerns
/// this one connection.
pub(super) fn beside(mut map: Map<String, Value>) -> Map<String, Value> {
    HANDLED.iter().for_each(|name| _ = map.remove(*name));
    if let Some(Value::Object(meta)) = map.get_mut("_meta") {
        meta.retain(|name, _| !name.starts_with(OF_CONNECTION) && !OF_REQUEST.contains(&&**name));
        if meta.is_empty() {
            map.remove("_meta");
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_concerns_the_connection_to_the_server_goes_no_further() {
        let of = |value: Value| Value::Object(beside(value.as_object().cloned().unwrap()));
        assert_eq!(
            of(json!({
                "resultType": "complete", "ttlMs": 1, "cacheScope": "public", "other": 1,
                "_meta": {
                    "io.modelcontextprotocol/serverInfo": {}, "io.modelcontextprotocol/related-task": {"taskId": "7"},
                    "io.modelcontextprotocol/subscriptionId": 7, "progressToken": 7, "traceparent": "00-a-b-01",
                    "example.com/a": 1, "ui": {"resourceUri": "ui://a"},
                },
            })),
            json!({"other": 1, "_meta": {"example.com/a": 1, "ui": {"resourceUri": "ui://a"}}})
        );
        assert_eq!(of(json!({"_meta": {"progressToken": 1}})), json!({}));
        assert_eq!(of(json!({"_meta": 7})), json!({"_meta": 7}));
    }
}
