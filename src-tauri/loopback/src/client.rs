//! The asking side: finds the host that has a data directory open and sends it requests.

use crate::Events;
use crate::guard::APPROVER;
use crate::note;
use host::{ErrorCode, HostError};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::net::Ipv4Addr;
use std::path::Path;
use tokio::net::TcpStream;

/// A running host, seen from another program of the same user.
#[derive(Debug, Clone)]
pub struct Client {
    port: u16,
    token: String,
    terminal_token: Option<String>,
}

impl Client {
    /// The host that has this data directory open; `None` if none does.
    pub async fn find(data_dir: &Path) -> Option<Self> {
        let note = note::read(data_dir)?;
        // A host that was killed leaves its note behind.
        TcpStream::connect((Ipv4Addr::LOCALHOST, note.port)).await.ok()?;
        Some(Self { port: note.port, token: note.token, terminal_token: note.terminal_token })
    }

    /// The token for answers given at a terminal; `None` while a window runs.
    pub fn terminal_token(&self) -> Option<&str> {
        self.terminal_token.as_deref()
    }

    /// Hears what the host tells from now on.
    pub async fn events(&self) -> Result<Events, HostError> {
        let http = Request::get("/events")
            .header(header::HOST, format!("127.0.0.1:{}", self.port))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(Full::new(Bytes::new()))
            .map_err(lost)?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await.map_err(lost)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(lost)?;
        let driving = tokio::spawn(async move { drop(connection.await) });
        let response = sender.send_request(http).await.map_err(lost)?;
        match response.status() {
            StatusCode::OK => Ok(Events::new(response.into_body(), driving)),
            other => Err(lost(format!("it answered {other}"))),
        }
    }

    /// Sends one request, in the JSON shape of [`host::api::Request`], and waits for its answer as long as it takes.
    pub async fn ask(&self, request: &Value, approver_token: Option<&str>) -> Result<Value, HostError> {
        let mut http = Request::post("/rpc")
            .header(header::HOST, format!("127.0.0.1:{}", self.port))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = approver_token {
            http = http.header(APPROVER, token);
        }
        let http = http.body(Full::new(Bytes::from(request.to_string()))).map_err(lost)?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await.map_err(lost)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(lost)?;
        let driving = tokio::spawn(connection);
        let response = sender.send_request(http).await.map_err(lost)?;
        let status = response.status();
        let body = response.into_body().collect().await.map_err(lost)?.to_bytes();
        driving.abort();
        match status {
            StatusCode::OK => serde_json::from_slice(&body).map_err(lost),
            StatusCode::BAD_REQUEST => Err(serde_json::from_slice(&body).map_err(lost)?),
            other => Err(lost(format!("it answered {other}"))),
        }
    }
}

fn lost(problem: impl std::fmt::Display) -> HostError {
    HostError::of(ErrorCode::ConnectionLost, format!("the running Majordomo did not answer: {problem}"))
}
