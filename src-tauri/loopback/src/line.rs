//! A connection to a host that has proven to be the one whose note was read.
//!
//! Always true here: a request can be sent on such a connection only, so no token and no secret
//! reaches anybody else.

use crate::carrier;
use crate::guard::NAME;
use crate::proof::{self, Challenge};
use host::Note;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How long a proof is waited for.
const PROOF_TIMEOUT: Duration = Duration::from_secs(30);

/// How often a connection is begun again that was closed before anything but the challenge was
/// sent: a host in a crowd of strangers sends the oldest away.
const ATTEMPTS: usize = 10;
/// How long after one is the next.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(20);

/// A connection to a host that has proven itself. It ends with this.
#[derive(Debug)]
pub(crate) struct Line {
    sender: SendRequest<Full<Bytes>>,
    driving: JoinHandle<()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.driving.abort();
    }
}

/// Why there is no such connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoLine {
    /// Nobody listens there, or whoever does says nothing.
    #[error("{0}")]
    Silent(String),
    /// It was closed before anything but the challenge was sent.
    #[error("{0}")]
    Closed(String),
    /// Somebody answers there who does not know the note's token.
    #[error("what answers there is not the Majordomo that left the note")]
    Unproven,
}

impl Line {
    /// Connects to the host of a note, and has it prove that it is.
    pub(crate) async fn to(data_dir: &Path, note: &Note) -> Result<Self, NoLine> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let met = match carrier::connect(data_dir, &note.door).await {
                Ok(stream) => Self::over(stream, &note.token).await,
                Err(problem) if problem.kind() == io::ErrorKind::WouldBlock => Err(closed(problem)),
                Err(problem) => Err(silent(problem)),
            };
            match met {
                Err(NoLine::Closed(_)) if attempts < ATTEMPTS => sleep(BETWEEN_ATTEMPTS).await,
                other => return other,
            }
        }
    }

    /// Has whoever is at the other end of a stream prove that it knows a token.
    async fn over(
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        token: &str,
    ) -> Result<Self, NoLine> {
        let (sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .map_err(closed)?;
        let driving = tokio::spawn(async move { drop(connection.with_upgrades().await) });
        let mut line = Self { sender, driving };
        timeout(PROOF_TIMEOUT, prove(&mut line.sender, token))
            .await
            .map_err(|_| silent("it did not answer in time"))??;
        Ok(line)
    }

    /// Sends a request, and answers with the head of what came back.
    pub(crate) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> hyper::Result<Response<Incoming>> {
        // The end of the answer before may not have been noticed yet.
        self.sender.ready().await?;
        self.sender.send_request(request).await
    }

    /// Whether the other end has closed it.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

async fn prove(sender: &mut SendRequest<Full<Bytes>>, token: &str) -> Result<(), NoLine> {
    let challenge = Challenge::fresh();
    let request = Request::get(challenge.path())
        .header(header::HOST, NAME)
        .body(Full::default())
        .map_err(silent)?;
    let response = sender.send_request(request).await.map_err(|error| {
        // Something that does not even speak HTTP is no host of ours.
        if error.is_parse() {
            NoLine::Unproven
        } else {
            closed(error)
        }
    })?;
    if response.status() != StatusCode::OK {
        return Err(NoLine::Unproven);
    }
    let proof = Limited::new(response.into_body(), proof::LENGTH)
        .collect()
        .await
        .map_err(|_| NoLine::Unproven)?;
    if challenge.is_met(token, &proof.to_bytes()) {
        Ok(())
    } else {
        Err(NoLine::Unproven)
    }
}

fn closed(problem: impl std::fmt::Display) -> NoLine {
    NoLine::Closed(problem.to_string())
}

fn silent(problem: impl std::fmt::Display) -> NoLine {
    NoLine::Silent(problem.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    /// What comes of a connection to somebody who says this, and all that they were sent.
    async fn meeting(says: Option<&'static str>) -> (Result<(), NoLine>, String) {
        let (ours, mut theirs) = tokio::io::duplex(4096);
        let stranger = tokio::spawn(async move {
            let mut heard = [0; 4096];
            let mut length = theirs.read(&mut heard).await.unwrap();
            match says {
                Some(says) => theirs.write_all(says.as_bytes()).await.unwrap(),
                None => length += theirs.read(&mut heard[length..]).await.unwrap(),
            }
            drop(theirs);
            String::from_utf8(heard[..length].to_vec()).unwrap()
        });
        let line = Line::over(ours, "the token").await.map(drop);
        (line, stranger.await.unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_gives_no_proof_is_sent_nothing_but_a_number() {
        for (says, is_expected) in [
            (None, false),
            (Some(""), false),
            (Some("220 mail.example ESMTP\r\n\r\n"), true),
            (
                Some("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
                true,
            ),
            (Some("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), true),
            (
                Some(
                    "HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\n00000000000000000000000000000000",
                ),
                true,
            ),
            (
                Some(
                    "HTTP/1.1 200 OK\r\nContent-Length: 33\r\n\r\n000000000000000000000000000000000",
                ),
                true,
            ),
        ] {
            let (line, heard) = meeting(says).await;
            let problem = line.expect_err("it was believed");
            assert_eq!(
                matches!(problem, NoLine::Unproven),
                is_expected,
                "{says:?}: {problem}"
            );
            assert!(heard.starts_with("GET /proof/"), "{heard}");
            assert!(
                !heard.contains("the token") && heard.matches("GET").count() == 1,
                "{heard}"
            );
        }
    }
}
