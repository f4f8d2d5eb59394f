//! The asking side: finds the host that has a data directory open and sends it requests.

use crate::guard::{APPROVER, NAME};
use crate::idle_lines::IdleLines;
use crate::line::{Line, NoLine};
use crate::{Events, bridge, make_way};
use api::{AnyRequest, ErrorCode, HostError};
use host::Note;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::upgrade::Upgraded;
use hyper::{Request as HttpRequest, StatusCode, header};
use hyper_util::rt::TokioIo;
use protocol::{CallerId, ServerId};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncRead, AsyncWrite};

/// A running host, seen from another program of the same user.
#[derive(Clone)]
pub struct Client {
    data_dir: PathBuf,
    note: Note,
    idle: IdleLines,
}

impl Client {
    /// The host that has this data directory open; `None` if none can be reached.
    ///
    /// Fails with `host_unproven` if something else answers in its place.
    pub async fn find(data_dir: &Path) -> Result<Option<Self>, HostError> {
        let Some(note) = Note::read(data_dir) else {
            return Ok(None);
        };
        match Line::to(data_dir, &note).await {
            Ok(line) => {
                let idle = IdleLines::default();
                idle.keep(line);
                Ok(Some(Self {
                    data_dir: data_dir.to_owned(),
                    note,
                    idle,
                }))
            }
            Err(NoLine::Silent(_) | NoLine::Closed(_)) => Ok(None),
            Err(NoLine::Unproven) => {
                if is_still_there(data_dir, &note) {
                    Err(unproven())
                } else {
                    Ok(None)
                }
            }
        }
    }

    /// The token for answers given at a terminal; `None` while a window runs, and where the host
    /// takes answers with the token in a file only.
    pub fn terminal_token(&self) -> Option<&str> {
        self.note.terminal_token.as_deref()
    }

    /// The token of a command that says yes by itself; `None` while a window runs.
    pub fn unattended_token(&self) -> Option<&str> {
        self.note.unattended_token.as_deref()
    }

    /// Hears what the host tells from now on.
    pub async fn events(&self) -> Result<Events, HostError> {
        let http = self
            .request("GET", "/events")
            .body(Full::new(Bytes::new()))
            .map_err(lost)?;
        let mut line = self.line().await?;
        let response = line.send(http).await.map_err(lost)?;
        match response.status() {
            StatusCode::OK => Ok(Events::new(response.into_body(), line)),
            other => Err(lost(format!("it answered {other}"))),
        }
    }

    /// Becomes the connection of another application, to all servers or to one. What is written to it
    /// is read as lines of MCP, and so is what comes back. After the line [`crate::END_OF_INPUT`] nothing
    /// more is read, and the connection ends once what is under way is answered; one that is closed
    /// without it has all that given up.
    ///
    /// Fails with `unknown_client` if that application may not come in.
    pub async fn bridge(
        &self,
        client: &CallerId,
        server: Option<&ServerId>,
    ) -> Result<impl AsyncRead + AsyncWrite + Send + Unpin + use<>, HostError> {
        let stream = self.bridged(client, server).await?;
        Ok(TokioIo::new(stream))
    }

    /// The same for threads that wait for what comes: the stream, and what has come on it already.
    #[cfg(unix)]
    pub async fn blocking_bridge(
        &self,
        client: &CallerId,
        server: Option<&ServerId>,
    ) -> Result<(std::os::unix::net::UnixStream, Bytes), HostError> {
        let stream = self.bridged(client, server).await?;
        let parts = stream
            .downcast::<TokioIo<tokio::net::UnixStream>>()
            .map_err(|_| lost("its connection is no socket"))?;
        let stream = parts.io.into_inner().into_std().map_err(lost)?;
        stream.set_nonblocking(false).map_err(lost)?;
        Ok((stream, parts.read_buf))
    }

