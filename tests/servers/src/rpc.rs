//! One small JSON-RPC loop. Everything that comes is answered in order; a server may also answer
//! later, or ask back.

use crate::heard;
use serde_json::{Map, Value, json};
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether everything that is said is said in batches.
static BATCHES: AtomicBool = AtomicBool::new(false);

/// What a server does with a call.
pub(crate) enum Outcome {
    /// This result.
    Result(Value),
    /// An error of the protocol.
    Error(&'static str),
    /// An error of the protocol with a code of its own, and what is added to it.
    Refusal(i32, &'static str, Value),
    /// No answer now, and perhaps never.
    Later,
}

/// A call that is being made.
pub(crate) struct Call {
    pub(crate) id: Value,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) progress: Option<Value>,
}

impl Call {
    pub(crate) fn text(&self, name: &str) -> &str {
        self.arguments
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        self.arguments
            .get(name)
            .and_then(Value::as_f64)
            .unwrap_or_default()
    }
}

/// What makes one server different from the others.
pub(crate) trait Server {
    /// The result of `initialize`.
    fn greeting(&mut self, protocol: Value) -> Value {
        json!({
            "protocolVersion": protocol,
            "capabilities": { "tools": { "listChanged": true } },
            "serverInfo": { "name": "misbehave", "version": "1.0.0" },
        })
    }
    /// The result of `tools/list`.
    fn tools(&mut self, cursor: Option<&str>) -> Value;
    fn call(&mut self, call: Call) -> Outcome;
    /// Any other request.
    fn other(&mut self, _method: &str, _params: &Value) -> Outcome {
        Outcome::Error("no such method")
    }
    fn notified(&mut self, _method: &str) {}
    /// A request was taken back.
    fn cancelled(&mut self, _id: &Value) {}
}

/// A result with one text.
pub(crate) fn text(text: impl Into<String>) -> Value {
    json!({ "content": [{ "type": "text", "text": text.into() }] })
}

/// A definition without an output schema.
pub(crate) fn tool(name: &str, description: &str, properties: &Value) -> Value {
    json!({ "name": name, "description": description, "inputSchema": { "type": "object", "properties": properties } })
}

/// Serves until standard input ends.
pub(crate) fn serve(mut server: impl Server) {
    while let Some(message) = receive() {
        take(&mut server, &message);
    }
}

/// Takes one message.
pub(crate) fn take(server: &mut impl Server, message: &Value) {
    let method = message
        .get("method")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match message.get("id").cloned() {
        Some(id) if !method.is_empty() => request(server, id, method, message.get("params")),
        Some(_) => {}
        None => {
            if method == "notifications/cancelled" {
                let id = message.pointer("/params/requestId").unwrap_or(&Value::Null);
                complain(&format!("cancelled {id}"));
                server.cancelled(id);
            }
            server.notified(method);
        }
    }
}

fn request(server: &mut impl Server, id: Value, method: &str, params: Option<&Value>) {
    let param = |name: &str| params.and_then(|params| params.get(name));
    let outcome = match method {
        "initialize" => {
            Outcome::Result(server.greeting(param("protocolVersion").cloned().unwrap_or_default()))
        }
        "ping" => Outcome::Result(json!({})),
        "tools/list" => Outcome::Result(server.tools(param("cursor").and_then(Value::as_str))),
        "tools/call" => server.call(Call {
            id: id.clone(),
            tool: param("name")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            arguments: param("arguments")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default(),
            progress: param("_meta")
                .and_then(|meta| meta.get("progressToken"))
                .cloned(),
        }),
        _ => server.other(method, params.unwrap_or(&Value::Null)),
    };
    conclude(&id, outcome);
}

/// Answers a request as was decided.
pub(crate) fn conclude(id: &Value, outcome: Outcome) {
    match outcome {
        Outcome::Result(result) => answer(id, &result),
        Outcome::Error(message) => refuse(id, -32_602, message, &Value::Null),
        Outcome::Refusal(code, message, data) => refuse(id, code, message, &data),
        Outcome::Later => {}
    }
}

/// Answers a request with an error.
fn refuse(id: &Value, code: i32, message: &str, data: &Value) {
    let mut error = json!({ "code": code, "message": message });
    if !data.is_null() {
        error["data"] = data.clone();
    }
    send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
}

/// Answers a request.
pub(crate) fn answer(id: &Value, result: &Value) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
}

/// Tells something.
pub(crate) fn notify(method: &str, params: &Value) {
    send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
}

/// Asks the host, and waits for its answer: the result, or the error. What else comes meanwhile is
/// lost.
pub(crate) fn ask(method: &str, params: &Value) -> Value {
    send(&json!({ "jsonrpc": "2.0", "id": "asked", "method": method, "params": params }));
    while let Some(message) = receive() {
        if message.get("id").is_some_and(|id| id == "asked") {
            return message
                .get("result")
                .or_else(|| message.get("error"))
                .cloned()
                .unwrap_or_default();
        }
    }
    Value::Null
}

/// Writes one line on standard output. Nobody to read it is no concern of this program.
pub(crate) fn write_line(line: &str) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Writes one line on standard error.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Sends any message.
pub(crate) fn send(message: &Value) {
    if BATCHES.load(Ordering::Relaxed) && !message.is_array() {
        write_line(&json!([message]).to_string());
    } else {
        write_line(&message.to_string());
    }
}

/// From now on everything is said in batches.
pub(crate) fn speak_in_batches() {
    BATCHES.store(true, Ordering::Relaxed);
}

/// The next message; none at the end of the input.
#[expect(clippy::disallowed_methods, reason = "a server's messages come there")]
pub(crate) fn receive() -> Option<Value> {
    let mut line = String::new();
    loop {
        line.clear();
        if stdin().lock().read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Ok(message) = serde_json::from_str(&line) {
            heard::message(&message);
            return Some(message);
        }
    }
}
