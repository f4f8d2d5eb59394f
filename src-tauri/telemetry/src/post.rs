//! Posts to the collector, through the one way out, and notes whether it arrived.

use crate::status::Notes;
use crate::surroundings::Surroundings;
use async_trait::async_trait;
use egress::{Egress, Reach, Url};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// How long a collector may take to answer.
const WAIT: Duration = Duration::from_secs(5);
/// Bytes of an answer that are read.
const ANSWER: usize = 64 * 1024;

/// The way to one collector.
#[derive(Clone)]
pub(crate) struct Post {
    pub(crate) egress: Egress,
    pub(crate) notes: Arc<Notes>,
    pub(crate) surroundings: Arc<dyn Surroundings>,
    /// Metrics come from a thread that is not one of these.
    pub(crate) runtime: Handle,
    /// True once the person has taken the collector away.
    pub(crate) gone: watch::Receiver<bool>,
}

impl Post {
    async fn send(self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let mut gone = self.gone.clone();
        let sent = tokio::select! {
            biased;
            // A program that ends lets go of the other end, and that takes nothing away.
            true = async { gone.wait_for(|gone| *gone).await.is_ok() } => return Err("the collector was taken away".into()),
            sent = self.exchange(request) => sent,
        };
        match &sent {
            Ok(response) if response.status().is_success() => {
                self.notes.arrived(self.surroundings.now())
            }
            Ok(response) => self.notes.failed(format!(
                "the collector answered with HTTP status {}",
                response.status().as_u16()
            )),
            Err(error) => self.notes.failed(error.to_string()),
        }
        sent
    }

    async fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let url = Url::parse(&parts.uri.to_string())?;
        let mut out = egress::Request::post(url, Reach::Typed, body);
        out.method = parts.method;
        // What this program's environment says in `OTEL_EXPORTER_OTLP_HEADERS` is a key of another
        // collector, perhaps.
        for said in [
            egress::header::CONTENT_TYPE,
            egress::header::CONTENT_ENCODING,
            egress::header::USER_AGENT,
        ] {
            if let Some(value) = parts.headers.get(&said) {
                out.headers.insert(said, value.clone());
            }
        }
        out.wait = WAIT;
        let answer = self.egress.send(out).await?;
        let (status, headers) = (answer.status, answer.headers.clone());
        let mut response = Response::new(answer.bytes(ANSWER).await?);
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

#[async_trait]
impl HttpClient for Post {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        self.runtime.spawn(self.clone().send(request)).await?
    }
}

impl std::fmt::Debug for Post {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Post")
    }
}
