//! A connection to one server. `call` is the only way to run a tool, and it accepts nothing but a permitted call.

mod begin;
mod call;
mod guard;
mod list;

use crate::ending::{Ending, Why};
use crate::process::{Stderr, StderrTail};
use crate::tap::Listeners;
use crate::{ConnectionError, Follow, Limits, ServerAsks, Start, StartError};
use policy::PermittedCall;
use protocol::{ToolAnswer, ToolSpec};
use rmcp::RoleClient;
use rmcp::service::Peer;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::timeout;

/// A connection to a running server. Clones are the same connection; when the last one is dropped, the server is stopped.
#[derive(Clone)]
pub struct Connection(Arc<Inner>);

/// What a server says about itself. All of it is its claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Its own name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it tells models about its use.
    pub instructions: Option<String>,
    /// The protocol revision that was agreed.
    pub protocol: String,
}

struct Inner {
    about: About,
    limits: Limits,
    peer: Peer<RoleClient>,
    listeners: Arc<Listeners>,
    /// How many questions to a person are open on this connection.
    open: watch::Receiver<usize>,
    ending: Arc<Ending>,
    stderr: Arc<Stderr>,
    /// Becomes true when nothing of the server is left.
    gone: watch::Receiver<bool>,
}

impl Connection {
    /// Starts a server and shakes hands with it. When this fails, or is dropped, nothing of the server is left.
    pub async fn start(start: Start, limits: Limits, asks: Arc<dyn ServerAsks>) -> Result<Self, StartError> {
        begin::begin(start, limits, asks).await.map(|inner| Self(Arc::new(inner)))
    }

    /// What the server says about itself.
    pub fn about(&self) -> About {
        self.0.about.clone()
    }

    /// The tools as the server lists them now, all pages of the list.
    pub async fn tools(&self) -> Result<Vec<ToolSpec>, ConnectionError> {
        list::tools(&self.0).await
    }

    /// Runs a tool. A caller that stops waiting cancels the call, and the server is told.
    pub async fn call(&self, call: PermittedCall, follow: Follow) -> Result<ToolAnswer, ConnectionError> {
        call::call(&self.0, call, follow).await
    }

    /// Tells the server that its folders are not what they were.
    pub async fn roots_changed(&self) {
        // A server that does not read must not hold up whoever changes folders; it asks again when it needs them.
        let _ = timeout(self.0.limits.list, self.0.peer.notify_roots_list_changed()).await;
    }

    /// The last lines of the server's standard error.
    pub fn stderr(&self) -> StderrTail {
        self.0.stderr.tail()
    }

    /// Stops the server: closes its input, asks it to end, kills it and everything it started. Returns when nothing of it is
    /// left, after at most about six seconds. Calls that still run fail as lost.
    pub async fn stop(&self) {
        self.0.ending.end(Why::Stopped);
        let mut gone = self.0.gone.clone();
        // Without its guard a server does not live either.
        let _ = gone.wait_for(|gone| *gone).await;
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("about", &self.0.about).field("over", &self.0.ending.is_over()).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.ending.end(Why::Stopped);
    }
}
