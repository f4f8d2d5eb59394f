//! Another application that comes in over Streamable HTTP.

use super::http::{Address, Connection};
use super::mcp_client::MODERN;
use super::{TestHost, WAIT_TIMEOUT};
use host::api::GatewayView;
use protocol::{CallerId, TokenHash};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::time::timeout;

/// A client with a session.
pub struct HttpClient {
    address: Address,
    /// Behind the path of the joint endpoint.
    at: String,
    session: String,
}

/// An answer that is read message by message, be it one of JSON or a stream of events.
pub struct Answer(Lines<BufReader<Box<dyn Connection>>>);

impl HttpClient {
    /// Gets a token, comes in and begins a session. It can be asked this.
    pub async fn begin(test: &TestHost, client: &CallerId, capabilities: Value) -> Self {
        Self::at(test, client, "", capabilities).await
    }

    /// The same at the endpoint of one server, `/NAME`.
    pub async fn at(test: &TestHost, client: &CallerId, at: &str, capabilities: Value) -> Self {
        let begun = Self::come(test, client, at).await;
        begun.greet("2025-11-25", capabilities).await
    }

    /// The same in a revision, and nothing can be asked of it.
    pub async fn of(test: &TestHost, client: &CallerId, revision: &str) -> Self {
        let begun = Self::come(test, client, "").await;
        begun.greet(revision, json!({})).await
    }

    async fn come(test: &TestHost, client: &CallerId, at: &str) -> Self {
        let token = format!("token of {client}").replace(' ', "-");
        let params = json!({"client": client, "hash": TokenHash::of(&token)});
        test.ask("set_client_token", params).await.unwrap();
        let address = loop {
            let view: GatewayView = test.get("list_clients", json!({})).await;
            match view.address {
                Some(address) => break Address::of_gateway(&address, &token),
                None => tokio::task::yield_now().await,
            }
        };
        Self {
            address,
            at: at.to_owned(),
            session: String::new(),
        }
    }

    async fn greet(mut self, revision: &str, capabilities: Value) -> Self {
        let params = json!({"protocolVersion": revision, "capabilities": capabilities, "clientInfo": {"name": "tester", "version": "1"}});
        let mut answer = self.post(0, "initialize", params).await;
        self.session = answer.header("mcp-session-id").await;
        self
    }

    async fn open(&self, further: &[(&str, &str)], message: &Value) -> Answer {
        self.request("POST", further, &message.to_string()).await
    }

    async fn request(&self, method: &str, further: &[(&str, &str)], body: &str) -> Answer {
        let bearer = format!("Bearer {}", self.address.token);
        let place = self.address.place();
        let usual = [
            ("Host", place.as_str()),
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let headers = [&usual[..], further].concat();
        let stream = self
            .address
            .open(&format!("{method} /mcp{}", self.at), &headers, body)
            .await;
        Answer(BufReader::new(stream).lines())
    }

    /// Sends a message of the session; the status of the answer.
    pub async fn send(&self, message: &Value) -> u16 {
        let session = [("Mcp-Session-Id", self.session.as_str())];
        self.open(&session, message).await.status().await
    }

    /// Sends messages of the session that come together.
    pub async fn post_all(&self, messages: &Value) -> Answer {
        let session = [("Mcp-Session-Id", self.session.as_str())];
        self.open(&session, messages).await
    }

    /// Ends the session.
    pub async fn end(&self) {
        let session = [("Mcp-Session-Id", self.session.as_str())];
        let mut answer = self.request("DELETE", &session, "").await;
        assert_eq!(answer.status().await, 200);
    }

    /// The stream on which is told what the session's client has not asked for.
    pub async fn follow(&self) -> Answer {
        let session = [("Mcp-Session-Id", self.session.as_str())];
        self.request("GET", &session, "").await
    }

    /// Sends a request of the session.
    pub async fn post(&self, id: u64, method: &str, params: Value) -> Answer {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let session = [("Mcp-Session-Id", self.session.as_str())];
        let session = &session[usize::from(self.session.is_empty())..];
        self.open(session, &message).await
    }

    /// Calls a tool in the words of 2026, as a client that can be asked this; the answer.
    pub async fn call_modern(&self, capabilities: Value, mut params: Value) -> Value {
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": capabilities});
        let name = params["name"].as_str().unwrap().to_owned();
        let mut answer = self.open_modern("tools/call", Some(&name), params).await;
        answer.message().await
    }

    /// Sends a request in the words of 2026 about something of this name, if about anything.
    pub async fn open_modern(&self, method: &str, name: Option<&str>, params: Value) -> Answer {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let headers = [
            ("MCP-Protocol-Version", MODERN),
            ("Mcp-Method", method),
            ("Mcp-Name", name.unwrap_or_default()),
        ];
        let headers = &headers[..headers.len() - usize::from(name.is_none())];
        self.open(headers, &message).await
    }

    /// Calls a tool in the words of 2026 with further headers: the status, and the answer.
    pub async fn call_with(&self, further: &[(&str, &str)], mut params: Value) -> (u16, Value) {
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let usual = [
            ("MCP-Protocol-Version", MODERN),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", params["name"].as_str().unwrap()),
        ];
        let mut answer = self.open(&[&usual[..], further].concat(), &message).await;
        (answer.status().await, answer.message().await)
    }
}

impl Answer {
    async fn line(&mut self) -> String {
        let line = timeout(WAIT_TIMEOUT, self.0.next_line()).await;
        let line = line.expect("nothing came in time").unwrap();
        line.expect("the answer has ended")
    }

    /// The status.
    pub async fn status(&mut self) -> u16 {
        let status = self.line().await;
        status.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// The value of a header.
    pub async fn header(&mut self, wanted: &str) -> String {
        loop {
            let line = self.line().await;
            if let Some((name, value)) = line.split_once(": ")
                && name.eq_ignore_ascii_case(wanted)
            {
                return value.to_owned();
            }
        }
    }

    /// The last line of an answer that comes bit by bit and was not cut off.
    pub async fn last_line(&mut self) -> Option<String> {
        let mut last = None;
        loop {
            let line = timeout(WAIT_TIMEOUT, self.0.next_line()).await;
            match line.expect("the answer did not end in time") {
                Ok(Some(line)) if line.is_empty() => {}
                Ok(Some(line)) => last = Some(line),
                Ok(None) => return last,
                Err(_) => return None,
            }
        }
    }

    /// The next message.
    pub async fn message(&mut self) -> Value {
        loop {
            let line = self.line().await;
            let text = line.strip_prefix("data: ").unwrap_or(&line);
            if let Ok(message @ Value::Object(_)) = serde_json::from_str(text) {
                return message;
            }
        }
    }
}
