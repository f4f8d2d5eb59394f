//! `clock`: a server that says when a call has reached it.

use crate::rpc::{Call, Outcome, Server, text, tool};
use serde_json::{Value, json};
use std::time::UNIX_EPOCH;

pub(crate) struct Clock;

impl Server for Clock {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [tool("time", "Says when it was called, in microseconds since 1970", &json!({ "number": { "type": "integer" } }))] })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        let now = UNIX_EPOCH.elapsed().unwrap_or_default();
        Outcome::Result(text(now.as_micros().to_string()))
    }
}