    async fn bridged(
        &self,
        client: &CallerId,
        server: Option<&ServerId>,
    ) -> Result<Upgraded, HostError> {
        let mut http = self
            .request("GET", &format!("{}{client}", bridge::PATH))
            .header(header::CONNECTION, "upgrade")
            .header(header::UPGRADE, bridge::PROTOCOL);
        if let Some(server) = server {
            http = http.header(bridge::SERVER, server.as_str());
        }
        let http = http.body(Full::new(Bytes::new())).map_err(lost)?;
        let mut line = self.line().await?;
        let response = line.send(http).await.map_err(lost)?;
        match response.status() {
            StatusCode::SWITCHING_PROTOCOLS => hyper::upgrade::on(response).await.map_err(lost),
            StatusCode::BAD_REQUEST => {
                let body = response.into_body().collect().await.map_err(lost)?;
                Err(serde_json::from_slice(&body.to_bytes()).map_err(lost)?)
            }
            other => Err(lost(format!("it answered {other}"))),
        }
    }

    /// Asks it to make way for a window. False if it does not.
    pub(crate) async fn ask_to_make_way(&self) -> Result<bool, HostError> {
        let http = self
            .request("POST", make_way::PATH)
            .body(Full::new(Bytes::new()))
            .map_err(lost)?;
        let response = self.line().await?.send(http).await.map_err(lost)?;
        Ok(response.status() == StatusCode::OK)
    }

    /// Sends one request and waits for its reply as long as it takes, on the word of whoever the
    /// second token belongs to.
    ///
    /// Fails with what the host answered, with `connection_lost`, or with `host_unproven`.
    pub async fn ask<R: api::Request>(
        &self,
        request: R,
        second_token: Option<&str>,
    ) -> Result<R::Reply, HostError> {
        let reply = self.send(&request.into(), second_token).await?;
        api::read::<R>(reply.get())
    }

    /// Sends any request, and answers with what came back, as it travelled.
    async fn send(
        &self,
        request: &AnyRequest,
        second_token: Option<&str>,
    ) -> Result<Box<RawValue>, HostError> {
        let request = serde_json::to_vec(request).map_err(lost)?;
        let mut http = self
            .request("POST", "/rpc")
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = second_token {
            http = http.header(APPROVER, token);
        }
        let http = http.body(Full::new(Bytes::from(request))).map_err(lost)?;
        let mut line = self.line().await?;
        let response = line.send(http).await.map_err(lost)?;
        let status = response.status();
        let body = response
            .into_body()
            .collect()
            .await
            .map_err(lost)?
            .to_bytes();
        self.idle.keep(line);
        match status {
            StatusCode::OK => serde_json::from_slice(&body).map_err(lost),
            StatusCode::BAD_REQUEST => Err(serde_json::from_slice(&body).map_err(lost)?),
            other => Err(lost(format!("it answered {other}"))),
        }
    }

    fn request(&self, method: &str, path: &str) -> hyper::http::request::Builder {
        HttpRequest::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, NAME)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.note.token))
    }

    async fn line(&self) -> Result<Line, HostError> {
        if let Some(line) = self.idle.take() {
            return Ok(line);
        }
        Line::to(&self.data_dir, &self.note)
            .await
            .map_err(|problem| match problem {
                NoLine::Silent(problem) | NoLine::Closed(problem) => lost(problem),
                NoLine::Unproven if is_still_there(&self.data_dir, &self.note) => unproven(),
                NoLine::Unproven => lost("another one runs by now"),
            })
    }
}

/// Whether a note is still the one in its folder. The next host may have come meanwhile: then it
/// is another one by now.
fn is_still_there(data_dir: &Path, note: &Note) -> bool {
    Note::read(data_dir).is_some_and(|now| now.token == note.token)
}

fn lost(problem: impl std::fmt::Display) -> HostError {
    HostError::of(
        ErrorCode::ConnectionLost,
        format!("the running Majordomo did not answer: {problem}"),
    )
}

fn unproven() -> HostError {
    HostError::of(
        ErrorCode::HostUnproven,
        "what answers there is not the Majordomo that left its note in the data folder; it was told nothing",
    )
}
