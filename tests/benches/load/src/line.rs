//! The ways on which calls travel: a child's standard input and output, and HTTP on a connection
//! that stays open.
//!
//! Always true here: nothing is done between the bytes and the clock that one of them needs and
//! another does not. Both HTTP doors are spoken to by the same code.

use crate::Failure;
use crate::call::{Call, Reply};
use serde_json::Value;
use std::future::Future;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite};
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

/// Where calls are sent and answers come back.
pub trait Line: Send + Sized + 'static {
    /// Writes the request that is sent next; nobody has begun to wait yet.
    fn prepare(&mut self, call: Call) -> Result<(), Failure>;

    /// Sends it. Where several may be under way, their answers come in any order.
    fn send(&mut self) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Waits until all of the next answer is here.
    fn receive(&mut self) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Reads the answer that came last. Fails where it is none.
    fn reply(&self) -> Result<Reply<'_>, Failure>;
}

/// A child's standard input and output, with a message of MCP on each line.
pub struct Stdio {
    into: ChildStdin,
    out: BufReader<ChildStdout>,
    request: Vec<u8>,
    last: Vec<u8>,
}

/// How much is read at once.
const READ: usize = 64 * 1024;

impl Stdio {
    /// Greets a server.
    pub async fn open(into: ChildStdin, out: ChildStdout) -> Result<Self, Failure> {
        let mut line = Self {
            into,
            out: BufReader::with_capacity(READ, out),
            request: Vec::new(),
            last: Vec::new(),
        };
        let hello = serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "load", "version": "0"},
        }});
        line.say(hello.to_string().as_bytes()).await?;
        line.receive().await?;
        let welcome: Value = serde_json::from_slice(&line.last)?;
        if welcome["result"]["protocolVersion"].is_null() {
            return Err(format!("the greeting was answered with {welcome}").into());
        }
        let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        line.say(ready).await?;
        Ok(line)
    }

    async fn say(&mut self, message: &[u8]) -> Result<(), Failure> {
        self.write(message);
        self.send().await
    }

    fn write(&mut self, message: &[u8]) {
        self.request.clear();
        self.request.extend_from_slice(message);
        self.request.push(b'\n');
    }
}

impl Line for Stdio {
    fn prepare(&mut self, call: Call) -> Result<(), Failure> {
        self.write(&call.to_server());
        Ok(())
    }

    async fn send(&mut self) -> Result<(), Failure> {
        Ok(self.into.write_all(&self.request).await?)
    }

    async fn receive(&mut self) -> Result<(), Failure> {
        self.last.clear();
        match self.out.read_until(b'\n', &mut self.last).await? {
            0 => Err("the process ended while calls were under way".into()),
            _ => Ok(()),
        }
    }

    fn reply(&self) -> Result<Reply<'_>, Failure> {
        Reply::of_server(&self.last)
    }
}

/// What is spoken over HTTP.
#[derive(Debug, Clone)]
pub enum Speech {
    /// MCP, by Streamable HTTP with answers in JSON.
    Mcp,
    /// The host's contract, with the token of its note.
    Host {
        /// The token.
        token: String,
    },
}

