//! The parameters of a request as they are written: what a call sends is copied nowhere before.

use protocol::ToolName;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Where a request says what goes with it.
const META: &str = "_meta";

/// The tool of a call, and what it is called with.
#[derive(Clone, Copy)]
pub(crate) struct Tool<'a> {
    pub(crate) name: &'a ToolName,
    pub(crate) arguments: &'a Map<String, Value>,
}

/// All parameters of one request.
pub(super) struct Params<'a> {
    /// Of a call only.
    pub(super) tool: Option<Tool<'a>>,
    pub(super) others: &'a Map<String, Value>,
    /// By which the steps of this request are told from others, where somebody hears them.
    pub(super) progress_token: Option<u64>,
}

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut params = serializer.serialize_map(None)?;
        if let Some(Tool { name, arguments }) = self.tool {
            params.serialize_entry("name", name)?;
            params.serialize_entry("arguments", arguments)?;
        }
        for (name, value) in self.others.iter().filter(|(name, _)| *name != META) {
            params.serialize_entry(name, value)?;
        }
        match (self.others.get(META), self.progress_token) {
            (Some(Value::Object(meta)), Some(token)) => {
                params.serialize_entry(META, &Meta(Some(meta), token))?;
            }
            (Some(meta), _) => params.serialize_entry(META, meta)?,
            (None, Some(token)) => params.serialize_entry(META, &Meta(None, token))?,
            (None, None) => {}
        }
        params.end()
    }
}

/// What goes with a request, with the token of its steps.
struct Meta<'a>(Option<&'a Map<String, Value>>, u64);

impl Serialize for Meta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(others, token) = *self;
        let mut meta = serializer.serialize_map(None)?;
        for (name, value) in others.into_iter().flatten() {
            meta.serialize_entry(name, value)?;
        }
        meta.serialize_entry("progressToken", &token)?;
        meta.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(tool: Option<Tool<'_>>, others: &Value, progress_token: Option<u64>) -> Value {
        let others = others.as_object().unwrap();
        let params = Params {
            tool,
            others,
            progress_token,
        };
        serde_json::to_value(params).unwrap()
    }

    #[test]
    fn what_goes_with_a_request_and_the_token_of_its_steps_stand_together() {
        let meta = json!({"a.b/c": 1});
        for (others, token, expected) in [
            (json!({"uri": "u"}), None, json!({"uri": "u"})),
            (json!({}), Some(7), json!({"_meta": {"progressToken": 7}})),
            (
                json!({"_meta": meta, "uri": "u"}),
                Some(7),
                json!({"uri": "u", "_meta": {"a.b/c": 1, "progressToken": 7}}),
            ),
            (json!({"_meta": meta}), None, json!({"_meta": meta})),
        ] {
            assert_eq!(written(None, &others, token), expected);
        }
    }

    #[test]
    fn a_call_names_its_tool_and_its_arguments_beside_what_the_server_gets_back() {
        let (name, arguments) = ("echo".into(), json!({"text": "a"}));
        let tool = Tool {
            name: &name,
            arguments: arguments.as_object().unwrap(),
        };
        assert_eq!(
            written(Some(tool), &json!({"requestState": "s"}), None),
            json!({"name": "echo", "arguments": {"text": "a"}, "requestState": "s"})
        );
    }
}
