//! Another application: a client of MCP that comes in by the gateway, line by line.

use super::{TestHost, WAIT_TIMEOUT};
use host::api::ClientView;
use loopback::Client;
use protocol::{CallerId, ServerId};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::Path;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::time::timeout;

type Stream = Box<dyn super::http::Connection>;

/// A client on a line of its own.
pub struct McpClient {
    lines: Lines<BufReader<tokio::io::ReadHalf<Stream>>>,
    writing: tokio::io::WriteHalf<Stream>,
    next: u64,
    /// What it was told and nobody has looked at yet.
    pub told: VecDeque<Value>,
}

/// The revision in which each request says its own.
pub const MODERN: &str = "2026-07-28";

impl TestHost {
    /// Lets an application in, on the person's word.
    pub async fn add_client(&self, name: &str) -> CallerId {
        let client: ClientView = self.get("add_client", json!({ "name": name })).await;
        client.id
    }
}

impl McpClient {
    /// Comes in, and says nothing yet. The host is served.
    pub async fn come(test: &TestHost, client: &CallerId, server: Option<&str>) -> Self {
        Self::at(test.dir(), client, server).await
    }

    /// Comes in at the host that has a data folder open, and says nothing yet.
    pub async fn at(dir: &Path, client: &CallerId, server: Option<&str>) -> Self {
        let host = Client::find(dir).await.unwrap().unwrap();
        let server = server.map(|server| ServerId::parse(server).unwrap());
        let stream = host.bridge(client, server.as_ref()).await.unwrap();
        let (reading, writing) = tokio::io::split(Box::new(stream) as Stream);
        Self {
            lines: BufReader::new(reading).lines(),
            writing,
            next: 0,
            told: VecDeque::new(),
        }
    }

    /// Comes in, and begins with the handshake.
    pub async fn begin(test: &TestHost, client: &CallerId, server: Option<&str>) -> Self {
        let mut client = Self::come(test, client, server).await;
        client.greet().await;
        client
    }

    /// Comes in, and begins with the handshake. It can be asked this.
    pub async fn begin_able(test: &TestHost, client: &CallerId, capabilities: Value) -> Self {
        let mut client = Self::come(test, client, None).await;
        client.handshake(capabilities).await;
        client
    }

    /// Begins with the handshake.
    pub async fn greet(&mut self) {
        self.handshake(json!({})).await;
    }

    async fn handshake(&mut self, capabilities: Value) {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "tester", "version": "1"}});
        let begun = self.ask("initialize", params).await.unwrap();
        assert_eq!(begun["protocolVersion"], "2025-11-25");
        self.tell("notifications/initialized", json!({})).await;
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.writing.write_all(line.as_bytes()).await.unwrap();
        self.writing.flush().await.unwrap();
    }

    /// Sends a message that wants no answer.
    pub async fn tell(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.send(&message).await;
    }

    /// Sends a request and does not wait; its id.
    pub async fn begin_to_ask(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.send(&message).await;
        self.next
    }

    /// Sends a request and waits for the answer: its result, or its error.
    pub async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin_to_ask(method, params).await;
        self.answer(id).await
    }

    /// The same in the words of 2026.
    pub async fn ask_modern(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.ask_able(json!({}), method, params).await
    }

    /// The same of a client that can be asked this.
    pub async fn ask_able(
        &mut self,
        capabilities: Value,
        method: &str,
        mut params: Value,
    ) -> Result<Value, Value> {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        self.ask(method, params).await
    }

    /// The next thing that it is asked itself: the id, and what goes with it.
    pub async fn asked(&mut self, method: &str) -> (Value, Value) {
        loop {
            let mut message = match self.told.pop_front() {
                Some(message) => message,
                None => self.heard().await.expect("it was sent away"),
            };
            if message["method"] == method {
                assert!(!message["id"].is_null(), "{message}");
                return (message["id"].take(), message["params"].take());
            }
        }
    }

    /// Replies to what it was asked.
    pub async fn reply(&mut self, id: &Value, result: Value) {
        let message = json!({"jsonrpc": "2.0", "id": id, "result": result});
        self.send(&message).await;
    }

    /// Calls a tool.
    pub async fn call(&mut self, name: &str, arguments: Value) -> Result<Value, Value> {
        let params = json!({"name": name, "arguments": arguments});
        self.ask("tools/call", params).await
    }

    /// The names of the tools that it is shown, without those by which Majordomo speaks of itself.
    pub async fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({})).await.unwrap();
        let tools = listed["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .filter(|name| !name.starts_with("majordomo_"))
            .collect()
    }

    /// The answer to a request. What is told meanwhile is kept.
    pub async fn answer(&mut self, id: u64) -> Result<Value, Value> {
        loop {
            let mut message = self.heard().await.expect("it was sent away");
            if message.get("method").is_some() {
                self.told.push_back(message);
                continue;
            }
            assert_eq!(message["id"], id, "{message}");
            return match message.get_mut("result") {
                Some(result) => Ok(result.take()),
                None => Err(message["error"].take()),
            };
        }
    }

    /// The next that it is told without having asked.
    pub async fn told(&mut self, method: &str) -> Value {
        loop {
            let message = match self.told.pop_front() {
                Some(message) => message,
                None => self.heard().await.expect("it was sent away"),
            };
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }

    /// The next message; none once it was sent away.
    pub async fn heard(&mut self) -> Option<Value> {
        let line = timeout(WAIT_TIMEOUT, self.lines.next_line()).await;
        let line = line.expect("nothing was said in time").ok()??;
        Some(serde_json::from_str(&line).unwrap())
    }
}

/// The first text of a result.
pub fn first_text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
