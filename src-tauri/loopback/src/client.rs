//! The asking side: finds the host that has a data directory open and sends it requests.

use crate::Events;
use crate::guard::{APPROVER, UNATTENDED};
use crate::note;
use api::{AnyRequest, ErrorCode, HostError};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Request as HttpRequest, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::value::RawValue;
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
        TcpStream::connect((Ipv4Addr::LOCALHOST, note.port))
            .await
            .ok()?;
        Some(Self {
            port: note.port,
            token: note.token,
            terminal_token: note.terminal_token,
        })
    }

    /// The token for answers given at a terminal; `None` while a window runs.
    pub fn terminal_token(&self) -> Option<&str> {
        self.terminal_token.as_deref()
    }

    /// Hears what the host tells from now on.
    pub async fn events(&self) -> Result<Events, HostError> {
        let http = HttpRequest::get("/events")
            .header(header::HOST, format!("127.0.0.1:{}", self.port))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(Full::new(Bytes::new()))
            .map_err(lost)?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))
            .await
            .map_err(lost)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(lost)?;
        let driving = tokio::spawn(async move { drop(connection.await) });
        let response = sender.send_request(http).await.map_err(lost)?;
        match response.status() {
            StatusCode::OK => Ok(Events::new(response.into_body(), driving)),
            other => Err(lost(format!("it answered {other}"))),
        }
    }

    /// Sends one request and waits for its reply as long as it takes; `unattended` where the
    /// command says yes by itself.
    ///
    /// Fails with what the host answered, or with `connection_lost`.
    pub async fn ask<R: api::Request>(
        &self,
        request: R,
        approver_token: Option<&str>,
        unattended: bool,
    ) -> Result<R::Reply, HostError> {
        let reply = self
            .send(&request.into(), approver_token, unattended)
            .await?;
        api::read::<R>(reply.get())
    }

    /// Sends any request, and answers with what came back, as it travelled.
    async fn send(
        &self,
        request: &AnyRequest,
        approver_token: Option<&str>,
        unattended: bool,
    ) -> Result<Box<RawValue>, HostError> {
        let request = serde_json::to_vec(request).map_err(lost)?;
        let mut http = HttpRequest::post("/rpc")
            .header(header::HOST, format!("127.0.0.1:{}", self.port))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = approver_token {
            http = http.header(APPROVER, token);
        }
        if unattended {
            http = http.header(UNATTENDED, "yes");
        }
        let http = http.body(Full::new(Bytes::from(request))).map_err(lost)?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))
            .await
            .map_err(lost)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(lost)?;
        let driving = tokio::spawn(connection);
        let response = sender.send_request(http).await.map_err(lost)?;
        let status = response.status();
        let body = response
            .into_body()
            .collect()
            .await
            .map_err(lost)?
            .to_bytes();
        driving.abort();
        match status {
            StatusCode::OK => serde_json::from_slice(&body).map_err(lost),
            StatusCode::BAD_REQUEST => Err(serde_json::from_slice(&body).map_err(lost)?),
            other => Err(lost(format!("it answered {other}"))),
        }
    }
}

fn lost(problem: impl std::fmt::Display) -> HostError {
    HostError::of(
        ErrorCode::ConnectionLost,
        format!("the running Majordomo did not answer: {problem}"),
    )
}
