//! From what it takes to start a server to a connection, or to the reason why there is none.

use super::guard::{Guard, Running};
use super::{About, Inner};
use crate::ending::{Ending, Why};
use crate::handler::Handler;
use crate::process::{Junk, Process, Stderr, Stdin};
use crate::tap::{Listeners, Tap};
use crate::{ConnectionError, HttpStart, Limits, ServerAsks, Start, StartError, StdioStart, http, process};
use rmcp::RoleClient;
use rmcp::model::{ProtocolVersion, ServerPeerInfo};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::transport::Transport;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};

/// How long the last words of a failed server are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The revisions that begin with a handshake.
const SPOKEN: [ProtocolVersion; 4] =
    [ProtocolVersion::V_2024_11_05, ProtocolVersion::V_2025_03_26, ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25];

/// What both kinds of start share.
struct Beginning {
    limits: Limits,
    asks: Arc<dyn ServerAsks>,
    ending: Arc<Ending>,
    deadline: Instant,
}

pub(super) async fn begin(start: Start, limits: Limits, asks: Arc<dyn ServerAsks>) -> Result<Inner, StartError> {
    tracing::debug!(server = %start.server(), "starting");
    let beginning = Beginning { limits, asks, ending: Arc::default(), deadline: Instant::now() + limits.start };
    match start {
        Start::Stdio(start) => beginning.stdio(&start).await,
        Start::Http(start) => Ok(beginning.http(&start).await?),
    }
}

impl Beginning {
    async fn stdio(self, start: &StdioStart) -> Result<Inner, StartError> {
        let spawned = process::spawn(start, Arc::clone(&self.asks), Arc::clone(&self.ending));
        let spawned = timeout_at(self.deadline, spawned).await.map_err(|_| self.too_late())??;
        let (stderr, junk) = (spawned.stderr, spawned.junk);
        let (process, stdin) = (spawned.process, spawned.stdin);
        match self.shake_hands(spawned.transport).await {
            Ok((running, parts)) => Ok(self.inner(running, parts, Some((process, stdin)), stderr)),
            Err(failure) => {
                let error = self.why_not(failure, &process, &stdin, &junk).await;
                process.kill().await;
                // Everything that held the stream is dead by now.
                let _ = timeout(LAST_WORDS, stderr.ended()).await;
                Err(StartError { error, stderr: stderr.tail().lines })
            }
        }
    }

    async fn http(self, start: &HttpStart) -> Result<Inner, ConnectionError> {
        let transport = http::streamable(start)?;
        match self.shake_hands(transport).await {
            Ok((running, parts)) => Ok(self.inner(running, parts, None, Stderr::none())),
            Err(None) => Err(self.too_late()),
            Err(Some(failure)) => Err(answered(&failure).unwrap_or_else(|| match &*failure {
                ClientInitializeError::TransportError { error, .. } => http::failure(&*error.error).unwrap_or_else(|| self.ending.error()),
                ClientInitializeError::ConnectionClosed(_) => self.ending.error(),
                _ => ConnectionError::NotProtocol { first_line: None },
            })),
        }
    }

    /// The handshake, on any transport. No error in the failure means that the time ran out.
    async fn shake_hands<T>(&self, transport: T) -> Result<(Running, Parts), Option<Box<ClientInitializeError>>>
    where
        T: Transport<RoleClient> + 'static,
    {
        let (open, listeners) = (watch::Sender::new(0), Arc::new(Listeners::default()));
        let parts = Parts { open: open.subscribe(), listeners: Arc::clone(&listeners) };
        let handler = Handler::new(Arc::clone(&self.asks), open);
        let tap = Tap::new(transport, listeners, Arc::clone(&self.ending));
        let handshake = serve_client_with_lifecycle(handler, tap, ClientLifecycleMode::Initialize);
        match timeout_at(self.deadline, handshake).await {
            Err(_) => Err(None),
            Ok(Err(error)) => Err(Some(Box::new(error))),
            Ok(Ok(running)) => match running.peer().peer_info() {
                Some(info) if !SPOKEN.contains(&info.protocol_version) => {
                    Err(Some(Box::new(ClientInitializeError::NoCompatibleProtocolVersion {
                        client_supported: SPOKEN.to_vec(),
                        server_supported: vec![info.protocol_version.clone()],
                    })))
                }
                _ => Ok((running, parts)),
            },
        }
    }

    /// Why a child process did not become a server.
    async fn why_not(&self, failure: Option<Box<ClientInitializeError>>, process: &Process, stdin: &Stdin, junk: &Junk) -> ConnectionError {
        let Some(failure) = failure else {
            return match junk.first() {
                Some(line) => ConnectionError::NotProtocol { first_line: Some(line) },
                None => self.too_late(),
            };
        };
        if let Some(answer) = answered(&failure) {
            return answer;
        }
        if let Some(Why::TooLong { .. }) = self.ending.why() {
            return self.ending.error();
        }
        stdin.close().await;
        let closed = matches!(*failure, ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. });
        match timeout(LAST_WORDS, process.ended()).await {
            // A program that prints something and is content is no server.
            Ok(exit) if closed && !(exit.status == Some(0) && junk.first().is_some()) => {
                ConnectionError::ExitedAtStart { status: exit.status }
            }
            _ => ConnectionError::NotProtocol { first_line: junk.first() },
        }
    }

    fn inner(self, running: Running, parts: Parts, process: Option<(Process, Stdin)>, stderr: Arc<Stderr>) -> Inner {
        let peer = running.peer().clone();
        let about = peer.peer_info().map(|info| about(&info)).unwrap_or_else(nameless);
        let guard = Guard { running, process, stderr: Arc::clone(&stderr), ending: Arc::clone(&self.ending), asks: self.asks };
        Inner {
            about,
            limits: self.limits,
            peer,
            listeners: parts.listeners,
            open: parts.open,
            ending: self.ending,
            stderr,
            gone: guard.watch(),
        }
    }

    fn too_late(&self) -> ConnectionError {
        ConnectionError::StartTimedOut { after: self.limits.start }
    }
}

/// What belongs to the connection and is also known to its transport.
struct Parts {
    open: watch::Receiver<usize>,
    listeners: Arc<Listeners>,
}

/// The error that lies in the server's own answer to the handshake.
fn answered(failure: &ClientInitializeError) -> Option<ConnectionError> {
    match failure {
        ClientInitializeError::JsonRpcError(error) => {
            Some(ConnectionError::Server { code: error.code.0, message: error.message.clone().into_owned(), data: error.data.clone() })
        }
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let revision = server_supported.first().map(|revision| revision.as_str().chars().take(40).collect::<String>());
            Some(ConnectionError::NotProtocol { first_line: revision.map(|revision| format!("protocol revision {revision}")) })
        }
        _ => None,
    }
}

fn about(info: &ServerPeerInfo) -> About {
    let known = info.server_info.as_ref();
    About {
        name: known.map(|known| known.name.clone()).unwrap_or_default(),
        version: known.map(|known| known.version.clone()).unwrap_or_default(),
        title: known.and_then(|known| known.title.clone()),
        instructions: info.instructions.clone(),
        protocol: info.protocol_version.to_string(),
    }
}

fn nameless() -> About {
    About { name: String::new(), version: String::new(), title: None, instructions: None, protocol: String::new() }
}