/// A connection over HTTP/1.1 that stays open.
pub struct Http<S> {
    stream: S,
    speech: Speech,
    /// What stands before the length of each request.
    head: String,
    request: Vec<u8>,
    /// The last response: its head up to `body`, and its body.
    last: Vec<u8>,
    body: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Http<S> {
    /// On this stream, to whoever has this name there.
    pub fn new(stream: S, name: &str, speech: Speech) -> Self {
        let head = match &speech {
            Speech::Mcp => format!(
                "POST /mcp HTTP/1.1\r\nhost: {name}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-06-18\r\ncontent-length: "
            ),
            Speech::Host { token } => format!(
                "POST /rpc HTTP/1.1\r\nhost: {name}\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\ncontent-length: "
            ),
        };
        Self {
            stream,
            speech,
            head,
            request: Vec::new(),
            last: Vec::new(),
            body: 0,
        }
    }

    /// Sends what follows on the word of whoever this second token of the host belongs to.
    pub fn on_the_word_of(mut self, token: &str) -> Self {
        let named = format!("x-majordomo-approver: {token}\r\ncontent-length: ");
        self.head = self.head.replace("content-length: ", &named);
        self
    }

    /// Sends a request and waits for all of the response.
    ///
    /// Fails where it is anything but `200 OK`, with what it says.
    pub async fn ask(&mut self, body: &[u8]) -> Result<&[u8], Failure> {
        self.write(body);
        self.send().await?;
        self.response().await?;
        Ok(&self.last[self.body..])
    }

    fn write(&mut self, body: &[u8]) {
        let length = format!("{}\r\n\r\n", body.len());
        self.request.clear();
        self.request.extend_from_slice(self.head.as_bytes());
        self.request.extend_from_slice(length.as_bytes());
        self.request.extend_from_slice(body);
    }

    async fn response(&mut self) -> Result<(), Failure> {
        self.last.clear();
        let end = loop {
            self.read(READ).await?;
            if let Some(end) = self.last.windows(4).position(|part| part == b"\r\n\r\n") {
                break end;
            }
        };
        self.body = end + 4;
        let head = std::str::from_utf8(&self.last[..end])?.to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .ok_or_else(|| format!("a response has no length: {head}"))?;
        let whole = self.body + length.trim().parse::<usize>()?;
        while self.last.len() < whole {
            self.read(whole - self.last.len()).await?;
        }
        if self.last.len() > whole {
            return Err("more came than was asked for".into());
        }
        if head.starts_with("http/1.1 200") {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&self.last[self.body..]);
        Err(format!("{}: {said}", head.lines().next().unwrap_or_default()).into())
    }

    async fn read(&mut self, most: usize) -> Result<(), Failure> {
        self.last.reserve(most);
        match self.stream.read_buf(&mut self.last).await? {
            0 => Err("the connection was closed while calls were under way".into()),
            _ => Ok(()),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Line for Http<S> {
    fn prepare(&mut self, call: Call) -> Result<(), Failure> {
        let body = match self.speech {
            Speech::Mcp => call.to_server(),
            Speech::Host { .. } => call.to_host(),
        };
        self.write(&body);
        Ok(())
    }

    async fn send(&mut self) -> Result<(), Failure> {
        Ok(self.stream.write_all(&self.request).await?)
    }

    async fn receive(&mut self) -> Result<(), Failure> {
        self.response().await
    }

    fn reply(&self) -> Result<Reply<'_>, Failure> {
        let body = &self.last[self.body..];
        match self.speech {
            Speech::Mcp => Reply::of_server(body),
            Speech::Host { .. } => Reply::of_host(body),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn responses_are_told_apart_by_their_length_however_they_arrive() {
        let (ours, mut theirs) = tokio::io::duplex(16);
        let server = tokio::spawn(async move {
            let mut heard = Vec::new();
            for (status, body) in [
                ("200 OK", "{}"),
                ("200 OK", "[1, 2, 3]"),
                ("403 Forbidden", "no"),
            ] {
                while !heard.ends_with(b"ask") {
                    theirs.read_buf(&mut heard).await.unwrap();
                }
                heard.clear();
                let length = body.len();
                let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n");
                theirs.write_all((head + body).as_bytes()).await.unwrap();
            }
        });
        let token = "t".to_owned();
        let mut line = Http::new(ours, "localhost", Speech::Host { token });
        assert_eq!(line.ask(b"ask").await.unwrap(), b"{}");
        assert_eq!(line.ask(b"ask").await.unwrap(), b"[1, 2, 3]");
        let refused = line.ask(b"ask").await.unwrap_err().to_string();
        assert_eq!(refused, "http/1.1 403 forbidden: no");
        server.await.unwrap();
    }
}
