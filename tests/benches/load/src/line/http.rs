//! HTTP/1.1 on a connection that stays open, to whichever door.

use super::{Line, READ};
use crate::Failure;
use crate::call::{Call, Dialect, MODERN, Reply, WITH_HANDSHAKE};
use serde_json::json;
use std::fmt::Write as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// What is spoken over HTTP.
#[derive(Debug, Clone)]
pub enum Speech {
    /// MCP, by Streamable HTTP with answers in JSON.
    Mcp(OfClient),
    /// The host's contract, with the token of its note.
    Host {
        /// The token.
        token: String,
    },
}

/// How a client of MCP shows who it is.
#[derive(Debug, Clone, Default)]
pub struct OfClient {
    /// Its token, if it needs one.
    pub token: Option<String>,
    /// The number of its session, if it has one.
    pub session: Option<String>,
    /// How it speaks.
    pub dialect: Dialect,
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
        let (path, headers) = match &speech {
            Speech::Mcp(client) => ("/mcp", client.headers()),
            Speech::Host { token } => ("/rpc", format!("authorization: Bearer {token}\r\n")),
        };
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {name}\r\ncontent-type: application/json\r\n{headers}"
        );
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
        // Writing to a String cannot fail.
        let _ = write!(self.head, "x-majordomo-approver: {token}\r\n");
        self
    }

    /// Begins a session, and returns its number.
    pub async fn begin_session(&mut self) -> Result<String, Failure> {
        let hello = json!({
            "protocolVersion": WITH_HANDSHAKE,
            "capabilities": {},
            "clientInfo": {"name": "load", "version": "0"},
        });
        let hello = Dialect::default().request(0, "initialize", hello);
        self.ask(hello.to_string().as_bytes()).await?;
        let number = self.header("mcp-session-id");
        Ok(number.ok_or("a session has no number")?)
    }

    /// Sends a request and waits for all of the response.
    ///
    /// Fails where it is anything but `200 OK`, with what it says.
    pub async fn ask(&mut self, body: &[u8]) -> Result<&[u8], Failure> {
        self.write(body, "");
        self.send().await?;
        self.response().await?;
        Ok(&self.last[self.body..])
    }

    /// A header of the last response.
    fn header(&self, name: &str) -> Option<String> {
        let head = std::str::from_utf8(&self.last[..self.body]).ok()?;
        let mut headers = head.lines().filter_map(|line| line.split_once(": "));
        let found = headers.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
        Some(found.1.to_owned())
    }

    fn write(&mut self, body: &[u8], further: &str) {
        let length = format!("content-length: {}\r\n\r\n", body.len());
        self.request.clear();
        for part in [
            self.head.as_bytes(),
            further.as_bytes(),
            length.as_bytes(),
            body,
        ] {
            self.request.extend_from_slice(part);
        }
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

impl OfClient {
    fn headers(&self) -> String {
        let mut headers = String::from("accept: application/json, text/event-stream\r\n");
        let revision = match self.dialect.is_modern {
            true => MODERN,
            false => WITH_HANDSHAKE,
        };
        // Writing to a String cannot fail.
        let _ = write!(headers, "mcp-protocol-version: {revision}\r\n");
        if let Some(token) = &self.token {
            let _ = write!(headers, "authorization: Bearer {token}\r\n");
        }
        if let Some(session) = &self.session {
            let _ = write!(headers, "mcp-session-id: {session}\r\n");
        }
        headers
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Line for Http<S> {
    fn prepare(&mut self, call: Call) -> Result<(), Failure> {
        let (body, further) = match &self.speech {
            Speech::Mcp(OfClient { dialect, .. }) => {
                let further = match dialect.is_modern {
                    true => format!(
                        "mcp-method: tools/call\r\nmcp-name: {}\r\n",
                        call.named(*dialect)
                    ),
                    false => String::new(),
                };
                (call.to_server(*dialect), further)
            }
            Speech::Host { .. } => (call.to_host(), String::new()),
        };
        self.write(&body, &further);
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
            Speech::Mcp(_) => Reply::of_server(body),
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
