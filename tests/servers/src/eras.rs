//! `slow-legacy`, `slow-modern`, `exits-on-probe`, `silent-on-probe`, `dies-after-probe`,
//! `pins-era`, `only-2024`, `odd-revision`, `names-older`, `future`, `agrees`: how servers of
//! either era meet the first message of the other.

use crate::echo::Echo;
use crate::modern::Modern;
use crate::rpc::{Call, Outcome, Server, complain, conclude, receive, serve, take};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

fn method(message: &Value) -> &str {
    message
        .get("method")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Reads nothing for so many seconds, as a program does that is fetched first.
pub(crate) fn wait(seconds: Option<String>) {
    let seconds = seconds
        .and_then(|seconds| seconds.parse().ok())
        .unwrap_or(12.0);
    sleep(Duration::from_secs_f64(seconds));
}

/// Leaves when the first message is not what it expects.
pub(crate) fn exits_on_probe() -> ExitCode {
    let Some(first) = receive() else {
        return ExitCode::SUCCESS;
    };
    if method(&first) != "initialize" {
        complain("fatal: expected initialize");
        return ExitCode::from(4);
    }
    let mut server = Echo;
    take(&mut server, &first);
    serve(server);
    ExitCode::SUCCESS
}

/// Passes over everything until it is greeted.
pub(crate) fn silent_on_probe() {
    while let Some(message) = receive() {
        if method(&message) == "initialize" {
            let mut server = Echo;
            take(&mut server, &message);
            return serve(server);
        }
    }
}

/// Does not answer a probe, and dies of whatever comes next.
pub(crate) fn dies_after_probe() -> ExitCode {
    let Some(first) = receive() else {
        return ExitCode::SUCCESS;
    };
    if method(&first) == "initialize" {
        let mut server = Echo;
        take(&mut server, &first);
        serve(server);
        return ExitCode::SUCCESS;
    }
    match receive() {
        Some(_) => {
            complain("RuntimeError: received request before initialization was complete");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}

/// Speaks both eras, and is for ever of that in which it was first spoken to.
pub(crate) fn pins_era() {
    let Some(first) = receive() else { return };
    if method(&first) == "server/discover" {
        let mut server = Modern::default();
        server.take(&first);
        return server.serve();
    }
    let mut server = Pinned;
    take(&mut server, &first);
    serve(server);
}

struct Pinned;

impl Server for Pinned {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        Echo.call(call)
    }

    fn other(&mut self, method: &str, _params: &Value) -> Outcome {
        match method {
            "server/discover" => Outcome::Refusal(
                -32_600,
                "this conversation began with a handshake",
                Value::Null,
            ),
            _ => Outcome::Refusal(-32_601, "no such method", Value::Null),
        }
    }
}

/// Agrees to one revision, whatever is offered.
pub(crate) struct Revision(pub(crate) &'static str);

impl Server for Revision {
    fn greeting(&mut self, _protocol: Value) -> Value {
        Echo.greeting(json!(self.0))
    }

    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        Echo.call(call)
    }
}

/// Says yes to everything that it does not know.
pub(crate) struct Agrees;

impl Server for Agrees {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        Echo.call(call)
    }

    fn other(&mut self, _method: &str, _params: &Value) -> Outcome {
        Outcome::Result(json!({}))
    }
}

/// Knows the newer era's words, and speaks only the older one's newest revision.
pub(crate) struct NamesOlder;

impl Server for NamesOlder {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        Echo.call(call)
    }

    fn other(&mut self, _method: &str, _params: &Value) -> Outcome {
        Outcome::Refusal(
            -32_022,
            "this revision is not spoken here",
            json!({ "supported": ["2025-11-25"], "requested": "2026-07-28" }),
        )
    }
}

/// Speaks nothing but what is not written yet.
pub(crate) fn future() {
    while let Some(message) = receive() {
        if let Some(id) = message.get("id") {
            let supported = json!({ "supported": ["2999-01-01"], "requested": "2026-07-28" });
            conclude(
                id,
                Outcome::Refusal(-32_022, "this revision is of the past", supported),
            );
        }
    }
}
