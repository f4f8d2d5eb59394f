//! Servers at an address, played by a few lines that speak HTTP on loopback: what is answered is
//! said by the test.

use crate::support::no_bound;
use crate::support::{LIMITS, TestHandler};
use connections::{Authorization, Connection, ConnectionError, HttpStart, Limits, Start};
use protocol::{Era, Secret, ServerId};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

/// A value that must never be told: in a header, and in the address.
pub const SECRET: &str = "hunter2-of-the-test";

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub verb: String,
    pub head: String,
    pub body: Value,
}

impl Asked {
    /// What the protocol calls it.
    pub fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<String> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(": "));
        headers
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    }
}

/// What comes back.
pub enum Reply {
    /// All at once.
    Whole {
        status: &'static str,
        headers: String,
        body: String,
    },
    /// Events that the test feeds, until it lets go of its end.
    Events {
        headers: String,
        feed: mpsc::UnboundedReceiver<String>,
    },
    /// The same piece of a stream, for ever.
    Endless(String),
    /// Nothing, and the connection stays open.
    Never,
    /// Nothing, and the connection ends.
    HangsUp,
}

/// A status and nothing else.
pub fn status(status: &'static str) -> Reply {
    whole(status, "", "")
}

pub fn whole(status: &'static str, headers: &str, body: &str) -> Reply {
    Reply::Whole {
        status,
        headers: headers.to_owned(),
        body: body.to_owned(),
    }
}

/// A message, or a batch of them, as JSON.
pub fn message(headers: &str, message: &Value) -> Reply {
    whole(
        "200 OK",
        &format!("content-type: application/json\r\n{headers}"),
        &message.to_string(),
    )
}

/// The answer to a request.
pub fn result(asked: &Asked, result: Value) -> Reply {
    message("", &answer(asked, result))
}

pub fn answer(asked: &Asked, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": asked.body["id"], "result": result })
}

/// An error of the protocol.
pub fn error(asked: &Asked, code: i32, data: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": { "code": code, "message": "no", "data": data } })
}

/// A stream that says these things and ends.
pub fn events<const N: usize>(said: [String; N]) -> Reply {
    let (say, feed) = mpsc::unbounded_channel();
    said.into_iter().for_each(|piece| say.send(piece).unwrap());
    Reply::Events {
        headers: String::new(),
        feed,
    }
}

/// One event with a message.
pub fn event(message: &Value) -> String {
    format!("data: {message}\n\n")
}

/// A stream that the test goes on to feed.
pub fn fed() -> (mpsc::UnboundedSender<String>, Reply) {
    let (say, feed) = mpsc::unbounded_channel();
    (
        say,
        Reply::Events {
            headers: String::new(),
            feed,
        },
    )
}

/// A server and all that it was asked. It ends with the test.
pub struct Scripted {
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// How many of its streams were let go by us.
    pub left: watch::Sender<u32>,
    changed: watch::Sender<()>,
}

impl Scripted {
    /// Answers every request as `reply` says.
    pub async fn new(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp?key={SECRET}", listener.local_addr().unwrap());
        let server = Arc::new(Self {
            url,
            asked: Arc::default(),
            left: watch::Sender::new(0),
            changed: watch::Sender::new(()),
        });
        let (reply, told) = (Arc::new(reply), Arc::clone(&server));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (reply, server) = (Arc::clone(&reply), Arc::clone(&told));
                tokio::spawn(async move { server.one(stream, &*reply).await });
            }
        });
        server
    }

    /// All requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The requests with this method so far.
    pub fn asked_for(&self, method: &str) -> Vec<Asked> {
        self.asked()
            .into_iter()
            .filter(|asked| asked.method() == method)
            .collect()
    }

    /// Waits for a request that fits.
    pub async fn until(&self, fits: impl Fn(&Asked) -> bool) -> Asked {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(found) = self.asked().into_iter().find(&fits) {
                return found;
            }
            changed.changed().await.unwrap();
        }
    }

    async fn one(
        &self,
        mut stream: TcpStream,
        reply: &(dyn Fn(&Asked) -> Reply + Send + Sync),
    ) -> Option<()> {
        let asked = read(&mut stream).await?;
        let reply = reply(&asked);
        self.asked.lock().unwrap().push(asked);
        self.changed.send_replace(());
        match reply {
            Reply::Whole {
                status,
                headers,
                body,
            } => {
                let head = format!(
                    "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
                    body.len()
                );
                stream.write_all(head.as_bytes()).await.ok()?;
                stream.write_all(body.as_bytes()).await.ok()
            }
            Reply::Events { headers, mut feed } => {
                let head = format!(
                    "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n{headers}\r\n"
                );
                stream.write_all(head.as_bytes()).await.ok()?;
                let (mut read, mut write) = stream.split();
                let mut none = [0; 1];
                loop {
                    tokio::select! {
                        biased;
                        piece = feed.recv() => write.write_all(piece?.as_bytes()).await.ok()?,
                        _ = read.read(&mut none) => {
                            self.left.send_modify(|count| *count += 1);
                            return None;
                        }
                    }
                }
            }
            Reply::Endless(piece) => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n").await.ok()?;
                while stream.write_all(piece.as_bytes()).await.is_ok() {}
                self.left.send_modify(|count| *count += 1);
                None
            }
            Reply::Never => {
                let _ = stream.read(&mut [0; 1]).await;
                None
            }
            Reply::HangsUp => None,
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut part).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&part[..read]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length = head
            .lines()
            .find_map(|line| {
                line.to_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            })
            .unwrap_or(0);
        let body = &bytes[end + 4..];
        if body.len() >= length {
            let verb = head.split(' ').next()?.to_owned();
            return Some(Asked {
                verb,
                body: serde_json::from_slice(body).unwrap_or_default(),
                head,
            });
        }
    }
}

