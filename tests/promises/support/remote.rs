//! A small MCP server over Streamable HTTP on this computer. It remembers a header of every
//! request, and gives it away.

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

type Answer = Arc<dyn Fn(&Value, &str) -> Option<Value> + Send + Sync>;

/// The server. It ends with the test.
pub struct Remote {
    pub url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Remote {
    /// A server that remembers the header of this name, and gives it away.
    pub async fn new(header: &'static str) -> Self {
        Self::answering(header, answer).await
    }

    /// A server that remembers the header of this name, and answers a message with that header as
    /// `answer` says.
    pub async fn answering(
        header: &'static str,
        answer: impl Fn(&Value, &str) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        let answer: Answer = Arc::new(answer);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let remember = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client that goes away in the middle is no concern of this server.
                tokio::spawn(serve(stream, header, remember.clone(), answer.clone()));
            }
        });
        Self { url, seen }
    }

    /// The values of the header, request by request.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn serve(
    stream: TcpStream,
    header: &'static str,
    seen: Arc<Mutex<Vec<String>>>,
    answer: Answer,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let value = |name: &str| {
            let mut headers = lines.iter().filter_map(|line| line.split_once(':'));
            headers
                .find(|(found, _)| found.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.trim().to_owned())
        };
        let secret = value(header).unwrap_or_default();
        seen.lock().unwrap().push(secret.clone());
        let mut body = vec![
            0;
            value("content-length")
                .and_then(|length| length.parse().ok())
                .unwrap_or(0)
        ];
        stream.read_exact(&mut body).await?;
        let reply = match serde_json::from_slice(&body) {
            Ok(message) if lines[0].starts_with("POST") => answer(&message, &secret),
            _ => None,
        };
        let text = match (reply, lines[0].starts_with("POST")) {
            (Some(answer), _) => {
                let answer = answer.to_string();
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{answer}",
                    answer.len()
                )
            }
            (None, true) => "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned(),
            (None, false) => {
                "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n".to_owned()
            }
        };
        stream.get_mut().write_all(text.as_bytes()).await?;
    }
}

fn answer(message: &Value, secret: &str) -> Option<Value> {
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "remote", "version": secret}, "instructions": secret,
        }),
        "tools/list" => {
            json!({"tools": [{"name": "tells", "description": secret, "inputSchema": {"type": "object"}}]})
        }
        "tools/call" => json!({"content": [{"type": "text", "text": format!("you are {secret}")}]}),
        _ => {
            return Some(
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": format!("unknown to {secret}")}}),
            );
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}
