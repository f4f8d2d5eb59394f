//! One small JSON-RPC loop. Everything that comes is answered in order; a server may also answer later, or ask back.

use serde_json::{Map, Value, json};
use std::io::{BufRead, Write, stderr, stdin, stdout};

/// What a server does with a call.
pub(crate) enum Outcome {
    /// This result.
    Result(Value),
    /// An error of the protocol.
    Error(&'static str),
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
        self.arguments.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        self.arguments.get(name).and_then(Value::as_f64).unwrap_or_default()
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
    fn notified(&mut self, _method: &str) {}
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
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
        match message.get("id").cloned() {
            Some(id) if !method.is_empty() => request(&mut server, id, &method, message.get("params")),
            Some(_) => {}
            None => {
                if method == "notifications/cancelled" {
                    let id = message.pointer("/params/requestId");
                    complain(&format!("cancelled {}", id.unwrap_or(&Value::Null)));
                }
                server.notified(&method);
            }
        }
    }
}

fn request(server: &mut impl Server, id: Value, method: &str, params: Option<&Value>) {
    let param = |name: &str| params.and_then(|params| params.get(name));
    let outcome = match method {
        "initialize" => Outcome::Result(server.greeting(param("protocolVersion").cloned().unwrap_or_default())),
        "ping" => Outcome::Result(json!({})),
        "tools/list" => Outcome::Result(server.tools(param("cursor").and_then(Value::as_str))),
        "tools/call" => server.call(Call {
            id: id.clone(),
            tool: param("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            arguments: param("arguments").and_then(Value::as_object).cloned().unwrap_or_default(),
            progress: param("_meta").and_then(|meta| meta.get("progressToken")).cloned(),
        }),
        _ => Outcome::Error("no such method"),
    };
    match outcome {
        Outcome::Result(result) => answer(&id, &result),
        Outcome::Error(message) => send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32_602, "message": message } })),
        Outcome::Later => {}
    }
}

/// Answers a request.
pub(crate) fn answer(id: &Value, result: &Value) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
}

/// Tells something.
pub(crate) fn notify(method: &str, params: &Value) {
    send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
}

/// Asks the host, and waits for its answer: the result, or the error. What else comes meanwhile is lost.
pub(crate) fn ask(method: &str, params: &Value) -> Value {
    send(&json!({ "jsonrpc": "2.0", "id": "asked", "method": method, "params": params }));
    while let Some(message) = receive() {
        if message.get("id").is_some_and(|id| id == "asked") {
            return message.get("result").or_else(|| message.get("error")).cloned().unwrap_or_default();
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
    write_line(&message.to_string());
}

fn receive() -> Option<Value> {
    let mut line = String::new();
    loop {
        line.clear();
        if stdin().lock().read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Ok(message) = serde_json::from_str(&line) {
            return Some(message);
        }
    }
}