/// A well-behaved server with a session.
pub fn with_session(asked: &Asked) -> Reply {
    match (asked.verb.as_str(), asked.method()) {
        ("POST", "initialize") => message(
            "mcp-session-id: s1\r\n",
            &answer(asked, initialized("2025-11-25")),
        ),
        ("POST", "tools/list") => result(asked, tools()),
        ("POST", "tools/call") => result(asked, echo(asked)),
        ("POST", "server/discover") => message("", &error(asked, -32_601, Value::Null)),
        ("POST", "resources/list") => result(asked, json!({ "resources": [] })),
        ("POST", _) => status("202 Accepted"),
        _ => status("405 Method Not Allowed"),
    }
}

/// A well-behaved server without one.
pub fn modern(asked: &Asked) -> Reply {
    match asked.method() {
        "server/discover" => result(asked, discovered()),
        "tools/list" => result(asked, tools()),
        "tools/call" => result(asked, echo(asked)),
        _ => message("", &error(asked, -32_601, Value::Null)),
    }
}

pub fn initialized(revision: &str) -> Value {
    json!({ "protocolVersion": revision, "capabilities": { "tools": {}, "resources": {} }, "serverInfo": { "name": "far away", "version": "1" } })
}

pub fn discovered() -> Value {
    json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} }, "ttlMs": 0, "cacheScope": "private",
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "far away", "version": "1" } },
    })
}

pub fn tools() -> Value {
    json!({ "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }] })
}

pub fn echo(asked: &Asked) -> Value {
    json!({ "content": [{ "type": "text", "text": asked.body["params"]["arguments"]["text"] }] })
}

/// How to connect, with a secret in the address and in a header.
pub fn start(url: &str, era: Option<Era>) -> HttpStart {
    HttpStart {
        server: ServerId::parse("far").unwrap(),
        url: url.to_owned(),
        headers: vec![("X-Key".to_owned(), Secret::new(SECRET.to_owned()))],
        egress: egress::Egress::new(egress::Settings {
            proxy: egress::Proxy::None,
            ..Default::default()
        })
        .unwrap(),
        authorization: None,
        era,
    }
}

/// Connects. Whatever goes wrong tells no secret.
pub async fn connect_with(
    start: HttpStart,
    limits: Limits,
) -> Result<(Connection, Arc<TestHandler>), ConnectionError> {
    let handler = Arc::new(TestHandler::default());
    let started = Connection::start(Start::Http(start), limits, no_bound(), handler.clone()).await;
    let connection = started.map_err(|failure| {
        assert!(
            !format!("{failure:?} {failure}").contains("hunter2"),
            "{failure:?}"
        );
        failure.error
    })?;
    Ok((connection, handler))
}

/// Connects to a server of an unknown era.
pub async fn connect(server: &Scripted) -> Result<(Connection, Arc<TestHandler>), ConnectionError> {
    connect_with(start(&server.url, None), LIMITS).await
}

/// Connects to a server that is known to be of an era.
pub async fn connect_in(server: &Scripted, era: Era) -> (Connection, Arc<TestHandler>) {
    connect_with(start(&server.url, Some(era)), LIMITS)
        .await
        .unwrap()
}

/// Connects as somebody.
pub async fn connect_as(
    server: &Scripted,
    who: Arc<dyn Authorization>,
) -> Result<(Connection, Arc<TestHandler>), ConnectionError> {
    connect_with(
        HttpStart {
            authorization: Some(who),
            ..start(&server.url, None)
        },
        LIMITS,
    )
    .await
}
